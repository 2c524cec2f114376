//! Keeps runs while they come in: in the store, or only in memory.

use fathom_record::{Run, Session};
use fathom_store::{SessionId, Store, StoreError};
use serde_json::{Map, Value};

/// The field of a session's plan that holds what is known of the machine.
pub const MACHINE: &str = "machine";

/// The fields of a plan; none if there is no plan.
fn fields(plan: Option<&str>) -> Map<String, Value> {
    match plan.and_then(|text| serde_json::from_str(text).ok()) {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

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
    /// Begins a session in a store. If another session has its name, that one loses it, where
    /// `takes_name` is set; else this is an error.
    pub fn begin(
        mut store: Store,
        session: &Session,
        takes_name: bool,
    ) -> Result<Keeper, StoreError> {
        let id = match takes_name {
            true => store.begin_taking_name(session)?,
            false => store.begin_with_new_name(session)?,
        };
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

    /// The plan that was kept last.
    #[must_use]
    pub fn plan(&self) -> Option<String> {
        match self {
            Keeper::Store { store, id } => store.plan(*id).ok().flatten(),
            Keeper::Nothing => None,
        }
    }

    /// Keeps the plan, as JSON. What [`Keeper::set_machine`] kept stays.
    pub fn set_plan(&mut self, plan: &str) -> Result<(), StoreError> {
        let machine = fields(self.plan().as_deref()).remove(MACHINE);
        match self {
            Keeper::Store { store, id } => match machine {
                None => store.set_plan(*id, plan),
                Some(machine) => {
                    let mut plan = fields(Some(plan));
                    plan.insert(MACHINE.to_string(), machine);
                    store.set_plan(*id, &Value::Object(plan).to_string())
                }
            },
            Keeper::Nothing => Ok(()),
        }
    }

    /// Keeps what is known about the machine next to the plan, so that showing the session can
    /// report it too.
    pub fn set_machine(&mut self, machine: Value) -> Result<(), StoreError> {
        let mut plan = fields(self.plan().as_deref());
        plan.insert(MACHINE.to_string(), machine);
        match self {
            Keeper::Store { store, id } => store.set_plan(*id, &Value::Object(plan).to_string()),
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
