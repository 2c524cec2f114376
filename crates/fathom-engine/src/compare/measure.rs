//! Block after block, until the answer is there or the budget is used up.

use super::plan::ComparePlan;
use super::trial::{SavedTrial, TWO_PAIRS, Trial};
use crate::Watch;
use crate::measuring::conduct::Measurement;
use crate::measuring::shell::is_empty_shell;
use crate::measuring::time_left::time_left;
use fathom_analyze::StopReason;
use fathom_measure::{Bench, MeasureError};
use fathom_record::{Phase, Run};
use fathom_render::difference_so_far;
use std::time::Duration;

/// What was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) runs: Vec<Run>,
    pub(crate) trial: Option<Trial>,
    pub(crate) stopped: StopReason,
    pub(crate) seconds: f64,
    /// Why measuring ended early, if it did.
    pub(crate) error: Option<MeasureError>,
}

impl Measurement for Measured {
    fn runs(&self) -> &[Run] {
        &self.runs
    }
}

/// Measures until the answer is there or the budget is used up.
pub(crate) fn measure(
    plan: &ComparePlan,
    bench: &mut Bench<'_>,
    runs: Vec<Run>,
    saved: Option<SavedTrial>,
    watch: &mut dyn Watch,
) -> Measured {
    let trial = saved.as_ref().map(|saved| Trial::replayed(plan, saved, &runs));
    let mut measured =
        Measured { runs, trial, stopped: StopReason::Interrupted, seconds: 0.0, error: None };
    let ended = try_measure(plan, bench, &mut measured, saved, watch);
    measured.seconds = bench.elapsed().as_secs_f64();
    match ended {
        Ok(stopped) => measured.stopped = stopped,
        Err(error) => {
            if let Some(trial) = &mut measured.trial {
                trial.interrupt();
                // If this cannot be kept either, the error that ended it says more.
                let _ = bench.keeper().set_plan(&trial.saved(None).text());
            }
            measured.error = Some(error);
        }
    }
    measured
}

fn try_measure(
    plan: &ComparePlan,
    bench: &mut Bench<'_>,
    measured: &mut Measured,
    saved: Option<SavedTrial>,
    watch: &mut dyn Watch,
) -> Result<StopReason, MeasureError> {
    for subject in 0..plan.subjects.len() {
        bench.set_up(subject)?;
    }
    // A session begins with the empty shell, which says that runs are kept with its start-up.
    if plan.has_shell() && !measured.runs.iter().any(is_empty_shell) {
        measured.runs.extend(bench.run_empty_shell(plan.reference, None)?);
    }
    if saved.is_none() {
        warm_up(plan, bench, &mut measured.runs, watch)?;
    }
    let mut block = measured
        .runs
        .iter()
        .filter_map(|run| run.place.map(|place| place.block + 1))
        .max()
        .unwrap_or(0);
    let stopped = loop {
        if let Some(trial) = &measured.trial
            && let Some(stopped) = trial.due(plan, bench.elapsed())
        {
            break stopped;
        }
        if let Some(trial) = &mut measured.trial {
            let mut participants = trial.participants(plan);
            participants.extend(plan.has_shell().then_some(plan.subjects.len()));
            let pairs = trial.pairs_per_block();
            let each = || quickest_pair(plan.subjects.len(), &participants, &measured.runs);
            let each = || pairs as f64 * each();
            if trial.go_on(plan, bench.elapsed(), each) {
                bench.keeper().set_plan(&trial.saved(None).text())?;
            }
        }
        let line = measured.trial.as_ref().map_or_else(
            || "first block, to see how long one takes".to_string(),
            |trial| progress_line(plan, trial, bench.elapsed()),
        );
        let mut participants: Vec<usize> = match &measured.trial {
            Some(trial) => trial.participants(plan),
            None => std::iter::once(plan.reference).chain(plan.others()).collect(),
        };
        let empty_shell = plan.subjects.len();
        participants.extend(plan.has_shell().then_some(empty_shell));
        let mut order = fathom_stats::paired::block_order(plan.request.seed, block, &participants);
        if measured.trial.as_ref().is_some_and(Trial::is_next_single) {
            order.truncate(participants.len());
        }
        let mut of_block = Vec::with_capacity(order.len());
        let mut pairs_per_block = TWO_PAIRS;
        for (slot, subject) in order.into_iter().enumerate() {
            // Runs may take so long that the first pair stays alone, and every other too.
            if measured.trial.is_none() && slot == participants.len() {
                let pair = quickest_pair(plan.subjects.len(), &participants, &measured.runs);
                if plan.budget.holds_few_blocks(bench.elapsed(), TWO_PAIRS as f64 * pair) {
                    pairs_per_block = 1;
                    break;
                }
            }
            watch.progress(&|| line.clone());
            let place = Some(fathom_record::BlockSlot { block, slot });
            if subject == empty_shell {
                let run = bench.run_empty_shell(plan.reference, place)?;
                of_block.extend(run.clone());
                measured.runs.extend(run);
                continue;
            }
            let run = bench.run(subject, Phase::Measured, place, &mut || {
                watch.progress(&|| line.clone());
            })?;
            of_block.push(run.clone());
            measured.runs.push(run);
        }
        block += 1;
        // How long it takes is known from the warm-up and the first block: before anybody has seen
        // which was faster.
        match &mut measured.trial {
            Some(trial) => trial.take(plan, &of_block)?,
            None => {
                let pair = quickest_pair(plan.subjects.len(), &participants, &measured.runs);
                let mut trial = Trial::planned(
                    plan,
                    &measured.runs,
                    bench.elapsed(),
                    (pairs_per_block, pairs_per_block as f64 * pair),
                    bench.clock_grain(),
                );
                trial.take(plan, &of_block)?;
                let saved = trial.saved(None);
                bench.keeper().set_plan(&saved.text())?;
                // A session that was killed before it had a plan may have whole blocks already.
                measured.trial = Some(Trial::replayed(plan, &saved, &measured.runs));
            }
        }
    };
    if let Some(trial) = &mut measured.trial {
        trial.end();
        bench.keeper().set_plan(&trial.saved(Some(stopped)).text())?;
    }
    for subject in 0..plan.subjects.len() {
        bench.clean_up(subject)?;
    }
    Ok(stopped)
}

/// Runs every command a few times: caches fill, and it becomes known how long a block takes.
fn warm_up(
    plan: &ComparePlan,
    bench: &mut Bench<'_>,
    runs: &mut Vec<Run>,
    watch: &mut dyn Watch,
) -> Result<(), MeasureError> {
    const MOST_ROUNDS: usize = 3;
    /// Of the budget, if the user does not say how often.
    const SHARE: f64 = 0.03;
    let began = bench.elapsed();
    for round in 0..plan.warmup.unwrap_or(MOST_ROUNDS) {
        let spent = bench.elapsed().saturating_sub(began).as_secs_f64();
        if round > 0 && plan.warmup.is_none() && spent > SHARE * plan.budget.time.as_secs_f64() {
            break;
        }
        for subject in 0..plan.subjects.len() {
            let line = || format!("warm-up: {}", plan.subjects[subject].name);
            watch.progress(&line);
            runs.push(bench.run(subject, Phase::Warmup, None, &mut || watch.progress(&line))?);
        }
    }
    Ok(())
}

/// What a pair of these takes on a quiet machine: everybody's quickest run, with what happens between
/// them. The plan is made by it, because a plan that is too long is cut by the clock
/// at no cost; one that is too short goes on where it would end.
fn quickest_pair(subjects: usize, participants: &[usize], runs: &[Run]) -> f64 {
    let quickest = |subject: usize| {
        let is_of = |run: &Run| match is_empty_shell(run) {
            // The empty shell comes behind the commands.
            true => subject == subjects,
            false => run.subject == subject,
        };
        let spans = runs.iter().enumerate().filter(|(_, run)| is_of(run));
        let seconds = spans.map(|(index, run)| {
            let end = runs.get(index + 1).map_or(run.ended(), |next| next.began);
            (end - run.began).seconds()
        });
        seconds.fold(f64::INFINITY, f64::min)
    };
    participants.iter().map(|&subject| quickest(subject)).sum()
}

fn progress_line(plan: &ComparePlan, trial: &Trial, elapsed: Duration) -> String {
    let course = trial.course();
    let left = (course.looks().most() - course.blocks()) as f64 * trial.seconds_per_block();
    let by_time = plan.budget.time.saturating_sub(elapsed).as_secs_f64();
    let left = if trial.has_fewest(plan) { left.min(by_time) } else { left };
    // Names come last: a narrow terminal cuts the end.
    let mut line = format!(
        "{} {} of {}, {}",
        if trial.is_of_single_pairs() { "pair" } else { "block" },
        course.blocks() + 1,
        course.looks().most(),
        time_left(left)
    );
    let others = plan.others();
    for index in course.open().into_iter().take(2) {
        let state = &course.subjects()[index];
        if let Some(log_ratio) = state.log_ratio() {
            let name = &plan.subjects[others[index]].name;
            let so_far = difference_so_far(log_ratio, state.interval(), 1);
            line.push_str(&format!(", {name} {so_far}"));
        }
    }
    line
}
