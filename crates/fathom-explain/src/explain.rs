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
pub use request::{ScoreIn, TraceQuestion};

use crate::align::{Reader, align_with};
use crate::rank::exclusion::Exclusion;
use crate::{ExplainCache, ProgressWatch, TraceSource};

/// Aligns the runs of a trace and ranks their metrics.
pub fn explain(
    source: &dyn TraceSource,
    request: &TraceQuestion,
    watch: ProgressWatch<'_>,
) -> Result<Explanation, ExplainError> {
    explain_with(source, request, &ExplainCache::new(0), watch)
}

/// The same, with what is remembered of these traces.
pub fn explain_with(
    source: &dyn TraceSource,
    request: &TraceQuestion,
    cache: &ExplainCache,
    watch: ProgressWatch<'_>,
) -> Result<Explanation, ExplainError> {
    let aligned = align_with(source, &request.selection, &request.alignment, cache, watch)?;
    if let Some(run) = aligned.runs.get(aligned.reference)
        && let Some(reason) = Exclusion::of(&run.question, &run.question.target, false)
    {
        let (target, run) = (request.selection.target.clone(), run.run.clone());
        return Err(ExplainError::StillTarget { target, run, reason });
    }
    let scored = scoring::score(Reader::new(source, cache), request, &aligned, watch)?;
    Ok(ranked::explanation(source, request, aligned, &scored))
}
