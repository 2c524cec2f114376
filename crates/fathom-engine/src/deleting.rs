//! Deleting what was saved.

use crate::measuring::programs::History;
use crate::measuring::session;
use crate::{Engine, EngineError, bench_results, check};
use fathom_record::{ListedSession, SavedResult};
use fathom_store::{Store, StoreError};
use std::io;
use std::path::Path;

/// What was deleted.
#[derive(Debug)]
pub enum Deleted {
    /// A session, with its runs.
    Session(Box<ListedSession>),
    /// Results of a bench.
    Bench(SavedResult),
}

impl Engine<'_> {
    /// Deletes sessions by their numbers, their names or "last", and results of benches by
    /// "SUITE@NAME". If one of them does not exist, or is measured right now, nothing is deleted.
    ///
    /// # Errors
    /// One of them does not exist or is in use, or the store cannot be written.
    pub fn delete(&mut self, words: &[String]) -> Result<Vec<Deleted>, EngineError> {
        let (mut sessions, mut benches): (Vec<ListedSession>, Vec<SavedResult>) =
            Default::default();
        for word in words {
            if let Some(found) = bench_results::find(word).filter(|_| word.contains('@')) {
                if !benches.contains(&found) {
                    benches.push(found);
                }
                continue;
            }
            let store = session::required(&self.saving.folder, self.watch)?;
            let listed = store.listed(store.resolve(word)?)?;
            if let Some(pid) = listed.live {
                return Err(StoreError::Claimed { id: listed.id, pid }.into());
            }
            if !sessions.iter().any(|other| other.id == listed.id) {
                sessions.push(listed);
            }
        }
        let mut deleted = Vec::new();
        for one in sessions {
            self.delete_session(&one).map_err(|error| after(error, deleted.len()))?;
            deleted.push(Deleted::Session(Box::new(one)));
        }
        for one in benches {
            bench_results::remove(&one).map_err(|error| after(error, deleted.len()))?;
            deleted.push(Deleted::Bench(one));
        }
        Ok(deleted)
    }

    fn delete_session(&mut self, listed: &ListedSession) -> Result<(), EngineError> {
        let folder = self.saving.folder.path()?;
        let id = listed.id;
        Store::open(&folder)?.store.remove(id)?;
        // The session is gone by now; what it left beside the store only takes up space.
        let programs = History::file_of(&folder, id.0);
        let removed = std::fs::remove_file(&programs);
        self.tell_left_over(&programs, removed);
        let executions = check::executions_folder(&folder, id.0);
        let removed = std::fs::remove_dir_all(&executions);
        self.tell_left_over(&executions, removed);
        Ok(())
    }
}

impl Engine<'_> {
    fn tell_left_over(&mut self, path: &Path, removed: io::Result<()>) {
        if let Err(error) = removed
            && error.kind() != io::ErrorKind::NotFound
        {
            self.watch.note(&format!("warning: {} is left over: {error}", path.display()));
        }
    }
}

/// What else to know where not everything was deleted.
fn after(error: EngineError, deleted: usize) -> EngineError {
    let sessions = if deleted == 1 { "1 was" } else { "some were" };
    error
        .with_advice((deleted > 0).then(|| format!("{sessions} deleted before: see `fathom list`")))
}
