//! What the machine did meanwhile.

use fathom_record::{Advice, Metric, Run};
use fathom_sys::host::{Brief, CpuTimes, warnings_before, warnings_between};
use std::path::Path;

/// The machine before a measurement.
#[derive(Debug)]
pub(crate) struct Surroundings {
    before: Option<CpuTimes>,
    warnings: Vec<String>,
}

impl Surroundings {
    /// Looks at the machine.
    pub(crate) fn look() -> Surroundings {
        let root = Path::new("/");
        let host = Brief::read(root);
        Surroundings { before: CpuTimes::read(root), warnings: said(&warnings_before(&host)) }
    }

    /// What to warn about before the first run.
    pub(crate) fn before(&self) -> &[String] {
        &self.warnings
    }

    /// What to warn about after these runs. What Fathom itself used, `overhead` seconds at most,
    /// is not other programs'.
    pub(crate) fn warnings(&self, runs: &[Run], overhead: f64) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        let runs: f64 = runs.iter().filter_map(|run| Metric::CpuTime.of(run)).sum();
        let own = runs + overhead;
        if let (Some(before), Some(after)) = (&self.before, CpuTimes::read(Path::new("/"))) {
            warnings.extend(said(&warnings_between(before, &after, own)));
        }
        warnings
    }
}

/// As sessions keep them.
fn said(warnings: &[Advice]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}
