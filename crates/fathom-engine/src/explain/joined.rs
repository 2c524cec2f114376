//! Several sets of traces in one question.

use super::source::TraceSet;
use crate::EngineError;
use fathom_explain::{RunEntry, SourceError, TraceSource};
use fathom_record::TimeUnit;
use fathom_record::trace::Samples;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Sets of traces, and which run of which each run is.
pub(super) struct JoinedTraces {
    parts: Vec<TraceSet>,
    places: HashMap<String, (usize, String)>,
}

impl JoinedTraces {
    pub(super) fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        match self.part(run) {
            Some((part, run)) => part.samples(run, metric),
            None => Err(format!("there is no run {run}").into()),
        }
    }

    pub(super) fn whole_run(
        &self,
        run: &str,
        bytes: usize,
    ) -> Option<Result<Vec<Samples>, SourceError>> {
        let (part, run) = self.part(run)?;
        part.whole_run(run, bytes)
    }

    /// Whether all files are in memory already.
    pub(super) fn are_held(&self) -> bool {
        self.parts.iter().all(TraceSet::is_held)
    }

    fn part(&self, run: &str) -> Option<(&TraceSet, &str)> {
        let (part, run) = self.places.get(run)?;
        Some((self.parts.get(*part)?, run))
    }
}

/// A set of traces, with the name that its runs are called by.
pub(super) struct NamedPart {
    pub(super) name: String,
    /// Whether a run that is alone is called by the name itself.
    pub(super) may_be_alone: bool,
    pub(super) traces: TraceSet,
}

/// All runs of several sets, with the place of each in the list of sets.
pub(super) fn joined(parts: Vec<NamedPart>) -> Result<(TraceSet, Vec<usize>), EngineError> {
    let time_unit = one_time_unit(&parts)?;
    let mut known = BTreeSet::new();
    let (mut runs, mut clocks, mut notes, mut of_part) = (vec![], vec![], vec![], vec![]);
    let mut places = HashMap::new();
    for (number, part) in parts.iter().enumerate() {
        let traces = &part.traces;
        let is_alone = part.may_be_alone && traces.runs().len() == 1;
        for run in traces.runs() {
            let id = unique(called(&part.name, &run.id, is_alone), &mut known);
            places.insert(id.clone(), (number, run.id.clone()));
            clocks.push(traces.clock(&run.id));
            runs.push(RunEntry { id, metrics: run.metrics.clone() });
            of_part.push(number);
        }
        for note in traces.notes() {
            let note = format!("{}: {note}", part.name);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    let has = |run: &RunEntry, name: &str| run.metrics.iter().any(|metric| metric.name == name);
    let common = parts.iter().find_map(|part| part.traces.common());
    let common = common.filter(|name| runs.iter().all(|run| has(run, name))).map(str::to_string);
    let has_wall_times = parts.iter().all(|part| part.traces.has_wall_times());
    let mut provenance = None;
    for part in &parts {
        let of_part = part.traces.provenance();
        provenance = Some(match provenance {
            None => of_part,
            Some(before) => of_part.after(before),
        });
    }
    let Some(provenance) = provenance else {
        return Err(EngineError::usage("name the traces: a folder, or files"));
    };
    let parts = parts.into_iter().map(|part| part.traces).collect();
    let held = JoinedTraces { parts, places };
    let traces = TraceSet::of_parts(
        runs,
        clocks,
        common,
        time_unit,
        has_wall_times,
        held,
        notes,
        provenance,
    );
    Ok((traces, of_part))
}

/// "good/run-1 (kept)"; alone "good (kept)".
fn called(name: &str, run: &str, is_alone: bool) -> String {
    let label = run.strip_suffix(')').and_then(|rest| rest.rfind(" ("));
    match (is_alone, label.and_then(|at| run.get(at..))) {
        (true, Some(label)) => format!("{name}{label}"),
        (true, None) => name.to_string(),
        (false, _) => format!("{name}/{run}"),
    }
}

fn unique(name: String, known: &mut BTreeSet<String>) -> String {
    let mut id = name.clone();
    let mut count = 2;
    while !known.insert(id.clone()) {
        id = format!("{name} #{count}");
        count += 1;
    }
    id
}

fn one_time_unit(parts: &[NamedPart]) -> Result<TimeUnit, EngineError> {
    let mut units = parts.iter().map(|part| (part.traces.time_unit(), &part.name));
    let Some((first, one)) = units.next() else { return Ok(TimeUnit::Seconds) };
    match units.find(|(unit, _)| *unit != first) {
        None => Ok(first),
        Some((unit, other)) => Err(EngineError::usage(format!(
            "the traces disagree: times are in {} in {one} and in {} in {other}; convert one, so that \
             times mean the same in all",
            first.symbol(),
            unit.symbol()
        ))),
    }
}

/// What paths are called: the last part of each, and as many before it as tell them apart.
pub(super) fn short_paths(paths: &[PathBuf]) -> Vec<String> {
    let parts: Vec<Vec<String>> = paths.iter().map(|path| components(path)).collect();
    let name = |parts: &[String], count: usize| {
        parts.get(parts.len().saturating_sub(count)..).unwrap_or_default().join("/")
    };
    let longest = parts.iter().map(Vec::len).max().unwrap_or(1);
    for count in 1..=longest {
        let names: Vec<String> = parts.iter().map(|parts| name(parts, count)).collect();
        if names.iter().collect::<BTreeSet<_>>().len() == names.len() || count == longest {
            return names;
        }
    }
    Vec::new()
}

/// The names of a path's folders; `.` is the folder it means.
fn components(path: &Path) -> Vec<String> {
    use std::path::Component::Normal;
    let names = |path: &Path| -> Vec<String> {
        let normal = path.components().filter_map(|part| match part {
            Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        normal.collect()
    };
    let own = names(path);
    if !own.is_empty() && !path.ends_with("..") {
        return own;
    }
    // "." and "..".
    std::fs::canonicalize(path).map_or(own, |path| names(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(paths: &[&str]) -> Vec<String> {
        short_paths(&paths.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn paths_are_as_short_as_they_differ() {
        assert_eq!(short(&["good/", "/tmp/bad"]), ["good", "bad"]);
        assert_eq!(short(&["a/traces", "b/traces"]), ["a/traces", "b/traces"]);
        assert_eq!(short(&["traces", "b/traces"]), ["traces", "b/traces"]);
        assert_eq!(short(&["x", "x"]), ["x", "x"]);
    }

    #[test]
    fn runs_keep_what_became_of_them() {
        assert_eq!(called("good", "run-1", true), "good");
        assert_eq!(called("good", "run-1", false), "good/run-1");
        assert_eq!(called("good", "run-1 (kept)", true), "good (kept)");
        assert_eq!(called("good", "run-1 (kept)", false), "good/run-1 (kept)");
        let mut known = BTreeSet::new();
        let mut next = || unique("a".to_string(), &mut known);
        assert_eq!([next(), next(), next()], ["a", "a #2", "a #3"]);
    }
}
