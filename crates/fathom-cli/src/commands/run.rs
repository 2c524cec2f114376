//! `fathom run`: times commands until the interval is as narrow as asked.

use super::measuring::conduct::{
    Conducted, Measurement, Started, Wanted, conclude, conduct, start,
};
use super::measuring::series::{measured, oddities, resources, series};
use super::measuring::session;
use super::measuring::settings::{self, Prepared};
use super::measuring::subjects::{self, Subjects};
use super::written;
use crate::arguments::{Color, RunArguments, Sort, Style};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::{Progress, rough};
use crate::render::{View, human, verdict};
use fathom_analyze::compare::{Comparison, Margin, compare_unpaired};
use fathom_analyze::stopping::StoppingRule;
use fathom_analyze::{Report, Request, Statistic, Stopped};
use fathom_measure::{Bench, Keeper, MeasureError, PrintedMetric, Subject};
use fathom_record::{Environment, Metric, Phase, Run};
use fathom_stats::Interval;
use serde_json::{Value, json};
use std::time::Duration;

/// Without another word, a command is measured for this long.
const DEFAULT_TIME: Duration = Duration::from_secs(30);
/// And at least so often, however long that takes.
const DEFAULT_RUNS: usize = 10;

/// What is to be done.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) subjects: Vec<Subject>,
    pub(super) metrics: Vec<Metric>,
    pub(super) printed: Vec<PrintedMetric>,
    pub(super) request: Request,
    pub(super) rule: StoppingRule,
    pub(super) max_time: Option<Duration>,
    pub(super) warmup: usize,
    pub(super) is_fixed: bool,
}

/// What was measured.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) runs: Vec<Run>,
    /// Why each subject's measurement ended; shorter than the subjects if not all were measured.
    pub(super) stopped: Vec<Stopped>,
    /// Why measuring ended early, if it did.
    pub(super) error: Option<MeasureError>,
}

pub(crate) fn run(arguments: &RunArguments, color: Color) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    let seed = arguments.seed.unwrap_or_else(session::fresh_seed);
    let Subjects { all, .. } = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, all, &prepared)?;
    let started = start(&plan.subjects, prepared)?;
    let keeper = session::begin(&arguments.session, &plan.subjects, seed, color)?;
    carry_out(arguments, &plan, started, keeper, Measured::nothing(), seed, color)
}

/// Where measuring for a baseline begins.
pub(super) enum From<'a> {
    /// Anew.
    Nothing,
    /// Where a session stopped.
    Session { keeper: Keeper, runs: Vec<Run>, plan: Option<&'a str> },
}

/// Measures commands for a comparison with a baseline, and hands back the report.
pub(super) fn measured_for_baseline(
    arguments: &RunArguments,
    from: From<'_>,
    seed: u64,
    color: Color,
) -> Result<Report, Failure> {
    let Subjects { all, .. } = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, all, &prepared)?;
    let started = start(&plan.subjects, prepared)?;
    let (keeper, before) = match from {
        From::Nothing => {
            let keeper = session::begin(&arguments.session, &plan.subjects, seed, color)?;
            (keeper, Measured::nothing())
        }
        From::Session { keeper, runs, plan } => {
            (keeper, Measured { runs, stopped: stopped_of(plan), error: None })
        }
    };
    match finish(arguments, &plan, started, keeper, before, seed) {
        (Some(report), None) => Ok(report),
        (None, None) => Err(Failure::Interrupted),
        (report, Some(error)) => {
            let id = report.and_then(|report| report.session);
            let kept = id.map(|id| format!("what was measured is kept: fathom resume {id}"));
            Err(Failure::measuring(&error).with_line(kept))
        }
    }
}

/// The report of a saved session.
pub(super) fn report_of_session(
    arguments: &RunArguments,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    seed: u64,
) -> Result<Report, Failure> {
    let Subjects { all, .. } = subjects::build(&arguments.subjects, &arguments.running)?;
    let metrics = settings::judged(&arguments.running)?;
    let plan = Plan::of(arguments, all, &Prepared { metrics, ..Prepared::default() })?;
    let measured = Measured { runs, stopped: stopped_of(plan_text), error: None };
    Ok(report(&plan, &measured, seed, Vec::new()))
}

/// Goes on with a session.
pub(super) fn resume(
    arguments: &RunArguments,
    keeper: Keeper,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    let Subjects { all, .. } = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, all, &prepared)?;
    let started = start(&plan.subjects, prepared)?;
    let before = Measured { runs, stopped: stopped_of(plan_text), error: None };
    carry_out(arguments, &plan, started, keeper, before, seed, color)
}

/// Shows a saved session.
pub(super) fn show(
    arguments: &RunArguments,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    id: i64,
    words: &[String],
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let mut report = report_of_session(arguments, runs, plan_text, seed)?;
    report.session = Some(id);
    report.command_line = written::command_line(words.iter().map(String::as_str));
    if report.subjects.is_empty() {
        return Err(Failure::input(format!("session {id} has no finished run to show")));
    }
    write(arguments, report, color)?;
    Ok(Outcome::Done)
}

/// Measures and reports; no report before the first run.
fn finish(
    arguments: &RunArguments,
    plan: &Plan,
    started: Started,
    keeper: Keeper,
    before: Measured,
    seed: u64,
) -> (Option<Report>, Option<MeasureError>) {
    let progress = Progress::new(arguments.style, arguments.output.quiet);
    let runs = before.runs.clone();
    let conducted = conduct(started, &plan.subjects, keeper, &runs, progress, |bench, progress| {
        measure(plan, bench, before, progress)
    });
    let Conducted { measured, mut keeper, overhead_per_run, warnings } = conducted;
    let mut report = report(plan, &measured, seed, warnings);
    report.session = keeper.id().map(|id| id.0);
    report.overhead_per_run = overhead_per_run;
    if measured.error.is_none()
        && let Err(error) = keeper.finish("done")
    {
        report.warnings.push(error.to_string());
    }
    (Some(report).filter(|report| !report.subjects.is_empty()), measured.error)
}

fn carry_out(
    arguments: &RunArguments,
    plan: &Plan,
    started: Started,
    keeper: Keeper,
    before: Measured,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let (report, error) = finish(arguments, plan, started, keeper, before, seed);
    let wanted = Wanted { quiet: arguments.output.quiet, color };
    conclude(report, error, Outcome::Done, wanted, |report| write(arguments, report, color))
}

impl Measurement for Measured {
    fn runs(&self) -> &[Run] {
        &self.runs
    }
}

impl Measured {
    fn nothing() -> Measured {
        Measured { runs: Vec::new(), stopped: Vec::new(), error: None }
    }
}

impl Plan {
    pub(super) fn of(
        arguments: &RunArguments,
        subjects: Vec<Subject>,
        prepared: &Prepared,
    ) -> Result<Plan, Failure> {
        let mut statistics = arguments.statistics.clone();
        if statistics.is_empty() {
            statistics.push(Statistic::MEDIAN);
        }
        let cleaned = arguments.cleaning.apply(Request::default());
        let request = Request {
            statistics,
            confidence: arguments.confidence,
            method: arguments.method.map(|name| name.value()),
            correlogram: cleaned.correlogram || arguments.output.verbose,
            ..cleaned
        };
        request.check().map_err(Failure::input)?;
        let count = |number: Option<u64>| number.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let (fixed, fewest, most) =
            (count(arguments.runs), count(arguments.min_runs), count(arguments.max_runs));
        if let (Some(fewest), Some(most)) = (fewest, most)
            && fewest > most
        {
            return Err(Failure::input(format!(
                "--min-runs {fewest} is more than --max-runs {most}; swap them"
            )));
        }
        // Whoever limits the time means it.
        let default = if arguments.max_time.is_some() { 1 } else { DEFAULT_RUNS };
        let most = fixed.or(most).unwrap_or(usize::MAX);
        let fewest = fixed.or(fewest).unwrap_or(default).min(most);
        Ok(Plan {
            subjects,
            metrics: prepared.metrics.clone(),
            printed: arguments.running.metrics.clone(),
            request,
            rule: StoppingRule { precision: arguments.precision, fewest, most },
            max_time: match fixed {
                Some(_) => None,
                None => Some(arguments.max_time.unwrap_or(DEFAULT_TIME)),
            },
            warmup: arguments.running.warmup.unwrap_or(0),
            is_fixed: fixed.is_some(),
        })
    }

    /// Every metric of a subject that is judged, analysed.
    fn analysed(&self, runs: &[Run], subject: usize) -> Vec<fathom_analyze::Subject> {
        let name = &self.subjects[subject].name;
        let several = self.metrics.len() > 1;
        let one = |metric: &Metric| {
            let label = if several { format!("{name}: {metric}") } else { name.clone() };
            let series = series(runs, subject, &label, metric, &self.printed)?;
            Some(if self.is_fixed {
                fathom_analyze::analyze(series, &self.request)
            } else {
                self.rule.analyze(series, &self.request)
            })
        };
        self.metrics.iter().filter_map(one).collect()
    }
}

/// Measures subject after subject.
pub(super) fn measure(
    plan: &Plan,
    bench: &mut Bench<'_>,
    before: Measured,
    progress: &mut Progress,
) -> Measured {
    let mut measured = before;
    for subject in measured.stopped.len()..plan.subjects.len() {
        match one(plan, bench, subject, &mut measured.runs, progress) {
            Ok(stopped) => measured.stopped.push(stopped),
            Err(error) => {
                measured.error = Some(error);
                return measured;
            }
        }
        let names: Vec<&str> = measured.stopped.iter().map(|stopped| stopped.name()).collect();
        if let Err(error) = bench.keeper().set_plan(&json!({ "stopped": names }).to_string()) {
            measured.error = Some(error.into());
            return measured;
        }
    }
    measured
}

fn one(
    plan: &Plan,
    bench: &mut Bench<'_>,
    subject: usize,
    runs: &mut Vec<Run>,
    progress: &mut Progress,
) -> Result<Stopped, MeasureError> {
    let name = plan.subjects[subject].name.clone();
    let began = bench.elapsed();
    bench.set_up(subject)?;
    for warmup in 0..plan.warmup {
        let line = || format!("{name}: warm-up {} of {}", warmup + 1, plan.warmup);
        progress.draw(line);
        runs.push(bench.run(subject, Phase::Warmup, None, &mut || progress.draw(line))?);
    }
    let mut state =
        State { values: first_values(plan, runs, subject), needed: None, interval: None };
    let mut next_look = plan.rule.next_look(state.values.len().saturating_sub(1));
    let stopped = loop {
        let n = state.values.len();
        if n >= plan.rule.most {
            break if plan.is_fixed { Stopped::Fixed } else { Stopped::MaxRuns };
        }
        if next_look.is_some_and(|look| n >= look) && !plan.is_fixed {
            let found = plan.analysed(runs, subject);
            if n >= plan.rule.fewest && found.iter().all(|found| plan.rule.is_reached(found)) {
                break Stopped::Precision;
            }
            state.needed = found.iter().filter_map(|found| plan.rule.needed(found)).max();
            state.interval = found
                .first()
                .and_then(|found| found.estimates.first()?.interval())
                .filter(Interval::is_finite);
            next_look = plan.rule.next_look(n);
        }
        let spent = bench.elapsed().saturating_sub(began);
        if n >= plan.rule.fewest && plan.max_time.is_some_and(|limit| spent >= limit) {
            break Stopped::MaxTime;
        }
        let line = state.line(plan, &name, spent);
        progress.draw(|| line.clone());
        let run = bench.run(subject, Phase::Measured, None, &mut || {
            progress.draw(|| line.clone());
        })?;
        state.values.extend(plan.metrics.first().and_then(|metric| metric.of(&run)));
        runs.push(run);
    };
    bench.clean_up(subject)?;
    Ok(stopped)
}

/// How far a subject is.
struct State {
    values: Vec<f64>,
    needed: Option<usize>,
    /// As of the last look.
    interval: Option<Interval>,
}

impl State {
    /// "sleep 0.1: run 32, median 101 ms (100 ms to 103 ms), at most 3 s left"
    fn line(&self, plan: &Plan, name: &str, spent: Duration) -> String {
        let n = self.values.len();
        let mut line = format!("{name}: run {}", n + 1);
        if plan.rule.most < usize::MAX {
            line.push_str(&format!(" of {}", plan.rule.most));
        }
        if n == 0 {
            return line;
        }
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let unit = plan.metrics.first().map(|metric| metric.unit()).unwrap_or_default();
        line.push_str(&format!(", median {}", human::quick(sorted[n / 2], &unit)));
        if let Some(Interval { lower, upper }) = self.interval {
            let [lower, upper] = [lower, upper].map(|end| human::quick(end, &unit));
            line.push_str(&format!(" ({lower} to {upper})"));
        }
        let each = spent.as_secs_f64() / n as f64;
        let by_need = self.needed.map(|needed| each * needed.saturating_sub(n) as f64);
        let by_time = plan.max_time.map(|limit| limit.saturating_sub(spent).as_secs_f64());
        let by_runs = (plan.rule.most < usize::MAX).then(|| each * (plan.rule.most - n) as f64);
        let left = [by_need, by_time, by_runs].into_iter().flatten().reduce(f64::min);
        if let Some(left) = left {
            line.push_str(&format!(", at most {} left", rough(left)));
        }
        line
    }
}

fn first_values(plan: &Plan, runs: &[Run], subject: usize) -> Vec<f64> {
    let Some(metric) = plan.metrics.first() else { return Vec::new() };
    measured(runs, subject).into_iter().filter_map(|run| metric.of(run)).collect()
}

/// The report of what was measured.
pub(super) fn report(plan: &Plan, measured: &Measured, seed: u64, warnings: Vec<String>) -> Report {
    let mut subjects = Vec::new();
    for (index, subject) in plan.subjects.iter().enumerate() {
        for (place, mut found) in plan.analysed(&measured.runs, index).into_iter().enumerate() {
            found.stopped = measured.stopped.get(index).copied().unwrap_or(Stopped::Interrupted);
            found.parameters.clone_from(&subject.parameters);
            found.resources = resources(&measured.runs, index);
            if place == 0 {
                let odd = oddities(&measured.runs, index, subject, plan.warmup);
                found.warnings.extend(odd);
            }
            subjects.push(found);
        }
    }
    Report {
        command_line: written::command_line(written::typed().iter().map(String::as_str)),
        seed,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        subjects,
        comparisons: None,
        warnings,
    }
}

fn write(arguments: &RunArguments, mut report: Report, color: Color) -> Result<(), Failure> {
    let view = View::of(&arguments.output, &arguments.cleaning);
    report.comparisons = with_reference(arguments, &report)?;
    let by_value = |mut report: Report| {
        report.subjects.sort_by(|a, b| {
            let value = |subject: &fathom_analyze::Subject| {
                subject.estimates.first().map_or(f64::INFINITY, |estimate| estimate.value)
            };
            value(a).total_cmp(&value(b))
        });
        report
    };
    let for_tables =
        if arguments.sort == Sort::MeanTime { by_value(report.clone()) } else { report.clone() };
    let for_people = if arguments.sort == Sort::Command { report } else { by_value(report) };
    if arguments.style == Style::None {
        return written::export_all(&for_tables, &arguments.output, color);
    }
    written::write(&for_tables, &arguments.output, color, || {
        let width = output::width();
        match &for_people.comparisons {
            Some(comparisons) => {
                let circumstances = verdict::Circumstances { seconds: None };
                verdict::render(&for_people, comparisons, circumstances, &view, width)
            }
            None => human::render(&for_people, &view, width),
        }
    })
}

/// Every subject against the reference, if one was asked for. They were measured one after
/// another, and the report says what that means.
fn with_reference(
    arguments: &RunArguments,
    report: &Report,
) -> Result<Option<Vec<Comparison>>, Failure> {
    if arguments.subjects.reference.is_none() || report.subjects.len() < 2 {
        return Ok(None);
    }
    if arguments.running.on.len() > 1 || !arguments.running.metrics.is_empty() {
        return Err(Failure::input(
            "--reference compares one metric; give --on once, or leave out --reference",
        ));
    }
    let Subjects { all, reference } = subjects::build(&arguments.subjects, &arguments.running)?;
    let is_reference =
        |subject: &&fathom_analyze::Subject| subject.series.name() == all[reference].name;
    let Some(reference) = report.subjects.iter().find(is_reference) else { return Ok(None) };
    let request = Request {
        confidence: arguments.confidence,
        ..arguments.cleaning.apply(Request::default())
    };
    let others = report.subjects.iter().filter(|subject| !is_reference(subject));
    let compared: Result<Vec<Comparison>, String> = others
        .map(|subject| compare_unpaired(reference, subject, &request, Margin::DEFAULT, &[]))
        .collect();
    compared.map(Some).map_err(Failure::input)
}

/// Which subjects were finished, by the session's plan.
fn stopped_of(plan: Option<&str>) -> Vec<Stopped> {
    let plan: Value = plan.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let names = plan["stopped"].as_array().cloned().unwrap_or_default();
    let all =
        [Stopped::Fixed, Stopped::Precision, Stopped::Verdict, Stopped::MaxTime, Stopped::MaxRuns];
    let find = |name: &Value| all.into_iter().find(|stopped| name.as_str() == Some(stopped.name()));
    names.iter().map_while(find).collect()
}
