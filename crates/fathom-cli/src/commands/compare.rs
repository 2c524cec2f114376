//! `fathom compare`: commands side by side, in blocks, until the answer is there.

use super::measuring::conduct::{Conducted, Measurement, Wanted, conclude, conduct, start};
use super::measuring::series::{oddities, resources, series};
use super::measuring::session;
use super::measuring::settings::{self, Prepared};
use super::measuring::subjects::{self, Subjects};
use super::run::From;
use super::trial::{Saved, Trial};
use super::{compare_saved, written};
use crate::arguments::{Color, CompareArguments, Style};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::{Progress, rough};
use crate::render::{View, human, verdict};
use fathom_analyze::compare::{Comparison, Gate, GateOutcome, Margin};
use fathom_analyze::{Report, Request, Stopped, analyze};
use fathom_measure::{Bench, Keeper, MeasureError, PrintedMetric, Subject};
use fathom_record::{Environment, Metric, Phase, Run};
use fathom_stats::Confidence;
use std::time::Duration;

/// Without another word, a comparison lasts at most this long.
const DEFAULT_TIME: Duration = Duration::from_secs(30);
/// And at least so many blocks, however long they take.
const DEFAULT_BLOCKS: usize = 10;

/// What is to be done.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) subjects: Vec<Subject>,
    pub(super) reference: usize,
    pub(super) metric: Metric,
    pub(super) printed: Vec<PrintedMetric>,
    pub(super) confidence: Confidence,
    pub(super) margin: Margin,
    pub(super) gates: Vec<Gate>,
    pub(super) budget: Budget,
    pub(super) warmup: Option<usize>,
    pub(super) request: Request,
}

/// How much may be measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    pub(super) time: Duration,
    /// Measured even if the time is over by then.
    pub(super) fewest_blocks: usize,
    pub(super) most_blocks: Option<usize>,
    pub(super) first_look: usize,
    /// Exactly `most_blocks`, with one look.
    pub(super) is_fixed: bool,
}

/// What was measured.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) runs: Vec<Run>,
    pub(super) trial: Option<Trial>,
    pub(super) stopped: Stopped,
    pub(super) seconds: f64,
    /// Why measuring ended early, if it did.
    pub(super) error: Option<MeasureError>,
}

pub(crate) fn run(arguments: &CompareArguments, color: Color) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    if !arguments.files.is_empty() {
        return compare_saved::files(arguments, color);
    }
    let seed = arguments.seed.unwrap_or_else(session::fresh_seed);
    if arguments.baseline.is_some() {
        return compare_saved::baseline(arguments, From::Nothing, seed, color);
    }
    let subjects = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, subjects, seed)?;
    carry_out(arguments, &plan, prepared, Before::Nothing, seed, color)
}

/// What a session holds when it is taken up.
pub(super) enum Before {
    Nothing,
    Session { keeper: Keeper, runs: Vec<Run>, saved: Option<Saved> },
}

/// Goes on with a session.
pub(super) fn resume(
    arguments: &CompareArguments,
    keeper: Keeper,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    if arguments.baseline.is_some() {
        let from = From::Session { keeper, runs, plan: plan_text };
        return compare_saved::baseline(arguments, from, seed, color);
    }
    let subjects = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, subjects, seed)?;
    let saved = plan_text.and_then(Saved::read);
    carry_out(arguments, &plan, prepared, Before::Session { keeper, runs, saved }, seed, color)
}

/// Shows a saved session.
pub(super) fn show(
    arguments: &CompareArguments,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    id: i64,
    words: &[String],
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    if arguments.baseline.is_some() {
        return compare_saved::show_baseline(arguments, runs, plan_text, seed, color);
    }
    let plan =
        Plan::of(arguments, subjects::build(&arguments.subjects, &arguments.running)?, seed)?;
    let saved = plan_text.and_then(Saved::read);
    let trial = saved.as_ref().map(|saved| Trial::replayed(&plan, saved, &runs));
    let stopped = saved.as_ref().and_then(Saved::stopped).unwrap_or(Stopped::Interrupted);
    let last = runs.last().map_or(0, |run| run.began_ns + run.usage.wall_ns);
    let seconds = Duration::from_nanos(last).as_secs_f64();
    let measured = Measured { runs, trial, stopped, seconds, error: None };
    let Some(mut report) = report(&plan, &measured, seed, Vec::new()) else {
        return Err(Failure::input(format!(
            "session {id} has no finished block to show; go on with: fathom resume {id}"
        )));
    };
    report.session = Some(id);
    report.command_line = written::command_line(words.iter().map(String::as_str));
    write(arguments, &report, Some(seconds), color)?;
    Ok(Outcome::Done)
}

fn carry_out(
    arguments: &CompareArguments,
    plan: &Plan,
    prepared: Prepared,
    before: Before,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let started = start(&plan.subjects, prepared)?;
    let (keeper, runs, saved) = match before {
        Before::Nothing => {
            let keeper = session::begin(&arguments.session, &plan.subjects, seed, color)?;
            (keeper, Vec::new(), None)
        }
        Before::Session { keeper, runs, saved } => (keeper, runs, saved),
    };
    let progress = Progress::new(arguments.style, arguments.output.quiet);
    let before = runs.clone();
    let conducted =
        conduct(started, &plan.subjects, keeper, &before, progress, |bench, progress| {
            measure(plan, bench, runs, saved, progress)
        });
    let Conducted { measured, mut keeper, overhead_per_run, warnings } = conducted;
    let mut report = report(plan, &measured, seed, warnings);
    if let Some(report) = &mut report {
        report.session = keeper.id().map(|id| id.0);
        report.overhead_per_run = overhead_per_run;
        if measured.error.is_none()
            && let Err(error) = keeper.finish("done")
        {
            report.warnings.push(error.to_string());
        }
    }
    let comparisons = report.as_ref().and_then(|report| report.comparisons.as_deref());
    let outcome = gated(comparisons.unwrap_or_default());
    let wanted = Wanted { quiet: arguments.output.quiet, color };
    conclude(report, measured.error, outcome, wanted, |report| {
        write(arguments, &report, Some(measured.seconds), color)
    })
}

impl Measurement for Measured {
    fn runs(&self) -> &[Run] {
        &self.runs
    }
}

/// The outcome by the gates.
pub(super) fn gated(comparisons: &[Comparison]) -> Outcome {
    let outcomes =
        || comparisons.iter().flat_map(|found| &found.gates).map(|(_, outcome)| *outcome);
    if outcomes().any(|outcome| outcome == GateOutcome::Failed) {
        Outcome::GateFailed
    } else if outcomes().any(|outcome| outcome == GateOutcome::Open) {
        Outcome::GateOpen
    } else {
        Outcome::Done
    }
}

impl Plan {
    pub(super) fn of(
        arguments: &CompareArguments,
        subjects: Subjects,
        seed: u64,
    ) -> Result<Plan, Failure> {
        let Subjects { all, reference } = subjects;
        if all.len() < 2 {
            return Err(Failure::input(
                "there is nothing to compare with; give two commands or more, or --baseline NAME, \
                 or --files OLD NEW",
            ));
        }
        let metric = settings::judged(&arguments.running)?.into_iter().next();
        if arguments.running.on.len() > 1 {
            return Err(Failure::input(
                "compare judges one metric; give --on once, and run it again for the other (or \
                 see all of them in the JSON of --export-json)",
            ));
        }
        let blocks = |pairs: Option<u64>| {
            pairs.map(|pairs| usize::try_from(pairs.div_ceil(2)).unwrap_or(usize::MAX))
        };
        let fixed = blocks(arguments.pairs);
        let budget = Budget {
            time: match fixed {
                Some(_) => Duration::MAX,
                None => arguments.max_time.unwrap_or(DEFAULT_TIME),
            },
            // Whoever limits the time means it.
            fewest_blocks: if arguments.max_time.is_some() { 1 } else { DEFAULT_BLOCKS },
            most_blocks: fixed.or(blocks(arguments.max_pairs)),
            first_look: blocks(arguments.min_pairs).unwrap_or(0),
            is_fixed: fixed.is_some(),
        };
        Ok(Plan {
            subjects: all,
            reference,
            metric: metric.unwrap_or(Metric::WallTime),
            printed: arguments.running.metrics.clone(),
            confidence: arguments.confidence,
            margin: arguments.margin,
            gates: gates(arguments),
            budget,
            warmup: arguments.running.warmup,
            request: Request {
                confidence: arguments.confidence,
                seed,
                ..arguments.cleaning.apply(Request::default())
            },
        })
    }

    /// The subjects that are compared with the reference.
    pub(super) fn others(&self) -> Vec<usize> {
        (0..self.subjects.len()).filter(|&subject| subject != self.reference).collect()
    }
}

/// What is to be shown.
pub(super) fn gates(arguments: &CompareArguments) -> Vec<Gate> {
    let slower = arguments.fail_if_slower.map(Gate::NotSlower);
    let equivalent = arguments.require_equivalent.map(Gate::Equivalent);
    slower.into_iter().chain(equivalent).collect()
}

/// Measures until the answer is there or the budget is used up.
pub(super) fn measure(
    plan: &Plan,
    bench: &mut Bench<'_>,
    runs: Vec<Run>,
    saved: Option<Saved>,
    progress: &mut Progress,
) -> Measured {
    let trial = saved.as_ref().map(|saved| Trial::replayed(plan, saved, &runs));
    let mut measured =
        Measured { runs, trial, stopped: Stopped::Interrupted, seconds: 0.0, error: None };
    let ended = try_measure(plan, bench, &mut measured, saved, progress);
    measured.seconds = bench.elapsed().as_secs_f64();
    match ended {
        Ok(stopped) => measured.stopped = stopped,
        Err(error) => {
            if let Some(trial) = &mut measured.trial {
                trial.interrupt();
                // If this cannot be kept either, the error that ended it says more.
                let _ = bench.keeper().set_plan(&trial.saved(None).text());
            }
            measured.error = Some(error);
        }
    }
    measured
}

fn try_measure(
    plan: &Plan,
    bench: &mut Bench<'_>,
    measured: &mut Measured,
    saved: Option<Saved>,
    progress: &mut Progress,
) -> Result<Stopped, MeasureError> {
    for subject in 0..plan.subjects.len() {
        bench.set_up(subject)?;
    }
    if saved.is_none() {
        warm_up(plan, bench, &mut measured.runs, progress)?;
    }
    let mut block = measured
        .runs
        .iter()
        .filter_map(|run| run.place.map(|place| place.block + 1))
        .max()
        .unwrap_or(0);
    let stopped = loop {
        if let Some(trial) = &measured.trial
            && let Some(stopped) = trial.due(plan, bench.elapsed())
        {
            break stopped;
        }
        let line = measured.trial.as_ref().map_or_else(
            || "first block, to see how long one takes".to_string(),
            |trial| progress_line(plan, trial, bench.elapsed()),
        );
        let participants = match &measured.trial {
            Some(trial) => trial.participants(plan),
            None => std::iter::once(plan.reference).chain(plan.others()).collect(),
        };
        let order = fathom_measure::block_order(plan.request.seed, block, &participants);
        let mut of_block = Vec::with_capacity(order.len());
        for (slot, subject) in order.into_iter().enumerate() {
            progress.draw(|| line.clone());
            let place = fathom_record::Place { block, slot };
            let run = bench.run(subject, Phase::Measured, Some(place), &mut || {
                progress.draw(|| line.clone());
            })?;
            of_block.push(run.clone());
            measured.runs.push(run);
        }
        block += 1;
        // How long it takes is known from the warm-up and the first block: before anybody has
        // looked at who was faster.
        match &mut measured.trial {
            Some(trial) => trial.take(plan, &of_block)?,
            None => {
                let quickest = quickest_block(plan, &measured.runs);
                let mut trial = Trial::planned(plan, &measured.runs, bench.elapsed(), quickest);
                trial.take(plan, &of_block)?;
                let saved = trial.saved(None);
                bench.keeper().set_plan(&saved.text())?;
                // A session that was killed before it had a plan may have whole blocks already.
                measured.trial = Some(Trial::replayed(plan, &saved, &measured.runs));
            }
        }
    };
    if let Some(trial) = &mut measured.trial {
        trial.end();
        bench.keeper().set_plan(&trial.saved(Some(stopped)).text())?;
    }
    for subject in 0..plan.subjects.len() {
        bench.clean_up(subject)?;
    }
    Ok(stopped)
}

/// Runs every command a few times: caches fill, and it becomes known how long a block takes.
fn warm_up(
    plan: &Plan,
    bench: &mut Bench<'_>,
    runs: &mut Vec<Run>,
    progress: &mut Progress,
) -> Result<(), MeasureError> {
    const MOST_ROUNDS: usize = 3;
    /// Of the budget, if the user does not say how often.
    const SHARE: f64 = 0.03;
    let began = bench.elapsed();
    for round in 0..plan.warmup.unwrap_or(MOST_ROUNDS) {
        let spent = bench.elapsed().saturating_sub(began).as_secs_f64();
        if round > 0 && plan.warmup.is_none() && spent > SHARE * plan.budget.time.as_secs_f64() {
            break;
        }
        for subject in 0..plan.subjects.len() {
            let line = || format!("warm-up: {}", plan.subjects[subject].name);
            progress.draw(line);
            runs.push(bench.run(subject, Phase::Warmup, None, &mut || progress.draw(line))?);
        }
    }
    Ok(())
}

/// What a block takes on a quiet machine: two of everybody's quickest runs, with what happens
/// between them. The plan is made by it, because a plan that is too long is cut by the clock at no
/// cost, and one that is too short leaves time unused.
fn quickest_block(plan: &Plan, runs: &[Run]) -> f64 {
    let mut quickest = vec![f64::INFINITY; plan.subjects.len()];
    for (index, run) in runs.iter().enumerate() {
        let end =
            runs.get(index + 1).map_or(run.began_ns + run.usage.wall_ns, |next| next.began_ns);
        let seconds = end.saturating_sub(run.began_ns) as f64 / 1e9;
        quickest[run.subject] = quickest[run.subject].min(seconds);
    }
    2.0 * quickest.iter().sum::<f64>()
}

/// What a block really took, on average.
fn seconds_per_block(runs: &[Run], blocks: usize) -> f64 {
    let measured = || runs.iter().filter(|run| run.phase == Phase::Measured);
    let began = measured().next().map_or(0, |run| run.began_ns);
    let ended = measured().next_back().map_or(0, |run| run.began_ns + run.usage.wall_ns);
    ended.saturating_sub(began) as f64 / 1e9 / blocks.max(1) as f64
}

fn progress_line(plan: &Plan, trial: &Trial, elapsed: Duration) -> String {
    let course = trial.course();
    let mut line = format!("block {} of {}", course.blocks() + 1, course.looks().most());
    let others = plan.others();
    for index in course.open().into_iter().take(2) {
        let state = &course.subjects()[index];
        if let Some(estimate) = state.estimate() {
            let interval = state.interval();
            let name = &plan.subjects[others[index]].name;
            line.push_str(&format!(
                ", {name} {:+.1}% ({:+.1}% to {:+.1}%)",
                100.0 * estimate.exp_m1(),
                100.0 * interval.lower.exp_m1(),
                100.0 * interval.upper.exp_m1()
            ));
        }
    }
    let left = (course.looks().most() - course.blocks()) as f64 * trial.seconds_per_block();
    let by_time = plan.budget.time.saturating_sub(elapsed).as_secs_f64();
    let left = if course.blocks() < plan.budget.fewest_blocks { left } else { left.min(by_time) };
    line.push_str(&format!(", at most {} left", rough(left)));
    line
}

/// The report of what was measured; `None` before the first block.
pub(super) fn report(
    plan: &Plan,
    measured: &Measured,
    seed: u64,
    warnings: Vec<String>,
) -> Option<Report> {
    let trial = measured.trial.as_ref()?;
    let each = seconds_per_block(&measured.runs, trial.course().blocks());
    let reference = &plan.subjects[plan.reference].name;
    let comparisons: Vec<Comparison> = plan
        .others()
        .into_iter()
        .enumerate()
        .filter_map(|(index, subject)| {
            let names = [reference.as_str(), plan.subjects[subject].name.as_str()];
            Comparison::of(trial.course(), index, names, each)
        })
        .collect();
    if comparisons.is_empty() {
        return None;
    }
    // The reference first, as in the sentence "compared with".
    let order = std::iter::once(plan.reference).chain(plan.others());
    let subjects = order.filter_map(|index| {
        let subject = &plan.subjects[index];
        let series = series(&measured.runs, index, &subject.name, &plan.metric, &plan.printed)?;
        let mut found = analyze(series, &plan.request);
        found.stopped = measured.stopped;
        found.parameters.clone_from(&subject.parameters);
        found.resources = resources(&measured.runs, index);
        // Drift, dependence and few samples spoil the medians beside the verdict, not the verdict;
        // and warm-up precedes a comparison, so that the first run is not slow.
        found.warnings = oddities(&measured.runs, index, subject, 1);
        Some(found)
    });
    Some(Report {
        command_line: written::command_line(written::typed().iter().map(String::as_str)),
        seed,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        subjects: subjects.collect(),
        comparisons: Some(comparisons),
        warnings,
    })
}

/// Writes a report with comparisons.
pub(super) fn write(
    arguments: &CompareArguments,
    report: &Report,
    seconds: Option<f64>,
    color: Color,
) -> Result<(), Failure> {
    if arguments.style == Style::None {
        return written::export_all(report, &arguments.output, color);
    }
    let view = View::of(&arguments.output, &arguments.cleaning);
    written::write(report, &arguments.output, color, || match &report.comparisons {
        Some(comparisons) => {
            let circumstances = verdict::Circumstances { seconds };
            verdict::render(report, comparisons, circumstances, &view, output::width())
        }
        None => human::render(report, &view, output::width()),
    })
}
