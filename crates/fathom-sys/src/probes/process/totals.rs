//! A probe of nothing but totals, summed over processes or threads.

use super::account::{Account, Counts};
use super::process_table::ProcessTable;
use crate::probes::{Fault, Moment, Probe};
use fathom_record::trace::{TraceMetric, Value};
use std::fmt;

/// Reads the totals of everybody and adds them up; what the dead had stays counted.
#[derive(Debug)]
pub(super) struct Totals<C, const N: usize> {
    name: &'static str,
    metrics: Vec<TraceMetric>,
    processes: ProcessTable<C>,
    account: Account<N>,
}

impl<C, const N: usize> Totals<C, N> {
    /// One metric for each of the totals, in their order.
    pub(super) fn new(
        name: &'static str,
        metrics: Vec<TraceMetric>,
        processes: ProcessTable<C>,
    ) -> Self {
        Totals { name, metrics, processes, account: Account::new() }
    }
}

impl<C: Counts<N> + Copy + fmt::Debug + Send, const N: usize> Probe for Totals<C, N> {
    fn name(&self) -> &str {
        self.name
    }

    fn metrics(&self) -> &[TraceMetric] {
        &self.metrics
    }

    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        let reading = self.processes.read(moment);
        let sum = self.account.sum(&mut self.processes);
        if self.processes.readings().next().is_some() {
            for (value, number) in values.iter_mut().zip(sum) {
                *value = Value::from(number);
            }
        }
        self.processes.judge(moment, reading)
    }
}
