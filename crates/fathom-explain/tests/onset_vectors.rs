//! When a metric changes, against a search through all stretches in numpy.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_explain::onset::OnsetRows;
use fathom_explain::{Grid, Question, Segments, Sequence};
use fathom_record::Span;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    values: Vec<f64>,
    window: (usize, usize),
    /// The first changed row, and the first and last that may be it.
    rows: Option<(usize, usize, usize)>,
}

#[test]
fn rows_are_those_of_a_search_through_all_stretches() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/vectors/onset/rows.json");
    let text = std::fs::read_to_string(file).unwrap();
    let mut vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let cases: Vec<Case> = serde_json::from_value(vectors["cases"].take()).unwrap();
    assert!(cases.iter().any(|case| case.rows.is_some()));
    for case in cases {
        let rows = case.values.len();
        let question = Question {
            grid: Grid::even(rows, Span::from_nanoseconds(1)).unwrap(),
            target: Sequence::from(vec![0.0; rows]),
            windows: std::iter::once(case.window.0..case.window.1).collect(),
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        };
        let found = OnsetRows::of(&question, &Sequence::from(case.values));
        let found = found.map(|rows| (rows.at, rows.first, rows.last));
        assert_eq!(found, case.rows, "the window {:?}", case.window);
    }
}
