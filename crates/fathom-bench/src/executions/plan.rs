//! How many executions measure a function, and how long each.

use fathom_stats::{Confidence, Probability, Sides, quantile};
use std::time::Duration;

/// Without another word there are this many: the third smallest and the third largest median enclose
/// the true one at 95%, and more would say little more.
const USUAL: usize = 12;
/// Starting and setting up may take this share of the time.
const SETTING_UP: f64 = 0.5;
/// A new execution makes one batch to warm up, and then this number of batches that count.
pub(super) const FEWEST_BATCHES: u64 = 2;
/// What is left of an execution's time, however long it takes to set up.
const LEAST: f64 = 0.2;

/// How many executions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WantedExecutions {
    /// As many as the user says.
    Exactly(usize),
    /// As many as fit, or one.
    AsTimeAllows,
}

/// What an execution costs besides measuring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ExecutionCost {
    /// To start the program: this function's share of it.
    pub(super) start: Duration,
    /// To make what the function needs.
    pub(super) set_up: Duration,
    pub(super) batch: Duration,
}

/// What is planned for a function.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Plan {
    /// A number of executions, and how long each of them measures.
    Several { count: usize, time: Duration },
    /// One, because of this.
    One { why: String },
}

/// As few as have an interval of the median.
pub(crate) fn fewest(confidence: Confidence) -> usize {
    quantile::samples_needed(Probability::HALF, confidence, Sides::Both)
}

impl WantedExecutions {
    /// How many there are at most.
    pub(super) fn most(self, confidence: Confidence) -> usize {
        match self {
            WantedExecutions::Exactly(count) => count,
            WantedExecutions::AsTimeAllows => USUAL.max(fewest(confidence)),
        }
    }

    /// What follows from the first execution, for a function that may take about `time`.
    pub(super) fn plan(self, time: Duration, cost: ExecutionCost, confidence: Confidence) -> Plan {
        let most = self.most(confidence);
        let beside = cost.start + cost.set_up;
        let fits = |each: Duration, time: f64| (time / each.as_secs_f64().max(1e-9)) as usize;
        let whole = beside + cost.batch * (1 + FEWEST_BATCHES as u32);
        let seconds = time.as_secs_f64();
        let affordable = fits(beside, SETTING_UP * seconds).min(fits(whole, seconds));
        let fewest = fewest(confidence);
        let count = match self {
            WantedExecutions::Exactly(count) => count,
            WantedExecutions::AsTimeAllows if affordable < fewest => {
                return Plan::One { why: cost.why(time, fewest) };
            }
            WantedExecutions::AsTimeAllows => affordable.min(most),
        };
        let each = time / u32::try_from(count).unwrap_or(u32::MAX);
        Plan::Several { count, time: each.saturating_sub(beside).max(each.mul_f64(LEAST)) }
    }
}

impl ExecutionCost {
    /// Why there is not time for several executions.
    fn why(self, time: Duration, fewest: usize) -> String {
        let seconds = |time: Duration| {
            let seconds = time.as_secs_f64();
            if seconds < 0.1 {
                format!("{:.0} ms", 1e3 * seconds)
            } else {
                format!("{seconds:.1} s")
            }
        };
        let what = if self.batch >= self.start + self.set_up {
            format!("a batch takes {}", seconds(self.batch))
        } else if self.set_up >= self.start {
            format!("its set-up takes {}", seconds(self.set_up))
        } else {
            format!("starting takes {}", seconds(self.start))
        };
        format!("{what}, too long for {fewest} executions in {}", seconds(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Duration = Duration::from_secs(1);

    fn cost(start: u64, set_up: u64, batch: u64) -> ExecutionCost {
        let [start, set_up, batch] = [start, set_up, batch].map(Duration::from_millis);
        ExecutionCost { start, set_up, batch }
    }

    fn planned(wanted: WantedExecutions, cost: ExecutionCost) -> Plan {
        wanted.plan(TIME, cost, Confidence::DEFAULT)
    }

    #[test]
    fn as_many_as_fit_or_one() {
        let usual = planned(WantedExecutions::AsTimeAllows, cost(3, 0, 0));
        let Plan::Several { count, time } = usual else { unreachable!("{usual:?}") };
        assert_eq!(count, 12);
        assert!((0.080..0.081).contains(&time.as_secs_f64()), "{time:?}");
        let count = |cost| match planned(WantedExecutions::AsTimeAllows, cost) {
            Plan::Several { count, .. } => count,
            Plan::One { .. } => 1,
        };
        assert_eq!(count(cost(10, 50, 0)), 8);
        assert_eq!(count(cost(0, 84, 0)), 1);
        assert_eq!(count(cost(0, 0, 50)), 6);
        assert_eq!(count(cost(0, 0, 60)), 1);
    }

    #[test]
    fn one_execution_has_a_reason() {
        for (cost, said) in [
            (cost(1, 400, 0), "its set-up takes 0.4 s, too long for 6 executions in 1.0 s"),
            (cost(90, 10, 0), "starting takes 90 ms, too long for 6 executions in 1.0 s"),
            (cost(1, 0, 2000), "a batch takes 2.0 s, too long for 6 executions in 1.0 s"),
        ] {
            let one = planned(WantedExecutions::AsTimeAllows, cost);
            assert_eq!(one, Plan::One { why: said.to_string() });
        }
    }

    #[test]
    fn a_number_that_was_asked_for_is_kept() {
        let Plan::Several { count, time } =
            planned(WantedExecutions::Exactly(4), cost(10, 4000, 500))
        else {
            unreachable!()
        };
        assert_eq!((count, time), (4, Duration::from_millis(50)));
        assert_eq!(WantedExecutions::AsTimeAllows.most(Confidence::new(0.9999).unwrap()), 15);
        assert_eq!(fewest(Confidence::DEFAULT), 6);
    }
}
