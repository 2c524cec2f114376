//! Answers that come line by line, while the work goes on.

use super::aside::aside;
use super::failure::Failure;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use fathom_explain::Stopped;
use futures_core::Stream;
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Lines that wait until the client has taken those before them.
const WAITING: usize = 16;
/// Progress is not told more often.
const PROGRESS_EVERY: Duration = Duration::from_millis(50);

/// Says lines to a client, for as long as it listens.
pub(super) struct Teller {
    lines: mpsc::Sender<Bytes>,
    stopping: Arc<AtomicBool>,
    /// When progress was last told.
    told: Mutex<Option<Instant>>,
}

impl Teller {
    /// Whether the client has hung up, or the server stops.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        match self.lines.is_closed() || self.stopping.load(Ordering::Relaxed) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// Says a line, as soon as those before it are taken.
    pub(super) fn say(&self, value: &impl Serialize) -> Result<(), Stopped> {
        self.check()?;
        let Ok(line) = line(value) else { return Err(Stopped) };
        self.lines.blocking_send(line).map_err(|_| Stopped)
    }

    /// Sends a line although the work was stopped, if the client still listens.
    pub(super) fn say_last(&self, value: &impl Serialize) {
        if let Ok(line) = line(value) {
            let _ = self.lines.try_send(line);
        }
    }

    /// Sends a dispensable line, unless one was sent just now.
    pub(super) fn mention(&self, value: impl FnOnce() -> serde_json::Value) -> Result<(), Stopped> {
        self.check()?;
        let Ok(mut told) = self.told.try_lock() else { return Ok(()) };
        if told.is_some_and(|told| told.elapsed() < PROGRESS_EVERY) {
            return Ok(());
        }
        *told = Some(Instant::now());
        if let Ok(line) = line(&value()) {
            // If lines are waiting, there is enough to read.
            let _ = self.lines.try_send(line);
        }
        Ok(())
    }
}

fn line(value: &impl Serialize) -> Result<Bytes, serde_json::Error> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line.into())
}

/// An answer whose lines are made by `work`, on a thread of its own.
pub(super) fn lines(
    stopping: &Arc<AtomicBool>,
    work: impl FnOnce(&Teller) + Send + 'static,
) -> Response {
    let (sender, receiver) = mpsc::channel(WAITING);
    let teller =
        Teller { lines: sender.clone(), stopping: Arc::clone(stopping), told: Mutex::new(None) };
    let worked = match aside(move || work(&teller)) {
        Ok(worked) => worked,
        Err(failure) => return failure.into_response(),
    };
    tokio::spawn(async move {
        if worked.await.is_err()
            && let Ok(line) = line(&error_line(Failure::broken().message()))
        {
            // A client that disconnected does not need it.
            let _ = sender.send(line).await;
        }
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    (kind, Body::from_stream(Lines { receiver })).into_response()
}

/// What went wrong, as a line.
pub(super) fn error_line(message: &str) -> serde_json::Value {
    json!({ "type": "error", "message": message })
}

/// The lines as they come. When the client disconnects it is dropped, and the sender gets an error.
struct Lines {
    receiver: mpsc::Receiver<Bytes>,
}

impl Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        self.receiver.poll_recv(context).map(|line| line.map(Ok))
    }
}
