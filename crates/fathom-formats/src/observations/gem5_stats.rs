//! gem5's `stats.txt` as an execution: scalars of one dump, signals of several.
//!
//! A vector's element and a distribution's bucket is `name::element`; `nan` and `inf` are missing
//! values. `--column` picks statistics; without it all of them are there.
//!
//! With several dumps every statistic is a step signal. Dump k's value holds from the end of dump
//! k − 1 to its own end, since a dump is written at the end of what it covers. Where the statistics
//! were reset later than the dump before (`simTicks` says how long ago), nothing is known in
//! between. A dump that covers no time, as gem5 writes one at exit, is left out.
//!
//! Without resets a counter goes on counting, and nothing in the file tells counters from averages,
//! so values are left as gem5 wrote them: on dump k's stretch stands what had accumulated by its end.
//! For totals that is up to one stretch early; for values of each stretch, reset with every dump.

use std::collections::{HashMap, HashSet};

use fathom_record::{Observation, ObservationError, Scalar, Shape, Signal, Unit};

use super::ObservationOptions;
use super::found::ParsedAttempts;
use super::gem5_stretches::{Clock, Stretches};
use crate::error::{Flaw, quoted};
use crate::{gem5, gem5_dumps, number};

const ONE: &str = "use one of them";

/// A statistic over the dumps.
struct Statistic {
    name: String,
    unit: Unit,
    /// By dump; NaN where it is missing, and not always as many as dumps.
    values: Vec<f64>,
    line: u64,
}

pub(super) fn read(text: &str, options: &ObservationOptions) -> Result<ParsedAttempts, Flaw> {
    let (statistics, dumps) = statistics(text, options)?;
    if statistics.is_empty() {
        return Err(gem5::nothing(dumps));
    }
    let wanted = wanted(&statistics, &options.columns)?;
    let clock = Clock::of(|name| {
        let named = statistics.iter().find(|statistic| statistic.name == name)?;
        Some((0..dumps).map(|dump| named.value(dump)).collect())
    });
    let seen = if dumps == 1 {
        scalars(&wanted, &clock)
    } else {
        signals(&wanted, &clock.stretches(dumps)?)
    };
    let seen = seen.map_err(|error| Flaw::of_observation(&error, "run the simulation again"))?;
    Ok(ParsedAttempts::all(vec![seen], ONE))
}

impl Statistic {
    fn value(&self, dump: usize) -> f64 {
        self.values.get(dump).copied().unwrap_or(f64::NAN)
    }
}

/// All statistics in the order of their first appearance, and the number of dumps.
fn statistics(text: &str, options: &ObservationOptions) -> Result<(Vec<Statistic>, usize), Flaw> {
    let asked: HashSet<&str> = options.columns.iter().map(|name| name.trim()).collect();
    let mut places: HashMap<(&str, Option<usize>), usize> = HashMap::new();
    let mut all: Vec<Statistic> = Vec::new();
    let dumps = gem5_dumps::each(text, |entry| {
        let place = *places.entry((entry.name, entry.bucket)).or_insert(all.len());
        if place == all.len() {
            let unit = in_our_words(gem5::unit_in(entry.description));
            let (name, values) = (entry.full_name(), Vec::new());
            all.push(Statistic { name, unit, values, line: entry.line });
        }
        let Some(statistic) = all.get_mut(place) else { return Ok(()) };
        let is_asked = asked.is_empty() || asked.contains(statistic.name.as_str());
        let value = match value(&entry) {
            Err(flaw) if is_asked => return Err(flaw),
            other => other.unwrap_or(f64::NAN),
        };
        if statistic.values.len() > entry.dump {
            let is_same = statistic.value(entry.dump).to_bits() == value.to_bits();
            if is_same || !is_asked {
                return Ok(());
            }
            return Err(Flaw::new(
                format!(
                    "the dump has a different value for this statistic on line {}",
                    statistic.line
                ),
                "remove one of the two, or choose other statistics with --column",
            )
            .at_line(entry.line)
            .within(place_of(&entry)));
        }
        statistic.values.resize(entry.dump, f64::NAN);
        statistic.values.push(value);
        statistic.line = entry.line;
        Ok(())
    })?;
    Ok((all, dumps))
}

fn place_of(entry: &gem5_dumps::Entry<'_>) -> String {
    format!("dump {}, {}", entry.dump + 1, quoted(&entry.full_name()))
}

fn value(entry: &gem5_dumps::Entry<'_>) -> Result<f64, Flaw> {
    let flaw = match number::parse(entry.value) {
        Ok(value) => return Ok(value),
        Err(number::NumberFlaw::NotFinite) => return Ok(f64::NAN),
        Err(number::NumberFlaw::Empty) => {
            Flaw::new("the value is missing", "choose other statistics with --column")
        }
        Err(flaw) => {
            flaw.about(entry.value, "correct it, or choose other statistics with --column")
        }
    };
    Err(flaw.at_line(entry.line).within(place_of(entry)))
}

/// gem5's names of units as properties write them; counts and ratios are plain numbers.
fn in_our_words(unit: Unit) -> Unit {
    let Unit::Other(word) = unit else { return unit };
    let ours = match word.as_str() {
        "Tick" => "ticks",
        "Cycle" => "cycles",
        "Watt" => "W",
        "Joule" => "J",
        "Volt" => "V",
        "Celsius" => "degC",
        "Count" | "Ratio" | "Count/Count" => return Unit::Unknown,
        _ => return Unit::Other(word),
    };
    Unit::Other(ours.to_string())
}

fn wanted<'a>(all: &'a [Statistic], asked: &[String]) -> Result<Vec<&'a Statistic>, Flaw> {
    if asked.is_empty() {
        return Ok(all.iter().collect());
    }
    let by_name: HashMap<&str, &Statistic> =
        all.iter().map(|statistic| (statistic.name.as_str(), statistic)).collect();
    let find = |name: &String| {
        by_name.get(name.trim()).copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|statistic| statistic.name.as_str()).collect();
            gem5::no_such(name.trim(), &names)
        })
    };
    asked.iter().map(find).collect()
}

fn scalars(wanted: &[&Statistic], clock: &Clock) -> Result<Observation, ObservationError> {
    let mut seen = Observation::new();
    for statistic in wanted {
        let scalar = Scalar::new(statistic.value(0), statistic.unit.clone());
        seen.set_scalar(&statistic.name, scalar)?;
    }
    if let Some((length, unit)) = clock.length() {
        seen.set_time_unit(unit);
        seen.set_end(length)?;
    }
    Ok(seen)
}

fn signals(wanted: &[&Statistic], stretches: &Stretches) -> Result<Observation, ObservationError> {
    let mut seen = Observation::new();
    seen.set_time_unit(stretches.unit.clone());
    for statistic in wanted {
        let (mut times, mut values) = (Vec::new(), Vec::new());
        let mut end = None;
        for stretch in &stretches.all {
            if let Some(end) = end.filter(|&end| end < stretch.from) {
                times.push(end);
                values.push(f64::NAN);
            }
            times.push(stretch.from);
            values.push(statistic.value(stretch.dump));
            end = Some(stretch.to);
        }
        let signal = Signal::new(statistic.unit.clone(), Shape::Step, times, values)?;
        seen.set_signal(&statistic.name, signal)?;
    }
    if let Some(last) = stretches.all.last() {
        seen.set_end(last.to)?;
    }
    Ok(seen)
}
