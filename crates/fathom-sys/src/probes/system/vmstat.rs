//! `/proc/vmstat`: the kernel's memory management.

use super::proc_table::{Column, Layout, text, things};
use super::proc_tables::ProcTables;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable, digits};
use fathom_record::Unit;
use fathom_record::trace::{Layer, Value};
use std::path::PathBuf;

const NAME: &str = "system.vmstat";

/// The source.
#[derive(Debug)]
pub(super) struct Vmstat(pub(super) PathBuf);

impl Source for Vmstat {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "the machine's memory management: faults, reclaim, swapping, compaction"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let file = self.0.join("proc/vmstat");
        Ok(Box::new(ProcTables::open(
            NAME,
            vec![(file, Box::new(PerLine { prefix: "", column }))],
        )?))
    }
}

/// Levels are in pages; the rest counts what happened, mostly to pages.
fn column(key: &[u8]) -> Option<Column> {
    let name = text(key);
    // These grow although they are called "nr".
    const COUNTERS: [&str; 7] = [
        "nr_dirtied",
        "nr_written",
        "nr_vmscan_write",
        "nr_vmscan_immediate_reclaim",
        "nr_throttled_written",
        "nr_foll_pin_acquired",
        "nr_foll_pin_released",
    ];
    // And this one is a level although it is not.
    let is_level = name == "workingset_nodes"
        || (name.starts_with("nr_") && !COUNTERS.contains(&name.as_str()));
    if is_level {
        return Some(Column::gauge(name, things("pages")));
    }
    Some(Column::counter(name, Unit::Unknown))
}

/// Files of lines such as "pgfault 123": a word and a number.
#[derive(Debug)]
pub(super) struct PerLine {
    /// What names begin with.
    pub(super) prefix: &'static str,
    /// What a word means; nothing if nobody wants it.
    pub(super) column: fn(&[u8]) -> Option<Column>,
}

impl Layout for PerLine {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        for line in digits::lines(text) {
            let (key, rest) = digits::first_word(line);
            row(key, rest);
        }
    }

    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column> {
        // What is not a number now will not become one.
        let is_number = digits::number(rest.trim_ascii()).is_some();
        let column = (self.column)(key).filter(|_| is_number);
        column
            .map(|column| Column { name: format!("{}{}", self.prefix, column.name), ..column })
            .into_iter()
            .collect()
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        if let Some(value) = values.first_mut() {
            *value = Value::from(digits::number(rest.trim_ascii()));
        }
    }
}
