//! The course of a sequential comparison: blocks come in, looks are taken, subjects are settled.

use super::forecast::Seen;
use super::{Gate, GateOutcome, Margin, Verdict, shell_share};
use fathom_stats::paired::{Block, Choice, Located, LookStage, Looks, locate};
use fathom_stats::{Confidence, LogRatioInterval};

/// The rule and what it has seen.
///
/// All looks together miss the truth with probability 1 − C at most, so the intervals of all looks
/// may be intersected, and measuring may stop as soon as there is an answer. Several subjects share
/// the error by Holm: a settled subject leaves its share to the others.
#[derive(Debug, Clone)]
pub struct Course {
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

/// One subject's way.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedSubject {
    blocks: Vec<Block>,
    interval: LogRatioInterval,
    look: Option<Look>,
    settled: bool,
    p_value: f64,
    contradicted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Look {
    located: Located,
    blocks: usize,
    alpha: f64,
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
        let subject = ComparedSubject {
            blocks: Vec::new(),
            interval: LogRatioInterval::EVERYTHING,
            look: None,
            settled: false,
            p_value: 1.0,
            contradicted: false,
        };
        Course {
            confidence,
            margin,
            gates,
            tick,
            looks: Looks::plan(most),
            out_of_turn: 0.0,
            subjects: vec![subject; subjects],
            shell: None,
        }
    }

    /// The same course of subjects that a shell runs, whose empty runs come with every block; to be
    /// chosen before the first.
    #[must_use]
    pub fn with_shell(self) -> Course {
        let shell = Course::new(1, 1, self.confidence, self.margin, Vec::new(), self.tick);
        Course { shell: shell.subjects.into_iter().next(), ..self }
    }

    /// Takes the block of the empty shell against the reference; to be called before
    /// [`Course::take`].
    pub fn take_shell(&mut self, block: Block) {
        if let Some(shell) = &mut self.shell {
            shell.blocks.push(block);
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
            Some(shell) => shell_share::without(interval, shell.interval),
            None => interval,
        }
    }

    /// The same course with another plan of looks; to be chosen before the first block.
    #[must_use]
    pub fn with_looks(self, looks: Looks) -> Course {
        Course { looks, ..self }
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
        let look = self.subjects.get(subject).and_then(|subject| subject.look);
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

    /// The subjects to measure in the next block: those that are not settled.
    #[must_use]
    pub fn open(&self) -> Vec<usize> {
        (0..self.subjects.len()).filter(|&index| !self.subjects[index].settled).collect()
    }

    /// How many blocks the open subjects have; those of all, once everybody is settled.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.subjects.iter().map(|subject| subject.blocks.len()).max().unwrap_or(0)
    }

    /// Takes a block for each open subject, and looks if the plan says so. True if nothing is left
    /// to measure.
    pub fn take(&mut self, blocks: &[(usize, Block)]) -> bool {
        for &(subject, block) in blocks {
            if let Some(subject) = self.subjects.get_mut(subject) {
                subject.blocks.push(block);
            }
        }
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

    fn look(&mut self, n: usize, share: f64, stage: LookStage) {
        let mut alpha = self.confidence.alpha() * share;
        if let Some(shell) = &mut self.shell {
            let of_shell = OF_SHELL * alpha;
            alpha -= of_shell;
            if let Some(found) = locate(&shell.blocks, Choice::Quiet, of_shell, stage, self.tick) {
                shell.see(Look { located: found, blocks: n, alpha: of_shell });
            }
        }
        let of_subjects = if self.shell.is_some() { 1.0 - OF_SHELL } else { 1.0 };
        // Holm: the level is shared by those that are still open, and again after each that
        // settles.
        loop {
            let open = self.open();
            let level = alpha / open.len().max(1) as f64;
            let mut anyone_settled = false;
            for index in open.iter().copied() {
                let (margin, gates, tick) = (self.margin, self.gates.clone(), self.tick);
                let shell = self.shell.as_ref().map(|shell| shell.interval);
                let subject = &mut self.subjects[index];
                let Some(found) = locate(&subject.blocks, Choice::Quiet, level, stage, tick) else {
                    continue;
                };
                subject.see(Look { located: found, blocks: n, alpha: level });
                let adjusted = found.p_value * open.len() as f64 / (share * of_subjects);
                subject.p_value = subject.p_value.min(adjusted);
                let judged = match shell {
                    Some(shell) => shell_share::without(subject.interval, shell),
                    None => subject.interval,
                };
                if found.may_decide && is_settled(judged, margin, &gates) {
                    subject.settled = true;
                    anyone_settled = true;
                }
            }
            if !anyone_settled || self.open().is_empty() {
                return;
            }
        }
    }

    /// How many blocks in all would probably settle a subject that is not: its gates, or where
    /// there are none, its verdict.
    #[must_use]
    pub fn further(&self, subject: &ComparedSubject) -> Option<usize> {
        let look = subject.look?;
        // A look of a course that was planned longer spends this much.
        const COMING: f64 = 0.005;
        let (mut log_ratio, interval) = (look.located.log_ratio, self.judged(subject.interval));
        if let Some(shell) = &self.shell {
            // A ratio that the shell hides may need anything.
            if !interval.is_finite() {
                return None;
            }
            log_ratio = shell_share::point(log_ratio, shell.look?.located.log_ratio);
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

impl ComparedSubject {
    fn see(&mut self, look: Look) {
        let seen = look.located.interval;
        let lower = self.interval.lower.max(seen.lower);
        let upper = self.interval.upper.min(seen.upper);
        // Intervals of several looks that exclude each other say that the ratio itself changed.
        self.contradicted |= lower > upper;
        self.interval = if lower > upper { seen } else { LogRatioInterval { lower, upper } };
        self.look = Some(look);
    }

    /// Its blocks.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Where its log-ratio lies.
    #[must_use]
    pub fn interval(&self) -> LogRatioInterval {
        self.interval
    }

    /// The estimate of its log-ratio; `None` before the first look.
    #[must_use]
    pub fn log_ratio(&self) -> Option<f64> {
        let log_ratio = self.look?.located.log_ratio;
        // An earlier look may have narrowed the interval more than this one.
        Some(log_ratio.clamp(self.interval.lower, self.interval.upper))
    }

    /// The last look at it.
    #[must_use]
    pub fn last_look(&self) -> Option<Located> {
        self.look.map(|look| look.located)
    }

    /// Valid over all looks and subjects.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        self.p_value
    }

    /// Whether looks at different times excluded each other.
    #[must_use]
    pub fn is_contradicted(&self) -> bool {
        self.contradicted
    }

    /// Whether it was settled before the blocks ran out.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.settled
    }
}

fn is_settled(interval: LogRatioInterval, margin: Margin, gates: &[Gate]) -> bool {
    let is_told = Verdict::of(interval, margin) != Verdict::Inconclusive;
    // A gate asks for its own answer; where it has one, the verdict may come along or not.
    if gates.is_empty() {
        is_told
    } else {
        gates.iter().all(|gate| gate.judge(interval) != GateOutcome::Inconclusive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(log_ratio: f64) -> Block {
        Block { log_ratio, log_total: 0.0 }
    }

    fn course(subjects: usize, most: usize) -> Course {
        Course::new(subjects, most, Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0)
    }

    /// Small noise about a log-ratio, the same for every run of the test.
    fn near(log_ratio: f64, i: usize) -> Block {
        block(log_ratio + 0.002 * ((i * 7 % 10) as f64 - 4.5) / 5.0)
    }

    #[test]
    fn a_clear_difference_is_settled_at_the_first_look() {
        let mut course = course(1, 50);
        for i in 0..9 {
            assert!(!course.take(&[(0, near(0.05, i))]), "before the first look");
            assert_eq!(course.subjects()[0].interval(), LogRatioInterval::EVERYTHING);
        }
        assert!(course.take(&[(0, near(0.05, 9))]));
        let subject = &course.subjects()[0];
        assert_eq!(Verdict::of(subject.interval(), Margin::DEFAULT), Verdict::Slower);
        // 2 · P(W⁺ ≤ 0) / share: four looks before the last share .3.
        assert!((subject.p_value() - 2.0 / 1024.0 / 0.075).abs() < 1e-12);
    }

    #[test]
    fn whoever_is_settled_leaves_the_rotation() {
        let mut course = course(2, 20);
        for i in 0..10 {
            // The second is too noisy to be settled.
            let noisy = block(0.3 * ((i % 3) as f64 - 1.0));
            assert!(!course.take(&[(0, near(0.2, i)), (1, noisy)]));
        }
        assert_eq!(course.open(), [1]);
        assert!(course.subjects()[0].is_settled());
    }

    #[test]
    fn a_gate_keeps_measuring_until_it_is_answered() {
        let gate = vec![Gate::NotSlower(Margin::new(0.05).unwrap())];
        let mut course = Course::new(1, 30, Confidence::DEFAULT, Margin::DEFAULT, gate, 0.0);
        // Slower, about 5%: the verdict is there at once, the gate's answer is not.
        for i in 0..30 {
            let done = course.take(&[(0, near(0.05_f64.ln_1p(), i))]);
            assert_eq!(done, i == 29);
        }
        let interval = course.subjects()[0].interval();
        assert_eq!(Verdict::of(interval, Margin::DEFAULT), Verdict::Slower);
    }

    /// Blocks that turn out shorter than planned leave time, which is used; the error stays within
    /// its bound because the look at the former end spends only a part of what it had.
    #[test]
    fn time_that_is_left_is_used() {
        let noisy = |i: usize| block(0.3 * ((i % 3) as f64 - 1.0));
        let mut course = course(1, 11);
        for i in 0..10 {
            course.take(&[(0, noisy(i))]);
        }
        course.extend(30);
        assert_eq!(course.looks().at(), [11, 16, 25, 30]);
        assert!(!course.take(&[(0, noisy(10))]), "the former end is one look of several");
        assert!((course.last_level(0) - 0.05 / 6.0).abs() < 1e-12);
        for i in 11..30 {
            assert_eq!(course.take(&[(0, noisy(i))]), i == 29);
        }
        assert!((course.last_level(0) - 0.05 / 2.0).abs() < 1e-12);
        course.extend(90);
        assert_eq!(course.looks().most(), 30, "what is spent is spent");
    }

    #[test]
    fn the_clock_may_end_it_anywhere() {
        let mut course = course(1, 50);
        for i in 0..7 {
            course.take(&[(0, near(0.05, i))]);
        }
        course.end();
        assert!(course.subjects()[0].is_settled(), "seven blocks, all of alpha left");
    }

    /// Looks out of turn narrow what the last look may spend, and never to nothing.
    #[test]
    fn an_interruption_costs_the_last_look_half_its_error() {
        let last_level = |interruptions: usize| {
            let mut course = course(1, 11);
            let noisy = |i: usize| block(0.3 * ((i % 3) as f64 - 1.0));
            for i in 0..8 {
                course.take(&[(0, noisy(i))]);
            }
            (0..interruptions).for_each(|_| course.interrupt());
            for i in 8..11 {
                course.take(&[(0, noisy(i))]);
            }
            course.last_level(0)
        };
        assert!((last_level(0) - 0.05).abs() < 1e-12);
        assert!((last_level(1) - 0.025).abs() < 1e-12);
        assert!((last_level(3) - 0.05 / 8.0).abs() < 1e-12);
    }

    #[test]
    fn looks_that_exclude_each_other_are_noticed() {
        let mut course = Course::new(
            1,
            40,
            Confidence::DEFAULT,
            Margin::DEFAULT,
            vec![Gate::NotSlower(Margin::new(0.05).unwrap())],
            0.0,
        );
        for i in 0..10 {
            course.take(&[(0, near(0.049, i))]);
        }
        for i in 0..30 {
            course.take(&[(0, near(0.02, i))]);
        }
        let subject = &course.subjects()[0];
        assert!(subject.interval().lower <= subject.interval().upper);
    }

    /// What is spent on the shell is not spent on the subjects.
    #[test]
    fn the_shell_costs_the_p_value_its_part_of_the_error() {
        let p_value = |mut course: Course| {
            for i in 0..10 {
                course.take_shell(near(-1.0, i));
                course.take(&[(0, near(0.05, i))]);
            }
            course.subjects()[0].p_value()
        };
        let (alone, with_shell) = (p_value(course(1, 50)), p_value(course(1, 50).with_shell()));
        assert!((with_shell - alone / (1.0 - OF_SHELL)).abs() < 1e-12, "{alone} {with_shell}");
    }
}
