//! Turns the text of options into values; the errors say what to write instead.

use fathom_analyze::Statistic;
use fathom_analyze::clean::SteadyStatePolicy;
use fathom_analyze::compare::Margin;
use fathom_analyze::stopping::Precision;
use fathom_formats::{DecimalMark, UnknownDecimalMark};
use fathom_measure::{EnvironmentOffset, PrintedMetric, Tolerated};
pub(super) use fathom_record::typed::duration;
use fathom_record::typed::{as_percentage, share};
use fathom_record::{Metric, TimeUnit, Unit};
use fathom_stats::outliers::Grid;
use fathom_stats::{Confidence, Probability};

pub(super) fn statistic(text: &str) -> Result<Statistic, String> {
    Statistic::parse(text).map_err(|error| error.to_string())
}

pub(super) fn confidence(text: &str) -> Result<Confidence, String> {
    let number = share(text)?;
    Confidence::new(number).map_err(|_| {
        format!("use a confidence of at least 0.5 and below 1{}", as_percentage(number))
    })
}

pub(super) fn probability(text: &str) -> Result<Probability, String> {
    let number = share(text)?;
    Probability::new(number)
        .map_err(|_| format!("use a probability above 0 and below 1{}", as_percentage(number)))
}

pub(super) fn steady_state(text: &str) -> Result<SteadyStatePolicy, String> {
    match text.trim() {
        "auto" => Ok(SteadyStatePolicy::Auto),
        "off" => Ok(SteadyStatePolicy::Off),
        number => number
            .parse()
            .map(SteadyStatePolicy::Skip)
            .map_err(|_| "use auto, off, or the number of samples to skip".to_string()),
    }
}

pub(super) fn outlier_grid(text: &str) -> Result<Grid, String> {
    match text.trim() {
        "auto" => Ok(Grid::Auto),
        "off" => Ok(Grid::Off),
        number => number
            .parse()
            .ok()
            .filter(|step: &f64| step.is_finite() && *step > 0.0)
            .map(Grid::Step)
            .ok_or_else(|| "use auto, off, or a positive step in the data's unit".to_string()),
    }
}

pub(super) fn unit(text: &str) -> Result<Unit, String> {
    match Unit::parse(text) {
        Unit::Unknown => Err("use ns, us, ms, s, B, or any word".to_string()),
        unit => Ok(unit),
    }
}

pub(super) fn decimal(text: &str) -> Result<DecimalMark, String> {
    text.parse().map_err(|error: UnknownDecimalMark| error.to_string())
}

pub(super) fn time_unit(text: &str) -> Result<TimeUnit, String> {
    TimeUnit::parse(text).ok_or_else(|| "use ns, us, ms, s, min or h".to_string())
}

pub(super) fn margin(text: &str) -> Result<Margin, String> {
    let number = share(text)?;
    Margin::new(number).map_err(|error| error.to_string())
}

pub(super) fn precision(text: &str) -> Result<Precision, String> {
    let number = share(text)?;
    Precision::new(number).map_err(|error| error.to_string())
}

/// Reads the codes of -i: "all" (from a bare -i), or 1,2,3.
pub(super) fn codes(text: &str) -> Result<Tolerated, String> {
    // hyperfine writes it out as "all-non-zero".
    if text == "all" || text == "all-non-zero" {
        return Ok(Tolerated::Everything);
    }
    let codes: Result<Vec<i32>, _> = text.split(',').map(|code| code.trim().parse()).collect();
    codes
        .ok()
        .filter(|codes| codes.iter().all(|code| (0..=255).contains(code)))
        .map(Tolerated::Codes)
        .ok_or_else(|| "use exit codes from 0 to 255, such as -i=1,2".to_string())
}

/// Reads NAME=REST.
pub(super) fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, rest)) if !name.trim().is_empty() && !rest.trim().is_empty() => {
            Ok((name.trim().to_string(), rest.trim().to_string()))
        }
        _ => Err("use NAME=VALUE, with something on both sides of =".to_string()),
    }
}

/// Reads a share above 0 and below 1.
pub(super) fn share_of_one(text: &str) -> Result<f64, String> {
    let number = share(text)?;
    if number > 0.0 && number < 1.0 {
        Ok(number)
    } else {
        Err(format!("use a number above 0 and below 1{}", as_percentage(number)))
    }
}

pub(super) fn frequency(text: &str) -> Result<f64, String> {
    fathom_property::parse_frequency(text)
}

pub(super) fn metric(text: &str) -> Result<Metric, String> {
    Metric::parse(text.trim()).map_err(|error| error.to_string())
}

pub(super) fn printed_metric(text: &str) -> Result<PrintedMetric, String> {
    PrintedMetric::parse(text).map_err(|error| error.to_string())
}

pub(super) fn environment_offset(text: &str) -> Result<EnvironmentOffset, String> {
    EnvironmentOffset::parse(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_exact() {
        assert_eq!(confidence("99.9%").unwrap(), Confidence::new(0.999).unwrap());
        assert_eq!(confidence("0.9").unwrap(), confidence("90%").unwrap());
    }

    #[test]
    fn ninety_five_is_an_error_that_suggests_95_percent() {
        assert!(confidence("95").unwrap_err().contains("95%"));
        assert!(confidence("0.3").unwrap_err().contains("at least 0.5"));
        assert!(probability("nan").is_err() && confidence("inf").is_err());
    }

    #[test]
    fn codes_are_listed() {
        assert_eq!(codes("all").unwrap(), Tolerated::Everything);
        assert_eq!(codes("1, 2").unwrap(), Tolerated::Codes(vec![1, 2]));
        assert!(codes("300").is_err() && codes("x").is_err() && codes("").is_err());
    }
}
