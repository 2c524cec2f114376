//! Correlators and segmentation against vectors that scipy, numpy and dtaidistance made.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_explain::correlate::prepare;
use fathom_explain::segment::{Points, best, despiked, greedy, optimal};
use fathom_explain::{Correlator, Grid, Question, Score, Segments, Sequence, Sign};
use fathom_record::Timestamp;
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

#[derive(Debug, Deserialize)]
struct Case {
    name: String,
    edges: Vec<Timestamp>,
    target: Vec<Option<f64>>,
    windows: Vec<(usize, usize)>,
    segments: Option<usize>,
    metric: Vec<Option<f64>>,
    pearson: Option<f64>,
    spearman: Option<f64>,
    euclidean: Option<Distance>,
    manhattan: Option<Distance>,
    dtw: Option<Distance>,
    same_splits: Option<Fit>,
    best_splits: Option<f64>,
    auto_pattern: Option<f64>,
    lagged: Option<Lag>,
}

#[derive(Debug, Deserialize)]
struct Distance {
    distance: f64,
    sign: f64,
}

#[derive(Debug, Deserialize)]
struct Fit {
    score: f64,
    sign: f64,
}

#[derive(Debug, Deserialize)]
struct Lag {
    r: f64,
    lag: isize,
}

impl Case {
    fn question(&self) -> Question {
        Question {
            grid: Grid::new(self.edges.clone()).unwrap(),
            target: Sequence::new(&self.target),
            windows: self.windows.iter().map(|&(start, end)| start..end).collect(),
            baseline: None,
            segments: self.segments.map_or(Segments::Auto, Segments::Exactly),
            pattern: None,
        }
    }

    fn score(&self, correlator: Correlator) -> Option<Score> {
        let question = self.question();
        prepare(correlator, &question).ok()?.judge(&Sequence::new(&self.metric))
    }

    /// Whether a score is the one expected, to 1e-9.
    fn check(&self, correlator: Correlator, expected: Option<(f64, f64)>) {
        let found = self.score(correlator);
        let case = format!("{}: {correlator}: {found:?} instead of {expected:?}", self.name);
        let (Some(found), Some((value, sign))) = (found, expected) else {
            assert!(found.is_none() && expected.is_none(), "{case}");
            return;
        };
        assert!((found.value() - value).abs() <= 1e-9 * value.abs().max(1e-3), "{case}");
        assert_eq!(found.sign, Sign::of(sign), "{case}");
    }
}

#[test]
fn scores_are_those_of_the_oracle() {
    for case in load::<Case>("correlators/scores.json") {
        let coefficient = |r: f64| (r.abs(), r);
        let inverse = |d: &Distance| (1.0 / d.distance, d.sign);
        let fit = |fit: &Fit| (fit.score, fit.sign);
        case.check(Correlator::Pearson, case.pearson.map(coefficient));
        case.check(Correlator::Spearman, case.spearman.map(coefficient));
        case.check(Correlator::Euclidean, case.euclidean.as_ref().map(inverse));
        case.check(Correlator::Manhattan, case.manhattan.as_ref().map(inverse));
        case.check(Correlator::Warping, case.dtw.as_ref().map(inverse));
        case.check(Correlator::SameSplits, case.same_splits.as_ref().map(fit));
        case.check(Correlator::AutoPattern, case.auto_pattern.map(coefficient));
        case.check(Correlator::Lagged, case.lagged.as_ref().map(|lag| coefficient(lag.r)));
        let lag = case.score(Correlator::Lagged).and_then(|score| score.lag);
        assert_eq!(lag, case.lagged.as_ref().map(|lag| lag.lag), "{}", case.name);
        if let Some(apart) = case.best_splits {
            let found = case.score(Correlator::BestSplits).map(|score| 1.0 / score.value());
            let found = found.unwrap_or_else(|| panic!("{}: no score", case.name));
            let is_close = (found - apart).abs() <= 1e-9 * apart.max(1.0);
            assert!(is_close, "{}: {found} instead of {apart}", case.name);
        }
    }
}

#[derive(Debug, Deserialize)]
struct Lines {
    edges: Vec<Timestamp>,
    values: Vec<f64>,
    ways: Vec<Way>,
    best: Vec<usize>,
    despiked: Vec<f64>,
}

#[derive(Debug, Deserialize)]
struct Way {
    lines: usize,
    shortest: usize,
    greedy: Vec<usize>,
    greedy_error: f64,
    optimal: Vec<usize>,
    optimal_error: f64,
}

#[test]
fn cuts_are_those_of_the_oracle() {
    for (number, case) in load::<Lines>("correlators/segments.json").into_iter().enumerate() {
        let grid = Grid::new(case.edges).unwrap();
        let sequence = Sequence::from(case.values.clone());
        let points = Points::of(&grid, &sequence, 0..sequence.len());
        for way in &case.ways {
            let found = greedy(&points, way.lines, way.shortest);
            assert_eq!(found.cuts().collect::<Vec<_>>(), way.greedy, "case {number}, {way:?}");
            assert!((found.unexplained - way.greedy_error).abs() < 1e-9, "case {number}, {way:?}");
            let found = optimal(&points, way.lines, way.shortest);
            assert_eq!(found.cuts().collect::<Vec<_>>(), way.optimal, "case {number}, {way:?}");
            assert!((found.unexplained - way.optimal_error).abs() < 1e-9, "case {number}, {way:?}");
        }
        let found: Vec<usize> = best(&points).unwrap().cuts().collect();
        assert_eq!(found, case.best, "case {number}");
        assert_eq!(despiked(&case.values), case.despiked, "case {number}");
    }
}
