//! How long the work takes, and what the ratio of two of them truly is.

use super::super::confined::on_core;
use super::super::reading::output_of;
use super::super::trials::Effect;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Seconds of the first look, and of the look that says what is true.
const FIRST_LOOK: f64 = 0.5;
const LONG_LOOK: f64 = 6.0;
/// Seconds of the reference loop next to a trial.
const SHORT_LOOK: f64 = 0.2;
/// Of a batch: many clock steps, and short enough that a disturbance affects few.
const BATCH: f64 = 200e-6;
/// Iterations of the first look.
const FIRST_GUESS: u64 = 10_000;
/// How far the reference loop may be from itself.
const DISAGREEMENT: f64 = 0.002;

/// How much work a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    Long,
    Short,
    Tiny,
}

impl Size {
    /// Those that are compared. The tiny one is only timed.
    pub(super) const COMPARED: [Size; 2] = [Size::Long, Size::Short];
    pub(super) const ALL: [Size; 3] = [Size::Long, Size::Short, Size::Tiny];

    /// Its name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Size::Long => "20 µs",
            Size::Short => "250 ns",
            Size::Tiny => "5 ns",
        }
    }

    /// Seconds that it should take.
    fn aim(self) -> f64 {
        match self {
            Size::Long => 20e-6,
            Size::Short => 250e-9,
            Size::Tiny => 5e-9,
        }
    }

    /// Iterations that take about that; 1% of them is a whole number if they are compared.
    fn iterations(self, seconds_each: f64) -> u64 {
        let unit = if self == Size::Tiny { 1.0 } else { 100.0 };
        (self.aim() / seconds_each / unit).round().max(1.0) as u64 * unit as u64
    }
}

/// The reference loop: the work, called in a long loop of its own, without a tool.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) program: PathBuf,
}

/// The reference loop's time for a number of iterations.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Timed {
    /// Of a call.
    seconds: f64,
    /// To the first number of iterations.
    ratio: f64,
}

/// The work on this machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Work {
    /// In the order of [`Size::ALL`].
    sizes: [Calibrated; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Calibrated {
    iterations: u64,
    seconds: f64,
    /// By the reference loop, in the order of [`Effect::ALL`].
    ratios: [f64; 4],
}

impl Work {
    /// Finds how many iterations take the times, then measures the ratios, both side by side.
    pub(super) fn calibrated(reference: &Reference) -> Result<Work, String> {
        let first = reference.times(FIRST_LOOK, &[FIRST_GUESS])?;
        let each = first.first().map_or(f64::NAN, |timed| timed.seconds) / FIRST_GUESS as f64;
        if !(each > 1e-12 && each < 1e-6) {
            return Err(format!("an iteration takes {each} s; is the machine very busy?"));
        }
        let [long, short, tiny] = Size::ALL.map(|size| Calibrated::of(size, each, reference));
        Ok(Work { sizes: [long?, short?, tiny?] })
    }

    fn of(&self, size: Size) -> &Calibrated {
        let [long, short, tiny] = &self.sizes;
        match size {
            Size::Long => long,
            Size::Short => short,
            Size::Tiny => tiny,
        }
    }

    /// The iterations of the slower function.
    pub(super) fn iterations(&self, size: Size, effect: Effect) -> u64 {
        self.of(size).iterations(effect)
    }

    /// Seconds of a call without an effect.
    pub(super) fn seconds(&self, size: Size) -> f64 {
        self.of(size).seconds
    }

    /// The true ratio of the slower function to the other, by which all tools are judged: that of
    /// the reference loop, because a call takes a little time besides its iterations. One function
    /// is no slower than itself.
    pub(super) fn ratio(&self, size: Size, effect: Effect) -> f64 {
        let ratios = Effect::ALL.into_iter().zip(self.of(size).ratios);
        ratios.filter(|(known, _)| *known == effect).map(|(_, ratio)| ratio).sum()
    }
}

impl Calibrated {
    fn of(size: Size, each: f64, reference: &Reference) -> Result<Calibrated, String> {
        let mut found =
            Calibrated { iterations: size.iterations(each), seconds: f64::NAN, ratios: [1.0; 4] };
        // The last one is the first once more: what the loop makes of no difference.
        let counts = Effect::ALL.into_iter().chain([Effect::NONE]);
        let counts: Vec<u64> = counts.map(|effect| found.iterations(effect)).collect();
        let timed = reference.times(LONG_LOOK, &counts)?;
        let [first, one, two, five, again] = timed[..] else {
            return Err("the reference loop is short of a line".to_string());
        };
        if (again.ratio - 1.0).abs() > DISAGREEMENT {
            return Err(format!(
                "the reference loop finds a ratio of {} of the same work; is the machine very busy?",
                again.ratio
            ));
        }
        found.seconds = first.seconds;
        found.ratios = [1.0, one.ratio, two.ratio, five.ratio];
        Ok(found)
    }

    fn iterations(&self, effect: Effect) -> u64 {
        (self.iterations as f64 * (1.0 + effect.share())).round() as u64
    }
}

impl Reference {
    /// Seconds of a call with this many iterations, as the machine is now.
    pub(super) fn seconds_now(&self, iterations: u64) -> Result<f64, String> {
        let timed = self.times(SHORT_LOOK, &[iterations])?;
        timed.first().map(|timed| timed.seconds).ok_or_else(|| "the reference loop is mute".into())
    }

    fn times(&self, seconds: f64, iterations: &[u64]) -> Result<Vec<Timed>, String> {
        let mut command = on_core(&self.program);
        command.args([seconds, BATCH].map(|seconds| seconds.to_string()));
        let printed = output_of(command.args(iterations.iter().map(u64::to_string)))?.text;
        timed(&printed, iterations)
    }
}

/// What the reference program prints: "200 273.29 1".
fn timed(printed: &str, iterations: &[u64]) -> Result<Vec<Timed>, String> {
    let line = |(line, iterations): (&str, &u64)| {
        let mut words = line.split(' ');
        let is_it = words.next()?.parse() == Ok(*iterations);
        let mut number = || words.next()?.parse::<f64>().ok().filter(|number| number.is_finite());
        let (nanoseconds, ratio) = (number()?, number()?);
        is_it.then_some(Timed { seconds: 1e-9 * nanoseconds, ratio })
    };
    let found: Option<Vec<Timed>> = printed.lines().zip(iterations).map(line).collect();
    let found = found.filter(|found| found.len() == iterations.len());
    found.ok_or_else(|| format!("the reference program printed {printed:?}"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What the reference loop found on one machine.
    pub(in super::super) fn example() -> Work {
        let calibrated = |iterations, seconds, ratios| Calibrated { iterations, seconds, ratios };
        Work {
            sizes: [
                calibrated(15_000, 20.3e-6, [1.0, 1.01, 1.02, 1.05]),
                calibrated(200, 273.3e-9, [1.0, 1.0099, 1.0199, 1.0495]),
                calibrated(4, 5.4e-9, [1.0; 4]),
            ],
        }
    }

    #[test]
    fn every_percent_is_a_whole_number_of_iterations() {
        let each = 1.354e-9;
        assert_eq!(Size::ALL.map(|size| size.iterations(each)), [14_800, 200, 4]);
        assert_eq!(Size::ALL.map(|size| size.iterations(1e-6)), [100, 100, 1]);
        let work = example();
        for size in Size::COMPARED {
            let base = work.iterations(size, Effect::NONE);
            for effect in Effect::ALL {
                let more = 100 * (work.iterations(size, effect) - base);
                assert_eq!(more, base * u64::from(effect.0), "{size:?} {effect:?}");
            }
        }
    }

    #[test]
    fn the_truth_is_that_of_the_reference_loop() {
        assert_eq!(example().ratio(Size::Short, Effect::ONE), 1.0099);
        assert_eq!(example().ratio(Size::Short, Effect::NONE), 1.0);
    }

    #[test]
    fn the_reference_program_is_read() {
        let printed = "200 273.28767123287673 1\n202 275.97222222222223 1.0098737892737593\n";
        let found = timed(printed, &[200, 202]).unwrap();
        assert_eq!(found[1].ratio, 1.009_873_789_273_759_3);
        assert!((found[0].seconds - 273.287_671e-9).abs() < 1e-15);
        assert!(timed(printed, &[200, 204]).is_err() && timed(printed, &[200]).is_ok());
        assert!(timed("200 1 1\n", &[200, 202]).is_err() && timed("200 NaN 1\n", &[200]).is_err());
    }
}
