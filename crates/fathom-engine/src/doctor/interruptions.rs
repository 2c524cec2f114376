//! Programs that only read the clock, one on each CPU.

use super::noise_floor::noise_floor;
use crate::{EngineError, Watch};
use fathom_analyze::checkup::{ClockReading, CpuInterruptions, Interruptions, KernelCounts};
use fathom_measure::{Invocation, Laboratory, LaboratoryError};
use fathom_record::{Ending, Span};
use fathom_sys::host::InterruptionCounts;
use fathom_sys::stalls;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The hidden word that makes this program read the clock.
const READ_CLOCK: &str = "__fathom-read-clock";

/// How long the clock is read on all CPUs together, as far as each has its least.
const ALL_CPUS: Duration = Duration::from_secs(1);
/// Twenty-five ticks of the slowest timer.
const EACH_CPU: Duration = Duration::from_millis(250);
/// More CPUs than this take too long.
const MOST_CPUS: usize = 8;

/// Reads the clock and exits, if this process was started to do that.
pub fn read_clock_if_asked() {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != READ_CLOCK) {
        return;
    }
    let mut number = || words.next()?.to_str()?.parse::<u64>().ok();
    let (cpu, milliseconds) = (number().unwrap_or(0), number().unwrap_or(0));
    let reading = read_clock(cpu as usize, Span::from_milliseconds(milliseconds));
    let is_written =
        serde_json::to_vec(&reading).is_ok_and(|text| std::io::stdout().write_all(&text).is_ok());
    std::process::exit(i32::from(!is_written));
}

/// In a process that is bound to this CPU.
fn read_clock(cpu: usize, time: Span) -> ClockReading {
    let root = Path::new("/");
    let before = InterruptionCounts::read(root, cpu);
    let seen = stalls::watch(time);
    let counts = InterruptionCounts::read(root, cpu).since(&before);
    ClockReading {
        seconds: seen.lasted.seconds(),
        stalls: seen.stalls.iter().map(|one| [one.began.seconds(), one.lost.seconds()]).collect(),
        more: seen.more,
        lost_to_more: seen.lost_to_more.seconds(),
        kernel: KernelCounts {
            timer_interrupts: counts.timer,
            other_interrupts: counts.other,
            stolen_seconds: counts.stolen,
            waited_seconds: counts.waited,
        },
    }
}

/// Tries these CPUs one after the other: reads the clock, and compares a program with itself for a
/// part of `time`.
pub(super) fn interruptions(
    laboratory: &mut dyn Laboratory,
    allowed: &[usize],
    time: Duration,
    watch: &mut dyn Watch,
) -> Result<Interruptions, EngineError> {
    let cpus = chosen(allowed);
    let parts = u32::try_from(cpus.len()).unwrap_or(u32::MAX).max(1);
    let to_read = (ALL_CPUS / parts).max(EACH_CPU);
    // All of them before the first comparison: each takes as long as the others, whatever happens.
    let mut readings = Vec::new();
    for &cpu in &cpus {
        watch.progress(&|| format!("reading the clock on CPU {cpu}"));
        readings.push(reading_on(laboratory, cpu, to_read)?);
    }
    let mut tried = Vec::new();
    for (&cpu, reading) in cpus.iter().zip(&readings) {
        let floor = noise_floor(laboratory, time / parts, Some(cpu), watch)?;
        tried.push(CpuInterruptions::of(cpu, reading, Some(floor)));
    }
    Ok(Interruptions::of(tried, allowed.len()))
}

/// A reading on one CPU, without a comparison.
pub(super) fn interruptions_on(
    laboratory: &mut dyn Laboratory,
    cpu: usize,
    allowed: usize,
    watch: &mut dyn Watch,
) -> Result<Interruptions, EngineError> {
    watch.progress(&|| format!("reading the clock on CPU {cpu}"));
    let reading = reading_on(laboratory, cpu, ALL_CPUS)?;
    Ok(Interruptions::of(vec![CpuInterruptions::of(cpu, &reading, None)], allowed))
}

/// All of them, or as many as there is time for, spread over the machine.
fn chosen(allowed: &[usize]) -> Vec<usize> {
    if allowed.len() <= MOST_CPUS {
        return allowed.to_vec();
    }
    (0..MOST_CPUS).map(|part| allowed[part * allowed.len() / MOST_CPUS]).collect()
}

fn reading_on(
    laboratory: &mut dyn Laboratory,
    cpu: usize,
    time: Duration,
) -> Result<ClockReading, EngineError> {
    let milliseconds = time.as_millis().to_string();
    let words = ["/proc/self/exe", READ_CLOCK, &cpu.to_string(), &milliseconds];
    let invocation = Invocation {
        words: words.map(str::to_string).to_vec(),
        cpu: Some(cpu),
        keeps_output: true,
        ..Invocation::default()
    };
    match laboratory.execute(&invocation, &mut || {}) {
        Ok(execution) if execution.ending == Ending::Exited(0) => {
            if laboratory.is_interrupted() {
                return Err(EngineError::interrupted());
            }
            Ok(serde_json::from_slice(&execution.stdout)?)
        }
        Ok(_) => Err(EngineError::usage("Fathom could not read the clock on each CPU")),
        Err(LaboratoryError::Interrupted) => Err(EngineError::interrupted()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measuring::scripted::{Scripted, took};
    use fathom_analyze::checkup::InterruptionCause;
    use fathom_measure::Execution;

    /// CPU 0 has a tick each 4 ms and other programs on it; the rest only the tick. Runs take 5 ms,
    /// with more noise on CPU 0.
    fn machine() -> Scripted {
        let mut runs = 0_u32;
        Scripted::new(move |invocation| {
            let cpu = invocation.cpu.unwrap();
            if invocation.words[1] != READ_CLOCK {
                runs += 1;
                let noise = f64::from(runs.wrapping_mul(2_654_435_761) >> 16) / 65_536.0 - 0.5;
                return took(5.0 + noise * if cpu == 0 { 0.2 } else { 0.02 });
            }
            let milliseconds: f64 = invocation.words[3].parse().unwrap();
            let ticks = (milliseconds / 4.0) as u64;
            let mut stalls: Vec<[f64; 2]> =
                (0..ticks).map(|tick| [0.004 * tick as f64, 3e-6]).collect();
            let mut kernel =
                KernelCounts { timer_interrupts: Some(ticks), ..KernelCounts::default() };
            if cpu == 0 {
                stalls.push([0.004 * ticks as f64, 0.012]);
                kernel.waited_seconds = Some(0.012);
            }
            let seconds = milliseconds / 1000.0;
            let reading = ClockReading { seconds, stalls, kernel, ..ClockReading::default() };
            Execution { stdout: serde_json::to_vec(&reading).unwrap(), ..took(milliseconds) }
        })
    }

    #[test]
    fn every_cpu_is_tried_and_the_quietest_named() {
        let mut laboratory = machine();
        let log = laboratory.log();
        let found =
            interruptions(&mut laboratory, &[0, 1, 5], Duration::from_secs(3), &mut ()).unwrap();
        let cpus: Vec<usize> = found.cpus.iter().map(|one| one.cpu).collect();
        assert_eq!((cpus, found.allowed), (vec![0, 1, 5], 3));
        let causes: Vec<_> = found.cpus.iter().map(|one| one.cause).collect();
        let timer = Some(InterruptionCause::Timer);
        assert_eq!(causes, [Some(InterruptionCause::Programs), timer, timer]);
        let period = |one: &CpuInterruptions| (one.period_seconds.unwrap() - 0.004).abs();
        assert!(found.cpus.iter().all(|one| period(one) < 1e-9), "{found:?}");
        assert!(found.cpus.iter().all(|one| one.noise_floor.is_some()));
        assert!(found.quietest.is_some_and(|cpu| cpu != 0), "{:?}", found.quietest);
        assert_eq!(log.borrow()[0], format!("/proc/self/exe {READ_CLOCK} 0 333"));
        let found =
            interruptions(&mut laboratory, &[0, 1], Duration::from_secs(3), &mut ()).unwrap();
        assert_eq!(found.quietest, Some(1));
    }

    #[test]
    fn one_cpu_is_read_for_a_second() {
        let mut laboratory = machine();
        let found = interruptions_on(&mut laboratory, 1, 4, &mut ()).unwrap();
        assert_eq!((found.cpus.len(), found.cpus[0].seconds), (1, 1.0));
        assert_eq!((found.cpus[0].stalls, found.quietest), (250, None));
        assert_eq!(laboratory.log().borrow().len(), 1);
    }

    #[test]
    fn many_cpus_are_tried_here_and_there() {
        let all: Vec<usize> = (0..64).collect();
        assert_eq!(chosen(&all), [0, 8, 16, 24, 32, 40, 48, 56]);
        assert_eq!(chosen(&[2, 3]), [2, 3]);
        let nine: Vec<usize> = (10..19).collect();
        assert_eq!(chosen(&nine).len(), 8);
    }

    #[test]
    fn what_goes_wrong_is_told() {
        let failing = |execution: fn() -> Execution| Scripted::new(move |_| execution());
        let told = |mut laboratory: Scripted| {
            interruptions_on(&mut laboratory, 0, 1, &mut ()).unwrap_err().to_string()
        };
        let failed = told(failing(|| Execution { ending: Ending::Exited(1), ..took(1.0) }));
        assert!(failed.contains("could not read the clock"), "{failed}");
        assert!(!told(failing(|| took(1.0))).is_empty());
        let mut stopped = machine().interrupted_after(0);
        let error = interruptions(&mut stopped, &[0, 1], Duration::from_secs(1), &mut ());
        assert_eq!(error.unwrap_err().kind(), crate::ErrorKind::Interrupted);
    }
}
