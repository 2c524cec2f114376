//! `run` and `compare` in a made-up laboratory: what is executed in which order, when measuring
//! stops by the clock, and what the terminal shows at 80 columns.

mod assumptions;
mod order;
mod progress;
mod shell;
mod statistics;
mod terminal;
mod words;
mod work;

use crate::measuring::scripted::Scripted;
use crate::measuring::{settings, subjects};
use crate::saved_session::SavedSession;
use crate::{compare, run};
use fathom_analyze::Report;
use fathom_measure::{Bench, Keeper, Laboratory};
use fathom_record::{Environment, Run, Span, Timestamp};
use fathom_render::{Detail, View, human, verdict};
use fathom_request::{CompareRequest, RunRequest};
use fathom_store::SessionId;
use words::{compare_request, run_request};

/// `fathom run` with these words; what was measured, and the report.
fn run_in(laboratory: &mut dyn Laboratory, words: &[&str]) -> (run::Measured, Report) {
    run_of(laboratory, &run_request(words))
}

fn run_of(laboratory: &mut dyn Laboratory, request: &RunRequest) -> (run::Measured, Report) {
    let subjects = subjects::build(&request.subjects, &request.running).unwrap();
    let prepared = settings::prepare(&request.running, 1).unwrap();
    let plan = run::RunPlan::of(request, subjects.all, &prepared, 1).unwrap();
    let mut bench = Bench::new(
        laboratory,
        plan.subjects.clone(),
        prepared.settings.clone(),
        Keeper::Nothing,
        0,
        Span::ZERO,
    );
    let nothing = run::Measured::nothing();
    let measured = run::measure(&plan, &mut bench, nothing, &mut ());
    let report = run::report(&plan, &measured, 1, Vec::new());
    (measured, report)
}

/// `fathom compare` with these words, going on from `before`.
fn compare_in(
    laboratory: &mut dyn Laboratory,
    words: &[&str],
    before: (Vec<Run>, Option<compare::trial::SavedTrial>),
) -> (compare::Measured, Option<Report>) {
    compare_of(laboratory, &compare_request(words), before)
}

fn compare_of(
    laboratory: &mut dyn Laboratory,
    request: &CompareRequest,
    before: (Vec<Run>, Option<compare::trial::SavedTrial>),
) -> (compare::Measured, Option<Report>) {
    let subjects = subjects::build(&request.subjects, &request.running).unwrap();
    let prepared = settings::prepare(&request.running, 7).unwrap();
    let plan = compare::ComparePlan::of(request, subjects, 7).unwrap();
    let (runs, saved) = before;
    let elapsed = runs.last().map_or(Span::ZERO, |run| run.ended() - Timestamp::ZERO);
    let mut bench = Bench::new(
        laboratory,
        plan.subjects.clone(),
        prepared.settings.clone(),
        Keeper::Nothing,
        runs.len(),
        elapsed,
    );
    let measured = compare::measure(&plan, &mut bench, runs, saved, &mut ());
    let report = compare::report(&plan, &measured, 7, Vec::new());
    (measured, report)
}

/// A session of these runs.
fn saved(runs: Vec<Run>, plan: &str, seed: u64) -> SavedSession {
    SavedSession {
        id: SessionId(1),
        request: None,
        words: Vec::new(),
        folder: String::new(),
        seed,
        environment: Environment::of_this_build(),
        subjects: Vec::new(),
        runs,
        plan: Some(plan.to_string()),
        is_finished: true,
    }
}

fn log_of(laboratory: &Scripted) -> Vec<String> {
    laboratory.log().borrow().clone()
}

/// The page that the command shows; `-v` among the words makes it a full one.
fn shown(report: &Report, words: &[&str], seconds: f64) -> String {
    const WIDTH: usize = 80;
    let view = View { detail: Detail::of(false, words.contains(&"-v")), ..View::default() };
    let text = match &report.comparisons {
        Some(comparisons) => {
            let circumstances = verdict::Circumstances { seconds: Some(seconds) };
            verdict::render(report, comparisons, circumstances, &view, WIDTH)
        }
        None => human::render(report, &view, WIDTH),
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
