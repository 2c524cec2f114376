//! All questions of a check, about the same executions.

use super::adjustments::Adjustments;
use super::judge::{Judge, System};
use super::question::Questions;
use super::round::Round;
use super::sampling::MoreExecutions;
use super::systems;
use crate::EngineError;
use fathom_measure::experiment::{Performed, Recipe, Ticket};
use fathom_property::decide::{CheckVerdict, ErrorSharing, SharedError, settle};
use fathom_property::{
    AbnormalExecution, AbnormalExecutions, AbnormalKind, Catalogue, CellFailure,
};
use fathom_request::OnFailure;

/// Judges executions for every question, and says when all are answered.
pub(super) struct Panel {
    judges: Vec<Judge>,
    names: Vec<Option<String>>,
    groups: Vec<Option<String>>,
    sharing: ErrorSharing,
    error: SharedError,
    round: Round,
    cells: Vec<PanelCell>,
    /// How many systems each cell has.
    width: usize,
    /// What became of the executions of each system of a grid.
    tallies: Vec<SystemTally>,
    /// Executions that did not end as they should.
    abnormal: AbnormalExecutions,
    /// What repeats an execution, if they run here.
    recipe: Option<Recipe>,
}

/// A cell of a grid; without one there is a single cell.
#[derive(Debug, Clone, Default)]
struct PanelCell {
    /// The places of its judges.
    judges: Vec<usize>,
    /// How many executions it was given.
    taken: u64,
}

/// What became of the executions of a system.
#[derive(Debug, Clone, Default)]
pub(super) struct SystemTally {
    pub(super) executions: usize,
    /// Those that another session had performed.
    pub(super) kept: usize,
    pub(super) cut: usize,
    pub(super) failures: Vec<CellFailure>,
}

impl Panel {
    /// `cells` are the systems of each cell of a grid, of which there is one without a grid. `rounds` is
    /// the most rounds of executions; `None` if all of them are there already.
    pub(super) fn new(
        questions: &Questions,
        cells: &[Vec<System>],
        adjustments: &Adjustments,
        on_failure: OnFailure,
        rounds: Option<u64>,
    ) -> Result<Panel, EngineError> {
        let round = round(questions, cells.first().map(Vec::as_slice).unwrap_or_default())?;
        let width = cells.first().map_or(0, Vec::len);
        let mut panel_cells = vec![PanelCell::default(); cells.len().max(1)];
        let (sharing, error) = (questions.sharing, questions.error);
        let is_single = questions.asked.len() == 1;
        let mut judges = Vec::with_capacity(questions.asked.len());
        for (place, question) in questions.asked.iter().enumerate() {
            // Without the rounding of the difference: 0.1 for 0.9.
            let bound = (error.confidence().alpha() * 1e15).round() / 1e15;
            let among = (!is_single).then_some((place, bound));
            let parsed = question.parsed.clone();
            let cell = question.group.filter(|_| cells.len() > 1).unwrap_or(0);
            let systems = cells.get(cell).cloned().unwrap_or_default();
            let roles = parsed.roles(&names_of(&systems))?;
            let budget = rounds.map(|rounds| round.tuples_in(rounds, &roles));
            let systems = (cell * width, systems);
            let adjustments = adjustments.clone();
            judges.push(Judge::new(parsed, among, systems, adjustments, on_failure, budget)?);
            if let Some(cell) = panel_cells.get_mut(cell) {
                cell.judges.push(place);
            }
        }
        let names = questions.asked.iter().map(|question| question.name.clone()).collect();
        let groups = questions.asked.iter().map(|question| question.group_name.clone()).collect();
        let tallies = vec![SystemTally::default(); width * panel_cells.len()];
        let cells = panel_cells;
        Ok(Panel {
            judges,
            names,
            groups,
            sharing,
            error,
            round,
            cells,
            width,
            tallies,
            abnormal: AbnormalExecutions::default(),
            recipe: None,
        })
    }

    /// With what repeats an execution.
    pub(super) fn with_recipe(self, recipe: &Recipe) -> Panel {
        Panel { recipe: Some(recipe.clone()), ..self }
    }

    /// Executions that failed or were cut short.
    pub(super) fn abnormal(&self) -> &AbnormalExecutions {
        &self.abnormal
    }

    /// Notes an execution from a file that failed or was cut short.
    pub(super) fn note_abnormal(
        &mut self,
        kind: AbnormalKind,
        one: impl FnOnce() -> AbnormalExecution,
    ) {
        self.abnormal.add(kind, one);
    }

    /// The judges, one for each question.
    pub(super) fn judges(&self) -> &[Judge] {
        &self.judges
    }

    pub(super) fn judges_mut(&mut self) -> &mut [Judge] {
        &mut self.judges
    }

    /// Keeps the signals and events of each question's worst executions, of `most` at most.
    pub(super) fn keep_worst(&mut self, most: usize) {
        self.judges.iter_mut().for_each(|judge| judge.keep_worst(most));
    }

    /// The only judge, if there is one question.
    pub(super) fn only(&self) -> Option<&Judge> {
        match self.judges.as_slice() {
            [judge] => Some(judge),
            _ => None,
        }
    }

    /// The questions' names.
    pub(super) fn names(&self) -> &[Option<String>] {
        &self.names
    }

    /// The groups that the questions are about.
    pub(super) fn groups(&self) -> &[Option<String>] {
        &self.groups
    }

    pub(super) fn sharing(&self) -> ErrorSharing {
        self.sharing
    }

    pub(super) fn error(&self) -> &SharedError {
        &self.error
    }

    /// How many whole rounds it was given.
    pub(super) fn rounds(&self) -> u64 {
        match self.only() {
            Some(judge) => judge.judged().len() as u64,
            None => {
                let most = self.cells.iter().map(|cell| cell.taken).max().unwrap_or(0);
                most / self.round.systems().len().max(1) as u64
            }
        }
    }

    /// The systems of all executions of a round, in every cell.
    pub(super) fn systems_of_round(&self) -> Vec<usize> {
        let of_cell =
            |cell: usize| self.round.systems().iter().map(move |it| cell * self.width + it);
        (0..self.cells.len()).flat_map(of_cell).collect()
    }

    /// How many cells there are.
    pub(super) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Whether a cell has a question that is not answered.
    pub(super) fn is_open(&self, cell: usize) -> bool {
        let judges = self.cells.get(cell).map_or(&[][..], |cell| &cell.judges);
        judges.iter().any(|&judge| self.judges.get(judge).is_some_and(|it| !it.is_answered()))
    }

    /// How many executions were taken.
    pub(super) fn taken(&self) -> u64 {
        self.cells.iter().map(|cell| cell.taken).sum()
    }

    /// What became of the executions of each system.
    pub(super) fn tallies(&self) -> &[SystemTally] {
        &self.tallies
    }

    fn tally(&mut self, performed: &Performed) {
        let Ticket { number, system, seed } = performed.ticket;
        if let Some(cell) = self.cells.get_mut(system / self.width.max(1)) {
            cell.taken += 1;
        }
        let Some(tally) = self.tallies.get_mut(system) else { return };
        tally.executions += 1;
        tally.kept += usize::from(performed.session.is_some());
        match &performed.outcome {
            Ok(seen) => tally.cut += usize::from(seen.is_cut()),
            Err(failure) => {
                tally.failures.push(CellFailure {
                    run: number + 1,
                    seed,
                    how: failure.how.clone(),
                });
            }
        }
    }

    /// Whether no execution was judged.
    pub(super) fn is_empty(&self) -> bool {
        self.judges.iter().all(|judge| judge.judged().is_empty())
    }

    /// Whether all questions are answered, so that no more executions are wanted.
    pub(super) fn is_answered(&self) -> bool {
        self.judges.iter().all(Judge::is_answered)
    }

    /// How many questions are answered.
    pub(super) fn answered(&self) -> usize {
        self.judges.iter().filter(|judge| judge.is_answered()).count()
    }

    /// Whether a question is open although it needs no more executions, within what is allowed.
    pub(super) fn has_open_verdict(&self) -> bool {
        let verdict = |judge: &Judge| judge.course().and_then(|course| course.verdict());
        self.judges.iter().any(|judge| verdict(judge) == Some(CheckVerdict::Inconclusive))
    }

    /// Whether executions depend on each other so much that all that are allowed would not be enough
    /// for some question.
    pub(super) fn is_hopeless(&self) -> bool {
        let is_hopeless = |judge: &Judge| judge.course().is_some_and(|course| course.is_hopeless());
        self.judges.iter().any(is_hopeless)
    }

    /// Looks the names of all questions up in what the systems' executions have.
    pub(super) fn resolve(&mut self, catalogues: &[Catalogue]) -> Result<(), EngineError> {
        self.judges.iter_mut().try_for_each(|judge| judge.resolve(catalogues.to_vec()))
    }

    /// Takes the next execution.
    pub(super) fn take(&mut self, performed: Performed) -> Result<MoreExecutions, EngineError> {
        self.tally(&performed);
        self.note(&performed);
        if let [judge] = self.judges.as_mut_slice() {
            return judge.take(performed);
        }
        let system = performed.ticket.system;
        for judge in self.judges.iter_mut().filter(|judge| judge.wants(system)) {
            judge.take(performed.clone())?;
        }
        // A verdict may leave more of the error for the other questions.
        let mut courses: Vec<_> = self.judges.iter_mut().filter_map(Judge::course_mut).collect();
        settle(&mut courses, &self.error)?;
        Ok(if self.is_answered() { MoreExecutions::Enough } else { MoreExecutions::Wanted })
    }
}

impl Panel {
    /// Notes an execution that did not end as it should.
    fn note(&mut self, performed: &Performed) {
        let recipe = self.recipe.as_ref();
        let (kind, how) = match &performed.outcome {
            Err(failure) => (AbnormalKind::Failed, failure.how.clone()),
            Ok(seen) if seen.is_cut() => {
                let timeout = recipe.and_then(|recipe| recipe.timeout);
                let how = performed.ending.map(|ending| ending.in_words(timeout));
                (AbnormalKind::Cut, how.unwrap_or_else(|| "was cut short".to_string()))
            }
            Ok(_) => return,
        };
        let Ticket { number, system, seed } = performed.ticket;
        let judge = self.cells.get(system / self.width.max(1)).and_then(|cell| cell.judges.first());
        let group = judge.and_then(|&judge| self.groups.get(judge)?.as_ref());
        let system = recipe.and_then(|recipe| recipe.systems.get(system));
        self.abnormal.add(kind, || AbnormalExecution {
            run: Some(number + 1),
            seed: Some(seed),
            group: group.cloned(),
            source: None,
            kind,
            how,
            host: Some(performed.host.clone()),
            command: system.map(|system| systems::command(system, number + 1, seed)),
        });
    }
}

/// The round of executions for these questions.
pub(super) fn round(questions: &Questions, systems: &[System]) -> Result<Round, EngineError> {
    let names = names_of(systems);
    let is_single = questions.asked.len() == 1;
    let mut tuples = Vec::with_capacity(questions.asked.len());
    for (place, question) in questions.parsed().enumerate() {
        let of = (!is_single).then_some(place);
        tuples.push(question.roles(&names).map_err(|error| error.of_question(of))?);
    }
    Ok(Round::of(&tuples))
}

pub(super) fn names_of(systems: &[System]) -> Vec<String> {
    systems.iter().map(|system| system.name.clone()).collect()
}
