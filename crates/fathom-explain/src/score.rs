//! A correlator's score of a metric.

use std::cmp::Ordering;

/// Whether a metric goes with the target or against it; for what changed, up or down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// It rises when the target rises.
    With,
    /// It falls when the target rises.
    Against,
    /// The correlator does not say.
    Unsaid,
}

impl Sign {
    /// Of a number; 0 says nothing.
    #[must_use]
    pub fn of(number: f64) -> Sign {
        match number.partial_cmp(&0.0) {
            Some(Ordering::Greater) => Sign::With,
            Some(Ordering::Less) => Sign::Against,
            _ => Sign::Unsaid,
        }
    }
}

/// A score: more is closer. Infinity is the score of a distance of 0; nothing is not a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    value: f64,
    /// With or against.
    pub sign: Sign,
    /// By how many rows the metric comes after the target (before, if negative), for correlators that
    /// look for it.
    pub lag: Option<isize>,
}

impl Score {
    /// A score; `None` for what is not a number.
    #[must_use]
    pub fn new(value: f64, sign: Sign) -> Option<Score> {
        (!value.is_nan()).then_some(Score { value, sign, lag: None })
    }

    /// The score of a distance: its inverse, and infinity for none at all.
    #[must_use]
    pub fn of_distance(distance: f64, sign: Sign) -> Option<Score> {
        if distance < 0.0 {
            return None;
        }
        Score::new(if distance == 0.0 { f64::INFINITY } else { 1.0 / distance }, sign)
    }

    /// With a lag.
    #[must_use]
    pub fn lag(self, rows: isize) -> Score {
        Score { lag: Some(rows), ..self }
    }

    /// The number; may be infinite, never NaN.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The closer one first; equal ones are equal, infinite ones among themselves too.
    #[must_use]
    pub fn closer_first(&self, other: &Score) -> Ordering {
        other.value.total_cmp(&self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinity_is_above_everything_and_nan_is_no_score() {
        assert_eq!(Score::new(f64::NAN, Sign::With), None);
        assert_eq!(Score::of_distance(-1.0, Sign::With), None);
        let none = Score::of_distance(0.0, Sign::With).unwrap();
        let some = Score::of_distance(1e-300, Sign::Against).unwrap();
        assert_eq!(none.closer_first(&some), Ordering::Less);
        assert_eq!(none.closer_first(&none.lag(3)), Ordering::Equal);
        assert_eq!(Sign::of(-2.0), Sign::Against);
    }
}
