//! Commands that a shell runs: the empty shell alternates with them, and the report explains the
//! difference.

use super::words::{compare_request, run_request};
use super::{compare_in, log_of, noise, run_in, saved};
use crate::measuring::scripted::{Scripted, took};
use crate::measuring::shell::{is_empty_shell, refuse_subtracted};
use crate::{Engine, compare, run};
use fathom_analyze::compare::GateOutcome;
use fathom_analyze::{Document, Report, StopReason};
use fathom_record::{Phase, Span};
use fathom_render::{Detail, View, comparisons, estimates, human, verdict};

const EMPTY: &str = "sh -c ";

/// A shell takes a millisecond, and what it runs as long as its number says.
fn machine() -> Scripted {
    Scripted::timed(|words, count| {
        let own: f64 =
            words.split(' ').next_back().and_then(|text| text.parse().ok()).unwrap_or(0.0);
        // Different noise for every command.
        let offset = if words == EMPTY { 3 } else { words.len() };
        (1.0 + own) * (1.0 + 0.01 * noise(count * 7 + offset))
    })
}

fn text(report: &Report, quiet: bool) -> String {
    let view = View { detail: Detail::of(quiet, false), ..View::default() };
    match &report.comparisons {
        Some(found) => {
            let circumstances = verdict::Circumstances { seconds: Some(1.0) };
            verdict::render(report, found, circumstances, &view, 400)
        }
        None => human::render(report, &view, 400),
    }
}

#[test]
fn the_empty_shell_runs_in_turn_with_the_command() {
    let mut laboratory = machine();
    let words = ["-S", "sh", "-r", "40", "-w", "2", "-p", "pre", "go 1"];
    let (measured, report) = run_in(&mut laboratory, &words);
    let log = log_of(&laboratory);
    let (pre, command) = ("sh -c pre", "sh -c go 1");
    assert_eq!(log[..5], [EMPTY, pre, command, pre, command]);
    let mut orders = std::collections::BTreeSet::new();
    for pair in log[5..].chunks(3) {
        // Between what prepares a run and the run there is nothing.
        assert!(pair == [EMPTY, pre, command] || pair == [pre, command, EMPTY], "{pair:?}");
        orders.insert(pair.to_vec());
    }
    assert_eq!((log.len(), orders.len()), (5 + 3 * 40, 2));
    // Runs are kept as they were measured, and the estimate is without the shell.
    let whole = measured.runs.iter().filter(|run| run.phase == Phase::Measured);
    assert!(whole.clone().all(|run| run.usage.wall > Span::from_nanoseconds(1_900_000)));
    assert_eq!(whole.count(), 40);
    let interval = report.subjects[0].estimates[0].interval().unwrap();
    assert!(interval.contains(0.001), "{interval:?}");
    let page = text(&report, false);
    assert!(page.contains("the shell's start-up time is subtracted: 1.0"), "{page}");
    assert!(page.contains("median of 40 empty runs"), "{page}");
}

#[test]
fn what_cannot_be_told_from_the_shell_is_said_everywhere() {
    let mut laboratory = machine();
    let (measured, report) = run_in(&mut laboratory, &["-S", "sh", "nothing"]);
    // The precision of a time that is about zero is out of reach, and measuring ends.
    assert_eq!(measured.stopped, [StopReason::Precision]);
    for quiet in [false, true] {
        let page = text(&report, quiet);
        assert!(
            page.contains("nothing is too fast to separate from the shell's start-up"),
            "{page}"
        );
        assert!(page.contains("it takes at most") && page.contains("Run without -S"), "{page}");
        assert!(!page.contains("takes 0") && !page.contains("1.000 ns"), "{page}");
    }
    let json = Document::of(&report, true).to_json().unwrap();
    assert!(json.contains("\"told_from_shell\": false"), "{json}");
    assert!(json.contains("\"shell_startup\""), "{json}");
    let table = estimates(&report, None);
    let markdown = table.markdown();
    assert!(markdown.contains("at most") && markdown.contains("hidden by the shell"), "{markdown}");
    // Read back, the answer is the same.
    let read = Document::read(&json).unwrap();
    assert_eq!(text(&read, true), text(&report, true));
}

#[test]
fn a_few_runs_say_no_more_than_they_know() {
    let (_, report) = run_in(&mut machine(), &["-S", "sh", "-r", "3", "nothing"]);
    let page = text(&report, true);
    assert!(page.contains("too fast to separate") && page.contains("too few runs"), "{page}");
    let (_, report) = run_in(&mut machine(), &["-S", "sh", "-r", "3", "go 5"]);
    assert!(text(&report, true).contains("go 5 takes 4.99"), "{}", text(&report, true));
}

#[test]
fn times_of_the_processor_are_without_the_shell_and_memory_is_with_it() {
    let words = ["-S", "sh", "-r", "30", "--on", "cpu-time", "--on", "peak-memory", "go 1"];
    let (_, report) = run_in(&mut machine(), &words);
    let estimate = |place: usize| &report.subjects[place].estimates[0];
    assert!((estimate(0).value - 0.001).abs() < 1e-4, "{:?}", estimate(0));
    assert_eq!(estimate(1).value, 2_000_000.0);
    assert!(report.subjects[1].startup.is_none());
}

#[test]
fn a_session_shows_what_was_seen() {
    let words = ["-S", "sh", "-r", "40", "go 1", "nothing"];
    let (measured, report) = run_in(&mut machine(), &words);
    let plan = "{\"stopped\":[\"fixed\",\"fixed\"]}";
    let shown = run::report_of_session(&run_request(&words), &saved(measured.runs, plan, 1));
    assert_eq!(text(&shown.unwrap(), false), text(&report, false));
}

#[test]
fn an_interrupted_session_goes_on_with_whole_pairs() {
    let words = ["-S", "sh", "-r", "40", "go 1"];
    let mut laboratory = machine().interrupted_after(20);
    let (measured, _) = run_in(&mut laboratory, &words);
    assert!(measured.error.is_some());
    let runs = measured.runs.len();
    assert!(measured.runs.iter().any(is_empty_shell) && runs >= 19, "{runs}");
}

/// An older Fathom kept times without the shell, and no runs of the empty shell.
#[test]
fn sessions_of_before_open_and_are_not_gone_on_with() {
    let words = ["-S", "sh", "-r", "40", "go 1"];
    let (measured, _) = run_in(&mut machine(), &words);
    let mut runs = measured.runs;
    runs.retain(|run| !is_empty_shell(run));
    let request = run_request(&words);
    let plan = "{\"stopped\":[\"fixed\"]}";
    let shown = run::report_of_session(&request, &saved(runs.clone(), plan, 1)).unwrap();
    assert!((shown.subjects[0].estimates[0].value - 0.002).abs() < 1e-4, "as they were kept");
    let subjects = super::subjects::build(&request.subjects, &request.running).unwrap().all;
    let error = refuse_subtracted(&subjects, &runs).unwrap_err().to_string();
    assert!(error.contains("older Fathom"), "{error}");
    assert!(refuse_subtracted(&subjects, &[]).is_ok());
}

#[test]
fn a_comparison_is_without_the_shell() {
    let words = ["-S", "sh", "-r", "80", "go 1", "go 2"];
    let (measured, report) = compare_in(&mut machine(), &words, (Vec::new(), None));
    let found = &report.as_ref().unwrap().comparisons.as_ref().unwrap()[0];
    // 2 ms and 3 ms with the shell.
    assert!(found.interval.contains(2.0) && found.interval.lower() > 1.8, "{:?}", found.interval);
    let shell = found.shell.unwrap();
    assert!(shell.whole.interval.contains(1.5) && !shell.is_hidden(), "{shell:?}");
    assert!(shell.share.unwrap().interval.contains(0.5), "{shell:?}");
    let page = text(&report.unwrap(), false);
    assert!(page.contains("and is excluded from the ratio"), "{page}");
    // Shown again, it is the same.
    let request = compare_request(&words);
    let plan = measured.trial.as_ref().unwrap().saved(Some(StopReason::Fixed)).text();
    let kept = saved(measured.runs, &plan, 7);
    let (shown, _) = compare::report_of_session(&mut Engine::new(&mut ()), &request, &kept, None)
        .unwrap()
        .unwrap();
    assert_eq!(text(&shown, true).lines().next(), page.lines().next());
}

#[test]
fn a_comparison_with_nothing_has_a_sign_and_no_ratio() {
    let gate = ["--fail-if-slower", "500%"];
    let words = [&["-S", "sh", "-r", "80"][..], &gate, &["nothing", "go 1"]].concat();
    let (_, report) = compare_in(&mut machine(), &words, (Vec::new(), None));
    let report = report.unwrap();
    let found = &report.comparisons.as_ref().unwrap()[0];
    assert_eq!(found.shell.unwrap().hidden, [true, false]);
    assert_eq!(found.verdict.name(), "slower");
    assert!(found.ratio < 2.1, "of whole runs: {}", found.ratio);
    // 1 ms against a few microseconds at most: that much is proven.
    assert_eq!(found.gates[0].1, GateOutcome::Failed);
    for quiet in [false, true] {
        let page = text(&report, quiet);
        assert!(page.contains("the size of the difference is unknown"), "{page}");
        assert!(page.contains("nothing cannot be separated from the shell's start-up"), "{page}");
    }
    let table = comparisons(&report, report.comparisons.as_ref().unwrap(), None);
    assert!(table.csv().contains("slower (with the shell's start-up)"), "{}", table.csv());
    let json = Document::of(&report, true).to_json().unwrap();
    assert!(json.contains("\"startup_included\": true"), "{json}");
    // Nothing against nothing.
    let words = [&["-S", "sh", "-r", "80"][..], &gate, &["nothing", "nothing else"]].concat();
    let (_, report) = compare_in(&mut machine(), &words, (Vec::new(), None));
    let report = report.unwrap();
    assert_eq!(report.comparisons.as_ref().unwrap()[0].gates[0].1, GateOutcome::Inconclusive);
    let page = text(&report, true);
    assert!(page.contains("Inconclusive") && page.contains("neither"), "{page}");
    assert!(page.contains("INCONCLUSIVE, the shell's start-up hides"), "{page}");
}

#[test]
fn a_shell_that_fails_is_named() {
    let mut laboratory = Scripted::new(|invocation| {
        let mut execution = took(1.0);
        if invocation.words.last().is_some_and(String::is_empty) {
            execution.ending = fathom_record::Ending::Exited(2);
        }
        execution
    });
    let (measured, _) = run_in(&mut laboratory, &["-S", "fish -N", "-r", "3", "a"]);
    let error = measured.error.unwrap().to_string();
    assert!(error.contains("the shell fish -N fails"), "{error}");
}

/// `-L f 'my data' -p 'rm -f {f}'` removes one file.
#[test]
fn values_are_one_word_in_hooks_and_in_commands_of_a_shell() {
    let mut laboratory = machine();
    let hooks = ["-s", "s {f}", "-p", "rm -f {f}", "-C", "c '{f}'", "-c", "d \"{f}\""];
    let words = [&["-r", "1", "-L", "f", "my $data"][..], &hooks, &["cat {f}"]].concat();
    run_in(&mut laboratory, &words);
    let expected = [
        "sh -c s 'my $data'",
        "sh -c rm -f 'my $data'",
        "cat my $data",
        "sh -c c 'my $data'",
        "sh -c d \"my \\$data\"",
    ];
    assert_eq!(log_of(&laboratory), expected);
    let mut laboratory = machine();
    let (_, report) =
        run_in(&mut laboratory, &["-S", "sh", "-r", "1", "-L", "f", "my data,", "cat {f}"]);
    let log = log_of(&laboratory);
    assert!(log.contains(&"sh -c cat 'my data'".to_string()), "{log:?}");
    assert!(log.contains(&"sh -c cat ".to_string()), "{log:?}");
    // It is shown as it was written.
    assert_eq!(report.subjects[0].series.name(), "cat my data");
}
