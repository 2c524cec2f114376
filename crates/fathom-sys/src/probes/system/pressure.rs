//! `/proc/pressure`: how long threads waited for what they needed.

use super::proc_table::{Column, Layout, text, things};
use super::proc_tables::ProcTables;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable, digits};
use fathom_record::trace::{Layer, Value};
use fathom_record::{TimeUnit, Unit};
use std::path::PathBuf;

const NAME: &str = "system.pressure";

/// The source.
#[derive(Debug)]
pub(super) struct Pressure(pub(super) PathBuf);

impl Source for Pressure {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "time that threads of the machine waited for CPUs, memory and disks"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let folder = self.0.join("proc/pressure");
        if !folder.is_dir() {
            return Err(Unavailable(format!(
                "{} does not exist: this kernel does not track pressure; start it with `psi=1`, \
                 or use one built with CONFIG_PSI",
                folder.display()
            )));
        }
        let resources = ["cpu", "memory", "io", "irq"];
        let file = |resource: &'static str| {
            let layout: Box<dyn Layout> = Box::new(Stalls(resource.to_string()));
            (folder.join(resource), layout)
        };
        Ok(Box::new(ProcTables::open(NAME, resources.map(file).into())?))
    }
}

/// Lines such as "some avg10=4.07 avg60=2.20 avg300=5.50 total=12662390545". The text is what is
/// waited for, which the names begin with.
#[derive(Debug)]
pub(super) struct Stalls(pub(super) String);

impl Layout for Stalls {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            let (key, rest) = digits::first_word(line);
            row(key, rest);
        }
    }

    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column> {
        let who = match key {
            b"some" => "at least one thread",
            b"full" => "every thread with work to do",
            _ => return Vec::new(),
        };
        if total(rest).is_none() {
            return Vec::new();
        }
        let (of, key) = (&self.0, text(key));
        let unit = Unit::Time(TimeUnit::Microseconds);
        vec![
            Column::counter(format!("{of}.{key}"), unit).about(format!("time that {who} waited")),
            Column::gauge(format!("{of}.{key}_avg10"), things("%"))
                .real()
                .about(format!("share of the last 10 s that {who} waited")),
        ]
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        let avg10 = digits::words(rest).find_map(|word| word.strip_prefix(b"avg10="));
        let both = [Value::from(total(rest)), Value::from(avg10.and_then(digits::percentage))];
        for (value, number) in values.iter_mut().zip(both) {
            *value = number;
        }
    }
}

fn total(rest: &[u8]) -> Option<u64> {
    digits::words(rest).find_map(|word| word.strip_prefix(b"total=")).and_then(digits::number)
}
