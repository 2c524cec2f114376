//! Beginning a session, or taking up one that another process began.

use super::{SlurmFleet, Standing, Task, broken, unusable};
use crate::experiment::{FleetError, Recipe};
use crate::slurm::job_details::largest_array;
use crate::slurm::ledger::Ledger;
use crate::slurm::options::SlurmOptions;
use crate::slurm::pace::Pace;
use crate::slurm::session_folder::{SessionFolder, Work};
use crate::slurm::tool::{RunningTool, ToolError};
use fathom_sys::file_lock;
use fathom_sys::signals::Interrupt;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

impl SlurmFleet {
    /// Prepares a new session in a folder that all nodes see. `program` is Fathom's own, which
    /// nodes execute under the same path. The folders of executions stay in `kept`, if given.
    ///
    /// # Errors
    /// Slurm is not here or does not answer, the folder cannot be used, or it has a session.
    pub fn new(
        recipe: &Recipe,
        folder: &Path,
        options: SlurmOptions,
        program: &Path,
        kept: Option<&Path>,
        pace: Pace,
    ) -> Result<SlurmFleet, FleetError> {
        let folder = session_folder(folder)?;
        let lock = lock(&folder)?;
        if read_ledger(&folder)?.is_some() {
            let text = format!("{} already contains a session. Resume it.", folder.top().display());
            return Err(broken(text));
        }
        // sbatch is the best-known tool of Slurm, so its absence is reported.
        RunningTool::begin("sbatch", ["--version"]).map_err(|error| broken(error.to_string()))?;
        let largest = largest_array(&mut || {}).map_err(|error| match error {
            ToolError::Refused { .. } => broken(format!("Slurm does not answer: {error}")),
            error => broken(error.to_string()),
        })?;
        let work = Work { recipe: recipe.clone(), kept: absolute(kept)? };
        folder.write_work(&work).map_err(|error| unusable(&folder, &error))?;
        let ledger = Ledger::new(format!("fathom-{:08x}-", session_number()), largest);
        ledger.write(&folder).map_err(|error| unusable(&folder, &error))?;
        SlurmFleet::with(folder, options, program, pace, ledger, lock)
    }

    /// Takes up a session: what still runs is watched, what ended meanwhile is handed out, what
    /// was lost is tried again. `done` are the executions whose results the caller has. A folder
    /// without a session gets a new one.
    ///
    /// # Errors
    /// The folder cannot be used, another process uses it, or its recipe is another one.
    pub fn resume(
        recipe: &Recipe,
        folder: &Path,
        options: SlurmOptions,
        program: &Path,
        kept: Option<&Path>,
        pace: Pace,
        done: &BTreeSet<u64>,
    ) -> Result<SlurmFleet, FleetError> {
        let own = session_folder(folder)?;
        let Some(ledger) = read_ledger(&own)? else {
            return SlurmFleet::new(recipe, folder, options, program, kept, pace);
        };
        let lock = lock(&own)?;
        let work = own.read_work().map_err(|error| unusable(&own, &error))?;
        if work != (Work { recipe: recipe.clone(), kept: absolute(kept)? }) {
            let text = format!("{} contains a session of other commands", own.top().display());
            return Err(broken(text));
        }
        let mut fleet = SlurmFleet::with(own, options, program, pace, ledger, lock)?;
        fleet.handed = done.clone();
        fleet.has_seen_result = !done.is_empty();
        fleet.take_up()?;
        Ok(fleet)
    }

    fn with(
        folder: SessionFolder,
        options: SlurmOptions,
        program: &Path,
        pace: Pace,
        ledger: Ledger,
        lock: Option<File>,
    ) -> Result<SlurmFleet, FleetError> {
        let interrupt = Interrupt::install()
            .map_err(|error| broken(format!("cannot install signal handlers: {error}")))?;
        let program = std::path::absolute(program)
            .map_err(|error| broken(format!("cannot find {}: {error}", program.display())))?;
        let now = Instant::now();
        Ok(SlurmFleet {
            folder,
            options,
            program,
            pace,
            ledger,
            interrupt,
            _lock: lock,
            tasks: BTreeMap::new(),
            handed: BTreeSet::new(),
            ready: VecDeque::new(),
            losses: Vec::new(),
            unsure: BTreeSet::new(),
            unsure_since: None,
            query: None,
            next_query: now,
            query_interval: pace.queue_first,
            next_look: now,
            next_judgement: now,
            last_answer: None,
            away: None,
            trouble: None,
            has_seen_result: false,
        })
    }

    /// Finds what the ledger has under way.
    fn take_up(&mut self) -> Result<(), FleetError> {
        let mut attempts: BTreeMap<u64, u32> = BTreeMap::new();
        for batch in self.ledger.batches.iter().filter(|batch| !batch.is_cancelled) {
            let number = batch.number;
            let tickets =
                self.folder.tickets(number).map_err(|error| unusable(&self.folder, &error))?;
            for (index, ticket) in tickets.into_iter().enumerate() {
                let attempt = attempts.entry(ticket.number).or_default();
                *attempt += 1;
                if self.handed.contains(&ticket.number) {
                    continue;
                }
                let standing = Standing::default();
                let task = Task { ticket, batch: number, index, attempt: *attempt, standing };
                self.tasks.insert(ticket.number, task);
            }
            if batch.job.is_none() {
                self.unsure.insert(number);
                self.unsure_since = Some(Instant::now());
            }
        }
        Ok(())
    }
}

fn session_folder(folder: &Path) -> Result<SessionFolder, FleetError> {
    let cannot =
        |error: std::io::Error| broken(format!("cannot use {}: {error}", folder.display()));
    let top = std::path::absolute(folder).map_err(cannot)?;
    if top.to_str().is_none_or(|path| path.contains(['\\', '\n'])) {
        return Err(broken(format!(
            "cannot use {}: sbatch does not accept that path. Choose a UTF-8 path without \
             backslashes and line breaks.",
            folder.display()
        )));
    }
    let folder = SessionFolder::new(top);
    folder.create().map_err(cannot)?;
    Ok(folder)
}

fn absolute(path: Option<&Path>) -> Result<Option<PathBuf>, FleetError> {
    path.map(std::path::absolute)
        .transpose()
        .map_err(|error| broken(format!("cannot find the folder for kept files: {error}")))
}

fn read_ledger(folder: &SessionFolder) -> Result<Option<Ledger>, FleetError> {
    Ledger::read(folder)
        .map_err(|error| broken(format!("cannot read {}: {error}", folder.ledger().display())))
}

/// Two processes in one folder would submit everything twice.
fn lock(folder: &SessionFolder) -> Result<Option<File>, FleetError> {
    let file = File::create(folder.lock()).map_err(|error| unusable(folder, &error))?;
    match file_lock::try_lock(&file) {
        Ok(true) => Ok(Some(file)),
        Ok(false) => Err(broken(format!(
            "another Fathom process uses {}. Wait for it, or stop it.",
            folder.top().display()
        ))),
        // Not every file system has locks.
        Err(_) => Ok(None),
    }
}

/// Tells the jobs of one session from those of another; nothing else follows from it.
fn session_number() -> u32 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    (hasher.finish() >> 32) as u32
}
