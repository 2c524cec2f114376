//! What to run, and how.

use super::ExecuteError;
use crate::counters::CounterName;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// One command, ready to be executed any number of times.
#[derive(Debug)]
pub struct Order {
    /// The file to execute; see [`crate::resolve::resolve`].
    pub program: PathBuf,
    /// The arguments; the first is the name by which the program knows itself.
    pub arguments: Vec<OsString>,
    /// The whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Where to start it; `None` is where Fathom was started.
    pub folder: Option<PathBuf>,
    /// The only processor it may use.
    pub cpu: Option<usize>,
    /// What to count.
    pub counters: Vec<CounterName>,
    /// What it reads.
    pub input: StandardInput,
    /// Where what it prints goes.
    pub output: Stream,
    /// Where its complaints go.
    pub errors: Stream,
}

/// Where standard input comes from.
#[derive(Debug)]
pub enum StandardInput {
    /// From nowhere: it is at its end.
    Null,
    /// From Fathom's own.
    Inherit,
    /// From this file; from its beginning at every execution, if it has one to go back to.
    File(File),
}

/// Where an output stream goes.
#[derive(Debug)]
pub enum Stream {
    /// To /dev/null; some programs notice, and print nothing at all.
    Null,
    /// Into a pipe, and is thrown away.
    Discard,
    /// To Fathom's own.
    Inherit,
    /// To this file, from where it stands.
    File(File),
    /// Into a pipe, and is kept: all of standard output up to [`super::OUTPUT_LIMIT`], the last
    /// [`super::TAIL_LIMIT`] bytes of standard error.
    Capture,
}

impl Order {
    /// A command in the plainest way: nothing to read, no output, this process's environment.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>, arguments: Vec<OsString>) -> Order {
        Order {
            program: program.into(),
            arguments,
            environment: std::env::vars_os().collect(),
            folder: None,
            cpu: None,
            counters: Vec::new(),
            input: StandardInput::Null,
            output: Stream::Null,
            errors: Stream::Capture,
        }
    }

    /// Its strings as exec wants them, each ended by a NUL: program, folder, arguments, variables.
    pub(crate) fn strings(&self) -> Result<Vec<u8>, ExecuteError> {
        let mut bytes = Vec::new();
        append(&mut bytes, "the program's path", &[self.program.as_os_str()])?;
        let folder = self.folder.as_ref().map_or(OsStr::new(""), |folder| folder.as_os_str());
        append(&mut bytes, "the working folder", &[folder])?;
        for argument in &self.arguments {
            append(&mut bytes, "an argument", &[argument])?;
        }
        for (name, value) in &self.environment {
            append(&mut bytes, "an environment variable", &[name, OsStr::new("="), value])?;
        }
        Ok(bytes)
    }
}

fn append(bytes: &mut Vec<u8>, what: &'static str, parts: &[&OsStr]) -> Result<(), ExecuteError> {
    let began = bytes.len();
    for part in parts {
        bytes.extend_from_slice(part.as_bytes());
    }
    if bytes[began..].contains(&0) {
        let value = String::from_utf8_lossy(&bytes[began..]).into_owned();
        return Err(ExecuteError::NulByte { what, value });
    }
    bytes.push(0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_with_a_nul_and_hold_none() {
        let mut order = Order::new("/bin/echo", vec!["echo".into(), "a b".into()]);
        order.environment = vec![("A".into(), "1".into())];
        assert_eq!(order.strings().unwrap(), b"/bin/echo\0\0echo\0a b\0A=1\0");
        order.arguments.push("x\0y".into());
        let error = order.strings().unwrap_err().to_string();
        assert!(error.contains("an argument") && error.contains("x\\0y"), "{error}");
    }
}
