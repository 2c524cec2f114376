//! A session as a list shows it.

use crate::{Session, SessionId};

/// A session as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedSession {
    /// Its number.
    pub id: SessionId,
    /// What it measures.
    pub session: Session,
    /// How many runs are saved.
    pub runs: u64,
    /// How many were lost to damage, as far as can be known.
    pub lost: u64,
    /// Why it ended; `None` for a session that can be resumed.
    pub finished: Option<String>,
    /// When its last run ended, or it began if there is none, in seconds since 1970.
    pub last_activity: u64,
    /// The process that is measuring it now.
    pub live: Option<u32>,
}
