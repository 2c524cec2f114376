//! `/proc/PID/status`: kinds of memory, and how often threads gave up the processor.
//!
//! Its counts of switches are the thread's alone, so it is read for every thread. It costs seven times
//! what `schedstat` does, which changes whenever a thread has run: those that did not are passed over.

use super::account::{Account, Counts};
use super::keyed::{self, KeyedColumns};
use super::process_source::{ProcessProbe, ProcessReader, ProcessSource};
use super::process_table::{ProcessTable, Whose};
use super::table::{Column, Of};
use crate::probes::{Fault, Moment, Probe, Target, Unavailable};
use fathom_record::trace::{Kind, Value};
use std::path::{Path, PathBuf};

const NAME: &str = "process.status";

/// How many processes are read at each sample: about half a millisecond's worth.
const MOST_PROCESSES: usize = 64;
/// How many threads are looked at.
const MOST_THREADS: usize = 64;

/// The gauges, then the counters.
const KEYS: [&[u8]; 10] = [
    b"VmPeak",
    b"VmHWM",
    b"RssAnon",
    b"RssFile",
    b"RssShmem",
    b"VmPTE",
    b"VmSwap",
    b"Threads",
    b"voluntary_ctxt_switches",
    b"nonvoluntary_ctxt_switches",
];
const GAUGES: usize = 8;

const COLUMNS: [Column; 10] = [
    ("vm_peak", Of::Bytes, Kind::Gauge, "peak address space, sum over living processes"),
    ("vm_hwm", Of::Bytes, Kind::Gauge, "peak resident memory, sum over living processes"),
    ("rss_anon", Of::Bytes, Kind::Gauge, "anonymous resident memory, sum over all processes"),
    ("rss_file", Of::Bytes, Kind::Gauge, "resident memory of files, sum over all processes"),
    ("rss_shmem", Of::Bytes, Kind::Gauge, "resident shared memory, sum over all processes"),
    ("vm_pte", Of::Bytes, Kind::Gauge, "page tables, sum over all processes"),
    ("vm_swap", Of::Bytes, Kind::Gauge, "swapped out, sum over all processes"),
    ("threads", Of::Things("threads"), Kind::Gauge, "threads, all processes"),
    (
        "voluntary_ctxt_switches",
        Of::Things("switches"),
        Kind::Counter,
        "voluntary context switches (a thread waited), all threads seen",
    ),
    (
        "nonvoluntary_ctxt_switches",
        Of::Things("switches"),
        Kind::Counter,
        "involuntary context switches (a thread was preempted), all threads seen",
    ),
];

/// The source.
pub(super) fn source(proc: PathBuf) -> ProcessSource {
    let about =
        "kinds of memory and context switches, summed over the program's processes and threads";
    ProcessSource { name: NAME, about, proc, open }
}

fn open(proc: &Path, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
    let (columns, metrics) = KeyedColumns::of(proc, target, [NAME, "status"], &KEYS, &COLUMNS)?;
    let reader = StatusReader {
        columns,
        processes: ProcessTable::new(Whose::Processes, "status", read, MOST_PROCESSES),
        others: ProcessTable::new(Whose::OtherThreads, "status", read, MOST_THREADS)
            .behind("schedstat"),
        switches: Account::new(),
        switches_of_others: Account::new(),
    };
    Ok(Box::new(ProcessProbe { name: NAME, metrics, reader }))
}

#[allow(clippy::unnecessary_wraps, reason = "what a table calls may fail")]
fn read(text: &[u8]) -> Option<Numbers> {
    Some(Numbers(keyed::read(text, &KEYS)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers([Option<u64>; 10]);

impl Counts<2> for Numbers {
    fn total(&self) -> [u64; 2] {
        let [.., voluntary, nonvoluntary] = self.0;
        [voluntary.unwrap_or(0), nonvoluntary.unwrap_or(0)]
    }

    fn waited(&self) -> Option<[u64; 2]> {
        None
    }
}

#[derive(Debug)]
struct StatusReader {
    columns: KeyedColumns<10>,
    processes: ProcessTable<Numbers>,
    others: ProcessTable<Numbers>,
    switches: Account<2>,
    switches_of_others: Account<2>,
}

impl ProcessReader for StatusReader {
    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let reading = self.processes.read(moment);
        let reading_others = self.others.read(moment);
        let main = self.switches.sum(&mut self.processes);
        let others = self.switches_of_others.sum(&mut self.others);
        let mut sum: [Option<u64>; 10] = [None; 10];
        let mut any = false;
        for process in self.processes.readings() {
            any = true;
            keyed::add(&mut sum, process.0.get(..GAUGES).unwrap_or_default());
        }
        if any {
            let switches = main.iter().zip(others).map(|(main, other)| main.saturating_add(other));
            for (sum, switches) in sum.iter_mut().skip(GAUGES).zip(switches) {
                *sum = Some(switches);
            }
        }
        self.columns.write(&sum, values);
        self.processes.judge(moment, reading)?;
        self.others.judge(moment, reading_others)
    }
}
