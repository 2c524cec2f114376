//! From traces and a selection to a ranking.

mod choice;
mod error;
mod ordering;
mod outline;
mod panel;
mod ranked;
mod request;
mod scoring;

pub use error::ExplainError;
pub use outline::Outline;
pub use ranked::{Excluded, ExplainedRun, Explanation, Ranked, Stretch, TargetSummary};
pub use request::{Request, ScoreIn};

use crate::align::align;
use crate::rank::exclusion::Exclusion;
use crate::{TraceSource, Watch};

/// Aligns the runs of a trace and ranks their metrics.
pub fn explain(
    source: &dyn TraceSource,
    request: &Request,
    watch: Watch<'_>,
) -> Result<Explanation, ExplainError> {
    let aligned = align(source, &request.selection, &request.alignment, watch)?;
    if let Some(run) = aligned.runs.get(aligned.reference)
        && let Some(reason) = Exclusion::of(&run.question, &run.question.target, false)
    {
        let (target, run) = (request.selection.target.clone(), run.run.clone());
        return Err(ExplainError::StillTarget { target, run, reason });
    }
    let scored = scoring::score(source, request, &aligned, watch)?;
    Ok(ranked::explanation(source, request, aligned, &scored))
}
