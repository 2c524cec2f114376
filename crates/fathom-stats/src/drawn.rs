//! Random numbers that follow from a seed and their place in a sequence, in any order.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number at a place of the sequence that a seed begins. Different places, and different seeds,
/// have numbers that tell nothing about each other.
///
/// ```
/// use fathom_stats::drawn_number;
/// assert_eq!(drawn_number(1, 7), drawn_number(1, 7));
/// assert_ne!(drawn_number(1, 7), drawn_number(1, 8));
/// ```
#[must_use]
pub fn drawn_number(seed: u64, place: u64) -> u64 {
    let stream = place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Xoshiro256PlusPlus::seed_from_u64(seed ^ stream).next_u64()
}
