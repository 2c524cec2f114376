//! What interrupts a program that only reads the clock, CPU by CPU, and why, as far as the kernel's
//! counts say.

use super::NoiseFloorReport;
use serde::{Deserialize, Serialize};

/// What a program saw that did nothing but read the clock on one CPU.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ClockReading {
    /// For how long it read, in seconds.
    pub seconds: f64,
    /// Stalls: when each began, and how much time it took, in seconds.
    pub stalls: Vec<[f64; 2]>,
    /// How many more there were.
    pub more: u64,
    /// How much time these took, in seconds.
    pub lost_to_more: f64,
    /// What the kernel counted meanwhile.
    pub kernel: KernelCounts,
}

/// What the kernel counted on a CPU while the clock was read. Fields are `null` if the kernel does
/// not show them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KernelCounts {
    /// Interrupts of the CPU's timer.
    pub timer_interrupts: Option<u64>,
    /// Other interrupts.
    pub other_interrupts: Option<u64>,
    /// How much of the CPU's time a hypervisor took, in seconds; the kernel counts hundredths.
    pub stolen_seconds: Option<f64>,
    /// How long the program waited while others used the CPU, in seconds.
    pub waited_seconds: Option<f64>,
}

/// What probably took most of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum InterruptionCause {
    /// The kernel's timer tick.
    Timer,
    /// Interrupts of devices and of other CPUs.
    Interrupts,
    /// Other programs.
    Programs,
    /// Other guests of the hypervisor.
    Hypervisor,
}

/// The CPUs, one by one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interruptions {
    /// The CPUs that were tried: all that Fathom may use, or eight of them.
    pub cpus: Vec<CpuInterruptions>,
    /// How many CPUs Fathom may use.
    pub allowed: usize,
    /// The CPU on which the smallest difference can be detected, if others are clearly worse: the
    /// middle one of them by half, or the worst by twice. `null` if the CPUs are alike, or only one was
    /// tried.
    pub quietest: Option<usize>,
}

/// What interrupts programs on a CPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CpuInterruptions {
    /// Its number.
    pub cpu: usize,
    /// How long the clock was read on it, in seconds.
    pub seconds: f64,
    /// The share of this time in which the program did not run.
    pub lost: f64,
    /// How often it was interrupted.
    pub stalls: u64,
    /// The three longest interruptions, in seconds, the longest first.
    pub longest_seconds: Vec<f64>,
    /// The time from one interruption to the next, in seconds, if they come regularly for at least
    /// half of the time.
    pub period_seconds: Option<f64>,
    /// What probably took most of the lost time; `null` if nothing was lost, or nothing that the
    /// kernel counts explains it.
    pub cause: Option<InterruptionCause>,
    /// What the kernel counted meanwhile.
    pub kernel: KernelCounts,
    /// A program compared with itself on this CPU; `null` if there was too little time.
    pub noise_floor: Option<NoiseFloorReport>,
}

impl CpuInterruptions {
    /// What a reading on a CPU shows.
    #[must_use]
    pub fn of(cpu: usize, reading: &ClockReading, floor: Option<NoiseFloorReport>) -> Self {
        let mut lengths: Vec<f64> = reading.stalls.iter().map(|stall| stall[1]).collect();
        lengths.sort_by(|a, b| b.total_cmp(a));
        let lost = lengths.iter().sum::<f64>() + reading.lost_to_more;
        let stalls = lengths.len() as u64 + reading.more;
        CpuInterruptions {
            cpu,
            seconds: reading.seconds,
            lost: if reading.seconds > 0.0 {
                (lost / reading.seconds).clamp(0.0, 1.0)
            } else {
                0.0
            },
            stalls,
            period_seconds: period(reading),
            cause: cause(&lengths, lost, stalls, &reading.kernel),
            kernel: reading.kernel,
            noise_floor: floor,
            longest_seconds: lengths.into_iter().take(3).collect(),
        }
    }

    /// What can be detected here in the shortest of the budgets.
    fn detects(&self) -> Option<f64> {
        Some(self.noise_floor.as_ref()?.smallest.first()?.share)
    }
}

impl Interruptions {
    /// Sums up the CPUs that were tried; `allowed` is how many can be used.
    #[must_use]
    pub fn of(cpus: Vec<CpuInterruptions>, allowed: usize) -> Interruptions {
        let quietest = quietest(&cpus);
        Interruptions { cpus, allowed, quietest }
    }
}

/// The CPU that is clearly quieter than others.
fn quietest(cpus: &[CpuInterruptions]) -> Option<usize> {
    // A floor from a few seconds is known to about a fifth, so less than this may be chance. The worst
    // of many is further out by chance than one is.
    const THAN_THE_MIDDLE: f64 = 1.5;
    const THAN_THE_WORST: f64 = 2.0;
    let mut floors: Vec<(f64, usize)> =
        cpus.iter().map(|one| Some((one.detects()?, one.cpu))).collect::<Option<_>>()?;
    floors.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (&(least, cpu), others) = floors.split_first()?;
    let (&(worst, _), (middle, _)) = (others.last()?, *others.get((others.len() - 1) / 2)?);
    let is_clear = least * THAN_THE_MIDDLE <= middle || least * THAN_THE_WORST <= worst;
    is_clear.then_some(cpu)
}

/// The time from one stall to the next, if it is nearly the same for half of the time.
///
/// Stalls that come by chance do not do that: intervals within a tenth of each other are then a
/// thirtieth of all at most.
fn period(reading: &ClockReading) -> Option<f64> {
    const FEWEST: usize = 8;
    const SLACK: f64 = 0.05;
    let begins = reading.stalls.iter().map(|stall| stall[0]);
    let mut intervals: Vec<f64> =
        begins.clone().zip(begins.skip(1)).map(|(one, next)| next - one).collect();
    intervals.sort_by(f64::total_cmp);
    let alike = |&middle: &f64| {
        let from = intervals.partition_point(|&one| one < middle * (1.0 - SLACK));
        let to = intervals.partition_point(|&one| one <= middle * (1.0 + SLACK));
        &intervals[from..to]
    };
    // The more time they fill, the better; where the same intervals are around, the middle one.
    let filled = |alike: &[f64]| alike.iter().sum::<f64>();
    let best = intervals.iter().map(alike).max_by(|a, b| filled(a).total_cmp(&filled(b)))?;
    let is_period = best.len() >= FEWEST && filled(best) >= 0.5 * reading.seconds;
    is_period.then(|| best[best.len() / 2])
}

/// What explains at least half of the lost time. `lengths` are sorted.
fn cause(
    lengths: &[f64],
    lost: f64,
    stalls: u64,
    kernel: &KernelCounts,
) -> Option<InterruptionCause> {
    // The kernel counts stolen time in hundredths of a second: one may be of before.
    const TWO_TICKS: f64 = 0.02;
    let typical = *lengths.get(lengths.len() / 2)?;
    let waited = kernel.waited_seconds.unwrap_or(0.0);
    let stolen = kernel.stolen_seconds.filter(|&time| time >= TWO_TICKS).unwrap_or(0.0);
    // If each count is one stall of usual length.
    let of = |count: Option<u64>| count.unwrap_or(0).min(stalls) as f64 * typical;
    let explained = [
        (waited, InterruptionCause::Programs),
        (stolen, InterruptionCause::Hypervisor),
        (of(kernel.timer_interrupts), InterruptionCause::Timer),
        (of(kernel.other_interrupts), InterruptionCause::Interrupts),
    ];
    // Of causes that explain the same, the first.
    let (most, cause) =
        explained.into_iter().rev().max_by(|a, b| a.0.min(lost).total_cmp(&b.0.min(lost)))?;
    (most >= 0.5 * lost).then_some(cause)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkup::SmallestDifference;

    /// Stalls of this length at these moments.
    fn reading(seconds: f64, length: f64, begins: impl Iterator<Item = f64>) -> ClockReading {
        let stalls = begins.map(|at| [at, length]).collect();
        ClockReading { seconds, stalls, ..ClockReading::default() }
    }

    fn ticks() -> ClockReading {
        // A tick of 250 Hz that comes up to 20 µs late.
        let late = |i: u32| 2e-5 * f64::from(i * 7 % 10) / 10.0;
        reading(0.5, 3e-6, (0..125).map(|i| 0.004 * f64::from(i) + late(i)))
    }

    #[test]
    fn a_timer_tick_is_regular_and_explained() {
        let mut seen = ticks();
        seen.kernel.timer_interrupts = Some(126);
        seen.kernel.other_interrupts = Some(4);
        let found = CpuInterruptions::of(1, &seen, None);
        assert!((found.period_seconds.unwrap() - 0.004).abs() < 1e-4, "{found:?}");
        assert_eq!(found.cause, Some(InterruptionCause::Timer));
        assert!((found.lost - 125.0 * 3e-6 / 0.5).abs() < 1e-12);
        // Some ticks are missing, and something else comes in between.
        seen.stalls.retain(|stall| stall[0] < 0.1 || stall[0] > 0.14);
        seen.stalls.extend([[0.2013, 1e-6], [0.3022, 2e-6]]);
        seen.stalls.sort_by(|a, b| a[0].total_cmp(&b[0]));
        assert!((period(&seen).unwrap() - 0.004).abs() < 1e-4);
    }

    #[test]
    fn what_the_kernel_does_not_count_is_not_explained() {
        let found = CpuInterruptions::of(0, &ticks(), None);
        assert_eq!(found.cause, None);
        // One long stall outweighs all ticks.
        let mut seen = ticks();
        seen.kernel.timer_interrupts = Some(125);
        seen.stalls.push([0.4999, 0.03]);
        assert_eq!(CpuInterruptions::of(0, &seen, None).cause, None);
        seen.kernel.waited_seconds = Some(0.0295);
        assert_eq!(CpuInterruptions::of(0, &seen, None).cause, Some(InterruptionCause::Programs));
        seen.kernel.waited_seconds = Some(0.0001);
        seen.kernel.stolen_seconds = Some(0.03);
        assert_eq!(CpuInterruptions::of(0, &seen, None).cause, Some(InterruptionCause::Hypervisor));
        seen.kernel.stolen_seconds = Some(0.01);
        assert_eq!(CpuInterruptions::of(0, &seen, None).cause, None);
    }

    #[test]
    fn chance_is_not_a_period() {
        let mut state = 1_u64;
        let mut at = 0.0;
        let mut begins = Vec::new();
        while at < 1.0 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
            at += -0.004 * ((state >> 11) as f64 / (1_u64 << 53) as f64).max(1e-9).ln();
            begins.push(at);
        }
        assert!(begins.len() > 150);
        assert_eq!(period(&reading(1.0, 1e-6, begins.into_iter())), None);
        // Bursts are regular within, and fill no time.
        let burst = (0..50).map(|i| 0.3 + 1e-5 * f64::from(i));
        assert_eq!(period(&reading(1.0, 1e-6, burst)), None);
    }

    #[test]
    fn nothing_lost_needs_no_cause() {
        let found = CpuInterruptions::of(
            3,
            &ClockReading { seconds: 0.5, ..ClockReading::default() },
            None,
        );
        assert_eq!((found.lost, found.stalls, found.cause), (0.0, 0, None));
        assert_eq!((found.period_seconds, found.longest_seconds.len()), (None, 0));
        let no_time = CpuInterruptions::of(3, &ClockReading::default(), None);
        assert_eq!(no_time.lost, 0.0);
    }

    #[test]
    fn the_quietest_is_clearly_so_or_not_named() {
        let with = |cpu: usize, share: f64| {
            let floor = NoiseFloorReport {
                pairs: 20,
                seconds: 0.5,
                run_seconds: 0.005,
                ratio: 1.0,
                lower: 0.99,
                upper: 1.01,
                set_aside: 0,
                blocks: 10,
                smallest: vec![SmallestDifference { seconds: 10.0, share }],
            };
            CpuInterruptions::of(cpu, &ClockReading::default(), Some(floor))
        };
        let quietest = |cpus: Vec<CpuInterruptions>| Interruptions::of(cpus, 8).quietest;
        assert_eq!(quietest(vec![with(0, 0.01), with(1, 0.006)]), Some(1));
        assert_eq!(quietest(vec![with(0, 0.01), with(1, 0.007)]), None);
        assert_eq!(quietest(vec![with(0, 0.01), with(1, 0.009), with(2, 0.001)]), Some(2));
        // Three are alike, and one is worse: the first of the three.
        let but_one = |share| vec![with(0, 0.01), with(1, 0.01), with(2, share), with(3, 0.01)];
        assert_eq!(quietest(but_one(0.1)), Some(0));
        assert_eq!(quietest(but_one(0.019)), None);
        assert_eq!(quietest(vec![with(0, 0.01)]), None);
        let unknown = CpuInterruptions::of(1, &ClockReading::default(), None);
        assert_eq!(quietest(vec![with(0, 0.01), unknown]), None);
        assert_eq!(quietest(Vec::new()), None);
    }
}
