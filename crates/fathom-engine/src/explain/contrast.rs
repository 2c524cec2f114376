//! Two groups of runs, contrasted.

use super::joined::{NamedPart, joined, short_paths};
use super::runs_where::{DividedRuns, divide};
use super::source::TraceSet;
use super::trace_provenance::TraceProvenance;
use super::watched;
use crate::{Answer, Engine, EngineError};
use fathom_explain::TraceSource;
use fathom_explain::align::AlignError;
use fathom_explain::contrast::{
    Contrast, ContrastDocument, ContrastError, ContrastQuestion, RunSide, contrast_with,
};
use fathom_request::{ContrastRequest, Request, TraceFiles};
use std::path::PathBuf;

/// What differs between two groups of runs, and what to know of the traces.
#[derive(Debug)]
pub struct ContrastedTraces {
    /// What differs.
    pub contrast: Contrast,
    provenance: TraceProvenance,
    request: Request,
    command_line: String,
}

impl ContrastedTraces {
    /// As JSON.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self) -> Result<String, EngineError> {
        let environment = self.provenance.environment();
        let (line, request) = (&self.command_line, self.request.to_value());
        Ok(ContrastDocument::of(&self.contrast, line, request, &environment).to_json()?)
    }
}

impl Engine<'_> {
    /// Finds what differs between two groups of whole runs.
    ///
    /// # Errors
    /// The traces cannot be read, a group has no run, or the user ended it.
    pub fn contrast(
        &mut self,
        request: &ContrastRequest,
    ) -> Result<Answer<ContrastedTraces>, EngineError> {
        let (traces, divided) = groups(request)?;
        let question = ContrastQuestion {
            names: divided.names,
            sides: divided.sides,
            reference: request.run.as_deref().map(|run| traces.named_run(run)).transpose()?,
            alignment: traces.alignment(&request.alignment)?,
            phases: request.phases,
            only: request.filter.clone(),
            selected_by: divided.selected_by,
        };
        let cache = traces.cache();
        let found = {
            let watch = watched(self.watch)?;
            contrast_with(&traces, &question, &cache, &watch)
        };
        self.watch.clear();
        let mut contrast = found.map_err(|error| match error {
            ContrastError::Stopped(_) | ContrastError::Align(AlignError::Stopped(_)) => {
                EngineError::interrupted()
            }
            error => EngineError::from(error),
        })?;
        contrast.notes.extend(divided.notes);
        contrast.notes.extend(traces.notes().iter().cloned());
        let request = Request::from(request.clone());
        let command_line = self.asked_by(&request);
        let provenance = traces.provenance();
        Ok(Answer::of(ContrastedTraces { contrast, provenance, request, command_line }))
    }
}

/// The traces, and which group each run is in.
fn groups(request: &ContrastRequest) -> Result<(TraceSet, DividedRuns), EngineError> {
    match (&request.runs_where, request.against.as_slice()) {
        (Some(condition), []) => {
            let traces = TraceSet::open(&request.traces)?;
            let divided = divide(&traces, condition)?;
            Ok((traces, divided))
        }
        (None, [_, ..]) => two_sets(request),
        (Some(_), _) => Err(EngineError::usage(
            "--runs-where divides the runs of one set of traces, and --against names a second set: leave \
             out one of them",
        )),
        (None, []) => Err(EngineError::usage(
            "name a second group of runs with --against TRACES, or divide the runs with --runs-where",
        )),
    }
}

/// The first group and the second, each opened by itself.
fn two_sets(request: &ContrastRequest) -> Result<(TraceSet, DividedRuns), EngineError> {
    let missing = |path: &&PathBuf| !path.exists();
    if let Some(path) = request.against.iter().find(missing) {
        return Err(EngineError::usage(format!(
            "--against {}: there is no such file or folder, and it is no stretch of time like 0..90",
            path.display()
        )));
    }
    let second = TraceFiles { paths: request.against.clone(), ..request.traces.clone() };
    let firsts: Vec<PathBuf> =
        request.traces.paths.iter().take(1).chain(second.paths.iter().take(1)).cloned().collect();
    let short = short_paths(&firsts);
    let name = |place: usize, files: &TraceFiles| {
        let first = short.get(place).cloned().unwrap_or_default();
        match files.paths.len().saturating_sub(1) {
            0 => first,
            more => format!("{first} and {more} more"),
        }
    };
    let names = [name(0, &request.traces), name(1, &second)];
    let mut parts = Vec::with_capacity(2);
    for (files, prefix) in [&request.traces, &second].into_iter().zip(&short) {
        let traces = TraceSet::open(files)?;
        parts.push(NamedPart { name: prefix.clone(), may_be_alone: true, traces });
    }
    let (traces, of_part) = joined(parts)?;
    let sides = of_part
        .into_iter()
        .map(|part| Some(if part == 0 { RunSide::First } else { RunSide::Second }));
    let sides: Vec<Option<RunSide>> = sides.collect();
    debug_assert_eq!(sides.len(), traces.runs().len());
    Ok((traces, DividedRuns { names, sides, selected_by: Vec::new(), notes: Vec::new() }))
}
