//! How a course judges the ratio of two subjects.

use super::compared_subject::{Finding, LookMemory};
use super::{ComparedStatistic, ComparedSubject};
use fathom_stats::Probability;
use fathom_stats::paired::{Block, Choice, Guard, Located, LookStage, guard, locate, quiet_blocks};
use fathom_stats::tails::{
    RatioOf, TailLook, TailRatio, fewest_tail_blocks, shift_levels, tail_ratio, tail_shift,
};

/// How a look becomes an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RatioRule {
    /// By the log-ratios of blocks and their signed ranks.
    LogRatios,
    /// By one statistic of single runs.
    Runs { of: RatioOf, of_each: usize, seed: u64 },
    /// By many quantiles of single runs at once.
    Quantiles { of_each: usize, seed: u64 },
}

impl RatioRule {
    /// The rule for a statistic of runs, of which a block has `of_each` of each subject. `coins` is the
    /// seed of the blocks' order.
    pub(super) fn of(statistic: ComparedStatistic, of_each: usize, coins: u64) -> RatioRule {
        // Signs that are drawn must have nothing to do with the coins of the blocks.
        const OTHER: u64 = 0x5851_f42d_4c95_7f2d;
        let seed = coins.wrapping_mul(OTHER).rotate_left(17) ^ OTHER;
        match ratio_of(statistic) {
            _ if statistic == ComparedStatistic::Quantiles => {
                RatioRule::Quantiles { of_each, seed }
            }
            Some(of) => RatioRule::Runs { of, of_each, seed },
            None => RatioRule::LogRatios,
        }
    }

    /// Whether earlier looks count.
    pub(super) fn memory(&self) -> LookMemory {
        match self {
            RatioRule::LogRatios => LookMemory::AllLooks,
            RatioRule::Runs { .. } | RatioRule::Quantiles { .. } => LookMemory::LastLook,
        }
    }

    /// The fewest blocks that can give an interval which misses with probability `alpha`.
    pub(super) fn fewest_blocks(&self, alpha: f64) -> usize {
        match *self {
            // The plan of looks knows it.
            RatioRule::LogRatios => 0,
            RatioRule::Runs { of, of_each, .. } => fewest_tail_blocks(of, alpha, of_each),
            // With few blocks, the middle one is the only one, and has all of the error.
            RatioRule::Quantiles { of_each, .. } => {
                fewest_tail_blocks(RatioOf::Quantile(Probability::HALF), alpha, of_each)
            }
        }
    }

    /// How many ratios a look after this number of blocks has.
    pub(super) fn ratios_of(&self, blocks: usize, alpha: f64) -> usize {
        match *self {
            RatioRule::LogRatios | RatioRule::Runs { .. } => 1,
            RatioRule::Quantiles { of_each, .. } => shift_levels(blocks, of_each, alpha).len(),
        }
    }

    /// The places of the blocks that count.
    pub(super) fn counted(&self, blocks: &[Block]) -> Vec<usize> {
        match self {
            RatioRule::LogRatios => quiet_blocks(blocks),
            RatioRule::Runs { .. } | RatioRule::Quantiles { .. } => (0..blocks.len()).collect(),
        }
    }

    /// Looks at a subject; nothing where its blocks can say nothing.
    pub(super) fn look_at(
        &self,
        subject: &ComparedSubject,
        alpha: f64,
        stage: LookStage,
        tick: f64,
    ) -> Vec<Finding> {
        match *self {
            RatioRule::LogRatios => locate(subject.blocks(), Choice::Quiet, alpha, stage, tick)
                .map(|located| Finding { level: None, located, shortage: None, alpha })
                .into_iter()
                .collect(),
            RatioRule::Runs { of, seed, .. } => {
                let look = TailLook { alpha, stage, tick, seed };
                let found = tail_ratio(subject.runs(), of, look);
                found.map(|found| finding(None, found, alpha, subject)).into_iter().collect()
            }
            RatioRule::Quantiles { of_each, seed } => {
                let look = TailLook { alpha, stage, tick, seed };
                let mut levels = shift_levels(subject.runs().len(), of_each, alpha);
                if levels.is_empty() {
                    // The middle one alone takes the fewest blocks, or says what it takes.
                    levels.push(Probability::HALF);
                }
                let Some(shift) = tail_shift(subject.runs(), &levels, look) else {
                    return Vec::new();
                };
                let each = shift.alpha_of_each;
                let found = shift.at.into_iter();
                found.map(|at| finding(Some(at.level), at.ratio, each, subject)).collect()
            }
        }
    }
}

/// The statistic, where single runs are compared by it alone.
pub(super) fn ratio_of(statistic: ComparedStatistic) -> Option<RatioOf> {
    match statistic {
        ComparedStatistic::Median | ComparedStatistic::Quantiles => None,
        ComparedStatistic::Quantile(p) => Some(RatioOf::Quantile(p)),
        ComparedStatistic::Mean => Some(RatioOf::Mean),
        ComparedStatistic::Minimum => Some(RatioOf::Minimum),
    }
}

fn finding(
    level: Option<Probability>,
    found: TailRatio,
    alpha: f64,
    subject: &ComparedSubject,
) -> Finding {
    let log_ratios: Vec<f64> = subject.blocks().iter().map(|block| block.log_ratio).collect();
    let located = Located {
        log_ratio: found.log_ratio,
        interval: found.interval,
        used: found.used,
        guard: Guard { lag1: guard(&log_ratios).lag1, thinness: found.thinness },
        p_value: found.p_value,
        may_decide: found.may_decide,
    };
    Finding { level, located, shortage: found.shortage, alpha }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::tails::BlockRuns;

    /// Runs of which the subject's take longer at first, and are as long as the reference's later.
    fn changing(block: usize) -> BlockRuns {
        // Digits that look random: runs in a pattern would be dependent.
        let run = |i: usize| 1.0 + 0.05 * ((i as f64 + 0.5).sin() * 43_758.545_3).fract().abs();
        let times = if block < 40 { 1.3 } else { 1.0 };
        let subject = [times * run(4 * block), times * run(4 * block + 1)];
        BlockRuns::of(subject, [run(4 * block + 2), run(4 * block + 3)]).unwrap()
    }

    /// A tail of all runs so far is another one after each look, so only the last look counts.
    #[test]
    fn what_earlier_looks_saw_does_not_narrow_a_tail() {
        let p80 = ComparedStatistic::parse("p80").unwrap();
        let rule = RatioRule::of(p80, 2, 7);
        let mut subject = ComparedSubject::default();
        let mut seen = Vec::new();
        for block in 0..150 {
            subject.push_runs(changing(block));
            if block == 39 || block == 149 {
                let found = rule.look_at(&subject, 0.02, LookStage::Last, 0.0);
                subject.see(&found, block + 1, rule.memory());
                seen.push(found[0].located.interval);
            }
        }
        assert!(seen[0].lower > seen[1].lower, "{seen:?}");
        assert_eq!(subject.interval(), seen[1]);
    }

    #[test]
    fn the_middle_of_many_quantiles_takes_fewest_blocks() {
        let fewest = |name: &str| ComparedStatistic::parse(name).unwrap().fewest_blocks(0.05, 2);
        assert_eq!(fewest("quantiles"), fewest("p50"));
        assert!(fewest("p50") < fewest("p90") && fewest("p90") < fewest("p99"));
        assert_eq!(fewest("p1"), fewest("p99"), "both have as many runs beyond");
        assert_eq!(fewest("min"), fewest("median"));
        // A mean needs runs that show what is rare.
        assert_eq!(fewest("mean"), 32);
    }
}
