//! `fathom export`: traces as CSV.

use super::show::{chosen, some};
use crate::arguments::ExportArguments;
use crate::failure::{Failure, Outcome};
use fathom_formats::trace::{Trace, TraceError};
use fathom_formats::trace_imports::EXPORTED;
use fathom_record::trace::{Manifest, SamplerEntry, TraceRun};
use fathom_record::whole_file::{self, NewFile};
use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::Path;

pub(crate) fn export(arguments: &ExportArguments) -> Result<Outcome, Failure> {
    if !arguments.traces.exists() {
        return Err(Failure::input(format!(
            "there is no folder {}; `fathom export` writes traces as CSV. Of a session, `fathom \
             show ID --export-csv FILE` writes the estimates, and --export-json every value",
            arguments.traces.display()
        )));
    }
    let trace = Trace::open(&arguments.traces).map_err(Failure::input)?;
    let mut parts: Vec<(&TraceRun, &str)> = Vec::new();
    for run in chosen(trace.manifest(), arguments.run.as_deref())? {
        let wanted = |name: &&str| arguments.sampler.as_deref().is_none_or(|one| one == *name);
        let names = run.samplers.iter().map(|sampler| sampler.name.as_str());
        parts.extend(names.filter(wanted).map(|sampler| (run, sampler)));
    }
    let listed: Vec<String> = parts
        .iter()
        .map(|(run, sampler)| format!("--run {} --sampler {sampler}", run.id))
        .collect();
    match (parts.as_slice(), &arguments.into) {
        ([], _) => Err(nothing(&trace, arguments)),
        (parts, Some(folder)) => {
            into_folder(&trace, parts, folder)?;
            Ok(Outcome::Done)
        }
        ([(run, sampler)], None) => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            write(&trace, &run.id, sampler, &mut out, "standard output")?;
            Ok(Outcome::Done)
        }
        (_, None) => {
            let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
            Err(Failure::input(format!(
                "these have rows of different times and do not fit into one table: {}; choose \
                 one, or write all with -o DIR",
                some(&listed)
            )))
        }
    }
}

fn nothing(trace: &Trace, arguments: &ExportArguments) -> Failure {
    let all = trace.manifest().runs.iter().flat_map(|run| &run.samplers);
    let mut names: Vec<&str> = all.map(|sampler| sampler.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    match &arguments.sampler {
        Some(name) => {
            Failure::input(format!("there is no sampler \"{name}\"; there are {}", some(&names)))
        }
        None => Failure::input("the traces hold no run yet, so there is nothing to export"),
    }
}

fn into_folder(trace: &Trace, parts: &[(&TraceRun, &str)], folder: &Path) -> Result<(), Failure> {
    let refused = |error: std::io::Error| {
        Failure::input(format!("{} cannot be made: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(refused)?;
    for (run, sampler) in parts {
        let path = folder.join(table_name(run, sampler));
        let name = path.display().to_string();
        let refused = |error: std::io::Error| {
            Failure::input(format!("{name} cannot be written: {error}; choose another folder"))
        };
        if path.symlink_metadata().is_ok() {
            return Err(refused(std::io::ErrorKind::AlreadyExists.into()));
        }
        let file = NewFile::create(&path).map_err(refused)?;
        write(trace, &run.id, sampler, &mut BufWriter::new(&file), &name)?;
        file.complete_new(true).map_err(refused)?;
    }
    write_about(trace, parts, folder)
}

/// What the tables cannot say, for `fathom import`: kinds, layers, units, clocks. Tables that an earlier
/// export left in the folder stay described.
fn write_about(trace: &Trace, parts: &[(&TraceRun, &str)], folder: &Path) -> Result<(), Failure> {
    let path = folder.join(EXPORTED);
    let before = std::fs::read_to_string(&path).ok().and_then(|text| Manifest::read(&text).ok());
    let mut about = Manifest { runs: Vec::new(), ..trace.manifest().clone() };
    if let Some(before) = before {
        about.runs = before.runs;
        about.metrics.extend(before.metrics);
    }
    let mut known = HashSet::new();
    about.metrics.retain(|metric| known.insert(metric.name.clone()));
    for (run, sampler) in parts {
        let Some(entry) = run.samplers.iter().find(|one| one.name == *sampler) else { continue };
        let entry = SamplerEntry { file: table_name(run, sampler), ..entry.clone() };
        // What programs report may be described in the samplers' files only.
        for metric in trace.metrics_of_sampler(&run.id, sampler).map_err(Failure::input)? {
            if known.insert(metric.name.clone()) {
                about.metrics.push(metric);
            }
        }
        match about.runs.iter_mut().find(|one| one.id == run.id) {
            Some(run) => run.samplers.push(entry),
            None => about.runs.push(TraceRun { samplers: vec![entry], ..(*run).clone() }),
        }
    }
    let name = path.display().to_string();
    let text = serde_json::to_string_pretty(&about).map_err(Failure::input)? + "\n";
    whole_file::write(&path, text.as_bytes()).map_err(|error| Failure::writing(&name, &error))
}

fn table_name(run: &TraceRun, sampler: &str) -> String {
    format!("{}.{sampler}.csv", run.id)
}

fn write(
    trace: &Trace,
    run: &str,
    sampler: &str,
    out: &mut dyn Write,
    target: &str,
) -> Result<(), Failure> {
    trace.write_csv(run, sampler, out).map_err(|error| match error {
        TraceError::Output(error) => Failure::writing(target, &error),
        error => Failure::input(error),
    })?;
    out.flush().map_err(|error| Failure::writing(target, &error))
}
