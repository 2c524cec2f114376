//! A subject against the reference, as it is looked at.

use super::counted::Counted;
use super::{Blocks, ShiftView};
use fathom_analyze::compare::{Comparison, Design, percentile};
use fathom_analyze::{Report, Subject};
use fathom_record::FrontEnd;
use fathom_record::own_json::End;
use fathom_render::View;
use fathom_render::comparison_notes::{Spent, gate_line, how_measured, of_batches, settle};
use fathom_render::human::scale_of;
use fathom_render::medians_note::medians_note;
use fathom_render::verdict::{Quantity, sentence};
use fathom_stats::Confidence;
use serde::Serialize;

/// A comparison with its pictures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonView {
    /// What it is compared with.
    pub reference: String,
    /// What is compared.
    pub subject: String,
    /// The answer.
    pub verdict: &'static str,
    /// The answer in words.
    pub sentence: String,
    /// Which statistic the ratio is of, where it is not that of the medians.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Subject over reference.
    pub ratio: f64,
    /// Of the ratio.
    pub lower: End,
    /// Of the ratio.
    pub upper: End,
    /// How sure, over all looks and subjects.
    pub confidence: f64,
    /// What counts as no difference.
    pub margin: f64,
    /// The ratio, quantile by quantile.
    pub shift: Option<ShiftView>,
    /// The blocks, where the two were measured side by side.
    pub blocks: Option<Blocks>,
    /// What would settle it, its gates, how it was measured, what may be wrong.
    pub notes: Vec<String>,
}

const UNKNOWN_BLOCKS: &str =
    "which blocks were excluded was not saved, so all look alike in the chart";

impl ComparisonView {
    /// The shift plot is as sure as the options say; all else as sure as it was measured.
    pub(super) fn of(
        comparison: &Comparison,
        report: &Report,
        confidence: Confidence,
    ) -> ComparisonView {
        let named = |name: &str| report.subjects.iter().find(|one| one.series.name() == name);
        let sides = named(&comparison.subject).zip(named(&comparison.reference));
        let sides = sides.map(|(subject, reference)| [subject, reference]);
        let mut notes: Vec<String> =
            settle(comparison, Spent::default(), FrontEnd::FATHOM).into_iter().collect();
        let gates = comparison.gates.iter();
        notes.extend(
            gates.map(|&(gate, found)| gate_line(comparison, gate, found, FrontEnd::FATHOM)),
        );
        notes.extend(how_measured(comparison, None));
        notes.extend(of_batches(comparison, &report.subjects));
        notes.extend(sides.and_then(|sides| of_medians(comparison, sides)));
        notes.extend(comparison.warnings.iter().map(ToString::to_string));
        let (blocks, samples) = match &comparison.design {
            Design::Paired(paired) => {
                let (blocks, samples) = Blocks::of(paired, sides);
                let is_known =
                    blocks.counts.iter().filter(|counts| **counts).count() == paired.used;
                if !is_known && !blocks.counts.is_empty() {
                    notes.push(UNKNOWN_BLOCKS.to_string());
                }
                (Some(blocks).filter(|blocks| !blocks.counts.is_empty()), samples)
            }
            Design::Unpaired { .. } => (None, sides.map(|sides| sides.map(Counted::of))),
        };
        // Quantiles would need to carry what is not known of the shell's start-up.
        let samples = samples.filter(|_| comparison.shell.is_none());
        let of_samples = |samples: [Counted; 2]| ShiftView::of(&samples, confidence);
        let shift = match ShiftView::of_comparison(comparison) {
            Some(shift) => Some(shift),
            None => samples.and_then(of_samples).map(|(shift, declined)| {
                let why = declined
                    .map(|why| format!("no confidence band for the ratio by quantiles: {why}"));
                notes.extend(why);
                shift
            }),
        };
        ComparisonView {
            reference: comparison.reference.clone(),
            subject: comparison.subject.clone(),
            verdict: comparison.verdict.name(),
            sentence: sentence(comparison, Quantity::of(report.subjects.first())),
            of: of_statistic(comparison),
            ratio: comparison.ratio,
            lower: End(comparison.interval.ends().lower),
            upper: End(comparison.interval.ends().upper),
            confidence: comparison.confidence.get(),
            margin: comparison.margin.get(),
            shift,
            blocks,
            notes,
        }
    }
}

/// What the ratio is of, if not of medians: of many quantiles, the one that stands for them.
fn of_statistic(comparison: &Comparison) -> Option<String> {
    if comparison.statistic.is_median() {
        return None;
    }
    let headline = comparison.headline().map(|one| percentile(one.p));
    Some(headline.unwrap_or_else(|| comparison.statistic.to_string()))
}

/// Why the medians that the page shows do not divide to the ratio, where they do not.
fn of_medians(comparison: &Comparison, [subject, reference]: [&Subject; 2]) -> Option<String> {
    let shown = |side: &Subject| {
        let estimate = side.estimates.first()?;
        Some(scale_of(side, estimate, &View::default()).as_shown(estimate.value))
    };
    let medians = [shown(reference)?, shown(subject)?];
    medians_note(comparison, medians, subject.series.unit(), None)
}
