//! Which blocks ran while the machine was quiet.
//!
//! A block's log-total does not know the coin, so any choice by totals keeps the signed-rank law
//! exact. (A choice by the spread within a block would not: the spread contains the effect.)

use super::Block;

/// The quiet blocks' place: this share of the totals from below.
const QUIET: f64 = 0.3;
/// Blocks are beside other load if they lie farther above the quiet ones than this many times
/// what those spread.
const FAR: f64 = 5.0;
/// Fewer loaded blocks than this share are left to the robust estimate.
const WORTHWHILE: f64 = 0.15;
/// At least this share of the blocks is kept.
const KEPT: f64 = 0.5;
/// With fewer blocks than this left there would be no interval worth having.
const ENOUGH: usize = 10;

/// The indices of the blocks to use: all, unless a part of them ran beside other load.
#[must_use]
pub fn quiet_blocks(blocks: &[Block]) -> Vec<usize> {
    let n = blocks.len();
    let everything = || (0..n).collect();
    let mut totals: Vec<f64> = blocks.iter().map(|block| block.log_total).collect();
    totals.sort_by(f64::total_cmp);
    let at_least = ((KEPT * n as f64).ceil() as usize).max(ENOUGH);
    if at_least >= n {
        return everything();
    }
    let quiet = totals[(QUIET * n as f64) as usize];
    let limit = quiet + FAR * (quiet - totals[0]);
    let loaded = totals.iter().filter(|&&total| total > limit).count();
    if (loaded as f64) < WORTHWHILE * n as f64 {
        return everything();
    }
    let limit = limit.max(totals[at_least - 1]);
    (0..n).filter(|&index| blocks[index].log_total <= limit).collect()
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
    fn few_blocks_are_all_kept() {
        let noisy = blocks((0..12).map(|i| f64::from(i % 2) + 0.001 * f64::from(i)));
        assert_eq!(quiet_blocks(&noisy[..10]).len(), 10);
        assert!(quiet_blocks(&[]).is_empty());
    }
}
