//! What a comparison found, as renderers see it.

use super::quantiles::{gate_of_all, headline, verdict_of_all};
use super::skewed_mean::skewed_mean;
use super::{
    ComparedStatistic, Course, CourseSubject, Gate, GateOutcome, Margin, QuantileRatio, ShellShare,
    TwoBuilds, Verdict, shell_share,
};
use crate::drift::drift;
use crate::warning::Warning;
use fathom_stats::paired::{
    Assumptions, Choice, LookStage, MeanLn, SignTest, locate, mean_ln, sign_test, wilcoxon,
};
use fathom_stats::tails::BlockRuns;
use fathom_stats::{Confidence, LogRatioInterval, RatioInterval};

/// A subject against the reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The name of what it is compared with.
    pub reference: String,
    /// Its own name.
    pub subject: String,
    /// What of the two is compared.
    pub statistic: ComparedStatistic,
    /// Subject over reference: 1.05 means 5% more. Of many quantiles, the ratio of the one that surely
    /// differs most, or of the middle one.
    pub ratio: f64,
    /// Of the ratio.
    pub interval: RatioInterval,
    /// Every quantile, where many are compared; empty otherwise.
    pub quantiles: Vec<QuantileRatio>,
    /// How sure, over all looks and subjects.
    pub confidence: Confidence,
    /// Whether interval, verdict and p-value hold only if the samples are independent, because one
    /// of two saved results has too few to check it, or because the user said so. They are not sure
    /// without that condition.
    pub if_independent: bool,
    /// The answer.
    pub verdict: Verdict,
    /// What counts as no difference.
    pub margin: Margin,
    /// The statistic of the reference and of the subject in the samples that the ratio rests on. The
    /// quotient of medians may lie outside of the interval: the ratio is that of runs side by side.
    pub sides: Option<[f64; 2]>,
    /// For "no difference at all"; `None` where there is too little data.
    pub p_value: Option<f64>,
    /// What would settle it, where it is not.
    pub further: Option<Further>,
    /// What was asked to be shown, and what became of it.
    pub gates: Vec<(Gate, GateOutcome)>,
    /// How it was measured.
    pub design: Design,
    /// What the shell's start-up means for it, where a shell ran the commands.
    pub shell: Option<ShellShare>,
    /// What is known of the two builds, where it compares builds.
    pub builds: Option<TwoBuilds>,
    /// What may be wrong, each with what to do.
    pub warnings: Vec<Warning>,
}

/// What would probably settle a comparison: its gates, or without any, its verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Further {
    /// This many pairs more; of saved results, this many samples of each side.
    pub pairs: usize,
    /// They would take about so long, where that is known.
    pub seconds: Option<f64>,
}

/// How the two were measured.
#[derive(Debug, Clone, PartialEq)]
pub enum Design {
    /// Side by side, in blocks of two pairs.
    Paired(Box<Paired>),
    /// Each measured separately: drift between the two counts as a difference.
    Unpaired {
        /// Samples of the reference and of the subject.
        samples: [usize; 2],
    },
}

impl Design {
    /// The names of all of them.
    pub const NAMES: [&'static str; 2] = ["paired", "unpaired"];

    /// The name in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let [paired, unpaired] = Design::NAMES;
        match self {
            Design::Paired(_) => paired,
            Design::Unpaired { .. } => unpaired,
        }
    }
}

/// What stood side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Runs of commands; a block has two pairs of them.
    Runs,
    /// Runs of commands that take long; a block is one pair of them.
    SingleRuns,
    /// Batches of calls in one process; a block has two pairs of them.
    Batches,
    /// Executions of two programs, with many batches in each: a block is one pair of them.
    Executions,
    /// Layouts of two programs, each linked in an order of its own: a block is one pair of them,
    /// with one execution of each or several.
    Layouts,
}

impl Pairing {
    /// All of them.
    pub const ALL: [Pairing; 5] = [
        Pairing::Runs,
        Pairing::SingleRuns,
        Pairing::Batches,
        Pairing::Executions,
        Pairing::Layouts,
    ];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pairing::Runs => "runs",
            Pairing::SingleRuns => "single_runs",
            Pairing::Batches => "batches",
            Pairing::Executions => "executions",
            Pairing::Layouts => "layouts",
        }
    }

    /// How many pairs a block has.
    #[must_use]
    pub fn pairs_per_block(self) -> usize {
        match self {
            Pairing::Runs | Pairing::Batches => 2,
            Pairing::SingleRuns | Pairing::Executions | Pairing::Layouts => 1,
        }
    }
}

/// What is known of a paired comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired {
    /// What stood side by side.
    pub pairing: Pairing,
    /// How many pairs were measured.
    pub pairs: usize,
    /// How many blocks they were measured in.
    pub blocks: usize,
    /// How many of them count.
    pub used: usize,
    /// Which do not, because they ran under other load. Empty where that is not known.
    pub set_aside: Vec<usize>,
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
    /// What the blocks say about the assumptions of the comparison; `None` where the order of runs
    /// in them is not known.
    pub assumptions: Option<Assumptions>,
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
    pub interval: RatioInterval,
}

/// Single-look tests on the blocks that count: for comparison with other tools.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tests {
    /// Wilcoxon's p-value, as scipy gives it.
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
            Design::Paired(paired) => paired.pairs,
            Design::Unpaired { samples } => samples[0].min(samples[1]),
        }
    }

    /// What became of all gates together: failed if one did, else inconclusive if one is. `None`
    /// where no gate was asked for.
    #[must_use]
    pub fn gated(&self) -> Option<GateOutcome> {
        let outcomes = || self.gates.iter().map(|(_, outcome)| *outcome);
        [GateOutcome::Failed, GateOutcome::Inconclusive, GateOutcome::Passed]
            .into_iter()
            .find(|wanted| outcomes().any(|outcome| outcome == *wanted))
    }

    /// The interval of the log-ratio from all blocks, where some were set aside.
    fn with_all_blocks(&self) -> Option<LogRatioInterval> {
        let Design::Paired(paired) = &self.design else { return None };
        Some(paired.with_all_blocks?.interval.log())
    }

    /// The verdict of all blocks, where some were set aside and it would be another.
    #[must_use]
    pub fn verdict_of_all_blocks(&self) -> Option<Verdict> {
        let verdict = Verdict::of(self.with_all_blocks()?, self.margin);
        (verdict != self.verdict).then_some(verdict)
    }

    /// The gate's outcome with all blocks, if some were set aside and it differs.
    #[must_use]
    pub fn gate_of_all_blocks(&self, gate: Gate, outcome: GateOutcome) -> Option<GateOutcome> {
        let found = gate.finally(self.with_all_blocks()?);
        (found != outcome).then_some(found)
    }

    /// The same if the last block was a single pair.
    #[must_use]
    pub fn with_last_block_halved(mut self) -> Comparison {
        if let Design::Paired(paired) = &mut self.design {
            paired.pairs = paired.pairs.saturating_sub(1);
        }
        self
    }

    /// The same, with what is known of the two builds. Code that only moved cannot have become
    /// slower, so no gate fails because of it, unless `gates_unchanged` asks for that.
    #[must_use]
    pub fn of_builds(mut self, builds: TwoBuilds, gates_unchanged: bool) -> Comparison {
        if builds.is_code_unchanged == Some(true) && !gates_unchanged {
            for (_, outcome) in &mut self.gates {
                *outcome = GateOutcome::Passed;
            }
            if !self.gates.is_empty() {
                self.further = None;
            }
        }
        self.builds = Some(builds);
        self
    }

    /// Whether the machine code that the function reaches is known to be the same in both builds.
    #[must_use]
    pub fn is_code_unchanged(&self) -> bool {
        self.builds.as_ref().is_some_and(|builds| builds.is_code_unchanged == Some(true))
    }

    /// Whether a gate passes only because the code is unchanged.
    #[must_use]
    pub fn is_excused(&self, gate: Gate) -> bool {
        self.is_code_unchanged() && self.finally(gate) != GateOutcome::Passed
    }

    /// The quantile to show first where many are compared: the one that surely differs
    /// most, or the middle one if none does.
    #[must_use]
    pub fn headline(&self) -> Option<&QuantileRatio> {
        headline(&self.quantiles)
    }

    /// What the intervals say of a gate when measuring is over.
    fn finally(&self, gate: Gate) -> GateOutcome {
        match self.statistic {
            ComparedStatistic::Quantiles => {
                let intervals = self.quantiles.iter().map(|one| one.interval.log());
                gate_of_all(gate, intervals, Gate::finally)
            }
            _ => gate.finally(self.interval.log()),
        }
    }

    /// The same with the statistic of each side in the samples that the ratio rests on: the
    /// reference's and the subject's.
    #[must_use]
    pub fn with_sides(mut self, reference: Option<f64>, subject: Option<f64>) -> Comparison {
        self.sides = reference.zip(subject).map(|(reference, subject)| [reference, subject]);
        self
    }

    /// As [`Comparison::with_sides`] with medians, unless it compares another statistic, whose runs it
    /// knows.
    #[must_use]
    pub fn with_medians(self, reference: Option<f64>, subject: Option<f64>) -> Comparison {
        match self.statistic.is_median() {
            true => self.with_sides(reference, subject),
            false => self,
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
        let quantiles = course.quantiles(state);
        let headline = headline(&quantiles).copied();
        let judged = course.judged(state.interval());
        let verdict = match course.statistic() {
            ComparedStatistic::Quantiles => verdict_of_all(&quantiles),
            _ => Verdict::of(judged, margin),
        };
        let whole = match headline {
            Some(one) => RatioAside { ratio: one.ratio, interval: one.interval },
            None => {
                RatioAside { ratio: state.log_ratio()?.exp(), interval: state.interval().ratio() }
            }
        };
        let shell = course.shell().map(|shell| shell_of(shell, state, whole));
        let is_hidden = shell.is_some_and(|shell| shell.is_hidden());
        // Without the shell, unless that hides the ratio.
        let shown = |whole: RatioAside| match course.shell().filter(|_| !is_hidden) {
            Some(shell) => without_shell(whole, shell),
            None => whole,
        };
        let RatioAside { ratio, interval } = shown(whole);
        let blocks = state.blocks();
        let counted = course.counted(index);
        let kept: Vec<f64> = counted.iter().map(|&index| blocks[index].log_ratio).collect();
        let all = || {
            let alpha = course.last_level(index);
            locate(blocks, Choice::All, alpha, LookStage::Last, course.tick())
        };
        let all = if counted.len() < blocks.len() { all() } else { None };
        let paired = Paired {
            pairing,
            pairs: pairing.pairs_per_block() * blocks.len(),
            blocks: blocks.len(),
            used: counted.len(),
            set_aside: all_but(&counted, blocks.len()),
            planned: course.looks().most(),
            lag1: look.guard.lag1,
            widened_by: look.guard.widening(),
            with_all_blocks: all.map(|all| {
                shown(RatioAside { ratio: all.log_ratio.exp(), interval: all.interval.ratio() })
            }),
            drift: drift(blocks.iter().map(|block| 0.25 * block.log_total)),
            assumptions: None,
            tests: Tests {
                signed_rank_p: wilcoxon(&kept),
                mean_ln: mean_ln(&kept, course.confidence()),
                sign: sign_test(&kept),
            },
            log_ratios: blocks.iter().map(|block| block.log_ratio).collect(),
        };
        let gates: Vec<(Gate, GateOutcome)> = course
            .gates()
            .iter()
            .map(|gate| {
                // What the shell hides is not shown, whatever a gate takes for granted.
                let outcome =
                    if is_hidden { gate.judge(judged) } else { course.finally(state, *gate) };
                (*gate, outcome)
            })
            .collect();
        let is_open = if gates.is_empty() {
            verdict == Verdict::Inconclusive || !state.is_settled()
        } else {
            gates.iter().any(|(_, outcome)| *outcome == GateOutcome::Inconclusive)
        };
        let further = course.further(state).filter(|_| is_open).map(|needed| {
            let more = needed.saturating_sub(blocks.len()).max(1);
            Further {
                pairs: pairing.pairs_per_block() * more,
                seconds: Some(more as f64 * seconds_per_block),
            }
        });
        Some(Comparison {
            reference: reference.to_string(),
            subject: subject.to_string(),
            statistic: course.statistic(),
            ratio,
            interval,
            quantiles,
            confidence: course.confidence(),
            // Coins make blocks independent, and a guard widens where the effect itself drifts.
            if_independent: false,
            verdict,
            margin,
            sides: sides(state, course.statistic())
                .filter(|_| shell.is_none() && !course.statistic().is_median()),
            p_value: Some(state.p_value()),
            further,
            gates,
            design: Design::Paired(Box::new(paired)),
            shell,
            builds: None,
            warnings: state
                .is_contradicted()
                .then_some(Warning::RatioChanged)
                .into_iter()
                .chain(skewed_mean(state, course.statistic(), course.confidence()))
                .collect(),
        })
    }
}

/// The statistic of all runs of the reference and of the subject, where single runs are compared.
fn sides(subject: &CourseSubject, statistic: ComparedStatistic) -> Option<[f64; 2]> {
    let of = |side: fn(&BlockRuns) -> &[f64]| {
        let runs: Vec<f64> = subject.runs().iter().flat_map(side).copied().collect();
        statistic.value(&runs)
    };
    Some([of(BlockRuns::reference)?, of(BlockRuns::subject)?])
}

/// What the start-up of the shell means for a subject.
fn shell_of(shell: &CourseSubject, subject: &CourseSubject, whole: RatioAside) -> ShellShare {
    let share = shell
        .log_ratio()
        .map(|share| RatioAside { ratio: share.exp(), interval: shell.interval().ratio() });
    ShellShare { share, whole, hidden: shell_share::hidden(subject.interval(), shell.interval()) }
}

/// A ratio of whole runs without the shell's start-up.
fn without_shell(whole: RatioAside, shell: &CourseSubject) -> RatioAside {
    let Some(share) = shell.log_ratio() else { return whole };
    let interval = shell_share::without(whole.interval.log(), shell.interval()).ratio();
    let ratio = shell_share::point(whole.ratio.ln(), share).exp();
    if ratio.is_finite() && interval.is_finite() {
        RatioAside { ratio: ratio.clamp(interval.lower(), interval.upper()), interval }
    } else {
        whole
    }
}

/// The numbers below `n` that are not among these.
fn all_but(some: &[usize], n: usize) -> Vec<usize> {
    let mut is_among = vec![false; n];
    some.iter().for_each(|&index| is_among[index] = true);
    (0..n).filter(|&index| !is_among[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::LogRatioInterval;
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
        assert_eq!(further.seconds, Some(further.pairs as f64 / 2.0 * 0.1));
    }

    #[test]
    fn nothing_measured_is_nothing_found() {
        let course = Course::new(1, 10, Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0);
        assert!(Comparison::of(&course, 0, ["a", "b"], Pairing::Runs, 1.0).is_none());
    }

    /// All blocks together may not tell a command from the shell that those set aside hide.
    #[test]
    fn what_has_no_ends_without_the_shell_is_shown_as_a_whole() {
        let mut course =
            Course::new(1, 40, Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0).with_shell();
        for i in 0..40_usize {
            let of = |log_ratio: f64| Block {
                log_ratio: log_ratio + 0.001 * (i * 7 % 10) as f64,
                log_total: 0.0,
            };
            course.take_shell(of(-0.1));
            course.take(&[(0, of(0.3))]);
        }
        let shell = course.shell().unwrap();
        let [wide, narrow] = [[-0.5, 0.3], [0.1, 0.3]].map(|[lower, upper]| RatioAside {
            ratio: 1.25,
            interval: LogRatioInterval { lower, upper }.ratio(),
        });
        assert_eq!(without_shell(wide, shell), wide);
        assert!(without_shell(narrow, shell).ratio > 2.0);
    }
}
