//! Fathom's own JSON (`"schema": "fathom/1"`), read back as series.
//!
//! A document is written by the crate that holds the report; here is only what a reader needs: the
//! subjects and their values. Fields it does not know are left alone, since the contract lets
//! fields be added.

#[cfg(feature = "commands")]
mod read;

#[cfg(feature = "commands")]
pub use read::{OwnJsonError, read};

use serde_core::{Serialize, Serializer};

/// The schema's name, with its version.
pub const SCHEMA: &str = "fathom/1";

/// Names, and nothing at all: what a field may hold that is one of them or `null`.
#[cfg(feature = "schema")]
pub fn or_null<const N: usize>(names: [&'static str; N]) -> Vec<Option<&'static str>> {
    names.into_iter().map(Some).chain([None]).collect()
}

/// An end of an interval as it is written: JSON has no infinity, so that is a string.
///
/// ```
/// use fathom_record::own_json::End;
/// assert_eq!(serde_json::to_string(&[End(1.5), End(f64::INFINITY)])?, r#"[1.5,"inf"]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End(pub f64);

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(if self.0 > 0.0 { "inf" } else { "-inf" })
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for End {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "End".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number; infinity is written as the string \"inf\" or \"-inf\".",
            "anyOf": [{ "type": "number" }, { "enum": ["-inf", "inf"] }]
        })
    }
}
