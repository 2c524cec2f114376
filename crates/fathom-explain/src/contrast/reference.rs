//! The run whose phases are carried into the others.

use super::{ContrastError, ContrastQuestion};
use crate::align::{AlignError, Reader};
use fathom_record::Span;
use fathom_record::trace::Kind;

/// The one that was asked for, or the one of middle length. It must not depend on the groups: a run that
/// is always in the first one would differ from the others just because it fits itself.
pub(super) fn choose(
    reader: Reader<'_>,
    question: &ContrastQuestion,
) -> Result<usize, ContrastError> {
    let runs = reader.source.runs();
    if let Some(wanted) = &question.reference {
        let place = runs.iter().position(|run| run.id == *wanted);
        let ids = || runs.iter().map(|run| run.id.clone()).collect();
        return place
            .ok_or_else(|| AlignError::UnknownRun { run: wanted.clone(), runs: ids() }.into());
    }
    let mut lengths = Vec::with_capacity(runs.len());
    for (place, run) in runs.iter().enumerate() {
        let sampled = run.metrics.iter().find(|metric| metric.kind != Kind::Event);
        let length = match sampled.or(run.metrics.first()) {
            Some(metric) => {
                let samples = reader.samples(&run.id, &metric.name)?;
                let ends = samples.starts.first().zip(samples.ends.last());
                ends.map_or(Span::ZERO, |(start, end)| *end - *start)
            }
            None => Span::ZERO,
        };
        lengths.push((length, place));
    }
    lengths.sort_unstable();
    Ok(lengths.get(lengths.len().saturating_sub(1) / 2).map_or(0, |(_, place)| *place))
}
