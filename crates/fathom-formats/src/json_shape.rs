//! What a JSON value looks like near its top: enough to tell whose it is, without keeping it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::error::Flaw;
use crate::json;

/// The fields of an object by name.
pub(crate) type Fields = BTreeMap<String, JsonShape>;

/// How many levels are looked at: a list of objects with a list of objects with fields.
const LEVELS: usize = 4;

/// How many elements of a list are looked at: enough to tell two from more.
const ELEMENTS: usize = 3;

/// A JSON value, without what is deep inside it or far behind in a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum JsonShape {
    Null,
    Bool,
    /// A number from 0 up, without a fraction.
    Count,
    Number,
    Text(String),
    /// The first few elements.
    List(Vec<JsonShape>),
    Object(Fields),
    /// Too deep inside to be looked at.
    Anything,
}

impl JsonShape {
    /// The only value in a text.
    pub(crate) fn only(text: &str) -> Result<JsonShape, Flaw> {
        json::parse(text)
    }

    /// The first of the values in a text, if it has any; the rest is looked at when it is read.
    pub(crate) fn first(text: &str) -> Result<Option<JsonShape>, Flaw> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter();
        values.next().transpose().map_err(|error| json::flaw(text, &error))
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self, JsonShape::List(_))
    }

    pub(crate) fn fields(&self) -> Option<&Fields> {
        match self {
            JsonShape::Object(fields) => Some(fields),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            JsonShape::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The first few elements of a list.
    pub(crate) fn elements(&self) -> &[JsonShape] {
        match self {
            JsonShape::List(elements) => elements,
            _ => &[],
        }
    }
}

impl<'de> Deserialize<'de> for JsonShape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonShape, D::Error> {
        Look { levels: LEVELS }.deserialize(deserializer)
    }
}

/// Looks at a value and this many levels inside it.
#[derive(Clone, Copy)]
struct Look {
    levels: usize,
}

impl<'de> DeserializeSeed<'de> for Look {
    type Value = JsonShape;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<JsonShape, D::Error> {
        match self.levels.checked_sub(1) {
            Some(levels) => deserializer.deserialize_any(LookInside(Look { levels })),
            None => IgnoredAny::deserialize(deserializer).map(|_| JsonShape::Anything),
        }
    }
}

/// Looks at a value, and at those inside it as its field says.
struct LookInside(Look);

impl<'de> Visitor<'de> for LookInside {
    type Value = JsonShape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<JsonShape, E> {
        Ok(JsonShape::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<JsonShape, E> {
        Ok(JsonShape::Bool)
    }

    fn visit_u64<E>(self, _: u64) -> Result<JsonShape, E> {
        Ok(JsonShape::Count)
    }

    fn visit_i64<E>(self, _: i64) -> Result<JsonShape, E> {
        Ok(JsonShape::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<JsonShape, E> {
        Ok(JsonShape::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<JsonShape, E> {
        Ok(JsonShape::Text(text.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<JsonShape, A::Error> {
        let mut elements = Vec::new();
        while elements.len() < ELEMENTS {
            match list.next_element_seed(self.0)? {
                Some(element) => elements.push(element),
                None => return Ok(JsonShape::List(elements)),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(JsonShape::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<JsonShape, A::Error> {
        let mut fields = Fields::new();
        while let Some(name) = object.next_key()? {
            fields.insert(name, object.next_value_seed(self.0)?);
        }
        Ok(JsonShape::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_seen_and_the_rest_passed_over() {
        let shape = JsonShape::only(r#"{"a":[{"b":{"c":1}},2,-3,4,5],"d":null,"d":"x"}"#).unwrap();
        let fields = shape.fields().unwrap();
        assert_eq!(fields["d"].text(), Some("x"));
        let elements = fields["a"].elements();
        assert_eq!(elements[1..], [JsonShape::Count, JsonShape::Number]);
        let inner = elements[0].fields().unwrap();
        assert_eq!(inner["b"].fields().unwrap()["c"], JsonShape::Anything);
    }

    #[test]
    fn what_is_passed_over_is_json_all_the_same() {
        for text in ["[1,2,3,4,nan]", "[[[[[[1,]]]]]]", r#"{"a":1"#, "[1] 2"] {
            assert!(JsonShape::only(text).is_err(), "{text}");
        }
        assert_eq!(JsonShape::first(" "), Ok(None));
        assert_eq!(JsonShape::first("[]\n{").unwrap(), Some(JsonShape::List(Vec::new())));
    }
}
