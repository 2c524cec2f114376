//! What came of a request.

use crate::EngineError;
use fathom_analyze::compare::{Comparison, GateOutcome};

/// What came of a request.
#[derive(Debug)]
pub struct Answer<R> {
    /// As far as it goes.
    pub report: R,
    /// What the gates say.
    pub gates: Gates,
    /// How long measuring took, if anything was measured.
    pub seconds: Option<f64>,
    /// Why it ended before it was done, if it did. The report holds what there is.
    pub ended_early: Option<EngineError>,
}

impl<R> Answer<R> {
    /// The same about another form of the report.
    pub(crate) fn map<T>(self, form: impl FnOnce(R) -> T) -> Answer<T> {
        let Answer { report, gates, seconds, ended_early } = self;
        Answer { report: form(report), gates, seconds, ended_early }
    }

    /// The answer to a question without gates.
    pub(crate) fn of(report: R) -> Answer<R> {
        Answer { report, gates: Gates::Passed, seconds: None, ended_early: None }
    }
}

/// What the gates say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gates {
    /// Every one passed, or there is none.
    Passed,
    /// One failed.
    Failed,
    /// None failed, and one is open.
    Inconclusive,
}

impl Gates {
    /// Those of comparisons.
    pub(crate) fn of(comparisons: &[Comparison], allow_inconclusive: bool) -> Gates {
        let any = |wanted| comparisons.iter().any(|found| found.gated() == Some(wanted));
        if any(GateOutcome::Failed) {
            Gates::Failed
        } else if any(GateOutcome::Inconclusive) && !allow_inconclusive {
            Gates::Inconclusive
        } else {
            Gates::Passed
        }
    }
}
