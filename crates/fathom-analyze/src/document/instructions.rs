//! Counted instructions, in the JSON contract.

use super::comparison::GateEntry;
#[cfg(feature = "schema")]
use crate::CountVerdict;
#[cfg(feature = "schema")]
use crate::InstructionCounter;
use crate::{ComparedCounts, CountedFunction, InstructionReport};
use fathom_derive::Serialize;

/// Instructions per call, without those of the kernel.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct InstructionsEntry<'a> {
    /// What counted: the processor, or valgrind.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = InstructionCounter::ALL.map(InstructionCounter::name))))]
    counter: &'static str,
    /// The functions; of two builds, the old one before the new one.
    functions: Vec<CountedEntry<'a>>,
    /// Functions against a reference.
    comparisons: Vec<ComparedCountsEntry<'a>>,
}

/// The instructions of a function.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CountedEntry<'a> {
    /// The name of the function.
    name: &'a str,
    /// The number of calls that each count is the mean of.
    calls: u64,
    /// Instructions per call, count by count.
    counts: &'a [f64],
    /// The count in the middle.
    per_call: f64,
    /// The smallest count.
    lower: f64,
    /// The largest count.
    upper: f64,
    /// Whether every count was the same.
    repeated: bool,
}

/// The instructions of a function, against those of a reference.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ComparedCountsEntry<'a> {
    /// The name of the reference.
    reference: &'a str,
    /// The name of the function.
    subject: &'a str,
    /// The middle count over that of the reference.
    ratio: f64,
    /// The smallest count over the largest of the reference.
    lower: f64,
    /// The largest count over the smallest of the reference.
    upper: f64,
    /// `more` or `fewer`: true of every count. `same`: all counts are the same number. `overlap`:
    /// the counts differ from one to the next, by too much to tell.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = CountVerdict::ALL.map(CountVerdict::name))))]
    verdict: &'static str,
    /// The gates you asked for, applied to instructions.
    gates: Vec<GateEntry>,
}

impl<'a> InstructionsEntry<'a> {
    pub(super) fn of(report: &'a InstructionReport) -> InstructionsEntry<'a> {
        let counted = |function: &'a CountedFunction| CountedEntry {
            name: function.name(),
            calls: function.calls(),
            counts: function.counts(),
            per_call: function.middle(),
            lower: function.lower(),
            upper: function.upper(),
            repeated: function.is_repeated(),
        };
        let compared = |found: &'a ComparedCounts| {
            let ends = found.between.ratio();
            ComparedCountsEntry {
                reference: &found.reference,
                subject: &found.subject,
                ratio: found.ratio,
                lower: ends.lower(),
                upper: ends.upper(),
                verdict: found.verdict().name(),
                gates: found.gates.iter().map(GateEntry::of).collect(),
            }
        };
        InstructionsEntry {
            counter: report.counter.name(),
            functions: report.functions.iter().map(counted).collect(),
            comparisons: report.comparisons.iter().map(compared).collect(),
        }
    }
}
