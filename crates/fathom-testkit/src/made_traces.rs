//! Folders of traces as large as asked, with an anomaly whose causes are known.
//!
//! Every run is the same program at its own pace: what happens at one place of the program happens at
//! other times in other runs. All have the common metric, which goes through the program's phases. In
//! the target, at one place, there is an anomaly; a few metrics follow it, all others have nothing to
//! do with it.

mod program;

use crate::background::between;
use crate::parallel;
use crate::population::generator;
use fathom_formats::trace::{TraceError, TraceFolder};
use fathom_record::trace::{
    Kind, Layer, Manifest, Rows, SamplerEntry, TRACE_SCHEMA, TraceMetric, TraceRun, Value,
};
use fathom_record::{Environment, Span, Timestamp, Unit};
use program::{Program, in_units, is_cause};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The metric with the anomaly.
pub const TARGET: &str = "app.latency_ms";
/// The metric that every run has.
pub const COMMON: &str = "cpu.instructions_per_cycle";
/// How far rows are apart.
pub const INTERVAL: Span = Span::from_milliseconds(10);
/// The fewest rows in which the anomaly still has a shape.
const FEWEST_ROWS: usize = 400;
/// How many rows are encoded at a time.
const BATCH: usize = 4096;

/// What to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// How many runs.
    pub runs: usize,
    /// How many metrics there are in all, the common one and the target among them.
    pub metrics: usize,
    /// How many rows each run has.
    pub samples: usize,
    /// Whether each run has its own share of the metrics and the common one; else all have all.
    pub spread: bool,
    /// Where chance begins.
    pub seed: u64,
}

/// What is true of what was made.
#[derive(Debug, Clone, PartialEq)]
pub struct PlantedTruth {
    /// In each run, when the anomaly begins and ends. The target is in the first run,
    /// and with all metrics in all runs in the others too.
    pub windows: Vec<(Timestamp, Timestamp)>,
    /// The metrics that follow the anomaly.
    pub causes: Vec<String>,
}

impl PlantedTruth {
    /// As text, with what to ask Fathom in the first run.
    #[must_use]
    pub fn said(&self) -> String {
        let seconds = |time: Timestamp| time.nanoseconds_f64() * 1e-9;
        let row = |time: Timestamp| (time - Timestamp::ZERO).whole_times(INTERVAL);
        let (start, end) = self.windows.first().copied().unwrap_or_default();
        format!(
            "target {TARGET}, common {COMMON}\nrun-1: {}s..{}s, rows {}..{}\ncauses: {}",
            seconds(start),
            seconds(end),
            row(start),
            row(end),
            self.causes.join(", ")
        )
    }
}

/// How to call it.
pub const USAGE: &str =
    "fathom-testkit traces --runs R --metrics M --samples N [--spread] [--seed S] --out DIR";

/// Reads what to make and where from the words after `traces`.
pub fn read(words: &[&str]) -> Result<(Size, PathBuf), String> {
    let mut size = Size { runs: 0, metrics: 0, samples: 0, spread: false, seed: 1 };
    let mut out = None;
    let mut words = words.iter();
    while let Some(&option) = words.next() {
        if option == "--spread" {
            size.spread = true;
            continue;
        }
        let value =
            words.next().ok_or_else(|| format!("{option} needs a value\nusage: {USAGE}"))?;
        let number = || {
            let parsed = value.parse::<usize>().ok();
            parsed.ok_or_else(|| format!("{option} {value}: not a number\nusage: {USAGE}"))
        };
        match option {
            "--runs" => size.runs = number()?,
            "--metrics" => size.metrics = number()?,
            "--samples" => size.samples = number()?,
            "--seed" => size.seed = number()? as u64,
            "--out" => out = Some(PathBuf::from(value)),
            _ => return Err(format!("there is no option {option}\nusage: {USAGE}")),
        }
    }
    let out = out.ok_or_else(|| format!("--out is missing\nusage: {USAGE}"))?;
    Ok((size, out))
}

/// Writes a folder of traces, which must be new or empty.
pub fn write(path: &Path, size: Size) -> Result<PlantedTruth, String> {
    if size.runs == 0 || size.metrics < 3 || size.samples < FEWEST_ROWS {
        return Err(format!(
            "{} runs, {} metrics, {} samples: at least 1 run, 3 metrics and {FEWEST_ROWS} samples \
             are needed",
            size.runs, size.metrics, size.samples
        ));
    }
    let metrics: Vec<TraceMetric> = (0..size.metrics).map(metric).collect();
    let mut folder =
        TraceFolder::create(path, manifest(size, &metrics)).map_err(|error| error.to_string())?;
    let program = Program::new(size);
    let written = parallel::map(size.runs, |run| {
        write_run(&folder, &program, run, &metrics).map_err(|error| error.to_string())
    });
    let ends = written.into_iter().collect::<Result<Vec<Timestamp>, String>>()?;
    let set = |manifest: &mut Manifest| {
        for (run, end) in manifest.runs.iter_mut().zip(&ends) {
            run.ended = Some(*end);
            run.samplers.iter_mut().for_each(|sampler| sampler.rows = size.samples as u64);
        }
    };
    folder.update(set).map_err(|error| error.to_string())?;
    let windows = (0..size.runs).map(|run| program.pace(run).window()).collect();
    let causes = (0..size.metrics).filter(|&n| is_cause(n, size.metrics));
    let causes = causes.filter_map(|n| metrics.get(n)).map(|metric| metric.name.clone()).collect();
    Ok(PlantedTruth { windows, causes })
}

fn manifest(size: Size, metrics: &[TraceMetric]) -> Manifest {
    let run = |run: usize| TraceRun {
        id: format!("run-{}", run + 1),
        group: if size.spread { format!("share-{}", run + 1) } else { "all".to_string() },
        clock: None,
        ended: None,
        ending: None,
        samplers: vec![SamplerEntry {
            name: "fast".to_string(),
            file: file(run),
            interval: Some(INTERVAL),
            rows: 0,
            missed: 0,
            lateness: None,
            cpu_share: None,
            probes: Vec::new(),
        }],
        notes: Vec::new(),
    };
    Manifest {
        schema: TRACE_SCHEMA.to_string(),
        command: Vec::new(),
        started: 0,
        environment: Environment::of_this_build(),
        common: Some(COMMON.to_string()),
        metrics: metrics.to_vec(),
        derived: Vec::new(),
        runs: (0..size.runs).map(run).collect(),
    }
}

fn file(run: usize) -> String {
    format!("run-{}.fast.parquet", run + 1)
}

/// The first is common, the second is the target; the others are of all layers and kinds, and their
/// names say nothing.
fn metric(n: usize) -> TraceMetric {
    if n == 0 {
        let (probe, name) = ("cpu", "instructions_per_cycle");
        return TraceMetric::real(probe, name, Layer::Hardware, Kind::Gauge, Unit::Unknown);
    }
    if n == 1 {
        let (probe, name) = ("app", "latency_ms");
        return TraceMetric::real(probe, name, Layer::Application, Kind::Gauge, Unit::Unknown);
    }
    let layer = Layer::ALL.get(n % Layer::ALL.len()).copied().unwrap_or(Layer::Os);
    let name = format!("metric_{n:03}");
    match n % 3 {
        0 => TraceMetric::real(layer.as_str(), &name, layer, Kind::Gauge, Unit::Unknown),
        1 => TraceMetric::integer(layer.as_str(), &name, layer, Kind::Gauge, Unit::Unknown),
        _ => TraceMetric::integer(layer.as_str(), &name, layer, Kind::Counter, Unit::Unknown),
    }
}

/// Writes a run and says when it ended.
fn write_run(
    folder: &TraceFolder,
    program: &Program,
    run: usize,
    metrics: &[TraceMetric],
) -> Result<Timestamp, TraceError> {
    let pace = program.pace(run);
    let chosen: Vec<usize> = (0..metrics.len()).filter(|&n| program.has(run, n)).collect();
    let own: Arc<[TraceMetric]> = chosen.iter().filter_map(|&n| metrics.get(n)).cloned().collect();
    let columns: Vec<Vec<Value>> = chosen
        .iter()
        .zip(own.iter())
        .map(|(&n, metric)| {
            let cell = (run * metrics.len() + n) as u64;
            let mut rng = generator(program.size.seed, cell);
            in_units(metric, n, program.values(n, &pace, &mut rng))
        })
        .collect();
    let mut late = generator(program.size.seed ^ 0x1a7e, run as u64);
    let mut writer = folder.writer(&file(run))?;
    let (mut rows, mut start) = (Rows::new(Arc::clone(&own)), Timestamp::ZERO);
    for row in 0..program.size.samples {
        // The schedule is kept, but no sampler is on time.
        let lateness = if row == 0 { 0 } else { between(0.0, 200_000.0, &mut late) as u64 };
        let end = Timestamp::ZERO + INTERVAL.times(row as u64) + Span::from_nanoseconds(lateness);
        let values: Vec<Value> =
            columns.iter().map(|column| column.get(row).copied().unwrap_or_default()).collect();
        rows.push(start, end, &values);
        start = end;
        if rows.len() == BATCH {
            writer.append(&rows)?;
            rows = Rows::new(Arc::clone(&own));
        }
    }
    writer.append(&rows)?;
    writer.finish()?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_formats::trace::Trace;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("fathom-made-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        path
    }

    fn mean(values: &[Option<f64>]) -> f64 {
        values.iter().flatten().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn every_run_has_all_or_its_share_and_the_anomaly_is_where_it_is_said_to_be() {
        let size = Size { runs: 3, metrics: 17, samples: 1200, spread: false, seed: 5 };
        let (all, spread) = (folder("all"), folder("spread"));
        let truth = write(&all, size).unwrap();
        assert_eq!(truth.causes.len(), 5);
        let trace = Trace::open(&all).unwrap();
        for (run, (start, end)) in trace.manifest().runs.iter().zip(&truth.windows) {
            assert_eq!(trace.metrics_of(&run.id).unwrap().len(), 17);
            let samples = trace.samples(&run.id, TARGET).unwrap();
            assert_eq!(samples.len(), 1200);
            let level = |from: Timestamp, to: Timestamp| mean(&samples.between(&[from, to]));
            let (before, within) = (level(Timestamp::ZERO, *start), level(*start, *end));
            let after = level(*end + INTERVAL.times(5), run.ended.unwrap());
            assert!(within > before * 1.05 && within > after * 1.05, "{}", run.id);
        }
        assert_ne!(truth.windows[0], truth.windows[1]);
        let row = |n: u64| Timestamp::ZERO + INTERVAL.times(n);
        assert_eq!(truth.windows[0], (row(840), row(900)));
        assert!(write(&all, size).is_err(), "it is there already");

        let shares = write(&spread, Size { spread: true, ..size }).unwrap();
        assert_eq!(shares, truth);
        let trace = Trace::open(&spread).unwrap();
        let mut names: Vec<String> = Vec::new();
        for run in &trace.manifest().runs {
            let metrics = trace.metrics_of(&run.id).unwrap();
            assert_eq!(metrics[0].name, COMMON);
            names.extend(metrics.into_iter().skip(1).map(|metric| metric.name));
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 16);
        assert!(trace.metrics_of("run-1").unwrap().iter().any(|metric| metric.name == TARGET));
        for path in [all, spread] {
            std::fs::remove_dir_all(path).unwrap();
        }
    }

    #[test]
    fn the_words_are_checked() {
        let words = ["--runs", "2", "--metrics", "9", "--samples", "500", "--spread", "--out", "x"];
        let (size, out) = read(&words).unwrap();
        assert_eq!(size, Size { runs: 2, metrics: 9, samples: 500, spread: true, seed: 1 });
        assert_eq!(out, PathBuf::from("x"));
        for wrong in [&["--runs"][..], &["--runs", "x"], &["--many", "2"], &["--runs", "2"]] {
            assert!(read(wrong).unwrap_err().contains("usage"), "{wrong:?}");
        }
        let small = Size { samples: 3, ..size };
        assert!(write(&folder("small"), small).unwrap_err().contains("at least"));
    }
}
