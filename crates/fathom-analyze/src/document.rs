//! The JSON contract: a report as a `"fathom/1"` document.
//!
//! Fields may be added; what is here keeps its name and meaning. `fathom_record::own_json` reads
//! it back.

use crate::report::{Levels, Report, Subject};
use crate::{Estimate, Outcome, Property};
use fathom_record::{Environment, Unit, own_json};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Interval, Sides};
use serde::{Serialize, Serializer};

/// A report as it is written in JSON.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    command_line: &'a str,
    seed: u64,
    environment: &'a Environment,
    subjects: Vec<SubjectEntry<'a>>,
}

#[derive(Debug, Serialize)]
struct SubjectEntry<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'a str>,
    unit: &'a Unit,
    n: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<&'a [usize]>,
    sample: &'static str,
    estimates: Vec<EstimateEntry>,
    stopped: &'static str,
    warnings: &'a [String],
}

#[derive(Debug, Serialize)]
struct EstimateEntry {
    statistic: String,
    value: f64,
    lower: Option<End>,
    upper: Option<End>,
    confidence: f64,
    coverage: Option<f64>,
    method: &'static str,
    sides: &'static str,
    n_used: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<[Option<usize>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n_needed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declined: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<PropertyEntry>,
}

#[derive(Debug, Serialize)]
struct PropertyEntry {
    proportion: f64,
    direction: &'static str,
}

/// An end of an interval; JSON has no infinity, so it is a string.
#[derive(Debug)]
struct End(f64);

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(if self.0 > 0.0 { "inf" } else { "-inf" })
        }
    }
}

impl<'a> Document<'a> {
    /// The document of a report, with every value if asked.
    #[must_use]
    pub fn of(report: &'a Report, include_values: bool) -> Document<'a> {
        Document {
            schema: own_json::SCHEMA,
            command_line: &report.command_line,
            seed: report.seed,
            environment: &report.environment,
            subjects: report
                .subjects
                .iter()
                .map(|subject| SubjectEntry::of(subject, include_values))
                .collect(),
        }
    }

    /// The document as indented text with a newline at its end.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

impl<'a> SubjectEntry<'a> {
    fn of(subject: &'a Subject, include_values: bool) -> SubjectEntry<'a> {
        let series = &subject.series;
        SubjectEntry {
            name: series.name(),
            metric: series.metric(),
            unit: series.unit(),
            n: series.len(),
            values: include_values.then(|| series.values()),
            executions: series.execution_sizes(),
            sample: match subject.levels {
                Levels::Values | Levels::Pooled { .. } => "value",
                Levels::Executions { .. } => "execution",
            },
            estimates: subject.estimates.iter().map(EstimateEntry::of).collect(),
            stopped: subject.stopped.name(),
            warnings: &subject.warnings,
        }
    }
}

impl EstimateEntry {
    fn of(estimate: &Estimate) -> EstimateEntry {
        let (ranks, n_needed, declined) = match &estimate.outcome {
            Outcome::Interval { ranks, samples_needed, .. } => {
                (ranks.map(|pair| [pair.lower, pair.upper]), *samples_needed, None)
            }
            Outcome::Declined { reason } => (None, None, Some(reason.clone())),
        };
        let interval = estimate.interval();
        EstimateEntry {
            statistic: estimate.statistic.to_string(),
            value: estimate.value,
            lower: interval.map(|Interval { lower, .. }| End(lower)),
            upper: interval.map(|Interval { upper, .. }| End(upper)),
            confidence: estimate.confidence.get(),
            coverage: estimate.coverage(),
            method: estimate.method.name(),
            sides: match estimate.sides {
                Sides::Both => "both",
                Sides::Lower => "lower",
                Sides::Upper => "upper",
            },
            n_used: estimate.n_used,
            ranks,
            n_needed,
            declined,
            property: estimate.property.map(PropertyEntry::of),
        }
    }
}

impl PropertyEntry {
    fn of(property: Property) -> PropertyEntry {
        PropertyEntry {
            proportion: property.proportion.get(),
            direction: match property.direction {
                Direction::Above => "gt",
                Direction::AtLeast => "ge",
                Direction::Below => "lt",
                Direction::AtMost => "le",
            },
        }
    }
}
