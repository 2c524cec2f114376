//! Work on every run but the reference, on all cores, with a watcher.

use super::error::AlignError;
use crate::{Progress, ProgressWatch, RunEntry, Stage, Stopped, parallel};
use fathom_dtw::Warp;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Memory for all alignments that are made at once; less takes longer, with the same result.
const MEMORY: usize = 1 << 30;
const LEAST_MEMORY: usize = 1 << 26;

/// How long work asks whether it is still wanted.
pub(super) type StillWanted<'w> = &'w (dyn Fn() -> Result<(), Stopped> + Sync);

/// Does `work` for each run but the one at `place`, for which there is `None`; in the order of runs.
///
/// # Errors
/// If the watcher stops it before it begins.
pub(super) fn map<R: Send>(
    runs: &[RunEntry],
    place: usize,
    watch: ProgressWatch<'_>,
    work: impl Fn(usize, &RunEntry, Warp<'_>, StillWanted<'_>) -> Result<R, AlignError> + Sync,
) -> Result<Vec<Result<Option<R>, AlignError>>, Stopped> {
    let of = runs.len().saturating_sub(1);
    let done = AtomicUsize::new(0);
    let tell = |done: usize| watch(Progress { stage: Stage::Aligning, done, of });
    tell(0)?;
    let still_wanted = || tell(done.load(Ordering::Relaxed));
    let watcher = |_| match still_wanted() {
        Ok(()) => ControlFlow::Continue(()),
        Err(Stopped) => ControlFlow::Break(()),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = (MEMORY / threads).max(LEAST_MEMORY);
    Ok(parallel::map(runs.len(), |n| {
        let Some(run) = runs.get(n).filter(|_| n != place) else { return Ok(None) };
        let made = work(n, run, Warp::new().memory(memory).watch(&watcher), &still_wanted)?;
        tell(done.fetch_add(1, Ordering::Relaxed) + 1)?;
        Ok(Some(made))
    }))
}
