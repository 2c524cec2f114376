//! The values that can be taken as independent.

use super::{EstimateRequest, Statistic};
use crate::report::Levels;
use fathom_record::Series;
use fathom_stats::mean::{Moments, harmonic_mean};
use fathom_stats::{Probability, quantile};

/// The samples an interval may count.
///
/// Values of one process share its layout and its luck: with m values per execution and an
/// intra-class correlation ρ, pooling them makes intervals too narrow by √(1 + (m − 1)ρ). So with
/// two levels each execution counts once. See `docs/methods/executions.md`.
pub(super) struct Independent<'a> {
    values: &'a [f64],
    executions: Option<Vec<&'a [f64]>>,
    pooled: bool,
}

impl<'a> Independent<'a> {
    pub(super) fn of(series: &'a Series, request: &EstimateRequest) -> Independent<'a> {
        // Executions of one value each are the values themselves.
        let executions = series
            .executions()
            .filter(|executions| executions.iter().any(|values| values.len() > 1));
        let pooled = executions.is_some() && request.assume_independent;
        Independent { values: series.values(), executions, pooled }
    }

    /// The samples that labels refer to: the values, or the median of each execution.
    pub(super) fn base(&self) -> Vec<f64> {
        self.samples(Statistic::MEDIAN)
    }

    /// The samples for one statistic: the values, or one summary of each execution.
    pub(super) fn samples(&self, statistic: Statistic) -> Vec<f64> {
        match &self.executions {
            Some(executions) if !self.pooled => {
                executions.iter().filter_map(|values| summary(values, statistic)).collect()
            }
            _ => self.values.to_vec(),
        }
    }

    pub(super) fn levels(&self) -> Levels {
        match &self.executions {
            None => Levels::Values,
            Some(executions) if self.pooled => Levels::Pooled { executions: executions.len() },
            Some(executions) => Levels::Executions { executions: executions.len() },
        }
    }
}

fn summary(values: &[f64], statistic: Statistic) -> Option<f64> {
    match statistic {
        Statistic::Mean => Moments::of(values).map(|moments| moments.mean),
        // A rate of zero makes the mean zero; the estimate says so.
        Statistic::HarmonicMean => Some(harmonic_mean(values).unwrap_or(0.0)),
        Statistic::Quantile(_) => quantile::of_unsorted(&mut values.to_vec(), Probability::HALF),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;

    #[test]
    fn executions_count_once_unless_they_are_the_values_themselves() {
        let levels = |values_of_each: usize| {
            let values = (0..12).map(f64::from).collect();
            let series = Series::new("x", Unit::SECONDS, values).unwrap();
            let series = series.with_executions(vec![values_of_each; 12 / values_of_each]).unwrap();
            Independent::of(&series, &EstimateRequest::default()).levels()
        };
        assert_eq!(levels(1), Levels::Values);
        assert_eq!(levels(2), Levels::Executions { executions: 6 });
    }
}
