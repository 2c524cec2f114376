//! The moments of a file, and where a run's time begins.

use fathom_record::Timestamp;
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

/// From here on a number is a time since 1970: September 2001. A run that takes that
/// long is not known.
const SINCE_1970: Timestamp = Timestamp::from_nanoseconds(1_000_000_000_000_000_000);

impl Scale {
    /// What a number is.
    pub(super) fn of_number(time: Timestamp) -> Scale {
        if time >= SINCE_1970 { Scale::Wall } else { Scale::Own }
    }

    /// The moment that the run's times count from, and when that was.
    pub(super) fn origin(self, first: Timestamp) -> (Timestamp, Option<Clock>) {
        match self {
            Scale::Own => (Timestamp::ZERO, None),
            Scale::Wall => (first, Some(Clock { monotonic: Timestamp::ZERO, wall: first })),
            Scale::SomeWall => (first, None),
        }
    }
}

/// The note for [`Scale::SomeWall`].
pub(super) const NO_ZONE: &str = "the dates have no time zone, so their absolute time is unknown; \
                                  times count from the first row";

/// Where each row starts that ends at these moments: where the one before it ended; the first is a
/// moment.
pub(super) fn starts(ends: &[Timestamp]) -> Vec<Timestamp> {
    ends.first().into_iter().chain(ends).copied().take(ends.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_each_other() {
        let at = Timestamp::from_nanoseconds;
        assert_eq!(starts(&[3, 5, 9].map(at)), [3, 3, 5].map(at));
        assert_eq!(starts(&[]), []);
    }

    #[test]
    fn times_since_1970_are_told_from_others() {
        let date = Timestamp::from_nanoseconds(1_794_793_615_250_000_000);
        assert_eq!(Scale::of_number(date), Scale::Wall);
        assert_eq!(Scale::of_number(Timestamp::from_nanoseconds(86_400_000_000_000)), Scale::Own);
        let (origin, clock) = Scale::Wall.origin(date);
        assert_eq!(origin, clock.unwrap().wall);
    }
}
