//! The answer in words.

use crate::known;
use crate::percent::percent;
use crate::quantity::{Rounding, Scale};
use fathom_analyze::{Estimate, IntervalOutcome, Method, QuantileProperty};
use fathom_record::{Metric, Unit};
use fathom_stats::Interval;
use fathom_stats::quantile::spa::Direction;

/// A number, and how the text says it with and without its unit.
pub(crate) struct Words<'a> {
    pub(crate) estimate: &'a Estimate,
    pub(crate) scale: &'a Scale,
}

impl Words<'_> {
    /// "sort takes 12.41 s (median, 95% CI 12.38 to 12.47 s)."
    pub(crate) fn sentence(&self, name: &str, unit: &Unit) -> String {
        let Estimate { statistic, value, property, .. } = self.estimate;
        let value = self.scale.with_unit(*value, Rounding::Nearest);
        let known = self.known();
        if let Some(QuantileProperty { proportion, direction }) = property {
            let relation = match direction {
                Direction::Above => ">",
                Direction::AtLeast => ">=",
                Direction::Below => "<",
                Direction::AtMost => "<=",
            };
            let share = percent(proportion.get());
            return format!(
                "{name} is {relation} {value} in {share} of executions (threshold, {known})."
            );
        }
        let verb = if unit.time().is_some() { "takes" } else { "is" };
        format!("{name} {verb} {value} ({statistic}, {known}).")
    }

    /// "sort: peak-memory is 3.2 MiB (median, 95% CI 3.1 to 3.3 MiB)."
    pub(crate) fn sentence_on(&self, name: &str, metric: &Metric) -> String {
        let Estimate { statistic, value, .. } = self.estimate;
        let value = self.scale.with_unit(*value, Rounding::Nearest);
        format!("{name}: {metric} is {value} ({statistic}, {}).", self.known())
    }

    /// "95% CI 12.38 to 12.47 s", or why not.
    fn known(&self) -> String {
        match &self.estimate.outcome {
            IntervalOutcome::Interval { interval, .. } if *interval != Interval::EVERYTHING => {
                self.with_ends(*interval)
            }
            // A short answer has no room below, so that the reason stands here.
            _ => {
                let seen = known::seen(self.estimate, self.scale, true);
                let seen = seen.map_or(String::new(), |seen| format!("{seen}, "));
                format!("{seen}no interval: {}", known::why_none(self.estimate))
            }
        }
    }

    /// "95% CI 12.38 to 12.47 s", "at least 12.38 s with 95% confidence".
    fn with_ends(&self, interval: Interval) -> String {
        let ends = self.scale.ends(self.estimate.interval(), true);
        let level = match self.confidence() {
            Promise::Broken(coverage) => return format!("{ends}, coverage {coverage}"),
            Promise::Approximate(level) => format!("approximate {level}"),
            Promise::Kept(level) => level,
        };
        let condition = known::condition(self.estimate.if_independent);
        match interval.is_finite() {
            true => format!("{level} CI {ends}{condition}"),
            false => format!("{ends} with {level} confidence{condition}"),
        }
    }

    /// The promise that holds, in a cell of a table: "95%", "about 95%", "coverage 91.4%".
    pub(crate) fn how_sure(&self) -> String {
        let condition = known::condition(self.estimate.if_independent);
        match self.confidence() {
            Promise::Broken(coverage) => format!("coverage {coverage}"),
            Promise::Approximate(level) => format!("about {level}"),
            Promise::Kept(level) => format!("{level}{condition}"),
        }
    }

    /// "with 95% confidence", for a bound that a sentence has named already.
    pub(crate) fn with_confidence(&self) -> String {
        let condition = known::condition(self.estimate.if_independent);
        match self.confidence() {
            Promise::Broken(coverage) => format!("coverage {coverage}"),
            Promise::Approximate(level) => format!("with about {level} confidence"),
            Promise::Kept(level) => format!("with {level} confidence{condition}"),
        }
    }

    fn confidence(&self) -> Promise {
        let confidence = self.estimate.confidence.get();
        match self.estimate.coverage() {
            Some(coverage) if self.estimate.method == Method::Spa && coverage < confidence => {
                Promise::Broken(coverage_percent(coverage, 1))
            }
            Some(coverage)
                if self.estimate.method == Method::Subsession && coverage < confidence - 0.01 =>
            {
                Promise::Broken(format!("about {}", coverage_percent(coverage, 0)))
            }
            _ if matches!(self.estimate.method, Method::Bca | Method::Z | Method::Subsession) => {
                Promise::Approximate(percent(confidence))
            }
            _ => Promise::Kept(percent(confidence)),
        }
    }
}

/// What a method promises of its interval.
enum Promise {
    /// The confidence that was asked for.
    Kept(String),
    /// About that confidence.
    Approximate(String),
    /// Less than that: the coverage it has.
    Broken(String),
}

/// A coverage as text; only certainty is shown as 100%.
pub(crate) fn coverage_percent(coverage: f64, decimals: usize) -> String {
    let largest = 100.0 - 10_f64.powi(-(decimals as i32));
    let shown = if coverage < 1.0 { (100.0 * coverage).min(largest) } else { 100.0 };
    format!("{shown:.decimals$}%")
}
