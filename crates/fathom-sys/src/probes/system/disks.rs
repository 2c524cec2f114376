//! `/proc/diskstats`: what the disks did.

use super::proc_table::{Column, Layout, text, things};
use super::proc_tables::ProcTables;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable, digits};
use fathom_record::trace::{Layer, Value};
use fathom_record::{TimeUnit, Unit};
use std::path::PathBuf;

const NAME: &str = "system.disks";

/// Whatever a disk's sectors are, the kernel counts these.
const SECTOR_BYTES: u64 = 512;

/// The source.
#[derive(Debug)]
pub(super) struct Disks(pub(super) PathBuf);

impl Source for Disks {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "reads and writes of each disk of the machine"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let file = self.0.join("proc/diskstats");
        if !file.exists() {
            return Err(Unavailable(format!("{} does not exist", file.display())));
        }
        let layout = Devices { block: self.0.join("sys/block") };
        let opened = ProcTables::open(NAME, vec![(file, Box::new(layout))]);
        Ok(Box::new(
            opened.map_err(|Unavailable(why)| Unavailable(format!("no disk found ({why})")))?,
        ))
    }
}

/// Lines such as " 254  0 vda 2479587 125413 83876826 ...".
#[derive(Debug)]
struct Devices {
    /// The folder that has whole disks only.
    block: PathBuf,
}

/// What a number is.
#[derive(Debug, Clone, Copy)]
enum Amount {
    Times,
    Sectors,
    Milliseconds,
    InFlight,
}

/// The numbers after the name, in their order. Discards and flushes follow.
const FIELDS: [(&str, Amount, &str); 11] = [
    ("reads", Amount::Times, "read requests"),
    ("reads_merged", Amount::Times, "read requests merged with others"),
    ("read_bytes", Amount::Sectors, "read"),
    ("read_time", Amount::Milliseconds, "total time of all reads"),
    ("writes", Amount::Times, "write requests"),
    ("writes_merged", Amount::Times, "write requests merged with others"),
    ("write_bytes", Amount::Sectors, "written"),
    ("write_time", Amount::Milliseconds, "total time of all writes"),
    ("in_flight", Amount::InFlight, "requests in progress"),
    ("busy_time", Amount::Milliseconds, "time with at least one request in progress"),
    ("queue_time", Amount::Milliseconds, "total time of all requests"),
];

impl Devices {
    /// Whole disks count; their partitions would count again.
    fn is_whole(&self, name: &str) -> bool {
        // In that folder "cciss/c0d0" is called "cciss!c0d0". A kernel that shows no disk there does
        // not tell disks from partitions.
        self.block.join(name.replace('/', "!")).exists() || !self.block.is_dir()
    }
}

/// Kernels create a handful of loop and RAM devices that are never used. They count once they did
/// something.
fn is_idle_and_made_ahead(name: &[u8], rest: &[u8]) -> bool {
    let prefixes: [&[u8]; 4] = [b"loop", b"ram", b"zram", b"nbd"];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
        && digits::words(rest).all(|word| word == b"0")
}

impl Layout for Devices {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            let (_, rest) = digits::first_word(line);
            let (_, rest) = digits::first_word(rest);
            let (name, rest) = digits::first_word(rest);
            if !name.is_empty() && !is_idle_and_made_ahead(name, rest) {
                row(name, rest);
            }
        }
    }

    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column> {
        let name = text(key);
        if !self.is_whole(&name) {
            return Vec::new();
        }
        let there = digits::words(rest).count();
        let fields = FIELDS.iter().take(there);
        fields
            .map(|(field, amount, about)| {
                let field = format!("{name}.{field}");
                let column = match amount {
                    Amount::Times => Column::counter(field, things("requests")),
                    Amount::Sectors => Column::counter(field, Unit::Bytes),
                    Amount::Milliseconds => {
                        Column::counter(field, Unit::Time(TimeUnit::Milliseconds))
                    }
                    Amount::InFlight => Column::gauge(field, things("requests")),
                };
                column.about(*about)
            })
            .collect()
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        for ((value, word), field) in values.iter_mut().zip(digits::words(rest)).zip(&FIELDS) {
            let scale = if matches!(field.1, Amount::Sectors) { SECTOR_BYTES } else { 1 };
            *value = Value::from(digits::number(word).and_then(|number| number.checked_mul(scale)));
        }
    }
}
