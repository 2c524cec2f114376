//! Studies: grids of commands, what is shown of them, what is kept, what is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::*;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A simulator that prints two numbers that follow from the seed, and counts its executions in the file
/// runs. The larger the second argument, the smaller the first number.
const SIMULATOR: &str = "\
echo >> runs
x=$(( $3 % 100 ))
echo \"latency: $(( x / $2 + 5 ))\"
echo \"errors: $(( x % 7 ))\"
[ \"$1\" = crashing ] && [ $x -lt 20 ] && exit 3
exit 0
";

const STUDY: &str = r#"command = "sh sim.sh {benchmark} {width} {seed}"

[parameters]
benchmark = ["ferret", "canneal"]
width = [1, 2]

[metrics]
latency = "latency: ([0-9]+)"

[properties]
fast = "latency < 80"
"#;

/// A folder with the simulator and a study.
fn folder(name: &str, study: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::write(folder.join("sim.sh"), SIMULATOR).unwrap();
    std::fs::write(folder.join("study.toml"), study).unwrap();
    folder
}

fn fathom_in(folder: &Path, words: &str) -> Output {
    let words: Vec<&str> = words.split(' ').collect();
    fathom(&words).current_dir(folder).env("XDG_DATA_HOME", folder.join("home")).output().unwrap()
}

/// A study, run with these options.
fn study(folder: &Path, words: &str) -> Output {
    fathom_in(folder, format!("check --study study.toml {words}").trim())
}

fn shown_in(folder: &Path, words: &str) -> String {
    let output = study(folder, words);
    let words = format!("check --study study.toml {words}");
    transcript(&words.split(' ').collect::<Vec<_>>(), &output)
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// How many executions there were.
fn runs(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("runs")).unwrap_or_default().lines().count()
}

fn kept(document: &Value) -> u64 {
    let cells = document["study"]["cells"].as_array().unwrap().iter();
    cells.map(|cell| cell["systems"][0]["kept"].as_u64().unwrap()).sum()
}

fn executions(document: &Value) -> u64 {
    let cells = document["study"]["cells"].as_array().unwrap().iter();
    cells.map(|cell| cell["systems"][0]["executions"].as_u64().unwrap()).sum()
}

#[test]
fn a_study_is_shown_in_every_format() {
    let folder = folder(
        "study_pages",
        &format!("baseline = \"width=1\"\n{STUDY}\n[estimates]\ntail = \"latency\"\n"),
    );
    let mut text = String::new();
    for words in [
        "--seed 1 --runs 60 --no-save",
        "--seed 1 --runs 60 --no-save -q",
        "--seed 1 --runs 60 --no-save --per-question --probability 0.5",
        "--seed 1 --runs 60 --no-save --format csv",
        "--seed 1 --runs 60 --no-save --format markdown",
        "--seed 1 --max-runs 100 --no-save",
        "--seed 1 --dry-run",
        "--seed 1 --dry-run --format json",
    ] {
        text += &shown_in(&folder, words);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_document_has_the_grid() {
    let folder = folder("study_document", STUDY);
    let document = json_of(&study(&folder, "--seed 1 --runs 60 --no-save --format json"));
    let study = &document["study"];
    assert_eq!(study["axes"][1]["values"], serde_json::json!(["1", "2"]));
    assert_eq!(study["questions"], serde_json::json!(["fast"]));
    assert_eq!(study["cells"].as_array().unwrap().len(), 4);
    for (cell, of) in study["cells"].as_array().unwrap().iter().enumerate() {
        assert_eq!(of["answers"], serde_json::json!([cell]));
        assert_eq!(document["questions"][cell]["group"], of["name"]);
        assert_eq!(of["systems"][0]["executions"], 60);
    }
    assert_eq!(study["cells"][1]["values"]["width"], "2");
    assert_eq!(study["cells"][1]["systems"][0]["command"], "sh sim.sh ferret 2 '{seed}'");
}

/// The heart of a study: a benchmark, a configuration, a metric or a property more repeats nothing.
#[test]
fn what_is_added_repeats_nothing() {
    let folder = folder("study_kept", STUDY);
    let first = json_of(&study(&folder, "--runs 40 --format json"));
    assert_eq!((runs(&folder), kept(&first), executions(&first)), (160, 0, 160));
    // The same again.
    let again = json_of(&study(&folder, "--runs 40 --format json"));
    assert_eq!((runs(&folder), kept(&again)), (160, 160));
    assert_eq!(again["questions"], first["questions"]);
    assert_eq!(again["seed"], first["seed"]);
    // More of each, a configuration, a metric and a property.
    let changed = STUDY.replace("[1, 2]", "[1, 2, 4]").replace(
        "[properties]",
        "errors = \"errors: ([0-9]+)\"\n\n[properties]\nclean = \"errors < 6\"",
    );
    std::fs::write(folder.join("study.toml"), changed).unwrap();
    let plan = json_of(&study(&folder, "--runs 50 --dry-run --format json"));
    assert_eq!(plan["plan"]["study"]["executions_at_most"], 6 * 50 - 160);
    assert_eq!(runs(&folder), 160);
    let more = json_of(&study(&folder, "--runs 50 --format json"));
    assert_eq!((runs(&folder), kept(&more), executions(&more)), (300, 160, 300));
    // Answers of kept executions are those of executions that run at once.
    std::fs::remove_file(folder.join("runs")).unwrap();
    let seed = more["seed"].to_string();
    let afresh =
        json_of(&study(&folder, &format!("--runs 50 --seed {seed} --no-save --format json")));
    assert_eq!((runs(&folder), kept(&afresh)), (300, 0));
    assert_eq!(afresh["questions"], more["questions"]);
    // The session has all of it.
    let shown = json_of(&fathom_in(&folder, "show last --format json"));
    assert_eq!(shown["study"], more["study"]);
}

#[test]
fn executions_of_another_program_are_not_kept() {
    let folder = folder("study_changed", STUDY);
    study(&folder, "--runs 20 -q");
    std::fs::write(folder.join("sim.sh"), format!("{SIMULATOR}# changed\n")).unwrap();
    let output = study(&folder, "--runs 20");
    assert_eq!(runs(&folder), 160);
    let said = String::from_utf8_lossy(&output.stdout).replace("\n  ", " ");
    assert!(said.contains("the program of 4 commands changed since session 1"), "{said}");
}

#[test]
fn a_study_goes_on_where_it_stopped() {
    let folder = folder("study_resumed", STUDY);
    let output = study(&folder, "--max-runs 30 --seed 3 -j 2 -q");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let before = runs(&folder);
    assert_eq!(before, 120);
    let resumed = json_of(&fathom_in(&folder, "resume last --max-runs 60 --format json"));
    assert_eq!(executions(&resumed) as usize, runs(&folder));
    assert!(runs(&folder) > before);
    let at_once = json_of(&study(&folder, "--max-runs 60 --seed 3 --no-save --format json"));
    assert_eq!(at_once["questions"], resumed["questions"]);
}

#[test]
fn failures_are_counted_and_listed_for_each_cell() {
    let folder = folder("study_failures", &STUDY.replace("canneal", "crashing"));
    let document = json_of(&study(&folder, "--seed 1 --runs 60 --no-save --format json"));
    let systems: Vec<&Value> =
        document["study"]["cells"].as_array().unwrap().iter().map(|it| &it["systems"][0]).collect();
    assert_eq!(systems[0]["failed"], 0);
    let failed = systems[2]["failed"].as_u64().unwrap();
    assert!(failed > 0, "{systems:?}");
    assert_eq!(systems[2]["failures"].as_array().unwrap().len() as u64, failed);
    assert_eq!(systems[2]["failures"][0]["how"], "exited with status 3");
    assert_eq!(document["questions"][2]["counts"]["failed"].as_u64(), Some(failed));
    insta::assert_snapshot!(shown_in(&folder, "--seed 1 --runs 60 --no-save"));
}

#[test]
fn shared_seeds_make_pairs() {
    let folder = folder(
        "study_pairs",
        &format!(
            "shared_seeds = true\nbaseline = \"width=1\"\n{STUDY}\n[estimates]\ntail = \"latency\"\n"
        ),
    );
    let words = "--seed 1 --runs 60 --no-save --format json --include-values";
    let document = json_of(&study(&folder, words));
    let seeds = |answer: usize| {
        let all = document["questions"][answer]["executions"].as_array().unwrap().iter();
        all.map(|one| one["seeds"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(seeds(1), seeds(3));
    let comparison = &document["study"]["comparisons"][0];
    assert_eq!(comparison["paired"], true);
    assert_eq!(comparison["method"], "ranks");
    let ratio = comparison["ratio"].as_f64().unwrap();
    assert!(ratio > 0.4 && ratio < 0.7, "{ratio}");
    // Systems of one cell have the same seeds as well.
    let words = "check abs(x@a-x@b)<1 --shared-seeds --seed 1 --runs 30 --no-save --metric \
                 x=last-number --system a=echo,{seed} --system b=printf,{seed} --format json";
    let words: Vec<String> = words.split(' ').map(|word| word.replace(',', " ")).collect();
    let words: Vec<&str> = words.iter().filter(|it| !it.is_empty()).map(String::as_str).collect();
    let document = json_of(&run(&words));
    assert_eq!(document["satisfied"], 30, "{document}");
}

#[test]
fn what_makes_no_study_is_refused() {
    let folder = folder("study_refused", STUDY);
    let mut text = String::new();
    for (study, words) in [
        (STUDY.to_string(), "-- true"),
        (STUDY.to_string(), "--data runs.csv"),
        (STUDY.replace("[properties]", "[propertys]"), ""),
        (STUDY.replace("latency < 80", "latency <"), ""),
        (STUDY.replace("latency < 80", "latncy < 80"), ""),
        (STUDY.replace("{width}", "2"), ""),
        (STUDY.replace("width", "run"), ""),
        (STUDY.replace("[1, 2]", "[1, 1]"), ""),
        (format!("baseline = \"width=3\"\n{STUDY}"), ""),
        (STUDY.replace("command", "comand"), ""),
        (STUDY.replace("command = \"", "command = \"no-such-program "), ""),
        (STUDY.to_string(), "--warmup 2 --executor slurm --session-dir s"),
        (STUDY.to_string(), "--cpu 0 -j 2"),
    ] {
        std::fs::write(folder.join("study.toml"), study).unwrap();
        text += &shown_in(&folder, words);
    }
    insta::assert_snapshot!(text);
}
