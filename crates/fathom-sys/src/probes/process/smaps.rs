//! `/proc/PID/smaps_rollup`: whose memory it really is. The kernel walks all page tables for it,
//! which holds up the program's own page faults for milliseconds.

use super::keyed;
use super::process_table::{ProcessTable, Whose};
use super::table::{self, Column, Of};
use crate::probes::kept_open::{Buffer, Extent, read_once};
use crate::probes::{Fault, Moment, Probe, Source, SourceFamily, Target, Unavailable};
use fathom_record::trace::{Kind, Layer, TraceMetric, Value};
use std::path::PathBuf;
use std::time::Duration;

const NAME: &str = "process.smaps";

/// How many processes are read at each sample.
const MOST: usize = 64;

const KEYS: [&[u8]; 19] = [
    b"Rss",
    b"Pss",
    b"Pss_Dirty",
    b"Pss_Anon",
    b"Pss_File",
    b"Pss_Shmem",
    b"Shared_Clean",
    b"Shared_Dirty",
    b"Private_Clean",
    b"Private_Dirty",
    b"Referenced",
    b"Anonymous",
    b"KSM",
    b"LazyFree",
    b"AnonHugePages",
    b"FilePmdMapped",
    b"Swap",
    b"SwapPss",
    b"Locked",
];

const COLUMNS: [Column; 19] = [
    ("rss", Of::Bytes, Kind::Gauge, "resident memory, sum over all processes"),
    (
        "pss",
        Of::Bytes,
        Kind::Gauge,
        "proportional set size: resident memory, shared pages divided among their users",
    ),
    ("pss_dirty", Of::Bytes, Kind::Gauge, "proportional set size, dirty pages"),
    ("pss_anon", Of::Bytes, Kind::Gauge, "proportional set size, anonymous memory"),
    ("pss_file", Of::Bytes, Kind::Gauge, "proportional set size, files"),
    ("pss_shmem", Of::Bytes, Kind::Gauge, "proportional set size, shared memory"),
    ("shared_clean", Of::Bytes, Kind::Gauge, "shared clean pages, sum over all processes"),
    ("shared_dirty", Of::Bytes, Kind::Gauge, "shared dirty pages, sum over all processes"),
    ("private_clean", Of::Bytes, Kind::Gauge, "private clean pages, sum over all processes"),
    ("private_dirty", Of::Bytes, Kind::Gauge, "private dirty pages, sum over all processes"),
    ("referenced", Of::Bytes, Kind::Gauge, "recently used, sum over all processes"),
    ("anonymous", Of::Bytes, Kind::Gauge, "anonymous memory, sum over all processes"),
    ("ksm", Of::Bytes, Kind::Gauge, "merged with identical pages (KSM), sum over all processes"),
    (
        "lazy_free",
        Of::Bytes,
        Kind::Gauge,
        "freed when memory runs short (MADV_FREE), sum over all processes",
    ),
    ("anon_huge_pages", Of::Bytes, Kind::Gauge, "anonymous huge pages, sum over all processes"),
    ("file_pmd_mapped", Of::Bytes, Kind::Gauge, "huge pages of files, sum over all processes"),
    ("swap", Of::Bytes, Kind::Gauge, "swapped out, sum over all processes"),
    ("swap_pss", Of::Bytes, Kind::Gauge, "swapped out, shared pages divided among their users"),
    ("locked", Of::Bytes, Kind::Gauge, "locked in memory, sum over all processes"),
];

/// The source.
#[derive(Debug)]
pub(super) struct Smaps(pub(super) PathBuf);

impl Source for Smaps {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "shared and private memory, summed over the program's processes; at most once a second, \
         because reading it stops the program briefly"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::Process
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        table::check(&self.0, target, "smaps_rollup", |text| read(text).is_some())?;
        let path = self.0.join(format!("{}/smaps_rollup", target.pid()));
        let there = read_once(&path, &mut Buffer::new(), Extent::OneRecord).ok().and_then(read);
        // Old kernels have fewer.
        let columns: Vec<usize> = (0..KEYS.len())
            .filter(|n| there.is_none_or(|there| there.get(*n).is_some_and(Option::is_some)))
            .collect();
        let all = table::metrics(NAME, &COLUMNS);
        Ok(Box::new(SmapsProbe {
            metrics: columns.iter().filter_map(|n| all.get(*n).cloned()).collect(),
            columns,
            // The file stays with the memory that the process had when it was opened, and a process
            // gets other memory when it executes a program.
            processes: ProcessTable::new(Whose::Processes, "smaps_rollup", read, MOST).reopened(),
        }))
    }
}

fn read(text: &[u8]) -> Option<[Option<u64>; 19]> {
    let numbers = keyed::read(text, &KEYS);
    numbers.iter().any(Option::is_some).then_some(numbers)
}

#[derive(Debug)]
struct SmapsProbe {
    metrics: Vec<TraceMetric>,
    /// Which of the keys they are.
    columns: Vec<usize>,
    processes: ProcessTable<[Option<u64>; 19]>,
}

impl Probe for SmapsProbe {
    fn name(&self) -> &str {
        NAME
    }

    fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let reading = self.processes.read(moment);
        self.processes.forget_who_went();
        let mut sum: [Option<u64>; 19] = [None; 19];
        for process in self.processes.readings() {
            for (sum, number) in sum.iter_mut().zip(process) {
                if let Some(number) = number {
                    *sum = Some(sum.unwrap_or(0).saturating_add(*number));
                }
            }
        }
        for (value, column) in values.iter_mut().zip(&self.columns) {
            *value = Value::from(sum.get(*column).copied().flatten());
        }
        self.processes.judge(moment, reading)
    }

    fn least_interval(&self) -> Duration {
        Duration::from_secs(1)
    }
}
