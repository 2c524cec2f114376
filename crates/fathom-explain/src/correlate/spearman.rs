//! Spearman's coefficient.

use super::pearson::of_coefficient;
use super::target_rows::{TargetRows, coefficient};
use crate::segment::centred::Centred;
use crate::{Judge, NoAnswer, Question, Score, Sequence};
use std::borrow::Cow;

/// Pearson's coefficient of ranks; equal values share the mean of theirs. The paper's formula, by
/// squared differences of ranks, is the same only if no two values are equal.
#[derive(Debug)]
pub(super) struct Spearman {
    asked: TargetRows,
    ranks: Vec<f64>,
}

impl Spearman {
    pub(super) fn new(question: &Question) -> Result<Spearman, NoAnswer> {
        let asked = TargetRows::target(question)?;
        let ranks = standard_ranks(asked.values()).unwrap_or_default();
        Ok(Spearman { asked, ranks })
    }
}

impl Judge for Spearman {
    fn judge(&self, metric: &Sequence) -> Option<Score> {
        let common = self.asked.common(metric)?;
        let asked = if common.is_all() {
            Cow::Borrowed(&self.ranks)
        } else {
            Cow::Owned(standard_ranks(&common.asked)?)
        };
        of_coefficient(coefficient(&asked, &standard_ranks(&common.metric)?))
    }
}

/// Ranks with sum 0 and sum of squares 1; `None` if the values are the same but for rounding.
fn standard_ranks(values: &[f64]) -> Option<Vec<f64>> {
    Centred::new(values.to_vec())?;
    Some(Centred::new(mid_ranks(values))?.standard())
}

/// Ranks from 1 on; equal values share the mean of theirs.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<(u64, usize)> = values.iter().map(|value| key(*value)).zip(0..).collect();
    sorted.sort_unstable();
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in sorted.chunk_by(|left, right| left.0 == right.0) {
        let rank = before as f64 + (equal.len() as f64 + 1.0) * 0.5;
        for (_, place) in equal {
            if let Some(slot) = ranks.get_mut(*place) {
                *slot = rank;
            }
        }
        before += equal.len();
    }
    ranks
}

/// An integer that is in the order of the number; that of 0 and of -0 is one.
fn key(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        let values = [10.0, -0.0, 9.0, 0.0, 10.0, -1e-310, f64::MIN];
        assert_eq!(mid_ranks(&values), [6.5, 3.5, 5.0, 3.5, 6.5, 2.0, 1.0]);
    }
}
