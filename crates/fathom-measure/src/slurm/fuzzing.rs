//! What must hold of any bytes in the files of a session, and of any output of Slurm's commands.

use super::job_details::{parse_job, parse_largest_array};
use super::ledger::Ledger;
use super::queue::parse_queue;
use super::session_folder::{Work, from_json};
use super::submission::job_number;
use super::{MemorySize, SbatchOption, SlurmName, TimeLimit};
use crate::experiment::{Performed, Ticket};
use fathom_record::foreign_text::is_steering;
use std::fmt::Display;

/// Panics if something does not hold.
pub(crate) fn check(bytes: &[u8]) {
    if let Some(ledger) = is_fit(Ledger::parse(bytes)) {
        assert!(ledger.job_name(ledger.next_number()).starts_with(&ledger.name));
    }
    is_fit(from_json::<Work>(bytes));
    is_fit(from_json::<Vec<Ticket>>(bytes));
    is_fit(from_json::<Performed>(bytes));
    let text = String::from_utf8_lossy(bytes);
    for (id, task) in parse_queue(&text, "") {
        assert_eq!(id, task.id);
    }
    let _ = text.lines().filter_map(parse_job).count();
    let _ = (parse_largest_array(&text), job_number(&text));
    is_fit(text.parse::<TimeLimit>());
    is_fit(text.parse::<MemorySize>());
    is_fit(text.parse::<SlurmName>());
    is_fit(text.parse::<SbatchOption>());
}

fn is_fit<T>(read: Result<T, impl Display>) -> Option<T> {
    read.map_err(|error| {
        let text = error.to_string();
        assert!(!text.is_empty() && !text.contains(is_steering), "{text:?}");
    })
    .ok()
}
