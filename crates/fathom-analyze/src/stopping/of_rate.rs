//! When a rate of work is known well enough.

use super::{SPENT, StoppingRule};
use crate::report::Subject;
use crate::{EstimateRequest, WorkEstimate, analyze_work};
use fathom_record::Series;
use fathom_stats::Confidence;
use fathom_stats::work_rate::UnknownInterval;

impl StoppingRule {
    /// As [`StoppingRule::analyze`], of runs of different amounts of work.
    #[must_use]
    pub fn analyze_work(&self, work: &Series, time: Series, request: &EstimateRequest) -> Subject {
        if self.has_one_look() || !request.assume_independent {
            return analyze_work(work, time, request);
        }
        let asked = request.confidence;
        // Within the range, because the error becomes smaller.
        let confidence = Confidence::new(1.0 - SPENT * asked.alpha()).unwrap_or(asked);
        let request = EstimateRequest { confidence, ..request.clone() };
        let mut subject = analyze_work(work, time, &request);
        if let Some(work) = &mut subject.work {
            work.confidence = asked;
        }
        subject
    }

    /// Whether the rate is as precise as asked.
    pub(super) fn is_rate_reached(&self, work: &WorkEstimate) -> bool {
        work.relative_half_width().is_some_and(|share| share <= self.precision.get())
    }

    /// About how many runs there will be when it is.
    pub(super) fn needed_for_rate(&self, work: &WorkEstimate) -> Option<usize> {
        let n = work.n_used;
        let unknown = work.found.as_ref().ok().and_then(|found| found.unknown);
        let needed = match (work.relative_half_width(), unknown) {
            (Some(share), _) => {
                // A width falls with the root of the runs.
                let factor = (share / self.precision.get()).powi(2).max(1.0);
                let needed = n as f64 * factor;
                needed.is_finite().then(|| needed.ceil() as usize)?
            }
            (None, Some(UnknownInterval::TooDependent { needed, .. })) => needed,
            (None, _) => return None,
        };
        let needed = needed.max(n).max(self.fewest);
        self.next_look(needed.saturating_sub(1)).or(Some(needed.min(self.most)))
    }
}
