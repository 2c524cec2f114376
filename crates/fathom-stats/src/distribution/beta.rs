//! The regularised incomplete beta function and its inverse.
//!
//! Own code because the crates at hand lose digits where we need them: statrs' `beta_reg` above
//! shapes of 1000, its and puruspe's inverses almost everywhere. Both arguments x and y = 1 − x are
//! carried along, so that neither end of the interval loses precision.

use super::concave_root::{self, Point};
use super::saddle_point::{deviance, stirling_error};
use std::f64::consts::TAU;

/// A point of the unit interval, precise at both ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitPoint {
    /// The distance from zero.
    pub x: f64,
    /// The distance from one.
    pub y: f64,
}

impl UnitPoint {
    /// The point x, with y = 1 − x.
    #[must_use]
    pub fn at(x: f64) -> UnitPoint {
        UnitPoint { x, y: 1.0 - x }
    }

    fn mirrored(self) -> UnitPoint {
        UnitPoint { x: self.y, y: self.x }
    }

    fn from_logit(u: f64) -> UnitPoint {
        UnitPoint { x: 1.0 / (1.0 + (-u).exp()), y: 1.0 / (1.0 + u.exp()) }
    }
}

/// The probability on each side of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tails {
    /// P(X ≤ x).
    pub lower: f64,
    /// P(X > x).
    pub upper: f64,
}

impl Tails {
    fn mirrored(self) -> Tails {
        Tails { lower: self.upper, upper: self.lower }
    }
}

/// I_x(a, b) and its complement, for a, b > 0.
///
/// ```
/// use fathom_stats::distribution::beta::{regularised, UnitPoint};
/// let tails = regularised(1.0, 3.0, UnitPoint::at(0.5));
/// assert!((tails.lower - 0.875).abs() < 1e-15);
/// ```
#[must_use]
pub fn regularised(a: f64, b: f64, at: UnitPoint) -> Tails {
    let logs = ln_regularised(a, b, at);
    Tails { lower: logs.lower.exp(), upper: logs.upper.exp() }
}

/// The logarithms of [`regularised`], which do not underflow.
///
/// ```
/// use fathom_stats::distribution::beta::{UnitPoint, ln_regularised};
/// // I_x(a, 1) = x^a, far below the smallest double.
/// let tails = ln_regularised(2000.0, 1.0, UnitPoint::at(0.5));
/// assert!((tails.lower - 2000.0 * 0.5_f64.ln()).abs() < 1e-8);
/// ```
#[must_use]
pub fn ln_regularised(a: f64, b: f64, at: UnitPoint) -> Tails {
    if at.x <= 0.0 {
        return Tails { lower: f64::NEG_INFINITY, upper: 0.0 };
    }
    if at.y <= 0.0 {
        return Tails { lower: 0.0, upper: f64::NEG_INFINITY };
    }
    // The continued fraction converges quickly left of the mean; mirror to get there. What it
    // yields there is at most about a half, so the complement is as precise.
    if at.x * (a + b + 2.0) > a + 1.0 {
        return ln_left_of_mean(b, a, at.mirrored()).mirrored();
    }
    ln_left_of_mean(a, b, at)
}

fn ln_left_of_mean(a: f64, b: f64, at: UnitPoint) -> Tails {
    let lower = ln_density_scale(a, b, at) + (continued_fraction(a, b, at) / a).ln();
    Tails { lower, upper: (-lower.exp()).ln_1p() }
}

/// ln of x^a y^b / B(a, b): the density on the logit scale.
pub(crate) fn ln_density_scale(a: f64, b: f64, at: UnitPoint) -> f64 {
    let n = a + b;
    0.5 * (a / TAU * (b / n)).ln() + stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * at.x)
        - deviance(b, n * at.y)
}

/// The continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22).
fn continued_fraction(a: f64, b: f64, at: UnitPoint) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let x = at.x;
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    // Near the mean it needs a small multiple of √max(a, b) terms.
    let most = 200 + 10 * a.max(b).sqrt() as u64;
    for m in 1..most {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        let step = d * c;
        fraction *= step;
        if (step - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    fraction
}

/// The point below which a Beta(a, b) variable lies with probability p.
///
/// ```
/// use fathom_stats::distribution::beta::quantile;
/// assert!((quantile(1.0, 3.0, 0.875).x - 0.5).abs() < 1e-15);
/// ```
#[must_use]
pub fn quantile(a: f64, b: f64, p: f64) -> UnitPoint {
    quantile_of_tails(a, b, Tails { lower: p, upper: 1.0 - p })
}

/// The same for a caller who knows both tails precisely.
pub(crate) fn quantile_of_tails(a: f64, b: f64, tails: Tails) -> UnitPoint {
    if tails.lower <= 0.0 {
        return UnitPoint { x: 0.0, y: 1.0 };
    }
    if tails.upper <= 0.0 {
        return UnitPoint { x: 1.0, y: 0.0 };
    }
    // Solve for the smaller tail: its logarithm is well conditioned.
    if tails.upper < tails.lower {
        return quantile_of_tails(b, a, tails.mirrored()).mirrored();
    }
    let target = tails.lower.ln();
    let logit = concave_root::solve((a / b).ln(), |u| {
        let at = UnitPoint::from_logit(u);
        let ln_tail = ln_regularised(a, b, at).lower;
        Point { value: ln_tail - target, slope: (ln_density_scale(a, b, at) - ln_tail).exp() }
    });
    UnitPoint::from_logit(logit)
}
