//! A bench executable at work: a process that takes orders.

use super::dialogue::{Hello, MeasuredUnit, Order, Reply};
use super::memory_offsets::MemoryOffsets;
use super::{DuelError, Program};
use crate::command_line::WORKER;
use crate::instructions::Counts;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A program that is not a bench may wait forever for something.
const PATIENCE: Duration = Duration::from_secs(20);
/// A process that said nothing of use may take this long to end.
const GRACE: Duration = Duration::from_secs(1);

/// A running executable.
pub(crate) struct Opponent {
    child: Arc<Mutex<Child>>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pub(crate) functions: Vec<String>,
    pub(super) measured: Option<MeasuredUnit>,
}

/// Why an order was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The function is broken; the process goes on.
    Broken(String),
    /// The function takes no time; the process goes on.
    Zero,
    /// The process is gone.
    Gone(String),
}

impl Opponent {
    /// Starts a program in one of its layouts, with a word more if there is one, and hears what it
    /// can do.
    pub(super) fn start(
        program: &Program,
        executable: &Path,
        offsets: MemoryOffsets,
        word: Option<&str>,
    ) -> Result<Opponent, DuelError> {
        let mut command = Command::new(executable);
        let executable = executable.display().to_string();
        offsets.apply(&mut command);
        command.arg(WORKER).args(word);
        if let Some(folder) = &program.folder {
            // As cargo does.
            command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder);
        }
        Opponent::launch(command, executable, PATIENCE)
    }

    /// Starts a worker, and hears what it can do; it is given up if that takes too long.
    pub(crate) fn launch(
        mut command: Command,
        executable: String,
        patience: Duration,
    ) -> Result<Opponent, DuelError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let not_started = |error| DuelError::NotStarted { executable: executable.clone(), error };
        let mut child = command.spawn().map_err(not_started)?;
        let missing = || not_started(std::io::Error::other("it has no pipes"));
        let input = child.stdin.take().ok_or_else(missing)?;
        let mut output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let child = Arc::new(Mutex::new(child));
        let hello = first_line(&mut output, &child, patience);
        let hello = hello.and_then(|line| Hello::read(&line));
        let hello = hello.map_err(|mut why| {
            // Ctrl-C may have ended it, and is noted here once it is gone: a process that has closed
            // its output is not gone yet.
            if let Some(status) = ended(&child).filter(|status| !status.success()) {
                why.push_str(&format!(" and ended with {status}"));
            }
            DuelError::NoBench { executable: executable.clone(), why }
        });
        let mut opponent = Opponent { child, input, output, functions: Vec::new(), measured: None };
        Hello { functions: opponent.functions, measured: opponent.measured } = hello?;
        Ok(opponent)
    }

    /// Makes it work on a processor.
    pub(super) fn pin(&mut self, cpu: usize) -> Result<(), Refusal> {
        match self.ask(Order::Pin(cpu))? {
            Reply::Done => Ok(()),
            other => Err(unexpected(other)),
        }
    }

    /// How many calls make a batch.
    pub(super) fn size(&mut self, function: usize) -> Result<u64, Refusal> {
        match self.ask(Order::Size(function))? {
            Reply::Size(calls) => Ok(calls),
            other => Err(unexpected(other)),
        }
    }

    /// The seconds per call of a batch.
    pub(super) fn batch(&mut self, function: usize, calls: u64) -> Result<f64, Refusal> {
        match self.ask(Order::Batch(function, calls))? {
            Reply::PerCall(seconds) => Ok(seconds),
            other => Err(unexpected(other)),
        }
    }

    /// Where the linker put the machine code of a function; `None` if the build does not say.
    pub(super) fn code(&mut self, function: usize) -> Option<u64> {
        match self.ask(Order::Code(function)) {
            Ok(Reply::Code(address)) => Some(address),
            _ => None,
        }
    }

    /// The instructions of a function.
    pub(crate) fn count(&mut self, function: usize) -> Result<Counts, Refusal> {
        match self.ask(Order::Count(function))? {
            Reply::Counts(calls, per_call) => Ok(Counts { calls, per_call }),
            other => Err(unexpected(other)),
        }
    }

    fn ask(&mut self, order: Order) -> Result<Reply, Refusal> {
        let mut line = String::new();
        let asked = self
            .input
            .write_all(order.line().as_bytes())
            .and_then(|()| self.output.read_line(&mut line));
        match asked {
            Ok(length) if length > 0 => Reply::read(&line)
                .ok_or_else(|| Refusal::Gone(format!("it answered {:?}", line.trim_end()))),
            _ => Err(Refusal::Gone(self.end())),
        }
    }

    /// How the process ended.
    fn end(&mut self) -> String {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        match child.wait() {
            Ok(status) => format!("the process ended with {status}"),
            Err(error) => format!("the process is gone: {error}"),
        }
    }
}

impl Drop for Opponent {
    /// Nobody listens any more; it would end on its own, but not if a function hangs.
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// How a process ends that said nothing of use. Whatever it is, it does not stay.
fn ended(child: &Mutex<Child>) -> Option<ExitStatus> {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    let began = Instant::now();
    while began.elapsed() < GRACE {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// The first line of a process, which is killed if it does not come.
fn first_line(
    output: &mut BufReader<ChildStdout>,
    child: &Arc<Mutex<Child>>,
    patience: Duration,
) -> Result<String, String> {
    let (done, waiting) = channel::<()>();
    let watched = Arc::clone(child);
    let watch = std::thread::Builder::new().spawn(move || {
        let is_late = waiting.recv_timeout(patience) == Err(RecvTimeoutError::Timeout);
        if is_late {
            let _ = watched.lock().unwrap_or_else(PoisonError::into_inner).kill();
        }
        is_late
    });
    let watch = watch.map_err(|error| {
        format!(
            "cannot start a thread to watch it ({error}); close other programs, or raise the limit \
             on processes (ulimit -u)"
        )
    })?;
    let mut line = String::new();
    let read = output.read_line(&mut line);
    drop(done);
    if watch.join().unwrap_or(false) {
        return Err(format!("it did not respond for {} s", patience.as_secs()));
    }
    read.map_err(|error| error.to_string())?;
    Ok(line)
}

fn unexpected(reply: Reply) -> Refusal {
    match reply {
        Reply::Broken(why) => Refusal::Broken(why),
        Reply::Zero => Refusal::Zero,
        other => Refusal::Gone(format!("it answered {:?}", other.line().trim_end())),
    }
}

#[cfg(all(test, unix))]
mod tests;
