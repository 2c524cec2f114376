//! The answer in words.

use crate::known;
use crate::percent::percent;
use crate::quantity::{Rounding, Scale};
use fathom_analyze::{Estimate, Method, Outcome, Property, WorkEstimate};
use fathom_record::{Metric, Unit};
use fathom_stats::Interval;
use fathom_stats::quantile::spa::Direction;

/// A number, and how the text says it with and without its unit.
pub(crate) struct Words<'a> {
    pub(crate) estimate: &'a Estimate,
    pub(crate) scale: &'a Scale,
}

impl Words<'_> {
    /// "sort takes 12.41 s (median; 12.38 to 12.47 s, sure at 95%)."
    pub(crate) fn sentence(&self, name: &str, unit: &Unit) -> String {
        let Estimate { statistic, value, property, .. } = self.estimate;
        let value = self.scale.with_unit(*value, Rounding::Nearest);
        let known = self.known();
        if let Some(Property { proportion, direction }) = property {
            let relation = match direction {
                Direction::Above => ">",
                Direction::AtLeast => ">=",
                Direction::Below => "<",
                Direction::AtMost => "<=",
            };
            let share = percent(proportion.get());
            return format!(
                "{name} is {relation} {value} in {share} of executions (threshold; {known})."
            );
        }
        let verb = if unit.time().is_some() { "takes" } else { "is" };
        format!("{name} {verb} {value} ({statistic}; {known}).")
    }

    /// "sort: peak-memory is 3.2 MiB (median; 3.1 to 3.3 MiB, sure at 95%)."
    pub(crate) fn sentence_on(&self, name: &str, metric: &Metric) -> String {
        let Estimate { statistic, value, .. } = self.estimate;
        let value = self.scale.with_unit(*value, Rounding::Nearest);
        format!("{name}: {metric} is {value} ({statistic}; {}).", self.known())
    }

    /// "12.38 to 12.47 s, sure at 95%", or why not.
    fn known(&self) -> String {
        match &self.estimate.outcome {
            Outcome::Interval { interval, .. } if *interval != Interval::EVERYTHING => {
                let ends = self.scale.ends(self.estimate.interval(), true);
                format!("{ends}, {}", self.how_sure())
            }
            // A short answer has no room below, so that the reason stands here.
            _ => {
                let seen = known::seen(self.estimate, self.scale, true);
                let seen = seen.map_or(String::new(), |seen| format!("{seen}, "));
                format!("{seen}no interval: {}", known::why_none(self.estimate))
            }
        }
    }

    /// The promise that holds: the confidence, or for a method that breaks it what is true.
    pub(crate) fn how_sure(&self) -> String {
        let confidence = self.estimate.confidence.get();
        match self.estimate.coverage() {
            Some(coverage) if self.estimate.method == Method::Spa && coverage < confidence => {
                format!("covers {}", coverage_percent(coverage, 1))
            }
            _ if matches!(self.estimate.method, Method::Bca | Method::Z) => {
                format!("about {}", percent(confidence))
            }
            _ => {
                let condition = known::condition(self.estimate.if_independent);
                format!("sure at {}{condition}", percent(confidence))
            }
        }
    }
}

/// "copy does 148.2 MB/s (146.0 to 150.1, sure at 95%), after 2.0 s of set-up (1.1 to 2.9 s)."
pub(crate) fn work_sentence(
    name: &str,
    work: &WorkEstimate,
    rate: &Scale,
    setup: &Scale,
) -> String {
    let ends = rate.ends(Some(work.found.rate_interval), false);
    format!(
        "{name} does {} ({ends}, sure at {}), after {} of set-up.",
        rate.with_unit(work.found.rate, Rounding::Nearest),
        percent(work.confidence.get()),
        setup.with_unit(work.found.setup, Rounding::Nearest),
    )
}

/// A coverage as text; only certainty is shown as 100%.
pub(crate) fn coverage_percent(coverage: f64, decimals: usize) -> String {
    let largest = 100.0 - 10_f64.powi(-(decimals as i32));
    let shown = if coverage < 1.0 { (100.0 * coverage).min(largest) } else { 100.0 };
    format!("{shown:.decimals$}%")
}
