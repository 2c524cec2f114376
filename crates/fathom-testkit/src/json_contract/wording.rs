//! Types of the schema in a few words.

use super::schema::PREFIX;
use serde_json::{Map, Value};

/// All definitions of the contract.
pub(super) type Definitions = Map<String, Value>;

/// The definition that a schema refers to.
pub(super) fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(PREFIX)
}

/// Whether a definition has a table of its own: it has fields, or alternatives that have.
pub(super) fn has_table(definition: &Value) -> bool {
    definition.get("properties").is_some()
        || alternatives(definition)
            .iter()
            .any(|one| one.get("properties").is_some() || referred(one).is_some())
}

/// The alternatives of a schema.
pub(super) fn alternatives(schema: &Value) -> &[Value] {
    let of = |key: &str| schema.get(key).and_then(Value::as_array);
    of("oneOf").or(of("anyOf")).map(Vec::as_slice).unwrap_or_default()
}

/// Every definition that a schema mentions, in its order, each once.
pub(super) fn mentioned<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    if let Some(name) = referred(schema)
        && !found.contains(&name)
    {
        found.push(name);
    }
    match schema {
        Value::Array(all) => all.iter().for_each(|one| mentioned(one, found)),
        Value::Object(fields) => fields.values().for_each(|one| mentioned(one, found)),
        _ => {}
    }
}

/// A type in a few words: "list of [Subject](#subject)", "number or null".
pub(super) fn type_words(schema: &Value, definitions: &Definitions) -> String {
    if let Some(name) = referred(schema) {
        return match definitions.get(name) {
            Some(definition) if !has_table(definition) => type_words(definition, definitions),
            _ => format!("[{name}](#{})", name.to_lowercase()),
        };
    }
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return listed(values.iter().map(literal));
    }
    let any = alternatives(schema);
    if !any.is_empty() {
        return listed(any.iter().map(|one| type_words(one, definitions)));
    }
    match schema.get("type") {
        Some(Value::Array(types)) => {
            listed(types.iter().map(|name| single_type(name, schema, definitions)))
        }
        Some(name) => single_type(name, schema, definitions),
        None => "anything".to_string(),
    }
}

fn single_type(name: &Value, schema: &Value, definitions: &Definitions) -> String {
    match name.as_str() {
        Some("string") => "text".to_string(),
        Some("boolean") => "true or false".to_string(),
        Some("array") => {
            let of = schema
                .get("items")
                .map_or("anything".to_string(), |items| type_words(items, definitions));
            match (schema.get("minItems"), schema.get("maxItems")) {
                (Some(least), Some(most)) if least == most => format!("list of {least}: {of}"),
                _ => format!("list of {of}"),
            }
        }
        Some("object") => match schema.get("additionalProperties") {
            Some(of) if of.is_object() => format!("{} by name", type_words(of, definitions)),
            _ => match schema.get("properties").and_then(Value::as_object) {
                Some(fields) => fields
                    .iter()
                    .map(|(field, of)| format!("`{field}`: {}", type_words(of, definitions)))
                    .collect::<Vec<_>>()
                    .join(", "),
                None => "object".to_string(),
            },
        },
        Some(other) => other.to_string(),
        None => "anything".to_string(),
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".to_string(),
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}

/// "a", "a or b", "a, b or c".
fn listed(all: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = all.collect();
    match all.pop() {
        None => String::new(),
        Some(last) if all.is_empty() => last,
        Some(last) => format!("{} or {last}", all.join(", ")),
    }
}
