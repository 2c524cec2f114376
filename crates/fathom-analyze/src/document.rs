//! The JSON contract: a report as a `"fathom/1"` document.
//!
//! Fields may be added; what is here keeps its name and meaning. `fathom_record::own_json` reads
//! its series back, and [`Document::read`] the whole report.

mod assumptions;
mod comparison;
mod function;
mod growth;
#[cfg(feature = "commands")]
mod hyperfine;
mod instructions;
mod outliers;
#[cfg(feature = "commands")]
mod read_back;
mod resource;
mod shell_startup;
mod work;

#[cfg(feature = "commands")]
pub use hyperfine::HyperfineDocument;

use crate::clean::{Labelled, SlowBeginning, Steadiness};
use crate::report::{Report, Subject};
use crate::{Aside, Estimate, IntervalOutcome, QuantileProperty, Warning};
use comparison::ComparisonEntry;
use fathom_derive::Serialize;
use fathom_record::own_json::{self, End};
use fathom_record::{Environment, FrontEnd, Unit};
use fathom_stats::Interval;
use fathom_stats::dependence::DependenceKind;
use function::{FunctionEntry, HarnessEntry};
use growth::GrowthEntry;
use instructions::InstructionsEntry;
use outliers::OutliersEntry;
use resource::ResourceEntry;
use shell_startup::ShellStartupEntry;
use std::collections::BTreeMap;
use work::WorkEntry;

/// A report as it is written in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Report"))]
pub struct Document<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The command as you typed it, without the path of the program.
    command_line: &'a str,
    /// The seed of all random choices: resampling (`bca`), the order of runs, `--env-offset
    /// random`.
    seed: u64,
    /// What made the document.
    environment: &'a Environment,
    /// The number of the session, if it was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<i64>,
    /// What measuring and saving a run cost on top of the run itself, in seconds. It is not part of
    /// the measured times.
    #[serde(skip_serializing_if = "Option::is_none")]
    overhead_per_run: Option<f64>,
    /// What timing a function costs. Present when functions were timed.
    #[serde(skip_serializing_if = "Option::is_none")]
    harness: Option<HarnessEntry>,
    /// Instructions per call. Present with `cargo bench -- --instructions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<InstructionsEntry<'a>>,
    /// What was measured: one entry per command, function or column.
    subjects: Vec<SubjectEntry<'a>>,
    /// Every subject compared with the reference. Present in documents of `fathom compare`.
    #[serde(skip_serializing_if = "Option::is_none")]
    comparisons: Option<Vec<ComparisonEntry<'a>>>,
    /// How functions grow with the size of their input: one entry per function that was measured
    /// with at least two sizes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    growth: Vec<GrowthEntry>,
    /// What on the machine may have disturbed the measurement, each with what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<String>>,
}

/// The measurements of one command, function or column.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SubjectEntry<'a> {
    /// The name of the subject.
    name: &'a str,
    /// The source's name for what it measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'a str>,
    /// The unit of values and ends. Values keep the unit and the exact bits of their source.
    unit: &'a Unit,
    /// The number of values.
    n: usize,
    /// All values, in the order in which they were measured. Present with `--include-values` and in
    /// `--export-json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [f64]>,
    /// How many consecutive values each process execution has, if the source says so. With
    /// `--join`, each file is one execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<&'a [usize]>,
    /// The start-up time of the shell. Present with `-S`, for times.
    #[serde(skip_serializing_if = "Option::is_none")]
    shell_startup: Option<ShellStartupEntry<'a>>,
    /// What counts as one sample.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::report::Levels::NAMES)))]
    sample: &'static str,
    /// The values of `-P` and `-L`, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<&'a str, &'a str>,
    /// What else the runs used, by metric.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    resources: BTreeMap<String, ResourceEntry>,
    /// How a function was timed. Present for functions.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<FunctionEntry<'a>>,
    /// Whether the samples settle, and where. Absent with `--work` and `--work-column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    steady_state: Option<SteadyStateEntry<'a>>,
    /// The outliers that were found. Absent with `--outliers keep`, `--work` and
    /// `--work-column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    outliers: Option<OutliersEntry<'a>>,
    /// How much neighbouring samples depend on each other. Absent with `--work` and `--work-column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    autocorrelation: Option<AutocorrelationEntry<'a>>,
    /// Rate and set-up time. Present with `--work` and `--work-column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<WorkEntry<'a>>,
    /// One entry per statistic.
    estimates: Vec<EstimateEntry>,
    /// Why measuring stopped. `fixed`: after the number of runs you asked for, or the data already
    /// existed.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::StopReason::ALL.map(|reason| reason.name()))))]
    stopped: &'static str,
    /// What may be wrong with this subject, each with what to do.
    warnings: Vec<String>,
}

/// Whether the samples settle, and where. Samples count from 0.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SteadyStateEntry<'a> {
    /// `flat`: one level; `warmup`: slower samples, then the steady state; `slowdown`: faster
    /// samples, then the steady state; `none`: no steady state, so every sample counts. `null` if
    /// Fathom did not look.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = own_json::or_null(fathom_stats::steady_state::Class::ALL.map(|class| class.name())))))]
    class: Option<&'static str>,
    /// The first sample that counts. With class `none`, where the last level begins.
    start: usize,
    /// Where each new level begins.
    change_points: &'a [usize],
    /// Short departures from the level, as `[from, to)`.
    disturbances: Vec<[usize; 2]>,
    /// `false` if there are too few samples, or all of them are equal.
    tested: bool,
    /// What slower samples before `start` are: `warmup`; `disturbed` by other load that Fathom saw;
    /// or `unexplained`, if they are most of the samples and no load was seen.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = SlowBeginning::NAMES)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    beginning: Option<&'static str>,
    /// The share of the machine that other programs used before `start` and from `start` on, if it
    /// was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_load: Option<[f64; 2]>,
}

/// How much neighbouring samples depend on each other. Fields are `null` if there are too few
/// samples.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AutocorrelationEntry<'a> {
    /// The correlation of neighbouring samples.
    lag1: Option<f64>,
    /// How many consecutive samples must be merged until neighbours no longer depend on each other.
    subsession: Option<usize>,
    /// The correlation of neighbours after merging.
    lag1_merged: Option<f64>,
    /// The number of independent samples that would give a mean as precise.
    effective_n: Option<f64>,
    /// What kind of dependence the correlogram shows. `short_memory`: samples near each other are
    /// alike; `slow_wandering`: the level changes slowly and at random, with a memory about as long
    /// as the series; `drift`: it rises or falls throughout; `alternation`: a high sample follows a
    /// low one; `not_seen`: none shows.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = own_json::or_null(DependenceKind::NAMES))))]
    kind: Option<&'static str>,
    /// How many samples apart the same pattern comes back. Present with kind `period`.
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<f64>,
    /// About how many samples apart samples are still alike. Present with kind `short_memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<f64>,
    /// Whether every estimate has an interval without a condition.
    sufficient: bool,
    /// The correlation at each lag, from 1. Present with `--correlogram` and `--verbose`.
    #[serde(skip_serializing_if = "Option::is_none")]
    correlogram: Option<&'a [f64]>,
}

/// The same estimate from another choice of samples.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AlternativeEstimate"))]
struct AsideEntry {
    /// The estimate.
    value: f64,
    /// The lower end of its interval.
    lower: End,
    /// The upper end of its interval.
    upper: End,
    /// The number of samples used.
    n_used: usize,
    /// `true` if the interval holds only if the samples are independent.
    #[serde(skip_serializing_if = "is_false")]
    if_independent: bool,
}

/// An unconditional interval mentions no condition.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// A statistic with its confidence interval.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EstimateEntry {
    /// `median`, `mean`, `harmonic-mean`, or `p` and a percentage, such as `p99`.
    statistic: String,
    /// The estimate. Quantiles interpolate linearly ([definition](methods/quantile-estimate.md)).
    value: f64,
    /// The lower end of the interval, included; `"-inf"` if the data cannot support one, if there
    /// is no interval, or if `--sides` leaves it open.
    lower: End,
    /// The upper end, as `lower`; `"inf"` if there is none.
    upper: End,
    /// The confidence you asked for.
    confidence: f64,
    /// The probability that this interval covers the true value: exact for independent samples (for
    /// `sequence`, at this number of samples). If `effective_n` is present, that of as many
    /// independent samples. `null` for `t`, `z`, `bca` and proportions.
    coverage: Option<f64>,
    /// How the interval is computed.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::Method::ALL.map(|method| method.name()))))]
    method: &'static str,
    /// Which ends the interval has.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_stats::Sides::ALL.map(|sides| sides.name()))))]
    sides: &'static str,
    /// The number of samples the interval is based on.
    n_used: usize,
    /// The smallest and the largest of them.
    range: [f64; 2],
    /// `true` if the interval holds only if the samples are independent: fewer than 26 are too few
    /// to check that.
    #[serde(skip_serializing_if = "is_false")]
    if_independent: bool,
    /// Whether the command can be distinguished from the start-up of the shell. If not, `value` is
    /// noise around 0, and `upper` is the longest the command can take. Present with `-S`.
    #[serde(skip_serializing_if = "Option::is_none")]
    told_from_shell: Option<bool>,
    /// The number of independent samples that these are worth for this statistic. Present if Fathom
    /// corrected for dependence.
    #[serde(skip_serializing_if = "Option::is_none")]
    effective_n: Option<f64>,
    /// The estimate from all samples. Present if some do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_everything: Option<AsideEntry>,
    /// The estimate without the outliers. Present if outliers count.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_outliers_removed: Option<AsideEntry>,
    /// Which order statistics the ends are, counted from 1; `null` for an infinite end.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<[Option<usize>; 2]>,
    /// About how many samples would give the missing ends, or the same interval without
    /// `if_independent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    n_needed: Option<usize>,
    /// Why there is no interval, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    declined: Option<String>,
    /// The threshold that `--probability` asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<PropertyEntry>,
}

/// The threshold that a share of executions keeps to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Threshold"))]
struct PropertyEntry {
    /// The share of executions.
    probability: f64,
    /// On which side of the threshold they are.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_stats::quantile::spa::Direction::ALL.map(|direction| direction.name()))))]
    direction: &'static str,
}

/// Without an interval nothing is known: the whole line.
fn lower(interval: Option<Interval>) -> End {
    End(interval.unwrap_or(Interval::EVERYTHING).lower)
}

fn upper(interval: Option<Interval>) -> End {
    End(interval.unwrap_or(Interval::EVERYTHING).upper)
}

impl<'a> Document<'a> {
    /// The document of a report, with every value if asked, in the words of the program `fathom`.
    #[must_use]
    pub fn of(report: &'a Report, include_values: bool) -> Document<'a> {
        Document::for_front_end(report, include_values, FrontEnd::FATHOM)
    }

    /// The document of a report in the words of a front end: its warnings name no other options.
    #[must_use]
    pub fn for_front_end(
        report: &'a Report,
        include_values: bool,
        front_end: FrontEnd,
    ) -> Document<'a> {
        Document {
            schema: own_json::SCHEMA,
            command_line: &report.command_line,
            seed: report.seed,
            environment: &report.environment,
            session: report.session,
            overhead_per_run: report.overhead_per_run,
            harness: report.harness.map(HarnessEntry::of),
            instructions: report.instructions.as_ref().map(InstructionsEntry::of),
            comparisons: report.comparisons.as_ref().map(|comparisons| {
                let entry = |comparison| ComparisonEntry::of(comparison, include_values, front_end);
                comparisons.iter().map(entry).collect()
            }),
            growth: report.growth().into_iter().map(GrowthEntry::of).collect(),
            // Where nothing was measured there is no machine to warn about.
            warnings: (!report.warnings.is_empty()).then(|| said(&report.warnings, front_end)),
            subjects: report
                .subjects
                .iter()
                .map(|subject| SubjectEntry::of(subject, include_values, front_end))
                .collect(),
        }
    }

    /// Reads a report back from its document, which must have every value.
    #[cfg(feature = "commands")]
    pub fn read(text: &str) -> Result<Report, String> {
        read_back::report(text)
    }

    /// The document as indented text with a newline at its end.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

/// Warnings in the words of a front end.
fn said(warnings: &[Warning], front_end: FrontEnd) -> Vec<String> {
    warnings.iter().map(|warning| warning.said(front_end)).collect()
}

impl<'a> SubjectEntry<'a> {
    fn of(subject: &'a Subject, include_values: bool, front_end: FrontEnd) -> SubjectEntry<'a> {
        let series = &subject.series;
        SubjectEntry {
            name: series.name(),
            metric: series.metric(),
            unit: series.unit(),
            n: series.len(),
            values: include_values.then(|| series.values()),
            executions: series.execution_sizes(),
            shell_startup: ShellStartupEntry::of(subject, include_values),
            sample: subject.levels.name(),
            parameters: subject
                .parameters
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect(),
            resources: subject.resources.iter().map(ResourceEntry::of).collect(),
            function: FunctionEntry::of(subject),
            steady_state: subject.labelled.as_ref().map(SteadyStateEntry::of),
            outliers: subject
                .labelled
                .as_ref()
                .and_then(|labelled| labelled.flagged.as_ref())
                .map(OutliersEntry::of),
            autocorrelation: AutocorrelationEntry::of(subject),
            work: subject.work.as_ref().map(|work| WorkEntry::of(subject, work, include_values)),
            estimates: subject
                .estimates
                .iter()
                .map(|estimate| EstimateEntry::of(subject, estimate, front_end))
                .collect(),
            stopped: subject.stopped.name(),
            warnings: said(&subject.warnings, front_end),
        }
    }
}

impl<'a> SteadyStateEntry<'a> {
    fn of(labelled: &'a Labelled) -> SteadyStateEntry<'a> {
        match &labelled.steadiness {
            Steadiness::Found(state) => SteadyStateEntry {
                class: Some(state.class.name()),
                start: state.start,
                change_points: &state.change_points,
                disturbances: state
                    .disturbances
                    .iter()
                    .map(|range| [range.start, range.end])
                    .collect(),
                tested: state.tested,
                beginning: labelled.slow_beginning().map(SlowBeginning::name),
                other_load: labelled.load.map(|load| [load.before, load.after]),
            },
            Steadiness::Told { .. } | Steadiness::NotSought => SteadyStateEntry {
                class: None,
                start: labelled.start(),
                change_points: &[],
                disturbances: Vec::new(),
                tested: false,
                beginning: None,
                other_load: None,
            },
        }
    }
}

impl<'a> AutocorrelationEntry<'a> {
    fn of(subject: &'a Subject) -> Option<AutocorrelationEntry<'a>> {
        let found = subject.autocorrelation.as_ref()?;
        Some(AutocorrelationEntry {
            lag1: found.lag1,
            subsession: found.subsession,
            lag1_merged: found.lag1_merged,
            effective_n: found.effective_n,
            kind: found.kind.map(DependenceKind::name),
            period: found.kind.and_then(|kind| match kind {
                DependenceKind::Period(period) => Some(period),
                _ => None,
            }),
            memory: found.kind.and_then(|kind| match kind {
                DependenceKind::ShortMemory(memory) => Some(memory),
                _ => None,
            }),
            sufficient: subject
                .estimates
                .iter()
                .all(|estimate| estimate.interval().is_some() && !estimate.if_independent),
            correlogram: found.correlogram.as_deref(),
        })
    }
}

impl AsideEntry {
    fn of(aside: &Aside) -> AsideEntry {
        AsideEntry {
            value: aside.value,
            lower: lower(aside.interval),
            upper: upper(aside.interval),
            n_used: aside.n_used,
            if_independent: aside.if_independent,
        }
    }
}

impl EstimateEntry {
    fn of(subject: &Subject, estimate: &Estimate, front_end: FrontEnd) -> EstimateEntry {
        let (ranks, n_needed, declined) = match &estimate.outcome {
            IntervalOutcome::Interval { ranks, samples_needed, .. } => {
                (ranks.map(|pair| [pair.lower, pair.upper]), *samples_needed, None)
            }
            IntervalOutcome::Declined { reason, samples_needed } => {
                (None, *samples_needed, Some(reason.said(front_end)))
            }
        };
        EstimateEntry {
            statistic: estimate.statistic.to_string(),
            value: estimate.value,
            lower: lower(estimate.interval()),
            upper: upper(estimate.interval()),
            confidence: estimate.confidence.get(),
            coverage: estimate.coverage(),
            method: estimate.method.name(),
            sides: estimate.sides.name(),
            n_used: estimate.n_used,
            range: [estimate.range.lower, estimate.range.upper],
            if_independent: estimate.if_independent,
            told_from_shell: subject.startup.map(|_| subject.is_told_from_shell(estimate)),
            effective_n: estimate.effective_n,
            with_everything: estimate.with_everything.as_ref().map(AsideEntry::of),
            with_outliers_removed: estimate.with_outliers_removed.as_ref().map(AsideEntry::of),
            ranks,
            n_needed,
            declined,
            property: estimate.property.map(PropertyEntry::of),
        }
    }
}

impl PropertyEntry {
    fn of(property: QuantileProperty) -> PropertyEntry {
        PropertyEntry {
            probability: property.proportion.get(),
            direction: property.direction.name(),
        }
    }
}
