//! What else used the machine meanwhile.

use fathom_record::Span;
use fathom_sys::cpu_time::process;
use fathom_sys::host::CpuTimes;
use std::path::Path;

/// The machine before a measurement.
pub(crate) struct Surroundings {
    before: Option<CpuTimes>,
    own: Span,
}

/// Shares of the machine's time, where they are known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Disturbance {
    /// Taken by the hypervisor.
    pub(crate) stolen: Option<f64>,
    /// Used by other programs.
    pub(crate) others: Option<f64>,
}

impl Surroundings {
    pub(crate) fn look() -> Surroundings {
        Surroundings { before: CpuTimes::read(Path::new("/")), own: process() }
    }

    /// What happened since.
    pub(crate) fn disturbance(&self) -> Disturbance {
        self.disturbance_besides(Span::ZERO)
    }

    /// The same, where processes of our own used that much CPU time.
    pub(crate) fn disturbance_besides(&self, workers: Span) -> Disturbance {
        let own = (process() - self.own).seconds() + workers.seconds();
        let now = CpuTimes::read(Path::new("/"));
        let shares = self.before.zip(now).and_then(|(before, now)| now.since(&before));
        shares.map_or_else(Disturbance::default, |shares| Disturbance {
            stolen: shares.stolen(),
            others: shares.others(own),
        })
    }
}
