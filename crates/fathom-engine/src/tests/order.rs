//! What is executed, and in which order.

use super::{compare_in, log_of, noise, run_in};
use crate::measuring::scripted::{Scripted, took};
use fathom_analyze::{StopReason, Subject};
use fathom_measure::MeasureError;
use fathom_record::{Ending, Span};
use std::collections::BTreeMap;

/// A line for each.
fn warnings_of(subject: &Subject) -> String {
    let lines: Vec<String> = subject.warnings.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

const HOOKS: [&str; 10] = ["-s", "set", "-p", "pre", "-C", "con", "-c", "cle", "--between", "btw"];

#[test]
fn hooks_stand_where_hyperfine_has_them() {
    let mut laboratory = Scripted::timed(|_, _| 1.0);
    let words = [&HOOKS[..8], &["-w", "1", "-r", "2", "a", "b x"]].concat();
    run_in(&mut laboratory, &words);
    let of = |command: &'static str| {
        let run = ["sh -c pre", command, "sh -c con"];
        [&["sh -c set"][..], &run, &run, &run, &["sh -c cle"]].concat()
    };
    assert_eq!(log_of(&laboratory), [of("a"), of("b x")].concat());
}

#[test]
fn between_runs_before_every_run_but_the_first() {
    let mut laboratory = Scripted::timed(|_, _| 1.0);
    run_in(&mut laboratory, &["--between", "btw", "-r", "2", "a", "b"]);
    let btw = "sh -c btw";
    assert_eq!(log_of(&laboratory), ["a", btw, "a", btw, "b", btw, "b"]);
}

#[test]
fn hooks_may_differ_per_command_and_have_parameters() {
    let mut laboratory = Scripted::timed(|_, _| 1.0);
    let words = ["-r", "1", "-L", "n", "1,2", "-p", "x {n}", "-p", "y {n}", "a {n}", "b {n}"];
    run_in(&mut laboratory, &words);
    let expected = ["sh -c x 1", "a 1", "sh -c y 1", "b 1", "sh -c x 2", "a 2", "sh -c y 2", "b 2"];
    assert_eq!(log_of(&laboratory), expected);
}

#[test]
fn every_combination_of_parameters_runs() {
    let mut laboratory = Scripted::timed(|_, _| 1.0);
    let words = ["-r", "1", "-P", "x", "1", "2", "-L", "y", "p,q", "go {x} {y}"];
    run_in(&mut laboratory, &words);
    assert_eq!(log_of(&laboratory), ["go 1 p", "go 2 p", "go 1 q", "go 2 q"]);
}

/// Set-ups first, then rounds of warm-up, then blocks that are their own mirror image, with two
/// runs of everybody, and not all in the same order; clean-ups last.
#[test]
fn a_comparison_runs_in_mirrored_blocks() {
    let mut laboratory = Scripted::timed(|words, _| if words == "c" { 12.0 } else { 10.0 });
    let words = ["-w", "2", "-s", "set", "-c", "cle", "-r", "24", "a", "b", "c"];
    let (measured, _) = compare_in(&mut laboratory, &words, (Vec::new(), None));
    assert_eq!(measured.stopped, StopReason::Fixed);
    let log = log_of(&laboratory);
    assert_eq!(log[..3], ["sh -c set"; 3]);
    assert_eq!(log[3..9], ["a", "b", "c", "a", "b", "c"]);
    assert_eq!(log[log.len() - 3..], ["sh -c cle"; 3]);
    let blocks: Vec<&[String]> = log[9..log.len() - 3].chunks(6).collect();
    assert_eq!(blocks.len(), 12, "24 pairs are 12 blocks");
    let mut seen = BTreeMap::new();
    for block in blocks {
        let mirrored: Vec<String> = block.iter().rev().cloned().collect();
        assert_eq!(block, mirrored);
        for command in ["a", "b", "c"] {
            assert_eq!(block.iter().filter(|run| *run == command).count(), 2);
        }
        *seen.entry(block.to_vec()).or_insert(0) += 1;
    }
    assert!(seen.len() > 2, "{seen:?}");
}

#[test]
fn the_clock_ends_a_comparison_in_time() {
    // Too noisy to be settled in two seconds.
    let mut laboratory =
        Scripted::timed(|words, n| 10.0 * (1.0 + noise(2 * n + usize::from(words == "a"))));
    let words = ["--max-time", "2s", "a", "b"];
    let (measured, report) = compare_in(&mut laboratory, &words, (Vec::new(), None));
    assert_eq!(measured.stopped, StopReason::MaxTime);
    assert!((1.9..2.1).contains(&measured.seconds), "{}", measured.seconds);
    assert!(report.is_some());
}

/// Commands that are slow at first, and then not: the plan is too short for the time, and goes on.
/// What is saved leads to the same answer.
#[test]
fn a_budget_is_used_to_its_end() {
    let mut laboratory = Scripted::timed(|words, n| {
        let base = if n < 6 { 40.0 } else { 10.0 };
        base * (1.0 + 0.8 * noise(2 * n + usize::from(words == "a")))
    });
    let words = ["--max-time", "4s", "a", "b"];
    let (measured, report) = compare_in(&mut laboratory, &words, (Vec::new(), None));
    assert_eq!(measured.stopped, StopReason::MaxTime);
    assert!((3.9..4.1).contains(&measured.seconds), "{}", measured.seconds);
    let text = measured.trial.as_ref().unwrap().saved(Some(measured.stopped)).text();
    assert!(!text.contains("\"extended\":[]"), "{text}");
    let saved = super::compare::trial::SavedTrial::read(&text).unwrap();
    let (_, again) =
        compare_in(&mut Scripted::timed(|_, _| 10.0), &words, (measured.runs, Some(saved)));
    assert_eq!(report.unwrap().comparisons, again.unwrap().comparisons);
}

/// Subjects that are settled leave their time to the others.
#[test]
fn a_budget_is_used_although_subjects_are_settled() {
    let mut laboratory = Scripted::timed(|words, n| match words {
        "far" => 100.0 * (1.0 + 0.01 * noise(n)),
        _ => 10.0 * (1.0 + 0.8 * noise(2 * n + usize::from(words == "a"))),
    });
    let words = ["--max-time", "8s", "a", "b", "far"];
    let (measured, _) = compare_in(&mut laboratory, &words, (Vec::new(), None));
    assert!((7.8..8.2).contains(&measured.seconds), "{}", measured.seconds);
}

/// Where a run takes long, each pair is a coin of its own, and a clear answer comes after a few of them.
#[test]
fn slow_commands_run_in_single_pairs_and_stop_early() {
    let time = |words: &str, n: usize| {
        (if words == "a" { 500.0 } else { 1000.0 })
            * (1.0 + 0.01 * noise(2 * n + usize::from(words == "a")))
    };
    let words = ["a", "b"];
    let mut laboratory = Scripted::timed(time);
    let (measured, report) = compare_in(&mut laboratory, &words, (Vec::new(), None));
    assert_eq!(measured.stopped, StopReason::Verdict);
    let log = log_of(&laboratory);
    // One round of warm-up.
    let pairs: Vec<&[String]> = log[2..].chunks(2).collect();
    assert!(pairs.iter().all(|pair| pair == &["a", "b"] || pair == &["b", "a"]), "{pairs:?}");
    assert!(pairs.windows(2).any(|two| two[0] != two[1]), "coins: {pairs:?}");
    let comparisons = report.unwrap().comparisons;
    let found = &comparisons.as_ref().unwrap()[0];
    assert_eq!((found.verdict.name(), found.pairs()), ("slower", pairs.len()));
    // The guard may want another look.
    assert!([8, 12].contains(&pairs.len()), "{}", pairs.len());
    assert!(measured.seconds < 1.6 * pairs.len() as f64 + 2.0, "{}", measured.seconds);
    // What is saved leads to the same answer.
    let text = measured.trial.as_ref().unwrap().saved(Some(measured.stopped)).text();
    let saved = super::compare::trial::SavedTrial::read(&text).unwrap();
    let (_, again) =
        compare_in(&mut Scripted::timed(|_, _| 10.0), &words, (measured.runs, Some(saved)));
    assert_eq!(comparisons, again.unwrap().comparisons);
    // Saved trials of before did not say how many pairs a block has: two.
    let mut older: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(older["pairs_per_block"].take(), 1);
    let older = super::compare::trial::SavedTrial::read(&older.to_string()).unwrap().text();
    assert!(older.contains("\"pairs_per_block\":2"), "{older}");
}

/// A pair that was cut off is not repeated; the next has the coin it would have had.
#[test]
fn single_pairs_are_resumed() {
    let words = ["-w", "1", "a", "b"];
    let time = |words: &str, n: usize| 1000.0 * (1.0 + noise(2 * n + usize::from(words == "b")));
    let mut whole = Scripted::timed(time);
    compare_in(&mut whole, &words, (Vec::new(), None));
    let whole = log_of(&whole);
    let mut cut = Scripted::timed(time).interrupted_after(2 + 3 * 2 + 1);
    let (measured, _) = compare_in(&mut cut, &words, (Vec::new(), None));
    let saved = measured.trial.as_ref().unwrap().saved(None);
    let mut rest = Scripted::timed(time);
    let (resumed, _) = compare_in(&mut rest, &words, (measured.runs, Some(saved)));
    assert!(resumed.error.is_none());
    let second = log_of(&rest);
    assert_eq!(second[..8], whole[10..18]);
    assert_eq!(resumed.trial.unwrap().course().blocks(), 3 + second.len() / 2);
}

/// The effort sets the time and the number of pairs and runs.
#[test]
fn an_effort_sets_how_much_is_measured() {
    use fathom_request::EffortPreset;
    const EFFORTS: [EffortPreset; 3] =
        [EffortPreset::Quick, EffortPreset::Normal, EffortPreset::Thorough];
    let slow =
        || Scripted::timed(|words, n| 2000.0 * (1.0 + noise(2 * n + usize::from(words == "a"))));
    let runs = |effort: EffortPreset| {
        let mut request = super::run_request(&["a"]);
        request.effort = effort;
        // All alike: there is no interval that could be narrow enough.
        super::run_of(&mut Scripted::timed(|_, _| 2000.0), &request).0.runs.len()
    };
    assert_eq!(EFFORTS.map(runs), [10, 20, 60]);
    let pairs = |effort: EffortPreset| {
        let mut request = super::compare_request(&["-w", "0", "a", "b"]);
        request.effort = effort;
        super::compare_of(&mut slow(), &request, (Vec::new(), None)).0.runs.len() / 2
    };
    assert_eq!(EFFORTS.map(pairs), [10, 20, 40]);
}

/// As many runs of each as were asked for, also an odd number: the last block is one pair.
#[test]
fn an_odd_number_of_runs_is_kept() {
    for (number, expected) in [("5", 5), ("12", 12), ("25", 25)] {
        let mut laboratory =
            Scripted::timed(|words, n| 10.0 + 0.1 * noise(2 * n + usize::from(words == "a")));
        let words = ["-w", "0", "-r", number, "a", "b", "c"];
        let (_, report) = compare_in(&mut laboratory, &words, (Vec::new(), None));
        let log = log_of(&laboratory);
        for command in ["a", "b", "c"] {
            assert_eq!(log.iter().filter(|run| *run == command).count(), expected);
        }
        let report = report.unwrap();
        assert!(report.comparisons.unwrap().iter().all(|found| found.pairs() == expected));
        assert!(report.subjects.iter().all(|subject| subject.series.len() == expected));
    }
    // At most: one less if it is odd.
    let mut laboratory =
        Scripted::timed(|words, n| 10.0 + 5.0 * noise(2 * n + usize::from(words == "a")));
    compare_in(&mut laboratory, &["-w", "0", "-M", "25", "a", "b"], (Vec::new(), None));
    assert_eq!(log_of(&laboratory).len(), 48);
}

#[test]
fn too_few_runs_for_an_answer_are_said_before() {
    let note = |words: &[&str]| {
        let request = super::compare_request(words);
        let subjects = super::subjects::build(&request.subjects, &request.running).unwrap();
        super::compare::ComparePlan::of(&request, subjects, 7).unwrap().too_few_to_answer()
    };
    let line = note(&["-r", "10", "a", "b"]).unwrap();
    assert!(line.contains("10 pairs cannot give an answer at 95%"), "{line}");
    assert!(line.contains("-r 12 is the least"), "{line}");
    assert_eq!(note(&["-r", "11", "a", "b"]), None);
    assert_eq!(note(&["a", "b"]), None);
    assert!(note(&["-M", "11", "a", "b"]).unwrap().contains("-M 12"));
    assert!(note(&["-r", "11", "a", "b", "c"]).is_some(), "two verdicts share the error");
    // What is said to be the least can give an answer.
    let far = |words: &str, n: usize| {
        (if words == "b" { 20.0 } else { 10.0 }) + 0.01 * noise(2 * n + usize::from(words == "a"))
    };
    let verdict = |number: &str| {
        let words = ["-w", "0", "-r", number, "a", "b"];
        let (_, report) = compare_in(&mut Scripted::timed(far), &words, (Vec::new(), None));
        report.unwrap().comparisons.unwrap()[0].verdict.name()
    };
    assert_eq!((verdict("10"), verdict("11")), ("inconclusive", "slower"));
}

#[test]
fn slow_commands_get_ten_blocks_unless_the_time_is_limited() {
    let slow =
        || Scripted::timed(|words, n| 20_000.0 * (1.0 + noise(2 * n + usize::from(words == "a"))));
    let (measured, _) = compare_in(&mut slow(), &["-w", "0", "a", "b"], (Vec::new(), None));
    assert_eq!(measured.runs.len(), 40);
    let words = ["-w", "0", "--max-time", "3min", "a", "b"];
    let (measured, _) = compare_in(&mut slow(), &words, (Vec::new(), None));
    assert!(measured.runs.len() <= 12, "{}", measured.runs.len());
}

#[test]
fn a_run_stops_by_precision_time_or_count() {
    let steady = || Scripted::timed(|_, n| 10.0 * (1.0 + 0.02 * noise(n)));
    let (measured, _) = run_in(&mut steady(), &["a"]);
    assert_eq!(measured.stopped, [StopReason::Precision]);
    assert!(measured.runs.len() < 60, "{}", measured.runs.len());
    let noisy = || Scripted::timed(|_, n| 10.0 * (1.0 + noise(n)));
    let (measured, _) = run_in(&mut noisy(), &["--max-time", "1s", "--precision", "0.1%", "a"]);
    assert_eq!(measured.stopped, [StopReason::MaxTime]);
    assert!((90..110).contains(&measured.runs.len()), "{}", measured.runs.len());
    let (measured, _) = run_in(&mut noisy(), &["-M", "30", "--precision", "0.1%", "a"]);
    assert_eq!(
        (measured.stopped.as_slice(), measured.runs.len()),
        (&[StopReason::MaxRuns][..], 30)
    );
    let (measured, _) = run_in(&mut noisy(), &["-r", "7", "a"]);
    assert_eq!((measured.stopped.as_slice(), measured.runs.len()), (&[StopReason::Fixed][..], 7));
}

#[test]
fn a_run_makes_enough_runs_to_judge_them_where_time_allows() {
    let taking =
        |seconds: f64| Scripted::timed(move |_, n| 1000.0 * seconds * (1.0 + 0.2 * noise(n)));
    let (measured, report) = run_in(&mut taking(3.0), &["--precision", "0.1%", "a"]);
    assert_eq!((measured.runs.len(), measured.stopped[0]), (20, StopReason::MaxTime));
    assert!(!report.subjects[0].estimates[0].if_independent);
    // Ten, because twenty would take too long; and the report says what they would take.
    let (measured, report) = run_in(&mut taking(20.0), &["--precision", "0.1%", "a"]);
    assert_eq!(measured.runs.len(), 10);
    assert!(report.subjects[0].estimates[0].if_independent);
    let warnings = warnings_of(&report.subjects[0]);
    assert!(
        warnings.contains("10 runs; 20 show") && warnings.contains("--max-time 4"),
        "{warnings}"
    );
    // An explicit time limit is kept.
    let words = ["--max-time", "10s", "--precision", "0.1%", "a"];
    let (measured, _) = run_in(&mut taking(3.0), &words);
    assert!(measured.runs.len() < 6, "{}", measured.runs.len());
}

#[test]
fn a_failing_command_ends_it_unless_ignored() {
    let failing = || {
        let mut count = 0;
        Scripted::new(move |_| {
            count += 1;
            let mut execution = took(5.0);
            if count == 4 {
                execution.ending = Ending::Exited(3);
                execution.stderr_tail = b"one\nno such table: \x1b[2Jx\n".to_vec();
            }
            execution
        })
    };
    let (measured, _) = run_in(&mut failing(), &["-r", "6", "a"]);
    assert_eq!(measured.runs.len(), 3);
    let Some(MeasureError::Command(failure)) = measured.error else { panic!() };
    assert_eq!(
        failure.to_string(),
        "a exited with status 3 in run 4. Its last lines on standard error:\n  | one\n  | no such \
         table: \u{fffd}[2Jx\nIf this is not a failure, accept it with -i=3, or any status with -i."
    );
    let (measured, report) = run_in(&mut failing(), &["-r", "6", "-i=3", "a"]);
    assert!(measured.error.is_none());
    assert!(warnings_of(&report.subjects[0]).contains("1 of 6 runs failed"));
    let (measured, _) = run_in(&mut failing(), &["-r", "6", "-i=4", "a"]);
    assert!(measured.error.is_some());
    // A run that was cut off has no time of its own, whatever is ignored.
    let mut endless = Scripted::new(|_| {
        let mut execution = took(5.0);
        execution.ending = Ending::TimedOut;
        execution
    });
    let (measured, _) = run_in(&mut endless, &["-i", "-r", "6", "a"]);
    assert!(matches!(measured.error, Some(MeasureError::Command(_))));
}

/// An interrupted comparison goes on with the same coins, and ends where an uninterrupted one
/// with the same looks would.
#[test]
fn a_resumed_comparison_goes_on_with_its_coins() {
    let words = ["-w", "1", "--max-time", "2s", "a", "b"];
    let time =
        |words: &str, n: usize| 10.0 * (1.0 + 0.3 * noise(2 * n + usize::from(words == "b")));
    let mut whole = Scripted::timed(time);
    compare_in(&mut whole, &words, (Vec::new(), None));
    let whole = log_of(&whole);
    // Two warm-up runs, then in the middle of the sixth block.
    let mut cut = Scripted::timed(time).interrupted_after(2 + 5 * 4 + 2);
    let (measured, report) = compare_in(&mut cut, &words, (Vec::new(), None));
    assert!(matches!(measured.error, Some(MeasureError::Interrupted)));
    assert!(report.is_some(), "what was measured is shown");
    let saved = measured.trial.as_ref().unwrap().saved(None);
    let mut rest = Scripted::timed(time);
    let (resumed, _) = compare_in(&mut rest, &words, (measured.runs, Some(saved)));
    assert!(resumed.error.is_none());
    // The block that was cut off is not repeated; the next has the coin it would have had.
    let (first, second) = (log_of(&cut), log_of(&rest));
    assert_eq!(first[..22], whole[..22]);
    assert_eq!(second[..20], whole[26..46]);
    // Nor does what was measured of it count.
    assert_eq!(resumed.trial.unwrap().course().blocks(), 5 + second.len() / 4);
}

/// The metric, not the time, decides.
#[test]
fn metrics_that_are_printed_are_compared() {
    let mut laboratory = Scripted::new(|invocation| {
        let rate = if invocation.words == ["b"] { 120.0 } else { 100.0 };
        let mut execution = took(10.0);
        execution.stdout = format!("rate: {rate}/s\n").into_bytes();
        execution
    });
    let words = ["--metric", "rate=rate: ([0-9.]+)", "--on", "metric:rate", "a", "b"];
    let (_, report) = compare_in(&mut laboratory, &words, (Vec::new(), None));
    let comparison = &report.unwrap().comparisons.unwrap()[0];
    assert!((comparison.ratio - 1.2).abs() < 1e-12, "{}", comparison.ratio);
}

/// Each warning says what to do, and fits what was asked for.
#[test]
fn oddities_are_told_with_a_remedy() {
    let cold = |words: &[&str]| {
        let mut laboratory = Scripted::timed(|_, n| if n == 0 { 40.0 } else { 10.0 });
        let (_, report) = run_in(&mut laboratory, words);
        warnings_of(&report.subjects[0])
    };
    let text = cold(&["-r", "6", "a"]);
    assert!(text.contains("first run took 4.0 times") && text.contains("-w 1"), "{text}");
    let text = cold(&["-r", "6", "-p", "drop", "a"]);
    assert!(text.contains("prepare command should leave the same state"), "{text}");
    assert!(!cold(&["-r", "6", "-w", "1", "a"]).contains("first run"));
    let mut waiting = Scripted::new(|_| {
        let mut execution = took(100.0);
        execution.usage.user = Span::from_milliseconds(1);
        execution
    });
    let (_, report) = run_in(&mut waiting, &["-r", "3", "a"]);
    let text = warnings_of(&report.subjects[0]);
    assert!(text.contains("waits most of its time") && text.contains("--on cpu-time"), "{text}");
}
