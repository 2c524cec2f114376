//! What a comparison's blocks say about its assumptions, in the JSON contract.

use crate::compare::{Assumption, Margin};
use fathom_derive::Serialize;
use fathom_stats::paired::Assumptions;

/// What the blocks of a comparison say about its assumptions. Each check has an `outcome`; its
/// numbers are `null` if it cannot tell. See `docs/methods/assumptions.md`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Assumptions"))]
pub(super) struct AssumptionsEntry {
    /// How many blocks were checked: all that the ratio rests on.
    blocks: usize,
    /// Whether a run depends on what ran before it.
    carry_over: CarryOverEntry,
    /// Whether the ratio depends on how slow the machine is.
    speed: SpeedEntry,
    /// Whether the log-ratios of blocks are skewed.
    skew: SkewEntry,
    /// How much single runs differ, how much the machine drifts, and whether that changed.
    noise: NoiseEntry,
    /// What pairing gains.
    pairing: PairingEntry,
}

/// Whether a run depends on what ran before it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "CarryOver"))]
struct CarryOverEntry {
    /// `broken`: the blocks contradict the assumption, by an amount that matters.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::compare::AssumptionOutcome::ALL.map(|one| one.name()))))]
    outcome: &'static str,
    /// How much longer the reference takes after the subject than after itself: 0.02 is 2%. `null`
    /// if more than two commands take turns.
    reference: Option<f64>,
    /// How much longer the subject takes after the reference than after itself.
    subject: Option<f64>,
    /// The subject's log-ratio less the reference's.
    difference: Option<f64>,
    /// By how much the logarithm of `ratio` is larger because of it.
    bias: Option<f64>,
    /// The p-value for no carry-over.
    p_value: Option<f64>,
    /// Whether the evidence is that the two differ, which biases the ratio.
    unequal: Option<bool>,
}

/// Whether the ratio depends on how slow the machine is.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SpeedDependence"))]
struct SpeedEntry {
    /// `broken`: the ratio depends on it, by an amount that matters.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::compare::AssumptionOutcome::ALL.map(|one| one.name()))))]
    outcome: &'static str,
    /// What slows the machine does to both times: `multiplicative` keeps their ratio, `additive`
    /// their difference.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_record::own_json::or_null(fathom_stats::paired::NoiseKind::ALL.map(|one| one.name())))))]
    kind: Option<&'static str>,
    /// The ratio while the machine was quicker, and while it was slower.
    ratios: Option<[f64; 2]>,
    /// The same of the difference, in the unit of the subjects.
    differences: Option<[f64; 2]>,
    /// The p-value for a ratio that does not depend on it.
    p_of_ratio: Option<f64>,
    /// The p-value for a difference that does not depend on it.
    p_of_difference: Option<f64>,
}

/// Whether the log-ratios of blocks are skewed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "BlockSkew"))]
struct SkewEntry {
    /// `broken`: they are, by an amount that matters.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::compare::AssumptionOutcome::ALL.map(|one| one.name()))))]
    outcome: &'static str,
    /// The mean of the log-ratios, as bench_diff takes it.
    mean: Option<f64>,
    /// Their pseudo-median, which is the logarithm of the ratio in a single look.
    centre: Option<f64>,
    /// From -1 to 1; above 0 the longer tail is that of high ratios.
    lopsidedness: Option<f64>,
    /// The p-value for no skew (triples test).
    p_value: Option<f64>,
}

/// How much single runs differ, how much the machine drifts, and whether that changed. Standard
/// deviations of logarithms: 0.02 is 2%.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RunNoise"))]
struct NoiseEntry {
    /// `broken`: single runs differ at least twice as much, or half as much, as before.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::compare::AssumptionOutcome::ALL.map(|one| one.name()))))]
    outcome: &'static str,
    /// Of single runs.
    runs: Option<f64>,
    /// Of single runs of reference and subject; `null` if they are too few.
    each: Option<[f64; 2]>,
    /// Of the machine's speed from block to block.
    machine: Option<f64>,
    /// Of single runs in the first half of the blocks, and in the second.
    halves: Option<[f64; 2]>,
    /// The p-value for no change.
    p_value: Option<f64>,
}

/// What pairing gains.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PairingGain"))]
struct PairingEntry {
    /// `broken`: pairing makes the interval wider.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::compare::AssumptionOutcome::ALL.map(|one| one.name()))))]
    outcome: &'static str,
    /// By what factor the interval is narrower than that of separate runs.
    factor: Option<f64>,
    /// The p-value for pairing that does not cost.
    p_value: Option<f64>,
}

impl AssumptionsEntry {
    pub(super) fn of(found: &Assumptions, margin: Margin) -> AssumptionsEntry {
        let outcome = |one: Assumption| one.judge(found, margin).name();
        let Assumptions { carry_over, speed, skew, noise, gain, .. } = *found;
        let each = carry_over.and_then(|found| found.of_each()).map(|each| each.map(f64::exp_m1));
        AssumptionsEntry {
            blocks: found.blocks,
            carry_over: CarryOverEntry {
                outcome: outcome(Assumption::NoCarryOver),
                reference: each.map(|[reference, _]| reference),
                subject: each.map(|[_, subject]| subject),
                difference: carry_over.map(|found| found.difference),
                bias: carry_over.map(|found| found.bias),
                p_value: carry_over.map(|found| found.p_value),
                unequal: carry_over.map(|found| found.is_unequal),
            },
            speed: SpeedEntry {
                outcome: outcome(Assumption::SameRatioAtAnySpeed),
                kind: speed.map(|found| found.kind().name()),
                ratios: speed.map(|found| found.log_ratios.map(f64::exp)),
                differences: speed.map(|found| found.differences),
                p_of_ratio: speed.map(|found| found.p_of_ratio),
                p_of_difference: speed.map(|found| found.p_of_difference),
            },
            skew: SkewEntry {
                outcome: outcome(Assumption::SymmetricBlocks),
                mean: skew.map(|found| found.mean),
                centre: skew.map(|found| found.centre),
                lopsidedness: skew.map(|found| found.lopsidedness),
                p_value: skew.map(|found| found.p_value),
            },
            noise: NoiseEntry {
                outcome: outcome(Assumption::SteadyNoise),
                runs: noise.map(|found| found.of_runs),
                each: noise.and_then(|found| found.of_each),
                machine: noise.map(|found| found.of_machine),
                halves: noise.map(|found| found.halves),
                p_value: noise.map(|found| found.p_value),
            },
            pairing: PairingEntry {
                outcome: outcome(Assumption::PairingGains),
                factor: gain.map(|found| found.factor),
                p_value: gain.map(|found| found.p_value),
            },
        }
    }
}
