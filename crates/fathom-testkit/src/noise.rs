//! A machine whose speed changes while it is measured: the noise model of bench_diff.
//!
//! A run of a subject takes λ·α(t)·β: λ is the work, α the machine's speed at that moment, smooth
//! in time, and β its own bad luck. Other load may come and go, and while it runs the processor
//! goes at half speed. Time advances by what runs take, so a slower subject meets other moments
//! than a faster one would.

use crate::population::Generator;
use rand_distr::{Distribution, Exp1, Open01, StandardNormal, StudentT};
use std::f64::consts::TAU;

/// A run on a quiet machine, in seconds.
pub const RUN: f64 = 0.0116;
/// What passes between two runs.
pub const BETWEEN: f64 = 0.0002;
/// A block of two runs each of two subjects, on a quiet machine.
pub const BLOCK: f64 = 4.0 * (RUN + BETWEEN);

/// How the machine's speed changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smooth {
    /// Not at all.
    Still,
    /// Slower by this share at the end of the session, in a straight line.
    Drift(f64),
    /// To and fro by 5%, with this period in seconds, from a random place.
    Wave(f64),
    /// A random walk with this standard deviation after a second.
    Walk(f64),
}

/// What is left to chance in a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Luck {
    /// ln β is normal with this standard deviation.
    Normal(f64),
    /// ln β is Student's t with three degrees of freedom, times this.
    HeavyTailed(f64),
    /// ln β remembers this share of what it was in the run before; standard deviation .02.
    Remembering(f64),
    /// ln β is normal with .01 at first, growing to ten times that by the end of the session.
    Growing,
}

/// Another program on the same processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Neighbour {
    /// None.
    Absent,
    /// There and away for times that are exponential with this mean, in seconds.
    Exponential(f64),
    /// There and away for exactly this long, in seconds, from a random place.
    Toggling(f64),
    /// The same, but while it runs a scheduler alternates the whole processor between both, 4 ms at
    /// a time.
    TakingTurns(f64),
}

/// What disturbs the measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The smooth part.
    pub smooth: Smooth,
    /// The part left to chance.
    pub luck: Luck,
    /// The neighbour.
    pub neighbour: Neighbour,
}

impl Noise {
    /// Only independent luck.
    #[must_use]
    pub fn luck(luck: Luck) -> Noise {
        Noise { smooth: Smooth::Still, luck, neighbour: Neighbour::Absent }
    }

    /// Changing speed, and luck with a standard deviation of .005.
    #[must_use]
    pub fn smooth(smooth: Smooth) -> Noise {
        Noise { smooth, ..Noise::luck(Luck::Normal(0.005)) }
    }

    /// A neighbour, and luck with this standard deviation.
    #[must_use]
    pub fn neighbour(neighbour: Neighbour, sd: f64) -> Noise {
        Noise { neighbour, ..Noise::luck(Luck::Normal(sd)) }
    }

    /// Its name in tables.
    #[must_use]
    pub fn name(&self) -> String {
        let mut parts = Vec::new();
        match self.smooth {
            Smooth::Still => {}
            Smooth::Drift(share) => parts.push(format!("drift of {:.0}%", 100.0 * share)),
            Smooth::Wave(period) if (period - BLOCK).abs() < 1e-9 => {
                parts.push("wave, one block".to_string());
            }
            Smooth::Wave(period) => parts.push(format!("wave, {period} s")),
            Smooth::Walk(_) => parts.push("random walk".to_string()),
        }
        match self.neighbour {
            Neighbour::Absent => {}
            Neighbour::Exponential(mean) => parts.push(format!("bursts of {} ms", 1e3 * mean)),
            Neighbour::Toggling(half) => parts.push(format!("toggling {} ms", 1e3 * half)),
            Neighbour::TakingTurns(half) => {
                parts.push(format!("toggling {} ms, turns of 4 ms", 1e3 * half));
            }
        }
        match self.luck {
            Luck::Normal(sd) => parts.push(format!("σ {sd}")),
            Luck::HeavyTailed(scale) => parts.push(format!("t₃ × {scale}")),
            Luck::Remembering(phi) => parts.push(format!("AR({phi}) of runs, σ 0.02")),
            Luck::Growing => parts.push("σ growing, 0.01 to 0.1".to_string()),
        }
        parts.join(", ")
    }
}

/// How fast the processor goes under the load.
const BESIDE: f64 = 0.5;
const TURN: f64 = 0.004;
const WAVE: f64 = 0.05;
const REMEMBERING_SD: f64 = 0.02;

/// A machine at some moment of a session.
#[derive(Debug)]
pub struct Machine<'a> {
    noise: Noise,
    session: f64,
    /// What a run takes on a quiet machine, and what passes between two of them.
    run: f64,
    between: f64,
    clock: f64,
    rng: &'a mut Generator,
    /// Where a wave starts, in radians.
    phase: f64,
    walked: f64,
    remembered: f64,
    /// Whether the neighbour has the processor, or half of it.
    neighbour_is_there: bool,
    /// When that changes next.
    change: f64,
    /// When the load that alternates starts or stops next.
    phase_end: f64,
    takes_turns_now: bool,
}

impl<'a> Machine<'a> {
    /// A machine at the start of a session that is planned to last this many seconds.
    #[must_use]
    pub fn new(noise: Noise, session: f64, rng: &'a mut Generator) -> Machine<'a> {
        let uniform: f64 = Open01.sample(rng);
        let remembered: f64 = StandardNormal.sample(rng);
        let (neighbour_is_there, change) = match noise.neighbour {
            Neighbour::Absent => (false, f64::INFINITY),
            Neighbour::Exponential(mean) => (uniform < 0.5, mean * exponential(rng)),
            Neighbour::Toggling(half) => (uniform < 0.5, half * (2.0 * uniform).fract()),
            Neighbour::TakingTurns(half) => (false, half * uniform),
        };
        Machine {
            noise,
            session,
            run: RUN,
            between: BETWEEN,
            clock: 0.0,
            rng,
            phase: TAU * uniform,
            walked: 0.0,
            remembered,
            neighbour_is_there,
            change,
            phase_end: change,
            takes_turns_now: false,
        }
    }

    /// The same machine for shorter or longer runs, with this much between them, in seconds.
    #[must_use]
    pub fn with_runs_of(self, run: f64, between: f64) -> Machine<'a> {
        Machine { run, between, ..self }
    }

    /// Seconds since the start.
    #[must_use]
    pub fn clock(&self) -> f64 {
        self.clock
    }

    /// Waits for a random time up to this many seconds.
    pub fn pause(&mut self, longest: f64) {
        let uniform: f64 = Open01.sample(self.rng);
        self.pass(longest * uniform);
    }

    /// A fair coin.
    pub fn coin(&mut self) -> bool {
        let uniform: f64 = Open01.sample(self.rng);
        uniform < 0.5
    }

    /// A standard normal number, for what is not the machine's own noise.
    pub fn normal(&mut self) -> f64 {
        StandardNormal.sample(self.rng)
    }

    /// Puts things into a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let uniform: f64 = Open01.sample(self.rng);
            things.swap(last, ((last + 1) as f64 * uniform) as usize);
        }
    }

    /// Runs a subject whose work is `ratio` times that of the reference, and says how long it took.
    pub fn run(&mut self, ratio: f64) -> f64 {
        self.run_beside(ratio, BESIDE)
    }

    /// The same for a subject that goes at speed `beside` under the load.
    pub fn run_beside(&mut self, ratio: f64, beside: f64) -> f64 {
        let takes_all = matches!(self.noise.neighbour, Neighbour::TakingTurns(_));
        let beside = if takes_all { 0.0 } else { beside };
        let mut work = self.run * ratio * (self.smooth() + self.luck()).exp();
        let start = self.clock;
        loop {
            let speed = if self.neighbour_is_there { beside } else { 1.0 };
            let end = self.clock + work / speed;
            if end <= self.change {
                self.clock = end;
                break;
            }
            work -= (self.change - self.clock) * speed;
            self.clock = self.change;
            self.toggle();
        }
        let took = self.clock - start;
        self.pass(self.between);
        took
    }

    fn pass(&mut self, seconds: f64) {
        self.clock += seconds;
        while self.change < self.clock {
            self.toggle();
        }
    }

    fn toggle(&mut self) {
        if let Neighbour::TakingTurns(half) = self.noise.neighbour {
            if self.change >= self.phase_end {
                self.takes_turns_now = !self.takes_turns_now;
                self.phase_end += half;
            }
            self.neighbour_is_there = self.takes_turns_now && !self.neighbour_is_there;
            let next = if self.takes_turns_now { self.change + TURN } else { f64::INFINITY };
            self.change = next.min(self.phase_end);
            return;
        }
        self.neighbour_is_there = !self.neighbour_is_there;
        self.change += match self.noise.neighbour {
            Neighbour::Absent => f64::INFINITY,
            Neighbour::Exponential(mean) => mean * exponential(self.rng),
            Neighbour::Toggling(half) | Neighbour::TakingTurns(half) => half,
        };
    }

    fn smooth(&mut self) -> f64 {
        match self.noise.smooth {
            Smooth::Still => 0.0,
            Smooth::Drift(share) => (share * self.clock / self.session).ln_1p(),
            Smooth::Wave(period) => WAVE * (self.phase + TAU * self.clock / period).sin(),
            Smooth::Walk(sd) => {
                let step: f64 = StandardNormal.sample(self.rng);
                self.walked += sd * (self.run + self.between).sqrt() * step;
                self.walked
            }
        }
    }

    fn luck(&mut self) -> f64 {
        let z: f64 = StandardNormal.sample(self.rng);
        match self.noise.luck {
            Luck::Normal(sd) => sd * z,
            // Student's t is the normal over the root of a mean of three squares.
            Luck::HeavyTailed(scale) => {
                scale * StudentT::new(3.0).map_or(z, |t| t.sample(self.rng))
            }
            Luck::Remembering(phi) => {
                self.remembered = phi * self.remembered + (1.0 - phi * phi).sqrt() * z;
                REMEMBERING_SD * self.remembered
            }
            Luck::Growing => {
                let share = (self.clock / self.session).min(1.0);
                (0.01 + 0.09 * share) * z
            }
        }
    }
}

fn exponential(rng: &mut Generator) -> f64 {
    Exp1.sample(rng)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::generator;

    const QUIET: Luck = Luck::Normal(0.0);

    #[test]
    fn a_quiet_machine_takes_what_the_work_takes() {
        let mut rng = generator(1, 0);
        let mut machine = Machine::new(Noise::luck(QUIET), 1.0, &mut rng);
        assert_eq!(machine.run(1.0), RUN);
        assert!((machine.run(1.5) - 1.5 * RUN).abs() < 1e-15);
        assert!((machine.clock() - (2.5 * RUN + 2.0 * BETWEEN)).abs() < 1e-12);
    }

    #[test]
    fn a_run_is_lengthened_by_what_it_overlaps() {
        let mut rng = generator(1, 1);
        let noise = Noise::neighbour(Neighbour::Toggling(0.3), 0.0);
        let mut machine = Machine::new(noise, 1.0, &mut rng);
        let (mut short, mut long, mut mixed, mut total) = (0, 0, 0, 0.0);
        for _ in 0..10_000 {
            let took = machine.run(1.0) / RUN;
            total += took;
            match took {
                took if (took - 1.0).abs() < 1e-9 => short += 1,
                took if (took - 2.0).abs() < 1e-9 => long += 1,
                took => {
                    assert!((1.0..=2.0).contains(&took), "{took}");
                    mixed += 1;
                }
            }
        }
        assert!(short > 6000 && long > 3000 && mixed > 300, "{short} {long} {mixed}");
        // Half of the time at half speed.
        assert!((total / 10_000.0 - 4.0 / 3.0).abs() < 0.01, "{total}");
    }

    #[test]
    fn whoever_takes_turns_takes_half_of_the_time_he_is_there() {
        let mut rng = generator(1, 4);
        let noise = Noise::neighbour(Neighbour::TakingTurns(0.3), 0.0);
        let mut machine = Machine::new(noise, 1.0, &mut rng);
        let times: Vec<f64> = (0..10_000).map(|_| machine.run(1.0) / RUN).collect();
        let quiet = times.iter().filter(|&&took| (took - 1.0).abs() < 1e-9).count();
        assert!((5500..7000).contains(&quiet), "{quiet}");
        let mean = times.iter().sum::<f64>() / 10_000.0;
        assert!((mean - 4.0 / 3.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn drift_and_waves_are_as_large_as_they_say() {
        let mut rng = generator(1, 2);
        let noise = Noise { luck: QUIET, ..Noise::smooth(Smooth::Drift(0.06)) };
        let mut machine = Machine::new(noise, 10.0, &mut rng);
        while machine.clock() < 10.0 {
            machine.run(1.0);
        }
        assert!((machine.run(1.0) / RUN - 1.06).abs() < 1e-3);
        let noise = Noise { luck: QUIET, ..Noise::smooth(Smooth::Wave(1.0)) };
        let mut machine = Machine::new(noise, 10.0, &mut rng);
        let times: Vec<f64> = (0..500).map(|_| machine.run(1.0) / RUN).collect();
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((least.ln() + WAVE).abs() < 1e-3, "{least}");
    }

    #[test]
    fn shuffling_loses_nothing() {
        let mut rng = generator(1, 3);
        let mut machine = Machine::new(Noise::luck(QUIET), 1.0, &mut rng);
        let mut firsts = [0; 4];
        for _ in 0..4000 {
            let mut order = [0, 1, 2, 3];
            machine.shuffle(&mut order);
            firsts[order[0]] += 1;
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3]);
        }
        assert!(firsts.iter().all(|&count| (850..1150).contains(&count)), "{firsts:?}");
    }
}
