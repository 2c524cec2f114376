//! Fathom's description of a file that it wrote, in another file next to it.
//!
//! A table cannot say which columns are counters, where in the stack they come from, and when its times
//! began. `fathom export -o` therefore writes [`EXPORTED`] next to its tables: a manifest as in a folder
//! of traces, whose samplers name the tables. Other programs leave it alone.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use fathom_record::trace::{Kind, Manifest, Number, Rows, SamplerEntry, TraceMetric, TraceRun};

use super::{ImportedRun, together};
use crate::observations::heading::Heading;
use crate::trace::MANIFEST;

/// The name of the manifest next to exported tables.
pub const EXPORTED: &str = "fathom-export.json";

/// The columns that only Fathom's own tables begin with.
const OWN_TIMES: &[u8] = b"start_ns,end_ns,";

/// Gives a run back what Fathom wrote about its file: kinds, units, layers, the clock, and the names of
/// run and sampler. A table of Fathom's that came without it, by its first bytes, says so.
pub(super) fn restored(run: ImportedRun, path: &Path, bytes: &[u8]) -> ImportedRun {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return run };
    for about in [EXPORTED, MANIFEST] {
        let about = path.with_file_name(about);
        let Ok(text) = std::fs::read_to_string(&about) else { continue };
        match Manifest::read(&text) {
            Ok(manifest) => {
                if let Some((of, sampler)) = entry(&manifest, name) {
                    return described(run, &manifest.metrics, of, sampler);
                }
            }
            Err(error) => {
                return guessed(run, &format!("cannot use {}: {error}", about.display()));
            }
        }
    }
    match bytes.starts_with(OWN_TIMES) {
        true => guessed(
            run,
            &format!("the file comes without {EXPORTED}, which fathom export -o writes"),
        ),
        false => run,
    }
}

fn guessed(mut run: ImportedRun, why: &str) -> ImportedRun {
    run.notes.push(format!(
        "{why}. Fathom guessed kinds, units and layers from the names. Mark counters with \
         --counter NAME"
    ));
    run
}

fn entry<'m>(manifest: &'m Manifest, file: &str) -> Option<(&'m TraceRun, &'m SamplerEntry)> {
    manifest.runs.iter().find_map(|run| {
        let sampler = run.samplers.iter().find(|sampler| sampler.file == file)?;
        Some((run, sampler))
    })
}

fn described(
    run: ImportedRun,
    known: &[TraceMetric],
    of: &TraceRun,
    sampler: &SamplerEntry,
) -> ImportedRun {
    // A table's heading may look as if it had a unit.
    let headings = known.iter().map(|metric| (Heading::of(&metric.name).name, metric));
    let mut by_column: HashMap<String, &TraceMetric> = headings.collect();
    by_column.extend(known.iter().map(|metric| (metric.name.clone(), metric)));
    let mut notes = run.notes;
    let mut unknown = Vec::new();
    let mut samplers = Vec::with_capacity(run.samplers.len());
    for (_, rows) in run.samplers {
        let metrics: Arc<[TraceMetric]> = rows
            .metrics()
            .iter()
            .map(|metric| match by_column.get(&metric.name) {
                // What was kept as doubles stays so, even if all of them are whole.
                Some(known) => TraceMetric {
                    // --counter wins over what was written.
                    kind: if metric.kind == Kind::Counter { metric.kind } else { known.kind },
                    number: if metric.number == Number::Real {
                        metric.number
                    } else {
                        known.number
                    },
                    ..(*known).clone()
                },
                None => {
                    unknown.push(metric.name.clone());
                    metric.clone()
                }
            })
            .collect();
        let rows: Rows = together::rebuilt(&rows, metrics);
        samplers.push((sampler.name.clone(), rows));
    }
    if !unknown.is_empty() {
        notes.push(format!(
            "found no description of {}: guessed kind, unit and layer from the name",
            crate::error::listed(&unknown, 8)
        ));
    }
    notes.extend(of.notes.iter().cloned());
    ImportedRun { id: of.id.clone(), clock: run.clock.or(of.clock), samplers, notes, ..run }
}

/// Samplers of one run are in files of their own; together they are the run again.
pub(super) fn joined(runs: Vec<ImportedRun>) -> Vec<ImportedRun> {
    let mut all: Vec<ImportedRun> = Vec::with_capacity(runs.len());
    for run in runs {
        let of_same = all.iter_mut().find(|other| {
            other.id == run.id && other.clock == run.clock && other.format == run.format
        });
        match of_same.filter(|other| fits(other, &run)) {
            Some(other) => {
                other.samplers.extend(run.samplers);
                other.notes.extend(run.notes);
                other.notes.dedup();
            }
            None => all.push(run),
        }
    }
    all
}

/// Whether neither has a sampler or a metric of the other.
fn fits(one: &ImportedRun, other: &ImportedRun) -> bool {
    let mut names: HashSet<&str> = one.samplers.iter().map(|(name, _)| name.as_str()).collect();
    let mut metrics: HashSet<&str> = metrics(one).collect();
    other.samplers.iter().all(|(name, _)| names.insert(name))
        && self::metrics(other).all(|name| metrics.insert(name))
}

fn metrics(run: &ImportedRun) -> impl Iterator<Item = &str> {
    let all = run.samplers.iter().flat_map(|(_, rows)| rows.metrics().iter());
    all.map(|metric| metric.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace_imports::{ImportOptions, read_traces};
    use fathom_record::Timestamp;
    use fathom_record::trace::{Clock, Layer, TRACE_SCHEMA};
    use fathom_record::{Environment, TimeUnit, Unit};

    fn metric(name: &str, kind: Kind, number: Number) -> TraceMetric {
        TraceMetric {
            name: name.to_string(),
            layer: Layer::Hardware,
            unit: Unit::Time(TimeUnit::Nanoseconds),
            kind,
            number,
            probe: "p".to_string(),
            about: "about it".to_string(),
        }
    }

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    fn manifest(metrics: &[TraceMetric]) -> Manifest {
        let sampler = |name: &str| SamplerEntry {
            name: name.to_string(),
            file: format!("run-1.{name}.csv"),
            interval: None,
            rows: 2,
            missed: 0,
            lateness: None,
            cpu_share: None,
            probes: Vec::new(),
        };
        Manifest {
            schema: TRACE_SCHEMA.to_string(),
            command: Vec::new(),
            started: 1,
            environment: Environment::of_this_build(),
            common: None,
            metrics: metrics.to_vec(),
            derived: Vec::new(),
            runs: vec![TraceRun {
                id: "run-1".to_string(),
                group: "all".to_string(),
                clock: Some(Clock { monotonic: at(7), wall: at(9) }),
                ended: None,
                ending: None,
                samplers: vec![sampler("fast"), sampler("slow")],
                notes: Vec::new(),
            }],
        }
    }

    #[test]
    fn tables_are_what_was_written_about_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("run-1.fast.csv"), "start_ns,end_ns,gc[ms],b\n0,1,5,1\n1,2,,2\n")
            .unwrap();
        std::fs::write(path("run-1.slow.csv"), "start_ns,end_ns,c\n0,2,\n2,4,\n").unwrap();
        let options = ImportOptions::default();
        // Alone they are read by their names, and say so.
        let alone = read_traces(&[folder.path()], &options).unwrap();
        assert_eq!(alone.len(), 2);
        assert!(alone.iter().all(|run| run.notes[0].contains("guessed")), "{alone:?}");
        let metrics = [
            metric("gc[ms]", Kind::Counter, Number::Integer),
            metric("b", Kind::Gauge, Number::Real),
            metric("c", Kind::Event, Number::Real),
        ];
        let text = serde_json::to_string(&manifest(&metrics)).unwrap();
        std::fs::write(path(EXPORTED), text).unwrap();
        let runs = read_traces(&[folder.path()], &options).unwrap();
        let [run] = runs.as_slice() else { panic!("{runs:?}") };
        assert_eq!((run.id.as_str(), run.clock.unwrap().wall), ("run-1", at(9)));
        assert_eq!(run.notes, Vec::<String>::new());
        let names: Vec<&str> = run.samplers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["fast", "slow"]);
        let found: Vec<TraceMetric> =
            run.samplers.iter().flat_map(|(_, rows)| rows.metrics().to_vec()).collect();
        assert_eq!(found, metrics);
        assert_eq!(run.samplers[0].1.columns()[0].get(1).real(), None);
        // One that cannot be used is not passed over in silence.
        std::fs::write(path(EXPORTED), "{").unwrap();
        let runs = read_traces(&[folder.path()], &options).unwrap();
        assert!(runs[0].notes[0].contains("cannot use"), "{:?}", runs[0].notes);
    }
}
