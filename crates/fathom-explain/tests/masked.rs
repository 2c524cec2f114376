//! Rows that do not count: the answer is the same as if they had never been recorded.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod made_source;

use fathom_explain::align::{AlignOptions, question_with};
use fathom_explain::onset::OrderBy;
use fathom_explain::{
    Correlator, ExplainCache, ExplainError, Explanation, Mask, RunEntry, ScoreIn, Segments,
    Selection, SourceError, TargetRange, TraceQuestion, TraceSource, explain,
};
use fathom_record::Timestamp;
use fathom_record::trace::{Kind, Samples};
use made_source::{Made, SECOND, noise};
use std::collections::BTreeMap;

const ROWS: usize = 600;
const START: usize = 540;
/// Collections: after so many rows there are so many that do not count.
const EVERY: usize = 37;
const LENGTH: usize = 5;

/// Traces with what counts in each run.
struct Masked {
    made: Made,
    masks: BTreeMap<String, Option<Mask>>,
    except: Vec<TargetRange>,
}

impl TraceSource for Masked {
    fn runs(&self) -> &[RunEntry] {
        self.made.runs()
    }

    fn common(&self) -> Option<&str> {
        None
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        self.made.samples(run, metric)
    }

    fn mask(&self, run: &str) -> Option<Mask> {
        self.masks.get(run).cloned().unwrap_or_else(|| Some(Mask::default()))
    }

    fn except(&self, _run: &str) -> Vec<TargetRange> {
        self.except.clone()
    }
}

/// Where a row is once collections are put between rows.
fn later(row: usize) -> usize {
    row + row / EVERY * LENGTH
}

/// The same values with collections between them, and when those are.
fn with_collections(values: &[f64]) -> (Vec<f64>, Vec<(Timestamp, Timestamp)>) {
    let (mut all, mut stretches) = (Vec::new(), Vec::new());
    for (row, value) in values.iter().enumerate() {
        if row > 0 && row % EVERY == 0 {
            let end = |row: usize| Timestamp::from_nanoseconds(row as i64 * SECOND);
            stretches.push((end(all.len() - 1), end(all.len() + LENGTH - 1)));
            all.extend((0..LENGTH).map(|n| 1e4 * (n as f64 - 2.0)));
        }
        all.push(*value);
    }
    (all, stretches)
}

fn bump(row: usize) -> f64 {
    if (START..=START + 20).contains(&row) { (row - START) as f64 * 0.3 } else { 0.0 }
}

fn series(seed: u64, by: f64) -> Vec<f64> {
    noise(seed, ROWS).iter().enumerate().map(|(row, noise)| 10.0 + noise + by * bump(row)).collect()
}

/// Values of each run and metric.
fn values(runs: &[&str]) -> Vec<(String, String, Vec<f64>)> {
    let mut all = Vec::new();
    for (n, run) in runs.iter().enumerate() {
        let seed = n as u64 * 1000;
        all.push((run.to_string(), "target".to_string(), series(seed + 1, 5.0)));
        all.push((run.to_string(), format!("cause {n}"), series(seed + 2, 4.0)));
        for metric in 10..30 {
            all.push((run.to_string(), format!("noise {n} {metric}"), series(seed + metric, 0.0)));
        }
    }
    all
}

fn clean(runs: &[&str]) -> Made {
    let all = values(runs).into_iter();
    all.fold(Made::default(), |made, (run, metric, values)| {
        made.with_rows(&run, &metric, Kind::Gauge, &at_later_times(values))
    })
}

/// Rows at the times that they have with collections between them, each from the end of the one before.
fn at_later_times(values: Vec<f64>) -> Vec<(i64, i64, f64)> {
    let end = |row: usize| later(row) as i64 * SECOND;
    let row = |(row, value): (usize, f64)| (end(row.max(1) - 1), end(row), value);
    values.into_iter().enumerate().map(row).collect()
}

fn dirty(runs: &[&str]) -> (Made, Vec<(Timestamp, Timestamp)>) {
    let mut stretches = Vec::new();
    let all = values(runs).into_iter();
    let made = all.fold(Made::default(), |made, (run, metric, values)| {
        let (values, collections) = with_collections(&values);
        stretches = collections;
        made.with(&run, &metric, values)
    });
    (made, stretches)
}

fn masked(runs: &[&str]) -> Masked {
    let (made, stretches) = dirty(runs);
    let mask = |run: &&str| (run.to_string(), Some(Mask::new(stretches.clone())));
    Masked { made, masks: runs.iter().map(mask).collect(), except: Vec::new() }
}

fn request(first: usize, last: usize) -> TraceQuestion {
    TraceQuestion {
        selection: Selection {
            target: "target".to_string(),
            run: None,
            windows: vec![TargetRange::Rows { first, last }],
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        },
        alignment: AlignOptions::default(),
        correlator: Correlator::Combined,
        score_in: ScoreIn::Every,
        only: Vec::new(),
        order: OrderBy::Evidence,
    }
}

fn asked(source: &dyn TraceSource, request: &TraceQuestion) -> Result<Explanation, ExplainError> {
    explain(source, request, &|_| Ok(()))
}

/// Everything that is said of metrics, but no time: that goes on during collections.
fn ranking(explanation: &Explanation) -> Vec<String> {
    let line = |one: &fathom_explain::Ranked| {
        format!(
            "{} {:?} {:?} {:?} {:?} {:?}",
            one.metric.name, one.score, one.q_value, one.change, one.shape, one.scores
        )
    };
    explanation.ranking.iter().map(line).collect()
}

#[test]
fn what_does_not_count_is_as_if_it_had_not_been_recorded() {
    for runs in [&["a"][..], &["a", "b", "c"]] {
        let clean = asked(&clean(runs), &request(START, START + 20)).unwrap();
        let source = masked(runs);
        let question = request(later(START), later(START + 20));
        let found = asked(&source, &question).unwrap();
        assert_eq!(ranking(&found), ranking(&clean), "{runs:?}");
        assert!(found.ranking[0].metric.name.starts_with("cause"));
        let masked = found.masked.unwrap();
        assert_eq!((masked.kept, masked.rows), (ROWS, later(ROWS - 1) + 1));
        let rows = later(START + 20) - later(START) + 1;
        assert_eq!((masked.kept_in_windows, masked.rows_in_windows), (21, rows));
        // Numbers of rows are those of the target, so that they can be asked with again.
        let window = found.target.windows[0];
        assert_eq!((window.first, window.last), (later(START), later(START + 20)));
        let note = format!(
            "600 of {} rows of \"target\" count (--while, --except), 21 of {rows} in the window",
            masked.rows
        );
        assert!(found.notes.iter().any(|one| one.contains(&note)), "{:?}", found.notes);
        // Without the mask it is another answer.
        let (made, _) = dirty(runs);
        assert_ne!(ranking(&asked(&made, &question).unwrap()), ranking(&clean));
    }
}

#[test]
fn what_is_excepted_counts_for_nothing_in_any_run() {
    let (made, stretches) = dirty(&["a"]);
    let except = stretches.iter().map(|&(start, end)| TargetRange::Time {
        start: start + fathom_record::Span::from_nanoseconds(1),
        end,
    });
    let source = Masked { made, masks: BTreeMap::new(), except: except.collect() };
    let found = asked(&source, &request(later(START), later(START + 20))).unwrap();
    let clean = asked(&clean(&["a"]), &request(START, START + 20)).unwrap();
    assert_eq!(ranking(&found), ranking(&clean));
    // What is suggested follows from the rows that count.
    let selection = Selection { windows: vec![TargetRange::Whole], ..request(0, 9).selection };
    let cache = ExplainCache::new(0);
    let question = question_with(&source, &selection, &AlignOptions::default(), &cache).unwrap();
    let target: Vec<f64> = question.target.seen().collect();
    assert_eq!(target, series(1, 5.0));
}

/// A run that cannot say what counts: what counts in the first one, carried over.
#[test]
fn other_runs_without_the_condition_follow_the_first() {
    let runs = ["a", "b"];
    let mut source = masked(&runs);
    source.masks.insert("b".to_string(), None);
    let found = asked(&source, &request(later(START), later(START + 20))).unwrap();
    // Both runs have their collections at the same rows, and are aligned with them.
    let clean = asked(&clean(&runs), &request(START, START + 20)).unwrap();
    let names = |explanation: &Explanation| -> Vec<String> {
        explanation.ranking.iter().take(2).map(|one| one.metric.name.clone()).collect()
    };
    assert_eq!(names(&found), names(&clean));
    assert_eq!(found.runs[1].aligned.question.grid.rows(), ROWS);
    // The other way round: only another run can say what counts in the run of the window.
    let mut source = masked(&runs);
    source.masks.insert("a".to_string(), None);
    let found = asked(&source, &request(later(START), later(START + 20))).unwrap();
    assert_eq!(names(&found), names(&clean));
    let note =
        "\"a\" lacks a metric of --while; which of its rows count is carried over from \"b\"";
    assert!(found.notes.iter().any(|one| one == note), "{:?}", found.notes);
    let left = found.masked.unwrap();
    // The warp need not be the diagonal where noise meets noise.
    assert!(left.kept.abs_diff(ROWS) < ROWS / 10, "{left:?}");
}

fn refused(source: &Masked, request: &TraceQuestion) -> String {
    match asked(source, request) {
        Err(ExplainError::Align(error)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_mask_that_leaves_too_little_is_an_error() {
    let at = Timestamp::from_seconds;
    let with = |mask: Option<Mask>| {
        let mut source = masked(&["a"]);
        source.masks.insert("a".to_string(), mask);
        source
    };
    let everything = with(Some(Mask::new(vec![(Timestamp::MIN, Timestamp::MAX)])));
    let why = refused(&everything, &request(9, 30));
    assert!(why.contains("leave 0 of 680 rows of metric \"target\" in run \"a\""), "{why}");
    let window = with(Some(Mask::new(vec![(at(8.0), at(29.0))])));
    let why = refused(&window, &request(9, 30));
    assert!(why.contains("has 1 row with a value"), "{why}");
    assert!(why.contains("--while and --except leave out 21 rows there"), "{why}");
    let why = refused(&with(None), &request(9, 30));
    assert!(why.contains("no run can say which rows count in run \"a\""), "{why}");
    let mut outside = with(Some(Mask::default()));
    outside.except = vec![TargetRange::Time { start: at(5000.0), end: at(6000.0) }];
    let why = refused(&outside, &request(9, 30));
    assert!(why.contains("the exception from 5000 s to 6000 s"), "{why}");
    // Hardly any baseline is left: that is said, and nothing is called significant.
    let baseline = with(Some(Mask::new(vec![(at(-10.0), at(later(START) as f64 - 3.0))])));
    let found = asked(&baseline, &request(later(START), later(START + 20))).unwrap();
    assert!(found.ranking.iter().all(|one| one.q_value.is_none_or(|q| q >= 0.05)));
    assert!(found.notes.iter().any(|note| note.contains("not enough data")), "{:?}", found.notes);
}

/// Totals grow while nothing counts; that growth is not that of the rows around.
#[test]
fn totals_do_not_grow_by_what_is_left_out() {
    let (growth, _) = with_collections(&series(77, 3.0));
    let growth: Vec<f64> = growth.iter().map(|value| value.abs()).collect();
    let mut sum = 0.0;
    let row = |(row, growth): (usize, &f64)| {
        sum += growth;
        ((row.max(1) as i64 - 1) * SECOND, row as i64 * SECOND, sum)
    };
    let total: Vec<(i64, i64, f64)> = growth.iter().enumerate().map(row).collect();
    let mut source = masked(&["a"]);
    source.made = std::mem::take(&mut source.made).with("a", "growth", growth).with_rows(
        "a",
        "total",
        Kind::Counter,
        &total,
    );
    let found = asked(&source, &request(later(START), later(START + 20))).unwrap();
    let change = |name: &str| {
        found.ranking.iter().find(|one| one.metric.name == name).unwrap().change.unwrap()
    };
    let (level, total) = (change("growth"), change("total"));
    assert!((level.shift - total.shift).abs() < 1e-3, "{level:?} {total:?}");
    assert!(level.shift > 5.0);
}
