//! The factor f by which dependence inflates the variance of a sum of scores.
//!
//! Two estimates that a single change of level hardly moves; the larger one counts. The first sees
//! a first-order dependence, from neighbours; the second anything up to the length of a block.

use crate::Probability;
use crate::quantile::of_unsorted;

/// Lag-1 correlation is believed up to here, a factor of 19.
const LARGEST_CORRELATION: f64 = 0.9;
const LARGEST_FACTOR: f64 = 19.0;
/// Blocks need this many values.
const FEWEST_FOR_BLOCKS: usize = 150;

/// (1 + p)/(1 − p).
pub(super) fn inflation(correlation: f64) -> f64 {
    (1.0 + correlation) / (1.0 - correlation)
}

/// The lag-1 correlation p = V₂/V₁ − 1, between 0 and 0.9, where V_h is the variance of differences
/// at lag h. Differences across `split` are left out.
pub(super) fn correlation(scores: &[f64], split: Option<usize>) -> f64 {
    let one = variance_of_differences(scores, 1, split);
    let two = variance_of_differences(scores, 2, split);
    match (one, two) {
        (Some(one), Some(two)) if one > 1e-12 => (two / one - 1.0).clamp(0.0, LARGEST_CORRELATION),
        _ => 0.0,
    }
}

/// The variance of a_i − a_{i−lag}; `None` for fewer than two.
fn variance_of_differences(scores: &[f64], lag: usize, split: Option<usize>) -> Option<f64> {
    let split = split.unwrap_or(scores.len());
    // Up to the split, and from the first difference that lies wholly after it.
    let parts = [scores.get(..split)?, scores.get(split..)?];
    let (mut count, mut sum, mut squares) = (0_usize, 0.0, 0.0);
    for part in parts {
        for (later, earlier) in part.iter().skip(lag).zip(part) {
            let difference = later - earlier;
            count += 1;
            sum += difference;
            squares += difference * difference;
        }
    }
    let n = count as f64;
    (count >= 2).then(|| squares / n - (sum / n) * (sum / n))
}

/// What of the factor does not depend on where the series is split.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dependence {
    blocks: f64,
    drifts: bool,
}

impl Dependence {
    /// From the ranks, scores, running sums of the scores, and the variance of scores.
    pub(super) fn of(
        ranks: &[u32],
        scores: &[f64],
        sums: &[f64],
        variance: f64,
        scratch: &mut Vec<f64>,
    ) -> Dependence {
        Dependence {
            blocks: block_factor(sums, variance, scratch).min(LARGEST_FACTOR),
            drifts: drifts(ranks, scores),
        }
    }

    /// The factor f, at least 1, if there is a change at `split`.
    ///
    /// A series that drifts one way looks perfectly correlated; there f is 1, or no ramp would ever
    /// be found.
    pub(super) fn factor(self, scores: &[f64], split: Option<usize>) -> f64 {
        if self.drifts { 1.0 } else { inflation(correlation(scores, split)).max(self.blocks) }
    }
}

/// The variance of means of ⌈2m^⅓⌉ values, robustly from differences of adjacent ones, over what it
/// would be without dependence. 1 for short series.
fn block_factor(sums: &[f64], variance: f64, scratch: &mut Vec<f64>) -> f64 {
    let m = sums.len().saturating_sub(1);
    if m < FEWEST_FOR_BLOCKS {
        return 1.0;
    }
    // The cube root of a cube may come out a hair too large.
    let block = (2.0 * (m as f64).cbrt() - 1e-9).ceil() as usize;
    let length = block as f64;
    let ends = sums.iter().zip(sums.iter().skip(block)).zip(sums.iter().skip(2 * block));
    scratch.clear();
    scratch.extend(ends.map(|((first, middle), last)| (last - 2.0 * middle + first) / length));
    let Some(centre) = of_unsorted(scratch, Probability::HALF) else { return 1.0 };
    scratch.iter_mut().for_each(|difference| *difference = (*difference - centre).abs());
    let Some(spread) = of_unsorted(scratch, Probability::HALF) else { return 1.0 };
    let deviation = spread / 0.6745;
    0.5 * length * deviation * deviation / variance
}

/// Whether the series moves one way: most steps share a sign, and it ends a good part of its whole
/// path away from where it began.
fn drifts(ranks: &[u32], scores: &[f64]) -> bool {
    let (mut up, mut down) = (0_u64, 0_u64);
    for (before, after) in ranks.iter().zip(ranks.iter().skip(1)) {
        up += u64::from(after > before);
        down += u64::from(after < before);
    }
    // Ten steps at least, all the same way.
    if up.abs_diff(down) as f64 <= 3.0 * ((up + down) as f64).sqrt() {
        return false;
    }
    let end = (scores.len() / 20).max(1).min(scores.len());
    let mean = |part: &[f64]| part.iter().sum::<f64>() / end as f64;
    let moved = (mean(&scores[scores.len() - end..]) - mean(&scores[..end])).abs();
    let path: f64 = scores.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum();
    moved >= 0.25 * path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_across_the_split_do_not_count() {
        let scores = [1.0, 2.0, 1.5, 9.0, 8.0, 9.5, 8.5];
        let by_hand = |d: &[f64]| {
            let n = d.len() as f64;
            let mean = d.iter().sum::<f64>() / n;
            d.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / n
        };
        let one = variance_of_differences(&scores, 1, Some(3)).unwrap();
        assert!((one - by_hand(&[1.0, -0.5, -1.0, 1.5, -1.0])).abs() < 1e-14);
        let two = variance_of_differences(&scores, 2, Some(3)).unwrap();
        assert!((two - by_hand(&[0.5, 0.5, 0.5])).abs() < 1e-14);
        assert_eq!(variance_of_differences(&scores[..2], 1, None), None);
    }

    #[test]
    fn the_factor_is_bounded() {
        // A slow wave: neighbours agree almost entirely, and blocks differ far more than they may.
        let wave: Vec<f64> = (0..8000).map(|i| 2.0 * (f64::from(i) * 0.05).sin()).collect();
        let ranks: Vec<u32> = wave.iter().map(|score| (1000.0 * (score + 2.0)) as u32).collect();
        let mut sums = vec![0.0];
        sums.extend(wave.iter().scan(0.0, |sum, score| {
            *sum += score;
            Some(*sum)
        }));
        assert!(block_factor(&sums, 1.0, &mut Vec::new()) > 19.0);
        let factor = Dependence::of(&ranks, &wave, &sums, 1.0, &mut Vec::new()).factor(&wave, None);
        assert!((factor - 19.0).abs() < 1e-9, "{factor}");
    }

    #[test]
    fn a_ramp_drifts_and_noise_does_not() {
        let ramp: Vec<u32> = (0..50).collect();
        let scores: Vec<f64> = ramp.iter().map(|&rank| f64::from(rank)).collect();
        assert!(drifts(&ramp, &scores));
        let zigzag: Vec<u32> = (0..50).map(|i| i * 17 % 50).collect();
        let scores: Vec<f64> = zigzag.iter().map(|&rank| f64::from(rank)).collect();
        assert!(!drifts(&zigzag, &scores));
        assert!(!drifts(&[], &[]));
    }
}
