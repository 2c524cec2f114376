//! The character between the whole part of a number and its fraction.

use std::fmt;
use std::str::FromStr;

/// The character between the whole part of a number and its fraction: `12.24` or `12,24`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DecimalMark {
    /// `12.24`
    #[default]
    Point,
    /// `12,24`
    Comma,
}

impl DecimalMark {
    /// Reads `.`, `,`, `point` or `comma`.
    ///
    /// ```
    /// use fathom_formats::DecimalMark;
    /// assert_eq!(DecimalMark::parse(","), Some(DecimalMark::Comma));
    /// assert_eq!(DecimalMark::parse("point"), Some(DecimalMark::Point));
    /// assert_eq!(DecimalMark::parse("'"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<DecimalMark> {
        match text.trim().to_ascii_lowercase().as_str() {
            "." | "point" => Some(DecimalMark::Point),
            "," | "comma" => Some(DecimalMark::Comma),
            _ => None,
        }
    }
}

impl fmt::Display for DecimalMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecimalMark::Point => ".",
            DecimalMark::Comma => ",",
        })
    }
}

/// A text that names no decimal mark.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not a decimal mark. Use . (or point) or , (or comma).")]
pub struct UnknownDecimalMark {
    /// The text.
    pub text: String,
}

impl FromStr for DecimalMark {
    type Err = UnknownDecimalMark;

    fn from_str(text: &str) -> Result<DecimalMark, UnknownDecimalMark> {
        DecimalMark::parse(text).ok_or_else(|| UnknownDecimalMark { text: text.to_string() })
    }
}
