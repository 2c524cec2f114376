//! A time of day, with or without its date and its zone.

use fathom_record::Timestamp;

const FORM: &str = "write a time of day as 14:02 or 14:02:30.5, with a date as 2026-11-19T14:02, and with \
                    a zone as 14:02Z or 14:02+01:00";

const SECOND: i64 = 1_000_000_000;
const DAY: i64 = 86_400 * SECOND;

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTime {
    /// Days since 1970.
    day: Option<i64>,
    /// Nanoseconds since midnight.
    of_day: i64,
    /// Minutes ahead of UTC; absent: as this machine's clock shows it.
    zone: Option<i64>,
}

impl ClockTime {
    /// Its date, in days since 1970.
    #[must_use]
    pub fn day(self) -> Option<i64> {
        self.day
    }

    /// Its zone, in minutes ahead of UTC.
    #[must_use]
    pub fn zone(self) -> Option<i64> {
        self.zone
    }

    /// Since midnight.
    #[must_use]
    pub fn since_midnight(self) -> Timestamp {
        Timestamp::from_nanoseconds(self.of_day)
    }

    /// Since 1970, on a day and in a zone, given in days since 1970 and minutes ahead of UTC.
    #[must_use]
    pub fn on(self, day: i64, zone: i64) -> Timestamp {
        let midnight = day.saturating_mul(DAY).saturating_sub(zone.saturating_mul(60 * SECOND));
        Timestamp::from_nanoseconds(midnight.saturating_add(self.of_day))
    }

    pub(super) fn text(self) -> String {
        let seconds = self.of_day / SECOND;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let date = self.day.map_or(String::new(), |day| {
            let (year, month, day) = date_of(day);
            format!("{year:04}-{month:02}-{day:02}T")
        });
        let fraction = format!("{:09}", self.of_day % SECOND);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        let seconds = match (second, fraction.is_empty()) {
            (0, true) => String::new(),
            _ => format!(":{second:02}{point}{fraction}"),
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

    pub(super) fn read(text: &str) -> Result<ClockTime, String> {
        parse(text.trim()).ok_or_else(|| FORM.to_string())
    }
}

fn parse(text: &str) -> Option<ClockTime> {
    let (day, rest) = match text.split_once(['T', 't', ' ']) {
        Some((date, rest)) => (Some(day_of(date)?), rest),
        None => (None, text),
    };
    let (time, zone) = match rest.find(['Z', 'z', '+', '-']) {
        Some(at) => (rest.get(..at)?, Some(zone(rest.get(at..)?)?)),
        None => (rest, None),
    };
    let mut parts = time.split(':');
    let hour = number(parts.next()?, 1, 2)?;
    let minute = number(parts.next()?, 2, 2)?;
    let (second, fraction) = match parts.next() {
        None => (0, 0),
        Some(text) => match text.split_once('.') {
            None => (number(text, 2, 2)?, 0),
            Some((second, fraction)) => {
                let digits = number(fraction, 1, 9)?;
                let missing = u32::try_from(9 - fraction.len()).ok()?;
                (number(second, 2, 2)?, digits * 10_i64.pow(missing))
            }
        },
    };
    let is_time = hour < 24 && minute < 60 && second < 60 && parts.next().is_none();
    let of_day = (hour * 3600 + minute * 60 + second) * SECOND + fraction;
    is_time.then_some(ClockTime { day, of_day, zone })
}

/// Digits, of which there are so many.
fn number(text: &str, least: usize, most: usize) -> Option<i64> {
    let is_number =
        (least..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

fn zone(text: &str) -> Option<i64> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits = text.get(1..)?.replace(':', "");
    let (hours, minutes) = match digits.len() {
        2 => (number(&digits, 2, 2)?, 0),
        4 => (number(digits.get(..2)?, 2, 2)?, number(digits.get(2..)?, 2, 2)?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// Days since 1970 of `2026-11-19`.
fn day_of(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let year = number(parts.next()?, 4, 4)?;
    let month = number(parts.next()?, 2, 2)?;
    let day = number(parts.next()?, 2, 2)?;
    if parts.next().is_some() || !(1700..=2200).contains(&year) {
        return None;
    }
    let days = days_since_1970(year, month, day);
    // A day that the month does not have is one of the next.
    (date_of(days) == (year, month, day)).then_some(days)
}

/// Of the proleptic Gregorian calendar. Years begin in March, so that leap days are last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The year, month and day.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + days.div_euclid(146_097) * 400;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

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
