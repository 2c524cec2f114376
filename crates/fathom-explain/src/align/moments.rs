//! Moments of one run in every other one.

use super::error::AlignError;
use super::pair::{Pairing, common_track};
use super::plan::Plan;
use super::quality::Fit;
use super::reader::Reader;
use super::route::Route;
use super::{AlignOptions, known_tracks, others};
use crate::{ProgressWatch, RunEntry};
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
