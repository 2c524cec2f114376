//! Dates with times of day: ISO 8601 and RFC 3339, with a blank for the `T` too.

use fathom_record::Timestamp;

/// A moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DateTime {
    /// Since 1970; if there is no zone, as if it were in UTC.
    pub(super) time: Timestamp,
    /// Whether the text says the time zone.
    pub(super) has_zone: bool,
}

impl DateTime {
    /// Reads `2026-11-16T01:40:51.123456789+01:00`. Seconds, their fraction and the zone may be
    /// missing; the zone is `Z`, `+hh:mm`, `+hhmm` or `+hh`. `None` for other text, and for years
    /// that do not fit (before 1678, after 2261).
    pub(super) fn parse(text: &str) -> Option<DateTime> {
        let mut rest = text;
        let year = digits(&mut rest, 4)?;
        let month = after(&mut rest, &['-'], 2)?;
        let day = after(&mut rest, &['-'], 2)?;
        let hour = after(&mut rest, &['T', 't', ' '], 2)?;
        let minute = after(&mut rest, &[':'], 2)?;
        let (mut second, mut nanosecond) = (0, 0);
        if rest.starts_with(':') {
            second = after(&mut rest, &[':'], 2)?;
            nanosecond = fraction(&mut rest)?;
        }
        // A leap second is the first of the next minute.
        let is_sane = (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second <= 60;
        let zone = zone(rest.strip_prefix(' ').unwrap_or(rest))?;
        if !is_sane {
            return None;
        }
        let minutes = hour * 60 + minute - zone.unwrap_or(0);
        let seconds = days_since_1970(year, month, day) * 86_400 + minutes * 60 + second;
        let nanoseconds = seconds.checked_mul(1_000_000_000)?.checked_add(nanosecond)?;
        let time = Timestamp::from_nanoseconds(nanoseconds);
        Some(DateTime { time, has_zone: zone.is_some() })
    }
}

fn digits(rest: &mut &str, count: usize) -> Option<i64> {
    let (number, after) = rest.split_at_checked(count)?;
    *rest = after;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok()).flatten()
}

fn after(rest: &mut &str, marks: &[char], count: usize) -> Option<i64> {
    *rest = rest.strip_prefix(marks)?;
    digits(rest, count)
}

/// The fraction of a second, in nanoseconds; digits behind them go.
fn fraction(rest: &mut &str) -> Option<i64> {
    let Some(behind) = rest.strip_prefix(['.', ',']) else { return Some(0) };
    let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    let (number, after) = behind.split_at_checked(end)?;
    *rest = after;
    let padded = format!("{number:0<9}");
    if number.is_empty() { None } else { padded.get(..9)?.parse().ok() }
}

/// Minutes ahead of UTC; `Some(None)` where no zone is said.
fn zone(rest: &str) -> Option<Option<i64>> {
    match rest {
        "" => return Some(None),
        "Z" | "z" | "UTC" | "GMT" => return Some(Some(0)),
        _ => {}
    }
    let is_behind = rest.starts_with('-');
    let mut rest = rest.strip_prefix(['+', '-'])?;
    let hours = digits(&mut rest, 2)?;
    rest = rest.strip_prefix(':').unwrap_or(rest);
    let minutes = if rest.is_empty() { 0 } else { digits(&mut rest, 2)? };
    if !rest.is_empty() || hours > 23 || minutes > 59 {
        return None;
    }
    let ahead = hours * 60 + minutes;
    Some(Some(if is_behind { -ahead } else { ahead }))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days of the Gregorian calendar, counted in years that begin in March, so that the leap day is
/// the last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let months = (month + 9) % 12;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (months * 153 + 2) / 5 + day - 1 - 719_468
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
        fn days_follow_each_other(year in 1700..2200_i64, month in 1..=12_i64) {
            let last = days_since_1970(year, month, days_in(year, month));
            let (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            prop_assert_eq!(days_since_1970(year, month, 1), last + 1);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[-0-9T:.Z+ \u{e9}]{0,30}") {
            let _ = DateTime::parse(&text);
        }
    }
}
