//! Handing a batch to sbatch.

use super::options::SlurmOptions;
use super::refusal::explain;
use super::session_folder::{SessionFolder, write_durably};
use super::tool::{ToolError, ask};
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// A batch that is ready to be submitted.
#[derive(Debug, Clone)]
pub(super) struct Submission<'a> {
    pub(super) folder: &'a SessionFolder,
    pub(super) options: &'a SlurmOptions,
    pub(super) program: &'a Path,
    /// The batch's number.
    pub(super) batch: u32,
    /// The job's name.
    pub(super) name: String,
    /// How many tasks; at least 1.
    pub(super) tasks: usize,
    /// Whether the cluster has job arrays; without, there is one task.
    pub(super) has_arrays: bool,
}

/// What came of submitting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Submitted {
    /// The job's number.
    Job(u64),
    /// The controller is away; whether the job was accepted is not known.
    Unsure(String),
    /// It was refused, and would be again.
    Refused(String),
}

impl Submission<'_> {
    /// Writes the job script.
    pub(super) fn write_script(&self) -> io::Result<()> {
        let mut script = b"#!/bin/sh\nexec ".to_vec();
        script.extend(quoted(self.program.as_os_str().as_bytes()));
        script.extend(b" perform-execution ");
        script.extend(quoted(self.folder.top().as_os_str().as_bytes()));
        script.extend(format!(" {} \"${{SLURM_ARRAY_TASK_ID:-0}}\"\n", self.batch).into_bytes());
        write_durably(&self.folder.script(self.batch), &script)
    }

    /// Submits it.
    pub(super) fn submit(&self, tick: &mut dyn FnMut()) -> Submitted {
        match ask("sbatch", self.arguments(), tick) {
            Ok(text) => match job_number(&text) {
                Some(job) => Submitted::Job(job),
                None => Submitted::Unsure(format!("sbatch printed \"{}\"", text.trim())),
            },
            Err(error) if error.is_passing() => Submitted::Unsure(error.to_string()),
            Err(error @ ToolError::Refused { .. }) => {
                Submitted::Refused(explain(&error.to_string()))
            }
            Err(error) => Submitted::Refused(error.to_string()),
        }
    }

    fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        let mut add = |argument: String| arguments.push(argument.into());
        add("--parsable".to_string());
        add(format!("--job-name={}", self.name));
        if self.has_arrays {
            let width = self.options.width.max(1);
            let throttle = if self.tasks > width { format!("%{width}") } else { String::new() };
            add(format!("--array=0-{}{throttle}", self.tasks.saturating_sub(1)));
        }
        // Slurm lets what it requeues wait for two minutes; an attempt of our own starts at once.
        add("--no-requeue".to_string());
        // One task, one processor, unless the options say otherwise.
        add("--ntasks=1".to_string());
        arguments.push(joined("--chdir=", self.folder.top().as_os_str().as_bytes()));
        // sbatch replaces what follows a % in this path alone.
        let task = if self.has_arrays { "%a" } else { "0" };
        let mut output = Vec::new();
        for &byte in self.folder.logs().as_os_str().as_bytes() {
            output.extend(if byte == b'%' { &b"%%"[..] } else { std::slice::from_ref(&byte) });
        }
        output.extend(format!("/{}-{task}.log", self.batch).into_bytes());
        arguments.push(joined("--output=", &output));
        arguments.extend(self.options.arguments().into_iter().map(OsString::from));
        arguments.push(self.folder.script(self.batch).into_os_string());
        arguments
    }
}

fn joined(option: &str, value: &[u8]) -> OsString {
    OsString::from_vec([option.as_bytes(), value].concat())
}

/// A word of a shell script.
fn quoted(word: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for &byte in word {
        quoted.extend(if byte == b'\'' { &b"'\\''"[..] } else { std::slice::from_ref(&byte) });
    }
    quoted.push(b'\'');
    quoted
}

/// sbatch --parsable writes "17" or "17;cluster"; plugins of sites may write before it.
pub(super) fn job_number(text: &str) -> Option<u64> {
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    line.trim().split(';').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn arguments(tasks: usize, has_arrays: bool) -> Vec<String> {
        let folder = SessionFolder::new(PathBuf::from("/shared/100% it's"));
        let options =
            SlurmOptions { time: Some("10".parse().unwrap()), width: 4, ..Default::default() };
        let program = Path::new("/opt/fathom");
        let name = "fathom-a1-3".to_string();
        let submission = Submission {
            folder: &folder,
            options: &options,
            program,
            batch: 3,
            name,
            tasks,
            has_arrays,
        };
        submission.arguments().into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn a_batch_is_one_array_that_is_throttled_where_it_is_wide() {
        let words = arguments(10, true);
        assert!(words.contains(&"--array=0-9%4".to_string()), "{words:?}");
        assert!(words.contains(&"--output=/shared/100%% it's/logs/3-%a.log".to_string()));
        assert!(words.contains(&"--chdir=/shared/100% it's".to_string()));
        assert_eq!(words.last().unwrap(), "/shared/100% it's/batches/3.sh");
        assert!(arguments(4, true).contains(&"--array=0-3".to_string()));
        let single = arguments(1, false);
        assert!(single.iter().all(|word| !word.starts_with("--array")));
        assert!(single.contains(&"--output=/shared/100%% it's/logs/3-0.log".to_string()));
    }

    #[test]
    fn words_of_scripts_and_numbers_of_jobs() {
        assert_eq!(quoted(b"it's"), b"'it'\\''s'");
        assert_eq!(job_number("17\n"), Some(17));
        assert_eq!(job_number("Welcome!\n17;cluster\n\n"), Some(17));
        assert_eq!(job_number("Submitted batch job 17"), None);
        assert_eq!(job_number(""), None);
    }
}
