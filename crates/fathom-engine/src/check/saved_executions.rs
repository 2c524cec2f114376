//! Where a check's executions are saved: the session in the store, and next to it a folder with all
//! observations.

use crate::EngineError;
use fathom_measure::Keeper;
use fathom_measure::experiment::{Journal, Performed};
use fathom_record::{BlockSlot, Certainty, Ending, Metric, Phase, Reading, Run, Timestamp};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Saves executions while they come in.
#[derive(Debug)]
pub(super) struct SavedExecutions {
    keeper: Keeper,
    journal: Option<Journal>,
    began: Instant,
    /// How long the session had lasted before.
    spent: Duration,
}

/// The folder of a session's executions.
pub(crate) fn folder(sessions: &Path, id: i64) -> PathBuf {
    sessions.join(format!("check-{id}"))
}

impl SavedExecutions {
    /// Saves executions in a session, and in a journal if it is saved.
    pub(super) fn new(
        keeper: Keeper,
        journal: Option<Journal>,
        spent: Duration,
    ) -> SavedExecutions {
        SavedExecutions { keeper, journal, began: Instant::now(), spent }
    }

    /// The session's number, if it is saved.
    pub(super) fn id(&self) -> Option<i64> {
        self.keeper.id().map(|id| id.0)
    }

    /// How long the session has lasted.
    pub(super) fn spent(&self) -> Duration {
        self.spent + self.began.elapsed()
    }

    /// Saves an execution; it is on disk when this returns.
    pub(super) fn save(&mut self, performed: &Performed) -> Result<(), EngineError> {
        // The journal first: it is what a session is resumed from.
        if let Some(journal) = &mut self.journal {
            journal.append(performed)?;
        }
        Ok(self.keeper.append(&run(performed, self.spent()))?)
    }

    /// Saves executions that other sessions performed.
    pub(super) fn save_kept(&mut self, performed: &[Performed]) -> Result<(), EngineError> {
        match &mut self.journal {
            Some(journal) => Ok(journal.extend(performed)?),
            None => Ok(()),
        }
    }

    /// Saves in the session what only the journal has: a kill can come between the two, and the journal
    /// is written first.
    pub(super) fn catch_up(
        &mut self,
        performed: &[Performed],
        runs: &[Run],
    ) -> Result<(), EngineError> {
        let which = |run: &Run| (run.subject, run.place.map(|place| place.block));
        let saved: BTreeSet<_> = runs.iter().map(which).collect();
        // Another session has those that it performed.
        for performed in performed.iter().filter(|performed| performed.session.is_none()) {
            let run = run(performed, self.spent());
            if !saved.contains(&which(&run)) {
                self.keeper.append(&run)?;
            }
        }
        Ok(())
    }

    /// Marks the session as finished.
    pub(super) fn finish(&mut self, outcome: &str) -> Result<(), EngineError> {
        Ok(self.keeper.finish(outcome)?)
    }
}

/// An execution as the store knows runs: what it cost, and its numbers.
fn run(performed: &Performed, until: Duration) -> Run {
    let until = Timestamp::ZERO + until.into();
    let readings = performed.outcome.iter().flat_map(|seen| seen.scalars());
    let is_of_usage = |name: &str| {
        Metric::OF_EVERY_RUN.iter().any(|metric| metric.to_string().replace('-', "_") == name)
            || name == "runtime"
            || name == "exit_code"
    };
    let readings = readings
        .filter(|(name, scalar)| {
            scalar.value.is_finite() && scalar.certainty == Certainty::Exactly && !is_of_usage(name)
        })
        .map(|(name, scalar)| Reading {
            name: Metric::Printed(name.clone()).to_string(),
            value: scalar.value,
        });
    Run {
        subject: performed.ticket.system,
        phase: Phase::Measured,
        place: Some(BlockSlot {
            block: usize::try_from(performed.ticket.number).unwrap_or(usize::MAX),
            slot: 0,
        }),
        began: (until - performed.usage.wall).max(Timestamp::ZERO),
        // One that could not be started has no ending; a shell would say 127.
        ending: performed.ending.unwrap_or(Ending::Exited(127)),
        usage: performed.usage,
        readings: readings.collect(),
    }
}

/// How long a session had lasted when its last run ended.
pub(super) fn spent(runs: &[Run]) -> Duration {
    let last = runs.iter().map(Run::ended).max().unwrap_or_default();
    (last - Timestamp::ZERO).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_measure::experiment::Ticket;
    use fathom_record::{Observation, Scalar, Span, Unit, Usage};

    #[test]
    fn an_execution_is_a_run_with_the_numbers_that_the_program_printed() {
        let mut seen = Observation::new();
        for (name, value) in
            [("x", 2.5), ("runtime", 1.0), ("exit_code", 0.0), ("peak_memory", 9.0)]
        {
            seen.set_scalar(name, Scalar::new(value, Unit::Unknown)).unwrap();
        }
        let mut performed = Performed {
            ticket: Ticket { number: 7, system: 1, seed: 3 },
            host: "here".into(),
            ending: Some(Ending::Exited(2)),
            usage: Usage { wall: Span::from_milliseconds(300), ..Usage::default() },
            outcome: Ok(seen),
            output: None,
            session: None,
        };
        let saved = run(&performed, Duration::from_secs(5));
        assert_eq!(saved.began, Timestamp::from_nanoseconds(4_700_000_000));
        assert_eq!((saved.subject, saved.place.map(|place| place.block)), (1, Some(7)));
        assert_eq!(saved.ending, Ending::Exited(2));
        let names: Vec<(&str, f64)> =
            saved.readings.iter().map(|one| (one.name.as_str(), one.value)).collect();
        assert_eq!(names, [(Metric::Printed("x".into()).to_string().as_str(), 2.5)]);
        assert_eq!(spent(std::slice::from_ref(&saved)), Duration::from_secs(5));
        assert_eq!(spent(&[]), Duration::ZERO);
        // One that could not be started; and one that took longer than its session is known to last.
        performed.ending = None;
        let saved = run(&performed, Duration::from_millis(100));
        assert_eq!((saved.ending, saved.began), (Ending::Exited(127), Timestamp::ZERO));
    }
}
