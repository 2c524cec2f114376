//! How far a weighted sum of times may be off.

use super::UnknownInterval;
use super::fitted::Fitted;
use crate::dependence::Thinness;
use crate::distribution::{normal, student_t};

/// Runs that are worth less than this are too little for an interval.
const LEAST_EFFECTIVE: f64 = 4.0;

/// Degrees of freedom are those of normal errors. A variance of errors with heavier tails, as those of
/// most times, varies as if it rested on fewer.
const HEAVY_TAILS: f64 = 0.75;

/// What is known of the error of a slope, an intercept or a curvature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Uncertainty {
    /// The variance, as estimated.
    variance: f64,
    /// How much that estimate rests on: degrees of freedom of Student's t.
    freedom: f64,
    /// How many runs tell as much as an independent one.
    pub(super) tau: f64,
    /// The sum of the third powers of what each run adds, over the variance.
    skew: f64,
}

/// What an uncertainty is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// An interval, which must cover whatever the errors are.
    Interval,
    /// A test against 0, whose false alarms are few without what an interval adds to be safe, which would hide most
    /// curves of few runs.
    Test,
}

/// How far below and above an estimate the truth may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    pub(super) below: f64,
    pub(super) above: f64,
}

impl Uncertainty {
    /// Of the sum of the times with these weights, whose errors are the model's residuals. Errors may
    /// be larger at some amounts than at others, so each counts with its own square; `is_judged`
    /// also lets neighbours depend on each other.
    pub(super) fn of(
        model: &Fitted,
        weights: &[f64],
        is_judged: bool,
        purpose: Purpose,
    ) -> Result<Uncertainty, UnknownInterval> {
        let n = weights.len() as f64;
        let largest_residual = model.residuals.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
        if largest_residual <= ROUNDING {
            return Err(UnknownInterval::NoSpread);
        }
        let leverages = model.leverages();
        let largest_weight = weights.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
        let is_alone = |(weight, leverage): (&f64, &f64)| {
            weight.abs() > ROUNDING * largest_weight && 1.0 - leverage < ROUNDING
        };
        if weights.iter().zip(&leverages).any(is_alone) {
            return Err(UnknownInterval::OneRunDecides);
        }
        // A line follows its points, so that a residual is smaller than the error it stands for: HC3
        // divides by what the point leaves of it, HC2 by the root of that.
        let left = |leverage: f64| {
            let left = (1.0 - leverage).max(ROUNDING);
            if purpose == Purpose::Interval { left } else { left.sqrt() }
        };
        let factors: Vec<f64> =
            weights.iter().zip(&leverages).map(|(weight, h)| weight / left(*h)).collect();
        let parts: Vec<f64> =
            factors.iter().zip(&model.residuals).map(|(factor, r)| factor * r).collect();
        let variance: f64 = parts.iter().map(|part| part * part).sum();
        let thinness = if is_judged { Thinness::of(&parts) } else { None };
        let tau = thinness.map_or(1.0, |thinness| thinness.tau);
        if n / tau < LEAST_EFFECTIVE && is_judged {
            let needed = (LEAST_EFFECTIVE * tau).ceil() as usize;
            return Err(UnknownInterval::TooDependent { effective: n / tau, needed });
        }
        let shares: Vec<f64> = factors.iter().map(|factor| factor * factor).collect();
        let even = vec![1.0; weights.len()];
        let growing: Vec<f64> = model.work.iter().map(|work| work * work).collect();
        let mut freedom = match purpose {
            // Of errors that are alike, and of errors that grow with the work: the fewer.
            Purpose::Interval => {
                let fewer = freedom(model, &shares, &even).min(freedom(model, &shares, &growing));
                HEAVY_TAILS * fewer
            }
            Purpose::Test => freedom(model, &shares, &even),
        };
        if is_judged {
            // Dependence is an estimate too.
            freedom = freedom.min(0.5 * n);
        }
        Ok(Uncertainty {
            variance: variance * tau,
            freedom: (freedom / tau).max(1.0),
            tau,
            skew: parts.iter().map(|part| part.powi(3)).sum::<f64>() / variance * tau,
        })
    }

    /// How far the truth may be off, with this probability beyond each end.
    pub(super) fn reach(&self, tail: f64) -> Reach {
        let even = -student_t::quantile(self.freedom, tail) * self.variance.sqrt();
        // Where errors are skewed, the truth is further off on the side of the long tail (Cornish and
        // Fisher). What is known of that is too little to move the other end inwards.
        let z = normal::quantile(tail);
        let shift = self.skew / 6.0 * (1.0 + 2.0 * z * z);
        Reach { below: even + (-shift).max(0.0), above: even + shift.max(0.0) }
    }

    /// How surprising an estimate would be if the truth were 0.
    pub(super) fn p_value(&self, estimate: f64) -> Option<f64> {
        let deviations = (estimate / self.variance.sqrt()).abs();
        deviations.is_finite().then(|| 2.0 * student_t::cdf(self.freedom, -deviations))
    }
}

/// What is smaller, of numbers about 1, is rounding.
const ROUNDING: f64 = 1e-13;

/// The degrees of freedom of Σ share × residual², for normal errors with these variances: twice the
/// square of its mean over its variance (Satterthwaite; Bell and McCaffrey). The residuals are
/// (1 − QQᵀ) × errors, with the model's columns as Q, so their covariance is that of the errors, Ω,
/// and a product P K Pᵀ of few columns, P = (ΩQ, Q): no matrix of all runs is needed.
fn freedom(model: &Fitted, shares: &[f64], variances: &[f64]) -> f64 {
    let count = model.columns.len();
    let row = |i: usize| model.columns.iter().map(move |column| column[i]);
    let mut inner = vec![vec![0.0; count]; count];
    for (i, variance) in variances.iter().enumerate() {
        for (k, one) in row(i).enumerate() {
            for (l, other) in row(i).enumerate() {
                inner[k][l] += variance * one * other;
            }
        }
    }
    let mut kernel = vec![vec![0.0; 2 * count]; 2 * count];
    for k in 0..count {
        kernel[k][count + k] = -1.0;
        kernel[count + k][k] = -1.0;
        for l in 0..count {
            kernel[count + k][count + l] = inner[k][l];
        }
    }
    let mut weighted = vec![vec![0.0; 2 * count]; 2 * count];
    let (mut mean, mut squares) = (0.0, 0.0);
    for (i, (share, variance)) in shares.iter().zip(variances).enumerate() {
        let columns: Vec<f64> = row(i).map(|q| variance * q).chain(row(i)).collect();
        // The diagonal of P K Pᵀ.
        let mut change = 0.0;
        for (k, one) in columns.iter().enumerate() {
            for (l, other) in columns.iter().enumerate() {
                change += one * kernel[k][l] * other;
                weighted[k][l] += share * one * other;
            }
        }
        mean += share * (variance + change);
        squares += share * share * variance * (variance + 2.0 * change);
    }
    let product = product(&kernel, &weighted);
    for (k, row) in product.iter().enumerate() {
        for (l, value) in row.iter().enumerate() {
            squares += value * product[l][k];
        }
    }
    let found = mean * mean / squares;
    if found.is_finite() { found } else { 1.0 }
}

fn product(one: &[Vec<f64>], other: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = one.len();
    let cell = |k: usize, l: usize| (0..size).map(|m| one[k][m] * other[m][l]).sum();
    (0..size).map(|k| (0..size).map(|l| cell(k, l)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same from whole matrices.
    fn by_brute_force(model: &Fitted, shares: &[f64], variances: &[f64]) -> f64 {
        let n = shares.len();
        let hat = |i: usize, j: usize| -> f64 {
            model.columns.iter().map(|column| column[i] * column[j]).sum()
        };
        let rest = |i: usize, j: usize| if i == j { 1.0 - hat(i, j) } else { -hat(i, j) };
        let covariance = |i: usize, j: usize| {
            (0..n).map(|k| rest(i, k) * variances[k] * rest(k, j)).sum::<f64>()
        };
        let mean: f64 = (0..n).map(|i| shares[i] * covariance(i, i)).sum();
        let squares: f64 = (0..n * n)
            .map(|at| (at / n, at % n))
            .map(|(i, j)| shares[i] * shares[j] * covariance(i, j).powi(2))
            .sum();
        mean * mean / squares
    }

    #[test]
    fn few_columns_give_what_whole_matrices_give() {
        let x = [0.1, 1.0, 0.4, 0.1, 0.9, 0.35, 1.0];
        let y = [0.2, 1.0, 0.5, 0.15, 0.8, 0.45, 0.95];
        let line = Fitted::line(&x, &y).unwrap();
        let (curve, weights) = line.with_square(&x, &y).unwrap();
        for (model, weights) in
            [(&line, line.slope_weights()), (&line, line.intercept_weights()), (&curve, weights)]
        {
            let shares: Vec<f64> = weights.iter().map(|w| w * w).collect();
            for variances in [vec![1.0; 7], x.iter().map(|x| x * x).collect()] {
                let found = freedom(model, &shares, &variances);
                let expected = by_brute_force(model, &shares, &variances);
                assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
            }
        }
    }

    /// Errors of one size, equal amounts on both sides: Student's own degrees of freedom, or nearly.
    #[test]
    fn alike_errors_have_about_as_many_degrees_of_freedom_as_student_says() {
        let x: Vec<f64> = (0..40).map(|i| f64::from(i % 2 + 1)).collect();
        let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| x + 0.01 * (i % 7) as f64).collect();
        let line = Fitted::line(&x, &y).unwrap();
        let shares: Vec<f64> = line.slope_weights().iter().map(|w| w * w).collect();
        assert!((freedom(&line, &shares, &[1.0; 40]) - 38.0).abs() < 1e-6);
    }
}
