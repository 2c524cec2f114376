//! A probe of one or several files of the machine.

use super::proc_table::{Layout, ProcTable};
use crate::cpu_time;
use crate::probes::kept_open::Buffer;
use crate::probes::{Fault, Moment, Probe, Unavailable};
use fathom_record::trace::{TraceMetric, Value};
use std::path::PathBuf;
use std::time::Duration;

/// What costs less per sample needs no rest.
const CHEAP_NS: u64 = 200_000;
/// What costs more is read so rarely that it takes one part in N of a processor: files with a
/// column per CPU cost milliseconds on large machines.
const SHARE: u64 = 100;

/// The probe.
#[derive(Debug)]
pub(super) struct ProcTables {
    name: &'static str,
    tables: Vec<ProcTable>,
    metrics: Vec<TraceMetric>,
    buffer: Buffer,
    least_interval: Duration,
}

impl ProcTables {
    /// Opens the files that exist; the error says why nothing could be read.
    pub(super) fn open(
        name: &'static str,
        files: Vec<(PathBuf, Box<dyn Layout>)>,
    ) -> Result<ProcTables, Unavailable> {
        let (probe, why) = ProcTables::open_what_is_there(name, files);
        if probe.metrics.is_empty() {
            let why =
                why.unwrap_or_else(|| "its file contains nothing that Fathom knows".to_string());
            return Err(Unavailable(why));
        }
        Ok(probe)
    }

    /// Opens those of the files that are there, and says why the first that is not is not. There may
    /// be no metrics yet.
    pub(super) fn open_what_is_there(
        name: &'static str,
        files: Vec<(PathBuf, Box<dyn Layout>)>,
    ) -> (ProcTables, Option<String>) {
        let mut probe = ProcTables {
            name,
            tables: Vec::new(),
            metrics: Vec::new(),
            buffer: Buffer::new(),
            least_interval: Duration::ZERO,
        };
        let mut why = None;
        for (path, layout) in files {
            if let Err(error) = probe.add(path, layout) {
                why.get_or_insert(error);
            }
        }
        probe.least_interval = probe.affordable_interval();
        (probe, why)
    }

    /// Adds a file, if it can be read.
    pub(super) fn add(&mut self, path: PathBuf, layout: Box<dyn Layout>) -> Result<(), String> {
        let mut table = ProcTable::new(path, layout);
        let learned = table.learn(self.name, &mut self.buffer, &mut self.metrics);
        learned.map_err(|error| format!("{}: {error}", table.path().display()))?;
        self.tables.push(table);
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    pub(super) fn tables_mut(&mut self) -> &mut [ProcTable] {
        &mut self.tables
    }

    fn affordable_interval(&mut self) -> Duration {
        let mut values = vec![Value::Missing; self.metrics.len()];
        let costs = (0..3).map(|_| {
            let began = cpu_time::thread_ns();
            let _ = self.sample_all(&mut values);
            cpu_time::thread_ns().saturating_sub(began)
        });
        let cost = costs.min().unwrap_or(0);
        if cost < CHEAP_NS {
            return Duration::ZERO;
        }
        Duration::from_millis(cost.saturating_mul(SHARE).div_ceil(1_000_000))
    }

    fn sample_all(&mut self, values: &mut [Value]) -> Result<(), Fault> {
        let mut result = Ok(());
        for table in &mut self.tables {
            // One that is gone does not keep the others from being read.
            let sampled = table.sample(&mut self.buffer, values);
            result = result.and(sampled);
        }
        result
    }
}

impl Probe for ProcTables {
    fn name(&self) -> &str {
        self.name
    }

    fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    fn refresh(&mut self, _moment: &Moment<'_>) -> bool {
        let before = self.metrics.len();
        for table in self.tables.iter_mut().filter(|table| table.has_news()) {
            // What cannot be read now is complained of when it is sampled.
            let _ = table.learn(self.name, &mut self.buffer, &mut self.metrics);
        }
        self.metrics.len() > before
    }

    fn sample(&mut self, _moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        self.sample_all(values)
    }

    fn least_interval(&self) -> Duration {
        self.least_interval
    }
}
