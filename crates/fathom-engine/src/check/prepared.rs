//! A check of commands that is ready to begin.

use super::adjustments::Adjustments;
use super::judge::{Judge, System};
use super::question::ParsedQuestion;
use super::sameness::Origin;
use super::sampling::Executions;
use super::systems;
use crate::EngineError;
use crate::measuring::programs::Programs;
use fathom_measure::experiment::{ExecutionMetric, Recipe, bare_observation};
use fathom_property::decide::CheckCourse;
use fathom_property::{Catalogue, PropertyError};
use fathom_record::Scalar;
use fathom_request::{CheckRequest, ExecutionBudget, ExecutionOptions, ExecutionSource, OnFailure};
use fathom_stats::proportion::SampleSizePlan;
use std::path::PathBuf;

/// A check of commands that is ready to begin.
pub(super) struct PreparedCheck<'a> {
    options: &'a ExecutionOptions,
    on_failure: OnFailure,
    recipe: Recipe,
    adjustments: Adjustments,
    question: ParsedQuestion,
    /// At most this many executions or tuples, including those that do not count.
    budget: u64,
    seed: u64,
}

impl<'a> PreparedCheck<'a> {
    /// Reads the question and the commands, which run in `folder`.
    ///
    /// # Errors
    /// There is a mistake that needs no execution to be seen, or there are no commands.
    pub(super) fn of(
        request: &'a CheckRequest,
        folder: PathBuf,
        seed: u64,
    ) -> Result<PreparedCheck<'a>, EngineError> {
        let ExecutionSource::Commands(options) = &request.executions else {
            return Err(EngineError::usage("the executions come from files, so nothing runs"));
        };
        let question = ParsedQuestion::of(request)?;
        let recipe = systems::recipe(options, &request.reading, folder)?;
        let adjustments = Adjustments::of(&request.reading)?;
        let budget = options.budget.runs().unwrap_or_else(|| question.default_budget());
        let on_failure = request.on_failure;
        let check =
            PreparedCheck { options, on_failure, recipe, adjustments, question, budget, seed };
        check.judge()?;
        Ok(check)
    }

    pub(super) fn options(&self) -> &ExecutionOptions {
        self.options
    }

    pub(super) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    pub(super) fn question(&self) -> &ParsedQuestion {
        &self.question
    }

    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether the request says how many executions there are.
    pub(super) fn has_exact_number(&self) -> bool {
        matches!(self.options.budget, ExecutionBudget::Exactly(_))
    }

    /// Where executions come from.
    pub(super) fn origin(&self) -> Origin {
        match self.recipe.systems.iter().all(systems::mentions_seed) {
            true => Origin::Seeded,
            false => Origin::Unseeded,
        }
    }

    /// The words of every system's command.
    pub(super) fn commands(&self) -> Vec<Vec<String>> {
        self.recipe.systems.iter().map(|system| system.words.clone()).collect()
    }

    /// What these execute, as it is now.
    pub(super) fn programs(&self) -> Programs {
        let commands = self.commands();
        Programs::of(commands.iter().map(Vec::as_slice), &self.recipe.folder)
    }

    /// The judge of a new or replayed session, and what to expect.
    pub(super) fn judge(&self) -> Result<(Judge, Option<SampleSizePlan>), EngineError> {
        let shown = |name: &String| System { name: name.clone(), shown: name.clone() };
        let systems = self.recipe.systems.iter().map(|system| shown(&system.name)).collect();
        let question = self.question.clone();
        let adjustments = self.adjustments.clone();
        let mut judge = Judge::new(question, systems, adjustments, self.on_failure, self.budget)?;
        let metrics = ExecutionMetric::parse_all(&self.recipe.metrics)?;
        // Without files to read, all names are known beforehand.
        if self.recipe.files.is_empty() {
            let catalogue = self.catalogue(&metrics)?;
            let catalogues = vec![catalogue; self.recipe.systems.len()];
            judge.resolve(catalogues).map_err(with_ways_to_read)?;
        }
        let plan = judge.course().map(CheckCourse::plan);
        Ok((judge, plan))
    }

    /// The numbers of executions without files.
    fn catalogue(&self, metrics: &[ExecutionMetric]) -> Result<Catalogue, EngineError> {
        let mut seen = bare_observation();
        for metric in metrics {
            let unit = metric.metric().unit().clone();
            seen.set_scalar(metric.metric().name(), Scalar::new(0.0, unit))?;
        }
        self.adjustments.apply(&mut seen)?;
        Ok(Catalogue::of(&seen))
    }

    /// Which executions to run.
    pub(super) fn executions(&self, judge: &Judge) -> Executions {
        Executions { systems: judge.tuple(), tuples: self.budget, seed: self.seed }
    }
}

/// An unknown name may be a metric without a `--metric`.
fn with_ways_to_read(error: EngineError) -> EngineError {
    let cause = error.downcast_ref::<PropertyError>();
    let is_unknown_name = cause.is_some_and(PropertyError::is_unknown_name);
    error.with_advice(is_unknown_name.then(|| {
        "read a number that executions print with --metric NAME=REGEX, and a file that they write \
         with --read FILE"
            .to_string()
    }))
}
