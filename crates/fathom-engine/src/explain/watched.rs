//! The engine's watch, for work on several threads.

use crate::{EngineError, Watch};
use fathom_explain::{Progress, Stage, Stopped};
use fathom_sys::signals::Interrupt;
use std::sync::Mutex;

/// Tells how far it is, until the user interrupts it. It may be called from any thread; a thread that
/// finds another one telling does not wait.
///
/// # Errors
/// Signals cannot be handled here.
pub fn watched(
    watch: &mut dyn Watch,
) -> Result<impl Fn(Progress) -> Result<(), Stopped> + Sync + '_, EngineError> {
    let interrupt = Interrupt::install()
        .map_err(|error| EngineError::file(format!("signals cannot be handled: {error}"), error))?;
    let watch = Mutex::new(watch);
    Ok(move |now: Progress| {
        if interrupt.requested() {
            return Err(Stopped);
        }
        if let Ok(mut watch) = watch.try_lock() {
            watch.progress(&|| {
                let what = match now.stage {
                    Stage::Aligning => "aligning runs",
                    Stage::Scoring => "scoring metrics",
                };
                format!("{what}: {} of {}", now.done, now.of)
            });
        }
        Ok(())
    })
}
