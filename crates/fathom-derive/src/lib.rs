//! `#[derive(Serialize)]` for structs with named fields: the part of serde's derive that Fathom's JSON
//! documents need.
//!
//! Everybody who uses `fathom-bench` also builds what writes these documents. serde's derive needs syn,
//! which would be a sixth of that build. This one walks over the tokens itself and understands one
//! attribute, `#[serde(skip_serializing_if = "path")]`. It refuses whatever else it finds, so that nothing
//! is written differently from what serde would write.
//!
//! ```
//! #[derive(fathom_derive::Serialize)]
//! struct Point<'a> {
//!     name: &'a str,
//!     #[serde(skip_serializing_if = "Option::is_none")]
//!     height: Option<f64>,
//! }
//!
//! let points = [Point { name: "a", height: None }, Point { name: "b", height: Some(1.5) }];
//! assert_eq!(serde_json::to_string(&points)?, r#"[{"name":"a"},{"name":"b","height":1.5}]"#);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod expansion;
mod failure;
mod field;
mod structure;
mod tokens;

use failure::Failure;
use proc_macro::TokenStream;
use structure::Structure;

/// Implements `serde_core::Serialize` for a struct with named fields, as serde's derive does. The crate that
/// uses it needs `serde_core`.
#[proc_macro_derive(Serialize, attributes(serde))]
pub fn serialize(item: TokenStream) -> TokenStream {
    Structure::parse(item)
        .and_then(|structure| expansion::expand(&structure))
        .unwrap_or_else(Failure::into_compile_error)
}

/// What it does not write as serde does, it refuses.
///
/// ```compile_fail
/// #[derive(fathom_derive::Serialize)]
/// enum Two { One, Other }
/// ```
///
/// ```compile_fail
/// #[derive(fathom_derive::Serialize)]
/// struct Tuple(u8);
/// ```
///
/// ```compile_fail
/// #[derive(fathom_derive::Serialize)]
/// struct Generic<T> { one: T }
/// ```
///
/// ```compile_fail
/// #[derive(fathom_derive::Serialize)]
/// #[serde(rename_all = "kebab-case")]
/// struct Renamed { one_field: u8 }
/// ```
///
/// ```compile_fail
/// #[derive(fathom_derive::Serialize)]
/// struct Renamed { #[serde(rename = "other")] one: u8 }
/// ```
///
/// ```compile_fail
/// #[derive(fathom_derive::Serialize)]
/// struct Several { #[serde(default, skip_serializing_if = "Option::is_none")] one: Option<u8> }
/// ```
///
/// And this it accepts, so that the examples above fail because of what they are about:
///
/// ```
/// #[derive(fathom_derive::Serialize)]
/// struct Accepted { #[serde(skip_serializing_if = "Option::is_none")] one: Option<u8> }
/// ```
#[cfg(doctest)]
mod refused {}
