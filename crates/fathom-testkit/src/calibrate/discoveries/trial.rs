//! One data set: a target, 300 metrics, and what Fathom makes of them.

use super::world::{Anomaly, Nature};
use crate::population::Generator;
use fathom_explain::change::ChangeJudge;
use fathom_explain::rank::random_walk;
use fathom_explain::shape::ShapeJudge;
use fathom_explain::significance::{Beside, Chance, Past, PastChanges, Pool, chance, q_values};
use fathom_explain::{Grid, Question, Segments, Sequence};
use fathom_record::Span;
use fathom_stats::distribution::student_t;
use fathom_stats::multiple::benjamini_hochberg;

/// A discovery has a q below this.
pub(super) const LEVEL: f64 = 0.05;
/// Metrics of a data set.
pub(super) const METRICS: usize = 300;
/// Of this many it is asked whether they are random walks, which takes longer than all else.
const ASKED: usize = 20;
/// What the first metrics have to do with the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Plant {
    Nothing,
    /// They follow it, with about this coefficient.
    Follow(f64),
    /// Their level in the window, and after it if the target stays as it has become, is higher by
    /// this many standard deviations.
    Shift(f64),
    /// They are 0 until the window, and not 0 in it.
    Wake,
}

/// A kind of data set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scene {
    pub(super) nature: Nature,
    pub(super) anomaly: Anomaly,
    pub(super) before: usize,
    pub(super) window: usize,
    pub(super) after: usize,
    pub(super) plant: Plant,
    /// In this many metrics.
    pub(super) planted: usize,
}

/// What was found in one data set, or in many.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Outcome {
    pub(super) sets: f64,
    /// Data sets in which a metric was discovered that has nothing to do with the target.
    pub(super) false_alarms: f64,
    /// Those in which a test of each coefficient by Student's t, and Benjamini and Hochberg's rule,
    /// discover one.
    pub(super) naive: f64,
    /// Metrics without a plant, and those with p below the level.
    pub(super) independent: f64,
    pub(super) below: f64,
    /// Metrics tested for random walks, and those flagged.
    pub(super) asked: f64,
    pub(super) flagged: f64,
    pub(super) discovered: f64,
    pub(super) planted: f64,
    pub(super) found: f64,
}

impl Outcome {
    pub(super) fn add(&mut self, other: &Outcome) {
        self.sets += other.sets;
        self.false_alarms += other.false_alarms;
        self.naive += other.naive;
        self.independent += other.independent;
        self.below += other.below;
        self.asked += other.asked;
        self.flagged += other.flagged;
        self.discovered += other.discovered;
        self.planted += other.planted;
        self.found += other.found;
    }
}

impl Scene {
    /// Draws a data set and judges it.
    pub(super) fn play(&self, rng: &mut Generator) -> Outcome {
        let end = self.before + self.window;
        let rows = end + self.after;
        let target = self.anomaly.draw([self.before, self.window, self.after], rng);
        let Some(grid) = Grid::even(rows, Span::from_nanoseconds(1)) else {
            return Outcome::default();
        };
        let question = Question {
            grid,
            target: Sequence::from(target.clone()),
            windows: std::iter::once(self.before..end).collect(),
            baseline: (self.before > 0).then_some(0..self.before),
            segments: Segments::Auto,
            pattern: None,
        };
        let change = ChangeJudge::new(&question).ok();
        let shape = ShapeJudge::new(&question).ok();
        let planted = self.planted;
        let mut outcome = Outcome { sets: 1.0, ..Outcome::default() };
        let past_changes = PastChanges::new(&question);
        let (mut evidence, mut pasts, mut naive) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..METRICS {
            let mut metric = self.nature.draw(rows, rng);
            if number < planted {
                self.plant(&target, &mut metric);
            }
            let coefficient = pearson(self.asked(&target), self.asked(&metric));
            naive.push(by_student(coefficient, self.window));
            let metric = Sequence::from(metric);
            if number < ASKED {
                outcome.asked += 1.0;
                outcome.flagged += f64::from(u8::from(random_walk::wanders(&question, &metric)));
            }
            let change = change.as_ref().and_then(|judge| judge.evidence(&metric));
            let shape = shape.as_ref().and_then(|judge| judge.weigh(&metric));
            let changes = change.as_ref().map(|evidence| past_changes.of(&metric, evidence));
            let shapes = shape.as_ref().map(|(_, past)| past.clone());
            let past = changes.into_iter().chain(shapes).reduce(Past::and);
            pasts.extend(past.clone());
            evidence.push((change, shape.map(|(evidence, _)| evidence), past));
        }
        let pool = Pool::new(&pasts, pasts.len(), Beside::of(&question).places());
        let chances: Vec<Option<Chance>> = evidence
            .iter()
            .map(|(change, shape, past)| {
                chance(change.as_ref(), shape.as_ref(), past.as_ref(), &pool)
            })
            .collect();
        let is_low = |q: f64| q < LEVEL;
        let ours: Vec<bool> =
            q_values(&chances).into_iter().map(|q| q.is_some_and(is_low)).collect();
        let naive = benjamini_hochberg(&naive).into_iter().map(is_low).collect::<Vec<bool>>();
        let any = |found: &[bool]| f64::from(u8::from(found.iter().skip(planted).any(|&f| f)));
        outcome.false_alarms = any(&ours);
        outcome.naive = any(&naive);
        outcome.independent = (METRICS - planted) as f64;
        let below = |one: &Option<Chance>| one.is_some_and(|one| one.p_value() < LEVEL);
        outcome.below = count(chances.iter().skip(planted).map(below));
        outcome.discovered = count(ours.iter().copied());
        outcome.planted = planted as f64;
        outcome.found = count(ours.iter().take(planted).copied());
        outcome
    }

    fn plant(&self, target: &[f64], metric: &mut [f64]) {
        let deviation = spread(self.asked(metric)).1;
        let stays = if self.anomaly.stays() { self.after } else { 0 };
        let end = self.before + self.window + stays;
        match self.plant {
            Plant::Nothing => {}
            Plant::Follow(r) => {
                // Noise as it is in the window, and so much of the target that r comes out.
                let (level, size) = spread(self.asked(target));
                let part = r / (1.0 - r * r).sqrt() * deviation / size;
                let rows = if self.anomaly.recurs() { 0..metric.len() } else { self.before..end };
                for (metric, target) in
                    metric.iter_mut().zip(target).skip(rows.start).take(rows.len())
                {
                    *metric += part * (target - level);
                }
            }
            Plant::Wake => {
                metric.fill(0.0);
                metric
                    .iter_mut()
                    .skip(self.before)
                    .take(self.window)
                    .for_each(|value| *value = 1.0);
            }
            Plant::Shift(deviations) => {
                let shifted = metric.iter_mut().skip(self.before).take(end - self.before);
                shifted.for_each(|value| *value += deviations);
            }
        }
    }

    /// What is in the window.
    fn asked<'v>(&self, values: &'v [f64]) -> &'v [f64] {
        values.get(self.before..self.before + self.window).unwrap_or_default()
    }
}

fn count(found: impl Iterator<Item = bool>) -> f64 {
    found.filter(|&found| found).count() as f64
}

/// Mean and standard deviation.
fn spread(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (squares / n).sqrt().max(f64::MIN_POSITIVE))
}

fn pearson(one: &[f64], other: &[f64]) -> f64 {
    let ((a, s), (b, t)) = (spread(one), spread(other));
    let products = one.iter().zip(other).map(|(x, y)| (x - a) * (y - b)).sum::<f64>();
    (products / one.len() as f64 / (s * t)).clamp(-1.0, 1.0)
}

/// The p-value of a coefficient if rows were independent of each other.
fn by_student(r: f64, rows: usize) -> f64 {
    let degrees = rows as f64 - 2.0;
    2.0 * student_t::cdf(degrees, -(r.abs() * (degrees / (1.0 - r * r)).sqrt()))
}
