//! Executions that an earlier study performed. A study that got another benchmark, configuration, metric
//! or property repeats nothing: an execution is the same one if its command, its program and its seed
//! are.

use super::grid::Grid;
use super::prepared::PreparedCheck;
use super::sampling::Executions;
use super::{saved_executions, systems};
use crate::measuring::programs::{History, Programs};
use crate::measuring::session;
use crate::{Engine, EngineError};
use fathom_measure::Template;
use fathom_measure::experiment::{ExecutionMetric, Journal, Performed, Recipe, System};
use fathom_request::{ExecutionOptions, ExecutionSource, ReadingOptions, Request};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Fathom stops looking for kept executions after this many rounds without one. A study that was killed
/// leaves gaps.
const GAP: u64 = 2048;

/// Where the seeds of a system's executions come from: from the study's seed and the command.
pub(super) fn master_seed(seed: u64, system: &System) -> u64 {
    // FNV-1a.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ seed;
    for word in &system.words {
        for byte in word.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

/// An earlier study with a system of this one.
#[derive(Debug)]
pub(super) struct EarlierStudy {
    id: i64,
    pub(super) seed: u64,
    recipe: Recipe,
    history: History,
}

/// Executions of earlier studies, as executions of this one.
#[derive(Debug, Default)]
pub(super) struct KeptExecutions {
    pub(super) performed: Vec<Performed>,
    /// What could not be kept, and why.
    pub(super) notes: Vec<String>,
}

/// The earlier studies in the same folder that have a system of this one, the newest first.
pub(super) fn earlier(
    engine: &mut Engine<'_>,
    options: &ExecutionOptions,
    reading: &ReadingOptions,
) -> Result<Vec<EarlierStudy>, EngineError> {
    if engine.saving.is_off || options.grid.is_empty() {
        return Ok(Vec::new());
    }
    let here = engine.working_folder()?;
    let sessions = match engine.saving.folder.path() {
        Ok(sessions) => sessions,
        // Nothing is saved where there is no folder.
        Err(_) => return Ok(Vec::new()),
    };
    let recipe = recipe(options, reading, here.clone())?;
    let Some(store) = session::existing(&engine.saving.folder, engine.watch)? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for listed in store.list()?.iter().rev() {
        let session = store.session(listed.id)?;
        if Path::new(&session.folder) != here {
            continue;
        }
        // What another version wrote is not looked into.
        let Some(Ok(Request::Check(request))) = session.request.as_deref().map(Request::read)
        else {
            continue;
        };
        let ExecutionSource::Commands(then) = &request.executions else { continue };
        if then.grid.is_empty() {
            continue;
        }
        let Ok(earlier) = self::recipe(then, &request.reading, here.clone()) else { continue };
        let is_shared = |system: &System| earlier.systems.iter().any(|it| is_same(it, system));
        if recipe.systems.iter().any(is_shared) && are_same_conditions(&recipe, &earlier) {
            let (id, seed) = (listed.id.0, session.seed);
            let history = History::of(&sessions, id);
            found.push(EarlierStudy { id, seed, recipe: earlier, history });
        }
    }
    Ok(found)
}

/// The executions of earlier studies that are executions of this one.
pub(super) fn collect(
    check: &PreparedCheck<'_>,
    executions: &Executions,
    earlier: &[EarlierStudy],
    sessions: &Path,
) -> Result<KeptExecutions, EngineError> {
    let recipe = check.recipe();
    let mut kept = KeptExecutions::default();
    let mut changed: BTreeMap<i64, usize> = BTreeMap::new();
    let mut unread = 0;
    // By system and seed.
    let mut known: BTreeMap<(usize, u32), Performed> = BTreeMap::new();
    for study in earlier {
        // What an earlier one does not have, none of the same name may have either.
        let added = recipe.metrics.iter().filter(|metric| !study.recipe.metrics.contains(metric));
        let added: Vec<String> = added.cloned().collect();
        let added = ExecutionMetric::parse_all(&added)?;
        let mut of_theirs: BTreeMap<usize, usize> = BTreeMap::new();
        for (place, system) in recipe.systems.iter().enumerate() {
            let Some(theirs) = study.recipe.systems.iter().position(|it| is_same(it, system))
            else {
                continue;
            };
            let programs = Programs::of([system.words.as_slice()], &recipe.folder);
            if study.history.ran(&programs) {
                of_theirs.insert(theirs, place);
            } else {
                *changed.entry(study.id).or_default() += 1;
            }
        }
        if of_theirs.is_empty() {
            continue;
        }
        for performed in Journal::read(&saved_executions::folder(sessions, study.id))? {
            let Some(&system) = of_theirs.get(&performed.ticket.system) else { continue };
            if known.contains_key(&(system, performed.ticket.seed)) {
                continue;
            }
            let id = performed.session.unwrap_or(study.id);
            match read_again(performed, &added) {
                Some(performed) => {
                    let performed = Performed { session: Some(id), ..performed };
                    known.insert((system, performed.ticket.seed), performed);
                }
                None => unread += 1,
            }
        }
    }
    let mut misses = 0;
    for number in 0..executions.most() {
        let ticket = executions.ticket(number);
        match known.remove(&(ticket.system, ticket.seed)) {
            Some(performed) => {
                misses = 0;
                kept.performed.push(Performed { ticket, ..performed });
            }
            None => misses += 1,
        }
        if known.is_empty() || misses > GAP * executions.systems.len() as u64 {
            break;
        }
    }
    for (id, count) in changed {
        let systems = if count == 1 { "command" } else { "commands" };
        kept.notes.push(format!(
            "the program of {count} {systems} changed since session {id}, so their executions run again"
        ));
    }
    if unread > 0 {
        let (noun, them) = if unread == 1 { ("execution", "it") } else { ("executions", "them") };
        kept.notes.push(format!(
            "{unread} earlier {noun} cannot be read for a new metric, because the output was not kept or \
             does not have it. Fathom runs {them} again where needed"
        ));
    }
    Ok(kept)
}

fn recipe(
    options: &ExecutionOptions,
    reading: &ReadingOptions,
    folder: PathBuf,
) -> Result<Recipe, EngineError> {
    let grid = Grid::of(&options.grid)?;
    Ok(systems::recipe(options, reading, folder, grid.as_ref(), 0)?.recipe)
}

/// Whether executions of both systems with the same seed are the same.
fn is_same(one: &System, other: &System) -> bool {
    // The number of an execution is another one in a larger grid.
    let has_number = |word: &String| Template::new(word).mentions("run");
    one.words == other.words
        && one.prepare == other.prepare
        && !one.words.iter().chain(&one.prepare).any(has_number)
}

/// Whether executions ran under the same conditions, and the same files were read.
fn are_same_conditions(one: &Recipe, other: &Recipe) -> bool {
    one.timeout == other.timeout
        && one.tolerated == other.tolerated
        && one.files == other.files
        && one.format == other.format
        && one.columns == other.columns
        && one.cpu == other.cpu
        && one.env_offset == other.env_offset
}

/// An execution with the metrics that were not read then. One that failed by itself stays failed; one
/// that printed no number for a metric may have the others.
fn read_again(performed: Performed, added: &[ExecutionMetric]) -> Option<Performed> {
    if added.is_empty() {
        return Some(performed);
    }
    let ended_well = performed.ending.is_some_and(fathom_record::Ending::is_success);
    match performed.outcome {
        Err(_) if !ended_well => Some(performed),
        _ => performed.with_metrics(added),
    }
}
