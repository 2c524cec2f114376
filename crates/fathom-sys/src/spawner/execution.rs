//! One execution, from the order to the reply.
#![allow(unsafe_code, reason = "std can neither poll nor signal")]

use super::capture::OUTPUT_LIMIT;
use super::error::ExecuteError;
use super::server::{end_signal, kill_signal};
use super::socket::{self, Packet};
use super::streams::Captures;
use super::wire::{REPLY_WORDS, Reply};
use crate::counters::CounterName;
use fathom_record::{Ending, Usage};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::{Duration, Instant};

/// An execution that came to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// What it cost. What our own part, between fork and exec, cost is not in it.
    pub usage: Usage,
    /// All of standard output, if it was captured.
    pub stdout: Vec<u8>,
    /// The end of standard error, if it was captured.
    pub stderr_tail: Vec<u8>,
    /// The counters that were asked for; `None` for those that could not be read.
    pub counters: Vec<(CounterName, Option<f64>)>,
}

/// Whether to go on waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Yes.
    Continue,
    /// No: kill the command.
    Abort,
}

/// What connects us with an execution.
pub(crate) struct Links<'a> {
    pub(crate) socket: BorrowedFd<'a>,
    pub(crate) server: u32,
    pub(crate) captures: &'a mut Captures,
    /// Whether the command hears the same Ctrl-C as we do.
    pub(crate) at_terminal: bool,
}

/// The first look at the user, late enough to leave short runs alone, and those after it.
const FIRST_LOOK: Duration = Duration::from_millis(300);
const NEXT_LOOK: Duration = Duration::from_millis(100);
/// From SIGTERM to SIGKILL, and from then on.
const GRACE: Duration = Duration::from_millis(200);
const REPEAT: Duration = Duration::from_millis(100);
const UNDEAD: Duration = Duration::from_secs(10);

/// Why the command is being killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    TimedOut,
    Interrupted,
    TooMuch,
}

/// The killing of a command: when it began, and when the next blow falls.
struct Killing {
    why: Why,
    began: Duration,
    next: Duration,
}

/// Waits for the reply; whether the command had to be ended for its time.
pub(crate) fn follow(
    links: Links<'_>,
    limit: Option<Duration>,
    on_wait: &mut dyn FnMut(Duration) -> Wait,
) -> Result<(Reply, bool), ExecuteError> {
    let began = Instant::now();
    let mut look = FIRST_LOOK;
    let mut killing: Option<Killing> = None;
    let reply = loop {
        let kill = killing.as_ref().map(|killing| killing.next).or(limit);
        let next = kill.map_or(look, |kill| kill.min(look));
        let ready = poll(&links, next.saturating_sub(began.elapsed()))?;
        let crowded = links.captures.read_some(ready.captures).is_err();
        if ready.reply {
            if crowded {
                start(&mut killing, Why::TooMuch, began.elapsed());
            }
            break receive(links.socket)?;
        }
        let now = began.elapsed();
        if crowded {
            start(&mut killing, Why::TooMuch, now);
        }
        if limit.is_some_and(|limit| now >= limit) && killing.is_none() {
            start(&mut killing, Why::TimedOut, now);
        }
        if ready.interrupted || now >= look {
            look = now.max(FIRST_LOOK - NEXT_LOOK) + NEXT_LOOK;
            if on_wait(now) == Wait::Abort {
                start(&mut killing, Why::Interrupted, now);
            }
        }
        if let Some(killing) = &mut killing {
            killing.strike(links.server, began.elapsed())?;
        }
    };
    // Ctrl-C may have ended it before we came to look. The terminal signals all at once, so by now
    // the user's wish is known.
    if links.at_terminal && reply.status != 0 && on_wait(began.elapsed()) == Wait::Abort {
        start(&mut killing, Why::Interrupted, began.elapsed());
    }
    let crowded = links.captures.read_rest().is_err();
    match killing.map(|killing| killing.why) {
        Some(Why::Interrupted) => Err(ExecuteError::Interrupted),
        Some(Why::TooMuch) => Err(ExecuteError::TooMuchOutput { limit: OUTPUT_LIMIT }),
        _ if crowded => Err(ExecuteError::TooMuchOutput { limit: OUTPUT_LIMIT }),
        why => Ok((reply, why == Some(Why::TimedOut))),
    }
}

/// Begins to kill, unless it is being done; the user's wish goes before other reasons.
fn start(killing: &mut Option<Killing>, why: Why, now: Duration) {
    match killing {
        Some(killing) if why == Why::Interrupted => killing.why = why,
        Some(_) => {}
        None => *killing = Some(Killing { why, began: now, next: now }),
    }
}

impl Killing {
    /// Asks the server to signal the command, if it is time to.
    fn strike(&mut self, server: u32, now: Duration) -> Result<(), ExecuteError> {
        if now < self.next {
            return Ok(());
        }
        let waited = now - self.began;
        if waited > UNDEAD {
            return Err(ExecuteError::Undead);
        }
        let first = self.next == self.began;
        self.next = now + if first { GRACE } else { REPEAT };
        let signal = if first { end_signal() } else { kill_signal() };
        // SAFETY: a plain system call; the server is our child and was not waited for, so the pid
        // is its. If it is gone the socket tells.
        unsafe { libc::kill(libc::pid_t::try_from(server).unwrap_or(0), signal) };
        Ok(())
    }
}

/// What there is to do.
struct Ready {
    reply: bool,
    captures: [bool; 2],
    interrupted: bool,
}

fn poll(links: &Links<'_>, timeout: Duration) -> Result<Ready, ExecuteError> {
    let [stdout, stderr] = links.captures.fds();
    // The kernel skips negative numbers.
    let mut polls = [Some(links.socket.as_raw_fd()), stdout, stderr].map(|fd| libc::pollfd {
        fd: fd.unwrap_or(-1),
        events: libc::POLLIN,
        revents: 0,
    });
    // Rounded up, or the last millisecond would be spent in a hot loop.
    let ms = timeout.as_nanos().div_ceil(1_000_000);
    let ms = libc::c_int::try_from(ms).unwrap_or(libc::c_int::MAX);
    // SAFETY: the array has three entries and outlives the call.
    let result = unsafe { libc::poll(polls.as_mut_ptr(), 3, ms) };
    let mut interrupted = false;
    if result < 0 {
        let source = io::Error::last_os_error();
        interrupted = source.kind() == io::ErrorKind::Interrupted;
        if !interrupted {
            return Err(ExecuteError::Prepare { what: "waiting for the command", source });
        }
    }
    let [reply, stdout, stderr] = polls.map(|poll| result > 0 && poll.revents != 0);
    Ok(Ready { reply, captures: [stdout, stderr], interrupted })
}

/// Waits for the server's reply.
pub(crate) fn receive(socket: BorrowedFd<'_>) -> Result<Reply, ExecuteError> {
    match socket::receive::<REPLY_WORDS>(socket) {
        Ok(Packet::Whole(words, _)) => Ok(Reply::from_words(words)),
        // The caller knows how it ended.
        Ok(Packet::End) | Err(_) => Err(ExecuteError::SpawnerGone { reason: String::new() }),
    }
}
