//! Labels over the wire, from many at once.

use super::made_up::MadeUp;
use super::running::Running;
use fathom_ui::OpenedTraces;
use serde_json::json;

#[test]
fn labels_of_many_at_once_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("labels.json");
    let names: Vec<String> = (0..20).map(|n| format!("metric {n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let opened = || OpenedTraces {
        labels_file: Some(file.clone()),
        ..MadeUp::new(&["run-1"], &names, 10).opened()
    };
    let running = Running::traces(opened());
    let none = running.get("api/labels").json();
    assert_eq!((&none["labels"], &none["note"]), (&json!({}), &json!(null)));
    assert_eq!(none["saved_in"], file.display().to_string());
    std::thread::scope(|scope| {
        for name in &names {
            let running = &running;
            scope.spawn(move || {
                let label = json!({ "target": "metric 0", "metric": name, "label": "yes" });
                assert_eq!(running.put("api/labels", &label).status, 200);
            });
        }
    });
    let gone = json!({ "target": "metric 0", "metric": "metric 7", "label": null });
    let after = running.put("api/labels", &gone).json();
    assert_eq!(after["labels"]["metric 0"].as_object().unwrap().len(), 19);
    drop(running);
    // Another time, they are there again.
    let again = Running::traces(opened());
    assert_eq!(again.get("api/labels").json(), after);
    let wrong = json!({ "target": "metric 0", "metric": "metric 1", "label": "perhaps" });
    assert_eq!(again.put("api/labels", &wrong).status, 400);
    std::fs::write(&file, "[]").unwrap();
    let refused = again.put("api/labels", &gone);
    assert_eq!(refused.status, 500);
    assert!(refused.message().contains("move it away"), "{}", refused.message());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "[]");
}
