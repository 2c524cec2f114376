//! An execution: a process of this program that takes orders.

use super::own_program::own_program;
use crate::command_line::WORKER;
use crate::duel::dialogue::{Hello, Order, Reply};
use crate::duel::memory_offsets::MemoryOffsets;
use fathom_sys::signals::Interrupt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often a wait looks whether the user wants to end it.
const GLANCE: Duration = Duration::from_millis(50);
/// A process that the user interrupted may finish what it does for so long.
const GRACE: Duration = Duration::from_secs(1);

/// A running execution.
pub(super) struct WorkerProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    interrupt: Option<Interrupt>,
    pub(super) functions: Vec<String>,
    /// The CPU time that it has used, as far as it was told.
    pub(super) cpu: Duration,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// The function is broken; the process goes on.
    Broken(String),
    /// The function measures something else than time, which only its own process can do.
    NotTime,
    /// The process is gone.
    Gone(String),
}

impl WorkerProcess {
    /// Starts an execution with its heap and stack where `offsets` say, and hears what it can
    /// measure.
    pub(super) fn start(
        offsets: MemoryOffsets,
        word: Option<&str>,
        limit: Duration,
        interrupt: Option<Interrupt>,
    ) -> Result<WorkerProcess, String> {
        let mut command = Command::new(own_program()?);
        offsets.apply(&mut command);
        command
            .arg(WORKER)
            .args(word)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        let problem = |error: std::io::Error| format!("it cannot be started: {error}");
        let mut child = command.spawn().map_err(problem)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let Some((input, output)) = pipes else {
            let _ = child.kill();
            let _ = child.wait();
            return Err("it has no pipes".to_string());
        };
        let (sender, lines) = channel();
        let listener = std::thread::Builder::new().spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let functions = Vec::new();
        let cpu = Duration::ZERO;
        let mut process = WorkerProcess { child, input, lines, interrupt, functions, cpu };
        listener.map_err(problem)?;
        let began = Instant::now();
        loop {
            let left = limit.saturating_sub(began.elapsed());
            let line = process.next_line(left, limit)?;
            match Hello::read(&line) {
                Ok(hello) => {
                    process.functions = hello.functions;
                    return Ok(process);
                }
                // What its main function prints before it comes to the suite.
                Err(_) => continue,
            }
        }
    }

    /// The answer to an order.
    pub(super) fn ask(&mut self, order: &Order, limit: Duration) -> Result<Reply, NoAnswer> {
        if self.input.write_all(order.line().as_bytes()).is_err() {
            return Err(NoAnswer::Gone(self.end()));
        }
        let line = self.next_line(limit, limit).map_err(NoAnswer::Gone)?;
        match Reply::read(&line) {
            Some(Reply::Broken(why)) => Err(NoAnswer::Broken(why)),
            Some(reply) => Ok(reply),
            None => Err(NoAnswer::Gone(format!("it answered {line:?}"))),
        }
    }

    /// The next line that it writes; it is killed if there is none within the time that is left.
    fn next_line(&mut self, left: Duration, limit: Duration) -> Result<String, String> {
        let began = Instant::now();
        let mut interrupted: Option<Instant> = None;
        loop {
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.end()),
                Err(RecvTimeoutError::Timeout) => (),
            }
            if self.interrupt.is_some_and(Interrupt::requested) {
                let since = interrupted.get_or_insert_with(Instant::now);
                if since.elapsed() >= GRACE {
                    return Err("interrupted".to_string());
                }
            }
            if began.elapsed() >= left {
                let _ = self.child.kill();
                return Err(format!("it did not respond for {:.0} s", limit.as_secs_f64()));
            }
        }
    }

    /// How the process ended.
    fn end(&mut self) -> String {
        // It closed its output: it ends now, or it never will.
        let began = Instant::now();
        while began.elapsed() < GRACE {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("its process ended with {status}"),
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Err(error) => return format!("its process is gone: {error}"),
            }
        }
        "its process closed its output".to_string()
    }
}

impl Drop for WorkerProcess {
    /// Nobody listens any more; it would end on its own, but not if a function hangs.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
