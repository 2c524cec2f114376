//! `--work`: which runs make a line of time over work.

use crate::EngineError;
use crate::measuring::subjects;
use fathom_measure::{Assignment, CommandSubject, Parameter, expand, unused};
use fathom_record::{Metric, Run, Series, Unit};
use fathom_request::RunRequest;
use fathom_stats::paired::block_order;
use std::collections::HashMap;

/// A command whose runs have different amounts of work.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WorkLine {
    /// The command, with the parameter of the work as it was written.
    pub(crate) name: String,
    /// The values of its other parameters.
    pub(crate) parameters: Assignment,
    /// The parameter of the work, which is also what work is counted in.
    pub(crate) work: String,
    /// Which subjects are the command with each amount of work, in the order of the subjects; never
    /// empty.
    members: Vec<Member>,
    /// Where its random orders start.
    stream: usize,
}

/// A command with an amount of work.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Member {
    subject: usize,
    amount: f64,
}

/// The lines that a request asks for: one for each command and each combination of the parameters
/// that are not the work. `subjects` are those of the request.
///
/// # Errors
/// The parameter is missing, is not a number above 0, does not vary, or a command does not use it.
pub(super) fn lines(
    asked: &RunRequest,
    work: &str,
    subjects: &[CommandSubject],
) -> Result<Vec<WorkLine>, EngineError> {
    if asked.subjects.reference.is_some() {
        return Err(EngineError::usage(
            "--reference compares times of the same work, and --work estimates rates. Leave out one \
             of them",
        ));
    }
    let parameters = subjects::parameters(&asked.subjects)?;
    let (of_work, others): (Vec<Parameter>, Vec<Parameter>) =
        parameters.into_iter().partition(|parameter| parameter.name() == work);
    let Some(of_work) = of_work.first() else { return Err(unknown(work, &others)) };
    let amounts: Result<Vec<f64>, EngineError> =
        of_work.values().iter().map(|value| amount(work, value)).collect();
    check_distinct(work, &amounts?)?;
    let commands = &asked.subjects.commands;
    for (index, command) in commands.iter().enumerate() {
        check_used(asked, of_work, index, command)?;
    }
    let mut members: HashMap<(usize, Assignment), Vec<Member>> = HashMap::new();
    for (index, subject) in subjects.iter().enumerate() {
        let (of_work, others): (Assignment, Assignment) =
            subject.parameters.iter().cloned().partition(|(name, _)| name == work);
        let Some((_, value)) = of_work.first() else { continue };
        let member = Member { subject: index, amount: amount(work, value)? };
        members.entry((index % commands.len(), others)).or_default().push(member);
    }
    let lines = expand(commands, &asked.subjects.names, &others)?;
    let line = |(stream, line): (usize, fathom_measure::Expanded)| WorkLine {
        members: members.remove(&(line.command, line.assignment.clone())).unwrap_or_default(),
        name: line.name,
        parameters: line.assignment,
        work: work.to_string(),
        stream,
    };
    Ok(lines.into_iter().enumerate().map(line).filter(|line| !line.members.is_empty()).collect())
}

impl WorkLine {
    /// The subjects of its runs.
    pub(super) fn subjects(&self) -> impl Iterator<Item = usize> + '_ {
        self.members.iter().map(|member| member.subject)
    }

    /// How many amounts of work it has: a round runs each once.
    pub(super) fn amounts(&self) -> usize {
        self.members.len()
    }

    /// The amount of work of a run of these, if it is one.
    pub(super) fn amount_of(&self, run: &Run) -> Option<f64> {
        let found = self.members.binary_search_by_key(&run.subject, |member| member.subject);
        found.ok().map(|place| self.members[place].amount)
    }

    /// Which subject runs after `n` runs. Every two rounds are a random order of the amounts and its
    /// mirror image, so that neither a drift nor what happens at times favours an amount. The order
    /// follows from the seed, the line and how many runs there were, so that a resumed session
    /// continues with the same one.
    pub(super) fn subject_of_run(&self, seed: u64, n: usize) -> usize {
        // Far enough apart that lines do not share orders.
        const APART: usize = 1 << 32;
        let size = 2 * self.amounts();
        let all: Vec<usize> = self.subjects().collect();
        let block = self.stream.wrapping_mul(APART).wrapping_add(n / size);
        block_order(seed, block, &all)[n % size]
    }

    /// What the line counts work in, as a series of the amounts.
    pub(super) fn series(&self, amounts: Vec<f64>) -> Option<Series> {
        Series::new(&self.work, Unit::Unknown, amounts).ok()
    }
}

/// Refuses what no rate of work can be made of.
pub(super) fn check_times<'m>(
    metrics: impl IntoIterator<Item = (&'m Metric, Unit)>,
) -> Result<(), EngineError> {
    let is_time = |metric: &Metric, unit: &Unit| match unit {
        Unit::Time(_) => true,
        // The command may print a time without saying so.
        Unit::Unknown => matches!(metric, Metric::Printed(_)),
        _ => false,
    };
    match metrics.into_iter().find(|(metric, unit)| !is_time(metric, unit)) {
        None => Ok(()),
        Some((metric, _)) => Err(EngineError::usage(format!(
            "--work needs a time, and {metric} is something else. Choose a time with --on, such as \
             wall-time or cpu-time"
        ))),
    }
}

fn unknown(work: &str, others: &[Parameter]) -> EngineError {
    let names: Vec<&str> = others.iter().map(Parameter::name).collect();
    let known = match names.as_slice() {
        [] => String::new(),
        names => format!("; there is {}", names.join(", ")),
    };
    EngineError::usage(format!(
        "--work {work}: there is no parameter {work}{known}. Define it with -P {work} MIN MAX or -L \
         {work} A,B,..."
    ))
}

/// The amount of work that a parameter's value is.
fn amount(work: &str, value: &str) -> Result<f64, EngineError> {
    let wrong = |what: &str| {
        Err(EngineError::usage(format!(
            "--work {work}: the value '{value}' {what}. Amounts of work are numbers above 0"
        )))
    };
    match value.trim().parse::<f64>() {
        Ok(amount) if amount.is_finite() && amount > 0.0 => Ok(amount),
        Ok(amount) if amount <= 0.0 => wrong("is not above 0"),
        _ => wrong("is not a number"),
    }
}

fn check_distinct(work: &str, amounts: &[f64]) -> Result<(), EngineError> {
    match amounts {
        [first, rest @ ..] if rest.iter().any(|other| other != first) => Ok(()),
        [first, ..] => Err(EngineError::usage(format!(
            "--work {work}: {work} is always {first}, so set-up and rate cannot be separated. Use at \
             least two amounts of work"
        ))),
        [] => Ok(()),
    }
}

/// Whether a command, or a hook that runs for it, uses the amount of work.
fn check_used(
    asked: &RunRequest,
    work: &Parameter,
    index: usize,
    command: &str,
) -> Result<(), EngineError> {
    let running = &asked.running;
    let hooks = [&running.setup, &running.prepare, &running.conclude, &running.cleanup];
    let of_command = hooks.into_iter().filter_map(|hooks| match hooks.as_slice() {
        [one] => Some(one.as_str()),
        several => several.get(index).map(String::as_str),
    });
    let texts: Vec<&str> = std::iter::once(command).chain(of_command).collect();
    unused(std::slice::from_ref(work), &texts).map_err(|_| {
        let name = work.name();
        EngineError::usage(format!(
            "--work {name}: the command `{command}` does not use {{{name}}}, so it does the same work \
             in every run. Write {{{name}}} where the amount belongs"
        ))
    })
}

#[cfg(test)]
mod tests;
