//! What a comparison's blocks say about its assumptions, in the JSON contract.

use crate::compare::{Assumption, Margin};
use fathom_stats::paired::{
    Assumptions, BlockSkew, CarryOver, PairingGain, RunNoise, SpeedDependence,
};
use serde::Serialize;
use serde_json::Value;

/// What the blocks of a comparison say about its assumptions. Each check has an `outcome`; its
/// numbers are `null` if it cannot tell. See `docs/methods/assumptions.md`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Assumptions"))]
pub(super) struct AssumptionsEntry {
    /// How many blocks were checked: those that the ratio rests on.
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

/// What was written; `None` where there is none.
pub(super) fn read(entry: &Value) -> Option<Assumptions> {
    Some(Assumptions {
        blocks: usize::try_from(entry["blocks"].as_u64()?).ok()?,
        carry_over: carry_over(&entry["carry_over"]),
        speed: speed(&entry["speed"]),
        skew: skew(&entry["skew"]),
        noise: noise(&entry["noise"]),
        gain: gain(&entry["pairing"]),
    })
}

fn two(value: &Value) -> Option<[f64; 2]> {
    Some([value.get(0)?.as_f64()?, value.get(1)?.as_f64()?])
}

fn speed(entry: &Value) -> Option<SpeedDependence> {
    Some(SpeedDependence {
        log_ratios: two(&entry["ratios"])?.map(f64::ln),
        differences: two(&entry["differences"])?,
        p_of_ratio: entry["p_of_ratio"].as_f64()?,
        p_of_difference: entry["p_of_difference"].as_f64()?,
    })
}

fn skew(entry: &Value) -> Option<BlockSkew> {
    Some(BlockSkew {
        mean: entry["mean"].as_f64()?,
        centre: entry["centre"].as_f64()?,
        lopsidedness: entry["lopsidedness"].as_f64()?,
        p_value: entry["p_value"].as_f64()?,
    })
}

fn noise(entry: &Value) -> Option<RunNoise> {
    Some(RunNoise {
        of_runs: entry["runs"].as_f64()?,
        of_each: two(&entry["each"]),
        of_machine: entry["machine"].as_f64()?,
        halves: two(&entry["halves"])?,
        p_value: entry["p_value"].as_f64()?,
    })
}

fn gain(entry: &Value) -> Option<PairingGain> {
    let (factor, p_value) = (entry["factor"].as_f64()?, entry["p_value"].as_f64()?);
    Some(PairingGain { factor, p_value })
}

fn carry_over(entry: &Value) -> Option<CarryOver> {
    let each = entry["reference"].as_f64().zip(entry["subject"].as_f64());
    Some(CarryOver {
        difference: entry["difference"].as_f64()?,
        common: each.map(|(a, b)| 0.5 * (a.ln_1p() + b.ln_1p())),
        bias: entry["bias"].as_f64()?,
        p_value: entry["p_value"].as_f64()?,
        is_unequal: entry["unequal"].as_bool()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::paired::{SlottedBlock, block_order};

    fn of(blocks: usize) -> Assumptions {
        let mut before = None;
        let blocks: Vec<SlottedBlock> = (0..blocks)
            .filter_map(|block| {
                let order = block_order(1, block, &[0, 1]);
                let last = before.replace(order[0]);
                let value = |slot: usize| 1.0 + 0.01 * ((block * 4 + slot) * 7919 % 101) as f64;
                let runs: Vec<(usize, f64)> =
                    order.into_iter().enumerate().map(|(slot, who)| (who, value(slot))).collect();
                SlottedBlock::of(&runs, [0, 1], last)
            })
            .collect();
        Assumptions::of(&blocks, &vec![true; blocks.len()])
    }

    #[test]
    fn what_was_written_is_read_back() {
        let write = |found: &Assumptions| {
            serde_json::to_value(AssumptionsEntry::of(found, Margin::DEFAULT)).unwrap()
        };
        let found = of(60);
        let written = write(&found);
        let read = read(&written).unwrap();
        // Logarithms that were written as ratios lose their last digit.
        assert_eq!(
            (read.blocks, read.skew, read.noise, read.gain),
            (60, found.skew, found.noise, found.gain)
        );
        assert!(read.carry_over.is_some() && read.speed.is_some());
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let (a, b) = (read.carry_over.unwrap(), found.carry_over.unwrap());
        assert!(close(a.common.unwrap(), b.common.unwrap()) && a.p_value == b.p_value);
        let (a, b) = (read.speed.unwrap(), found.speed.unwrap());
        assert!(close(a.log_ratios[0], b.log_ratios[0]) && a.differences == b.differences);
        assert_eq!(write(&read)["noise"], written["noise"]);
    }

    #[test]
    fn too_few_blocks_are_read_back_as_such() {
        let written = serde_json::to_value(AssumptionsEntry::of(&of(3), Margin::DEFAULT)).unwrap();
        assert_eq!(written["carry_over"]["outcome"], "cannot_tell");
        assert!(written["speed"]["ratios"].is_null());
        assert_eq!(read(&written), Some(Assumptions { blocks: 3, ..Assumptions::default() }));
        assert_eq!(read(&Value::Null), None);
    }
}
