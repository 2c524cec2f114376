//! What on this machine spoils measurements, and what it can detect.

mod busy;
mod document;
mod interruptions;
mod noise_floor;

pub use busy::busy_if_asked;
pub use document::{CheckupDocument, FindingEntry};
pub use interruptions::read_clock_if_asked;

use crate::engine::local;
use crate::{EngineError, Watch};
use fathom_analyze::checkup::{Checkup, Interruptions, NoiseFloorReport};
use fathom_sys::counters::{self, CounterName, Unavailable};
use fathom_sys::host::{Access, Counter, CpuTimes, Host, Tried, findings};
use fathom_sys::{affinity, clock};
use interruptions::{interruptions, interruptions_on};
use noise_floor::noise_floor;
use std::path::Path;
use std::time::Duration;

/// Looks at the machine, measures for `time` what it can detect, and reads the clock on each
/// processor, or on one if it is named. Without time, it only looks at the settings.
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
    let measured = match time.is_zero() {
        true => None,
        false => Some(measure(time, cpu, watch)?),
    };
    watch.clear();
    let window = before.zip(CpuTimes::read(root)).and_then(|(before, after)| after.since(&before));
    let tried = Tried {
        clock_grain: Some(clock::grain().into()),
        counters: Some(hardware_counters()),
        window: window.filter(|_| measured.is_some()),
    };
    let (floor, interruptions) = measured.unzip();
    Ok(Checkup { findings: findings(&host, &tried), floor, interruptions })
}

fn measure(
    time: Duration,
    cpu: Option<usize>,
    watch: &mut dyn Watch,
) -> Result<(NoiseFloorReport, Interruptions), EngineError> {
    // It runs Fathom itself: any folder will do.
    let mut laboratory = local(Path::new("/"))?;
    let allowed = affinity::allowed()?;
    match (cpu, allowed.as_slice()) {
        (None, [_, _, ..]) => {
            // Half of the time for wherever the kernel puts the program, half for the CPUs.
            let floor = noise_floor(&mut laboratory, time / 2, None, watch)?;
            Ok((floor, interruptions(&mut laboratory, &allowed, time / 2, watch)?))
        }
        (cpu, allowed) => {
            let only = cpu.or(allowed.first().copied()).unwrap_or(0);
            let floor = noise_floor(&mut laboratory, time, cpu, watch)?;
            Ok((floor, interruptions_on(&mut laboratory, only, allowed.len(), watch)?))
        }
    }
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
