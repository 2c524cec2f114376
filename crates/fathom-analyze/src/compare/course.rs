//! The course of a sequential comparison: blocks come in, looks are taken, subjects are settled.

use super::compared_subject::{Finding, Track};
use super::forecast::Seen;
use super::quantiles::gate_of_all;
use super::ratio_rule::RatioRule;
use super::{
    ComparedStatistic, ComparedSubject, Gate, GateOutcome, Margin, QuantileRatio, Verdict,
    shell_share,
};
use fathom_stats::paired::{Block, LookStage, Looks};
use fathom_stats::tails::BlockRuns;
use fathom_stats::{Confidence, LogRatioInterval};

/// The rule and what it has seen.
///
/// All looks together miss the truth with probability 1 − C at most, so measuring may stop as soon as
/// there is an answer. The intervals of all looks are intersected, unless they are about single runs:
/// the tail of all runs so far changes from look to look when the machine does. Several subjects share
/// the error by Holm: a settled subject leaves its share to the others.
#[derive(Debug, Clone)]
pub struct Course {
    statistic: ComparedStatistic,
    rule: RatioRule,
    confidence: Confidence,
    margin: Margin,
    gates: Vec<Gate>,
    tick: f64,
    looks: Looks,
    /// The share of the error that looks out of turn have spent.
    out_of_turn: f64,
    subjects: Vec<ComparedSubject>,
    /// The empty shell against the reference, where a shell runs the subjects.
    shell: Option<ComparedSubject>,
}

/// The share of the error that is spent on where the shell's start-up lies.
const OF_SHELL: f64 = 0.2;

/// A look, as it is taken of every subject.
#[derive(Debug, Clone, Copy)]
struct Turn {
    blocks: usize,
    share: f64,
    stage: LookStage,
}

impl Course {
    /// A course of at most `most` blocks, which must be fixed before the first block is seen.
    #[must_use]
    pub fn new(
        subjects: usize,
        most: usize,
        confidence: Confidence,
        margin: Margin,
        gates: Vec<Gate>,
        tick: f64,
    ) -> Course {
        Course {
            statistic: ComparedStatistic::Median,
            rule: RatioRule::LogRatios,
            confidence,
            margin,
            gates,
            tick,
            looks: Looks::plan(most),
            out_of_turn: 0.0,
            subjects: vec![ComparedSubject::default(); subjects],
            shell: None,
        }
    }

    /// The same course about another statistic of single runs, `of_each` of each subject in a block; to
    /// be chosen before the first. `seed` is that of the blocks' coins.
    #[must_use]
    pub fn comparing(self, statistic: ComparedStatistic, of_each: usize, seed: u64) -> Course {
        let rule = RatioRule::of(statistic, of_each, seed);
        Course { statistic, rule, ..self }.with_looks_that_can_tell()
    }

    /// The same course of blocks whose log-ratios are already those of this statistic: layouts of
    /// builds, in each of which it was computed.
    #[must_use]
    pub fn of_log_ratios_of(self, statistic: ComparedStatistic) -> Course {
        Course { statistic, rule: RatioRule::LogRatios, ..self }
    }

    /// The same course of subjects that a shell runs, whose empty runs come with every block; to be
    /// chosen before the first.
    #[must_use]
    pub fn with_shell(self) -> Course {
        Course { shell: Some(ComparedSubject::default()), ..self }
    }

    /// Takes the block of the empty shell against the reference; to be called before
    /// [`Course::take`].
    pub fn take_shell(&mut self, block: Block) {
        if let Some(shell) = &mut self.shell {
            shell.push(block);
        }
    }

    /// As [`Course::take_shell`], with every run.
    pub fn take_shell_runs(&mut self, runs: BlockRuns) {
        if let Some(shell) = &mut self.shell {
            shell.push_runs(runs);
        }
    }

    /// The empty shell against the reference, where a shell runs the subjects.
    #[must_use]
    pub fn shell(&self) -> Option<&ComparedSubject> {
        self.shell.as_ref()
    }

    /// The interval of a subject's log-ratio that is judged: without the shell, where one runs it.
    #[must_use]
    pub fn judged(&self, interval: LogRatioInterval) -> LogRatioInterval {
        match &self.shell {
            Some(shell) => shell_share::without(interval, shell.interval()),
            None => interval,
        }
    }

    /// The same course with another plan of looks; to be chosen before the first block.
    #[must_use]
    pub fn with_looks(self, looks: Looks) -> Course {
        Course { looks, ..self }.with_looks_that_can_tell()
    }

    /// Without the looks that are too early for an interval of the statistic, which would spend error
    /// for nothing.
    fn with_looks_that_can_tell(self) -> Course {
        let earliest = self.rule.fewest_blocks(self.level_of_one());
        Course { looks: self.looks.not_before(earliest), ..self }
    }

    /// What is compared.
    #[must_use]
    pub fn statistic(&self) -> ComparedStatistic {
        self.statistic
    }

    /// The confidence of the answers.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// What counts as no difference.
    #[must_use]
    pub fn margin(&self) -> Margin {
        self.margin
    }

    /// What must be shown.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    pub(super) fn tick(&self) -> f64 {
        self.tick
    }

    /// The smallest part of the error that one of the intervals at a look may spend, if the look may
    /// spend all of it.
    #[must_use]
    pub fn level_of_one(&self) -> f64 {
        let alpha = self.confidence.alpha();
        let subjects = self.subjects.len().max(1) as f64;
        match &self.shell {
            Some(_) => (OF_SHELL * alpha).min((1.0 - OF_SHELL) * alpha / subjects),
            None => alpha / subjects,
        }
    }

    /// The α of the last look at a subject.
    pub(super) fn last_level(&self, subject: usize) -> f64 {
        let look = self.subjects.get(subject).and_then(ComparedSubject::look);
        look.map_or(self.confidence.alpha(), |look| look.alpha)
    }

    /// The plan of looks.
    #[must_use]
    pub fn looks(&self) -> &Looks {
        &self.looks
    }

    /// The subjects, in their order.
    #[must_use]
    pub fn subjects(&self) -> &[ComparedSubject] {
        &self.subjects
    }

    /// The subjects to measure in the next block: all that are not settled.
    #[must_use]
    pub fn open(&self) -> Vec<usize> {
        (0..self.subjects.len()).filter(|&index| !self.subjects[index].is_settled()).collect()
    }

    /// How many blocks the open subjects have; those of all, once everybody is settled.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.subjects.iter().map(|subject| subject.blocks().len()).max().unwrap_or(0)
    }

    /// The places of a subject's blocks that its ratio rests on: those of quiet moments, where blocks
    /// are compared. A tail is the runs of other moments too.
    #[must_use]
    pub fn counted(&self, subject: usize) -> Vec<usize> {
        let blocks = self.subjects.get(subject).map(ComparedSubject::blocks);
        self.rule.counted(blocks.unwrap_or_default())
    }

    /// Takes a block for each open subject, and looks if the plan says so. True if nothing is left
    /// to measure.
    pub fn take(&mut self, blocks: &[(usize, Block)]) -> bool {
        for &(subject, block) in blocks {
            if let Some(subject) = self.subjects.get_mut(subject) {
                subject.push(block);
            }
        }
        self.look_if_due()
    }

    /// As [`Course::take`], with every run, which statistics of runs need.
    pub fn take_runs(&mut self, blocks: &[(usize, BlockRuns)]) -> bool {
        for &(subject, runs) in blocks {
            if let Some(subject) = self.subjects.get_mut(subject) {
                subject.push_runs(runs);
            }
        }
        self.look_if_due()
    }

    fn look_if_due(&mut self) -> bool {
        let n = self.blocks();
        if n >= self.looks.most() {
            self.end();
            return true;
        }
        if let Some(share) = self.looks.interim(n) {
            self.look(n, share, LookStage::Interim);
        }
        self.open().is_empty()
    }

    /// Takes the last look, wherever the course stands.
    pub fn end(&mut self) {
        let n = self.blocks();
        self.look(n, self.looks.last_share(n) - self.out_of_turn, LookStage::Last);
    }

    /// Plans more blocks, because time is left where the plan would end. Without effect once the
    /// last look was taken.
    ///
    /// Only the clock may ask for it: how long blocks take does not depend on the coins.
    pub fn extend(&mut self, most: usize) {
        if self.blocks() < self.looks.most() {
            self.looks = self.looks.extended(most, self.out_of_turn);
        }
    }

    /// Takes a look out of turn, because the user interrupted and wants to see. It spends half of
    /// what the last look has, so that the course can be resumed and still hold its level.
    pub fn interrupt(&mut self) {
        let n = self.blocks();
        let share = 0.5 * (self.looks.last_share(self.looks.most()) - self.out_of_turn);
        self.out_of_turn += share;
        self.look(n, share, LookStage::Interim);
    }

    fn look(&mut self, blocks: usize, share: f64, stage: LookStage) {
        let turn = Turn { blocks, share, stage };
        let mut alpha = self.confidence.alpha() * share;
        if let Some(shell) = &mut self.shell {
            let of_shell = OF_SHELL * alpha;
            alpha -= of_shell;
            let findings = self.rule.look_at(shell, of_shell, stage, self.tick);
            shell.see(&findings, blocks, self.rule.memory());
        }
        // Holm: the level is shared by those that are still open, and again after each that
        // settles.
        loop {
            let open = self.open();
            let level = alpha / open.len().max(1) as f64;
            let mut anyone_settled = false;
            for index in open.iter().copied() {
                anyone_settled |= self.look_at(index, level, open.len(), turn);
            }
            if !anyone_settled || self.open().is_empty() {
                return;
            }
        }
    }

    /// Looks at one of the open subjects; true if that settles it.
    fn look_at(&mut self, index: usize, level: f64, open: usize, turn: Turn) -> bool {
        let of_subjects = if self.shell.is_some() { 1.0 - OF_SHELL } else { 1.0 };
        let subject = &mut self.subjects[index];
        let findings = self.rule.look_at(subject, level, turn.stage, self.tick);
        if findings.is_empty() {
            return false;
        }
        let memory = self.rule.memory();
        subject.see(&findings, turn.blocks, memory);
        // Of many ratios, each had a part of the level.
        let smallest = findings.iter().map(|found| found.located.p_value * (level / found.alpha));
        let p_value = smallest.fold(f64::INFINITY, f64::min);
        subject.adjust_p_value(p_value * open as f64 / (turn.share * of_subjects), memory);
        let may_decide = findings.iter().all(|found| found.located.may_decide);
        // Where the number of blocks is fixed, a look out of turn only shows what there is: if it
        // settled a subject, the rest of the blocks would never come.
        let may_settle = may_decide && (turn.stage == LookStage::Last || self.looks.at().len() > 1);
        let is_settled = may_settle && self.is_settled(index, &findings, level);
        if is_settled {
            self.subjects[index].settle();
        }
        is_settled
    }

    /// Whether a subject has its answer: to every gate, or where there are none, its verdict.
    fn is_settled(&self, index: usize, findings: &[Finding], level: f64) -> bool {
        let subject = &self.subjects[index];
        let judged = || subject.tracks().iter().map(|track| self.judged(track.interval()));
        // More blocks may say something about quantiles that are farther out.
        let is_all = findings.len() >= self.rule.ratios_of(self.looks.most(), level);
        // A gate asks for its own answer; where it has one, the verdict may come along or not.
        if self.gates.is_empty() {
            let is_told = |one| Verdict::of(one, self.margin) != Verdict::Inconclusive;
            return is_all && judged().all(is_told);
        }
        self.gates.iter().all(|gate| match gate_of_all(*gate, judged(), Gate::judge) {
            GateOutcome::Failed => true,
            GateOutcome::Passed => is_all,
            GateOutcome::Inconclusive => false,
        })
    }

    /// What became of a gate when measuring is over.
    pub(super) fn finally(&self, subject: &ComparedSubject, gate: Gate) -> GateOutcome {
        let judged = subject.tracks().iter().map(|track| self.judged(track.interval()));
        gate_of_all(gate, judged, Gate::finally)
    }

    /// The quantiles of a subject over those of the reference, where many are compared.
    pub(super) fn quantiles(&self, subject: &ComparedSubject) -> Vec<QuantileRatio> {
        let of = |track: &Track| {
            let p = track.level()?;
            let sides = subject.sides(p)?;
            Some(QuantileRatio::new(p, track.log_ratio()?, track.interval(), sides, self.margin))
        };
        subject.tracks().iter().filter_map(of).collect()
    }

    /// How many blocks in all would probably settle a subject that is not: its gates, or where
    /// there are none, its verdict. Of many ratios, the one that takes most.
    #[must_use]
    pub fn further(&self, subject: &ComparedSubject) -> Option<usize> {
        if let [only] = subject.tracks() {
            return self.further_of(only);
        }
        let mut most = None;
        for track in subject.tracks() {
            let judged = self.judged(track.interval());
            let is_open = match self.gates.as_slice() {
                [] => Verdict::of(judged, self.margin) == Verdict::Inconclusive,
                gates => {
                    let outcome = |gate: &Gate| gate.finally(judged);
                    gates.iter().any(|gate| outcome(gate) == GateOutcome::Inconclusive)
                }
            };
            if is_open {
                most = most.max(Some(self.further_of(track)?));
            }
        }
        most
    }

    /// The same of one ratio.
    fn further_of(&self, track: &Track) -> Option<usize> {
        let look = track.look()?;
        // A look of a course that was planned longer spends this much.
        const COMING: f64 = 0.005;
        let interval = self.judged(track.interval());
        // More blocks than this are out of reach.
        const MOST: usize = 1_000_000_000;
        if let Some(shortage) = look.shortage.filter(|_| !track.interval().is_finite()) {
            return Some(shortage.needed().max(look.blocks + 1)).filter(|needed| *needed < MOST);
        }
        let mut log_ratio = look.located.log_ratio;
        if let Some(shell) = &self.shell {
            // A ratio that the shell hides may need anything.
            if !interval.is_finite() {
                return None;
            }
            log_ratio = shell_share::point(log_ratio, shell.look()?.located.log_ratio);
        }
        let seen = Seen {
            log_ratio,
            interval,
            n: look.blocks,
            spent: look.alpha,
            coming: COMING.min(look.alpha),
        };
        seen.needed(self.margin, &self.gates)
    }
}

#[cfg(test)]
mod tests;
