//! How samples spread.

use fathom_stats::{Probability, quantile};
use serde::Serialize;

/// Samples counted in steps of equal width.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Histogram {
    /// The ends of the steps: one more than there are steps. The last one belongs to its step.
    pub edges: Vec<f64>,
    /// How many samples lie in each.
    pub counts: Vec<usize>,
    /// How many lie below the first edge or above the last: a far tail that would leave no room for
    /// the rest.
    pub beyond: usize,
}

/// As many steps as are legible.
const MOST: usize = 60;

/// With fewer a histogram is a picture of its steps.
const FEWEST: usize = 5;

/// What is farther from the quartiles than this many times the distance between them is a far tail.
const FAR: f64 = 6.0;

impl Histogram {
    /// `None` for fewer than two samples, and where all are the same.
    pub(super) fn of(sorted: &[f64]) -> Option<Histogram> {
        let (&least, &most) = sorted.first().zip(sorted.last())?;
        if least >= most || !(most - least).is_finite() {
            return None;
        }
        let near = near(sorted);
        let edges = match ticks(near) {
            Some(tick) => on_ticks(near, tick),
            None => evenly(near, width(near)),
        };
        let (first, last) = (*edges.first()?, *edges.last()?);
        let mut counts = vec![0; edges.len() - 1];
        for &value in near {
            let place = edges.partition_point(|edge| *edge <= value).saturating_sub(1);
            counts[place.min(edges.len() - 2)] += 1;
        }
        let beyond = sorted.iter().filter(|value| **value < first || **value > last).count();
        Some(Histogram { edges, counts, beyond })
    }
}

fn quartiles(sorted: &[f64]) -> [f64; 2] {
    [0.25, 0.75].map(|level| {
        let level = Probability::new(level).unwrap_or(Probability::HALF);
        quantile::of_sorted(sorted, level).unwrap_or_default()
    })
}

/// The values without far tails.
fn near(sorted: &[f64]) -> &[f64] {
    let [low, high] = quartiles(sorted);
    let reach = FAR * (high - low);
    let first = sorted.partition_point(|value| *value < low - reach);
    let end = sorted.partition_point(|value| *value <= high + reach);
    match sorted.get(first..end) {
        // With no distance between the quartiles nothing says what is far.
        Some(near) if near.first() < near.last() && reach.is_finite() => near,
        _ => sorted,
    }
}

/// Freedman and Diaconis: 2 × the distance of the quartiles / ∛n, within what is legible.
fn width(sorted: &[f64]) -> f64 {
    let [low, high] = quartiles(sorted);
    let span = span(sorted);
    let width = 2.0 * (high - low) / (sorted.len() as f64).cbrt();
    width.clamp(span / MOST as f64, span / FEWEST as f64)
}

fn span(sorted: &[f64]) -> f64 {
    sorted.last().zip(sorted.first()).map_or(0.0, |(last, first)| last - first)
}

fn evenly(sorted: &[f64], width: f64) -> Vec<f64> {
    let (low, span) = (sorted.first().copied().unwrap_or_default(), span(sorted));
    let steps = (span / width - 1e-9).ceil().clamp(1.0, MOST as f64);
    let mut edges: Vec<f64> =
        (0..=steps as usize).map(|step| low + span * (step as f64 / steps)).collect();
    // Rounding must not leave out the largest.
    if let (Some(last), Some(most)) = (edges.last_mut(), sorted.last()) {
        *last = *most;
    }
    edges
}

/// The step of the clock, where values lie on its ticks: otherwise steps that hold one tick and
/// steps that hold two take turns, and the histogram looks like a comb.
fn ticks(sorted: &[f64]) -> Option<f64> {
    let mut distinct = sorted.to_vec();
    distinct.dedup();
    if distinct.len() * 2 > sorted.len() {
        return None;
    }
    let gaps = || distinct.windows(2).map(|pair| pair[1] - pair[0]);
    let tick = gaps().fold(f64::INFINITY, f64::min);
    let is_whole = |gap: f64| ((gap / tick).round() - gap / tick).abs() < 0.01;
    gaps().all(is_whole).then_some(tick)
}

/// Steps of whole ticks, each tick in the middle of its share.
fn on_ticks(sorted: &[f64], tick: f64) -> Vec<f64> {
    let per_step = (width(sorted) / tick).round().max(1.0);
    let per_step = per_step.max((span(sorted) / tick / MOST as f64).ceil());
    let low = sorted.first().copied().unwrap_or_default() - 0.5 * tick;
    let steps = ((span(sorted) / tick + 1.0 - 0.1) / per_step).ceil().max(1.0);
    (0..=steps as usize).map(|step| low + step as f64 * per_step * tick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut values: Vec<f64>) -> Vec<f64> {
        values.sort_by(f64::total_cmp);
        values
    }

    fn total(histogram: &Histogram) -> usize {
        histogram.counts.iter().sum::<usize>() + histogram.beyond
    }

    #[test]
    fn even_values_fill_even_steps() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i) / 999.0).collect();
        let found = Histogram::of(&values).unwrap();
        // 2 × 0.5 / 10: ten steps.
        assert_eq!((found.counts.len(), found.beyond, total(&found)), (10, 0, 1000));
        assert!(found.counts.iter().all(|count| (99..=101).contains(count)), "{:?}", found.counts);
        assert_eq!((found.edges[0], found.edges[10]), (0.0, 1.0));
    }

    #[test]
    fn a_far_tail_leaves_room_for_the_rest() {
        let mut values: Vec<f64> = (0..200).map(|i| 1.0 + f64::from(i * 7 % 200) / 200.0).collect();
        values.extend([500.0, 900.0, 1e6]);
        let found = Histogram::of(&sorted(values)).unwrap();
        assert_eq!((found.beyond, total(&found)), (3, 203));
        assert!(found.edges.last().unwrap() < &2.1);
    }

    #[test]
    fn ticks_make_no_comb() {
        // A clock of 10 ns, 30 ticks, and more values than Freedman's steps would have ticks.
        let values: Vec<f64> = (0..5000).map(|i| 1e-8 * f64::from(100 + i * 7 % 30)).collect();
        let found = Histogram::of(&sorted(values)).unwrap();
        let (least, most) =
            (found.counts.iter().min().unwrap(), found.counts.iter().rev().skip(1).max().unwrap());
        assert_eq!((total(&found), found.beyond), (5000, 0));
        assert!(*most as f64 <= 1.1 * *least as f64 || *least == *found.counts.last().unwrap());
    }

    /// Steps hold whole ticks, the first and the last of them hold values, and they are as many as are
    /// legible.
    #[test]
    fn steps_on_ticks_begin_and_end_with_values() {
        for ticks in [2_u32, 7, 12, 30, 61, 200, 1000] {
            for tick in [1e-8, 0.5, 8.0] {
                let values: Vec<f64> =
                    (0..20 * ticks).map(|i| tick * f64::from(100 + i * 13 % ticks)).collect();
                let found = Histogram::of(&sorted(values.clone())).unwrap();
                assert_eq!((total(&found), found.beyond), (values.len(), 0), "{ticks} of {tick}");
                assert!(found.counts.len() <= MOST, "{}", found.counts.len());
                assert!(found.counts.len() * 4 >= ticks.min(16) as usize, "{}", found.counts.len());
                assert!((found.edges[0] / tick - 99.5).abs() < 1e-6, "{:?}", found.edges[0]);
                let width = (found.edges[1] - found.edges[0]) / tick;
                assert!((width - width.round()).abs() < 1e-6 && width >= 0.99, "{width}");
                assert!(
                    found.counts[0] > 0 && *found.counts.last().unwrap() > 0,
                    "{:?}",
                    found.counts
                );
            }
        }
    }

    #[test]
    fn steps_are_legible_and_rise() {
        let spiky: Vec<f64> = [vec![1.0; 900], (0..100).map(f64::from).collect()].concat();
        for values in [spiky, vec![1.0, 2.0], vec![-1e300, 0.0, 1e300], vec![1.0, 1.0 + 1e-15]] {
            let n = values.len();
            let found = Histogram::of(&sorted(values)).unwrap();
            assert!(found.counts.len() <= 100, "{}", found.counts.len());
            assert_eq!(total(&found), n);
            assert_eq!(found.edges.len(), found.counts.len() + 1);
            assert!(found.edges.iter().all(|edge| edge.is_finite()), "{:?}", found.edges);
        }
    }

    #[test]
    fn the_same_value_has_no_spread() {
        assert_eq!(Histogram::of(&[]), None);
        assert_eq!(Histogram::of(&[1.0]), None);
        assert_eq!(Histogram::of(&[2.0; 40]), None);
    }
}
