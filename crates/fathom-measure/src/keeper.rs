//! Keeps runs while they come in: in the store, or only in memory.

use fathom_record::{Run, Session};
use fathom_store::{SessionId, Store, StoreError};

/// Where a session's runs go.
#[derive(Debug)]
pub enum Keeper {
    /// Each run is on disk before the next one starts.
    Store {
        /// The store.
        store: Box<Store>,
        /// Which session.
        id: SessionId,
    },
    /// The user asked not to save.
    Nothing,
}

impl Keeper {
    /// Begins a session in a store.
    pub fn begin(mut store: Store, session: &Session) -> Result<Keeper, StoreError> {
        let id = store.begin(session)?;
        Ok(Keeper::Store { store: Box::new(store), id })
    }

    /// The session's number, if it is saved.
    #[must_use]
    pub fn id(&self) -> Option<SessionId> {
        match self {
            Keeper::Store { id, .. } => Some(*id),
            Keeper::Nothing => None,
        }
    }

    /// Keeps a run.
    pub fn append(&mut self, run: &Run) -> Result<(), StoreError> {
        match self {
            Keeper::Store { store, id } => store.append(*id, run).map(|_| ()),
            Keeper::Nothing => Ok(()),
        }
    }

    /// Keeps the plan, as JSON.
    pub fn set_plan(&mut self, plan: &str) -> Result<(), StoreError> {
        match self {
            Keeper::Store { store, id } => store.set_plan(*id, plan),
            Keeper::Nothing => Ok(()),
        }
    }

    /// Marks the session as finished.
    pub fn finish(&mut self, outcome: &str) -> Result<(), StoreError> {
        match self {
            Keeper::Store { store, id } => store.finish(*id, outcome),
            Keeper::Nothing => Ok(()),
        }
    }
}
