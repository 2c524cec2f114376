//! Programs, machines and changes.

use super::profiled::{Machine, Profiled, Program};
use crate::population::Generator;

/// A program on a machine, with a change or none.
#[derive(Debug, Clone)]
pub(super) struct World {
    name: &'static str,
    program: Program,
    machine: Machine,
}

/// Seconds per run of `n` functions of a program of 20 ms, sizes falling as those of real profiles do.
fn sizes(n: usize) -> Vec<f64> {
    let weights: Vec<f64> = (1..=n).map(|rank| (rank as f64).powf(-1.3)).collect();
    let all: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| 0.02 * weight / all).collect()
}

impl World {
    /// `n` functions of which every `each`-th takes `factor` as long; none if `each` is 0.
    fn new(name: &'static str, n: usize, machine: Machine, (each, factor): (usize, f64)) -> World {
        let changes = |function: usize| each > 0 && function % each == each / 2;
        let factors = (0..n).map(|function| if changes(function) { factor } else { 1.0 }).collect();
        let program = Program { takes: sizes(n), factors, noise: 0.02, sampled: Some(2000.0) };
        World { name, program, machine }
    }

    fn noisy(mut self, noise: f64) -> World {
        self.program.noise = noise;
        self
    }

    /// Times that are measured, not sampled, such as those of system calls.
    fn measured(mut self) -> World {
        self.program.sampled = None;
        self
    }

    pub(super) fn all() -> Vec<World> {
        let none = (0, 1.0);
        vec![
            World::new("300, nothing changed", 300, Machine::Quiet, none),
            World::new("300, all wander together by 10%", 300, Machine::Common(0.1), none),
            World::new("300, bursts of other load", 300, Machine::Bursts, none),
            World::new("300, drift of 20%", 300, Machine::Drift, none),
            World::new("300, own noise of 100%", 300, Machine::Quiet, none).noisy(1.0),
            World::new("30, measured, own noise of 100%", 30, Machine::Common(0.1), none)
                .noisy(1.0)
                .measured(),
            World::new("300, every 30th takes 20% longer", 300, Machine::Common(0.05), (30, 1.2)),
            World::new(
                "300, every 30th takes 5 times as long",
                300,
                Machine::Common(0.05),
                (30, 5.0),
            ),
            World::new("300, every 30th vanishes", 300, Machine::Common(0.05), (30, 0.0)),
            World::new("30, every 3rd takes 50% longer, bursts", 30, Machine::Bursts, (3, 1.5)),
            World::new("5, measured, one takes 10% longer", 5, Machine::Common(0.1), (5, 1.1))
                .measured(),
        ]
    }

    pub(super) fn name(&self) -> String {
        self.name.to_string()
    }

    /// Whether anything takes longer or shorter.
    pub(super) fn changes(&self) -> bool {
        self.program.factors.iter().any(|factor| *factor != 1.0)
    }

    pub(super) fn profiled(&self, blocks: usize, rng: &mut Generator) -> Profiled {
        self.program.profiled(self.machine, blocks, rng)
    }
}
