//! Dependencies point one way. This is the table of ARCHITECTURE.md as code.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which of our crates each of our crates may depend on, without the "fathom-" that all begin with.
const MAY_USE: &[(&str, &str)] = &[
    ("stats", ""),
    ("dtw", ""),
    ("derive", ""),
    ("record", "derive"),
    ("formats", "record"),
    ("analyze", "stats record derive"),
    ("property", "stats record"),
    ("explain", "stats dtw record"),
    ("sys", "record"),
    ("store", "record"),
    ("fetch", "record formats"),
    ("measure", "record formats sys store fetch"),
    ("request", "stats record formats analyze property explain measure"),
    (
        "engine",
        "stats record formats analyze property explain sys store fetch measure render bench request",
    ),
    ("render", "stats record analyze explain property"),
    ("bench-macros", ""),
    ("bench", "stats record analyze sys render bench-macros"),
    ("ui", "stats record analyze property explain render request"),
    (
        "cli",
        "stats record formats analyze property explain sys measure render bench request engine ui",
    ),
    // The engine to generate docs/json.md from the types; an optional feature.
    ("testkit", "stats dtw record analyze property explain formats request engine"),
];

/// Crates from elsewhere that a crate must never pull in, directly or not.
const NEVER: &[(&str, &[&str])] = &[
    ("fathom-stats", &["serde", "clap", "tokio"]),
    ("fathom-dtw", &["serde", "clap", "tokio", "libc"]),
    ("fathom-record", &["clap", "tokio", "rusqlite", "parquet"]),
    ("fathom-sys", &["clap", "tokio", "rusqlite", "parquet"]),
    ("fathom-analyze", &["clap", "tokio", "rusqlite", "parquet"]),
    ("fathom-property", &["clap", "tokio", "rusqlite", "parquet"]),
    ("fathom-explain", &["clap", "tokio", "rusqlite", "parquet"]),
    ("fathom-fetch", &["clap", "tokio", "rusqlite"]),
    ("fathom-render", &["clap", "tokio", "rusqlite", "parquet"]),
    ("fathom-request", &["clap", "tokio"]),
    ("fathom-engine", &["clap", "tokio", "anstream", "terminal_size"]),
    ("fathom-bench", &["clap", "tokio", "rusqlite", "parquet", "regex"]),
];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .current_dir(fathom_testkit::repository::top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Ids are opaque; packages have names.
fn names(metadata: &Value) -> BTreeMap<&str, &str> {
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| (package["id"].as_str().unwrap(), package["name"].as_str().unwrap()))
        .collect()
}

/// The crates that a crate links in ordinary builds: not those of its tests.
fn direct<'a>(metadata: &'a Value, id: &str) -> Vec<&'a str> {
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|node| node["id"] == id).unwrap();
    let is_ordinary = |dependency: &&Value| {
        dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null())
    };
    let dependencies = node["deps"].as_array().unwrap().iter().filter(is_ordinary);
    dependencies.map(|dependency| dependency["pkg"].as_str().unwrap()).collect()
}

#[test]
fn dependencies_point_one_way() {
    let metadata = metadata();
    let names = names(&metadata);
    let allowed: BTreeMap<&str, &str> = MAY_USE.iter().copied().collect();
    for member in metadata["workspace_members"].as_array().unwrap() {
        let id = member.as_str().unwrap();
        let name = names[id];
        let may_use = name.strip_prefix("fathom-").and_then(|short| allowed.get(short));
        let may_use = may_use.unwrap_or_else(|| panic!("{name} is not in the table"));
        for dependency in direct(&metadata, id) {
            if let Some(used) = names[dependency].strip_prefix("fathom-") {
                let is_allowed = may_use.split(' ').any(|allowed| allowed == used);
                assert!(is_allowed, "{name} must not depend on fathom-{used}");
            }
        }
    }
}

#[test]
fn light_crates_stay_light() {
    let metadata = metadata();
    let names = names(&metadata);
    for (name, never) in NEVER {
        let start = names.iter().find(|(_, known)| *known == name).unwrap().0;
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![*start];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                assert!(!never.contains(&names[id]), "{name} pulls in {}", names[id]);
                open.extend(direct(&metadata, id));
            }
        }
        assert!(seen.len() > 1, "{name} has no dependencies: the walk is broken");
    }
}

/// Whoever benches builds the harness, so it leaves out what only pages of commands need.
const NOT_IN_BENCHES: &[&str] =
    &["fathom-property", "fathom-explain", "fathom-dtw", "fathom-formats", "fathom-store"];

/// The features of the other crates do not count here, unlike in `metadata`.
#[test]
fn the_harness_does_not_build_pages_of_commands() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "-p", "fathom-bench", "-e", "normal", "--prefix", "none"])
        .current_dir(fathom_testkit::repository::top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let built: BTreeSet<&str> =
        text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(built.contains("fathom-render"), "{built:?}");
    for name in NOT_IN_BENCHES {
        assert!(!built.contains(name), "fathom-bench pulls in {name}");
    }
}

/// What the binary has besides commands.
const IN_THE_BINARY: &[&str] = &[
    "arguments",
    "arguments.rs",
    "commands",
    "commands.rs",
    "failure.rs",
    "main.rs",
    "output.rs",
    "progress.rs",
    "terminal.rs",
    "writer.rs",
];

/// What lays pages out. Pages are in fathom-render, where every front end can print them.
const NOT_IN_THE_BINARY: &[&str] =
    &["push_wrapped", "padded(", "Table {", "fathom_render::picture"];

#[test]
fn the_binary_has_no_pages_of_its_own() {
    let folder = fathom_testkit::repository::top().join("crates/fathom-cli/src");
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            IN_THE_BINARY.contains(&name.as_str()),
            "fathom-cli/src/{name}: pages belong to fathom-render, decisions to fathom-engine"
        );
    }
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).unwrap();
        for word in NOT_IN_THE_BINARY {
            assert!(!text.contains(word), "{} lays out a page: {word}", path.display());
        }
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_path_buf()];
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        match path.is_dir() {
            true => {
                open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            false => files.push(path),
        }
    }
    files
}

/// The most lines that the commands of the binary may have, without their tests.
const MOST_LINES: usize = 2000;

/// What commands may not use: they parse, ask the engine and write. A command that needs one of
/// these decides something that belongs to the engine.
const NOT_IN_COMMANDS: &[&str] =
    &["fathom_stats", "fathom_measure", "fathom_property", "fathom_sys::spawner", "Store::open"];

#[test]
fn the_binary_is_thin() {
    let folder = fathom_testkit::repository::top().join("crates/fathom-cli/src/commands");
    let mut lines = 0;
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        lines += code.lines().count();
        for word in NOT_IN_COMMANDS {
            assert!(!code.contains(word), "{} uses {word}", path.display());
        }
    }
    assert!(lines > 100, "{lines} lines: the commands have moved, and this test with them");
    assert!(lines < MOST_LINES, "{lines} lines in fathom-cli/src/commands");
}
