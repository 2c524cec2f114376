//! Submitting tickets, so that none is submitted twice and none is forgotten.

use super::{SlurmFleet, Standing, Task, broken, unusable};
use crate::experiment::{FleetError, Ticket};
use crate::slurm::ledger::Batch;
use crate::slurm::queue::{QueuedTask, TaskId};
use crate::slurm::submission::{Submission, Submitted};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

impl SlurmFleet {
    /// Submits tickets with the number of their attempts, in as few arrays as the cluster allows.
    pub(super) fn submit_all(
        &mut self,
        tickets: &[(Ticket, u32)],
        tick: &mut dyn FnMut(),
    ) -> Result<(), FleetError> {
        for chunk in tickets.chunks(self.ledger.largest_array.max(1)) {
            let number = self.ledger.next_number();
            let only: Vec<Ticket> = chunk.iter().map(|(ticket, _)| *ticket).collect();
            let written = self
                .folder
                .write_tickets(number, &only)
                .and_then(|()| self.submission(number, chunk.len()).write_script());
            written.map_err(|error| unusable(&self.folder, &error))?;
            // In the ledger before it is submitted: a resume that finds it without a job looks for
            // one.
            self.ledger.batches.push(Batch { number, job: None, is_cancelled: false });
            self.write_ledger()?;
            for (index, &(ticket, attempt)) in chunk.iter().enumerate() {
                let standing = Standing::default();
                let task = Task { ticket, batch: number, index, attempt, standing };
                self.tasks.insert(ticket.number, task);
            }
            self.submit(number, chunk.len(), tick)?;
        }
        Ok(())
    }

    fn submission(&self, batch: u32, tasks: usize) -> Submission<'_> {
        Submission {
            folder: &self.folder,
            options: &self.options,
            program: &self.program,
            batch,
            name: self.ledger.job_name(batch),
            tasks,
            has_arrays: self.ledger.largest_array > 0,
        }
    }

    fn submit(
        &mut self,
        batch: u32,
        tasks: usize,
        tick: &mut dyn FnMut(),
    ) -> Result<(), FleetError> {
        match self.submission(batch, tasks).submit(tick) {
            Submitted::Job(job) => {
                self.settle(batch, job)?;
                self.query_interval = self.pace.queue_first;
                self.next_query = Instant::now() + self.query_interval;
            }
            Submitted::Unsure(said) => {
                self.unsure.insert(batch);
                let now = Instant::now();
                self.unsure_since.get_or_insert(now);
                self.away.get_or_insert((now, said));
                self.next_query = now + self.pace.queue_first;
            }
            Submitted::Refused(text) => {
                self.ledger.batches.retain(|other| other.number != batch);
                self.tasks.retain(|_, task| task.batch != batch);
                self.unsure.remove(&batch);
                self.write_ledger()?;
                return Err(broken(text));
            }
        }
        // An answer that is under way may be older than this submission.
        self.query = None;
        Ok(())
    }

    /// Looks in the queue for batches whose submission broke off; those that are not there are
    /// submitted again. Says which those are: the queue is older than they.
    pub(super) fn settle_unsure(
        &mut self,
        queue: &BTreeMap<TaskId, QueuedTask>,
        tick: &mut dyn FnMut(),
    ) -> Result<BTreeSet<u32>, FleetError> {
        let mut submitted = BTreeSet::new();
        for batch in self.unsure.clone() {
            let name = self.ledger.job_name(batch);
            if let Some(found) = queue.values().find(|task| task.name == name) {
                self.settle(batch, found.id.job)?;
                continue;
            }
            let since = self.unsure_since.map(|since| since.elapsed()).unwrap_or_default();
            if since > self.pace.patience {
                return Err(broken(format!(
                    "Slurm has not accepted a job for {} seconds. The jobs continue, so resume \
                     later.",
                    since.as_secs()
                )));
            }
            let tickets =
                self.folder.tickets(batch).map_err(|error| unusable(&self.folder, &error))?;
            // What a new process would do may differ from what the old one wrote.
            self.submission(batch, tickets.len())
                .write_script()
                .map_err(|error| unusable(&self.folder, &error))?;
            self.submit(batch, tickets.len(), tick)?;
            submitted.insert(batch);
        }
        Ok(submitted)
    }

    fn settle(&mut self, batch: u32, job: u64) -> Result<(), FleetError> {
        if let Some(entry) = self.ledger.batch_mut(batch) {
            entry.job = Some(job);
        }
        self.unsure.remove(&batch);
        if self.unsure.is_empty() {
            self.unsure_since = None;
        }
        self.write_ledger()
    }

    pub(super) fn write_ledger(&self) -> Result<(), FleetError> {
        self.ledger.write(&self.folder).map_err(|error| unusable(&self.folder, &error))
    }
}
