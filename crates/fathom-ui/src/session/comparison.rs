//! A subject against the reference, as it is looked at.

use super::subject::{Counted, why_no_band};
use fathom_analyze::compare::{Comparison, Design, Paired, Pairing};
use fathom_analyze::{Report, Subject};
use fathom_record::own_json::End;
use fathom_render::comparison_notes::{gate_line, how_measured, settle};
use fathom_render::verdict::{Quantity, sentence};
use fathom_stats::band::{Banded, shift};
use fathom_stats::paired::{Block, quiet_blocks};
use fathom_stats::{Confidence, Probability};
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

/// Subject over reference, quantile by quantile, with intervals that hold together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShiftView {
    /// The levels of the quantiles.
    pub p: Vec<f64>,
    /// Their ratios.
    pub ratio: Vec<f64>,
    /// The lower ends.
    pub lower: Vec<End>,
    /// The upper ends.
    pub upper: Vec<End>,
}

/// Blocks in their order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Blocks {
    /// What each says of the subject over the reference.
    pub log_ratio: Vec<f64>,
    /// Whether the verdict rests on it too.
    pub counts: Vec<bool>,
}

impl ComparisonView {
    /// The shift plot is as sure as the options say; all else as sure as it was measured.
    pub(super) fn of(
        comparison: &Comparison,
        report: &Report,
        confidence: Confidence,
    ) -> ComparisonView {
        let named = |name: &str| report.subjects.iter().find(|one| one.series.name() == name);
        let sides = named(&comparison.subject).zip(named(&comparison.reference));
        let mut notes: Vec<String> = settle(comparison, None).into_iter().collect();
        let gates = comparison.gates.iter();
        notes.extend(gates.map(|&(gate, found)| gate_line(gate, found, &comparison.subject)));
        notes.extend(how_measured(comparison, None));
        notes.extend(comparison.warnings.iter().cloned());
        let shift = sides.and_then(|(subject, reference)| {
            ShiftView::of(subject, reference, confidence)
                .inspect_err(|reason| notes.extend(reason.clone()))
                .ok()
        });
        let blocks = match &comparison.design {
            Design::Paired(paired) => Some(Blocks::of(paired, sides, &mut notes)),
            Design::Unpaired { .. } => None,
        };
        ComparisonView {
            reference: comparison.reference.clone(),
            subject: comparison.subject.clone(),
            verdict: comparison.verdict.name(),
            sentence: sentence(comparison, Quantity::of(report.subjects.first())),
            ratio: comparison.ratio,
            lower: End(comparison.interval.lower),
            upper: End(comparison.interval.upper),
            confidence: comparison.confidence.get(),
            margin: comparison.margin.get(),
            shift,
            blocks,
            notes,
        }
    }
}

impl ShiftView {
    /// Every percent.
    fn of(
        subject: &Subject,
        reference: &Subject,
        confidence: Confidence,
    ) -> Result<ShiftView, Option<String>> {
        const LEVELS: usize = 100;
        // Each band errs half as often, so that both hold at once, whatever they share.
        let each = Confidence::new(1.0 - 0.5 * confidence.alpha()).unwrap_or(confidence);
        let sides = [Counted::of(subject), Counted::of(reference)];
        let mut banded = Vec::new();
        for side in &sides {
            let band = side.band(each).map_err(why_no_band)?;
            banded.push(Banded { sorted: &side.sorted, band: Some(band) });
        }
        let [above, below] = [banded[0], banded[1]];
        let mut view =
            ShiftView { p: Vec::new(), ratio: Vec::new(), lower: Vec::new(), upper: Vec::new() };
        for level in 1..LEVELS {
            let p = level as f64 / LEVELS as f64;
            let found = Probability::new(p).ok().and_then(|level| shift(above, below, level));
            let Some(found) = found else { continue };
            view.p.push(p);
            view.ratio.push(found.ratio);
            view.lower.push(End(found.interval.lower));
            view.upper.push(End(found.interval.upper));
        }
        if view.p.is_empty() { Err(None) } else { Ok(view) }
    }
}

impl Blocks {
    fn of(paired: &Paired, sides: Option<(&Subject, &Subject)>, notes: &mut Vec<String>) -> Blocks {
        let log_ratio = paired.log_ratios.clone();
        let mut counts = vec![true; log_ratio.len()];
        if paired.used < paired.blocks {
            match sides.and_then(|sides| quiet(paired, sides)) {
                Some(quiet) => {
                    counts = (0..log_ratio.len()).map(|block| quiet.contains(&block)).collect();
                }
                None => notes.push(
                    "which blocks were set aside is not kept, so all are drawn alike".to_string(),
                ),
            }
        }
        Blocks { log_ratio, counts }
    }
}

/// Which blocks the verdict rests on, from the runs themselves: a report has only how many. `None`
/// where the runs do not give the same blocks.
fn quiet(paired: &Paired, (subject, reference): (&Subject, &Subject)) -> Option<Vec<usize>> {
    if paired.pairing == Pairing::Executions {
        return None;
    }
    let runs = |side: &Subject, block: usize| -> Option<[f64; 2]> {
        side.series.values().get(2 * block..2 * block + 2)?.try_into().ok()
    };
    let mut blocks = Vec::new();
    for (place, log_ratio) in paired.log_ratios.iter().enumerate() {
        let block = Block::of(runs(subject, place)?, runs(reference, place)?)?;
        if (block.log_ratio - log_ratio).abs() > 1e-9 {
            return None;
        }
        blocks.push(block);
    }
    Some(quiet_blocks(&blocks)).filter(|quiet| quiet.len() == paired.used)
}
