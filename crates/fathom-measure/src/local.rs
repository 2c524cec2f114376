//! This machine as a laboratory.

use crate::laboratory::{Execution, Input, Invocation, Laboratory, LaboratoryError, Output};
use fathom_record::{Reading, Span, Timestamp};
use fathom_sys::clock;
use fathom_sys::counters::CounterName;
use fathom_sys::resolve::{ResolveError, resolve};
use fathom_sys::signals::Interrupt;
use fathom_sys::spawner::{self, ExecuteError, Finished, Order, Spawner, Stream, Wait};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What listens to a command's own metrics.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    /// Where its standard output goes.
    pub(crate) output: Option<File>,
    /// Its requests.
    pub(crate) variables: Vec<(String, OsString)>,
}

/// Runs commands on this machine.
#[derive(Debug)]
pub struct Local {
    spawner: Spawner,
    interrupt: Interrupt,
    environment: Vec<(OsString, OsString)>,
    folder: PathBuf,
    grain: Span,
    /// Whether something other than the user wants commands to end.
    called_off: Arc<AtomicBool>,
}

impl Local {
    /// Starts the process that starts commands. `program` is one whose main begins with
    /// [`spawner::serve_if_asked`]; the running one, that is.
    pub fn start(program: &Path, folder: &Path) -> Result<Local, LaboratoryError> {
        let broken = |error: String| LaboratoryError::Broken(error);
        let interrupt = Interrupt::install()
            .map_err(|error| broken(format!("cannot install signal handlers: {error}")))?;
        let spawner = Spawner::start(program).map_err(|error| broken(error.to_string()))?;
        let environment = std::env::vars_os().collect();
        let (folder, grain) = (folder.to_path_buf(), clock::grain());
        let called_off = Arc::default();
        Ok(Local { spawner, interrupt, environment, folder, grain, called_off })
    }

    /// While the flag is up, a command that runs is killed, and this place counts as interrupted:
    /// how another thread ends what is no longer needed.
    #[must_use]
    pub fn with_flag(mut self, called_off: Arc<AtomicBool>) -> Local {
        self.called_off = called_off;
        self
    }

    /// The process that starts commands; it takes on what they leave running.
    pub(crate) fn server(&self) -> u32 {
        self.spawner.pid()
    }

    /// Runs a command once, as [`Laboratory::execute`]; `on_start` is given its pid before it begins.
    /// What it prints goes to the listener, if there is one. It is killed when `watch` says no.
    pub(crate) fn execute_announced(
        &mut self,
        invocation: &Invocation,
        listener: Listener,
        on_start: &mut dyn FnMut(u32),
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Execution, LaboratoryError> {
        let mut order = self.order(invocation)?;
        order.output = listener.output.map_or(order.output, Stream::File);
        for (name, value) in listener.variables {
            set(&mut order.environment, name.into(), value);
        }
        let over = self.over();
        let mut on_wait =
            |_: Duration| if watch() && !over() { Wait::Continue } else { Wait::Abort };
        let finished =
            self.spawner.execute_announced(&order, invocation.timeout, on_start, &mut on_wait);
        finished.map(execution).map_err(not_executed)
    }

    /// Whether commands that run are to end.
    fn over(&self) -> impl Fn() -> bool + use<> {
        let (interrupt, called_off) = (self.interrupt, Arc::clone(&self.called_off));
        move || interrupt.requested() || called_off.load(Ordering::Relaxed)
    }

    fn order(&self, invocation: &Invocation) -> Result<Order, LaboratoryError> {
        let program = invocation.words.first().map_or("", String::as_str);
        let program = self
            .resolve(program)
            .map_err(|error| LaboratoryError::CannotStart(error.to_string()))?;
        let arguments = invocation.words.iter().map(OsString::from).collect();
        let mut order = Order::new(program, arguments);
        order.environment.clone_from(&self.environment);
        for (name, value) in &invocation.variables {
            set(&mut order.environment, name.into(), value.into());
        }
        order.folder = Some(self.folder.clone());
        order.cpu = invocation.cpu;
        order.counters = counters(&invocation.counters)?;
        order.input = match &invocation.input {
            Input::Null => spawner::StandardInput::Null,
            Input::File(path) => {
                spawner::StandardInput::File(opened(path, File::open(self.folder.join(path)))?)
            }
        };
        order.output = match (&invocation.output, invocation.keeps_output) {
            (_, true) => Stream::Capture,
            (Output::Null, _) => Stream::Null,
            (Output::Pipe, _) => Stream::Discard,
            (Output::Inherit, _) => Stream::Inherit,
            (Output::File(path), _) => {
                Stream::File(opened(path, File::create(self.folder.join(path)))?)
            }
        };
        order.errors = match invocation.output {
            Output::Inherit => Stream::Inherit,
            _ => Stream::Capture,
        };
        Ok(order)
    }
}

fn set(environment: &mut Vec<(OsString, OsString)>, name: OsString, value: OsString) {
    // If a name appears twice, programs use the first: the one Fathom was started with.
    environment.retain(|(other, _)| *other != name);
    environment.push((name, value));
}

fn opened(path: &Path, file: std::io::Result<File>) -> Result<File, LaboratoryError> {
    file.map_err(|error| {
        LaboratoryError::Broken(format!("cannot open {}: {error}", path.display()))
    })
}

fn counters(names: &[String]) -> Result<Vec<CounterName>, LaboratoryError> {
    let parse = |name: &String| {
        name.parse::<CounterName>().map_err(|error| LaboratoryError::Broken(error.to_string()))
    };
    names.iter().map(parse).collect()
}

fn not_executed(error: ExecuteError) -> LaboratoryError {
    match error {
        ExecuteError::Interrupted => LaboratoryError::Interrupted,
        ExecuteError::TooMuchOutput { .. } => LaboratoryError::TooMuchOutput(error.to_string()),
        ExecuteError::Start(_) | ExecuteError::NulByte { .. } => {
            LaboratoryError::CannotStart(error.to_string())
        }
        // Of Fathom's own part: preparing, waiting, the spawner.
        _ => LaboratoryError::Broken(error.to_string()),
    }
}

fn execution(finished: Finished) -> Execution {
    let reading = |(name, value): (CounterName, Option<f64>)| {
        value.map(|value| Reading { name: name.as_str().to_string(), value })
    };
    Execution {
        ending: finished.ending,
        usage: finished.usage,
        counters: finished.counters.into_iter().filter_map(reading).collect(),
        stdout: finished.stdout,
        stderr_tail: finished.stderr_tail,
    }
}

impl Laboratory for Local {
    fn as_local(&mut self) -> Option<&mut Local> {
        Some(self)
    }

    fn now(&self) -> Timestamp {
        clock::monotonic()
    }

    fn grain(&self) -> Span {
        self.grain
    }

    fn execute(
        &mut self,
        invocation: &Invocation,
        watch: &mut dyn FnMut(),
    ) -> Result<Execution, LaboratoryError> {
        let order = self.order(invocation)?;
        let over = self.over();
        let mut on_wait = |_: Duration| {
            watch();
            if over() { Wait::Abort } else { Wait::Continue }
        };
        let finished = self.spawner.execute(&order, invocation.timeout, &mut on_wait);
        finished.map(execution).map_err(not_executed)
    }

    fn is_interrupted(&self) -> bool {
        self.over()()
    }

    fn resolve(&self, program: &str) -> Result<PathBuf, ResolveError> {
        let is_path = |(name, _): &&(OsString, OsString)| name == "PATH";
        let path = self.environment.iter().find(is_path).map(|(_, value)| value.as_os_str());
        resolve(OsStr::new(program), path, &self.folder)
    }
}
