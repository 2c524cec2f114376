//! `fathom analyze`.

use crate::arguments::AnalyzeArguments;
use fathom_request::{AnalyzeRequest, SampleInput};

impl AnalyzeArguments {
    pub(crate) fn request(&self) -> AnalyzeRequest {
        let mut cleaning = self.cleaning.options();
        // Times of different work have no correlogram.
        cleaning.correlogram |= self.output.verbose && self.work_column.is_none();
        AnalyzeRequest {
            files: self.files.clone(),
            input: SampleInput {
                format: self.input_format,
                columns: self.columns.clone(),
                decimal: self.decimal,
                unit: self.unit.clone(),
                join: self.join,
            },
            statistics: self.statistics.clone(),
            probability: self.proportion,
            direction: self.direction,
            work_column: self.work_column.clone(),
            confidence: self.confidence,
            method: self.method.first().copied(),
            other_methods: self.method.iter().skip(1).copied().collect(),
            subsession_range: self.subsession_range,
            sides: self.sides,
            cleaning,
            seed: self.seed,
        }
    }
}
