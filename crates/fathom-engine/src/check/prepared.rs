//! A check of commands that is ready to begin.

use super::adjustments::Adjustments;
use super::grid::Grid;
use super::judge::System;
use super::kept;
use super::panel::{self, Panel};
use super::question::{ParsedQuestion, Questions};
use super::sameness::Origin;
use super::sampling::{Executions, SeedRule};
use super::systems::{self, CellSystems};
use crate::EngineError;
use crate::measuring::programs::Programs;
use fathom_measure::experiment::{ExecutionMetric, Recipe, bare_observation};
use fathom_property::decide::{CheckCourse, ProportionQuestion};
use fathom_property::{Catalogue, PropertyError};
use fathom_record::Scalar;
use fathom_request::{
    CheckRequest, EffortPreset, ExecutionBudget, ExecutionOptions, ExecutionSource, Executor,
    OnFailure,
};
use fathom_stats::proportion::SampleSizePlan;
use std::path::{Path, PathBuf};

/// A check of commands that is ready to begin.
pub(super) struct PreparedCheck<'a> {
    options: &'a ExecutionOptions,
    on_failure: OnFailure,
    grid: Option<Grid>,
    /// What a property calls the systems of each cell.
    names: Vec<Vec<String>>,
    recipe: Recipe,
    adjustments: Adjustments,
    questions: Questions,
    /// At most this many rounds of executions, including those that do not count; with one question, a round
    /// is what it judges at once.
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
        let grid = Grid::of(&options.grid)?;
        let questions = match &grid {
            None => Questions::of(request)?,
            Some(grid) => {
                let names: Vec<String> = grid.cells.iter().map(|cell| cell.name.clone()).collect();
                Questions::of_groups(request, &names)?
            }
        };
        check_conditions(options)?;
        let systems = systems::recipe(options, &request.reading, folder, grid.as_ref(), seed)?;
        let CellSystems { names, recipe } = systems;
        if options.shared_seeds && recipe.systems.len() < 2 {
            return Err(EngineError::usage(
                "--shared-seeds is for several systems or combinations of parameters, and there is one. \
                 Leave it out, or add --system or -L",
            ));
        }
        let adjustments = Adjustments::of(&request.reading)?;
        let budget = match options.budget.runs() {
            Some(rounds) => rounds,
            None => {
                let first = named(names.first().map(Vec::as_slice).unwrap_or_default());
                default_budget(&questions, &first, options.budget.effort())?
            }
        };
        let on_failure = request.on_failure;
        let check = PreparedCheck {
            options,
            on_failure,
            grid,
            names,
            recipe,
            adjustments,
            questions,
            budget,
            seed,
        };
        check.panel()?;
        Ok(check)
    }

    pub(super) fn options(&self) -> &ExecutionOptions {
        self.options
    }

    pub(super) fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref()
    }

    /// What a property calls the systems of each cell; there is one cell without a grid.
    pub(super) fn names(&self) -> &[Vec<String>] {
        &self.names
    }

    pub(super) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    pub(super) fn questions(&self) -> &Questions {
        &self.questions
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

    /// Where the traces of executions are, if they are recorded; `folder` is that of the session's
    /// executions.
    pub(super) fn recordings(&self, folder: Option<&Path>) -> Option<PathBuf> {
        self.options.record?;
        let kept = self.options.keep_files.as_ref().map(|kept| self.recipe.folder.join(kept));
        super::fleet::recordings(kept.as_deref(), folder)
    }

    /// What these execute, as it is now.
    pub(super) fn programs(&self) -> Programs {
        let commands = self.commands();
        Programs::of(commands.iter().map(Vec::as_slice), &self.recipe.folder)
    }

    /// The judges of a new or replayed session, and what to expect.
    pub(super) fn panel(&self) -> Result<(Panel, Option<SampleSizePlan>), EngineError> {
        let cells: Vec<Vec<System>> = self.names.iter().map(|names| named(names)).collect();
        let (questions, adjustments) = (&self.questions, &self.adjustments);
        let mut panel =
            Panel::new(questions, &cells, adjustments, self.on_failure, Some(self.budget))?
                .with_recipe(&self.recipe);
        let metrics = ExecutionMetric::parse_all(&self.recipe.metrics)?;
        // Without files to read, all names are known beforehand.
        if self.recipe.files.is_empty() {
            let catalogue = self.catalogue(&metrics)?;
            let catalogues = vec![catalogue; self.names.first().map_or(0, Vec::len)];
            panel.resolve(&catalogues).map_err(with_ways_to_read)?;
        }
        let plan = match panel.only() {
            Some(judge) => judge.course().map(CheckCourse::plan),
            None => self.plan_of_several()?,
        };
        Ok((panel, plan))
    }

    /// What a verdict may take that has the smallest part of the error: the first one.
    fn plan_of_several(&self) -> Result<Option<SampleSizePlan>, EngineError> {
        let Some(question) = self.strictest() else { return Ok(None) };
        let budget = usize::try_from(self.budget).unwrap_or(usize::MAX);
        Ok(Some(SampleSizePlan::new(question.sequential_rule(budget)?, budget)))
    }

    /// The first property's question, with the confidence that the first of several verdicts needs.
    pub(super) fn strictest(&self) -> Option<ProportionQuestion> {
        let confidence = self.questions.error.strictest();
        self.questions.parsed().find_map(|question| match question {
            ParsedQuestion::Verdict { question, .. } => {
                Some(ProportionQuestion { confidence, ..*question })
            }
            ParsedQuestion::Value { .. } => None,
        })
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
    pub(super) fn executions(&self, panel: &Panel) -> Executions {
        let systems = panel.systems_of_round();
        let (tuples, cells) = (self.budget, panel.cells());
        let seeds = match (self.options.shared_seeds, &self.grid) {
            (true, _) => SeedRule::Shared(self.seed),
            (false, None) => SeedRule::ByNumber(self.seed),
            (false, Some(_)) => {
                let master = |system: &fathom_measure::experiment::System| {
                    kept::master_seed(self.seed, system)
                };
                SeedRule::BySystem(self.recipe.systems.iter().map(master).collect())
            }
        };
        Executions { systems, tuples, cells, seeds }
    }
}

/// The systems as properties and errors name them.
fn named(names: &[String]) -> Vec<System> {
    let shown = |name: &String| System { name: name.clone(), shown: name.clone() };
    names.iter().map(shown).collect()
}

/// Refuses conditions of executions that would not be kept where these run.
fn check_conditions(options: &ExecutionOptions) -> Result<(), EngineError> {
    match &options.executor {
        Executor::Local { jobs } if *jobs > 1 && options.cpu.is_some() => Err(EngineError::usage(
            "--cpu binds every execution to one processor, where those that run at once would \
                 slow each other down. Leave out --cpu, or -j",
        )),
        Executor::Slurm(_) if options.cpu.is_some() => Err(EngineError::usage(
            "--cpu is for this machine. On Slurm, pass --slurm-option=--cpu-bind=cores",
        )),
        Executor::Slurm(_) if options.warmup > 0 => Err(EngineError::usage(
            "--warmup is for this machine: on Slurm, executions run on nodes that a warm-up here \
             would not reach. Put it into the command, or into --prepare",
        )),
        _ => Ok(()),
    }
}

/// At most this many rounds, unless the user sets a limit.
fn default_budget(
    questions: &Questions,
    systems: &[System],
    effort: EffortPreset,
) -> Result<u64, EngineError> {
    let round = panel::round(questions, systems)?;
    let names = panel::names_of(systems);
    let mut most = 0;
    for question in questions.parsed() {
        most =
            most.max(round.rounds_for(question.default_budget(effort), &question.roles(&names)?));
    }
    Ok(most)
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
