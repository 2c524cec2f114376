//! How runs are aligned.

use crate::command_line::CommandLine;
use crate::spans::shortest;
use crate::value::{OptionValue, as_text};
use serde::{Deserialize, Serialize};

/// How runs are aligned.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct AlignmentOptions {
    /// The metric by which runs are aligned; what the traces say, else the target, else the first that
    /// all runs have, if it is not set.
    pub common: Option<String>,
    /// Whether runs are aligned by z-scores.
    pub normalize: bool,
    /// The cost of every step in which one run stands still.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub penalty: AlignmentPenalty,
}

/// A cost: a finite number, 0 or more.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AlignmentPenalty(f64);

impl AlignmentPenalty {
    /// `None` unless it is finite and 0 or more.
    #[must_use]
    pub fn new(cost: f64) -> Option<AlignmentPenalty> {
        (cost.is_finite() && cost >= 0.0).then_some(AlignmentPenalty(cost))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl OptionValue for AlignmentPenalty {
    fn text(&self) -> String {
        shortest(self.0)
    }

    fn read(text: &str) -> Result<AlignmentPenalty, String> {
        let number: f64 =
            text.trim().parse().map_err(|_| "write a number, 0 or more".to_string())?;
        AlignmentPenalty::new(number).ok_or_else(|| "it is finite and 0 or more".to_string())
    }
}

impl AlignmentOptions {
    pub(crate) fn write(&self, line: &mut CommandLine) {
        line.optional("--common", self.common.as_ref());
        line.switch("--normalize", self.normalize);
        line.value("--penalty", &self.penalty, &AlignmentPenalty::default());
    }
}
