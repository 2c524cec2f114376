//! The ratio of two means.
//!
//! If the candidate r is true, r times the reference's runs of a block less the subject's changes its
//! sign by the block's coin. A set of signs gives a sum at least as far from zero as the observed one
//! exactly if r lies between the ratio of the blocks whose sign is plus and that of the others. So
//! these ratios of parts are all that the interval needs (Hartigan's typical values).

use super::p_value::p_value;
use super::quantile::JUDGEABLE;
use super::rare_runs::{DrawnEnds, FARTHER, few_decide, fewest_runs};
use super::thinness::thinness_where_evident;
use super::{BlockRuns, RatioOf, Shortage, TailLook, TailRatio, fewest_tail_blocks};
use crate::LogRatioInterval;
use crate::paired::{LookStage, fewest_blocks};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Up to this number of blocks all signs are tried.
const COUNTED: usize = 12;
/// The fewest signs that are drawn where there are more blocks.
const FEWEST_DRAWN: usize = 4999;
/// How many are drawn per smallest level, up to a limit.
const DRAWN_PER_LEVEL: f64 = 40.0;
const MOST_DRAWN: f64 = 99_999.0;
/// This many blocks have a sign of their own; more share them, which is a fair game as well.
const MOST_SIGNS: usize = 1024;

/// What the runs of some blocks take together.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    reference: f64,
    subject: f64,
}

impl Sums {
    fn and(self, other: Sums) -> Sums {
        Sums { reference: self.reference + other.reference, subject: self.subject + other.subject }
    }

    fn without(self, other: Sums) -> Sums {
        Sums { reference: self.reference - other.reference, subject: self.subject - other.subject }
    }

    fn times(self, weight: f64) -> Sums {
        Sums { reference: weight * self.reference, subject: weight * self.subject }
    }

    fn log_ratio(self) -> f64 {
        (self.subject / self.reference).ln()
    }

    /// What the subject takes more than this many times the reference's.
    fn excess(self, ratio: f64) -> f64 {
        self.subject - ratio * self.reference
    }
}

/// The ratio of two means by the coins alone: exact if the subjects differ by a factor only. If one of
/// them has rare long runs that the other lacks, the interval covers too little, and [`tail_ratio`] has
/// another, or none. `None` without blocks.
///
/// [`tail_ratio`]: super::tail_ratio
///
/// ```
/// use fathom_stats::paired::LookStage;
/// use fathom_stats::tails::{BlockRuns, RatioOf, TailLook, mean_ratio_by_coins, tail_ratio};
///
/// let blocks: Vec<BlockRuns> =
///     (0..8).filter_map(|i| BlockRuns::of_pair(3.0 + f64::from(i % 3), 2.0)).collect();
/// let look = TailLook { alpha: 0.05, stage: LookStage::Last, tick: 0.0, seed: 1 };
/// let found = mean_ratio_by_coins(&blocks, look).ok_or("no blocks")?;
/// assert!(found.interval.is_finite());
/// // Eight runs show no stalls of one run in ten.
/// let found = tail_ratio(&blocks, RatioOf::Mean, look).ok_or("no blocks")?;
/// assert!(!found.interval.is_finite() && found.shortage.is_some());
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn mean_ratio_by_coins(blocks: &[BlockRuns], look: TailLook) -> Option<TailRatio> {
    if blocks.is_empty() {
        return None;
    }
    let by_coins = ByCoins::of(blocks, look);
    let needed = fewest_blocks(look.alpha).max(blocks.len() + 1);
    let interval = by_coins.interval(look.alpha);
    let shortage = (!interval.is_finite()).then_some(Shortage::Blocks { needed });
    Some(by_coins.found(interval, shortage, by_coins.p_value()))
}

/// The same, which allows for rare long runs of one of the subjects.
pub(super) fn look_at(blocks: &[BlockRuns], look: TailLook) -> TailRatio {
    let by_coins = ByCoins::of(blocks, look);
    let runs: usize = blocks.iter().map(|block| block.subject().len()).sum();
    let one_more = by_coins.few_decide.then(|| by_coins.with_one_more_block());
    let interval = |alpha: f64| match runs < fewest_runs(alpha) {
        true => LogRatioInterval::EVERYTHING,
        false => by_coins.interval_around(alpha, one_more.as_ref()),
    };
    let found = interval(look.alpha);
    let needed = fewest_tail_blocks(RatioOf::Mean, look.alpha, runs.div_ceil(blocks.len()));
    let needed = needed.max(blocks.len() + 1);
    let shortage = (!found.is_finite()).then_some(Shortage::RareRuns { needed });
    let is_left_out = |alpha: f64| !interval(alpha).contains(0.0);
    // Levels are searched with an error; the one of the look is not.
    let p_value = match is_left_out(look.alpha) {
        true => p_value(is_left_out).min(look.alpha),
        false => p_value(is_left_out).max(look.alpha * (1.0 + 1e-6)),
    };
    by_coins.found(found, shortage, p_value.min(1.0))
}

/// What the coins say.
struct ByCoins {
    look: TailLook,
    sums: Vec<Sums>,
    estimate: f64,
    parts: Parts,
    thinness: f64,
    /// Whether few blocks decide the ratio.
    few_decide: bool,
}

impl ByCoins {
    fn of(blocks: &[BlockRuns], look: TailLook) -> ByCoins {
        let sums = in_ordinary_units(blocks);
        let whole = sums.iter().copied().fold(Sums::default(), Sums::and);
        let estimate = whole.log_ratio();
        let differences: Vec<f64> = sums.iter().map(|sums| sums.excess(estimate.exp())).collect();
        let thinness = thinness_where_evident(&differences);
        let parts = Parts::of(&sums, whole, look);
        let few_decide = few_decide(&differences);
        ByCoins { look, sums, estimate, parts, thinness, few_decide }
    }

    fn interval(&self, alpha: f64) -> LogRatioInterval {
        self.interval_around(alpha, None)
    }

    /// The interval of the coins, and around what one more block may say.
    fn interval_around(&self, alpha: f64, one_more: Option<&DrawnEnds>) -> LogRatioInterval {
        let (mut lower, mut upper) = self.parts.interval(alpha);
        if let Some([low, high]) = one_more.map(|ends| ends.at(alpha)) {
            (lower, upper) = (lower.min(low), upper.max(high));
        }
        let (estimate, widening) = (self.estimate, self.thinness.sqrt());
        LogRatioInterval {
            lower: estimate - widening * (estimate - lower.min(estimate)) - self.look.tick,
            upper: estimate + widening * (upper.max(estimate) - estimate) + self.look.tick,
        }
    }

    /// Log-ratios with weights that chance gives the blocks, and with one block more: like the one that
    /// is farthest on that side, and twice as far out.
    fn with_one_more_block(&self) -> DrawnEnds {
        let ratio = self.estimate.exp();
        let by_excess = |a: &&Sums, b: &&Sums| a.excess(ratio).total_cmp(&b.excess(ratio));
        let farther = |sums: Option<&Sums>| {
            let one = sums.copied().unwrap_or_default();
            let more = (FARTHER - 1.0) * one.excess(ratio);
            // The runs of the one that is slow in it are longer.
            match more > 0.0 {
                true => Sums { subject: one.subject + more, ..one },
                false => Sums { reference: one.reference - more / ratio, ..one },
            }
        };
        let lowest = farther(self.sums.iter().min_by(by_excess));
        let highest = farther(self.sums.iter().max_by(by_excess));
        let groups = grouped(&self.sums);
        DrawnEnds::of(self.look.alpha, self.look.seed, |weights| {
            let all = groups
                .iter()
                .fold(Sums::default(), |all, group| all.and(group.times(weights.next())));
            let weight = weights.next();
            [lowest, highest].map(|one| all.and(one.times(weight)).log_ratio())
        })
    }

    fn p_value(&self) -> f64 {
        let ByCoins { look, estimate, parts, .. } = self;
        let widening = self.thinness.sqrt();
        if estimate.abs() <= look.tick {
            1.0
        } else if *estimate > 0.0 {
            parts.share_below(estimate - (estimate - look.tick) / widening)
        } else {
            parts.share_above(estimate - (estimate + look.tick) / widening)
        }
    }

    fn found(
        &self,
        interval: LogRatioInterval,
        shortage: Option<Shortage>,
        p_value: f64,
    ) -> TailRatio {
        let is_thin = self.thinness > 1.0 && (self.sums.len() as f64) / self.thinness < JUDGEABLE;
        TailRatio {
            log_ratio: self.estimate,
            interval,
            shortage,
            used: self.sums.len(),
            thinness: self.thinness,
            shape: 1.0,
            p_value,
            may_decide: self.look.stage == LookStage::Last || !is_thin,
        }
    }
}

/// The sums of each block, in a unit in which the sum of all does not overflow.
fn in_ordinary_units(blocks: &[BlockRuns]) -> Vec<Sums> {
    let runs = || blocks.iter().flat_map(|block| block.reference().iter().chain(block.subject()));
    let largest = runs().copied().fold(0.0, f64::max);
    let sum = |runs: &[f64]| runs.iter().map(|run| run / largest).sum();
    blocks
        .iter()
        .map(|block| Sums { reference: sum(block.reference()), subject: sum(block.subject()) })
        .collect()
}

/// The log-ratios of parts of the blocks: of each set of signs the one below the whole's and the one
/// above it, sorted. The set of all signs alike has −∞ and ∞.
#[derive(Debug)]
struct Parts {
    below: Vec<f64>,
    above: Vec<f64>,
}

impl Parts {
    fn of(blocks: &[Sums], whole: Sums, look: TailLook) -> Parts {
        let groups = grouped(blocks);
        let estimate = whole.log_ratio();
        let mut parts = Parts { below: vec![f64::NEG_INFINITY], above: vec![f64::INFINITY] };
        let mut add = |plus: Sums| {
            let minus = whole.without(plus);
            // Rounding may leave a little where nothing is left.
            let logs = [plus, minus].map(|part| match part.reference > 0.0 && part.subject > 0.0 {
                true => part.log_ratio(),
                false => estimate,
            });
            parts.below.push(logs[0].min(logs[1]).min(estimate));
            parts.above.push(logs[0].max(logs[1]).max(estimate));
        };
        if groups.len() <= COUNTED {
            // A set and its complement have the same pair of parts: the last block is never plus.
            for signs in 1..1_usize << (groups.len() - 1) {
                let plus = (0..groups.len()).filter(|bit| signs >> bit & 1 == 1);
                add(plus.map(|bit| groups[bit]).fold(Sums::default(), Sums::and));
            }
        } else {
            let tables: Vec<[Sums; 256]> = groups.chunks(8).map(subsets).collect();
            let drawn = (DRAWN_PER_LEVEL / look.alpha).min(MOST_DRAWN) as usize;
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(look.seed);
            for _ in 0..drawn.max(FEWEST_DRAWN) {
                let mut plus = Sums::default();
                for tables in tables.chunks(8) {
                    let signs = rng.next_u64().to_le_bytes();
                    for (table, byte) in tables.iter().zip(signs) {
                        plus = plus.and(table[usize::from(byte)]);
                    }
                }
                add(plus);
            }
        }
        parts.below.sort_unstable_by(f64::total_cmp);
        parts.above.sort_unstable_by(|a, b| b.total_cmp(a));
        parts
    }

    /// The ratios that are not rejected: the ones within all but a share `alpha` of the pairs.
    fn interval(&self, alpha: f64) -> (f64, f64) {
        let rank = (alpha * self.below.len() as f64 * (1.0 + 1e-12)).floor() as usize;
        let rank = rank.min(self.below.len() - 1);
        (self.below[rank], self.above[rank])
    }

    /// The share of pairs that begin at or below a log-ratio.
    fn share_below(&self, log_ratio: f64) -> f64 {
        self.below.partition_point(|below| *below <= log_ratio) as f64 / self.below.len() as f64
    }

    fn share_above(&self, log_ratio: f64) -> f64 {
        self.above.partition_point(|above| *above >= log_ratio) as f64 / self.above.len() as f64
    }
}

/// Blocks that share a sign, taken in turn so that neighbours do not.
fn grouped(blocks: &[Sums]) -> Vec<Sums> {
    let mut groups = vec![Sums::default(); blocks.len().min(MOST_SIGNS)];
    for (place, block) in blocks.iter().enumerate() {
        let group = &mut groups[place % MOST_SIGNS];
        *group = group.and(*block);
    }
    groups
}

/// The sums of all parts of up to eight groups.
fn subsets(groups: &[Sums]) -> [Sums; 256] {
    let mut sums = [Sums::default(); 256];
    for (bit, group) in groups.iter().enumerate() {
        for signs in 0..1 << bit {
            sums[signs | 1 << bit] = sums[signs].and(*group);
        }
    }
    for signs in 1 << groups.len()..256 {
        sums[signs] = sums[signs & ((1 << groups.len()) - 1)];
    }
    sums
}
