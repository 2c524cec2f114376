//! What the binary writes as JSON is what docs/fathom.schema.json says, and no field more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use fathom_testkit::json_schema::Validator;
use harness::{RUNTIME, WARMUP, WORK, document, in_folder, run, scratch, stdout, top};
use serde_json::Value;
use std::path::Path;

const SHOP: &str = "testdata/traces/shop";

fn schema() -> Value {
    let text = std::fs::read_to_string(top().join("docs/fathom.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Checks a document, and that it is one of the documents of the contract.
fn check(schema: &Value, definition: &str, document: &Value, what: &str) {
    if let Err(error) = Validator::new(schema).check(definition, document) {
        panic!("{what}: {error}");
    }
    let mut of_any = schema.clone();
    of_any["$defs"]["Any"] = serde_json::json!({ "oneOf": schema["oneOf"] });
    if let Err(error) = Validator::new(&of_any).check("Any", document) {
        panic!("{what} is not one document of the contract: {error}");
    }
}

fn checked(definition: &str, words: &[&str]) -> Value {
    let schema = schema();
    let mut written = Value::Null;
    // Without values, and with them. Options come first: what follows may be a command of its own.
    for more in [&[][..], &["--include-values"]] {
        let (command, rest) = words.split_at(1);
        let words = [command, &["--format", "json"], more, rest].concat();
        written = document(&run(&words));
        check(&schema, definition, &written, &words.join(" "));
    }
    written
}

/// Of a command that has no `--include-values`.
fn checked_plain(definition: &str, words: &[&str]) {
    check(&schema(), definition, &document(&run(words)), &words.join(" "));
}

#[test]
fn analyses() {
    checked("Report", &["analyze", RUNTIME]);
    checked("Report", &["analyze", RUNTIME, "--probability", "0.9", "--direction", "le"]);
    checked(
        "Report",
        &["analyze", RUNTIME, "--statistic", "mean", "--statistic", "p99", "--correlogram"],
    );
    checked("Report", &["analyze", RUNTIME, "--outliers", "keep", "--steady-state", "off"]);
    checked("Report", &["analyze", WARMUP, "--method", "bca", "--sides", "upper"]);
    checked("Report", &["analyze", WORK, "--work-column", "blocks"]);
}

#[test]
fn runs_comparisons_and_their_list() {
    let folder = scratch("json_schema");
    checked(
        "Report",
        &in_folder(&folder, &["run", "-r", "6", "true", "echo {x}", "-L", "x", "1,2"]),
    );
    checked("Report", &in_folder(&folder, &["run", "-S", "sh", "-r", "3", "true"]));
    let gates = ["--fail-if-slower", "50%", "--require-equivalent", "90%"];
    let words = [&["compare", "-r", "8"][..], &gates, &["true", "true"]].concat();
    checked("Report", &in_folder(&folder, &words));
    checked("Report", &in_folder(&folder, &["compare", "-S", "sh", "-r", "8", "true", "true"]));
    checked("Report", &["compare", "--files", RUNTIME, "testdata/spa/ferret_3mb_maxload.csv"]);
    checked("Report", &in_folder(&folder, &["show", "1"]));
    checked_plain("SessionList", &in_folder(&folder, &["list", "--format", "json"]));
}

#[test]
fn checks() {
    let data = "testdata/properties/execution_x.json";
    checked("CheckReport", &["check", "ipc > 1", "--data", data]);
    checked("CheckReport", &["check", "ipc > 100", "--data", data]);
    checked("CheckReport", &["check", "--estimate", "value", "--data", RUNTIME]);
    let folder = scratch("json_schema_check");
    let words =
        ["check", "x < 0.5", "--metric", "x=last-number", "-r", "20", "--", "echo", "0.{seed}"];
    checked("CheckReport", &in_folder(&folder, &words));
    for question in [&["x < 0.5"][..], &["x < 0.5", "-r", "90"], &["--estimate", "x"]] {
        let words = [&["check", "--dry-run", "--format", "json"][..], question];
        let words = [&words.concat()[..], &["--metric", "x=last-number", "--", "true"]].concat();
        checked_plain("CheckPlan", &words);
    }
}

#[test]
fn explanations_and_suggestions() {
    let words = ["explain", SHOP, "--target", "latency_ms", "--common", "requests"];
    let words = [&words[..], &["--window", "260..276"]].concat();
    let written = checked("Explanation", &words);
    check(&schema(), "Request", &written["request"], "the request of an explanation");
    let words = ["explain", SHOP, "--target", "latency_ms", "--suggest", "--format", "json"];
    let written = document(&run(&words));
    check(&schema(), "Suggestions", &written, "explain --suggest");
    check(&schema(), "Request", &written["request"], "the request of suggestions");
}

#[test]
fn traces_and_recordings() {
    let folder = scratch("json_schema_traces").join("traces");
    let name = folder.to_str().unwrap();
    stdout(&["import", SHOP, "-o", name, "--common", "requests"]);
    checked("TraceSummaries", &["show", name]);
    checked_plain("RecordingPlan", &["record", "--dry-run", "--format", "json", "--", "true"]);
    let recorded = scratch("json_schema_recorded").join("traces");
    let words = ["record", "-o", recorded.to_str().unwrap(), "--runs", "1", "--format", "json"];
    checked_plain("Recording", &[&words[..], &["--", "sleep", "0.1"]].concat());
}

#[test]
fn the_machine() {
    checked_plain("Checkup", &["doctor", "--max-time", "0s", "--format", "json"]);
}

/// Documents in a transcript: from a line "{" to a line "}".
fn documents(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(|line| line == "{") {
        let inner: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
        found.push(serde_json::from_str(&format!("{{{}}}", inner.join("\n"))).unwrap());
    }
    found
}

#[test]
fn snapshots_of_documents() {
    let schema = schema();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        if !text.contains("\"schema\": \"fathom/1\"") {
            continue;
        }
        for document in documents(&text) {
            let definition = if document.get("plan").is_some() { "CheckPlan" } else { "Report" };
            check(&schema, definition, &document, &path.display().to_string());
            seen += 1;
        }
    }
    assert!(seen > 0, "no snapshot holds a document");
}
