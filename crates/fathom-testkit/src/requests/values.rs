//! Random values of options.

use fathom_request::value::Named;
use fathom_stats::{Confidence, Probability};
use proptest::prelude::*;
use std::time::Duration;

/// Texts that are easily torn apart.
const ODD: &[&str] =
    &["-x", "--flag=1", "it's \"quoted\"", "a b  c", "$(x) `y`", "µ漢字", "=", "a\nb"];

/// Text of any kind that an option can have: not empty, without space around it.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-z0-9_]{0,6}".boxed(),
        "[ -~]{0,10}[!-~]".prop_map(|text| text.trim().to_string()).boxed(),
        prop::sample::select(ODD).prop_map(str::to_string).boxed(),
    ]
}

/// A name without a = in it.
pub(super) fn name() -> impl Strategy<Value = String> {
    "[A-Za-z_][A-Za-z0-9_.]{0,6}"
}

pub(super) fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..3)
}

/// One of all that have names.
pub(super) fn named<N: Named + std::fmt::Debug>() -> impl Strategy<Value = N> {
    prop::sample::select(N::ALL)
}

pub(super) fn duration() -> impl Strategy<Value = Duration> {
    let exponent = 0..10_u32;
    (1..10_000_u64, exponent).prop_map(|(n, e)| Duration::from_nanos(n * 10_u64.pow(e)))
}

pub(super) fn probability() -> impl Strategy<Value = Probability> {
    let shares = prop_oneof![Just(0.9), 1e-6..1.0_f64, (1..1000_u32).prop_map(thousandths)];
    shares.prop_filter_map("a probability", |share| Probability::new(share).ok())
}

pub(super) fn confidence() -> impl Strategy<Value = Confidence> {
    let shares = prop_oneof![Just(0.95), 0.5..1.0_f64, (500..1000_u32).prop_map(thousandths)];
    shares.prop_filter_map("a confidence", |share| Confidence::new(share).ok())
}

fn thousandths(count: u32) -> f64 {
    f64::from(count) / 1000.0
}
