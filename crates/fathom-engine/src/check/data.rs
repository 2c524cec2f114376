//! Executions that ran elsewhere, read from files.

use super::adjustments::Adjustments;
use super::answer::CheckAnswer;
use super::judge::{Judge, System};
use super::question::ParsedQuestion;
use super::repeats::Repeats;
use super::report::{Circumstances, report};
use super::sameness::Origin;
use crate::{Answer, EngineError};
use fathom_formats::{Attempt, ObservationOptions, RowsAre, read_attempts_by_file};
use fathom_property::{Catalogue, Caveat, CheckStopReason};
use fathom_request::{CheckMethod, CheckRequest};
use std::collections::VecDeque;
use std::path::Path;

/// The executions of one system, in the order of the files.
#[derive(Debug, Default)]
struct SystemData {
    name: String,
    executions: VecDeque<(Attempt, String)>,
    /// Whether some are from the journal of a check.
    are_of_a_journal: bool,
    /// How many of a journal come after one that is not there.
    left_out: usize,
}

/// Judges the executions in files.
pub(super) fn check(
    request: &CheckRequest,
    files: &[String],
    rows: Option<RowsAre>,
    command_line: String,
) -> Result<Answer<CheckAnswer>, EngineError> {
    let mut question = ParsedQuestion::of(request)?;
    let (systems, caveats) = read(request, files, rows)?;
    let are_of_a_journal = systems.iter().any(|system| system.are_of_a_journal);
    let left_out: usize = systems.iter().map(|system| system.left_out).sum();
    if are_of_a_journal && request.question.named_method().is_none() {
        question.allow_any_number();
    }
    let names = systems.iter().map(SystemData::system).collect();
    let catalogues: Result<Vec<_>, EngineError> =
        systems.iter().map(SystemData::catalogue).collect();
    // What the request says about the data is in them already.
    let adjustments = Adjustments::default();
    let mut judge = Judge::new(question, names, adjustments, request.on_failure, u64::MAX)?;
    judge.resolve(catalogues?)?;
    let left_over = judge_all(&mut judge, systems)?;
    let mut warnings = Vec::new();
    if left_over > 0 {
        let (noun, make) =
            if left_over == 1 { ("execution", "makes") } else { ("executions", "make") };
        warnings.push(format!(
            "{left_over} {noun} left over: {make} no full tuple, and none may be used twice"
        ));
    }
    if are_of_a_journal {
        warnings.extend(about_journal(request.question.named_method(), left_out));
    }
    let circumstances = Circumstances {
        command_line,
        seed: 0,
        session: None,
        unused: left_over,
        stopped: CheckStopReason::Fixed,
        plan: None,
        is_given: true,
        origin: Origin::Files,
        caveats,
        warnings,
    };
    let answer = CheckAnswer::of_data(report(&judge, circumstances)?);
    Ok(Answer { gates: answer.gates(), ..Answer::of(answer) })
}

/// How many executions the journal of a check has may depend on what they gave.
fn about_journal(method: Option<CheckMethod>, left_out: usize) -> Vec<String> {
    let mut warnings = Vec::new();
    if left_out > 0 {
        warnings.push(format!(
            "{left_out} of the journal {} left out: one before {} is not there, and counting what \
             ended first would favour the fast",
            if left_out == 1 { "is" } else { "are" },
            if left_out == 1 { "it" } else { "them" },
        ));
    }
    if matches!(method, Some(CheckMethod::Exact | CheckMethod::Spa)) {
        warnings.push(
            "this method is right only if the check fixed the number of executions with --runs; \
             one that ended when it had its answer needs --method anytime, the default for journals"
                .to_string(),
        );
    }
    warnings
}

/// Reads the files, by system, each execution once; and says what was there twice.
fn read(
    request: &CheckRequest,
    files: &[String],
    rows: Option<RowsAre>,
) -> Result<(Vec<SystemData>, Vec<Caveat>), EngineError> {
    let adjustments = Adjustments::of(&request.reading)?;
    let options = ObservationOptions {
        format: request.reading.input_format,
        columns: request.reading.columns.clone(),
        rows,
    };
    let mut systems: Vec<SystemData> = Vec::new();
    let mut repeats = Repeats::default();
    for item in files {
        let (name, file) = named(item);
        let read = read_attempts_by_file(Path::new(file), &options)?;
        let place = systems.iter().position(|system| system.name == name);
        let place = place.unwrap_or_else(|| {
            systems.push(SystemData { name: name.to_string(), ..SystemData::default() });
            systems.len() - 1
        });
        for file in read {
            if let Some(left_out) = file.left_out_of_journal {
                systems[place].are_of_a_journal = true;
                systems[place].left_out += left_out;
            }
            let (path, count) = (file.path.display().to_string(), file.attempts.len());
            for (index, mut seen) in repeats.new_in(name, file)? {
                if let Ok(seen) = &mut seen {
                    adjustments.apply(seen)?;
                }
                let source = match count {
                    1 => path.clone(),
                    _ => format!("{path}, execution {}", index + 1),
                };
                systems[place].executions.push_back((seen, source));
            }
        }
    }
    if systems.len() > 1 && systems.iter().any(|system| system.name.is_empty()) {
        return Err(EngineError::usage(
            "some files are of a named system and some are not; write --data NAME=FILE for all",
        ));
    }
    Ok((systems, repeats.caveats()))
}

/// `NAME=FILE`, or a file. A file that has a = in its name is a file.
fn named(item: &str) -> (&str, &str) {
    match item.split_once('=') {
        Some((name, file)) if !Path::new(item).exists() && super::systems::is_name(name) => {
            (name, file)
        }
        _ => ("", item),
    }
}

impl SystemData {
    /// Its name in errors.
    fn system(&self) -> System {
        System { name: self.name.clone(), shown: self.name.clone() }
    }

    /// What all of its executions have together.
    fn catalogue(&self) -> Result<Catalogue, EngineError> {
        let mut all = Catalogue::new();
        for (seen, source) in &self.executions {
            let Ok(seen) = seen else { continue };
            all.merge(&Catalogue::of(seen))
                .map_err(|error| EngineError::from(error).about(source))?;
        }
        Ok(all)
    }
}

/// Judges all tuples that the executions make; says how many executions are left over.
fn judge_all(judge: &mut Judge, mut systems: Vec<SystemData>) -> Result<usize, EngineError> {
    let tuple = judge.tuple();
    // None of a system may be used twice, so a tuple needs as many as it names.
    while tuple.iter().enumerate().all(|(place, &system)| {
        let before = tuple.iter().take(place).filter(|&&other| other == system).count();
        systems.get(system).is_some_and(|given| given.executions.len() > before)
    }) {
        let mut seen = Vec::new();
        let mut sources: Vec<String> = Vec::new();
        for &system in &tuple {
            let next = systems.get_mut(system).and_then(|given| given.executions.pop_front());
            if let Some((attempt, source)) = next {
                seen.push(attempt);
                sources.push(source);
            }
        }
        judge.take_attempts(seen, sources.join(" and "))?;
    }
    Ok(systems.iter().map(|given| given.executions.len()).sum())
}
