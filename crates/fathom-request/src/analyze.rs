//! What do these numbers say?

use crate::CleaningOptions;
use crate::command_line::CommandLine;
use crate::value::{as_text, as_texts, as_texts_or_none, paths};
use fathom_analyze::{Method, Statistic, SubsessionRange};
use fathom_formats::{DecimalMark, Format};
use fathom_record::Unit;
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability, Sides};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Estimates from measurements in files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct AnalyzeRequest {
    /// The files; `-` is standard input.
    #[serde(with = "paths")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub files: Vec<PathBuf>,
    /// How the files are read.
    pub input: SampleInput,
    /// What is estimated; the median if nothing is named.
    #[serde(with = "as_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub statistics: Vec<Statistic>,
    /// Instead of a statistic: the threshold that this share of executions satisfies.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub probability: Option<Probability>,
    /// How executions compare with that threshold; at most, if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub direction: Option<Direction>,
    /// Instead of a statistic: work per time, with the amount of work in this column.
    pub work_column: Option<String>,
    /// The confidence of intervals.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub confidence: Confidence,
    /// How intervals are computed; each statistic has a default.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub method: Option<Method>,
    /// Further methods, to see them side by side: each gives an estimate of every statistic that it
    /// serves.
    #[serde(with = "as_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub other_methods: Vec<Method>,
    /// From which lag-1 autocorrelation on `--method subsession` takes samples as independent; Pilot's
    /// if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub subsession_range: Option<SubsessionRange>,
    /// Two-sided intervals, or one-sided bounds.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub sides: Sides,
    /// What happens to samples before they are judged.
    pub cleaning: CleaningOptions,
    /// The seed of random numbers.
    pub seed: u64,
}

/// How files of measurements are read.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SampleInput {
    /// The kind of file; detected from its content if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub format: Option<Format>,
    /// The columns, metrics or statistics to read, by name or number; all of them if none is named.
    pub columns: Vec<String>,
    /// The decimal mark; detected from the file if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub decimal: Option<DecimalMark>,
    /// The unit of the numbers where the file states none.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub unit: Option<Unit>,
    /// Whether series of the same name become one, each file an execution of it.
    pub join: bool,
}

impl SampleInput {
    fn write(&self, line: &mut CommandLine) {
        line.optional("--input-format", self.format.as_ref());
        line.repeated("--column", &self.columns);
        line.optional("--decimal", self.decimal.as_ref());
        line.optional("--unit", self.unit.as_ref());
        line.switch("--join", self.join);
    }
}

impl Default for AnalyzeRequest {
    fn default() -> AnalyzeRequest {
        AnalyzeRequest {
            files: Vec::new(),
            input: SampleInput::default(),
            statistics: Vec::new(),
            probability: None,
            direction: None,
            work_column: None,
            confidence: Confidence::DEFAULT,
            method: None,
            other_methods: Vec::new(),
            subsession_range: None,
            sides: Sides::Both,
            cleaning: CleaningOptions::default(),
            seed: AnalyzeRequest::SEED,
        }
    }
}

impl AnalyzeRequest {
    const SEED: u64 = 1;

    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut line = CommandLine::new("analyze");
        line.repeated("--statistic", &self.statistics);
        line.optional("--probability", self.probability.as_ref());
        line.optional("--direction", self.direction.as_ref());
        line.optional("--work-column", self.work_column.as_ref());
        line.value("--confidence", &self.confidence, &Confidence::DEFAULT);
        line.optional("--method", self.method.as_ref());
        line.repeated("--method", &self.other_methods);
        line.optional("--subsession-range", self.subsession_range.as_ref());
        line.value("--sides", &self.sides, &Sides::Both);
        self.cleaning.write(&mut line);
        line.value("--seed", &self.seed, &AnalyzeRequest::SEED);
        self.input.write(&mut line);
        line.operands(self.files.iter().map(|file| file.to_string_lossy().into_owned()));
        line.finish()
    }
}
