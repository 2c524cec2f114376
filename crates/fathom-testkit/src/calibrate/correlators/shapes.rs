//! The seven anomalies of the paper's Table 3, made again.

use crate::background::{between, remembering, spike};
use crate::follower::in_some_unit;
use crate::population::Generator;
use fathom_explain::{Grid, Pattern, Question, Segments, Sequence};
use fathom_record::{Span, Timestamp};
use std::f64::consts::TAU;
use std::ops::Range;

/// How far rows are apart.
const ROW: Span = Span::from_milliseconds(10);

/// An anomaly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Gradual increase, the whole metric.
    GrowthWhole,
    /// Gradual increase, two windows.
    GrowthTwice,
    /// Periodic, the last instance but one.
    Wave,
    /// Sudden increase.
    Step,
    /// A dip before each collection.
    Dip,
    /// Periodic, the first instance, which is distorted.
    DistortedWave,
    /// A hump among heavy outliers.
    Distorted,
}

/// What kind of anomaly the paper calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Category {
    Continuous,
    Discontinuous,
    Distorted,
}

impl Shape {
    pub(super) const ALL: [Shape; 7] = [
        Shape::GrowthWhole,
        Shape::GrowthTwice,
        Shape::Wave,
        Shape::Step,
        Shape::Dip,
        Shape::DistortedWave,
        Shape::Distorted,
    ];

    /// Its name in the paper.
    pub(super) fn name(self) -> &'static str {
        match self {
            Shape::GrowthWhole => "J GI 1",
            Shape::GrowthTwice => "J GI 2",
            Shape::Wave => "D SLP",
            Shape::Step => "C SI",
            Shape::Dip => "H PGD",
            Shape::DistortedWave => "D FLP",
            Shape::Distorted => "D D",
        }
    }

    pub(super) fn category(self) -> Category {
        match self {
            Shape::GrowthWhole | Shape::GrowthTwice | Shape::Wave => Category::Continuous,
            Shape::Step | Shape::Dip => Category::Discontinuous,
            Shape::DistortedWave | Shape::Distorted => Category::Distorted,
        }
    }

    /// What hits every metric, at places of its own: within the windows and elsewhere.
    pub(super) fn disturbance(self) -> [Disturbance; 2] {
        let calm = Disturbance { noise: 0.0, spikes: 0.005, height: 2.0 };
        match self {
            // Collections: all over the whole metric, but the two windows were chosen without them.
            Shape::GrowthWhole => [Disturbance { spikes: 0.02, ..calm }; 2],
            Shape::GrowthTwice => [calm, Disturbance { spikes: 0.02, ..calm }],
            Shape::Wave | Shape::Step | Shape::Dip => [calm; 2],
            Shape::DistortedWave => [Disturbance { noise: 0.25, spikes: 0.03, height: 2.0 }, calm],
            Shape::Distorted => [Disturbance { noise: 0.1, spikes: 0.08, height: 4.0 }, calm],
        }
    }

    /// One of it, with what is left to chance.
    pub(super) fn draw(self, rng: &mut Generator) -> Scene {
        match self {
            Shape::GrowthWhole => {
                let (rows, signal) = (3000, Signal::growth(3000.0, rng));
                let places = [0.0, 0.1, 0.25, 0.5, 1.0].map(|share| share * rows as f64);
                let window = 0..rows;
                Scene::new(self, rows, vec![window], signal, &places, 3)
            }
            Shape::GrowthTwice => {
                let (rows, signal) = (4000, Signal::growth(4000.0, rng));
                let places = [600.0, 1400.0, 2400.0, 3200.0];
                Scene::new(self, rows, vec![600..1400, 2400..3200], signal, &places, 2)
            }
            Shape::Wave => Scene::of_wave(self, 6000, 8, rng),
            Shape::DistortedWave => Scene::of_wave(self, 6000, 0, rng),
            Shape::Step => {
                let at = between(2250.0, 2400.0, rng);
                let rise = between(4.0, 10.0, rng);
                let places = [2000.0, at, at + rise, 2600.0];
                let window = 2000..2600;
                Scene::new(self, 4000, vec![window], Signal::Step { at, rise }, &places, 2)
            }
            Shape::Dip => {
                let mut dips = Vec::new();
                let mut at = between(300.0, 600.0, rng);
                while at < 4700.0 {
                    let length = between(35.0, 55.0, rng);
                    dips.push((at, length));
                    at += between(550.0, 750.0, rng);
                }
                let (at, length) = dips.get(5).copied().unwrap_or_default();
                let start = (at - between(80.0, 110.0, rng)) as usize;
                let places = [
                    start as f64,
                    at,
                    at + 0.2 * length,
                    at + 0.9 * length,
                    at + length,
                    start as f64 + 200.0,
                ];
                let window = start..start + 200;
                Scene::new(self, 5000, vec![window], Signal::Dips(dips), &places, 3)
            }
            Shape::Distorted => {
                let (from, to) = (between(2440.0, 2480.0, rng), between(2720.0, 2780.0, rng));
                let place = |share: f64| from + share * (to - from);
                let places = [2400.0, from, place(0.15), place(0.7), to, 2800.0];
                let window = 2400..2800;
                Scene::new(self, 4000, vec![window], Signal::Hump { from, to }, &places, 4)
            }
        }
    }
}

/// How much is wrong with the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Disturbance {
    /// The standard deviation of noise that comes on top.
    pub(super) noise: f64,
    /// The share of rows that are far off.
    pub(super) spikes: f64,
    /// How far, from half to one and a half of this.
    pub(super) height: f64,
}

/// What the program does, from 0 to 1, at every row and between them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Signal {
    /// 1 − e^(−t/τ), which is 1 in the end.
    Growth { rows: f64, tau: f64 },
    /// Sines one after the other, where they begin, and the end of the last one.
    Waves(Vec<f64>),
    /// 0, then 1.
    Step { at: f64, rise: f64 },
    /// 1, but 0 in dips: where and how long.
    Dips(Vec<(f64, f64)>),
    /// 0, up at once, down slowly, and 0 again.
    Hump { from: f64, to: f64 },
}

impl Signal {
    fn growth(rows: f64, rng: &mut Generator) -> Signal {
        Signal::Growth { rows, tau: rows * between(0.2, 0.45, rng) }
    }

    pub(super) fn at(&self, row: f64) -> f64 {
        match self {
            Signal::Growth { rows, tau } => (-row.max(0.0) / tau).exp_m1() / (-rows / tau).exp_m1(),
            Signal::Waves(starts) => {
                let next = starts.partition_point(|start| *start <= row);
                let (from, to) =
                    (next.checked_sub(1).and_then(|n| starts.get(n)), starts.get(next));
                match (from, to) {
                    (Some(from), Some(to)) => 0.5 + 0.5 * (TAU * (row - from) / (to - from)).sin(),
                    _ => 0.5,
                }
            }
            Signal::Step { at, rise } => ((row - at) / rise).clamp(0.0, 1.0),
            Signal::Dips(dips) => {
                let depth = |(at, length): &(f64, f64)| {
                    let place = (row - at) / length;
                    (place / 0.2).min((1.0 - place) / 0.1).clamp(0.0, 1.0)
                };
                1.0 - dips.iter().map(depth).fold(0.0, f64::max)
            }
            Signal::Hump { from, to } => match (row - from) / (to - from) {
                place if place < 0.15 => (place / 0.15).max(0.0),
                place if place < 0.7 => 1.0 - 0.4 * (place - 0.15) / 0.55,
                place => (0.6 * (1.0 - place) / 0.3).max(0.0),
            },
        }
    }
}

/// An anomaly with its surroundings.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) shape: Shape,
    pub(super) rows: usize,
    pub(super) windows: Vec<Range<usize>>,
    pub(super) signal: Signal,
    /// The pattern as a person draws it: rows and heights, both rounded.
    knots: Vec<(f64, f64)>,
    /// Into how many lines a person would cut a window.
    segments: usize,
}

impl Scene {
    /// `places`: the rows where a person who draws the pattern would put a knot.
    fn new(
        shape: Shape,
        rows: usize,
        windows: Vec<Range<usize>>,
        signal: Signal,
        places: &[f64],
        segments: usize,
    ) -> Scene {
        let length = windows.first().map_or(rows, ExactSizeIterator::len) as f64;
        let fine = length / 50.0;
        let knot = |&place: &f64| {
            ((place / fine).round() * fine, (signal.at(place) * 10.0).round() / 10.0)
        };
        let mut knots: Vec<(f64, f64)> = places.iter().map(knot).collect();
        // Knots that rounding put into one place: a steep line has some width on a screen too.
        for n in 1..knots.len() {
            knots[n].0 = knots[n].0.max(knots[n - 1].0 + 1.0);
        }
        Scene { shape, rows, windows, signal, knots, segments }
    }

    /// Ten waves after a start; one is selected.
    fn of_wave(shape: Shape, rows: usize, instance: usize, rng: &mut Generator) -> Scene {
        let mut starts = vec![between(900.0, 1000.0, rng)];
        for _ in 0..10 {
            let last = starts.last().copied().unwrap_or_default();
            starts.push(last + between(430.0, 500.0, rng));
        }
        let from = starts.get(instance).copied().unwrap_or_default();
        let to = starts.get(instance + 1).copied().unwrap_or_default();
        let places = [0.0, 0.25, 0.75, 1.0].map(|share| from + share * (to - from));
        let window = from.round() as usize..to.round() as usize;
        Scene::new(shape, rows, vec![window], Signal::Waves(starts), &places, 3)
    }

    /// How many rows are asked about.
    pub(super) fn asked(&self) -> usize {
        self.windows.iter().map(ExactSizeIterator::len).sum()
    }

    /// The target with its noise, and everything that is asked about it.
    pub(super) fn question(&self, rng: &mut Generator) -> Option<Question> {
        let mut values: Vec<f64> = (0..self.rows).map(|row| self.signal.at(row as f64)).collect();
        let noise = remembering(0.3, self.rows, rng);
        values.iter_mut().zip(noise).for_each(|(value, noise)| *value += 0.1 * noise);
        self.disturb(&mut values, rng);
        // The pattern is drawn over the target, in the same units.
        let mut with_ends = values;
        with_ends.extend([0.0, 1.0]);
        in_some_unit(&mut with_ends, rng);
        let one = with_ends.pop()?;
        let zero = with_ends.pop()?;
        let knot = |(row, height): &(f64, f64)| {
            let start = Timestamp::from_nanoseconds((row * ROW.nanoseconds_f64()) as i64);
            (start + ROW.divided_by(2), zero + height * (one - zero))
        };
        let first = self.windows.first()?.start;
        Some(Question {
            grid: Grid::even(self.rows, ROW)?,
            target: Sequence::from(with_ends),
            windows: self.windows.clone(),
            baseline: (first > 0).then_some(0..first),
            segments: Segments::Exactly(self.segments),
            pattern: Some(Pattern::new(self.knots.iter().map(knot).collect())?),
        })
    }

    /// Adds what hits every metric.
    pub(super) fn disturb(&self, values: &mut [f64], rng: &mut Generator) {
        let [within, elsewhere] = self.shape.disturbance();
        let noise = remembering(0.5, values.len(), rng);
        for (row, (value, noise)) in values.iter_mut().zip(noise).enumerate() {
            let asked = self.windows.iter().any(|window| window.contains(&row));
            let here = if asked { within } else { elsewhere };
            let far = spike(here.spikes, 0.5 * here.height, 1.5 * here.height, rng);
            *value += here.noise * noise + far;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::generator;

    #[test]
    fn signals_go_from_zero_to_one_and_patterns_follow_them() {
        for shape in Shape::ALL {
            for seed in 0..20 {
                let rng = &mut generator(seed, 0);
                let scene = shape.draw(rng);
                let heights: Vec<f64> =
                    (0..scene.rows).map(|row| scene.signal.at(row as f64)).collect();
                let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
                let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert!((0.0..0.02).contains(&lowest), "{shape:?} {seed} {lowest}");
                assert!((0.98..=1.0).contains(&highest), "{shape:?} {seed} {highest}");
                let question = scene.question(rng).unwrap();
                assert_eq!(question.target.len(), question.grid.rows());
                assert!(question.windows.iter().all(|window| window.end <= scene.rows));
                assert_eq!(question.baseline.is_none(), shape == Shape::GrowthWhole);
                let pattern = question.pattern.unwrap();
                let asked = scene.windows.iter().cloned().flatten();
                let pairs: Vec<(f64, f64)> = asked
                    .map(|row| {
                        let middle = question.grid.middle(row) * 1e9;
                        (heights[row], pattern.at(middle))
                    })
                    .collect();
                let r = correlation(&pairs);
                assert!(r > 0.93, "{shape:?} {seed}: the drawn pattern has r = {r}");
            }
        }
    }

    fn correlation(pairs: &[(f64, f64)]) -> f64 {
        let n = pairs.len() as f64;
        let (a, b) = (
            pairs.iter().map(|p| p.0).sum::<f64>() / n,
            pairs.iter().map(|p| p.1).sum::<f64>() / n,
        );
        let sum = |f: fn(f64, f64) -> f64| pairs.iter().map(|p| f(p.0 - a, p.1 - b)).sum::<f64>();
        sum(|x, y| x * y) / (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt()
    }
}
