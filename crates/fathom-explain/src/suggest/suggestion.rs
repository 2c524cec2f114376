//! What is suggested, and its words.

use std::fmt;
use std::ops::Range;

/// What is odd about a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuggestionKind {
    /// A higher level that lasts.
    StepUp,
    /// A lower level that lasts.
    StepDown,
    /// Short stretches below the level.
    Dips,
    /// Short stretches above the level.
    Spikes,
    /// Short stretches at one value near the level, of a series that moves otherwise.
    Still,
    /// A shape that repeats itself.
    Period,
    /// A gradual increase.
    Rise,
    /// A gradual decrease.
    Fall,
}

impl SuggestionKind {
    /// All of them.
    pub const ALL: [SuggestionKind; 8] = [
        SuggestionKind::StepUp,
        SuggestionKind::StepDown,
        SuggestionKind::Dips,
        SuggestionKind::Spikes,
        SuggestionKind::Still,
        SuggestionKind::Period,
        SuggestionKind::Rise,
        SuggestionKind::Fall,
    ];

    /// Its name in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SuggestionKind::StepUp => "step_up",
            SuggestionKind::StepDown => "step_down",
            SuggestionKind::Dips => "dips",
            SuggestionKind::Spikes => "spikes",
            SuggestionKind::Still => "still",
            SuggestionKind::Period => "period",
            SuggestionKind::Rise => "rise",
            SuggestionKind::Fall => "fall",
        }
    }
}

impl fmt::Display for SuggestionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SuggestionKind::StepUp => "step up",
            SuggestionKind::StepDown => "step down",
            SuggestionKind::Still => "standstill",
            other => other.as_str(),
        })
    }
}

/// An anomaly that is worth a look.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// What is odd.
    pub kind: SuggestionKind,
    /// The rows to ask about: in order, apart, none empty. Of many that are alike the clearest ones.
    pub windows: Vec<Range<usize>>,
    /// By how much it is more than chance: 1 is the least that is suggested; of all kinds alike.
    pub strength: f64,
    /// The level that it departs from; of a period the lowest of a typical one.
    pub level: f64,
    /// What it reaches: the mean of a dip or of a new level, the end of a trend; of a period the
    /// highest.
    pub reached: f64,
    /// How often it happens; of a period how many there are.
    pub times: usize,
    /// How long one lasts, in seconds: the median of several. Of a period its length.
    pub seconds: f64,
    /// How many seconds lie from one to the next, if it is always about the same.
    pub every_seconds: Option<f64>,
    /// A sentence without its subject: "dips to 0.4 of its level for 1.7 s, 4 times".
    pub about: String,
}
