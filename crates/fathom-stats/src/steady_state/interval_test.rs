//! The test of one stretch: is there a change of level in it, and where.

use super::autocorrelation::Dependence;
use super::scores::ScoreTable;
use super::seeded_scan::{Layer, Scan};
use std::f64::consts::{E, SQRT_2};
use std::ops::Range;

/// Fewer values are not tested.
pub(super) const FEWEST: usize = 12;

/// The best split of a stretch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// T: the standardised CUSUM less the height that chance reaches at its scale.
    pub statistic: f64,
    /// f: by how much dependence inflates the variance of a sum; 1 for independent values.
    pub factor: f64,
    /// The first index of the second part.
    pub position: usize,
}

/// Tests stretches of one series; holds the buffers.
#[derive(Debug)]
pub(super) struct Tester<'a> {
    ranks: &'a [u32],
    table: ScoreTable,
    scores: Vec<f64>,
    scan: Scan,
    scratch: Vec<f64>,
}

impl<'a> Tester<'a> {
    /// For a series with these ranks.
    pub(super) fn new(ranks: &'a [u32]) -> Tester<'a> {
        Tester {
            ranks,
            table: ScoreTable::new(ranks.len()),
            scores: Vec::new(),
            scan: Scan::default(),
            scratch: Vec::new(),
        }
    }

    /// How many values the series has.
    pub(super) fn len(&self) -> usize {
        self.ranks.len()
    }

    /// The best split over all seeded intervals; `None` if the stretch is short or constant.
    pub(super) fn seeded(&mut self, stretch: Range<usize>) -> Option<Split> {
        if stretch.len() < FEWEST {
            return None;
        }
        let (variance, dependence) = self.load(stretch.clone())?;
        let m = stretch.len();
        let layers = self.scan.layers();
        // Dependence is measured twice: the second time without the change just found.
        let factor = dependence.factor(&self.scores, None);
        let (_, split) = best(layers, m, factor, variance)?;
        let factor = dependence.factor(&self.scores, Some(split));
        let (statistic, split) = best(layers, m, factor, variance)?;
        Some(Split { statistic, factor, position: stretch.start + split })
    }

    /// The best split of the whole stretch alone.
    pub(super) fn whole(&mut self, stretch: Range<usize>) -> Option<Split> {
        let (variance, dependence) = self.load(stretch.clone())?;
        let layer = self.scan.whole()?;
        let factor = dependence.factor(&self.scores, Some(layer.position));
        let statistic = height(layer.gain, stretch.len(), variance) / factor.sqrt() - SQRT_2;
        Some(Split { statistic, factor, position: stretch.start + layer.position })
    }

    fn load(&mut self, stretch: Range<usize>) -> Option<(f64, Dependence)> {
        let ranks = self.ranks.get(stretch)?;
        let variance = self.table.write(ranks, &mut self.scores)?;
        self.scan.load(&self.scores);
        let sums = self.scan.sums();
        let dependence = Dependence::of(ranks, &self.scores, sums, variance, &mut self.scratch);
        Some((variance, dependence))
    }
}

/// √(gain / residual variance): the split's own share is taken out of the variance, as in a t
/// statistic, down to a fiftieth.
fn height(gain: f64, m: usize, variance: f64) -> f64 {
    (gain / (variance - gain / m as f64).max(0.02 * variance)).sqrt()
}

/// T and its split: the layer that rises most over what chance reaches there.
fn best(layers: &[Layer], m: usize, factor: f64, variance: f64) -> Option<(f64, usize)> {
    let mut best: Option<(f64, usize)> = None;
    for layer in layers {
        let chance = (2.0 * (E * m as f64 / layer.length as f64).ln()).sqrt();
        let statistic = height(layer.gain, m, variance) / factor.sqrt() - chance;
        // Of equals the longer interval; see seeded_scan on rounding.
        if best.is_none_or(|(before, _)| statistic > before + 1e-12) {
            best = Some((statistic, layer.position));
        }
    }
    best
}
