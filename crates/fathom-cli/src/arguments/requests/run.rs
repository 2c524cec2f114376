//! `fathom run`.

use crate::arguments::RunArguments;
use fathom_request::RunRequest;

impl RunArguments {
    pub(crate) fn request(&self) -> RunRequest {
        let mut cleaning = self.measuring.cleaning.options();
        // Times of different work have no correlogram.
        cleaning.correlogram |= self.output.verbose && self.work.is_none();
        RunRequest {
            subjects: self.subjects.options(),
            statistics: self.statistics.clone(),
            confidence: self.confidence,
            method: self.method,
            subsession_range: self.subsession_range,
            effort: self.effort,
            precision: self.precision,
            max_time: self.max_time,
            runs: self.runs,
            min_runs: self.min_runs,
            max_runs: self.max_runs,
            work: self.work.clone(),
            running: self.measuring.running.options(),
            cleaning,
            seed: self.measuring.seed,
        }
    }
}
