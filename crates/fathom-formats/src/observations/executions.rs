//! Fathom's own JSON of executions, and the journal of a check.
//!
//! Executions (`"schema": "fathom-execution/1"`) stand alone, in a list, or one after the other. A
//! journal has a line for every execution that was performed, in the order in which they ended, after
//! a line with what was asked (journals of before November 2026 have none). Executions
//! are put back into the order of their numbers. Of two with one number the first counts: the
//! second was performed because the first was thought to be lost.

use std::collections::BTreeMap;
use std::fmt;

use fathom_record::{ObservationError, WrittenObservation};
use serde::de::{DeserializeSeed, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;

use super::attempts::Attempts;
use super::found::{FailedExecution, ParsedAttempts};
use super::kind;
use crate::error::Flaw;
use crate::json;

const ONE: &str = "write each execution to its own file";

/// Executions by themselves.
pub(super) fn read(text: &str) -> Result<ParsedAttempts, Flaw> {
    let mut all = Attempts::default();
    if text.trim_ascii_start().starts_with('[') {
        all = list(text)?;
    } else {
        json::each(text, refuse, |written: WrittenObservation, line| {
            all.push(Ok(written.observation().map_err(|error| unfit(&error).at_line(line))?));
            Ok(())
        })?;
    }
    if all.is_empty() {
        return Err(Flaw::new(
            "the file contains no executions",
            "check that it is the right file",
        ));
    }
    Ok(ParsedAttempts::of(all, ONE))
}

/// A list of executions.
fn list(text: &str) -> Result<Attempts, Flaw> {
    let mut list = ExecutionList::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = (&mut list).deserialize(&mut reader).and_then(|()| reader.end());
    match (read, list.unfit) {
        (Ok(()), _) => Ok(list.all),
        (Err(error), Some(unfit)) => Err(placed(unfit, &error)),
        (Err(error), None) => Err(refuse(text, &error)),
    }
}

/// Reads a list, and keeps what is wrong with an execution in it: a parser's error is only text, but
/// knows the place.
#[derive(Default)]
struct ExecutionList {
    all: Attempts,
    unfit: Option<Flaw>,
}

impl<'de> DeserializeSeed<'de> for &mut ExecutionList {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for &mut ExecutionList {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of executions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(written) = items.next_element::<WrittenObservation>()? {
            match written.observation() {
                Ok(seen) => self.all.push(Ok(seen)),
                Err(error) => {
                    self.unfit = Some(unfit(&error));
                    return Err(A::Error::custom(error));
                }
            }
        }
        Ok(())
    }
}

/// What a reader needs to know of an execution that was performed.
#[derive(Deserialize)]
struct Performed {
    ticket: Ticket,
    outcome: ExecutionResult,
}

#[derive(Deserialize)]
struct Ticket {
    number: u64,
    system: u64,
    #[serde(default)]
    seed: Option<u32>,
}

#[derive(Deserialize)]
enum ExecutionResult {
    Ok(Box<WrittenObservation>),
    Err(Failure),
}

#[derive(Deserialize)]
struct Failure {
    how: String,
}

/// The journal of a check.
pub(super) fn read_journal(text: &str) -> Result<ParsedAttempts, Flaw> {
    let (header, executions) = text.split_at(kind::header_of_journal(text));
    let lines_before = u64::from(!header.is_empty());
    read_performed(executions, lines_before).map_err(|flaw| flaw.moved_down(lines_before))
}

/// The executions of a journal; `lines_before` are those before the text.
fn read_performed(text: &str, lines_before: u64) -> Result<ParsedAttempts, Flaw> {
    let mut by_number = BTreeMap::new();
    let mut first: Option<(u64, u64)> = None;
    json::each(text, refuse_line, |performed: Performed, line| {
        let Ticket { number, system, seed } = performed.ticket;
        let (other, other_line) = *first.get_or_insert((system, line + lines_before));
        if other != system {
            return Err(Flaw::new(
                format!(
                    "the file contains executions of several systems: number {other} on line \
                     {other_line}, number {system} here"
                ),
                format!("read one system at a time: grep '\"system\":{system},' selects its lines"),
            )
            .at_line(line));
        }
        let outcome = match performed.outcome {
            ExecutionResult::Ok(written) => {
                Ok(written.observation().map_err(|error| unfit(&error).at_line(line))?)
            }
            ExecutionResult::Err(Failure { how }) => Err(FailedExecution { how }),
        };
        by_number.entry(number).or_insert((outcome, seed));
        Ok(())
    })?;
    if by_number.is_empty() {
        return Err(Flaw::new(
            "the file contains no executions",
            "check that it is the right file",
        ));
    }
    let all = by_number.len();
    let counted = without_gaps(by_number);
    let left_out_of_journal = Some(all - counted.len());
    let (attempts, seeds): (Attempts, Vec<_>) = counted.into_iter().unzip();
    let seeds = seeds.into_iter().collect::<Option<Vec<u32>>>().unwrap_or_default();
    Ok(ParsedAttempts { attempts, seeds, left_out_of_journal, groups: None, to_have_one: ONE })
}

/// The executions up to the first that is not there. With several at a time a check may end before
/// a slow one is done, and faster ones with higher numbers are; counting those would favour the
/// fast. Where systems take turns, the numbers of one are some steps apart.
fn without_gaps<T>(by_number: BTreeMap<u64, T>) -> Vec<T> {
    let numbers: Vec<u64> = by_number.keys().copied().collect();
    let step = numbers.windows(2).map(|pair| pair[1] - pair[0]).fold(0, common_divisor).max(1);
    let mut expected = 0;
    let mut attempts = Vec::with_capacity(by_number.len());
    for (number, attempt) in by_number {
        if number != expected && !attempts.is_empty() {
            break;
        }
        expected = number.saturating_add(step);
        attempts.push(attempt);
    }
    attempts
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

fn refuse_line(text: &str, error: &serde_json::Error) -> Flaw {
    if error.classify() != Category::Eof {
        return refuse(text, error);
    }
    Flaw::new(
        "the last line is cut off",
        "if the check was interrupted, resume it. Otherwise remove that line",
    )
    .at_line(error.line() as u64)
}

fn refuse(text: &str, error: &serde_json::Error) -> Flaw {
    if error.classify() != Category::Data {
        return json::flaw(text, error);
    }
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    let message = message.strip_suffix(&place).unwrap_or(&message);
    placed(Flaw::new(message, AS_DESCRIBED), error)
}

const AS_DESCRIBED: &str = "write it as docs/executions.md describes";

fn unfit(error: &ObservationError) -> Flaw {
    Flaw::of_observation(error, AS_DESCRIBED)
}

/// Where the parser stands, if it knows.
fn placed(flaw: Flaw, error: &serde_json::Error) -> Flaw {
    match error.line() {
        0 => flaw,
        line => flaw.at_line(line as u64).within(format!("column {}", error.column())),
    }
}
