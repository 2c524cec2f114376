//! Probes, time and sinks that tests make up.

use super::pace::Pace;
use super::writer::Sink;
use fathom_record::trace::{Kind, Layer, Rows, TraceMetric, Value};
use fathom_record::{Span, Timestamp, Unit};
use fathom_sys::probes::{Fault, Moment, Probe};
use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

/// A probe whose values count its samples.
#[derive(Debug)]
pub(super) struct FakeProbe {
    pub(super) name: String,
    pub(super) metrics: Vec<TraceMetric>,
    pub(super) samples: i64,
    /// One more metric from these samples on.
    pub(super) grows_at: Vec<i64>,
    /// No values in these samples.
    pub(super) fails_at: Vec<i64>,
}

fn metric(probe: &str, n: usize) -> TraceMetric {
    TraceMetric::integer(probe, &format!("m{n}"), Layer::Os, Kind::Counter, Unit::Unknown)
}

impl FakeProbe {
    pub(super) fn new(name: &str, metrics: usize) -> FakeProbe {
        FakeProbe {
            name: name.to_string(),
            metrics: (0..metrics).map(|n| metric(name, n)).collect(),
            samples: 0,
            grows_at: Vec::new(),
            fails_at: Vec::new(),
        }
    }
}

impl Probe for FakeProbe {
    fn name(&self) -> &str {
        &self.name
    }

    fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    fn refresh(&mut self, _: &Moment<'_>) -> bool {
        let grows = self.grows_at.contains(&self.samples);
        if grows {
            self.metrics.push(metric(&self.name, self.metrics.len()));
        }
        grows
    }

    fn sample(&mut self, _: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let n = self.samples;
        self.samples += 1;
        if self.fails_at.contains(&n) {
            let (what, why) = ("/proc/it".to_string(), "vanished".to_string());
            return Err(Fault { what, why });
        }
        values.iter_mut().for_each(|value| *value = Value::Integer(n));
        Ok(())
    }
}

/// A clock that jumps to deadlines, late by what is asked for, and ends after that.
#[derive(Debug)]
pub(super) struct FakePace {
    pub(super) now: Timestamp,
    pub(super) late: VecDeque<Span>,
}

impl Pace for FakePace {
    fn now(&self) -> Timestamp {
        self.now
    }

    fn cpu(&self) -> Span {
        (self.now - Timestamp::ZERO).divided_by(100)
    }

    fn wait_until(&mut self, deadline: Timestamp) -> bool {
        let Some(late) = self.late.pop_front() else { return false };
        self.now = self.now.max(deadline + late);
        true
    }
}

/// A sink that keeps rows in memory.
#[derive(Debug, Default)]
pub(super) struct FakeSink {
    pub(super) kept: Arc<Mutex<Vec<Rows>>>,
    /// Each append waits for a word.
    pub(super) gate: Option<Receiver<()>>,
    /// It is full after this many.
    pub(super) room: Option<usize>,
}

impl Sink for FakeSink {
    fn append(&mut self, rows: &Rows) -> Result<(), String> {
        if let Some(gate) = &self.gate {
            let _ = gate.recv();
        }
        let mut kept = self.kept.lock().unwrap();
        if self.room.is_some_and(|room| kept.len() >= room) {
            return Err("no space is left".to_string());
        }
        kept.push(rows.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<u64, String> {
        Ok(self.kept.lock().unwrap().iter().map(|rows| rows.len() as u64).sum())
    }
}
