//! Explanations with every number: the same traces give the same bytes, and a change of any method shows
//! here.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod made_source;

use fathom_explain::align::AlignOptions;
use fathom_explain::document::ExplanationDocument;
use fathom_explain::onset::OrderBy;
use fathom_explain::{
    Correlator, ScoreIn, Segments, Selection, TargetRange, TraceQuestion, explain,
};
use fathom_record::trace::Kind;
use fathom_record::{Environment, Timestamp};
use made_source::{Made, SECOND, noise};
use serde_json::Value;

/// How far a run is in what all runs do, after this many of its rows: some runs dawdle.
fn progress(run: usize, row: usize) -> f64 {
    let row = row as f64;
    match run {
        0 => row,
        1 => row - 12.0 * (row / 60.0).sin(),
        _ => row * 0.9 + if row > 150.0 { 9.0 } else { 0.0 },
    }
}

fn bump(at: f64) -> f64 {
    if (300.0..330.0).contains(&at) {
        ((at - 300.0) / 30.0 * std::f64::consts::PI).sin()
    } else {
        0.0
    }
}

fn with_run(mut made: Made, run: usize, rows: usize) -> Made {
    let name = ["run-a", "run-b", "run-c"][run];
    let seed = 1000 * (run as u64 + 1);
    let at = |row: usize| progress(run, row);
    let shaped = |seed: u64, shape: &dyn Fn(usize) -> f64| -> Vec<f64> {
        noise(seed, rows).iter().enumerate().map(|(row, noise)| noise + shape(row)).collect()
    };
    let phase = |row: usize| (at(row) / 45.0).sin() + 0.5 * (at(row) / 17.0).sin();
    made = made.with(name, "target", shaped(seed + 1, &|row| 50.0 + 12.0 * bump(at(row))));
    made = made.with(name, "phase", shaped(seed + 2, &|row| 100.0 + 20.0 * phase(row)));
    made = made.with(name, "cause", shaped(seed + 3, &|row| 5.0 + 6.0 * bump(at(row) + 2.0)));
    made = made.with(name, "mirror", shaped(seed + 4, &|row| 5.0 - 3.0 * bump(at(row))));
    made = made.with(name, "unrelated", shaped(seed + 5, &|_| 7.0));
    made = made.with(name, "slope", shaped(seed + 6, &|row| 0.05 * row as f64));
    let mut level = 0.0;
    let walk = noise(seed + 7, rows).into_iter().map(|step| {
        level += step;
        level
    });
    made = made.with(name, "walk", walk.collect());
    made = made.with(name, "constant", vec![3.0; rows]);
    let wakes = |row: usize| if (300.0..312.0).contains(&at(row)) { 4.0 } else { 0.0 };
    made = made.with(name, "wakes", (0..rows).map(wakes).collect());
    // A counter, sampled every three seconds, with a row missing.
    let total = |row: usize| (0..row).map(|row| 2.0 + 3.0 * bump(at(row))).sum::<f64>().floor();
    let counted: Vec<(i64, i64, f64)> = (3..rows)
        .step_by(3)
        .filter(|row| row % 60 != 0)
        .map(|row| ((row as i64 - 3) * SECOND, row as i64 * SECOND, total(row)))
        .collect();
    made.with_rows(name, "requests", Kind::Counter, &counted)
}

fn made(runs: usize) -> Made {
    let mut made = Made::default();
    for run in 0..runs {
        made = with_run(made, run, 400 + 20 * run);
    }
    made
}

fn asked(runs: usize) -> TraceQuestion {
    let common = (runs > 1).then(|| "phase".to_string());
    TraceQuestion {
        selection: Selection {
            target: "target".to_string(),
            run: None,
            windows: vec![TargetRange::Time {
                start: Timestamp::from_seconds(300.0),
                end: Timestamp::from_seconds(330.0),
            }],
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        },
        alignment: AlignOptions { common, ..AlignOptions::default() },
        correlator: Correlator::Combined,
        score_in: ScoreIn::Every,
        order: OrderBy::Evidence,
        only: Vec::new(),
    }
}

/// Numbers to nine digits: enough to see any change, and few enough to read.
fn rounded(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            *value = Value::String(format!("{:.8e}", number.as_f64().unwrap()));
        }
        Value::Array(all) => all.iter_mut().for_each(rounded),
        Value::Object(fields) => fields.values_mut().for_each(rounded),
        _ => {}
    }
}

/// A line for each part of the document, a line for each metric.
fn text(made: &Made, asked: &TraceQuestion) -> String {
    let explanation = match explain(made, asked, &|_| Ok(())) {
        Ok(explanation) => explanation,
        Err(error) => return format!("error: {error}"),
    };
    let environment = Environment::of_this_build();
    let document = ExplanationDocument::of(&explanation, "fathom explain", &environment, true);
    let mut document: Value = serde_json::from_str(&document.to_json().unwrap()).unwrap();
    rounded(&mut document);
    let mut lines = Vec::new();
    for (name, part) in document.as_object().unwrap() {
        match part {
            _ if ["environment", "fathom", "schema", "command_line"].contains(&name.as_str()) => {}
            Value::Array(all) => {
                lines.extend(all.iter().map(|one| format!("{name}: {one}")));
            }
            one => lines.push(format!("{name}: {one}")),
        }
    }
    lines.join("\n")
}

#[test]
fn three_runs_that_dawdle() {
    insta::assert_snapshot!(text(&made(3), &asked(3)));
}

#[test]
fn one_run_against_a_stretch_in_lines() {
    let mut asked = asked(1);
    asked.selection.baseline = Some(TargetRange::Rows { first: 40, last: 239 });
    asked.selection.segments = Segments::Exactly(5);
    insta::assert_snapshot!(text(&made(1), &asked));
}

#[test]
fn two_windows_in_another_run_aligned_tighter() {
    let mut asked = asked(3);
    asked.selection.run = Some("run-b".to_string());
    asked.selection.windows = vec![
        TargetRange::Rows { first: 100, last: 119 },
        TargetRange::Time {
            start: Timestamp::from_seconds(290.0),
            end: Timestamp::from_seconds(318.0),
        },
    ];
    asked.alignment.penalty = 0.4;
    asked.alignment.normalise = true;
    asked.score_in = ScoreIn::Nearest;
    insta::assert_snapshot!(text(&made(3), &asked));
}

#[test]
fn every_correlator_ranks_by_itself() {
    let made = made(2);
    let mut all = String::new();
    for correlator in Correlator::ALL {
        let asked = TraceQuestion {
            correlator,
            only: ["cause", "mirror", "unrelated", "walk", "wakes", "requests"]
                .map(String::from)
                .to_vec(),
            ..asked(2)
        };
        let ranking = text(&made, &asked);
        let order = ranking.lines().filter(|line| line.starts_with("ranking: ")).map(|line| {
            let entry: Value = serde_json::from_str(&line["ranking: ".len()..]).unwrap();
            format!("{} {} {}", entry["metric"], entry["score"], entry["q_value"]).replace('"', "")
        });
        let order: Vec<String> = order.collect();
        let order = if order.is_empty() { ranking.clone() } else { order.join("; ") };
        all.push_str(&format!("{}: {order}\n", correlator.as_str()));
    }
    insta::assert_snapshot!(all);
}
