//! Where something stands in a property's text.

use std::ops::Range;

/// A stretch of a property's text, in bytes.
///
/// All places are equal, so that two trees are equal if they say the same, wherever they say it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TextSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl TextSpan {
    pub(crate) fn new(start: usize, end: usize) -> TextSpan {
        TextSpan { start, end }
    }

    /// From the beginning of this to the end of the other.
    pub(crate) fn to(self, other: TextSpan) -> TextSpan {
        TextSpan { start: self.start, end: other.end.max(self.start) }
    }

    pub(crate) fn span(self) -> Range<usize> {
        self.start..self.end
    }

    /// What stands there.
    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.span()).unwrap_or("")
    }
}

impl PartialEq for TextSpan {
    fn eq(&self, _: &TextSpan) -> bool {
        true
    }
}
