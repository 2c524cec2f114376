//! Executions that ran elsewhere, read from files.

use super::adjustments::Adjustments;
use super::answer::CheckAnswer;
use super::judge::{Judge, System};
use super::panel::Panel;
use super::question::Questions;
use super::repeats::Repeats;
use super::report::{Circumstances, joint_report};
use super::sameness::Origin;
use crate::{Answer, EngineError, provenance};
use fathom_formats::{
    AttemptSlot, Attempts, FileAttempts, Groups, ObservationOptions, RowsAre, read_attempts_by_file,
};
use fathom_property::{
    AbnormalExecution, AbnormalKind, Catalogue, Caveat, CheckStopReason, DataSource,
};
use fathom_request::{CheckMethod, CheckQuestion, CheckRequest};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The executions of one system, in the order of the files.
#[derive(Debug, Default)]
struct SystemData {
    name: String,
    files: Vec<GivenFile>,
    /// Whether some are from the journal of a check.
    are_of_a_journal: bool,
    /// How many of a journal come after one that is not there.
    left_out: usize,
}

/// The executions of one file.
#[derive(Debug)]
struct GivenFile {
    path: Arc<str>,
    attempts: Attempts,
    /// The places of those that count, by group; without groups all are in one.
    which: Vec<Vec<usize>>,
}

/// Judges the executions in files. `kept_worst`: of how many to keep what they did over their time.
pub(super) fn check(
    request: &CheckRequest,
    files: &[String],
    rows: Option<RowsAre>,
    group_by: Option<&str>,
    command_line: String,
    kept_worst: Option<usize>,
) -> Result<Answer<CheckAnswer>, EngineError> {
    let mut questions = Questions::of(request)?;
    let Given { systems, paths, caveats, groups } = read(request, files, rows, group_by)?;
    if group_by.is_some() {
        questions = Questions::of_groups(request, &groups)?;
    }
    let are_of_a_journal = systems.iter().any(|system| system.are_of_a_journal);
    let left_out: usize = systems.iter().map(|system| system.left_out).sum();
    let named_method = request.questions.iter().find_map(CheckQuestion::named_method);
    if are_of_a_journal && named_method.is_none() {
        questions.asked.iter_mut().for_each(|question| question.parsed.allow_any_number());
    }
    let names: Vec<System> = systems.iter().map(SystemData::system).collect();
    let catalogues: Result<Vec<_>, EngineError> =
        systems.iter().map(SystemData::catalogue).collect();
    // What the request says about the data is in them already.
    let adjustments = Adjustments::default();
    let mut panel = Panel::new(&questions, &[names], &adjustments, request.on_failure, None)?;
    panel.resolve(&catalogues?)?;
    if let Some(most) = kept_worst {
        panel.keep_worst(most);
    }
    let groups: Vec<usize> =
        questions.asked.iter().map(|question| question.group.unwrap_or(0)).collect();
    note_abnormal(&mut panel, &systems);
    let left_over = judge_all(&mut panel, &groups, &systems)?;
    // A report of a million executions needs memory of its own.
    drop(systems);
    let mut warnings = Vec::new();
    if left_over > 0 {
        let (noun, make) =
            if left_over == 1 { ("execution", "makes") } else { ("executions", "make") };
        warnings.push(format!(
            "{left_over} {noun} left over: {make} no full tuple, and none may be used twice"
        ));
    }
    if are_of_a_journal {
        warnings.extend(about_journal(named_method, left_out));
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
        environment: provenance::of_files(paths, None),
        recorded: None,
        caveats,
        warnings,
    };
    let joint = joint_report(&mut panel, circumstances)?;
    let answer = CheckAnswer::of_data(joint, &panel);
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
    group_by: Option<&str>,
) -> Result<Given, EngineError> {
    let adjustments = Adjustments::of(&request.reading)?;
    let options = ObservationOptions {
        format: request.reading.input_format,
        columns: request.reading.columns.clone(),
        rows,
        group_by: group_by.map(str::to_string),
    };
    let mut systems: Vec<SystemData> = Vec::new();
    let mut repeats = Repeats::default();
    let mut groups: Vec<String> = Vec::new();
    let mut paths = Vec::new();
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
            let which = repeats.new_in(name, &file)?;
            let which = by_group(which, file.groups.as_ref(), &mut groups)?;
            let FileAttempts { path, mut attempts, .. } = file;
            paths.push(path.clone());
            if which.iter().any(|which| !which.is_empty()) {
                attempts.change(|seen| adjustments.apply(seen))?;
                let path = path.display().to_string().into();
                systems[place].files.push(GivenFile { path, attempts, which });
            }
        }
    }
    if systems.len() > 1 && systems.iter().any(|system| system.name.is_empty()) {
        return Err(EngineError::usage(
            "some files are of a named system and some are not; write --data NAME=FILE for all",
        ));
    }
    Ok(Given { systems, paths, caveats: repeats.caveats(), groups })
}

/// What files gave.
struct Given {
    systems: Vec<SystemData>,
    /// The files that were read.
    paths: Vec<PathBuf>,
    /// What was there twice.
    caveats: Vec<Caveat>,
    /// The names of the groups, in the order in which they first appear.
    groups: Vec<String>,
}

/// A column with more different texts than this does not name groups.
const MOST_GROUPS: usize = 1000;

/// Places of a file's executions by group. `known` are the groups of all files so far.
fn by_group(
    places: Vec<usize>,
    groups: Option<&Groups>,
    known: &mut Vec<String>,
) -> Result<Vec<Vec<usize>>, EngineError> {
    let Some(groups) = groups else { return Ok(vec![places]) };
    let number = |name: &String| {
        known.iter().position(|other| other == name).unwrap_or_else(|| {
            known.push(name.clone());
            known.len() - 1
        })
    };
    if groups.names().len() > MOST_GROUPS {
        return Err(EngineError::usage(format!(
            "--group-by makes {} groups, and more than {MOST_GROUPS} are too many. Choose a column \
             that many executions share, such as the name of a benchmark",
            groups.names().len()
        )));
    }
    let numbers: Vec<usize> = groups.names().iter().map(number).collect();
    let mut all = vec![Vec::new(); known.len()];
    for place in places {
        let number = groups.of(place).and_then(|group| numbers.get(group));
        if let Some(group) = number.and_then(|&number| all.get_mut(number)) {
            group.push(place);
        }
    }
    Ok(all)
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
        for file in &self.files {
            for (place, seen) in file.attempts.kinds() {
                all.merge(&Catalogue::of(seen))
                    .map_err(|error| EngineError::from(error).about(file.source(place)))?;
            }
        }
        Ok(all)
    }
}

/// Executions of a system that were not judged yet by some question.
struct Left<'a> {
    files: &'a [GivenFile],
    group: usize,
    /// The place of the next among those of the first file that count.
    next: usize,
    count: usize,
}

impl<'a> Left<'a> {
    fn of_group(system: &'a SystemData, group: usize) -> Left<'a> {
        let count = system.files.iter().map(|file| file.in_group(group).len()).sum();
        Left { files: &system.files, group, next: 0, count }
    }

    /// Puts the next execution into a slot, and says where it is from.
    fn take(&mut self, slot: &mut AttemptSlot) -> Option<DataSource> {
        loop {
            let (file, later) = self.files.split_first()?;
            let Some(&place) = file.in_group(self.group).get(self.next) else {
                (self.files, self.next) = (later, 0);
                continue;
            };
            file.attempts.read_into(place, slot);
            self.next += 1;
            self.count -= 1;
            return Some(file.source(place));
        }
    }
}

impl GivenFile {
    /// The places of executions that count and are in a group.
    fn in_group(&self, group: usize) -> &[usize] {
        self.which.get(group).map_or(&[], Vec::as_slice)
    }

    /// Where one of its executions is from.
    fn source(&self, place: usize) -> DataSource {
        match self.attempts.len() {
            1 => DataSource::file(&self.path),
            _ => DataSource::in_file(&self.path, place as u64 + 1),
        }
    }
}

/// Notes what failed or was cut short, whichever questions are about it.
fn note_abnormal(panel: &mut Panel, systems: &[SystemData]) {
    for file in systems.iter().flat_map(|system| &system.files) {
        for (place, failed) in file.attempts.abnormal() {
            if !file.which.iter().any(|group| group.binary_search(&place).is_ok()) {
                continue;
            }
            panel.note_abnormal(|| AbnormalExecution {
                run: None,
                seed: None,
                source: Some(file.source(place)),
                kind: failed.map_or(AbnormalKind::Cut, |_| AbnormalKind::Failed),
                how: failed.map_or("was cut short", |failed| &failed.how).to_string(),
                host: None,
                command: None,
            });
        }
    }
}

/// Judges all tuples that the executions make, for each question; says how many executions are left over
/// by the question that uses the most of them. `groups` is the group of each question.
fn judge_all(
    panel: &mut Panel,
    groups: &[usize],
    systems: &[SystemData],
) -> Result<usize, EngineError> {
    let mut left_over: BTreeMap<usize, usize> = BTreeMap::new();
    for (judge, &group) in panel.judges_mut().iter_mut().zip(groups) {
        let left = judge_tuples(judge, group, systems)?;
        let least = left_over.entry(group).or_insert(left);
        *least = left.min(*least);
    }
    Ok(left_over.values().sum())
}

/// Judges the tuples of one question; says how many executions are left over.
fn judge_tuples(
    judge: &mut Judge,
    group: usize,
    systems: &[SystemData],
) -> Result<usize, EngineError> {
    let tuple = judge.tuple();
    let mut slots = vec![AttemptSlot::default(); tuple.len()];
    let mut left: Vec<Left<'_>> =
        systems.iter().map(|system| Left::of_group(system, group)).collect();
    // None of a system may be used twice, so a tuple needs as many as it names.
    while tuple.iter().enumerate().all(|(place, &system)| {
        let before = tuple.iter().take(place).filter(|&&other| other == system).count();
        left.get(system).is_some_and(|left| left.count > before)
    }) {
        let mut sources = Vec::with_capacity(tuple.len());
        for (&system, slot) in tuple.iter().zip(&mut slots) {
            sources.extend(left.get_mut(system).and_then(|left| left.take(slot)));
        }
        judge.take_attempts(&mut slots, DataSource::of_tuple(sources))?;
    }
    Ok(left.iter().map(|left| left.count).sum())
}
