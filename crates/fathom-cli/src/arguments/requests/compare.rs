//! `fathom compare`.

use crate::arguments::CompareArguments;
use fathom_request::{CompareRequest, CompareSource, RunningOptions, SubjectOptions};

/// The options that a comparison of functions reads, besides those of its own and those that say how
/// a report is written: what [`CompareArguments::of_functions`] has, and where results are saved.
/// Every other option of `compare` is refused with `--bench` and `--rev`.
pub(in crate::arguments) const READ_FOR_FUNCTIONS: [&str; 13] = [
    "commands",
    "statistic",
    "margin",
    "confidence",
    "fail_if_slower",
    "require_equivalent",
    "allow_inconclusive",
    "effort",
    "max_time",
    "seed",
    "save",
    "force",
    "no_save",
];

/// The options that a comparison of saved results reads, besides `--files`, what cleans samples and what
/// says how a report is written: what [`CompareArguments::of_files`] has. Every other option of
/// `compare` is refused with `--files`, or says why it needs builds of functions.
pub(in crate::arguments) const READ_FOR_FILES: [&str; 8] = [
    "files",
    "statistic",
    "on",
    "margin",
    "confidence",
    "fail_if_slower",
    "require_equivalent",
    "allow_inconclusive",
];

impl CompareArguments {
    pub(crate) fn request(&self) -> CompareRequest {
        let of_functions = self.of_functions(self.source());
        match of_functions.source {
            CompareSource::Benches { .. } | CompareSource::Revision { .. } => of_functions,
            CompareSource::Files(_) => self.of_files(of_functions),
            _ => CompareRequest {
                subjects: self.subjects.options(),
                max_pairs: self.max_pairs,
                min_pairs: self.min_pairs,
                pairs: self.pairs,
                running: self.measuring.running.options(),
                cleaning: self.measuring.cleaning.options(),
                ..of_functions
            },
        }
    }

    /// The request of a comparison of functions: what all comparisons have.
    fn of_functions(&self, source: CompareSource) -> CompareRequest {
        CompareRequest {
            source,
            subjects: SubjectOptions {
                commands: self.subjects.commands.clone(),
                ..SubjectOptions::default()
            },
            exact: self.functions.exact,
            skip: self.functions.skip.clone(),
            statistic: self.statistic,
            margin: self.margin,
            confidence: self.confidence,
            fail_if_slower: self.fail_if_slower,
            require_equivalent: self.require_equivalent,
            allow_inconclusive: self.allow_inconclusive,
            gate_unchanged: self.functions.gate_unchanged,
            layouts: self.functions.layouts,
            effort: self.effort,
            max_time: self.max_time,
            seed: self.measuring.seed,
            ..CompareRequest::default()
        }
    }

    /// The request of a comparison of saved results: what all comparisons have but for what measures.
    fn of_files(&self, all: CompareRequest) -> CompareRequest {
        let running = self.measuring.running.options();
        CompareRequest {
            running: RunningOptions { on: running.on, ..RunningOptions::default() },
            cleaning: self.measuring.cleaning.options(),
            ..all
        }
    }

    /// The parser lets only one of them through.
    fn source(&self) -> CompareSource {
        let cargo_args = self.functions.cargo_args.clone();
        if let [old, new] = self.functions.bench.as_slice() {
            return CompareSource::Benches { old: old.clone(), new: new.clone(), cargo_args };
        }
        if let Some(revision) = &self.functions.rev {
            return CompareSource::Revision { revision: revision.clone(), cargo_args };
        }
        if !self.files.is_empty() {
            return CompareSource::Files(self.files.clone());
        }
        match &self.baseline {
            Some(name) => CompareSource::Baseline(name.clone()),
            None => CompareSource::Commands,
        }
    }
}
