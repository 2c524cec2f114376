//! From traces to a ranking, with a source made up in memory.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod made_source;

use fathom_explain::align::AlignOptions;
use fathom_explain::onset::OrderBy;
use fathom_explain::{
    Correlator, ExplainError, Explanation, Progress, ScoreIn, Segments, Selection, Stopped,
    TargetRange, TraceQuestion, explain,
};
use fathom_record::Timestamp;
use made_source::{Made, noise};

/// Thirty windows of past: for a metric to be sure, metrics must have had occasion to do the same by
/// chance.
const ROWS: usize = 1000;
const START: usize = 900;

/// A bump of 30 rows.
fn bump(row: usize) -> f64 {
    if (START..=START + 30).contains(&row) {
        (std::f64::consts::PI * (row - START) as f64 / 30.0).sin()
    } else {
        0.0
    }
}

fn follower(seed: u64, by: f64) -> Vec<f64> {
    noise(seed, ROWS).iter().enumerate().map(|(row, noise)| 10.0 + noise + by * bump(row)).collect()
}

fn request(correlator: Correlator, score_in: ScoreIn) -> TraceQuestion {
    TraceQuestion {
        selection: Selection {
            target: "target".to_string(),
            run: None,
            windows: vec![TargetRange::Time {
                start: Timestamp::from_seconds(START as f64),
                end: Timestamp::from_seconds(START as f64 + 30.0),
            }],
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        },
        alignment: AlignOptions::default(),
        correlator,
        score_in,
        order: OrderBy::Evidence,
        only: Vec::new(),
    }
}

fn explained(source: &Made, request: &TraceQuestion) -> Explanation {
    explain(source, request, &|_| Ok(())).unwrap()
}

fn one_run() -> Made {
    let mut made = Made::default()
        .with("a", "target", follower(1, 20.0))
        .with("a", "cause", follower(2, 15.0))
        .with("a", "mirror", follower(3, -15.0))
        .with("a", "flat", vec![4096.0; ROWS])
        .with(
            "a",
            "cause again",
            follower(2, 15.0).iter().map(|value| value * 8.0 + 3.0).collect(),
        );
    for seed in 10..40 {
        made = made.with("a", &format!("noise {seed}"), follower(seed, 0.0));
    }
    made
}

#[test]
fn what_goes_along_comes_first_and_is_sure() {
    let explanation = explained(&one_run(), &request(Correlator::Combined, ScoreIn::Every));
    let first: Vec<&str> =
        explanation.ranking.iter().take(3).map(|one| one.metric.name.as_str()).collect();
    assert!(first.contains(&"cause") && first.contains(&"mirror"), "{first:?}");
    for (place, one) in explanation.ranking.iter().enumerate() {
        let q = one.q_value.unwrap();
        assert_eq!(q < 0.05, place < 3, "{} has q {q}", one.metric.name);
    }
    let copy = explanation.ranking.iter().find(|one| one.copy_of.is_some()).unwrap();
    assert!(copy.metric.name.starts_with("cause"));
    let mirror = explanation.ranking.iter().find(|one| one.metric.name == "mirror").unwrap();
    assert_eq!(mirror.sign, fathom_explain::Sign::Against);
    assert_eq!(explanation.excluded.len(), 1);
    assert!(explanation.excluded[0].reason.to_string().contains("4096"));
}

#[test]
fn equal_scores_have_equal_ranks_in_every_correlator() {
    let explanation = explained(&one_run(), &request(Correlator::Pearson, ScoreIn::Every));
    let rank = |name: &str, wanted: Correlator| {
        let one = explanation.ranking.iter().find(|one| one.metric.name == name).unwrap();
        one.scores
            .iter()
            .find(|(one, ..)| *one == wanted)
            .map(|(_, score, rank)| (score.value(), *rank))
    };
    let (score, first) = rank("cause", Correlator::Spearman).unwrap();
    let (same, second) = rank("cause again", Correlator::Spearman).unwrap();
    assert_eq!((score, first), (same, second));
    assert_eq!(rank("cause", Correlator::ManualPattern), None);
}

#[test]
fn the_middle_run_speaks_for_a_metric() {
    let mut made = Made::default();
    for (run, seed) in [("a", 100), ("b", 200), ("c", 300)] {
        made = made.with(run, "target", follower(seed, 20.0));
        // In one run of three the cause is asleep, and in one of three the other one is awake.
        let (cause, chance) = if run == "b" { (0.0, 15.0) } else { (15.0, 0.0) };
        made = made.with(run, "cause", follower(seed + 1, cause));
        made = made.with(run, "chance", follower(seed + 2, chance));
    }
    let every = explained(&made, &request(Correlator::Combined, ScoreIn::Every));
    assert_eq!(every.ranking[0].metric.name, "cause");
    assert_eq!((every.ranking[0].scored_in, every.ranking[0].agreeing >= 2), (3, true));
    let chance = &every.ranking[1];
    assert!(chance.q_value.unwrap() > 0.05, "{:?}", chance.q_value);
    let nearest = explained(&made, &request(Correlator::Combined, ScoreIn::Nearest));
    assert_eq!(nearest.ranking[0].scored_in, 1);
    assert_eq!(nearest.runs.iter().map(|run| run.scored).collect::<Vec<_>>(), [2, 0, 0]);
}

#[test]
fn it_stops_when_it_is_told_and_says_what_cannot_be_read() {
    let made = one_run();
    let asked = request(Correlator::Combined, ScoreIn::Every);
    let stop = |progress: Progress| if progress.done > 3 { Err(Stopped) } else { Ok(()) };
    let error = explain(&made, &asked, &stop).unwrap_err();
    assert!(matches!(error, ExplainError::Stopped(Stopped)), "{error}");
    let mut broken = one_run();
    broken.samples.remove(&("a".to_string(), "noise 20".to_string()));
    let error = explain(&broken, &asked, &|_| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "cannot read metric \"noise 20\" of run \"a\": there is none");
}

/// What is asked about rows of the target.
fn about_rows(first: usize, last: usize) -> TraceQuestion {
    let mut asked = request(Correlator::Combined, ScoreIn::Every);
    asked.selection.windows = vec![TargetRange::Rows { first, last }];
    asked
}

fn q_of(explanation: &Explanation, metric: &str) -> f64 {
    let found = explanation.ranking.iter().find(|one| one.metric.name == metric);
    found.and_then(|one| one.q_value).unwrap()
}

/// The last `window` of this many rows are higher.
fn raised(seed: u64, rows: usize, window: usize, by: f64) -> Vec<f64> {
    let level = |row: usize| if row + window >= rows { by } else { 0.0 };
    noise(seed, rows).iter().enumerate().map(|(row, noise)| 10.0 + noise + level(row)).collect()
}

/// More rows in the window and fewer outside make a metric less significant, and never abruptly.
#[test]
fn q_is_continuous_in_the_length_of_the_window() {
    const ROWS: usize = 440;
    let mut table: Vec<(usize, f64, bool)> = Vec::new();
    for window in 6..=100 {
        let mut made = Made::default().with("a", "target", raised(1, ROWS, window, 20.0)).with(
            "a",
            "cause",
            raised(2, ROWS, window, 15.0),
        );
        for seed in 10..30 {
            made = made.with("a", &format!("noise {seed}"), raised(seed, ROWS, window, 0.0));
        }
        let found = explained(&made, &about_rows(ROWS - window, ROWS - 1));
        assert_eq!(found.ranking[0].metric.name, "cause");
        table.push((window, q_of(&found, "cause"), found.beside.is_enough()));
    }
    let lines = table.iter().map(|(window, q, enough)| format!("{window}: {q:.3} {enough}"));
    let words = lines.collect::<Vec<_>>().join("\n");
    for pair in table.windows(2) {
        let [(_, before, _), (_, after, _)] = pair else { panic!() };
        assert!(after / before < 1.25 && before / after < 1.25, "{words}");
    }
    // The rule on how much is enough is the same as that of q.
    for (_, q, enough) in &table {
        assert_eq!(*q < 0.05, *enough, "{words}");
    }
    assert!(table[0].1 < 0.01 && table[94].1 > 0.14, "{words}");
    insta::assert_snapshot!(words);
}

/// A start-up row in the target and in a metric hides nothing.
#[test]
fn a_row_far_out_hides_no_change() {
    let with_start = |mut values: Vec<f64>| {
        values[0] = 2e8;
        values
    };
    for row in [0, 880] {
        let mut made = Made::default();
        let mut target = raised(1, ROWS, 40, -5.1);
        target[row] = 2e8;
        made = made.with("a", "target", target).with(
            "a",
            "cause",
            with_start(raised(2, ROWS, 40, 8.0)),
        );
        for seed in 10..30 {
            made = made.with("a", &format!("noise {seed}"), raised(seed, ROWS, 40, 0.0));
        }
        let found = explained(&made, &about_rows(ROWS - 40, ROWS - 1));
        let change = found.target.change.unwrap();
        assert!((change.relative.unwrap() + 0.51).abs() < 0.01 && change.z > 20.0, "{change:?}");
        assert_eq!(found.ranking[0].metric.name, "cause");
        assert!(found.ranking[0].change.unwrap().z > 20.0);
        assert!(q_of(&found, "cause") < 0.05, "{}", q_of(&found, "cause"));
    }
}

/// A metric that never moved and moves in the window is evidence; how much depends on how often metrics
/// wake up in these traces.
#[test]
fn waking_up_is_evidence() {
    const ROWS: usize = 6000;
    let asleep = |wakes: &[usize]| {
        let mut values = vec![0.0; ROWS];
        wakes.iter().for_each(|&row| values[row] = 3.0);
        values
    };
    let world = |others: &[usize]| {
        let mut made = Made::default().with("a", "target", raised(1, ROWS, 30, 20.0)).with(
            "a",
            "sleeper",
            asleep(&[ROWS - 20]),
        );
        for &row in others {
            made = made.with("a", &format!("sleeper {row}"), asleep(&[row]));
        }
        for seed in 10..40 {
            made = made.with("a", &format!("noise {seed}"), raised(seed, ROWS, 30, 0.0));
        }
        explained(&made, &about_rows(ROWS - 30, ROWS - 1))
    };
    let alone = world(&[]);
    assert!(q_of(&alone, "sleeper") < 0.005, "{}", q_of(&alone, "sleeper"));
    assert_eq!(
        alone.ranking.iter().filter(|one| one.q_value.unwrap() < 0.05).count(),
        1,
        "nothing else is called"
    );
    // Of twenty others that slept half as long or longer, each woke up once.
    let often = world(&(0..20).map(|n| 3000 + n * 140).collect::<Vec<_>>());
    assert!(q_of(&often, "sleeper") > 0.05, "{}", q_of(&often, "sleeper"));
}
