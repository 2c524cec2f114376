//! Work per second from pairs of work and time.

use super::EstimateRequest;
use crate::report::{Levels, StopReason, Subject};
use crate::warning::Warning;
use fathom_record::{Series, Unit};
use fathom_stats::Confidence;
use fathom_stats::work_rate::{Residuals, WorkRate, WorkRateError, work_rate};

/// A rate with the set-up time separated.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkEstimate {
    /// What was found.
    pub found: WorkRate,
    /// How sure its intervals are.
    pub confidence: Confidence,
    /// What the work is counted in.
    pub work: String,
    /// The unit of time.
    pub time: Unit,
    /// How many runs it rests on.
    pub n_used: usize,
}

impl WorkEstimate {
    /// What the rate is in: "ops/s".
    #[must_use]
    pub fn rate_unit(&self) -> String {
        let time = if self.time == Unit::Unknown { "unit of time" } else { self.time.symbol() };
        format!("{}/{time}", self.work)
    }
}

/// Below this p-value a curve is worth a warning.
const BENT: f64 = 0.01;

/// Fits set-up and rate to runs of different amounts of work.
pub fn analyze_work(
    work: &Series,
    time: Series,
    request: &EstimateRequest,
) -> Result<Subject, WorkRateError> {
    let EstimateRequest { confidence, sides, .. } = *request;
    let residuals =
        if request.assume_independent { Residuals::Independent } else { Residuals::MayDepend };
    let found = work_rate(work.values(), time.values(), confidence, sides, residuals)?;
    let mut warnings = Vec::new();
    if let Some(p) = found.curvature_p.filter(|&p| p < BENT) {
        warnings.push(Warning::Curved { p_value: p });
    }
    if found.setup_interval.upper < 0.0 {
        warnings.push(Warning::NegativeSetup);
    }
    let n_used = time.len();
    let label = match work.unit() {
        Unit::Unknown => work.name().to_string(),
        unit => unit.symbol().to_string(),
    };
    let estimate = WorkEstimate {
        found,
        confidence: request.confidence,
        work: label,
        time: time.unit().clone(),
        n_used,
    };
    Ok(Subject {
        series: time,
        parameters: Vec::new(),
        resources: Vec::new(),
        runs: None,
        function: None,
        startup: None,
        levels: Levels::Values,
        spread: None,
        labelled: None,
        autocorrelation: None,
        estimates: Vec::new(),
        work: Some(estimate),
        stopped: StopReason::Fixed,
        warnings,
    })
}
