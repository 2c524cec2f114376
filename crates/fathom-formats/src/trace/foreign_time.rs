//! Which columns of a table that others wrote are its times, and what they count.

use super::foreign_column::Meaning;
use fathom_record::trace::Values;
use fathom_record::{TimeUnit, Timestamp};

/// A column, before it is read.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) place: usize,
    pub(super) name: String,
    pub(super) meaning: Meaning,
}

/// The columns with the times.
#[derive(Debug, Clone)]
pub(super) enum Times {
    /// Where each row starts and ends.
    Pair(Candidate, Candidate),
    /// When each row was.
    Moments(Candidate),
    /// No column is named as the time, so it is the first one.
    First(Candidate),
}

impl Times {
    /// Whether the column is one of them.
    pub(super) fn include(&self, column: &Candidate) -> bool {
        match self {
            Times::Pair(start, end) => [start.place, end.place].contains(&column.place),
            Times::Moments(time) | Times::First(time) => time.place == column.place,
        }
    }
}

/// Names of columns with the time of a row.
const MOMENTS: [&str; 7] = ["time", "timestamp", "t", "ts", "date", "datetime", "uptime"];

/// The times, by their names: `start_ns` and `end_ns`, `time`, `timestamp_ms`; by their type: the
/// first column of dates; or the first column of all. `None` if that one has no numbers.
pub(super) fn times(columns: &[Candidate], has_leading_number: bool) -> Option<Times> {
    let named =
        |names: &[&str]| columns.iter().find(|column| is_named(&column.name, names)).cloned();
    if let (Some(start), Some(end)) = (named(&["start", "start_time"]), named(&["end", "end_time"]))
    {
        return Some(Times::Pair(start, end));
    }
    if let Some(moments) = named(&["end", "end_time"]).or_else(|| named(&MOMENTS)) {
        return Some(Times::Moments(moments));
    }
    let is_date =
        |column: &&Candidate| matches!(column.meaning, Meaning::Moment(..) | Meaning::Date);
    if let Some(dates) = columns.iter().find(is_date) {
        return Some(Times::Moments(dates.clone()));
    }
    columns.first().filter(|_| has_leading_number).cloned().map(Times::First)
}

/// Whether a column is called so, with or without a unit.
fn is_named(name: &str, names: &[&str]) -> bool {
    let is = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    is(name) || split(name).is_some_and(|(name, _)| is(name))
}

/// A name and the unit after it: `time_ms`, `time [ms]`. `time_min` is as well the least time.
fn split(name: &str) -> Option<(&str, TimeUnit)> {
    let bracketed = [('[', ']'), ('(', ')')].into_iter().find_map(|(open, close)| {
        let (name, unit) = name.strip_suffix(close)?.rsplit_once(open)?;
        Some((name.trim_end(), unit))
    });
    let underscored = || name.rsplit_once('_').filter(|(_, unit)| !["min", "h"].contains(unit));
    let (name, unit) = bracketed.or_else(underscored)?;
    Some((name, TimeUnit::parse(unit)?))
}

/// The times of a column; the message is for one that has none or does not fit.
pub(super) fn timestamps(
    column: &Candidate,
    values: &Values,
    unit: Option<TimeUnit>,
) -> Result<Vec<Timestamp>, (usize, String)> {
    let unit = match column.meaning {
        Meaning::Moment(unit, _) | Meaning::Duration(unit) => unit,
        Meaning::Date => TimeUnit::Hours,
        _ => unit
            .or_else(|| split(&column.name).map(|(_, unit)| unit))
            .or_else(|| TimeUnit::parse(&column.name))
            .unwrap_or(TimeUnit::Seconds),
    };
    let days = if column.meaning == Meaning::Date { 24 } else { 1 };
    let whole = |value: i64| value.checked_mul(days)?.checked_mul(in_nanoseconds(unit));
    let missing = || "the time is missing".to_string();
    let far = |value: String| format!("the time {value} {} is out of range", unit.symbol());
    (0..values.len())
        .map(|row| match values {
            Values::Integers(values) => {
                let value = values.get(row).copied().flatten().ok_or_else(missing)?;
                whole(value).ok_or_else(|| far(value.to_string()))
            }
            Values::Reals(values) => {
                let value = values.get(row).copied().flatten().ok_or_else(missing)?;
                rounded(unit.convert(value, TimeUnit::Nanoseconds))
                    .ok_or_else(|| far(value.to_string()))
            }
        })
        .enumerate()
        .map(|(row, time)| time.map(Timestamp::from_nanoseconds).map_err(|what| (row, what)))
        .collect()
}

fn in_nanoseconds(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Nanoseconds => 1,
        TimeUnit::Microseconds => 1_000,
        TimeUnit::Milliseconds => 1_000_000,
        TimeUnit::Seconds => 1_000_000_000,
        TimeUnit::Minutes => 60_000_000_000,
        TimeUnit::Hours => 3_600_000_000_000,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "only what is in range")]
fn rounded(nanoseconds: f64) -> Option<i64> {
    // 2^63 itself is one too many.
    const END: f64 = 9_223_372_036_854_775_808.0;
    let rounded = nanoseconds.round();
    (-END..END).contains(&rounded).then_some(rounded as i64)
}

/// From here on a number is a time since 1970: September 2001.
const SINCE_1970: Timestamp = Timestamp::from_nanoseconds(1_000_000_000_000_000_000);

/// What times count from: some moment of their own, or 1970, and whether the time zone is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Own,
    Wall,
    SomeWall,
}

impl Scale {
    /// That of a column whose earliest time is `first`.
    pub(super) fn of(meaning: Meaning, first: Timestamp) -> Scale {
        match meaning {
            Meaning::Moment(_, true) => Scale::Wall,
            Meaning::Moment(_, false) | Meaning::Date => Scale::SomeWall,
            Meaning::Duration(_) => Scale::Own,
            _ if first >= SINCE_1970 => Scale::Wall,
            _ => Scale::Own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, meaning: Meaning) -> Candidate {
        Candidate { place: 0, name: name.to_string(), meaning }
    }

    #[test]
    fn times_are_found_by_name_then_type_then_place() {
        let integer = |name| column(name, Meaning::Integer);
        let dates = column("when", Meaning::Moment(TimeUnit::Microseconds, true));
        let found = |columns: &[Candidate]| match times(columns, true).unwrap() {
            Times::Pair(start, end) => format!("{} to {}", start.name, end.name),
            Times::Moments(moments) => moments.name,
            Times::First(first) => format!("first: {}", first.name),
        };
        assert_eq!(
            found(&[integer("a"), integer("start_ns"), integer("end_ns")]),
            "start_ns to end_ns"
        );
        assert_eq!(found(&[integer("a"), integer("Time [ms]"), dates.clone()]), "Time [ms]");
        assert_eq!(found(&[integer("a"), dates, integer("runtime")]), "when");
        assert_eq!(found(&[integer("faults"), integer("time_min")]), "first: faults");
        assert!(times(&[integer("faults")], false).is_none());
    }

    #[test]
    fn times_become_nanoseconds() {
        let of = |name, values| {
            let times = timestamps(&column(name, Meaning::Integer), &values, None);
            times.map(|times| times.into_iter().map(Timestamp::nanoseconds).collect::<Vec<_>>())
        };
        let at = Timestamp::from_nanoseconds;
        let integers = |value| Values::Integers(vec![Some(value)]);
        assert_eq!(of("time_ms", integers(5)), Ok(vec![5_000_000]));
        assert_eq!(of("ns", integers(5)), Ok(vec![5]));
        assert_eq!(of("t", Values::Reals(vec![Some(0.25)])), Ok(vec![250_000_000]));
        assert!(of("t", integers(i64::MAX)).unwrap_err().1.contains("out of range"));
        assert!(of("t", Values::Reals(vec![Some(1e300)])).is_err());
        assert_eq!(of("t", Values::Reals(vec![None])), Err((0, "the time is missing".to_string())));
        let date = column("d", Meaning::Date);
        assert_eq!(timestamps(&date, &integers(1), None), Ok(vec![at(86_400_000_000_000)]));
        assert_eq!(Scale::of(Meaning::Integer, at(5)), Scale::Own);
        assert_eq!(Scale::of(Meaning::Real, at(1_794_793_615_250_000_000)), Scale::Wall);
    }
}
