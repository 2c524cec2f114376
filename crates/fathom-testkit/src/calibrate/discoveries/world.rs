//! Made-up metrics and targets: what is independent of what is known.

use crate::population::Generator;
use crate::process::Process;
use rand_distr::{Distribution, Open01, StandardNormal};

/// How a metric behaves on its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Nature {
    /// A stationary process with unit variance.
    Autoregressive(f64),
    /// The sum of unit noise.
    RandomWalk,
    /// Quiet noise, and a burst of twenty rows in one of this many stretches as long.
    Bursts(f64),
    /// The same with bursts of all sizes: the logarithm of their height is normal.
    UnevenBursts(f64),
    /// 0, and now and then a count: an autoregressive process, rounded, cut off below 0.
    Counts,
    /// Student's t with 2 degrees of freedom.
    HeavyTailed,
    /// 0, and a burst of twenty rows in one of this many stretches as long: it wakes up now and
    /// then.
    Sleeper(f64),
    /// 0, and a single count in one of this many stretches of twenty rows.
    RareCounts(f64),
    /// 0 until it starts, at any time with the same probability, and noise from then on.
    LateStarter,
    /// Noise, and a row far out in one of this many stretches of twenty rows.
    Spikes(f64),
}

impl Nature {
    /// Those that the goal is stated for.
    pub(super) const PLAIN: [Nature; 5] = [
        Nature::Autoregressive(0.0),
        Nature::Autoregressive(0.5),
        Nature::Autoregressive(0.9),
        Nature::Autoregressive(0.98),
        Nature::RandomWalk,
    ];

    /// Others that are met.
    pub(super) const ROUGH: [Nature; 16] = [
        Nature::HeavyTailed,
        Nature::Counts,
        Nature::Bursts(3000.0),
        Nature::Bursts(1000.0),
        Nature::Bursts(100.0),
        Nature::UnevenBursts(3000.0),
        Nature::UnevenBursts(300.0),
        Nature::Sleeper(10_000.0),
        Nature::Sleeper(3000.0),
        Nature::Sleeper(300.0),
        Nature::Sleeper(30.0),
        Nature::RareCounts(3000.0),
        Nature::RareCounts(30.0),
        Nature::LateStarter,
        Nature::Spikes(3000.0),
        Nature::Spikes(100.0),
    ];

    pub(super) fn name(self) -> String {
        match self {
            Nature::Autoregressive(phi) => format!("AR(1) φ = {phi}"),
            Nature::RandomWalk => "random walk".to_string(),
            Nature::Bursts(stretches) => format!("bursts, 1 in {stretches} windows"),
            Nature::UnevenBursts(stretches) => format!("uneven bursts, 1 in {stretches}"),
            Nature::Counts => "small counts".to_string(),
            Nature::HeavyTailed => "t with 2 df".to_string(),
            Nature::Sleeper(stretches) => format!("asleep, wakes 1 in {stretches}"),
            Nature::RareCounts(stretches) => format!("rare counts, 1 in {stretches}"),
            Nature::LateStarter => "starts at some time".to_string(),
            Nature::Spikes(stretches) => format!("extreme rows, 1 in {stretches}"),
        }
    }

    pub(super) fn draw(self, rows: usize, rng: &mut Generator) -> Vec<f64> {
        let mut values = vec![0.0; rows];
        match self {
            Nature::Autoregressive(phi) => Process::Autoregressive(phi).fill(&mut values, rng),
            Nature::RandomWalk => {
                let mut level = 0.0;
                for value in &mut values {
                    level += normal(rng);
                    *value = level;
                }
            }
            Nature::Bursts(stretches) | Nature::UnevenBursts(stretches) => {
                let is_uneven = matches!(self, Nature::UnevenBursts(_));
                let length = 20.0;
                let mut height = 0.0;
                for value in &mut values {
                    let u: f64 = Open01.sample(rng);
                    if height > 0.0 {
                        height = if u < 1.0 / length { 0.0 } else { height };
                    } else if u < 1.0 / (length * stretches) {
                        height = if is_uneven { 4.0 * normal(rng).exp() } else { 4.0 };
                    }
                    *value = height + 0.3 * normal(rng);
                }
            }
            Nature::Counts => {
                Process::Autoregressive(0.8).fill(&mut values, rng);
                values.iter_mut().for_each(|value| *value = (1.5 * *value).round().max(0.0));
            }
            Nature::Sleeper(stretches) => {
                let mut awake = false;
                for value in &mut values {
                    let u: f64 = Open01.sample(rng);
                    awake = u < if awake { 0.95 } else { 1.0 / (20.0 * stretches) };
                    *value = if awake { 4.0 + normal(rng) } else { 0.0 };
                }
            }
            Nature::RareCounts(stretches) | Nature::Spikes(stretches) => {
                let is_noisy = matches!(self, Nature::Spikes(_));
                for value in &mut values {
                    let u: f64 = Open01.sample(rng);
                    let height = if u < 1.0 / (20.0 * stretches) { 50.0 } else { 0.0 };
                    *value = if is_noisy { height + normal(rng) } else { f64::min(height, 1.0) };
                }
            }
            Nature::LateStarter => {
                let u: f64 = Open01.sample(rng);
                let asleep = (u * rows as f64) as usize;
                values.iter_mut().skip(asleep).for_each(|value| *value = normal(rng));
            }
            Nature::HeavyTailed => {
                for value in &mut values {
                    let squares = normal(rng).powi(2) + normal(rng).powi(2);
                    *value = normal(rng) / (0.5 * squares).sqrt();
                }
            }
        }
        values
    }
}

/// What the target does in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anomaly {
    /// Nothing in particular: AR(1) φ = .9 throughout.
    Nothing,
    /// It is higher from the middle on.
    Step,
    /// It is lower in the middle third.
    Dip,
    /// The same once in every three lengths of the window.
    Dips,
    /// It climbs.
    Ramp,
    /// A wave throughout; the window has one and a half periods.
    Wave,
}

impl Anomaly {
    pub(super) const ALL: [Anomaly; 6] = [
        Anomaly::Nothing,
        Anomaly::Step,
        Anomaly::Dip,
        Anomaly::Dips,
        Anomaly::Ramp,
        Anomaly::Wave,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Anomaly::Nothing => "AR(1)",
            Anomaly::Step => "step",
            Anomaly::Dip => "dip",
            Anomaly::Dips => "periodic dips",
            Anomaly::Ramp => "ramp",
            Anomaly::Wave => "wave",
        }
    }

    /// The target, of this many rows before the window, in it and after it.
    pub(super) fn draw(self, [before, window, after]: [usize; 3], rng: &mut Generator) -> Vec<f64> {
        let rows = before + window + after;
        if self == Anomaly::Nothing {
            return Nature::Autoregressive(0.9).draw(rows, rng);
        }
        let noise = Nature::Autoregressive(0.5).draw(rows, rng);
        let length = window as f64;
        let height = |row: usize| {
            let at = (row as f64 - before as f64) / length;
            let dip = |at: f64| if (1.0 / 3.0..2.0 / 3.0).contains(&at) { -3.0 } else { 0.0 };
            match self {
                Anomaly::Nothing => 0.0,
                Anomaly::Step => {
                    if at >= 0.5 {
                        3.0
                    } else {
                        0.0
                    }
                }
                Anomaly::Dip => dip(at),
                Anomaly::Dips => dip(at.rem_euclid(3.0)),
                Anomaly::Ramp => 4.0 * at.clamp(0.0, 1.0),
                Anomaly::Wave => 2.0 * (3.0 * std::f64::consts::PI * at).sin(),
            }
        };
        noise.iter().enumerate().map(|(row, noise)| 0.2 * noise + height(row)).collect()
    }

    /// Whether it stays as it has become.
    pub(super) fn stays(self) -> bool {
        matches!(self, Anomaly::Step | Anomaly::Ramp)
    }

    /// Whether what is outside of the window belongs to it as well.
    pub(super) fn recurs(self) -> bool {
        matches!(self, Anomaly::Dips | Anomaly::Wave)
    }
}

pub(super) fn normal(rng: &mut Generator) -> f64 {
    StandardNormal.sample(rng)
}
