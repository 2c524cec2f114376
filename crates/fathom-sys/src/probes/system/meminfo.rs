//! `/proc/meminfo`: what the machine's memory is used for.

use super::proc_table::{Column, Layout, text, things};
use super::proc_tables::ProcTables;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable, digits};
use fathom_record::Unit;
use fathom_record::trace::{Layer, Value};
use std::path::PathBuf;

const NAME: &str = "system.meminfo";

/// The source.
#[derive(Debug)]
pub(super) struct Meminfo(pub(super) PathBuf);

impl Source for Meminfo {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "how the machine uses its memory"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let file = self.0.join("proc/meminfo");
        Ok(Box::new(ProcTables::open(NAME, vec![(file, Box::new(Kilobytes))])?))
    }
}

/// Lines such as "Dirty:   100872 kB".
#[derive(Debug)]
struct Kilobytes;

impl Layout for Kilobytes {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            if let Some((key, rest)) = digits::before_colon(line) {
                row(key, rest);
            }
        }
    }

    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column> {
        let unit = match number(rest) {
            Some((_, true)) => Unit::Bytes,
            Some((_, false)) => things("pages"),
            None => return Vec::new(),
        };
        // In tables elsewhere parentheses after a name hold its unit: "Active(anon)".
        let name = text(key).replace('(', "_").replace(')', "");
        vec![Column::gauge(name, unit)]
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        if let Some(value) = values.first_mut() {
            *value = Value::from(number(rest).map(|(number, _)| number));
        }
    }
}

/// The number, and whether it is of bytes.
fn number(text: &[u8]) -> Option<(u64, bool)> {
    let mut words = digits::words(text);
    let number = digits::number(words.next()?)?;
    match words.next() {
        Some(b"kB") => Some((number.checked_mul(1024)?, true)),
        Some(_) => None,
        None => Some((number, false)),
    }
}
