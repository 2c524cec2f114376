//! Functions that say what they take.

use super::*;
use crate::measure::scripted::{Scripted, instrument};
use crate::measure::{Measured, Settings, example_settings};
use crate::routine::Routine;
use fathom_analyze::compare::{ComparedStatistic, Margin, Verdict};
use fathom_record::Throughput;
use fathom_stats::Confidence;
use std::time::Duration;

#[test]
fn progress_names_the_first_function_that_is_open() {
    let names = ["std", "radix", "merge"].map(String::from);
    let confidence = Confidence::new(0.95).unwrap();
    let course = Course::new(2, 100, confidence, Margin::DEFAULT, Vec::new(), 0.0);
    assert_eq!(progress(&names, &course, 2.34), "radix, at most 2.3 s left");
    let none = Course::new(0, 100, confidence, Margin::DEFAULT, Vec::new(), 0.0);
    assert_eq!(progress(&names[..1], &none, 0.0), "std, at most 0.0 s left");
}

type Found = Result<(Vec<Subject>, Vec<Comparison>), (usize, Broken)>;

/// What is found, and every line of progress.
fn measured_as(
    functions: &mut [Function<'_>],
    settings: &Settings,
    sample: SampleKind,
) -> (Found, Vec<String>) {
    let mut lines = Vec::new();
    let mut show = |line: &dyn Fn() -> String| lines.push(line());
    let instrument = instrument();
    let mut laboratory =
        Laboratory { instrument, sample, settings, interrupt: None, show: &mut show };
    let found = side_by_side(functions, &mut laboratory);
    (found, lines)
}

fn measured(functions: &mut [Function<'_>], settings: &Settings) -> (Found, Vec<String>) {
    measured_as(functions, settings, SampleKind::Time(instrument()))
}

fn within(time: Duration) -> Settings {
    Settings { max_time: Some(time), ..example_settings() }
}

#[test]
fn all_are_compared_with_the_first() {
    let mut functions =
        [1000.0, 2000.0, 500.0, 1000.0].map(|ns| Scripted::of(ns).named(&format!("f/{ns}")));
    functions[1].asked.throughput = Some(Throughput::Items(3));
    let (found, lines) = measured(&mut functions, &within(Duration::from_secs(2)));
    let (subjects, comparisons) = found.unwrap();
    let of: Vec<(&str, &str, Verdict)> = comparisons
        .iter()
        .map(|one| (one.reference.as_str(), one.subject.as_str(), one.verdict))
        .collect();
    let expected = [
        ("f/1000", "f/2000", Verdict::Slower),
        ("f/1000", "f/500", Verdict::Faster),
        ("f/1000", "f/1000", Verdict::Equivalent),
    ];
    assert_eq!(of, expected);
    for (comparison, ratio) in comparisons.iter().zip([2.0, 0.5, 1.0]) {
        assert!((comparison.ratio / ratio - 1.0).abs() < 2e-3, "{comparison:?}");
        let [reference, subject] = comparison.sides.unwrap();
        assert!((reference / 1e-6 - 1.0).abs() < 2e-3, "{reference}");
        assert!((subject / (ratio * 1e-6) - 1.0).abs() < 2e-3, "{subject}");
        let Design::Paired(paired) = &comparison.design else { unreachable!() };
        // A tenth of as many blocks as there is time for.
        assert!(paired.blocks > 500, "{}", paired.blocks);
    }
    for (subject, ns) in subjects.iter().zip([1000.0, 2000.0, 500.0, 1000.0]) {
        assert_eq!(subject.stopped, StopReason::Verdict);
        assert!((subject.estimates[0].value / (1e-9 * ns) - 1.0).abs() < 2e-3, "{ns}");
        assert_eq!(subject.warnings, []);
        let facts = subject.function.as_ref().unwrap();
        // As long as the clock needs, 20 µs, and a twentieth more where that is an estimate.
        assert!((20.0..=21.1).contains(&(1e-3 * ns * facts.calls_per_batch as f64)), "{facts:?}");
        assert!(!facts.is_zero);
        assert_eq!(facts.executions, Some(MeasuredExecutions::One { why: None }));
    }
    assert_eq!(subjects[1].function.as_ref().unwrap().throughput, Some(Throughput::Items(3)));
    assert_eq!(subjects[0].function.as_ref().unwrap().throughput, None);
    assert_eq!(lines[0], "f/1000: warming up");
    assert!(lines[1].starts_with("f/2000, at most "), "{}", lines[1]);
}

#[test]
fn a_tail_is_compared_over_batches_of_as_many_calls() {
    let calls = |statistic, most: u64| {
        let mut functions =
            [Scripted::of(1000.0).named("a"), Scripted::of(4000.0).at_most(most).named("b")];
        let settings = Settings { statistic, ..within(Duration::from_millis(100)) };
        let (subjects, _) = measured(&mut functions, &settings).0.unwrap();
        subjects
            .iter()
            .map(|one| one.function.as_ref().unwrap().calls_per_batch)
            .collect::<Vec<_>>()
    };
    assert_eq!(calls(ComparedStatistic::Median, u64::MAX)[1], 5);
    let minimum = calls(ComparedStatistic::Minimum, u64::MAX);
    assert_eq!(minimum[0], minimum[1]);
    assert!((20..=22).contains(&minimum[0]), "{minimum:?}");
    assert_eq!(calls(ComparedStatistic::Minimum, 7), [7, 7], "no more than fit");
}

#[test]
fn what_takes_no_time_is_not_compared() {
    let mut functions = [1000.0, 0.3, 1000.0].map(|ns| Scripted::of(ns).named(&format!("f/{ns}")));
    let (subjects, comparisons) =
        measured(&mut functions, &within(Duration::from_millis(500))).0.unwrap();
    assert_eq!(comparisons.len(), 1);
    let is_zero: Vec<bool> =
        subjects.iter().map(|subject| subject.function.as_ref().unwrap().is_zero).collect();
    assert_eq!(is_zero, [false, true, false]);
    let mut functions = [0.3, 1000.0].map(|ns| Scripted::of(ns).named("f"));
    let (_, comparisons) = measured(&mut functions, &within(Duration::from_millis(500))).0.unwrap();
    assert_eq!(comparisons.len(), 0, "nor is anything compared with it");
}

/// Says that it had this many page faults.
struct Faults(f64);

impl Routine for Faults {
    fn batch(&mut self, calls: u64, _gauge: Gauge) -> crate::gauge::Reading {
        let time = Span::from_nanoseconds(1000 * calls);
        crate::gauge::Reading {
            value: Some(self.0 * calls as f64),
            ..crate::gauge::Reading::of_time(time)
        }
    }
}

#[test]
fn of_values_that_are_0_there_is_no_ratio() {
    let counts = |faults: [f64; 3]| {
        let mut functions = faults.map(|faults| {
            Function::new("f".to_string(), move |bencher| bencher.take(Faults(faults)))
        });
        let sample = SampleKind::Other(Measured::by_the_routine("faults"));
        let settings = within(Duration::from_millis(100));
        measured_as(&mut functions, &settings, sample).0.unwrap().1
    };
    let all = counts([4.0, 8.0, 4.0]);
    assert_eq!(all.len(), 2);
    assert!((all[0].ratio - 2.0).abs() < 1e-12);
    assert_eq!(counts([4.0, 0.0, 4.0]).len(), 1);
    assert_eq!(counts([0.0, 4.0, 4.0]).len(), 0);
}

#[test]
fn the_function_that_broke_is_named() {
    let broken = || Function::new("broken".to_string(), |bencher| bencher.iter(|| panic!("no")));
    let mut functions = [Scripted::of(1000.0).named("f"), broken()];
    let found = measured(&mut functions, &within(Duration::from_millis(1))).0;
    assert_eq!(found.unwrap_err(), (1, Broken::Panicked("no".to_string())));
    // Whenever it breaks.
    for last in [3, 10, 100] {
        let mut calls = 0;
        let late = move || {
            calls += 1;
            assert!(calls < last, "late");
            std::thread::sleep(Duration::from_micros(30));
        };
        let mut functions = [
            Scripted::of(1000.0).named("f"),
            Function::new("late".to_string(), |bencher| bencher.iter(late)),
        ];
        let found = measured(&mut functions, &within(Duration::from_secs(1))).0;
        assert_eq!(found.unwrap_err(), (1, Broken::Panicked("late".to_string())), "{last}");
    }
}

#[test]
fn too_little_time_has_a_few_blocks_all_the_same() {
    let mut functions = [1000.0, 1001.0].map(|ns| Scripted::of(ns).named("f"));
    let (subjects, _) = measured(&mut functions, &within(Duration::from_nanos(1))).0.unwrap();
    for subject in &subjects {
        assert_eq!(subject.stopped, StopReason::MaxTime);
        let batches = subject.series.values().len();
        assert!((2..=2 * FEWEST).contains(&batches) && batches % 2 == 0, "{batches}");
    }
}
