//! All findings about a host.

use std::time::Duration;

use super::cpu_times::{self, Shares};
use super::perf_events::Counter;
use super::{Host, clock, load};
use fathom_record::finding::Finding;

/// What no file says and the caller has to try.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tried {
    /// The smallest step of the clock that was seen.
    pub clock_grain: Option<Duration>,
    /// Which counters can be read; `None` if they were not tried.
    pub counters: Option<Vec<Counter>>,
    /// What the CPUs did in a short time, for instance while the noise floor was measured.
    pub window: Option<Shares>,
}

/// Judges a host: each [`Topic`](super::Topic) once, in the order of
/// [`Topic::ALL`](super::Topic::ALL).
#[must_use]
pub fn findings(host: &Host, tried: &Tried) -> Vec<Finding> {
    let guest = host.virtual_machine.is_known();
    // A container that may change everything is treated like the machine.
    let locked = host.container.settings_locked();
    let since_boot = host.cpu_times.and_then(|times| times.since_boot());
    let mut findings = vec![
        host.governor.finding(guest),
        host.turbo.finding(guest),
        host.frequency.finding(host.turbo, host.governor.is_performance()),
        host.frequency.heat_finding(),
        host.strength.finding(),
        host.smt.finding(guest),
        host.isolation.finding(),
        host.aslr.finding(),
        load::finding(host.load, &host.processor, &host.pressure),
        cpu_times::steal_finding(since_boot, tried.window, guest),
        host.memory.finding(),
        host.pressure.finding(),
        host.power.finding(),
        host.virtual_machine.finding(),
        host.container.finding(),
        host.cpu_quota.finding(locked),
        host.clock_source.finding(),
        clock::grain_finding(tried.clock_grain),
        host.perf_events.finding(tried.counters.as_deref(), guest, locked),
        host.huge_pages.finding(),
    ];
    if locked {
        for finding in findings.iter_mut().filter(|finding| finding.topic.is_kernel_setting()) {
            finding.remedy =
                finding.remedy.take().map(|remedy| format!("outside the container: {remedy}"));
        }
    }
    findings
}
