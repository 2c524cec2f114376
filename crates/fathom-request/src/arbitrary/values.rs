//! Any value that an option takes.

use crate::EffortPreset;
use crate::value::{Named, OptionValue};
use fathom_analyze::compare::Margin;
use fathom_analyze::stopping::Precision;
use fathom_analyze::{Statistic, SubsessionRange};
use fathom_stats::{Confidence, Probability};
use proptest::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// Any text that a shell can pass, also one that looks like an option.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z./ ]{1,12}",
        "-{1,2}[a-z]{1,6}",
        "[^\0]{1,16}".prop_filter("not empty", |text| !text.trim().is_empty()),
    ]
}

/// Text that is easily torn apart, without space around it: options that have names trim it.
pub fn trimmed_text() -> impl Strategy<Value = String> {
    const ODD: [&str; 8] =
        ["-x", "--flag=1", "it's \"quoted\"", "a b  c", "$(x) `y`", "µ漢字", "=", "a\nb"];
    prop_oneof![
        "[a-z][a-z0-9_]{0,6}".boxed(),
        "[ -~]{0,10}[!-~]".prop_map(|text| text.trim().to_string()).boxed(),
        prop::sample::select(ODD.to_vec()).prop_map(str::to_string).boxed(),
    ]
}

/// A few such texts.
pub fn trimmed_texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(trimmed_text(), 0..3)
}

/// One of all that have names.
pub fn named<N: Named + std::fmt::Debug>() -> impl Strategy<Value = N> {
    prop::sample::select(N::ALL)
}

/// Any text without control characters, also empty, also like an option.
pub fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_.]{1,8}", "--?[a-z]{0,6}", "\\PC{0,8}"]
}

/// A few such texts.
pub fn any_texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any_text(), 0..3)
}

/// Files and folders, also of names like options.
pub fn paths() -> impl Strategy<Value = Vec<PathBuf>> {
    let path = prop_oneof!["[a-z][a-z/.]{0,8}", "-[a-z]{0,6}", "[a-z ']{1,8}"];
    prop::collection::vec(path.prop_map(PathBuf::from), 1..4)
}

/// One of a few values, by their texts.
pub fn one_of<V: OptionValue + std::fmt::Debug>(
    texts: &'static [&'static str],
) -> impl Strategy<Value = V> {
    prop::sample::select(texts).prop_filter_map("a value", |text| V::read(text).ok())
}

/// A name of letters.
pub fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_]{0,8}"
}

/// A path that does not look like an option.
pub fn path() -> impl Strategy<Value = PathBuf> {
    "[a-z./][a-z0-9./ é-]{0,12}".prop_map(PathBuf::from)
}

/// Any effort.
pub fn effort() -> impl Strategy<Value = EffortPreset> {
    named()
}

/// Any confidence.
pub fn confidence() -> impl Strategy<Value = Confidence> {
    prop_oneof![Just(0.95), Just(0.999), 0.5..1.0_f64]
        .prop_map(|level| Confidence::new(level).unwrap_or(Confidence::DEFAULT))
}

/// Any probability.
pub fn probability() -> impl Strategy<Value = Probability> {
    prop_oneof![Just(0.9), 1e-9..1.0_f64]
        .prop_map(|level| Probability::new(level).unwrap_or(Probability::HALF))
}

/// Any margin.
pub fn margin() -> impl Strategy<Value = Margin> {
    prop_oneof![Just(0.01), Just(1.5), 0.0..10.0_f64]
        .prop_map(|share| Margin::new(share).unwrap_or(Margin::DEFAULT))
}

/// Any range of Pilot's, or none.
pub fn subsession_range() -> impl Strategy<Value = Option<SubsessionRange>> {
    prop::option::of(1e-6..0.999_f64).prop_map(|range| SubsessionRange::new(range?).ok())
}

/// Any precision.
pub fn precision() -> impl Strategy<Value = Precision> {
    prop_oneof![Just(0.02), Just(1.0), 1e-6..1.0_f64]
        .prop_map(|share| Precision::new(share).unwrap_or(Precision::DEFAULT))
}

/// Any time that can be waited for.
pub fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![0..10_000_000_u64, 0..u64::MAX >> 1].prop_map(Duration::from_nanos)
}

/// Any statistic, as far as its name tells it from others.
pub fn statistic() -> impl Strategy<Value = Statistic> {
    prop_oneof![
        Just(Statistic::Mean),
        Just(Statistic::HarmonicMean),
        Just(Statistic::MEDIAN),
        (1..10_000_u32).prop_map(|level| {
            Statistic::parse(&format!("p{}", f64::from(level) / 100.0)).unwrap_or(Statistic::MEDIAN)
        }),
    ]
}
