//! The null law of Wilcoxon's signed-rank sum.

use crate::distribution::normal;

/// Up to here the law is computed exactly; it takes n³/6 additions, a few milliseconds.
const EXACT: usize = 200;

/// P(W⁺ ≤ k) for n independent values that are symmetric about zero.
///
/// Exact up to n = 200, then the normal law with continuity correction, whose far tails are the
/// heavier ones.
///
/// ```
/// use fathom_stats::paired::at_most;
/// assert_eq!(at_most(10, 2), 3.0 / 1024.0);
/// ```
#[must_use]
pub fn at_most(n: usize, k: usize) -> f64 {
    let largest = n * (n + 1) / 2;
    if k >= largest {
        return 1.0;
    }
    if n > EXACT {
        let (mean, sd) = moments(n);
        return normal::cdf((k as f64 + 0.5 - mean) / sd);
    }
    // The law is symmetric, and the nearer tail has the fewer terms and the smaller rounding.
    if 2 * k >= largest {
        return 1.0 - at_most(n, largest - k - 1);
    }
    law(n, k).iter().sum()
}

/// The largest k with P(W⁺ ≤ k − 1) ≤ α/2: the k-th smallest and largest of the pairwise averages
/// are the ends of an interval that misses with probability α at most. 0 means that n values cannot
/// give one.
///
/// ```
/// use fathom_stats::paired::rank;
/// assert_eq!(rank(10, 0.05), 9);
/// assert_eq!(rank(5, 0.05), 0);
/// ```
#[must_use]
pub fn rank(n: usize, alpha: f64) -> usize {
    if n > EXACT {
        return rank_by_normal(n, alpha);
    }
    let mut below = 0.0;
    let mut rank = 0;
    for probability in law(n, n * (n + 1) / 4) {
        below += probability;
        // Exact values such as 2/64 meet levels that are written as decimals.
        if below > 0.5 * alpha * (1.0 + 1e-12) {
            break;
        }
        rank += 1;
    }
    rank
}

/// The same by the normal law, never larger than the exact one. The law's own tails are lighter
/// below α = .08; nearer to the middle they are heavier by less than three ranks.
fn rank_by_normal(n: usize, alpha: f64) -> usize {
    const FAR: f64 = 0.08;
    const NEAR_THE_MIDDLE: f64 = 3.0;
    let (mean, sd) = moments(n);
    let z = -normal::quantile(0.5 * alpha);
    let slack = if alpha > FAR { NEAR_THE_MIDDLE } else { 0.0 };
    (mean + 0.5 - z * sd - slack).floor().max(0.0) as usize
}

fn moments(n: usize) -> (f64, f64) {
    let n = n as f64;
    (n * (n + 1.0) / 4.0, (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt())
}

/// P(W⁺ = s) for s from 0 to `most`.
fn law(n: usize, most: usize) -> Vec<f64> {
    let mut law = vec![0.0; most + 1];
    law[0] = 1.0;
    for rank in 1..=n {
        // Rank `rank` is positive or not, each with probability one half; halving as we go keeps
        // the numbers from overflowing, and powers of two round nothing.
        for sum in (0..=most).rev() {
            let with = if sum >= rank { law[sum - rank] } else { 0.0 };
            law[sum] = 0.5 * (law[sum] + with);
        }
    }
    law
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every assignment of signs, counted.
    #[test]
    fn small_laws_agree_with_counting() {
        for n in 1..=12_usize {
            let largest = n * (n + 1) / 2;
            let mut counts = vec![0_u32; largest + 1];
            for signs in 0..1_usize << n {
                let sum: usize =
                    (0..n).filter(|bit| signs >> bit & 1 == 1).map(|bit| bit + 1).sum();
                counts[sum] += 1;
            }
            let mut below = 0;
            for (k, count) in counts.iter().enumerate() {
                below += count;
                let exact = f64::from(below) / f64::from(1_u32 << n);
                assert!((at_most(n, k) - exact).abs() < 1e-15, "n {n} k {k}");
            }
        }
    }

    #[test]
    fn the_normal_rank_is_never_the_larger() {
        for n in 51..=EXACT {
            for alpha in [
                0.5,
                0.2,
                0.1,
                0.09,
                0.08,
                0.05,
                0.03,
                0.02,
                0.015,
                0.01,
                0.0075,
                0.005,
                0.03 / 9.0,
                0.001,
            ] {
                let (exact, normal) = (rank(n, alpha), rank_by_normal(n, alpha));
                assert!(normal <= exact, "n {n} alpha {alpha}: {normal} > {exact}");
                assert!(exact - normal <= 1 + exact / 20, "n {n} alpha {alpha}: {normal}, {exact}");
            }
        }
    }

    #[test]
    fn the_two_branches_meet() {
        let (mean, sd) = moments(EXACT);
        for z in [-3.0, -1.0, 0.0, 2.0_f64] {
            let k = (mean + z * sd) as usize;
            let approximate = normal::cdf((k as f64 + 0.5 - mean) / sd);
            assert!((at_most(EXACT, k) - approximate).abs() < 1e-3);
        }
    }
}
