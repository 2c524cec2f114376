//! A session as it lies in the store.

use crate::EngineError;
use crate::measuring::programs::History;
use fathom_record::{Environment, Provenance, Run, Session, utc};
use fathom_request::Request;
use fathom_store::{SessionId, Store};

/// A session taken out of the store: what was asked, and what was measured.
#[derive(Debug, Clone)]
pub struct SavedSession {
    /// Its number.
    pub id: SessionId,
    /// What was asked; `None` for sessions of before November 2026.
    pub(crate) request: Option<Request>,
    /// The words that were typed after `fathom`.
    pub words: Vec<String>,
    /// The folder in which it was begun.
    pub(crate) folder: String,
    /// Where its random choices start.
    pub(crate) seed: u64,
    /// With what it was measured.
    pub(crate) environment: Environment,
    /// What it is about.
    pub(crate) subjects: Vec<String>,
    /// All runs, in their order.
    pub(crate) runs: Vec<Run>,
    /// What was decided while it was measured, as JSON.
    pub(crate) plan: Option<String>,
    /// Whether it is finished.
    pub(crate) is_finished: bool,
}

impl SavedSession {
    pub(crate) fn read(store: &Store, id: SessionId) -> Result<SavedSession, EngineError> {
        let session = store.session(id)?;
        let listed = store.listed(id)?;
        let environment = environment(store, id, &session);
        let request = session.request.as_deref().map(Request::read).transpose()?;
        Ok(SavedSession {
            id,
            request,
            words: session.arguments,
            folder: session.folder,
            seed: session.seed,
            environment,
            subjects: session.subjects,
            runs: store.runs(id)?,
            plan: with_lost_runs(store.plan(id)?, listed.lost),
            is_finished: listed.finished.is_some(),
        })
    }
}

/// With what a session was measured, as a document of this build says it. Sessions of older versions know
/// neither the machine nor its kernel.
fn environment(store: &Store, id: SessionId, session: &Session) -> Environment {
    let measured = session.environment.measured.clone().map(|measured| *measured);
    let measured = measured.unwrap_or_else(|| Provenance {
        at: utc(session.started),
        host: None,
        kernel: None,
        folder: session.folder.clone(),
        fathom: session.environment.fathom.clone(),
        programs: store
            .path()
            .parent()
            .and_then(|folder| History::of(folder, id.0).first())
            .map_or_else(Vec::new, |programs| programs.files()),
    });
    Environment::of_measurement(measured)
}

/// The plan of a session, which warns of runs that a damaged store lost.
fn with_lost_runs(plan: Option<String>, lost: u64) -> Option<String> {
    if lost == 0 {
        return plan;
    }
    let mut fields: serde_json::Value = serde_json::from_str(plan.as_deref()?).ok()?;
    let were = if lost == 1 { "run was" } else { "runs were" };
    let warning = format!("{lost} {were} lost with a damaged store. The answer uses the others");
    let machine = &mut fields[fathom_measure::MACHINE];
    match machine["warnings"].as_array_mut() {
        Some(warnings) => warnings.insert(0, warning.into()),
        None => machine["warnings"] = serde_json::json!([warning]),
    }
    Some(fields.to_string())
}
