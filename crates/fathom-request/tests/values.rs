//! How values are typed: what is read, how it is written, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::compare::{ComparedStatistic, Margin};
use fathom_analyze::stopping::Precision;
use fathom_analyze::{Statistic, SubsessionRange};
use fathom_explain::Segments;
use fathom_formats::{DecimalMark, ObservationFormat};
use fathom_measure::slurm::{MemorySize, SbatchOption, SlurmName, TimeLimit};
use fathom_measure::{EnvironmentOffset, Input, Output, Tolerated};
use fathom_record::{Metric, TimeUnit, Unit};
use fathom_request::value::OptionValue;
use fathom_request::{
    AlignmentPenalty, AnalyzeRequest, CheckMethod, CleaningOptions, CompareRequest, EffortPreset,
    ExplainRequest, Indifference, MetricOption, Request, TypedPattern, TypedSpan, Vacuous,
};
use fathom_stats::outliers::{ClusterShare, CutCurve, CutLevel, Method, MinPts, OutlierGrid};
use fathom_stats::{Confidence, Probability};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// Each text is read and written: as it was, or as what follows the arrow.
fn written<V: OptionValue>(texts: &[&str]) {
    for text in texts {
        let (typed, expected) = text.split_once(" -> ").unwrap_or((text, text));
        let value = V::read(typed).unwrap_or_else(|why| panic!("{typed:?}: {why}"));
        assert_eq!(value.text(), expected, "{typed:?}");
        assert_eq!(V::read(&value.text()).unwrap().text(), expected, "{typed:?}");
    }
}

/// Each text is refused, and the message has the words.
fn refused<V: OptionValue>(texts: &[&str], words: &str) {
    for text in texts {
        match V::read(text) {
            Ok(value) => panic!("{text:?} was read as {:?}", value.text()),
            Err(why) => assert!(why.contains(words), "{text:?}: {why}"),
        }
    }
}

#[test]
fn shares_and_counts() {
    written::<Confidence>(&["0.95 -> 95%", "99.9%", "0.5 -> 50%"]);
    refused::<Confidence>(&["0.49", "1", "x", ""], "");
    written::<Probability>(&["0.9 -> 90%", "0.1%", "99.99%"]);
    refused::<Probability>(&["0", "100%"], "above 0 and below 1");
    refused::<Probability>(&["1"], "Did you mean 1%?");
    written::<Margin>(&["1%", "0.02 -> 2%"]);
    refused::<Margin>(&["1000%", "-1%", "x"], "");
    written::<Precision>(&["1%", "0.5%"]);
    refused::<Precision>(&["0", "x"], "");
    written::<ClusterShare>(&["10%", "0.5 -> 50%"]);
    refused::<ClusterShare>(&["0", "51%"], "above 0 and at most 50%");
    written::<CutLevel>(&["0", "0.5", "1", " 0.3 -> 0.3"]);
    refused::<CutLevel>(&["-0.1", "1.1", "x", "NaN"], "from 0 to 1");
    written::<MinPts>(&["1", "10", "1000"]);
    refused::<MinPts>(&["0", "1001", "x"], "from 1 to 1000");
    written::<SubsessionRange>(&["0.5"]);
    refused::<SubsessionRange>(&["x", "-1"], "");
    written::<Indifference>(&["1%", "0.5 -> 50%"]);
    refused::<Indifference>(&["0", "100%"], "above 0 and below 1");
    assert_eq!(Indifference::read("2%").unwrap().get(), 0.02);
    written::<AlignmentPenalty>(&["0", "0.25", " 3 -> 3", "1e-20"]);
    refused::<AlignmentPenalty>(&["-1", "inf", "NaN"], "finite and 0 or more");
    refused::<AlignmentPenalty>(&["x"], "write a number");
    written::<u64>(&["7", " 8 -> 8"]);
    refused::<u64>(&["-1", "1.5", ""], "whole number");
    written::<Duration>(&["90s", "1500ms", "2min -> 120s", "5us", "7ns"]);
    written::<CutCurve>(&["bell", " bell -> bell"]);
    assert_eq!(CutCurve::read("bell"), Ok(CutCurve::Bell));
    let polynomial = CutCurve::read("0, 0.6,-1").unwrap();
    assert!(matches!(polynomial, CutCurve::Polynomial(_)));
    assert_eq!(CutCurve::read(&polynomial.text()), Ok(polynomial));
    refused::<CutCurve>(&["1", "x", "", "1,2,3,4,5,6,7,8,9"], "coefficients of a polynomial");
}

#[test]
fn words_of_their_own_kind() {
    written::<Statistic>(&["median", "mean", "p90", "p99.9"]);
    refused::<Statistic>(&["p101", "mode"], "");
    written::<ComparedStatistic>(&["median", "mean", "min", "quantiles", "p90"]);
    refused::<ComparedStatistic>(&["p101", "mode"], "");
    written::<Metric>(&["peak-memory", " peak-memory -> peak-memory"]);
    written::<TimeUnit>(&["ns", "us", "ms", "s", "min", "h"]);
    refused::<TimeUnit>(&["", "parsec"], "use ns, us, ms, s, min or h");
    written::<Unit>(&["ms", "B", "widgets"]);
    refused::<Unit>(&[""], "a unit is");
    assert_ne!(Unit::read("ms"), Unit::read("s"));
    written::<SteadyStatePolicy>(&["auto", "off", "7", " off -> off"]);
    refused::<SteadyStatePolicy>(&["-1", "on"], "use auto, off, or the number");
    written::<OutlierGrid>(&["auto", "off", "0.5", " 2 -> 2"]);
    refused::<OutlierGrid>(&["0", "-1", "inf", "NaN", "on"], "a positive step");
    written::<Segments>(&["auto", "1", "100"]);
    refused::<Segments>(&["0", "101", "x"], "from 1 to 100");
    written::<DecimalMark>(&["point -> .", "comma -> ,"]);
    refused::<DecimalMark>(&["dash"], "");
    written::<EnvironmentOffset>(&["random", "64"]);
    written::<Output>(&["null", "pipe", "inherit", "out.txt"]);
    refused::<Output>(&[""], "use null, pipe, inherit, or a file");
    assert!(matches!(Output::read("pipe"), Ok(Output::Pipe)));
    written::<Input>(&["null", "in.txt"]);
    refused::<Input>(&[""], "use null, or a file");
    assert!(matches!(Input::read("in.txt"), Ok(Input::File(file)) if file.as_os_str() == "in.txt"));
    written::<PathBuf>(&["a/b", "c d"]);
    written::<String>(&["a b", "-x", ""]);
    written::<ObservationFormat>(&["csv", "json"]);
    assert_ne!(ObservationFormat::read("csv"), ObservationFormat::read("json"));
    refused::<ObservationFormat>(&["abacus"], "");
    written::<SlurmName>(&["main"]);
    written::<TimeLimit>(&["10"]);
    written::<MemorySize>(&["2G"]);
    written::<SbatchOption>(&["--constraint=fast"]);
    written::<Tolerated>(&[
        "none",
        "all",
        "1,2",
        "0",
        "255",
        "all-non-zero -> all",
        " 3 , 4 -> 3,4",
    ]);
    refused::<Tolerated>(&["256", "-1", "x", "1,,2", ""], "exit codes from 0 to 255");
    written::<OutlierPolicy>(&["flag", "remove", "KEEP -> keep"]);
    written::<Vacuous>(&["true", "false", "skip"]);
    written::<CheckMethod>(&["anytime", "exact", "spa"]);
    refused::<Vacuous>(&["maybe"], "use one of true, false");
    let metric = "fps=last-number";
    written::<MetricOption>(&[metric]);
    refused::<MetricOption>(&["fps"], "");
    assert_eq!(MetricOption::read(metric).unwrap().as_str(), metric);
    assert_eq!(String::from(MetricOption::try_from(metric.to_string()).unwrap()), metric);
    assert!(MetricOption::read(metric).unwrap().metric().is_ok());
}

#[test]
fn stretches_and_patterns() {
    written::<TypedSpan>(&["all", " all -> all", "1..2", "1m..2m -> 1min..2min"]);
    written::<TypedSpan>(&["1..2s -> 1s..2s", "rows:3..3", "5s..5s"]);
    refused::<TypedSpan>(&["1s..500ms", "rows:4..3"], "it ends before it begins");
    refused::<TypedSpan>(&["1x..2x"], "is no unit of time");
    let long = format!("{}..", "1".repeat(101));
    refused::<TypedSpan>(&[&long], "at most 100 digits");
    assert!(TypedSpan::read(&format!("{}..", "1".repeat(100))).is_ok());
    written::<TypedPattern>(&["0:1,1:2", "0:1e15,1:2", "0:0.00001,1:2", "0:1e-6,1:-1e300"]);
    written::<TypedPattern>(&["0:999999999999999,1:0"]);
    refused::<TypedPattern>(&["0:1"], "two or more");
}

fn cleaning(change: impl Fn(&mut CleaningOptions)) -> CleaningOptions {
    let mut options = CleaningOptions::default();
    change(&mut options);
    options
}

#[test]
fn a_setting_without_an_effect_is_refused() {
    type Set = fn(&mut CleaningOptions);
    let settings: [(&str, Set); 4] = [
        ("--outlier-grid", |options| options.outlier_grid = OutlierGrid::Off),
        ("--outlier-share", |options| options.outlier_share = ClusterShare::read("20%").unwrap()),
        ("--outlier-curve", |options| options.outlier_curve = CutCurve::read("0,1,-1").unwrap()),
        ("--outlier-level", |options| options.outlier_level = CutLevel::read("0.3").unwrap()),
    ];
    for method in Method::ALL {
        assert_eq!(cleaning(|options| options.outlier_method = method).check(), Ok(()));
        for (option, set) in settings {
            let checked = cleaning(|options| {
                options.outlier_method = method;
                set(options);
            })
            .check();
            let of_the_curve = matches!(option, "--outlier-curve" | "--outlier-level");
            let has_effect =
                if of_the_curve { method == Method::Simplified } else { method.clusters() };
            assert_eq!(checked.is_ok(), has_effect, "{option} {}", method.name());
            if let Err(why) = checked {
                let start =
                    format!("{option} has no effect with --outlier-method {}", method.name());
                assert!(why.starts_with(&start), "{why}");
            }
        }
    }
    let both = cleaning(|options| {
        settings[2].1(options);
        settings[3].1(options);
    });
    assert!(both.check().unwrap_err().contains("with another --outlier-curve than bell"));
}

#[test]
fn an_analysis_cleans_as_it_was_asked() {
    let options = cleaning(|options| {
        options.assume_independent = true;
        options.steady_state = SteadyStatePolicy::Skip(3);
        options.outliers = OutlierPolicy::Remove;
        options.outlier_method = Method::Full;
        options.outlier_min_pts = MinPts::read("7").unwrap();
        options.correlogram = true;
    });
    let applied = options.apply(fathom_analyze::EstimateRequest { seed: 9, ..Default::default() });
    assert!(applied.assume_independent && applied.correlogram);
    assert_eq!((applied.steady_state, applied.outliers), (options.steady_state, options.outliers));
    assert_eq!(applied.outlier_rule.method, Method::Full);
    assert_eq!((applied.outlier_rule.min_pts, applied.seed), (options.outlier_min_pts, 9));
}

#[test]
fn effort_sets_every_limit() {
    let [quick, normal, thorough] =
        [EffortPreset::Quick, EffortPreset::Normal, EffortPreset::Thorough];
    let each = [quick, normal, thorough];
    let seconds =
        |time: fn(EffortPreset) -> Duration| each.map(|effort| time(effort).as_secs_f64());
    assert_eq!(seconds(EffortPreset::time_of_command), [3.0, 30.0, 120.0]);
    assert_eq!(seconds(EffortPreset::time_to_judge), [3.0, 90.0, 120.0]);
    assert_eq!(seconds(EffortPreset::time_of_function), [0.5, 2.0, 10.0]);
    assert_eq!(seconds(EffortPreset::time_of_checkup), [3.0, 10.0, 60.0]);
    assert_eq!(seconds(|effort| effort.time_of_comparison(4)), [12.0, 30.0, 120.0]);
    assert_eq!(each.map(EffortPreset::fewest_runs), [10, 10, 20]);
    assert_eq!(each.map(EffortPreset::fewest_pairs), [10, 20, 40]);
    assert_eq!(each.map(|effort| effort.most_executions(10)), [100, 1000, 10_000]);
    assert_eq!(each.map(|effort| effort.most_executions(300)), [600, 3000, 30_000]);
    assert_eq!(each.map(|effort| effort.executions_of_estimate(59)), [59, 59, 590]);
    assert_eq!(quick.precision(), normal.precision());
    assert!(thorough.precision().get() < normal.precision().get());
}

fn words(request: serde_json::Value) -> Vec<String> {
    Request::from_value(request).unwrap().words()
}

#[test]
fn the_separator_is_only_where_a_word_looks_like_an_option() {
    let analyze =
        |files: &[&str]| words(json!({ "version": 3, "question": "analyze", "files": files }));
    assert_eq!(analyze(&["-", "a.csv"]), ["analyze", "-", "a.csv"]);
    assert_eq!(analyze(&["-a.csv"]), ["analyze", "--", "-a.csv"]);
    let explain = |path: &str| {
        let traces = json!({ "paths": [path], "time_unit": "ms", "counters": ["a"] });
        words(json!({ "version": 3, "question": "explain", "traces": traces, "target": "m",
            "alignment": { "common": "c", "normalize": true, "penalty": "0.5" } }))
    };
    let options = ["--trace-time-unit", "ms", "--counter", "a", "--target", "m"];
    let alignment = ["--common", "c", "--normalize", "--penalty", "0.5"];
    assert_eq!(explain("t"), [&["explain", "t"][..], &options, &alignment].concat());
    assert_eq!(explain("-t"), [&["explain"][..], &options, &alignment, &["--", "-t"]].concat());
    let seen = ExplainRequest { target: String::new(), ..ExplainRequest::default() };
    assert_eq!(seen.words(), ["explain", "--target="], "an empty value is not lost");
    let record = words(json!({ "version": 3, "question": "record", "command": ["sleep", "-x"] }));
    assert_eq!(record, ["record", "--", "sleep", "-x"]);
}

#[test]
fn gates_are_those_that_were_asked_for() {
    let none = CompareRequest::default();
    assert!(none.gates().is_empty());
    let margin = Some(Margin::read("2%").unwrap());
    let one = CompareRequest { fail_if_slower: margin, ..CompareRequest::default() };
    let both = CompareRequest { require_equivalent: margin, ..one.clone() };
    assert_eq!((one.gates().len(), both.gates().len()), (1, 2));
    assert_ne!(both.gates()[0], both.gates()[1]);
    let analyze = AnalyzeRequest::default();
    assert_eq!(analyze.words(), ["analyze"]);
}
