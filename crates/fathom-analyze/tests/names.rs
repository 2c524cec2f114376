//! The names that stand in JSON: they stay, and no two of a kind are the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::clean::{OtherLoad, SlowBeginning};
use fathom_analyze::compare::{
    Design, Gate, GateOutcome, LayoutArrangement, Margin, Pairing, Verdict,
};
use fathom_analyze::{CallTiming, Levels, Method, StopReason};

#[test]
fn names_stay() {
    assert_eq!(
        Gate::ALL.map(|of| of(Margin::DEFAULT).name()),
        ["fail_if_slower", "require_equivalent"]
    );
    assert_eq!(GateOutcome::ALL.map(GateOutcome::name), ["passed", "failed", "inconclusive"]);
    let verdicts = ["faster", "slower", "equivalent", "inconclusive", "mixed"];
    assert_eq!(Verdict::ALL.map(Verdict::name), verdicts);
    let pairings = ["runs", "single_runs", "batches", "executions", "layouts"];
    assert_eq!(Pairing::ALL.map(Pairing::name), pairings);
    assert_eq!(Design::Unpaired { samples: [1, 2] }.name(), "unpaired");
    assert_eq!(LayoutArrangement::ALL.map(LayoutArrangement::name), ["shuffled", "padded"]);
    let stopped = ["precision", "verdict", "max_time", "max_runs", "interrupted", "fixed"];
    assert_eq!(StopReason::ALL.map(StopReason::name), stopped);
    let methods = ["exact", "sequence", "spa", "bca", "sign", "t", "z", "subsession"];
    assert_eq!(Method::ALL.map(Method::name), methods);
    assert_eq!(Method::ALL.map(|method| method.to_string()), methods);
    assert_eq!(CallTiming::ALL.map(CallTiming::name), ["throughput", "latency"]);
    let counted =
        [Levels::Values, Levels::Pooled { executions: 3 }, Levels::Executions { executions: 3 }];
    assert_eq!(counted.map(Levels::name), ["value", "value", "execution"]);
    let load = OtherLoad { before: 0.5, after: 0.1 };
    let beginnings =
        [SlowBeginning::WarmUp, SlowBeginning::Disturbed(load), SlowBeginning::Unexplained];
    assert_eq!(beginnings.map(SlowBeginning::name), ["warmup", "disturbed", "unexplained"]);
}
