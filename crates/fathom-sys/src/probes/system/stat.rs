//! `/proc/stat`: where the processors' time goes.

use super::proc_table::{Column, Layout, things};
use super::proc_tables::ProcTables;
use crate::probes::kernel_units::tick;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable, digits};
use fathom_record::trace::{Layer, Value};
use fathom_record::{Span, TimeUnit, Unit};
use std::path::PathBuf;

const NAME: &str = "system.stat";

/// The times of the line "cpu", in their order.
const TIMES: [(&str, &str); 10] = [
    ("user", "time in programs, all CPUs, including guests"),
    ("nice", "time in low-priority programs, all CPUs"),
    ("system", "time in the kernel, all CPUs"),
    ("idle", "idle time, all CPUs"),
    ("iowait", "idle time while a program waited for a disk, all CPUs; may decrease"),
    ("irq", "time in interrupts, all CPUs"),
    ("softirq", "time in soft interrupts (deferred work), all CPUs"),
    ("steal", "time that the hypervisor gave to other virtual machines"),
    ("guest", "time in virtual machines, all CPUs"),
    ("guest_nice", "time in low-priority virtual machines, all CPUs"),
];

/// The source.
#[derive(Debug)]
pub(super) struct Stat(pub(super) PathBuf);

impl Source for Stat {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "CPU time by kind, context switches, interrupts, processes, for the whole machine"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let file = self.0.join("proc/stat");
        let layout = Lines { tick: tick() };
        Ok(Box::new(ProcTables::open(NAME, vec![(file, Box::new(layout))])?))
    }
}

#[derive(Debug)]
struct Lines {
    tick: Span,
}

impl Layout for Lines {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            let (key, rest) = digits::first_word(line);
            // A CPU each: hundreds of lines on large machines, and their sum is on the first.
            if !key.starts_with(b"cpu") || key.len() == 3 {
                row(key, rest);
            }
        }
    }

    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column> {
        let one = |column: Column, about: &str| vec![column.about(about)];
        match key {
            b"cpu" => {
                let there = digits::words(rest).count();
                let time = |&(name, about): &(&str, &str)| {
                    Column::counter(name, Unit::Time(TimeUnit::Nanoseconds)).about(about)
                };
                TIMES.iter().take(there).map(time).collect()
            }
            b"intr" => one(Column::counter("intr", things("interrupts")), "interrupts, all CPUs"),
            b"ctxt" => {
                one(Column::counter("ctxt", things("switches")), "context switches, all CPUs")
            }
            b"processes" => {
                one(Column::counter("forks", things("forks")), "processes and threads started")
            }
            b"procs_running" => one(
                Column::gauge("procs_running", things("threads")),
                "running and runnable threads",
            ),
            b"procs_blocked" => {
                one(Column::gauge("procs_blocked", things("threads")), "threads waiting for a disk")
            }
            b"softirq" => {
                one(Column::counter("softirq_count", things("times")), "soft interrupts, all CPUs")
            }
            _ => Vec::new(),
        }
    }

    fn values(&self, key: &[u8], rest: &[u8], values: &mut [Value]) {
        let scale = if key == b"cpu" { self.tick.nanoseconds() } else { 1 };
        // The line "intr" has thousands of numbers after the first, which is their sum.
        for (value, word) in values.iter_mut().zip(digits::words(rest)) {
            *value = Value::from(digits::number(word).and_then(|number| number.checked_mul(scale)));
        }
    }
}
