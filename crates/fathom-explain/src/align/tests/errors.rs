//! Every error, word by word.

use super::*;
use crate::{Stage, Stopped};
use std::sync::atomic::{AtomicUsize, Ordering};

fn waves(count: usize) -> Vec<f64> {
    (0..count).map(|n| (n as f64 / 5.0).sin() + n as f64 / 50.0).collect()
}

fn two_runs() -> Traces {
    Traces::default()
        .gauge("run-1", "ipc", &waves(100))
        .gauge("run-1", "misses", &waves(100))
        .gauge("run-2", "ipc", &waves(110))
        .gauge("run-2", "faults", &waves(110))
}

fn message(traces: &Traces, selection: &Selection) -> String {
    traces.align(selection).unwrap_err().to_string()
}

fn window() -> Vec<Span> {
    vec![rows(40, 60)]
}

#[test]
fn runs_and_targets() {
    assert_eq!(
        message(&Traces::default(), &select("ipc", &window())),
        "there is no run: give traces that hold at least one"
    );
    let mut selection = select("ipc", &window());
    selection.run = Some("run-3".to_string());
    assert_eq!(
        message(&two_runs(), &selection),
        "there is no run \"run-3\" (did you mean \"run-1\", \"run-2\"?): the runs are \"run-1\", \
         \"run-2\""
    );
    assert_eq!(
        message(&two_runs(), &select("misess", &window())),
        "no run has the metric \"misess\" (did you mean \"misses\"?): there are \"ipc\", \
         \"misses\", \"faults\""
    );
    let mut selection = select("faults", &window());
    selection.run = Some("run-1".to_string());
    assert_eq!(
        message(&two_runs(), &selection),
        "run \"run-1\" has no metric \"faults\": look at it in a run that has it: \"run-2\""
    );
}

#[test]
fn common_metrics() {
    let options =
        |common: &str| AlignOptions { common: Some(common.to_string()), ..AlignOptions::default() };
    let selection = select("ipc", &window());
    assert_eq!(
        two_runs().align_with(&selection, &options("faults")).unwrap_err().to_string(),
        "the common metric \"faults\" is missing in \"run-1\", so that these runs cannot be aligned \
         by it; choose one that all runs have with --common: \"ipc\""
    );
    assert_eq!(
        two_runs().align_with(&selection, &options("icp")).unwrap_err().to_string(),
        "the common metric \"icp\" is missing in \"run-1\", \"run-2\", so that these runs cannot be \
         aligned by it; choose one that all runs have with --common (did you mean \"ipc\"?): \"ipc\""
    );
    let apart = Traces::default().gauge("a", "x", &waves(9)).gauge("b", "y", &waves(9));
    assert_eq!(
        apart.align_with(&select("x", &[Span::Whole]), &options("x")).unwrap_err().to_string(),
        "the common metric \"x\" is missing in \"b\", so that these runs cannot be aligned by it; no \
         other metric is in all runs: leave these runs out"
    );
    let apart = apart.gauge("c", "y", &waves(9));
    assert_eq!(
        message(&apart, &select("x", &[Span::Whole])),
        "no metric is in all runs, so that they cannot be aligned: \"y\" is in most, but not in \
         \"a\"; leave these runs out, or record it in all of them"
    );
    let flat = Traces::default()
        .gauge("a", "x", &waves(9))
        .gauge("a", "flat", &[1.0; 9])
        .gauge("b", "flat", &[1.0; 9]);
    assert_eq!(
        message(&flat, &select("x", &[Span::Whole])),
        "the metrics that all runs have never change in run \"a\", so that they cannot align \
         anything: \"flat\"; record one that follows the work, such as processor time or \
         instructions, in all runs"
    );
}

#[test]
fn windows_and_baselines() {
    let of = |span: Span| message(&two_runs(), &select("misses", &[span]));
    assert_eq!(
        of(time(200, 300)),
        "the window from 200 s to 300 s has no row of metric \"misses\" in run \"run-1\", which has \
         100 rows from 0 s to 99 s: choose one within them"
    );
    assert_eq!(
        of(rows(100, 120)),
        "the window from row 100 to row 120 has no row of metric \"misses\" in run \"run-1\", which \
         has 100 rows from 0 s to 99 s: choose one within them"
    );
    assert_eq!(
        of(time(9, 8)),
        "the window from 9 s to 8 s ends before it starts: exchange its ends"
    );
    assert_eq!(
        of(rows(9, 8)),
        "the window from row 9 to row 8 ends before it starts: exchange its ends"
    );
    assert_eq!(
        of(rows(9, 10)),
        "the window from row 9 to row 10 has 2 rows with a value of metric \"misses\" in run \
         \"run-1\", where at least 3 are needed; the metric has 100 rows from 0 s to 99 s: choose a \
         longer one"
    );
    assert_eq!(
        message(&two_runs(), &select("misses", &[])),
        "no window was selected: say which, or select the whole metric"
    );
    let mut selection = select("misses", &window());
    selection.baseline = Some(time(30, 40));
    assert_eq!(
        message(&two_runs(), &selection),
        "the baseline from 30 s to 40 s overlaps the window from row 40 to row 60, and nothing can \
         be compared with itself: choose a baseline apart from it, or none"
    );
    selection.baseline = Some(time(500, 600));
    assert!(
        message(&two_runs(), &selection).starts_with("the baseline from 500 s to 600 s has no")
    );
}

#[test]
fn values_and_times() {
    let few = Traces::default().rows(
        "r",
        "a",
        Kind::Gauge,
        &[(0, S, None), (S, 2 * S, Some(1.0)), (2 * S, 3 * S, None)],
    );
    assert_eq!(
        message(&few, &select("a", &[Span::Whole])),
        "there is only 1 value of metric \"a\" in run \"r\", where at least 3 are needed; choose \
         another metric, or another run"
    );
    let none = Traces::default().rows("r", "a", Kind::Gauge, &[]);
    assert_eq!(
        message(&none, &select("a", &[Span::Whole])),
        "there is no value of metric \"a\" in run \"r\", where at least 3 are needed; choose \
         another metric, or another run"
    );
    let gauge = |rows: &[(i64, i64)]| {
        let rows: Vec<_> = rows.iter().map(|row| (row.0 * S, row.1 * S, Some(1.0))).collect();
        Traces::default().rows("r", "a", Kind::Gauge, &rows)
    };
    assert_eq!(
        message(&gauge(&[(0, 1), (1, 4), (2, 3)]), &select("a", &[Span::Whole])),
        "metric \"a\" in run \"r\": row 2 ends at 3 s, which is before row 1 (4 s); sort the rows by \
         time, and keep each run apart"
    );
    assert_eq!(
        message(&gauge(&[(0, 1), (3, 2)]), &select("a", &[Span::Whole])),
        "metric \"a\" in run \"r\": row 1 starts at 3 s, after its end at 2 s; exchange them, or \
         correct them"
    );
    // In the other run and in the common metric as well.
    let other = two_runs().rows("run-3", "ipc", Kind::Gauge, &[(0, 9, Some(1.0)), (2, 8, None)]);
    assert!(message(&other, &select("misses", &window())).contains("in run \"run-3\": row 1"));
    let other = two_runs().gauge("run-3", "ipc", &[1.0, 2.0]);
    assert_eq!(
        message(&other, &select("misses", &window())),
        "there are only 2 values of metric \"ipc\" in run \"run-3\", where at least 3 are needed; \
         align by another metric with --common, or leave the run out"
    );
    assert_eq!(
        message(&two_runs().torn("run-2", "ipc"), &select("misses", &window())),
        "metric \"ipc\" of run \"run-2\" cannot be read: ipc.parquet is torn"
    );
    let ragged = two_runs();
    let mut samples = ragged.named("run-1", "ipc");
    samples.values = Values::Reals(vec![Some(1.0)]);
    assert_eq!(
        crate::align::readable::check(&samples, "r").unwrap_err().to_string(),
        "metric \"ipc\" in run \"r\" has 100 starts, 100 ends and 1 values, which must be as many; \
         read the traces anew"
    );
}

#[test]
fn penalties() {
    for penalty in [-1.0, f64::NAN, f64::INFINITY] {
        let failed = two_runs().align_with(&select("ipc", &window()), &with_penalty(penalty));
        let known =
            format!("the penalty is {penalty}, but must be a finite number that is not negative");
        assert_eq!(failed.unwrap_err().to_string(), known);
    }
}

#[test]
fn whoever_watches_can_stop_it() {
    let calls = AtomicUsize::new(0);
    let stop = |after: usize| {
        calls.store(0, Ordering::Relaxed);
        let watch = |progress: crate::Progress| {
            assert_eq!((progress.stage, progress.of), (Stage::Aligning, 1));
            match calls.fetch_add(1, Ordering::Relaxed) {
                call if call >= after => Err(Stopped),
                _ => Ok(()),
            }
        };
        let selection = select("misses", &window());
        align(&two_runs(), &selection, &AlignOptions::default(), &watch)
    };
    assert!(stop(usize::MAX).is_ok());
    let all = calls.load(Ordering::Relaxed);
    assert!(all > 3, "{all}");
    // At the start, within an alignment, at the end.
    for after in [0, 1, all - 1] {
        assert!(matches!(stop(after), Err(AlignError::Stopped(_))), "{after}");
    }
}
