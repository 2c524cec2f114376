//! Where things are in the checkout.

use std::path::{Path, PathBuf};

/// The top folder of the checkout this crate was built from.
#[must_use]
pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").components().collect()
}

/// The folder with test data.
#[must_use]
pub fn testdata() -> PathBuf {
    top().join("testdata")
}
