//! Two groups of whole runs: which metrics differ, and in which phase.
//!
//! Runs are what is counted: if the groups do not differ, any division of the runs into groups of these
//! sizes was equally likely. Nothing that is measured here may depend on the groups but the last step:
//! the reference, the phases and the alignment are chosen without knowing them. See
//! `docs/methods/contrast.md`.

mod document;
mod found;
mod levels;
mod phases;
mod question;
mod reference;

pub use document::ContrastDocument;
pub use found::{
    Contrast, ContrastPhase, ContrastedMetric, ContrastedRun, Difference, LevelSpread,
    MetricOrigin, OneSidedMetric,
};
pub use question::{ContrastError, ContrastQuestion, PhaseChoice, RunSide};

use crate::align::{AlignError, CarriedMoments, Fit, Reader, carry};
use crate::{ExplainCache, ProgressWatch, TraceSource};
use fathom_record::Timestamp;
use fathom_stats::two_groups;
use levels::RunLevels;

/// Which draws divide runs where there are too many ways: always the same.
const SEED: u64 = 0;

/// A difference with a smaller p-value of the family is significant.
pub const SIGNIFICANT: f64 = 0.05;

/// Contrasts two groups of runs.
///
/// # Errors
/// A group has no run, runs cannot be aligned by the metric that was asked for, or a metric cannot be
/// read; and if `watch` asks to stop.
pub fn contrast_with(
    source: &dyn TraceSource,
    question: &ContrastQuestion,
    cache: &ExplainCache,
    watch: ProgressWatch<'_>,
) -> Result<Contrast, ContrastError> {
    let chosen = question.chosen(source)?;
    // What is left out is not aligned either.
    let source = &chosen;
    let reader = Reader::new(source, cache);
    let mut notes = Vec::new();
    let place = reference::choose(reader, question)?;
    let carried = match question.phases {
        PhaseChoice::Whole => None,
        choice => carried(reader, place, question, choice, watch, &mut notes)?,
    };
    let levels = levels::read(reader, question, carried.as_ref(), watch)?;
    let sides = source.sides();
    let is_second: Vec<bool> = sides.iter().map(|side| *side == RunSide::Second).collect();
    let rows = found::rows(&levels, carried.as_ref());
    let tested: Vec<Vec<Option<f64>>> = rows
        .iter()
        .filter(|row| !question.selected_by.contains(&row.metric.name))
        .flat_map(|row| row.cells.iter().cloned())
        .collect();
    let differences = two_groups::compare(&is_second, &tested, SEED);
    let found = found::contrast(found::Parts {
        question,
        source_runs: source.runs().iter().map(|run| run.id.clone()).collect(),
        sides,
        place,
        carried: carried.as_ref(),
        rows,
        differences,
        notes,
    });
    if levels.iter().any(|run| !run.metrics.is_empty()) {
        return Ok(found);
    }
    let asked = question.only.join(" or ");
    Err(ContrastError::NothingShared(match asked.as_str() {
        "" => String::new(),
        asked => format!(" with {asked} in its name"),
    }))
}

/// The phases in every run; `None` if runs cannot be aligned and nobody asked for phases.
fn carried(
    reader: Reader<'_>,
    place: usize,
    question: &ContrastQuestion,
    choice: PhaseChoice,
    watch: ProgressWatch<'_>,
    notes: &mut Vec<String>,
) -> Result<Option<CarriedMoments>, ContrastError> {
    let choose = |values: &[f64], edges: &[Timestamp]| phases::find(values, edges, choice);
    match carry(reader, place, &question.alignment, &choose, watch) {
        Ok(carried) => {
            let carried = carried.map(|mut carried| {
                notes.append(&mut carried.notes);
                carried
            });
            Ok(carried)
        }
        Err(
            refused @ (AlignError::NoCommon { .. }
            | AlignError::Unreached { .. }
            | AlignError::CommonConstant { .. }
            | AlignError::TooFewValues { .. }),
        ) if choice == PhaseChoice::Auto && question.alignment.common.is_none() => {
            notes.push(format!("whole runs are compared, without phases: {refused}"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Which runs do not fit, so that their phases may be wrong.
fn poorly_aligned(carried: &CarriedMoments) -> impl Iterator<Item = usize> + '_ {
    let is_poor = |run: usize| carried.runs.get(run).is_some_and(|one| one.fit == Some(Fit::Poor));
    (0..carried.runs.len()).filter(move |run| is_poor(*run))
}

/// What is read of a run.
type AllLevels = Vec<RunLevels>;
