//! A service graph in which one node fails.

use super::{Lengths, Metric, World};
use crate::calibrate::ranking::draw::{
    below, between, chance, count, log_between, one_of, poisson,
};
use crate::calibrate::ranking::graph::Graph;
use crate::calibrate::ranking::habit::Habit;
use crate::calibrate::ranking::profile::Profile;
use crate::population::Generator;

/// What is measured of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gauge {
    Latency,
    Errors,
    Processor,
    Memory,
    Traffic,
    Disk,
    Network,
    Threads,
}

const GAUGES: [Gauge; 8] = [
    Gauge::Latency,
    Gauge::Errors,
    Gauge::Processor,
    Gauge::Memory,
    Gauge::Traffic,
    Gauge::Disk,
    Gauge::Network,
    Gauge::Threads,
];

/// What fails, as what it shows in most.
const FAULTS: [Gauge; 6] =
    [Gauge::Processor, Gauge::Memory, Gauge::Latency, Gauge::Errors, Gauge::Disk, Gauge::Network];

/// How much the fault is seen in a gauge of a node, in spreads, and how many rows later.
struct Reach {
    strength: f64,
    delay: usize,
}

pub(super) fn draw(rng: &mut Generator) -> World {
    let lengths = Lengths::draw(5.0..500.0, 0.8, 6000.0, rng);
    let rows = lengths.rows();
    let graph = Graph::draw(count(10, 40, rng), rng);
    let culprit = count(1, graph.len() - 1, rng);
    let fault = one_of(&FAULTS, rng);
    let (strong, mut slow) = (log_between(4.0, 40.0, rng), log_between(1.0, 12.0, rng));
    let fade = between(0.5, 0.95, rng);
    let hop = between(0.0, 0.05, rng) * lengths.window as f64;
    let distances = graph.distances_up(culprit);
    if let (true, Some(distance)) = (chance(0.7, rng), distances[0]) {
        // Usually the front is slow enough to be noticed, or there would be no question.
        slow = log_between(1.5, 8.0, rng) / fade.powi(distance as i32);
    }
    let gauges = count(5, 8, rng);
    let target = one_of(&[Gauge::Latency, Gauge::Latency, Gauge::Errors], rng);
    let profile = Profile::draw(lengths.range(), fault == Gauge::Memory, rng);
    let load = Habit::Diurnal.rows(rows, rng);
    let bystander = chance(0.4, rng).then(|| (below(graph.len(), rng), one_of(&GAUGES, rng)));
    let elsewhere = Profile::draw(lengths.range(), false, rng);

    let mut world = World { target: Vec::new(), metrics: Vec::new(), window: lengths.range() };
    for (node, &away) in distances.iter().enumerate() {
        for &gauge in GAUGES.iter().take(gauges) {
            let reach = away.and_then(|distance| {
                let strength = seen(gauge, fault, distance, strong, slow, fade, rng)?;
                Some(Reach { strength, delay: (hop * distance as f64) as usize })
            });
            let mut values = usual(gauge, &load, rng);
            if let Some(reach) = reach {
                add(gauge, &mut values, &profile, &reach, rng);
            }
            if bystander == Some((node, gauge)) && node != culprit && node != 0 {
                let reach = Reach { strength: log_between(3.0, 12.0, rng), delay: 0 };
                add(gauge, &mut values, &elsewhere, &reach, rng);
            }
            if node == 0 && gauge == target {
                world.target = values;
            } else {
                world.metrics.push(Metric { values, is_cause: node == culprit });
            }
        }
    }
    world
}

/// By how many spreads a gauge moves, this many calls away from the node that fails; `None` if not.
fn seen(
    gauge: Gauge,
    fault: Gauge,
    distance: usize,
    strong: f64,
    slow: f64,
    fade: f64,
    rng: &mut Generator,
) -> Option<f64> {
    let faded = fade.powi(distance as i32) * between(0.7, 1.3, rng);
    match gauge {
        _ if distance == 0 && gauge == fault => Some(strong),
        Gauge::Latency => Some(slow * faded),
        Gauge::Errors if fault == Gauge::Errors => Some(0.7 * strong * faded),
        Gauge::Errors if chance(0.3, rng) => Some(0.3 * slow * faded),
        Gauge::Traffic if chance(0.5, rng) => Some(-between(0.2, 1.5, rng) * faded),
        Gauge::Processor | Gauge::Network if distance == 0 && chance(0.5, rng) => {
            Some(0.3 * strong * between(-1.0, 1.0, rng))
        }
        Gauge::Threads if chance(0.5, rng) => Some(0.5 * slow * faded),
        _ => None,
    }
}

/// A gauge when nothing fails, with a spread of about 1 around a level.
fn usual(gauge: Gauge, load: &[f64], rng: &mut Generator) -> Vec<f64> {
    let rows = load.len();
    let with_load = |share: f64, habit: Habit, level: f64, rng: &mut Generator| -> Vec<f64> {
        let own = habit.rows(rows, rng);
        own.iter().zip(load).map(|(own, load)| level + own + share * load).collect()
    };
    let level = log_between(3.0, 100.0, rng);
    match gauge {
        Gauge::Latency => {
            let share = between(0.0, 1.0, rng);
            let habit =
                one_of(&[Habit::HeavyTailed, Habit::Autoregressive(0.5), Habit::Bursts], rng);
            with_load(share, habit, level, rng)
        }
        Gauge::Errors => {
            // Errors are counted; many services have none at all.
            let rate = if chance(0.5, rng) { 0.0 } else { log_between(0.02, 3.0, rng) };
            (0..rows).map(|_| poisson(rate, rng)).collect()
        }
        Gauge::Processor => {
            let (share, memory) = (between(0.2, 1.5, rng), one_of(&[0.0, 0.5, 0.9], rng));
            with_load(share, Habit::Autoregressive(memory), level, rng)
        }
        Gauge::Memory => {
            let habits = [Habit::Autoregressive(0.98), Habit::Sawtooth, Habit::RandomWalk];
            with_load(0.0, one_of(&habits, rng), level, rng)
        }
        Gauge::Traffic => {
            let rate = log_between(1.0, 200.0, rng);
            let wave = load.iter().map(|load| rate * (1.0 + 0.2 * load).max(0.05));
            wave.map(|rate| poisson(rate, rng) / rate.sqrt()).collect()
        }
        Gauge::Disk => with_load(0.2, Habit::Bursts, level, rng),
        Gauge::Network => with_load(0.8, Habit::HeavyTailed, level, rng),
        Gauge::Threads => {
            let habit = one_of(&[Habit::NearlyConstant, Habit::Counts], rng);
            with_load(0.0, habit, level.round(), rng)
        }
    }
}

fn add(gauge: Gauge, values: &mut [f64], profile: &Profile, reach: &Reach, rng: &mut Generator) {
    for (row, value) in values.iter_mut().enumerate() {
        let extra = reach.strength * profile.at(row, reach.delay);
        match gauge {
            // Whole numbers stay whole.
            Gauge::Errors => *value += poisson(extra.max(0.0), rng),
            Gauge::Threads => *value += extra.round(),
            _ => *value += extra,
        }
    }
}
