//! Whole comparisons against a small version of the rules in Python, with brute-force looks.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::compare::{Course, Design, Margin, Verdict, compare_unpaired};
use fathom_analyze::{EstimateRequest, analyze};
use fathom_record::{Series, Unit};
use fathom_stats::paired::Block;
use fathom_stats::{Confidence, Interval, LogRatioInterval, RatioInterval};
use fathom_testkit::vectors::{load, relative_error};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Replayed {
    name: String,
    most: usize,
    c: f64,
    margin: f64,
    tick: f64,
    end_after: Option<usize>,
    interrupt_after: Option<usize>,
    series: Vec<Vec<f64>>,
    stop: usize,
    subjects: Vec<Answer>,
    by_look_alone: Option<ByLookAlone>,
}

#[derive(Debug, Deserialize)]
struct Answer {
    blocks: usize,
    settled: bool,
    verdict: String,
    estimate: f64,
    lower: Option<f64>,
    upper: Option<f64>,
    own: Option<(f64, f64)>,
    p_value: f64,
    lag1: Option<f64>,
    thinness: f64,
    contradicted: bool,
}

#[derive(Debug, Deserialize)]
struct ByLookAlone {
    stop: usize,
    verdict: String,
}

/// Takes blocks until the course is over, as the measuring loop does.
fn run(case: &Replayed) -> (Course, usize) {
    let confidence = Confidence::new(case.c).unwrap();
    let margin = Margin::new(case.margin).unwrap();
    let mut course =
        Course::new(case.series.len(), case.most, confidence, margin, Vec::new(), case.tick);
    for n in 1..=case.most {
        let blocks: Vec<(usize, Block)> = course
            .open()
            .into_iter()
            .map(|index| (index, Block { log_ratio: case.series[index][n - 1], log_total: 1.5 }))
            .collect();
        if course.take(&blocks) {
            return (course, n);
        }
        if case.end_after == Some(n) {
            course.end();
            return (course, n);
        }
        if case.interrupt_after == Some(n) {
            course.interrupt();
            if course.open().is_empty() {
                return (course, n);
            }
        }
    }
    panic!("{}: the course does not end", case.name);
}

/// The vectors have ends of either scale.
fn plain(LogRatioInterval { lower, upper }: LogRatioInterval) -> Interval {
    Interval { lower, upper }
}

fn near(found: Interval, lower: Option<f64>, upper: Option<f64>, tolerance: f64) -> bool {
    let end = |found: f64, expected: Option<f64>, infinite: f64| match expected {
        Some(expected) => (found - expected).abs() <= tolerance,
        None => found == infinite,
    };
    end(found.lower, lower, f64::NEG_INFINITY) && end(found.upper, upper, f64::INFINITY)
}

#[test]
fn courses_are_those_of_the_rules() {
    for case in load::<Replayed>("paired/course.json") {
        let name = &case.name;
        let (course, stop) = run(&case);
        assert_eq!(stop, case.stop, "{name}");
        assert_eq!(course.subjects().len(), case.subjects.len());
        for (subject, answer) in course.subjects().iter().zip(&case.subjects) {
            assert_eq!(subject.blocks().len(), answer.blocks, "{name}");
            assert_eq!(subject.is_settled(), answer.settled, "{name}");
            let verdict = Verdict::of(subject.interval(), course.margin());
            assert_eq!(verdict.name(), answer.verdict, "{name}");
            assert_eq!(subject.is_contradicted(), answer.contradicted, "{name}");

            let all = case.series.iter().flatten();
            let tolerance = 1e-9 * all.fold(0.0_f64, |most, d| most.max(d.abs()));
            let (found, look) = (subject.interval(), subject.last_look().unwrap());
            let (lower, upper) = (answer.lower, answer.upper);
            assert!(near(plain(found), lower, upper, tolerance), "{name}: {found:?}");
            let (lower, upper) = answer.own.unzip();
            assert!(near(plain(look.interval), lower, upper, tolerance), "{name}: {look:?}");
            let log_ratio = subject.log_ratio().unwrap();
            assert!((log_ratio - answer.estimate).abs() <= tolerance, "{name}: {log_ratio}");
            assert!(relative_error(subject.p_value(), answer.p_value) < 1e-9, "{name}");
            assert!((look.guard.lag1 - answer.lag1.unwrap_or(0.0)).abs() < 1e-9, "{name}");
            assert!(relative_error(look.guard.thinness, answer.thinness) < 1e-9, "{name}");
        }
    }
}

/// The design reports the interval of the look at which it stops. Intersecting with the looks
/// before can only settle earlier, and what is settled stays.
#[test]
fn the_intersection_stops_no_later_than_the_look_alone() {
    let mut compared = 0;
    for case in load::<Replayed>("paired/course.json") {
        let Some(alone) = &case.by_look_alone else { continue };
        compared += 1;
        let (course, stop) = run(&case);
        let subject = &course.subjects()[0];
        assert!(stop <= alone.stop, "{}: {stop}", case.name);
        let verdict = Verdict::of(subject.interval(), course.margin());
        if stop == alone.stop && alone.verdict != "inconclusive" && !subject.is_contradicted() {
            assert!([alone.verdict.as_str(), "equivalent"].contains(&verdict.name()));
        }
    }
    assert!(compared > 10);
}

#[derive(Debug, Deserialize)]
struct Unpaired {
    name: String,
    independent: bool,
    reference: Vec<f64>,
    subject: Vec<f64>,
    p_value: Option<f64>,
    rows: Vec<UnpairedRow>,
}

#[derive(Debug, Deserialize)]
struct UnpairedRow {
    c: f64,
    ratio: f64,
    lower: Option<f64>,
    upper: Option<f64>,
    verdict: String,
}

#[test]
fn medians_of_saved_results_combine_by_variance_recovery() {
    for case in load::<Unpaired>("paired/unpaired.json") {
        for row in &case.rows {
            let label = format!("{} {row:?}", case.name);
            let request = EstimateRequest {
                confidence: Confidence::new(row.c).unwrap(),
                assume_independent: case.independent,
                steady_state: SteadyStatePolicy::Off,
                outliers: OutlierPolicy::Keep,
                ..EstimateRequest::default()
            };
            let side = |name: &str, values: &[f64]| {
                analyze(Series::new(name, Unit::SECONDS, values.to_vec()).unwrap(), &request)
            };
            let (reference, subject) = (side("a", &case.reference), side("b", &case.subject));
            let found =
                compare_unpaired(&reference, &subject, &request, Margin::DEFAULT, &[]).unwrap();
            assert!(relative_error(found.ratio, row.ratio) < 1e-9, "{label}: {found:?}");
            let tolerance = 1e-9 * row.ratio;
            assert!(
                near(found.interval.ends(), row.lower, row.upper, tolerance),
                "{label}: {found:?}"
            );
            assert_eq!(found.verdict.name(), row.verdict, "{label}");
            let samples = [case.reference.len(), case.subject.len()];
            assert_eq!(found.design, Design::Unpaired { samples }, "{label}");
            if let Some(p_value) = case.p_value {
                let over = found.p_value.unwrap() / p_value;
                assert!((1.0 - 1e-9..1.0003).contains(&over), "{label}: {:?}", found.p_value);
            }
            // What rests on too few samples to judge their dependence holds on condition.
            let are_few = !case.independent && samples.iter().any(|&n| (6..20).contains(&n));
            // So does what the user says is independent.
            let is_known = found.interval != RatioInterval::EVERYTHING;
            let on_condition = (case.independent || are_few) && is_known;
            assert_eq!(found.if_independent, on_condition, "{label}: {found:?}");
            let are_fewer = !case.independent && samples.iter().any(|&n| n < 6);
            assert_eq!(found.warnings.is_empty(), !are_fewer, "{label}: {found:?}");
        }
    }
}
