//! Wald's sequential probability ratio test between F − D and F + D.
//!
//! Wald's own limits, ln((1 − β)/α), hold α and β only approximately: what they guarantee is
//! α/(1 − β). The ratio is a martingale at F − D and a supermartingale below, so by Ville's
//! inequality the limit ln(1/α) holds α itself. `calibration/check.md` has what that costs.
//! Reference: A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical
//! Statistics 16, 1945.

use super::{Claim, Decision};
use std::fmt;

/// A half width of the region of indifference that does not fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndifferenceError {
    indifference: f64,
    proportion: f64,
    most: f64,
}

impl fmt::Display for IndifferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IndifferenceError { indifference, proportion, most } = self;
        write!(
            f,
            "an indifference of {indifference} does not fit a probability of {proportion}: \
             {proportion} − {indifference} and {proportion} + {indifference} must both be between 0 \
             and 1, exclusive; choose an indifference above 0 and below {most}"
        )
    }
}

impl std::error::Error for IndifferenceError {}

/// The test's steps and its limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wald {
    /// What a success adds to the log ratio.
    up: f64,
    /// What a failure takes from it.
    down: f64,
    /// Where it decides, on both sides.
    limit: f64,
}

/// Where the test stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaldLimit {
    /// ln(1/α), which holds α.
    Sure,
    /// ln((1 − β)/α), as Wald has it.
    Approximate,
}

impl Wald {
    pub(super) fn new(
        claim: Claim,
        indifference: f64,
        limit: WaldLimit,
    ) -> Result<Wald, IndifferenceError> {
        let f = claim.proportion.get();
        let (low, high) = (f - indifference, f + indifference);
        if !(indifference > 0.0 && low > 0.0 && high < 1.0) {
            // Rounded: 1 − 0.9 would read 0.09999999999999998.
            let most = (f.min(1.0 - f) * 1e12).round() / 1e12;
            return Err(IndifferenceError { indifference, proportion: f, most });
        }
        let alpha = claim.confidence.alpha();
        let limit = match limit {
            WaldLimit::Sure => 1.0 / alpha,
            WaldLimit::Approximate => (1.0 - alpha) / alpha,
        };
        Ok(Wald {
            up: (high / low).ln(),
            down: ((1.0 - low) / (1.0 - high)).ln(),
            limit: limit.ln(),
        })
    }

    /// The logarithm of the likelihood at F + D over that at F − D.
    pub(super) fn log_ratio(&self, successes: usize, n: usize) -> f64 {
        successes as f64 * self.up - n.saturating_sub(successes) as f64 * self.down
    }

    pub(super) fn is_positive(&self, successes: usize, n: usize) -> bool {
        self.log_ratio(successes, n) >= self.limit
    }

    pub(super) fn is_negative(&self, successes: usize, n: usize) -> bool {
        self.log_ratio(successes, n) <= -self.limit
    }

    /// An upper bound on the probability that the ratio still gets to this decision: by Ville's
    /// inequality, for shares at which the ratio (or its inverse) does not grow on average.
    pub(super) fn still_reaching(
        &self,
        decision: Decision,
        share: f64,
        successes: usize,
        n: usize,
    ) -> f64 {
        let sign = match decision {
            Decision::Positive => 1.0,
            Decision::Negative => -1.0,
        };
        let growth = share * (sign * self.up).exp() + (1.0 - share) * (-sign * self.down).exp();
        // At F − D it is 1, but for rounding.
        if growth > 1.0 + 1e-12 {
            return 1.0;
        }
        (sign * self.log_ratio(successes, n) - self.limit).exp().min(1.0)
    }
}
