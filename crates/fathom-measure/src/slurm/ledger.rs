//! What was submitted, kept so that a new process can take it up.

use super::session_folder::{SessionFolder, from_json, write_durably};
use fathom_record::foreign_text::escaped;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;

const SCHEMA: &str = "fathom-slurm-1";

/// What was submitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ledger {
    schema: String,
    /// How the names of this session's jobs begin.
    pub(super) name: String,
    /// How many tasks a job array may have; 0 where there are no arrays.
    pub(super) largest_array: usize,
    /// All batches, in the order of their numbers.
    pub(super) batches: Vec<Batch>,
}

/// Tickets that were submitted together as one job; they are in a file of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Batch {
    /// Its number, from 1.
    pub(super) number: u32,
    /// The job; `None` from before the submission until its outcome is known.
    pub(super) job: Option<u64>,
    /// Whether it is no longer wanted.
    pub(super) is_cancelled: bool,
}

impl Ledger {
    pub(super) fn new(name: String, largest_array: usize) -> Ledger {
        Ledger { schema: SCHEMA.to_string(), name, largest_array, batches: Vec::new() }
    }

    /// The name of the job of a batch.
    pub(super) fn job_name(&self, batch: u32) -> String {
        format!("{}{batch}", self.name)
    }

    pub(super) fn next_number(&self) -> u32 {
        self.batches.last().map_or(1, |batch| batch.number.saturating_add(1))
    }

    pub(super) fn batch_mut(&mut self, number: u32) -> Option<&mut Batch> {
        self.batches.iter_mut().find(|batch| batch.number == number)
    }

    pub(super) fn job(&self, number: u32) -> Option<u64> {
        self.batches.iter().find(|batch| batch.number == number)?.job
    }

    pub(super) fn write(&self, folder: &SessionFolder) -> io::Result<()> {
        write_durably(&folder.ledger(), &serde_json::to_vec_pretty(self)?)
    }

    /// The ledger of a folder, if it has one.
    pub(super) fn read(folder: &SessionFolder) -> io::Result<Option<Ledger>> {
        let bytes = match fs::read(folder.ledger()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        Ledger::parse(&bytes).map(Some)
    }

    pub(super) fn parse(bytes: &[u8]) -> io::Result<Ledger> {
        let ledger: Ledger = from_json(bytes)?;
        if ledger.schema != SCHEMA {
            let schema = escaped(&ledger.schema);
            let text = format!("another version of Fathom wrote it ({schema})");
            return Err(io::Error::other(text));
        }
        Ok(ledger)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_other_versions_are_refused() {
        let top = tempfile::tempdir().unwrap();
        let folder = SessionFolder::new(top.path().to_path_buf());
        assert_eq!(Ledger::read(&folder).unwrap(), None);
        let mut ledger = Ledger::new("fathom-a1-".to_string(), 21);
        assert_eq!(ledger.next_number(), 1);
        ledger.batches.push(Batch { number: 1, job: None, is_cancelled: false });
        ledger.batch_mut(1).unwrap().job = Some(17);
        assert_eq!((ledger.next_number(), ledger.job(1), ledger.job(2)), (2, Some(17), None));
        assert_eq!(ledger.job_name(1), "fathom-a1-1");
        ledger.write(&folder).unwrap();
        assert_eq!(Ledger::read(&folder).unwrap(), Some(ledger.clone()));
        ledger.schema = "fathom-slurm-9".to_string();
        ledger.write(&folder).unwrap();
        assert!(Ledger::read(&folder).is_err());
        fs::write(folder.ledger(), "{").unwrap();
        assert!(Ledger::read(&folder).is_err());
    }
}
