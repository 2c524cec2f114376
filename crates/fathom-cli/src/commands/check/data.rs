//! `--data`: executions that were made elsewhere.

use super::adjust::Adjustments;
use super::judge::{Judge, System};
use super::repeats::Repeats;
use crate::arguments::CheckArguments;
use crate::failure::Failure;
use fathom_formats::{Attempt, ObservationOptions, read_attempts_by_file};
use fathom_property::{Catalogue, Caveat};
use std::collections::VecDeque;
use std::path::Path;

/// The executions of one system, in the order of the files.
#[derive(Debug, Default)]
pub(super) struct Given {
    pub(super) name: String,
    executions: VecDeque<(Attempt, String)>,
    /// Whether some are from the journal of a check.
    pub(super) are_of_a_journal: bool,
    /// How many of a journal come after one that is not there.
    pub(super) left_out: usize,
}

/// Reads the files, by system, each execution once; and says what was there twice.
pub(super) fn read(
    arguments: &CheckArguments,
    adjustments: &Adjustments,
) -> Result<(Vec<Given>, Vec<Caveat>), Failure> {
    let options = ObservationOptions {
        format: arguments.executions.input_format,
        columns: arguments.executions.columns.clone(),
        rows: arguments.executions.rows.map(crate::arguments::Rows::value),
    };
    let mut systems: Vec<Given> = Vec::new();
    let mut repeats = Repeats::default();
    for item in &arguments.executions.data {
        let (name, file) = named(item);
        let read = read_attempts_by_file(Path::new(file), &options).map_err(Failure::input)?;
        let place = systems.iter().position(|system| system.name == name);
        let place = place.unwrap_or_else(|| {
            systems.push(Given { name: name.to_string(), ..Given::default() });
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
        return Err(Failure::input(
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

impl Given {
    /// As errors speak of it.
    pub(super) fn system(&self) -> System {
        System { name: self.name.clone(), shown: self.name.clone() }
    }

    /// What all of its executions have together.
    pub(super) fn catalogue(&self) -> Result<Catalogue, Failure> {
        let mut all = Catalogue::new();
        for (seen, source) in &self.executions {
            let Ok(seen) = seen else { continue };
            all.merge(&Catalogue::of(seen))
                .map_err(|error| Failure::input(format!("{source}: {error}")))?;
        }
        Ok(all)
    }
}

/// Judges all tuples that the executions make; says how many executions are left over.
pub(super) fn judge_all(judge: &mut Judge, mut systems: Vec<Given>) -> Result<usize, Failure> {
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
