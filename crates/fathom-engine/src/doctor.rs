//! What on this machine spoils measurements, and what it can detect.

mod busy;
mod document;
mod noise_floor;

pub use busy::busy_if_asked;
pub use document::{CheckupDocument, FindingEntry};

use crate::{EngineError, Watch};
use fathom_analyze::checkup::Checkup;
use fathom_sys::counters::{self, CounterName, Unavailable};
use fathom_sys::host::{Access, Counter, CpuTimes, Host, Tried, findings};
use fathom_sys::{affinity, clock};
use noise_floor::noise_floor;
use std::path::Path;
use std::time::Duration;

/// Looks at the machine, and measures for `time` what it can detect, on a processor if one is named.
/// Without time, it only looks at the settings.
///
/// # Errors
/// There is no such processor, the program could not be measured, or the user ended it.
pub fn check_up(
    time: Duration,
    cpu: Option<usize>,
    watch: &mut dyn Watch,
) -> Result<Checkup, EngineError> {
    if let Some(cpu) = cpu {
        affinity::check(cpu)?;
    }
    let root = Path::new("/");
    let host = Host::read(root);
    let before = CpuTimes::read(root);
    let floor = match time.is_zero() {
        true => None,
        false => Some(noise_floor(time, cpu, watch)?),
    };
    watch.clear();
    let window = before.zip(CpuTimes::read(root)).and_then(|(before, after)| after.since(&before));
    let tried = Tried {
        clock_grain: Some(clock::grain().into()),
        counters: Some(hardware_counters()),
        window: window.filter(|_| floor.is_some()),
    };
    Ok(Checkup { findings: findings(&host, &tried), floor })
}

/// Which hardware counters can be read.
fn hardware_counters() -> Vec<Counter> {
    let counter = |(name, result): (CounterName, Result<_, Unavailable>)| Counter {
        name: name.as_str().to_string(),
        access: match result {
            Ok(_) => Access::Works,
            Err(Unavailable::NoPermission { .. }) => Access::Denied,
            Err(_) => Access::Missing,
        },
    };
    let hardware: Vec<CounterName> =
        CounterName::ALL.into_iter().filter(|name| name.is_hardware()).collect();
    counters::available(&hardware).into_iter().map(counter).collect()
}
