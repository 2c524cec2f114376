//! `/proc/PID/smaps_rollup`: whose memory it really is. The kernel walks all page tables for it,
//! which holds up the program's own page faults for milliseconds.

use super::keyed::{self, KeyedColumns};
use super::process_source::{ProcessProbe, ProcessReader, ProcessSource};
use super::process_table::{ProcessTable, Whose};
use super::table::{Column, Of};
use crate::probes::{Fault, Moment, Probe, Target, Unavailable};
use fathom_record::trace::{Kind, Value};
use std::path::{Path, PathBuf};
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
pub(super) fn source(proc: PathBuf) -> ProcessSource {
    let about = "shared and private memory, summed over the program's processes; at most once a second, \
         because reading it stops the program briefly";
    ProcessSource { name: NAME, about, proc, open }
}

fn open(proc: &Path, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
    let file = "smaps_rollup";
    let (columns, metrics) = KeyedColumns::of(proc, target, [NAME, file], &KEYS, &COLUMNS)?;
    // The file stays with the memory that the process had when it was opened, and a process gets
    // other memory when it executes a program.
    let processes = ProcessTable::new(Whose::Processes, file, read, MOST).reopened();
    let reader = SmapsReader { columns, processes };
    Ok(Box::new(ProcessProbe { name: NAME, metrics, reader }))
}

fn read(text: &[u8]) -> Option<[Option<u64>; 19]> {
    let numbers = keyed::read(text, &KEYS);
    numbers.iter().any(Option::is_some).then_some(numbers)
}

#[derive(Debug)]
struct SmapsReader {
    columns: KeyedColumns<19>,
    processes: ProcessTable<[Option<u64>; 19]>,
}

impl ProcessReader for SmapsReader {
    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let reading = self.processes.read(moment);
        self.processes.forget_who_went();
        let mut sum: [Option<u64>; 19] = [None; 19];
        for process in self.processes.readings() {
            keyed::add(&mut sum, process);
        }
        self.columns.write(&sum, values);
        self.processes.judge(moment, reading)
    }

    fn least_interval(&self) -> Duration {
        Duration::from_secs(1)
    }
}
