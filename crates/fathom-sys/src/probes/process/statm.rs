//! `/proc/PID/statm`: memory, the cheapest way.

use super::process_source::{ProcessProbe, ProcessReader, ProcessSource};
use super::process_table::{ProcessTable, Whose};
use super::table::{self, Column, Of};
use crate::probes::kernel_units::page_bytes;
use crate::probes::{Fault, Moment, Probe, Target, Unavailable, digits};
use fathom_record::trace::{Kind, Value};
use std::path::{Path, PathBuf};

const NAME: &str = "process.statm";

/// How many processes are read at each sample: about 200 microseconds' worth.
const MOST: usize = 128;

const COLUMNS: [Column; 5] = [
    ("size", Of::Bytes, Kind::Gauge, "address space, sum over all processes"),
    ("resident", Of::Bytes, Kind::Gauge, "resident memory, sum over all processes"),
    (
        "shared",
        Of::Bytes,
        Kind::Gauge,
        "resident memory that may be shared, sum over all processes",
    ),
    ("text", Of::Bytes, Kind::Gauge, "code, sum over all processes"),
    ("data", Of::Bytes, Kind::Gauge, "data and stack, sum over all processes"),
];

/// The source.
pub(super) fn source(proc: PathBuf) -> ProcessSource {
    let about = "memory, summed over the program's processes (shared pages count for each)";
    ProcessSource { name: NAME, about, proc, open }
}

fn open(proc: &Path, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
    table::check(proc, target, "statm", |text| read(text).is_some())?;
    let processes = ProcessTable::new(Whose::Processes, "statm", read, MOST);
    let reader = StatmReader { processes, page_bytes: page_bytes() };
    Ok(Box::new(ProcessProbe { name: NAME, metrics: table::metrics(NAME, &COLUMNS), reader }))
}

/// Pages, in the order of the columns.
fn read(text: &[u8]) -> Option<[u64; 5]> {
    let mut words = digits::words(text).map(digits::number);
    let mut next = || words.next().flatten();
    let (size, resident, shared, code, _) = (next()?, next()?, next()?, next()?, next()?);
    Some([size, resident, shared, code, next()?])
}

#[derive(Debug)]
struct StatmReader {
    processes: ProcessTable<[u64; 5]>,
    page_bytes: u64,
}

impl ProcessReader for StatmReader {
    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let reading = self.processes.read(moment);
        self.processes.forget_who_went();
        let sum = self.processes.readings().copied().reduce(|mut sum, pages| {
            for (sum, pages) in sum.iter_mut().zip(pages) {
                *sum = sum.saturating_add(pages);
            }
            sum
        });
        // A process without any memory is dead: nothing is there that could be zero.
        let sum = sum.filter(|[size, ..]| *size > 0);
        for (value, pages) in values.iter_mut().zip(sum.into_iter().flatten()) {
            *value = Value::from(pages.saturating_mul(self.page_bytes));
        }
        self.processes.judge(moment, reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_column_is_left_out() {
        assert_eq!(read(b"765 418 390 5 0 90 0\n"), Some([765, 418, 390, 5, 90]));
        assert_eq!(read(b"765 418 390 5 0\n"), None);
        assert_eq!(read(b"765 418 -390 5 0 90 0\n"), None);
    }
}
