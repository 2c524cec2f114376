//! Seeds of executions: one of its own for every number.

use crate::environment_offset::SplitMix64;

/// Seeds are below 2^31, so that they fit into any program's `int`.
const BITS: u32 = 31;
const MASK: u32 = (1 << BITS) - 1;
/// Three are enough for every bit to depend on every other; the rest are a margin.
const ROUNDS: usize = 6;
/// Odd, so that multiplying can be undone; from Ellis's search for good 32-bit mixers (2018).
const FACTORS: [u32; 2] = [0x7feb_352d, 0x846c_a68b];

/// The seed of an execution, below 2^31. No two numbers below 2^31 have the same one, so that no
/// execution of a check repeats another; beyond they start again.
///
/// Every step below can be undone, so the whole is a permutation, a different one for every master.
///
/// ```
/// use fathom_measure::experiment::seed_of;
/// assert_eq!(seed_of(7, 0), seed_of(7, 0));
/// assert_ne!(seed_of(7, 0), seed_of(7, 1));
/// assert_ne!(seed_of(7, 0), seed_of(8, 0));
/// ```
#[must_use]
pub fn seed_of(master: u64, number: u64) -> u32 {
    let mut keys = SplitMix64 { state: master };
    let mut x = low_bits(number);
    for round in 0..ROUNDS {
        x = x.wrapping_add(low_bits(keys.next())) & MASK;
        x ^= x >> 16;
        x = x.wrapping_mul(FACTORS[round % FACTORS.len()]) & MASK;
        x ^= x >> 15;
    }
    x
}

fn low_bits(number: u64) -> u32 {
    u32::try_from(number & u64::from(MASK)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The steps backwards.
    fn number_of(master: u64, seed: u32) -> u32 {
        let mut keys = SplitMix64 { state: master };
        let keys: Vec<u32> = (0..ROUNDS).map(|_| low_bits(keys.next())).collect();
        // Newton's iteration doubles the right bits each time.
        let inverse = |factor: u32| {
            (0..5).fold(1_u32, |x, _| x.wrapping_mul(2_u32.wrapping_sub(factor.wrapping_mul(x))))
        };
        let mut x = seed;
        for round in (0..ROUNDS).rev() {
            x ^= (x >> 15) ^ (x >> 30);
            x = x.wrapping_mul(inverse(FACTORS[round % FACTORS.len()])) & MASK;
            x ^= x >> 16;
            x = x.wrapping_sub(keys[round]) & MASK;
        }
        x
    }

    proptest! {
        #[test]
        fn a_seed_tells_its_number(master in any::<u64>(), number in 0_u64..1 << 31) {
            let seed = seed_of(master, number);
            prop_assert!(seed < 1 << 31);
            prop_assert_eq!(u64::from(number_of(master, seed)), number);
        }

        #[test]
        fn a_bit_of_the_number_changes_half_of_the_seed(master in any::<u64>(), bit in 0..31) {
            let changed: u32 = (0..2000)
                .map(|n| (seed_of(master, n) ^ seed_of(master, n ^ (1_u64 << bit))).count_ones())
                .sum();
            // 31000 are expected. Pairs may occur twice, so one standard deviation is up to 176.
            prop_assert!((30_000..32_000).contains(&changed), "{changed}");
        }
    }

    #[test]
    fn a_million_are_distinct_and_even_in_every_bit() {
        let mut seeds: Vec<u32> = (0..1_000_000).map(|n| seed_of(42, n)).collect();
        for bit in 0..BITS {
            let ones = seeds.iter().filter(|&&seed| seed >> bit & 1 == 1).count();
            // Five standard deviations.
            assert!((497_500..502_500).contains(&ones), "bit {bit}: {ones}");
        }
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 1_000_000);
    }

    #[test]
    fn masters_give_different_orders() {
        let of = |master| -> Vec<u32> { (0..1000).map(|n| seed_of(master, n)).collect() };
        let (first, second) = (of(1), of(2));
        let same = first.iter().zip(&second).filter(|(a, b)| a == b).count();
        assert!(same <= 1, "{same}");
        assert_ne!(first[1..], second[..999], "neighbours must not be shifted copies");
        // Pinned: a resumed check must have the seeds it had.
        assert_eq!(of(0)[..3], [531_498_868, 1_624_398_752, 562_272_950]);
    }

    #[test]
    fn beyond_two_to_the_31_they_begin_anew() {
        assert_eq!(seed_of(5, 1 << 31), seed_of(5, 0));
        assert!(seed_of(5, u64::MAX) < 1 << 31);
    }
}
