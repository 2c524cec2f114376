//! `fathom compare`.

use crate::arguments::CompareArguments;
use fathom_request::{CompareRequest, CompareSource};

impl CompareArguments {
    pub(crate) fn request(&self) -> CompareRequest {
        CompareRequest {
            source: self.source(),
            subjects: self.subjects.options(),
            exact: self.functions.exact,
            skip: self.functions.skip.clone(),
            margin: self.margin,
            confidence: self.confidence,
            fail_if_slower: self.fail_if_slower,
            require_equivalent: self.require_equivalent,
            allow_inconclusive: self.allow_inconclusive,
            max_time: self.max_time,
            max_pairs: self.max_pairs,
            min_pairs: self.min_pairs,
            pairs: self.pairs,
            running: self.running.options(),
            cleaning: self.cleaning.options(),
            seed: self.seed,
        }
    }

    /// The parser lets only one of them through.
    fn source(&self) -> CompareSource {
        if let [old, new] = self.functions.bench.as_slice() {
            return CompareSource::Benches { old: old.clone(), new: new.clone() };
        }
        if let Some(revision) = &self.functions.rev {
            let cargo_args = self.functions.cargo_args.clone();
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
