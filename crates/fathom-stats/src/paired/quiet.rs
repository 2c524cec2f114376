//! Which blocks ran while the machine was quiet.
//!
//! A block's log-total does not know the coin, so any choice by totals keeps the signed-rank law
//! exact. (A choice by the spread within a block would not: the spread contains the effect.)

use super::Block;

/// At least this share of the blocks is kept.
const KEPT: f64 = 0.2;
/// With fewer blocks than this left there would be no interval worth having.
const ENOUGH: usize = 8;
/// The quiet blocks end where a gap follows that is this many times as wide as their lower half.
const FAR: f64 = 2.0;
/// A gap may hold this share of the blocks: those that the neighbour joined on their way.
const STRAY: f64 = 0.025;

/// The indices of the blocks to use: all, unless a part of them ran under other load.
///
/// Quiet blocks lie close together at the lower end of the totals, however few they are; those
/// under other load lie far above, or anywhere between. So the quiet ones end at the first gap that
/// is wide compared with how they spread. Without such a gap everything counts.
///
/// ```
/// use fathom_stats::paired::{Block, quiet_blocks};
/// // From block 30 on another program halves the speed.
/// let blocks: Vec<Block> = (0..40)
///     .filter_map(|i| {
///         let time = (1.0 + 0.001 * f64::from((i * 7) % 10)) * if i < 30 { 1.0 } else { 2.0 };
///         Block::of_pair(time, time)
///     })
///     .collect();
/// assert_eq!(quiet_blocks(&blocks), (0..30).collect::<Vec<_>>());
/// ```
#[must_use]
pub fn quiet_blocks(blocks: &[Block]) -> Vec<usize> {
    let n = blocks.len();
    let mut totals: Vec<f64> = blocks.iter().map(|block| block.log_total).collect();
    totals.sort_by(f64::total_cmp);
    let at_least = ((KEPT * n as f64).ceil() as usize).max(ENOUGH);
    let stray = (STRAY * n as f64) as usize;
    let spread = |kept: usize| totals[kept / 2] - totals[0];
    let is_end = |&kept: &usize| {
        let beyond = totals[(kept + stray).min(n - 1)];
        beyond - totals[kept - 1] > FAR * spread(kept)
    };
    match (at_least..n).find(is_end) {
        Some(kept) => {
            // What may be a stray may also be one of the quiet ones.
            let limit = totals[kept - 1] + 0.5 * spread(kept);
            (0..n).filter(|&index| blocks[index].log_total <= limit).collect()
        }
        None => (0..n).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(totals: impl IntoIterator<Item = f64>) -> Vec<Block> {
        totals.into_iter().map(|log_total| Block { log_ratio: 0.0, log_total }).collect()
    }

    #[test]
    fn a_neighbour_on_half_the_time_is_set_aside() {
        let noisy = blocks((0..40).map(|i| 0.01 * f64::from(i % 7) + f64::from(i / 5 % 2)));
        let kept = quiet_blocks(&noisy);
        assert_eq!(kept.len(), 20);
        assert!(kept.iter().all(|&index| index / 5 % 2 == 0));
    }

    #[test]
    fn drift_and_even_noise_keep_everything() {
        assert_eq!(quiet_blocks(&blocks((0..40).map(|i| 0.01 * f64::from(i)))).len(), 40);
        assert_eq!(quiet_blocks(&blocks((0..40).map(|i| f64::from(i * 7 % 40)))).len(), 40);
        assert_eq!(quiet_blocks(&blocks([0.0; 40])).len(), 40);
    }

    #[test]
    fn a_busy_neighbour_leaves_few() {
        // Every fourth block is quiet; the others are slower by anything.
        let noisy = blocks((0..40).map(|i| {
            if i % 4 == 0 { 0.002 * f64::from(i % 7) } else { 0.3 + 0.07 * f64::from(i) }
        }));
        let kept = quiet_blocks(&noisy);
        assert_eq!(kept, (0..40).step_by(4).collect::<Vec<_>>());
    }

    #[test]
    fn strays_do_not_hide_the_gap_among_many() {
        // 600 quiet blocks, 300 loaded, and 20 that the neighbour joined at any moment: without
        // them there would be one gap, with them there are many small ones.
        let quiet = (0..600).map(|i| 0.01 * f64::from(i % 13));
        let loaded = (0..300).map(|i| 2.7 + 0.01 * f64::from(i % 11));
        let strays = (0..20).map(|i| 0.2 + 0.12 * f64::from(i));
        let noisy = blocks(quiet.chain(loaded).chain(strays));
        assert_eq!(quiet_blocks(&noisy).len(), 600);
    }

    #[test]
    fn the_coin_does_not_matter() {
        let noisy: Vec<Block> =
            blocks((0..40).map(|i| 0.01 * f64::from(i % 7) + f64::from(i / 5 % 2)));
        let flipped: Vec<Block> = noisy
            .iter()
            .enumerate()
            .map(|(i, block)| Block { log_ratio: if i % 3 == 0 { 9.0 } else { -9.0 }, ..*block })
            .collect();
        assert_eq!(quiet_blocks(&noisy), quiet_blocks(&flipped));
    }

    #[test]
    fn few_blocks_are_all_kept() {
        let noisy = blocks((0..12).map(|i| f64::from(i % 2) + 0.001 * f64::from(i)));
        assert_eq!(quiet_blocks(&noisy[..8]).len(), 8);
        assert!(quiet_blocks(&[]).is_empty());
    }
}
