//! A probe in a sampler: where its values go, what it costs, what went wrong with it.

use super::plan_error::words;
use fathom_record::trace::{Kind, ProbeCost, Value};
use fathom_record::{Span, Timestamp};
use fathom_sys::probes::{Fault, Moment, Probe};
use std::time::Duration;

/// A probe that was opened for a run.
#[derive(Debug)]
pub(crate) struct OpenProbe {
    pub(crate) probe: Box<dyn Probe>,
    /// Whether it looks at a process that waits before its exec. Its totals count from there, but
    /// its levels, such as its memory, are not the program's yet.
    pub(crate) awaits_exec: bool,
}

/// What a probe took.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProbeTime {
    pub(crate) probe: String,
    pub(crate) samples: u64,
    /// Processor time of all samples, in nanoseconds: a share of a measured time, so not whole.
    pub(crate) cpu_ns: f64,
}

impl ProbeTime {
    /// In a run of this length.
    pub(crate) fn over(self, length: Span) -> ProbeCost {
        ProbeCost {
            probe: self.probe,
            samples: self.samples,
            ns_per_sample: self.cpu_ns / self.samples.max(1) as f64,
            cpu_share: self.cpu_ns / length.max(Span::from_nanoseconds(1)).nanoseconds_f64(),
        }
    }
}

/// A probe, and what is known of it so far.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) probe: Box<dyn Probe>,
    awaits_exec: bool,
    /// The columns of its metrics.
    pub(crate) columns: Vec<usize>,
    values: Vec<Value>,
    samples: u64,
    /// Time since costs were last settled.
    window: Span,
    /// Processor time before that, in nanoseconds.
    cpu_ns: f64,
    fault: Option<FirstFault>,
    faults: u64,
    /// The first thing that it said beside its values.
    remark: Option<(Fault, Timestamp)>,
}

#[derive(Debug)]
struct FirstFault {
    fault: Fault,
    /// After the run's origin.
    at: Timestamp,
    /// Whether the program lived on after it. When it ends its files vanish, which is no fault.
    is_real: bool,
}

impl Slot {
    pub(crate) fn new(opened: OpenProbe) -> Slot {
        let OpenProbe { probe, awaits_exec } = opened;
        Slot {
            probe,
            awaits_exec,
            columns: Vec::new(),
            values: Vec::new(),
            samples: 0,
            window: Span::ZERO,
            cpu_ns: 0.0,
            fault: None,
            faults: 0,
            remark: None,
        }
    }

    /// Reads its values. `at` is the time after the run's origin.
    pub(crate) fn sample(&mut self, moment: &Moment<'_>, at: Timestamp, lives: &dyn Fn() -> bool) {
        self.probe.refresh(moment);
        let count = self.probe.metrics().len();
        self.values.clear();
        self.values.resize(count, Value::Missing);
        if let Some(first) = &mut self.fault
            && !first.is_real
        {
            first.is_real = lives();
            if !first.is_real {
                self.fault = None;
            }
        }
        if let Err(fault) = self.probe.sample(moment, &mut self.values) {
            // With values it is not a failure, but something to know of them.
            if self.values.iter().any(|value| *value != Value::Missing) {
                self.remark.get_or_insert((fault, at));
            } else {
                self.faults += 1;
                self.fault.get_or_insert(FirstFault { fault, at, is_real: false });
            }
        }
        if self.awaits_exec {
            for (value, metric) in self.values.iter_mut().zip(self.probe.metrics()) {
                if metric.kind == Kind::Gauge {
                    *value = Value::Missing;
                }
            }
        }
        self.samples += 1;
    }

    /// From now on what it sees is the program.
    pub(crate) fn has_begun(&mut self) {
        self.awaits_exec = false;
    }

    /// Whether it has metrics without a column.
    pub(crate) fn has_grown(&self) -> bool {
        self.columns.len() < self.values.len()
    }

    /// Puts its values where they belong.
    pub(crate) fn fill(&self, row: &mut [Value]) {
        for (value, &column) in self.values.iter().zip(&self.columns) {
            if let Some(place) = row.get_mut(column) {
                *place = *value;
            }
        }
    }

    /// It took this long, which is not all processor time.
    pub(crate) fn took(&mut self, span: Span) {
        self.window += span;
    }

    /// Turns the time since the last settling into processor time.
    pub(crate) fn settle(&mut self, factor: f64) {
        self.cpu_ns += std::mem::take(&mut self.window).nanoseconds_f64() * factor;
    }

    /// What it took.
    pub(crate) fn time(&self) -> ProbeTime {
        let probe = self.probe.name().to_string();
        ProbeTime { probe, samples: self.samples, cpu_ns: self.cpu_ns }
    }

    /// What a reader should know about it: its faults, and its remarks.
    pub(crate) fn notes(&self) -> Vec<String> {
        let name = self.probe.name();
        let after = |at: Timestamp| words(Duration::from(at - Timestamp::ZERO));
        let fault = self.fault.as_ref().filter(|first| first.is_real).map(|first| {
            format!(
                "{name} could not be read in {} of {} samples, first after {}: {}",
                self.faults,
                self.samples,
                after(first.at),
                first.fault,
            )
        });
        let remark = self.remark.as_ref();
        let remark = remark.map(|(said, at)| format!("{name}, first after {}: {said}", after(*at)));
        fault.into_iter().chain(remark).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::FakeProbe;
    use super::*;
    use fathom_record::trace::TraceMetric;
    use fathom_sys::probes::ProcessTree;

    fn moment(tree: &ProcessTree) -> Moment<'_> {
        Moment { now: Timestamp::ZERO, tree }
    }

    /// The notes after these samples all failed, if the program lives or not.
    fn notes(lives: bool) -> Vec<String> {
        let tree = ProcessTree::new(std::process::id());
        let mut slot = slot(FakeProbe { fails_at: vec![0, 1, 2], ..FakeProbe::new("p", 1) });
        for n in 0..3 {
            slot.sample(&moment(&tree), Timestamp::from_nanoseconds(n * 1000), &|| lives);
        }
        slot.notes()
    }

    /// Has a value, and a remark on it.
    #[derive(Debug)]
    struct Talkative(FakeProbe);

    impl Probe for Talkative {
        fn name(&self) -> &str {
            "p"
        }

        fn metrics(&self) -> &[TraceMetric] {
            self.0.metrics()
        }

        fn sample(&mut self, _: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
            values.fill(Value::Integer(1));
            Err(Fault { what: "300 threads".to_string(), why: "read in turn".to_string() })
        }
    }

    #[test]
    fn what_is_said_beside_values_is_no_failure() {
        let probe = Box::new(Talkative(FakeProbe::new("p", 1)));
        let mut slot = Slot::new(OpenProbe { probe, awaits_exec: false });
        let tree = ProcessTree::new(std::process::id());
        for n in 0..3 {
            slot.sample(&moment(&tree), Timestamp::from_nanoseconds(n * 1_000_000), &|| true);
        }
        assert_eq!(slot.notes(), ["p, first after 0 ns: 300 threads: read in turn"]);
    }

    fn slot(probe: FakeProbe) -> Slot {
        Slot::new(OpenProbe { probe: Box::new(probe), awaits_exec: false })
    }

    #[test]
    fn files_that_vanish_with_the_program_are_no_fault() {
        assert!(notes(false).is_empty());
        assert!(notes(true)[0].starts_with("p could not be read in 3 of 3 samples, first after 0"));
    }

    #[test]
    fn time_becomes_processor_time_by_the_share_that_was_used() {
        let mut slot = slot(FakeProbe::new("p", 1));
        let tree = ProcessTree::new(std::process::id());
        for (took, factor) in [(1000, 0.5), (3000, 1.0)] {
            slot.sample(&moment(&tree), Timestamp::ZERO, &|| true);
            slot.took(Span::from_nanoseconds(took));
            slot.settle(factor);
        }
        let cost = slot.time().over(Span::from_nanoseconds(70_000));
        assert_eq!((cost.samples, cost.ns_per_sample, cost.cpu_share), (2, 1750.0, 0.05));
    }
}
