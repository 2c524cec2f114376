//! The tests that users of other tools know, in a single look: for comparison, not for verdicts.

use super::at_most;
use crate::distribution::binomial::Binomial;
use crate::distribution::{normal, student_t};
use crate::mean::{self, Moments, Reference};
use crate::{Confidence, Interval, LogRatioInterval, Probability, Sides};

/// bench_diff's result: the mean of the log-ratios and Student's t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanLn {
    /// The mean of the log-ratios.
    pub mean: f64,
    /// Its interval; right if the log-ratios are independent and nearly normal.
    pub interval: LogRatioInterval,
    /// The mean over its standard error; `None` where there is no spread.
    pub t: Option<f64>,
    /// Degrees of freedom.
    pub degrees: usize,
    /// Two-sided; `None` where there is no t.
    pub p_value: Option<f64>,
}

/// The mean of log-ratios with its t interval; `None` with fewer than two.
///
/// ```
/// use fathom_stats::Confidence;
/// use fathom_stats::paired::mean_ln;
///
/// let found = mean_ln(&[0.01, 0.03, 0.02, 0.02], Confidence::DEFAULT).ok_or("too few")?;
/// assert!((found.mean - 0.02).abs() < 1e-15 && found.degrees == 3);
/// assert!(found.interval.lower > 0.0);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn mean_ln(log_ratios: &[f64], confidence: Confidence) -> Option<MeanLn> {
    let moments = Moments::of(log_ratios).filter(|moments| moments.n >= 2)?;
    let Interval { lower, upper } =
        mean::interval(&moments, confidence, Sides::Both, Reference::StudentT);
    let interval = LogRatioInterval { lower, upper };
    let error = moments.sd / (moments.n as f64).sqrt();
    let degrees = moments.n - 1;
    let t = (error > 0.0).then(|| moments.mean / error);
    let p_value = t.map(|t| 2.0 * student_t::cdf(degrees as f64, -t.abs()));
    Some(MeanLn { mean: moments.mean, interval, t, degrees, p_value })
}

/// The sign test: how often the subject was the slower one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignTest {
    /// Blocks in which the subject took longer.
    pub slower: usize,
    /// Blocks in which it took less.
    pub faster: usize,
    /// Two-sided and exact; blocks without a difference do not count.
    pub p_value: f64,
}

/// Counts signs.
///
/// ```
/// use fathom_stats::paired::sign_test;
///
/// let found = sign_test(&[0.01, 0.03, 0.0, 0.02, 0.02, 0.01]);
/// assert_eq!((found.slower, found.faster), (5, 0));
/// assert!((found.p_value - 2.0 / 32.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn sign_test(log_ratios: &[f64]) -> SignTest {
    let slower = log_ratios.iter().filter(|&&d| d > 0.0).count();
    let faster = log_ratios.iter().filter(|&&d| d < 0.0).count();
    let law = Binomial::new(slower + faster, Probability::HALF);
    let p_value = (2.0 * law.at_most(slower.min(faster))).min(1.0);
    SignTest { slower, faster, p_value }
}

/// Wilcoxon's signed-rank test in a single look, as other tools print it: two-sided, without zeros,
/// ties sharing their ranks. `None` where nothing differs from zero.
///
/// Exact up to 50 values without zeros and ties, or up to 13 with them; else by the normal law with
/// the tie correction and without a continuity correction. Those are the defaults of scipy's
/// `stats.wilcoxon`.
///
/// ```
/// use fathom_stats::paired::wilcoxon;
/// assert_eq!(wilcoxon(&[1.0, 2.0, 3.0, -4.0]), Some(0.875));
/// assert_eq!(wilcoxon(&[0.0, 0.0]), None);
/// ```
#[must_use]
pub fn wilcoxon(log_ratios: &[f64]) -> Option<f64> {
    const EXACT: usize = 50;
    const COUNTED: usize = 13;
    let mut values: Vec<f64> = log_ratios.iter().copied().filter(|&d| d != 0.0).collect();
    if values.is_empty() {
        return None;
    }
    values.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = values.len();
    // Twice the ranks, so that those of ties are whole numbers too.
    let mut ranks = vec![0_usize; n];
    let mut tie_correction = 0.0;
    let mut from = 0;
    while from < n {
        let ties = values[from..].iter().take_while(|d| d.abs() == values[from].abs()).count();
        ranks[from..from + ties].fill(2 * from + ties + 1);
        let size = ties as f64;
        tie_correction += size.powi(3) - size;
        from += ties;
    }
    let positive: usize =
        values.iter().zip(&ranks).filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank).sum();
    let sum = n * (n + 1);
    let smaller = positive.min(sum - positive);
    let is_plain = tie_correction == 0.0 && n == log_ratios.len();
    if is_plain && n <= EXACT {
        return Some((2.0 * at_most(n, smaller / 2)).min(1.0));
    }
    if log_ratios.len() <= COUNTED {
        let signs = 0..1_usize << n;
        let of = |signs: usize| -> usize {
            (0..n).filter(|bit| signs >> bit & 1 == 1).map(|bit| ranks[bit]).sum()
        };
        let few = signs.filter(|&signs| of(signs) <= smaller).count();
        return Some((2.0 * few as f64 / (1_usize << n) as f64).min(1.0));
    }
    let size = n as f64;
    let mean = size * (size + 1.0) / 4.0;
    let variance = (size * (size + 1.0) * (2.0 * size + 1.0) - 0.5 * tie_correction) / 24.0;
    let z = (0.5 * smaller as f64 - mean) / variance.sqrt();
    Some((2.0 * normal::cdf(z)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_a_coin() {
        let test = sign_test(&[0.1, 0.2, 0.0, 0.3, -0.1, 0.2]);
        assert_eq!((test.slower, test.faster), (4, 1));
        assert!((test.p_value - 12.0 / 32.0).abs() < 1e-12);
        assert_eq!(sign_test(&[]).p_value, 1.0);
    }

    #[test]
    fn t_of_a_worked_example() {
        // Mean 2, standard deviation 1, three values: t = 2√3 with two degrees of freedom, whose
        // distribution function is ½ + t / (2√(2 + t²)).
        let found = mean_ln(&[1.0, 2.0, 3.0], Confidence::DEFAULT).unwrap();
        let t = 2.0 * 3.0_f64.sqrt();
        assert!((found.t.unwrap() - t).abs() < 1e-12);
        let tail = 0.5 - t / (2.0 * (2.0 + t * t).sqrt());
        assert!((found.p_value.unwrap() - 2.0 * tail).abs() < 1e-12);
        assert_eq!(mean_ln(&[0.5, 0.5], Confidence::DEFAULT).unwrap().t, None);
    }
}
