//! Which process measures a session: two at once would mix their runs.

use crate::process::Process;
use crate::store::Held;
use crate::write::Wait;
use crate::{SessionId, Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};

impl Store {
    /// Takes a session for measuring, as `resume` does. Fails while another living process, or
    /// another store of this one, has it.
    pub fn claim(&mut self, id: SessionId) -> Result<(), StoreError> {
        if self.held.contains_key(&id) {
            return Ok(());
        }
        let process = self.process.clone();
        let row = self.change("claiming a session", Wait::Always, |transaction, store| {
            let row = store.row(transaction, id)?;
            if let Some(pid) = store.claimant(transaction, id)? {
                return Err(StoreError::Claimed { id, pid });
            }
            record(transaction, id, &process).map_err(|e| store.failed("claiming", e))?;
            Ok(row)
        })?;
        self.held.insert(id, Held { finished: row.outcome.is_some() });
        Ok(())
    }

    /// Lets go of a session; others may claim it.
    pub(crate) fn release(&mut self, id: SessionId) -> Result<(), StoreError> {
        if self.held.remove(&id).is_some() {
            self.connection
                .execute("DELETE FROM claims WHERE session = ?1", [id.0])
                .map_err(|error| self.failed("releasing a session", error))?;
        }
        Ok(())
    }

    /// The living process that measures a session.
    pub(crate) fn claimant(
        &self,
        connection: &Connection,
        id: SessionId,
    ) -> Result<Option<u32>, StoreError> {
        let process = connection
            .query_row("SELECT pid, born, boot FROM claims WHERE session = ?1", [id.0], |row| {
                Ok(Process { pid: row.get(0)?, born: row.get(1)?, boot: row.get(2)? })
            })
            .optional()
            .map_err(|error| self.failed("reading claims", error))?;
        Ok(process.filter(Process::lives).map(|process| process.pid))
    }
}

/// Writes a claim, over one of a dead process if need be.
pub(crate) fn record(
    connection: &Connection,
    id: SessionId,
    process: &Process,
) -> Result<(), rusqlite::Error> {
    connection.execute(
        "INSERT OR REPLACE INTO claims (session, pid, born, boot) VALUES (?1, ?2, ?3, ?4)",
        params![id.0, process.pid, process.born, process.boot],
    )?;
    Ok(())
}
