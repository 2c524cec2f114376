//! Work on a thread of its own.

use super::failure::Failure;
use std::thread;
use tokio::sync::oneshot;

/// Starts work that may take its time. What it gives comes by the receiver, or nothing if it
/// broke. Not the pool of the runtime: where the system has no more threads, that one waits for
/// ever.
pub(super) fn aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, Failure> {
    let (done, result) = oneshot::channel();
    let started = thread::Builder::new().name("fathom-answer".to_string()).spawn(move || {
        // The client may have disconnected.
        let _ = done.send(work());
    });
    started.map(|_| result).map_err(|error| Failure::no_thread(&error))
}
