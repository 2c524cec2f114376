//! Metrics whose label is known because they were made for it.

use super::shapes::Scene;
use crate::background::{Background, between, coin, remembering, uniform};
use crate::follower::{Follower, hold, in_some_unit, some_interval};
use crate::population::Generator;
use fathom_explain::Sequence;

/// Whether a metric shows the pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Yes,
    Maybe,
    No,
}

/// How many of a hundred metrics are yes and maybe; the others are no.
pub(super) const SHARES: (usize, usize) = (15, 15);

impl Label {
    /// The more, the closer.
    pub(super) fn height(self) -> f64 {
        match self {
            Label::Yes => 2.0,
            Label::Maybe => 1.0,
            Label::No => 0.0,
        }
    }

    /// The labels of this many metrics.
    pub(super) fn of(metrics: usize) -> Vec<Label> {
        let (yes, maybe) = (metrics * SHARES.0 / 100, metrics * SHARES.1 / 100);
        let label = |n| match n {
            n if n < yes => Label::Yes,
            n if n < yes + maybe => Label::Maybe,
            _ => Label::No,
        };
        (0..metrics).map(label).collect()
    }

    /// A metric of this label.
    pub(super) fn metric(self, scene: &Scene, rng: &mut Generator) -> Sequence {
        let mut values = match self {
            Label::Yes => {
                let follower = Follower::close(0.02 * length(scene), rng);
                follower.rows(scene.rows, |row| scene.signal.at(row), rng)
            }
            Label::Maybe => Doubt::any(rng).rows(scene, rng),
            Label::No => Background::any(rng).rows(scene.rows, length(scene) as usize, rng),
        };
        scene.disturb(&mut values, rng);
        hold(&mut values, some_interval(rng));
        in_some_unit(&mut values, rng);
        Sequence::from(values)
    }
}

/// How long a window is.
fn length(scene: &Scene) -> f64 {
    scene.asked() as f64 / scene.windows.len().max(1) as f64
}

/// Why a label would be maybe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// The pattern hardly exceeds the noise.
    Weak,
    /// It is there in a part of what is asked about.
    Partly,
    /// It takes longer or shorter.
    OtherDuration,
    /// It comes much later, or earlier.
    Late,
    /// Random drift as high as the signal is added.
    Mixed,
}

impl Doubt {
    const ALL: [Doubt; 5] =
        [Doubt::Weak, Doubt::Partly, Doubt::OtherDuration, Doubt::Late, Doubt::Mixed];

    fn any(rng: &mut Generator) -> Doubt {
        let place = (uniform(rng) * Doubt::ALL.len() as f64) as usize;
        Doubt::ALL.get(place).copied().unwrap_or(Doubt::Weak)
    }

    fn rows(self, scene: &Scene, rng: &mut Generator) -> Vec<f64> {
        let close = Follower::close(0.02 * length(scene), rng);
        let signal = |row: f64| scene.signal.at(row);
        match self {
            Doubt::Weak => {
                let noise = between(0.6, 1.2, rng);
                Follower { noise, ..close }.rows(scene.rows, signal, rng)
            }
            Doubt::Partly => {
                let (share, from_start) = (between(0.4, 0.7, rng), coin(rng) > 0.0);
                close.rows(scene.rows, |row| signal(kept(scene, row, share, from_start)), rng)
            }
            Doubt::OtherDuration => {
                let by = between(1.5, 2.0, rng);
                let by = if coin(rng) > 0.0 { by } else { 1.0 / by };
                let centre = centre(scene);
                close.rows(scene.rows, |row| signal(centre + (row - centre) * by), rng)
            }
            Doubt::Late => {
                let lag = coin(rng) * between(0.08, 0.2, rng) * length(scene);
                Follower { lag, ..close }.rows(scene.rows, signal, rng)
            }
            Doubt::Mixed => {
                let height = between(0.5, 0.8, rng);
                let over = remembering(0.98, scene.rows, rng);
                let rows = close.rows(scene.rows, signal, rng);
                rows.into_iter().zip(over).map(|(row, over)| row + height * over).collect()
            }
        }
    }
}

/// The middle of what is asked about.
fn centre(scene: &Scene) -> f64 {
    let start = scene.windows.first().map_or(0, |window| window.start);
    let end = scene.windows.last().map_or(scene.rows, |window| window.end);
    (start + end) as f64 / 2.0
}

/// The row whose height a metric has that follows this share only of what is asked about, from its
/// start or up to its end, and keeps its height in the rest.
fn kept(scene: &Scene, row: f64, share: f64, from_start: bool) -> f64 {
    let start = scene.windows.first().map_or(0, |window| window.start) as f64;
    let end = scene.windows.last().map_or(scene.rows, |window| window.end) as f64;
    if !(start..end).contains(&row) {
        return row;
    }
    if from_start {
        row.min(start + share * (end - start))
    } else {
        row.max(end - share * (end - start))
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::Shape;
    use super::*;
    use crate::population::generator;

    #[test]
    fn metrics_are_finite_and_move() {
        assert_eq!(Label::of(300).iter().filter(|label| **label == Label::Yes).count(), 45);
        for shape in Shape::ALL {
            let rng = &mut generator(3, 0);
            let scene = shape.draw(rng);
            for label in Label::of(60) {
                let metric = label.metric(&scene, rng);
                assert_eq!(metric.len(), scene.rows);
                assert!(metric.is_whole());
                assert!(metric.seen().any(|value| Some(value) != metric.get(0)));
            }
            for doubt in Doubt::ALL {
                assert_eq!(doubt.rows(&scene, rng).len(), scene.rows, "{doubt:?}");
            }
        }
    }

    #[test]
    fn what_is_kept_ends_in_the_window() {
        let scene = Shape::Step.draw(&mut generator(3, 0));
        assert_eq!(kept(&scene, 10.0, 0.5, true), 10.0);
        assert_eq!(kept(&scene, 2500.0, 0.5, true), 2300.0);
        assert_eq!(kept(&scene, 2100.0, 0.5, false), 2300.0);
        assert_eq!(kept(&scene, 2700.0, 0.5, true), 2700.0);
    }
}
