//! How fast is it?

use crate::command_line::CommandLine;
use crate::value::{as_text, as_texts, as_texts_or_none};
use crate::{CleaningOptions, EffortPreset, RunningOptions, SubjectOptions};
use fathom_analyze::stopping::Precision;
use fathom_analyze::{Method, Statistic, SubsessionRange};
use fathom_stats::Confidence;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Times commands until the interval is narrow enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RunRequest {
    /// What is run.
    pub subjects: SubjectOptions,
    /// What is estimated; the median if nothing is named.
    #[serde(with = "as_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub statistics: Vec<Statistic>,
    /// The confidence of intervals.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub confidence: Confidence,
    /// How intervals are computed; each statistic has a default.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub method: Option<Method>,
    /// From which lag-1 autocorrelation on `--method subsession` takes samples as independent; Pilot's
    /// if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub subsession_range: Option<SubsessionRange>,
    /// The defaults of precision and limits.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub effort: EffortPreset,
    /// How narrow every interval must be; by the effort if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub precision: Option<Precision>,
    /// How long each command is measured at most.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub max_time: Option<Duration>,
    /// Exactly this many runs.
    pub runs: Option<u64>,
    /// At least this many runs.
    pub min_runs: Option<u64>,
    /// At most this many runs.
    pub max_runs: Option<u64>,
    /// The parameter that is the amount of work of a run: the rate of work is estimated instead of
    /// statistics of the times.
    pub work: Option<String>,
    /// How commands are run.
    pub running: RunningOptions,
    /// What happens to samples before they are judged.
    pub cleaning: CleaningOptions,
    /// The seed of random choices; a new one if it is not set.
    pub seed: Option<u64>,
}

impl Default for RunRequest {
    fn default() -> RunRequest {
        RunRequest {
            subjects: SubjectOptions::default(),
            statistics: Vec::new(),
            confidence: Confidence::DEFAULT,
            method: None,
            subsession_range: None,
            effort: EffortPreset::default(),
            precision: None,
            max_time: None,
            runs: None,
            min_runs: None,
            max_runs: None,
            work: None,
            running: RunningOptions::default(),
            cleaning: CleaningOptions::default(),
            seed: None,
        }
    }
}

impl RunRequest {
    /// How narrow every interval must be: as asked, or as the effort has it.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.precision.unwrap_or_else(|| self.effort.precision())
    }

    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut line = CommandLine::new("run");
        line.repeated("--statistic", &self.statistics);
        line.value("--confidence", &self.confidence, &Confidence::DEFAULT);
        line.optional("--method", self.method.as_ref());
        line.optional("--subsession-range", self.subsession_range.as_ref());
        line.value("--effort", &self.effort, &EffortPreset::default());
        line.optional("--precision", self.precision.as_ref());
        line.optional("--max-time", self.max_time.as_ref());
        line.optional("--runs", self.runs.as_ref());
        line.optional("--min-runs", self.min_runs.as_ref());
        line.optional("--max-runs", self.max_runs.as_ref());
        line.optional("--work", self.work.as_ref());
        line.optional("--seed", self.seed.as_ref());
        self.running.write(&mut line);
        self.cleaning.write(&mut line);
        self.subjects.write(&mut line);
        line.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests of before efforts had a precision, which is kept.
    #[test]
    fn a_request_without_effort_is_read() {
        let older: RunRequest = serde_json::from_str(r#"{ "precision": "1%" }"#).unwrap();
        assert_eq!((older.effort, older.precision().get()), (EffortPreset::Normal, 0.01));
        assert_eq!(older.words(), ["run", "--precision", "1%"]);
    }

    #[test]
    fn an_option_overrides_the_effort() {
        let quick = RunRequest { effort: EffortPreset::Thorough, ..RunRequest::default() };
        assert_eq!(quick.precision(), Precision::FINE);
        let coarse = RunRequest { precision: Some(Precision::DEFAULT), ..quick };
        assert_eq!(coarse.precision(), Precision::DEFAULT);
        assert_eq!(coarse.words(), ["run", "--effort", "thorough", "--precision", "2%"]);
    }
}
