//! `--method bca`, where it is built in.

use super::{EstimateRequest, IntervalOutcome};
use fathom_stats::Probability;

/// What is resampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Of {
    Mean,
    Quantile(Probability),
}

/// The BCa interval, or why there is none.
#[cfg(feature = "bootstrap")]
pub(super) fn outcome(samples: &[f64], of: Of, request: &EstimateRequest) -> IntervalOutcome {
    use fathom_stats::bca::{self, Resampling};
    let (statistic, hint) = match of {
        Of::Quantile(p) => {
            (bca::BootstrapStatistic::Quantile(p), "use --method exact, which handles duplicates")
        }
        Of::Mean => (
            bca::BootstrapStatistic::Mean,
            "use --statistic median, whose interval handles duplicates",
        ),
    };
    let resampling = Resampling::seeded(request.seed);
    match bca::interval(samples, statistic, request.confidence, request.sides, resampling) {
        Ok(interval) => super::interval::simple(interval, None),
        Err(error) => {
            IntervalOutcome::Declined { reason: format!("{error}; {hint}"), samples_needed: None }
        }
    }
}

/// Says that it is not there.
#[cfg(not(feature = "bootstrap"))]
pub(super) fn outcome(_samples: &[f64], of: Of, _request: &EstimateRequest) -> IntervalOutcome {
    let instead = match of {
        Of::Quantile(p) => format!("exact for the {} quantile", p.get()),
        Of::Mean => "t for the mean".to_string(),
    };
    let reason = format!("this program was built without the bootstrap; use {instead}");
    IntervalOutcome::Declined { reason, samples_needed: None }
}
