//! The single benches of a run: over executions where that works, else in this process.

use super::{Executions, OverExecutions};
use crate::function::Broken;
use crate::suite::Entry;
use fathom_analyze::{MeasuredExecutions, Subject};
use std::collections::BTreeSet;

/// At most this number of functions share their executions, so that the first results come early.
const TOGETHER: usize = 16;

/// What became of a single bench.
pub(crate) enum SingleBench {
    Measured(Box<Subject>),
    /// It broke, or the user interrupted before there was a result.
    Nothing,
    /// This process is the only execution there is.
    Here,
}

/// Single benches, in the order in which they are shown.
pub(crate) struct SingleBenches {
    names: Vec<String>,
    known: BTreeSet<String>,
    over: OverExecutions,
    /// Why there is only this execution: once that is known, or from the beginning.
    here: Option<MeasuredExecutions>,
}

impl SingleBenches {
    /// Those of these names; without `is_several` all are measured in this process.
    pub(crate) fn new(names: Vec<String>, is_several: bool) -> SingleBenches {
        let here = (!is_several).then_some(MeasuredExecutions::One { why: None });
        SingleBenches { names, known: BTreeSet::new(), over: OverExecutions::default(), here }
    }

    /// Those among the entries of a suite.
    pub(crate) fn of(entries: &[&mut Entry<'_>], is_several: bool) -> SingleBenches {
        let names = entries.iter().filter_map(|entry| entry.single().map(str::to_string));
        SingleBenches::new(names.collect(), is_several)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// None over executions, because of this.
    pub(crate) fn here_because(why: String) -> SingleBenches {
        let here = Some(MeasuredExecutions::One { why: Some(why) });
        SingleBenches { here, ..SingleBenches::new(Vec::new(), true) }
    }

    /// Whether it was measured with another.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.known.contains(name)
    }

    /// What became of this function and of the next ones.
    pub(crate) fn next(
        &mut self,
        name: &str,
        executions: &Executions<'_>,
        show: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> SingleBench {
        if self.here.is_none() && !self.known.contains(name) {
            let from = self.names.iter().position(|one| one == name).unwrap_or_default();
            let to = (from + TOGETHER).min(self.names.len());
            let names = self.names[from..to].to_vec();
            match executions.measure(&names, show) {
                Ok(over) => {
                    self.known.extend(names);
                    self.over.found.extend(over.found);
                    self.over.failures.extend(over.failures);
                    self.over.without_effect.extend(over.without_effect);
                }
                Err(why) => {
                    self.here = Some(MeasuredExecutions::One { why: Some(why) });
                }
            }
        }
        if self.here.is_some() && !self.known.contains(name) {
            return SingleBench::Here;
        }
        match self.over.found.remove(name) {
            Some(subject) => SingleBench::Measured(Box::new(subject)),
            None => SingleBench::Nothing,
        }
    }

    /// Functions that broke, and executions that could not be started.
    pub(crate) fn take_failures(&mut self) -> Vec<(String, Broken)> {
        std::mem::take(&mut self.over.failures)
    }

    /// Settings in the code that change nothing.
    pub(crate) fn without_effect(&self) -> &[String] {
        &self.over.without_effect
    }

    /// What to say of a function that this process measured.
    pub(crate) fn label(&self, subject: &mut Subject) {
        if let Some(function) = &mut subject.function {
            function.executions.clone_from(&self.here);
        }
    }
}
