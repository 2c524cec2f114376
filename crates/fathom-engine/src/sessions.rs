//! What was measured before: listed, shown, continued.

use crate::measuring::programs::History;
use crate::measuring::session;
use crate::saved_session::SavedSession;
use crate::{Answer, CheckAnswer, Engine, EngineError, check, compare, run};
use fathom_analyze::Report;
use fathom_measure::Keeper;
use fathom_record::ListedSession;
use fathom_request::Request;
use fathom_store::Store;
use std::path::{Path, PathBuf};

/// A report of a session, by what was asked.
#[derive(Debug)]
pub enum SessionReport {
    /// Of runs or a comparison.
    Measured(Box<Report>),
    /// Of a check.
    Checked(Box<CheckAnswer>),
}

/// How a session goes on.
#[derive(Debug, Clone, Copy, Default)]
pub struct ResumeOptions {
    /// Of a check: at most this many executions, those of before included.
    pub max_runs: Option<u64>,
    /// Whether to go on although the program is another one now.
    pub allow_changed_program: bool,
}

impl Engine<'_> {
    /// The sessions that are saved; none if there is no store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn sessions(&mut self) -> Result<Vec<ListedSession>, EngineError> {
        match session::existing(&self.saving.folder, self.watch)? {
            Some(store) => Ok(store.list()?),
            None => Ok(Vec::new()),
        }
    }

    /// A saved session, by its number, its name or "last".
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn session(&mut self, word: &str) -> Result<SavedSession, EngineError> {
        let store = session::required(&self.saving.folder, self.watch)?;
        let id = store.resolve(word)?;
        SavedSession::read(&store, id)
    }

    /// What a session was asked.
    ///
    /// # Errors
    /// It holds no request, and its words ask nothing that this Fathom knows.
    pub fn request_of(&self, saved: &SavedSession) -> Result<Request, EngineError> {
        if let Some(request) = &saved.request {
            return Ok(request.clone());
        }
        let id = saved.id;
        let read = self.read_words.ok_or_else(|| {
            EngineError::usage(format!(
                "session {id} was saved by an older Fathom, without a request"
            ))
        })?;
        read(&saved.words).map_err(|error| {
            EngineError::usage(format!(
                "session {id} was saved by another version of Fathom: {error}"
            ))
        })
    }

    /// The report of a session, from what was measured.
    ///
    /// # Errors
    /// Nothing was measured yet, or what was asked is not known.
    pub fn show(&mut self, saved: &SavedSession) -> Result<Answer<SessionReport>, EngineError> {
        let id = saved.id;
        let nothing = |what: &str| {
            EngineError::usage(format!(
                "session {id} has no finished {what} to show. Continue it with: fathom resume {id}"
            ))
        };
        let command_line = crate::engine::command_line(&saved.words);
        let (mut report, seconds) = match self.request_of(saved)? {
            Request::Run(request) => {
                let report = run::report_of_session(&request, saved)?;
                if report.subjects.is_empty() {
                    return Err(nothing("run"));
                }
                (report, None)
            }
            Request::Compare(request) => compare::report_of_session(self, &request, saved, None)?
                .ok_or_else(|| nothing("block"))?,
            Request::Check(request) => {
                let sessions = self.saving.folder.path()?;
                let answer = check::show(&request, &sessions, saved, command_line, false)?;
                return Ok(Answer::of(SessionReport::Checked(Box::new(answer))));
            }
            other => return Err(holds_nothing(&other, id.0)),
        };
        report.session = Some(id.0);
        report.environment = saved.environment.clone();
        report.command_line = command_line;
        let report = SessionReport::Measured(Box::new(report));
        Ok(Answer { seconds, ..Answer::of(report) })
    }

    /// The answer of a saved check, to be looked at: it also says what the worst executions did over
    /// their time.
    ///
    /// # Errors
    /// The session is no check, or as for [`Engine::show`].
    pub fn look_at_session(&mut self, saved: &SavedSession) -> Result<CheckAnswer, EngineError> {
        let id = saved.id;
        let Request::Check(request) = self.request_of(saved)? else {
            return Err(EngineError::usage(format!("session {id} is not a check")));
        };
        let sessions = self.saving.folder.path()?;
        let command_line = crate::engine::command_line(&saved.words);
        check::show(&request, &sessions, saved, command_line, true)
    }

    /// Goes on with a session where it stopped.
    ///
    /// # Errors
    /// It is finished, its folder is gone, its program changed, or it cannot be opened for writing.
    pub fn resume(
        &mut self,
        saved: SavedSession,
        options: ResumeOptions,
    ) -> Result<Answer<SessionReport>, EngineError> {
        let id = saved.id;
        let mut request = self.request_of(&saved)?;
        let may_go_on = with_more_runs(&mut request, options.max_runs)?;
        if saved.is_finished && !may_go_on {
            return Err(finished(&request, id.0));
        }
        // Opened again, for writing.
        let folder = self.saving.folder.path()?;
        let mut store = Store::open(&folder)?.store;
        store.claim(id)?;
        if !Path::new(&saved.folder).is_dir() {
            return Err(EngineError::usage(format!(
                "the folder of session {id} is missing: {}. Create it again, or start a new session",
                saved.folder
            )));
        }
        self.folder = Some(PathBuf::from(&saved.folder));
        let executions = saved.runs.len();
        History::of(&folder, id.0).go_on(id.0, options.allow_changed_program, executions)?;
        let keeper = Keeper::Store { store: Box::new(store), id };
        // The report says what asked for the session, not that it was resumed.
        self.words = Some(saved.words.clone());
        let measured = |report| SessionReport::Measured(Box::new(report));
        match &request {
            Request::Run(run) => {
                Ok(self.measure_runs(run, &request, Some((keeper, saved)))?.map(measured))
            }
            Request::Compare(compare) => {
                let mut answer = self.resume_compare(compare, keeper, saved)?;
                answer.report.command_line = self.asked_by(&request);
                Ok(answer.map(measured))
            }
            Request::Check(check) => {
                let answer = check::resume(self, check, keeper, &folder, &saved)?;
                Ok(answer.map(|report| SessionReport::Checked(Box::new(report))))
            }
            other => Err(holds_nothing(other, id.0)),
        }
    }
}

/// Why a finished session does not simply go on. Whether it may depends on how it decides.
fn finished(request: &Request, id: i64) -> EngineError {
    let how = match request {
        Request::Check(check) if check.may_go_on() => format!(
            "If it was inconclusive, `fathom resume {id} --max-runs N` allows up to N executions in \
             all: its error rate holds however often you look"
        ),
        _ => "To measure more, start a new session with a larger budget: adding runs after seeing the \
              result would overstate its confidence"
            .to_string(),
    };
    EngineError::usage(format!("session {id} is finished; `fathom show {id}` shows it. {how}"))
}

/// A session of a question that is not measured.
fn holds_nothing(request: &Request, id: i64) -> EngineError {
    let words = request.words();
    let command = words.first().map_or("", String::as_str);
    EngineError::usage(format!("session {id} is of `fathom {command}`, which saves no measurement"))
}

/// Gives a check more executions; whether one that is finished may go on by that.
fn with_more_runs(request: &mut Request, most: Option<u64>) -> Result<bool, EngineError> {
    let Some(most) = most else { return Ok(false) };
    match request {
        Request::Check(check) if check.may_go_on() => {
            **check = check.clone().with_max_runs(most);
            Ok(true)
        }
        Request::Check(_) => Err(EngineError::usage(
            "--max-runs is for checks whose error rate holds at every look. This one uses another \
             method, or a fixed number of executions. Start a new check with a larger number",
        )),
        _ => Err(EngineError::usage("--max-runs is for sessions of `fathom check`")),
    }
}
