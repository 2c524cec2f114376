//! What else uses the machine while functions are timed in this process.

use crate::cpu_time::process;
use crate::host::{Brief, CpuTimes, warnings_before};
use fathom_record::{Advice, Span};
use std::path::Path;

/// What may spoil a measurement before it begins.
#[must_use]
pub fn warnings() -> Vec<Advice> {
    warnings_before(&Brief::read(Path::new("/")))
}

/// The machine before a measurement.
#[derive(Debug)]
pub struct Surroundings {
    before: Option<CpuTimes>,
    own: Span,
}

/// Shares of the machine's time, where they are known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Disturbance {
    /// Taken by the hypervisor.
    pub stolen: Option<f64>,
    /// Used by other programs.
    pub others: Option<f64>,
}

impl Surroundings {
    /// Looks at the machine now.
    #[must_use]
    pub fn look() -> Surroundings {
        Surroundings { before: CpuTimes::read(Path::new("/")), own: process() }
    }

    /// What happened since.
    #[must_use]
    pub fn disturbance(&self) -> Disturbance {
        self.disturbance_besides(Span::ZERO)
    }

    /// The same, where processes of our own used that much CPU time.
    #[must_use]
    pub fn disturbance_besides(&self, workers: Span) -> Disturbance {
        let own = (process() - self.own).seconds() + workers.seconds();
        let now = CpuTimes::read(Path::new("/"));
        let shares = self.before.zip(now).and_then(|(before, now)| now.since(&before));
        shares.map_or_else(Disturbance::default, |shares| Disturbance {
            stolen: shares.stolen(),
            others: shares.others(own),
        })
    }
}
