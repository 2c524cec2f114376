//! `run` and `compare` in a made-up laboratory: what is executed in which order, when measuring
//! stops by the clock, and what the terminal shows at 80 columns.

mod order;
mod shell;
mod terminal;

use super::measuring::scripted::Scripted;
use super::measuring::{settings, subjects};
use super::{compare, run};
use crate::arguments::{Cli, Command, CompareArguments, RunArguments};
use crate::progress::Progress;
use crate::render;
use clap::Parser;
use fathom_analyze::Report;
use fathom_measure::{Bench, Keeper, Laboratory};
use fathom_record::Run;
use fathom_render::{human, verdict};

fn parse(words: &[&str]) -> Command {
    Cli::try_parse_from(std::iter::once(&"fathom").chain(words)).unwrap().command
}

fn run_arguments(words: &[&str]) -> RunArguments {
    match parse(&[&["run"], words].concat()) {
        Command::Run(arguments) => *arguments,
        other => panic!("{other:?}"),
    }
}

fn compare_arguments(words: &[&str]) -> CompareArguments {
    match parse(&[&["compare"], words].concat()) {
        Command::Compare(arguments) => *arguments,
        other => panic!("{other:?}"),
    }
}

/// `fathom run` with these words; what was measured, and the report.
fn run_in(laboratory: &mut dyn Laboratory, words: &[&str]) -> (run::Measured, Report) {
    let arguments = run_arguments(words);
    let subjects = subjects::build(&arguments.subjects, &arguments.running).unwrap();
    let prepared = settings::prepare(&arguments.running, 1).unwrap();
    let plan = run::Plan::of(&arguments, subjects.all, &prepared, 1).unwrap();
    let mut bench = Bench::new(
        laboratory,
        plan.subjects.clone(),
        prepared.settings.clone(),
        Keeper::Nothing,
        0,
        0,
    );
    let nothing = run::Measured::nothing();
    let measured = run::measure(&plan, &mut bench, nothing, &mut Progress::off());
    let report = run::report(&plan, &measured, 1, Vec::new());
    (measured, report)
}

/// `fathom compare` with these words, going on from `before`.
fn compare_in(
    laboratory: &mut dyn Laboratory,
    words: &[&str],
    before: (Vec<Run>, Option<super::compare::trial::Saved>),
) -> (compare::Measured, Option<Report>) {
    let arguments = compare_arguments(words);
    let subjects = subjects::build(&arguments.subjects, &arguments.running).unwrap();
    let prepared = settings::prepare(&arguments.running, 7).unwrap();
    let plan = compare::Plan::of(&arguments, subjects, 7).unwrap();
    let (runs, saved) = before;
    let elapsed = runs.last().map_or(0, |run| run.began_ns + run.usage.wall_ns);
    let mut bench = Bench::new(
        laboratory,
        plan.subjects.clone(),
        prepared.settings.clone(),
        Keeper::Nothing,
        runs.len(),
        elapsed,
    );
    let measured = compare::measure(&plan, &mut bench, runs, saved, &mut Progress::off());
    let report = compare::report(&plan, &measured, 7, Vec::new());
    (measured, report)
}

fn log_of(laboratory: &Scripted) -> Vec<String> {
    laboratory.log().borrow().clone()
}

fn shown(report: &Report, words: &[&str], seconds: f64) -> String {
    const WIDTH: usize = 80;
    let text = match &report.comparisons {
        Some(comparisons) => {
            let arguments = compare_arguments(words);
            let view = render::view(&arguments.output, &arguments.cleaning);
            let circumstances = verdict::Circumstances { seconds: Some(seconds) };
            verdict::render(report, comparisons, circumstances, &view, WIDTH)
        }
        None => {
            let arguments = run_arguments(words);
            let view = render::view(&arguments.output, &arguments.cleaning);
            human::render(report, &view, WIDTH)
        }
    };
    anstream::adapter::strip_str(&text).to_string()
}

/// A small noise that is the same in every test.
fn noise(step: usize) -> f64 {
    // A linear congruence is plenty here.
    let state = (step as u64).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    let mixed = (state ^ (state >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    ((mixed >> 40) as f64 / f64::from(1_u32 << 24)) - 0.5
}
