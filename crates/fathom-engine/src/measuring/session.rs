//! Sessions: begun in the store, or not kept.

use super::programs::{History, Programs};
use crate::saved_session::SavedSession;
use crate::{EngineError, Saving, SessionFolder, Watch, provenance};
use fathom_measure::Keeper;
use fathom_record::{Environment, Session};
use fathom_request::Request;
use fathom_store::{OpenedStore, Store, StoreError, check_name};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a session is about.
pub(crate) struct About<'a> {
    pub(crate) request: Request,
    /// The words that were typed, or the request's own.
    pub(crate) words: Vec<String>,
    pub(crate) subjects: Vec<String>,
    /// What they execute.
    pub(crate) commands: &'a [Vec<String>],
    pub(crate) seed: u64,
    /// Where they execute it.
    pub(crate) folder: PathBuf,
}

/// A session that begins, and what to tell about it.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) keeper: Keeper,
    /// With what it is measured.
    pub(crate) environment: Environment,
    /// That nothing is saved, and why, if that was not asked for.
    pub(crate) warning: Option<String>,
}

/// Where random choices start: where those of a session that goes on did, or as asked, or anew.
pub(crate) fn seed(asked: Option<u64>, from: Option<&(Keeper, SavedSession)>) -> u64 {
    match from {
        Some((_, saved)) => saved.seed,
        None => asked.unwrap_or_else(fathom_sys::seed::fresh),
    }
}

/// Begins a session, unless the user wants none. Where the user's data folder is missing or
/// read-only, what is measured is not kept: that is better than not measuring at all, unless the
/// user asked to save it.
pub(crate) fn begin(
    saving: &Saving,
    about: About<'_>,
    watch: &mut dyn Watch,
) -> Result<Begun, EngineError> {
    if let Some(name) = &saving.name {
        check_name(name)?;
    }
    let programs = Programs::of(about.commands.iter().map(Vec::as_slice), &about.folder);
    let measured = provenance::of_measurement(&programs, &about.folder);
    let environment = Environment::of_measurement(measured);
    if saving.is_off {
        return Ok(Begun { keeper: Keeper::Nothing, environment, warning: None });
    }
    match try_begin(saving, about, &environment, &programs, watch) {
        Ok(keeper) => Ok(Begun { keeper, environment, warning: None }),
        Err(error) if !saving.is_demanded() && is_of_the_place(&error) => Ok(Begun {
            keeper: Keeper::Nothing,
            environment,
            warning: Some(format!("nothing is saved: {error}")),
        }),
        Err(error) => Err(error),
    }
}

/// Whether there is no place that could be written to, and never was during this session.
fn is_of_the_place(error: &EngineError) -> bool {
    match error.downcast_ref::<StoreError>() {
        Some(StoreError::NoFolder | StoreError::ReadOnly { .. }) => true,
        // A home that is missing, or that another user owns.
        Some(StoreError::Folder { source, .. }) => matches!(
            source.kind(),
            std::io::ErrorKind::PermissionDenied
                | std::io::ErrorKind::ReadOnlyFilesystem
                | std::io::ErrorKind::NotFound
                | std::io::ErrorKind::NotADirectory
        ),
        _ => false,
    }
}

fn try_begin(
    saving: &Saving,
    about: About<'_>,
    environment: &Environment,
    programs: &Programs,
    watch: &mut dyn Watch,
) -> Result<Keeper, EngineError> {
    let folder = saving.folder.path()?;
    let store = opened(Store::open(&folder), watch)?;
    let session = Session {
        arguments: about.words,
        request: Some(about.request.to_json()),
        folder: about.folder.display().to_string(),
        name: saving.name.clone(),
        started: now(),
        seed: about.seed,
        environment: environment.clone(),
        subjects: about.subjects,
    };
    let keeper = Keeper::begin(store, &session, saving.takes_name)?;
    if let Some(id) = keeper.id() {
        History::begin(&folder, id.0, programs)?;
    }
    Ok(keeper)
}

/// Opens the store for reading, if there is one.
pub(crate) fn existing(
    folder: &SessionFolder,
    watch: &mut dyn Watch,
) -> Result<Option<Store>, EngineError> {
    match Store::open_existing(&folder.path()?)? {
        Some(found) => opened(Ok(found), watch).map(Some),
        None => Ok(None),
    }
}

/// Opens the store for reading; an error that says so if there is none.
pub(crate) fn required(
    folder: &SessionFolder,
    watch: &mut dyn Watch,
) -> Result<Store, EngineError> {
    existing(folder, watch)?.ok_or_else(|| {
        let path = folder.path().map(|folder| folder.display().to_string()).unwrap_or_default();
        EngineError::usage(format!(
            "there are no saved sessions in {path}. `fathom run`, `compare` and `check` save theirs; \
             --session-dir DIR names another folder"
        ))
    })
}

/// Tells what was salvaged, if anything had to be.
pub(crate) fn opened(
    result: Result<OpenedStore, StoreError>,
    watch: &mut dyn Watch,
) -> Result<Store, EngineError> {
    let OpenedStore { store, salvage } = result?;
    if let Some(salvage) = salvage {
        watch.note(&format!("warning: {salvage}"));
    }
    Ok(store)
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
