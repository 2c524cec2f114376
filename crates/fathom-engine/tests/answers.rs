//! What the engine answers about files: checks, estimates, comparisons, explanations and traces, as pages
//! of text. Nothing is executed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_engine::explain::TraceSet;
use fathom_engine::traces::{self, ExportChoice, Import};
use fathom_engine::{Engine, EngineError, Saving};
use fathom_formats::trace_imports::ImportOptions;
use fathom_property::Judged;
use fathom_render::layout::plain;
use fathom_render::verdict::{self, Circumstances};
use fathom_render::{Detail, View, check, explanation, human};
use fathom_request::value::OptionValue;
use fathom_request::{
    AnalyzeRequest, CheckRequest, CompareRequest, ExplainRequest, SuggestRequest, TypedSpan,
};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const DATA: &str = "../../testdata";

fn engine(watch: &mut ()) -> Engine<'_> {
    Engine { saving: Saving::off(), ..Engine::new(watch) }
}

fn told(error: &EngineError) -> String {
    format!("error, {:?}: {error}\n", error.kind())
}

/// As it is typed in JSON, and what it gives.
fn section(text: &mut String, asked: &Value, answer: &str) {
    let _ = writeln!(text, "==== {asked}\n{}", plain(answer));
}

fn checked(request: Value) -> String {
    let request: CheckRequest = serde_json::from_value(request).unwrap();
    let answer = match engine(&mut ()).check(&request) {
        Ok(answer) => answer,
        Err(error) => return told(&error),
    };
    let again = |question: usize, judged: &Judged| answer.report.commands(question, judged);
    let page = check::render(&answer.report.report, Detail::Everything, None, 1000, &again);
    let json = answer.report.to_json(true).unwrap();
    let document: Value = serde_json::from_str(&json).unwrap();
    let caveats = &document["caveats"];
    format!("{page}{:?}, caveats {caveats}\n", answer.gates)
}

/// A folder with these files.
fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// Numbers that look random and are the same every time.
fn noise(n: usize) -> f64 {
    ((n * 7919 + 13) % 1009) as f64 / 1009.0
}

fn column(name: &str, rows: usize, value: impl Fn(usize) -> f64) -> String {
    let rows = (0..rows).map(|n| format!("{:.5}\n", value(n)));
    format!("{name}\n{}", rows.collect::<String>())
}

#[test]
fn checks_of_files() {
    let made = folder(&[
        ("many.csv", column("latency[ms]", 80, |n| 3.0 + 4.0 * noise(n))),
        ("few.csv", column("latency[ms]", 4, |n| 3.0 + 4.0 * noise(n))),
        ("same.csv", column("latency[ms]", 30, |_| 4.5)),
        ("drift.csv", column("latency[ms]", 80, |n| 3.0 + 0.05 * n as f64)),
        ("a.csv", column("x", 40, |n| 1.0 + noise(n))),
        ("b.csv", column("x", 43, |n| 1.2 + noise(n + 500))),
    ]);
    let at = |name: &str| made.path().join(name).display().to_string();
    let property = |text: &str| json!({ "property": { "text": text } });
    let estimate = |text: &str| json!({ "estimate": { "expression": text } });
    let given = |files: &[String]| json!({ "data": { "files": files } });
    let observed = |name: &str| given(&[format!("{DATA}/observations/{name}")]);
    let mut cases = Vec::new();
    for text in [
        "latency < 7 ms",
        "latency < 6 ms",
        "latency < 4 ms",
        "latency > 2 ms -> latency < 6.5 ms",
        "latency",
    ] {
        cases.push(json!({ "about": property(text), "executions": given(&[at("many.csv")]) }));
    }
    for name in ["few.csv", "same.csv", "drift.csv", "none.csv"] {
        cases.push(
            json!({ "about": property("latency < 6.5 ms"), "executions": given(&[at(name)]) }),
        );
        cases.push(json!({ "about": estimate("latency"), "executions": given(&[at(name)]) }));
    }
    for method in ["anytime", "exact", "spa"] {
        let asked =
            json!({ "property": { "text": "latency < 6.5 ms", "method": { "named": method } } });
        cases.push(
            json!({ "about": asked, "probability": "0.8", "executions": given(&[at("many.csv")]) }),
        );
        let asked = json!({ "estimate": { "expression": "latency", "method": method } });
        cases.push(
            json!({ "about": asked, "confidence": "0.9", "executions": given(&[at("many.csv")]) }),
        );
    }
    for direction in ["lt", "le", "gt", "ge"] {
        let asked = json!({ "estimate": { "expression": "latency * 2", "direction": direction } });
        cases.push(json!({ "about": asked, "executions": given(&[at("many.csv")]) }));
    }
    let pair = given(&[format!("a={}", at("a.csv")), format!("b={}", at("b.csv"))]);
    cases.push(json!({ "about": property("x@a < x@b + 1"), "executions": pair }));
    cases.push(json!({ "about": estimate("x@b / x@a"), "executions": pair }));
    for on_failure in ["stop", "skip", "count-as-false"] {
        for about in [property("ipc > 0.5"), estimate("ipc")] {
            cases.push(json!({ "about": about, "executions": observed("journal.jsonl"), "on_failure": on_failure }));
        }
    }
    for (text, name) in [
        ("always(temp < 90 degC)", "execution.json"),
        ("eventually(mispredict)", "execution.json"),
        ("ipc > 1", "executions.jsonl"),
        ("ipc > 1", "scalars.csv"),
        ("power < 15 W", "signals.csv"),
        ("always(power < 15 W)", "runs.csv"),
        ("count(R) > 1", "events.csv"),
        ("nothing > 1", "scalars.csv"),
        ("ipc > 1", "gem5"),
    ] {
        cases.push(json!({ "about": property(text), "executions": observed(name) }));
    }
    let rule =
        |vacuous: &str| json!({ "property": { "text": "x > 5 -> x > 6", "vacuous": vacuous } });
    for vacuous in ["true", "false", "skip"] {
        cases.push(json!({ "about": rule(vacuous), "executions": given(&[at("a.csv")]) }));
    }
    // Several questions: each kind of answer, their names, tuples of several kinds, and what is refused.
    let several = json!([property("latency < 8 ms"), property("latency < 4 ms"), property("latency < 6.5 ms"),
        { "estimate": { "name": "tail", "expression": "latency" } }]);
    for per_question in [false, true] {
        cases.push(json!({ "about": several, "per_question": per_question, "executions": given(&[at("many.csv")]) }));
    }
    cases.push(json!({ "about": [property("x@a < x@b + 1"), property("x@a < 5"), property("x@b < x@a")], "executions": pair }));
    for about in [
        json!([property("latency < 7 ms"), property("latency<7ms")]),
        json!([estimate("latency"), estimate("latency")]),
        json!([property("latency < 7 ms"), property("latncy < 7 ms")]),
        json!([property("latency < 7 ms"), property("latency <")]),
        json!([{ "property": { "name": "a", "text": "latency < 7 ms" } }, { "property": { "name": "a", "text": "latency < 8 ms" } }]),
        json!([{ "property": { "text": "latency < 7 ms", "method": { "named": "spa" } } }, property("latency < 8 ms")]),
        json!([property("latency < 7 ms"), property("")]),
    ] {
        cases.push(json!({ "about": about, "executions": given(&[at("many.csv")]) }));
    }
    let mut text = String::new();
    for case in cases {
        section(&mut text, &case, &checked(case.clone()));
    }
    let here = made.path().display().to_string();
    insta::assert_snapshot!(text.replace(&here, "DIR"));
}

fn analyzed(request: Value) -> String {
    let request: AnalyzeRequest = serde_json::from_value(request).unwrap();
    match engine(&mut ()).analyze(&request) {
        Ok(answer) => human::render(&answer.report, &View::default(), 100),
        Err(error) => told(&error),
    }
}

#[test]
fn estimates_of_files() {
    let formats = |name: &str| json!({ "files": [format!("{DATA}/formats/{name}")] });
    let mut cases: Vec<Value> = [
        "hyperfine/v2-two-commands.json",
        "hyperfine/v1-parameters.json",
        "hyperfine/v2-failing.json",
        "google-benchmark/repetitions.json",
        "google-benchmark/counter.json",
        "google-benchmark/aggregates-only.json",
        "pyperf/sort.json",
        "gem5/stats.txt",
        "csv/semicolon-bom-crlf.csv",
        "csv/decimal-comma.csv",
        "csv/text-column.csv",
        "json/objects.json",
        "numbers/wrapped.txt",
        "fathom/analyze.json",
        "no-such-file",
    ]
    .map(formats)
    .to_vec();
    let warm_up = json!([format!("{DATA}/series/warmup.csv")]);
    for options in [
        json!({}),
        json!({ "statistics": ["mean", "p90"] }),
        json!({ "statistics": ["p90"], "probability": "0.9", "direction": "le" }),
        json!({ "statistics": ["mean"], "method": "exact" }),
        json!({ "sides": "lower", "confidence": "0.99" }),
        json!({ "cleaning": { "steady_state": "20", "outliers": "remove" } }),
        json!({ "cleaning": { "assume_independent": true, "correlogram": true } }),
    ] {
        let mut case = options;
        case["files"] = warm_up.clone();
        cases.push(case);
    }
    let work = json!([format!("{DATA}/series/work.csv")]);
    for column in ["blocks", "1", "seconds", "none"] {
        cases.push(json!({ "files": work, "work_column": column }));
    }
    cases.push(
        json!({ "files": work, "work_column": "blocks", "input": { "columns": ["seconds"] } }),
    );
    cases.push(json!({ "files": work, "work_column": "blocks", "input": { "columns": ["seconds", "blocks"] } }));
    let both = json!([
        format!("{DATA}/timings/loop_quiet_1.csv"),
        format!("{DATA}/timings/loop_quiet_2.csv")
    ]);
    cases.push(json!({ "files": both }));
    cases.push(json!({ "files": both, "input": { "join": true } }));
    let mut text = String::new();
    for case in cases {
        section(&mut text, &case, &analyzed(case.clone()));
    }
    insta::assert_snapshot!(text);
}

fn compared(request: Value) -> String {
    let request: CompareRequest = serde_json::from_value(request).unwrap();
    let answer = match engine(&mut ()).compare(&request) {
        Ok(answer) => answer,
        Err(error) => return told(&error),
    };
    let found = answer.report.comparisons.as_deref().unwrap();
    let page =
        verdict::render(&answer.report, found, Circumstances::default(), &View::default(), 100);
    format!("{page}{:?}\n", answer.gates)
}

#[test]
fn comparisons_of_files() {
    let timings = |name: &str| format!("{DATA}/timings/{name}.csv");
    let formats = |name: &str| format!("{DATA}/formats/{name}");
    let files = |names: &[String]| json!({ "source": { "files": names } });
    let quiet = [timings("sort_quiet_1"), timings("sort_noisy_1")];
    let mut cases = vec![
        files(&quiet),
        files(&[timings("loop_quiet_1"), timings("loop_quiet_2"), timings("loop_noisy_3")]),
        files(&[
            formats("hyperfine/v2-two-commands.json"),
            formats("hyperfine/v1-two-commands.json"),
        ]),
        files(&[
            formats("google-benchmark/repetitions.json"),
            formats("google-benchmark/repetitions.json"),
        ]),
        files(&[formats("pyperf/suite.json"), formats("pyperf/sort.json")]),
        files(&[formats("gem5/stats.txt"), formats("numbers/wrapped.txt")]),
        files(&[formats("csv/decimal-comma-or-columns.csv"), timings("sort_quiet_1")]),
        files(&quiet[..1]),
        files(&[quiet[0].clone(), "no-such-file".to_string()]),
    ];
    for options in [
        json!({ "margin": "0.1" }),
        json!({ "fail_if_slower": "0.05" }),
        json!({ "require_equivalent": "0.2" }),
        json!({ "fail_if_slower": "0.05", "allow_inconclusive": true }),
        json!({ "confidence": "0.99", "cleaning": { "assume_independent": true } }),
    ] {
        let mut case = options;
        case["source"] = files(&quiet)["source"].clone();
        cases.push(case);
    }
    let mut text = String::new();
    for case in cases {
        section(&mut text, &case, &compared(case.clone()));
    }
    insta::assert_snapshot!(text);
}

fn explained(request: Value, windows: &[&str], against: Option<&str>) -> String {
    let mut request: ExplainRequest = serde_json::from_value(request).unwrap();
    let span = |text: &str| TypedSpan::read(text).unwrap();
    request.windows = windows.iter().map(|text| span(text)).collect();
    request.against = against.map(span);
    let answer = match engine(&mut ()).explain(&request) {
        Ok(answer) => answer.report,
        Err(error) => return told(&error),
    };
    let shown = explanation::Shown {
        detail: Detail::Everything,
        width: 100,
        time_unit: None,
        top: 10,
        origin: answer.origin,
        local_time: None,
    };
    let table = explanation::table(&answer.explanation, 10);
    format!("{}{}", explanation::render(&answer.explanation, &shown), table.markdown())
}

#[test]
fn explanations_of_traces() {
    let shop = json!({ "paths": [format!("{DATA}/traces/shop")] });
    let netdata = json!({ "paths": [format!("{DATA}/traces/netdata/cpu.csv")] });
    let asked = |target: &str, ranking: Value| json!({ "traces": shop, "target": target, "ranking": ranking });
    let mut text = String::new();
    let mut say = |request: Value, windows: &[&str], against: Option<&str>| {
        let answer = explained(request.clone(), windows, against);
        let _ = writeln!(text, "==== {request} {windows:?} {against:?}\n{}", plain(&answer));
    };
    say(asked("latency_ms", json!({})), &["260..276"], None);
    say(
        asked("latency_ms", json!({ "correlator": "pearson", "filter": ["gc"] })),
        &["260..276"],
        Some("100..200"),
    );
    say(
        asked("latency_ms", json!({ "correlator": "n_sigma" })),
        &["260..276", "rows:10..20"],
        None,
    );
    say(asked("nothing", json!({})), &[], None);
    say(asked("latency_ms", json!({})), &["5000..6000"], None);
    say(
        json!({ "traces": shop, "target": "queue", "run": "run-2", "alignment": { "common": "requests", "normalize": true } }),
        &["260..276"],
        None,
    );
    say(json!({ "traces": shop, "target": "queue", "run": "run-9" }), &[], None);
    say(json!({ "traces": netdata, "target": "nothing" }), &[], None);
    for target in ["latency_ms", "queue", "nothing"] {
        let request = SuggestRequest {
            traces: serde_json::from_value(shop.clone()).unwrap(),
            target: Some(target.to_string()),
            run: None,
        };
        let page = match engine(&mut ()).suggest(&request, 5) {
            Ok(answer) => {
                let found = answer.report;
                let proposed = found.to_render();
                let page = explanation::render_suggestions(
                    Some(target),
                    Some(&found.question),
                    &proposed,
                    100,
                );
                format!("{page}{}", explanation::proposed_table(&proposed).csv())
            }
            Err(error) => told(&error),
        };
        let _ = writeln!(text, "==== suggest {target}\n{}", plain(&page));
    }
    insta::assert_snapshot!(text);
}

/// The imported traces of a tool: what they hold, and the first rows of their table.
fn imported(files: &[&str], change: impl FnOnce(&mut Import)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("traces");
    let mut import = Import {
        files: files.iter().map(|file| PathBuf::from(format!("{DATA}/traces/{file}"))).collect(),
        options: ImportOptions::default(),
        merge: false,
        common: None,
        store: None,
        derived: Vec::new(),
        layers: Vec::new(),
    };
    change(&mut import);
    let manifest = match traces::import(&import, &into, false, &mut ()) {
        Ok(manifest) => manifest,
        Err(error) => return told(&error),
    };
    let again = traces::import(&import, &into, false, &mut ()).unwrap_err();
    let found = traces::summaries(&into, None, &[]).unwrap();
    let mut text = fathom_render::traces::render_imported(&manifest, Path::new("traces"), 100);
    text +=
        &fathom_render::traces::render(&found.manifest, &found.runs, Detail::Everything, None, 100);
    text += &fathom_render::traces::table(&found.runs).markdown();
    let first = found.runs.first().unwrap();
    let choice = ExportChoice {
        run: Some(&first.run.id),
        sampler: first.run.samplers.first().map(|one| one.name.as_str()),
        aligned: None,
    };
    let mut table = Vec::new();
    traces::export_table(&into, choice, &mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    text.extend(table.lines().take(4).map(|line| format!("{line}\n")));
    let set = TraceSet::open(&serde_json::from_value(json!({ "paths": [into] })).unwrap()).unwrap();
    let _ = writeln!(text, "{} notes; again: {}", set.notes().len(), told(&again));
    text.replace(&folder.path().display().to_string(), "DIR")
}

#[test]
fn traces_of_other_tools() {
    let mut text = String::new();
    for files in [
        &["shop"][..],
        &["csv/gaps.csv"],
        &["csv/runs"],
        &["netdata/cpu.csv"],
        &["netdata/load-gaps.csv"],
        &["perf/sleep.csv"],
        &["prometheus/node.json"],
        &["prometheus/histogram.json"],
        &["gc/serial.log"],
        &["shop/run-1.csv", "netdata/cpu.csv"],
        &["bad/openmetrics.txt"],
        &["nothing"],
    ] {
        let answer = plain(&imported(files, |_| ()));
        let _ = writeln!(text, "==== {files:?}\n{answer}");
    }
    let merged = imported(&["shop/run-1.csv", "shop/run-2.csv"], |import| import.merge = true);
    let common = imported(&["shop"], |import| import.common = Some("requests".to_string()));
    let unknown = imported(&["shop"], |import| import.common = Some("request".to_string()));
    for answer in [merged, common, unknown] {
        let _ = writeln!(text, "====\n{}", plain(&answer));
    }
    insta::assert_snapshot!(text);
}
