//! The JSON contract of an explanation: a `"fathom/1"` document.
//!
//! Fields may be added; what is here keeps its name and meaning. Times are in seconds after the
//! run's origin.

use crate::align::Quality;
use crate::change::ChangeEvidence;
use crate::explain::{ExplainedRun, Explanation, Ranked, Stretch};
use crate::rank::combined::Lane;
use crate::shape::ShapeEvidence;
use crate::significance::Beside;
use crate::{Pattern, Segments, Sign};
use fathom_record::own_json::{self, End};
use fathom_record::trace::Layer;
use fathom_record::{Environment, Unit};
use serde::Serialize;
use std::collections::BTreeMap;

/// An explanation as it is written in JSON.
#[derive(Debug, Serialize)]
pub struct ExplanationDocument<'a> {
    schema: &'static str,
    command_line: &'a str,
    /// The same as data, for whoever asks again.
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<serde_json::Value>,
    /// Nothing is left to chance; the field is in every document.
    seed: u64,
    environment: &'a Environment,
    target: &'a str,
    target_run: &'a str,
    target_unit: &'a Unit,
    target_change: Option<ChangeEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_outline: Option<&'a [Option<f64>]>,
    windows: Vec<StretchEntry>,
    baseline: Option<StretchEntry>,
    segments: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<Vec<[f64; 2]>>,
    common_metric: Option<&'a str>,
    runs: Vec<&'a str>,
    alignment: Vec<AlignmentEntry<'a>>,
    correlator: &'static str,
    ranking: Vec<RankedEntry<'a>>,
    excluded: Vec<ExcludedEntry<'a>>,
    silent_correlators: BTreeMap<&'static str, &'a str>,
    /// Whether there is so much beside the windows that a single metric can be sure.
    enough_beside: bool,
    beside: BesideEntry,
    notes: &'a [String],
}

#[derive(Debug, Serialize)]
struct StretchEntry {
    start: f64,
    end: f64,
    first_row: usize,
    last_row: usize,
}

#[derive(Debug, Serialize)]
struct SpanEntry {
    start: f64,
    end: f64,
}

#[derive(Debug, Serialize)]
struct AlignmentEntry<'a> {
    run: &'a str,
    cost_per_step: f64,
    /// From the first window to the last, in this run's time.
    window: Option<SpanEntry>,
    windows: Vec<SpanEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<QualityEntry>,
    metrics_scored: usize,
    warnings: &'a [String],
}

#[derive(Debug, Serialize)]
struct QualityEntry {
    fit: &'static str,
    cost_in_window: Option<f64>,
    relative_cost: Option<f64>,
    against_chance: Option<f64>,
    longest_stretch: usize,
    longest_stretch_in_window: usize,
    slope: f64,
    ends_uncertain: f64,
}

#[derive(Debug, Serialize)]
struct RankedEntry<'a> {
    rank: usize,
    metric: &'a str,
    layer: Layer,
    unit: &'a Unit,
    score: Option<End>,
    /// 1 with the target, -1 against it, 0 if that is not said.
    sign: i8,
    lag: Option<f64>,
    p_value: Option<f64>,
    q_value: Option<f64>,
    lane: Option<&'static str>,
    change: Option<ChangeEntry>,
    shape: Option<ShapeEntry>,
    correlators: BTreeMap<&'static str, ScoreEntry>,
    run: &'a str,
    scored_in_runs: usize,
    same_sign_in_runs: usize,
    copy_of: Option<&'a str>,
    derived: Option<String>,
    random_walk: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    outline: Option<&'a [Option<f64>]>,
}

#[derive(Debug, Serialize)]
struct ScoreEntry {
    score: End,
    rank: usize,
    sign: i8,
}

#[derive(Debug, Serialize)]
struct ChangeEntry {
    shift: f64,
    relative: Option<f64>,
    z: End,
    constant_before: Option<usize>,
}

#[derive(Debug, Serialize)]
struct ShapeEntry {
    r: f64,
    z: End,
    chance: f64,
    occurrences: usize,
}

/// What there is beside the windows, in rows of the target.
#[derive(Debug, Serialize)]
struct BesideEntry {
    window_rows: usize,
    rows: usize,
    places: f64,
    least_q: f64,
    longest_window_rows: Option<usize>,
    rows_missing: usize,
}

#[derive(Debug, Serialize)]
struct ExcludedEntry<'a> {
    metric: &'a str,
    reason: String,
}

impl<'a> ExplanationDocument<'a> {
    /// The document of an explanation; `with_outlines`: and the numbers of the small pictures.
    #[must_use]
    pub fn of(
        explanation: &'a Explanation,
        command_line: &'a str,
        environment: &'a Environment,
        with_outlines: bool,
    ) -> ExplanationDocument<'a> {
        let selection = &explanation.request.selection;
        let target = &explanation.target;
        let name = |run: usize| {
            explanation.runs.get(run).map_or("", |run: &ExplainedRun| run.aligned.run.as_str())
        };
        let ranked = |(place, metric): (usize, &'a Ranked)| RankedEntry {
            rank: place + 1,
            metric: &metric.metric.name,
            layer: metric.metric.layer,
            unit: &metric.metric.unit,
            score: metric.score.map(End),
            sign: sign(metric.sign),
            lag: metric.lag_ns.map(seconds),
            p_value: metric.p_value,
            q_value: metric.q_value,
            lane: metric.lane.and_then(lane),
            change: metric.change.as_ref().map(change),
            shape: metric.shape.as_ref().map(shape),
            correlators: metric
                .scores
                .iter()
                .map(|(correlator, score, rank)| {
                    let (score, sign) = (End(score.value()), sign(score.sign));
                    (correlator.as_str(), ScoreEntry { score, rank: *rank, sign })
                })
                .collect(),
            run: name(metric.run),
            scored_in_runs: metric.scored_in,
            same_sign_in_runs: metric.agreeing,
            copy_of: metric
                .copy_of
                .and_then(|place| explanation.ranking.get(place))
                .map(|one| one.metric.name.as_str()),
            derived: metric.derived.as_ref().map(ToString::to_string),
            random_walk: metric.is_random_walk,
            outline: with_outlines.then_some(metric.outline.as_slice()),
        };
        let excluded = explanation
            .excluded
            .iter()
            .map(|one| ExcludedEntry { metric: &one.metric.name, reason: one.reason.to_string() });
        let silent = explanation.silent.iter();
        ExplanationDocument {
            schema: own_json::SCHEMA,
            command_line,
            request: None,
            seed: 0,
            environment,
            target: &target.metric.name,
            target_run: name(explanation.reference),
            target_unit: &target.metric.unit,
            target_change: target.change.as_ref().map(change),
            target_outline: with_outlines.then_some(target.outline.as_slice()),
            windows: target.windows.iter().map(stretch).collect(),
            baseline: target.baseline.as_ref().map(stretch),
            segments: match selection.segments {
                Segments::Auto => None,
                Segments::Exactly(count) => Some(count),
            },
            pattern: selection.pattern.as_ref().map(knots),
            common_metric: explanation.common.as_deref(),
            runs: explanation.runs.iter().map(|run| run.aligned.run.as_str()).collect(),
            alignment: explanation.runs.iter().map(alignment).collect(),
            correlator: explanation.request.correlator.as_str(),
            ranking: explanation.ranking.iter().enumerate().map(ranked).collect(),
            excluded: excluded.collect(),
            silent_correlators: silent.map(|(one, why)| (one.as_str(), why.as_str())).collect(),
            enough_beside: explanation.beside.is_enough(),
            beside: beside(&explanation.beside),
            notes: &explanation.notes,
        }
    }

    /// With the request that it answers, so that whoever reads it can ask again.
    #[must_use]
    pub fn with_request(self, request: serde_json::Value) -> ExplanationDocument<'a> {
        ExplanationDocument { request: Some(request), ..self }
    }

    /// As text, with a line break at its end.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

fn alignment(run: &ExplainedRun) -> AlignmentEntry<'_> {
    let windows = &run.aligned.windows_ns;
    let span = |&(start, end): &(i64, i64)| SpanEntry { start: seconds(start), end: seconds(end) };
    let hull = windows.first().zip(windows.last());
    let quality = run.aligned.quality.as_ref();
    AlignmentEntry {
        run: &run.aligned.run,
        cost_per_step: quality.map_or(0.0, |quality| quality.cost_per_step),
        window: hull.map(|(first, last)| span(&(first.0, last.1))),
        windows: windows.iter().map(span).collect(),
        quality: quality.map(quality_entry),
        metrics_scored: run.scored,
        warnings: &run.aligned.warnings,
    }
}

fn quality_entry(quality: &Quality) -> QualityEntry {
    QualityEntry {
        fit: quality.fit.as_str(),
        cost_in_window: quality.cost_in_window,
        relative_cost: quality.relative_cost,
        against_chance: quality.against_chance,
        longest_stretch: quality.longest_stretch,
        longest_stretch_in_window: quality.longest_stretch_in_window,
        slope: quality.slope,
        ends_uncertain: seconds(quality.ends_uncertain_ns),
    }
}

fn stretch(one: &Stretch) -> StretchEntry {
    StretchEntry {
        start: seconds(one.start_ns),
        end: seconds(one.end_ns),
        first_row: one.first,
        last_row: one.first + one.rows.saturating_sub(1),
    }
}

fn beside(beside: &Beside) -> BesideEntry {
    BesideEntry {
        window_rows: beside.window_rows(),
        rows: beside.rows(),
        places: beside.places(),
        least_q: beside.least_q(),
        longest_window_rows: beside.longest_window(),
        rows_missing: beside.rows_missing(),
    }
}

fn knots(pattern: &Pattern) -> Vec<[f64; 2]> {
    pattern.knots().iter().map(|&(ns, height)| [seconds(ns), height]).collect()
}

fn change(one: &ChangeEvidence) -> ChangeEntry {
    ChangeEntry {
        shift: one.shift,
        relative: one.relative,
        z: End(one.z),
        constant_before: one.constant_before,
    }
}

fn shape(one: &ShapeEvidence) -> ShapeEntry {
    ShapeEntry { r: one.r, z: End(one.z), chance: one.chance, occurrences: one.occurrences }
}

fn lane(lane: Lane) -> Option<&'static str> {
    match lane {
        Lane::Change => Some("change"),
        Lane::Shape => Some("shape"),
        Lane::Neither => None,
    }
}

fn sign(sign: Sign) -> i8 {
    match sign {
        Sign::With => 1,
        Sign::Against => -1,
        Sign::Unsaid => 0,
    }
}

/// Exact to the nanosecond for runs of up to a hundred days.
#[allow(clippy::cast_precision_loss, reason = "times are far below 2^53 ns")]
fn seconds(ns: i64) -> f64 {
    ns as f64 / 1e9
}
