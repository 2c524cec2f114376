//! A study: the same questions of every cell of a grid, such as benchmarks × configurations.

mod comparison;
mod document;
mod plan;

pub use comparison::{CellRatio, ComparisonMethod, StudyComparison};
pub(crate) use document::StudyEntry;
pub use plan::{PlannedCell, StudyCost, StudyPlan};

/// The grid of a study. The answers are those of the report that it belongs to: the questions of the
/// first cell come first, then those of the second.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// What is varied, at least one.
    pub axes: Vec<StudyAxis>,
    /// What the questions are called, as they are asked of each cell.
    pub questions: Vec<String>,
    /// Every combination of the axes' values; the last axis changes first.
    pub cells: Vec<StudyCell>,
    /// Whether executions with the same place in two systems or cells have the same seed.
    pub shares_seeds: bool,
    /// Cells compared with those of a baseline.
    pub comparisons: Vec<StudyComparison>,
}

/// What is varied in a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyAxis {
    /// The name of the parameter.
    pub name: String,
    /// Its values, in their order.
    pub values: Vec<String>,
}

/// One combination of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyCell {
    /// What it is called: `benchmark=ferret l2=1MB`.
    pub name: String,
    /// The place of its value on each axis.
    pub values: Vec<usize>,
    /// What was executed: one system, or several that properties name.
    pub systems: Vec<CellSystem>,
}

/// What was executed in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSystem {
    /// The name of the system; empty if there is only one.
    pub name: String,
    /// Its command, in which `{seed}` and the like stand for those of an execution.
    pub command: String,
    /// Executions that count.
    pub executions: usize,
    /// How many of them an earlier session had performed.
    pub kept: usize,
    /// How many of them were ended before they were done.
    pub cut: usize,
    /// Executions that failed, in the order of their numbers.
    pub failures: Vec<CellFailure>,
}

/// An execution that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellFailure {
    /// Its number, from 1.
    pub run: u64,
    /// Its seed.
    pub seed: u32,
    /// What happened.
    pub how: String,
}

impl Study {
    /// How many questions each cell is asked.
    #[must_use]
    pub fn questions_of_cell(&self) -> usize {
        self.questions.len()
    }

    /// The cell that a question of the report is about, and its place among the questions of the cell.
    #[must_use]
    pub fn place_of(&self, question: usize) -> (usize, usize) {
        let each = self.questions.len().max(1);
        (question / each, question % each)
    }

    /// The value of a cell on an axis.
    #[must_use]
    pub fn value(&self, cell: &StudyCell, axis: usize) -> &str {
        let place = cell.values.get(axis).copied().unwrap_or(0);
        self.axes.get(axis).and_then(|axis| axis.values.get(place)).map_or("", String::as_str)
    }

    /// The systems of all cells.
    pub fn systems(&self) -> impl Iterator<Item = &CellSystem> {
        self.cells.iter().flat_map(|cell| &cell.systems)
    }

    /// How many executions count, in all cells.
    #[must_use]
    pub fn executions(&self) -> usize {
        self.systems().map(|system| system.executions).sum()
    }
}
