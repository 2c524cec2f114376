//! `/proc/softirqs`: work that interrupts put off.

use super::interrupts::PerCpu;
use super::proc_table::{Column, text, things};
use super::proc_tables::ProcTables;
use crate::probes::{Probe, Source, SourceFamily, Target, Unavailable};
use fathom_record::trace::Layer;
use std::path::PathBuf;

const NAME: &str = "system.softirqs";

/// The source.
#[derive(Debug)]
pub(super) struct Softirqs(pub(super) PathBuf);

impl Source for Softirqs {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "soft interrupts (deferred work) by kind, summed over CPUs"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let file = self.0.join("proc/softirqs");
        Ok(Box::new(ProcTables::open(NAME, vec![(file, Box::new(PerCpu(column)))])?))
    }
}

fn column(key: &[u8], _of: &[u8]) -> Column {
    Column::counter(text(key), things("times"))
}
