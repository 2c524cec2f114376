//! A thread that performs one execution after the other.

use super::{FleetError, Performed, Performer, Ticket};
use crate::local::Local;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What became of a ticket.
#[derive(Debug)]
pub(super) enum Report {
    /// It was performed.
    Ended(Box<Performed>),
    /// It was stopped.
    CalledOff,
    /// Fathom's own part failed.
    Broken(String),
}

/// The tickets that wait for a worker.
#[derive(Debug, Default)]
pub(super) struct Line {
    state: Mutex<State>,
    news: Condvar,
    /// While it is up, what runs is killed.
    called_off: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct State {
    tickets: VecDeque<Ticket>,
    is_closed: bool,
}

impl Line {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic happens while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.state().tickets.len()
    }

    /// Adds tickets at the end.
    pub(super) fn extend(&self, tickets: &[Ticket]) {
        self.state().tickets.extend(tickets);
        self.news.notify_all();
    }

    /// Sends home those that wait, and has what runs killed; how many waited.
    pub(super) fn call_off(&self) -> usize {
        let mut state = self.state();
        self.called_off.store(true, Ordering::Relaxed);
        let waiting = state.tickets.len();
        state.tickets.clear();
        waiting
    }

    /// From now on tickets are performed again.
    pub(super) fn go_on(&self) {
        self.called_off.store(false, Ordering::Relaxed);
    }

    /// From now on workers end.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.news.notify_all();
    }

    /// Waits for a ticket; `None` if there will be none.
    fn take(&self) -> Option<Ticket> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(ticket) = state.tickets.pop_front() {
                return Some(ticket);
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A thread with a spawner of its own.
#[derive(Debug)]
pub(super) struct Worker {
    thread: JoinHandle<()>,
}

impl Worker {
    /// Starts one, which takes tickets from the line until it is closed.
    pub(super) fn start(
        performer: Arc<Performer>,
        program: &Path,
        line: Arc<Line>,
        reports: Sender<Report>,
    ) -> Result<Worker, String> {
        let local = Local::start(program, &performer.recipe().folder);
        let mut local =
            local.map_err(|error| error.to_string())?.with_flag(Arc::clone(&line.called_off));
        let work = move || {
            while let Some(ticket) = line.take() {
                let report = match performer.perform(ticket, &mut local) {
                    Ok(performed) => Report::Ended(Box::new(performed)),
                    Err(FleetError::Interrupted) => Report::CalledOff,
                    Err(FleetError::Broken(reason)) => Report::Broken(reason),
                };
                if reports.send(report).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("execution".to_string()).spawn(work);
        let thread =
            thread.map_err(|error| format!("cannot start a thread for executions: {error}"))?;
        Ok(Worker { thread })
    }

    /// Whether it can still take tickets.
    pub(super) fn is_alive(&self) -> bool {
        !self.thread.is_finished()
    }

    /// Waits for its end.
    pub(super) fn join(self) {
        let _ = self.thread.join();
    }
}
