//! `/proc/interrupts`: what interrupted the CPUs, and how often.

use super::proc_table::{Column, Layout, text, things};
use super::proc_tables::ProcTables;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable, digits};
use fathom_record::trace::{Layer, Value};
use std::path::PathBuf;

const NAME: &str = "system.interrupts";

/// The source.
#[derive(Debug)]
pub(super) struct Interrupts(pub(super) PathBuf);

impl Source for Interrupts {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "interrupts by line and device, summed over CPUs"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let file = self.0.join("proc/interrupts");
        Ok(Box::new(ProcTables::open(NAME, vec![(file, Box::new(PerCpu(column)))])?))
    }
}

/// A line is known by its number and its device, which is the last word; those of the processor
/// itself ("LOC") have a sentence instead.
fn column(key: &[u8], of: &[u8]) -> Column {
    let about = digits::words(of).map(text).collect::<Vec<_>>().join(" ");
    let name = match digits::words(of).last() {
        Some(device) if digits::number(key).is_some() => format!("{}.{}", text(key), text(device)),
        _ => text(key),
    };
    Column::counter(name, things("interrupts")).about(about)
}

/// Lines such as "LOC:   8019332   9337243   Local timer interrupts": a number per CPU, which are
/// summed, and words. The function names a line by its key and these words.
#[derive(Debug)]
pub(super) struct PerCpu(pub(super) fn(&[u8], &[u8]) -> Column);

impl Layout for PerCpu {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            if let Some((key, rest)) = digits::before_colon(line) {
                row(key, rest);
            }
        }
    }

    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column> {
        let (sum, words) = summed(rest);
        sum.map(|_| (self.0)(key, words)).into_iter().collect()
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        if let Some(value) = values.first_mut() {
            *value = Value::from(summed(rest).0);
        }
    }
}

/// The sum of the numbers in front, and what follows them.
fn summed(mut text: &[u8]) -> (Option<u64>, &[u8]) {
    let mut sum = None;
    loop {
        let (word, rest) = digits::first_word(text);
        let Some(number) = digits::number(word) else { return (sum, text) };
        sum = Some(sum.unwrap_or(0_u64).saturating_add(number));
        text = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_named_by_number_and_device() {
        let name = |line: &[u8]| {
            let (key, rest) = digits::before_colon(line).unwrap();
            let (sum, words) = summed(rest);
            (column(key, words).name, sum)
        };
        let cases: [(&[u8], &str, u64); 4] = [
            (
                b" 36:   0  269 PCI-MSIX-0000:00:02.0   1-edge   virtio1-req.0",
                "36.virtio1-req.0",
                269,
            ),
            (b"LOC: 8 9   Local timer interrupts", "LOC", 17),
            (b"ERR:  3", "ERR", 3),
            (b"  9:  1 2   GICv3  27 Level     arch_timer", "9.arch_timer", 3),
        ];
        for (line, expected, sum) in cases {
            assert_eq!(name(line), (expected.to_string(), Some(sum)));
        }
    }
}
