//! The ratio of two quantiles of separate results.
//!
//! Each side has the exact ranks of its quantile; the distances from the estimates to the ends add as
//! squares (the method of variance estimates recovery of Zou and Donner).

use super::{Sides, UnpairedRuns};
use crate::dependence::independent_equivalent;
use crate::distribution::binomial::Binomial;
use crate::quantile::{last_true, of_sorted, smallest};
use crate::tails::p_value::p_value;
use crate::tails::{Shortage, TailRatio};
use crate::{LogRatioInterval, Probability};

/// One side.
struct Side {
    sorted_logs: Vec<f64>,
    effective: f64,
    p: Probability,
    estimate: f64,
}

/// How far the quantile may lie from its estimate.
struct Distances {
    down: f64,
    up: f64,
}

impl Side {
    fn of(runs: UnpairedRuns<'_>, p: Probability) -> Side {
        let mut sorted_logs: Vec<f64> = runs.values().iter().map(|run| run.ln()).collect();
        sorted_logs.sort_unstable_by(f64::total_cmp);
        let estimate = of_sorted(&sorted_logs, p).unwrap_or(0.0);
        Side { sorted_logs, effective: runs.effective(), p, estimate }
    }

    /// As how many independent runs with a known distribution these count.
    fn worth(&self, tail: f64) -> usize {
        let n = self.sorted_logs.len();
        if self.effective < n as f64 {
            independent_equivalent(self.effective, tail).min(n)
        } else {
            n
        }
    }

    /// Each end is wrong with probability `tail` at most.
    fn distances(&self, tail: f64) -> Distances {
        let (n, worth) = (self.sorted_logs.len(), self.worth(tail));
        let ratio = n as f64 / worth as f64;
        let below = rank_below(worth, self.p, tail).map_or(f64::NEG_INFINITY, |rank| {
            let rank = ((rank - 1) as f64 * ratio + 1e-9).floor() as usize;
            self.sorted_logs[rank.min(n - 1)]
        });
        let above =
            rank_below(worth, self.p.complement(), tail).map_or(f64::INFINITY, |from_top| {
                let from_top = ((from_top - 1) as f64 * ratio + 1e-9).floor() as usize;
                self.sorted_logs[n - 1 - from_top.min(n - 1)]
            });
        // The estimate is interpolated, and where few runs are beyond it, it may be the end itself.
        Distances { down: (self.estimate - below).max(0.0), up: (above - self.estimate).max(0.0) }
    }
}

/// The largest rank, from 1, below which the quantile lies with probability `tail` at most.
fn rank_below(n: usize, p: Probability, tail: f64) -> Option<usize> {
    let law = Binomial::new(n, p);
    let rank = last_true(n, |rank| law.at_most(rank - 1) <= tail);
    (rank > 0).then_some(rank)
}

pub(super) fn look_at(sides: Sides<'_>, p: Probability) -> TailRatio {
    let [subject, reference] = [sides.subject, sides.reference].map(|runs| Side::of(runs, p));
    let estimate = subject.estimate - reference.estimate;
    let interval = |alpha: f64| {
        let [above, below] = [&subject, &reference].map(|side| side.distances(0.5 * alpha));
        LogRatioInterval {
            lower: estimate - above.down.hypot(below.up) - sides.tick,
            upper: estimate + above.up.hypot(below.down) + sides.tick,
        }
    };
    let found = interval(sides.alpha);
    let shortage = (!found.is_finite()).then(|| {
        let tail = 0.5 * sides.alpha;
        let independent =
            smallest(|n| [p, p.complement()].iter().all(|&p| rank_below(n, p, tail).is_some()));
        let needed = (independent as f64 * sides.thinness()).ceil() as usize;
        let rarer = p.get().min(p.complement().get());
        let beyond = (2.0 * sides.least() as f64 * rarer).round_ties_even() as usize;
        Shortage::RunsBeyond { beyond, needed: needed.max(sides.least() + 1) }
    });
    TailRatio {
        log_ratio: estimate,
        interval: found,
        shortage,
        used: sides.least(),
        thinness: sides.thinness(),
        shape: 1.0,
        p_value: p_value(|alpha| !interval(alpha).contains(0.0)),
        may_decide: true,
    }
}
