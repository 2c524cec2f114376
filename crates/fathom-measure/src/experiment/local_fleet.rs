//! Performs executions on this machine, several at a time.

use super::worker::{Line, Report, Worker};
use super::{ExecutionRecording, Fleet, FleetError, Performed, Performer, Recipe, Scratch, Ticket};
use fathom_sys::signals::Interrupt;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How often the caller gets the current state while it waits.
const LOOK: Duration = Duration::from_millis(100);

/// This machine as a fleet. Each execution under way has a thread and a spawner of its own, so that
/// what it costs is its own.
#[derive(Debug)]
pub struct LocalFleet {
    performer: Arc<Performer>,
    program: PathBuf,
    width: usize,
    line: Arc<Line>,
    workers: Vec<Worker>,
    reports: Receiver<Report>,
    sender: Sender<Report>,
    /// Started and not yet reported.
    under_way: usize,
    /// Ended while others were being stopped; not handed out yet.
    ended: VecDeque<Performed>,
    interrupt: Interrupt,
    /// The folder of folders, if it was made here.
    made: Option<PathBuf>,
}

impl LocalFleet {
    /// Takes a recipe. `program` is one whose main begins with
    /// [`serve_if_asked`](fathom_sys::spawner::serve_if_asked), the running one, that is; `width`
    /// is how many executions may be under way at a time.
    ///
    /// # Errors
    /// The recipe has a mistake, several executions at a time would write to the same file, or the
    /// folder for their folders cannot be created.
    pub fn new(
        recipe: Recipe,
        program: &Path,
        width: usize,
        scratch: Scratch,
    ) -> Result<LocalFleet, FleetError> {
        LocalFleet::recorded(recipe, program, width, scratch, None)
    }

    /// Like [`new`](LocalFleet::new); `recording` records each execution.
    ///
    /// # Errors
    /// Those of [`new`](LocalFleet::new).
    pub fn recorded(
        recipe: Recipe,
        program: &Path,
        width: usize,
        scratch: Scratch,
        recording: Option<ExecutionRecording>,
    ) -> Result<LocalFleet, FleetError> {
        let performer = Performer::new(recipe, scratch.clone())?.with_recording(recording);
        if width > 1 {
            performer.check_several_at_a_time()?;
        }
        let interrupt = Interrupt::install().map_err(|error| {
            FleetError::Broken(format!("cannot install signal handlers: {error}"))
        })?;
        let is_new = !scratch.folder().exists();
        std::fs::create_dir_all(scratch.folder()).map_err(|error| {
            FleetError::Broken(format!(
                "cannot create the folder {} for the executions' files: {error}. Use another \
                 folder.",
                scratch.folder().display()
            ))
        })?;
        let made = (is_new && !scratch.is_kept()).then(|| scratch.folder().to_path_buf());
        let (sender, reports) = mpsc::channel();
        Ok(LocalFleet {
            performer: Arc::new(performer),
            program: program.to_path_buf(),
            width: width.max(1),
            line: Arc::default(),
            workers: Vec::new(),
            reports,
            sender,
            under_way: 0,
            ended: VecDeque::new(),
            interrupt,
            made,
        })
    }

    /// Takes note of a report: the execution, unless it was called off.
    fn settle(&mut self, report: Report) -> Result<Option<Performed>, FleetError> {
        self.under_way = self.under_way.saturating_sub(1);
        match report {
            Report::Ended(performed) => Ok(Some(*performed)),
            Report::CalledOff => Ok(None),
            Report::Broken(reason) => Err(FleetError::Broken(reason)),
        }
    }

    fn wait(&self, patience: Duration) -> Result<Option<Report>, FleetError> {
        match self.reports.recv_timeout(patience) {
            Ok(report) => Ok(Some(report)),
            Err(RecvTimeoutError::Timeout) if self.workers.iter().all(Worker::is_alive) => Ok(None),
            Err(_) => Err(FleetError::Broken(
                "a worker thread ended unexpectedly. This is a bug in Fathom; please report it."
                    .to_string(),
            )),
        }
    }

    fn standing(&self) -> String {
        let waiting = self.line.waiting();
        let running = self.under_way.saturating_sub(waiting);
        match waiting {
            0 => format!("{running} running"),
            waiting => format!("{running} running, {waiting} waiting"),
        }
    }

    /// Stops all that waits and runs; how many that were.
    fn call_off(&mut self) -> Result<usize, FleetError> {
        let mut stopped = self.line.call_off();
        self.under_way = self.under_way.saturating_sub(stopped);
        let mut broken = None;
        while self.under_way > 0 {
            let Some(report) = self.wait(LOOK)? else { continue };
            match self.settle(report) {
                Ok(Some(performed)) => self.ended.push_back(performed),
                Ok(None) => stopped += 1,
                Err(error) => broken = Some(error),
            }
        }
        self.line.go_on();
        broken.map_or(Ok(stopped), Err)
    }
}

impl Fleet for LocalFleet {
    fn width(&self) -> usize {
        self.width
    }

    fn start(&mut self, tickets: &[Ticket]) -> Result<(), FleetError> {
        let wanted = self.width.min(self.under_way + tickets.len());
        while self.workers.len() < wanted {
            let worker = Worker::start(
                Arc::clone(&self.performer),
                &self.program,
                Arc::clone(&self.line),
                self.sender.clone(),
            );
            let running = self.workers.len();
            self.workers.push(worker.map_err(|reason| match running {
                0 => FleetError::Broken(reason),
                _ => FleetError::Broken(format!(
                    "{reason}. {running} executions at once work, so use a smaller -j."
                )),
            })?);
        }
        self.under_way += tickets.len();
        self.line.extend(tickets);
        Ok(())
    }

    /// Those that ended before an interruption, or while others were cancelled, are still given.
    fn next(
        &mut self,
        deadline: Option<Instant>,
        watch: &mut dyn FnMut(&str),
    ) -> Result<Option<Performed>, FleetError> {
        loop {
            if let Some(performed) = self.ended.pop_front() {
                return Ok(Some(performed));
            }
            while let Ok(report) = self.reports.try_recv() {
                if let Some(performed) = self.settle(report)? {
                    return Ok(Some(performed));
                }
            }
            if self.interrupt.requested() {
                self.call_off()?;
                if self.ended.is_empty() {
                    return Err(FleetError::Interrupted);
                }
                continue;
            }
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            if self.under_way == 0 || left == Some(Duration::ZERO) {
                return Ok(None);
            }
            watch(&self.standing());
            if let Some(report) = self.wait(left.unwrap_or(LOOK).min(LOOK))?
                && let Some(performed) = self.settle(report)?
            {
                return Ok(Some(performed));
            }
        }
    }

    fn cancel(&mut self) -> Result<usize, FleetError> {
        self.call_off()
    }
}

impl Drop for LocalFleet {
    fn drop(&mut self) {
        self.line.call_off();
        self.line.close();
        for worker in self.workers.drain(..) {
            worker.join();
        }
        if let Some(folder) = &self.made {
            // Only if it is empty.
            let _ = std::fs::remove_dir(folder);
        }
    }
}
