//! Moments by the calendar and the clock on the wall: ISO 8601 and RFC 3339, with a blank for the `T`
//! too, and times of day without a date.

use crate::Timestamp;

/// What a text says of a moment. What it leaves out, its reader has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalendarMoment {
    /// The day, counted from 1970-01-01; absent for a time of day.
    pub day: Option<i64>,
    /// Nanoseconds after the day's midnight. A leap second is the first of the next minute.
    pub of_day: i64,
    /// Minutes ahead of UTC, if the text names a time zone.
    pub zone: Option<i64>,
}

const SECOND: i64 = 1_000_000_000;
const DAY: i64 = 86_400 * SECOND;

impl CalendarMoment {
    /// Reads `2026-11-16T01:40:51.123456789+01:00` or `01:40`. Seconds, their fraction and the zone may
    /// be missing; the zone is `Z`, `+hh:mm`, `+hhmm` or `+hh`.
    #[must_use]
    pub fn parse(text: &str) -> Option<CalendarMoment> {
        let mut rest = text;
        let day = match text.find(':') {
            Some(1 | 2) => None,
            _ => {
                let year = digits(&mut rest, 4)?;
                let month = after(&mut rest, &['-'], 2)?;
                let day = after(&mut rest, &['-'], 2)?;
                rest = rest.strip_prefix(['T', 't', ' '])?;
                let is_sane =
                    (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
                if !is_sane {
                    return None;
                }
                Some(days_since_1970(year, month, day))
            }
        };
        let hour = match rest.find(':') {
            // 9:30 is clear enough without a date.
            Some(1) if day.is_none() => digits(&mut rest, 1)?,
            _ => digits(&mut rest, 2)?,
        };
        let minute = after(&mut rest, &[':'], 2)?;
        let (mut second, mut nanosecond) = (0, 0);
        if rest.starts_with(':') {
            second = after(&mut rest, &[':'], 2)?;
            nanosecond = fraction(&mut rest)?;
        }
        let zone = zone(rest.strip_prefix(' ').unwrap_or(rest))?;
        let is_sane = hour < 24 && minute < 60 && second <= 60;
        let of_day = (hour * 3600 + minute * 60 + second) * SECOND + nanosecond;
        is_sane.then_some(CalendarMoment { day, of_day, zone })
    }

    /// A moment in UTC.
    #[must_use]
    pub fn of(moment: Timestamp) -> CalendarMoment {
        let since = moment.nanoseconds();
        CalendarMoment {
            day: Some(since.div_euclid(DAY)),
            of_day: since.rem_euclid(DAY),
            zone: Some(0),
        }
    }

    /// The moment, if day and zone are known. `None` also for years that do not fit (before 1678,
    /// after 2261).
    #[must_use]
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.at_offset(self.day?, self.zone? * 60)
    }

    /// The moment. Without a zone it is on the clock of a place, whose lead on UTC `offset` says, in
    /// seconds, for a moment in seconds since 1970. Without a day it is the first such time at `from` or
    /// later.
    #[must_use]
    pub fn resolved(&self, from: Timestamp, offset: &dyn Fn(i64) -> i64) -> Option<Timestamp> {
        match self.day {
            Some(day) => self.on_day(day, offset),
            None => {
                let seconds = from.nanoseconds().div_euclid(SECOND);
                let ahead = self.zone.map_or_else(|| offset(seconds), |zone| zone * 60);
                let today = (seconds + ahead).div_euclid(86_400);
                // Clocks that are put forward or back make days of 23 or 25 hours.
                let days = (today - 1..=today + 2).filter_map(|day| self.on_day(day, offset));
                days.into_iter().find(|moment| *moment >= from)
            }
        }
    }

    fn on_day(&self, day: i64, offset: &dyn Fn(i64) -> i64) -> Option<Timestamp> {
        if let Some(zone) = self.zone {
            return self.at_offset(day, zone * 60);
        }
        // The offset is one of a moment, which is known once the offset is.
        let as_utc = self.at_offset(day, 0)?.nanoseconds().div_euclid(SECOND);
        let first = offset(as_utc);
        self.at_offset(day, offset(as_utc - first))
    }

    fn at_offset(&self, day: i64, ahead: i64) -> Option<Timestamp> {
        let midnight = day.checked_mul(DAY)?;
        let moment = midnight.checked_add(self.of_day)?.checked_sub(ahead * SECOND)?;
        Some(Timestamp::from_nanoseconds(moment))
    }

    /// As it is typed: `2026-11-16T01:40:51.5Z`, `01:40`.
    #[must_use]
    pub fn text(&self) -> String {
        // A leap second at midnight would be the 25th hour.
        let of_day = self.of_day.rem_euclid(DAY);
        let day = self.day.map(|day| day + self.of_day.div_euclid(DAY));
        let (seconds, rest) = (of_day / SECOND, of_day % SECOND);
        let (hour, minute, second) = (seconds / 3600, seconds % 3600 / 60, seconds % 60);
        let date = day.map_or(String::new(), |day| date(day) + "T");
        let seconds = match (second, rest) {
            (0, 0) => String::new(),
            (second, 0) => format!(":{second:02}"),
            (second, rest) => {
                format!(":{second:02}.{}", format!("{rest:09}").trim_end_matches('0'))
            }
        };
        let zone = match self.zone {
            None => String::new(),
            Some(0) => "Z".to_string(),
            Some(zone) => {
                let sign = if zone < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", zone.abs() / 60, zone.abs() % 60)
            }
        };
        format!("{date}{hour:02}:{minute:02}{seconds}{zone}")
    }
}

/// `2026-11-16`, of days since 1970.
fn date(day: i64) -> String {
    // 400 years always have the same number of days; counted in years that begin in March.
    let since = day + 719_468;
    let (era, of_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let months = (5 * of_year + 2) / 153;
    let day = of_year - (153 * months + 2) / 5 + 1;
    let month = if months < 10 { months + 3 } else { months - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
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

    fn seconds(text: &str) -> i64 {
        CalendarMoment::parse(text).unwrap().timestamp().unwrap().nanoseconds() / SECOND
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "2026-11-16T01:40Z",
            "2026-11-16T01:40:51.000000001+05:30",
            "1969-12-31T23:59:59-08:00",
            "2000-02-29T12:00",
            "14:02",
            "00:00:00.5Z",
        ] {
            assert_eq!(CalendarMoment::parse(text).unwrap().text(), text);
        }
        assert_eq!(CalendarMoment::parse("9:30").unwrap().text(), "09:30");
        assert_eq!(
            CalendarMoment::parse("2016-12-31 23:59:60Z").unwrap().text(),
            "2017-01-01T00:00Z"
        );
        for day in (-200_000..200_000).step_by(97) {
            let text = format!("{}T00:00Z", date(day));
            assert_eq!(CalendarMoment::parse(&text).unwrap().day, Some(day), "{text}");
        }
        let at = Timestamp::from_nanoseconds(1_794_793_234_500_000_000);
        assert_eq!(CalendarMoment::of(at).text(), "2026-11-16T01:40:34.5Z");
        assert_eq!(CalendarMoment::of(at).timestamp(), Some(at));
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "",
            "14",
            "14:2",
            "24:00",
            "12:60",
            "2026-11-16",
            "2026-11-16T9:30",
            "1:2:3:4",
            "12:00+1",
        ] {
            assert_eq!(CalendarMoment::parse(text), None, "{text}");
        }
    }

    /// Central Europe in 2026: an hour ahead, from 29 March 01:00 UTC to 25 October 01:00 UTC two.
    fn berlin(at: i64) -> i64 {
        let summer = seconds("2026-03-29T01:00Z")..seconds("2026-10-25T01:00Z");
        if summer.contains(&at) { 7200 } else { 3600 }
    }

    #[test]
    fn a_time_of_day_is_the_next_one_on_the_local_clock() {
        let resolved = |text: &str, from: &str| {
            let from = CalendarMoment::parse(from).unwrap().timestamp().unwrap();
            let moment = CalendarMoment::parse(text).unwrap().resolved(from, &berlin).unwrap();
            CalendarMoment::of(moment).text()
        };
        for (text, from, found) in [
            ("14:02", "2026-11-18T14:00Z", "2026-11-19T13:02Z"),
            ("14:02", "2026-11-18T13:02Z", "2026-11-18T13:02Z"),
            ("14:02", "2026-07-01T23:30Z", "2026-07-02T12:02Z"),
            ("14:02Z", "2026-07-01T14:03Z", "2026-07-02T14:02Z"),
            ("00:30", "2026-07-01T22:00Z", "2026-07-01T22:30Z"),
            ("23:30-08:00", "2026-07-01T00:00Z", "2026-07-01T07:30Z"),
            // The clock was put forward at 02:00 and back at 03:00.
            ("03:00", "2026-03-29T00:00Z", "2026-03-29T01:00Z"),
            ("12:00", "2026-10-25T00:00Z", "2026-10-25T11:00Z"),
            ("2026-07-01 12:00", "2026-11-18T14:00Z", "2026-07-01T10:00Z"),
            ("2026-12-01 12:00", "2026-07-01T14:00Z", "2026-12-01T11:00Z"),
        ] {
            assert_eq!(resolved(text, from), found, "{text} from {from}");
        }
    }
}
