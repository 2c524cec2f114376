//! `--method bca`, where it is built in.

use super::{EstimateRequest, IntervalOutcome, NoInterval, Statistic};
use fathom_stats::Probability;

/// What is resampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Of {
    Mean,
    Quantile(Probability),
}

impl Of {
    fn statistic(self) -> Statistic {
        match self {
            Of::Mean => Statistic::Mean,
            Of::Quantile(p) => Statistic::Quantile(p),
        }
    }
}

/// The BCa interval, or why there is none.
#[cfg(feature = "bootstrap")]
pub(super) fn outcome(samples: &[f64], of: Of, request: &EstimateRequest) -> IntervalOutcome {
    use fathom_stats::bca::{self, Resampling};
    let statistic = match of {
        Of::Quantile(p) => bca::BootstrapStatistic::Quantile(p),
        Of::Mean => bca::BootstrapStatistic::Mean,
    };
    let resampling = Resampling::seeded(request.seed);
    match bca::interval(samples, statistic, request.confidence, request.sides, resampling) {
        Ok(interval) => super::interval::simple(interval, None),
        Err(error) => {
            let (why, statistic) = (error.to_string(), of.statistic());
            IntervalOutcome::declined(NoInterval::NotResampled { why, statistic })
        }
    }
}

/// Says that it is not there.
#[cfg(not(feature = "bootstrap"))]
pub(super) fn outcome(_samples: &[f64], of: Of, _request: &EstimateRequest) -> IntervalOutcome {
    IntervalOutcome::declined(NoInterval::WithoutBootstrap { statistic: of.statistic() })
}
