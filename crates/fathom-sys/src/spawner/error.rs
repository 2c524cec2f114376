//! What can go wrong when a command is executed.

use std::io;
use std::path::{Path, PathBuf};

/// The server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnerError {
    /// The kernel refused.
    #[error("cannot start {}, which starts the commands: {source}", program.display())]
    Start {
        /// The program that should serve.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It runs, but does not serve.
    #[error("{} did not respond as the process that starts commands: {reason}", program.display())]
    Silent {
        /// The program that should have served.
        program: PathBuf,
        /// What it did instead.
        reason: String,
    },
}

/// A command that was not executed to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecuteError {
    /// A string that cannot be given to a program.
    #[error("{what} contains a NUL byte: {value:?}. Programs cannot receive that.")]
    NulByte {
        /// Which string.
        what: &'static str,
        /// The string.
        value: String,
    },
    /// The order could not be made ready.
    #[error("cannot prepare the execution: {what}: {source}")]
    Prepare {
        /// What failed.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// The command could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It printed more than Fathom keeps.
    #[error(
        "the command printed more than {} MiB, the most that Fathom keeps. Make it print less, or \
         redirect its output to a file.",
        limit / (1024 * 1024)
    )]
    TooMuchOutput {
        /// In bytes.
        limit: usize,
    },
    /// The user asked to end; the command was killed.
    #[error("interrupted")]
    Interrupted,
    /// The command does not die.
    #[error(
        "the command was killed but does not end. It probably waits for a disk or network drive \
         that does not respond."
    )]
    Undead,
    /// The server has ended.
    #[error("the process that starts commands is gone ({reason}). Start Fathom again.")]
    SpawnerGone {
        /// How it ended, as far as is known.
        reason: String,
    },
}

/// What was being done when a command could not be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnStep {
    /// Reading the order.
    Order,
    /// Making a process.
    Fork,
    /// Giving it a process group.
    Group,
    /// Going to the working folder.
    Folder,
    /// Pinning it to a processor.
    Pin,
    /// Connecting its standard streams.
    Streams,
    /// Executing the program.
    Execute,
}

impl SpawnStep {
    const ALL: [SpawnStep; 7] = [
        SpawnStep::Order,
        SpawnStep::Fork,
        SpawnStep::Group,
        SpawnStep::Folder,
        SpawnStep::Pin,
        SpawnStep::Streams,
        SpawnStep::Execute,
    ];

    /// Its number in a reply, in which 0 means none.
    pub(crate) fn number(self) -> u64 {
        self as u64 + 1
    }

    pub(crate) fn from_number(number: u64) -> Option<SpawnStep> {
        SpawnStep::ALL.into_iter().find(|step| step.number() == number)
    }
}

/// A command that could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {}: {}", program.display(), reason(*step, program, context, source))]
pub struct StartError {
    /// What failed.
    pub step: SpawnStep,
    /// The program.
    pub program: PathBuf,
    /// The kernel's error.
    pub source: io::Error,
    pub(crate) context: Context,
}

/// What else the message needs.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) folder: Option<PathBuf>,
    pub(crate) cpu: Option<usize>,
    /// Of the arguments and the environment, in bytes.
    pub(crate) size: usize,
}

fn reason(step: SpawnStep, program: &Path, context: &Context, error: &io::Error) -> String {
    match step {
        SpawnStep::Order => format!("the request arrived incomplete: {error}"),
        SpawnStep::Fork => format!("cannot create a new process: {error}"),
        SpawnStep::Group => format!("cannot create a process group: {error}"),
        SpawnStep::Folder => {
            let folder = context.folder.as_deref().unwrap_or(Path::new("."));
            format!("cannot use the folder {}: {error}", folder.display())
        }
        SpawnStep::Pin => {
            let cpu = context.cpu.map_or_else(|| "?".to_string(), |cpu| cpu.to_string());
            format!("cannot pin it to CPU {cpu}: {error}")
        }
        SpawnStep::Streams => format!("cannot connect its standard streams: {error}"),
        SpawnStep::Execute => refusal(program, context, error),
    }
}

/// Why exec refused, beyond the few words of its error number.
fn refusal(program: &Path, context: &Context, error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT) if program.exists() => match interpreter(program) {
            Some(interpreter) => {
                format!("its first line names the interpreter {interpreter}, which does not exist")
            }
            None => "its dynamic loader does not exist. It is probably built for another system."
                .to_string(),
        },
        Some(libc::EACCES) if program.is_dir() => "it is a folder".to_string(),
        Some(libc::EACCES) => {
            "it is not executable. Run chmod +x on it, unless its file system forbids programs."
                .to_string()
        }
        Some(libc::ENOEXEC) => "it is not a program for this machine and does not begin with #!. \
                                If it is a script, run it with its interpreter, as in `sh FILE`."
            .to_string(),
        Some(libc::E2BIG) => format!(
            "its arguments and environment are too large: {} bytes in total. A single one may \
             have 128 KiB; `getconf ARG_MAX` shows the limit for all.",
            context.size
        ),
        Some(libc::ETXTBSY) => "it is open for writing. Is it still being built?".to_string(),
        _ => error.to_string(),
    }
}

/// What follows `#!`.
fn interpreter(program: &Path) -> Option<String> {
    use std::io::Read;
    let mut start = Vec::new();
    std::fs::File::open(program).ok()?.take(256).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).split_whitespace().next()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_back() {
        for step in SpawnStep::ALL {
            assert_eq!(SpawnStep::from_number(step.number()), Some(step));
        }
        assert_eq!(SpawnStep::from_number(0), None);
        assert_eq!(SpawnStep::from_number(99), None);
    }

    #[test]
    fn messages_say_what_was_asked_for() {
        let error = |step, errno| {
            StartError {
                step,
                program: "/nowhere/tool".into(),
                source: io::Error::from_raw_os_error(errno),
                context: Context { folder: Some("/gone".into()), cpu: Some(7), size: 3_000_000 },
            }
            .to_string()
        };
        assert!(error(SpawnStep::Folder, libc::ENOENT).contains("cannot use the folder /gone: No"));
        assert!(error(SpawnStep::Pin, libc::EINVAL).contains("pin it to CPU 7: Invalid"));
        assert!(error(SpawnStep::Execute, libc::E2BIG).contains("3000000 bytes"));
        assert!(error(SpawnStep::Execute, libc::ETXTBSY).contains("still being built"));
        assert!(
            error(SpawnStep::Execute, libc::ENOENT)
                .ends_with("No such file or directory (os error 2)")
        );
    }
}
