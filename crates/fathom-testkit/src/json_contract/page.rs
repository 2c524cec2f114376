//! The contract as a page: an introduction, then an outline and tables for every document.

use super::DOCUMENTS;
use super::outline::outline;
use super::schema::contract;
use super::wording::{Definitions, alternatives, has_table, mentioned, referred, type_words};
use serde_json::Value;
use std::fmt::Write as _;

/// The page in Markdown.
///
/// # Errors
/// Two types have one name in the contract.
pub fn page() -> Result<String, String> {
    let (names, definitions) = contract()?;
    // Its links are those of docs/json.md, so it is not Markdown where it lies.
    let mut text = include_str!("introduction.txt").to_string();
    let mut shown: Vec<&str> = Vec::new();
    for (document, name) in DOCUMENTS.iter().zip(&names) {
        let Some(definition) = definitions.get(name) else { continue };
        let _ = writeln!(text, "\n## {}\n\n{}", document.title, document.written_by);
        if definition.get("properties").is_some()
            && definition["properties"].get("schema").is_some()
        {
            let _ = write!(text, "\n{}", outline(name, &definitions));
        }
        text.push_str(&tables(definition, &definitions));
        // What it is made of, unless a document before it is made of that as well.
        let mut parts = Vec::new();
        mentioned(definition, &mut parts);
        let mut place = 0;
        while let Some(&part) = parts.get(place) {
            place += 1;
            let Some(definition) = definitions.get(part) else { continue };
            mentioned(definition, &mut parts);
            if shown.contains(&part) || !has_table(definition) {
                continue;
            }
            shown.push(part);
            let _ = writeln!(text, "\n### {part}\n");
            if let Some(about) = definition["description"].as_str() {
                let _ = writeln!(text, "{about}");
            }
            text.push_str(&tables(definition, &definitions));
        }
    }
    Ok(text)
}

/// The fields of a definition, and what else it may be.
fn tables(definition: &Value, definitions: &Definitions) -> String {
    let mut text = String::new();
    if definition.get("properties").is_some() {
        text.push_str(&table(definition, definitions));
    }
    let others = alternatives(definition);
    if others.is_empty() {
        return text;
    }
    let _ = writeln!(text, "\nOne of these:\n");
    for one in others {
        let _ = writeln!(text, "- {}", alternative(one, definitions));
    }
    text
}

/// An alternative in a line: its tag and its type.
fn alternative(schema: &Value, definitions: &Definitions) -> String {
    let tags = schema.get("properties").and_then(Value::as_object);
    let tags = tags
        .into_iter()
        .flatten()
        .map(|(name, of)| format!("`{name}`: {}", type_words(of, definitions)));
    let kind = referred(schema).map(|_| type_words(schema, definitions));
    let words: Vec<String> = tags.chain(kind.map(|kind| format!("fields of {kind}"))).collect();
    let words = if words.is_empty() { type_words(schema, definitions) } else { words.join(", ") };
    match schema["description"].as_str() {
        Some(about) => format!("{words}: {about}"),
        None => words,
    }
}

fn table(definition: &Value, definitions: &Definitions) -> String {
    let required = definition.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let mut text = "\n| field | type | meaning |\n| --- | --- | --- |\n".to_string();
    let fields = definition.get("properties").and_then(Value::as_object);
    for (name, field) in fields.into_iter().flatten() {
        let mark = if is_required(name) { "" } else { "?" };
        let kind = type_words(field, definitions);
        let about = field["description"].as_str().unwrap_or_default();
        let _ = writeln!(text, "| `{name}`{mark} | {kind} | {} |", about.replace('|', "\\|"));
    }
    text
}
