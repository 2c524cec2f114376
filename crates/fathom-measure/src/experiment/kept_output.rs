//! What executions printed, kept so that another number can be read from it later.

use super::completeness::Completeness;
use super::{ExecutionMetric, Performed};
use fathom_record::Scalar;

/// What is longer than this is not kept: the executions of a study are many, and all of it would be in
/// their journal.
const LONGEST: usize = 64 << 10;

/// The output, if it is short text.
pub(super) fn worth_keeping(stdout: &[u8]) -> Option<String> {
    let is_short = stdout.len() <= LONGEST;
    is_short.then(|| std::str::from_utf8(stdout).ok().map(str::to_string)).flatten()
}

impl Performed {
    /// The execution with numbers read that were not read then, from what it printed. `None` if that was
    /// not kept, it failed, or a number is not in it.
    #[must_use]
    pub fn with_metrics(&self, metrics: &[ExecutionMetric]) -> Option<Performed> {
        let mut again = self.clone();
        if metrics.is_empty() {
            return Some(again);
        }
        let (output, seen) = (self.output.as_deref()?, again.outcome.as_mut().ok()?);
        let completeness = Completeness::of(self.ending?);
        for metric in metrics {
            let is_printed = metric.file().is_none() && completeness == Completeness::Whole;
            let value = metric.metric().read(output.as_bytes()).ok().filter(|_| is_printed)?;
            let scalar = Scalar::new(value, metric.metric().unit().clone());
            seen.set_scalar(metric.metric().name(), scalar).ok()?;
        }
        Some(again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Ticket;
    use fathom_record::{Ending, Observation, Usage};

    fn performed(output: Option<&str>) -> Performed {
        Performed {
            ticket: Ticket { number: 3, system: 0, seed: 9 },
            host: "here".to_string(),
            ending: Some(Ending::Exited(0)),
            usage: Usage::default(),
            outcome: Ok(Observation::new()),
            output: output.map(str::to_string),
            session: None,
        }
    }

    #[test]
    fn another_number_is_read_from_what_was_kept() {
        let metrics = ExecutionMetric::parse_all(&["ipc=ipc: ([0-9.]+)".to_string()]).unwrap();
        let again = performed(Some("ipc: 1.25\n")).with_metrics(&metrics).unwrap();
        assert_eq!(again.outcome.unwrap().scalars()["ipc"].value, 1.25);
        for output in [Some("cycles: 7\n"), None] {
            assert_eq!(performed(output).with_metrics(&metrics), None);
        }
        assert!(performed(None).with_metrics(&[]).is_some());
    }

    #[test]
    fn long_output_and_bytes_are_not_kept() {
        assert_eq!(worth_keeping(b"x = 1").as_deref(), Some("x = 1"));
        assert_eq!(worth_keeping(&[0xff, 0xfe]), None);
        assert_eq!(worth_keeping(&vec![b'x'; LONGEST + 1]), None);
    }
}
