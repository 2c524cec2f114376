//! Any text is one of our JSON documents, which is written and read again, or an error that says what
//! is wrong.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/documents.rs`.

use fathom_analyze::Document;
use fathom_engine::opening::ExplanationFile;
use fathom_record::foreign_text::is_steering;
use fathom_record::own_json;
use serde_json::Value;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match own_json::read(text) {
        Ok(series) => {
            assert!(!series.is_empty());
            for one in series {
                assert!(one.len() > 0 && one.values().iter().all(|value| value.is_finite()));
            }
        }
        Err(error) => is_fit(&error.to_string()),
    }
    match Document::read(text) {
        Ok(report) => {
            let written = Document::of(&report, true).to_json().expect("a document is JSON");
            let again = Document::read(&written).expect("our own JSON reads back");
            let written_again = Document::of(&again, true).to_json().expect("a document is JSON");
            assert_eq!(samples(&written_again), samples(&written));
        }
        Err(why) => is_fit(&why),
    }
    is_an_answer(text);
}

/// What a document holds of each subject. Estimates are made again from the samples, to which a shell's
/// time is added first, so their last digit may differ.
fn samples(text: &str) -> Vec<[Value; 4]> {
    let document: Value = serde_json::from_str(text).expect("it is JSON");
    let subjects = document["subjects"].as_array().expect("it has subjects");
    let of = |subject: &Value| {
        ["name", "unit", "values", "executions"].map(|field| subject[field].clone())
    };
    subjects.iter().map(of).collect()
}

/// The JSON of `fathom explain` is read from its file.
fn is_an_answer(text: &str) {
    // Without this, no text is such JSON.
    if !(text.starts_with('{') && text.contains("ranking")) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for the file");
    let file = folder.path().join("answer.json");
    std::fs::write(&file, text).expect("room for the file");
    let no_words = |_: &[String]| Err("words are not read here".to_string());
    if let Err(error) = ExplanationFile::read(&file, &no_words) {
        is_fit(&error.to_string());
    }
}

fn is_fit(message: &str) {
    assert!(!message.is_empty() && !message.contains(is_steering), "{message:?}");
}
