//! What a comparison found, as renderers see it.

use super::{Course, Gate, GateOutcome, Margin, Verdict};
use crate::drift::drift;
use fathom_stats::paired::{
    Choice, MeanLn, SignTest, Stage, locate, mean_ln, quiet_blocks, sign_test,
};
use fathom_stats::{Confidence, Interval};

/// A subject against the reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The name of what it is compared with.
    pub reference: String,
    /// Its own name.
    pub subject: String,
    /// Subject over reference: 1.05 means 5% more.
    pub ratio: f64,
    /// Of the ratio.
    pub interval: Interval,
    /// How sure, over all looks and subjects.
    pub confidence: Confidence,
    /// Whether interval, verdict and p-value hold only if the samples are independent, because one
    /// of two saved results has too few to check it. They are not sure without that condition.
    pub if_independent: bool,
    /// The answer.
    pub verdict: Verdict,
    /// What counts as no difference.
    pub margin: Margin,
    /// For "no difference at all"; `None` where there is too little data.
    pub p_value: Option<f64>,
    /// What would settle it, where it is not.
    pub further: Option<Further>,
    /// What was asked to be shown, and what became of it.
    pub gates: Vec<(Gate, GateOutcome)>,
    /// How it was measured.
    pub design: Design,
    /// What may be wrong, each with what to do.
    pub warnings: Vec<String>,
}

/// What would probably settle a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Further {
    /// This many pairs more.
    pub pairs: usize,
    /// They would take about so long.
    pub seconds: f64,
}

/// How the two were measured.
#[derive(Debug, Clone, PartialEq)]
pub enum Design {
    /// Side by side, in blocks of two pairs.
    Paired(Box<Paired>),
    /// Each by itself: drift between the two counts as a difference.
    Unpaired {
        /// Samples of the reference and of the subject.
        samples: [usize; 2],
    },
}

/// What stood side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Runs of commands; a block has two pairs of them.
    Runs,
    /// Batches of calls in one process; a block has two pairs of them.
    Batches,
    /// Executions of two programs, with many batches in each: a block is one pair of them.
    Executions,
}

impl Pairing {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pairing::Runs => "runs",
            Pairing::Batches => "batches",
            Pairing::Executions => "executions",
        }
    }

    /// How many pairs a block has.
    #[must_use]
    pub fn pairs_per_block(self) -> usize {
        match self {
            Pairing::Runs | Pairing::Batches => 2,
            Pairing::Executions => 1,
        }
    }
}

/// What is known of a paired comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired {
    /// What stood side by side.
    pub pairing: Pairing,
    /// How many blocks of two pairs were measured.
    pub blocks: usize,
    /// How many of them count.
    pub used: usize,
    /// The most blocks that were planned.
    pub planned: usize,
    /// The lag-1 autocorrelation of the blocks' log-ratios.
    pub lag1: f64,
    /// By how much the interval was widened because of it.
    pub widened_by: f64,
    /// From all blocks, where some do not count.
    pub with_all_blocks: Option<RatioAside>,
    /// How much the machine's speed changed from the slowest to the fastest tenth of the session,
    /// as a share.
    pub drift: f64,
    /// What other tools would say, in a single look.
    pub tests: Tests,
    /// The blocks' log-ratios, in their order.
    pub log_ratios: Vec<f64>,
}

/// What another choice of blocks gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioAside {
    /// The ratio.
    pub ratio: f64,
    /// Of the ratio.
    pub interval: Interval,
}

/// Single-look tests on the blocks that count: for comparison with other tools.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tests {
    /// Wilcoxon's p-value.
    pub signed_rank_p: Option<f64>,
    /// bench_diff's mean of log-ratios and t.
    pub mean_ln: Option<MeanLn>,
    /// The sign test.
    pub sign: SignTest,
}

impl Comparison {
    /// Whether the interval leaves out 1: there is a difference, however small.
    #[must_use]
    pub fn is_measurable(&self) -> bool {
        !self.interval.contains(1.0)
    }

    /// How many pairs were measured; for saved results, how many there could have been.
    #[must_use]
    pub fn pairs(&self) -> usize {
        match &self.design {
            Design::Paired(paired) => paired.pairing.pairs_per_block() * paired.blocks,
            Design::Unpaired { samples } => samples[0].min(samples[1]),
        }
    }

    /// What a course found about one of its subjects; `None` before the first block.
    ///
    /// `seconds_per_block` is what a block of this subject and the reference takes.
    #[must_use]
    pub fn of(
        course: &Course,
        index: usize,
        [reference, subject]: [&str; 2],
        pairing: Pairing,
        seconds_per_block: f64,
    ) -> Option<Comparison> {
        let state = course.subjects().get(index)?;
        let look = state.last_look()?;
        let margin = course.margin();
        let verdict = Verdict::of(state.interval(), margin);
        let blocks = state.blocks();
        let kept: Vec<f64> =
            quiet_blocks(blocks).into_iter().map(|index| blocks[index].log_ratio).collect();
        let all = locate(blocks, Choice::All, course.last_level(index), Stage::Last, course.tick());
        let paired = Paired {
            pairing,
            blocks: blocks.len(),
            used: look.used,
            planned: course.looks().most(),
            lag1: look.guard.lag1,
            widened_by: look.guard.widening(),
            with_all_blocks: all.filter(|_| look.used < blocks.len()).map(|all| RatioAside {
                ratio: all.estimate.exp(),
                interval: ratios(all.interval),
            }),
            drift: drift(blocks.iter().map(|block| 0.25 * block.log_total)),
            tests: Tests {
                signed_rank_p: Some(look.p_value),
                mean_ln: mean_ln(&kept, course.confidence()),
                sign: sign_test(&kept),
            },
            log_ratios: blocks.iter().map(|block| block.log_ratio).collect(),
        };
        let is_open = verdict == Verdict::Inconclusive || !state.is_settled();
        let further = course.further(state).filter(|_| is_open).map(|further| {
            let more = further.blocks - blocks.len();
            Further {
                pairs: pairing.pairs_per_block() * more,
                seconds: more as f64 * seconds_per_block,
            }
        });
        Some(Comparison {
            reference: reference.to_string(),
            subject: subject.to_string(),
            ratio: state.estimate()?.exp(),
            interval: ratios(state.interval()),
            confidence: course.confidence(),
            // Blocks guard against dependence by themselves.
            if_independent: false,
            verdict,
            margin,
            p_value: Some(state.p_value()),
            further,
            gates: course
                .gates()
                .iter()
                .map(|gate| (*gate, gate.finally(state.interval())))
                .collect(),
            design: Design::Paired(Box::new(paired)),
            warnings: warnings(state.is_contradicted()),
        })
    }
}

/// From logarithms to ratios; what is unknown stays unknown, also below zero.
pub(super) fn ratios(interval: Interval) -> Interval {
    let ratio = |end: f64| if end.is_finite() { end.exp() } else { end };
    Interval { lower: ratio(interval.lower), upper: ratio(interval.upper) }
}

fn warnings(is_contradicted: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    if is_contradicted {
        warnings.push(
            "the ratio itself changed while measuring: looks at different times exclude each \
             other, so this is the ratio of the whole session; measure longer, or find what changed"
                .to_string(),
        );
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::paired::Block;

    fn course(log_ratio: f64, blocks: usize) -> Course {
        let margin = Margin::DEFAULT;
        let mut course = Course::new(1, blocks, Confidence::DEFAULT, margin, Vec::new(), 0.0);
        for i in 0..blocks {
            let noise = 0.02 * ((i * 7 % 10) as f64 - 4.5);
            let log_total = 0.01 * i as f64;
            if course.take(&[(0, Block { log_ratio: log_ratio + noise, log_total })]) {
                break;
            }
        }
        course
    }

    #[test]
    fn a_settled_comparison_needs_nothing_more() {
        let found =
            Comparison::of(&course(0.5, 20), 0, ["old", "new"], Pairing::Runs, 0.1).unwrap();
        assert_eq!(found.verdict, Verdict::Slower);
        assert_eq!(found.further, None);
        assert!(found.interval.contains(found.ratio) && found.is_measurable());
        assert_eq!(found.pairs(), 20);
    }

    #[test]
    fn an_open_one_says_what_it_needs() {
        let found =
            Comparison::of(&course(0.004, 20), 0, ["old", "new"], Pairing::Runs, 0.1).unwrap();
        assert_eq!(found.verdict, Verdict::Inconclusive);
        let further = found.further.unwrap();
        assert_eq!(further.seconds, further.pairs as f64 / 2.0 * 0.1);
    }

    #[test]
    fn nothing_measured_is_nothing_found() {
        let course = Course::new(1, 10, Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0);
        assert!(Comparison::of(&course, 0, ["a", "b"], Pairing::Runs, 1.0).is_none());
    }
}
