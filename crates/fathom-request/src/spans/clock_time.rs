//! A time of day, with or without its date and its zone.

use fathom_record::{CalendarMoment, Timestamp};

const FORM: &str = "write a time of day as 14:02 or 14:02:30.5, with a date as 2026-11-19T14:02, and with \
                    a zone as 14:02Z or 14:02+01:00";

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTime(CalendarMoment);

impl ClockTime {
    /// A moment, in UTC.
    #[must_use]
    pub fn of(moment: Timestamp) -> ClockTime {
        ClockTime(CalendarMoment::of(moment))
    }

    /// Its date, in days since 1970.
    #[must_use]
    pub fn day(self) -> Option<i64> {
        self.0.day
    }

    /// Its zone, in minutes ahead of UTC.
    #[must_use]
    pub fn zone(self) -> Option<i64> {
        self.0.zone
    }

    /// The same in this zone, if it names none.
    #[must_use]
    pub fn or_zone(self, zone: Option<i64>) -> ClockTime {
        ClockTime(CalendarMoment { zone: self.0.zone.or(zone), ..self.0 })
    }

    /// Since midnight.
    #[must_use]
    pub fn since_midnight(self) -> Timestamp {
        Timestamp::from_nanoseconds(self.0.of_day)
    }

    /// Since 1970, on a day and in a zone, given in days since 1970 and minutes ahead of UTC.
    #[must_use]
    pub fn on(self, day: i64, zone: i64) -> Timestamp {
        let there = CalendarMoment { day: Some(day), zone: Some(zone), ..self.0 };
        there.timestamp().unwrap_or(if day < 0 { Timestamp::MIN } else { Timestamp::MAX })
    }

    /// The moment. Without a zone it is on the clock of a place, whose lead on UTC `offset` says, in
    /// minutes, for a moment in seconds since 1970. Without a date it is the first such time at `from` or
    /// later. `None` if that is out of range.
    #[must_use]
    pub fn resolved(self, from: Timestamp, offset: &dyn Fn(i64) -> i64) -> Option<Timestamp> {
        self.0.resolved(from, &|moment| offset(moment) * 60)
    }

    pub(super) fn text(self) -> String {
        self.0.text()
    }

    pub(super) fn read(text: &str) -> Result<ClockTime, String> {
        // Every year from here on has nanoseconds since 1970.
        let is_in_range = |day: i64| (-98_000..=84_000).contains(&day);
        CalendarMoment::parse(text.trim())
            .filter(|moment| moment.of_day < 86_400_000_000_000)
            .filter(|moment| moment.day.is_none_or(is_in_range))
            .map(ClockTime)
            .ok_or_else(|| FORM.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    #[test]
    fn times_of_day_come_back() {
        for (text, known) in [
            ("14:02", "14:02"),
            ("9:05", "09:05"),
            ("14:02:00", "14:02"),
            ("14:02:07.25", "14:02:07.25"),
            ("2026-11-19T14:02Z", "2026-11-19T14:02Z"),
            ("2026-11-19 14:02:03+0130", "2026-11-19T14:02:03+01:30"),
            ("14:02-05", "14:02-05:00"),
            ("2024-02-29T00:00", "2024-02-29T00:00"),
        ] {
            let read = ClockTime::read(text).map(ClockTime::text);
            assert_eq!(read, Ok(known.to_string()));
            assert_eq!(ClockTime::read(known).map(ClockTime::text), Ok(known.to_string()));
        }
        for bad in
            ["24:00", "14:60", "14", "14:2", "14:02:03:04", "2026-02-30T14:02", "x:02", "14:02+25"]
        {
            assert!(ClockTime::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn days_are_counted() {
        for (text, seconds) in [
            ("1970-01-01T00:00Z", 0),
            ("2000-02-29T00:00Z", 951_782_400),
            ("2026-11-16T01:40Z", 1_794_793_200),
            ("2026-11-16T02:40+01:00", 1_794_793_200),
        ] {
            let time = ClockTime::read(text).unwrap();
            let since = time.on(time.day().unwrap(), time.zone().unwrap());
            assert_eq!(since.nanoseconds(), seconds * SECOND, "{text}");
        }
    }
}
