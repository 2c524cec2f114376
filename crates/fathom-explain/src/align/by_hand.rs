//! Runs whose windows the user placed: they are analysed there, and not aligned.

use super::aligned::{Aligned, AlignedRun};
use super::common_metric::has;
use super::error::AlignError;
use super::reader::Reader;
use super::reference::{Reference, find};
use super::{AlignOptions, PlacedWindows, align_all};
use crate::{
    ExplainCache, Mask, ProgressWatch, RunEntry, Selection, SourceError, TargetRange, TraceSource,
};
use fathom_record::trace::Samples;

/// Places these runs, and aligns the others.
pub(super) fn align(
    source: &dyn TraceSource,
    selection: &Selection,
    options: &AlignOptions,
    cache: &ExplainCache,
    watch: ProgressWatch<'_>,
) -> Result<Aligned, AlignError> {
    let runs = source.runs();
    let first = find(runs, selection)?;
    let is_first = |id: &str| runs.get(first).is_some_and(|run| run.id == id);
    let by_hand =
        |id: &str| options.by_hand.iter().find(|placed| placed.run == id && !is_first(id));
    let others: Vec<RunEntry> =
        runs.iter().filter(|run| by_hand(&run.id).is_none()).cloned().collect();
    let named = Selection { run: runs.get(first).map(|run| run.id.clone()), ..selection.clone() };
    let rest = OtherRuns { source, runs: others };
    let mut aligned = align_all(&rest, &named, options, cache, watch)?;
    let mut of_others = std::mem::take(&mut aligned.runs).into_iter();
    let reader = Reader::new(source, cache);
    for run in runs {
        let next = match by_hand(&run.id) {
            Some(placed) => Some(place(reader, run, placed, selection, &mut aligned.notes)?),
            None => of_others.next(),
        };
        aligned.runs.extend(next);
    }
    aligned.reference = first;
    Ok(aligned)
}

/// A run on its own target's rows.
fn place(
    reader: Reader<'_>,
    run: &RunEntry,
    placed: &PlacedWindows,
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<AlignedRun, AlignError> {
    let target = &selection.target;
    if !has(run, target) {
        let having = reader.source.runs().iter().filter(|run| has(run, target));
        return Err(AlignError::TargetElsewhere {
            target: target.clone(),
            run: run.id.clone(),
            having: having.map(|run| run.id.clone()).collect(),
        });
    }
    let own = Selection {
        run: Some(run.id.clone()),
        windows: placed.windows.clone(),
        baseline: placed.baseline,
        // It was drawn over another run.
        pattern: None,
        ..selection.clone()
    };
    // Nothing is aligned here that could say which of its rows count.
    let Some(mask) = reader.source.mask(&run.id) else {
        return Err(AlignError::NoMask { run: run.id.clone() });
    };
    let found = Reference::new(reader, run, &own, None, &mask)?;
    notes.extend(found.chosen.notes.iter().map(|note| format!("{}: {note}", run.id)));
    Ok(found.aligned(&run.id, &own, Vec::new()))
}

/// The runs that are aligned.
struct OtherRuns<'s> {
    source: &'s dyn TraceSource,
    runs: Vec<RunEntry>,
}

impl TraceSource for OtherRuns<'_> {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        self.source.common()
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        self.source.samples(run, metric)
    }

    fn mask(&self, run: &str) -> Option<Mask> {
        self.source.mask(run)
    }

    fn except(&self, run: &str) -> Vec<TargetRange> {
        self.source.except(run)
    }

    fn whole_run(&self, run: &str, bytes: usize) -> Option<Result<Vec<Samples>, SourceError>> {
        self.source.whole_run(run, bytes)
    }
}
