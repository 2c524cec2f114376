//! When samples are due.

use super::lateness::Lateness;

/// Deadlines at whole intervals after the origin. They follow from the origin alone, so that however
/// late a sample is, those after it are not: there is no drift.
#[derive(Debug)]
pub(crate) struct Schedule {
    origin_ns: u64,
    interval_ns: u64,
    next: u64,
    missed: u64,
    lateness: Lateness,
}

impl Schedule {
    /// The first deadline is the origin itself.
    pub(crate) fn new(origin_ns: u64, interval_ns: u64) -> Schedule {
        let interval_ns = interval_ns.max(1);
        Schedule { origin_ns, interval_ns, next: 0, missed: 0, lateness: Lateness::new() }
    }

    /// The next deadline, on the same clock as the origin.
    pub(crate) fn deadline_ns(&self) -> u64 {
        self.origin_ns.saturating_add(self.next.saturating_mul(self.interval_ns))
    }

    /// A sample is taken now, for the next deadline. Those that have passed as well are missed.
    pub(crate) fn take(&mut self, now_ns: u64) {
        let late = now_ns.saturating_sub(self.deadline_ns());
        self.lateness.add(late);
        let passed = late / self.interval_ns;
        self.missed += passed;
        self.next += passed + 1;
    }

    /// Called after a sample, which took time itself. A deadline that has just passed is met late; if
    /// it is more than an interval ago sampling cannot keep up, and goes on at the next in the future
    /// rather than without pause.
    pub(crate) fn pass(&mut self, now_ns: u64) {
        let late = now_ns.saturating_sub(self.deadline_ns());
        if late >= self.interval_ns {
            let passed = late / self.interval_ns + 1;
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
    pub(crate) fn lateness_ns(&self) -> Option<[u64; 3]> {
        self.lateness.summary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What follows from waking this late for each deadline, when sampling takes no time.
    fn woken(late: &[u64]) -> (Vec<u64>, Schedule) {
        let mut schedule = Schedule::new(1000, 10);
        let mut deadlines = Vec::new();
        for late in late {
            deadlines.push(schedule.deadline_ns());
            let now = schedule.deadline_ns() + late;
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
        assert_eq!(schedule.lateness_ns(), Some([1, 9, 9]));
    }

    #[test]
    fn a_sample_that_is_very_late_stands_for_those_that_passed() {
        // Woken at 1045 instead of 1010: 1020, 1030 and 1040 are gone.
        let (deadlines, schedule) = woken(&[0, 35, 0]);
        assert_eq!(deadlines, [1000, 1010, 1050]);
        assert_eq!(schedule.missed(), 3);
        assert_eq!(schedule.lateness_ns(), Some([0, 35, 35]));
    }

    #[test]
    fn sampling_that_takes_too_long_leaves_out_and_catches_its_breath() {
        let mut schedule = Schedule::new(0, 10);
        schedule.take(0);
        // A little over the interval: the next is late.
        schedule.pass(15);
        assert_eq!((schedule.deadline_ns(), schedule.missed()), (10, 0));
        schedule.take(15);
        // More than an interval behind: 20 and 30 are gone.
        schedule.pass(37);
        assert_eq!((schedule.deadline_ns(), schedule.missed()), (40, 2));
        schedule.lose(5);
        assert_eq!(schedule.missed(), 7);
    }

    #[test]
    fn every_deadline_is_met_or_missed() {
        let mut schedule = Schedule::new(7, 10);
        let mut taken = 0;
        let mut now = 7;
        // Steps of a made-up machine that is sometimes slow.
        for step in [0, 3, 12, 55, 9, 31, 10, 20, 100, 1, 0, 18] {
            now = schedule.deadline_ns().max(now) + step;
            schedule.take(now);
            taken += 1;
            now += step / 2;
            schedule.pass(now);
            assert_eq!(schedule.deadline_ns(), 7 + 10 * (taken + schedule.missed()));
        }
    }

    #[test]
    fn the_end_of_the_clock_is_no_panic() {
        let mut schedule = Schedule::new(u64::MAX - 5, 10);
        schedule.take(u64::MAX - 5);
        assert_eq!(schedule.deadline_ns(), u64::MAX);
        assert_eq!(Schedule::new(0, 0).interval_ns, 1);
    }
}
