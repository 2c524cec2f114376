//! Measurements of other tools: every value is an execution with the scalar `runtime`.
//!
//! Values that one process measured share its luck and are not independent, so where the file
//! tells processes apart, each is an execution, with the median of its values.

use fathom_record::{Observation, Scalar, Series};

use super::ObservationOptions;
use super::found::ParsedAttempts;
use crate::Format;
use crate::error::{Flaw, listed, quoted};
use crate::nearest::did_you_mean;
use crate::read::{Request, text_as};

const ONE: &str = "use a file with one value";

pub(super) fn read(
    format: Format,
    source: &str,
    text: &str,
    options: &ObservationOptions,
) -> Result<ParsedAttempts, Flaw> {
    let series = |columns: &[String]| {
        let request = Request { source, columns, ..Request::default() };
        text_as(format, text, &request).map(|contents| contents.series)
    };
    if options.columns.is_empty() {
        return one_of(series(&[])?, None);
    }
    // What is picked is a subject by its name, or else a metric.
    let names: Vec<String> = options.columns.iter().map(|name| name.trim().to_string()).collect();
    let of_default = series(&[]).unwrap_or_default();
    let (subjects, metrics): (Vec<String>, Vec<String>) = names
        .into_iter()
        .partition(|name| of_default.iter().any(|series| series.name() == name.as_str()));
    let all = if metrics.is_empty() { of_default } else { series(&metrics)? };
    let metric = metrics.first().map(String::as_str);
    if subjects.is_empty() { one_of(all, metric) } else { one_of(named(all, &subjects), metric) }
}

/// Series that were read already; the user may have picked one.
pub(super) fn picked(all: Vec<Series>, columns: &[String]) -> Result<ParsedAttempts, Flaw> {
    if columns.is_empty() {
        return one_of(all, None);
    }
    let names: Vec<String> = all.iter().map(|series| series.name().to_string()).collect();
    let columns: Vec<String> = columns.iter().map(|name| name.trim().to_string()).collect();
    if let Some(unknown) = columns.iter().find(|name| !names.contains(name)) {
        return Err(Flaw::new(
            format!("there is no {}{}", quoted(unknown), did_you_mean(unknown, &names)),
            format!("choose one with --column: {}", listed(&names, 12)),
        ));
    }
    one_of(named(all, &columns), None)
}

fn named(mut all: Vec<Series>, names: &[String]) -> Vec<Series> {
    all.retain(|series| names.iter().any(|name| name == series.name()));
    all
}

/// The executions of one series; `metric` is what the user called it.
fn one_of(mut all: Vec<Series>, metric: Option<&str>) -> Result<ParsedAttempts, Flaw> {
    let series = match (all.pop(), all.len()) {
        (Some(series), 0) => series,
        (None, _) => {
            return Err(Flaw::new(
                "the file contains no values",
                "check that it is the right file",
            ));
        }
        (Some(last), others) => {
            let mut names: Vec<&str> = all.iter().map(Series::name).collect();
            names.push(last.name());
            return Err(Flaw::new(
                format!(
                    "the file contains {} series of measurements, but only one is allowed here",
                    others + 1
                ),
                format!("choose one with --column: {}", listed(&names, 12)),
            ));
        }
    };
    // A time is the run time; what else was measured keeps its name.
    let is_time = series.unit().time().is_some();
    let own = metric.or_else(|| series.metric().filter(|_| !is_time));
    let name = own.unwrap_or("runtime");
    let values: Vec<f64> = match series.executions() {
        Some(executions) => executions.into_iter().filter_map(median).collect(),
        None => series.values().to_vec(),
    };
    let mut seen = Vec::with_capacity(values.len());
    for value in values {
        let mut one = Observation::new();
        one.set_scalar(name, Scalar::new(value, series.unit().clone()))
            .map_err(|error| Flaw::of_observation(&error, "measure again"))?;
        seen.push(one);
    }
    Ok(ParsedAttempts::all(seen, ONE))
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (lower, upper) = (sorted.len().checked_sub(1)? / 2, sorted.len() / 2);
    // Halved before they are added, since their sum may be too large; equal ones stay as they are.
    match (sorted.get(lower), sorted.get(upper)) {
        (Some(a), Some(b)) if a == b => Some(*a),
        (Some(a), Some(b)) => Some(a / 2.0 + b / 2.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[1.0, 2.0, 4.0, 3.0]), Some(2.5));
        assert_eq!(median(&[f64::MAX, f64::MAX]), Some(f64::MAX));
        assert_eq!(median(&[]), None);
    }
}
