//! The value that a share of all executions keeps to, with its interval: what the SPA paper uses
//! statistical model checking for most.

use crate::Bounds;
use fathom_stats::dependence::Alike;
use fathom_stats::quantile::spa::{self, Direction};
use fathom_stats::quantile::{self, RankPair, sequence};
use fathom_stats::{Confidence, Interval, Probability, Sides};

/// "Which value do 90% of all executions keep to, at 95%?"
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueQuestion {
    /// The share of all executions.
    pub probability: Probability,
    /// The confidence of the interval.
    pub confidence: Confidence,
    /// Whether they keep to it by being at most or at least that.
    pub direction: Direction,
    /// How the interval is made.
    pub method: ValueMethod,
}

/// How the interval is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueMethod {
    /// For a number of executions fixed before looking.
    Exact,
    /// Right at every look.
    Anytime,
    /// The paper's, each end one-sided.
    Spa,
}

impl ValueMethod {
    /// All of them.
    pub const ALL: [ValueMethod; 3] = [ValueMethod::Exact, ValueMethod::Anytime, ValueMethod::Spa];

    /// Its name in options and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ValueMethod::Exact => "exact",
            ValueMethod::Anytime => "anytime",
            ValueMethod::Spa => "spa",
        }
    }
}

/// The value, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueAnswer {
    /// The estimate; `None` where there are no values, or where it depends on those that are not
    /// known.
    pub value: Option<f64>,
    /// Where the estimate would lie if all values were known: one number, or a range.
    pub estimate: Option<Interval>,
    /// Where it lies.
    pub interval: Interval,
    /// What the interval really covers at this number of executions. For [`ValueMethod::Anytime`]
    /// that is at one look; over all looks it is at least the confidence.
    pub coverage: f64,
    /// How many executions were used.
    pub samples: usize,
    /// Of how many the value is not known, or only that it is at least something.
    pub unknown: usize,
    /// If executions evidently depend on each other: how much, and what they are worth. The
    /// interval is then that of as many independent ones.
    pub dependence: Option<Alike>,
}

impl ValueQuestion {
    /// The level of the quantile that is asked for.
    #[must_use]
    pub fn level(&self) -> Probability {
        self.direction.quantile(self.probability)
    }

    /// About how many executions would give both ends, if they are worth as much as those that
    /// gave this answer.
    #[must_use]
    pub fn samples_needed_like(&self, answer: &ValueAnswer) -> usize {
        let needed = self.samples_needed();
        match &answer.dependence {
            None => needed,
            Some(alike) => alike.samples_worth(needed),
        }
    }

    /// The fewest executions that give both ends.
    #[must_use]
    pub fn samples_needed(&self) -> usize {
        match self.method {
            ValueMethod::Exact => {
                quantile::samples_needed(self.level(), self.confidence, Sides::Both)
            }
            ValueMethod::Anytime => {
                sequence::samples_needed(self.level(), self.confidence, Sides::Both)
            }
            ValueMethod::Spa => spa::samples_needed(self.probability, self.confidence),
        }
    }

    /// The answer from these values, one for each execution.
    ///
    /// A value that is only known to lie between bounds counts as its lower bound for the lower
    /// end and as its upper bound for the upper end: order statistics only grow with the values,
    /// so the interval holds whatever the unknown values are.
    #[must_use]
    pub fn answer(&self, values: &[Bounds]) -> ValueAnswer {
        let samples = values.len();
        let dependence = self.alike(values);
        let ranks = match &dependence {
            None => self.ranks(samples),
            Some(alike) => alike.stretched(self.ranks(alike.worth(samples)), samples),
        };
        let sorted = |end: fn(&Bounds) -> f64| {
            let mut values: Vec<f64> = values.iter().map(end).collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        let (lows, highs) = (sorted(|bounds| bounds.low), sorted(|bounds| bounds.high));
        let interval =
            Interval { lower: ranks.of_sorted(&lows).lower, upper: ranks.of_sorted(&highs).upper };
        let unknown = values.iter().filter(|bounds| bounds.known().is_none()).count();
        let estimate = self.estimate(&lows, &highs);
        let value = estimate.filter(|range| range.lower.is_finite() && range.lower == range.upper);
        let value = value.map(|range| range.lower);
        let coverage = ranks.coverage;
        ValueAnswer { value, estimate, interval, coverage, samples, unknown, dependence }
    }

    /// The estimate if all unknown values were as low, and as high, as they may be.
    fn estimate(&self, lows: &[f64], highs: &[f64]) -> Option<Interval> {
        let (low, high) =
            (quantile::of_sorted(lows, self.level())?, quantile::of_sorted(highs, self.level())?);
        // Between an infinite value and another there is no number.
        let lower = if low.is_nan() { f64::NEG_INFINITY } else { low };
        let upper = if high.is_nan() { f64::INFINITY } else { high };
        Some(Interval { lower, upper })
    }

    /// How alike values are that follow each other. A value with only a known bound is represented
    /// by that bound.
    fn alike(&self, values: &[Bounds]) -> Option<Alike> {
        let number = |bounds: &Bounds| {
            let finite = |value: f64| Some(value).filter(|value| value.is_finite());
            bounds.known().or_else(|| finite(bounds.low)).or_else(|| finite(bounds.high))
        };
        let series: Vec<f64> = values.iter().filter_map(number).collect();
        Alike::of(&series, self.level(), 0.5 * self.confidence.alpha())
    }

    fn ranks(&self, n: usize) -> RankPair {
        let (level, confidence) = (self.level(), self.confidence);
        match self.method {
            ValueMethod::Exact => quantile::exact(n, level, confidence, Sides::Both),
            ValueMethod::Anytime => sequence::ranks(n, level, confidence, Sides::Both),
            ValueMethod::Spa => spa::interval(n, self.probability, confidence, self.direction),
        }
    }
}

impl ValueAnswer {
    /// Half the interval's width as a share of the value; infinite where that means nothing.
    #[must_use]
    pub fn relative_half_width(&self) -> f64 {
        match self.value {
            Some(value) if value != 0.0 && self.interval.is_finite() => {
                0.5 * self.interval.width() / value.abs()
            }
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn question(direction: Direction, method: ValueMethod) -> ValueQuestion {
        ValueQuestion {
            probability: Probability::new(0.9).unwrap(),
            confidence: Confidence::new(0.9).unwrap(),
            direction,
            method,
        }
    }

    fn numbers(n: u32) -> Vec<Bounds> {
        // Not in their order: neighbours that are alike would be worth less.
        (0..n).map(|i| Bounds::exactly(f64::from(i * 9 % n + 1))).collect()
    }

    #[test]
    fn twenty_two_executions_are_the_fewest_at_ninety_percent() {
        // The paper's equation (8), and methods.md: n = 22, p90 is [x15, x22].
        for method in [ValueMethod::Exact, ValueMethod::Spa] {
            assert_eq!(question(Direction::AtMost, method).samples_needed(), 22);
        }
        let answer = question(Direction::AtMost, ValueMethod::Exact).answer(&numbers(22));
        assert_eq!(answer.interval, Interval { lower: 15.0, upper: 22.0 });
        assert!((answer.coverage - 0.9006).abs() < 5e-5);
        let upside_down = question(Direction::AtLeast, ValueMethod::Exact).answer(&numbers(22));
        assert_eq!(upside_down.interval, Interval { lower: 1.0, upper: 8.0 });
    }

    #[test]
    fn the_paper_covers_less_than_it_says() {
        let answer = question(Direction::AtMost, ValueMethod::Spa).answer(&numbers(22));
        assert!((answer.coverage - 0.839).abs() < 5e-4, "{}", answer.coverage);
    }

    #[test]
    fn an_end_that_rests_on_unknown_values_is_open() {
        let mut values = numbers(22);
        let largest = values.iter().position(|value| value.low == 22.0).unwrap();
        values[largest] = Bounds { low: 22.0, high: f64::INFINITY };
        let answer = question(Direction::AtMost, ValueMethod::Exact).answer(&values);
        assert_eq!(answer.interval, Interval { lower: 15.0, upper: f64::INFINITY });
        assert_eq!(answer.unknown, 1);
        assert_eq!(answer.relative_half_width(), f64::INFINITY);
    }

    #[test]
    fn no_executions_say_nothing() {
        let answer = question(Direction::AtMost, ValueMethod::Anytime).answer(&[]);
        assert_eq!((answer.value, answer.interval), (None, Interval::EVERYTHING));
    }

    proptest! {
        /// Whatever the unknown values are, the interval contains what it would have been.
        #[test]
        fn unknown_values_only_widen(
            values in prop::collection::vec((0.0..100.0_f64, prop::bool::weighted(0.2)), 22..60),
        ) {
            let question = question(Direction::AtMost, ValueMethod::Exact);
            let true_values: Vec<Bounds> =
                values.iter().map(|&(value, _)| Bounds::exactly(value)).collect();
            let seen: Vec<Bounds> = values
                .iter()
                .map(|&(value, hidden)| if hidden { Bounds::UNKNOWN } else { Bounds::exactly(value) })
                .collect();
            let (full, part) = (question.answer(&true_values), question.answer(&seen));
            // Values that are hidden may hide that they depend on each other.
            prop_assume!(full.dependence.is_none());
            prop_assert!(part.interval.lower <= full.interval.lower);
            prop_assert!(part.interval.upper >= full.interval.upper);
        }
    }
}
