//! Files of lines such as "VmSwap:       0 kB".

use super::table::{self, Column};
use crate::probes::digits;
use crate::probes::kept_open::{Buffer, Extent, read_once};
use crate::probes::{Target, Unavailable};
use fathom_record::trace::{TraceMetric, Value};
use std::path::Path;

/// The numbers of some keys, in bytes where the file says kB; what is not there stays `None`. Keys
/// are given in the order in which they are expected, which saves time and is not relied on.
pub(super) fn read<const N: usize>(text: &[u8], keys: &[&[u8]; N]) -> [Option<u64>; N] {
    let mut values = [None; N];
    let mut expected = 0;
    for line in digits::lines(text) {
        let is_of = |key: &&&[u8]| line.get(key.len()) == Some(&b':') && line.starts_with(key);
        let place = match keys.get(expected).as_ref() {
            Some(key) if is_of(key) => Some(expected),
            Some(_) => keys.iter().position(|key| is_of(&key)),
            None => break,
        };
        let Some(place) = place else { continue };
        expected = place + 1;
        let (Some(key), Some(value)) = (keys.get(place), values.get_mut(place)) else { continue };
        *value = number(line.get(key.len() + 1..).unwrap_or_default());
    }
    values
}

/// The metrics of a file of keys, of which old kernels have fewer.
#[derive(Debug)]
pub(super) struct KeyedColumns<const N: usize> {
    /// Which of the keys are there.
    places: Vec<usize>,
}

impl<const N: usize> KeyedColumns<N> {
    /// Those that the program's file has, and their metrics. A column belongs to the key at its
    /// place.
    pub(super) fn of(
        proc: &Path,
        target: Target,
        [probe, file]: [&str; 2],
        keys: &[&[u8]; N],
        columns: &[Column; N],
    ) -> Result<(KeyedColumns<N>, Vec<TraceMetric>), Unavailable> {
        let has_any = |text: &[u8]| read(text, keys).iter().any(Option::is_some);
        table::check(proc, target, file, has_any)?;
        let path = proc.join(format!("{}/{file}", target.pid()));
        let mut buffer = Buffer::new();
        let text = read_once(&path, &mut buffer, Extent::OneRecord);
        // What ended meanwhile may have had all of them.
        let there = text.ok().filter(|text| has_any(text)).map(|text| read(text, keys));
        let is_there = |place: &usize| {
            there.is_none_or(|there| there.get(*place).is_some_and(Option::is_some))
        };
        let places: Vec<usize> = (0..N).filter(is_there).collect();
        let all = table::metrics(probe, columns);
        let metrics = places.iter().filter_map(|place| all.get(*place).cloned()).collect();
        Ok((KeyedColumns { places }, metrics))
    }

    /// Writes the sums of those that are there.
    pub(super) fn write(&self, sums: &[Option<u64>; N], values: &mut [Value]) {
        for (value, place) in values.iter_mut().zip(&self.places) {
            *value = Value::from(sums.get(*place).copied().flatten());
        }
    }
}

/// Adds numbers to sums. What is not there adds nothing: a process that is dead has no memory, and
/// no lines on it.
pub(super) fn add(sums: &mut [Option<u64>], numbers: &[Option<u64>]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        if let Some(number) = number {
            *sum = Some(sum.unwrap_or(0).saturating_add(*number));
        }
    }
}

fn number(text: &[u8]) -> Option<u64> {
    let mut words = digits::words(text);
    let number = digits::number(words.next()?)?;
    match words.next() {
        Some(b"kB") => number.checked_mul(1024),
        Some(_) => None,
        None => Some(number),
    }
}

#[cfg(test)]
mod tests {

    #[test]
    fn keys_are_found_in_any_order() {
        let keys: [&[u8]; 3] = [b"VmHWM", b"VmSwap", b"Threads"];
        let read = |text: &str| super::read(text.as_bytes(), &keys);
        let all = [Some(3 << 10), Some(4 << 10), Some(7)];
        assert_eq!(read("Name:\tx\nVmHWM:\t   3 kB\nVmSwap:\t 4 kB\nThreads:\t7\nVm:\t1\n"), all);
        assert_eq!(read("VmSwap:\t 4 kB\nVmHWM:\t   3 kB\nThreads:\t7\n"), all);
        assert_eq!(read("VmSwapped: 1 kB\nVmSwa: 2 kB\nVmSwap 3 kB\nThreads: x\n"), [None; 3]);
        assert_eq!(read("VmSwap: 18446744073709551615 kB\n"), [None; 3]);
    }
}
