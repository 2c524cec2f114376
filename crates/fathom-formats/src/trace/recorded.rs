//! A folder of traces, read.

use super::csv;
use super::error::shown;
use super::scan::{self, Batch};
use super::size_limit;
use super::{MANIFEST, TraceError};
use crate::nearest::did_you_mean;
use fathom_record::trace::{
    Kind, Layer, Manifest, Number, SamplerEntry, Samples, TraceMetric, TraceRun, Values,
};
use fathom_record::{Timestamp, Unit};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder of traces, for reading. Its files are opened when they are asked for; one that is still
/// recorded can be read too.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    manifest: Manifest,
}

impl Trace {
    /// Opens a folder and reads its manifest.
    pub fn open(path: &Path) -> Result<Trace, TraceError> {
        let file = path.join(MANIFEST);
        let text = fs::read_to_string(&file).map_err(|error| {
            let folder = shown(path);
            match error.kind() {
                _ if !path.exists() => TraceError::NoFolder { folder },
                _ if !path.is_dir() => TraceError::NotAFolder { folder },
                io::ErrorKind::NotFound => TraceError::NoManifest { folder },
                _ => TraceError::io("read", &file, error),
            }
        })?;
        let manifest = Manifest::read(&text)
            .map_err(|source| TraceError::Manifest { file: shown(&file), source })?;
        Ok(Trace { path: path.to_path_buf(), manifest })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The metrics of a run: those of its first sampler in the order of its columns, and so on. One
    /// that two samplers have is named once.
    pub fn metrics_of(&self, run: &str) -> Result<Vec<TraceMetric>, TraceError> {
        let mut metrics: Vec<TraceMetric> = Vec::new();
        let mut known: HashSet<String> = HashSet::new();
        let run = self.run(run)?;
        for sampler in &run.samplers {
            for metric in self.metrics_in(run, sampler)? {
                if known.insert(metric.name.clone()) {
                    metrics.push(metric);
                }
            }
        }
        Ok(metrics)
    }

    /// The metrics of one sampler of a run, in the order of its columns.
    pub fn metrics_of_sampler(
        &self,
        run: &str,
        sampler: &str,
    ) -> Result<Vec<TraceMetric>, TraceError> {
        let run = self.run(run)?;
        self.metrics_in(run, sampler_of(run, sampler)?)
    }

    /// One metric of a run. If several samplers have it, those of the first.
    pub fn samples(&self, run: &str, metric: &str) -> Result<Samples, TraceError> {
        let run = self.run(run)?;
        let mut names = Vec::new();
        for sampler in &run.samplers {
            let metrics = self.metrics_in(run, sampler)?;
            if let Some(found) = metrics.iter().find(|one| one.name == metric) {
                let mut samples = self.read(sampler, std::slice::from_ref(found))?;
                if let Some(samples) = samples.pop() {
                    return Ok(samples);
                }
            }
            names.extend(metrics.into_iter().map(|one| one.name));
        }
        let near = did_you_mean(metric, &names);
        Err(TraceError::NoMetric { run: run.id.clone(), metric: metric.to_string(), near })
    }

    /// Every metric of a run, in the order of [`metrics_of`](Trace::metrics_of); one that two
    /// samplers have is there twice. Those of one sampler share their times.
    pub fn all_samples(&self, run: &str) -> Result<Vec<Samples>, TraceError> {
        let run = self.run(run)?;
        let mut all = Vec::new();
        for sampler in &run.samplers {
            all.extend(self.read(sampler, &self.metrics_in(run, sampler)?)?);
        }
        Ok(all)
    }

    /// The rows of a sampler as CSV, below a header: `start_ns`, `end_ns`, and a column per metric. A
    /// missing value is an empty field; numbers are exact. Memory does not grow with the rows.
    pub fn write_csv(
        &self,
        run: &str,
        sampler: &str,
        output: &mut dyn Write,
    ) -> Result<(), TraceError> {
        self.write_csv_on(run, sampler, &|moment| moment, output)
    }

    /// The same with other times: `times` says what is written for a moment of the run.
    pub fn write_csv_on(
        &self,
        run: &str,
        sampler: &str,
        times: &dyn Fn(Timestamp) -> Timestamp,
        output: &mut dyn Write,
    ) -> Result<(), TraceError> {
        let run = self.run(run)?;
        let sampler = sampler_of(run, sampler)?;
        let metrics = self.metrics_in(run, sampler)?;
        csv::write_csv(&self.path, &sampler.file, &metrics, times, output)
    }

    fn run(&self, id: &str) -> Result<&TraceRun, TraceError> {
        self.manifest.run(id).ok_or_else(|| {
            let ids: Vec<&str> = self.manifest.runs.iter().map(|run| run.id.as_str()).collect();
            let near = did_you_mean(id, &ids);
            TraceError::NoRun { folder: shown(&self.path), run: id.to_string(), near }
        })
    }

    /// The columns of a sampler's file that are metrics: those that the manifest describes or the
    /// file does, and any other that has numbers.
    fn metrics_in(
        &self,
        run: &TraceRun,
        sampler: &SamplerEntry,
    ) -> Result<Vec<TraceMetric>, TraceError> {
        let Some(fields) = scan::fields(&self.path, &sampler.file)? else {
            // A recording that was killed early, or that found the disk full, has not written a row.
            // One that came to its end has written a file.
            return match run.ended {
                None => Ok(Vec::new()),
                Some(_) if sampler.rows == 0 => Ok(Vec::new()),
                Some(_) => {
                    let file = shown(&self.path.join(&sampler.file));
                    Err(TraceError::MissingFile { file })
                }
            };
        };
        let described: HashMap<&str, &TraceMetric> =
            // Backwards, so that the first of a name counts.
            self.manifest.metrics.iter().rev().map(|metric| (metric.name.as_str(), metric)).collect();
        let metrics = fields.into_iter().filter_map(|field| {
            let known = described.get(field.name.as_str()).copied().cloned().or(field.described);
            // Of a type that the format does not know: an error when it is read, if it is declared
            // as a metric.
            known.or_else(|| field.number.map(|number| undescribed(field.name, number)))
        });
        Ok(metrics.collect())
    }

    fn read(
        &self,
        sampler: &SamplerEntry,
        metrics: &[TraceMetric],
    ) -> Result<Vec<Samples>, TraceError> {
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        let mut columns: Vec<Values> =
            metrics.iter().map(|metric| Values::new(metric.number)).collect();
        let file = self.path.join(&sampler.file);
        scan::scan(&self.path, &sampler.file, metrics, &mut |batch: Batch| {
            let rows = ends.len().checked_add(batch.ends.len());
            size_limit::check(&file, rows, metrics.len().saturating_add(2))?;
            starts.extend(batch.starts);
            ends.extend(batch.ends);
            for (column, values) in columns.iter_mut().zip(&batch.columns) {
                column.append(values);
            }
            Ok(())
        })?;
        if !ends.is_sorted() {
            let mut order: Vec<usize> = (0..ends.len()).collect();
            order.sort_by_key(|&row| ends.get(row).copied());
            starts = picked(&starts, &order);
            ends = picked(&ends, &order);
            columns.iter_mut().for_each(|column| match column {
                Values::Integers(values) => *values = picked(values, &order),
                Values::Reals(values) => *values = picked(values, &order),
            });
        }
        let (starts, ends): (Arc<[Timestamp]>, Arc<[Timestamp]>) = (starts.into(), ends.into());
        let of = |(metric, values): (&TraceMetric, Values)| Samples {
            metric: metric.clone(),
            starts: Arc::clone(&starts),
            ends: Arc::clone(&ends),
            values,
        };
        Ok(metrics.iter().zip(columns).map(of).collect())
    }
}

fn picked<T: Copy>(values: &[T], order: &[usize]) -> Vec<T> {
    order.iter().filter_map(|&row| values.get(row).copied()).collect()
}

fn sampler_of<'a>(run: &'a TraceRun, name: &str) -> Result<&'a SamplerEntry, TraceError> {
    run.samplers.iter().find(|sampler| sampler.name == name).ok_or_else(|| {
        let names: Vec<&str> = run.samplers.iter().map(|one| one.name.as_str()).collect();
        let near = did_you_mean(name, &names);
        TraceError::NoSampler { run: run.id.clone(), sampler: name.to_string(), near }
    })
}

/// A column with a known name and type only.
fn undescribed(name: String, number: Number) -> TraceMetric {
    TraceMetric {
        name,
        layer: Layer::Application,
        unit: Unit::Unknown,
        kind: Kind::Gauge,
        number,
        probe: String::new(),
        about: String::new(),
    }
}
