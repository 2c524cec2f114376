//! The names that stand in JSON: they stay, and no two of a kind are the same. And what a property reads.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_property::decide::{CheckVerdict, Method};
use fathom_property::{CaveatKind, CheckStopReason, Mentioned, Truth, ValueMethod};
use std::collections::BTreeSet;

#[test]
fn names_stay() {
    let stopped = ["answered", "fixed", "max_runs", "max_time", "dependent", "interrupted"];
    assert_eq!(CheckStopReason::ALL.map(CheckStopReason::name), stopped);
    assert_eq!(CheckVerdict::ALL.map(CheckVerdict::name), ["true", "false", "inconclusive"]);
    assert_eq!(Truth::ALL.map(Truth::name), ["true", "false", "vacuous", "unknown"]);
    assert_eq!(ValueMethod::ALL.map(ValueMethod::name), ["exact", "anytime", "spa"]);
    let methods = [Method::Anytime, Method::Exact, Method::Spa, Method::Wald { indifference: 0.1 }];
    assert_eq!(methods.map(Method::name), Method::NAMES);
    let caveats = CaveatKind::ALL.map(CaveatKind::name);
    assert_eq!(caveats.iter().collect::<BTreeSet<_>>().len(), CaveatKind::ALL.len());
    assert!(caveats.contains(&"barely_tested") && caveats.contains(&"host_time"), "{caveats:?}");
}

#[test]
fn what_is_mentioned_is_found_by_its_name() {
    let names = BTreeSet::from([(0, "ipc".to_string()), (1, "power".to_string())]);
    let mentioned = Mentioned { names, ..Mentioned::default() };
    assert!(mentioned.has("ipc") && mentioned.has("power"));
    assert!(!mentioned.has("temp") && !Mentioned::default().has("ipc"));
}
