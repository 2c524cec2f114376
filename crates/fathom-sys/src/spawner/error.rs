//! What can go wrong when a command is executed.

use std::io;
use std::path::{Path, PathBuf};

/// The server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnerError {
    /// The kernel refused.
    #[error("cannot start {}, which is to start the commands: {source}", program.display())]
    Start {
        /// The program that is to serve.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It runs, but does not serve.
    #[error("{} did not answer as the one that starts commands: {reason}", program.display())]
    Silent {
        /// The program that was to serve.
        program: PathBuf,
        /// What it did instead.
        reason: String,
    },
}

/// A command that was not executed to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// A string that cannot be given to a program.
    #[error("{what} has a NUL byte in it: {value:?}; no program can be given that")]
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
    /// It printed more than is kept.
    #[error(
        "the command printed more than {} MiB, which is the most that is kept; let it print less, \
         or send its output to a file",
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
        "the command was killed but does not end; it probably waits for a disk or network drive \
         that does not answer"
    )]
    Undead,
    /// The server is no more.
    #[error("the process that starts commands is gone ({reason}); start Fathom again")]
    SpawnerGone {
        /// How it ended, as far as is known.
        reason: String,
    },
}

/// What was being done when a command could not be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
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

impl Step {
    const ALL: [Step; 7] = [
        Step::Order,
        Step::Fork,
        Step::Group,
        Step::Folder,
        Step::Pin,
        Step::Streams,
        Step::Execute,
    ];

    /// Its number in a reply, in which 0 means none.
    pub(crate) fn number(self) -> u64 {
        self as u64 + 1
    }

    pub(crate) fn from_number(number: u64) -> Option<Step> {
        Step::ALL.into_iter().find(|step| step.number() == number)
    }
}

/// A command that could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {}: {}", program.display(), reason(*step, program, context, source))]
pub struct StartError {
    /// What failed.
    pub step: Step,
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

fn reason(step: Step, program: &Path, context: &Context, error: &io::Error) -> String {
    match step {
        Step::Order => format!("the order did not arrive whole: {error}"),
        Step::Fork => format!("no new process can be made: {error}"),
        Step::Group => format!("it cannot have a process group: {error}"),
        Step::Folder => {
            let folder = context.folder.as_deref().unwrap_or(Path::new("."));
            format!("cannot work in the folder {}: {error}", folder.display())
        }
        Step::Pin => {
            let cpu = context.cpu.map_or_else(|| "?".to_string(), |cpu| cpu.to_string());
            format!("it cannot be pinned to CPU {cpu}: {error}")
        }
        Step::Streams => format!("its standard streams cannot be connected: {error}"),
        Step::Execute => refusal(program, context, error),
    }
}

/// Why exec refused, beyond the few words of its error number.
fn refusal(program: &Path, context: &Context, error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT) if program.exists() => match interpreter(program) {
            Some(interpreter) => {
                format!("its first line asks for the interpreter {interpreter}, which is not there")
            }
            None => "the loader that it asks for is not there; it is probably made for another \
                     system"
                .to_string(),
        },
        Some(libc::EACCES) if program.is_dir() => "it is a folder".to_string(),
        Some(libc::EACCES) => {
            "it may not be executed; chmod +x makes it executable, unless its file system forbids \
             programs"
                .to_string()
        }
        Some(libc::ENOEXEC) => "it is no program for this machine, nor does it begin with #!; if \
                                it is a script, give it to its interpreter, as in `sh FILE`"
            .to_string(),
        Some(libc::E2BIG) => format!(
            "its arguments and environment are too large ({} bytes together; a single one may have \
             128 KiB, and `getconf ARG_MAX` tells how many all may)",
            context.size
        ),
        Some(libc::ETXTBSY) => "it is open for writing; is it still being built?".to_string(),
        _ => error.to_string(),
    }
}

/// What stands behind `#!`.
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
        for step in Step::ALL {
            assert_eq!(Step::from_number(step.number()), Some(step));
        }
        assert_eq!(Step::from_number(0), None);
        assert_eq!(Step::from_number(99), None);
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
        assert!(error(Step::Folder, libc::ENOENT).contains("cannot work in the folder /gone: No"));
        assert!(error(Step::Pin, libc::EINVAL).contains("pinned to CPU 7: Invalid"));
        assert!(error(Step::Execute, libc::E2BIG).contains("3000000 bytes"));
        assert!(error(Step::Execute, libc::ETXTBSY).contains("still being built"));
        assert!(
            error(Step::Execute, libc::ENOENT).ends_with("No such file or directory (os error 2)")
        );
    }
}
