//! What is said and drawn of how a function grows.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_analyze::{
    EstimateRequest, Function, Growth, InputSize, MeasuredTime, Subject, analyze,
};
use fathom_record::{Series, Unit};
use fathom_render::growth::{notes, plot, sentence};
use fathom_stats::{Confidence, Interval};

/// A size of "f" with a time and its interval.
fn subject(size: f64, time: f64, interval: Option<Interval>) -> Subject {
    let name = format!("f/{size}");
    let series = Series::new(&name, Unit::SECONDS, vec![time; 3]).unwrap();
    let mut subject = analyze(series, &EstimateRequest::default());
    let measured = MeasuredTime { value: time, interval, confidence: Confidence::DEFAULT };
    let input = InputSize { measured: Some(measured), ..InputSize::new("f", size) };
    subject.function = Some(Function {
        calls_per_batch: 1,
        is_zero: false,
        timing: None,
        executions: None,
        throughput: None,
        input: Some(input),
        allocations: None,
        stolen: None,
        others: None,
    });
    subject
}

fn growth(sizes: &[f64], time: impl Fn(f64) -> f64) -> Growth {
    let subjects: Vec<Subject> = sizes
        .iter()
        .map(|&size| {
            let time = time(size);
            subject(size, time, Some(Interval { lower: 0.99 * time, upper: 1.01 * time }))
        })
        .collect();
    Growth::of_all(&subjects).remove(0)
}

/// Everything that is shown of it.
fn shown(growth: &Growth, width: usize) -> String {
    let mut lines = plot(growth, width);
    lines.push(sentence(growth));
    lines.extend(notes(growth));
    lines.join("\n")
}

const DECADES: [f64; 5] = [10.0, 100.0, 1e3, 1e4, 1e5];

#[test]
fn one_law_is_named() {
    insta::assert_snapshot!(shown(&growth(&DECADES, |n| 2e-9 * n * n.ln()), 80));
}

#[test]
fn what_does_not_grow_is_constant() {
    insta::assert_snapshot!(shown(&growth(&DECADES, |_| 3e-6), 80));
}

#[test]
fn several_laws_are_left() {
    let sizes = [16.0, 32.0, 64.0, 128.0, 256.0];
    insta::assert_snapshot!(shown(&growth(&sizes, |n| 1e-7 + 2e-9 * n), 80));
}

#[test]
fn none_fits() {
    insta::assert_snapshot!(shown(&growth(&DECADES, |n| 1e-9 * n.powf(1.5)), 80));
}

#[test]
fn too_few_sizes() {
    insta::assert_snapshot!(shown(&growth(&[10.0, 100.0, 1e3], |n| 1e-9 * n), 80));
}

#[test]
fn a_short_range_of_sizes() {
    insta::assert_snapshot!(shown(&growth(&[10.0, 12.0, 14.0, 16.0], |n| 1e-9 * n), 80));
}

/// A size that was measured too shortly is not one that is missing.
#[test]
fn too_few_intervals() {
    let subjects = DECADES.map(|size| {
        let time = 1e-9 * size;
        let interval = Interval { lower: 0.9 * time, upper: 1.1 * time };
        subject(size, time, Some(interval).filter(|_| size < 1e3))
    });
    insta::assert_snapshot!(shown(&Growth::of_all(&subjects)[0], 80));
}

#[test]
fn a_narrow_terminal_has_a_narrow_plot_or_none() {
    let growth = growth(&DECADES, |n| 2e-9 * n * n.ln());
    for width in [24, 40, 80, 200] {
        let lines = plot(&growth, width);
        assert!(!lines.is_empty(), "{width}");
        assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}: {lines:#?}");
    }
    assert!(plot(&growth, 16).is_empty());
}
