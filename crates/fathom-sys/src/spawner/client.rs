//! The client's side: starts the server and gives it orders.
#![allow(unsafe_code, reason = "memory files, and signals to the server")]

use super::error::{Context, ExecuteError, SpawnStep, SpawnerError, StartError};
use super::execution::{Finished, Links, Wait, follow, receive};
use super::order::Order;
use super::socket::{self, Either, Packet};
use super::streams::{self, Ends};
use super::wire::{
    ANNOUNCE, ANNOUNCE_WORDS, ASK_WORDS, Ask, HELLO, HELLO_WORDS, NOTE_BYTES, REPLY_WORDS, Reply,
    SERVE, pointer_bytes,
};
use crate::counters::CounterName;
use crate::signals;
use fathom_record::{Ending, Usage};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// The server, as seen by its client. When it is dropped the server ends.
#[derive(Debug)]
pub struct Spawner {
    socket: OwnedFd,
    process: Child,
    floor: u64,
    /// Why it can no longer be used.
    gone: Option<String>,
}

impl Spawner {
    /// Executes `program` as the server; in production that is `/proc/self/exe`. Its `main` must
    /// begin with [`super::serve_if_asked`].
    pub fn start(program: &Path) -> Result<Spawner, SpawnerError> {
        let failed = |source| SpawnerError::Start { program: program.to_path_buf(), source };
        let (ours, theirs) = socket::pair().map_err(failed)?;
        // The environment would stand in the server's memory, and so in every command's peak. What
        // the loader needs stays.
        let loader = std::env::vars_os().filter(|(name, _)| {
            let name = name.as_encoded_bytes();
            name.starts_with(b"LD_")
        });
        let mut command = Command::new(program);
        command.arg0("fathom").args([SERVE, "0"]).env_clear().envs(loader);
        command.stdin(theirs).stdout(Stdio::null()).stderr(Stdio::null());
        // Until it has its handlers, what a terminal sends to the whole group would end it.
        let process =
            signals::starting_with(&mut command, libc::SIG_IGN).spawn().map_err(failed)?;
        // It holds their end of the socket.
        drop(command);
        let mut spawner = Spawner { socket: ours, process, floor: 0, gone: None };
        spawner.floor = spawner
            .hello()
            .map_err(|reason| SpawnerError::Silent { program: program.to_path_buf(), reason })?;
        Ok(spawner)
    }

    /// Waits for the server's first words. A program that does not serve must not hold us up.
    fn hello(&mut self) -> Result<u64, String> {
        const PATIENCE: Duration = Duration::from_secs(10);
        let mut poll =
            libc::pollfd { fd: self.socket.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let began = std::time::Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(began.elapsed());
            let ms = libc::c_int::try_from(left.as_millis()).unwrap_or(libc::c_int::MAX);
            // SAFETY: one pollfd, which outlives the call.
            match unsafe { libc::poll(&raw mut poll, 1, ms) } {
                0 => return Err("it did not answer for 10 s".to_string()),
                1 => break,
                _ => {
                    let error = io::Error::last_os_error();
                    if error.kind() != io::ErrorKind::Interrupted {
                        return Err(error.to_string());
                    }
                }
            }
        }
        match socket::receive::<HELLO_WORDS>(self.socket.as_fd()) {
            Ok(Packet::Whole([HELLO, floor], _)) => Ok(floor),
            Ok(Packet::Whole(..)) => Err("it uses another protocol version".to_string()),
            Ok(Packet::End) => Err(self.last_words()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The least peak memory that any command reads, in bytes: a command whose figure is not above
    /// it may have used less.
    #[must_use]
    pub fn peak_memory_floor(&self) -> u64 {
        self.floor
    }

    /// The server's process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Executes the order and waits for its end. After `limit` the command and all it started are
    /// ended: by SIGTERM, and 200 ms later by SIGKILL.
    ///
    /// `on_wait` is called with the time waited so far, first after 300 ms, so that short runs are
    /// left alone, then every 100 ms, whenever a signal came, and at the end if a command that
    /// shares our terminal failed: the same Ctrl-C may have ended it.
    pub fn execute(
        &mut self,
        order: &Order,
        limit: Option<Duration>,
        on_wait: &mut dyn FnMut(Duration) -> Wait,
    ) -> Result<Finished, ExecuteError> {
        self.execute_with(order, limit, None, on_wait)
    }

    /// As [`Spawner::execute`], but the new process waits before its exec until `on_start`, which
    /// is given its pid, returns: time to open counters and files of it, so that nothing is missed.
    /// Whether the exec succeeds is not known yet.
    pub fn execute_announced(
        &mut self,
        order: &Order,
        limit: Option<Duration>,
        on_start: &mut dyn FnMut(u32),
        on_wait: &mut dyn FnMut(Duration) -> Wait,
    ) -> Result<Finished, ExecuteError> {
        self.execute_with(order, limit, Some(on_start), on_wait)
    }

    fn execute_with(
        &mut self,
        order: &Order,
        limit: Option<Duration>,
        on_start: Option<&mut dyn FnMut(u32)>,
        on_wait: &mut dyn FnMut(Duration) -> Wait,
    ) -> Result<Finished, ExecuteError> {
        if let Some(reason) = &self.gone {
            return Err(ExecuteError::SpawnerGone { reason: reason.clone() });
        }
        let (ends, mut captures) = streams::open(order)
            .map_err(|source| ExecuteError::Prepare { what: "standard streams", source })?;
        let strings = order.strings()?;
        let size = strings.len();
        let at_terminal = ends.any_terminal();
        self.order(order, &strings, &ends, on_start.is_some())?;
        // Only the command writes into the pipes now.
        drop(ends);
        // An order that the server refused has no child to announce, but its reply already.
        let refusal = on_start.map_or(Ok(None), |on_start| self.announced(on_start))?;
        let links = Links {
            socket: self.socket.as_fd(),
            server: self.process.id(),
            captures: &mut captures,
            at_terminal,
        };
        let followed = match refusal {
            Some(reply) => Ok((reply, false)),
            None => follow(links, limit, on_wait),
        };
        let (reply, timed_out) = match followed {
            Ok(end) => end,
            Err(ExecuteError::SpawnerGone { .. }) => return Err(self.lost()),
            Err(error @ ExecuteError::Interrupted) => {
                self.sweep()?;
                return Err(error);
            }
            Err(error @ ExecuteError::Undead) => {
                // It waits for the undead; no order would reach it.
                self.gone = Some("it waits for a command that cannot be killed".to_string());
                return Err(error);
            }
            Err(error) => return Err(error),
        };
        if let Some(step) = SpawnStep::from_number(reply.step) {
            let errno = i32::try_from(reply.errno).unwrap_or(0);
            let context = Context { folder: order.folder.clone(), cpu: order.cpu, size };
            return Err(StartError {
                step,
                program: order.program.clone(),
                source: io::Error::from_raw_os_error(errno),
                context,
            }
            .into());
        }
        let (stdout, stderr_tail) = captures.into_bytes();
        Ok(Finished {
            ending: if timed_out { Ending::TimedOut } else { ending(reply.status) },
            usage: usage(&reply),
            stdout,
            stderr_tail,
            counters: order.counters.iter().map(|&name| (name, counted(&reply, name))).collect(),
        })
    }

    fn order(
        &mut self,
        order: &Order,
        strings: &[u8],
        ends: &Ends<'_>,
        announce: bool,
    ) -> Result<(), ExecuteError> {
        let (arguments, variables) = (order.arguments.len(), order.environment.len());
        let (memory, length) = memory(strings, arguments, variables)
            .map_err(|source| ExecuteError::Prepare { what: "shared memory", source })?;
        let ask = Ask {
            length: length as u64,
            arguments: arguments as u64,
            variables: variables as u64,
            cpu: order.cpu.map(|cpu| cpu as u64),
            counters: order.counters.iter().fold(0, |mask, &name| mask | 1 << index(name)),
            // A terminal stops processes of groups that are not its foreground when they read from
            // it or set it up. Such a command stays in our group and hears Ctrl-C itself.
            own_group: !ends.any_terminal(),
            announce,
        };
        let [stdin, stdout, stderr] = ends.fds();
        let files = [stdin, stdout, stderr, memory.as_raw_fd()];
        match socket::send(self.socket.as_fd(), &ask.to_words(), Some(files)) {
            Ok(()) => Ok(()),
            Err(error) if matches!(error.raw_os_error(), Some(libc::EPIPE | libc::ECONNRESET)) => {
                Err(self.lost())
            }
            Err(source) => Err(ExecuteError::Prepare { what: "sending the request", source }),
        }
    }

    /// Waits for the server to name the child, and lets it go on; the reply, if there is no child.
    fn announced(&mut self, on_start: &mut dyn FnMut(u32)) -> Result<Option<Reply>, ExecuteError> {
        match socket::receive_either::<ANNOUNCE_WORDS, REPLY_WORDS>(self.socket.as_fd()) {
            Ok(Either::First([ANNOUNCE, pid])) => {
                on_start(u32::try_from(pid).unwrap_or(0));
                match socket::send(self.socket.as_fd(), &[0; ASK_WORDS], None) {
                    Ok(()) => Ok(None),
                    Err(_) => Err(self.lost()),
                }
            }
            Ok(Either::Second(words)) => Ok(Some(Reply::from_words(words))),
            _ => Err(self.lost()),
        }
    }

    /// Leaves nothing of the last command running. Ctrl-C may have ended it without our doing, but
    /// not what it had in the background, which shells make deaf to it.
    fn sweep(&mut self) -> Result<(), ExecuteError> {
        let sent = socket::send(self.socket.as_fd(), &[0; ASK_WORDS], None);
        if sent.is_ok() && receive(self.socket.as_fd()).is_ok() { Ok(()) } else { Err(self.lost()) }
    }

    fn lost(&mut self) -> ExecuteError {
        let reason = self.last_words();
        self.gone = Some(reason.clone());
        ExecuteError::SpawnerGone { reason }
    }

    /// How the server ended, once its socket is closed.
    fn last_words(&mut self) -> String {
        // A program that only closed the socket must not hold us up.
        for _ in 0..100 {
            match self.process.try_wait() {
                Ok(Some(status)) => {
                    return match (status.code(), status.signal()) {
                        (None, Some(signal)) => format!("signal {signal} killed it"),
                        (code, _) => format!("it exited with status {}", code.unwrap_or(0)),
                    };
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(10)),
                Err(error) => return format!("its exit status is unknown: {error}"),
            }
        }
        "it closed its socket".to_string()
    }
}

impl Drop for Spawner {
    fn drop(&mut self) {
        // Killed rather than asked, so that it ends even while it waits for a command.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn index(name: CounterName) -> usize {
    CounterName::ALL.iter().position(|&other| other == name).unwrap_or(0)
}

fn counted(reply: &Reply, name: CounterName) -> Option<f64> {
    reply.counters[index(name)]
}

/// The order's strings in memory that the server can map, with room for what it adds.
fn memory(strings: &[u8], arguments: usize, variables: usize) -> io::Result<(File, usize)> {
    let head = pointer_bytes(arguments, variables)
        .and_then(|pointers| pointers.checked_add(NOTE_BYTES))
        .ok_or(io::ErrorKind::OutOfMemory)?;
    // SAFETY: the name is NUL-ended; the result is checked before it is used.
    let mut file = unsafe {
        let fd = libc::memfd_create(c"fathom-order".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        File::from_raw_fd(fd)
    };
    let length = head + strings.len();
    file.set_len(length as u64)?;
    file.seek(io::SeekFrom::Start(head as u64))?;
    file.write_all(strings)?;
    Ok((file, length))
}

fn ending(status: u64) -> Ending {
    let status = ExitStatus::from_raw(u32::try_from(status).unwrap_or(0).cast_signed());
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Signalled(signal.unwrap_or(0)),
    }
}

fn usage(reply: &Reply) -> Usage {
    Usage {
        wall: reply.wall,
        user: reply.cost.user,
        system: reply.cost.system,
        peak_memory: reply.peak_memory,
        minor_faults: reply.cost.minor_faults,
        major_faults: reply.cost.major_faults,
        voluntary_switches: reply.cost.voluntary,
        involuntary_switches: reply.cost.involuntary,
    }
}
