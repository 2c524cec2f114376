//! The contract as one JSON Schema.

use super::DOCUMENTS;
use fathom_record::own_json;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The JSON Schema of all documents, as text.
///
/// # Errors
/// Two types have one name in it.
pub fn schema() -> Result<String, String> {
    let (documents, definitions) = contract()?;
    let any: Vec<Value> = documents.iter().map(|name| reference(name)).collect();
    let whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Fathom's JSON",
        "description": "Generated from the types by `cargo run --release -p fathom-testkit -- json`.",
        "oneOf": any,
        "$defs": definitions,
    });
    serde_json::to_string_pretty(&whole).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{PREFIX}{name}") })
}

pub(super) const PREFIX: &str = "#/$defs/";

/// The names of the documents in their order, and all definitions.
pub(super) fn contract() -> Result<(Vec<String>, Map<String, Value>), String> {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut documents = Vec::new();
    for document in DOCUMENTS {
        let schema = Value::from((document.schema)(&mut generator));
        let name = schema["$ref"].as_str().and_then(|name| name.strip_prefix(PREFIX));
        documents.push(plain_name(name.ok_or(format!("{}: no definition", document.title))?));
    }
    let mut definitions = Map::new();
    for (name, mut definition) in generator.take_definitions(true) {
        tidy(&mut definition);
        if definitions.insert(plain_name(&name), definition).is_some() {
            return Err(format!("two types are called {}", plain_name(&name)));
        }
    }
    for name in &documents {
        let schema =
            definitions.get_mut(name).and_then(|one| one.pointer_mut("/properties/schema"));
        if let Some(schema) = schema {
            schema["const"] = own_json::SCHEMA.into();
        }
    }
    definitions.sort_keys();
    Ok((documents, definitions))
}

/// The name of a type without what only programmers need.
fn plain_name(name: &str) -> String {
    name.strip_suffix("Entry").unwrap_or(name).to_string()
}

/// Leaves out what says nothing to readers of the contract.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(tidy),
        Value::Object(fields) => {
            // Sizes of Rust's numbers, and defaults of what is always written.
            fields.shift_remove("format");
            fields.shift_remove("default");
            if fields.get("maximum").is_some_and(Value::is_number) {
                fields.shift_remove("maximum");
            }
            if let Some(Value::String(text)) = fields.get_mut("description") {
                *text = sentence(text);
            }
            if let Some(Value::String(target)) = fields.get_mut("$ref")
                && let Some(name) = target.strip_prefix(PREFIX)
            {
                *target = format!("{PREFIX}{}", plain_name(name));
            }
            never_null_if_absent(fields);
            for (word, of) in fields.iter_mut() {
                match of {
                    // Its keys are names of fields.
                    Value::Object(properties) if word == "properties" => {
                        properties.values_mut().for_each(tidy);
                    }
                    of => tidy(of),
                }
            }
        }
        _ => {}
    }
}

/// The first paragraph of a doc comment, without its line breaks and links into the code.
fn sentence(text: &str) -> String {
    let first = text.split("\n\n").next().unwrap_or_default();
    first.replace('\n', " ").replace("[`", "`").replace("`]", "`")
}

/// A field that is left out if there is nothing to say is never null.
fn never_null_if_absent(fields: &mut Map<String, Value>) {
    let required = fields.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let Some(Value::Object(properties)) = fields.get_mut("properties") else { return };
    for (name, property) in properties.iter_mut() {
        if !is_required(name) {
            without_null(property);
        }
    }
}

fn without_null(schema: &mut Value) {
    let is_null = |one: &Value| *one == json!("null") || *one == json!({ "type": "null" });
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|one| !is_null(one));
        if let [single] = types.as_slice() {
            let single = single.clone();
            schema["type"] = single;
        }
    }
    let Some(any) = schema.get_mut("anyOf").and_then(Value::as_array_mut) else { return };
    any.retain(|one| !is_null(one));
    if let [Value::Object(single)] = any.as_slice() {
        let single = single.clone();
        if let Some(fields) = schema.as_object_mut() {
            fields.shift_remove("anyOf");
            fields.extend(single);
        }
    }
}
