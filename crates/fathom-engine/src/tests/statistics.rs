//! Comparisons of other statistics than the median: tails, means, minima, many quantiles.

use super::words::compare_request;
use super::{compare_in, log_of, noise, saved, shown};
use crate::compare::trial::SavedTrial;
use crate::measuring::scripted::Scripted;
use crate::{Engine, compare};
use fathom_analyze::compare::{Comparison, Design, GateOutcome, Verdict};
use fathom_analyze::{Document, Report};

/// One run in thirty is slow: twice as long, and of `./b` by as much more as `tail` says.
fn machine(tail: f64) -> Scripted {
    Scripted::timed(move |words, count| {
        let of_b = words == "./b";
        let step = count * 2 + usize::from(of_b);
        let quick = 20.0 * (1.0 + 0.01 * noise(step));
        let is_slow = noise(step + 1_000_003) > 0.5 - 1.0 / 30.0;
        match (is_slow, of_b) {
            (false, _) => quick,
            (true, false) => 2.0 * quick,
            (true, true) => 2.0 * tail * quick,
        }
    })
}

fn compared(laboratory: &mut Scripted, words: &[&str]) -> (Report, String) {
    let (measured, report) = compare_in(laboratory, words, (Vec::new(), None));
    let report = report.unwrap();
    let page = shown(&report, words, measured.seconds);
    (report, page.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn first(report: &Report) -> &Comparison {
    &report.comparisons.as_ref().unwrap()[0]
}

#[test]
fn a_tail_that_is_longer_is_seen_where_the_median_sees_nothing() {
    let words = |statistic| ["--statistic", statistic, "-r", "3000", "./a", "./b"];
    let (report, page) = compared(&mut machine(1.5), &words("p99"));
    let found = first(&report);
    assert_eq!(found.verdict, Verdict::Slower, "{page}");
    assert!(found.interval.contains(1.5), "{page}");
    assert!(page.starts_with("The p99 of ./b is "), "{page}");
    assert!(page.contains("% longer than that of ./a (95% CI "), "{page}");
    let [old, new] = found.sides.unwrap();
    assert!((new / old / found.ratio - 1.0).abs() < 0.02, "{old} {new} {}", found.ratio);
    // The table next to it shows the same statistic.
    assert!(report.subjects.iter().all(|one| one.estimates[0].statistic.to_string() == "p99"));
    assert!(page.contains(" p99 (95% CI) "), "{page}");
    // No run is left out because it was slow.
    let Design::Paired(paired) = &found.design else { panic!("{found:?}") };
    assert_eq!((paired.used, paired.blocks, paired.set_aside.len()), (1500, 1500, 0));
    let (report, page) = compared(&mut machine(1.5), &words("median"));
    assert_eq!(first(&report).verdict, Verdict::Equivalent, "{page}");
    let (report, page) = compared(&mut machine(1.5), &words("p50"));
    assert_eq!(first(&report).verdict, Verdict::Equivalent, "{page}");
    let (report, page) = compared(&mut machine(1.5), &words("mean"));
    assert_eq!(first(&report).verdict, Verdict::Slower, "{page}");
    assert!(first(&report).interval.contains((1.0 + 2.0 / 30.0) / (1.0 + 1.0 / 30.0)), "{page}");
    // What no mean can show is said.
    let shown = "a mean includes rare long runs: 3000 of each show those of one in 6";
    assert!(page.contains(shown), "{page}");
}

/// Stalls that did not happen cannot be in a mean, so few runs have none.
#[test]
fn a_mean_waits_for_runs_that_show_stalls() {
    let words = |runs| ["--statistic", "mean", "-r", runs, "./a", "./b"];
    let (report, page) = compared(&mut machine(1.5), &words("40"));
    let found = first(&report);
    assert_eq!((found.verdict, found.interval.is_finite()), (Verdict::Inconclusive, false));
    assert!(page.contains("40 pairs are not enough data for a 95% CI of the mean"), "{page}");
    assert!(page.contains("About 24 more pairs") && page.contains(": -r 64"), "{page}");
    let (report, page) = compared(&mut machine(1.5), &words("64"));
    assert!(first(&report).interval.is_finite(), "{page}");
    // Two of one run in thirty decide it.
    assert!(page.contains("rare long runs decide the ratio of the means (skewness"), "{page}");
    assert!(page.contains("allows for one more block, twice as far out as any"), "{page}");
    assert!(page.contains("64 of each show those of one in 13"), "{page}");
}

#[test]
fn two_identical_commands_have_no_other_tail() {
    for statistic in ["p50", "p90", "p99", "mean", "min", "quantiles"] {
        let words = ["--statistic", statistic, "-r", "1200", "./a", "./c"];
        let (report, page) = compared(&mut machine(1.0), &words);
        let verdict = first(&report).verdict;
        assert!(matches!(verdict, Verdict::Equivalent | Verdict::Inconclusive), "{page}");
    }
}

#[test]
fn quantiles_say_from_where_on_it_is_slower() {
    let words = ["--statistic", "quantiles", "-r", "6000", "--fail-if-slower", "5%", "./a", "./b"];
    let (report, page) = compared(&mut machine(1.5), &words);
    let found = first(&report);
    assert_eq!(found.verdict, Verdict::Slower, "{page}");
    assert!(page.starts_with("./b is slower than ./a "), "{page}");
    let names: Vec<String> = found
        .quantiles
        .iter()
        .map(|one| format!("{}: {}", one.p.get(), one.verdict.name()))
        .collect();
    assert!(names.contains(&"0.5: equivalent".to_string()), "{names:?}");
    assert!(names.contains(&"0.99: slower".to_string()), "{names:?}");
    // The interval of all together is wider than that of the one alone.
    let (alone, _) =
        compared(&mut machine(1.5), &["--statistic", "p99", "-r", "6000", "./a", "./b"]);
    let together = found.quantiles.iter().find(|one| one.p.get() == 0.99).unwrap();
    assert!(together.interval.width() >= first(&alone).interval.width());
    assert_eq!(found.gated(), Some(GateOutcome::Failed));
    assert!(page.contains("FAILED, p99"), "{page}");
    // What JSON keeps is what there was.
    let text = Document::of(&report, true).to_json().unwrap();
    let read = Document::read(&text).unwrap();
    assert_eq!(first(&read).quantiles, found.quantiles);
    assert_eq!(first(&read).statistic, found.statistic);
    assert_eq!((first(&read).ratio, first(&read).verdict), (found.ratio, found.verdict));
    assert!(text.contains("\"statistic\": \"quantiles\"") && text.contains("\"headline\": \"p99"));
}

#[test]
fn few_runs_say_how_many_a_tail_takes() {
    let words = ["--statistic", "p99", "-r", "10", "./a", "./b"];
    let (report, page) = compared(&mut machine(1.0), &words);
    let found = first(&report);
    assert_eq!((found.verdict, found.interval.is_finite()), (Verdict::Inconclusive, false));
    assert!(page.contains("10 pairs are not enough data for a 95% CI of the p99"), "{page}");
    assert!(found.further.unwrap().pairs > 100, "{:?}", found.further);
    assert!(page.contains("more pairs") && page.contains("would give an interval: -r "), "{page}");
    let request = compare_request(&words);
    let subjects = crate::measuring::subjects::build(&request.subjects, &request.running).unwrap();
    let note = compare::ComparePlan::of(&request, subjects, 1).unwrap().too_few_to_answer();
    assert!(note.unwrap().contains("10 pairs cannot give an answer about the p99"));
}

/// The note before measuring and the advice after it name the same number of pairs.
#[test]
fn the_least_that_can_answer_is_said_once() {
    for statistic in ["p50", "p75", "p90", "mean", "min", "quantiles"] {
        let words = ["--statistic", statistic, "-r", "4", "./a", "./b"];
        let (_, page) = compared(&mut machine(1.0), &words);
        let request = compare_request(&words);
        let subjects =
            crate::measuring::subjects::build(&request.subjects, &request.running).unwrap();
        let plan = compare::ComparePlan::of(&request, subjects, 1).unwrap();
        let note = plan.too_few_to_answer().unwrap();
        let least = note.split("-r ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        let advice = format!("would give an interval: -r {least} ");
        assert!(page.contains(&advice), "{statistic}: {note}\n{page}");
    }
}

/// What was measured in two parts is what would have been measured in one, and is shown as such.
#[test]
fn a_tail_is_resumed_and_shown_again() {
    for statistic in ["p90", "mean", "min", "quantiles"] {
        let words = ["--statistic", statistic, "-M", "400", "-w", "1", "./a", "./b"];
        let mut cut = machine(1.3).interrupted_after(2 + 14 * 4 + 1);
        let (measured, report) = compare_in(&mut cut, &words, (Vec::new(), None));
        assert!(measured.error.is_some() && report.is_some());
        let plan = measured.trial.unwrap().saved(None);
        let plan = SavedTrial::read(&plan.text()).unwrap();
        let begun = log_of(&cut).len();
        let mut rest = machine(1.3);
        let (resumed, report) = compare_in(&mut rest, &words, (measured.runs, Some(plan)));
        assert!(resumed.error.is_none() && begun > 50);
        let report = report.unwrap();
        let kept = resumed.trial.unwrap().saved(Some(resumed.stopped)).text();
        let session = saved(resumed.runs, &kept, 7);
        let mut nobody = ();
        let mut engine = Engine::new(&mut nobody);
        let request = compare_request(&words);
        let shown = compare::report_of_session(&mut engine, &request, &session, None);
        let (shown, _) = shown.unwrap().unwrap();
        assert_eq!(first(&shown), first(&report), "{statistic}");
    }
}

/// A clear answer at an interruption does not end a comparison of a fixed number of pairs.
#[test]
fn a_fixed_number_of_pairs_is_resumed_to_its_end() {
    for statistic in ["median", "p90"] {
        let words = ["--statistic", statistic, "-r", "200", "-w", "1", "./a", "./b"];
        let mut cut = machine(1.3).interrupted_after(2 + 50 * 4 + 1);
        let (measured, report) = compare_in(&mut cut, &words, (Vec::new(), None));
        let is_clear = first(&report.unwrap()).verdict != Verdict::Inconclusive;
        assert_eq!(is_clear, statistic == "median");
        let plan = SavedTrial::read(&measured.trial.unwrap().saved(None).text()).unwrap();
        let mut rest = machine(1.3).interrupted_after(1000);
        let (resumed, report) = compare_in(&mut rest, &words, (measured.runs, Some(plan)));
        assert!(resumed.error.is_none(), "{statistic}: it went on for ever");
        assert_eq!(first(&report.unwrap()).pairs(), 200);
    }
}

#[test]
fn a_shell_is_subtracted_from_means_and_from_nothing_else() {
    let shell = |words: &str, count: usize| {
        let own: f64 = words.rsplit(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0.0);
        (1.0 + own) * (1.0 + 0.01 * noise(count * 7 + words.len()))
    };
    let words = |statistic| ["--statistic", statistic, "-r", "200", "-S", "sh", "go 1", "run 2"];
    let (report, page) = compared(&mut Scripted::timed(shell), &words("mean"));
    // 2 ms and 3 ms in whole.
    assert!(first(&report).interval.contains(2.0), "{page}");
    assert!(first(&report).interval.width() < 0.1, "{page}");
    let refused = |words: &[&str]| {
        let request = compare_request(words);
        let subjects =
            crate::measuring::subjects::build(&request.subjects, &request.running).unwrap();
        compare::ComparePlan::of(&request, subjects, 1).map(|_| ()).map_err(|e| e.to_string())
    };
    for statistic in ["p99", "min", "quantiles"] {
        let error = refused(&words(statistic)).unwrap_err();
        assert!(error.contains("with -S") && error.contains("--statistic mean"), "{error}");
    }
    // Memory has no start-up to subtract.
    let memory = ["--statistic", "p90", "--on", "peak-memory", "-S", "sh", "go 1", "run 2"];
    assert_eq!(refused(&memory), Ok(()));
}

/// Looks too early for an interval spend none of the error.
#[test]
fn a_tail_is_looked_at_when_it_can_be_told() {
    let words = ["--statistic", "p99", "--max-time", "60s", "./a", "./b"];
    let mut laboratory = machine(3.0);
    let (measured, report) = compare_in(&mut laboratory, &words, (Vec::new(), None));
    let trial = measured.trial.unwrap();
    let looks = trial.course().looks().at();
    assert!(looks[0] >= 150, "{looks:?}");
    let report = report.unwrap();
    assert_eq!(first(&report).verdict, Verdict::Slower);
}
