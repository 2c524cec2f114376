//! The JSON contract: a report as a `"fathom/1"` document.
//!
//! Fields may be added; what is here keeps its name and meaning. `fathom_record::own_json` reads
//! its series back, and [`Document::read`] the whole report.

mod comparison;
mod function;
mod read_back;

use crate::clean::{Flagged, Labelled, SlowBeginning, Steadiness};
use crate::report::{Levels, Report, Resource, Subject};
use crate::{Aside, Estimate, IntervalOutcome, QuantileProperty, StartupEstimate, WorkEstimate};
use comparison::ComparisonEntry;
use fathom_record::own_json::{self, End};
use fathom_record::{Environment, Startup, Unit};
use fathom_stats::outliers;
use fathom_stats::quantile::spa::Direction;
use fathom_stats::steady_state::Class;
use fathom_stats::{Interval, Sides};
use function::{FunctionEntry, HarnessEntry};
use serde::Serialize;
use std::collections::BTreeMap;

/// A report as it is written in JSON.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    command_line: &'a str,
    seed: u64,
    environment: &'a Environment,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overhead_per_run: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    harness: Option<HarnessEntry>,
    subjects: Vec<SubjectEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparisons: Option<Vec<ComparisonEntry<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<&'a [String]>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    shell_startup: Option<ShellStartupEntry<'a>>,
    sample: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    resources: BTreeMap<String, ResourceEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<FunctionEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steady_state: Option<SteadyStateEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outliers: Option<OutliersEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    autocorrelation: Option<AutocorrelationEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<WorkEntry<'a>>,
    estimates: Vec<EstimateEntry>,
    stopped: &'static str,
    warnings: &'a [String],
}

/// What the empty shell took, where a shell ran the commands.
#[derive(Debug, Serialize)]
struct ShellStartupEntry<'a> {
    subtracted: f64,
    lower: End,
    upper: End,
    n_used: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [f64]>,
}

impl<'a> ShellStartupEntry<'a> {
    fn of(subject: &'a Subject, include_values: bool) -> Option<ShellStartupEntry<'a>> {
        let StartupEstimate { median, interval, n_used, .. } = subject.startup?;
        Some(ShellStartupEntry {
            subtracted: median,
            lower: lower(interval),
            upper: upper(interval),
            n_used,
            values: include_values.then(|| subject.series.startup()).flatten().map(Startup::values),
        })
    }
}

#[derive(Debug, Serialize)]
struct ResourceEntry {
    unit: Unit,
    median: f64,
    smallest: f64,
    largest: f64,
}

impl ResourceEntry {
    fn of(resource: &Resource) -> (String, ResourceEntry) {
        let Resource { metric, median, smallest, largest } = resource;
        let (median, smallest, largest) = (*median, *smallest, *largest);
        (metric.to_string(), ResourceEntry { unit: metric.unit(), median, smallest, largest })
    }
}

#[derive(Debug, Serialize)]
struct SteadyStateEntry<'a> {
    class: Option<&'static str>,
    start: usize,
    change_points: &'a [usize],
    disturbances: Vec<[usize; 2]>,
    tested: bool,
    /// Of the samples before `start`, where they are slower than the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    beginning: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_load: Option<[f64; 2]>,
}

#[derive(Debug, Serialize)]
struct OutliersEntry<'a> {
    method: &'static str,
    grid: Option<f64>,
    cut_height: Option<f64>,
    count: usize,
    share: f64,
    indices: &'a [usize],
    clustered_in_time_p: Option<f64>,
    applied: bool,
}

#[derive(Debug, Serialize)]
struct AutocorrelationEntry<'a> {
    lag1: Option<f64>,
    subsession: Option<usize>,
    lag1_merged: Option<f64>,
    effective_n: Option<f64>,
    sufficient: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlogram: Option<&'a [f64]>,
}

#[derive(Debug, Serialize)]
struct WorkEntry<'a> {
    rate: f64,
    lower: End,
    upper: End,
    unit: String,
    setup: f64,
    setup_lower: End,
    setup_upper: End,
    setup_unit: &'a Unit,
    confidence: f64,
    n_used: usize,
    effective_n: f64,
    curvature_p: Option<f64>,
}

#[derive(Debug, Serialize)]
struct AsideEntry {
    value: f64,
    lower: End,
    upper: End,
    n_used: usize,
    #[serde(skip_serializing_if = "is_false")]
    if_independent: bool,
}

/// What holds without a condition does not speak of one.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[derive(Debug, Serialize)]
struct EstimateEntry {
    statistic: String,
    value: f64,
    lower: End,
    upper: End,
    confidence: f64,
    coverage: Option<f64>,
    method: &'static str,
    sides: &'static str,
    n_used: usize,
    range: [f64; 2],
    #[serde(skip_serializing_if = "is_false")]
    if_independent: bool,
    /// Where a shell ran the commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    told_from_shell: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective_n: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_everything: Option<AsideEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_outliers_removed: Option<AsideEntry>,
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

/// Without an interval nothing is known: the whole line.
fn lower(interval: Option<Interval>) -> End {
    End(interval.unwrap_or(Interval::EVERYTHING).lower)
}

fn upper(interval: Option<Interval>) -> End {
    End(interval.unwrap_or(Interval::EVERYTHING).upper)
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
            session: report.session,
            overhead_per_run: report.overhead_per_run,
            harness: report.harness.map(HarnessEntry::of),
            comparisons: report.comparisons.as_ref().map(|comparisons| {
                let entry = |comparison| ComparisonEntry::of(comparison, include_values);
                comparisons.iter().map(entry).collect()
            }),
            // Where nothing was measured there is no machine to warn about.
            warnings: (!report.warnings.is_empty()).then_some(report.warnings.as_slice()),
            subjects: report
                .subjects
                .iter()
                .map(|subject| SubjectEntry::of(subject, include_values))
                .collect(),
        }
    }

    /// Reads a report back from its document, which must have every value.
    pub fn read(text: &str) -> Result<Report, String> {
        read_back::report(text)
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
            shell_startup: ShellStartupEntry::of(subject, include_values),
            sample: match subject.levels {
                Levels::Values | Levels::Pooled { .. } => "value",
                Levels::Executions { .. } => "execution",
            },
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
            work: subject.work.as_ref().map(WorkEntry::of),
            estimates: subject
                .estimates
                .iter()
                .map(|estimate| EstimateEntry::of(subject, estimate))
                .collect(),
            stopped: subject.stopped.name(),
            warnings: &subject.warnings,
        }
    }
}

impl<'a> SteadyStateEntry<'a> {
    fn of(labelled: &'a Labelled) -> SteadyStateEntry<'a> {
        match &labelled.steadiness {
            Steadiness::Found(state) => SteadyStateEntry {
                class: Some(match state.class {
                    Class::Flat => "flat",
                    Class::WarmUp => "warmup",
                    Class::SlowDown => "slowdown",
                    Class::None => "none",
                }),
                start: state.start,
                change_points: &state.change_points,
                disturbances: state
                    .disturbances
                    .iter()
                    .map(|range| [range.start, range.end])
                    .collect(),
                tested: state.tested,
                beginning: labelled.slow_beginning().map(|beginning| match beginning {
                    SlowBeginning::WarmUp => "warmup",
                    SlowBeginning::Disturbed(_) => "disturbed",
                    SlowBeginning::Unexplained => "unexplained",
                }),
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

impl<'a> OutliersEntry<'a> {
    fn of(flagged: &'a Flagged) -> OutliersEntry<'a> {
        let found = &flagged.found;
        OutliersEntry {
            method: match found.method {
                outliers::Method::Simplified => "simplified",
                outliers::Method::Full => "full",
                outliers::Method::Tukey => "tukey",
                outliers::Method::Mad => "mad",
            },
            grid: found.grid,
            cut_height: found.cut_height,
            count: found.indices.len(),
            share: found.indices.len() as f64 / flagged.among.max(1) as f64,
            indices: &found.indices,
            clustered_in_time_p: found.clustered_in_time.map(|in_time| in_time.p_value),
            applied: flagged.applied,
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
            sufficient: subject
                .estimates
                .iter()
                .all(|estimate| estimate.interval().is_some() && !estimate.if_independent),
            correlogram: found.correlogram.as_deref(),
        })
    }
}

impl<'a> WorkEntry<'a> {
    fn of(work: &'a WorkEstimate) -> WorkEntry<'a> {
        let found = &work.found;
        WorkEntry {
            rate: found.rate,
            lower: End(found.rate_interval.lower),
            upper: End(found.rate_interval.upper),
            unit: work.rate_unit(),
            setup: found.setup,
            setup_lower: End(found.setup_interval.lower),
            setup_upper: End(found.setup_interval.upper),
            setup_unit: &work.time,
            confidence: work.confidence.get(),
            n_used: work.n_used,
            effective_n: found.effective,
            curvature_p: found.curvature_p,
        }
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
    fn of(subject: &Subject, estimate: &Estimate) -> EstimateEntry {
        let (ranks, n_needed, declined) = match &estimate.outcome {
            IntervalOutcome::Interval { ranks, samples_needed, .. } => {
                (ranks.map(|pair| [pair.lower, pair.upper]), *samples_needed, None)
            }
            IntervalOutcome::Declined { reason, samples_needed } => {
                (None, *samples_needed, Some(reason.clone()))
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
            sides: match estimate.sides {
                Sides::Both => "both",
                Sides::Lower => "lower",
                Sides::Upper => "upper",
            },
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
