//! Rows that are not executions but samples of one, at times that go on evenly.
//!
//! A table without a column that is certainly the time has an execution per row. Many traces look
//! like that: `start_ns,end_ns,power` or `elapsed,temp`. Counting their rows as executions gives
//! an answer about hundreds of executions where there was one, so they are recognised:
//!
//! - a column with a name such as `time`, `elapsed`, `start` or `end`, anywhere in the table, or
//!   the first column if it is in a unit of time;
//! - whose values go up evenly from row to row; or `start` and `end`, where every row begins when
//!   the one before it ended.
//!
//! An evenly growing `seed`, `run` or `id` numbers executions and is left alone.

use fathom_record::Unit;

use super::heading::{Heading, is_run};
use crate::error::{Flaw, quoted};

/// What the rows of a table are, where the user says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowsAre {
    /// Every row is an execution, whatever the columns look like.
    Executions,
    /// All rows are samples of one execution.
    Samples,
}

impl RowsAre {
    /// All of them.
    pub const ALL: [RowsAre; 2] = [RowsAre::Executions, RowsAre::Samples];

    /// Its name in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RowsAre::Executions => "executions",
            RowsAre::Samples => "samples",
        }
    }
}

/// Fewer rows than this can be even by chance, where the name says that the column is a time.
const FEWEST_NAMED: usize = 5;
/// The same, where only the unit says it.
const FEWEST_UNNAMED: usize = 10;
/// How far a step may be from the usual one: samplers are a little late now and then.
const JITTER: f64 = 0.02;
/// The share of steps that must be usual ones: a trace can have gaps.
const USUAL: f64 = 0.9;

/// Words in names of times; `run_time` is not one, see [`is_duration`].
const TIMES: [&str; 13] = [
    "time",
    "times",
    "timestamp",
    "datetime",
    "epoch",
    "elapsed",
    "t",
    "ts",
    "start",
    "begin",
    "end",
    "stop",
    "uptime",
];
/// Words in names of what an execution took, which `time` also ends.
const DURATIONS: [&str; 14] = [
    "run",
    "cpu",
    "user",
    "sys",
    "system",
    "wall",
    "exec",
    "execution",
    "response",
    "wait",
    "service",
    "latency",
    "build",
    "total",
];
/// Words in names that number executions.
const NUMBERS: [&str; 12] = [
    "seed",
    "id",
    "index",
    "idx",
    "no",
    "number",
    "trial",
    "iteration",
    "iter",
    "rep",
    "repetition",
    "n",
];

/// How surely a column is the time of a trace, by its heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    /// By its name.
    Name,
    /// By its unit, as the first column.
    Unit,
}

/// The words of a name, in lower case: `startTime_ns` has three.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            is_open = false;
            was_lower = false;
            continue;
        }
        if !is_open || (c.is_uppercase() && was_lower) {
            words.push(String::new());
            is_open = true;
        }
        was_lower = c.is_lowercase();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

fn is_duration(words: &[String]) -> bool {
    words.iter().any(|word| DURATIONS.contains(&word.as_str()))
}

fn hint(heading: &Heading, column: usize) -> Option<Hint> {
    let words = words(&heading.name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    if is_run(&heading.name) || has(&NUMBERS) {
        return None;
    }
    if has(&TIMES) && !is_duration(&words) {
        return Some(Hint::Name);
    }
    let is_of_time = match &heading.unit {
        Unit::Time(_) => true,
        Unit::Other(symbol) => ["cycles", "ticks", "ps"].contains(&symbol.as_str()),
        _ => false,
    };
    (column == 0 && is_of_time && !is_duration(&words)).then_some(Hint::Unit)
}

/// The column whose name says that it is the time, when the user says that there is one; and the
/// column with the end of each sample, if there is one.
pub(super) fn by_name(headings: &[Heading]) -> Option<(usize, Option<usize>)> {
    let hinted = |column: &usize| headings.get(*column).and_then(|h| hint(h, *column)).is_some();
    let time = (0..headings.len()).find(hinted)?;
    let is_end = |column: &usize| {
        let words = headings.get(*column).map_or(Vec::new(), |heading| words(&heading.name));
        words.iter().any(|word| ["end", "stop"].contains(&word.as_str()))
    };
    let end = (0..headings.len()).filter(hinted).find(|column| *column != time && is_end(column));
    Some((time, end))
}

/// Whether a column could be the time by its heading.
pub(super) fn may_be_time(heading: &Heading, column: usize) -> bool {
    hint(heading, column).is_some()
}

/// Refuses rows that are samples of one execution. `columns` has the numbers of each column that
/// may be the time, or fewer than rows where some cells are not numbers.
pub(super) fn refuse(headings: &[Heading], columns: &[Vec<f64>], rows: usize) -> Result<(), Flaw> {
    // Alone, a column of times is what executions took.
    if headings.len() < 2 {
        return Ok(());
    }
    let hinted: Vec<(usize, Hint, &[f64])> = headings
        .iter()
        .zip(columns)
        .enumerate()
        .filter(|(_, (_, values))| values.len() == rows)
        .filter_map(|(column, (heading, values))| {
            Some((column, hint(heading, column)?, values.as_slice()))
        })
        .collect();
    for &(column, hint, values) in &hinted {
        let fewest = if hint == Hint::Name { FEWEST_NAMED } else { FEWEST_UNNAMED };
        let Some(step) = even_step(values).filter(|_| rows >= fewest) else { continue };
        let Some(heading) = headings.get(column) else { continue };
        let unit = match heading.unit.symbol() {
            "" => String::new(),
            symbol => format!(" {symbol}"),
        };
        return Err(is_trace(&format!(
            "{} increases by {step}{unit} from row to row",
            quoted(&heading.name)
        )));
    }
    for &(from, _, starts) in &hinted {
        for &(to, _, ends) in &hinted {
            if from != to && rows >= FEWEST_NAMED && follow_on(starts, ends) {
                let name = |column: usize| headings.get(column).map_or("", |h| h.name.as_str());
                return Err(is_trace(&format!(
                    "every row begins ({}) where the previous row ends ({})",
                    quoted(name(from)),
                    quoted(name(to))
                )));
            }
        }
    }
    Ok(())
}

fn is_trace(why: &str) -> Flaw {
    Flaw::new(
        format!("the rows look like samples of one execution, not like separate executions: {why}"),
        "if they are samples, use --rows samples and ask about signals, as in 'always(x < 5)' or \
         'avg(x) < 5'. If every row is a separate execution, use --rows executions",
    )
}

/// The step by which values go up, if they do so evenly.
fn even_step(values: &[f64]) -> Option<f64> {
    let mut steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if steps.is_empty() || !steps.iter().all(|step| *step > 0.0) {
        return None;
    }
    steps.sort_by(f64::total_cmp);
    let usual = steps[steps.len() / 2];
    let is_usual = |step: &&f64| (**step - usual).abs() <= JITTER * usual;
    let share = steps.iter().filter(is_usual).count() as f64 / steps.len() as f64;
    (share >= USUAL).then_some(usual)
}

/// Whether each row begins where the one before it ends.
fn follow_on(starts: &[f64], ends: &[f64]) -> bool {
    let pairs = starts.len().saturating_sub(1);
    let goes_up = starts.windows(2).all(|pair| pair[1] > pair[0])
        // The first sample of a counter covers no time.
        && starts.iter().zip(ends).all(|(start, end)| end >= start);
    #[allow(clippy::float_cmp, reason = "the same instant is written twice")]
    let joined = starts.iter().skip(1).zip(ends).filter(|(start, end)| start == end).count();
    goes_up && joined as f64 >= USUAL * pairs as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(header: &str, columns: &[Vec<f64>]) -> bool {
        let headings: Vec<Heading> = header.split(',').map(Heading::of).collect();
        let rows = columns[0].len();
        refuse(&headings, columns, rows).is_err()
    }

    fn grid(n: usize, step: f64) -> Vec<f64> {
        (0..n).map(|i| 3.0 + step * i as f64).collect()
    }

    fn noise(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * 7919) % 101) as f64).collect()
    }

    #[test]
    fn evenly_spaced_times_are_a_trace() {
        for header in [
            "start_ns,x",
            "elapsed,x",
            "Time elapsed [s],x",
            "startTime,x",
            "ts,x",
            "epoch_ms,x",
            "sim_time,x",
            "when[us],x",
            "at_ms,x",
            "simTime,x",
        ] {
            assert!(judged(header, &[grid(40, 0.5), noise(40)]), "{header}");
        }
        assert!(judged("x,end", &[noise(40), grid(40, 10.0)]), "anywhere, by name");
        // A sampler that is late now and then.
        let late: Vec<f64> =
            grid(40, 1.0).iter().enumerate().map(|(i, t)| t + 0.001 * (i % 3) as f64).collect();
        assert!(judged("elapsed,x", &[late, noise(40)]));
    }

    #[test]
    fn numbers_of_executions_are_no_times() {
        for header in [
            "seed,x",
            "run,x",
            "id,x",
            "run_id,x",
            "trial,x",
            "i,x",
            "n,x",
            "x,y",
            "threads,x",
            "size,x",
            "start_seed,x",
        ] {
            assert!(!judged(header, &[grid(40, 1.0), noise(40)]), "{header}");
        }
    }

    #[test]
    fn times_of_executions_are_no_trace() {
        for header in ["start,x", "latency_ms,x", "runtime_ms,x", "timestamp,x"] {
            // Neither sorted nor even.
            assert!(!judged(header, &[noise(40), noise(40)]), "{header}");
        }
        // Executions that began one after the other, as long as each of them took.
        let begun: Vec<f64> = noise(40)
            .iter()
            .scan(0.0, |at, took| {
                *at += 50.0 + took;
                Some(*at)
            })
            .collect();
        assert!(!judged("start,x", &[begun.clone(), noise(40)]));
        // Unless each also says that it ended right when the next began.
        let ends: Vec<f64> = begun[1..].iter().copied().chain([1e9]).collect();
        assert!(judged("start,end,x", &[begun, ends, noise(40)]));
        // Few rows, and what an execution took.
        assert!(!judged("elapsed,x", &[grid(4, 1.0), noise(4)]));
        assert!(!judged("wait_ms,x", &[grid(40, 1.0), noise(40)]));
        assert!(!judged("cpu_time,x", &[grid(40, 1.0), noise(40)]));
        assert!(!judged("elapsed", &[grid(40, 1.0)]));
    }

    #[test]
    fn names_tell_where_samples_begin_and_end() {
        let headings: Vec<Heading> = "x,start_ns,end_ns".split(',').map(Heading::of).collect();
        assert_eq!(by_name(&headings), Some((1, Some(2))));
        assert_eq!(by_name(&headings[..1]), None);
        assert_eq!(words("simTime_ns"), ["sim", "time", "ns"]);
    }
}
