//! Runs that share no metric with the reference, and runs whose windows are placed by hand.

use super::*;
use crate::align::{AlignmentLink, Fit, PlacedWindows};

/// A profile that a run shows at its own pace: each row of it lasts for this many seconds.
fn profile(pace: usize) -> Vec<f64> {
    let levels = [1.0, 5.0, 2.0, 9.0, 3.0, 7.0, 4.0, 8.0];
    let rise = |n: usize| (n % 10) as f64 * 0.05;
    let rows = levels.iter().flat_map(|level| (0..10).map(move |n| level + rise(n)));
    rows.flat_map(|value| std::iter::repeat_n(value, pace)).collect()
}

/// Only `b` shares metrics with both others.
fn chained() -> Traces {
    Traces::default()
        .gauge("a", "target", &profile(1))
        .gauge("a", "x", &profile(1))
        .gauge("b", "x", &profile(2))
        .gauge("b", "y", &profile(2))
        .gauge("c", "y", &profile(3))
        .gauge("c", "z", &profile(3))
}

fn link(from: &str, metric: &str) -> AlignmentLink {
    AlignmentLink { from: from.to_string(), metric: metric.to_string() }
}

#[test]
fn a_run_between_joins_two() {
    let aligned = chained().align(&select("target", &[rows(30, 39)])).unwrap();
    assert_eq!(aligned.common.as_deref(), Some("x"));
    assert_eq!(run(&aligned, "a").links, []);
    assert_eq!(run(&aligned, "b").links, [link("a", "x")]);
    let c = run(&aligned, "c");
    assert_eq!(c.links, [link("a", "x"), link("b", "y")]);
    // Rows 30 to 39 are from 29 s to 39 s; the first row of each is but a moment.
    for (id, pace) in [("b", 2), ("c", 3)] {
        let (start, end) = run(&aligned, id).windows[0];
        let (start, end) = (start.seconds(), end.seconds());
        let pace = f64::from(pace);
        assert!((start - 30.0 * pace).abs() <= pace + 1.0, "{id}: {start}");
        assert!((end - 40.0 * pace).abs() <= pace + 1.0, "{id}: {end}");
        let quality = run(&aligned, id).quality.unwrap();
        assert!(quality.fit != Fit::Poor, "{id}: {quality:?}");
        assert!((quality.slope - pace).abs() < 0.3, "{id}: {quality:?}");
    }
    let notes = aligned.notes.join("; ");
    assert!(notes.contains("\"c\" (through \"b\")"), "{notes}");
}

#[test]
fn a_run_may_be_aligned_by_a_metric_of_its_own() {
    let mixed = Traces::default()
        .gauge("a", "x", &profile(1))
        .gauge("a", "y", &profile(1))
        .gauge("b", "x", &profile(2))
        .gauge("c", "y", &profile(3));
    let aligned = mixed.align(&select("x", &[rows(30, 39)])).unwrap();
    assert_eq!(run(&aligned, "c").links, [link("a", "y")]);
    assert!(
        aligned.notes.iter().any(|note| note == "\"c\" is aligned by \"y\""),
        "{:?}",
        aligned.notes
    );
    // One that was asked for is used where it is; elsewhere another one has to do.
    let options = AlignOptions { common: Some("y".to_string()), ..AlignOptions::default() };
    let aligned = mixed.align_with(&select("x", &[rows(30, 39)]), &options).unwrap();
    assert_eq!(run(&aligned, "c").links, [link("a", "y")]);
    assert_eq!(run(&aligned, "b").links, [link("a", "x")]);
}

/// A chain is no better than its worst part.
#[test]
fn one_bad_link_makes_a_bad_chain() {
    let mut turned = profile(3);
    turned.reverse();
    let bad = Traces::default()
        .gauge("a", "x", &profile(1))
        .gauge("b", "x", &profile(2))
        .gauge("b", "y", &profile(2))
        .gauge("c", "y", &turned);
    let aligned = bad.align(&select("x", &[rows(30, 39)])).unwrap();
    assert_eq!(run(&aligned, "c").quality.unwrap().fit, Fit::Poor);
    assert!(run(&aligned, "b").quality.unwrap().fit != Fit::Poor);
}

#[test]
fn windows_placed_by_hand_are_not_carried() {
    let traces = Traces::default()
        .gauge("a", "x", &profile(1))
        .gauge("b", "x", &profile(2))
        .gauge("c", "x", &profile(3))
        .gauge("d", "y", &profile(3));
    let placed = |run: &str, window| PlacedWindows {
        run: run.to_string(),
        windows: vec![window],
        baseline: Some(rows(0, 9)),
    };
    let options = AlignOptions {
        by_hand: vec![placed("b", rows(100, 110)), placed("d", rows(5, 9))],
        ..AlignOptions::default()
    };
    let selection = select("x", &[rows(30, 39)]);
    // A window needs the target.
    let refused = traces.align_with(&selection, &options).unwrap_err().to_string();
    assert!(refused.contains("run \"d\" has no metric \"x\""), "{refused}");
    let options = AlignOptions { by_hand: vec![placed("b", rows(100, 110))], ..options };
    let traces = Traces::default().gauge("a", "x", &profile(1)).gauge("b", "x", &profile(2)).gauge(
        "c",
        "x",
        &profile(3),
    );
    let aligned = traces.align_with(&selection, &options).unwrap();
    assert_eq!(
        aligned.runs.iter().map(|run| run.run.as_str()).collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    let b = run(&aligned, "b");
    assert_eq!((b.question.windows.clone(), b.quality), (vec![100..111], None));
    assert_eq!(b.question.baseline, Some(0..10));
    assert!(run(&aligned, "c").quality.is_some());
    // The others are as without it.
    let usual = traces.align(&selection).unwrap();
    assert_eq!(run(&aligned, "c"), run(&usual, "c"));
}

#[test]
fn a_metric_that_fits_better_is_proposed() {
    let mut turned = profile(2);
    turned.reverse();
    let traces = Traces::default()
        .gauge("a", "x", &profile(1))
        .gauge("a", "flat", &[1.0; 80])
        .gauge("a", "y", &profile(1))
        .gauge("b", "x", &turned)
        .gauge("b", "flat", &[1.0; 160])
        .gauge("b", "y", &profile(2));
    let aligned = traces.align(&select("x", &[rows(30, 39)])).unwrap();
    let b = run(&aligned, "b");
    assert_eq!(b.quality.unwrap().fit, Fit::Poor);
    let proposed: Vec<&String> =
        b.warnings.iter().filter(|warning| warning.contains("try --common")).collect();
    assert!(
        matches!(proposed.as_slice(), [one] if one.ends_with("try --common \"y\"")),
        "{:?}",
        b.warnings
    );
}
