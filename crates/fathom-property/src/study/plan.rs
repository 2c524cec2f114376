//! What a study would do.

use super::StudyAxis;
use std::time::Duration;

/// The grid of a study before its first execution, and what it may take.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyPlan {
    /// What is varied.
    pub axes: Vec<StudyAxis>,
    /// Every combination of the axes' values.
    pub cells: Vec<PlannedCell>,
    /// The fewest executions of each cell that give all answers if all satisfy the properties, if they
    /// are known and allowed.
    pub fewest: Option<u64>,
    /// The most executions of each cell.
    pub most: u64,
    /// How many run at once.
    pub at_once: usize,
    /// How long the study may take, if that is limited.
    pub max_time: Option<Duration>,
}

/// A cell of a study that has not begun.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCell {
    /// What it is called.
    pub name: String,
    /// The place of its value on each axis.
    pub values: Vec<usize>,
    /// How many of its executions an earlier study performed.
    pub kept: u64,
    /// How long one takes, if earlier ones say so.
    pub each: Option<Duration>,
}

/// What a study may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StudyCost {
    /// So many executions in all, without those that were kept.
    pub executions: u64,
    /// How long they take, if every cell's time is known, or that of any cell to judge by.
    pub time: Option<Duration>,
}

impl StudyPlan {
    /// What it costs if each cell has this many executions in all.
    #[must_use]
    pub fn cost(&self, of_each: u64) -> StudyCost {
        let known: Vec<Duration> = self.cells.iter().filter_map(|cell| cell.each).collect();
        let count = u32::try_from(known.len()).unwrap_or(u32::MAX);
        let usual = (count > 0).then(|| known.iter().sum::<Duration>() / count);
        let missing = |cell: &PlannedCell| of_each.saturating_sub(cell.kept);
        let executions = self.cells.iter().map(missing).sum();
        let time = usual.map(|usual| {
            let seconds = |cell: &PlannedCell| {
                cell.each.unwrap_or(usual).as_secs_f64() * missing(cell) as f64
            };
            let all: f64 = self.cells.iter().map(seconds).sum();
            Duration::try_from_secs_f64(all / self.at_once.max(1) as f64).unwrap_or(Duration::MAX)
        });
        StudyCost { executions, time }
    }

    /// How many executions earlier studies performed.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.cells.iter().map(|cell| cell.kept.min(self.most)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_costs_nothing() {
        let cell = |kept, each: Option<u64>| PlannedCell {
            name: String::new(),
            values: Vec::new(),
            kept,
            each: each.map(Duration::from_secs),
        };
        let plan = StudyPlan {
            axes: Vec::new(),
            cells: vec![cell(40, Some(2)), cell(60, Some(4)), cell(0, None)],
            fewest: Some(43),
            most: 100,
            at_once: 2,
            max_time: None,
        };
        let cost = plan.cost(50);
        assert_eq!(cost.executions, 10 + 50);
        // Ten of 2 s, and fifty of the mean of what is known, two at a time.
        assert_eq!(cost.time, Some(Duration::from_secs((10 * 2 + 50 * 3) / 2)));
        assert_eq!(plan.kept(), 100);
        let unknown = StudyPlan { cells: vec![cell(0, None)], ..plan };
        assert_eq!(unknown.cost(7), StudyCost { executions: 7, time: None });
    }
}
