//! What is compared: machines and distributions, with the ratio that is true.

use crate::noise::{BLOCK, Luck, Machine, Neighbour, Noise, Smooth};
use crate::population::{Generator, generator};
use fathom_stats::distribution::normal;
use fathom_stats::tails::BlockRuns;
use rand_distr::{Distribution, Exp1, Open01, StandardNormal, StudentT};

/// The score of the 95% quantile.
const Z95: f64 = 1.644_853_626_951_472_6;
/// A subject in a slow phase takes this many times as long.
const SLOWER: f64 = 1.5;
/// The share of the time that it is slow.
const SLOW: f64 = 0.2;
const SIGMA: f64 = 0.1;

/// Two subjects on a machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum World {
    /// The subject takes this many times as long, on this machine.
    Constant(Noise, f64),
    /// Independent logarithms with standard deviation .3; above the 95% quantile the subject's are
    /// stretched by this.
    Stretched(f64),
    /// Independent normal logarithms with these standard deviations, reference and subject.
    Normal(f64, f64),
    /// As many of the subject's runs stall, for an exponential time with the mean of a run.
    Stalling(f64),
    /// Other load, in bursts of this mean length in seconds, under which the reference goes at half its
    /// speed and the subject at two thirds.
    Sturdier(f64),
    /// The logarithms of the runs are an autoregressive series with this coefficient, and the subject's
    /// are twice as large.
    Remembering(f64),
    /// The subject alone has slow phases of this many blocks on average.
    Phases(f64),
}

impl World {
    pub(super) fn name(self) -> String {
        match self {
            World::Constant(noise, ratio) => format!("{}; × {ratio}", noise.name()),
            World::Stretched(factor) => {
                format!("σ 0.3; above p95 stretched by {}", (100.0 * factor).round() / 100.0)
            }
            World::Normal(reference, subject) => format!("σ {reference} and {subject}"),
            World::Stalling(share) => format!("σ 0.1; {:.0}% of the runs stall", 100.0 * share),
            World::Sturdier(mean) => {
                format!("bursts of {} ms, slower by 2 and by 1.5", 1e3 * mean)
            }
            World::Remembering(phi) => format!("AR({phi}) of runs, σ 0.1 and 0.2"),
            World::Phases(mean) => format!("σ 0.1; × {SLOWER} in phases of {mean} blocks"),
        }
    }

    /// The runs of a session.
    pub(super) fn blocks(self, n: usize, rng: &mut Generator) -> Vec<BlockRuns> {
        match self {
            World::Constant(noise, ratio) => machine(noise, [ratio, 0.5], n, rng),
            World::Sturdier(mean) => machine(Self::bursts(mean), [1.0, 2.0 / 3.0], n, rng),
            World::Remembering(phi) => {
                let mut state = standard(rng);
                let mut run = |is_subject: bool, rng: &mut Generator| {
                    state = phi * state + (1.0 - phi * phi).sqrt() * standard(rng);
                    (state * if is_subject { 2.0 * SIGMA } else { SIGMA }).exp()
                };
                (0..n).filter_map(|_| block(rng, &mut run)).collect()
            }
            World::Phases(mean) => {
                let mut is_slow = uniform(rng) < SLOW;
                let ends = 1.0 / mean;
                let begins = ends * SLOW / (1.0 - SLOW);
                (0..n)
                    .filter_map(|_| {
                        if uniform(rng) < if is_slow { ends } else { begins } {
                            is_slow = !is_slow;
                        }
                        block(rng, &mut |is_subject, rng| {
                            let factor = if is_subject && is_slow { SLOWER } else { 1.0 };
                            factor * (SIGMA * standard(rng)).exp()
                        })
                    })
                    .collect()
            }
            World::Stretched(_) | World::Normal(..) | World::Stalling(_) => {
                let mut run =
                    |is_subject: bool, rng: &mut Generator| self.draw(is_subject, rng).exp();
                (0..n).filter_map(|_| block(rng, &mut run)).collect()
            }
        }
    }

    /// The logarithm of an independent run.
    fn draw(self, is_subject: bool, rng: &mut Generator) -> f64 {
        let z = standard(rng);
        match self {
            World::Stretched(factor) if is_subject && z > Z95 => 0.3 * (Z95 + factor * (z - Z95)),
            World::Normal(reference, subject) => z * if is_subject { subject } else { reference },
            World::Stalling(share) if is_subject && uniform(rng) < share => {
                let stall: f64 = Exp1.sample(rng);
                SIGMA * z + stall.ln_1p()
            }
            World::Stalling(_) => SIGMA * z,
            _ => 0.3 * z,
        }
    }

    fn bursts(mean: f64) -> Noise {
        Noise::neighbour(Neighbour::Exponential(mean), 0.02)
    }

    /// The true log-ratio of the p-quantiles over all times.
    pub(super) fn truth(self, p: f64) -> f64 {
        let z = normal::quantile(p);
        match self {
            World::Constant(_, ratio) => ratio.ln(),
            World::Stretched(factor) => 0.3 * (factor - 1.0) * (z - Z95).max(0.0),
            World::Normal(reference, subject) => (subject - reference) * z,
            World::Remembering(_) => SIGMA * z,
            World::Phases(_) => {
                let below = |x: f64| {
                    (1.0 - SLOW) * normal::cdf(x / SIGMA)
                        + SLOW * normal::cdf((x - SLOWER.ln()) / SIGMA)
                };
                inverse(below, p) - SIGMA * z
            }
            World::Stalling(share) => {
                const STEPS: u32 = 2000;
                let stalls: Vec<f64> = (0..STEPS)
                    .map(|step| (-((f64::from(step) + 0.5) / f64::from(STEPS)).ln()).ln_1p())
                    .collect();
                let below = |x: f64| {
                    let stalled = stalls.iter().map(|stall| normal::cdf((x - stall) / SIGMA));
                    (1.0 - share) * normal::cdf(x / SIGMA)
                        + share * stalled.sum::<f64>() / f64::from(STEPS)
                };
                inverse(below, p) - SIGMA * z
            }
            World::Sturdier(_) => self.truth_of_long_sessions(p),
        }
    }

    fn truth_of_long_sessions(self, p: f64) -> f64 {
        const SESSIONS: u64 = 40;
        const BLOCKS: usize = 20_000;
        let mut runs = [Vec::new(), Vec::new()];
        for session in 0..SESSIONS {
            for block in self.blocks(BLOCKS, &mut generator(19_051_201, session)) {
                runs[0].extend_from_slice(block.reference());
                runs[1].extend_from_slice(block.subject());
            }
        }
        let [reference, subject] = runs.map(|mut runs| {
            let place = (p * runs.len() as f64) as usize;
            *runs.select_nth_unstable_by(place, f64::total_cmp).1
        });
        (subject / reference).ln()
    }
}

/// Where a distribution function reaches p.
fn inverse(below: impl Fn(f64) -> f64, p: f64) -> f64 {
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if below(middle) < p { low = middle } else { high = middle }
    }
    high
}

fn standard(rng: &mut Generator) -> f64 {
    StandardNormal.sample(rng)
}

fn uniform(rng: &mut Generator) -> f64 {
    Open01.sample(rng)
}

/// A block in the order of a coin.
fn block(
    rng: &mut Generator,
    run: &mut impl FnMut(bool, &mut Generator) -> f64,
) -> Option<BlockRuns> {
    let subject_first = uniform(rng) < 0.5;
    let slots = [subject_first, !subject_first, !subject_first, subject_first];
    let [outer, inner, inner_again, outer_again] = slots.map(|is_subject| run(is_subject, rng));
    let (first, second) = ([outer, outer_again], [inner, inner_again]);
    if subject_first { BlockRuns::of(first, second) } else { BlockRuns::of(second, first) }
}

fn machine(
    noise: Noise,
    [ratio, beside]: [f64; 2],
    n: usize,
    rng: &mut Generator,
) -> Vec<BlockRuns> {
    let mut machine = Machine::new(noise, n as f64 * BLOCK, rng);
    (0..n)
        .filter_map(|_| {
            let subject_first = machine.coin();
            let slots = [subject_first, !subject_first, !subject_first, subject_first];
            let [outer, inner, inner_again, outer_again] = slots.map(|is_subject| {
                if is_subject { machine.run_beside(ratio, beside) } else { machine.run(1.0) }
            });
            let (first, second) = ([outer, outer_again], [inner, inner_again]);
            if subject_first { BlockRuns::of(first, second) } else { BlockRuns::of(second, first) }
        })
        .collect()
}

/// A ratio that is the same for every run.
pub(super) fn constant() -> Vec<World> {
    let on = |noise| World::Constant(noise, 1.0);
    vec![
        World::Constant(Noise::luck(Luck::Normal(0.3)), 1.05),
        World::Constant(Noise::luck(Luck::HeavyTailed(0.02)), 1.05),
        World::Constant(Noise::luck(Luck::Remembering(0.8)), 1.05),
        World::Constant(Noise::luck(Luck::Growing), 1.05),
        on(Noise::smooth(Smooth::Drift(0.06))),
        on(Noise::smooth(Smooth::Wave(BLOCK))),
        on(Noise::smooth(Smooth::Walk(0.03))),
        on(Noise::neighbour(Neighbour::Exponential(0.001), 0.005)),
        on(Noise::neighbour(Neighbour::Exponential(0.05), 0.005)),
        on(Noise::neighbour(Neighbour::Exponential(0.5), 0.005)),
        on(Noise::neighbour(Neighbour::Toggling(0.3), 0.01)),
        on(Noise::neighbour(Neighbour::TakingTurns(0.3), 0.01)),
    ]
}

/// Subjects whose distributions differ by more than a factor.
pub(super) fn differing() -> Vec<World> {
    vec![
        World::Stretched(3.0),
        World::Stretched(1.0 / 3.0),
        World::Normal(0.3, 0.03),
        World::Normal(0.1, 0.3),
        World::Stalling(0.02),
        World::Stalling(0.1),
        World::Sturdier(0.005),
        World::Sturdier(0.05),
        World::Remembering(0.5),
        World::Remembering(0.8),
    ]
}

/// The density of Student's t with three degrees of freedom at its p-quantile.
pub(super) fn density_of_t3(p: f64) -> f64 {
    let below = |t: f64| {
        let root = 3_f64.sqrt();
        0.5 + ((t / root).atan() + (t / root) / (1.0 + t * t / 3.0)) / std::f64::consts::PI
    };
    let (mut low, mut high) = (0.0, 1000.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if below(middle) < p { low = middle } else { high = middle }
    }
    2.0 / (std::f64::consts::PI * 3_f64.sqrt() * (1.0 + high * high / 3.0).powi(2))
}

/// A draw of Student's t with three degrees of freedom.
pub(super) fn t3(rng: &mut Generator) -> f64 {
    StudentT::new(3.0).map_or(0.0, |law| law.sample(rng))
}
