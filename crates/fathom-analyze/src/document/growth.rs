//! Growth with the size of the input, in the JSON contract.

use super::{lower, upper};
use crate::growth::{Growth, GrowthPoint, InputSize};
use fathom_derive::Serialize;
use fathom_record::own_json::End;
#[cfg(feature = "schema")]
use fathom_stats::growth::GrowthLaw;
use fathom_stats::growth::{GrowthCandidate, GrowthExponent, GrowthFit, LinearRate};

/// The size of a function's input.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "InputSize"))]
pub(super) struct InputEntry<'a> {
    /// The name without the argument. Functions of the same family are one entry of `growth`.
    family: &'a str,
    /// The size: the argument, or what the bench says it is.
    size: f64,
}

impl<'a> InputEntry<'a> {
    pub(super) fn of(input: &'a InputSize) -> InputEntry<'a> {
        InputEntry { family: &input.family, size: input.size }
    }
}

/// How the time of a function grows with the size of its input.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Growth"))]
pub(super) struct GrowthEntry {
    /// The name of the function without its argument.
    name: String,
    /// The times, the smallest size first.
    points: Vec<PointEntry>,
    /// The confidence: that the true law is among `laws`, and of every interval.
    confidence: f64,
    /// The laws that the times do not reject, the slowest growth first. One: the function grows like
    /// that. None: no law of the list fits. `null` if there are not enough sizes.
    #[cfg_attr(feature = "schema", schemars(schema_with = "laws"))]
    laws: Option<Vec<&'static str>>,
    /// Every law that was tried. Absent if there are not enough sizes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<CandidateEntry>,
    /// The exponent at the large end: 2 if the time grows like n² there. Absent if there are not
    /// enough sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    exponent: Option<ExponentEntry>,
    /// The exponent at the small end, as `exponent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_exponent: Option<ExponentEntry>,
    /// The rate with the fixed cost of a call separated. Present if the law n is among `laws`.
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<RateEntry>,
    /// About which largest size would tell several laws apart. Absent if one law is left, or if a
    /// million times the largest size would not do.
    #[serde(skip_serializing_if = "Option::is_none")]
    size_to_tell: Option<f64>,
    /// Why there are no laws, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    declined: Option<String>,
}

#[cfg(feature = "schema")]
fn laws(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": ["array", "null"],
        "items": { "type": "string", "enum": GrowthLaw::ALL.map(GrowthLaw::name) },
    })
}

/// The time for a size.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GrowthPoint"))]
struct PointEntry {
    /// The name of the subject.
    subject: String,
    /// The size.
    size: f64,
    /// The median, in seconds.
    value: f64,
    /// The lower end of its interval.
    lower: End,
    /// The upper end of its interval.
    upper: End,
    /// Whether the growth was judged by it.
    used: bool,
}

impl PointEntry {
    fn of(point: GrowthPoint) -> PointEntry {
        PointEntry {
            subject: point.subject,
            size: point.size,
            value: point.time,
            lower: lower(point.interval),
            upper: upper(point.interval),
            used: point.is_used,
        }
    }
}

/// A law of growth, fitted, in seconds: `fixed + growing · f(n) / f(largest size)`, and the part of lower
/// order.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GrowthCandidate"))]
struct CandidateEntry {
    /// The law f(n).
    #[cfg_attr(feature = "schema", schemars(extend("enum" = GrowthLaw::ALL.map(|law| law.name()))))]
    law: &'static str,
    /// Whether the times do not reject it.
    possible: bool,
    /// The fixed part of the time.
    fixed: f64,
    /// The part of lower order at the largest size: of n for n², of n² for n³, 0 for other laws.
    lower_order: f64,
    /// The growing part of the time at the largest size.
    growing: f64,
    /// The largest factor by which the time is above the fit, relative to a smaller size.
    rise: f64,
    /// The largest factor by which it is below, relative to a smaller size.
    fall: f64,
}

impl CandidateEntry {
    fn of(candidate: &GrowthCandidate) -> CandidateEntry {
        CandidateEntry {
            law: candidate.law.name(),
            possible: candidate.is_possible,
            fixed: candidate.fixed,
            lower_order: candidate.lower_order,
            growing: candidate.growing,
            rise: candidate.rise,
            fall: candidate.fall,
        }
    }
}

/// Units of the size per second, by a line through the times.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GrowthRate"))]
struct RateEntry {
    /// The rate.
    value: f64,
    /// The lower end of its interval.
    lower: End,
    /// The upper end of its interval.
    upper: End,
    /// What a call takes whatever the size, in seconds.
    setup: f64,
    /// The lower end of its interval.
    setup_lower: End,
    /// The upper end of its interval.
    setup_upper: End,
    /// Whether all times may lie on one line. If not, the rate is an average.
    straight: bool,
}

impl RateEntry {
    fn of(rate: &LinearRate) -> RateEntry {
        RateEntry {
            value: rate.rate,
            lower: End(rate.rate_interval.lower),
            upper: End(rate.rate_interval.upper),
            setup: rate.setup,
            setup_lower: End(rate.setup_interval.lower),
            setup_upper: End(rate.setup_interval.upper),
            straight: rate.is_straight,
        }
    }
}

/// The exponent of growth between two sizes: ln(ratio of times) / ln(ratio of sizes).
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GrowthExponent"))]
struct ExponentEntry {
    /// The smaller size.
    from: f64,
    /// The larger size.
    to: f64,
    /// The exponent.
    value: f64,
    /// The lower end of its interval.
    lower: End,
    /// The upper end of its interval.
    upper: End,
}

impl ExponentEntry {
    fn of(exponent: &GrowthExponent) -> ExponentEntry {
        ExponentEntry {
            from: exponent.from,
            to: exponent.to,
            value: exponent.value,
            lower: End(exponent.interval.lower),
            upper: End(exponent.interval.upper),
        }
    }
}

impl GrowthEntry {
    pub(super) fn of(growth: Growth) -> GrowthEntry {
        let found: Option<&GrowthFit> = growth.found.as_ref().ok();
        GrowthEntry {
            name: growth.name,
            points: growth.points.into_iter().map(PointEntry::of).collect(),
            confidence: growth.confidence.get(),
            laws: found.map(|found| found.possible().map(|one| one.law.name()).collect()),
            candidates: found
                .map(|found| found.candidates.iter().map(CandidateEntry::of).collect())
                .unwrap_or_default(),
            exponent: found.map(|found| ExponentEntry::of(&found.exponent)),
            first_exponent: found.map(|found| ExponentEntry::of(&found.first_exponent)),
            rate: found.and_then(|found| found.rate.as_ref()).map(RateEntry::of),
            size_to_tell: found.and_then(|found| found.size_to_tell),
            declined: growth.found.as_ref().err().map(ToString::to_string),
        }
    }
}
