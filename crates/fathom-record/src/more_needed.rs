//! What more it would take to settle a question, in the JSON contract.

use fathom_derive::Serialize;

/// About how much more would settle the question. Only the fields that apply are present.
///
/// ```
/// use fathom_record::MoreNeeded;
/// let more = MoreNeeded { pairs: Some(300), seconds: Some(12.0), ..MoreNeeded::default() };
/// assert_eq!(serde_json::to_string(&more)?, r#"{"pairs":300,"seconds":12.0}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoreNeeded {
    /// More pairs of a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<usize>,
    /// More runs of a command, where a sample takes several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// How long that takes, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// More samples; when comparing saved results, of each side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<usize>,
}
