//! What requests are made of.

use fathom_request::CleaningOptions;
use fathom_request::value::Value;
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt::Debug;
use std::path::PathBuf;
use std::time::Duration;

/// Any text without control characters, also empty, also like an option.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_.]{1,8}", "--?[a-z]{0,6}", "\\PC{0,8}"]
}

/// A few of them.
pub(super) fn texts() -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..3)
}

/// Files and folders.
pub(super) fn paths() -> impl Strategy<Value = Vec<PathBuf>> {
    let path = prop_oneof!["[a-z][a-z/.]{0,8}", "-[a-z]{0,6}", "[a-z ']{1,8}"];
    vec(path.prop_map(PathBuf::from), 1..4)
}

/// A time to the nanosecond.
pub(super) fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![1..10_000_u64, 1..i64::MAX as u64].prop_map(Duration::from_nanos)
}

/// One of a few values, by their texts.
///
/// # Panics
/// If one of them is not read.
pub(super) fn one_of<V: Value + Clone + Debug + 'static>(
    texts: &'static [&'static str],
) -> impl Strategy<Value = V> {
    let values: Vec<V> = texts.iter().map(|text| read(text)).collect();
    proptest::sample::select(values)
}

fn read<V: Value>(text: &str) -> V {
    V::read(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// What happens to samples.
pub(super) fn cleaning() -> impl Strategy<Value = CleaningOptions> {
    (
        any::<(bool, bool)>(),
        one_of(&["auto", "off", "0", "12"]),
        one_of(&["flag", "remove", "keep"]),
        one_of(&["simplified", "full", "tukey", "mad"]),
        one_of(&["auto", "off", "0.25", "1000"]),
    )
        .prop_map(|((independent, correlogram), steady_state, outliers, method, grid)| {
            CleaningOptions {
                assume_independent: independent,
                steady_state,
                outliers,
                outlier_method: method,
                outlier_grid: grid,
                correlogram,
            }
        })
}
