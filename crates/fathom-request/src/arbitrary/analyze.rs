//! Estimates from files.

use super::measuring::cleaning;
use super::values::{any_text as text, any_texts as texts, one_of, paths, subsession_range};
use crate::value::Named;
use crate::{AnalyzeRequest, CleaningOptions, SampleInput};
use fathom_analyze::{Method, Statistic};
use fathom_formats::Format;
use fathom_stats::{Confidence, Probability};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Any analysis: of statistics, of a threshold, or of work per time.
pub fn analyze_request() -> impl Strategy<Value = AnalyzeRequest> {
    let confidence =
        (0.5..1.0_f64).prop_map(|number| Confidence::new(number).unwrap_or(Confidence::DEFAULT));
    (paths(), input(), asked(), confidence, one_of(&["both", "lower", "upper"]), any::<u64>())
        .prop_map(|(files, input, asked, confidence, sides, seed)| {
            let request = AnalyzeRequest { files, input, confidence, sides, seed, ..asked };
            match request.work_column {
                // A rate of work has neither joined files nor samples to clean.
                Some(_) => AnalyzeRequest {
                    input: SampleInput { join: false, ..request.input },
                    ..request
                },
                None => request,
            }
        })
}

fn asked() -> impl Strategy<Value = AnalyzeRequest> {
    let statistics = vec(statistic(), 0..3)
        .prop_map(|statistics| AnalyzeRequest { statistics, ..AnalyzeRequest::default() });
    let direction = option::of(one_of(&["lt", "le", "gt", "ge"]));
    let threshold = (0.001..0.999_f64, direction).prop_map(|(share, direction)| AnalyzeRequest {
        probability: Probability::new(share).ok(),
        direction,
        ..AnalyzeRequest::default()
    });
    let method = || option::of(select(<Method as Named>::ALL));
    let others = vec(select(<Method as Named>::ALL), 0..3);
    let methods = (method(), others);
    let of_samples = (prop_oneof![statistics, threshold], methods, subsession_range(), cleaning())
        .prop_map(|(asked, (method, others), range, cleaning)| {
            // The command line takes it only with a method, and others only after a first.
            let subsession_range = range.filter(|_| method.is_some());
            let other_methods = if method.is_some() { others } else { Vec::new() };
            AnalyzeRequest { method, other_methods, subsession_range, cleaning, ..asked }
        });
    let of_work = (text(), any::<bool>()).prop_map(|(column, assume_independent)| AnalyzeRequest {
        work_column: Some(column),
        cleaning: CleaningOptions { assume_independent, ..CleaningOptions::default() },
        ..AnalyzeRequest::default()
    });
    prop_oneof![3 => of_samples, 1 => of_work]
}

fn statistic() -> impl Strategy<Value = Statistic> {
    one_of(&["median", "mean", "harmonic-mean", "p99", "p99.9", "p0.1"])
}

fn input() -> impl Strategy<Value = SampleInput> {
    (
        option::of(select(<Format as Named>::ALL)),
        texts(),
        option::of(one_of(&[".", ","])),
        option::of(one_of(&["ns", "us", "ms", "s", "B", "widgets"])),
        any::<bool>(),
    )
        .prop_map(|(format, columns, decimal, unit, join)| SampleInput {
            format,
            columns,
            decimal,
            unit,
            join,
        })
}
