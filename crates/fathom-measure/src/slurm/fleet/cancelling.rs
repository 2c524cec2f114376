//! Cancelling what is no longer needed.

use super::{SlurmFleet, broken};
use crate::experiment::FleetError;
use crate::slurm::queue::{QueuedTask, TaskId, TaskState, ask_queue, parse_queue};
use crate::slurm::tool::{ToolError, ask};
use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

/// How many jobs one scancel gets: command lines have a maximum length.
const AT_ONCE: usize = 200;

impl SlurmFleet {
    pub(super) fn cancel_all(&mut self) -> Result<usize, FleetError> {
        let count = self.tasks.len();
        // Written first: a resume after a crash must not take them for lost.
        let mut has_any = false;
        for batch in self.ledger.batches.iter_mut().filter(|batch| !batch.is_cancelled) {
            batch.is_cancelled = true;
            has_any = true;
        }
        if !has_any {
            return Ok(0);
        }
        self.write_ledger()?;
        self.tasks.clear();
        self.ready.clear();
        self.unsure.clear();
        self.unsure_since = None;
        self.query = None;
        let end = Instant::now() + self.pace.farewell;
        loop {
            let left = match self.alive() {
                Ok(left) if left.is_empty() => return Ok(count),
                Ok(left) => left,
                Err(error) if error.is_passing() && Instant::now() < end => BTreeSet::new(),
                Err(error) => {
                    let jobs = self.ledger.batches.iter().filter_map(|batch| batch.job);
                    return Err(not_cancelled(jobs, &error.to_string()));
                }
            };
            if Instant::now() >= end {
                return Err(not_cancelled(left, "they still exist"));
            }
            scancel(&left, &mut || {});
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// Jobs of this session that wait or run.
    fn alive(&self) -> Result<BTreeSet<u64>, ToolError> {
        let mut asked = ask_queue()?;
        let text = loop {
            match asked.answer() {
                Some(answer) => break answer?,
                None => thread::sleep(Duration::from_millis(10)),
            }
        };
        let queue = parse_queue(&text, &self.ledger.name);
        Ok(queue.values().filter(|task| is_alive(task)).map(|task| task.id.job).collect())
    }

    /// Cancels jobs that an earlier process wanted to cancel when it ended.
    pub(super) fn cancel_unwanted(
        &mut self,
        queue: &BTreeMap<TaskId, QueuedTask>,
        tick: &mut dyn FnMut(),
    ) {
        let unwanted: BTreeSet<String> = self
            .ledger
            .batches
            .iter()
            .filter(|batch| batch.is_cancelled)
            .map(|batch| self.ledger.job_name(batch.number))
            .collect();
        let is_left = |task: &&QueuedTask| is_alive(task) && unwanted.contains(&task.name);
        let left: BTreeSet<u64> = queue.values().filter(is_left).map(|task| task.id.job).collect();
        scancel(&left, tick);
    }
}

fn is_alive(task: &QueuedTask) -> bool {
    matches!(task.state, TaskState::Waiting | TaskState::Running | TaskState::Stuck)
}

/// What fails here shows in the next look at the queue.
fn scancel(jobs: &BTreeSet<u64>, tick: &mut dyn FnMut()) {
    let jobs: Vec<String> = jobs.iter().map(u64::to_string).collect();
    for some in jobs.chunks(AT_ONCE) {
        let _ = ask("scancel", some, tick);
    }
}

fn not_cancelled(jobs: impl IntoIterator<Item = u64>, why: &str) -> FleetError {
    let jobs: Vec<String> = jobs.into_iter().map(|job| job.to_string()).collect();
    broken(format!("could not cancel jobs ({why}). Run `scancel {}`.", jobs.join(" ")))
}
