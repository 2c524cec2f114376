//! Traces that are made up, and that say how often they are read.

use fathom_explain::{RunEntry, SourceError, TraceSource};
use fathom_record::trace::{Kind, Layer, Number, Samples, TraceMetric, Values};
use fathom_record::{Span, TimeUnit, Timestamp, Unit};
use fathom_request::TraceFiles;
use fathom_ui::OpenedTraces;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Runs with these metrics: one a second, with a bump that is later in later runs.
pub(crate) struct MadeUp {
    runs: Vec<RunEntry>,
    rows: i64,
    reading_takes: Duration,
    read: Arc<AtomicUsize>,
}

impl MadeUp {
    pub(crate) fn new(runs: &[&str], metrics: &[&str], rows: i64) -> MadeUp {
        let metrics: Vec<TraceMetric> = metrics.iter().map(|name| metric(name)).collect();
        let entry = |id: &&str| RunEntry { id: id.to_string(), metrics: metrics.clone() };
        MadeUp {
            runs: runs.iter().map(entry).collect(),
            rows,
            reading_takes: Duration::ZERO,
            read: Arc::default(),
        }
    }

    /// As from a disk that is slow.
    pub(crate) fn slowly(mut self, reading_takes: Duration) -> MadeUp {
        self.reading_takes = reading_takes;
        self
    }

    /// With a metric that is counted, or that happens.
    pub(crate) fn kind(mut self, name: &str, kind: Kind, unit: Unit) -> MadeUp {
        for run in &mut self.runs {
            let metric = run.metrics.iter_mut().find(|one| one.name == name).unwrap();
            (metric.kind, metric.unit) = (kind, unit.clone());
        }
        self
    }

    /// How many metrics were read.
    pub(crate) fn reads(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.read)
    }

    pub(crate) fn opened(self) -> OpenedTraces {
        OpenedTraces {
            title: "made up".to_string(),
            clocks: vec![None; self.runs.len()],
            source: Box::new(self),
            files: TraceFiles { paths: vec!["made-up".into()], ..TraceFiles::default() },
            time_unit: TimeUnit::Seconds,
            has_wall_times: false,
            notes: vec!["nothing of this happened".to_string()],
            asked: None,
            labels_file: None,
        }
    }
}

fn metric(name: &str) -> TraceMetric {
    TraceMetric {
        name: name.to_string(),
        layer: Layer::Application,
        unit: Unit::Unknown,
        kind: Kind::Gauge,
        number: Number::Real,
        probe: "made up".to_string(),
        about: String::new(),
    }
}

impl TraceSource for MadeUp {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        None
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        self.read.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.reading_takes);
        let place = self.runs.iter().position(|entry| entry.id == run).unwrap();
        let entry = &self.runs[place];
        let number = entry.metrics.iter().position(|one| one.name == metric).unwrap();
        let metric = entry.metrics[number].clone();
        if metric.name == "broken" {
            return Err("the disk is gone".into());
        }
        const SECOND: Span = Span::from_milliseconds(1_000);
        let ends = || (0..self.rows).map(|row| Timestamp::from_nanoseconds(row * 1_000_000_000));
        let (late, number) = (place as i64 * 3, number as i64);
        let value = |row: i64| {
            let noise = ((row * 31 + number * 17) * (row + number) % 101) as f64 / 50.0;
            let bump = (row - late - 60).rem_euclid(200) < 20;
            let level = 10.0 + noise + if bump { 10.0 - number as f64 % 7.0 } else { 0.0 };
            match metric.kind {
                // Grows by its level.
                Kind::Counter => 10.0 * row as f64 + (row % 7) as f64,
                Kind::Gauge | Kind::Event => level,
            }
        };
        Ok(Samples {
            starts: ends().map(|end| (end - SECOND).max(Timestamp::ZERO)).collect(),
            ends: ends().collect(),
            values: Values::Reals((0..self.rows).map(|row| Some(value(row))).collect()),
            metric,
        })
    }
}
