//! The JSON contract of an explanation: a `"fathom/1"` document.
//!
//! Fields may be added; what is here keeps its name and meaning. Times are in seconds after the
//! run's origin.

use crate::align::Quality;
use crate::change::ChangeEvidence;
use crate::explain::{ExplainedRun, Explanation, Ranked, Stretch};
use crate::onset::Onset;
use crate::rank::combined::Lane;
use crate::shape::ShapeEvidence;
use crate::significance::Beside;
use crate::{MaskedRows, Pattern, Segments, Sign};
use fathom_record::own_json::{self, End};
use fathom_record::trace::Layer;
use fathom_record::{Environment, Timestamp, Unit};
use serde::Serialize;
use std::collections::BTreeMap;

/// An explanation as it is written in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Explanation"))]
pub struct ExplanationDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The command as you typed it, without the path of the program.
    command_line: &'a str,
    /// The question as data: a [request](#requests).
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<serde_json::Value>,
    /// Always 0: an explanation has no random choices.
    seed: u64,
    /// What made the document.
    environment: &'a Environment,
    /// The metric you asked about.
    target: &'a str,
    /// The run that the windows are in.
    target_run: &'a str,
    /// The unit of the target.
    target_unit: &'a Unit,
    /// How the target itself changed; `null` if that cannot be computed.
    target_change: Option<ChangeEntry>,
    /// When the target itself began to change; `null` if that is not clear.
    target_onset: Option<OnsetEntry>,
    /// The target in a few numbers, for a small chart. Present with `--include-values` and in
    /// `--export-json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_outline: Option<&'a [Option<f64>]>,
    /// The windows you asked about.
    windows: Vec<StretchEntry>,
    /// What the windows are compared with; `null` without one.
    baseline: Option<StretchEntry>,
    /// The number of segments you asked for; `null` if Fathom chose.
    segments: Option<usize>,
    /// The pattern you drew: points of seconds and height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<Vec<[f64; 2]>>,
    /// The metric by which runs are aligned; `null` with one run.
    common_metric: Option<&'a str>,
    /// The runs.
    runs: Vec<&'a str>,
    /// How each run was aligned.
    alignment: Vec<AlignmentEntry<'a>>,
    /// The correlator that the ranking follows.
    correlator: &'static str,
    /// In which order the metrics are listed: by their evidence, or the one that moved first.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::onset::OrderBy::ALL.map(crate::onset::OrderBy::name))))]
    order: &'static str,
    /// The metrics, the most relevant first.
    ranking: Vec<RankedEntry<'a>>,
    /// Metrics that are not ranked.
    excluded: Vec<ExcludedEntry<'a>>,
    /// Correlators that could not be computed, with the reason.
    silent_correlators: BTreeMap<&'static str, &'a str>,
    /// Whether there is enough data outside the windows for a single metric to be significant (q
    /// below .05).
    enough_context: bool,
    /// The data outside the windows.
    context: ContextEntry,
    /// What `--while` and `--except` leave; absent if all rows count.
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<MaskEntry>,
    /// Further remarks.
    notes: &'a [String],
}

/// A part of a run. Both ends are included.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Stretch"))]
struct StretchEntry {
    /// The start, in seconds after the origin of the run.
    start: f64,
    /// The end, in seconds after the origin of the run.
    end: f64,
    /// The first row of the target, counted from 0.
    first_row: usize,
    /// The last row of the target.
    last_row: usize,
}

/// A part of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Span"))]
struct SpanEntry {
    /// The start, in seconds after the origin of the run.
    start: f64,
    /// The end, in seconds after the origin of the run.
    end: f64,
}

/// What `--while` and `--except` leave of the target's rows.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Mask"))]
struct MaskEntry {
    /// All rows of the target in the run that the windows are in.
    rows: usize,
    /// The rows that count.
    rows_kept: usize,
    /// The rows of the windows.
    window_rows: usize,
    /// The rows of the windows that count.
    window_rows_kept: usize,
}

/// How a run was aligned.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AlignmentEntry<'a> {
    /// The run.
    run: &'a str,
    /// The mean cost of a step of the warp, in the unit of the common metric, or in standard
    /// deviations if it is normalized.
    cost_per_step: f64,
    /// The part of this run that corresponds to the windows, from the first to the last; `null` if
    /// none does.
    window: Option<SpanEntry>,
    /// The part that corresponds to each window.
    windows: Vec<SpanEntry>,
    /// The alignments that lead from the run that the windows are in to this one: several if they share
    /// no metric; none for that run, and where the windows were placed by hand.
    links: Vec<LinkEntry<'a>>,
    /// How good the alignment is. Absent for the run that the windows are in, and where the windows were
    /// placed by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<QualityEntry>,
    /// The number of metrics that were scored in this run.
    metrics_scored: usize,
    /// What may be wrong with the alignment.
    warnings: &'a [String],
}

/// One alignment.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AlignmentLink"))]
struct LinkEntry<'a> {
    /// The run that it begins at.
    from: &'a str,
    /// The metric that both runs have.
    metric: &'a str,
}

/// How good an alignment is.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct QualityEntry {
    /// The verdict.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::align::Fit::ALL.map(|fit| fit.as_str()))))]
    fit: &'static str,
    /// The mean cost of a step within the windows; `null` if the common metric has no sample there.
    cost_in_window: Option<f64>,
    /// The cost per step relative to the standard deviation of the common metric; `null` if that is
    /// constant.
    relative_cost: Option<f64>,
    /// The cost relative to that of a run whose parts are reordered: about 1 for unrelated runs.
    /// `null` if there are too few samples.
    against_chance: Option<f64>,
    /// The most rows of one run that are matched with a single row of the other.
    longest_stretch: usize,
    /// The same within the windows.
    longest_stretch_in_window: usize,
    /// How many times as long the windows are in this run.
    slope: f64,
    /// By how many seconds the ends of the windows may be off.
    ends_uncertain: f64,
}

/// A metric of the ranking.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RankedEntry<'a> {
    /// The rank, from 1.
    rank: usize,
    /// The name of the metric.
    metric: &'a str,
    /// Where it comes from.
    layer: Layer,
    /// Its unit.
    unit: &'a Unit,
    /// The score by `correlator`: larger is closer. `"inf"` for a distance of 0, `null` if it
    /// cannot be computed.
    score: Option<End>,
    /// 1 if the metric moves with the target, -1 if it moves against it, 0 if unknown.
    sign: i8,
    /// By how many seconds the metric follows the target (negative: precedes it). 0 unless a shift
    /// fits clearly better; `null` if it cannot be computed.
    lag: Option<f64>,
    /// The probability that chance gives one metric as much evidence; `null` if it cannot be
    /// computed.
    p_value: Option<f64>,
    /// The expected share of false discoveries among the metrics with as low a q-value; `null` if
    /// it cannot be computed.
    q_value: Option<f64>,
    /// What gave it its place in the combined ranking; `null` if neither did, or with another
    /// correlator.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = own_json::or_null(Lane::NAMES))))]
    ranked_by: Option<&'static str>,
    /// How its level changed; `null` if that cannot be computed.
    change: Option<ChangeEntry>,
    /// How its shape follows that of the target; `null` if that cannot be computed.
    shape: Option<ShapeEntry>,
    /// The score and rank by each correlator that has one.
    correlators: BTreeMap<&'static str, ScoreEntry>,
    /// The run that represents the metric: the middle one of those in which it was scored.
    run: &'a str,
    /// The number of runs in which it was scored.
    scored_in_runs: usize,
    /// The number of runs in which it has the same sign.
    same_sign_in_runs: usize,
    /// The higher-ranked metric that it is a rescaling of.
    copy_of: Option<&'a str>,
    /// How it seems to be computed from the target.
    derived: Option<String>,
    /// Whether it moves like a random walk, which correlates with anything.
    random_walk: bool,
    /// When it began to do what it does in the window; `null` if that is not clear.
    onset: Option<OnsetEntry>,
    /// By how many seconds it moved before the target (negative: after it); `null` if one of both
    /// onsets is not clear.
    lead: Option<LeadEntry>,
    /// The metric in a few numbers, for a small chart. Present with `--include-values` and in
    /// `--export-json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    outline: Option<&'a [Option<f64>]>,
}

/// When a change began, in seconds after the origin of the run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OnsetEntry {
    /// The best estimate.
    at: f64,
    /// The start of the 97.5% confidence interval.
    low: f64,
    /// The end of the 97.5% confidence interval.
    high: f64,
}

/// By how many seconds a metric moved before the target.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LeadEntry {
    /// The best estimate.
    seconds: f64,
    /// The start of the 95% confidence interval.
    low: f64,
    /// The end of the 95% confidence interval.
    high: f64,
}

/// A correlator's score of a metric.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ScoreEntry {
    /// The score: larger is closer.
    score: End,
    /// The rank; equal scores have equal ranks.
    rank: usize,
    /// 1 with the target, -1 against it, 0 if unknown.
    sign: i8,
}

/// How a level changed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ChangeEntry {
    /// The change of the level, in the unit of the metric.
    shift: f64,
    /// The change relative to the level before; `null` if that is 0.
    relative: Option<f64>,
    /// The change relative to its usual size.
    z: End,
    /// For how many rows the metric was constant before it moved; `null` if it was not.
    constant_before: Option<usize>,
}

/// How a shape follows that of the target.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShapeEntry {
    /// The correlation with the target.
    r: f64,
    /// The same relative to its usual size elsewhere.
    z: End,
    /// The absolute correlation that is usual elsewhere.
    chance: f64,
    /// How often the shape occurs.
    occurrences: usize,
}

/// The data outside the windows, in rows of the target.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ContextEntry {
    /// The rows of a window; with several windows, the mean.
    window_rows: usize,
    /// The rows outside the windows.
    rows_outside: usize,
    /// How many such windows fit outside, each with the rows before or after it that it is compared
    /// with.
    comparable_windows: f64,
    /// The smallest q-value that a single metric can have here.
    smallest_q_value: f64,
    /// The longest window for which there would be enough data; `null` if there is none.
    longest_window_rows: Option<usize>,
    /// How many more rows this window needs.
    more_rows_needed: usize,
    /// How many more seconds of recording those rows are.
    more_seconds_needed: f64,
}

/// A metric that is not ranked.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExcludedEntry<'a> {
    /// The name of the metric.
    metric: &'a str,
    /// Why it is not ranked.
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
            lag: metric.lag.map(Timestamp::seconds),
            p_value: metric.p_value,
            q_value: metric.q_value,
            ranked_by: metric.lane.and_then(Lane::name),
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
            onset: metric.onset.as_ref().map(onset),
            lead: metric.lead.map(|lead| LeadEntry {
                seconds: lead.seconds,
                low: lead.low,
                high: lead.high,
            }),
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
            target_onset: target.onset.as_ref().map(onset),
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
            order: explanation.request.order.name(),
            ranking: explanation.ranking.iter().enumerate().map(ranked).collect(),
            excluded: excluded.collect(),
            silent_correlators: silent.map(|(one, why)| (one.as_str(), why.as_str())).collect(),
            enough_context: explanation.beside.is_enough(),
            context: context(&explanation.beside),
            mask: explanation.masked.map(mask),
            notes: &explanation.notes,
        }
    }

    /// With the request that it answers, so that a reader can ask again.
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
    let windows = &run.aligned.windows;
    let span = |&(start, end): &(Timestamp, Timestamp)| SpanEntry {
        start: start.seconds(),
        end: end.seconds(),
    };
    let hull = windows.first().zip(windows.last());
    let quality = run.aligned.quality.as_ref();
    AlignmentEntry {
        run: &run.aligned.run,
        cost_per_step: quality.map_or(0.0, |quality| quality.cost_per_step),
        window: hull.map(|(first, last)| span(&(first.0, last.1))),
        windows: windows.iter().map(span).collect(),
        links: run
            .aligned
            .links
            .iter()
            .map(|link| LinkEntry { from: &link.from, metric: &link.metric })
            .collect(),
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
        ends_uncertain: quality.ends_uncertain.seconds(),
    }
}

fn stretch(one: &Stretch) -> StretchEntry {
    StretchEntry {
        start: one.start.seconds(),
        end: one.end.seconds(),
        first_row: one.first,
        last_row: one.last,
    }
}

fn mask(masked: MaskedRows) -> MaskEntry {
    MaskEntry {
        rows: masked.rows,
        rows_kept: masked.kept,
        window_rows: masked.rows_in_windows,
        window_rows_kept: masked.kept_in_windows,
    }
}

fn context(beside: &Beside) -> ContextEntry {
    ContextEntry {
        window_rows: beside.window_rows(),
        rows_outside: beside.rows(),
        comparable_windows: beside.places(),
        smallest_q_value: beside.least_q(),
        longest_window_rows: beside.longest_window(),
        more_rows_needed: beside.rows_missing(),
        more_seconds_needed: beside.seconds_missing(),
    }
}

fn knots(pattern: &Pattern) -> Vec<[f64; 2]> {
    pattern.knots().iter().map(|&(time, height)| [time.seconds(), height]).collect()
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

fn onset(one: &Onset) -> OnsetEntry {
    OnsetEntry { at: one.at.seconds(), low: one.low.seconds(), high: one.high.seconds() }
}

fn sign(sign: Sign) -> i8 {
    match sign {
        Sign::With => 1,
        Sign::Against => -1,
        Sign::Unsaid => 0,
    }
}
