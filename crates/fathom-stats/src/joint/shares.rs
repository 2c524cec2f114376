//! Which share of a whole difference each quantity is, with intervals that hold for all at once.

use super::block_differences::BlockDifferences;
use super::critical::{critical_value, largest_statistics};
use super::studentized::Studentized;
use super::{FEWEST_SEEN, JointRule};
use crate::Interval;

/// A part of the whole difference. Parts of opposite sign have negative shares; the shares of quantities
/// that add up to the whole add up to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The quantity's mean difference over that of the whole.
    pub share: f64,
    /// Where the true shares of all quantities lie at once; `None` if the quantity was seen in too few
    /// blocks, or if the whole is not clear enough to be divided by.
    pub interval: Option<Interval>,
}

/// The shares of the quantities in the `whole` difference, by Fieller's theorem with the critical value of
/// all quantities at once. `None` if the mean of the whole is zero, or if `whole` does not have a difference
/// for each block.
///
/// ```
/// use fathom_stats::Confidence;
/// use fathom_stats::joint::{BlockDifferences, JointRule, shares};
///
/// let slower = vec![2.0, 2.2, 1.9, 2.1, 1.8, 2.0, 2.3, 1.9, 2.1, 2.0];
/// let other = vec![0.5, 0.3, 0.4, 0.6, 0.5, 0.6, 0.4, 0.5, 0.4, 0.5];
/// let whole: Vec<f64> = slower.iter().zip(&other).map(|(one, other)| one + other).collect();
/// let differences = BlockDifferences::new(vec![slower, other])?;
/// let found = shares(&differences, &whole, JointRule::new(Confidence::new(0.95)?, 1)).unwrap();
///
/// assert!((found[0].share + found[1].share - 1.0).abs() < 1e-12);
/// let interval = found[0].interval.unwrap();
/// assert!(interval.lower > 0.7 && interval.upper < 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn shares(
    differences: &BlockDifferences,
    whole: &[f64],
    rule: JointRule,
) -> Option<Vec<Share>> {
    if whole.len() != differences.blocks() {
        return None;
    }
    let mean_of_whole = mean(whole);
    if mean_of_whole == 0.0 || !mean_of_whole.is_finite() {
        return None;
    }
    let flips = rule.flips(differences.blocks());
    let parts: Vec<Part<'_>> = differences
        .iter()
        .map(|values| Part {
            values,
            share: mean(values) / mean_of_whole,
            is_judged: values.iter().filter(|value| **value != 0.0).count() >= FEWEST_SEEN,
        })
        .collect();
    // What is left of a part without its share of the whole has a mean of zero.
    let left: Vec<Studentized> =
        parts.iter().filter(|part| part.is_judged).map(|part| part.left_of(whole)).collect();
    let critical = critical_value(largest_statistics(&left, &flips), rule.alpha());
    let share = |part: &Part<'_>| Share {
        share: part.share,
        interval: if part.is_judged { fieller(part.values, whole, critical) } else { None },
    };
    Some(parts.iter().map(share).collect())
}

struct Part<'a> {
    values: &'a [f64],
    share: f64,
    is_judged: bool,
}

impl Part<'_> {
    fn left_of(&self, whole: &[f64]) -> Studentized {
        let left: Vec<f64> =
            self.values.iter().zip(whole).map(|(one, all)| one - self.share * all).collect();
        Studentized::of(&left, mean(&left))
    }
}

/// The shares ρ for which the mean of part − ρ whole is within `critical` standard errors of zero.
fn fieller(part: &[f64], whole: &[f64], critical: f64) -> Option<Interval> {
    let n = whole.len() as f64;
    let (of_part, of_whole) = (mean(part), mean(whole));
    let products = |some: &[f64], one: f64, others: &[f64], other: f64| {
        let sum: f64 = some.iter().zip(others).map(|(a, b)| (a - one) * (b - other)).sum();
        critical * critical * sum / (n * (n - 1.0))
    };
    // a ρ² − 2 b ρ + c ≤ 0.
    let a = of_whole * of_whole - products(whole, of_whole, whole, of_whole);
    let b = of_part * of_whole - products(part, of_part, whole, of_whole);
    let c = of_part * of_part - products(part, of_part, part, of_part);
    if !a.is_finite() || a <= 0.0 {
        return None;
    }
    let root = (b * b - a * c).max(0.0).sqrt();
    Some(Interval { lower: (b - root) / a, upper: (b + root) / a })
}

fn mean(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    values.iter().map(|value| value / n).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Confidence;

    fn of(parts: Vec<Vec<f64>>, whole: &[f64]) -> Option<Vec<Share>> {
        let differences = BlockDifferences::new(parts).unwrap();
        shares(&differences, whole, JointRule::new(Confidence::new(0.95).unwrap(), 1))
    }

    #[test]
    fn the_whole_is_all_of_itself() {
        let whole = [1.0, 1.3, 0.8, 1.1, 0.9, 1.2, 1.0, 0.7];
        let found = of(vec![whole.to_vec()], &whole).unwrap()[0];
        assert_eq!(found.share, 1.0);
        let interval = found.interval.unwrap();
        assert!((interval.lower - 1.0).abs() < 1e-6 && (interval.upper - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_whole_that_may_be_zero_divides_nothing() {
        let whole = [1.0, -1.3, 0.8, -1.1, 0.9, 1.2, -1.0, 0.7];
        let part = [0.5, 0.4, 0.6, 0.5, 0.3, 0.7, 0.5, 0.6];
        assert_eq!(of(vec![part.to_vec()], &whole).unwrap()[0].interval, None);
        assert_eq!(of(vec![part.to_vec()], &[0.0; 8]), None);
        assert_eq!(of(vec![part.to_vec()], &[1.0; 7]), None);
    }

    /// The ends are where the test of part − ρ whole changes its mind.
    #[test]
    fn the_ends_are_those_of_the_test() {
        let whole = [2.5, 2.9, 2.2, 2.7, 2.4, 2.6, 2.8, 2.3, 2.5, 2.6];
        let part = [1.1, 1.5, 0.7, 1.2, 1.0, 1.4, 1.3, 0.9, 1.0, 1.2];
        let found = of(vec![part.to_vec()], &whole).unwrap()[0];
        let interval = found.interval.unwrap();
        assert!(interval.contains(found.share));
        let statistic = |share: f64| {
            let left: Vec<f64> = part.iter().zip(&whole).map(|(p, w)| p - share * w).collect();
            Studentized::of(&left, 0.0).statistic(&[1.0; 10])
        };
        let ends = [statistic(interval.lower), statistic(interval.upper)];
        assert!((ends[0] - ends[1]).abs() < 1e-9, "{ends:?}");
    }
}
