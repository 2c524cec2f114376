//! Whether the ratio is the same on a slow machine as on a quick one.
//!
//! If what slows the machine multiplies both times, the ratio stays and the difference grows; if it
//! adds the same time to both, the difference stays and the ratio shrinks towards 1. How slow the
//! machine was is read off the blocks next to a block, not off the block itself: a command that
//! varies more than the other on its own makes a block's total and its ratio move together, on any
//! machine (Pitman and Morgan).

use super::{SlottedBlock, two_sided};
use crate::paired::median_walsh;
use crate::ranks::midranks_of;

/// With fewer blocks there is no telling.
const FEWEST: usize = 12;

/// Below this p-value a quantity depends on the speed of the machine, or as good as.
const SURPRISING: f64 = 0.01;

/// How ratio and difference go with the speed of the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeedDependence {
    /// The log-ratio in the half of the blocks next to which the machine was quicker, and in the
    /// other half.
    pub log_ratios: [f64; 2],
    /// The same of the difference subject less reference, in the unit of the measurement.
    pub differences: [f64; 2],
    /// For a ratio that does not depend on the speed.
    pub p_of_ratio: f64,
    /// For a difference that does not depend on the speed.
    pub p_of_difference: f64,
}

/// What slows the machine does to both times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoiseKind {
    /// It multiplies them: the ratio stays, and the difference does not.
    Multiplicative,
    /// It adds to them: the difference stays, and the ratio does not.
    Additive,
    /// Neither ratio nor difference stays.
    Neither,
    /// Both may stay: the commands differ too little, or the speed does.
    Unknown,
}

impl NoiseKind {
    /// All of them.
    pub const ALL: [NoiseKind; 4] =
        [NoiseKind::Multiplicative, NoiseKind::Additive, NoiseKind::Neither, NoiseKind::Unknown];

    /// The name in JSON.
    ///
    /// ```
    /// assert_eq!(fathom_stats::paired::NoiseKind::Additive.name(), "additive");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NoiseKind::Multiplicative => "multiplicative",
            NoiseKind::Additive => "additive",
            NoiseKind::Neither => "neither",
            NoiseKind::Unknown => "unknown",
        }
    }
}

impl SpeedDependence {
    /// What the noise does, as far as the blocks tell.
    ///
    /// ```
    /// use fathom_stats::paired::{NoiseKind, SpeedDependence};
    /// let found = SpeedDependence {
    ///     log_ratios: [0.26, 0.17],
    ///     differences: [0.003, 0.003],
    ///     p_of_ratio: 1e-6,
    ///     p_of_difference: 0.4,
    /// };
    /// assert_eq!(found.kind(), NoiseKind::Additive);
    /// ```
    #[must_use]
    pub fn kind(&self) -> NoiseKind {
        match (self.p_of_ratio < SURPRISING, self.p_of_difference < SURPRISING) {
            (false, true) => NoiseKind::Multiplicative,
            (true, false) => NoiseKind::Additive,
            (true, true) => NoiseKind::Neither,
            (false, false) => NoiseKind::Unknown,
        }
    }

    /// Judges the blocks with these places among `blocks`, all of them in time order.
    pub(super) fn of(blocks: &[SlottedBlock], counted: &[usize]) -> Option<SpeedDependence> {
        if counted.len() < FEWEST {
            return None;
        }
        let total = |place: usize| blocks.get(place).map(|block| block.block().log_total);
        let beside = |place: usize| {
            let neighbours = [place.checked_sub(1).and_then(total), total(place + 1)];
            let known: Vec<f64> = neighbours.into_iter().flatten().collect();
            known.iter().sum::<f64>() / known.len().max(1) as f64
        };
        let slowness: Vec<f64> = counted.iter().map(|&place| beside(place)).collect();
        let ranks = midranks_of(&slowness);
        let log_ratios: Vec<f64> =
            counted.iter().map(|&place| blocks[place].block().log_ratio).collect();
        let differences: Vec<f64> =
            counted.iter().map(|&place| blocks[place].difference()).collect();
        Some(SpeedDependence {
            log_ratios: halves(&ranks, &log_ratios)?,
            differences: halves(&ranks, &differences)?,
            p_of_ratio: two_sided(trend(&ranks, &log_ratios)),
            p_of_difference: two_sided(trend(&ranks, &differences)),
        })
    }
}

/// The pseudo-medians of the values with the lower ranks, and of those with the higher ones.
fn halves(ranks: &[f64], values: &[f64]) -> Option<[f64; 2]> {
    let middle = 0.5 * (ranks.len() as f64 + 1.0);
    let of = |is_wanted: &dyn Fn(f64) -> bool| {
        let wanted = ranks.iter().zip(values).filter(|(rank, _)| is_wanted(**rank));
        centre(&wanted.map(|(_, value)| *value).collect::<Vec<f64>>())
    };
    Some([of(&|rank| rank < middle)?, of(&|rank| rank > middle)?])
}

fn centre(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    median_walsh(&sorted)
}

/// By how many standard errors values grow with the ranks of something else.
///
/// Coins give the values' distances from their centre their signs, whatever the size of those
/// distances has to do with the ranks: so the signs alone make the standard error.
fn trend(ranks: &[f64], values: &[f64]) -> f64 {
    let Some(centre) = centre(values) else { return 0.0 };
    let residuals: Vec<f64> = values.iter().map(|value| value - centre).collect();
    let sizes = midranks_of(&residuals.iter().map(|value| value.abs()).collect::<Vec<f64>>());
    let signed = residuals
        .iter()
        .zip(sizes)
        .map(|(residual, size)| if *residual == 0.0 { 0.0 } else { size.copysign(*residual) });
    let scores: Vec<f64> = signed.collect();
    // Where the coins fell unevenly on values at two ends, the centre is nearer to one of them.
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    let middle = 0.5 * (ranks.len() as f64 + 1.0);
    let (mut sum, mut squares) = (0.0, 0.0);
    for (rank, score) in ranks.iter().zip(scores) {
        let term = (rank - middle) * (score - mean);
        sum += term;
        squares += term * term;
    }
    if squares > 0.0 { sum / squares.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::scrambled;
    use super::*;

    /// Blocks on a machine that is slower by `slow(i)`, which multiplies or adds.
    fn blocks(is_additive: bool, ratio: f64) -> Vec<SlottedBlock> {
        let wobble = |i: usize| 1.0 + 0.002 * (scrambled(i) - 0.5);
        (0..100)
            .map(|block| {
                let slow = 0.4 * (block as f64 / 15.0).sin().abs();
                let time = |work: f64, slot: usize| {
                    let work = work * wobble(4 * block + slot);
                    if is_additive { work + slow } else { work * (1.0 + slow) }
                };
                let runs = [
                    (0, time(1.0, 0)),
                    (1, time(ratio, 1)),
                    (1, time(ratio, 2)),
                    (0, time(1.0, 3)),
                ];
                SlottedBlock::of(&runs, [0, 1], None).unwrap()
            })
            .collect()
    }

    fn found(blocks: &[SlottedBlock]) -> SpeedDependence {
        SpeedDependence::of(blocks, &(0..blocks.len()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn noise_that_multiplies_keeps_the_ratio_and_noise_that_adds_the_difference() {
        let multiplied = found(&blocks(false, 1.3));
        assert_eq!(multiplied.kind(), NoiseKind::Multiplicative, "{multiplied:?}");
        let added = found(&blocks(true, 1.3));
        assert_eq!(added.kind(), NoiseKind::Additive, "{added:?}");
        let [quick, slow] = added.log_ratios;
        assert!(quick > slow + 0.02 && slow > 0.0, "{added:?}");
        assert!((added.differences[0] - 0.3).abs() < 0.01, "{added:?}");
        // Equal commands show neither.
        assert_eq!(found(&blocks(true, 1.0)).kind(), NoiseKind::Unknown);
    }

    /// A command that varies on its own is no machine that changes its speed.
    #[test]
    fn a_command_that_varies_by_itself_is_not_blamed_on_the_machine() {
        let blocks: Vec<SlottedBlock> = (0..200)
            .map(|i| {
                let subject = 1.0 + 0.2 * scrambled(i);
                let runs = [(0, 1.0), (1, subject), (1, subject), (0, 1.001)];
                SlottedBlock::of(&runs, [0, 1], None).unwrap()
            })
            .collect();
        assert!(found(&blocks).p_of_ratio > 0.05, "{:?}", found(&blocks));
        // Against the block's own total it would be certain.
        let totals: Vec<f64> = blocks.iter().map(|block| block.block().log_total).collect();
        let ratios: Vec<f64> = blocks.iter().map(|block| block.block().log_ratio).collect();
        assert!(trend(&midranks_of(&totals), &ratios) > 5.0);
    }

    #[test]
    fn few_and_equal_blocks_tell_nothing() {
        let runs = [(0, 1.0), (1, 2.0), (1, 2.0), (0, 1.0)];
        let same = vec![SlottedBlock::of(&runs, [0, 1], None).unwrap(); 30];
        assert_eq!(SpeedDependence::of(&same, &[0, 1, 2]), None);
        // Ranks that are all shared have no halves.
        assert_eq!(SpeedDependence::of(&same, &(0..30).collect::<Vec<_>>()), None);
    }
}
