//! One virtual machine and its file.

use super::hsperfdata::{Contents, EntryUnit, Odd, PROLOGUE, Prologue};
use fathom_record::trace::{Kind, Layer, TraceMetric, Value};
use fathom_record::{TimeUnit, Unit};
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

/// More is not read: 32 KiB are usual.
const LONGEST: usize = 1 << 20;

/// A machine that was found.
///
/// The file is read and not mapped: a mapped file that is truncated would crash us.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) pid: u32,
    /// The first is 1.
    number: usize,
    file: File,
    /// As it was when the entries were read.
    prologue: Option<Prologue>,
    is_outdated: bool,
    bytes: Vec<u8>,
    /// Which metric each number is, and where it is in the file.
    columns: Vec<(usize, usize)>,
    names: HashSet<String>,
}

/// What became of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Lives,
    Ended,
}

impl Machine {
    pub(super) fn new(pid: u32, number: usize, file: File) -> Machine {
        Machine {
            pid,
            number,
            file,
            prologue: None,
            is_outdated: true,
            bytes: Vec::new(),
            columns: Vec::new(),
            names: HashSet::new(),
        }
    }

    /// Looks for entries that were not there before, if the file said that there are any; they
    /// become metrics. Whether there are.
    pub(super) fn refresh(&mut self, metrics: &mut Vec<TraceMetric>) -> Result<bool, Odd> {
        if !self.is_outdated {
            return Ok(false);
        }
        let mut beginning = [0; PROLOGUE];
        let prologue = |file: &File, bytes: &mut [u8]| {
            read(file, bytes).map_err(|_| Odd::NotReady)?;
            Prologue::read(bytes)
        };
        let before = prologue(&self.file, &mut beginning).inspect_err(|&odd| {
            // What is wrong now stays wrong; it is told once.
            self.is_outdated = odd == Odd::NotReady;
        })?;
        self.bytes.resize(before.used.clamp(PROLOGUE, LONGEST), 0);
        let contents = {
            let length = read(&self.file, &mut self.bytes).map_err(|_| Odd::NotReady)?;
            before.contents(self.bytes.get(..length).unwrap_or_default())
        };
        if prologue(&self.file, &mut beginning)? != before {
            // Entries are being added; the next time is soon.
            return Ok(false);
        }
        self.is_outdated = false;
        self.prologue = Some(before);
        Ok(self.adopt(contents, metrics))
    }

    fn adopt(&mut self, contents: Contents, metrics: &mut Vec<TraceMetric>) -> bool {
        let known = self.columns.len();
        for entry in contents.entries {
            if !self.names.insert(entry.name.clone()) {
                continue;
            }
            let unit = match entry.unit {
                EntryUnit::None => Unit::Unknown,
                EntryUnit::Bytes => Unit::Bytes,
                // As they are; what is not a nanosecond cannot be one exactly.
                EntryUnit::Ticks if contents.ticks_per_second == Some(1_000_000_000) => {
                    Unit::Time(TimeUnit::Nanoseconds)
                }
                EntryUnit::Ticks => Unit::Other("ticks".to_string()),
                EntryUnit::Events => Unit::Other("events".to_string()),
                EntryUnit::Hertz => Unit::Other("hertz".to_string()),
            };
            let kind = if entry.is_monotonic { Kind::Counter } else { Kind::Gauge };
            let name = match self.number {
                1 => entry.name,
                number => format!("{number}.{}", entry.name),
            };
            self.columns.push((metrics.len(), entry.offset));
            metrics.push(TraceMetric::integer("jvm", &name, Layer::Vm, kind, unit));
        }
        self.columns.len() > known
    }

    /// Reads the numbers. Of a machine that ended there are none: they would be its last ones.
    pub(super) fn sample(&mut self, values: &mut [Value]) -> io::Result<State> {
        let Some(known) = self.prologue else { return Ok(State::Lives) };
        let length = read(&self.file, &mut self.bytes)?;
        let bytes = self.bytes.get(..length).unwrap_or_default();
        // HotSpot removes the file when it ends.
        if self.file.metadata()?.nlink() == 0 {
            return Ok(State::Ended);
        }
        let Ok(now) = Prologue::read(bytes) else { return Ok(State::Lives) };
        self.is_outdated |= now != known;
        for &(metric, offset) in &self.columns {
            if let (Some(place), Some(value)) = (values.get_mut(metric), now.value(bytes, offset)) {
                *place = Value::Integer(value);
            }
        }
        Ok(State::Lives)
    }
}

/// Reads from the start; how much there was.
fn read(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while let Some(room) = bytes.get_mut(length..).filter(|room| !room.is_empty()) {
        match file.read_at(room, length as u64) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{MadeUp, MadeUpEntry, entry};
    use super::*;
    use std::io::Write;

    /// A machine with this file, and the file to write to.
    fn machine(number: usize, file: &MadeUp) -> (Machine, tempfile::NamedTempFile) {
        let mut written = tempfile::NamedTempFile::new().unwrap();
        written.write_all(&file.bytes()).unwrap();
        (Machine::new(7, number, File::open(written.path()).unwrap()), written)
    }

    fn write(written: &tempfile::NamedTempFile, file: &MadeUp) {
        written.as_file().write_all_at(&file.bytes(), 0).unwrap();
    }

    fn sample(machine: &mut Machine, metrics: usize) -> Vec<Value> {
        let mut values = vec![Value::Missing; metrics];
        machine.sample(&mut values).unwrap();
        values
    }

    #[test]
    fn units_and_kinds_are_hotspots() {
        let frequency =
            |value| MadeUpEntry { variability: 1, ..entry("sun.os.hrt.frequency", value) };
        let units = |frequency: MadeUpEntry| -> Vec<(String, Unit, Kind)> {
            let mut entries: Vec<MadeUpEntry> = [1, 2, 3, 4, 6]
                .iter()
                .map(|&unit| MadeUpEntry { unit, ..entry(&format!("e{unit}"), 0) })
                .collect();
            entries[0].variability = 3;
            // Also if it comes last.
            entries.push(frequency);
            let (mut machine, _written) = machine(2, &MadeUp::new(entries));
            let mut metrics = Vec::new();
            assert_eq!(machine.refresh(&mut metrics), Ok(true));
            metrics.into_iter().map(|metric| (metric.name, metric.unit, metric.kind)).collect()
        };
        let other = |name: &str| Unit::Other(name.to_string());
        let nanoseconds = units(frequency(1_000_000_000));
        assert_eq!(nanoseconds[0], ("jvm.2.e1".to_string(), Unit::Unknown, Kind::Gauge));
        assert_eq!(nanoseconds[1], ("jvm.2.e2".to_string(), Unit::Bytes, Kind::Counter));
        assert_eq!(nanoseconds[2].1, Unit::Time(TimeUnit::Nanoseconds));
        assert_eq!((&nanoseconds[3].1, &nanoseconds[4].1), (&other("events"), &other("hertz")));
        assert_eq!(units(frequency(1_193_182))[2].1, other("ticks"));
    }

    #[test]
    fn entries_that_are_added_become_metrics_and_the_others_stay() {
        let mut file = MadeUp::new(vec![entry("a", 1), entry("b", 2)]);
        let (mut machine, written) = machine(1, &file);
        let mut metrics = Vec::new();
        assert_eq!(machine.refresh(&mut metrics), Ok(true));
        assert_eq!(machine.refresh(&mut metrics), Ok(false));
        assert_eq!(sample(&mut machine, 2), [Value::Integer(1), Value::Integer(2)]);
        file.entries[0].value = 10;
        file.entries.push(entry("c", 3));
        file.stamp = 2;
        write(&written, &file);
        // The sample sees that there is more, the next look takes it.
        assert_eq!(sample(&mut machine, 2), [Value::Integer(10), Value::Integer(2)]);
        assert_eq!(machine.refresh(&mut metrics), Ok(true));
        assert_eq!(machine.refresh(&mut metrics), Ok(false));
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["jvm.a", "jvm.b", "jvm.c"]);
        assert_eq!(sample(&mut machine, 3)[2], Value::Integer(3));
    }

    #[test]
    fn a_file_that_is_not_ready_is_waited_for() {
        let mut file = MadeUp { is_accessible: false, ..MadeUp::new(vec![entry("a", 1)]) };
        let (mut machine, written) = machine(1, &file);
        let mut metrics = Vec::new();
        assert_eq!(machine.refresh(&mut metrics), Err(Odd::NotReady));
        assert_eq!(sample(&mut machine, 0), []);
        file.is_accessible = true;
        write(&written, &file);
        assert_eq!(machine.refresh(&mut metrics), Ok(true));
    }

    #[test]
    fn another_version_is_complained_of_once() {
        let file = MadeUp { version: (3, 1), ..MadeUp::new(vec![entry("a", 1)]) };
        let (mut machine, _written) = machine(1, &file);
        let mut metrics = Vec::new();
        assert_eq!(machine.refresh(&mut metrics), Err(Odd::Version(3, 1)));
        assert_eq!(machine.refresh(&mut metrics), Ok(false));
        assert_eq!(sample(&mut machine, 0), []);
    }

    #[test]
    fn a_shortened_or_spoilt_file_has_no_values() {
        let (mut machine, written) = machine(1, &MadeUp::new(vec![entry("a", 1), entry("b", 2)]));
        machine.refresh(&mut Vec::new()).unwrap();
        written.as_file().set_len(70).unwrap();
        assert_eq!(sample(&mut machine, 2), [Value::Integer(1), Value::Missing]);
        written.as_file().set_len(0).unwrap();
        assert_eq!(sample(&mut machine, 2), [Value::Missing; 2]);
        written.as_file().set_len(4096).unwrap();
        assert_eq!(sample(&mut machine, 2), [Value::Missing; 2], "zeros are no values");
    }

    #[test]
    fn a_machine_that_ended_has_no_values() {
        let (mut machine, written) = machine(1, &MadeUp::new(vec![entry("a", 1)]));
        machine.refresh(&mut Vec::new()).unwrap();
        drop(written);
        let mut values = [Value::Missing];
        assert_eq!(machine.sample(&mut values).unwrap(), State::Ended);
        assert_eq!(values, [Value::Missing]);
    }
}
