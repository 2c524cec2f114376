//! Work per time, in the JSON contract.

use super::is_false;
use crate::{Subject, WorkEstimate, WorkPoint};
use fathom_derive::Serialize;
use fathom_record::Unit;
use fathom_record::own_json::End;
use fathom_stats::Interval;
#[cfg(feature = "schema")]
use fathom_stats::Sides;

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
    /// The lower end of its interval; `"-inf"` if it is unknown.
    setup_lower: End,
    /// The upper end of its interval; `"inf"` if it is unknown.
    setup_upper: End,
    /// About how many runs the interval of the set-up time needs; absent if there are enough. A stall
    /// of one run in twenty may be missing among fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    setup_needs: Option<usize>,
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
            setup_needs: work.setup_needs(),
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
