//! The answer for other thresholds: how sure each would be, from the same executions.

use crate::{Bounds, ThresholdSide};
use fathom_stats::dependence::Alike;
use fathom_stats::proportion::ReachedConfidence;
use fathom_stats::{Confidence, Probability};

/// How sure "at least F of all executions keep to this threshold" is, and its contrary, for every
/// threshold: figure 4 of the SPA paper, with both answers drawn upwards.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfidenceCurve {
    /// In the order of thresholds. The first begins at minus infinity.
    pub steps: Vec<ConfidenceStep>,
    /// What an answer needs.
    pub confidence: Confidence,
}

/// A stretch of thresholds with the same answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfidenceStep {
    /// Where it begins.
    pub from: f64,
    /// How sure the answers are.
    pub reached: ReachedConfidence,
}

/// What a curve is made of.
#[derive(Debug, Clone)]
pub struct CurveQuestion {
    /// F.
    pub probability: Probability,
    /// C.
    pub confidence: Confidence,
    /// On which side of the threshold executions are to be.
    pub side: ThresholdSide,
    /// Whether the answer has to hold at every look, or at one that was fixed beforehand.
    pub is_anytime: bool,
    /// Executions that count as true whatever the threshold is.
    pub always_true: usize,
    /// Executions that count as false whatever the threshold is.
    pub always_false: usize,
    /// How much executions depend on each other, if they do.
    pub dependence: Option<Alike>,
}

impl ConfidenceCurve {
    /// Of executions with these values. One with a range of values counts as true only where all of
    /// the range keeps to the threshold, and as false only where none of it does.
    #[must_use]
    pub fn of(values: &[Bounds], question: &CurveQuestion) -> ConfidenceCurve {
        // Thresholds that are true above are those that are true below, mirrored.
        let is_mirrored = question.side == ThresholdSide::Above;
        let turned = |bounds: &Bounds| match is_mirrored {
            true => Bounds { low: -bounds.high, high: -bounds.low },
            false => *bounds,
        };
        let sorted = |end: fn(Bounds) -> f64| {
            let mut ends: Vec<f64> = values.iter().map(|one| end(turned(one))).collect();
            ends.sort_unstable_by(f64::total_cmp);
            ends
        };
        let (lows, highs) = (sorted(|one| one.low), sorted(|one| one.high));
        let mut thresholds: Vec<f64> =
            lows.iter().chain(&highs).copied().filter(|value| value.is_finite()).collect();
        thresholds.sort_unstable_by(f64::total_cmp);
        thresholds.dedup();
        let samples = values.len() + question.always_true + question.always_false;
        let up_to = |ends: &[f64], threshold: f64| ends.partition_point(|&end| end <= threshold);
        let reached = |threshold: f64| {
            let sure = question.always_true + up_to(&highs, threshold);
            let possible = question.always_true + up_to(&lows, threshold);
            question.reached(sure, possible, samples)
        };
        let mut steps: Vec<ConfidenceStep> = std::iter::once(f64::NEG_INFINITY)
            .chain(thresholds)
            .map(|from| ConfidenceStep { from, reached: reached(from) })
            .collect();
        if is_mirrored {
            steps = mirrored(&steps);
        }
        ConfidenceCurve { steps, confidence: question.confidence }
    }

    /// The thresholds for which the executions decide nothing, from one that gives the one answer to
    /// one that gives the other. Infinite where no threshold does.
    #[must_use]
    pub fn undecided(&self) -> (f64, f64) {
        let is_open = |step: &&ConfidenceStep| {
            let ReachedConfidence { at_least, less } = step.reached;
            at_least < self.confidence.get() && less < self.confidence.get()
        };
        let first = self.steps.iter().find(is_open).map(|step| step.from);
        let after = self.steps.iter().rposition(|step| is_open(&step)).map(|place| place + 1);
        match (first, after) {
            (Some(first), Some(after)) => {
                (first, self.steps.get(after).map_or(f64::INFINITY, |step| step.from))
            }
            // Both answers meet at a threshold.
            _ => {
                let positive =
                    |step: &&ConfidenceStep| step.reached.at_least >= self.confidence.get();
                let is_first = self.steps.first().as_ref().is_some_and(positive);
                let turn = self.steps.iter().find(|step| positive(step) != is_first);
                turn.map_or((f64::NEG_INFINITY, f64::INFINITY), |step| (step.from, step.from))
            }
        }
    }
}

impl CurveQuestion {
    fn reached(&self, sure: usize, possible: usize, samples: usize) -> ReachedConfidence {
        let worth = self.dependence.map_or(samples, |alike| alike.worth(samples));
        let share = worth as f64 / samples.max(1) as f64;
        let fewest = ((sure as f64 * share + 1e-9).floor() as usize).min(worth);
        let most = ((possible as f64 * share - 1e-9).ceil() as usize).min(worth);
        let of = |successes: usize| match self.is_anytime {
            true => ReachedConfidence::anytime(successes, worth, self.probability),
            false => ReachedConfidence::exact(successes, worth, self.probability),
        };
        ReachedConfidence { at_least: of(fewest).at_least, less: of(most).less }
    }
}

/// The same steps over the negative of the threshold.
fn mirrored(steps: &[ConfidenceStep]) -> Vec<ConfidenceStep> {
    let ends = steps.iter().skip(1).map(|step| -step.from).chain([f64::NEG_INFINITY]);
    let all: Vec<ConfidenceStep> = steps
        .iter()
        .zip(ends)
        .map(|(step, from)| ConfidenceStep { from, reached: step.reached })
        .collect();
    all.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::quantile::spa::{Direction, interval};

    fn question(side: ThresholdSide) -> CurveQuestion {
        CurveQuestion {
            probability: Probability::new(0.9).unwrap(),
            confidence: Confidence::new(0.9).unwrap(),
            side,
            is_anytime: false,
            always_true: 0,
            always_false: 0,
            dependence: None,
        }
    }

    fn numbers(n: u32) -> Vec<Bounds> {
        (1..=n).map(|value| Bounds::exactly(f64::from(value))).collect()
    }

    /// Where the curve crosses C is the paper's interval.
    #[test]
    fn the_undecided_thresholds_are_the_papers_interval() {
        for n in [22, 30, 50, 100] {
            for (side, direction) in [
                (ThresholdSide::Below, Direction::AtMost),
                (ThresholdSide::Above, Direction::AtLeast),
            ] {
                let curve = ConfidenceCurve::of(&numbers(n), &question(side));
                let asked = question(side);
                let ranks = interval(n as usize, asked.probability, asked.confidence, direction);
                let (lower, upper) = curve.undecided();
                let rank = |rank: Option<usize>| rank.unwrap() as f64;
                assert_eq!((lower, upper), (rank(ranks.lower), rank(ranks.upper)), "{n} {side:?}");
            }
        }
    }

    #[test]
    fn more_lenient_thresholds_are_surer() {
        let curve = ConfidenceCurve::of(&numbers(40), &question(ThresholdSide::Below));
        let is_sorted = |of: fn(&ConfidenceStep) -> f64| curve.steps.iter().map(of).is_sorted();
        assert!(is_sorted(|step| step.reached.at_least));
        assert!(is_sorted(|step| -step.reached.less));
    }

    #[test]
    fn what_is_unknown_and_what_failed_make_it_less_sure() {
        let all = ConfidenceCurve::of(&numbers(40), &question(ThresholdSide::Below)).undecided();
        let mut some = numbers(40);
        some[3] = Bounds::UNKNOWN;
        let unknown = ConfidenceCurve::of(&some, &question(ThresholdSide::Below)).undecided();
        assert!(unknown.0 <= all.0 && unknown.1 >= all.1 && unknown != all);
        let failed = CurveQuestion { always_false: 5, ..question(ThresholdSide::Below) };
        let failed = ConfidenceCurve::of(&numbers(40), &failed).undecided();
        assert!(failed.0 >= all.0 && failed.1 == f64::INFINITY, "{failed:?}");
    }

    #[test]
    fn nothing_seen_leaves_every_threshold_open() {
        let curve = ConfidenceCurve::of(&[], &question(ThresholdSide::Above));
        assert_eq!(curve.undecided(), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
