//! Work per second from pairs of work and time.

use super::EstimateRequest;
use crate::report::{Levels, StopReason, Subject};
use crate::warning::Warning;
use fathom_record::{Series, Unit};
use fathom_stats::work_rate::{Residuals, WorkRate, WorkRateError, work_rate};
use fathom_stats::{Confidence, Interval, Sides};

/// A rate with the set-up time separated.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkEstimate {
    /// What was found, or why there is no rate.
    pub found: Result<WorkRate, WorkRateError>,
    /// How sure its intervals are.
    pub confidence: Confidence,
    /// Which ends the intervals have.
    pub sides: Sides,
    /// What the work is counted in.
    pub work: String,
    /// The unit of time.
    pub time: Unit,
    /// The amount of work of every run, in the order of the times.
    pub amounts: Vec<f64>,
    /// How many runs it rests on.
    pub n_used: usize,
}

/// The runs of one amount of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkPoint {
    /// The amount.
    pub amount: f64,
    /// How many runs had it.
    pub runs: usize,
    /// Their mean time: a line by least squares is one through means.
    pub mean: f64,
}

impl WorkEstimate {
    /// What the rate is in: "ops/s".
    #[must_use]
    pub fn rate_unit(&self) -> String {
        format!("{}/{}", self.work, self.time_symbol())
    }

    /// What the time per unit of work is in: "s/ops".
    #[must_use]
    pub fn cost_unit(&self) -> String {
        format!("{}/{}", self.time_symbol(), self.work)
    }

    fn time_symbol(&self) -> &str {
        if self.time == Unit::Unknown { "unit of time" } else { self.time.symbol() }
    }

    /// The amounts in ascending order, each with the mean of its times.
    #[must_use]
    pub fn points(&self, times: &Series) -> Vec<WorkPoint> {
        let mut pairs: Vec<(f64, f64)> =
            self.amounts.iter().copied().zip(times.values().iter().copied()).collect();
        pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
        pairs
            .chunk_by(|one, other| one.0 == other.0)
            .filter_map(|alike| {
                let amount = alike.first()?.0;
                let runs = alike.len();
                // Divided first, so that large times do not overflow.
                let mean = alike.iter().map(|(_, time)| time / runs as f64).sum();
                Some(WorkPoint { amount, runs, mean })
            })
            .collect()
    }

    /// The interval of the rate, or what it is surely above where there is no rate; `None` where
    /// nothing is known.
    #[must_use]
    pub fn rate_interval(&self) -> Option<Interval> {
        match &self.found {
            Ok(found) if found.unknown.is_none() => Some(found.rate_interval),
            Err(WorkRateError::NoSlope { least: Some(least) }) => {
                Some(Interval { lower: *least, upper: f64::INFINITY })
            }
            _ => None,
        }
    }

    /// The interval of the set-up time; `None` where it is not known.
    #[must_use]
    pub fn setup_interval(&self) -> Option<Interval> {
        let interval = self.found.as_ref().ok()?.setup_interval;
        Some(interval).filter(|interval| *interval != Interval::EVERYTHING)
    }

    /// About how many runs the set-up time needs for an interval, where there are too few.
    #[must_use]
    pub fn setup_needs(&self) -> Option<usize> {
        self.found.as_ref().ok()?.setup_needs
    }

    /// Whether the set-up time is known to be above zero.
    #[must_use]
    pub fn has_setup(&self) -> bool {
        self.setup_interval().is_some_and(|interval| interval.lower > 0.0)
    }

    /// Whether time is surely not a straight line in work, so that the rate is an average.
    #[must_use]
    pub fn is_curved(&self) -> bool {
        let curvature_p = self.found.as_ref().ok().and_then(|found| found.curvature_p);
        curvature_p.is_some_and(|p| p < BENT)
    }

    /// Why there is no rate, or no interval of it, and what to do.
    #[must_use]
    pub fn declined(&self) -> Option<String> {
        match &self.found {
            Ok(found) => found.unknown.map(|why| Warning::NoRateInterval { why }.to_string()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Why the set-up time alone has no interval: "no interval for the set-up time: about 190 runs are
    /// needed to show rare stalls".
    #[must_use]
    pub fn setup_declined(&self) -> Option<String> {
        // What declines the rate as well has said why.
        let is_alone = self.rate_interval().is_some() && self.setup_interval().is_none();
        let needed = self.setup_needs().filter(|_| is_alone)?;
        Some(format!(
            "no interval for the set-up time: about {needed} runs are needed to show rare stalls"
        ))
    }

    /// How far the rate may be off, as a share of it; `None` where that is infinite, or where it
    /// holds only if the runs are independent.
    #[must_use]
    pub fn relative_half_width(&self) -> Option<f64> {
        let found = self.found.as_ref().ok().filter(|found| !found.if_independent)?;
        let Interval { lower, upper } = self.rate_interval()?;
        let half_width = match self.sides {
            Sides::Both => 0.5 * (upper - lower),
            Sides::Lower => found.rate - lower,
            Sides::Upper => upper - found.rate,
        };
        Some(half_width / found.rate).filter(|share| share.is_finite())
    }

    /// The same runs with other options.
    #[must_use]
    pub fn again(&self, times: Series, request: &EstimateRequest) -> Subject {
        match Series::new(&self.work, Unit::Unknown, self.amounts.clone()) {
            Ok(amounts) => analyze_work(&amounts, times, request),
            // Amounts are finite, and there are some, or there would be no estimate.
            Err(_) => super::analyze(times, request),
        }
    }

    /// The time that the line gives to an amount of work.
    #[must_use]
    pub fn time_of(&self, amount: f64) -> Option<f64> {
        let found = self.found.as_ref().ok()?;
        Some(found.setup + amount / found.rate)
    }
}

/// Below this p-value a curve is worth a warning.
const BENT: f64 = 0.01;

/// Fits set-up and rate to runs of different amounts of work, in the order they were measured.
#[must_use]
pub fn analyze_work(work: &Series, time: Series, request: &EstimateRequest) -> Subject {
    let EstimateRequest { confidence, sides, .. } = *request;
    let residuals =
        if request.assume_independent { Residuals::Independent } else { Residuals::MayDepend };
    let found = work_rate(work.values(), time.values(), confidence, sides, residuals);
    let mut warnings = Vec::new();
    if let Ok(found) = &found {
        if let Some(p_value) = found.curvature_p.filter(|&p| p < BENT) {
            warnings.push(Warning::Curved { p_value });
        }
        if found.setup_interval.upper < 0.0 {
            warnings.push(Warning::NegativeSetup);
        }
        if let Some(why) = found.unknown {
            warnings.push(Warning::NoRateInterval { why });
        }
    }
    let n_used = time.len();
    let label = match work.unit() {
        Unit::Unknown => work.name().to_string(),
        unit => unit.symbol().to_string(),
    };
    let estimate = WorkEstimate {
        found,
        confidence,
        sides,
        work: label,
        time: time.unit().clone(),
        amounts: work.values().to_vec(),
        n_used,
    };
    Subject {
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
    }
}
