//! The way from the reference to a run: one alignment, or several through runs between.

use super::error::AlignError;
use super::others::StillWanted;
use super::pair::{Pair, Pairing};
use super::plan::Link;
use crate::RunEntry;
use fathom_dtw::Warp;
use fathom_record::{Span, Timestamp};
use std::sync::Arc;

/// Alignments, the first of which begins at the reference.
pub(super) struct Route {
    links: Vec<RouteLink>,
}

/// One of them.
pub(super) struct RouteLink {
    pub(super) metric: String,
    /// The id of the run that it leads to.
    pub(super) to: String,
    /// The id of the run that it begins at.
    pub(super) from: String,
    pub(super) pair: Arc<Pair>,
}

impl Route {
    /// Aligns.
    pub(super) fn new(
        pairing: Pairing<'_>,
        runs: &[RunEntry],
        links: &[Link],
        how: Warp<'_>,
        still_wanted: StillWanted<'_>,
    ) -> Result<Route, AlignError> {
        let mut all = Vec::with_capacity(links.len());
        for link in links {
            let (Some(from), Some(to)) = (runs.get(link.from), runs.get(link.to)) else { continue };
            let pair = pairing.pair((from, to), &link.metric, how, still_wanted)?;
            let (from, to) = (from.id.clone(), to.id.clone());
            all.push(RouteLink { metric: link.metric.clone(), from, to, pair });
        }
        Ok(Route { links: all })
    }

    pub(super) fn links(&self) -> &[RouteLink] {
        &self.links
    }

    /// A moment of the reference in the run's time.
    pub(super) fn there(&self, moment: Timestamp) -> Timestamp {
        self.links.iter().fold(moment, |moment, link| link.pair.warped.map.there(moment))
    }

    /// A moment of the run in the reference's time.
    pub(super) fn here(&self, moment: Timestamp) -> Timestamp {
        self.links.iter().rev().fold(moment, |moment, link| link.pair.warped.map.here(moment))
    }

    /// A stretch of the reference's time in the run's, by samples: see
    /// [`Warped::carried`](super::warped::Warped::carried).
    pub(super) fn carried(&self, span: (Timestamp, Timestamp)) -> (Timestamp, Timestamp) {
        self.links.iter().fold(span, |span, link| link.pair.warped.carried(span))
    }

    /// Over what length of time samples were averaged, at most.
    pub(super) fn averaged(&self) -> Option<Span> {
        self.links.iter().filter_map(|link| link.pair.warped.averaged).max()
    }

    /// How many samples the common metrics of the runs have, at most.
    pub(super) fn samples(&self) -> usize {
        self.links.iter().map(|link| link.pair.samples).max().unwrap_or(0)
    }
}
