//! A path that is being found, from its end.

use crate::path::{Path, Step, StepRun};

/// A path that is being found, from its end.
pub(crate) struct Backwards {
    head: (usize, usize),
    end: (usize, usize),
    runs: Vec<StepRun>,
}

impl Backwards {
    pub(crate) fn new(end: (usize, usize)) -> Self {
        Self { head: end, end, runs: Vec::new() }
    }

    /// The earliest known cell.
    pub(crate) fn head(&self) -> (usize, usize) {
        self.head
    }

    /// Goes to the cell from which a step led to the head. False if there is none: the path began.
    pub(crate) fn back(&mut self, step: Step) -> bool {
        let (x, y) = step.advances();
        let (Some(row), Some(column)) =
            (self.head.0.checked_sub(usize::from(x)), self.head.1.checked_sub(usize::from(y)))
        else {
            return false;
        };
        self.head = (row, column);
        match self.runs.last_mut() {
            Some(run) if run.step == step && run.count < u32::MAX => run.count += 1,
            _ => self.runs.push(StepRun { step, count: 1 }),
        }
        true
    }

    /// The path from its beginning.
    pub(crate) fn finish(mut self) -> Path {
        self.runs.reverse();
        self.runs.shrink_to_fit();
        Path::new(self.head, self.end, self.runs)
    }
}
