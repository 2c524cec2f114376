//! One trial of one tool.

use super::super::reading::{document, in_file, number, output_of};
use super::super::said;
use super::super::trials::Effect;
use super::budget::{self, COMPARISON, ONE_FUNCTION};
use super::judge::{Finding, Judge};
use super::plan::{Plan, Task};
use super::tools::Tool;
use super::work::Size;
use super::{Study, bench_diff, criterion, divan, tango};
use std::path::Path;
use std::process::Command;

/// What a trial showed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    pub(super) plan: Plan,
    /// Of the slower function over the other.
    pub(super) findings: Vec<Finding>,
    pub(super) time: Option<Timing>,
    /// Of wall time, by the whole tool.
    pub(super) seconds: f64,
}

/// How long the tiny function takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Timing {
    /// Seconds by the tool.
    pub(super) said: f64,
    /// Seconds by the reference loop, right before and right after.
    pub(super) reference: f64,
}

impl Timing {
    /// How far the tool is from the reference, as a share of it.
    pub(super) fn error(self) -> f64 {
        (self.said / self.reference - 1.0).abs()
    }
}

/// Makes a trial.
pub(super) fn made(study: &Study<'_>, plan: Plan) -> Result<Outcome, String> {
    let outcome = match plan.task {
        Task::Compare { size, effect, slower_first } => {
            compared(study, plan, size, effect, slower_first)
        }
        Task::Time => timed(study, plan),
    };
    outcome.map_err(|error| format!("{}: {error}", plan.tool.name()))
}

fn compared(
    study: &Study<'_>,
    plan: Plan,
    size: Size,
    effect: Effect,
    slower_first: bool,
) -> Result<Outcome, String> {
    let [mut first, mut second] =
        [Effect::NONE, effect].map(|effect| study.facts.work.iterations(size, effect));
    if slower_first {
        std::mem::swap(&mut first, &mut second);
    }
    let neighbour = study.bench.neighbourhood.under(plan.condition, plan.phase)?;
    let found = match plan.tool {
        Tool::Fathom => by_fathom(study, plan, first, second),
        Tool::Criterion => by_criterion(study, first, second),
        Tool::Divan => by_divan(study, first, second),
        Tool::Tango => by_tango(study, first, second),
        Tool::BenchDiff => by_bench_diff(study, plan, size, first, second),
    };
    drop(neighbour);
    let (mut findings, seconds) = found?;
    if slower_first {
        findings.iter_mut().for_each(|finding| *finding = finding.swapped());
    }
    Ok(Outcome { plan, findings, time: None, seconds })
}

/// What is found, and the seconds it took.
type Found = Result<(Vec<Finding>, f64), String>;

fn by_fathom(study: &Study<'_>, plan: Plan, first: u64, second: u64) -> Found {
    let mut command = study.bench.command(Tool::Fathom, first, Some(second));
    let printed = output_of(fathom_arguments(&mut command, plan, COMPARISON.as_secs()))?;
    let found = said::fathom(&printed.text)?;
    let finding = Finding {
        judge: Judge::Fathom,
        said: found.said,
        ratio: found.ratio,
        interval: Some(found.interval),
    };
    Ok((vec![finding], printed.seconds))
}

fn fathom_arguments(command: &mut Command, plan: Plan, seconds: u64) -> &mut Command {
    command.args(["--bench", "--max-time", &format!("{seconds}s"), "--format", "json"]).args([
        "--seed",
        &plan.seed.to_string(),
        "--no-results",
    ])
}

fn by_criterion(study: &Study<'_>, first: u64, second: u64) -> Found {
    let home = study.bench.folder.join("criterion");
    clear(&home)?;
    let baseline = run_criterion(study, &home, first, "--save-baseline")?;
    let printed = run_criterion(study, &home, second, "--baseline")?;
    let change = read_file(&home.join("work/change/estimates.json"))?;
    Ok((criterion::read(&printed.text, &change)?, baseline.seconds + printed.seconds))
}

fn run_criterion(
    study: &Study<'_>,
    home: &Path,
    iterations: u64,
    baseline: &str,
) -> Result<super::super::reading::Printed, String> {
    let mut command = study.bench.command(Tool::Criterion, iterations, None);
    command
        .env("CRITERION_HOME", home)
        .args(["--bench", "--noplot", "--color", "never", baseline, "base"])
        .args(["--warm-up-time", &budget::CRITERION_WARM_UP.to_string()])
        .args(["--measurement-time", &budget::CRITERION_MEASURES.to_string()]);
    output_of(&mut command)
}

fn by_divan(study: &Study<'_>, first: u64, second: u64) -> Found {
    let mut command = study.bench.command(Tool::Divan, first, Some(second));
    let printed = output_of(divan_arguments(&mut command))?;
    Ok((divan::read(&printed.text)?, printed.seconds))
}

fn divan_arguments(command: &mut Command) -> &mut Command {
    let side = budget::DIVAN_MEASURES.to_string();
    command.args(["--bench", "--color", "never", "--min-time", &side, "--max-time", &side])
}

fn by_tango(study: &Study<'_>, first: u64, second: u64) -> Found {
    let mut command = study.bench.command(Tool::Tango, first, Some(second));
    command
        .arg("compare")
        .arg(study.bench.programs.first_of_tango())
        .args(["--time", &budget::TANGO_MEASURES.to_string()]);
    let printed = output_of(&mut command)?;
    Ok((tango::read(&printed.text)?, printed.seconds))
}

fn by_bench_diff(study: &Study<'_>, plan: Plan, size: Size, first: u64, second: u64) -> Found {
    let executions = study.executions(COMPARISON, size, plan.condition);
    let mut command = study.bench.command(Tool::BenchDiff, first, Some(second));
    let printed = output_of(budget::bench_diff(&mut command, executions))?;
    Ok((bench_diff::read(&printed.text)?, printed.seconds))
}

fn timed(study: &Study<'_>, plan: Plan) -> Result<Outcome, String> {
    let iterations = study.facts.work.iterations(Size::Tiny, Effect::NONE);
    let before = study.bench.reference.seconds_now(iterations)?;
    let neighbour = study.bench.neighbourhood.under(plan.condition, plan.phase)?;
    let found = time_by_tool(study, plan, iterations);
    drop(neighbour);
    let (said, seconds) = found?;
    let after = study.bench.reference.seconds_now(iterations)?;
    let time = Some(Timing { said, reference: 0.5 * (before + after) });
    Ok(Outcome { plan, findings: Vec::new(), time, seconds })
}

/// The time that the tool reads, and the seconds it took for that.
fn time_by_tool(study: &Study<'_>, plan: Plan, iterations: u64) -> Result<(f64, f64), String> {
    let command = |second| study.bench.command(plan.tool, iterations, second);
    match plan.tool {
        Tool::Fathom => {
            let seconds = ONE_FUNCTION.as_secs();
            let printed = output_of(fathom_arguments(&mut command(None), plan, seconds))?;
            let found = number(&document(&printed.text)?, "/subjects/0/estimates/0/value")?;
            Ok((found, printed.seconds))
        }
        Tool::Criterion => {
            let home = study.bench.folder.join("criterion");
            clear(&home)?;
            let printed = run_criterion(study, &home, iterations, "--save-baseline")?;
            let estimates = read_file(&home.join("work/new/estimates.json"))?;
            Ok((criterion::seconds(&estimates)?, printed.seconds))
        }
        Tool::Divan => {
            let mut command = command(None);
            let printed = output_of(divan_arguments(&mut command).arg("first"))?;
            Ok((divan::seconds(&printed.text, "first")?, printed.seconds))
        }
        Tool::Tango => {
            let mut command = command(Some(iterations));
            command.args(["solo", "--time", &ONE_FUNCTION.as_secs().to_string()]);
            let printed = output_of(&mut command)?;
            Ok((tango::seconds(&printed.text)?, printed.seconds))
        }
        Tool::BenchDiff => {
            let executions = study.executions(ONE_FUNCTION, Size::Tiny, plan.condition);
            let mut command = command(Some(iterations));
            let printed = output_of(budget::bench_diff(&mut command, executions))?;
            Ok((bench_diff::seconds(&printed.text)?, printed.seconds))
        }
    }
}

/// What an earlier trial left must not be taken for a result.
fn clear(folder: &Path) -> Result<(), String> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(in_file(folder, &error)),
        _ => Ok(()),
    }
}

fn read_file(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| in_file(path, &error))
}
