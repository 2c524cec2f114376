//! A probe of nothing but totals, summed over processes or threads.

use super::account::{Account, Counts};
use super::process_source::{ProcessProbe, ProcessReader};
use super::process_table::ProcessTable;
use super::table::{self, Column};
use crate::probes::{Fault, Moment, Probe};
use fathom_record::trace::Value;
use std::fmt;

/// Reads the totals of everybody and adds them up; what the dead had stays counted.
#[derive(Debug)]
struct Totals<C, const N: usize> {
    processes: ProcessTable<C>,
    account: Account<N>,
}

/// The probe, with one metric for each of the totals, in their order.
pub(super) fn probe<C, const N: usize>(
    name: &'static str,
    columns: &[Column; N],
    processes: ProcessTable<C>,
) -> Box<dyn Probe>
where
    C: Counts<N> + fmt::Debug + Send + 'static,
{
    let reader = Totals { processes, account: Account::new() };
    Box::new(ProcessProbe { name, metrics: table::metrics(name, columns), reader })
}

impl<C: Counts<N> + fmt::Debug + Send, const N: usize> ProcessReader for Totals<C, N> {
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
