//! What the terminal shows while `run` and `compare` measure, line after line.

use super::noise;
use super::words::{compare_request, run_request};
use crate::measuring::scripted::Scripted;
use crate::measuring::{settings, subjects};
use crate::{Watch, compare, run};
use fathom_measure::{Bench, Keeper};
use fathom_record::Span;
use insta::assert_snapshot;

/// Every line that differs from the one before.
#[derive(Default)]
struct Seen(Vec<String>);

impl Watch for Seen {
    fn progress(&mut self, line: &dyn Fn() -> String) {
        let line = line();
        if self.0.last() != Some(&line) {
            self.0.push(line);
        }
    }
}

/// The lines of `fathom run` or `fathom compare` with these words.
fn lines(words: &[&str], millis: impl FnMut(&str, usize) -> f64 + 'static) -> String {
    let mut laboratory = Scripted::timed(millis);
    let mut seen = Seen::default();
    if words[0] == "run" {
        let request = run_request(&words[1..]);
        let subjects = subjects::build(&request.subjects, &request.running).unwrap();
        let prepared = settings::prepare(&request.running, 1).unwrap();
        let plan = run::RunPlan::of(&request, subjects.all, &prepared, 1).unwrap();
        let settings = prepared.settings.clone();
        let all = plan.subjects.clone();
        let mut bench = Bench::new(&mut laboratory, all, settings, Keeper::Nothing, 0, Span::ZERO);
        run::measure(&plan, &mut bench, run::Measured::nothing(), &mut seen);
    } else {
        let request = compare_request(&words[1..]);
        let subjects = subjects::build(&request.subjects, &request.running).unwrap();
        let prepared = settings::prepare(&request.running, 7).unwrap();
        let plan = compare::ComparePlan::of(&request, subjects, 7).unwrap();
        let settings = prepared.settings.clone();
        let all = plan.subjects.clone();
        let mut bench = Bench::new(&mut laboratory, all, settings, Keeper::Nothing, 0, Span::ZERO);
        compare::measure(&plan, &mut bench, Vec::new(), None, &mut seen);
    }
    seen.0.join("\n")
}

fn around(middle: f64) -> impl FnMut(&str, usize) -> f64 + 'static {
    move |words, n| middle * (1.0 + 0.02 * noise(7 * n + words.len()))
}

#[test]
fn a_fixed_number_of_runs() {
    assert_snapshot!(lines(&["run", "-w", "2", "-r", "16", "sleep 0.1", "x"], around(100.0)));
}

#[test]
fn runs_until_they_are_precise_enough() {
    assert_snapshot!(lines(&["run", "--precision", "0.2%", "a"], around(400.0)));
}

#[test]
fn runs_within_a_time() {
    assert_snapshot!(lines(
        &["run", "--max-time", "9s", "--precision", "0.01%", "a"],
        around(700.0)
    ));
}

#[test]
fn runs_in_a_shell_and_of_another_metric() {
    assert_snapshot!(lines(&["run", "-S", "sh", "-r", "9", "a"], around(8.0)));
    assert_snapshot!(lines(&["run", "--on", "peak-memory", "-r", "8", "a"], around(8.0)));
}

#[test]
fn a_rate_of_work() {
    let words = ["run", "-P", "n", "1", "8", "--work", "n", "-r", "3", "./x {n}"];
    let took = |words: &str, n: usize| {
        let size: f64 = words.rsplit(' ').next().unwrap().parse().unwrap();
        8.0 + 4.0 * size + 0.5 * noise(n * 31 + size as usize)
    };
    assert_snapshot!(lines(&words, took));
}

#[test]
fn a_comparison() {
    let took = |words: &str, n: usize| {
        let base = match words {
            "a" => 20.0,
            "b" => 20.6,
            _ => 21.4,
        };
        base * (1.0 + 0.08 * noise(3 * n + words.len() * 7))
    };
    assert_snapshot!(lines(&["compare", "-w", "1", "--max-time", "3s", "a", "b", "c"], took));
    assert_snapshot!(lines(&["compare", "-r", "12", "a", "b"], took));
}
