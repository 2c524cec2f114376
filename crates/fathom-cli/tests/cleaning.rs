//! Cleaning as a user meets it: what was found, what was done, what each option changes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;

#[test]
fn cleaning_is_shown() {
    insta::assert_snapshot!(shown(&["analyze", WARMUP]));
}

#[test]
fn cleaning_is_shown_in_full() {
    insta::assert_snapshot!(shown(&[
        "analyze",
        WARMUP,
        "-v",
        "--statistic",
        "mean",
        "--statistic",
        "median"
    ]));
}

#[test]
fn cleaning_follows_its_options() {
    let mut text = String::new();
    for option in [
        &["--steady-state", "off"][..],
        &["--steady-state", "300"],
        &["--steady-state", "2000"],
        &["--outliers", "remove"],
        &["--outliers", "keep"],
        &["--outlier-method", "full"],
        &["--outlier-method", "tukey"],
        &["--outlier-method", "mad"],
        &["--outlier-method", "adjusted-boxplot"],
        &["--outlier-share", "5%"],
        &["--outlier-level", "0.2"],
        &["--outlier-grid", "off"],
        &["--outlier-grid", "30"],
        &["--assume-independent"],
        &["--method", "sequence"],
    ] {
        let arguments: Vec<&str> =
            ["analyze", WARMUP, "--statistic", "median"].iter().chain(option).copied().collect();
        text += &shown(&arguments);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn series_that_are_not_steady_say_so() {
    let noise = |i: u32| f64::from((31 * i * i + 37 * i) % 101) / 10.0;
    let series = |extra: &dyn Fn(u32) -> f64| -> String {
        (0..120).map(|i| format!("{}\n", 1000.0 + noise(i) + extra(i))).collect()
    };
    let slower = series(&|i| if i >= 60 { 50.0 } else { 0.0 });
    let late = series(&|i| if i >= 110 { 50.0 } else { 0.0 });
    let wandering: String =
        (0..60).map(|i| format!("{}\n", 100.0 + 20.0 * (f64::from(i) / 19.0).sin())).collect();
    insta::assert_snapshot!(
        shown_with_input(&["analyze", "-"], &slower)
            + &shown_with_input(&["analyze", "-"], &late)
            + &shown_with_input(
                &["analyze", "-", "--steady-state", "off", "--statistic", "mean"],
                &wandering
            )
    );
}

#[test]
fn rates_are_averaged_harmonically() {
    let rates: String = (0..30).map(|i| format!("{}\n", 100 + (7 * i) % 13)).collect();
    insta::assert_snapshot!(
        shown_with_input(&["analyze", "-", "--unit", "req/s", "--statistic", "mean"], &rates)
            + &shown_with_input(
                &["analyze", "-", "--unit", "req/s", "--statistic", "harmonic-mean"],
                &rates
            )
    );
}

#[test]
fn outcomes_are_proportions() {
    let mixed: String = (0..60).map(|i| format!("{}\n", i32::from((7 * i) % 5 != 0))).collect();
    insta::assert_snapshot!(
        shown_with_input(&["analyze", "-", "--statistic", "mean"], &"1\n".repeat(30))
            + &shown_with_input(&["analyze", "-", "--statistic", "mean"], &mixed)
    );
}

#[test]
fn work_per_second() {
    let bent: String = (1..=20).map(|i| format!("{i},{}\n", i * i)).collect();
    let mut text = shown(&["analyze", WORK, "--work-column", "blocks", "--unit", "s"]);
    text +=
        &shown(&["analyze", WORK, "--work-column", "1", "--column", "2", "--format", "markdown"]);
    text += &shown_with_input(&["analyze", "-", "--work-column", "1"], &bent);
    text += &shown_with_input(&["analyze", "-", "--work-column", "1"], "5,1\n5,2\n5,3\n");
    text += &shown_with_input(&["analyze", "-", "--work-column", "1"], "1,2,3\n4,5,6\n7,8,9\n");
    text += &shown_with_input(&["analyze", "-", "--work-column", "size"], "1,2\n4,5\n7,8\n");
    insta::assert_snapshot!(text);
    let document = json(&["analyze", WORK, "--work-column", "blocks"]);
    let work = &document["subjects"][0]["work"];
    assert!((work["rate"].as_f64().unwrap() - 250.0).abs() < 5.0, "{work}");
    assert!((work["setup"].as_f64().unwrap() - 0.8).abs() < 0.1, "{work}");
}

#[test]
fn the_json_of_cleaning() {
    let mut document = json(&["analyze", WARMUP, "--correlogram"]);
    let subject = &mut document["subjects"][0];
    let correlogram = subject["autocorrelation"]["correlogram"].as_array_mut().unwrap();
    assert_eq!(correlogram.len(), 838);
    correlogram.truncate(3);
    insta::assert_snapshot!(serde_json::to_string_pretty(subject).unwrap());
}

/// A setting that the rule does not look at is refused, and so is one that is out of its range.
#[test]
fn settings_that_do_nothing_are_refused() {
    let text: String = [
        &["--outlier-method", "tukey", "--outlier-share", "5%"][..],
        &["--outlier-method", "mad", "--outlier-grid", "off"],
        &["--outlier-method", "adjusted-boxplot", "--outlier-grid", "0.5"],
        &["--outlier-method", "full", "--outlier-level", "0.3"],
        &["--outlier-method", "full", "--outlier-curve", "0,1"],
        &["--outlier-curve", "0,1", "--outlier-level", "0.3"],
        &["--outlier-curve", "3"],
        &["--outlier-curve", "1,nan"],
        &["--outlier-share", "0"],
        &["--outlier-share", "60%"],
        &["--outlier-min-pts", "0"],
        &["--outlier-min-pts", "1e3"],
        &["--outlier-level", "1.5"],
        &["--outlier-level", "nan"],
    ]
    .iter()
    .map(|option| {
        let (code, text) = errors(&[&["analyze", WARMUP], *option].concat());
        assert_eq!(code, Some(2), "{text}");
        text
    })
    .collect();
    insta::assert_snapshot!(text);
}

/// Two values far out that are close together, and one further out.
#[test]
fn outliers_are_standalone_or_clustered() {
    let mut values: Vec<String> =
        (0..300_u32).map(|i| format!("{}\n", 1000 + (31 * i * i + 37 * i) % 101)).collect();
    for (place, value) in [(50, 3000), (120, 3001), (200, 9000)] {
        values[place] = format!("{value}\n");
    }
    let samples = values.concat();
    let options = ["analyze", "-", "--unit", "ns"];
    let verbose = shown_with_input(&[&options[..], &["-v"]].concat(), &samples);
    let fences = [&options[..], &["-v", "--outlier-method", "adjusted-boxplot"]].concat();
    let output = run_with_input(&[&options[..], &["--format", "json"]].concat(), &samples);
    let document = document(&output);
    let json = serde_json::to_string_pretty(&document["subjects"][0]["outliers"]).unwrap();
    insta::assert_snapshot!(verbose + &shown_with_input(&fences, &samples) + &json);
}

/// Pilot's interval of Ferrari's 48 values, and what it is worth.
#[test]
fn subsessions_are_pilots_and_say_what_they_cover() {
    let vectors = include_str!("../../../testdata/vectors/dependence/pilot.json");
    let vectors: serde_json::Value = serde_json::from_str(vectors).unwrap();
    let values: String = vectors["ferrari48"]["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| format!("{value}\n"))
        .collect();
    let asked = ["analyze", "-", "--statistic", "mean", "--method", "subsession"];
    let off = ["--steady-state", "off", "--format", "json"];
    let subject = |more: &[&str]| {
        let output = run_with_input(&[&asked[..], &off, more].concat(), &values);
        document(&output)["subjects"][0].clone()
    };
    let found = subject(&[]);
    let estimate = &found["estimates"][0];
    let end = |name: &str| estimate[name].as_f64().unwrap();
    assert!((end("upper") - end("lower") - 0.291_570_621_289_005).abs() < 1e-12, "{estimate}");
    assert_eq!(found["autocorrelation"]["subsession"], 4);
    assert!((0.75..0.93).contains(&end("coverage")), "{estimate}");
    assert!(found["warnings"].to_string().contains("covers about"), "{found}");
    let wider = subject(&["--subsession-range", "0.6"]);
    assert_eq!(wider["autocorrelation"]["subsession"], 2);
    assert!(wider["estimates"][0]["coverage"].as_f64() < estimate["coverage"].as_f64());
}

#[test]
fn constant_data_is_resolution_limited() {
    insta::assert_snapshot!(shown_with_input(
        &["analyze", "-", "--unit", "ns", "--statistic", "median", "--statistic", "mean"],
        &"12\n".repeat(40)
    ));
}

#[test]
fn skewed_means_and_broken_bootstraps_are_warned_of() {
    let heavy: String =
        (1..=60).map(|i| format!("{}\n", 1.0 / f64::from(61 - i).powf(1.5))).collect();
    let tied = "1\n2\n2\n2\n2\n2\n2\n2\n3\n";
    insta::assert_snapshot!(
        shown_with_input(&["analyze", "-", "--statistic", "mean"], &heavy)
            + &shown_with_input(&["analyze", "-", "--method", "bca"], tied)
    );
}

#[test]
fn executions_count_once_unless_told_otherwise() {
    insta::assert_snapshot!(
        shown(&["analyze", PYPERF, "--confidence", "0.8", "--statistic", "p90"])
            + &shown(&["analyze", PYPERF, "--confidence", "0.8", "--assume-independent"])
    );
}
