//! `/proc/PID/task/TID/schedstat`: time on and in line for a processor, to the nanosecond.

use super::account::Counts;
use super::process_table::{ProcessTable, Whose};
use super::table::{self, Column, Of};
use super::totals::Totals;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable, digits};
use fathom_record::trace::{Kind, Layer};
use std::path::PathBuf;

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
#[derive(Debug)]
pub(super) struct Schedstat(pub(super) PathBuf);

impl Source for Schedstat {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "time on a CPU and waiting for one, summed over the program's threads"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::Process
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        table::check(&self.0, target, "schedstat", |text| read(text).is_some())?;
        let processes = ProcessTable::new(Whose::Threads, "schedstat", read, MOST);
        Ok(Box::new(Totals::new(NAME, table::metrics(NAME, &COLUMNS), processes)))
    }
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
