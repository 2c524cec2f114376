//! Puts executions together that are judged together.

use fathom_measure::experiment::Performed;
use fathom_property::{DataSource, Judged, JudgedAs, RunRole};

/// Executions that wait for the others of their tuple.
#[derive(Debug)]
pub(super) struct Tuples {
    roles: Vec<RunRole>,
    /// The place of the question's first system among those of all cells.
    first_system: usize,
    pending: Vec<Performed>,
}

impl Tuples {
    pub(super) fn new(roles: Vec<RunRole>, first_system: usize) -> Tuples {
        Tuples { roles, first_system, pending: Vec::new() }
    }

    /// The executions of a tuple.
    pub(super) fn roles(&self) -> &[RunRole] {
        &self.roles
    }

    /// The systems of a tuple's executions, by their places among those of all cells.
    pub(super) fn systems(&self) -> Vec<usize> {
        self.roles.iter().map(|role| self.first_system + role.system).collect()
    }

    /// The names of a tuple's executions; empty for a single one.
    pub(super) fn names(&self) -> Vec<String> {
        match self.roles.as_slice() {
            [] | [_] => Vec::new(),
            roles => roles.iter().map(|role| role.name.clone()).collect(),
        }
    }

    /// Whether executions of this system belong to its tuples.
    pub(super) fn has_system(&self, system: usize) -> bool {
        self.roles.iter().any(|role| self.first_system + role.system == system)
    }

    /// The place of an execution's system among those of the question.
    pub(super) fn place_of(&self, system: usize) -> Option<usize> {
        system.checked_sub(self.first_system)
    }

    /// Adds an execution; the tuple that it completes, if it does: of each system the next that was not
    /// used.
    pub(super) fn add(&mut self, performed: Performed) -> Option<Vec<Performed>> {
        self.pending.push(performed);
        if self.pending.len() < self.roles.len() {
            return None;
        }
        let mut chosen: Vec<usize> = Vec::with_capacity(self.roles.len());
        for role in &self.roles {
            let is_next = |(place, one): &(usize, &Performed)| {
                one.ticket.system == self.first_system + role.system && !chosen.contains(place)
            };
            chosen.push(self.pending.iter().enumerate().find(is_next)?.0);
        }
        let mut rest: Vec<Option<Performed>> =
            std::mem::take(&mut self.pending).into_iter().map(Some).collect();
        let tuple =
            chosen.iter().filter_map(|&place| rest.get_mut(place).and_then(Option::take)).collect();
        self.pending = rest.into_iter().flatten().collect();
        Some(tuple)
    }
}

/// Which executions.
pub(super) struct ExecutionIdentity {
    pub(super) runs: Vec<u64>,
    pub(super) seeds: Vec<u32>,
    pub(super) source: Option<DataSource>,
    pub(super) is_cut: bool,
}

impl ExecutionIdentity {
    pub(super) fn judged(self, result: JudgedAs) -> Judged {
        let ExecutionIdentity { runs, seeds, source, is_cut } = self;
        Judged { runs: runs.into(), seeds: seeds.into(), source, is_cut, result }
    }
}
