//! `/proc/PID/task/TID/schedstat`: time on and in line for a processor, to the nanosecond.

use super::account::Counts;
use super::process_source::ProcessSource;
use super::process_table::{ProcessTable, Whose};
use super::table::{self, Column, Of};
use super::totals;
use crate::probes::{Probe, Target, Unavailable, digits};
use fathom_record::trace::Kind;
use std::path::{Path, PathBuf};

const NAME: &str = "process.schedstat";

/// How many threads are read at each sample: about 100 microseconds' worth.
const MOST: usize = 64;

const COLUMNS: [Column; 3] = [
    ("run", Of::Nanoseconds, Kind::Counter, "time on a CPU, all threads seen"),
    ("wait", Of::Nanoseconds, Kind::Counter, "time waiting for a CPU, all threads seen"),
    (
        "timeslices",
        Of::Things("times"),
        Kind::Counter,
        "times scheduled on a CPU, all threads seen",
    ),
];

/// The source.
pub(super) fn source(proc: PathBuf) -> ProcessSource {
    let about = "time on a CPU and waiting for one, summed over the program's threads";
    ProcessSource { name: NAME, about, proc, open }
}

fn open(proc: &Path, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
    table::check(proc, target, "schedstat", |text| read(text).is_some())?;
    Ok(totals::probe(NAME, &COLUMNS, ProcessTable::new(Whose::Threads, "schedstat", read, MOST)))
}

fn read(text: &[u8]) -> Option<Numbers> {
    let mut words = digits::words(text).map(digits::number);
    let mut next = || words.next().flatten();
    Some(Numbers([next()?, next()?, next()?]))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers([u64; 3]);

impl Counts<3> for Numbers {
    fn total(&self) -> [u64; 3] {
        self.0
    }

    fn waited(&self) -> Option<[u64; 3]> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_numbers() {
        assert_eq!(read(b"924361 2458928 2\n"), Some(Numbers([924_361, 2_458_928, 2])));
        assert_eq!(read(b"924361 2458928\n"), None);
    }
}
