//! The calibrations that can be asked for: `fathom-testkit calibrate NAME`.

use fathom_testkit::calibrate::{
    bands, check, compare, correlators, dependence, discoveries, few_samples, functions, growth,
    intervals, outliers, ranking, spa, steady_state, stopping, suggestions, tails, why, work_rate,
};

/// One of them.
pub(crate) struct Calibration {
    pub(crate) name: &'static str,
    /// The file that it writes, from the top of the repository.
    pub(crate) target: &'static str,
    pub(crate) page: fn() -> Result<String, String>,
}

macro_rules! calibration {
    ($name:literal, $target:literal, $page:expr) => {
        Calibration { name: $name, target: concat!("calibration/", $target), page: || $page }
    };
}

/// All of them.
pub(crate) const CALIBRATIONS: &[Calibration] = &[
    calibration!("intervals", "intervals.md", intervals::page(intervals::Effort::FULL)),
    calibration!("few-samples", "few_samples.md", few_samples::page(few_samples::Effort::FULL)),
    calibration!("spa", "spa.md", spa::page()),
    calibration!("dependence", "dependence.md", dependence::page(dependence::Effort::FULL)),
    calibration!("steady-state", "steady_state.md", steady_state::page()),
    calibration!("outliers", "outliers.md", outliers::page()),
    calibration!("compare", "compare.md", compare::page(compare::Effort::FULL)),
    calibration!("tails", "tails.md", tails::page(tails::Effort::FULL)),
    calibration!("why", "why.md", why::page(why::Effort::FULL)),
    calibration!("functions", "functions.md", functions::page(functions::Effort::FULL)),
    calibration!("growth", "growth.md", growth::page(growth::Effort::FULL)),
    calibration!("stopping", "stopping.md", stopping::page(stopping::Effort::FULL)),
    calibration!("work-rate", "work_rate.md", work_rate::page(work_rate::Effort::FULL)),
    calibration!("check", "check.md", check::page(check::Effort::FULL)),
    calibration!("ranking", "ranking.md", ranking::page(ranking::Effort::FULL)),
    calibration!("correlators", "correlators.md", correlators::page(correlators::Effort::FULL)),
    calibration!("discoveries", "discoveries.md", discoveries::page(discoveries::Effort::FULL)),
    calibration!("suggestions", "suggestions.md", suggestions::page(suggestions::Effort::FULL)),
    calibration!("bands", "bands.md", bands::page(bands::Effort::FULL)),
];
