//! A simulated comparison of two profiled programs.

use crate::population::Generator;
use fathom_stats::joint::BlockDifferences;
use rand_core::Rng;
use rand_distr::{Distribution, Poisson, StandardNormal};

/// What the blocks say, and what is true.
pub(super) struct Profiled {
    pub(super) differences: BlockDifferences,
    /// By how much each function takes longer, in seconds per run.
    pub(super) truth: Vec<f64>,
}

impl Profiled {
    /// The differences of the whole program.
    pub(super) fn whole(&self) -> Vec<f64> {
        (0..self.differences.blocks()).map(|block| self.differences.of_block(block).sum()).collect()
    }
}

/// What a slot of the machine does to whatever runs in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Machine {
    /// Nothing.
    Quiet,
    /// All functions of a run are slower or faster together, by this standard deviation.
    Common(f64),
    /// Runs take twice as long while another program runs, which is in some slots.
    Bursts,
    /// It gets slower from block to block.
    Drift,
}

impl Machine {
    /// The factor of each of the four slots of a block; 1 on average.
    fn slots(self, block: usize, blocks: usize, rng: &mut Generator) -> [f64; 4] {
        let mut normal = || -> f64 { StandardNormal.sample(rng) };
        match self {
            Machine::Quiet => [1.0; 4],
            Machine::Common(sd) => [0; 4].map(|_| (sd * normal() - 0.5 * sd * sd).exp()),
            // The other program runs in a fifth of all slots.
            Machine::Bursts => [0; 4].map(|_| if normal() > 0.8416 { 2.0 } else { 1.0 } / 1.2),
            Machine::Drift => {
                let place = |slot: f64| (block as f64 + slot / 4.0) / blocks as f64;
                [0.0, 1.0, 2.0, 3.0].map(|slot| 1.0 + 0.2 * (place(slot) - 0.5))
            }
        }
    }
}

/// A program, its change and how it is seen.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// Seconds per run of each function.
    pub(super) takes: Vec<f64>,
    /// By which factor each takes longer in the subject.
    pub(super) factors: Vec<f64>,
    /// The standard deviation of the logarithm of a function's own noise.
    pub(super) noise: f64,
    /// Samples per second; `None` sees everything.
    pub(super) sampled: Option<f64>,
}

impl Program {
    pub(super) fn profiled(
        &self,
        machine: Machine,
        blocks: usize,
        rng: &mut Generator,
    ) -> Profiled {
        let functions = self.takes.len();
        let mut differences = vec![Vec::with_capacity(blocks); functions];
        for block in 0..blocks {
            let slots = machine.slots(block, blocks, rng);
            let is_abba = rng.next_u64() & 1 == 0;
            let subject_in = if is_abba { [1, 2] } else { [0, 3] };
            for (function, differences) in differences.iter_mut().enumerate() {
                let mut difference = 0.0;
                for (slot, factor) in slots.into_iter().enumerate() {
                    let is_subject = subject_in.contains(&slot);
                    let seen = self.seen(function, is_subject, factor, rng);
                    difference += if is_subject { seen } else { -seen };
                }
                differences.push(difference / 2.0);
            }
        }
        let truth = self.takes.iter().zip(&self.factors);
        Profiled {
            differences: BlockDifferences::new(differences)
                .unwrap_or_else(|error| panic!("{error}")),
            truth: truth.map(|(takes, factor)| takes * (factor - 1.0)).collect(),
        }
    }

    /// What the sampler sees of a function in one run, in seconds.
    fn seen(&self, function: usize, is_subject: bool, slot: f64, rng: &mut Generator) -> f64 {
        let own: f64 = StandardNormal.sample(rng);
        let own = (self.noise * own - 0.5 * self.noise * self.noise).exp();
        let factor = if is_subject { self.factors[function] } else { 1.0 };
        let takes = self.takes[function] * factor * slot * own;
        match self.sampled {
            None => takes,
            Some(rate) => match Poisson::new(takes * rate) {
                Ok(samples) => samples.sample(rng) / rate,
                // It takes no time.
                Err(_) => 0.0,
            },
        }
    }
}
