//! What changed, against scipy, numpy and statsmodels.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_explain::change::{ChangeJudge, prepare};
use fathom_explain::rank::random_walk::DickeyFuller;
use fathom_explain::{Correlator, Grid, Question, Segments, Sequence};
use fathom_record::Span;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Reads `testdata/vectors/<name>`. Not by the testkit, which would take all formats along.
fn load<Case: DeserializeOwned>(name: &str) -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/vectors");
    let text = std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    let mut vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let cases: Vec<Case> = serde_json::from_value(vectors["cases"].take()).unwrap();
    assert!(!cases.is_empty(), "{name}");
    cases
}

fn relative_error(found: f64, expected: f64) -> f64 {
    if found == expected { 0.0 } else { ((found - expected) / expected).abs() }
}

#[derive(Deserialize)]
struct Case {
    name: String,
    metric: Vec<Option<f64>>,
    windows: Vec<(usize, usize)>,
    baseline: (usize, usize),
    n_sigma: f64,
    volume: f64,
    ks_levels: f64,
    ks_differences: Option<f64>,
    baro: f64,
    change: Change,
}

#[derive(Deserialize)]
struct Change {
    shift: f64,
    relative: f64,
    z: f64,
    degrees: f64,
}

impl Case {
    fn question(&self) -> Question {
        let rows = self.metric.len();
        Question {
            grid: Grid::even(rows, Span::from_nanoseconds(1)).unwrap(),
            target: Sequence::from(vec![0.0; rows]),
            windows: self.windows.iter().map(|(start, end)| *start..*end).collect(),
            baseline: Some(self.baseline.0..self.baseline.1),
            segments: Segments::Auto,
            pattern: None,
        }
    }
}

#[test]
fn scores_are_those_of_scipy_and_numpy() {
    for case in load::<Case>("change/scores.json") {
        let question = case.question();
        let metric = Sequence::new(&case.metric);
        let expected = [
            (Correlator::NSigma, Some(case.n_sigma)),
            (Correlator::Volume, Some(case.volume)),
            (Correlator::KsLevels, Some(case.ks_levels)),
            (Correlator::KsDifferences, case.ks_differences),
            (Correlator::Baro, Some(case.baro)),
            (Correlator::ChangeScore, Some(case.change.z)),
        ];
        for (correlator, expected) in expected {
            let found = prepare(correlator, &question).unwrap().judge(&metric);
            let found = found.map(|score| score.value());
            let is_close = match (found, expected) {
                (Some(found), Some(expected)) => relative_error(found, expected) < 1e-9,
                (found, expected) => found == expected,
            };
            assert!(is_close, "{}, {correlator}: {found:?}, not {expected:?}", case.name);
        }
    }
}

#[test]
fn the_change_score_rests_on_what_it_says() {
    for case in load::<Case>("change/scores.json") {
        let question = case.question();
        let judge = ChangeJudge::new(&question).unwrap();
        let found = judge.evidence(&Sequence::new(&case.metric)).unwrap();
        let expected = &case.change;
        for (what, found, expected) in [
            ("shift", found.shift, expected.shift),
            ("relative", found.relative.unwrap(), expected.relative),
            ("z", found.z, expected.z),
            ("degrees", found.degrees, expected.degrees),
        ] {
            let error = relative_error(found, expected);
            assert!(error < 1e-9, "{}, {what}: {found}, not {expected}", case.name);
        }
        assert_eq!(found.constant_before, None, "{}", case.name);
    }
}

#[derive(Deserialize)]
struct Wandering {
    name: String,
    x: Vec<f64>,
    lags: usize,
    steps: usize,
    statistic: f64,
    critical: f64,
    with_one_lag: f64,
    without_lags: f64,
}

#[test]
fn the_dickey_fuller_test_is_that_of_statsmodels() {
    for case in load::<Wandering>("change/dickey_fuller.json") {
        let found = DickeyFuller::of(&case.x).unwrap();
        assert_eq!((found.lags, found.steps), (case.lags, case.steps), "{}", case.name);
        let one = DickeyFuller::with_lags(&case.x, 1).unwrap().statistic;
        let none = DickeyFuller::with_lags(&case.x, 0).unwrap().statistic;
        for (what, found, expected) in [
            ("statistic", found.statistic, case.statistic),
            ("critical value", found.critical(), case.critical),
            ("statistic with a lag", one, case.with_one_lag),
            ("statistic without lags", none, case.without_lags),
        ] {
            let error = relative_error(found, expected);
            assert!(error < 1e-7, "{}, {what}: {found}, not {expected}", case.name);
        }
    }
}
