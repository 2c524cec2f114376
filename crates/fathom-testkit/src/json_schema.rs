//! Checks documents against the JSON Schema of Fathom's contract.
//!
//! It knows the part of JSON Schema that our schema uses, and refuses any other, so that nothing is
//! skipped silently. Fields that the schema does not name are errors: a field that is not documented
//! must not be written.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Words of JSON Schema that say nothing about validity.
const NOTES: &[&str] = &["$schema", "$defs", "title", "description"];

/// A JSON Schema.
#[derive(Debug)]
pub struct Validator<'a> {
    root: &'a Value,
}

/// The fields of an object that a schema spoke of; all of them if it allows any.
#[derive(Default)]
struct Known {
    fields: BTreeSet<String>,
    any: bool,
}

impl Known {
    fn add(&mut self, other: Known) {
        self.fields.extend(other.fields);
        self.any |= other.any;
    }
}

impl<'a> Validator<'a> {
    /// Of a schema with its definitions in `$defs`.
    #[must_use]
    pub fn new(root: &'a Value) -> Validator<'a> {
        Validator { root }
    }

    /// Whether a value is what a definition says.
    ///
    /// # Errors
    /// Where it is not, and why.
    pub fn check(&self, definition: &str, value: &Value) -> Result<(), String> {
        self.whole(self.definition(definition)?, value, definition)
    }

    fn definition(&self, name: &str) -> Result<&'a Value, String> {
        self.root["$defs"].get(name).ok_or(format!("there is no definition {name}"))
    }

    /// A value with all of its fields.
    fn whole(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let known = self.known(schema, value, at)?;
        if let Some(fields) = value.as_object().filter(|_| !known.any)
            && let Some(unknown) = fields.keys().find(|name| !known.fields.contains(*name))
        {
            return Err(format!("{at}.{unknown}: the schema does not have this field"));
        }
        Ok(())
    }

    /// Checks a value, and says which of its fields the schema spoke of.
    fn known(&self, schema: &Value, value: &Value, at: &str) -> Result<Known, String> {
        let words = match schema {
            Value::Bool(true) => return Ok(Known { any: true, ..Known::default() }),
            Value::Object(words) => words,
            _ => return Err(format!("{at}: this is not a schema: {schema}")),
        };
        let mut known = Known {
            any: words.keys().all(|word| NOTES.contains(&word.as_str())),
            ..Known::default()
        };
        for (word, is) in words {
            match word.as_str() {
                "type" => of_type(is, value, at)?,
                "const" if is == value => {}
                "const" => return Err(format!("{at} is {value}, not {is}")),
                "enum" if is.as_array().is_some_and(|all| all.contains(value)) => {}
                "enum" => return Err(format!("{at} is {value}, not one of {is}")),
                "$ref" => {
                    let name = is.as_str().and_then(|name| name.strip_prefix("#/$defs/"));
                    let target = self.definition(name.ok_or(format!("{at}: {is}"))?)?;
                    known.add(self.known(target, value, at)?);
                }
                "oneOf" | "anyOf" => known.add(self.some(is, word == "oneOf", value, at)?),
                "properties" => known.add(self.properties(is, value, at)?),
                "required" => required(is, value, at)?,
                "additionalProperties" => {
                    self.additional(is, words, value, at)?;
                    known.any = true;
                }
                "items" => self.items(is, value, at)?,
                "minItems" | "maxItems" => length(word, is, value, at)?,
                "minimum" => {
                    if value.as_f64().zip(is.as_f64()).is_some_and(|(value, least)| value < least) {
                        return Err(format!("{at} is {value}, which is below {is}"));
                    }
                }
                note if NOTES.contains(&note) => {}
                other => return Err(format!("{at}: the validator does not know \"{other}\"")),
            }
        }
        Ok(known)
    }

    fn some(
        &self,
        schemas: &Value,
        only_one: bool,
        value: &Value,
        at: &str,
    ) -> Result<Known, String> {
        let mut known = Known::default();
        let (mut matching, mut errors) = (0, Vec::new());
        for schema in schemas.as_array().into_iter().flatten() {
            match self.known(schema, value, at) {
                Ok(found) => {
                    matching += 1;
                    known.add(found);
                }
                Err(error) => errors.push(error),
            }
        }
        match matching {
            0 => Err(format!("{at} is none of these: {}", errors.join("; "))),
            1 => Ok(known),
            _ if only_one => Err(format!("{at} is several of these: {schemas}")),
            _ => Ok(known),
        }
    }

    fn properties(&self, schemas: &Value, value: &Value, at: &str) -> Result<Known, String> {
        let mut known = Known::default();
        let Some(fields) = value.as_object() else { return Ok(known) };
        for (name, schema) in schemas.as_object().into_iter().flatten() {
            if let Some(field) = fields.get(name) {
                self.whole(schema, field, &format!("{at}.{name}"))?;
                known.fields.insert(name.clone());
            }
        }
        Ok(known)
    }

    fn additional(
        &self,
        schema: &Value,
        words: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let named = words.get("properties").and_then(Value::as_object);
        for (name, field) in value.as_object().into_iter().flatten() {
            if !named.is_some_and(|named| named.contains_key(name)) {
                if *schema == Value::Bool(false) {
                    return Err(format!("{at}.{name}: the schema does not have this field"));
                }
                self.whole(schema, field, &format!("{at}.{name}"))?;
            }
        }
        Ok(())
    }

    fn items(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        for (place, item) in value.as_array().into_iter().flatten().enumerate() {
            self.whole(schema, item, &format!("{at}[{place}]"))?;
        }
        Ok(())
    }
}

fn of_type(types: &Value, value: &Value, at: &str) -> Result<(), String> {
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        _ => false,
    };
    let fits = types.as_array().map_or_else(|| is(types), |all| all.iter().any(is));
    if fits { Ok(()) } else { Err(format!("{at} is {value}, not of type {types}")) }
}

fn required(names: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Some(fields) = value.as_object() else { return Ok(()) };
    let mut names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
    match names.find(|name| !fields.contains_key(*name)) {
        Some(missing) => Err(format!("{at} has no field \"{missing}\"")),
        None => Ok(()),
    }
}

fn length(word: &str, limit: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Some((items, limit)) = value.as_array().zip(limit.as_u64()) else { return Ok(()) };
    let length = items.len() as u64;
    let fits = if word == "minItems" { length >= limit } else { length <= limit };
    if fits { Ok(()) } else { Err(format!("{at} has {length} items; {word} is {limit}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(schema: Value, value: Value) -> Result<(), String> {
        let root = json!({ "$defs": { "It": schema, "Number": { "type": "number" } } });
        Validator::new(&root).check("It", &value)
    }

    #[test]
    fn fields_are_checked_and_unknown_ones_refused() {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "$ref": "#/$defs/Number" }, "b": { "type": ["string", "null"] } },
            "required": ["a"],
        });
        assert_eq!(check(schema.clone(), json!({ "a": 1.5, "b": null })), Ok(()));
        assert_eq!(
            check(schema.clone(), json!({ "b": null })).unwrap_err(),
            "It has no field \"a\""
        );
        assert!(check(schema.clone(), json!({ "a": "1" })).unwrap_err().starts_with("It.a is"));
        let error = check(schema, json!({ "a": 1, "c": 2 })).unwrap_err();
        assert_eq!(error, "It.c: the schema does not have this field");
    }

    #[test]
    fn alternatives_share_an_object() {
        let one = |name: &str| json!({ "properties": { name: { "type": "integer" } }, "required": [name] });
        let schema = json!({
            "properties": { "n": { "type": "integer" } },
            "oneOf": [one("a"), one("b")],
        });
        assert_eq!(check(schema.clone(), json!({ "n": 1, "a": 2 })), Ok(()));
        assert!(check(schema.clone(), json!({ "n": 1 })).is_err());
        assert!(check(schema.clone(), json!({ "a": 1, "b": 2 })).is_err());
        assert!(check(schema, json!({ "a": 1, "c": 2 })).is_err());
    }

    #[test]
    fn values_lists_and_maps() {
        let pair = json!({ "type": "array", "items": { "enum": [1, "inf"] }, "minItems": 2, "maxItems": 2 });
        assert_eq!(check(pair.clone(), json!([1, "inf"])), Ok(()));
        assert!(check(pair.clone(), json!([1])).is_err());
        assert!(check(pair, json!([1, 2])).is_err());
        let map = json!({ "type": "object", "additionalProperties": { "const": 3 } });
        assert_eq!(check(map.clone(), json!({ "x": 3 })), Ok(()));
        assert!(check(map, json!({ "x": 4 })).is_err());
        assert_eq!(check(json!(true), json!({ "x": 4 })), Ok(()));
        assert!(check(json!({ "minimum": 0 }), json!(-1)).is_err());
        assert!(check(json!({ "pattern": "x" }), json!("x")).is_err());
    }
}
