//! Which assumptions of a comparison its own blocks contradict.

use super::{ComparedStatistic, Comparison, Design, Margin};
use crate::warning::Warning;
use fathom_stats::paired::{Assumptions, NoiseKind};

/// Below this p-value a check says that its assumption is broken. There are five checks, so at most
/// one comparison in twenty has a false alarm.
const SURPRISING: f64 = 0.01;

/// What moves the ratio by less than this share of the margin is not worth a line.
const WORTH_A_LINE: f64 = 0.25;

/// Single runs that differ this many times as much, or as little, as before.
const CHANGED: f64 = 2.0;

/// An interval wider by a tenth.
const COSTLY: f64 = 0.9;

/// What a comparison assumes, and what its blocks can contradict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// A run does not depend on what ran before it.
    NoCarryOver,
    /// The ratio does not depend on how slow the machine is.
    SameRatioAtAnySpeed,
    /// The log-ratios of blocks are symmetric.
    SymmetricBlocks,
    /// Single runs differ as much at the end as at the beginning.
    SteadyNoise,
    /// Pairing does not cost.
    PairingGains,
}

/// What a check of an assumption says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssumptionOutcome {
    /// The blocks contradict it, by an amount that matters.
    Broken,
    /// They do not, which does not prove it.
    NotSeen,
    /// They are too few, or equal, or not of a kind that shows it.
    CannotTell,
}

impl AssumptionOutcome {
    /// All of them.
    pub const ALL: [AssumptionOutcome; 3] =
        [AssumptionOutcome::Broken, AssumptionOutcome::NotSeen, AssumptionOutcome::CannotTell];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AssumptionOutcome::Broken => "broken",
            AssumptionOutcome::NotSeen => "not_seen",
            AssumptionOutcome::CannotTell => "cannot_tell",
        }
    }
}

impl Assumption {
    /// All of them, in the order of the report.
    pub const ALL: [Assumption; 5] = [
        Assumption::NoCarryOver,
        Assumption::SameRatioAtAnySpeed,
        Assumption::SymmetricBlocks,
        Assumption::SteadyNoise,
        Assumption::PairingGains,
    ];

    /// What the blocks of a comparison with this margin say about it.
    #[must_use]
    pub fn judge(self, found: &Assumptions, margin: Margin) -> AssumptionOutcome {
        let matters = |moved: f64| moved.abs() >= WORTH_A_LINE * margin.log();
        let is_broken = match self {
            Assumption::NoCarryOver => found.carry_over.map(|found| {
                let matters = match found.is_unequal {
                    true => matters(found.bias),
                    // What both have does not bias the ratio, but the times are not those alone.
                    false => found.common.is_some_and(|common| common.abs() >= margin.log()),
                };
                found.p_value < SURPRISING && matters
            }),
            Assumption::SameRatioAtAnySpeed => found.speed.map(|found| {
                let [quick, slow] = found.log_ratios;
                let is_seen = matches!(found.kind(), NoiseKind::Additive | NoiseKind::Neither);
                is_seen && matters(slow - quick)
            }),
            Assumption::SymmetricBlocks => {
                found.skew.map(|found| found.p_value < SURPRISING && matters(found.bias_of_mean()))
            }
            Assumption::SteadyNoise => found.noise.map(|found| {
                let [first, second] = found.halves;
                let factor = first.max(second) / first.min(second);
                found.p_value < SURPRISING && factor >= CHANGED
            }),
            Assumption::PairingGains => {
                found.gain.map(|found| found.p_value < SURPRISING && found.factor < COSTLY)
            }
        };
        match is_broken {
            Some(true) => AssumptionOutcome::Broken,
            Some(false) => AssumptionOutcome::NotSeen,
            None => AssumptionOutcome::CannotTell,
        }
    }

    /// Whether an answer about this statistic rests on it. All but the first are about log-ratios of
    /// blocks, which only the typical ratio is made of.
    fn concerns(self, statistic: ComparedStatistic) -> bool {
        statistic.is_median() || self == Assumption::NoCarryOver
    }

    /// The warning where it is broken.
    fn warning(self, found: &Assumptions, comparison: &Comparison) -> Option<Warning> {
        let is_broken = self.judge(found, comparison.margin) == AssumptionOutcome::Broken;
        if !is_broken || !self.concerns(comparison.statistic) {
            return None;
        }
        let names = || [comparison.reference.clone(), comparison.subject.clone()];
        Some(match self {
            Assumption::NoCarryOver => {
                let carried = found.carry_over?;
                Warning::CarryOver {
                    names: names(),
                    carried: carried.of_each(),
                    difference: carried.difference,
                    // By how much it moves a quantile is not known.
                    without: (carried.is_unequal && comparison.statistic.is_median())
                        .then(|| [comparison.ratio * (-carried.bias).exp(), comparison.ratio]),
                }
            }
            Assumption::SameRatioAtAnySpeed => {
                let speed = found.speed?;
                Warning::RatioDependsOnSpeed {
                    ratios: speed.log_ratios.map(f64::exp),
                    is_additive: speed.kind() == NoiseKind::Additive,
                }
            }
            Assumption::SymmetricBlocks => {
                let skew = found.skew?;
                let [mean, centre] = [skew.mean.exp(), skew.centre.exp()];
                Warning::SkewedBlocks { mean, centre, names: names() }
            }
            Assumption::SteadyNoise => Warning::NoiseChanged { halves: found.noise?.halves },
            Assumption::PairingGains => Warning::PairingCosts { factor: found.gain?.factor },
        })
    }
}

impl Comparison {
    /// The same with what its blocks say about its assumptions, and a warning for each that they
    /// contradict.
    #[must_use]
    pub fn with_assumptions(mut self, found: Assumptions) -> Comparison {
        let warnings: Vec<Warning> =
            Assumption::ALL.iter().filter_map(|one| one.warning(&found, &self)).collect();
        if let Design::Paired(paired) = &mut self.design {
            paired.assumptions = Some(found);
            self.warnings.extend(warnings);
        }
        self
    }

    /// What its blocks say about its assumptions, where they were looked at.
    #[must_use]
    pub fn assumptions(&self) -> Option<&Assumptions> {
        match &self.design {
            Design::Paired(paired) => paired.assumptions.as_ref(),
            Design::Unpaired { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::paired::{BlockSkew, CarryOver, PairingGain, RunNoise, SpeedDependence};

    fn all_broken() -> Assumptions {
        Assumptions {
            blocks: 60,
            carry_over: Some(CarryOver {
                difference: 0.04,
                common: Some(0.02),
                bias: 0.025,
                p_value: 0.001,
                is_unequal: true,
            }),
            speed: Some(SpeedDependence {
                log_ratios: [0.03, 0.01],
                differences: [0.002, 0.002],
                p_of_ratio: 0.001,
                p_of_difference: 0.6,
            }),
            skew: Some(BlockSkew { mean: 0.05, centre: 0.02, lopsidedness: 0.3, p_value: 0.001 }),
            noise: Some(RunNoise {
                of_runs: 0.02,
                of_each: Some([0.02, 0.02]),
                of_machine: 0.01,
                halves: [0.01, 0.04],
                p_value: 0.001,
            }),
            gain: Some(PairingGain { factor: 0.75, p_value: 0.001 }),
        }
    }

    fn outcomes(found: &Assumptions, margin: f64) -> [AssumptionOutcome; 5] {
        let margin = Margin::new(margin).unwrap();
        Assumption::ALL.map(|one| one.judge(found, margin))
    }

    #[test]
    fn what_is_surprising_and_matters_is_broken() {
        assert_eq!(outcomes(&all_broken(), 0.01), [AssumptionOutcome::Broken; 5]);
        assert_eq!(outcomes(&Assumptions::default(), 0.01), [AssumptionOutcome::CannotTell; 5]);
        let mut likely = all_broken();
        likely.carry_over.as_mut().unwrap().p_value = 0.02;
        likely.speed.as_mut().unwrap().p_of_ratio = 0.02;
        likely.skew.as_mut().unwrap().p_value = 0.02;
        likely.noise.as_mut().unwrap().p_value = 0.02;
        likely.gain.as_mut().unwrap().p_value = 0.02;
        assert_eq!(outcomes(&likely, 0.01), [AssumptionOutcome::NotSeen; 5]);
    }

    #[test]
    fn what_the_margin_swallows_does_not_matter() {
        let [carry_over, speed, skew, ..] = outcomes(&all_broken(), 0.5);
        assert_eq!([carry_over, speed, skew], [AssumptionOutcome::NotSeen; 3]);
        // What both carry over does not bias the ratio, so it matters only where it is large.
        let mut common = all_broken();
        common.carry_over.as_mut().unwrap().is_unequal = false;
        assert_eq!(outcomes(&common, 0.01)[0], AssumptionOutcome::Broken);
        assert_eq!(outcomes(&common, 0.03)[0], AssumptionOutcome::NotSeen);
    }
}
