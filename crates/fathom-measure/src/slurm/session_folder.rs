//! The folder through which the controlling process and the nodes speak.
//!
//! ```text
//! work.json              what every execution does
//! slurm.json             what was submitted
//! batches/1.json, 1.sh   the tickets of a batch and its job script
//! logs/1-0.log           what task 0 of batch 1 wrote; removed once its result is here
//! results/17.json        what came of execution 17
//! scratch/               where executions have their own folders
//! ```

use crate::experiment::{Performed, Recipe, Ticket};
use fathom_record::foreign_text::escaped;
use fathom_record::whole_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Of a task's log, so much of its end is shown.
const LOG_BYTES: u64 = 8192;
const LOG_LINES: usize = 10;

/// The folder of a session; every node sees it under the same path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SessionFolder {
    top: PathBuf,
}

/// What every execution does, on whichever node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Work {
    /// The commands and what is read from them.
    pub(super) recipe: Recipe,
    /// Where the folders of executions stay, if they do.
    pub(super) kept: Option<PathBuf>,
}

impl SessionFolder {
    pub(super) fn new(top: PathBuf) -> SessionFolder {
        SessionFolder { top }
    }

    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    /// Makes what is missing.
    pub(super) fn create(&self) -> io::Result<()> {
        for name in ["batches", "logs", "results", "scratch"] {
            fs::create_dir_all(self.top.join(name))?;
        }
        Ok(())
    }

    fn work(&self) -> PathBuf {
        self.top.join("work.json")
    }

    pub(super) fn ledger(&self) -> PathBuf {
        self.top.join("slurm.json")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.top.join("slurm.lock")
    }

    /// Where the executions of a batch have their folders. Each attempt has its own: one that was
    /// thought lost may still be writing.
    pub(super) fn scratch(&self, batch: u32, restarts: &str) -> PathBuf {
        self.top.join("scratch").join(format!("{batch}-{restarts}"))
    }

    pub(super) fn logs(&self) -> PathBuf {
        self.top.join("logs")
    }

    pub(super) fn script(&self, batch: u32) -> PathBuf {
        self.top.join("batches").join(format!("{batch}.sh"))
    }

    fn batch(&self, batch: u32) -> PathBuf {
        self.top.join("batches").join(format!("{batch}.json"))
    }

    fn log(&self, batch: u32, index: usize) -> PathBuf {
        self.logs().join(format!("{batch}-{index}.log"))
    }

    pub(super) fn result(&self, number: u64) -> PathBuf {
        self.top.join("results").join(format!("{number}.json"))
    }

    /// Keeps what every execution does.
    pub(super) fn write_work(&self, work: &Work) -> io::Result<()> {
        write_durably(&self.work(), &serde_json::to_vec_pretty(work)?)
    }

    /// What every execution does.
    pub(super) fn read_work(&self) -> io::Result<Work> {
        from_json(&fs::read(self.work())?)
    }

    /// Keeps the tickets of a batch; task i of the job has ticket i.
    pub(super) fn write_tickets(&self, batch: u32, tickets: &[Ticket]) -> io::Result<()> {
        write_durably(&self.batch(batch), &serde_json::to_vec(tickets)?)
    }

    /// The tickets of a batch.
    pub(super) fn tickets(&self, batch: u32) -> io::Result<Vec<Ticket>> {
        from_json(&fs::read(self.batch(batch))?)
    }

    /// The executions with a result.
    pub(super) fn results(&self) -> io::Result<BTreeSet<u64>> {
        let mut numbers = BTreeSet::new();
        for entry in fs::read_dir(self.top.join("results"))? {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".json"));
            numbers.extend(number.and_then(|number| number.parse::<u64>().ok()));
        }
        Ok(numbers)
    }

    /// Makes the next look at the results a fresh one. Network file systems remember for up to a
    /// minute what a folder held; they forget that when we change something in it.
    pub(super) fn refresh(&self) -> io::Result<()> {
        let path = self.top.join("results").join(".look");
        File::create(&path)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// What came of an execution.
    pub(super) fn read_result(&self, number: u64) -> io::Result<Performed> {
        from_json(&fs::read(self.result(number))?)
    }

    /// Keeps what came of an execution, unless something is kept already: what was once seen never
    /// changes, even if a task that was thought lost ends after its second attempt.
    pub(super) fn write_result(&self, performed: &Performed) -> io::Result<()> {
        let path = self.result(performed.ticket.number);
        let aside = write_aside(&path, &serde_json::to_vec(performed)?)?;
        let linked = match fs::hard_link(&aside, &path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            // Not every file system has links.
            Err(_) if path.exists() => Ok(()),
            Err(_) => fs::rename(&aside, &path),
        };
        // After a rename it is gone.
        let _ = fs::remove_file(&aside);
        linked?;
        sync_folder_of(&path)
    }

    /// The last lines that a task wrote.
    pub(super) fn log_tail(&self, batch: u32, index: usize) -> io::Result<Vec<String>> {
        let mut file = File::open(self.log(batch, index))?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOG_BYTES)))?;
        let mut bytes = Vec::new();
        file.take(LOG_BYTES).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let from = lines.len().saturating_sub(LOG_LINES);
        Ok(lines.into_iter().skip(from).map(str::to_string).collect())
    }

    /// Removes the log of a task that needs none; a log that stays does no harm.
    pub(super) fn remove_log(&self, batch: u32, index: usize) {
        let _ = fs::remove_file(self.log(batch, index));
    }
}

/// Writes a file so that it is there whole or not at all, whatever happens.
pub(super) fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    whole_file::write(path, bytes)
}

/// Nodes write at the same time, so the name has to be unique.
fn write_aside(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let process = std::process::id();
    let job = std::env::var("SLURM_JOB_ID").unwrap_or_default();
    let aside = path.with_file_name(format!(".{name}-{}-{job}-{process}", host.trim()));
    let mut file = File::create(&aside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(aside)
}

/// Reads a file of the folder. What is wrong with it may quote the file, which others can write.
pub(super) fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        let error = io::Error::from(error);
        io::Error::new(error.kind(), escaped(&error.to_string()))
    })
}

fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("/"));
    match File::open(folder)?.sync_all() {
        // Some file systems cannot; the file itself is safe.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ExecutionFailure;
    use fathom_record::Usage;

    fn performed(number: u64, how: &str) -> Performed {
        let failure = ExecutionFailure { how: how.to_string(), said: Vec::new(), hint: None };
        Performed {
            ticket: Ticket { number, system: 0, seed: 7 },
            host: "node1".to_string(),
            ending: None,
            usage: Usage::default(),
            outcome: Err(failure),
            output: None,
            session: None,
        }
    }

    fn folder() -> (tempfile::TempDir, SessionFolder) {
        let top = tempfile::tempdir().unwrap();
        let folder = SessionFolder::new(top.path().to_path_buf());
        folder.create().unwrap();
        (top, folder)
    }

    #[test]
    fn the_first_result_stays_and_nothing_is_left_beside_it() {
        let (_top, folder) = folder();
        folder.write_result(&performed(3, "first")).unwrap();
        folder.write_result(&performed(3, "second")).unwrap();
        folder.write_result(&performed(12, "other")).unwrap();
        assert_eq!(folder.read_result(3).unwrap(), performed(3, "first"));
        folder.refresh().unwrap();
        assert_eq!(folder.results().unwrap(), BTreeSet::from([3, 12]));
        assert_eq!(fs::read_dir(folder.top().join("results")).unwrap().count(), 2);
    }

    #[test]
    fn the_end_of_a_log() {
        let (_top, folder) = folder();
        assert!(folder.log_tail(1, 0).is_err());
        let text: String = (0..5000).map(|line| format!("line {line}\n\n")).collect();
        fs::write(folder.log(1, 0), text).unwrap();
        let tail = folder.log_tail(1, 0).unwrap();
        assert_eq!((tail.len(), tail[9].as_str()), (10, "line 4999"));
        folder.remove_log(1, 0);
        assert!(folder.log_tail(1, 0).is_err());
    }
}
