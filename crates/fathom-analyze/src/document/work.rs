//! Work per time, in the JSON contract.

use super::is_false;
use super::read_back::end;
use crate::report::Subject;
use crate::{EstimateRequest, WorkEstimate, WorkPoint, analyze_work};
use fathom_record::own_json::End;
use fathom_record::{Series, Unit};
use fathom_stats::{Confidence, Interval, Sides};
use serde::Serialize;
use serde_json::Value;

/// Time as a linear function of work: a rate and a set-up time.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "WorkRate"))]
pub(super) struct WorkEntry<'a> {
    /// Work per time; `null` if the runs give no rate, as `declined` explains.
    rate: Option<f64>,
    /// The lower end of the interval of the rate; `"-inf"` if it is unknown.
    lower: End,
    /// The upper end of the interval of the rate; `"inf"` if it is unknown.
    upper: End,
    /// The unit of the rate.
    unit: String,
    /// The set-up time: what no work would take; `null` if there is no rate.
    setup: Option<f64>,
    /// The lower end of its interval.
    setup_lower: End,
    /// The upper end of its interval.
    setup_upper: End,
    /// The unit of the set-up time.
    setup_unit: &'a Unit,
    /// The confidence of both intervals.
    confidence: f64,
    /// Which ends the intervals have.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Sides::ALL.map(|sides| sides.name()))))]
    sides: &'static str,
    /// The number of samples used.
    n_used: usize,
    /// The number of independent samples that they are worth for the rate; `null` if there is no rate.
    effective_n: Option<f64>,
    /// `true` if the intervals hold only if the runs are independent: fewer than 20 are too few to
    /// check that.
    #[serde(skip_serializing_if = "is_false")]
    if_independent: bool,
    /// The p-value for a straight line. It is small if the time does not grow in proportion to the
    /// work; `null` if it cannot be tested.
    curvature_p: Option<f64>,
    /// Why there is no rate, or no interval, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    declined: Option<String>,
    /// What the work is counted in: the parameter of `--work`, or the column.
    work: &'a str,
    /// The mean time of each amount of work. Absent if there are more than 100 amounts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<PointEntry>,
    /// The amount of work of every value. Present if `values` are.
    #[serde(skip_serializing_if = "Option::is_none")]
    amounts: Option<&'a [f64]>,
}

/// The runs of one amount of work.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "WorkPoint"))]
struct PointEntry {
    /// The amount.
    amount: f64,
    /// How many runs had it.
    runs: usize,
    /// Their mean time.
    mean: f64,
}

impl PointEntry {
    fn of(point: WorkPoint) -> PointEntry {
        PointEntry { amount: point.amount, runs: point.runs, mean: point.mean }
    }
}

/// More than these are for a program that has the values.
const MOST_POINTS: usize = 100;

impl<'a> WorkEntry<'a> {
    pub(super) fn of(
        subject: &'a Subject,
        work: &'a WorkEstimate,
        include_values: bool,
    ) -> WorkEntry<'a> {
        let found = work.found.as_ref().ok();
        let rate = work.rate_interval().unwrap_or(Interval::EVERYTHING);
        let setup = found.map_or(Interval::EVERYTHING, |found| found.setup_interval);
        let points = work.points(&subject.series);
        let is_short = points.len() <= MOST_POINTS;
        WorkEntry {
            rate: found.map(|found| found.rate),
            lower: End(rate.lower),
            upper: End(rate.upper),
            unit: work.rate_unit(),
            setup: found.map(|found| found.setup),
            setup_lower: End(setup.lower),
            setup_upper: End(setup.upper),
            setup_unit: &work.time,
            confidence: work.confidence.get(),
            sides: work.sides.name(),
            n_used: work.n_used,
            effective_n: found.map(|found| found.effective),
            if_independent: found.is_some_and(|found| found.if_independent),
            curvature_p: found.and_then(|found| found.curvature_p),
            declined: work.declined(),
            work: &work.work,
            points: points.into_iter().filter(|_| is_short).map(PointEntry::of).collect(),
            amounts: include_values.then_some(&work.amounts),
        }
    }
}

/// The subject of a document that has amounts for its values, fitted again; `None` if it has none.
pub(super) fn read(series: &Series, entry: &Value) -> Option<Subject> {
    let work = &entry["work"];
    let amounts: Option<Vec<f64>> = work["amounts"].as_array()?.iter().map(Value::as_f64).collect();
    let amounts = amounts.filter(|amounts| amounts.len() == series.len())?;
    let amounts = Series::new(work["work"].as_str()?, Unit::Unknown, amounts).ok()?;
    let sides = Sides::ALL.into_iter().find(|sides| work["sides"] == sides.name());
    let request = EstimateRequest {
        confidence: Confidence::new(work["confidence"].as_f64()?).ok()?,
        sides: sides.unwrap_or(Sides::Both),
        ..EstimateRequest::default()
    };
    let mut subject = analyze_work(&amounts, series.clone(), &request);
    // What was assumed is not told, so the intervals are the ones that were written.
    if let Some(Ok(found)) = subject.work.as_mut().map(|work| work.found.as_mut()) {
        let written = |lower: &str, upper: &str| {
            Some(Interval { lower: end(&work[lower])?, upper: end(&work[upper])? })
        };
        found.rate_interval = written("lower", "upper").unwrap_or(found.rate_interval);
        found.setup_interval =
            written("setup_lower", "setup_upper").unwrap_or(found.setup_interval);
        found.effective = work["effective_n"].as_f64().unwrap_or(found.effective);
        found.curvature_p = work["curvature_p"].as_f64();
        found.if_independent = work["if_independent"].as_bool().unwrap_or(false);
        if found.rate_interval != Interval::EVERYTHING {
            found.unknown = None;
        }
    }
    Some(subject)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Report};
    use fathom_record::Environment;

    fn report(assume_independent: bool, slope: f64) -> Report {
        let amounts: Vec<f64> = (0..40).map(|i| f64::from(i * 7 % 10 + 1)).collect();
        let noise = |i: usize| 0.05 * ((i * i * 13) % 17) as f64;
        let times =
            amounts.iter().enumerate().map(|(i, amount)| 2.0 + slope * amount + noise(i)).collect();
        let request = EstimateRequest {
            assume_independent,
            confidence: Confidence::new(0.9).unwrap(),
            ..EstimateRequest::default()
        };
        let work = Series::new("blocks", Unit::Unknown, amounts).unwrap();
        let times = Series::new("copy", Unit::SECONDS, times).unwrap();
        Report {
            command_line: String::new(),
            seed: 1,
            environment: Environment::of_this_build(),
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            subjects: vec![analyze_work(&work, times, &request)],
            comparisons: None,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn a_line_is_read_back_with_its_amounts() {
        for report in [report(false, 0.5), report(true, 0.5), report(false, -0.5)] {
            let text = Document::of(&report, true).to_json().unwrap();
            let read = Document::read(&text).unwrap();
            assert_eq!(read.subjects[0].work, report.subjects[0].work);
            assert_eq!(Document::of(&read, true).to_json().unwrap(), text);
        }
    }

    /// Without a rate there is a reason, and no number that would be taken for one.
    #[test]
    fn what_cannot_be_told_is_null() {
        let report = report(false, -0.5);
        let document = Document::of(&report, false).to_json().unwrap();
        let document: Value = serde_json::from_str(&document).unwrap();
        let work = &document["subjects"][0]["work"];
        assert!(work["rate"].is_null() && work["setup"].is_null() && work["effective_n"].is_null());
        assert_eq!((&work["lower"], &work["upper"]), (&"-inf".into(), &"inf".into()));
        assert!(work["declined"].as_str().unwrap().starts_with("more work does not take more"));
        assert_eq!(work["points"].as_array().unwrap().len(), 10);
    }
}
