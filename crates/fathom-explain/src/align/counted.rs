//! Which rows count in the run of the selection.

use super::AlignOptions;
use super::error::AlignError;
use super::pair::{KnownTracks, Pairing};
use super::phrase::quoted;
use super::reader::Reader;
use crate::{Mask, Progress, ProgressWatch, RunEntry, Stage, Stopped};
use fathom_dtw::Warp;
use std::ops::ControlFlow;

/// What does not count: as the run's own metrics say, or else carried over from the first run whose
/// metrics say it, with a note of that.
pub(super) fn mask_of(
    reader: Reader<'_>,
    run: &RunEntry,
    common: Option<&str>,
    options: &AlignOptions,
    watch: ProgressWatch<'_>,
) -> Result<(Mask, Option<String>), AlignError> {
    if let Some(own) = reader.source.mask(&run.id) {
        return Ok((own, None));
    }
    let runs = reader.source.runs().iter();
    let other = runs.filter_map(|other| Some((other, reader.source.mask(&other.id)?))).next();
    let (Some((other, mask)), Some(common)) = (other, common) else {
        return Err(AlignError::NoMask { run: run.id.clone() });
    };
    let tracks = KnownTracks::new();
    let pairing = Pairing { reader, options, tracks: &tracks };
    let still_wanted =
        || -> Result<(), Stopped> { watch(Progress { stage: Stage::Aligning, done: 0, of: 1 }) };
    let watcher = |_| match still_wanted() {
        Ok(()) => ControlFlow::Continue(()),
        Err(Stopped) => ControlFlow::Break(()),
    };
    let pair = pairing.pair((run, other), common, Warp::new().watch(&watcher), still_wanted)?;
    let note = format!(
        "{} lacks a metric of --while; which of its rows count is carried over from {}",
        quoted(&run.id),
        quoted(&other.id)
    );
    let warped = &pair.warped;
    Ok((mask.carried(warped.y.span(), |time| warped.map.here(time)), Some(note)))
}
