//! The run that the selection was made in.

use super::aligned::AlignedRun;
use super::common_metric::has;
use super::error::AlignError;
use super::reader::Reader;
use super::rows::{OwnRows, no_values};
use super::windows::{Chosen, FEWEST, choose};
use crate::{Question, RunEntry, Selection};
use fathom_record::Timestamp;
use std::sync::Arc;

/// Its target, and what was selected of it.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) rows: Arc<OwnRows>,
    pub(super) chosen: Chosen,
}

/// Which run it is.
pub(super) fn find(runs: &[RunEntry], selection: &Selection) -> Result<usize, AlignError> {
    let target = &selection.target;
    let ids = |runs: &mut dyn Iterator<Item = &RunEntry>| runs.map(|run| run.id.clone()).collect();
    if runs.is_empty() {
        return Err(AlignError::NoRuns);
    }
    let having: Vec<String> = ids(&mut runs.iter().filter(|run| has(run, target)));
    let Some(wanted) = &selection.run else {
        let found = runs.iter().position(|run| has(run, target));
        return found.ok_or_else(|| unknown(runs, target));
    };
    let Some(place) = runs.iter().position(|run| run.id == *wanted) else {
        let runs: Vec<String> = ids(&mut runs.iter());
        return Err(AlignError::UnknownRun { run: wanted.clone(), runs });
    };
    match runs.get(place).is_some_and(|run| has(run, target)) {
        true => Ok(place),
        false if having.is_empty() => Err(unknown(runs, target)),
        false => {
            let (target, run) = (target.clone(), wanted.clone());
            Err(AlignError::TargetElsewhere { target, run, having })
        }
    }
}

fn unknown(runs: &[RunEntry], target: &str) -> AlignError {
    let mut metrics: Vec<String> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for metric in runs.iter().flat_map(|run| &run.metrics) {
        if known.insert(metric.name.as_str()) {
            metrics.push(metric.name.clone());
        }
    }
    AlignError::UnknownTarget { target: target.to_string(), metrics }
}

impl Reference {
    /// Reads the target and finds the selection in it. `beside` has the rows for events.
    pub(super) fn new(
        reader: Reader<'_>,
        run: &RunEntry,
        selection: &Selection,
        beside: Option<&str>,
    ) -> Result<Reference, AlignError> {
        let rows = reader.rows(run, &selection.target, beside)?;
        let seen = rows.values.count();
        if seen < FEWEST {
            return Err(no_values(&selection.target, &run.id, seen));
        }
        let chosen = choose(&rows, selection, &run.id)?;
        Ok(Reference { rows, chosen })
    }

    pub(super) fn question(&self, selection: &Selection) -> Question {
        Question {
            grid: self.rows.grid.clone(),
            target: self.rows.values.clone(),
            windows: self.chosen.windows.clone(),
            baseline: self.chosen.baseline.clone(),
            segments: selection.segments,
            pattern: selection.pattern.clone(),
        }
    }

    /// The windows in its time.
    pub(super) fn spans(&self) -> Vec<(Timestamp, Timestamp)> {
        self.chosen.windows.iter().filter_map(|rows| self.rows.grid.span(rows)).collect()
    }

    pub(super) fn aligned(
        &self,
        run: &str,
        selection: &Selection,
        warnings: Vec<String>,
    ) -> AlignedRun {
        let grid = &self.rows.grid;
        AlignedRun {
            run: run.to_string(),
            has_own_target: true,
            question: self.question(selection),
            windows: self.spans(),
            baseline: self.chosen.baseline.as_ref().and_then(|rows| grid.span(rows)),
            links: Vec::new(),
            quality: None,
            warnings,
            edges: None,
        }
    }
}
