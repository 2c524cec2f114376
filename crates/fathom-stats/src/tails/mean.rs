//! The ratio of two means.
//!
//! If the candidate r is true, r times the reference's runs of a block less the subject's changes its
//! sign by the block's coin. A set of signs gives a sum at least as far from zero as the observed one
//! exactly if r lies between the ratio of the blocks whose sign is plus and that of the others. So
//! these ratios of parts are all that the interval needs (Hartigan's typical values).

use super::quantile::JUDGEABLE;
use super::thinness::thinness_where_evident;
use super::{BlockRuns, Shortage, TailLook, TailRatio};
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

    fn log_ratio(self) -> f64 {
        (self.subject / self.reference).ln()
    }
}

pub(super) fn look_at(blocks: &[BlockRuns], look: TailLook) -> TailRatio {
    let n = blocks.len();
    let sums = in_ordinary_units(blocks);
    let whole = sums.iter().copied().fold(Sums::default(), Sums::and);
    let estimate = whole.log_ratio();
    let parts = Parts::of(&sums, whole, look);
    let ratio = estimate.exp();
    let differences: Vec<f64> =
        sums.iter().map(|sums| ratio * sums.reference - sums.subject).collect();
    let thinness = thinness_where_evident(&differences);
    let widening = thinness.sqrt();
    let (lower, upper) = parts.interval(look.alpha);
    let interval = LogRatioInterval {
        lower: estimate - widening * (estimate - lower.min(estimate)) - look.tick,
        upper: estimate + widening * (upper.max(estimate) - estimate) + look.tick,
    };
    let p_value = if estimate.abs() <= look.tick {
        1.0
    } else if estimate > 0.0 {
        parts.share_below(estimate - (estimate - look.tick) / widening)
    } else {
        parts.share_above(estimate - (estimate + look.tick) / widening)
    };
    let needed = fewest_blocks(look.alpha).max(n + 1);
    let is_thin = thinness > 1.0 && (n as f64) / thinness < JUDGEABLE;
    TailRatio {
        log_ratio: estimate,
        interval,
        shortage: (!interval.is_finite()).then_some(Shortage::Blocks { needed }),
        used: n,
        thinness,
        shape: 1.0,
        p_value,
        may_decide: look.stage == LookStage::Last || !is_thin,
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
