//! The run that the selection was made in.

use super::aligned::AlignedRun;
use super::common_metric::has;
use super::error::AlignError;
use super::phrase::{counted, quoted};
use super::reader::Reader;
use super::rows::{OwnRows, no_values};
use super::windows::{Chosen, FEWEST, choose, excepted};
use crate::mask::{KeptRows, cut};
use crate::{Mask, MaskedRows, Question, RunEntry, Selection};
use fathom_record::Timestamp;
use std::sync::Arc;

/// Its target, and what was selected of it.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) rows: Arc<OwnRows>,
    pub(super) chosen: Chosen,
    /// What does not count, in its time.
    pub(super) mask: Mask,
    /// The part of it that only the selection leaves out.
    pub(super) excepted: Mask,
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
    /// Reads the target and finds the selection in it. `beside` has the rows for events; `own` is what
    /// does not count in the run.
    pub(super) fn new(
        reader: Reader<'_>,
        run: &RunEntry,
        selection: &Selection,
        beside: Option<&str>,
        own: &Mask,
    ) -> Result<Reference, AlignError> {
        let target = &selection.target;
        let rows = reader.rows(run, target, beside)?;
        let rows = match reader.source.mask(&run.id) {
            Some(_) => rows,
            None => Arc::new((*rows).clone().without(own)),
        };
        let excepted = excepted(&rows, &reader.source.except(&run.id), target, &run.id)?;
        let rows = match excepted.is_empty() {
            true => rows,
            false => Arc::new((*rows).clone().without(&excepted)),
        };
        let mask = own.and(&excepted);
        let seen = rows.values.count();
        if seen < FEWEST {
            let kept = mask.keeps(rows.grid.edges()).iter().filter(|keeps| **keeps).count();
            let (target, run) = (target.clone(), run.id.clone());
            return Err(match kept < rows.grid.rows() {
                true => AlignError::Masked { target, run, rows: rows.grid.rows(), kept },
                false => no_values(&target, &run, seen),
            });
        }
        let chosen = choose(&rows, selection, &run.id, &mask)?;
        Ok(Reference { rows, chosen, mask, excepted })
    }

    /// Which of its rows count; `None` if all do.
    pub(super) fn keeps(&self) -> Option<Vec<bool>> {
        (!self.mask.is_empty()).then(|| self.mask.keeps(self.rows.grid.edges()))
    }

    /// What a mask leaves; `None` if there is none.
    fn masked(&self) -> Option<MaskedRows> {
        let keeps = self.keeps()?;
        let count = |rows: &mut dyn Iterator<Item = usize>| {
            rows.filter(|&row| keeps.get(row) == Some(&true)).count()
        };
        let windows = || self.chosen.windows.iter().cloned().flatten();
        Some(MaskedRows {
            rows: keeps.len(),
            kept: count(&mut (0..keeps.len())),
            rows_in_windows: windows().count(),
            kept_in_windows: count(&mut windows()),
        })
    }

    /// How much does not count.
    pub(super) fn mask_note(&self, target: &str) -> Option<String> {
        let MaskedRows { rows, kept, rows_in_windows, kept_in_windows } = self.masked()?;
        Some(format!(
            "{kept} of {} of {} count (--while, --except), {kept_in_windows} of {rows_in_windows} in the \
             window",
            counted(rows, "row"),
            quoted(target)
        ))
    }

    /// Without the rows that do not count.
    pub(super) fn question(&self, selection: &Selection) -> Question {
        let whole = self.whole_question(selection);
        match self.keeps().and_then(|keeps| cut(&whole, &keeps)) {
            Some((question, _)) => question,
            None => whole,
        }
    }

    pub(super) fn whole_question(&self, selection: &Selection) -> Question {
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
        let whole = self.whole_question(selection);
        let (question, kept) = match self.keeps().and_then(|keeps| cut(&whole, &keeps)) {
            Some((question, kept)) => {
                (question, Some(KeptRows { edges: grid.edges().to_vec(), kept }))
            }
            None => (whole, None),
        };
        AlignedRun {
            run: run.to_string(),
            has_own_target: true,
            question,
            masked: self.masked(),
            kept,
            windows: self.spans(),
            baseline: self.chosen.baseline.as_ref().and_then(|rows| grid.span(rows)),
            links: Vec::new(),
            quality: None,
            warnings,
            edges: None,
        }
    }
}
