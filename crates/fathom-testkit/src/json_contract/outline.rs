//! A document at a glance: the names of its fields, nested as they are.

use super::wording::{Definitions, alternatives, has_table, referred};
use serde_json::Value;

/// The widest line.
const WIDTH: usize = 110;

/// What a part of a document looks like.
enum Part {
    /// A name alone, or anything that has no fields.
    Word(String),
    /// A name, what opens its parts, the parts, and what closes them.
    Nested { before: String, parts: Vec<Part>, after: &'static str },
}

/// The outline of a definition, indented as a code block.
pub(super) fn outline(name: &str, definitions: &Definitions) -> String {
    let mut open = vec![name.to_string()];
    let parts = definitions
        .get(name)
        .map(|definition| fields(definition, definitions, &mut open))
        .unwrap_or_default();
    let mut text = String::new();
    write(&Part::Nested { before: "{ ".to_string(), parts, after: " }" }, 4, &mut text);
    format!("    {}\n", text.trim_end())
}

/// The fields of a schema, those of its alternatives included, each once.
fn fields(schema: &Value, definitions: &Definitions, open: &mut Vec<String>) -> Vec<Part> {
    let mut found: Vec<(String, Part)> = Vec::new();
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    for (name, of) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let mark = if is_required(name) { "" } else { "?" };
        found.push((name.clone(), part(&format!("{name}{mark}"), of, definitions, open)));
    }
    for one in alternatives(schema) {
        let target = referred(one).and_then(|name| definitions.get(name)).unwrap_or(one);
        let properties = target.get("properties").and_then(Value::as_object);
        for (name, of) in properties.into_iter().flatten() {
            if !found.iter().any(|(known, _)| known == name) {
                found.push((name.clone(), part(&format!("{name}?"), of, definitions, open)));
            }
        }
    }
    found.into_iter().map(|(_, part)| part).collect()
}

fn part(name: &str, schema: &Value, definitions: &Definitions, open: &mut Vec<String>) -> Part {
    let word = || Part::Word(name.to_string());
    if let Some(target) = referred(schema) {
        let Some(definition) = definitions.get(target).filter(|one| has_table(one)) else {
            return word();
        };
        // What was shown above is not shown again.
        if open.iter().any(|known| known == target) {
            return word();
        }
        open.push(target.to_string());
        let parts = fields(definition, definitions, open);
        return Part::Nested { before: format!("{name}: {{ "), parts, after: " }" };
    }
    if let Some(items) = schema.get("items") {
        return match part("", items, definitions, open) {
            Part::Nested { parts, .. } => {
                Part::Nested { before: format!("{name}: [ {{ "), parts, after: " } ]" }
            }
            Part::Word(_) => word(),
        };
    }
    if let Some(values) = schema.get("additionalProperties").filter(|one| one.is_object()) {
        return match part("", values, definitions, open) {
            Part::Nested { parts, .. } => {
                Part::Nested { before: format!("{name}: {{ name: {{ "), parts, after: " } }" }
            }
            Part::Word(_) => word(),
        };
    }
    // A type or null.
    let known = alternatives(schema).iter().find(|one| referred(one).is_some());
    known.map_or_else(word, |known| part(name, known, definitions, open))
}

/// Writes a part from a column on: in one line if it fits, else with its parts below each other.
fn write(part: &Part, indent: usize, text: &mut String) {
    let column = text.chars().rev().take_while(|c| *c != '\n').count().max(indent);
    let line = in_line(part);
    let Part::Nested { before, parts, after } = part else {
        text.push_str(&line);
        return;
    };
    if column + line.len() <= WIDTH {
        text.push_str(&line);
        return;
    }
    text.push_str(before);
    let inner = indent + 2;
    let mut column = column + before.len();
    for (place, one) in parts.iter().enumerate() {
        let comma = if place + 1 < parts.len() { "," } else { "" };
        let line = in_line(one);
        if place > 0 && (column + 1 + line.len() + 1 > WIDTH || matches!(one, Part::Nested { .. }))
        {
            text.push('\n');
            text.push_str(&" ".repeat(inner));
            column = inner;
        } else if place > 0 {
            text.push(' ');
            column += 1;
        }
        write(one, inner, text);
        text.push_str(comma);
        column = text.chars().rev().take_while(|c| *c != '\n').count().max(column);
        if matches!(one, Part::Nested { .. }) {
            // The next name begins a line.
            column = WIDTH;
        }
    }
    text.push_str(after);
}

fn in_line(part: &Part) -> String {
    match part {
        Part::Word(word) => word.clone(),
        Part::Nested { before, parts, after } => {
            let inner: Vec<String> = parts.iter().map(in_line).collect();
            format!("{before}{}{after}", inner.join(", "))
        }
    }
}
