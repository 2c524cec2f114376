//! `fathom run`.

use crate::arguments::RunArguments;
use fathom_request::RunRequest;

impl RunArguments {
    pub(crate) fn request(&self) -> RunRequest {
        let mut cleaning = self.measuring.cleaning.options();
        cleaning.correlogram |= self.output.verbose;
        RunRequest {
            subjects: self.subjects.options(),
            statistics: self.statistics.clone(),
            confidence: self.confidence,
            method: self.method,
            effort: self.effort,
            precision: self.precision,
            max_time: self.max_time,
            runs: self.runs,
            min_runs: self.min_runs,
            max_runs: self.max_runs,
            running: self.measuring.running.options(),
            cleaning,
            seed: self.measuring.seed,
        }
    }
}
