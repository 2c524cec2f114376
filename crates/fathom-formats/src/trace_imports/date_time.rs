//! Dates with times of day, in files.

use fathom_record::{CalendarMoment, Timestamp};

/// A moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DateTime {
    /// Since 1970; if there is no zone, as if it were in UTC.
    pub(super) time: Timestamp,
    /// Whether the text says the time zone.
    pub(super) has_zone: bool,
}

impl DateTime {
    /// Reads `2026-11-16T01:40:51.123456789+01:00`, as [`CalendarMoment::parse`] does, with a date.
    /// `None` for other text, and for years that do not fit (before 1678, after 2261).
    pub(super) fn parse(text: &str) -> Option<DateTime> {
        let found = CalendarMoment::parse(text)?;
        let has_zone = found.zone.is_some();
        let in_utc = CalendarMoment { zone: found.zone.or(Some(0)), ..found };
        Some(DateTime { time: in_utc.timestamp()?, has_zone })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ns(text: &str) -> Option<i64> {
        DateTime::parse(text).map(|date| date.time.nanoseconds())
    }

    /// Seconds by `date -u -d ... +%s`.
    #[test]
    fn moments_are_found() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-16 01:47:14", 1_794_793_634),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("1969-12-31T23:59:59+00:00", -1),
            ("2024-03-10T12:30+05:30", 1_710_054_000),
            ("2024-03-10T12:30:00-0800", 1_710_102_600),
            ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("1900-03-01 00:00:00", -2_203_891_200),
        ] {
            assert_eq!(ns(text), Some(seconds * 1_000_000_000), "{text}");
        }
        assert_eq!(ns("1970-01-01T00:00:00.000000001Z"), Some(1));
        assert_eq!(ns("1970-01-01T00:00:00,25+01"), Some(-3_600_000_000_000 + 250_000_000));
        assert_eq!(ns("1970-01-01 00:00:00.1234567899"), Some(123_456_789));
        assert!(DateTime::parse("2026-11-16T01:47:14Z").unwrap().has_zone);
        assert!(!DateTime::parse("2026-11-16T01:47:14").unwrap().has_zone);
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "",
            "2026-11-16",
            "2026-13-01 00:00",
            "2026-02-29 00:00",
            "2026-11-16 24:00",
            "2026-11-16 00:60",
            "2026-11-16 00:00:61",
            "2026-11-16 00:00:00.",
            "2026-11-16 00:00:00+1",
            "2026-11-16 00:00:00+24:00",
            "2026-11-16 00:00:00Zx",
            "2026/11/16 00:00:00",
            "20\u{e9}6-11-16 00:00",
            "9999-01-01 00:00:00",
            "1.5",
        ] {
            assert_eq!(ns(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[-0-9T:.Z+ \u{e9}]{0,30}") {
            let _ = DateTime::parse(&text);
        }
    }
}
