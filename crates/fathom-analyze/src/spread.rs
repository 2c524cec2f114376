//! How a subject's values spread, for readers who want more than an estimate.

use fathom_stats::mean::Moments;
use fathom_stats::{Probability, quantile};

/// All values of a subject, whether they count or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The smallest.
    pub smallest: f64,
    /// The quartiles; the middle one is the median.
    pub quartiles: [f64; 3],
    /// The largest.
    pub largest: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The skewness.
    pub skewness: f64,
}

impl Spread {
    /// `None` for no values.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Spread> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let quartile = |level: f64| quantile::of_sorted(&sorted, Probability::new(level).ok()?);
        let Moments { mean, sd, skewness, .. } = Moments::of(values)?;
        Some(Spread {
            smallest: *sorted.first()?,
            quartiles: [quartile(0.25)?, quartile(0.5)?, quartile(0.75)?],
            largest: *sorted.last()?,
            mean,
            sd,
            skewness,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_numbers_and_three_moments() {
        let spread = Spread::of(&[5.0, 1.0, 3.0, 2.0, 4.0]).unwrap();
        assert_eq!(
            (spread.smallest, spread.quartiles, spread.largest),
            (1.0, [2.0, 3.0, 4.0], 5.0)
        );
        assert_eq!((spread.mean, spread.skewness), (3.0, 0.0));
        assert_eq!(Spread::of(&[]), None);
    }
}
