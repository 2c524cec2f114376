//! Whether the log-ratios are as far above their centre as below it.
//!
//! The coins make them symmetric about the true log-ratio, unless noise belongs to one of the
//! commands. If one has stalls that the other lacks, the mean of the log-ratios (bench_diff's) and
//! their pseudo-median (Fathom's) are different numbers, and neither is the ratio of the medians.

use super::SlottedBlock;
use crate::distribution::student_t;
use crate::mean::Moments;
use crate::paired::median_walsh;

/// With fewer blocks the test's normal law does not hold.
const FEWEST: usize = 20;

/// More blocks than this are thinned out evenly: the test looks at all triples.
const MOST: usize = 150;

/// How lopsided the log-ratios are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockSkew {
    /// The mean of the log-ratios.
    pub mean: f64,
    /// Their pseudo-median (Hodges and Lehmann).
    pub centre: f64,
    /// How many more of all triples have their middle near the lower end than near the upper one,
    /// as a share: above 0, the longer tail is that of high ratios.
    pub lopsidedness: f64,
    /// For no skew.
    pub p_value: f64,
}

impl BlockSkew {
    /// What the mean of logarithms says more than the pseudo-median.
    ///
    /// ```
    /// use fathom_stats::paired::BlockSkew;
    /// let found = BlockSkew { mean: 0.5, centre: 0.25, lopsidedness: 0.3, p_value: 0.001 };
    /// assert_eq!(found.bias_of_mean(), 0.25);
    /// ```
    #[must_use]
    pub fn bias_of_mean(&self) -> f64 {
        self.mean - self.centre
    }

    pub(super) fn of(blocks: &[SlottedBlock]) -> Option<BlockSkew> {
        let mut log_ratios: Vec<f64> = blocks.iter().map(|one| one.block().log_ratio).collect();
        if log_ratios.len() < FEWEST {
            return None;
        }
        let thinned: Vec<f64> = match log_ratios.len() {
            n if n > MOST => (0..MOST).map(|place| log_ratios[place * n / MOST]).collect(),
            _ => log_ratios.clone(),
        };
        let mean = Moments::of(&log_ratios)?.mean;
        log_ratios.sort_unstable_by(f64::total_cmp);
        let centre = median_walsh(&log_ratios)?;
        let (lopsidedness, p_value) = triples_test(thinned)?;
        Some(BlockSkew { mean, centre, lopsidedness, p_value })
    }
}

/// The triples test of Randles, Fligner, Policello and Wolfe: the mean over all triples of 1 where
/// the middle one is nearer to the lowest, −1 where it is nearer to the highest; and its p-value.
#[allow(clippy::needless_range_loop, reason = "three places, each of a value and of its sums")]
fn triples_test(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    if n < FEWEST {
        return None;
    }
    // Sums over all triples that contain a value, or a pair.
    let mut of_one = vec![0.0_f64; n];
    let mut of_two = vec![0.0_f64; n * n];
    let (mut sum, mut different) = (0.0, 0.0);
    for low in 0..n {
        for high in low + 2..n {
            let ends = values[low] + values[high];
            let mut of_ends = 0.0;
            for middle in low + 1..high {
                let beyond = ends - 2.0 * values[middle];
                let sign = if beyond > 0.0 {
                    1.0
                } else if beyond < 0.0 {
                    -1.0
                } else {
                    continue;
                };
                of_ends += sign;
                different += 1.0;
                of_one[middle] += sign;
                of_two[low * n + middle] += sign;
                of_two[middle * n + high] += sign;
            }
            sum += of_ends;
            of_one[low] += of_ends;
            of_one[high] += of_ends;
            of_two[low * n + high] += of_ends;
        }
    }
    let size = n as f64;
    let triples = size * (size - 1.0) * (size - 2.0) / 6.0;
    let mean = sum / triples;
    // The parts of the variance that come from triples with one, two and three values in common.
    let variance_of = |sums: &mut dyn Iterator<Item = f64>, each: f64, count: f64| {
        sums.map(|sum| (sum / each - mean).powi(2)).sum::<f64>() / count
    };
    let pairs = size * (size - 1.0) / 2.0;
    let one = variance_of(&mut of_one.iter().copied(), (size - 1.0) * (size - 2.0) / 2.0, size);
    let mut upper =
        (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).map(|(a, b)| of_two[a * n + b]);
    let two = variance_of(&mut upper, size - 2.0, pairs);
    let three = different / triples - mean * mean;
    let variance =
        (3.0 * (size - 3.0) * (size - 4.0) / 2.0 * one + 3.0 * (size - 3.0) * two + three)
            / triples;
    // The variance is an estimate; a third of the values as degrees of freedom make up for that.
    let p_value = |t: f64| (2.0 * student_t::cdf(size / 3.0, -t.abs())).min(1.0);
    (variance > 0.0).then(|| (mean, p_value(mean / variance.sqrt())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread_evenly(n: usize, quantile: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..n).map(|i| quantile((i as f64 + 0.5) / n as f64)).collect()
    }

    #[test]
    fn a_long_tail_shows_and_symmetry_does_not() {
        let tailed = spread_evenly(60, |u| -(1.0 - u).ln());
        let (skew, p) = triples_test(tailed.clone()).unwrap();
        assert!(skew > 0.2 && p < 0.01, "{skew} {p}");
        let (mirrored, same) = triples_test(tailed.iter().map(|x| -x).collect()).unwrap();
        assert!((mirrored + skew).abs() < 1e-12 && (same - p).abs() < 1e-12);
        let (skew, p) = triples_test(spread_evenly(60, |u| (u - 0.5).powi(3))).unwrap();
        assert!(skew.abs() < 1e-12 && p > 0.99, "{skew} {p}");
    }

    /// The definition, with the signs of all three.
    #[test]
    fn the_share_is_that_of_the_definition() {
        let values = spread_evenly(25, |u| (3.0 * u).exp() + (40.0 * u).sin());
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        let mut sum = 0.0;
        let mut count = 0.0;
        for i in 0..25 {
            for j in i + 1..25 {
                for k in j + 1..25 {
                    let (x, y, z) = (values[i], values[j], values[k]);
                    sum += sign(x + y - 2.0 * z) + sign(x + z - 2.0 * y) + sign(y + z - 2.0 * x);
                    count += 1.0;
                }
            }
        }
        let (found, _) = triples_test(values).unwrap();
        assert!((found - sum / count).abs() < 1e-12, "{found} {}", sum / count);
    }

    #[test]
    fn equal_values_tell_nothing() {
        assert_eq!(triples_test(vec![1.0; 40]), None);
        assert_eq!(triples_test(vec![1.0, 2.0, 4.0]), None);
    }

    /// Many blocks are thinned out, and the mean is that of all of them.
    #[test]
    fn many_blocks_are_thinned_out() {
        let block = |i: usize| {
            let subject = 1.0 + ((i * 7919) % 1009) as f64 / 1009.0;
            let runs = [(0, 1.0), (1, subject), (1, subject), (0, 1.0)];
            SlottedBlock::of(&runs, [0, 1], None).unwrap()
        };
        let blocks: Vec<SlottedBlock> = (0..1009).map(block).collect();
        let found = BlockSkew::of(&blocks).unwrap();
        // The mean of ln(1 + u) over the unit interval.
        assert!((found.mean - (2.0 * 2.0_f64.ln() - 1.0)).abs() < 0.001, "{found:?}");
    }
}
