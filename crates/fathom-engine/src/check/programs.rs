//! Remarks on the programs of a check: they changed, or two of them are the same.

use super::prepared::PreparedCheck;
use crate::EngineError;
use crate::measuring::programs::{History, Programs};
use fathom_property::{Caveat, CaveatKind};
use std::path::Path;

/// The caveats of a check that ran just now. `before` are the programs as it began, `folder` is that
/// of the session's executions.
pub(super) fn caveats(
    check: &PreparedCheck<'_>,
    before: &Programs,
    folder: Option<&Path>,
    id: Option<i64>,
    executions: usize,
) -> Result<Vec<Caveat>, EngineError> {
    let changed = before.changed();
    let mut caveats = same_programs(check);
    let (Some(sessions), Some(id)) = (folder.and_then(Path::parent), id) else {
        if !changed.is_empty() {
            caveats.push(program_changed(&changed, "while it was checked"));
        }
        return Ok(caveats);
    };
    if !changed.is_empty() {
        let mut history = History::of(sessions, id);
        let now = history.latest().map_or_else(|| check.programs(), |known| known.now());
        history.add(&now, executions)?;
    }
    caveats.extend(saved_caveat(sessions, id));
    Ok(caveats)
}

/// What a saved session says about its programs.
pub(super) fn saved_caveat(sessions: &Path, id: i64) -> Option<Caveat> {
    let (after, names) = History::of(sessions, id).changed_after()?;
    Some(program_changed(&names, &format!("by the end of execution {after}")))
}

fn program_changed(names: &[String], when: &str) -> Caveat {
    Caveat::new(
        CaveatKind::ProgramChanged,
        format!(
            "{} changed {when}, so the answer mixes executions of different programs. Check again.",
            names.join(", ")
        ),
    )
}

/// Systems whose programs are the same file, byte for byte, with the same arguments: a build that
/// was not made again, for example.
pub(super) fn same_programs(check: &PreparedCheck<'_>) -> Vec<Caveat> {
    let systems = &check.recipe().systems;
    let contents = |words: &[String]| -> Option<(Vec<u8>, Vec<String>)> {
        let (program, rest) = words.split_first()?;
        let path = check.recipe().folder.join(program);
        let is_path = program.contains('/');
        let bytes = std::fs::read(path).ok().filter(|_| is_path)?;
        Some((bytes, rest.to_vec()))
    };
    let mut caveats = Vec::new();
    // Only the systems of one cell are compared with each other.
    let width = check.names().first().map_or(0, Vec::len).max(1);
    for (place, one) in systems.iter().enumerate() {
        for other in systems.iter().take(place).skip(place / width * width) {
            let differ = one.words.first() != other.words.first();
            if differ && contents(&one.words).is_some_and(|of| Some(of) == contents(&other.words)) {
                caveats.push(Caveat::new(
                    CaveatKind::SameProgram,
                    format!(
                        "{} and {} run byte-identical programs with the same arguments, so any \
                         difference between them is noise. Was one of them built anew?",
                        other.name, one.name
                    ),
                ));
            }
        }
    }
    caveats
}
