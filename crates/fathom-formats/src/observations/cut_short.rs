//! Files whose writer was ended in the middle of a line.

use serde::de::IgnoredAny;
use serde_json::Deserializer;

/// How much of a file can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it: its writer came to its own end.
    Whole,
    /// Only lines that end: its writer was killed or crashed, and half of `4869,85` is `4869,8`,
    /// which looks like a row too. JSON says itself where it ends, so a whole document stays.
    CompleteLines,
}

impl Extent {
    /// What of a text can be trusted.
    pub(super) fn of(self, text: &str) -> &str {
        match self {
            Extent::Whole => text,
            Extent::CompleteLines if is_complete_json(text) => text,
            Extent::CompleteLines => {
                let end = text.rfind('\n').map_or(0, |at| at + 1);
                text.get(..end).unwrap_or_default()
            }
        }
    }
}

/// Whether a text is JSON to its last sign. A bare number is not: it could go on.
fn is_complete_json(text: &str) -> bool {
    let text = text.trim_ascii();
    text.starts_with(['{', '['])
        && text.ends_with(['}', ']'])
        && Deserializer::from_str(text).into_iter::<IgnoredAny>().all(|value| value.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_lines_are_dropped_and_whole_documents_stay() {
        for (text, kept) in [
            ("a,b\n1,2\n4869,8", "a,b\n1,2\n"),
            ("a,b\n1,2\n", "a,b\n1,2\n"),
            ("12", ""),
            ("", ""),
            ("{\"x\": 1}\n{\"x\": 2}", "{\"x\": 1}\n{\"x\": 2}"),
            ("{\"x\": 1}\n{\"x\": 2", "{\"x\": 1}\n"),
            ("{\n  \"x\": 1\n}", "{\n  \"x\": 1\n}"),
            ("[1, 2]\n3", "[1, 2]\n"),
        ] {
            assert_eq!(Extent::CompleteLines.of(text), kept, "{text}");
            assert_eq!(Extent::Whole.of(text), text);
        }
    }
}
