//! `fathom explain` as users meet it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

const SHOP: &str = "testdata/traces/shop";
const RUN: &str = "testdata/traces/shop/run-1.csv";
const ASKED: [&str; 5] = ["--target", "latency_ms", "--window", "260..276", "--common"];

fn shop(more: &[&str]) -> Vec<String> {
    let words = ["explain", SHOP].into_iter().chain(ASKED).chain(["requests"]);
    words.chain(more.iter().copied()).map(str::to_string).collect()
}

fn explained(more: &[&str]) -> Value {
    let words = shop(more);
    json(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn said(more: &[&str]) -> String {
    let words = shop(more);
    shown(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn refused(words: &[&str]) -> String {
    let all: Vec<&str> = ["explain"].into_iter().chain(words.iter().copied()).collect();
    let (code, message) = errors(&all);
    assert_eq!(code, Some(2), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

fn names(document: &Value) -> Vec<&str> {
    let ranking = document["ranking"].as_array().unwrap();
    ranking.iter().map(|one| one["metric"].as_str().unwrap()).collect()
}

/// A file of its own in a folder of its own.
fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn the_shop_is_explained() {
    insta::assert_snapshot!(said(&[]));
}

#[test]
fn the_shop_is_explained_in_full() {
    insta::assert_snapshot!(said(&["-v", "--top", "3"]));
}

#[test]
fn the_shop_in_a_word() {
    insta::assert_snapshot!(said(&["-q"]));
}

/// "Not enough data" differs from "nothing is significant".
#[test]
fn too_little_beside_the_window_is_said() {
    let answer = |window: &str| {
        let words = ["explain", SHOP, "--target", "latency_ms", "--window", window, "--top", "1"];
        shown(&words)
    };
    let mut all = String::new();
    for window in ["200..320", "rows:0..399"] {
        let _ = writeln!(all, "{}", answer(window));
    }
    insta::assert_snapshot!(all);
    assert_eq!(explained(&["--filter", "gc"])["enough_context"], true);
}

#[test]
fn the_cause_comes_first_and_the_contract_holds() {
    let document = explained(&[]);
    assert_eq!(document["schema"], "fathom/1");
    assert_eq!(document["target"], "latency_ms");
    assert_eq!(document["common_metric"], "requests");
    assert_eq!(document["runs"], serde_json::json!(["run-1", "run-2", "run-3"]));
    assert_eq!(document["windows"][0]["start"], 260.0);
    assert_eq!(document["windows"][0]["end"], 276.0);
    assert_eq!(document["windows"][0]["first_row"], 260);
    let first: Vec<&str> = names(&document).into_iter().take(3).collect();
    assert!(first.contains(&"gc.pause_ms"), "{first:?}");
    for (place, one) in document["ranking"].as_array().unwrap().iter().enumerate() {
        assert_eq!(one["rank"], place + 1);
        for field in ["layer", "score", "sign", "lag", "q_value", "run"] {
            assert!(one.get(field).is_some(), "{field} in {one}");
        }
        let correlators = one["correlators"].as_object().unwrap();
        for name in ["pearson", "spearman", "dtw", "n_sigma", "baro", "change", "shape", "combined"]
        {
            assert!(correlators[name]["rank"].as_u64().unwrap() > 0, "{name} in {one}");
            assert!(!correlators[name]["score"].is_null(), "{name} in {one}");
        }
    }
    let excluded = document["excluded"].as_array().unwrap();
    let left: Vec<&str> = excluded.iter().map(|one| one["metric"].as_str().unwrap()).collect();
    assert_eq!(left, ["threads", "swap.out"]);
    for run in document["alignment"].as_array().unwrap() {
        assert!(run["cost_per_step"].as_f64().unwrap() >= 0.0);
        assert!(run["window"]["start"].as_f64().unwrap() > 250.0, "{run}");
        assert!(run["window"]["end"].as_f64().unwrap() < 290.0, "{run}");
    }
}

#[test]
fn the_same_question_has_the_same_bytes_on_any_number_of_cores() {
    let words = shop(&["--format", "json"]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let once = stdout(&words);
    assert_eq!(once, stdout(&words));
    let pinned = std::process::Command::new("taskset")
        .args(["-c", "0", env!("CARGO_BIN_EXE_fathom")])
        .args(&words)
        .current_dir(top())
        .output();
    if let Ok(pinned) = pinned.as_ref().map(|output| String::from_utf8_lossy(&output.stdout)) {
        assert!(pinned.is_empty() || pinned == once);
    }
}

#[test]
fn every_correlator_ranks() {
    let drawn = ["--pattern", "259:42,268:110,276:42", "--segments", "6"];
    let all = explained(&drawn);
    let correlators = all["ranking"][0]["correlators"].as_object().unwrap();
    assert_eq!(correlators.len(), 18, "{correlators:?}");
    for name in correlators.keys() {
        let document = explained(&[&drawn[..], &["--correlator", name]].concat());
        assert_eq!(document["correlator"], name.as_str());
        let scores: Vec<Option<f64>> = document["ranking"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["score"].as_f64().or((one["score"] == "inf").then_some(f64::INFINITY)))
            .collect();
        let known: Vec<f64> = scores.iter().flatten().copied().collect();
        assert!(known.is_sorted_by(|a, b| a >= b), "{name}: {scores:?}");
        // The score that it ranks by is the one in the list of all.
        let first = &document["ranking"][0];
        assert_eq!(first["score"], first["correlators"][name]["score"], "{name}");
    }
}

#[test]
fn windows_by_rows_and_by_time_are_the_same() {
    let by_time = explained(&[]);
    let words = ["explain", SHOP, "--target", "latency_ms", "--common", "requests"];
    let by_rows = json(&[&words[..], &["--window", "rows:260..276"]].concat());
    assert_eq!(by_time["ranking"], by_rows["ranking"]);
    let in_ms = json(&[&words[..], &["--window", "260000ms..276s"]].concat());
    assert_eq!(by_time["ranking"], in_ms["ranking"]);
}

#[test]
fn several_windows_and_the_whole_metric() {
    let words = ["explain", SHOP, "--target", "latency_ms", "--common", "requests"];
    let two = json(&[&words[..], &["--window", "260..264", "--window", "266..271"]].concat());
    assert_eq!(two["windows"].as_array().unwrap().len(), 2);
    assert_eq!(two["alignment"][1]["windows"].as_array().unwrap().len(), 2);
    let whole = json(&words);
    assert_eq!(whole["windows"][0]["last_row"], 399);
    assert!(whole["baseline"].is_null());
    assert_eq!(whole["ranking"], json(&[&words[..], &["--window", "all"]].concat())["ranking"]);
}

#[test]
fn a_folder_of_traces_gives_what_its_files_give() {
    let folder = scratch("explain-folder").join("traces");
    let folder = folder.to_str().unwrap();
    stdout(&["import", SHOP, "-o", folder, "--common", "requests"]);
    let words = ["explain", folder, "--target", "latency_ms", "--window", "260..276"];
    let from_folder = json(&words);
    assert_eq!(from_folder["common_metric"], "requests");
    assert_eq!(from_folder["ranking"], explained(&[])["ranking"]);
}

#[test]
fn windows_since_1970_mean_what_the_file_says() {
    let folder = scratch("explain-since");
    let mut text = "unix_timestamp,latency,load\n".to_string();
    for row in 0..120_u64 {
        let is_slow = (80..90).contains(&row);
        let noise = (row * 7919 % 13) as f64 / 10.0;
        let latency = if is_slow { 90.0 } else { 30.0 } + noise;
        let _ = writeln!(text, "{},{latency},{}", 1_681_855_800 + row * 300, 5.0 + noise * 2.0);
    }
    let file = written(&folder, "shop.csv", &text);
    let window = format!("{}..{}", 1_681_855_800 + 80 * 300, 1_681_855_800 + 89 * 300);
    let words = ["explain", &file, "--target", "latency", "--window", &window];
    let document = json(&words);
    assert_eq!(document["windows"][0]["first_row"], 80);
    assert_eq!(document["windows"][0]["last_row"], 89);
    assert!(stdout(&words).contains("1681879800"));
}

#[test]
fn tables_for_programs_and_documents() {
    let text = said(&["--format", "csv"]);
    assert!(text.contains("rank,metric,layer,score,sign,lag_s,q_value,run,copy_of,says,shape"));
    insta::assert_snapshot!(said(&["--format", "markdown", "--filter", "gc"]));
    // As many metrics as are asked for; near copies come with the first of them.
    for (format, lines) in [("csv", 4), ("markdown", 5)] {
        let table = said(&["--format", format, "-n", "3"]);
        let rows = table.lines().filter(|line| line.contains(['|', ','])).count();
        assert_eq!(rows, lines, "{table}");
    }
}

#[test]
fn windows_are_proposed() {
    insta::assert_snapshot!(shown(&["explain", RUN, "--target", "latency_ms", "--suggest"]));
    let document = json(&["explain", RUN, "--target", "latency_ms", "--suggest"]);
    let first = &document["suggestions"][0];
    assert!(first["windows"][0]["start"].as_f64().unwrap() > 250.0, "{document}");
    assert!(first["windows"][0]["end"].as_f64().unwrap() < 285.0, "{document}");
    assert_eq!(document["other_metrics"], 12);
}

/// Ten metrics depart at once for two seconds; without a target that is what is shown.
#[test]
fn without_a_target_it_is_said_where_many_metrics_depart() {
    let folder = scratch("explain-overview");
    let noise =
        |row: usize, metric: usize| ((row * row * 37 + row * (11 + metric)) % 101) as f64 / 50.0;
    let mut text = "time,app.ops".to_string();
    (0..14).for_each(|metric| text += &format!(",m{metric}"));
    for row in 0..400 {
        let is_odd = (200..220).contains(&row);
        text += &format!(
            "\n{}.{},{}",
            row / 10,
            row % 10,
            if is_odd { 0.0 } else { 80.0 + noise(row, 99) }
        );
        for metric in 0..14 {
            let by = if is_odd && metric < 10 { 9.0 } else { 0.0 };
            text += &format!(",{}", noise(row, metric) + by);
        }
    }
    let file = written(&folder, "run.csv", &(text + "\n"));
    let said = shown(&["explain", &file, "--suggest"]);
    assert!(said.contains("Of 15 metrics, several depart from their level once:"), "{said}");
    assert!(said.contains("other metrics depart from their level there: m"), "{said}");
    let document = json(&["explain", &file, "--suggest"]);
    assert_eq!(
        (document["target"].is_null(), document["suggestions"].as_array().unwrap().len()),
        (true, 1)
    );
    let found = &document["suggestions"][0];
    assert_eq!(
        (&found["windows"][0]["first_row"], &found["windows"][0]["last_row"]),
        (&200.into(), &219.into())
    );
    // The target stands at 0 there, and the others say so too.
    let document = json(&["explain", &file, "--target", "app.ops", "--suggest"]);
    let found = &document["suggestions"][0];
    assert_eq!(
        (found["kind"].as_str(), &found["windows"][0]["first_row"]),
        (Some("dips"), &200.into())
    );
    assert!(found["departing_metrics"].as_u64().unwrap() >= 10, "{document}");
    let quiet =
        written(&folder, "quiet.csv", "time,a,b\n1,1,5\n2,2,4\n3,1,6\n4,3,5\n5,2,4\n6,1,5\n");
    assert!(shown(&["explain", &quiet, "--suggest"]).contains("Nowhere do several metrics"));
    assert!(refused(&[&quiet]).contains("--target"));
}

#[test]
fn what_does_not_fit_is_said() {
    let mut all = String::new();
    let mut add = |words: &[&str]| {
        let _ = writeln!(all, "$ fathom explain {}\n{}", words.join(" "), refused(words));
    };
    add(&[SHOP, "--target", "latency"]);
    add(&[SHOP, "--target", "latency_ms", "--window", "600..700"]);
    add(&[SHOP, "--target", "latency_ms", "--window", "260..261"]);
    add(&[SHOP, "--target", "latency_ms", "--window", "276..260"]);
    add(&[SHOP, "--target", "latency_ms", "--window", "noon"]);
    add(&[SHOP, "--target", "latency_ms", "--window", "rows:500..600"]);
    add(&[SHOP, "--target", "latency_ms", "--run", "run-9"]);
    add(&[SHOP, "--target", "latency_ms", "--run", "run-2"]);
    add(&[SHOP, "--target", "latency_ms", "--common", "latency_ms"]);
    add(&[SHOP, "--target", "latency_ms", "--common", "request"]);
    add(&[SHOP, "--target", "latency_ms", "--window", "260..276", "--against", "270..290"]);
    add(&[SHOP, "--target", "latency_ms", "--pattern", "3:1,2:1"]);
    add(&[SHOP, "--target", "latency_ms", "--correlator", "pearsson"]);
    add(&[SHOP, "--target", "latency_ms", "--filter", "nothing"]);
    add(&[SHOP, "--target", "latency_ms", "--counter", "nothing"]);
    add(&[SHOP, "--target", "threads"]);
    add(&["testdata/traces/no-such-folder", "--target", "x"]);
    insta::assert_snapshot!(all);
}

#[test]
fn files_that_disagree_are_refused() {
    let folder = scratch("explain-disagree");
    let a = written(&folder, "a.csv", "time_ms,x,y\n1,1,1\n2,2,1\n3,1,2\n4,3,1\n");
    let b = written(&folder, "b.csv", "time,x,z\n1,1,1\n2,2,1\n3,1,2\n4,3,1\n");
    let message = refused(&[&a, &b, "--target", "x"]);
    assert!(message.contains("disagree"), "{message}");
    let back = written(&folder, "back.csv", "time,x,z\n1,1,1\n3,2,1\n2,1,2\n4,3,1\n");
    let message = refused(&[&back, "--target", "x"]);
    assert!(message.contains("back.csv:4"), "{message}");
    // A run without the common metric is named.
    let c = written(&folder, "c.csv", "time,w,z\n1,1,1\n2,2,1\n3,1,2\n4,3,1\n");
    let message = refused(&[&b, &c, "--target", "x", "--common", "x"]);
    assert!(message.contains('c') && message.contains('z'), "{message}");
}
