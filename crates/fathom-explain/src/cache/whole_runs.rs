//! When a run is read whole.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Which runs were asked about how often. A run's metrics are asked for one after the other, and a file
/// is read faster whole than column by column, unless only the target and the common metric are wanted
/// of it.
#[derive(Debug, Default)]
pub(crate) struct WholeRuns {
    runs: Mutex<HashMap<String, Reading>>,
}

#[derive(Debug, Clone, Copy)]
enum Reading {
    /// This many metrics were read by themselves.
    Alone(usize),
    /// It is read whole.
    Whole,
    /// It cannot be.
    NeverWhole,
}

/// This many metrics of a run are read by themselves.
const ALONE: usize = 2;

impl WholeRuns {
    /// Called for a metric that is not remembered: reads its run by `read`, once enough was asked of
    /// it. Other threads usually want the same run meanwhile, and wait.
    pub(crate) fn when_due(&self, run: &str, read: impl FnOnce() -> bool) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let known = runs.get(run).copied().unwrap_or(Reading::Alone(0));
        let next = match known {
            Reading::NeverWhole => return,
            Reading::Alone(count) if count < ALONE => Reading::Alone(count + 1),
            Reading::Alone(_) | Reading::Whole => match read() {
                true => Reading::Whole,
                false => Reading::NeverWhole,
            },
        };
        runs.insert(run.to_string(), next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_read_whole_from_its_third_metric_on() {
        let runs = WholeRuns::default();
        let mut reads = Vec::new();
        for n in 0..4 {
            runs.when_due("a", || {
                reads.push(n);
                true
            });
        }
        // When it was pushed out of memory, it is read again.
        assert_eq!(reads, [2, 3]);
        runs.when_due("b", || panic!("it is another run"));
    }

    #[test]
    fn what_cannot_be_read_whole_is_not_tried_again() {
        let runs = WholeRuns::default();
        let mut tried = 0;
        for _ in 0..5 {
            runs.when_due("a", || {
                tried += 1;
                false
            });
        }
        assert_eq!(tried, 1);
    }
}
