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

fn window() -> Vec<TargetRange> {
    vec![rows(40, 60)]
}

#[test]
fn runs_and_targets() {
    assert_eq!(
        message(&Traces::default(), &select("ipc", &window())),
        "the traces contain no run: choose traces with at least one"
    );
    let mut selection = select("ipc", &window());
    selection.run = Some("run-3".to_string());
    assert_eq!(
        message(&two_runs(), &selection),
        "no run is called \"run-3\" (did you mean \"run-1\", \"run-2\"?): the runs are \"run-1\", \
         \"run-2\""
    );
    assert_eq!(
        message(&two_runs(), &select("misess", &window())),
        "no run has the metric \"misess\" (did you mean \"misses\"?): the metrics are \"ipc\", \
         \"misses\", \"faults\""
    );
    let mut selection = select("faults", &window());
    selection.run = Some("run-1".to_string());
    assert_eq!(
        message(&two_runs(), &selection),
        "run \"run-1\" has no metric \"faults\": choose a run that has it: \"run-2\""
    );
}

#[test]
fn common_metrics() {
    let options =
        |common: &str| AlignOptions { common: Some(common.to_string()), ..AlignOptions::default() };
    let selection = select("ipc", &window());
    assert_eq!(
        two_runs().align_with(&selection, &options("faults")).unwrap_err().to_string(),
        "the common metric \"faults\" is missing in \"run-1\", so these runs cannot be aligned by \
         it; choose a metric that all runs share with --common: \"ipc\""
    );
    assert_eq!(
        two_runs().align_with(&selection, &options("icp")).unwrap_err().to_string(),
        "the common metric \"icp\" is missing in \"run-1\", \"run-2\", so these runs cannot be \
         aligned by it; choose a metric that all runs share with --common (did you mean \"ipc\"?): \"ipc\""
    );
    let apart = Traces::default().gauge("a", "x", &waves(9)).gauge("b", "y", &waves(9));
    assert_eq!(
        apart
            .align_with(&select("x", &[TargetRange::Whole]), &options("x"))
            .unwrap_err()
            .to_string(),
        "the common metric \"x\" is missing in \"b\", so these runs cannot be aligned by it; no \
         other metric is in all runs, so exclude these runs"
    );
    let apart = apart.gauge("c", "y", &waves(9));
    assert_eq!(
        message(&apart, &select("x", &[TargetRange::Whole])),
        "no chain of shared metrics leads from run \"a\" to \"b\", \"c\": two runs can be aligned if \
         they share a metric that changes; exclude these runs, or record one metric in all of them"
    );
    let flat = Traces::default()
        .gauge("a", "x", &waves(9))
        .gauge("a", "flat", &[1.0; 9])
        .gauge("b", "flat", &[1.0; 9]);
    assert_eq!(
        message(&flat, &select("x", &[TargetRange::Whole])),
        "no metric that all runs share changes in run \"a\", so none can align the runs: \"flat\"; \
         record one that follows the work in all runs, such as CPU time or instructions"
    );
}

#[test]
fn windows_and_baselines() {
    let of = |span: TargetRange| message(&two_runs(), &select("misses", &[span]));
    assert_eq!(
        of(time(200, 300)),
        "the window from 200 s to 300 s contains no rows of metric \"misses\" in run \"run-1\", which \
         has 100 rows from 0 s to 99 s: choose a window in that range"
    );
    assert_eq!(
        of(rows(100, 120)),
        "the window from row 100 to row 120 contains no rows of metric \"misses\" in run \"run-1\", \
         which has 100 rows from 0 s to 99 s: choose a window in that range"
    );
    assert_eq!(of(time(9, 8)), "the window from 9 s to 8 s ends before it starts: swap its ends");
    assert_eq!(
        of(rows(9, 8)),
        "the window from row 9 to row 8 ends before it starts: swap its ends"
    );
    assert_eq!(
        of(rows(9, 10)),
        "the window from row 9 to row 10 has 2 rows with a value of metric \"misses\" in run \
         \"run-1\", but at least 3 are needed; the metric has 100 rows from 0 s to 99 s: choose a \
         longer window"
    );
    assert_eq!(
        message(&two_runs(), &select("misses", &[])),
        "no window is selected: select one, or select the whole metric"
    );
    let mut selection = select("misses", &window());
    selection.baseline = Some(time(30, 40));
    assert_eq!(
        message(&two_runs(), &selection),
        "the baseline from 30 s to 40 s overlaps the window from row 40 to row 60: choose a \
         baseline outside the window, or none"
    );
    selection.baseline = Some(time(500, 600));
    assert!(
        message(&two_runs(), &selection)
            .starts_with("the baseline from 500 s to 600 s contains no")
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
        message(&few, &select("a", &[TargetRange::Whole])),
        "there is only 1 value of metric \"a\" in run \"r\", but at least 3 are needed; choose \
         another metric, or another run"
    );
    let none = Traces::default().rows("r", "a", Kind::Gauge, &[]);
    assert_eq!(
        message(&none, &select("a", &[TargetRange::Whole])),
        "there are no values of metric \"a\" in run \"r\", but at least 3 are needed; choose \
         another metric, or another run"
    );
    let gauge = |rows: &[(i64, i64)]| {
        let rows: Vec<_> = rows.iter().map(|row| (row.0 * S, row.1 * S, Some(1.0))).collect();
        Traces::default().rows("r", "a", Kind::Gauge, &rows)
    };
    assert_eq!(
        message(&gauge(&[(0, 1), (1, 4), (2, 3)]), &select("a", &[TargetRange::Whole])),
        "metric \"a\" in run \"r\": row 2 ends at 3 s, before row 1 (4 s); sort the rows by time, and \
         keep runs separate"
    );
    assert_eq!(
        message(&gauge(&[(0, 1), (3, 2)]), &select("a", &[TargetRange::Whole])),
        "metric \"a\" in run \"r\": row 1 starts at 3 s, after its end at 2 s; swap or correct the \
         times"
    );
    // In the other run and in the common metric as well.
    let other = two_runs().rows("run-3", "ipc", Kind::Gauge, &[(0, 9, Some(1.0)), (2, 8, None)]);
    assert!(message(&other, &select("misses", &window())).contains("in run \"run-3\": row 1"));
    let other = two_runs().gauge("run-3", "ipc", &[1.0, 2.0]);
    assert_eq!(
        message(&other, &select("misses", &window())),
        "there are only 2 values of metric \"ipc\" in run \"run-3\", but at least 3 are needed; \
         align by another metric with --common, or exclude the run"
    );
    assert_eq!(
        message(&two_runs().torn("run-2", "ipc"), &select("misses", &window())),
        "cannot read metric \"ipc\" of run \"run-2\": ipc.parquet is torn"
    );
    let ragged = two_runs();
    let mut samples = ragged.named("run-1", "ipc");
    samples.values = Values::Reals(vec![Some(1.0)]);
    assert_eq!(
        crate::align::readable::check(&samples, "r").unwrap_err().to_string(),
        "metric \"ipc\" in run \"r\" has 100 starts, 100 ends and 1 values, but the counts must \
         be equal; read the traces again"
    );
}

#[test]
fn penalties() {
    for penalty in [-1.0, f64::NAN, f64::INFINITY] {
        let failed = two_runs().align_with(&select("ipc", &window()), &with_penalty(penalty));
        let known = format!("the penalty is {penalty}, but must be a finite number, 0 or larger");
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
