//! Whether a planned run would cost too much.

use super::plan_error::LEAST_INTERVAL;
use fathom_record::in_words::{duration as words, percent};
use fathom_record::trace::{MOST_SHARE, PlannedRun};
use std::time::Duration;

/// If a run takes too much: which probe to drop, and which interval would do.
pub(super) fn too_dear(run: &PlannedRun) -> Option<String> {
    let share = run.share();
    if share <= MOST_SHARE {
        return None;
    }
    let shares = run.probes().map(|(sampler, probe)| (sampler.share_of(probe), probe));
    let (most, probe) = shares.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let interval = run.samplers.iter().find_map(|sampler| sampler.interval)?;
    Some(format!(
        "recording {} as {} will use about {} of a CPU, which may disturb the program. \
         Without {} it would use {}; with --every {}, at most {}.",
        run.group,
        run.id,
        percent(share),
        probe.name,
        percent(share - most),
        words(least_round(interval.mul_f64(share / MOST_SHARE))).replace(' ', ""),
        percent(MOST_SHARE),
    ))
}

/// The next of 1, 2 and 5 times a power of ten that is not less, from 100 us on.
pub(super) fn least_round(duration: Duration) -> Duration {
    let mut power = LEAST_INTERVAL;
    loop {
        for factor in [1, 2, 5] {
            if let Some(round) = power.checked_mul(factor)
                && round >= duration
            {
                return round;
            }
        }
        match power.checked_mul(10) {
            Some(next) => power = next,
            None => return duration,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_intervals_are_not_less() {
        let round = |us| least_round(Duration::from_micros(us)).as_micros();
        assert_eq!(
            [1, 100, 101, 300, 5_000, 5_001, 90_000].map(round),
            [100, 100, 200, 500, 5_000, 10_000, 100_000]
        );
        assert_eq!(least_round(Duration::MAX), Duration::MAX);
    }
}
