//! By how much the interval must be wider than that of the coins alone.
//!
//! The coins know everything if the subjects differ by a factor only. If their densities at the
//! quantile differ too, then the pooled quantile itself is uncertain: where it moves by some runs, the
//! reference gains or loses more of them than the subject. With ρ the difference of the densities over
//! their sum, the variance of the lead grows by ρ² times the long-run variance of the number beyond.

use super::Pooled;
use crate::distribution::{normal, student_t};
use crate::tails::thinness::thinness_where_evident;

/// The densities are compared this many standard errors of the pooled quantile around it.
const AROUND: f64 = 2.0;
/// The densities of fewer runs than this on each side say nothing.
const FEWEST_AROUND: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tails) struct Widening {
    /// How much fewer blocks these are worth: 1 if they look independent.
    pub(in crate::tails) thinness: f64,
    /// By how much shapes that differ widen.
    pub(in crate::tails) shape: f64,
    /// From how many independent quantities that is known, or ∞.
    freedom: f64,
}

impl Widening {
    pub(in crate::tails) fn of(pooled: &Pooled) -> Widening {
        let beyond = pooled.beyond();
        let at = pooled.at_estimate(beyond);
        let thinness = thinness_where_evident(&at.leads);
        let mean = at.counts.iter().sum::<f64>() / at.counts.len() as f64;
        let of_counts = at.counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>();
        let of_counts = of_counts * thinness_where_evident(&at.counts);
        let of_leads = at.leads.iter().map(|lead| lead * lead).sum::<f64>().max(1.0);
        let reach = ((AROUND * of_counts.sqrt()).ceil() as usize).max(FEWEST_AROUND);
        let whole = pooled.at_estimate(beyond + reach).is_reference;
        let around = &whole[beyond.saturating_sub(reach).min(whole.len())..];
        let size = around.len().max(1) as f64;
        let own = around.iter().filter(|is_reference| **is_reference).count() as f64;
        let difference = 2.0 * own / size - 1.0;
        let squared = difference * difference;
        let share = of_counts / of_leads;
        let variance = 1.0 + squared * share;
        // The variance of that, by that of a share among this number of runs.
        let error = 4.0 * squared * (1.0 - squared) / size * share * share;
        let of_shape = 2.0 * variance * variance / error;
        let of_dependence = 0.5 * at.leads.len() as f64 / thinness;
        let freedom = if thinness > 1.0 { of_shape.min(of_dependence) } else { of_shape };
        Widening { thinness, shape: variance.sqrt(), freedom }
    }

    /// By how much shapes that differ widen.
    pub(in crate::tails) fn shape(&self) -> f64 {
        self.shape
    }

    /// The score at level `alpha`, of a variance that is estimated.
    fn score(&self, alpha: f64) -> f64 {
        let normal = -normal::quantile(0.5 * alpha);
        if self.freedom > 1e6 { normal } else { -student_t::quantile(self.freedom, 0.5 * alpha) }
    }

    fn factor(&self) -> f64 {
        self.shape * self.thinness.sqrt()
    }

    /// The level of the coins' test that makes a look of level `alpha`; never above `alpha`.
    pub(in crate::tails) fn level(&self, alpha: f64) -> f64 {
        if self.factor() <= 1.0 {
            return alpha;
        }
        (2.0 * normal::cdf(-self.factor() * self.score(alpha))).min(alpha)
    }

    /// The same if many blocks told the widening exactly; never so small that no number of blocks is
    /// enough.
    pub(in crate::tails) fn level_of_many(&self, alpha: f64) -> f64 {
        let score = -normal::quantile(0.5 * alpha);
        (2.0 * normal::cdf(-self.factor().max(1.0) * score)).max(f64::MIN_POSITIVE)
    }

    /// The reverse: the level of a look whose coins' test has this level.
    pub(in crate::tails) fn p_value(&self, of_coins: f64) -> f64 {
        if self.factor() <= 1.0 || of_coins >= 1.0 {
            return of_coins;
        }
        let score = -normal::quantile(0.5 * of_coins) / self.factor();
        let found = if self.freedom > 1e6 {
            2.0 * normal::cdf(-score)
        } else {
            2.0 * student_t::cdf(self.freedom, -score)
        };
        found.clamp(of_coins, 1.0)
    }
}
