//! `/proc/PID/io`: what was read and written.

use super::account::Counts;
use super::process_source::ProcessSource;
use super::process_table::{ProcessTable, Whose};
use super::table::{self, Column, Of};
use super::{keyed, totals};
use crate::probes::{Probe, Target, Unavailable};
use fathom_record::trace::Kind;
use std::path::{Path, PathBuf};

const NAME: &str = "process.io";

/// How many processes are read at each sample: about 250 microseconds' worth.
const MOST: usize = 128;

const KEYS: [&[u8]; 7] = [
    b"rchar",
    b"wchar",
    b"syscr",
    b"syscw",
    b"read_bytes",
    b"write_bytes",
    b"cancelled_write_bytes",
];

const COLUMNS: [Column; 7] = [
    ("rchar", Of::Bytes, Kind::Counter, "bytes read by system calls, cached or not, all processes"),
    (
        "wchar",
        Of::Bytes,
        Kind::Counter,
        "bytes written by system calls, cached or not, all processes",
    ),
    ("syscr", Of::Things("calls"), Kind::Counter, "read system calls, all processes"),
    ("syscw", Of::Things("calls"), Kind::Counter, "write system calls, all processes"),
    ("read_bytes", Of::Bytes, Kind::Counter, "bytes read from disk, all processes"),
    ("write_bytes", Of::Bytes, Kind::Counter, "bytes to be written to disk, all processes"),
    (
        "cancelled_write_bytes",
        Of::Bytes,
        Kind::Counter,
        "bytes not written after all, because files were truncated or deleted, all processes",
    ),
];

/// The source.
pub(super) fn source(proc: PathBuf) -> ProcessSource {
    let about = "bytes and system calls of reads and writes, summed over the program's processes";
    ProcessSource { name: NAME, about, proc, open }
}

fn open(proc: &Path, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
    table::check(proc, target, "io", |text| read(text).is_some())?;
    Ok(totals::probe(NAME, &COLUMNS, ProcessTable::new(Whose::Processes, "io", read, MOST)))
}

fn read(text: &[u8]) -> Option<Numbers> {
    let mut numbers = [0; 7];
    for (number, value) in numbers.iter_mut().zip(keyed::read(text, &KEYS)) {
        *number = value?;
    }
    Some(Numbers(numbers))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers([u64; 7]);

impl Counts<7> for Numbers {
    fn total(&self) -> [u64; 7] {
        self.0
    }

    /// The kernel adds those of a child that was waited for to the parent's own.
    fn waited(&self) -> Option<[u64; 7]> {
        Some(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_seven_or_none() {
        let text = b"rchar: 6976\nwchar: 1\nsyscr: 10\nsyscw: 2\nread_bytes: 3\nwrite_bytes: 4\n\
                     cancelled_write_bytes: 5\n";
        assert_eq!(read(text), Some(Numbers([6976, 1, 10, 2, 3, 4, 5])));
        assert_eq!(read(&text[..60]), None);
    }
}
