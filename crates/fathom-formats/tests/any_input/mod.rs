//! Inputs that no tool wrote.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Bytes at random.
pub(crate) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..200)
}

/// One of these files with a few bytes changed, which gets further than bytes at random.
pub(crate) fn changed(files: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((any::<Index>(), any::<u8>()), 1..6);
    (select(files), changes).prop_map(|(mut bytes, changes)| {
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes
    })
}
