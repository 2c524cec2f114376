//! Values in JSON, as their text.

/// A value as its text, for `#[serde(with = "as_text")]`.
pub mod as_text {
    use crate::value::OptionValue;
    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn serialize<V: OptionValue, S: Serializer>(value: &V, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&value.text())
    }

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn deserialize<'de, V: OptionValue, D: Deserializer<'de>>(from: D) -> Result<V, D::Error> {
        V::read(&String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

/// A list of values as a list of their texts.
pub mod as_texts {
    use crate::value::OptionValue;
    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn serialize<V: OptionValue, S: Serializer>(
        values: &[V],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(OptionValue::text))
    }

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn deserialize<'de, V: OptionValue, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<V>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| V::read(text).map_err(serde::de::Error::custom)).collect()
    }
}

/// A value as its text, or null.
pub mod as_texts_or_none {
    use crate::value::OptionValue;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn serialize<V: OptionValue, S: Serializer>(
        value: &Option<V>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(OptionValue::text).serialize(to)
    }

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn deserialize<'de, V: OptionValue, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<V>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| V::read(&text).map_err(serde::de::Error::custom)).transpose()
    }
}

/// A path as text. JSON has no other bytes: what is not UTF-8 is replaced, and the file is then not
/// found when the request is repeated.
pub mod path {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::path::{Path, PathBuf};

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&path.to_string_lossy())
    }

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        String::deserialize(from).map(PathBuf::from)
    }
}

/// Paths as texts; see [`path`](super::path).
pub mod paths {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::path::PathBuf;

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
    }

    #[allow(missing_docs, reason = "what serde asks for")]
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<String>::deserialize(from)?.into_iter().map(PathBuf::from).collect())
    }
}
