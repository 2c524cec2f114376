//! Details of answers about files: which part of a property decided, what a plan allows, how many rows a
//! recording has that was killed, and what merged files are called.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_engine::traces::{self, Import};
use fathom_engine::{CheckPlanDocument, Engine, Saving};
use fathom_formats::trace_imports::ImportOptions;
use fathom_property::JudgedAs;
use fathom_request::CheckRequest;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn engine(watch: &mut ()) -> Engine<'_> {
    Engine { saving: Saving::off(), ..Engine::new(watch) }
}

#[test]
fn the_part_of_a_property_that_decides_is_named_for_each_execution() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("runs.csv");
    std::fs::write(&data, "x,y\n1,4\n4,1\n2,4\n4,3\n").unwrap();
    let request: CheckRequest = serde_json::from_value(json!({
        "about": { "property": { "text": "x < 5 and y < 5" } },
        "executions": { "data": { "files": [data.display().to_string()], "rows": "executions" } },
    }))
    .unwrap();
    let answer = engine(&mut ()).check(&request).unwrap();
    let judged = answer.report.report.first.judged;
    let parts: Vec<String> = judged
        .into_iter()
        .map(|one| match one.result {
            JudgedAs::Property { decided_by, .. } => decided_by.unwrap().1.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(parts, ["y < 5", "x < 5", "y < 5", "x < 5"]);
}

fn plan(about: Value, budget: Value) -> Value {
    let request: CheckRequest = serde_json::from_value(json!({
        "about": about,
        "executions": { "commands": { "systems": { "command": ["true", "{seed}"] }, "budget": budget } },
    }))
    .unwrap();
    let plan = engine(&mut ()).check_plan(&request).unwrap();
    let text = serde_json::to_string(&CheckPlanDocument::of(&plan)).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_plan_says_how_many_executions_there_may_be() {
    let property = json!([{ "property": { "text": "runtime < 1s" } }]);
    let estimate = json!([{ "estimate": { "expression": "runtime" } }]);
    let most = |about: &Value, budget: Value| {
        let plan = plan(about.clone(), budget);
        let executions = &plan["plan"];
        (executions["max_runs"].as_u64().unwrap(), executions["fewest"].as_u64().unwrap())
    };
    let (runs, fewest) = most(&property, json!({ "at_most": { "runs": 170 } }));
    assert_eq!(runs, 170);
    assert!(fewest > 28 && fewest < 170, "{fewest}");
    let (runs, fewest) = most(&estimate, json!({ "exactly": 80 }));
    assert_eq!(runs, 80);
    assert!(fewest > 1 && fewest < 80, "{fewest}");
    let both = json!([property[0], estimate[0]]);
    let several = plan(both, json!({ "at_most": { "runs": 190 } }));
    let executions = &several["plan"];
    assert_eq!((&executions["questions"], &executions["max_runs"]), (&json!(2), &json!(190)));
    assert!(executions["fewest_for_interval"].as_u64().unwrap() > 1, "{executions}");
}

fn csv(folder: &Path, name: &str, metric: &str) -> PathBuf {
    let file = folder.join(name);
    let rows: String = (0..20).map(|n| format!("{n},{}\n", n * n % 7)).collect();
    std::fs::write(&file, format!("time,{metric}\n{rows}")).unwrap();
    file
}

#[test]
fn a_recording_that_was_killed_has_as_many_rows_as_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let import = Import {
        derived: Vec::new(),
        store: None,
        layers: Vec::new(),
        files: vec![csv(folder.path(), "a.csv", "x")],
        options: ImportOptions::default(),
        merge: false,
        common: None,
    };
    let into = folder.path().join("traces");
    traces::import(&import, &into, false, &mut ()).unwrap();
    let rows = |of: &traces::TraceSummaries| -> u64 {
        of.runs.iter().flat_map(|run| &run.run.samplers).map(|sampler| sampler.rows).sum()
    };
    let whole = rows(&traces::summaries(&into, None, &[]).unwrap());
    assert_eq!(whole, 20);
    let file = into.join("manifest.json");
    let mut manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    for run in manifest["runs"].as_array_mut().unwrap() {
        run["ended_ns"] = Value::Null;
        run["samplers"].as_array_mut().unwrap().iter_mut().for_each(|one| one["rows"] = json!(0));
    }
    std::fs::write(&file, manifest.to_string()).unwrap();
    assert_eq!(rows(&traces::summaries(&into, None, &[]).unwrap()), whole);
}

#[test]
fn merged_files_have_samplers_of_their_own_names() {
    let folder = tempfile::tempdir().unwrap();
    let files = [("a.csv", "x"), ("b.csv", "y"), ("c.csv", "z")];
    let files = files.map(|(name, metric)| csv(folder.path(), name, metric));
    let import = |files: &[PathBuf], into: &str| {
        let import = Import {
            derived: Vec::new(),
            store: None,
            layers: Vec::new(),
            files: files.to_vec(),
            options: ImportOptions::default(),
            merge: true,
            common: None,
        };
        traces::import(&import, &folder.path().join(into), false, &mut ())
    };
    let manifest = import(&files, "merged").unwrap();
    assert_eq!(manifest.runs.len(), 1);
    let names: Vec<&str> = manifest.runs[0].samplers.iter().map(|one| one.name.as_str()).collect();
    let first = names[0];
    let [second, third] = [2, 3].map(|number| format!("{first}-{number}"));
    assert_eq!(names, [first, &second, &third]);
    let twice =
        import(&[files[0].clone(), files[1].clone(), files[0].clone()], "twice").unwrap_err();
    assert!(twice.to_string().contains("have a metric x; rename one"), "{twice}");
}
