//! A folder of traces from files of other tools.

use super::derived::{RunMetrics, defined, resolve, tables};
use super::description::MetricDescriptions;
use super::imported_samples::samples_of;
use super::summaries::some;
use crate::measuring::session;
use crate::{EngineError, Watch, stores};
use fathom_formats::trace::TraceFolder;
use fathom_formats::trace_imports::{ImportOptions, ImportedRun, read_traces};
use fathom_property::DerivedMetric;
use fathom_record::trace::{Manifest, Rows, SamplerEntry, TRACE_SCHEMA, TraceMetric, TraceRun};
use fathom_record::{Environment, Timestamp, nearest};
use fathom_request::MetricStore;
use std::path::{Path, PathBuf};

/// What is imported, and how it is read.
#[derive(Debug, Clone, Default)]
pub struct Import {
    /// The files, or folders of them; none with a metric store.
    pub files: Vec<PathBuf>,
    /// The metric store.
    pub store: Option<MetricStore>,
    /// How they are read.
    pub options: ImportOptions,
    /// Whether all files are of one and the same run.
    pub merge: bool,
    /// The metric by which runs are aligned.
    pub common: Option<String>,
    /// Where metrics come from: `NAME=LAYER`.
    pub layers: Vec<String>,
    /// Metrics that are computed from others: `NAME=EXPRESSION`.
    pub derived: Vec<String>,
}

/// Writes a folder of traces; with `force`, over one that holds earlier traces. The answer is its
/// manifest.
///
/// # Errors
/// A file cannot be read, the files do not fit together, or the folder cannot be written.
pub fn import(
    import: &Import,
    into: &Path,
    force: bool,
    watch: &mut dyn Watch,
) -> Result<Manifest, EngineError> {
    let mut runs = match &import.store {
        None => read_traces(&import.files, &import.options)?,
        Some(store) => {
            let mut store = store.clone();
            vec![stores::read(&mut store, &mut [], &import.options, watch)?.run]
        }
    };
    let described = MetricDescriptions::new(&import.options.counters, &import.layers)?;
    let names: Vec<&str> = metrics_of(&runs).map(|metric| metric.name.as_str()).collect();
    described.refuse_unused(&names)?;
    describe(&mut runs, &described);
    if import.merge {
        runs = vec![merged(runs)?];
    }
    let derived = defined(&import.derived)?;
    add_derived(&mut runs, &derived)?;
    let metrics = distinct_metrics(&runs);
    let common = common(import.common.as_deref(), &runs, &metrics)?;
    let manifest = Manifest {
        schema: TRACE_SCHEMA.to_string(),
        command: Vec::new(),
        started: session::now(),
        environment: Environment::of_this_build(),
        common,
        metrics,
        derived: derived.iter().map(DerivedMetric::definition).collect(),
        runs: runs.iter().map(entry).collect(),
    };
    TraceFolder::create_whole(into, manifest, force, |folder| {
        for run in &runs {
            for (name, rows) in &run.samplers {
                let mut writer = folder.writer(&file_name(run, name))?;
                writer.append(rows)?;
                writer.finish()?;
            }
        }
        Ok(())
    })
}

/// Describes metrics as the user does.
fn describe(runs: &mut [ImportedRun], described: &MetricDescriptions) {
    if described.is_empty() {
        return;
    }
    for (_, rows) in runs.iter_mut().flat_map(|run| &mut run.samplers) {
        let metrics = rows.metrics().iter().map(|metric| described.of(metric)).collect();
        *rows = rows.clone().described(metrics);
    }
}

/// Computes derived metrics in the runs that have what they need.
fn add_derived(runs: &mut [ImportedRun], derived: &[DerivedMetric]) -> Result<(), EngineError> {
    if derived.is_empty() {
        return Ok(());
    }
    let known: Vec<Vec<TraceMetric>> =
        runs.iter().map(|run| metrics_of(std::slice::from_ref(run)).cloned().collect()).collect();
    let named = runs.iter().zip(&known);
    let named: Vec<RunMetrics<'_>> =
        named.map(|(run, metrics)| RunMetrics { id: &run.id, metrics }).collect();
    let resolved = resolve(derived, &[], &named)?;
    for (run, resolved) in runs.iter_mut().zip(resolved) {
        run.samplers.extend(tables(&resolved, &samples_of(run)));
    }
    Ok(())
}

fn metrics_of(runs: &[ImportedRun]) -> impl Iterator<Item = &TraceMetric> {
    runs.iter().flat_map(|run| &run.samplers).flat_map(|(_, rows)| rows.metrics().iter())
}

fn distinct_metrics(runs: &[ImportedRun]) -> Vec<TraceMetric> {
    let mut metrics: Vec<TraceMetric> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for metric in metrics_of(runs) {
        if seen.insert(metric.name.as_str()) {
            metrics.push(metric.clone());
        }
    }
    metrics
}

/// All files as one run: their samplers side by side, on the clock of the first.
fn merged(runs: Vec<ImportedRun>) -> Result<ImportedRun, EngineError> {
    let mut runs = runs.into_iter();
    let Some(mut all) = runs.next() else {
        return Err(EngineError::usage("there is nothing to merge"));
    };
    let mut names: Vec<String> =
        metrics_of(std::slice::from_ref(&all)).map(|m| m.name.clone()).collect();
    for run in runs {
        // Times of both count from 1970, or both from somewhere.
        let origin = match (all.clock, run.clock) {
            (Some(first), Some(other)) => other.wall.relative_to(first.wall),
            (None, None) => Timestamp::ZERO,
            _ => {
                return Err(EngineError::usage(format!(
                    "{} and {} cannot be one run: one has wall-clock times, the other has not; \
                     import them as two",
                    all.id, run.id
                )));
            }
        };
        for (name, rows) in run.samplers {
            if let Some(twice) = rows.metrics().iter().find(|metric| names.contains(&metric.name)) {
                return Err(EngineError::usage(format!(
                    "both {} and {} have a metric {}; rename one, or import them as two runs",
                    all.id, run.id, twice.name
                )));
            }
            names.extend(rows.metrics().iter().map(|metric| metric.name.clone()));
            let taken = |name: &str| all.samplers.iter().any(|(other, _)| other == name);
            let mut unique = name.clone();
            let mut number = 2;
            while taken(&unique) {
                unique = format!("{name}-{number}");
                number += 1;
            }
            all.samplers.push((unique, moved(rows, origin)));
        }
        all.notes.extend(run.notes);
    }
    Ok(all)
}

/// The same rows with times that count from where `origin` counts from.
fn moved(rows: Rows, origin: Timestamp) -> Rows {
    if origin == Timestamp::ZERO {
        return rows;
    }
    let mut moved = Rows::new(rows.metrics().clone());
    for (n, (start, end)) in rows.starts().iter().zip(rows.ends()).enumerate() {
        let values: Vec<_> = rows.columns().iter().map(|column| column.get(n)).collect();
        moved.push(start.absolute_from(origin), end.absolute_from(origin), &values);
    }
    moved
}

/// The metric that all runs have, if it was named; else one that only it can be.
fn common(
    wanted: Option<&str>,
    runs: &[ImportedRun],
    metrics: &[TraceMetric],
) -> Result<Option<String>, EngineError> {
    let Some(name) = wanted else { return Ok(None) };
    let has = |run: &&ImportedRun| {
        run.samplers.iter().any(|(_, rows)| rows.metrics().iter().any(|one| one.name == name))
    };
    let without: Vec<&str> =
        runs.iter().filter(|run| !has(run)).map(|run| run.id.as_str()).collect();
    if without.is_empty() {
        return Ok(Some(name.to_string()));
    }
    let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
    Err(EngineError::usage(format!(
        "--common {name}: {} {} no such metric{}",
        some(&without),
        if without.len() == 1 { "has" } else { "have" },
        meant(name, &names),
    )))
}

fn meant(name: &str, names: &[&str]) -> String {
    nearest(name, names).first().map_or(String::new(), |near| format!("; did you mean {near}?"))
}

fn file_name(run: &ImportedRun, sampler: &str) -> String {
    format!("{}.{sampler}.parquet", run.id)
}

fn entry(run: &ImportedRun) -> TraceRun {
    let sampler = |(name, rows): &(String, Rows)| SamplerEntry {
        name: name.clone(),
        file: file_name(run, name),
        interval: None,
        rows: u64::try_from(rows.len()).unwrap_or(u64::MAX),
        missed: 0,
        lateness: None,
        cpu_share: None,
        probes: Vec::new(),
    };
    let ends = run.samplers.iter().filter_map(|(_, rows)| rows.ends().iter().max().copied());
    TraceRun {
        id: run.id.clone(),
        group: run.format.name().to_string(),
        clock: run.clock,
        ended: ends.max(),
        ending: None,
        samplers: run.samplers.iter().map(sampler).collect(),
        notes: run.notes.clone(),
    }
}
