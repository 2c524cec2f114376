//! Which stretch of another run is the one that was selected.
//!
//! The common metric of each run is warped onto the reference's, and the path tells which moments
//! belong together. See `docs/methods/alignment.md`.

mod aligned;
mod by_hand;
mod common_metric;
mod counted;
mod error;
mod follow;
mod moments;
mod on_edges;
mod others;
mod pair;
mod phrase;
mod plan;
mod quality;
mod readable;
mod reader;
mod reference;
mod ribbon;
mod route;
mod rows;
#[cfg(test)]
mod tests;
mod time_map;
mod track;
mod uncertainty;
mod warnings;
mod warped;
mod windows;

pub use aligned::{Aligned, AlignedRun, AlignmentLink};
pub use error::{AlignError, RequestedRange};
pub(crate) use moments::{CarriedMoments, carry};
pub use moments::{RunClock, clocks};
pub(crate) use on_edges::on_edges;
pub(crate) use pair::{Pair, PairKey};
pub use quality::{Fit, Quality};
pub use readable::read;
pub(crate) use reader::Reader;
pub use reader::read_with;
pub use ribbon::{Ribbon, RibbonKnot};
pub(crate) use rows::{OwnRows, RowsKey};

use crate::{
    ExplainCache, ProgressWatch, Question, RunEntry, Selection, Sequence, TargetRange, TraceSource,
};
use fathom_record::trace::Samples;
use follow::Task;
use pair::{KnownTracks, Pairing, common_track};
use phrase::{about, quoted};
use plan::Plan;
use reference::Reference;
use route::Route;

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
    /// Runs whose windows are known: these are not aligned.
    pub by_hand: Vec<PlacedWindows>,
}

/// The windows of a run that the user placed by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedWindows {
    /// The run.
    pub run: String,
    /// The windows in it.
    pub windows: Vec<TargetRange>,
    /// What they are compared with; absent: what precedes them.
    pub baseline: Option<TargetRange>,
}

/// Carries a selection into every run.
///
/// # Errors
/// If something is missing or cannot be used: see [`AlignError`]; and if `watch` asks to stop.
pub fn align(
    source: &dyn TraceSource,
    selection: &Selection,
    options: &AlignOptions,
    watch: ProgressWatch<'_>,
) -> Result<Aligned, AlignError> {
    align_with(source, selection, options, &ExplainCache::new(0), watch)
}

/// The same, with what is remembered of these traces.
///
/// # Errors
/// As [`align`].
pub fn align_with(
    source: &dyn TraceSource,
    selection: &Selection,
    options: &AlignOptions,
    cache: &ExplainCache,
    watch: ProgressWatch<'_>,
) -> Result<Aligned, AlignError> {
    if options.by_hand.is_empty() {
        return align_all(source, selection, options, cache, watch);
    }
    by_hand::align(source, selection, options, cache, watch)
}

/// Carries a selection into every run, none of which is placed by hand.
fn align_all(
    source: &dyn TraceSource,
    selection: &Selection,
    options: &AlignOptions,
    cache: &ExplainCache,
    watch: ProgressWatch<'_>,
) -> Result<Aligned, AlignError> {
    let reader = Reader::new(source, cache);
    let runs = source.runs();
    let Chosen { place, first, plan, beside } = Chosen::new(reader, selection, options)?;
    let (own, mask_note) = counted::mask_of(reader, first, plan.common.as_deref(), options, watch)?;
    let reference = Reference::new(reader, first, selection, beside.as_deref(), &own)?;
    let mut notes = reference.rows.notes.clone();
    notes.extend(mask_note);
    notes.extend(reference.chosen.notes.iter().cloned());
    notes.extend(plan.notes.iter().cloned());
    notes.extend(reference.mask_note(&selection.target));
    let Some(common) = plan.common.clone() else {
        let aligned = reference.aligned(&first.id, selection, Vec::new());
        return Ok(Aligned { reference: place, common: None, runs: vec![aligned], notes });
    };

    let track = common_track(reader, first, &common)?;
    let tracks = known_tracks(reader, &plan)?;
    let pairing = Pairing { reader, options, tracks: &tracks };
    let task = Task { pairing, common: &common, selection, reference: &reference };
    let followed = others::map(runs, place, watch, |n, run, how, still_wanted| {
        let links = plan.routes.get(n).map_or(&[][..], Vec::as_slice);
        task.follow(run, links, how, still_wanted)
    })?;
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
                let windows = reference.spans();
                let warnings = warnings::of_reference(&track, &windows, &common);
                aligned.push(reference.aligned(&first.id, selection, warnings));
            }
        }
    }
    if let Some(length) = averaged {
        let length = about(length);
        notes.push(format!(
            "{} has up to {longest} samples per run; they were averaged over {length} for the \
             alignment, which limits its resolution",
            quoted(&common)
        ));
    }
    Ok(Aligned { reference: place, common: Some(common), runs: aligned, notes })
}

/// The question in the run that the selection was made in. No run is aligned, unless only another one can
/// say which rows count.
///
/// # Errors
/// If something is missing or cannot be used: see [`AlignError`].
pub fn question_with(
    source: &dyn TraceSource,
    selection: &Selection,
    options: &AlignOptions,
    cache: &ExplainCache,
) -> Result<Question, AlignError> {
    let reader = Reader::new(source, cache);
    let Chosen { first, beside, plan, .. } = Chosen::new(reader, selection, options)?;
    let (own, _) = counted::mask_of(reader, first, plan.common.as_deref(), options, &|_| Ok(()))?;
    Ok(Reference::new(reader, first, selection, beside.as_deref(), &own)?.question(selection))
}

/// A metric on the rows of a question of the same run.
#[must_use]
pub fn on_rows_of(question: &Question, samples: &Samples) -> Sequence {
    Sequence::new(&on_edges::on_edges(samples, question.grid.edges()))
}

/// How the run of the selection corresponds to every other one; its windows do not matter. `each` is
/// called from several threads, as ribbons are ready; never if there is only one run.
///
/// Later questions about windows with the same cache find the runs aligned.
///
/// # Errors
/// As [`align`].
pub fn ribbons(
    source: &dyn TraceSource,
    selection: &Selection,
    options: &AlignOptions,
    cache: &ExplainCache,
    watch: ProgressWatch<'_>,
    each: &(dyn Fn(Ribbon) + Sync),
) -> Result<(), AlignError> {
    let reader = Reader::new(source, cache);
    let Chosen { place, first, plan, .. } = Chosen::new(reader, selection, options)?;
    let tracks = known_tracks(reader, &plan)?;
    let pairing = Pairing { reader, options, tracks: &tracks };
    let runs = source.runs();
    let made = others::map(runs, place, watch, |n, run, how, still_wanted| {
        let links = plan.routes.get(n).map_or(&[][..], Vec::as_slice);
        let route = Route::new(pairing, runs, links, how, still_wanted)?;
        if let Some(ribbon) = Ribbon::of(&route, &first.id, &run.id) {
            each(ribbon);
        }
        Ok(())
    })?;
    made.into_iter().try_for_each(|made| made.map(|_| ()))
}

/// The tracks that several alignments begin with, read once.
fn known_tracks(reader: Reader<'_>, plan: &Plan) -> Result<KnownTracks, AlignError> {
    let mut tracks = KnownTracks::new();
    for link in plan.routes.iter().flatten() {
        let Some(run) = reader.source.runs().get(link.from) else { continue };
        let key = (run.id.clone(), link.metric.clone());
        if !tracks.contains_key(&key) {
            tracks.insert(key, common_track(reader, run, &link.metric)?);
        }
    }
    Ok(tracks)
}

/// What is aligned with what.
struct Chosen<'s> {
    /// Which of the runs the reference is.
    place: usize,
    first: &'s RunEntry,
    plan: Plan,
    /// Whose rows events of the target are counted in.
    beside: Option<String>,
}

impl<'s> Chosen<'s> {
    fn new(
        reader: Reader<'s>,
        selection: &Selection,
        options: &AlignOptions,
    ) -> Result<Chosen<'s>, AlignError> {
        if !options.penalty.is_finite() || options.penalty < 0.0 {
            return Err(AlignError::Penalty { penalty: options.penalty });
        }
        let runs = reader.source.runs();
        let place = reference::find(runs, selection)?;
        let Some(first) = runs.get(place) else { return Err(AlignError::NoRuns) };
        let wanted = options.common.as_deref();
        let plan = Plan::new(reader, place, &selection.target, wanted)?;
        let beside =
            plan.common.as_deref().or(wanted).or(reader.source.common()).map(str::to_string);
        Ok(Chosen { place, first, plan, beside })
    }
}
