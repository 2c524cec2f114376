//! What is wrong is said in words.

use super::made_up::MadeUp;
use super::running::Running;
use super::shop::{question, shop};
use serde_json::json;

#[test]
fn methods_are_those_of_the_contract() {
    let running = Running::traces(shop());
    for (method, what) in [
        ("POST", ""),
        ("DELETE", "api/overview"),
        ("POST", "api/series?run=run-1"),
        ("GET", "api/explain"),
        ("PUT", "api/segments"),
        ("POST", "api/labels"),
        ("OPTIONS", "api/explain"),
    ] {
        let refused = running.asking(method, what).json(&json!({})).answer(running.at);
        assert_eq!(refused.status, 405, "{method} {what}");
        assert_eq!(refused.body, "This method is not allowed here.\n");
        assert!(refused.headers.contains_key("allow"), "{method} {what}");
    }
    assert_eq!(running.get("api/session").status, 404);
}

#[test]
fn names_that_there_are_not_are_told() {
    let running = Running::traces(shop());
    for (what, words) in [
        ("api/series?run=run-9&metric=cpu.user&columns=10", "no run \"run-9\""),
        ("api/series?run=run-1&metric=../x&columns=10", "run \"run-1\" has no metric \"../x\""),
        ("api/suggestions?run=run-1&metric=nothing", "\"nothing\""),
        ("api/suggestions?run=nowhere&metric=queue", "\"nowhere\""),
    ] {
        let refused = running.get(what);
        assert_eq!(refused.status, 404, "{what}");
        assert!(refused.message().contains(words), "{}", refused.message());
    }
    let label = json!({ "target": "queue", "metric": "nothing", "label": "yes" });
    let refused = running.put("api/labels", &label);
    assert_eq!(refused.status, 404);
    assert_eq!(refused.message(), "no run has the metric \"nothing\"");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let running = Running::traces(shop());
    for (what, words) in [
        ("api/series?run=run-1&metric=queue", "columns"),
        ("api/series?run=run-1&metric=queue&columns=0", "from 1 to 20000"),
        ("api/series?run=run-1&metric=queue&columns=-5", "columns"),
        ("api/series?run=run-1&metric=queue&columns=99999999", "from 1 to 20000"),
        ("api/series?run=run-1&metric=queue&columns=5&from=x", "from"),
        ("api/warps?run=run-1", "target"),
    ] {
        let refused = running.get(what);
        assert_eq!(refused.status, 400, "{what}");
        assert!(refused.message().contains(words), "{what}: {}", refused.message());
    }
    let changed = |name: &str, value: serde_json::Value| {
        let mut question = question();
        question[name] = value;
        question
    };
    for (question, words) in [
        (json!({}), "missing field"),
        (json!([1]), "cannot read the request"),
        (changed("windows", json!([["a", 1]])), "cannot read the request"),
        (changed("segments", json!(0)), "from 1 to 100"),
        (changed("correlator", json!("person")), "did you mean pearson"),
        (changed("pattern", json!([[5, 1], [4, 2]])), "increasing"),
    ] {
        let refused = running.post("api/explain", &question);
        assert_eq!(refused.status, 400, "{question}");
        assert!(refused.message().contains(words), "{}", refused.message());
    }
}

#[test]
fn questions_without_an_answer_say_why_in_the_last_line() {
    let running = Running::traces(shop());
    let mut beyond = question();
    beyond["windows"] = json!([[90_000, 90_010]]);
    let mut unknown = question();
    unknown["target"] = json!("latancy_ms");
    let mut still = question();
    still["penalty"] = json!(-1);
    for (question, words) in [(beyond, "90000"), (unknown, "did you mean"), (still, "penalty")] {
        let answered = running.post("api/explain", &question);
        assert_eq!(answered.status, 200);
        let last = answered.lines().pop().unwrap();
        assert_eq!(last["type"], "error", "{last}");
        assert!(last["message"].as_str().unwrap().contains(words), "{last}");
    }
    let warps = running.get("api/warps?run=run-1&target=nothing").lines();
    assert_eq!(warps.len(), 1);
    assert_eq!(warps[0]["type"], "error");
}

#[test]
fn what_cannot_be_read_is_told_with_its_cause() {
    let running = Running::traces(MadeUp::new(&["run-1"], &["ipc", "broken"], 50).opened());
    let refused = running.get("api/series?run=run-1&metric=broken&columns=10");
    assert_eq!(refused.status, 500);
    assert!(refused.message().contains("the disk is gone"), "{}", refused.message());
}

#[test]
fn bodies_are_json_and_short() {
    let running = Running::traces(shop());
    let mut form = running.asking("POST", "api/explain").with("Content-Type", "text/plain");
    form.body = question().to_string().into_bytes();
    let refused = form.answer(running.at);
    assert_eq!(refused.status, 415);
    assert!(refused.message().contains("application/json"));
    let mut long = question();
    long["target"] = json!("x".repeat(300 << 10));
    let refused = running.post("api/explain", &long);
    assert_eq!((refused.status, refused.message()), (413, "the request is too long".to_string()));
    let labels = running.asking("PUT", "api/labels");
    let label = json!({ "target": "queue", "metric": "threads", "label": "no" });
    let charset = labels
        .json(&label)
        .without("Content-Type")
        .with("Content-Type", "Application/JSON; charset=utf-8");
    assert_eq!(charset.answer(running.at).status, 200);
}
