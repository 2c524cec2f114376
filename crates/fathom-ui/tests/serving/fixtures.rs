//! What the page's unit tests read is what the server says.
//!
//! With `UPDATE_FIXTURES=1` the files in `web/src/fixtures` are written again.

use super::running::Running;
use super::shop::{question, shop};
use serde_json::{Value, json};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("web/src/fixtures")
}

#[test]
fn fixtures_are_what_the_server_says() {
    let running = Running::traces(shop());
    let mut answer = running.post("api/explain", &question()).lines().pop().unwrap();
    // How long it took, and which system it was, are of no interest.
    answer["seconds"] = json!(0.25);
    answer["explanation"]["environment"] = json!(null);
    let label = |metric: &str, label: &str| {
        let mut label = json!({ "target": "latency_ms", "metric": metric, "label": label });
        // One as earlier versions had them, without windows.
        if metric != "threads" {
            label["run"] = "run-1".into();
            label["windows"] = json!([[260.0, 276.0]]);
        }
        running.put("api/labels", &label)
    };
    label("gc.pause_ms", "yes");
    label("threads", "no");
    let labels = label("queue", "maybe").json();
    let mut cut = question();
    cut["segments"] = json!(4);
    let mut ribbons = running.get("api/warps?run=run-1&target=latency_ms&common=requests").lines();
    ribbons.sort_by_key(|ribbon| ribbon["to"].as_str().map(str::to_string));
    let answers = [
        ("overview", running.get("api/overview").json()),
        ("question", question()),
        ("answer", answer),
        ("series", running.get("api/series?run=run-1&metric=latency_ms&columns=1000").json()),
        ("series_thinned", running.get("api/series?run=run-1&metric=queue&columns=50").json()),
        ("ribbons", Value::from(ribbons)),
        ("segmentation", running.post("api/segments", &cut).json()),
        ("context", running.post("api/context", &question()).json()),
        ("suggestions", running.get("api/suggestions?run=run-1&metric=latency_ms").json()),
        ("labels", labels),
    ];
    let is_update = std::env::var("UPDATE_FIXTURES").is_ok_and(|set| set == "1");
    for (name, answer) in answers {
        let file = folder().join(format!("{name}.json"));
        if is_update {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(&file, text(&answer)).unwrap();
            continue;
        }
        let known = std::fs::read_to_string(&file).unwrap();
        let known: Value = serde_json::from_str(&known).unwrap();
        if let Some(place) = difference(&known, &answer) {
            panic!("{name}.json differs at {name}{place}: run this test with UPDATE_FIXTURES=1");
        }
    }
}

/// Sorted, whatever order the build keeps: the same answer is the same text.
fn text(value: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(entries) => {
                let mut keys: Vec<&String> = entries.keys().collect();
                keys.sort();
                keys.into_iter().map(|key| (key.clone(), sorted(&entries[key]))).collect()
            }
            Value::Array(values) => values.iter().map(sorted).collect(),
            plain => plain.clone(),
        }
    }
    serde_json::to_string_pretty(&sorted(value)).unwrap() + "\n"
}

/// Where two differ by more than another processor's rounding.
fn difference(known: &Value, now: &Value) -> Option<String> {
    match (known, now) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            a.iter().find_map(|(key, a)| match b.get(key) {
                Some(b) => difference(a, b).map(|place| format!(".{key}{place}")),
                None => Some(format!(".{key}: is no longer there")),
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(n, (a, b))| difference(a, b).map(|place| format!("[{n}]{place}"))),
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            let near = (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-6);
            (!near).then(|| format!(": {a} is {b} now"))
        }
        (a, b) => (a != b).then(|| format!(": {a} is {b} now")),
    }
}
