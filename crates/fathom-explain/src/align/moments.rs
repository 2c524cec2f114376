//! Moments of one run in every other one.

use super::error::AlignError;
use super::pair::{Pairing, common_track};
use super::plan::Plan;
use super::quality::Fit;
use super::reader::Reader;
use super::route::Route;
use super::{AlignOptions, known_tracks, others};
use crate::{ExplainCache, ProgressWatch, RunEntry, TraceSource};
use fathom_record::Timestamp;

/// The same moments in all runs.
pub(crate) struct CarriedMoments {
    /// The metric by which most runs are aligned.
    pub(crate) common: String,
    /// The moments in each run, in the order of runs.
    pub(crate) runs: Vec<CarriedRun>,
    pub(crate) notes: Vec<String>,
}

/// They in one run.
pub(crate) struct CarriedRun {
    pub(crate) moments: Vec<Timestamp>,
    /// How well the whole run fits; `None` for the reference.
    pub(crate) fit: Option<Fit>,
}

/// Carries moments of the run at `place` into every other one; `choose` finds them in the values of the
/// metric by which runs are aligned and the edges of its rows. `None` if there is but one run.
pub(crate) fn carry(
    reader: Reader<'_>,
    place: usize,
    options: &AlignOptions,
    choose: &dyn Fn(&[f64], &[Timestamp]) -> Vec<Timestamp>,
    watch: ProgressWatch<'_>,
) -> Result<Option<CarriedMoments>, AlignError> {
    if !options.penalty.is_finite() || options.penalty < 0.0 {
        return Err(AlignError::Penalty { penalty: options.penalty });
    }
    let runs = reader.source.runs();
    let plan = Plan::new(reader, place, "", options.common.as_deref())?;
    let (Some(common), Some(reference)) = (plan.common.clone(), runs.get(place)) else {
        return Ok(None);
    };
    let track = common_track(reader, reference, &common)?;
    let moments = choose(track.values(), track.edges());
    let tracks = known_tracks(reader, &plan)?;
    let pairing = Pairing { reader, options, tracks: &tracks };
    let carried = others::map(runs, place, watch, |n, _: &RunEntry, how, still_wanted| {
        let links = plan.routes.get(n).map_or(&[][..], Vec::as_slice);
        let route = Route::new(pairing, runs, links, how, still_wanted)?;
        let mut there: Vec<Timestamp> = moments.iter().map(|&moment| route.there(moment)).collect();
        // Rounding to nanoseconds must not turn time around.
        let mut last = Timestamp::MIN;
        for moment in &mut there {
            *moment = (*moment).max(last);
            last = *moment;
        }
        let fit = route.links().iter().map(|link| link.pair.fit()).max();
        Ok(CarriedRun { moments: there, fit })
    })?;
    let mut all = Vec::with_capacity(runs.len());
    for one in carried {
        let reference = || CarriedRun { moments: moments.clone(), fit: None };
        all.push(one?.unwrap_or_else(reference));
    }
    Ok(Some(CarriedMoments { common, runs: all, notes: plan.notes }))
}

/// How the times of a run correspond to those of the reference.
pub struct RunClock {
    /// `None` for the reference itself.
    route: Option<Route>,
}

impl RunClock {
    /// A moment of the run in the reference's time.
    #[must_use]
    pub fn here(&self, moment: Timestamp) -> Timestamp {
        self.route.as_ref().map_or(moment, |route| route.here(moment))
    }

    /// How well the run fits, whatever the window; `None` for the reference.
    #[must_use]
    pub fn fit(&self) -> Option<Fit> {
        self.route.as_ref()?.links().iter().map(|link| link.pair.fit()).max()
    }

    /// The metrics by which the run is aligned: one, or several through runs between.
    pub fn metrics(&self) -> impl Iterator<Item = &str> {
        let links = self.route.iter().flat_map(Route::links);
        links.map(|link| link.metric.as_str())
    }

    /// The warp: moments of the reference and the same moments of the run. Between them time goes
    /// evenly. None for the reference.
    #[must_use]
    pub fn knots(&self) -> Vec<(Timestamp, Timestamp)> {
        let Some(route) = &self.route else { return Vec::new() };
        let Some((first, rest)) = route.links().split_first() else { return Vec::new() };
        let first = &first.pair.warped.map;
        let on =
            |moment| rest.iter().fold(moment, |moment, link| link.pair.warped.map.there(moment));
        (0..).map_while(|n| first.knot(n)).map(|(here, there)| (here, on(there))).collect()
    }
}

/// Aligns every run with the one of this id; in the order of runs.
///
/// # Errors
/// As [`align`](super::align).
pub fn clocks(
    source: &dyn TraceSource,
    reference: &str,
    options: &AlignOptions,
    cache: &ExplainCache,
    watch: ProgressWatch<'_>,
) -> Result<Vec<RunClock>, AlignError> {
    if !options.penalty.is_finite() || options.penalty < 0.0 {
        return Err(AlignError::Penalty { penalty: options.penalty });
    }
    let reader = Reader::new(source, cache);
    let runs = source.runs();
    let Some(place) = runs.iter().position(|run| run.id == reference) else {
        let runs = runs.iter().map(|run| run.id.clone()).collect();
        return Err(AlignError::UnknownRun { run: reference.to_string(), runs });
    };
    let plan = Plan::new(reader, place, "", options.common.as_deref())?;
    let tracks = known_tracks(reader, &plan)?;
    let pairing = Pairing { reader, options, tracks: &tracks };
    let made = others::map(runs, place, watch, |n, _: &RunEntry, how, still_wanted| {
        let links = plan.routes.get(n).map_or(&[][..], Vec::as_slice);
        Route::new(pairing, runs, links, how, still_wanted)
    })?;
    made.into_iter().map(|route| Ok(RunClock { route: route? })).collect()
}
