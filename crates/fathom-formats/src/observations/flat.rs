//! A JSON object as a flat list of what is in it, each under its path: `latency.p99`,
//! `results[0].time`.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};

/// What an object holds, in the order of the file. Empty objects and lists leave nothing.
pub(crate) struct Flat {
    pub(crate) leaves: Vec<(String, Leaf)>,
}

/// What is at the end of a path.
#[derive(Debug, PartialEq)]
pub(crate) enum Leaf {
    /// A number; true is 1, false is 0, and null is missing, which is NaN.
    Number(f64),
    Text(String),
}

impl Flat {
    /// The first thing under a path of one step that is one of the known ones.
    pub(super) fn top(&self, is: impl Fn(&str) -> bool) -> Option<(&str, &Leaf)> {
        self.leaves.iter().find(|(path, _)| is(path)).map(|(path, leaf)| (path.as_str(), leaf))
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = (&str, f64)> {
        self.leaves.iter().filter_map(|(path, leaf)| match leaf {
            Leaf::Number(value) => Some((path.as_str(), *value)),
            Leaf::Text(_) => None,
        })
    }
}

impl<'de> Deserialize<'de> for Flat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Flat, D::Error> {
        /// Only an object will do.
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Flat;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object such as {\"ipc\": 1.5}")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Flat, A::Error> {
                let (mut path, mut leaves) = (String::new(), Vec::new());
                At { path: &mut path, leaves: &mut leaves }.visit_map(map)?;
                Ok(Flat { leaves })
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// A place in the object.
struct At<'a> {
    path: &'a mut String,
    leaves: &'a mut Vec<(String, Leaf)>,
}

impl At<'_> {
    fn add(self, leaf: Leaf) {
        self.leaves.push((self.path.clone(), leaf));
    }
}

impl<'de> DeserializeSeed<'de> for At<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for At<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.add(Leaf::Number(f64::from(u8::from(value))));
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.add(Leaf::Number(value as f64));
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.add(Leaf::Number(value as f64));
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.add(Leaf::Number(value));
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.add(Leaf::Number(f64::NAN));
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.add(Leaf::Text(text.to_string()));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let length = self.path.len();
        while let Some(key) = map.next_key::<String>()? {
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(&key);
            map.next_value_seed(At { path: &mut *self.path, leaves: &mut *self.leaves })?;
            self.path.truncate(length);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let length = self.path.len();
        for place in 0_usize.. {
            self.path.push_str(&format!("[{place}]"));
            let next = At { path: &mut *self.path, leaves: &mut *self.leaves };
            let is_more = list.next_element_seed(next)?.is_some();
            self.path.truncate(length);
            if !is_more {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_path() {
        let text = r#"{"a": 1, "b": {"c": true, "d": [2.5, {"e": -3}], "": 4}, "n": null,
                       "s": "text", "none": {}, "empty": []}"#;
        let flat: Flat = serde_json::from_str(text).unwrap();
        let paths: Vec<&str> = flat.leaves.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["a", "b.c", "b.d[0]", "b.d[1].e", "b.", "n", "s"]);
        let values: Vec<f64> = flat.numbers().map(|(_, value)| value).collect();
        assert_eq!(values[..5], [1.0, 1.0, 2.5, -3.0, 4.0]);
        assert!(values[5].is_nan());
        assert!(serde_json::from_str::<Flat>("[1]").is_err());
    }
}
