//! Whether the words and the warnings mean something: runs with known truth.
//!
//! `cargo test --release -p fathom-explain --lib align::tests::simulated -- --ignored --nocapture`
//! prints the table in `docs/methods/alignment.md`.

use super::*;
use crate::align::Fit;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::f64::consts::TAU;

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn even(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.even().max(1e-300).ln()).sqrt() * (TAU * self.even()).cos()
    }
}

/// What a program does over its work.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Profile {
    /// Noise that remembers.
    Wandering(f64),
    /// Levels that last 20 to 150 samples.
    Phases,
    /// Periods of 50 samples.
    Waves,
    /// Five samples deep every 40 to 80: pauses.
    Dips,
}

const PROFILES: [Profile; 6] = [
    Profile::Wandering(0.0),
    Profile::Wandering(0.9),
    Profile::Wandering(0.99),
    Profile::Phases,
    Profile::Waves,
    Profile::Dips,
];

impl Profile {
    fn heights(self, count: usize, dice: &mut Dice) -> Vec<f64> {
        let mut heights = Vec::with_capacity(count);
        match self {
            Profile::Wandering(memory) => {
                let mut height = 0.0;
                heights.extend((0..count).map(|_| {
                    height = memory * height + dice.normal();
                    height
                }));
            }
            Profile::Phases => {
                while heights.len() < count {
                    let length = 20 + (dice.even() * 130.0) as usize;
                    let height = (dice.even() * 5.0).floor();
                    heights.extend(std::iter::repeat_n(height, length));
                }
                heights.truncate(count);
            }
            Profile::Waves => {
                let mut phase = TAU * dice.even();
                heights.extend((0..count).map(|_| {
                    phase += TAU / 50.0 * (0.8 + 0.4 * dice.even());
                    phase.sin()
                }));
            }
            Profile::Dips => {
                heights.resize(count, 0.0);
                let mut start = 20.0;
                while (start as usize) + 5 < count {
                    heights[start as usize..][..5].fill(-3.0);
                    start += 40.0 + 40.0 * dice.even();
                }
            }
        }
        heights
    }
}

/// A run: what is measured, and how much work was done at each sample. The pace changes by up to a
/// third along the way.
fn measured(heights: &[f64], noise: f64, dice: &mut Dice) -> (Vec<f64>, Vec<f64>) {
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    let squares: f64 = heights.iter().map(|height| (height - mean).powi(2)).sum();
    let deviation = (squares / heights.len() as f64).sqrt();
    let (slow, quick, pace) = (TAU * dice.even(), TAU * dice.even(), 0.8 + 0.4 * dice.even());
    let (mut values, mut work, mut done) = (Vec::new(), Vec::new(), 0.0_f64);
    while (done as usize) < heights.len() {
        let (row, share) = (done as usize, done.fract());
        let next = heights.get(row + 1).copied().unwrap_or(heights[row]);
        let height = heights[row] * (1.0 - share) + next * share;
        values.push(height + noise * deviation * dice.normal());
        work.push(done);
        let along = TAU * done / heights.len() as f64;
        let change = 0.7 * (2.0 * along + slow).sin() + 0.3 * (5.0 * along + quick).sin();
        done += pace * (1.0 + 0.3 * change);
    }
    (values, work)
}

/// What came out of one pair of runs.
struct Outcome {
    fit: Fit,
    local: bool,
    global: bool,
    /// How far the worse end is off, in lengths of the window.
    off: f64,
}

fn outcome(profile: Profile, noise: f64, related: bool, count: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed);
    let heights = profile.heights(count, &mut dice);
    let others = if related { heights.clone() } else { profile.heights(count, &mut dice) };
    let (here, work_here) = measured(&heights, noise, &mut dice);
    let (there, work_there) = measured(&others, noise, &mut dice);
    let length = here.len() / 10;
    let first = (dice.even() * (here.len() - length) as f64) as usize;
    let last = first + length - 1;
    let traces = Traces::default().gauge("here", "m", &here).gauge("there", "m", &there);
    let aligned = traces.align(&select("m", &[rows(first, last)])).unwrap();
    let there = run(&aligned, "there");
    let says = |word: &str| there.warnings.iter().any(|warning| warning.contains(word));
    let true_row = |row: usize| work_there.partition_point(|&done| done < work_here[row]) as f64;
    let (start, end) = there.windows[0];
    let (start, end) = (start.seconds() + 1.0, end.seconds());
    Outcome {
        fit: there.quality.unwrap().fit,
        local: says("local incorrectness"),
        global: says("global incorrectness"),
        off: (start - true_row(first)).abs().max((end - true_row(last)).abs()) / length as f64,
    }
}

fn outcomes(profile: Profile, noise: f64, related: bool, seeds: u64, count: usize) -> Vec<Outcome> {
    (0..seeds).map(|seed| outcome(profile, noise, related, count, seed)).collect()
}

fn share(outcomes: &[Outcome], is: impl Fn(&Outcome) -> bool) -> f64 {
    outcomes.iter().filter(|outcome| is(outcome)).count() as f64 / outcomes.len().max(1) as f64
}

/// With few pairs, what the method's page shows for many.
#[test]
fn words_mean_something() {
    for profile in PROFILES {
        let same = outcomes(profile, 0.1, true, 8, 500);
        assert_eq!(share(&same, |one| one.fit == Fit::Poor), 0.0, "{profile:?}");
        assert!(share(&same, |one| one.global) <= 0.125, "{profile:?}");
        let others = outcomes(profile, 0.1, false, 8, 500);
        assert!(share(&others, |one| one.fit == Fit::Good) <= 0.125, "{profile:?}");
        if let Profile::Wandering(memory) = profile {
            assert!(share(&same, |one| one.local || one.off > 0.1) <= 0.125, "{profile:?}");
            let least = if memory > 0.95 { 0.5 } else { 0.875 };
            assert!(share(&others, |one| one.fit == Fit::Poor) >= least, "{profile:?}");
        }
    }
    // Ends on even stretches are mostly noticed.
    let even = outcomes(Profile::Phases, 0.0, true, 16, 500);
    let unnoticed = share(&even, |one| one.off > 0.1 && !one.local);
    assert!(unnoticed <= 0.2 && share(&even, |one| one.local) > 0.4, "{unnoticed}");
}

#[test]
#[ignore = "prints a table, and takes a minute"]
fn table() {
    println!(
        "| profile | noise | runs | good | fair | poor | local | global | off by more than a tenth | and no word of it |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for profile in PROFILES {
        for noise in [0.0, 0.1, 0.3, 1.0] {
            for related in [true, false] {
                let all = outcomes(profile, noise, related, 100, 1000);
                let cells = [
                    share(&all, |one| one.fit == Fit::Good),
                    share(&all, |one| one.fit == Fit::Fair),
                    share(&all, |one| one.fit == Fit::Poor),
                    share(&all, |one| one.local),
                    share(&all, |one| one.global),
                    share(&all, |one| one.off > 0.1),
                    share(&all, |one| {
                        one.off > 0.1 && one.fit == Fit::Good && !one.local && !one.global
                    }),
                ];
                let cells = cells.map(|cell| format!("{:.0}%", 100.0 * cell)).join(" | ");
                let kind = if related { "the same" } else { "unrelated" };
                println!("| {profile:?} | {noise} | {kind} | {cells} |");
            }
        }
    }
}
