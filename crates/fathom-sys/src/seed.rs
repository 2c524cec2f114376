//! A random seed: coins must not be the same in every session, or the effects of how sessions begin
//! would affect the same subject every time.

use std::hash::{BuildHasher, Hasher};

/// Another seed each time, short enough to be typed after `--seed`.
#[must_use]
pub fn fresh() -> u64 {
    let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.finish() % 1_000_000_000
}
