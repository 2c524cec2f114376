//! What the tour knows about its program.

use std::time::Duration;

/// What the tour's program does, which the answers are compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DemoTruth {
    /// The work of a usual run, in units.
    pub units: u64,
    /// How many runs are slow at first.
    pub slow_start: usize,
    /// A later run that is slow, too, counted from 1.
    pub slow_run: usize,
    /// How many times the work a slow run does.
    pub slow_factor: u64,
    /// The work of the two versions that are compared.
    pub versions: [u64; 2],
    /// The limit that a random amount of work should stay below, in units.
    pub limit: u64,
    /// The share of seeds that do.
    pub below_limit: f64,
    /// How long requests are served.
    pub serve: Duration,
    /// From when to when each request touches new memory.
    pub churn: [Duration; 2],
    /// How much of it.
    pub churn_megabytes: u64,
}

impl DemoTruth {
    /// How much more work the second version does: 0.05.
    #[must_use]
    pub fn more_work(&self) -> f64 {
        let [old, new] = self.versions;
        let ratio = new as f64 / old as f64;
        ratio - 1.0
    }

    /// Whether a run is slow, counted from 0.
    #[must_use]
    pub fn is_slow(&self, run: usize) -> bool {
        run < self.slow_start || run + 1 == self.slow_run
    }

    /// "6 s and 6.3 s".
    pub(super) fn churn_words(&self) -> [String; 2] {
        self.churn.map(|moment| format!("{} s", moment.as_secs_f64()))
    }
}

#[cfg(test)]
pub(super) const EXAMPLE: DemoTruth = DemoTruth {
    units: 50,
    slow_start: 15,
    slow_run: 120,
    slow_factor: 3,
    versions: [100, 105],
    limit: 65,
    below_limit: 0.9,
    serve: Duration::from_secs(8),
    churn: [Duration::from_secs(6), Duration::from_millis(6300)],
    churn_megabytes: 8,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_runs_are_the_first_ones_and_a_later_one() {
        let slow: Vec<usize> = (0..200).filter(|run| EXAMPLE.is_slow(*run)).collect();
        assert_eq!(slow[..15], (0..15).collect::<Vec<_>>());
        assert_eq!(slow[15..], [119]);
        assert!((EXAMPLE.more_work() - 0.05).abs() < 1e-12);
        assert_eq!(EXAMPLE.churn_words(), ["6 s", "6.3 s"]);
    }
}
