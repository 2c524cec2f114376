//! Sessions: begun in the store, or not kept.

use super::programs::{History, Programs};
use crate::arguments::{Color, SessionArguments, StoreArguments};
use crate::failure::Failure;
use crate::output;
use fathom_measure::{Keeper, Subject};
use fathom_record::{Environment, Session};
use fathom_store::{Opened, Store, StoreError, check_name, default_folder};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where sessions are kept.
pub(crate) fn folder(arguments: &StoreArguments) -> Result<PathBuf, Failure> {
    match &arguments.session_dir {
        Some(folder) => Ok(folder.clone()),
        None => default_folder(|name| std::env::var_os(name)).map_err(Failure::input),
    }
}

/// Begins a session, unless the user wants none.
pub(crate) fn begin(
    arguments: &SessionArguments,
    subjects: &[Subject],
    seed: u64,
    color: Color,
) -> Result<Keeper, Failure> {
    let names = subjects.iter().map(|subject| subject.name.clone()).collect();
    let commands: Vec<Vec<String>> = subjects.iter().map(|one| one.command.words()).collect();
    begin_named(arguments, names, &commands, seed, color)
}

/// Begins a session about things of these names, unless the user wants none. What `commands`
/// execute is kept with it.
pub(crate) fn begin_named(
    arguments: &SessionArguments,
    subjects: Vec<String>,
    commands: &[Vec<String>],
    seed: u64,
    color: Color,
) -> Result<Keeper, Failure> {
    if let Some(name) = &arguments.save {
        check_name(name).map_err(Failure::input)?;
    }
    if arguments.no_save {
        return Ok(Keeper::Nothing);
    }
    let store = opened(Store::open(&folder(&arguments.folder)?), color)?;
    let session = Session {
        arguments: std::env::args_os()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        request: None,
        folder: std::env::current_dir()
            .map(|folder| folder.display().to_string())
            .unwrap_or_default(),
        name: arguments.save.clone(),
        started: now(),
        seed,
        environment: Environment::of_this_build(),
        subjects,
    };
    let keeper = Keeper::begin(store, &session).map_err(Failure::input)?;
    if let Some(id) = keeper.id() {
        let programs = Programs::of(commands.iter().map(Vec::as_slice), Path::new(&session.folder));
        History::begin(&folder(&arguments.folder)?, id.0, &programs)?;
    }
    Ok(keeper)
}

/// Opens the store for reading; an error if there is none.
pub(crate) fn existing(arguments: &StoreArguments, color: Color) -> Result<Option<Store>, Failure> {
    let folder = folder(arguments)?;
    match Store::open_existing(&folder).map_err(Failure::input)? {
        Some(found) => opened(Ok(found), color).map(Some),
        None => Ok(None),
    }
}

/// Opens the store for reading; an error that says so if there is none.
pub(crate) fn required(arguments: &StoreArguments, color: Color) -> Result<Store, Failure> {
    existing(arguments, color)?.ok_or_else(|| {
        Failure::input(format!(
            "there are no saved sessions in {}; `fathom run` and `fathom compare` save theirs, and \
             --session-dir says where",
            folder(arguments).map(|folder| folder.display().to_string()).unwrap_or_default()
        ))
    })
}

/// Says what was salvaged, if anything had to be.
fn opened(result: Result<Opened, StoreError>, color: Color) -> Result<Store, Failure> {
    let Opened { store, salvage } = result.map_err(Failure::input)?;
    if let Some(salvage) = salvage {
        output::print_warning(&format!("warning: {salvage}"), color);
    }
    Ok(store)
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
