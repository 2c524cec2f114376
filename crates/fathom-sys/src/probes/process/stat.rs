//! `/proc/PID/stat`: processor time, faults, size.

use super::account::{Account, Counts};
use super::process_source::{ProcessProbe, ProcessReader, ProcessSource};
use super::process_table::{ProcessTable, Whose};
use super::table::{self, Column, Of};
use crate::probes::kernel_units::{page_bytes, tick};
use crate::probes::{Fault, Moment, Probe, Target, Unavailable, digits};
use fathom_record::Span;
use fathom_record::trace::{Kind, Value};
use std::path::{Path, PathBuf};

const NAME: &str = "process.stat";

/// How many processes are read at each sample: about half a millisecond's worth.
const MOST: usize = 128;

const COLUMNS: [Column; 12] = [
    ("utime", Of::Nanoseconds, Kind::Counter, "user time, all processes including ended ones"),
    ("stime", Of::Nanoseconds, Kind::Counter, "system time, all processes including ended ones"),
    (
        "minflt",
        Of::Things("faults"),
        Kind::Counter,
        "page faults without disk reads, all processes",
    ),
    (
        "majflt",
        Of::Things("faults"),
        Kind::Counter,
        "page faults that read from disk, all processes",
    ),
    ("threads", Of::Things("threads"), Kind::Gauge, "threads, all processes"),
    ("processes", Of::Things("processes"), Kind::Gauge, "living processes"),
    (
        "running",
        Of::Things("processes"),
        Kind::Gauge,
        "processes whose main thread is running or runnable",
    ),
    ("sleeping", Of::Things("processes"), Kind::Gauge, "processes whose main thread sleeps"),
    (
        "disk_wait",
        Of::Things("processes"),
        Kind::Gauge,
        "processes whose main thread waits for a disk",
    ),
    ("vsize", Of::Bytes, Kind::Gauge, "address space, sum over all processes"),
    ("rss", Of::Bytes, Kind::Gauge, "resident memory, sum over all processes"),
    (
        "blkio_delay",
        Of::Nanoseconds,
        Kind::Counter,
        "time main threads waited for disks, all processes",
    ),
];

/// The source.
pub(super) fn source(proc: PathBuf) -> ProcessSource {
    let about = "CPU time, page faults, threads and size, summed over the program's processes";
    ProcessSource { name: NAME, about, proc, open }
}

fn open(proc: &Path, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
    table::check(proc, target, "stat", |text| Process::read(text).is_some())?;
    let mut metrics = table::metrics(NAME, &COLUMNS);
    // Kernels account for these waits only if asked to; otherwise the column is always zero.
    let switch = std::fs::read(proc.join("sys/kernel/task_delayacct"));
    if !switch.is_ok_and(|text| text.trim_ascii() == b"1") {
        metrics.pop();
    }
    let reader = StatReader {
        processes: ProcessTable::new(Whose::Processes, "stat", Process::read, MOST),
        account: Account::new(),
        tick: tick(),
        page_bytes: page_bytes(),
    };
    Ok(Box::new(ProcessProbe { name: NAME, metrics, reader }))
}

#[derive(Debug)]
struct StatReader {
    processes: ProcessTable<Process>,
    account: Account<5>,
    tick: Span,
    page_bytes: u64,
}

impl ProcessReader for StatReader {
    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let reading = self.processes.read(moment);
        let [utime, stime, minflt, majflt, delay] = self.account.sum(&mut self.processes);
        let mut sum = Gauges::default();
        let mut any = false;
        for process in self.processes.readings() {
            any = true;
            sum.add(process);
        }
        if any {
            let nanoseconds = |ticks: u64| self.tick.times(ticks).nanoseconds();
            let all = [
                nanoseconds(utime),
                nanoseconds(stime),
                minflt,
                majflt,
                sum.threads,
                sum.processes,
                sum.running,
                sum.sleeping,
                sum.disk_wait,
                sum.vsize,
                sum.rss_pages.saturating_mul(self.page_bytes),
                nanoseconds(delay),
            ];
            // When all are dead their totals remain, but there is no memory to be zero.
            let lives = sum.processes > 0;
            for ((value, number), (_, _, kind, _)) in values.iter_mut().zip(all).zip(&COLUMNS) {
                if lives || *kind == Kind::Counter {
                    *value = Value::from(number);
                }
            }
        }
        self.processes.judge(moment, reading)
    }
}

#[derive(Debug, Default)]
struct Gauges {
    threads: u64,
    processes: u64,
    running: u64,
    sleeping: u64,
    disk_wait: u64,
    vsize: u64,
    rss_pages: u64,
}

impl Gauges {
    fn add(&mut self, process: &Process) {
        // Zombies have no threads and no memory.
        if process.is_dead() {
            return;
        }
        self.processes += 1;
        match process.state {
            b'R' => self.running += 1,
            b'S' | b'I' => self.sleeping += 1,
            b'D' => self.disk_wait += 1,
            _ => {}
        }
        self.threads = self.threads.saturating_add(process.threads);
        self.vsize = self.vsize.saturating_add(process.vsize);
        self.rss_pages = self.rss_pages.saturating_add(process.rss_pages);
    }
}

/// What one process's file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    state: u8,
    /// Its own: user and system ticks, minor and major faults, ticks of waiting for disks.
    own: [u64; 5],
    /// Of children that it waited for: the same, but for the last.
    waited: [u64; 5],
    threads: u64,
    vsize: u64,
    rss_pages: u64,
}

impl Process {
    fn read(stat: &[u8]) -> Option<Process> {
        // The program's name stands in parentheses and may hold anything, even these.
        let end = stat.iter().rposition(|byte| *byte == b')')?;
        // "state" is the third field; their numbers are those of proc_pid_stat(5).
        const FIRST: usize = 3;
        let mut numbers = [0_u64; 43];
        let mut state = None;
        let mut last = 0;
        for (n, word) in digits::words(stat.get(end + 1..)?).enumerate() {
            let field = n + FIRST;
            match field {
                3 => state = word.first().copied(),
                10..=17 | 20 | 23 | 24 | 42 => *numbers.get_mut(field)? = digits::number(word)?,
                43.. => break,
                _ => {}
            }
            last = field;
        }
        // Some of the last fields are missing on old kernels, none of these.
        if last < 24 {
            return None;
        }
        Some(Process {
            state: state?,
            own: [numbers[14], numbers[15], numbers[10], numbers[12], numbers[42]],
            waited: [numbers[16], numbers[17], numbers[11], numbers[13], 0],
            threads: numbers[20],
            vsize: numbers[23],
            rss_pages: numbers[24],
        })
    }

    fn is_dead(&self) -> bool {
        matches!(self.state, b'Z' | b'X' | b'x')
    }
}

impl Counts<5> for Process {
    fn total(&self) -> [u64; 5] {
        let mut total = self.own;
        for (total, waited) in total.iter_mut().zip(self.waited) {
            *total = total.saturating_add(waited);
        }
        total
    }

    fn waited(&self) -> Option<[u64; 5]> {
        Some(self.waited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"6891 (c) S (t) D 6888 6888 1874 0 -1 4194304 99 98 97 96 11 12 13 14 20 0 7 \
        0 4390064 3133440 390 18446744073709551615 1 1 1 0 0 0 0 0 0 0 0 0 17 0 0 0 42 0 0 1 1 1 1 1 1 \
        1 0\n";

    #[test]
    fn the_fields_are_those_of_the_manual() {
        let process = Process::read(TEXT).unwrap();
        assert_eq!(process.state, b'D');
        assert_eq!(process.own, [11, 12, 99, 97, 42]);
        assert_eq!(process.waited, [13, 14, 98, 96, 0]);
        assert_eq!(process.total(), [24, 26, 197, 193, 42]);
        assert_eq!((process.threads, process.vsize, process.rss_pages), (7, 3_133_440, 390));
    }

    #[test]
    fn what_is_cut_off_is_not_taken_for_numbers() {
        let end = TEXT.len();
        for length in 0..end {
            if let Some(process) = Process::read(&TEXT[..length]) {
                assert_eq!(process.own[..4], [11, 12, 99, 97], "{length}");
            }
        }
        assert_eq!(Process::read(&TEXT[..60]), None);
    }
}
