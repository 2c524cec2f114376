//! gem5's `stats.txt`: a series per statistic, a value per dump.
//!
//! There are hundreds of statistics, so `--column` names the ones to read, unless there are few.
//! A vector's element is `name::element`. What is not asked for may be `nan`.

use std::collections::{HashMap, HashSet};

use fathom_record::{Series, Unit};

use crate::error::{ByOption, Flaw, listed, quoted};
use crate::nearest::did_you_mean;
use crate::read::Request;
use crate::{gem5_dumps, number};

/// If no statistic is chosen, up to this many are all read.
const FEW: usize = 8;

/// What people look at first, by the last part of the name.
const LIKELY: [&str; 12] = [
    "simSeconds",
    "sim_seconds",
    "simTicks",
    "sim_ticks",
    "simInsts",
    "sim_insts",
    "hostSeconds",
    "host_seconds",
    "ipc",
    "cpi",
    "numCycles",
    "committedInsts",
];

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    let (names, dumps) = names(text)?;
    if names.is_empty() {
        return Err(nothing(dumps));
    }
    let wanted: Vec<&str> = if !request.columns.is_empty() {
        request.columns.iter().map(|column| column.trim()).collect()
    } else if names.len() <= FEW {
        names.iter().map(String::as_str).collect()
    } else {
        return Err(pick_some(&names));
    };
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(*name)) {
        return Err(no_such(unknown, &names));
    }
    let found = collect(text, &wanted)?;
    wanted.iter().zip(found).map(|(name, found)| found.into_series(name, dumps)).collect()
}

/// A statistic that was asked for and is not there.
pub(crate) fn no_such<T: AsRef<str>>(name: &str, names: &[T]) -> Flaw {
    let near = did_you_mean(name, names);
    Flaw::new(
        format!("there is no statistic {} among {}{near}", quoted(name), names.len()),
        ByOption(format!("choose one with --column, for example {}", listed(&likely(names), FEW))),
    )
}

/// A file without any statistics.
pub(crate) fn nothing(dumps: usize) -> Flaw {
    Flaw::new(
        if dumps == 0 {
            "the file contains no statistics dump"
        } else {
            "the dumps contain no statistics"
        },
        "check that the simulation finished and that this is gem5's stats.txt",
    )
}

/// Every statistic's name in order of first appearance, and the number of dumps.
fn names(text: &str) -> Result<(Vec<String>, usize), Flaw> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    let dumps = gem5_dumps::each(text, |entry| {
        if seen.insert((entry.name, entry.bucket)) {
            names.push(entry.full_name());
        }
        Ok(())
    })?;
    Ok((names, dumps))
}

fn likely<T: AsRef<str>>(names: &[T]) -> Vec<&str> {
    let leaf = |name: &str| name.rsplit('.').next().unwrap_or_default().to_string();
    let mut likely: Vec<&str> = Vec::new();
    for wanted in LIKELY {
        // Two of a kind show the pattern; a hundred cores would hide the rest.
        let of_kind = names.iter().map(AsRef::as_ref).filter(|name| leaf(name) == wanted).take(2);
        likely.extend(of_kind);
    }
    if likely.is_empty() {
        likely.extend(names.iter().map(AsRef::as_ref).take(FEW));
    }
    likely
}

fn pick_some(names: &[String]) -> Flaw {
    Flaw::new(
        format!("the file has {} statistics, too many to analyze at once", names.len()),
        ByOption(format!("choose with --column, for example {}", listed(&likely(names), FEW))),
    )
}

/// The values of one statistic.
#[derive(Default)]
struct StatisticValues {
    values: Vec<f64>,
    unit: Unit,
    /// The dump and line of the last value.
    last: Option<(usize, u64)>,
}

fn collect(text: &str, wanted: &[&str]) -> Result<Vec<StatisticValues>, Flaw> {
    let mut slots: HashMap<&str, Vec<usize>> = HashMap::new();
    for (slot, name) in wanted.iter().enumerate() {
        slots.entry(name).or_default().push(slot);
    }
    let mut found: Vec<StatisticValues> =
        wanted.iter().map(|_| StatisticValues::default()).collect();
    gem5_dumps::each(text, |entry| {
        let numbered;
        let name = if entry.bucket.is_some() {
            numbered = entry.full_name();
            &numbered
        } else {
            entry.name
        };
        for slot in slots.get(name).into_iter().flatten() {
            if let Some(found) = found.get_mut(*slot) {
                found.add(name, &entry)?;
            }
        }
        Ok(())
    })?;
    Ok(found)
}

impl StatisticValues {
    fn add(&mut self, name: &str, entry: &gem5_dumps::Entry<'_>) -> Result<(), Flaw> {
        let dump = entry.dump + 1;
        let place = format!("dump {dump}, {}", quoted(name));
        if let Some((_, line)) = self.last.filter(|&(last, _)| last == entry.dump) {
            return Err(Flaw::new(
                format!("the dump already has this statistic on line {line}"),
                ByOption("choose another statistic with --column"),
            )
            .at_line(entry.line)
            .within(place));
        }
        let next = self.last.map_or(0, |(dump, _)| dump + 1);
        if next != entry.dump {
            return Err(missing(name, next));
        }
        let value = number::parse(entry.value).map_err(|flaw| {
            let remedy = ByOption("remove that dump, or choose another statistic with --column");
            flaw.about(entry.value, remedy).at_line(entry.line).within(place)
        })?;
        if self.values.is_empty() {
            self.unit = unit_in(entry.description);
        }
        self.values.push(value);
        self.last = Some((entry.dump, entry.line));
        Ok(())
    }

    fn into_series(self, name: &str, dumps: usize) -> Result<Series, Flaw> {
        if self.values.len() < dumps {
            return Err(missing(name, self.values.len()));
        }
        Series::new(name, self.unit, self.values)
            .map_err(|error| Flaw::new(error.to_string(), "run the simulation again"))
    }
}

fn missing(name: &str, dump: usize) -> Flaw {
    Flaw::new(
        format!("dump {} has no {}, but other dumps do", dump + 1, quoted(name)),
        ByOption("remove that dump, or choose another statistic with --column"),
    )
}

/// The unit at the end of a description: "(Second)", "((Cycle/Count))".
pub(crate) fn unit_in(description: &str) -> Unit {
    const WORDS: [&str; 11] = [
        "Second", "Tick", "Cycle", "Count", "Byte", "Bit", "Joule", "Watt", "Volt", "Celsius",
        "Ratio",
    ];
    let Some((_, bracketed)) = description.rsplit_once('(') else {
        return Unit::Unknown;
    };
    let unit = bracketed.trim_end_matches(')').trim();
    // Other brackets explain, "(read+write)", and say nothing about the unit.
    if unit.split('/').all(|word| WORDS.contains(&word)) {
        Unit::parse(unit)
    } else {
        Unit::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_from_descriptions() {
        assert_eq!(unit_in("Number of seconds simulated (Second)"), Unit::SECONDS);
        assert_eq!(unit_in("host memory used (Byte)"), Unit::Bytes);
        assert_eq!(
            unit_in("cycles (core level) ((Cycle/Count))"),
            Unit::Other("Cycle/Count".into())
        );
        assert_eq!(unit_in("number of accesses (read+write)"), Unit::Unknown);
        assert_eq!(unit_in("what (Unspecified)"), Unit::Unknown);
        assert_eq!(unit_in("Number of seconds simulated"), Unit::Unknown);
    }

    #[test]
    fn few_statistics_are_all_read() {
        let dump = |x: u32| {
            format!(
                "\n---------- Begin Simulation Statistics ----------\nsimTicks {x} # t (Tick)\n\n---------- End Simulation Statistics   ----------\n"
            )
        };
        let text = [dump(5), dump(7)].concat();
        let series =
            read(&text, &Request { source: "stats.txt", columns: &[], ..Request::default() })
                .unwrap();
        assert_eq!(series.len(), 1);
        assert_eq!(series[0].values(), [5.0, 7.0]);
        assert_eq!(series[0].unit(), &Unit::Other("Tick".into()));
    }
}
