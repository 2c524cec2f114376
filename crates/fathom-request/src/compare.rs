//! Did it change?

use crate::command_line::CommandLine;
use crate::value::{as_text, as_texts_or_none, path, paths};
use crate::{CleaningOptions, EffortPreset, RunningOptions, SubjectOptions};
use fathom_analyze::compare::{ComparedStatistic, Gate, Margin};
use fathom_stats::Confidence;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Compares commands, saved results or builds, and says which is faster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CompareRequest {
    /// What is compared.
    pub source: CompareSource,
    /// The commands, where commands run; expressions that choose functions, where builds are compared.
    pub subjects: SubjectOptions,
    /// Whether the expressions are names of functions, taken literally.
    pub exact: bool,
    /// Functions to leave out.
    pub skip: Vec<String>,
    /// What of the two is compared. Requests of before version 3 have none: they compare medians.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub statistic: ComparedStatistic,
    /// A difference that does not matter; see [`CompareRequest::margin`].
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub margin: Option<Margin>,
    /// The confidence of all verdicts together.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub confidence: Confidence,
    /// The gate: no subject is slower than this.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub fail_if_slower: Option<Margin>,
    /// The gate: every subject is within this.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub require_equivalent: Option<Margin>,
    /// Whether a gate that is inconclusive passes.
    pub allow_inconclusive: bool,
    /// Whether functions whose machine code is unchanged can fail a gate.
    pub gate_unchanged: bool,
    /// In how many layouts of memory builds are compared; as many as the time allows if not set.
    pub layouts: Option<u64>,
    /// The defaults of the limits.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub effort: EffortPreset,
    /// How long it may take.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub max_time: Option<Duration>,
    /// At most this many pairs.
    pub max_pairs: Option<u64>,
    /// No verdict before this many pairs.
    pub min_pairs: Option<u64>,
    /// Exactly this many pairs.
    pub pairs: Option<u64>,
    /// How commands are run.
    pub running: RunningOptions,
    /// What happens to samples before they are judged.
    pub cleaning: CleaningOptions,
    /// The seed of random choices; a new one if it is not set.
    pub seed: Option<u64>,
}

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CompareSource {
    /// Commands that run side by side.
    #[default]
    Commands,
    /// Saved results; the first is the reference.
    #[serde(with = "paths")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    Files(Vec<PathBuf>),
    /// Commands that run now, and a session that was saved under this name.
    Baseline(String),
    /// The functions of two builds of a bench: two executables, or two packages that cargo builds.
    Benches {
        /// The reference: an executable, or a package's folder.
        #[serde(with = "path")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        old: PathBuf,
        /// What is compared with it.
        #[serde(with = "path")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        new: PathBuf,
        /// Words for cargo when it builds.
        cargo_args: Option<String>,
    },
    /// The functions of the work tree's benches and of those of another revision.
    Revision {
        /// The revision, as git names it.
        revision: String,
        /// Words for cargo when it builds.
        cargo_args: Option<String>,
    },
}

impl Default for CompareRequest {
    fn default() -> CompareRequest {
        CompareRequest {
            source: CompareSource::default(),
            subjects: SubjectOptions::default(),
            exact: false,
            skip: Vec::new(),
            statistic: ComparedStatistic::default(),
            margin: None,
            confidence: Confidence::DEFAULT,
            fail_if_slower: None,
            require_equivalent: None,
            allow_inconclusive: false,
            gate_unchanged: false,
            layouts: None,
            effort: EffortPreset::default(),
            max_time: None,
            max_pairs: None,
            min_pairs: None,
            pairs: None,
            running: RunningOptions::default(),
            cleaning: CleaningOptions::default(),
            seed: None,
        }
    }
}

impl CompareRequest {
    /// What counts as no difference: what was asked for, or what a gate allows, or 1%. With a gate, a
    /// verdict by another margin could be inconclusive where the gate has its answer.
    #[must_use]
    pub fn margin(&self) -> Margin {
        let of_gate = [self.fail_if_slower, self.require_equivalent]
            .into_iter()
            .flatten()
            .filter(|margin| margin.get() > 0.0)
            .min_by(|one, other| one.get().total_cmp(&other.get()));
        self.margin.or(of_gate).unwrap_or(Margin::DEFAULT)
    }

    /// What must be shown.
    #[must_use]
    pub fn gates(&self) -> Vec<Gate> {
        let slower = self.fail_if_slower.map(Gate::NotSlower);
        let equivalent = self.require_equivalent.map(Gate::Equivalent);
        slower.into_iter().chain(equivalent).collect()
    }

    /// The words after `fathom`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut line = CommandLine::new("compare");
        line.value("--statistic", &self.statistic, &ComparedStatistic::default());
        line.optional("--margin", self.margin.as_ref());
        line.value("--confidence", &self.confidence, &Confidence::DEFAULT);
        line.optional("--fail-if-slower", self.fail_if_slower.as_ref());
        line.optional("--require-equivalent", self.require_equivalent.as_ref());
        line.switch("--allow-inconclusive", self.allow_inconclusive);
        line.value("--effort", &self.effort, &EffortPreset::default());
        line.optional("--max-time", self.max_time.as_ref());
        line.optional("--max-pairs", self.max_pairs.as_ref());
        line.optional("--min-pairs", self.min_pairs.as_ref());
        line.optional("--pairs", self.pairs.as_ref());
        line.optional("--seed", self.seed.as_ref());
        self.running.write(&mut line);
        self.cleaning.write(&mut line);
        line.optional("--layouts", self.layouts.as_ref());
        line.switch("--gate-unchanged", self.gate_unchanged);
        line.switch("--exact", self.exact);
        line.repeated("--skip", &self.skip);
        match &self.source {
            CompareSource::Commands => {}
            CompareSource::Files(files) => {
                let files: Vec<String> =
                    files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
                line.several("--files", files.iter().map(String::as_str));
            }
            CompareSource::Baseline(name) => line.optional("--baseline", Some(name)),
            CompareSource::Benches { old, new, cargo_args } => {
                let both = [old.to_string_lossy(), new.to_string_lossy()];
                line.several("--bench", both.iter().map(AsRef::as_ref));
                line.optional("--cargo-args", cargo_args.as_ref());
            }
            CompareSource::Revision { revision, cargo_args } => {
                line.optional("--rev", Some(revision));
                line.optional("--cargo-args", cargo_args.as_ref());
            }
        }
        self.subjects.write(&mut line);
        line.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests of before `--bench` took packages are in saved results.
    #[test]
    fn benches_without_words_for_cargo_are_read() {
        let json = r#"{ "benches": { "old": "a", "new": "b" } }"#;
        let [old, new] = ["a", "b"].map(PathBuf::from);
        let expected = CompareSource::Benches { old, new, cargo_args: None };
        assert_eq!(serde_json::from_str::<CompareSource>(json).unwrap(), expected);
    }
}
