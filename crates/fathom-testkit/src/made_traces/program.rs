//! What the runs of a made-up program do.

use super::{INTERVAL, Size};
use crate::background::{Background, between, coin, normal, remembering};
use crate::follower::{Follower, hold, some_interval};
use crate::population::{Generator, generator};
use fathom_record::Timestamp;
use fathom_record::trace::{Kind, Number, TraceMetric, Value};
use std::f64::consts::TAU;

/// Where in the program the anomaly is.
const ANOMALY: (f64, f64) = (0.70, 0.75);
const CAUSES: usize = 5;
const PHASES: usize = 12;

/// A few, evenly among the metrics behind the first two.
pub(super) fn is_cause(n: usize, metrics: usize) -> bool {
    let others = metrics.saturating_sub(2);
    let causes = CAUSES.min(others);
    (0..causes).any(|cause| n == 2 + cause * others / causes)
}

/// What all runs share.
pub(super) struct Program {
    pub(super) size: Size,
    /// The level of the common metric in each phase.
    phases: [f64; PHASES],
}

impl Program {
    pub(super) fn new(size: Size) -> Program {
        let mut rng = generator(size.seed, u64::MAX - 1);
        Program { size, phases: [(); PHASES].map(|()| between(0.4, 1.6, &mut rng)) }
    }

    pub(super) fn pace(&self, run: usize) -> Pace {
        let mut rng = generator(self.size.seed ^ 0x5eed, run as u64);
        let by = coin(&mut rng) * between(0.03, 0.15, &mut rng);
        // Windows are known best in the first run, so it keeps the program's own pace.
        Pace {
            rows: self.size.samples,
            by: if run == 0 { 0.0 } else { by },
            waves: between(1.0, 4.0, &mut rng).floor(),
        }
    }

    /// Whether a run has a metric.
    pub(super) fn has(&self, run: usize, n: usize) -> bool {
        let own = n.saturating_sub(1) % self.size.runs;
        !self.size.spread || n == 0 || own == run
    }

    /// What a metric does in a run, about 1 high around 0.
    pub(super) fn values(&self, n: usize, pace: &Pace, rng: &mut Generator) -> Vec<f64> {
        let rows = self.size.samples;
        let span = rows as f64 * (ANOMALY.1 - ANOMALY.0);
        let anomaly = |row: f64| anomaly((pace.place(row) - ANOMALY.0) / (ANOMALY.1 - ANOMALY.0));
        if n == 0 {
            let noise = remembering(0.3, rows, rng);
            let value = |(row, noise)| self.common(pace.place(row as f64)) + 0.05 * noise;
            return noise.into_iter().enumerate().map(value).collect();
        }
        if n == 1 {
            let noise = remembering(0.5, rows, rng);
            let value = |(row, noise)| 6.0 * anomaly(row as f64) + noise;
            return noise.into_iter().enumerate().map(value).collect();
        }
        // Which kind it is does not depend on the run.
        let mut kind = generator(self.size.seed ^ 0xca05e, n as u64);
        let interval = some_interval(&mut kind);
        let mut values = if is_cause(n, self.size.metrics) {
            let follower = Follower::close(0.01 * span, &mut kind);
            let values = follower.rows(rows, anomaly, rng);
            values.into_iter().map(|value| 4.0 * value).collect()
        } else {
            Background::any(&mut kind).rows(rows, span as usize, rng)
        };
        hold(&mut values, interval);
        values
    }

    /// The common metric at a place of the program: a level per phase, and a ripple.
    fn common(&self, place: f64) -> f64 {
        let phase = (place * PHASES as f64) as usize;
        let level = self.phases.get(phase.min(PHASES - 1)).copied().unwrap_or(1.0);
        level + 0.2 * (TAU * 3.0 * PHASES as f64 * place).sin()
    }
}

/// How fast a run goes through the program.
pub(super) struct Pace {
    rows: usize,
    /// The most by which it is faster or slower than the program's own pace.
    by: f64,
    /// How often it gets faster and slower again.
    waves: f64,
}

impl Pace {
    /// The place in the program, from 0 to 1, at a row; it never goes back.
    fn place(&self, row: f64) -> f64 {
        let time = row / self.rows as f64;
        time + self.by * (TAU * self.waves * time).sin() / (TAU * self.waves)
    }

    pub(super) fn window(&self) -> (Timestamp, Timestamp) {
        let row = |place| (0..self.rows).position(|row| self.place(row as f64) >= place);
        let end = |place| {
            let row = row(place).unwrap_or(self.rows - 1);
            Timestamp::ZERO + INTERVAL.times(row as u64)
        };
        (end(ANOMALY.0), end(ANOMALY.1))
    }
}

/// The anomaly, from 0 to 1 of its length: up at once, a plateau that sinks, and down.
fn anomaly(place: f64) -> f64 {
    match place {
        p if !(0.0..1.0).contains(&p) => 0.0,
        p if p < 0.15 => p / 0.15,
        p if p < 0.7 => 1.0 - 0.4 * (p - 0.15) / 0.55,
        p => 0.6 * (1.0 - p) / 0.3,
    }
}

/// Heights as a probe would say them: never below 0, with the digits it has; totals for counters.
pub(super) fn in_units(metric: &TraceMetric, n: usize, heights: Vec<f64>) -> Vec<Value> {
    if n == 0 {
        return heights.into_iter().map(|height| Value::Real(rounded(height))).collect();
    }
    let mut unit = generator(0x0417, n as u64);
    let scale = 10_f64.powf(between(1.0, 4.0, &mut unit));
    let level = between(6.0, 20.0, &mut unit) + normal(&mut unit).abs();
    let mut total = 0.0;
    let value = |height: f64| {
        let value = scale * (level + height).max(0.0);
        total += value;
        match (metric.number, metric.kind) {
            (Number::Real, _) => Value::Real(rounded(value)),
            (Number::Integer, Kind::Counter) => Value::Integer(total as i64),
            (Number::Integer, _) => Value::Integer(value as i64),
        }
    };
    heights.into_iter().map(value).collect()
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
