//! Names are data, whatever is in them.

use super::client::encoded;
use super::made_up::MadeUp;
use super::running::Running;
use serde_json::json;

const NAMES: [&str; 9] = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "a/b\\c/../../etc/passwd",
    "line\nbreak\r\nSet-Cookie: x",
    "snow \u{2603} \u{202e}txet",
    "\"quoted'\" & #y=1?z%2F+ ;",
    "$(touch /tmp/x) `id` 'x'",
    "-rf",
    "",
];

#[test]
fn hostile_names_come_back_as_they_are() {
    let runs = ["run <b>1</b>", "../run\n2"];
    let running = Running::traces(MadeUp::new(&runs, &NAMES, 120).opened());
    let overview = running.get("api/overview").json();
    let metrics = overview["metrics"].as_array().unwrap();
    let found: Vec<&str> = metrics.iter().map(|metric| metric["name"].as_str().unwrap()).collect();
    assert_eq!(found, NAMES);
    for run in runs {
        for name in NAMES {
            let (run_, name_) = (encoded(run), encoded(name));
            let series = running.get(&format!("api/series?run={run_}&metric={name_}&columns=50"));
            assert_eq!(series.status, 200, "{name}: {}", series.body);
            let series = series.json();
            assert_eq!(
                (series["run"].as_str(), series["metric"].as_str()),
                (Some(run), Some(name))
            );
            assert_eq!(series["rows"], 120);
        }
    }
    let question = json!({
        "target": NAMES[0], "run": runs[1], "windows": [[61, 85]], "baseline": null,
        "segments": "auto", "pattern": null, "common": null, "normalise": false, "penalty": 0,
        "correlator": "combined", "score_in": "nearest",
    });
    let answered = running.post("api/explain", &question);
    assert_eq!(answered.headers["content-type"], "application/x-ndjson");
    let last = answered.lines().pop().unwrap();
    assert_eq!(last["type"], "ranking", "{last}");
    let ranking = last["explanation"]["ranking"].as_array().unwrap();
    let mut ranked: Vec<&str> = ranking.iter().map(|row| row["metric"].as_str().unwrap()).collect();
    ranked.extend(
        last["explanation"]["excluded"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["metric"].as_str().unwrap()),
    );
    let (mut ranked, mut expected) = (ranked, NAMES[1..].to_vec());
    ranked.sort_unstable();
    expected.sort_unstable();
    assert_eq!(ranked, expected);
    let label = json!({ "target": NAMES[1], "metric": NAMES[3], "label": "maybe" });
    let labels = running.put("api/labels", &label).json();
    assert_eq!(labels["labels"][NAMES[1]][NAMES[3]], "maybe");
}

#[test]
fn the_command_is_safe_to_paste() {
    let running = Running::traces(MadeUp::new(&["r"], &NAMES, 120).opened());
    for name in NAMES {
        let question = json!({
            "target": name, "run": "r", "windows": [[61, 85]], "baseline": null, "segments": "auto",
            "pattern": null, "common": null, "normalise": false, "penalty": 0,
            "correlator": "combined", "score_in": "every",
        });
        let last = running.post("api/explain", &question).lines().pop().unwrap();
        let command = last["command"].as_str().unwrap();
        // A shell must see the words as they were meant.
        let words = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s\\0' {command}")])
            .output()
            .unwrap();
        let words = String::from_utf8(words.stdout).unwrap();
        let words: Vec<&str> = words.trim_end_matches('\0').split('\0').collect();
        let target = words.iter().position(|word| word.starts_with("--target")).unwrap();
        let seen = match words[target].strip_prefix("--target=") {
            Some(seen) => seen,
            None => words[target + 1],
        };
        assert_eq!(seen, name, "{command}");
        assert_eq!(words[..3], ["fathom", "explain", "made-up"]);
    }
}
