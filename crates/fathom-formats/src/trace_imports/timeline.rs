//! The moments of a file, and where a run's time begins.

use fathom_record::trace::Clock;

/// What the times of a file count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// A moment of the source's own: they stay as they are.
    Own,
    /// 1970: the run begins with the first.
    Wall,
    /// Wall time in an unknown time zone.
    SomeWall,
}

/// From here on a number of nanoseconds is a time since 1970: September 2001. A run that takes that
/// long is not known.
const SINCE_1970: i64 = 1_000_000_000_000_000_000;

impl Scale {
    /// What a number is, given in nanoseconds.
    pub(super) fn of_number(ns: i64) -> Scale {
        if ns >= SINCE_1970 { Scale::Wall } else { Scale::Own }
    }

    /// The moment that the run's times count from, and when that was.
    pub(super) fn origin(self, first_ns: i64) -> (i64, Option<Clock>) {
        match self {
            Scale::Own => (0, None),
            Scale::Wall => (first_ns, Some(Clock { monotonic_ns: 0, wall_ns: first_ns })),
            Scale::SomeWall => (first_ns, None),
        }
    }
}

/// The note for [`Scale::SomeWall`].
pub(super) const NO_ZONE: &str = "the dates have no time zone, so their absolute time is unknown; \
                                  times count from the first row";

/// Where each row starts that ends at these moments: where the one before it ended; the first is a
/// moment.
pub(super) fn starts(end_ns: &[i64]) -> Vec<i64> {
    end_ns.first().into_iter().chain(end_ns).copied().take(end_ns.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_each_other() {
        assert_eq!(starts(&[3, 5, 9]), [3, 3, 5]);
        assert_eq!(starts(&[]), [] as [i64; 0]);
    }

    #[test]
    fn times_since_1970_are_told_from_others() {
        assert_eq!(Scale::of_number(1_794_793_615_250_000_000), Scale::Wall);
        assert_eq!(Scale::of_number(86_400_000_000_000), Scale::Own);
        let (origin, clock) = Scale::Wall.origin(1_794_793_615_250_000_000);
        assert_eq!(origin, clock.unwrap().wall_ns);
    }
}
