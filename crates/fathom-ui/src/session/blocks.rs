//! What was measured side by side, block by block.

use super::counted::Counted;
use fathom_analyze::Subject;
use fathom_analyze::compare::{Paired, Pairing};
use fathom_record::Series;
use fathom_stats::paired::{Block, quiet_blocks};
use serde::Serialize;

/// Blocks in their order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Blocks {
    /// Each block's ratio of the subject to the reference.
    pub log_ratio: Vec<f64>,
    /// Whether the verdict rests on it too.
    pub counts: Vec<bool>,
}

/// The subject and the reference.
type Sides<'a> = [&'a Subject; 2];

impl Blocks {
    /// The blocks, and the samples of both sides that can be compared: those of the blocks that
    /// count, or all of them where blocks cannot be told from the runs. The cleaning of each side
    /// alone must not decide: different moments of a drift would be a difference.
    pub(super) fn of(paired: &Paired, sides: Option<Sides<'_>>) -> (Blocks, Option<[Counted; 2]>) {
        let log_ratio = paired.log_ratios.clone();
        let mut counts = vec![true; log_ratio.len()];
        for &block in &paired.set_aside {
            if let Some(counts) = counts.get_mut(block) {
                *counts = false;
            }
        }
        let Some(runs) = sides.and_then(|sides| runs(paired, sides)) else {
            return (Blocks { log_ratio, counts }, sides.map(|sides| sides.map(Counted::all)));
        };
        // Documents of before 2026-11 say how many blocks were set aside, and not which.
        if paired.set_aside.is_empty() && paired.used < paired.blocks {
            let blocks: Vec<Block> = runs.iter().filter_map(block_of).collect();
            let quiet = quiet_blocks(&blocks);
            if quiet.len() == paired.used {
                counts.fill(false);
                quiet.into_iter().for_each(|block| counts[block] = true);
            }
        }
        let counted = || runs.iter().zip(&counts).filter(|(_, counts)| **counts);
        let side = |which: usize, subject: &Subject| {
            Counted::some(subject, counted().flat_map(|(runs, _)| runs[which].clone()).collect())
        };
        let samples = sides.map(|[subject, reference]| [side(0, subject), side(1, reference)]);
        (Blocks { log_ratio, counts }, samples)
    }
}

/// The runs of each side in a block: two, or one where the block is a single pair.
type BlockRuns = [Vec<f64>; 2];

fn block_of([above, below]: &BlockRuns) -> Option<Block> {
    let ends = |runs: &[f64]| Some([*runs.first()?, *runs.last()?]);
    Block::of(ends(above)?, ends(below)?)
}

/// The runs of every block; `None` where they do not give the log-ratios that the verdict rests on.
fn runs(paired: &Paired, [subject, reference]: Sides<'_>) -> Option<Vec<BlockRuns>> {
    if paired.pairing == Pairing::Executions {
        return None;
    }
    // Blocks are of whole runs, with the shell where there is one.
    let whole = |side: &Subject| side.series.clone().with_startup_subtracted(0.0);
    let (subject, reference) = (whole(subject), whole(reference));
    let each = paired.pairing.pairs_per_block();
    let of_block = |side: &Series, block: usize| {
        // The last block may be a single pair.
        let end = (each * (block + 1)).min(paired.pairs);
        let runs = side.values().get(each * block..end).filter(|runs| !runs.is_empty())?;
        Some(runs.to_vec())
    };
    let mut runs = Vec::new();
    for (place, log_ratio) in paired.log_ratios.iter().enumerate() {
        let of_both = [of_block(&subject, place)?, of_block(&reference, place)?];
        if (block_of(&of_both)?.log_ratio - log_ratio).abs() > 1e-9 {
            return None;
        }
        runs.push(of_both);
    }
    Some(runs)
}
