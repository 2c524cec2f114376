//! What the header of a column, or the key of a number, says: a name, a unit, or a time.

use fathom_record::foreign_text::unguarded;
use fathom_record::{TimeUnit, Unit};

use crate::csv_columns;
use crate::error::{Flaw, quoted};

/// A name and what its numbers are in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heading {
    pub(crate) name: String,
    pub(crate) unit: Unit,
}

impl Heading {
    /// `power[W]` and `power (W)` are `power` in W; `wait_ms` keeps its name, since that is how
    /// people call it. `misses[0]` is an element and has no unit.
    pub(crate) fn of(text: &str) -> Heading {
        // Fathom's own exports keep spreadsheets from computing names.
        let text = unguarded(text);
        match bracketed(text) {
            Some((name, unit)) => Heading { name: name.to_string(), unit: Unit::parse(unit) },
            None if text.ends_with([']', ')']) => {
                Heading { name: text.to_string(), unit: Unit::Unknown }
            }
            None => Heading { name: text.to_string(), unit: csv_columns::unit_in(text) },
        }
    }
}

/// The name before a unit in brackets, and the unit.
pub(crate) fn bracketed(text: &str) -> Option<(&str, &str)> {
    let is_unit = |unit: &str| {
        unit.chars().any(|c| c.is_alphabetic() || matches!(c, '%' | '\u{b0}'))
            && !unit.starts_with(|c: char| c.is_ascii_digit())
    };
    [('[', ']'), ('(', ')')].into_iter().find_map(|(open, close)| {
        let (name, unit) = text.strip_suffix(close)?.rsplit_once(open)?;
        let name = name.trim_end();
        (!name.is_empty() && is_unit(unit)).then_some((name, unit))
    })
}

/// What times are in if this names the time: `time`, `t`, `time_ms`, `time[us]`, `cycle`, `ticks`,
/// `seconds`. `None` if it names something else.
///
/// A few names only: `runtime` and `latency_ms` are what an execution is judged by.
pub(super) fn time_unit(text: &str) -> Option<Result<Unit, Flaw>> {
    let is_time = |name: &str| {
        ["time", "t", "timestamp"].iter().any(|known| name.eq_ignore_ascii_case(known))
    };
    if is_time(text) {
        return Some(Ok(Unit::Unknown));
    }
    if let Some((name, unit)) = bracketed(text) {
        return is_time(name).then(|| of_word(unit).ok_or_else(|| no_time(text, unit)));
    }
    if let Some((name, unit)) = text.rsplit_once('_') {
        // `time_min` and `time_h` are as well the least time, or a time of something else.
        let is_sure = !["min", "h"].contains(&unit);
        return (is_time(name) && is_sure).then(|| of_word(unit)).flatten().map(Ok);
    }
    let lower = text.to_ascii_lowercase();
    let is_sure = !["s", "h", "min", "sample", "samples"].contains(&lower.as_str());
    is_sure.then(|| of_word(&lower)).flatten().map(Ok)
}

fn of_word(word: &str) -> Option<Unit> {
    let word = word.trim();
    if let Some(unit) = TimeUnit::parse(word) {
        return Some(Unit::Time(unit));
    }
    Some(match word.to_ascii_lowercase().as_str() {
        "ps" | "picosecond" | "picoseconds" => Unit::Other("ps".into()),
        "cycle" | "cycles" => Unit::Other("cycles".into()),
        "tick" | "ticks" => Unit::Other("ticks".into()),
        // Numbered steps have no unit.
        "step" | "steps" | "sample" | "samples" => Unit::Unknown,
        _ => return None,
    })
}

fn no_time(text: &str, unit: &str) -> Flaw {
    Flaw::new(
        format!("{} gives the time in {}, which is not a unit of time", quoted(text), quoted(unit)),
        "use time[s], time[ms], time[us], time[ns], time[ps], time[cycles] or time[ticks]",
    )
}

/// Which execution something is of: the column or field `run`, or `execution`.
pub(super) fn is_run(text: &str) -> bool {
    ["run", "execution"].iter().any(|known| text.eq_ignore_ascii_case(known))
}

/// What happened: the column or field `event`.
pub(super) fn is_event(text: &str) -> bool {
    text.eq_ignore_ascii_case("event")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_leave_the_name_where_they_stand_in_brackets() {
        let watt = Unit::Other("W".into());
        let ms = Unit::Time(TimeUnit::Milliseconds);
        for (text, name, unit) in [
            ("power[W]", "power", watt.clone()),
            ("power (W)", "power", watt),
            ("load[%]", "load", Unit::Other("%".into())),
            ("wait_ms", "wait_ms", ms.clone()),
            ("wait [ms]", "wait", ms),
            ("misses[0]", "misses[0]", Unit::Unknown),
            ("dist[0-3]", "dist[0-3]", Unit::Unknown),
            ("x []", "x []", Unit::Unknown),
            ("[W]", "[W]", Unit::Unknown),
            ("system.cpu::total", "system.cpu::total", Unit::Unknown),
        ] {
            assert_eq!(Heading::of(text), Heading { name: name.into(), unit }, "{text}");
        }
    }

    #[test]
    fn times_are_told_from_metrics() {
        let unit = |text| time_unit(text).map(|unit| unit.map(|unit| unit.symbol().to_string()));
        for (text, symbol) in [
            ("time", ""),
            ("T", ""),
            ("Time (s)", "s"),
            ("time_ms", "ms"),
            ("t_ns", "ns"),
            ("time_cycles", "cycles"),
            ("time[us]", "us"),
            ("time[ps]", "ps"),
            ("timestamp [ticks]", "ticks"),
            ("cycle", "cycles"),
            ("Cycles", "cycles"),
            ("tick", "ticks"),
            ("step", ""),
            ("seconds", "s"),
            ("ms", "ms"),
        ] {
            assert_eq!(unit(text), Some(Ok(symbol.to_string())), "{text}");
        }
        for text in [
            "runtime",
            "time_min",
            "time_h",
            "s",
            "h",
            "latency_ms",
            "uptime",
            "time_x",
            "cycles[0]",
            "power[W]",
            "samples",
            "",
        ] {
            assert_eq!(unit(text), None, "{text}");
        }
        assert!(matches!(time_unit("time[W]"), Some(Err(_))));
    }
}
