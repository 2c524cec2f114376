//! Asked again with a cache, the answer is the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod made_source;

use fathom_explain::align::{
    AlignOptions, Ribbon, align, align_with, question_with, read_with, ribbons,
};
use fathom_explain::onset::OrderBy;
use fathom_explain::{
    Correlator, ExplainCache, OneRun, Pattern, Progress, RunEntry, ScoreIn, Segments, Selection,
    SourceError, Stopped, TargetRange, TraceQuestion, TraceSource, explain, explain_with,
};
use fathom_record::Timestamp;
use fathom_record::trace::{Kind, Samples};
use made_source::{Made, SECOND, noise};
use proptest::prelude::*;
use std::sync::Mutex;

const ROWS: usize = 140;

/// Four runs of one program, each at its own pace: all have the work, a counter and events; the second
/// has no target of its own, the third only a little of it, and the fourth another clock.
fn program() -> Made {
    let mut made = Made::default();
    for (n, run) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let rows = ROWS + 9 * n;
        let step = if run == "d" { SECOND / 2 } else { SECOND };
        let phase = |row: usize| (row * ROWS / rows) as f64;
        let bump = |row: usize| if (70.0..100.0).contains(&phase(row)) { 4.0 } else { 0.0 };
        let seed = 100 * (n as u64 + 1);
        let times = |row: usize| ((row.max(1) as i64 - 1) * step, row as i64 * step);
        let gauge = |seed: u64, level: &dyn Fn(usize) -> f64| -> Vec<(i64, i64, f64)> {
            let noise = noise(seed, rows);
            let row =
                |(row, noise): (usize, &f64)| (times(row).0, times(row).1, level(row) + noise);
            noise.iter().enumerate().map(row).collect()
        };
        let work = gauge(seed, &|row| (phase(row) * 0.15).sin() * 3.0 + phase(row) * 0.02);
        made = made.with_rows(run, "work", Kind::Gauge, &work);
        match run {
            "b" => {}
            "c" => made = made.with_rows(run, "target", Kind::Gauge, &gauge(seed + 1, &bump)[..60]),
            _ => made = made.with_rows(run, "target", Kind::Gauge, &gauge(seed + 1, &bump)),
        }
        made = made.with_rows(run, "follower", Kind::Gauge, &gauge(seed + 2, &|row| -bump(row)));
        made = made.with_rows(run, "stranger", Kind::Gauge, &gauge(seed + 3, &|_| 0.0));
        let mut total = 0.0;
        let counted = gauge(seed + 4, &|row| 2.0 + bump(row)).into_iter().map(|(from, to, by)| {
            total += by;
            (from, to, total)
        });
        made = made.with_rows(run, "counter", Kind::Counter, &counted.collect::<Vec<_>>());
        let happened = (0..rows).filter(|row| row % 3 == 0 || bump(*row) > 0.0);
        let events: Vec<(i64, i64, f64)> = happened
            .map(|row| (row as i64 * step + 7, row as i64 * step + 7 + step / 3, 1.0))
            .collect();
        made = made.with_rows(run, "events", Kind::Event, &events);
    }
    made
}

fn request(target: &str, window: (usize, usize)) -> TraceQuestion {
    TraceQuestion {
        selection: Selection {
            target: target.to_string(),
            run: None,
            windows: vec![TargetRange::Rows { first: window.0, last: window.1 }],
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        },
        alignment: AlignOptions::default(),
        correlator: Correlator::Combined,
        score_in: ScoreIn::Every,
        order: OrderBy::Evidence,
        only: Vec::new(),
    }
}

/// To the last digit, errors included.
fn said<T: std::fmt::Debug, E: std::fmt::Display>(answer: Result<T, E>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(error) => format!("error: {error}"),
    }
}

fn requests() -> impl Strategy<Value = TraceQuestion> {
    let target = prop_oneof![
        4 => Just("target"),
        1 => Just("work"),
        1 => Just("events"),
        1 => Just("counter"),
        1 => Just("nothing"),
    ];
    let common = prop_oneof![
        3 => Just(None),
        2 => Just(Some("work".to_string())),
        1 => Just(Some("counter".to_string())),
        1 => Just(Some("events".to_string())),
        1 => Just(Some("target".to_string())),
    ];
    let run = prop_oneof![3 => Just(None), 1 => Just(Some("a".to_string())), 1 => Just(Some("d".to_string()))];
    let window = (0_usize..120, 2_usize..60).prop_map(|(first, rows)| (first, first + rows));
    let windows = prop::collection::vec(window, 1..3);
    let how = (any::<bool>(), prop_oneof![Just(0.0), Just(0.4)], any::<bool>(), any::<bool>());
    let cut = prop_oneof![Just(Segments::Auto), Just(Segments::Exactly(3))];
    (target, common, run, windows, how, cut, any::<bool>()).prop_map(
        |(target, common, run, windows, (normalise, penalty, every, has_baseline), cut, drawn)| {
            let mut request = request(target, (0, 9));
            let rows = |(first, last)| TargetRange::Rows { first, last };
            request.selection.windows = windows.into_iter().map(rows).collect();
            request.selection.run = run;
            request.selection.baseline = has_baseline.then_some(rows((0, 15)));
            request.selection.segments = cut;
            let knots = [(70.0, 0.0), (85.0, 4.0), (100.0, 1.0)];
            let knots = knots.map(|(at, height)| (Timestamp::from_seconds(at), height)).to_vec();
            request.selection.pattern = drawn.then(|| Pattern::new(knots)).flatten();
            request.alignment = AlignOptions { common, normalise, penalty, by_hand: Vec::new() };
            request.score_in = if every { ScoreIn::Every } else { ScoreIn::Nearest };
            request
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever was asked before, and however little is kept.
    #[test]
    fn answers_are_the_same(
        asked in prop::collection::vec(requests(), 1..5),
        bytes in prop_oneof![Just(0), Just(60_000), Just(1 << 30)],
    ) {
        let made = program();
        let cache = ExplainCache::new(bytes);
        for request in &asked {
            let (selection, options) = (&request.selection, &request.alignment);
            let plain = said(align(&made, selection, options, &|_| Ok(())));
            let twice = [(); 2].map(|()| said(align_with(&made, selection, options, &cache, &|_| Ok(()))));
            prop_assert_eq!(&twice[0], &plain);
            prop_assert_eq!(&twice[1], &plain);
            let plain = said(explain(&made, request, &|_| Ok(())));
            prop_assert_eq!(said(explain_with(&made, request, &cache, &|_| Ok(()))), plain);
            prop_assert!(cache.bytes() <= bytes);
        }
    }
}

#[test]
fn what_was_read_is_not_read_again() {
    let made = program();
    let cache = ExplainCache::default();
    for window in [(70, 99), (30, 60), (75, 99)] {
        explain_with(&made, &request("target", window), &cache, &|_| Ok(())).unwrap();
        question_with(
            &made,
            &request("target", window).selection,
            &AlignOptions::default(),
            &cache,
        )
        .unwrap();
    }
    let runs = made.runs();
    for (run, metric) in runs.iter().flat_map(|run| run.metrics.iter().map(move |m| (run, m))) {
        assert_eq!(made.times_read(&run.id, &metric.name), 1, "{} {}", run.id, metric.name);
    }
    let samples = read_with(&made, "a", "target", &cache).unwrap();
    assert_eq!(samples.len(), ROWS);
    assert_eq!(made.times_read("a", "target"), 1);
    assert!(read_with(&made, "a", "nothing", &cache).is_err());
    // Nothing is remembered without a cache.
    explain(&made, &request("target", (70, 99)), &|_| Ok(())).unwrap();
    assert!(made.times_read("a", "follower") > 1);
}

/// The same traces, in files that are read faster whole.
struct WholeFiles {
    made: Made,
    read: Mutex<Vec<String>>,
}

impl TraceSource for WholeFiles {
    fn runs(&self) -> &[RunEntry] {
        self.made.runs()
    }

    fn common(&self) -> Option<&str> {
        self.made.common()
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        self.made.samples(run, metric)
    }

    fn whole_run(&self, run: &str, bytes: usize) -> Option<Result<Vec<Samples>, SourceError>> {
        if bytes == 0 {
            return None;
        }
        self.read.lock().unwrap().push(run.to_string());
        let of_run = self.made.samples.iter().filter(|((id, _), _)| id == run);
        Some(Ok(of_run.map(|(_, samples)| samples.clone()).collect()))
    }
}

#[test]
fn a_run_is_read_whole_once_enough_of_it_is_asked() {
    let asked = request("target", (70, 99));
    let plain = said(explain(&program(), &asked, &|_| Ok(())));
    let files = WholeFiles { made: program(), read: Mutex::default() };
    // Without a memory there is nowhere to put it.
    assert_eq!(said(explain(&files, &asked, &|_| Ok(()))), plain);
    assert!(files.read.lock().unwrap().is_empty());
    let files = WholeFiles { made: program(), read: Mutex::default() };
    let memory = ExplainCache::default();
    for _ in 0..2 {
        assert_eq!(said(explain_with(&files, &asked, &memory, &|_| Ok(()))), plain);
    }
    let mut read = files.read.lock().unwrap().clone();
    read.sort();
    let count = read.len();
    read.dedup();
    assert!(count > 0 && read.len() == count, "a run is read whole once: {read:?}");
    for run in files.runs() {
        let alone: usize =
            run.metrics.iter().map(|metric| files.made.times_read(&run.id, &metric.name)).sum();
        assert!(alone <= 2, "{} of {}", alone, run.id);
    }
}

/// Wherever it is stopped, and by whom.
#[test]
fn stopping_loses_nothing_and_spoils_nothing() {
    let made = program();
    let asked = request("target", (70, 99));
    let plain = said(explain(&made, &asked, &|_| Ok(())));
    let before = made.times_read("c", "work");
    let cache = ExplainCache::default();
    for most in 0.. {
        let seen = Mutex::new(0);
        let watch = |_: Progress| {
            let mut seen = seen.lock().unwrap();
            *seen += 1;
            if *seen > most { Err(Stopped) } else { Ok(()) }
        };
        match explain_with(&made, &asked, &cache, &watch) {
            Ok(found) => {
                assert_eq!(format!("{found:?}"), plain);
                break;
            }
            Err(error) => assert_eq!(error.to_string(), "stopped"),
        }
        assert!(most < 1000);
    }
    assert_eq!(made.times_read("c", "work"), before + 1);
    assert_eq!(said(explain_with(&made, &asked, &cache, &|_| Ok(()))), plain);
}

#[test]
fn several_may_ask_at_once() {
    let made = program();
    let windows = [(70, 99), (10, 40), (60, 110), (90, 120)];
    let plain = windows.map(|window| said(explain(&made, &request("target", window), &|_| Ok(()))));
    let made = program();
    let cache = ExplainCache::default();
    std::thread::scope(|scope| {
        for (window, plain) in windows.iter().zip(&plain) {
            let (made, cache) = (&made, &cache);
            scope.spawn(move || {
                let found = explain_with(made, &request("target", *window), cache, &|_| Ok(()));
                assert_eq!(&said(found), plain);
            });
        }
    });
}

#[test]
fn no_warp_is_made_twice_at_once() {
    let made = program();
    let cache = ExplainCache::default();
    let TraceQuestion { selection, alignment, .. } = request("target", (70, 99));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                ribbons(&made, &selection, &alignment, &cache, &|_| Ok(()), &|_| {}).unwrap();
            });
        }
    });
    // Nothing else reads the common metric of other runs.
    assert_eq!(["b", "c", "d"].map(|run| made.times_read(run, "work")), [1; 3]);
}

#[test]
fn a_memory_that_ribbons_filled_answers_too() {
    let made = program();
    let cache = ExplainCache::default();
    let asked = request("target", (70, 99));
    let found: Mutex<Vec<String>> = Mutex::default();
    let keep = |ribbon: Ribbon| found.lock().unwrap().push(ribbon.to);
    let (selection, options) = (&asked.selection, &asked.alignment);
    ribbons(&made, selection, options, &cache, &|_| Ok(()), &keep).unwrap();
    let mut found = found.into_inner().unwrap();
    found.sort();
    assert_eq!(found, ["b", "c", "d"]);
    let plain = said(explain(&made, &asked, &|_| Ok(())));
    assert_eq!(said(explain_with(&made, &asked, &cache, &|_| Ok(()))), plain);
}

#[test]
fn one_run_is_explained_as_if_it_were_alone() {
    let made = program();
    let alone =
        Made { runs: made.runs[..1].to_vec(), samples: made.samples.clone(), ..Made::default() };
    let asked = request("target", (70, 99));
    let cache = ExplainCache::default();
    let one = OneRun::new(&made, "a").unwrap();
    let found = said(explain_with(&one, &asked, &cache, &|_| Ok(())));
    assert_eq!(found, said(explain(&alone, &asked, &|_| Ok(()))));
    assert!(OneRun::new(&made, "e").is_none());
    // The same cache, and all runs.
    let plain = said(explain(&made, &asked, &|_| Ok(())));
    assert_eq!(said(explain_with(&made, &asked, &cache, &|_| Ok(()))), plain);
}
