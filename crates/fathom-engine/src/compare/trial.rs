//! A comparison under way: its plan, its blocks, and what they say so far.

use super::plan::ComparePlan;
use crate::measuring::shell::is_empty_shell;
use fathom_analyze::StopReason;
use fathom_analyze::compare::Course;
use fathom_measure::MeasureError;
use fathom_record::{Metric, Phase, Run};
use fathom_stats::paired::Looks;
use fathom_stats::tails::BlockRuns;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How many pairs a block has, unless runs take long.
pub(crate) const TWO_PAIRS: usize = 2;

/// The state of a comparison.
#[derive(Debug)]
pub(crate) struct Trial {
    course: Course,
    saved: SavedTrial,
    /// The numbers of the blocks that the course took, in their order.
    taken: Vec<usize>,
    /// Whether the last planned block is a single pair.
    ends_in_a_single_pair: bool,
}

/// What a session keeps of a comparison besides its runs: from both, everything follows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SavedTrial {
    most: usize,
    /// Two, or one where runs take long.
    pairs_per_block: usize,
    seconds_per_block: f64,
    tick: f64,
    /// After how many blocks the user interrupted and looked.
    interrupted: Vec<usize>,
    /// Where time was left when the plan would have ended.
    extended: Vec<Extension>,
    /// Why it ended, and after how many blocks.
    ended: Option<(StopReason, usize)>,
}

/// A plan that went on, because time was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Extension {
    /// After how many blocks that was decided.
    after: usize,
    /// The most blocks from then on.
    most: usize,
    /// How often the user had interrupted by then: both use the same error.
    interruptions: usize,
}

impl SavedTrial {
    pub(crate) fn text(&self) -> String {
        let ended = self.ended.map(|(stopped, blocks)| json!([stopped.name(), blocks]));
        json!({
            "most_blocks": self.most,
            "pairs_per_block": self.pairs_per_block,
            "seconds_per_block": self.seconds_per_block,
            "tick": self.tick,
            "interrupted_after": self.interrupted,
            "extended": self.extended.iter()
                .map(|one| [one.after, one.most, one.interruptions])
                .collect::<Vec<_>>(),
            "ended": ended,
        })
        .to_string()
    }

    pub(crate) fn read(text: &str) -> Option<SavedTrial> {
        let value: Value = serde_json::from_str(text).ok()?;
        let count = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let all =
            [StopReason::Verdict, StopReason::MaxTime, StopReason::MaxRuns, StopReason::Fixed];
        let ended = value["ended"].as_array().and_then(|ended| {
            let name = ended.first()?.as_str()?;
            Some((all.into_iter().find(|one| one.name() == name)?, count(ended.get(1)?)?))
        });
        let extension = |value: &Value| -> Option<Extension> {
            let at = |place: usize| count(value.get(place)?);
            Some(Extension { after: at(0)?, most: at(1)?, interruptions: at(2)? })
        };
        // Sessions of before 2026-11 never went on.
        let extended = value["extended"].as_array().map(Vec::as_slice).unwrap_or_default();
        Some(SavedTrial {
            extended: extended.iter().filter_map(extension).collect(),
            most: count(&value["most_blocks"])?,
            // Blocks of older sessions always had two.
            pairs_per_block: count(&value["pairs_per_block"]).unwrap_or(TWO_PAIRS),
            seconds_per_block: value["seconds_per_block"].as_f64()?,
            tick: value["tick"].as_f64()?,
            interrupted: value["interrupted_after"].as_array()?.iter().filter_map(count).collect(),
            ended,
        })
    }

    pub(crate) fn stopped(&self) -> Option<StopReason> {
        self.ended.map(|(stopped, _)| stopped)
    }
}

impl Trial {
    /// A trial whose length is fixed before the first look.
    pub(crate) fn planned(
        plan: &ComparePlan,
        runs: &[Run],
        elapsed: Duration,
        (pairs_per_block, seconds_per_block): (usize, f64),
        clock_grain: f64,
    ) -> Trial {
        let budget = &plan.budget;
        let most = if budget.is_fixed {
            budget.most_blocks.unwrap_or(1)
        } else {
            // What is over when the first block came before the plan counts as one of it.
            let has_first = runs.iter().any(|run| run.phase == Phase::Measured);
            let left = budget.time.saturating_sub(elapsed).as_secs_f64();
            let fit = left / seconds_per_block.max(1e-6) + f64::from(u8::from(has_first));
            let fit = if fit.is_finite() { fit as usize } else { usize::MAX };
            const MOST: usize = 1_000_000;
            let fewest = budget.fewest_pairs.div_ceil(pairs_per_block);
            fit.max(fewest).min(budget.most_blocks.unwrap_or(MOST)).clamp(1, MOST)
        };
        let tick = tick(&plan.metric, runs, clock_grain);
        Trial::new(
            plan,
            runs,
            SavedTrial {
                most,
                pairs_per_block,
                seconds_per_block,
                tick,
                interrupted: Vec::new(),
                extended: Vec::new(),
                ended: None,
            },
        )
    }

    fn new(plan: &ComparePlan, runs: &[Run], saved: SavedTrial) -> Trial {
        let others = plan.others().len();
        let gates = plan.gates.clone();
        let course =
            Course::new(others, saved.most, plan.confidence, plan.margin, gates, saved.tick);
        let course = course.comparing(plan.statistic, saved.pairs_per_block, plan.request.seed);
        // Sessions of an older Fathom have no such runs, and times without the shell.
        let has_shell = plan.metric.adds_up() && runs.iter().any(is_empty_shell);
        let course = if has_shell { course.with_shell() } else { course };
        let looks = match (plan.budget.is_fixed, saved.pairs_per_block) {
            (true, _) => Looks::once(saved.most),
            (false, 1) => Looks::of_single_pairs(saved.most, course.level_of_one()),
            (false, _) => Looks::plan(saved.most),
        };
        let first_look = plan.budget.first_look_pairs.div_ceil(saved.pairs_per_block);
        let course = course.with_looks(looks.not_before(first_look));
        let ends_in_a_single_pair = plan.budget.ends_in_a_single_pair;
        Trial { course, saved, taken: Vec::new(), ends_in_a_single_pair }
    }

    /// The state that saved runs lead to.
    pub(crate) fn replayed(plan: &ComparePlan, saved: &SavedTrial, runs: &[Run]) -> Trial {
        let mut trial = Trial::new(plan, runs, saved.clone());
        let mut blocks: BTreeMap<usize, Vec<Run>> = BTreeMap::new();
        for run in runs.iter().filter(|run| run.phase != Phase::Warmup) {
            if let Some(place) = run.place {
                blocks.entry(place.block).or_default().push(run.clone());
            }
        }
        for block in blocks.values() {
            // A block that was cut off pairs runs from before and after a pause; it does not
            // count. (A run that gives no ratio ended the session then, and ends nothing now.)
            let before = trial.course.blocks();
            let _ = trial.take(plan, block);
            if trial.course.blocks() > before {
                trial.replay_events();
            }
        }
        if saved.ended.is_some() {
            trial.end();
        }
        trial
    }

    /// What happened after the block that was taken last, in its order.
    fn replay_events(&mut self) {
        let n = self.course.blocks();
        let SavedTrial { interrupted, extended, .. } = self.saved.clone();
        let extend = |course: &mut Course, interruptions: usize| {
            let is_now = |one: &&Extension| one.after == n && one.interruptions == interruptions;
            extended.iter().filter(is_now).for_each(|one| course.extend(one.most));
        };
        let earlier = interrupted.iter().filter(|after| **after < n).count();
        extend(&mut self.course, earlier);
        let now = interrupted.iter().filter(|after| **after == n).count();
        for further in 1..=now {
            self.course.interrupt();
            extend(&mut self.course, earlier + further);
        }
    }

    /// How many pairs a block has; the last may have one less.
    pub(crate) fn pairs_per_block(&self) -> usize {
        self.saved.pairs_per_block
    }

    /// Whether every block is a single pair.
    pub(crate) fn is_of_single_pairs(&self) -> bool {
        self.saved.pairs_per_block < TWO_PAIRS
    }

    /// Whether this number of blocks is what the budget allows in any case.
    pub(crate) fn has_fewest(&self, plan: &ComparePlan) -> bool {
        self.course.blocks() * self.saved.pairs_per_block >= plan.budget.fewest_pairs
    }

    /// Whether the next block is a single pair.
    pub(crate) fn is_next_single(&self) -> bool {
        let is_last = self.course.blocks() + 1 == self.course.looks().most();
        self.is_of_single_pairs() || (self.ends_in_a_single_pair && is_last)
    }

    /// Whether the last block of a subject was a single pair.
    pub(crate) fn has_half_block(&self, index: usize) -> bool {
        let blocks = self.course.subjects().get(index).map(|subject| subject.blocks().len());
        self.ends_in_a_single_pair && blocks == Some(self.course.looks().most())
    }

    /// The numbers of the blocks that a subject's ratio rests on.
    pub(crate) fn counted(&self, index: usize) -> BTreeSet<usize> {
        // A subject is in every block until it is settled.
        self.course
            .counted(index)
            .into_iter()
            .filter_map(|place| self.taken.get(place).copied())
            .collect()
    }

    /// The numbers of the blocks that a subject has, in their order.
    pub(crate) fn taken(&self, index: usize) -> &[usize] {
        let blocks = self.course.subjects().get(index).map_or(0, |subject| subject.blocks().len());
        &self.taken[..blocks.min(self.taken.len())]
    }

    /// Goes on if the plan would end with the next block and time is left after it: blocks may be
    /// shorter than the first ones were, or subjects may have been settled. What a block takes now
    /// is `seconds_of_block`. True if the plan is another.
    pub(crate) fn go_on(
        &mut self,
        plan: &ComparePlan,
        elapsed: Duration,
        seconds_of_block: impl FnOnce() -> f64,
    ) -> bool {
        let (blocks, most) = (self.course.blocks(), self.course.looks().most());
        let is_limited = plan.budget.is_fixed || plan.budget.most_blocks.is_some_and(|n| n <= most);
        if is_limited || blocks + 1 != most {
            return false;
        }
        let seconds = seconds_of_block().max(1e-6);
        let left = plan.budget.time.saturating_sub(elapsed).as_secs_f64() - seconds;
        // A few blocks more are not worth another look.
        const WORTH: f64 = 0.05;
        let further = (left / seconds).min(1e6);
        if further < (WORTH * most as f64).max(1.0) {
            return false;
        }
        let longer = most + further as usize;
        let most = plan.budget.most_blocks.map_or(longer, |limit| longer.min(limit));
        let interruptions = self.saved.interrupted.len();
        self.saved.extended.push(Extension { after: blocks, most, interruptions });
        self.course.extend(most);
        true
    }

    pub(crate) fn course(&self) -> &Course {
        &self.course
    }

    pub(crate) fn seconds_per_block(&self) -> f64 {
        self.saved.seconds_per_block
    }

    /// Which subjects run in the next block.
    pub(crate) fn participants(&self, plan: &ComparePlan) -> Vec<usize> {
        let others = plan.others();
        let open = self.course.open().into_iter().map(|index| others[index]);
        std::iter::once(plan.reference).chain(open).collect()
    }

    /// Takes the runs of a block; if they are not two of each, or one in a single pair, nothing.
    pub(crate) fn take(&mut self, plan: &ComparePlan, runs: &[Run]) -> Result<(), MeasureError> {
        let is_single = self.is_next_single();
        let two = |is_wanted: &dyn Fn(&Run) -> bool| -> Option<[f64; 2]> {
            let wanted = runs.iter().filter(|run| is_wanted(run));
            let mut values = wanted.filter_map(|run| plan.metric.of(run));
            let first = values.next()?;
            Some([first, if is_single { first } else { values.next()? }])
        };
        let values =
            |subject: usize| two(&|run: &Run| run.subject == subject && !is_empty_shell(run));
        let block = |subject: [f64; 2], reference: [f64; 2]| match is_single {
            true => BlockRuns::of_pair(subject[0], reference[0]),
            false => BlockRuns::of(subject, reference),
        };
        let others = plan.others();
        let Some(reference) = values(plan.reference) else { return Ok(()) };
        let mut blocks = Vec::new();
        for index in self.course.open() {
            let Some(subject) = values(others[index]) else { return Ok(()) };
            let block = block(subject, reference)
                .ok_or_else(|| no_ratio(plan, others[index], subject, reference))?;
            blocks.push((index, block));
        }
        if self.course.shell().is_some() {
            let Some(shell) = two(&is_empty_shell) else { return Ok(()) };
            let block = block(shell, reference).ok_or_else(|| no_shell(plan, shell, reference))?;
            self.course.take_shell_runs(block);
        }
        let number = runs.iter().find_map(|run| run.place).map(|place| place.block);
        self.taken.extend(number);
        self.course.take_runs(&blocks);
        Ok(())
    }

    /// Whether, and why, it is time to stop.
    pub(crate) fn due(&self, plan: &ComparePlan, elapsed: Duration) -> Option<StopReason> {
        let blocks = self.course.blocks();
        if self.course.open().is_empty() && !plan.budget.is_fixed {
            return Some(StopReason::Verdict);
        }
        let planned = self.course.looks().most();
        if blocks >= planned {
            return Some(match (plan.budget.is_fixed, plan.budget.most_blocks) {
                (true, _) => StopReason::Fixed,
                (false, Some(most)) if most == planned => StopReason::MaxRuns,
                _ => StopReason::MaxTime,
            });
        }
        // Half a block before the end the next one would rather end after it.
        let half = Duration::from_secs_f64((0.5 * self.saved.seconds_per_block).clamp(0.0, 1e6));
        let is_over = elapsed.saturating_add(half) >= plan.budget.time;
        (is_over && self.has_fewest(plan)).then_some(StopReason::MaxTime)
    }

    /// Takes the last look, unless the answer is there.
    pub(crate) fn end(&mut self) {
        if !self.course.open().is_empty() && self.course.blocks() < self.course.looks().most() {
            self.course.end();
        }
    }

    /// Takes a look out of turn.
    pub(crate) fn interrupt(&mut self) {
        if self.course.blocks() > 0 && !self.course.open().is_empty() {
            self.saved.interrupted.push(self.course.blocks());
            self.course.interrupt();
        }
    }

    /// What to keep.
    pub(crate) fn saved(&self, stopped: Option<StopReason>) -> SavedTrial {
        let ended = stopped.map(|stopped| (stopped, self.course.blocks()));
        SavedTrial { ended, ..self.saved.clone() }
    }
}

/// The grain of a metric relative to its size, as far as it is known.
fn tick(metric: &Metric, runs: &[Run], clock_grain: f64) -> f64 {
    let grain = match metric {
        Metric::WallTime => clock_grain,
        // The kernel reports microseconds.
        Metric::UserTime | Metric::SystemTime | Metric::CpuTime => 1e-6,
        // And memory in pages.
        Metric::PeakMemory => 4096.0,
        Metric::MinorFaults
        | Metric::MajorFaults
        | Metric::VoluntarySwitches
        | Metric::InvoluntarySwitches => 1.0,
        Metric::Counter(_) | Metric::Printed(_) => 0.0,
    };
    let mut values: Vec<f64> =
        runs.iter().filter_map(|run| metric.of(run)).filter(|value| *value > 0.0).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).map_or(0.0, |middle| (grain / middle).min(1.0))
}

fn no_ratio(plan: &ComparePlan, subject: usize, of: [f64; 2], reference: [f64; 2]) -> MeasureError {
    let is_bad = |values: &[f64; 2]| values.iter().any(|value| *value <= 0.0);
    let (name, values) = if is_bad(&of) { (subject, of) } else { (plan.reference, reference) };
    let value = values.into_iter().find(|value| *value <= 0.0).unwrap_or(values[0]);
    let hint = match plan.metric {
        Metric::UserTime | Metric::SystemTime => "; short programs have --on cpu-time",
        _ => "; compare another metric",
    };
    MeasureError::Broken(format!(
        "{}: {} is {value} in a run, and a ratio needs values above 0{hint}",
        plan.subjects[name].name, plan.metric
    ))
}

fn no_shell(plan: &ComparePlan, shell: [f64; 2], reference: [f64; 2]) -> MeasureError {
    if reference.iter().any(|value| *value <= 0.0) {
        return no_ratio(plan, plan.reference, reference, reference);
    }
    let value = shell.into_iter().find(|value| *value <= 0.0).unwrap_or(shell[0]);
    MeasureError::Broken(format!(
        "the empty shell: {} is {value} in a run, and a ratio needs values above 0; short programs \
         have --on cpu-time",
        plan.metric
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::{Ending, Phase, Span, Timestamp, Usage};

    #[test]
    fn the_grain_of_a_metric_is_a_share_of_its_middle_value() {
        let run = |milliseconds: u64, pages: u64| Run {
            subject: 0,
            phase: Phase::Measured,
            place: None,
            began: Timestamp::ZERO,
            ending: Ending::Exited(0),
            usage: Usage {
                wall: Span::from_milliseconds(milliseconds),
                user: Span::from_milliseconds(milliseconds),
                peak_memory: 4096 * pages,
                minor_faults: pages,
                ..Usage::default()
            },
            readings: Vec::new(),
        };
        let runs = [run(1, 1), run(4, 8), run(9, 20)];
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(close(tick(&Metric::WallTime, &runs, 1e-4), 0.025));
        assert!(close(tick(&Metric::UserTime, &runs, 1e-4), 1e-6 / 0.004));
        assert!(close(tick(&Metric::PeakMemory, &runs, 1e-4), 0.125));
        assert!(close(tick(&Metric::MinorFaults, &runs, 1e-4), 0.125));
        // Never more than the value, and nothing of values that are 0 or have no grain.
        assert!(close(tick(&Metric::WallTime, &runs, 9.0), 1.0));
        assert_eq!(tick(&Metric::MajorFaults, &runs, 1e-4), 0.0);
        assert_eq!(tick(&Metric::WallTime, &[], 1e-4), 0.0);
        assert_eq!(tick(&Metric::Printed("x".to_string()), &runs, 1e-4), 0.0);
    }
}
