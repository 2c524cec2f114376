//! The reference and one other run.

use super::AlignOptions;
use super::error::AlignError;
use super::quality::{Fit, WholeCosts};
use super::reader::Reader;
use super::track::Track;
use super::uncertainty::Tighter;
use super::warped::{Warped, warp};
use super::windows::FEWEST;
use crate::cache::Held;
use crate::{RunEntry, Stopped};
use fathom_dtw::{MatchedStretch, Path, StepRun, Warp, WarpError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How two runs belong together, and what is known of that whatever the windows. All that takes long
/// is here.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(super) warped: Warped,
    pub(super) tighter: Tighter,
    pub(super) costs: WholeCosts,
    /// The longest stretch in which several samples of one match a single one of the other.
    pub(super) stretch: Option<MatchedStretch>,
    /// How many samples the run's common metric has.
    pub(super) samples: usize,
}

/// Which two runs, and how they are aligned.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PairKey {
    reference: String,
    run: String,
    common: String,
    normalise: bool,
    /// The bits of it.
    penalty: u64,
}

impl Pair {
    fn new(
        x: &Arc<Track>,
        y: &Arc<Track>,
        options: &AlignOptions,
        how: Warp<'_>,
    ) -> Result<Pair, WarpError> {
        let warped = warp(x, y, options.normalise, options.penalty, how)?;
        let costs = WholeCosts::of(&warped, how)?;
        let tighter = Tighter::of(&warped, how)?;
        let stretch = warped.path.longest_stretch();
        Ok(Pair { warped, tighter, costs, stretch, samples: y.len() })
    }

    /// How well the runs fit, whatever the windows.
    pub(super) fn fit(&self) -> Fit {
        let fit = self.costs.fit();
        if self.tighter.elsewhere.is_some() { fit.max(Fit::Fair) } else { fit }
    }
}

impl Held for Pair {
    fn held(&self) -> usize {
        let path = |path: &Path| std::mem::size_of_val::<[StepRun]>(path.runs());
        let (warped, tighter) = (&self.warped, &self.tighter);
        let compared = (warped.x.len() + warped.y.len()) * size_of::<f64>();
        // The reference's track is shared unless it was averaged.
        let reference = if warped.averaged.is_some() { warped.x.held() } else { 0 };
        let paths = path(&warped.path) + path(&tighter.path);
        let maps = warped.map.held() + tighter.map.held();
        size_of::<Pair>() + compared + reference + warped.y.held() + paths + maps
    }
}

/// How runs are paired.
#[derive(Clone, Copy)]
pub(super) struct Pairing<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) options: &'a AlignOptions,
    /// What several pairs begin with.
    pub(super) tracks: &'a KnownTracks,
}

/// Tracks that several pairs begin with, by run and metric.
pub(super) type KnownTracks = BTreeMap<(String, String), Arc<Track>>;

impl Pairing<'_> {
    /// Two runs, unless they are remembered. If another request is about to find them, that is waited
    /// for as long as it is `still_wanted`.
    pub(super) fn pair(
        &self,
        (reference, run): (&RunEntry, &RunEntry),
        common: &str,
        how: Warp<'_>,
        still_wanted: impl Fn() -> Result<(), Stopped>,
    ) -> Result<Arc<Pair>, AlignError> {
        let key = PairKey {
            reference: reference.id.clone(),
            run: run.id.clone(),
            common: common.to_string(),
            normalise: self.options.normalise,
            penalty: self.options.penalty.to_bits(),
        };
        let make = || {
            // Reading takes time as well.
            still_wanted()?;
            let x = self.track(reference, common)?;
            let y = common_track(self.reader, run, common)?;
            Pair::new(&x, &y, self.options, how).map_err(|error| match error {
                WarpError::Stopped => AlignError::Stopped(Stopped),
                error => {
                    let (run, common) = (run.id.clone(), common.to_string());
                    AlignError::Warp { run, common, error }
                }
            })
        };
        self.reader.cache.pairs.get_or_await(key, || Ok(still_wanted()?), make)
    }

    fn track(&self, run: &RunEntry, common: &str) -> Result<Arc<Track>, AlignError> {
        match self.tracks.get(&(run.id.clone(), common.to_string())) {
            Some(track) => Ok(Arc::clone(track)),
            None => common_track(self.reader, run, common),
        }
    }
}

/// The common metric of a run, if it was seen often enough.
pub(super) fn common_track(
    reader: Reader<'_>,
    run: &RunEntry,
    common: &str,
) -> Result<Arc<Track>, AlignError> {
    let track = Track::new(&*reader.rows(run, common, None)?);
    let seen = track.len();
    if seen >= FEWEST {
        return Ok(Arc::new(track));
    }
    let remedy = "align by another metric with --common, or exclude the run";
    let (metric, run) = (common.to_string(), run.id.clone());
    Err(AlignError::TooFewValues { metric, run, seen, remedy })
}
