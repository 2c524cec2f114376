//! The two ways in which the paper's alignment goes wrong: they are noticed, and a penalty mends
//! them.

use super::*;
use crate::align::Fit;
use fathom_record::Span;

const H1: f64 = 0.0;
const H2: f64 = 9.0;
const H3: f64 = 10.0;

fn traces(upper: &[f64], lower: &[f64]) -> Traces {
    Traces::default().gauge("upper", "ipc", upper).gauge("lower", "ipc", lower)
}

/// Both are high for the same nine samples, nearly constant, and each deviation fits all of the
/// other's samples.
fn figure_4() -> Traces {
    let upper = levels(&[(H1, 6), (H3, 5), (H2, 1), (H3, 3), (H1, 6)]);
    let lower = levels(&[(H1, 6), (H2, 2), (H3, 1), (H2, 6), (H1, 6)]);
    traces(&upper, &lower)
}

/// The upper has one sample at h2, which takes a whole period of the lower for itself.
fn figure_5() -> Traces {
    let upper =
        levels(&[(H1, 4), (H3, 5), (H1, 3), (H2, 1), (H1, 3), (H3, 5), (H1, 7), (H3, 5), (H1, 7)]);
    let lower =
        levels(&[(H1, 4), (H3, 5), (H1, 7), (H3, 5), (H1, 7), (H3, 5), (H1, 3), (H2, 1), (H1, 3)]);
    traces(&upper, &lower)
}

#[test]
fn figure_4_the_ends_are_uncertain() {
    let selection = select("ipc", &[rows(8, 10)]);
    let aligned = figure_4().align(&selection).unwrap();
    let lower = run(&aligned, "lower");
    // The three samples match a single one.
    assert_eq!(lower.windows, [(at(7), at(8))]);
    let quality = lower.quality.unwrap();
    assert_eq!(quality.longest_stretch_in_window, 3);
    assert_eq!(quality.ends_uncertain, Span::from_milliseconds(2_000));
    assert!(quality.fit >= Fit::Fair);
    // One sample is not a window: the reference's rows are used.
    assert!(!lower.has_own_target);
    assert_eq!(lower.question.windows, [8..11]);
    assert!(lower.warnings.iter().any(|w| w.contains("local incorrectness")), "{lower:?}");
    assert!(!lower.warnings.iter().any(|w| w.contains("global")), "{:?}", lower.warnings);

    let mended = figure_4().align_with(&selection, &with_penalty(1.0)).unwrap();
    let lower = run(&mended, "lower");
    assert_eq!(lower.windows, [(at(7), at(10))]);
    assert!(lower.has_own_target);
    assert_eq!(lower.question.windows, [8..11]);
    assert!(lower.quality.unwrap().ends_uncertain < Span::from_milliseconds(1_000));
    assert_eq!(lower.quality.unwrap().longest_stretch, 1);
    assert_eq!(lower.warnings, [] as [&str; 0]);
}

#[test]
fn figure_4_the_whole_of_the_high_part_is_certain() {
    let aligned = figure_4().align(&select("ipc", &[rows(6, 14)])).unwrap();
    let lower = run(&aligned, "lower");
    assert_eq!(lower.windows, [(at(5), at(14))]);
    assert_eq!(lower.warnings, [] as [&str; 0]);
}

#[test]
fn figure_5_the_window_is_in_another_period() {
    let second = select("ipc", &[rows(16, 20)]);
    let aligned = figure_5().align(&second).unwrap();
    let lower = run(&aligned, "lower");
    // The third period.
    assert_eq!(lower.windows, [(at(27), at(32))]);
    assert_eq!(lower.question.windows, [28..33]);
    assert_eq!(lower.quality.unwrap().fit, Fit::Poor);
    let warning = lower.warnings.iter().find(|w| w.contains("global incorrectness")).unwrap();
    assert!(warning.contains("match a single sample"), "{warning}");

    let mended = figure_5().align_with(&second, &with_penalty(1.0)).unwrap();
    let lower = run(&mended, "lower");
    assert_eq!(lower.windows, [(at(15), at(20))]);
    assert_eq!(lower.warnings, [] as [&str; 0]);
}

#[test]
fn figure_5_is_noticed_from_a_window_that_it_leaves_in_place() {
    let first = select("ipc", &[rows(4, 8)]);
    let aligned = figure_5().align(&first).unwrap();
    let lower = run(&aligned, "lower");
    assert_eq!(lower.windows, [(at(3), at(8))]);
    assert!(lower.warnings.iter().any(|w| w.contains("global incorrectness")), "{lower:?}");
    let mended = figure_5().align_with(&first, &with_penalty(1.0)).unwrap();
    assert_eq!(run(&mended, "lower").warnings, [] as [&str; 0]);
}
