//! The times of a table.

use fathom_record::{Decimal, TimeUnit, Timestamp};

use super::date_time::DateTime;
use super::timeline::Scale;
use crate::decimal_mark::DecimalMark;
use crate::error::{Flaw, quoted};
use crate::number;
use crate::observations::heading;

/// What the header of a column of times says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeHeading {
    pub(super) role: Role,
    pub(super) unit: Option<TimeUnit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The moment of a row.
    Moment,
    Start,
    End,
}

const MOMENTS: [&str; 12] = [
    "time",
    "timestamp",
    "t",
    "ts",
    "date",
    "datetime",
    "uptime",
    "elapsed",
    "epoch",
    "unix_time",
    "unix_timestamp",
    "unixtime",
];

impl TimeHeading {
    /// `time`, `t`, `timestamp [ms]`, `time_us`, `start_ns`, `seconds`; `None` for a metric's name.
    pub(super) fn of(text: &str) -> Result<Option<TimeHeading>, Flaw> {
        if let Some(role) = role(text) {
            return Ok(Some(TimeHeading { role, unit: None }));
        }
        if let Some((name, unit)) = heading::bracketed(text) {
            let Some(role) = role(name) else { return Ok(None) };
            let unit = TimeUnit::parse(unit).ok_or_else(|| {
                Flaw::new(
                    format!(
                        "{} has the unit {}, which is not a unit of time",
                        quoted(text),
                        quoted(unit)
                    ),
                    "use ns, us, ms, s, min or h",
                )
            })?;
            return Ok(Some(TimeHeading { role, unit: Some(unit) }));
        }
        // `time_min` is as well the least time.
        if let Some((name, unit)) = text.rsplit_once('_')
            && !["min", "h"].contains(&unit)
            && let (Some(role), Some(unit)) = (role(name), TimeUnit::parse(unit))
        {
            return Ok(Some(TimeHeading { role, unit: Some(unit) }));
        }
        let is_sure = !["h", "min"].contains(&text);
        Ok(TimeUnit::parse(text)
            .filter(|_| is_sure)
            .map(|unit| TimeHeading { role: Role::Moment, unit: Some(unit) }))
    }
}

fn role(name: &str) -> Option<Role> {
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    if MOMENTS.iter().any(|known| is(known)) {
        Some(Role::Moment)
    } else if is("start") || is("start_time") {
        Some(Role::Start)
    } else if is("end") || is("end_time") {
        Some(Role::End)
    } else {
        None
    }
}

/// A moment in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) time: Timestamp,
    pub(super) is_date: bool,
    pub(super) has_zone: bool,
}

impl Moment {
    /// A number of `unit`s, or a date.
    pub(super) fn parse(text: &str, unit: TimeUnit, mark: DecimalMark) -> Result<Moment, Flaw> {
        if let Some(DateTime { time, has_zone }) = DateTime::parse(text) {
            return Ok(Moment { time, is_date: true, has_zone });
        }
        let decimal = match mark {
            DecimalMark::Point => Decimal::parse(text),
            DecimalMark::Comma if text.contains('.') => None,
            DecimalMark::Comma => Decimal::parse(&text.replace(',', ".")),
        };
        let Some(decimal) = decimal else { return Err(no_time(text)) };
        match decimal.nanoseconds(unit) {
            Some(nanoseconds) => {
                let time = Timestamp::from_nanoseconds(nanoseconds);
                Ok(Moment { time, is_date: false, has_zone: false })
            }
            None => Err(too_late(text, unit)),
        }
    }

    pub(super) fn scale(self) -> Scale {
        match (self.is_date, self.has_zone) {
            (true, true) => Scale::Wall,
            (true, false) => Scale::SomeWall,
            (false, _) => Scale::of_number(self.time),
        }
    }

    /// Whether the other is written the same way.
    pub(super) fn is_like(self, other: Moment) -> bool {
        (self.is_date, self.has_zone) == (other.is_date, other.has_zone)
    }
}

fn no_time(text: &str) -> Flaw {
    match number::parse(text) {
        Err(number::NumberFlaw::Empty) => {
            Flaw::new("the time is missing", "complete the row or remove it")
        }
        Err(number::NumberFlaw::WithUnit { unit }) => Flaw::new(
            format!("{} is a number with a unit", quoted(text)),
            format!("write plain numbers, and put the unit in the header, as in time[{unit}]"),
        ),
        _ => Flaw::new(
            format!("{} is not a time", quoted(text)),
            "write a number, or a date such as 2026-11-16T01:40:51.5Z",
        ),
    }
}

/// Nanoseconds in 64 bits reach 292 years. What is beyond is nearly always a time since 1970 in a
/// finer unit.
fn too_late(text: &str, unit: TimeUnit) -> Flaw {
    let finer = [TimeUnit::Milliseconds, TimeUnit::Microseconds, TimeUnit::Nanoseconds];
    let fits = finer.into_iter().find(|&finer| {
        let nanoseconds = Decimal::parse(text).and_then(|decimal| decimal.nanoseconds(finer));
        let time = nanoseconds.map(Timestamp::from_nanoseconds);
        time.is_some_and(|time| Scale::of_number(time) == Scale::Wall)
    });
    let what = format!("{} {} is out of range for a time", quoted(text), unit.symbol());
    match fits {
        Some(finer) => Flaw::new(
            what,
            format!(
                "if it is a time since 1970 in {0}, name the column time_{0} or use --time-unit \
                 {0}",
                finer.symbol()
            ),
        ),
        None => Flaw::new(what, "correct it, or set the right unit with --time-unit"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_times_are_told_from_metrics() {
        let heading =
            |text| TimeHeading::of(text).unwrap().map(|heading| (heading.role, heading.unit));
        let (ns, ms) = (Some(TimeUnit::Nanoseconds), Some(TimeUnit::Milliseconds));
        for (text, expected) in [
            ("time", (Role::Moment, None)),
            ("T", (Role::Moment, None)),
            ("unix_timestamp", (Role::Moment, None)),
            ("Timestamp", (Role::Moment, None)),
            ("time_ms", (Role::Moment, ms)),
            ("time [ms]", (Role::Moment, ms)),
            ("t(ns)", (Role::Moment, ns)),
            ("seconds", (Role::Moment, Some(TimeUnit::Seconds))),
            ("start_ns", (Role::Start, ns)),
            ("end_ns", (Role::End, ns)),
            ("Start", (Role::Start, None)),
        ] {
            assert_eq!(heading(text), Some(expected), "{text}");
        }
        for text in ["latency_ms", "time_min", "h", "start_x", "", "runtime", "faults", "x[ms]"] {
            assert_eq!(heading(text), None, "{text}");
        }
        assert!(TimeHeading::of("time[W]").is_err());
    }

    #[test]
    fn moments_are_numbers_or_dates() {
        let in_mark = |text, mark| {
            let moment = Moment::parse(text, TimeUnit::Milliseconds, mark);
            moment.map(|moment| moment.time.nanoseconds())
        };
        let ns = |text| in_mark(text, DecimalMark::Point);
        assert_eq!(ns("1.5"), Ok(1_500_000));
        assert!(ns("1,5").is_err() && in_mark("1.5", DecimalMark::Comma).is_err());
        assert_eq!(in_mark("1,5", DecimalMark::Comma), Ok(1_500_000));
        assert_eq!(ns("1970-01-01T00:00:01Z"), Ok(1_000_000_000));
        assert!(ns("").is_err() && ns("soon").is_err() && ns("1e300").is_err());
    }
}
