//! `/proc/softirqs`: work that interrupts put off.

use super::interrupts::PerCpu;
use super::sheet::{Column, text, things};
use super::sheets::Sheets;
use crate::probes::{Family, Probe, Source, Target, Unavailable};
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

    fn family(&self) -> Family {
        Family::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, _target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let file = self.0.join("proc/softirqs");
        Ok(Box::new(Sheets::open(NAME, vec![(file, Box::new(PerCpu(column)))])?))
    }
}

fn column(key: &[u8], _of: &[u8]) -> Column {
    Column::counter(text(key), things("times"))
}
