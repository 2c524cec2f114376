//! Seconds of the fastest of several runs.

use std::hint::black_box;
use std::time::Instant;

/// The fastest of `runs` runs, after one that is not counted; `prepare` is not timed.
pub(super) fn best_of<I, O>(
    runs: usize,
    mut prepare: impl FnMut() -> I,
    mut work: impl FnMut(&mut I) -> O,
) -> f64 {
    let mut best = f64::INFINITY;
    for run in 0..=runs {
        let mut input = black_box(prepare());
        let start = Instant::now();
        let output = black_box(work(&mut input));
        let taken = start.elapsed().as_secs_f64();
        // What it made is dropped after the clock has stopped.
        drop(output);
        if run > 0 {
            best = best.min(taken);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_fastest_counted_run_counts_and_preparing_does_not() {
        let mut sleeps = [0, 60, 10, 60].into_iter();
        let prepare = || {
            std::thread::sleep(Duration::from_millis(30));
            sleeps.next().unwrap()
        };
        let best = best_of(3, prepare, |&mut ms| std::thread::sleep(Duration::from_millis(ms)));
        assert!((0.010..0.040).contains(&best), "{best}");
    }
}
