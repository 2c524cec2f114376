//! What becomes of tasks that ended without a result.

use super::{Loss, SlurmFleet, broken, unusable};
use crate::experiment::{ExecutionFailure, FleetError, Performed, Ticket};
use crate::slurm::fate::{Fate, fate};
use crate::slurm::job_details::{TaskEnd, task_ends};
use crate::slurm::queue::{QueuedTask, TaskId, TaskState, parse_queue};
use crate::slurm::tool::ask;
use fathom_record::Usage;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// A task that waited lately cannot have run, ended and been forgotten since.
const LATELY: Duration = Duration::from_secs(60);

/// How a task stands by the last look at the queue.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Standing {
    /// It waits, for this reason.
    Waiting(String),
    /// It runs.
    Running,
    /// It ended, and its result may still be on its way.
    Ended {
        /// When that was noticed.
        since: Instant,
        /// squeue's state of it; `None` if squeue no longer knows it.
        end: Option<TaskEnd>,
        /// Whether Slurm still holds it until it is released.
        is_stuck: bool,
    },
}

impl Default for Standing {
    fn default() -> Standing {
        Standing::Waiting(String::new())
    }
}

impl SlurmFleet {
    /// Takes note of how tasks stand; says whether anything changed.
    pub(super) fn look_at_queue(
        &mut self,
        text: &str,
        tick: &mut dyn FnMut(),
    ) -> Result<bool, FleetError> {
        let queue = parse_queue(text, &self.ledger.name);
        let newer = self.settle_unsure(&queue, tick)?;
        self.cancel_unwanted(&queue, tick);
        let is_lately = self.last_answer.is_some_and(|last| last.elapsed() < LATELY);
        self.last_answer = Some(Instant::now());
        let mut has_changed = false;
        for task in self.tasks.values_mut().filter(|task| !newer.contains(&task.batch)) {
            // Without a job the submission is not settled.
            let Some(job) = self.ledger.job(task.batch) else { continue };
            let row = queue.get(&TaskId { job, index: task.index });
            let standing = standing(row, &task.standing, is_lately);
            has_changed |= standing != task.standing;
            task.standing = standing;
        }
        Ok(has_changed)
    }

    /// Judges those that ended and whose result has not come within the grace period.
    pub(super) fn judge(&mut self, tick: &mut dyn FnMut()) -> Result<(), FleetError> {
        if Instant::now() < self.next_judgement || self.overdue().is_empty() {
            return Ok(());
        }
        // One more look, and a fresh one.
        let _ = self.folder.refresh();
        self.collect_now()?;
        if self.trouble.is_some() {
            return Ok(());
        }
        let mut ends = BTreeMap::new();
        let overdue = self.overdue();
        for job in overdue.values().map(|id| id.job).collect::<BTreeSet<u64>>() {
            match task_ends(job, tick) {
                Ok(more) => ends.extend(more),
                Err(error) => {
                    self.next_judgement = Instant::now() + self.pace.queue_first;
                    return self.bear(&error);
                }
            }
        }
        let mut again = Vec::new();
        for (number, id) in overdue {
            again.extend(self.judge_one(number, id, ends.get(&id), tick)?);
        }
        self.submit_all(&again, tick)
    }

    fn overdue(&self) -> BTreeMap<u64, TaskId> {
        let is_overdue = |standing: &Standing| match standing {
            Standing::Ended { since, .. } => since.elapsed() >= self.pace.grace,
            _ => false,
        };
        let overdue = self.tasks.iter().filter(|(_, task)| is_overdue(&task.standing));
        overdue
            .filter_map(|(&number, task)| {
                let job = self.ledger.job(task.batch)?;
                Some((number, TaskId { job, index: task.index }))
            })
            .collect()
    }

    /// The ticket and its next attempt, if it gets one.
    fn judge_one(
        &mut self,
        number: u64,
        id: TaskId,
        told: Option<&TaskEnd>,
        tick: &mut dyn FnMut(),
    ) -> Result<Option<(Ticket, u32)>, FleetError> {
        let Some(task) = self.tasks.get_mut(&number) else { return Ok(None) };
        let Standing::Ended { end: seen, is_stuck, .. } = task.standing.clone() else {
            return Ok(None);
        };
        if is_stuck {
            // Otherwise it would run next to its next attempt once it is released. If it is gone
            // already, all the better.
            let _ = ask("scancel", [format!("{}_{}", id.job, id.index)], tick);
        } else if told.is_some_and(|end| !matches!(state(end), TaskState::Ended(_))) {
            // Slurm has started it again.
            task.standing = Standing::default();
            return Ok(None);
        }
        let (ticket, attempt) = (task.ticket, task.attempt);
        let log = self.folder.log_tail(task.batch, task.index);
        let end = told.cloned().or(seen);
        let fate = if is_stuck {
            Fate::Lost("Slurm could not start it".to_string())
        } else {
            fate(end.as_ref(), log.is_ok())
        };
        let said = log.unwrap_or_default();
        let (how, hint) = match fate {
            Fate::Lost(why) if attempt <= self.pace.retries => {
                self.losses.push(Loss { ticket, attempt, why });
                return Ok(Some((ticket, attempt + 1)));
            }
            Fate::Lost(why) => {
                let how = format!("was lost {attempt} times, the last time because {why}");
                (how, Some("`sinfo -R` lists nodes with problems. Resume later.".to_string()))
            }
            Fate::Misplaced(text) if !self.has_seen_result => {
                let log = said
                    .last()
                    .map(|line| format!(" Its log ends with: {line}"))
                    .unwrap_or_default();
                return Err(broken(format!("{text}{log}")));
            }
            Fate::Misplaced(text) => {
                let hint = "Exclude the node with --slurm-option=--exclude=NODE.".to_string();
                (format!("could not be executed: {text}"), Some(hint))
            }
            Fate::Failed { how, hint } => (how, hint),
        };
        let host = end.and_then(|end| end.node).unwrap_or_default();
        let outcome = Err(ExecutionFailure { how, said, hint });
        let performed = Performed {
            ticket,
            host,
            ending: None,
            usage: Usage::default(),
            outcome,
            output: None,
            session: None,
        };
        // Kept like any other: if the task comes back, it finds that this counts.
        self.folder.write_result(&performed).map_err(|error| unusable(&self.folder, &error))?;
        self.collect_now()?;
        Ok(None)
    }
}

/// `is_lately` is whether the queue answered not long ago.
fn standing(row: Option<&QueuedTask>, before: &Standing, is_lately: bool) -> Standing {
    let since = match before {
        Standing::Ended { since, .. } => *since,
        _ => Instant::now(),
    };
    let Some(row) = row else {
        let end = match before {
            // Slurm keeps no record of tasks that are cancelled while they wait.
            Standing::Waiting(why) if is_lately && !why.is_empty() => {
                Some(TaskEnd { state: "CANCELLED".to_string(), ..TaskEnd::default() })
            }
            Standing::Ended { end, .. } => end.clone(),
            _ => None,
        };
        return Standing::Ended { since, end, is_stuck: false };
    };
    match &row.state {
        TaskState::Waiting => Standing::Waiting(row.reason.clone()),
        TaskState::Running | TaskState::Ending => Standing::Running,
        TaskState::Stuck => Standing::Ended { since, end: None, is_stuck: true },
        TaskState::Ended(state) => {
            let node = Some(row.node.clone()).filter(|node| !node.is_empty());
            let end = TaskEnd { state: state.clone(), status: 0, signal: 0, node };
            Standing::Ended { since, end: Some(end), is_stuck: false }
        }
    }
}

fn state(end: &TaskEnd) -> TaskState {
    TaskState::parse(&end.state, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state_of(standing: &Standing) -> Option<&str> {
        match standing {
            Standing::Ended { end, .. } => end.as_ref().map(|end| end.state.as_str()),
            _ => panic!("{standing:?}"),
        }
    }

    #[test]
    fn a_task_that_vanishes_while_it_waits_was_cancelled_unless_slurm_was_away() {
        let waiting = Standing::Waiting("Resources".to_string());
        let gone = standing(None, &waiting, true);
        assert_eq!(state_of(&gone), Some("CANCELLED"));
        assert_eq!(state_of(&standing(None, &gone, true)), Some("CANCELLED"));
        assert_eq!(state_of(&standing(None, &waiting, false)), None);
        // Never seen in the queue, or seen running.
        assert_eq!(state_of(&standing(None, &Standing::default(), true)), None);
        assert_eq!(state_of(&standing(None, &Standing::Running, true)), None);
    }
}
