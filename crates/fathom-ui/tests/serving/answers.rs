//! What is answered is what `fathom explain` says.

use super::running::Running;
use super::shop::{question, shop};
use fathom_explain::document::ExplanationDocument;
use fathom_explain::{TraceQuestion, explain};
use fathom_record::Environment;
use fathom_ui::traces::PageQuestion;
use serde_json::{Value, json};

/// The document of the question, asked directly.
fn directly(question: &Value) -> Value {
    let question: PageQuestion = serde_json::from_value(question.clone()).unwrap();
    let request: TraceQuestion = question.request().unwrap();
    let found = explain(shop().source.as_ref(), &request, &|_| Ok(())).unwrap();
    let environment = Environment::of_this_build();
    serde_json::to_value(ExplanationDocument::of(&found, "", &environment, true)).unwrap()
}

/// What an answer has more than the document.
fn plain(mut explanation: Value) -> Value {
    explanation["command_line"] = json!("");
    // The page's question as it is asked in the terminal; explain itself does not know of requests.
    explanation.as_object_mut().unwrap().remove("request");
    explanation["target_unit"] = json!(null);
    for row in explanation["ranking"].as_array_mut().unwrap() {
        assert!(!row["says"].as_str().unwrap().is_empty());
        row.as_object_mut().unwrap().remove("says");
        assert_eq!(row["unit"], "");
        row["unit"] = json!(null);
    }
    explanation
}

#[test]
fn rankings_are_those_of_explain() {
    let running = Running::traces(shop());
    let mut drawn = question();
    drawn["pattern"] = json!([[255, 0], [262, 1], [280, 0]]);
    drawn["correlator"] = json!("manual_pattern");
    let mut other = question();
    other["windows"] = json!([[100, 130], [260.5, 276.25]]);
    other["baseline"] = json!([10, 90]);
    other["segments"] = json!(4);
    other["normalise"] = json!(true);
    other["run"] = json!("run-2");
    other["target"] = json!("requests");
    other["common"] = json!(null);
    other["score_in"] = json!("nearest");
    let mut whole = question();
    whole["windows"] = json!([]);
    for question in [question(), drawn, other, whole] {
        let last = running.post("api/explain", &question).lines().pop().unwrap();
        assert_eq!((&last["type"], &last["provisional"]), (&json!("ranking"), &json!(false)));
        assert_eq!(plain(last["explanation"].clone()), directly(&question));
    }
}

/// The page says whether a window can be significant before it is asked about.
#[test]
fn context_is_judged_as_explain_judges_it() {
    let running = Running::traces(shop());
    let mut enough = Vec::new();
    for windows in
        [json!([[260, 276]]), json!([[100, 300]]), json!([[20, 40], [260, 276]]), json!([])]
    {
        let mut question = question();
        question["windows"] = windows;
        let context = running.post("api/context", &question).json();
        assert_eq!(
            context["enough"],
            directly(&question)["enough_context"],
            "{}",
            question["windows"]
        );
        assert_eq!(context["advice"].is_null(), context["enough"] == true);
        enough.push(context["enough"].clone());
    }
    assert!(enough.contains(&json!(true)) && enough.contains(&json!(false)));
    let mut elsewhere = question();
    elsewhere["windows"] = json!([[9000, 9001]]);
    assert!(running.post("api/context", &elsewhere).status >= 400);
}

#[test]
fn words_and_command_come_along() {
    let running = Running::traces(shop());
    let last = running.post("api/explain", &question()).lines().pop().unwrap();
    let sentence = last["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("latency_ms "), "{sentence}");
    assert_eq!(
        last["command"],
        "fathom explain testdata/traces/shop --target latency_ms --window 260..276 \
         --common requests"
    );
    assert!(last["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn lines_ribbons_and_suggestions() {
    let running = Running::traces(shop());
    let mut question = question();
    question["segments"] = json!(3);
    let cut = running.post("api/segments", &question).json();
    assert_eq!(cut["count"], 3);
    let lines = cut["windows"][0]["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    let (from, to) = (lines[0][0][0].as_f64().unwrap(), lines[2][1][0].as_f64().unwrap());
    assert!((258.0..=260.0).contains(&from) && (275.0..=277.0).contains(&to), "{from} {to}");

    let ribbons = running.get("api/warps?run=run-2&target=requests&normalise=true").lines();
    let mut to: Vec<&str> = ribbons.iter().map(|one| one["to"].as_str().unwrap()).collect();
    to.sort_unstable();
    assert_eq!(to, ["run-1", "run-3"]);
    for ribbon in &ribbons {
        assert_eq!(ribbon["from"], "run-2");
        let moments = |name: &str| -> Vec<f64> {
            ribbon[name].as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
        };
        let (here, there) = (moments("here"), moments("there"));
        assert!(here.len() > 2 && here.len() <= 400);
        assert_eq!((here.len(), here.len()), (there.len(), moments("difference").len()));
        assert!(here.is_sorted() && there.is_sorted());
        assert!(["good", "fair", "poor"].contains(&ribbon["fit"].as_str().unwrap()));
    }

    let found = running.get("api/suggestions?run=run-1&metric=latency_ms").json();
    let first = &found.as_array().unwrap()[0];
    assert!(!first["about"].as_str().unwrap().is_empty());
    // What is suggested can be asked.
    question["segments"] = json!("auto");
    question["windows"] = first["windows"].clone();
    let last = running.post("api/explain", &question).lines().pop().unwrap();
    assert_eq!(last["type"], "ranking", "{last}");
}
