//! Whether a comparison's own blocks contradict what the comparison assumes.
//!
//! The model says: a run takes λ·α(t)·β, whatever ran before it. The blocks can contradict that in
//! five ways, each with a test of its own. Where a test can, it rests on the coins: given the noise
//! of the slots, a coin decides which command ran in which slot, so what depends on the coin comes
//! from the commands and not from the machine. See `docs/methods/compare.md` and
//! `calibration/compare.md`.

mod carry_over;
mod noise;
mod pairing_gain;
mod rank_sum;
mod skew;
mod slotted_block;
mod speed_dependence;

pub use carry_over::CarryOver;
pub use noise::RunNoise;
pub use pairing_gain::PairingGain;
pub use skew::BlockSkew;
pub use slotted_block::{SlotSide, SlottedBlock};
pub use speed_dependence::{NoiseKind, SpeedDependence};

/// What the blocks of a comparison say about its assumptions; `None` where they are too few to say
/// anything, or do not show it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Assumptions {
    /// How many blocks were looked at.
    pub blocks: usize,
    /// Whether a run depends on what ran before it.
    pub carry_over: Option<CarryOver>,
    /// Whether the ratio depends on how slow the machine is.
    pub speed: Option<SpeedDependence>,
    /// Whether the log-ratios are as far above their centre as below it.
    pub skew: Option<BlockSkew>,
    /// How much single runs differ, how much the machine drifts, whether that changed.
    pub noise: Option<RunNoise>,
    /// What pairing gains.
    pub gain: Option<PairingGain>,
}

impl Assumptions {
    /// Looks at blocks in their order. Only blocks for which `counts` is true are judged, because
    /// the ratio rests on them; the others still say how slow the machine was next to them.
    ///
    /// ```
    /// use fathom_stats::paired::{Assumptions, SlottedBlock, block_order};
    ///
    /// // A run of the subject takes 5% longer if the reference ran before it.
    /// let mut before = None;
    /// let mut blocks = Vec::new();
    /// for block in 0..60 {
    ///     let (begins_after, mut runs) = (before, Vec::new());
    ///     for (slot, who) in block_order(1, block, &[0, 1]).into_iter().enumerate() {
    ///         let carried = if who == 1 && before == Some(0) { 0.05 } else { 0.0 };
    ///         let noise = 0.001 * ((37 * block + 11 * slot) % 10) as f64;
    ///         runs.push((who, (carried + noise).exp()));
    ///         before = Some(who);
    ///     }
    ///     blocks.extend(SlottedBlock::of(&runs, [0, 1], begins_after));
    /// }
    /// let found = Assumptions::of(&blocks, &[true; 60]);
    /// let carried = found.carry_over.ok_or("too few")?;
    /// assert!(carried.p_value < 1e-6 && (carried.difference - 0.05).abs() < 0.005);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of(blocks: &[SlottedBlock], counts: &[bool]) -> Assumptions {
        let is_counted = |index: &usize| counts.get(*index).copied().unwrap_or(false);
        let counted: Vec<usize> = (0..blocks.len()).filter(is_counted).collect();
        let judged: Vec<SlottedBlock> = counted.iter().map(|&index| blocks[index]).collect();
        Assumptions {
            blocks: judged.len(),
            carry_over: CarryOver::of(&judged),
            speed: SpeedDependence::of(blocks, &counted),
            skew: BlockSkew::of(&judged),
            noise: RunNoise::of(&judged),
            gain: PairingGain::of(&judged),
        }
    }
}

/// The standard deviation of normal values, by their median distance from `centre`: a few values
/// far off do not matter.
fn robust_sd(values: impl Iterator<Item = f64>, centre: f64) -> Option<f64> {
    /// Of a normal distribution, over the median distance from its centre.
    const OF_NORMAL: f64 = 1.482_602_218_505_602;
    let mut distances: Vec<f64> = values.map(|value| (value - centre).abs()).collect();
    median(&mut distances).map(|distance| OF_NORMAL * distance)
}

fn median(values: &mut [f64]) -> Option<f64> {
    crate::quantile::of_unsorted(values, crate::Probability::HALF)
}

/// Two-sided, of a standard normal value.
fn two_sided(z: f64) -> f64 {
    (2.0 * crate::distribution::normal::cdf(-z.abs())).min(1.0)
}

/// Numbers for tests that are as good as random: splitmix64 of the index.
#[cfg(test)]
fn scrambled(index: usize) -> f64 {
    let mut z = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
