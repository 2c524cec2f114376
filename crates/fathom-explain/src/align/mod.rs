//! Which stretch of another run is the one that was selected.
//!
//! The common metric of each run is warped onto the reference's, and the path tells which moments
//! belong together. See `docs/methods/alignment.md`.

mod aligned;
mod common_metric;
mod error;
mod follow;
mod on_edges;
mod phrase;
mod quality;
mod readable;
mod reference;
mod rows;
#[cfg(test)]
mod tests;
mod time_map;
mod track;
mod uncertainty;
mod warnings;
mod warped;
mod windows;

pub use aligned::{Aligned, AlignedRun};
pub use error::{AlignError, Asked};
pub use quality::{Fit, Quality};
pub use readable::read;

use crate::{Progress, Selection, Stage, TraceSource, Watch, parallel};
use fathom_dtw::Warp;
use follow::{Followed, Task, check_track};
use phrase::{about, quoted};
use reference::Reference;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use track::Track;

/// How to align.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AlignOptions {
    /// The metric to align by; absent: the one that was recorded for it, or the target, or the first
    /// that all runs have.
    pub common: Option<String>,
    /// Whether each run's values are brought to mean 0 and standard deviation 1 first, for runs that
    /// did the same at other levels.
    pub normalise: bool,
    /// What each step costs by which only one of two runs advances: in the common metric's unit, or
    /// in standard deviations if normalised. 0 is as in the paper; more keeps runs together.
    pub penalty: f64,
}

/// Memory for all alignments that are made at once; less takes longer, with the same result.
const MEMORY: usize = 1 << 30;
const LEAST_MEMORY: usize = 1 << 26;

/// Carries a selection into every run.
///
/// # Errors
/// If something is missing or cannot be used: see [`AlignError`]; and if `watch` asks to stop.
pub fn align(
    source: &dyn TraceSource,
    selection: &Selection,
    options: &AlignOptions,
    watch: Watch<'_>,
) -> Result<Aligned, AlignError> {
    if !options.penalty.is_finite() || options.penalty < 0.0 {
        return Err(AlignError::Penalty { penalty: options.penalty });
    }
    let runs = source.runs();
    let place = reference::find(runs, selection)?;
    let Some(first) = runs.get(place) else { return Err(AlignError::NoRuns) };
    let wanted = options.common.as_deref();
    let common = common_metric::choose(source, first, &selection.target, wanted)?;
    let beside = common.as_deref().or(wanted).or(source.common());
    let reference = Reference::new(source, first, selection, beside)?;
    let mut notes = reference.rows.notes.clone();
    notes.extend(reference.chosen.notes.iter().cloned());
    let Some(common) = common else {
        let aligned = reference.aligned(&first.id, selection, Vec::new());
        return Ok(Aligned { reference: place, common: None, runs: vec![aligned], notes });
    };

    let track = Track::new(&rows::own_rows(source, first, &common, None)?);
    check_track(&track, &common, &first.id)?;
    let task =
        Task { source, selection, options, reference: &reference, common: &common, track: &track };
    let of = runs.len() - 1;
    let done = AtomicUsize::new(0);
    let tell = |done: usize| watch(Progress { stage: Stage::Aligning, done, of });
    tell(0)?;
    let watcher = |_| match tell(done.load(Ordering::Relaxed)) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = (MEMORY / threads).max(LEAST_MEMORY);
    let followed = parallel::map(runs.len(), |n| -> Result<Option<Followed>, AlignError> {
        let Some(run) = runs.get(n).filter(|_| n != place) else { return Ok(None) };
        let followed = task.follow(run, Warp::new().memory(memory).watch(&watcher))?;
        tell(done.fetch_add(1, Ordering::Relaxed) + 1)?;
        Ok(Some(followed))
    });

    let mut aligned = Vec::with_capacity(runs.len());
    let (mut averaged, mut longest) = (None, track.len());
    for followed in followed {
        match followed? {
            Some(followed) => {
                longest = longest.max(followed.samples);
                averaged = averaged.max(followed.averaged);
                aligned.push(followed.run);
            }
            None => {
                let windows: Vec<(i64, i64)> = reference.spans();
                let warnings = warnings::of_reference(&track, &windows, &common);
                aligned.push(reference.aligned(&first.id, selection, warnings));
            }
        }
    }
    if let Some(length) = averaged {
        #[allow(clippy::cast_precision_loss, reason = "lengths of time are far below 2^53 ns")]
        let length = about(length as f64);
        notes.push(format!(
            "{} has up to {longest} samples in a run: for the alignment they were averaged over \
             {length}, which is how fine it is",
            quoted(&common)
        ));
    }
    Ok(Aligned { reference: place, common: Some(common), runs: aligned, notes })
}
