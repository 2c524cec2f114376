//! What stands beside a verdict: the samples that it rests on, the ratio without a shell, what JSON says
//! of the builds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::compare::{
    Comparison, Course, Design, LayoutArrangement, Layouts, Margin, Pairing, TwoBuilds, counted_in,
    counted_places,
};
use fathom_analyze::{Document, EstimateRequest, Report, analyze};
use fathom_record::{Environment, Series, Unit};
use fathom_stats::Confidence;
use fathom_stats::paired::{Block, Looks};
use serde_json::Value;

const BLOCKS: usize = 30;

/// The runs of two sides, the second slower by this factor; a few blocks ran under load.
fn sides(factor: f64) -> [Vec<f64>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for block in 0..BLOCKS {
        let load = if (5..9).contains(&block) { 1.6 } else { 1.0 };
        for run in 0..2 {
            let noise = |salt: usize| 1.0 + 0.001 * ((block * 7 + run * 3 + salt) % 10) as f64;
            sides[0].push(load * noise(0));
            sides[1].push(load * factor * noise(5));
        }
    }
    sides
}

/// The runs of the blocks that are not among these.
fn of_others(set_aside: &[usize]) -> Vec<usize> {
    (0..2 * BLOCKS).filter(|place| !set_aside.contains(&(place / 2))).collect()
}

fn block([reference, subject]: &[Vec<f64>; 2], number: usize) -> Block {
    let two = |side: &[f64]| [side[2 * number], side[2 * number + 1]];
    Block::of(two(subject), two(reference)).unwrap()
}

fn compared(names: [&str; 2], sides: &[Vec<f64>; 2]) -> Comparison {
    let (confidence, margin) = (Confidence::DEFAULT, Margin::new(0.0).unwrap());
    let looks = Looks::plan(BLOCKS).not_before(BLOCKS);
    let mut course = Course::new(1, BLOCKS, confidence, margin, Vec::new(), 0.0).with_looks(looks);
    for number in 0..BLOCKS {
        course.take(&[(0, block(sides, number))]);
    }
    Comparison::of(&course, 0, names, Pairing::Runs, 1.0).unwrap()
}

#[test]
fn medians_rest_on_the_blocks_that_count() {
    let (old_new, other) = (sides(1.05), sides(1.2));
    let comparisons = [compared(["old", "new"], &old_new), compared(["one", "two"], &other)];
    let Design::Paired(paired) = &comparisons[0].design else { panic!() };
    assert!((5..9).all(|block| paired.set_aside.contains(&block)), "{:?}", paired.set_aside);
    let places = counted_places(paired);
    assert_eq!(places, of_others(&paired.set_aside));
    let all = [
        ("one", other[0].as_slice()),
        ("old", &old_new[0]),
        ("two", &other[1]),
        ("new", &old_new[1]),
    ];
    for name in ["old", "new"] {
        assert_eq!(counted_in(name, &comparisons[..1], &all), Some(places.clone()), "{name}");
        assert_eq!(counted_in(name, &comparisons, &all), Some(places.clone()), "{name}");
    }
    assert_eq!(counted_in("third", &comparisons, &all), None);
    // Samples that do not give the blocks' ratios are not those of the blocks.
    let shifted: Vec<f64> = old_new[1].iter().map(|value| value * value).collect();
    let wrong = [("old", old_new[0].as_slice()), ("new", shifted.as_slice())];
    assert_eq!(counted_in("new", &comparisons[..1], &wrong), None);
    assert_eq!(counted_in("new", &comparisons[..1], &wrong[..1]), None);
}

#[test]
fn the_last_block_may_be_a_single_pair() {
    let mut sides = sides(1.05);
    let mut comparison = compared(["old", "new"], &sides).with_last_block_halved();
    let last = sides.each_mut().map(|side| {
        side.pop();
        [*side.last().unwrap(); 2]
    });
    if let Design::Paired(paired) = &mut comparison.design {
        *paired.log_ratios.last_mut().unwrap() = Block::of(last[1], last[0]).unwrap().log_ratio;
    }
    let Design::Paired(paired) = &comparison.design else { panic!() };
    let mut expected = of_others(&paired.set_aside);
    expected.retain(|place| *place < 2 * BLOCKS - 1);
    let all = [("old", sides[0].as_slice()), ("new", &sides[1])];
    assert_eq!(counted_in("new", &[comparison], &all), Some(expected), "there is no other half");
}

/// A shell that takes half of the reference's runs: 30% more are 60% more without it.
#[test]
fn a_ratio_is_that_without_the_shell() {
    let of = |whole: f64| {
        let margin = Margin::DEFAULT;
        let looks = Looks::plan(40).not_before(40);
        let course = Course::new(1, 40, Confidence::DEFAULT, margin, Vec::new(), 0.0);
        let mut course = course.with_shell().with_looks(looks);
        for i in 0..40_usize {
            let noise = 0.0005 * ((i * 7 % 10) as f64 - 4.5);
            let with = |ratio: f64| Block { log_ratio: ratio.ln() + noise, log_total: 0.0 };
            course.take_shell(with(0.5));
            course.take(&[(0, with(whole))]);
        }
        let found = Comparison::of(&course, 0, ["old", "new"], Pairing::Runs, 1.0).unwrap();
        (found.interval.lower(), found.ratio, found.interval.upper())
    };
    for (whole, without) in [(1.3, 1.6), (0.8, 0.6), (1.0, 1.0)] {
        let (lower, ratio, upper) = of(whole);
        assert!((ratio - without).abs() < 0.005, "{whole}: {ratio}");
        assert!(lower <= without && without <= upper, "{whole}: {lower} to {upper}");
        assert!(without - 0.02 < lower && upper < without + 0.02, "{whole}: {lower} to {upper}");
    }
}

#[test]
fn json_says_how_builds_were_laid_out() {
    let subject = |name: &str| {
        let values = (0..30).map(|i| 1.0 + 0.001 * f64::from(i * 7 % 10)).collect();
        analyze(Series::new(name, Unit::SECONDS, values).unwrap(), &EstimateRequest::default())
    };
    let of = |layouts: Layouts| {
        let builds = TwoBuilds { layouts, is_code_unchanged: Some(false) };
        let comparison = compared(["old", "new"], &sides(1.05)).of_builds(builds, false);
        let report = Report {
            command_line: "fathom".to_string(),
            seed: 1,
            environment: Environment::of_this_build(),
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            subjects: vec![subject("old"), subject("new")],
            comparisons: Some(vec![comparison]),
            warnings: Vec::new(),
        };
        let text = Document::of(&report, false).to_json().unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        document["comparisons"][0]["builds"].clone()
    };
    let arrangement = LayoutArrangement::Padded;
    let several = of(Layouts::Several { count: 12, executions: 3, arrangement });
    assert_eq!(several["layouts"], 12, "{several}");
    assert_eq!(several["executions_of_each"], 3, "{several}");
    assert_eq!(several["arrangement"], "padded", "{several}");
    assert_eq!(several["code_unchanged"], false, "{several}");
    let one = of(Layouts::One { why: Some("no linker".to_string()) });
    assert_eq!((&one["layouts"], &one["one_layout_because"]), (&1.into(), &"no linker".into()));
}
