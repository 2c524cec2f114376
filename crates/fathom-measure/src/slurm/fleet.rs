//! The fleet of a Slurm cluster, as the controlling process sees it.

mod cancelling;
mod collecting;
mod judging;
mod opening;
mod submitting;

use super::ledger::Ledger;
use super::options::SlurmOptions;
use super::pace::Pace;
use super::queue::ask_queue;
use super::session_folder::SessionFolder;
use super::tool::{RunningTool, ToolError};
use crate::experiment::{Fleet, FleetError, Performed, Ticket};
use fathom_sys::signals::Interrupt;
use judging::Standing;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// How long the loop sleeps: `watch` is called several times a second.
const TICK: Duration = Duration::from_millis(100);

/// An attempt at an execution that was lost with its node and is made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Which execution.
    pub ticket: Ticket,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// "node1 failed".
    pub why: String,
}

/// Performs executions as job arrays of a Slurm cluster.
#[derive(Debug)]
pub struct SlurmFleet {
    folder: SessionFolder,
    options: SlurmOptions,
    program: PathBuf,
    pace: Pace,
    ledger: Ledger,
    interrupt: Interrupt,
    /// Held while this process is in charge of the folder.
    _lock: Option<File>,
    /// What is under way, by number.
    tasks: BTreeMap<u64, Task>,
    /// Results that the caller already has: each counts once.
    handed: BTreeSet<u64>,
    ready: VecDeque<Performed>,
    losses: Vec<Loss>,
    /// Batches that Slurm may or may not have.
    unsure: BTreeSet<u32>,
    unsure_since: Option<Instant>,
    /// What squeue is being asked, and when it is asked next.
    query: Option<RunningTool>,
    next_query: Instant,
    query_interval: Duration,
    next_look: Instant,
    next_judgement: Instant,
    /// When squeue last answered, if it has never failed since.
    last_answer: Option<Instant>,
    /// Since when Slurm gives no answer, and what it says instead.
    away: Option<(Instant, String)>,
    /// Since when the folder gives trouble, and what.
    trouble: Option<(Instant, String)>,
    /// Whether any result came from a node: then nodes see the program and the folder.
    has_seen_result: bool,
}

/// An execution under way.
#[derive(Debug)]
struct Task {
    ticket: Ticket,
    /// The batch of its last attempt, and its place there.
    batch: u32,
    index: usize,
    attempt: u32,
    standing: Standing,
}

fn unusable(folder: &SessionFolder, error: &std::io::Error) -> FleetError {
    broken(format!("cannot use {}: {error}", folder.top().display()))
}

fn broken(text: impl Into<String>) -> FleetError {
    FleetError::Broken(text.into())
}

impl SlurmFleet {
    /// The executions under way, by number.
    #[must_use]
    pub fn under_way(&self) -> Vec<Ticket> {
        self.tasks.values().map(|task| task.ticket).collect()
    }

    /// The attempts that were lost and made again, in the order in which that was noticed.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Asks squeue when it is time, and looks at its answer when it is here.
    fn ask(&mut self, tick: &mut dyn FnMut()) -> Result<(), FleetError> {
        if self.query.is_none() && Instant::now() >= self.next_query {
            self.query = Some(ask_queue().map_err(|error| broken(error.to_string()))?);
            // The folder's own trouble shows when it is listed.
            let _ = self.folder.refresh();
        }
        let Some(answer) = self.query.as_mut().and_then(RunningTool::answer) else { return Ok(()) };
        self.query = None;
        match answer {
            Ok(text) => {
                self.away = None;
                let has_changed = self.look_at_queue(&text, tick)?;
                self.query_interval = if has_changed {
                    self.pace.queue_first
                } else {
                    (self.query_interval * 3 / 2).min(self.pace.queue_longest)
                };
            }
            Err(error) => self.bear(&error)?,
        }
        self.next_query = Instant::now() + self.query_interval;
        Ok(())
    }

    /// Controllers restart; meanwhile nothing is lost.
    fn bear(&mut self, error: &ToolError) -> Result<(), FleetError> {
        if let ToolError::Missing(_) | ToolError::Broken { .. } = error {
            return Err(broken(error.to_string()));
        }
        self.last_answer = None;
        let since = self.away.as_ref().map_or_else(Instant::now, |(since, _)| *since);
        if since.elapsed() > self.pace.patience {
            return Err(broken(format!(
                "Slurm has not answered for {} seconds: {error}. The jobs continue, so resume \
                 when Slurm is back.",
                since.elapsed().as_secs()
            )));
        }
        self.away = Some((since, error.to_string()));
        Ok(())
    }

    /// How things stand, for the user.
    fn status(&self) -> String {
        if let Some((_, said)) = &self.away {
            return format!("Slurm does not answer, retrying ({said})");
        }
        let mut running = 0;
        let mut jobs = BTreeSet::new();
        let mut reasons = BTreeSet::new();
        for task in self.tasks.values() {
            jobs.extend(self.ledger.job(task.batch));
            match &task.standing {
                Standing::Running | Standing::Ended { .. } => running += 1,
                Standing::Waiting(why) if why.is_empty() || why == "None" => {}
                Standing::Waiting(why) => {
                    reasons.insert(why.as_str());
                }
            }
        }
        let mut names: Vec<String> = jobs.iter().map(u64::to_string).collect();
        if names.len() > 3 {
            names.truncate(2);
            names.push(format!("{} more", jobs.len() - 2));
        }
        let noun = if jobs.len() == 1 { "job" } else { "jobs" };
        let waiting = self.tasks.len() - running;
        let mut text = format!("{noun} {}: {running} running, {waiting} waiting", names.join(", "));
        if !reasons.is_empty() {
            let reasons: Vec<&str> = reasons.into_iter().collect();
            text += &format!(" ({})", reasons.join(", "));
        }
        if !self.losses.is_empty() {
            text += &format!(", {} lost and retried", self.losses.len());
        }
        text
    }
}

impl Fleet for SlurmFleet {
    fn width(&self) -> usize {
        self.options.width.max(1)
    }

    /// Every submission costs the controller something, however many tasks it has.
    fn batch(&self) -> usize {
        self.width().div_ceil(4)
    }

    /// Submits tickets as job arrays. One that is under way or was handed out is passed over, one
    /// whose result is in the folder is not performed again.
    fn start(&mut self, tickets: &[Ticket]) -> Result<(), FleetError> {
        let there = self.folder.results().map_err(|error| unusable(&self.folder, &error))?;
        let mut new = Vec::new();
        for &ticket in tickets {
            let number = ticket.number;
            if self.tasks.contains_key(&number) || self.handed.contains(&number) {
                continue;
            }
            if there.contains(&number) {
                let performed = self
                    .folder
                    .read_result(number)
                    .map_err(|error| unusable(&self.folder, &error))?;
                self.check_owner(ticket, &performed)?;
                self.handed.insert(number);
                self.ready.push_back(performed);
            } else {
                new.push((ticket, 1));
            }
        }
        self.submit_all(&new, &mut || {})
    }

    fn next(
        &mut self,
        deadline: Option<Instant>,
        watch: &mut dyn FnMut(&str),
    ) -> Result<Option<Performed>, FleetError> {
        loop {
            if self.interrupt.requested() {
                return Err(FleetError::Interrupted);
            }
            self.collect()?;
            if let Some(performed) = self.ready.pop_front() {
                return Ok(Some(performed));
            }
            if self.tasks.is_empty() {
                return Ok(None);
            }
            let status = self.status();
            self.ask(&mut || watch(&status))?;
            self.judge(&mut || watch(&status))?;
            if !self.ready.is_empty() {
                continue;
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(None);
            }
            watch(&self.status());
            thread::sleep(TICK.min(self.pace.results));
        }
    }

    fn cancel(&mut self) -> Result<usize, FleetError> {
        self.cancel_all()
    }
}
