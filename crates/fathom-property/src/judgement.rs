//! What a property is on one execution, or on one tuple of them.

use std::ops::Range;

/// Whether a property holds, and by how much.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Whether it holds.
    pub truth: Truth,
    /// By how much: above 0 it holds, below 0 it does not.
    pub robustness: Bounds,
    /// The comparison that the robustness is from, where there is one such.
    pub decided_by: Option<Decider>,
    /// What a user should know: windows that were empty, times that were cut.
    pub notes: Vec<Note>,
}

/// Whether a property holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It does.
    True,
    /// It does not.
    False,
    /// It refers to events that did not occur, and nothing else contradicts it.
    Vacuous,
    /// What was seen of the execution does not say.
    Unknown,
}

/// Between which numbers a value lies; equal where it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// No less than this.
    pub low: f64,
    /// No more than this.
    pub high: f64,
}

/// The comparison that a robustness is from.
#[derive(Debug, Clone, PartialEq)]
pub struct Decider {
    /// What the robustness is in; empty for a pure number.
    pub unit: String,
    /// Where it stands in the text.
    pub span: Range<usize>,
    /// When in the execution it has that robustness, where it changes over time.
    pub at: Option<f64>,
}

/// Something a user should know of a judgement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// A window began after the end: "always" in it is true and "eventually" is false.
    EmptyWindow,
    /// The execution lacks this name, which others have.
    Missing(String),
    /// The property needs this, which has no value: the logarithm of a negative number.
    WithoutValue(String),
}

impl Truth {
    /// All of them.
    pub const ALL: [Truth; 4] = [Truth::True, Truth::False, Truth::Vacuous, Truth::Unknown];

    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Truth::True => "true",
            Truth::False => "false",
            Truth::Vacuous => "vacuous",
            Truth::Unknown => "unknown",
        }
    }
}

impl Bounds {
    /// A value that is known.
    #[must_use]
    pub fn exactly(value: f64) -> Bounds {
        Bounds { low: value, high: value }
    }

    /// An unknown value.
    pub const UNKNOWN: Bounds = Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// How far from 0 it is for sure: the value if it is known, else the nearer bound, if both are
    /// on one side.
    #[must_use]
    pub fn sure(self) -> Option<f64> {
        let one_sided = if self.high < 0.0 { Some(self.high) } else { Some(self.low) };
        self.known().or(one_sided.filter(|_| self.high < 0.0 || self.low > 0.0))
    }

    /// The value, if it is known.
    #[must_use]
    pub fn known(self) -> Option<f64> {
        #[allow(clippy::float_cmp, reason = "both ends are the same number, not near each other")]
        let is_known = self.low == self.high;
        is_known.then_some(self.low)
    }
}
