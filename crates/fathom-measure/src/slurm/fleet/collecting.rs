//! Collecting results from the folder.

use super::{SlurmFleet, broken};
use crate::experiment::{FleetError, Performed, Ticket};
use std::collections::BTreeSet;
use std::io;
use std::time::Instant;

impl SlurmFleet {
    /// Looks for results when it is time.
    pub(super) fn collect(&mut self) -> Result<(), FleetError> {
        if Instant::now() < self.next_look || self.tasks.is_empty() {
            return Ok(());
        }
        let began = Instant::now();
        let outcome = self.collect_now();
        // A folder of many results on a slow disk is looked at less often.
        self.next_look = Instant::now() + self.pace.results.max(began.elapsed() * 20);
        outcome
    }

    /// Takes all results that are there. Listing sees what single looks would not: network file
    /// systems remember that a file was missing.
    pub(super) fn collect_now(&mut self) -> Result<(), FleetError> {
        let there = match self.folder.results() {
            Ok(there) => there,
            Err(error) => {
                let text = format!("cannot list {}: {error}", self.folder.top().display());
                return self.suffer(text);
            }
        };
        let arrived: BTreeSet<u64> =
            there.into_iter().filter(|number| self.tasks.contains_key(number)).collect();
        for number in arrived {
            match self.folder.read_result(number) {
                Ok(performed) => self.accept(number, performed)?,
                Err(error) => {
                    let path = self.folder.result(number);
                    let text = format!(
                        "cannot read {}: {error}. Remove it and resume to repeat execution {}.",
                        path.display(),
                        number + 1
                    );
                    // Waiting does not repair an invalid result.
                    if error.kind() == io::ErrorKind::InvalidData {
                        return Err(broken(text));
                    }
                    return self.suffer(text);
                }
            }
        }
        self.trouble = None;
        Ok(())
    }

    fn accept(&mut self, number: u64, performed: Performed) -> Result<(), FleetError> {
        let Some(task) = self.tasks.get(&number) else { return Ok(()) };
        self.check_owner(task.ticket, &performed)?;
        if performed.outcome.is_ok() {
            self.folder.remove_log(task.batch, task.index);
        }
        // Failures that we wrote ourselves say nothing of nodes.
        self.has_seen_result |= performed.ending.is_some() || performed.outcome.is_ok();
        self.tasks.remove(&number);
        self.handed.insert(number);
        self.ready.push_back(performed);
        Ok(())
    }

    pub(super) fn check_owner(
        &self,
        ticket: Ticket,
        performed: &Performed,
    ) -> Result<(), FleetError> {
        if performed.ticket == ticket {
            return Ok(());
        }
        let path = self.folder.result(ticket.number);
        Err(broken(format!(
            "{} belongs to another execution (seed {}, not {}). Remove it and resume.",
            path.display(),
            performed.ticket.seed,
            ticket.seed
        )))
    }

    /// Network file systems hang and come back.
    fn suffer(&mut self, text: String) -> Result<(), FleetError> {
        let since = self.trouble.as_ref().map_or_else(Instant::now, |(since, _)| *since);
        if since.elapsed() > self.pace.patience {
            return Err(broken(text));
        }
        self.trouble = Some((since, text));
        Ok(())
    }
}
