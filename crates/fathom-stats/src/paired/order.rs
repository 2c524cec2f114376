//! The order of runs in a block of a comparison.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The order of block number `block`: the participants in random order, then the same mirrored.
///
/// With two of them that is ABBA or BAAB by a fair coin. With more, which of any two comes first is
/// a fair coin too, and the mirror cancels whatever drifts in a straight line.
/// Each block's order follows from the seed and its number alone, so a resumed session goes on with
/// the very coins it would have had.
///
/// ```
/// use fathom_stats::paired::block_order;
/// let order = block_order(1, 0, &[0, 1]);
/// assert!(order == [0, 1, 1, 0] || order == [1, 0, 0, 1]);
/// assert_eq!(order, block_order(1, 0, &[0, 1]));
/// ```
#[must_use]
pub fn block_order(seed: u64, block: usize, participants: &[usize]) -> Vec<usize> {
    let stream = (block as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ stream);
    let mut order = participants.to_vec();
    // Fisher and Yates. The remainder favours low places by one in 2⁶⁰.
    for last in (1..order.len()).rev() {
        let place = (rng.next_u64() % (last as u64 + 1)) as usize;
        order.swap(last, place);
    }
    let mirrored: Vec<usize> = order.iter().rev().copied().collect();
    order.extend(mirrored);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_its_own_mirror_image_with_two_runs_of_each() {
        for block in 0..100 {
            let order = block_order(7, block, &[0, 2, 5]);
            let mirrored: Vec<usize> = order.iter().rev().copied().collect();
            assert_eq!(order, mirrored);
            assert!([0, 2, 5].iter().all(|one| order.iter().filter(|x| *x == one).count() == 2));
        }
    }

    /// A fair coin decides which of two comes first, and the coins of neighbouring blocks are
    /// independent.
    #[test]
    fn coins_are_fair() {
        let n = 10_000;
        for (participants, pair) in [(vec![0, 1], (0, 1)), (vec![0, 1, 2, 3], (1, 3))] {
            let coins: Vec<bool> = (0..n)
                .map(|block| {
                    let order = block_order(11, block, &participants);
                    let place = |who| order.iter().position(|x| *x == who);
                    place(pair.0) < place(pair.1)
                })
                .collect();
            let heads = coins.iter().filter(|coin| **coin).count() as f64;
            let agree = coins.windows(2).filter(|two| two[0] == two[1]).count() as f64;
            // Four standard deviations of 10,000 coins are 200.
            assert!((heads - 5000.0).abs() < 200.0, "{heads}");
            assert!((agree - 5000.0).abs() < 200.0, "{agree}");
        }
    }

    #[test]
    fn seeds_and_blocks_differ_and_repeat() {
        let coins = |seed| (0..64).map(|b| block_order(seed, b, &[0, 1])[0]).collect::<Vec<_>>();
        assert_eq!(coins(1), coins(1));
        assert_ne!(coins(1), coins(2));
    }
}
