//! When samples are due.

use super::lateness::Lateness;
use fathom_record::{Span, Timestamp};

/// Deadlines at whole intervals after the origin. They follow from the origin alone, so that however
/// late a sample is, those after it are not: there is no drift.
#[derive(Debug)]
pub(crate) struct Schedule {
    origin: Timestamp,
    interval: Span,
    next: u64,
    missed: u64,
    lateness: Lateness,
}

impl Schedule {
    /// The first deadline is the origin itself.
    pub(crate) fn new(origin: Timestamp, interval: Span) -> Schedule {
        let interval = interval.max(Span::from_nanoseconds(1));
        Schedule { origin, interval, next: 0, missed: 0, lateness: Lateness::new() }
    }

    /// The next deadline, on the same clock as the origin.
    pub(crate) fn deadline(&self) -> Timestamp {
        self.origin + self.interval.times(self.next)
    }

    /// A sample is taken now, for the next deadline. Those that have passed as well are missed.
    pub(crate) fn take(&mut self, now: Timestamp) {
        let late = now - self.deadline();
        self.lateness.add(late);
        let passed = late.whole_times(self.interval);
        self.missed += passed;
        self.next += passed + 1;
    }

    /// Called after a sample, which took time itself. A deadline that has just passed is met late; if
    /// it is more than an interval ago sampling cannot keep up, and goes on at the next in the future
    /// rather than without pause.
    pub(crate) fn pass(&mut self, now: Timestamp) {
        let late = now - self.deadline();
        if late >= self.interval {
            let passed = late.whole_times(self.interval) + 1;
            self.missed += passed;
            self.next += passed;
        }
    }

    /// Samples of its rows that are not there after all.
    pub(crate) fn lose(&mut self, rows: u64) {
        self.missed += rows;
    }

    /// How many deadlines passed without a sample.
    pub(crate) fn missed(&self) -> u64 {
        self.missed
    }

    /// How late samples were: the median, the 99th percentile, the worst.
    pub(crate) fn lateness(&self) -> Option<[Span; 3]> {
        self.lateness.summary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    /// Every 10 ns from a moment on.
    fn schedule(origin: i64) -> Schedule {
        Schedule::new(at(origin), Span::from_nanoseconds(10))
    }

    /// What follows from waking this late for each deadline, when sampling takes no time.
    fn woken(late: &[u64]) -> (Vec<i64>, Schedule) {
        let mut schedule = schedule(1000);
        let mut deadlines = Vec::new();
        for &late in late {
            deadlines.push(schedule.deadline().nanoseconds());
            let now = schedule.deadline() + Span::from_nanoseconds(late);
            schedule.take(now);
            schedule.pass(now);
        }
        (deadlines, schedule)
    }

    #[test]
    fn being_late_does_not_move_what_follows() {
        let (deadlines, schedule) = woken(&[0, 9, 3, 0, 1]);
        assert_eq!(deadlines, [1000, 1010, 1020, 1030, 1040]);
        assert_eq!(schedule.missed(), 0);
        assert_eq!(schedule.lateness(), Some([1, 9, 9].map(Span::from_nanoseconds)));
    }

    #[test]
    fn a_sample_that_is_very_late_stands_for_those_that_passed() {
        // Woken at 1045 instead of 1010: 1020, 1030 and 1040 are gone.
        let (deadlines, schedule) = woken(&[0, 35, 0]);
        assert_eq!(deadlines, [1000, 1010, 1050]);
        assert_eq!(schedule.missed(), 3);
        assert_eq!(schedule.lateness(), Some([0, 35, 35].map(Span::from_nanoseconds)));
    }

    #[test]
    fn sampling_that_takes_too_long_leaves_out_and_catches_its_breath() {
        let mut schedule = schedule(0);
        schedule.take(at(0));
        // A little over the interval: the next is late.
        schedule.pass(at(15));
        assert_eq!((schedule.deadline(), schedule.missed()), (at(10), 0));
        schedule.take(at(15));
        // More than an interval behind: 20 and 30 are gone.
        schedule.pass(at(37));
        assert_eq!((schedule.deadline(), schedule.missed()), (at(40), 2));
        schedule.lose(5);
        assert_eq!(schedule.missed(), 7);
    }

    #[test]
    fn every_deadline_is_met_or_missed() {
        let mut schedule = schedule(7);
        let mut taken = 0;
        let mut now = at(7);
        // Steps of a made-up machine that is sometimes slow.
        for step in [0, 3, 12, 55, 9, 31, 10, 20, 100, 1, 0, 18] {
            let step = Span::from_nanoseconds(step);
            now = schedule.deadline().max(now) + step;
            schedule.take(now);
            taken += 1;
            now += step.divided_by(2);
            schedule.pass(now);
            let passed = Span::from_nanoseconds(10).times(taken + schedule.missed());
            assert_eq!(schedule.deadline(), at(7) + passed);
        }
    }

    #[test]
    fn the_end_of_the_clock_is_no_panic() {
        let mut schedule = schedule(i64::MAX - 5);
        schedule.take(at(i64::MAX - 5));
        assert_eq!(schedule.deadline(), Timestamp::MAX);
        let least = Schedule::new(Timestamp::ZERO, Span::ZERO).interval;
        assert_eq!(least, Span::from_nanoseconds(1));
    }
}
