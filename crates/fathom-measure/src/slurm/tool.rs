//! Slurm's own commands, asked in the background.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Why a command of Slurm gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ToolError {
    /// It is not installed.
    #[error("Slurm's {0} was not found. Run on a login node of the cluster, or use -j.")]
    Missing(&'static str),
    /// It could not be started or read.
    #[error("cannot run Slurm's {tool}: {error}")]
    Broken {
        /// Which.
        tool: &'static str,
        /// What the system says.
        error: String,
    },
    /// It refused.
    #[error("{}", said.join("; "))]
    Refused {
        /// The lines it wrote to standard error.
        said: Vec<String>,
    },
}

/// What Slurm's commands say when the controller is away for a moment.
const AWAY: &[&str] = &[
    "Unable to contact slurm controller",
    "Socket timed out",
    "Communication connection failure",
    "Message send failure",
    "Message receive failure",
    "Zero Bytes were transmitted",
    "standby mode",
    "temporarily unable",
    "temporarily unavailable",
    "Connection refused",
    "Connection timed out",
    "Connection reset",
];

impl ToolError {
    /// Whether it is worth asking again later.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            ToolError::Refused { said } => {
                said.iter().any(|line| AWAY.iter().any(|away| line.contains(away)))
            }
            ToolError::Missing(_) | ToolError::Broken { .. } => false,
        }
    }
}

/// A command of Slurm at work.
#[derive(Debug)]
pub(super) struct RunningTool {
    tool: &'static str,
    child: Child,
    output: Option<JoinHandle<io::Result<Vec<u8>>>>,
    errors: Option<JoinHandle<io::Result<Vec<u8>>>>,
}

impl RunningTool {
    /// Starts a command.
    pub(super) fn begin(
        tool: &'static str,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Result<RunningTool, ToolError> {
        let broken = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => ToolError::Missing(tool),
            _ => ToolError::Broken { tool, error: error.to_string() },
        };
        let mut command = Command::new(tool);
        command
            .args(arguments.into_iter().map(Into::into))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A Ctrl-C is for us; half a submission is useless.
            .process_group(0);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_meddling) {
                command.env_remove(&name);
            }
        }
        let mut child = command.spawn().map_err(broken)?;
        let output = child.stdout.take().map(read_aside);
        let errors = child.stderr.take().map(read_aside);
        // If one cannot be read, what was begun ends with this.
        let mut asked = RunningTool { tool, child, output: None, errors: None };
        asked.output = output.transpose().map_err(broken)?;
        asked.errors = errors.transpose().map_err(broken)?;
        Ok(asked)
    }

    /// What it wrote, if it is done.
    pub(super) fn answer(&mut self) -> Option<Result<String, ToolError>> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(self.collect(status)),
            Err(error) => Some(Err(self.broken(&error))),
        }
    }

    fn collect(&mut self, status: ExitStatus) -> Result<String, ToolError> {
        let output = finish(self.output.take()).map_err(|error| self.broken(&error))?;
        if status.success() {
            return Ok(String::from_utf8_lossy(&output).into_owned());
        }
        let errors = finish(self.errors.take()).map_err(|error| self.broken(&error))?;
        let text = String::from_utf8_lossy(&errors);
        let mut said: Vec<String> = text
            .lines()
            .map(|line| line.trim().to_string())
            .filter(|line| !line.is_empty() && !line.starts_with("Try \""))
            .collect();
        if said.is_empty() {
            said.push(format!("{} ended with {status}", self.tool));
        }
        Err(ToolError::Refused { said })
    }

    fn broken(&self, error: &io::Error) -> ToolError {
        ToolError::Broken { tool: self.tool, error: error.to_string() }
    }
}

impl Drop for RunningTool {
    fn drop(&mut self) {
        // An unwanted answer must leave no zombie; both fail only if it is gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks and waits, calling `tick` several times a second.
pub(super) fn ask(
    tool: &'static str,
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
    tick: &mut dyn FnMut(),
) -> Result<String, ToolError> {
    let mut asked = RunningTool::begin(tool, arguments)?;
    let mut waits = 0_u32;
    loop {
        if let Some(answer) = asked.answer() {
            return answer;
        }
        thread::sleep(Duration::from_millis(5));
        waits += 1;
        if waits.is_multiple_of(20) {
            tick();
        }
    }
}

/// Variables by which a user filters what these commands show, or makes sbatch wait.
fn is_meddling(name: &str) -> bool {
    const WAITS: &[&str] = &["SBATCH_WAIT", "SBATCH_ARRAY_INX"];
    ["SQUEUE_", "SCANCEL_", "SCONTROL_"].iter().any(|start| name.starts_with(start))
        || WAITS.contains(&name)
}

fn read_aside(mut from: impl Read + Send + 'static) -> io::Result<JoinHandle<io::Result<Vec<u8>>>> {
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).map(|_| bytes)
    })
}

fn finish(reader: Option<JoinHandle<io::Result<Vec<u8>>>>) -> io::Result<Vec<u8>> {
    match reader.map(JoinHandle::join) {
        Some(Ok(bytes)) => bytes,
        Some(Err(_)) => Err(io::Error::other("cannot read its output")),
        None => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_command_says_where_to_run() {
        let error = ask("sbatch-that-is-not-there", ["-h"], &mut || {}).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Slurm's sbatch-that-is-not-there was not found. Run on a login node of the cluster, \
             or use -j."
        );
        assert!(!error.is_passing());
    }

    #[test]
    fn what_a_command_says_and_whether_that_passes() {
        let away = "echo 'slurm_load_jobs error: Unable to contact slurm controller \
                    (connect failure)' >&2; exit 1";
        assert!(ask("sh", ["-c", away], &mut || {}).unwrap_err().is_passing());
        let refused = "echo 'sbatch: error: invalid partition specified: nope' >&2; exit 1";
        let error = ask("sh", ["-c", refused], &mut || {}).unwrap_err();
        assert!(!error.is_passing());
        assert_eq!(error.to_string(), "sbatch: error: invalid partition specified: nope");
        let silent = ask("sh", ["-c", "exit 3"], &mut || {}).unwrap_err();
        assert_eq!(silent.to_string(), "sh ended with exit status: 3");
        assert_eq!(ask("sh", ["-c", "echo 12"], &mut || {}).unwrap(), "12\n");
    }

    #[test]
    fn much_output_does_not_block() {
        let text = ask("sh", ["-c", "seq 1 100000; seq 1 100000 >&2"], &mut || {}).unwrap();
        assert_eq!(text.lines().count(), 100_000);
    }

    #[test]
    fn variables_that_filter_are_not_handed_on() {
        for name in ["SQUEUE_STATES", "SQUEUE_FORMAT", "SCANCEL_STATE", "SBATCH_WAIT"] {
            assert!(is_meddling(name), "{name}");
        }
        for name in ["SLURM_CONF", "SLURM_CLUSTERS", "SBATCH_ACCOUNT", "PATH"] {
            assert!(!is_meddling(name), "{name}");
        }
    }
}
