//! The binomial distribution: how many of n samples lie below a quantile.

use super::beta::{Tails, UnitPoint, regularised};
use super::saddle_point::{deviance, stirling_error};
use crate::Probability;
use std::f64::consts::TAU;

/// Bin(n, p).
///
/// ```
/// use fathom_stats::Probability;
/// use fathom_stats::distribution::binomial::Binomial;
///
/// let coins = Binomial::new(3, Probability::HALF);
/// assert_eq!(coins.trials(), 3);
/// assert!((coins.pmf(1) - 3.0 / 8.0).abs() < 1e-15);
/// assert!((coins.at_most(1) - 0.5).abs() < 1e-15);
/// assert!((coins.at_least(3) - 1.0 / 8.0).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binomial {
    n: usize,
    p: UnitPoint,
}

impl Binomial {
    /// n trials, each a success with probability p.
    #[must_use]
    pub fn new(n: usize, p: Probability) -> Binomial {
        Binomial { n, p: UnitPoint::at(p.get()) }
    }

    /// The number of trials.
    #[must_use]
    pub fn trials(&self) -> usize {
        self.n
    }

    /// P(S = k).
    #[must_use]
    pub fn pmf(&self, k: usize) -> f64 {
        let UnitPoint { x: p, y: q } = self.p;
        let (n, k) = (self.n, k);
        if k > n {
            return 0.0;
        }
        let (size, successes, failures) = (n as f64, k as f64, (n - k) as f64);
        if k == 0 {
            return (size * libm::log1p(-p)).exp();
        }
        if k == n {
            return (size * libm::log1p(-q)).exp();
        }
        let exponent = stirling_error(size)
            - stirling_error(successes)
            - stirling_error(failures)
            - deviance(successes, size * p)
            - deviance(failures, size * q);
        (size / (TAU * successes * failures)).sqrt() * exponent.exp()
    }

    /// P(S ≤ k); the same for every k ≥ n.
    #[must_use]
    pub fn at_most(&self, k: usize) -> f64 {
        self.tails_above(k).upper
    }

    /// P(S ≥ k).
    #[must_use]
    pub fn at_least(&self, k: usize) -> f64 {
        match k.checked_sub(1) {
            None => 1.0,
            Some(below) => self.tails_above(below).lower,
        }
    }

    /// P(S > k) as `lower`, P(S ≤ k) as `upper`: {S > k} is {Beta(k + 1, n − k) ≤ p}.
    fn tails_above(&self, k: usize) -> Tails {
        if k >= self.n {
            return Tails { lower: 0.0, upper: 1.0 };
        }
        regularised((k + 1) as f64, (self.n - k) as f64, self.p)
    }
}
