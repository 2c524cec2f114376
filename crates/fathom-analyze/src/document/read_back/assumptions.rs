//! What a comparison's blocks said about its assumptions, read back.

use fathom_stats::paired::{
    Assumptions, BlockSkew, CarryOver, PairingGain, RunNoise, SpeedDependence,
};
use serde_json::Value;

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
    use crate::compare::Margin;
    use crate::document::assumptions::AssumptionsEntry;
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
