//! What to notice in an answer: sentences that follow from it.

mod check;
mod clean;
mod decide;
mod explain;
mod measure;
mod record;

use super::{DemoAnswer, DemoTruth};

/// What to notice, in two or three sentences.
pub(super) fn of(answer: &DemoAnswer<'_>, truth: &DemoTruth) -> Vec<String> {
    match *answer {
        DemoAnswer::Measured(report) => measure::notices(report),
        DemoAnswer::Cleaned(report) => clean::notices(report, truth),
        DemoAnswer::Decided { report, is_same, .. } => {
            match report.comparisons.as_ref().and_then(|all| all.first()) {
                Some(found) if is_same => decide::of_same(found),
                Some(found) => decide::of_difference(found, truth),
                None => vec!["There was too little data for a comparison.".to_string()],
            }
        }
        DemoAnswer::Checked { report, .. } => check::notices(report, truth),
        DemoAnswer::Recorded(recording) => record::notices(recording),
        DemoAnswer::Explained { explanation, top, .. } => {
            explain::notices(&explain::Cause::find(explanation), top)
        }
    }
}
