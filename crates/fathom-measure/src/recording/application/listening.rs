//! Listeners while a program runs.

use super::heard::Heard;
use super::line_search::{LineSearch, Outlet};
use super::listener::LineListener;
use super::log_file::LogFile;
use super::pass_on::Tee;
use super::registry::{Registry, Row};
use super::scrape::Scraper;
use super::stream::Stream;
use super::{AppMetric, ApplicationError, ApplicationRow, Endpoint, PIPE_VARIABLE};
use fathom_sys::cpu_time;
use fathom_sys::pipes::{self, NamedPipe};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::JoinHandle;
use std::time::Duration;

/// The most often that servers are asked: each question costs the program work of its own.
const LEAST_SCRAPE_INTERVAL: Duration = Duration::from_millis(100);

/// How often logs are looked at, at least and at most.
const LOG_INTERVALS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(100));

/// Everything is open, and the command may start.
#[derive(Debug)]
pub struct Prepared {
    pub(super) metrics: Vec<AppMetric>,
    pub(super) takes_json: bool,
    pub(super) interval: Duration,
    /// With their names, in the plan's order.
    pub(super) sources: Vec<(String, Opened)>,
    pub(super) output: Option<File>,
}

/// A source that is open.
#[derive(Debug)]
pub(super) enum Opened {
    Output(PipeReader, Tee),
    Pipe(NamedPipe),
    Log(LogFile),
    Endpoint(Endpoint),
}

impl Prepared {
    /// What the command's environment needs in addition.
    #[must_use]
    pub fn variables(&self) -> Vec<(String, std::ffi::OsString)> {
        let pipes = self.sources.iter().filter_map(|(_, opened)| match opened {
            Opened::Pipe(pipe) => Some(pipe.path()),
            _ => None,
        });
        pipes.map(|path| (PIPE_VARIABLE.to_string(), path.as_os_str().to_owned())).collect()
    }

    /// What the command's standard output must be connected to, if it is listened to. The caller
    /// drops it once the command has it: standard output ends when its last holder closes it.
    pub fn take_output(&mut self) -> Option<File> {
        self.output.take()
    }

    /// Begins to listen, with a thread for each source.
    ///
    /// # Errors
    /// The system refuses a thread or a pipe.
    pub fn start(self, said: &SyncSender<ApplicationRow>) -> Result<Listening, ApplicationError> {
        let broken = |error: io::Error| ApplicationError::System(error.to_string());
        let (bell, ringer) = Bell::new().map_err(broken)?;
        let registry = Arc::new(Registry::default());
        let mut listening = Listening { ringer: Some(ringer), threads: Vec::new() };
        for (name, opened) in self.sources {
            let outlet = Outlet::new(said.clone());
            let bell = bell.again().map_err(broken)?;
            let interval = self.interval;
            let lines = |outlet: Outlet| {
                let registry = registry.clone();
                LineListener::new(LineSearch::new(&self.metrics, self.takes_json, registry, outlet))
            };
            let source = name.clone();
            let listen: Box<dyn FnOnce() -> Heard + Send> = match opened {
                Opened::Output(reader, tee) => {
                    let stream = Stream::new(reader, Some(tee), lines(outlet));
                    Box::new(move || stream.listen(&bell, source))
                }
                Opened::Pipe(pipe) => {
                    let stream = Stream::new(Listened(pipe), None, lines(outlet));
                    Box::new(move || stream.listen(&bell, source))
                }
                Opened::Log(log) => {
                    let (least, most) = LOG_INTERVALS;
                    let interval = interval.clamp(least, most);
                    let lines = lines(outlet);
                    Box::new(move || log.follow(lines, &bell, interval, source))
                }
                Opened::Endpoint(endpoint) => {
                    let row = Row::new(&self.metrics, registry.clone());
                    let scraper = Scraper::new(endpoint, row, outlet);
                    let interval = interval.max(LEAST_SCRAPE_INTERVAL);
                    Box::new(move || scraper.listen(&bell, interval))
                }
            };
            let thread =
                std::thread::Builder::new().name("listener".to_string()).spawn(move || {
                    let mut heard = listen();
                    heard.cpu = cpu_time::thread();
                    heard
                });
            listening.threads.push((name, thread.map_err(broken)?));
        }
        Ok(listening)
    }
}

/// A named pipe, read through its file.
#[derive(Debug)]
struct Listened(NamedPipe);

impl AsFd for Listened {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.file().as_fd()
    }
}

impl io::Read for &Listened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.file().read(buffer)
    }
}

/// Listens until it is finished or dropped.
#[derive(Debug)]
pub struct Listening {
    /// Dropped to ring.
    ringer: Option<PipeWriter>,
    threads: Vec<(String, JoinHandle<Heard>)>,
}

impl Listening {
    /// Reads what has been said until now and ends: call it when the command has ended. Processes
    /// that the command left behind are not waited for.
    ///
    /// The reports of the sources are in the order of the plan.
    #[must_use]
    pub fn finish(mut self) -> Vec<Heard> {
        self.ringer = None;
        let threads = std::mem::take(&mut self.threads).into_iter();
        threads
            .map(|(source, thread)| {
                thread.join().unwrap_or_else(|_| {
                    let mut heard = Heard { source, ..Heard::default() };
                    heard.note("listening failed. This is a bug in Fathom; please report it.");
                    heard
                })
            })
            .collect()
    }
}

/// Tells listeners to end.
#[derive(Debug)]
pub(super) struct Bell(PipeReader);

impl Bell {
    /// It rings when what comes with it is dropped.
    pub(super) fn new() -> io::Result<(Bell, PipeWriter)> {
        let (reader, writer) = io::pipe()?;
        Ok((Bell(reader), writer))
    }

    fn again(&self) -> io::Result<Bell> {
        Ok(Bell(self.0.try_clone()?))
    }

    /// Waits so long at most; whether it rings.
    pub(super) fn rings_within(&self, time: Duration) -> bool {
        match pipes::wait_readable([self.0.as_fd()], Some(time)) {
            Ok([rings]) => rings,
            // Not to wait at all would be busy waiting for ever.
            Err(_) => true,
        }
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// The two ends of a command's standard output.
pub(super) fn output_pipe() -> io::Result<(PipeReader, File)> {
    let (reader, writer) = io::pipe()?;
    Ok((reader, File::from(OwnedFd::from(writer))))
}
