//! The JSON of a study.

use super::{CellFailure, CellRatio, CellSystem, Study, StudyCell, StudyComparison};
use fathom_record::own_json::End;
use serde::Serialize;
use std::collections::BTreeMap;

/// The grid of a study.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Study"))]
pub(crate) struct StudyEntry<'a> {
    /// What is varied.
    axes: Vec<AxisEntry<'a>>,
    /// What the questions are called, as they are asked of each cell.
    questions: &'a [String],
    /// Whether executions with the same place in two systems or cells have the same seed.
    shared_seeds: bool,
    /// Every combination of the axes' values.
    cells: Vec<CellEntry<'a>>,
    /// Cells compared with those of a baseline. Absent if nothing is compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comparisons: Vec<ComparisonEntry<'a>>,
}

/// What is varied.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StudyAxis"))]
struct AxisEntry<'a> {
    /// The name of the parameter.
    name: &'a str,
    /// Its values, in their order.
    values: &'a [String],
}

/// One combination of values.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StudyCell"))]
struct CellEntry<'a> {
    /// What the cell is called, which is the `group` of its questions.
    name: &'a str,
    /// The value of each axis.
    values: BTreeMap<&'a str, &'a str>,
    /// The places of its answers in the document's `questions`, counted from 0, in the order of the
    /// study's `questions`.
    answers: Vec<usize>,
    /// What was executed.
    systems: Vec<SystemEntry<'a>>,
}

/// What was executed in a cell.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StudySystem"))]
struct SystemEntry<'a> {
    /// The name of the system. Absent if there is only one.
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    /// Its command, in which `{seed}` and the like stand for those of an execution.
    command: &'a str,
    /// The number of executions that count.
    executions: usize,
    /// How many of them an earlier session had performed.
    kept: usize,
    /// How many of them were ended before they were done.
    cut: usize,
    /// How many of them failed.
    failed: usize,
    /// Those that failed. Absent if none did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<FailureEntry<'a>>,
}

/// An execution that failed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StudyFailure"))]
struct FailureEntry<'a> {
    /// Its number.
    run: u64,
    /// Its seed.
    seed: u32,
    /// What happened.
    how: &'a str,
}

/// Cells compared with those of a baseline.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StudyComparison"))]
struct ComparisonEntry<'a> {
    /// What the estimate is called.
    question: &'a str,
    /// The axis on which two values are compared. Absent if the estimate itself compares systems, as
    /// `speedup(old, new)` does.
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<&'a str>,
    /// The value that is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    /// The value that it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'a str>,
    /// The ratio in each cell.
    ratios: Vec<RatioEntry>,
    /// The geometric mean of the ratios; `null` if there is only one, or one is unknown.
    ratio: Option<f64>,
    /// The lower end of its interval.
    lower: End,
    /// The upper end of its interval.
    upper: End,
    /// The confidence of each interval of this comparison. If questions share the error, the intervals
    /// of all comparisons hold together with the document's `confidence`.
    confidence: f64,
    /// How the intervals are computed. `ranks`: from the ordered executions of the cells, whose number
    /// was fixed beforehand; `ends`: from the ends of the cells' intervals, which hold whenever the
    /// executions end.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::ComparisonMethod::ALL.map(crate::ComparisonMethod::name))))]
    method: &'static str,
    /// Whether executions with the same seed are pairs.
    paired: bool,
}

/// A cell's estimate, divided by that of the cell it is compared with.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StudyRatio"))]
struct RatioEntry {
    /// The place of the cell in `cells`, counted from 0.
    cell: usize,
    /// The place of the cell that it is compared with. Absent if the estimate itself is a ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<usize>,
    /// The ratio; `null` if an estimate is unknown or not above 0.
    ratio: Option<f64>,
    /// The lower end of its interval.
    lower: End,
    /// The upper end of its interval.
    upper: End,
}

impl<'a> StudyEntry<'a> {
    pub(crate) fn of(study: &'a Study) -> StudyEntry<'a> {
        let axis =
            |axis: &'a super::StudyAxis| AxisEntry { name: &axis.name, values: &axis.values };
        StudyEntry {
            axes: study.axes.iter().map(axis).collect(),
            questions: &study.questions,
            shared_seeds: study.shares_seeds,
            cells: (study.cells.iter().enumerate())
                .map(|(place, cell)| CellEntry::of(study, place, cell))
                .collect(),
            comparisons: (study.comparisons.iter())
                .map(|comparison| ComparisonEntry::of(study, comparison))
                .collect(),
        }
    }
}

impl<'a> CellEntry<'a> {
    fn of(study: &'a Study, place: usize, cell: &'a StudyCell) -> CellEntry<'a> {
        let each = study.questions_of_cell();
        let value =
            |(axis, of): (usize, &'a super::StudyAxis)| (of.name.as_str(), study.value(cell, axis));
        CellEntry {
            name: &cell.name,
            values: study.axes.iter().enumerate().map(value).collect(),
            answers: (place * each..(place + 1) * each).collect(),
            systems: cell.systems.iter().map(SystemEntry::of).collect(),
        }
    }
}

impl<'a> SystemEntry<'a> {
    fn of(system: &'a CellSystem) -> SystemEntry<'a> {
        let CellSystem { name, command, executions, kept, cut, failures } = system;
        let entry = |CellFailure { run, seed, how }: &'a CellFailure| FailureEntry {
            run: *run,
            seed: *seed,
            how,
        };
        SystemEntry {
            name,
            command,
            executions: *executions,
            kept: *kept,
            cut: *cut,
            failed: failures.len(),
            failures: failures.iter().map(entry).collect(),
        }
    }
}

impl<'a> ComparisonEntry<'a> {
    fn of(study: &'a Study, comparison: &'a StudyComparison) -> ComparisonEntry<'a> {
        let axis = comparison.axis.and_then(|axis| study.axes.get(axis));
        let value = |place: usize| axis.and_then(|axis| axis.values.get(place)).map(String::as_str);
        let ratio = |CellRatio { cell, baseline, ratio, interval }: &CellRatio| RatioEntry {
            cell: *cell,
            baseline: *baseline,
            ratio: *ratio,
            lower: End(interval.lower),
            upper: End(interval.upper),
        };
        ComparisonEntry {
            question: study.questions.get(comparison.question).map_or("", String::as_str),
            axis: axis.map(|axis| axis.name.as_str()),
            value: value(comparison.value),
            baseline: value(comparison.baseline),
            ratios: comparison.ratios.iter().map(ratio).collect(),
            ratio: comparison.mean,
            lower: End(comparison.interval.lower),
            upper: End(comparison.interval.upper),
            confidence: comparison.confidence.get(),
            method: comparison.method.name(),
            paired: comparison.is_paired,
        }
    }
}
