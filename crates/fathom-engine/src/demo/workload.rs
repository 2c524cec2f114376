//! The program that the tour measures: real work, in known amounts.

use fathom_record::Timestamp;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How many times the work a slow run does.
pub(super) const SLOW_FACTOR: u64 = 3;

/// How much new memory a request touches while it churns.
pub(super) const CHURN_MEGABYTES: u64 = 8;

/// Steps of a unit of work: about a tenth of a millisecond.
const STEPS: u64 = 50_000;

/// A pause between requests, so that the program does not use a whole processor.
const PAUSE: Duration = Duration::from_millis(2);

/// What the program does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DemoWork {
    /// The work of a run or a request, in units.
    pub units: u64,
    /// The first runs that do more.
    pub slow_start: u64,
    /// A run that does more, counted from 1.
    pub slow_run: Option<u64>,
    /// Makes the amount random.
    pub seed: Option<u64>,
    /// How long to serve requests, instead of working once.
    pub serve: Option<Duration>,
    /// When requests touch new memory.
    pub churn: Option<WorkSpan>,
}

/// From when to when, counted from the start of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkSpan {
    /// The first moment.
    pub from: Timestamp,
    /// The moment it is over.
    pub to: Timestamp,
}

impl DemoWork {
    /// Works, and writes how much, or how long each request took. `run` is the run's number, from 0.
    ///
    /// # Errors
    /// `out` takes nothing more.
    pub fn perform(&self, run: u64, out: &mut dyn Write) -> io::Result<()> {
        let units = self.units_of_run(run);
        match self.serve {
            None => {
                work(units);
                writeln!(out, "units of work: {units}")
            }
            Some(time) => self.serve_requests(units, time, out),
        }
    }

    /// The work of a run.
    #[must_use]
    pub(super) fn units_of_run(&self, run: u64) -> u64 {
        let is_slow = run < self.slow_start || self.slow_run == run.checked_add(1);
        let factor = if is_slow { SLOW_FACTOR } else { 1 };
        let units = self.units.saturating_mul(factor);
        self.seed.map_or(units, |seed| random(units, seed))
    }

    fn serve_requests(&self, units: u64, time: Duration, out: &mut dyn Write) -> io::Result<()> {
        let started = Instant::now();
        loop {
            let now = started.elapsed();
            if now >= time {
                return Ok(());
            }
            let request = Instant::now();
            work(units);
            if self.churn.is_some_and(|span| span.holds(now)) {
                touch_new_memory();
            }
            let took = 1e3 * request.elapsed().as_secs_f64();
            // At once: the time of its arrival is the time of the measurement.
            writeln!(out, "request took {took:.3} ms").and_then(|()| out.flush())?;
            std::thread::sleep(PAUSE);
        }
    }
}

impl WorkSpan {
    fn holds(self, since_start: Duration) -> bool {
        let nanoseconds = i64::try_from(since_start.as_nanos()).unwrap_or(i64::MAX);
        (self.from..self.to).contains(&Timestamp::from_nanoseconds(nanoseconds))
    }
}

/// A chain of dependent steps: its time follows from the clock speed alone.
fn work(units: u64) {
    let mut state = 1_u64;
    for step in 0..units.saturating_mul(STEPS) {
        state = black_box(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(step));
    }
}

/// Mostly small and seldom large: `least / sqrt(u)` with u uniform, at most ten times the least.
fn random(least: u64, seed: u64) -> u64 {
    // SplitMix64, so that neighbouring seeds have nothing in common.
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    let uniform = ((mixed >> 11) as f64 + 1.0) / (1_u64 << 53) as f64;
    (least as f64 / uniform.sqrt().max(0.1)) as u64
}

/// Gets memory from the kernel, touches each page of it, and gives it back.
fn touch_new_memory() {
    const PAGE: usize = 4096;
    // An allocator keeps smaller blocks for the next time; then nothing would be new.
    const ALWAYS_NEW: usize = 64 << 20;
    let touched = usize::try_from(CHURN_MEGABYTES << 20).unwrap_or(ALWAYS_NEW);
    let mut memory = vec![0_u8; ALWAYS_NEW];
    for byte in memory.iter_mut().take(touched).step_by(PAGE) {
        *byte = 1;
    }
    black_box(&memory);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(work: &DemoWork, run: u64) -> String {
        let mut out = Vec::new();
        work.perform(run, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_run_says_how_much_it_did() {
        let work = DemoWork { units: 2, slow_start: 1, slow_run: Some(4), ..DemoWork::default() };
        let all: Vec<String> = (0..8).map(|run| said(&work, run)).collect();
        let slow: Vec<usize> = (0..8).filter(|run| all[*run].contains(": 6")).collect();
        assert_eq!(slow, [0, 3]);
        assert_eq!(all[1], "units of work: 2\n");
    }

    #[test]
    fn a_seed_decides_the_amount() {
        let of = |seed| DemoWork { units: 20, seed: Some(seed), ..DemoWork::default() };
        assert_eq!(of(7).units_of_run(0), of(7).units_of_run(3));
        let all: Vec<u64> = (0..500).map(|seed| of(seed).units_of_run(0)).collect();
        assert!(all.iter().all(|units| (20..=200).contains(units)));
        assert!(all.iter().any(|units| *units != all[0]));
    }

    #[test]
    fn a_span_ends_before_its_end() {
        let at = |milliseconds: i64| Timestamp::from_nanoseconds(milliseconds * 1_000_000);
        let span = WorkSpan { from: at(6000), to: at(6300) };
        let holds = |milliseconds| span.holds(Duration::from_millis(milliseconds));
        assert_eq!([5999, 6000, 6299, 6300].map(holds), [false, true, true, false]);
    }

    #[test]
    fn requests_are_served_until_the_time_is_over() {
        let churn = Some(WorkSpan { from: Timestamp::ZERO, to: Timestamp::MAX });
        let serve = Some(Duration::from_millis(5));
        let text = said(&DemoWork { units: 1, serve, churn, ..DemoWork::default() }, 0);
        assert!(text.lines().all(|line| line.starts_with("request took ")), "{text}");
        assert!(!text.is_empty());
    }
}
