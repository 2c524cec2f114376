//! One function that says what it takes.

use super::*;
use crate::measure::scripted::{Scripted, instrument};
use crate::measure::{SampleKind, Settings, example_settings};
use fathom_analyze::InputSize;
use fathom_analyze::stopping::Precision;
use fathom_record::Throughput;
use std::time::Duration;

/// What is found, and every line of progress.
fn measured(
    function: &mut Function<'_>,
    settings: &Settings,
) -> (Result<Subject, Broken>, Vec<String>) {
    let mut lines = Vec::new();
    let mut show = |line: &dyn Fn() -> String| lines.push(line());
    let instrument = instrument();
    let sample = SampleKind::Time(instrument);
    let mut laboratory =
        Laboratory { instrument, sample, settings, interrupt: None, show: &mut show };
    let found = alone(function, &mut laboratory);
    (found, lines)
}

fn within(time: Duration) -> Settings {
    Settings { max_time: Some(time), ..example_settings() }
}

#[test]
fn a_function_is_measured_until_it_is_known() {
    let routine = Scripted::of(500.0);
    let batches = routine.batches();
    let mut function = routine.named("f/8");
    function.asked.throughput = Some(Throughput::Items(3));
    function.input = InputSize::of_name("f/8");
    let (found, lines) = measured(&mut function, &within(Duration::from_secs(2)));
    let found = found.unwrap();
    assert_eq!(found.stopped, StopReason::Precision);
    let facts = found.function.clone().unwrap();
    // Four times as long as the clock needs: 80 µs, and a twentieth more where that is an estimate.
    assert!((160..=168).contains(&facts.calls_per_batch), "{facts:?}");
    let calls = facts.calls_per_batch;
    let time = Span::from_nanoseconds(500 * calls);
    let expected = instrument().per_call(time, calls);
    let estimate = &found.estimates[0];
    assert!((estimate.value / expected - 1.0).abs() < 1e-4, "{estimate:?}");
    // A tenth of 2 s is 2,400 batches of 84 µs: not earlier than at a fifth of them.
    let n = found.series.values().len();
    assert!((4_000..24_000).contains(&n), "{n}");
    assert!(batches.borrow().len() > n, "it was warmed up");
    assert_eq!(batches.borrow().last(), Some(&calls));
    assert!(!facts.is_zero);
    assert_eq!(facts.throughput, Some(Throughput::Items(3)));
    assert_eq!(facts.input, InputSize::of_name("f/8"));
    assert_eq!(facts.executions, Some(MeasuredExecutions::One { why: None }));
    assert_eq!(lines[0], "f/8: warming up");
    assert!(lines[1].starts_with("f/8, at most "), "{}", lines[1]);
    assert_eq!(lines.len(), n + 1);
}

#[test]
fn progress_says_what_is_known_so_far() {
    assert_eq!(progress("f", None, 1.26), "f, at most 1.3 s left");
    let mut function = Scripted::of(500.0).named("f");
    let (found, _) = measured(&mut function, &within(Duration::from_secs(1)));
    let mut found = found.unwrap();
    let said = progress("f", Some(&found), 0.0);
    assert_eq!(said, "f, so far 499.9 ns ± 0.0%, at most 0.0 s left");
    // Of nothing there is no share.
    found.estimates[0].value = 0.0;
    assert_eq!(progress("f", Some(&found), 0.0), "f, at most 0.0 s left");
}

#[test]
fn what_takes_no_time_is_told_from_what_does() {
    let mut nothing = Scripted::of(0.3).named("nothing");
    let mut quick = Scripted::of(1.0).named("quick");
    for (function, is_zero) in [(&mut nothing, true), (&mut quick, false)] {
        let (found, _) = measured(function, &within(Duration::from_millis(200)));
        assert_eq!(found.unwrap().function.unwrap().is_zero, is_zero);
    }
}

#[test]
fn time_that_is_over_ends_it_with_enough_samples() {
    let settings =
        Settings { precision: Precision::new(1e-9).unwrap(), ..within(Duration::from_millis(10)) };
    let (found, _) = measured(&mut Scripted::of(500.0).named("f"), &settings);
    let found = found.unwrap();
    assert_eq!(found.stopped, StopReason::MaxTime);
    assert!(found.series.values().len() >= FEWEST);
    // Calls that are far too long for the time: some, but not as many as an interval needs.
    let mut slow = Function::new("slow".to_string(), |bencher| {
        bencher.iter(|| std::thread::sleep(Duration::from_millis(5)));
    });
    let (found, _) = measured(&mut slow, &within(Duration::from_micros(500)));
    let found = found.unwrap();
    assert_eq!(found.stopped, StopReason::MaxTime);
    assert!(found.series.values().len() < FEWEST, "{}", found.series.values().len());
}

#[test]
fn a_function_that_breaks_has_no_result() {
    let mut panics = Function::new("f".to_string(), |bencher| bencher.iter(|| panic!("no")));
    let (found, _) = measured(&mut panics, &within(Duration::from_millis(1)));
    assert_eq!(found.unwrap_err(), Broken::Panicked("no".to_string()));
    let mut empty = Function::new("f".to_string(), |_| ());
    assert_eq!(measured(&mut empty, &example_settings()).0.unwrap_err(), Broken::Empty);
}
