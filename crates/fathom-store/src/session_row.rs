//! A session as a row of the table `sessions`.

use crate::StoreError;
use crate::fields::{Fields, Flaw, count, sealed};
use fathom_record::{Environment, Session};
use rusqlite::types::{Value, ValueRef};

pub(crate) const TABLE: &str = "sessions";
/// How many columns the table has.
pub(crate) const COLUMNS: usize = 14;

/// A session and what changes while it is measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SessionRow {
    pub(crate) id: i64,
    /// Grows with every change, so that salvaging can tell the newest of several copies.
    pub(crate) revision: i64,
    /// A removed session leaves its empty row behind: its id is not given again, and salvaging
    /// does not bring it back from an old copy of a page.
    pub(crate) removed: bool,
    pub(crate) session: Session,
    pub(crate) plan: Option<String>,
    pub(crate) outcome: Option<String>,
    /// How many of its runs were lost to damage.
    pub(crate) lost: u64,
}

impl SessionRow {
    pub(crate) fn new(id: i64, session: &Session) -> SessionRow {
        SessionRow {
            id,
            revision: 0,
            removed: false,
            session: session.clone(),
            plan: None,
            outcome: None,
            lost: 0,
        }
    }

    /// What stays of a removed session.
    pub(crate) fn remains(self) -> SessionRow {
        let revision = self.revision;
        let nothing = Session {
            arguments: Vec::new(),
            request: None,
            folder: String::new(),
            name: None,
            started: 0,
            seed: 0,
            environment: unknown_environment(),
            subjects: Vec::new(),
        };
        SessionRow { revision, removed: true, ..SessionRow::new(self.id, &nothing) }
    }

    /// A session with only its runs left; they name subjects up to `last_subject`.
    pub(crate) fn unknown(id: i64, last_subject: u64) -> SessionRow {
        // The number comes from a row: a list of any length must not fill the memory.
        const MOST: u64 = 1000;
        let subjects = (0..=last_subject.min(MOST)).map(|n| format!("unknown command {}", n + 1));
        let session = Session {
            arguments: Vec::new(),
            request: None,
            folder: String::new(),
            name: None,
            started: 0,
            seed: 0,
            environment: unknown_environment(),
            subjects: subjects.collect(),
        };
        SessionRow::new(id, &session)
    }

    /// The columns in the order of the table.
    pub(crate) fn encode(&self) -> Result<Vec<Value>, StoreError> {
        let text = |text: &Option<String>| text.clone().map_or(Value::Null, Value::Text);
        let session = &self.session;
        let asked = RequestColumn::write(session).map_err(StoreError::json)?;
        let environment = serde_json::to_string(&session.environment).map_err(StoreError::json)?;
        let subjects = serde_json::to_string(&session.subjects).map_err(StoreError::json)?;
        Ok(sealed(
            TABLE,
            vec![
                Value::Integer(self.id),
                Value::Integer(self.revision),
                Value::Integer(self.removed.into()),
                text(&session.name),
                count(session.started),
                Value::Text(session.folder.clone()),
                count(session.seed),
                Value::Text(asked),
                Value::Text(environment),
                Value::Text(subjects),
                text(&self.plan),
                text(&self.outcome),
                count(self.lost),
            ],
        ))
    }

    /// Reads what [`SessionRow::encode`] wrote.
    pub(crate) fn decode(values: &[ValueRef<'_>]) -> Result<SessionRow, Flaw> {
        let mut fields = Fields::checked(TABLE, values)?;
        let id = fields.integer("id")?;
        let revision = fields.integer("revision")?;
        let removed = fields.integer("removed")? != 0;
        let name = fields.maybe_text("name")?.map(str::to_string);
        let started = fields.count("started")?;
        let folder = fields.text("folder")?.to_string();
        let seed = fields.count("seed")?;
        let asked = fields.text("asked")?;
        let RequestColumn { words: arguments, request } =
            RequestColumn::read(asked).ok_or_else(|| fields.flaw("asked"))?;
        let environment = fields.text("environment")?;
        let environment =
            serde_json::from_str(environment).map_err(|_| fields.flaw("environment"))?;
        let subjects = list(&mut fields, "subjects")?;
        let plan = fields.maybe_text("plan")?.map(str::to_string);
        let outcome = fields.maybe_text("outcome")?.map(str::to_string);
        let lost = fields.count("lost")?;
        let session =
            Session { arguments, request, folder, name, started, seed, environment, subjects };
        Ok(SessionRow { id, revision, removed, session, plan, outcome, lost })
    }
}

/// What was asked, as its column holds it: the words that were typed, and the request. Rows of version 1
/// hold the words alone, as a list; such a row stays as it is until it changes.
struct RequestColumn {
    words: Vec<String>,
    /// As its text: the store does not know what requests mean.
    request: Option<String>,
}

impl RequestColumn {
    fn write(session: &Session) -> Result<String, serde_json::Error> {
        let words = serde_json::to_string(&session.arguments)?;
        Ok(match &session.request {
            None => words,
            Some(request) => {
                // Checked here, so that a row can be read back whatever the caller passes.
                let request: serde_json::Value = serde_json::from_str(request)?;
                format!("{{\"words\":{words},\"request\":{request}}}")
            }
        })
    }

    fn read(text: &str) -> Option<RequestColumn> {
        let mut value: serde_json::Value = serde_json::from_str(text).ok()?;
        if value.is_array() {
            return Some(RequestColumn {
                words: serde_json::from_value(value).ok()?,
                request: None,
            });
        }
        let request = value.get_mut("request")?.take().to_string();
        let words = serde_json::from_value(value.get_mut("words")?.take()).ok()?;
        Some(RequestColumn { words, request: Some(request) })
    }
}

fn list(fields: &mut Fields<'_>, column: &'static str) -> Result<Vec<String>, Flaw> {
    let text = fields.text(column)?;
    serde_json::from_str(text).map_err(|_| fields.flaw(column))
}

fn unknown_environment() -> Environment {
    let unknown = || "unknown".to_string();
    Environment {
        fathom: unknown(),
        os: unknown(),
        arch: unknown(),
        ..Environment::of_this_build()
    }
}
