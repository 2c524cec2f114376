//! Answers that say what is wrong.

use crate::traces::Trouble;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::io;

/// What is wrong, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    status: StatusCode,
    message: String,
    /// Before the guard has let a request in, errors are plain text: the client is not the page.
    is_plain: bool,
}

impl Failure {
    fn plain(status: StatusCode, message: &str) -> Failure {
        Failure { status, message: message.to_string(), is_plain: true }
    }

    pub(super) fn forbidden(message: &str) -> Failure {
        Failure::plain(StatusCode::FORBIDDEN, message)
    }

    pub(super) fn nothing_here() -> Failure {
        Failure::plain(StatusCode::NOT_FOUND, "Page not found.")
    }

    /// An address that looks right and is not.
    pub(super) fn other_start() -> Failure {
        Failure::plain(
            StatusCode::NOT_FOUND,
            "Page not found. This may be an address from an earlier start of fathom ui. Open the address \
             it printed this time; append the part after # from this address to see the same view.",
        )
    }

    pub(super) fn method() -> Failure {
        Failure::plain(StatusCode::METHOD_NOT_ALLOWED, "This method is not allowed here.")
    }

    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Failure {
        Failure { status, message: message.into(), is_plain: false }
    }

    /// The sentence.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// The system has no thread to work on.
    pub(super) fn no_thread(error: &io::Error) -> Failure {
        Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!(
                "cannot start a thread ({error}); close other programs, or raise the limits on \
                 processes and memory (ulimit -u, ulimit -v), then try again"
            ),
        )
    }

    /// The program broke.
    pub(super) fn broken() -> Failure {
        Failure::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Fathom could not answer because of a bug; its output in the terminal says where",
        )
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        let status = match trouble {
            Trouble::Asked(_) => StatusCode::BAD_REQUEST,
            Trouble::Unknown(_) => StatusCode::NOT_FOUND,
            Trouble::Failed(_) | Trouble::Stopped => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Failure::new(status, trouble.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if self.is_plain {
            return (self.status, self.message + "\n").into_response();
        }
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (self.status, kind, json!({ "message": self.message }).to_string()).into_response()
    }
}
