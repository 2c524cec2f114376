//! Several questions of the same executions: how often any verdict of a study is wrong, and how often all
//! intervals cover.

use super::{Effort, SEED};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, Population, generator};
use fathom_property::decide::{
    CheckCourse, CheckVerdict, ErrorSharing, ExecutionOutcome, GivenOutcomes, Method,
    ProportionQuestion, SharedError, VacuousRule, decide_together, settle,
};
use fathom_property::{Bounds, ValueMethod, ValueQuestion};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability};

const QUESTIONS: usize = 20;
const BUDGET: usize = 2000;
const ROWS: usize = 300;
const F: f64 = 0.9;

/// Which shares of executions satisfy the properties of a study, and how alike properties are.
struct Study {
    name: &'static str,
    /// The share of each, by its number.
    share: fn(usize) -> f64,
    /// The correlation of margins within an execution. With one below 0, every other property is about
    /// the opposite.
    alike: f64,
}

const STUDIES: [Study; 8] = [
    Study { name: "88 to 92%, independent", share: spread, alike: 0.0 },
    Study { name: "88 to 92%, alike", share: spread, alike: 0.8 },
    Study { name: "88 to 92%, opposite", share: spread, alike: -0.8 },
    Study { name: "all 89.9%, independent", share: |_| 0.899, alike: 0.0 },
    Study { name: "all 89.9%, alike", share: |_| 0.899, alike: 0.8 },
    Study { name: "all 90%, independent", share: |_| 0.9, alike: 0.0 },
    Study {
        name: "19 at 99.5%, one at 89.9%",
        share: |place| first(place, 0.899, 0.995),
        alike: 0.0,
    },
    Study {
        name: "10 at 99.5%, 10 at 89.9%",
        share: |place| half(place, 0.899, 0.995),
        alike: 0.5,
    },
];

fn spread(place: usize) -> f64 {
    0.88 + 0.04 * place as f64 / (QUESTIONS - 1) as f64
}

fn first(place: usize, one: f64, others: f64) -> f64 {
    if place == 0 { one } else { others }
}

fn half(place: usize, one: f64, others: f64) -> f64 {
    if place.is_multiple_of(2) { one } else { others }
}

/// What became of the studies of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    /// Studies with any wrong verdict.
    wrong: f64,
    /// Verdicts, of each study's questions.
    decided: f64,
    /// Executions until the end.
    executions: f64,
    /// Studies in which all intervals of shares cover.
    covered: f64,
}

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let studies = (effort.trials / 20).max(10);
    let rows = parallel::map(STUDIES.len(), |cell| row(cell, studies));
    let mut table = MarkdownTable::new([
        "properties",
        "shared: any wrong / decided / executions",
        "each for itself: any wrong / decided / executions",
        "shared, 300 rows, exact: any wrong / decided",
        "all intervals of shares cover",
        "all intervals of values cover, any number / 300 rows",
    ]);
    for row in rows {
        table.row(row?);
    }
    Ok(format!(
        "\n## Several questions\n\n\
         Simulated, {studies} studies per row. Each asks {QUESTIONS} questions of the same executions, \
         F = 0.9, C = 0.95, of at most {BUDGET} executions, with a look after each. An execution has a \
         normal margin for each property; \"alike\" margins have a correlation of 0.8, \"opposite\" ones \
         of 0.8 or -0.8. In % of studies: those with any wrong verdict, where 5% are promised if the \
         error is shared; in % of questions: those with a verdict; and the mean number of executions. If \
         each question has an error of its own, many more studies have a wrong verdict. Intervals of \
         shares are those at the end; intervals of values (`--estimate`, the 90th percentiles of the \
         margins) share the error too: at the number of executions at which the verdicts ended, and at \
         {ROWS}.\n\n\
         {}",
        table.render()
    ))
}

fn row(cell: usize, studies: usize) -> Result<[String; 6], String> {
    let study = &STUDIES[cell];
    let mut rng = generator(SEED ^ 0x5e7, cell as u64);
    let confidence = Confidence::DEFAULT;
    let (properties, estimates) = (QUESTIONS, 0);
    let of = |sharing| {
        SharedError::new(confidence, sharing, properties, estimates).map_err(|e| e.to_string())
    };
    let (shared, alone) = (of(ErrorSharing::Shared)?, of(ErrorSharing::PerQuestion)?);
    let (mut ours, mut each, mut fixed) = (Ends::default(), Ends::default(), Ends::default());
    let mut values = [0.0; 2];
    let weight = 100.0 / studies as f64;
    let thresholds: Vec<f64> = (0..QUESTIONS).map(|place| threshold(study, place)).collect();
    for _ in 0..studies {
        let margins = executions(study, &thresholds, &mut rng);
        let watched_for = watch(study, &margins, &shared, &mut ours, weight)?;
        watch(study, &margins, &alone, &mut each, weight)?;
        look(study, &margins, &shared, &mut fixed, weight)?;
        for (covered, (method, n)) in
            values.iter_mut().zip([(ValueMethod::Anytime, watched_for), (ValueMethod::Exact, ROWS)])
        {
            *covered +=
                if values_cover(&thresholds, &margins, &shared, method, n)? { weight } else { 0.0 };
        }
    }
    // 5%, and three standard errors of the simulation.
    let most = 5.0 + 300.0 * (0.05 * 0.95 / studies as f64).sqrt();
    let fewest = 100.0 - most;
    let worst = ours.wrong.max(fixed.wrong);
    let covered = ours.covered.min(fixed.covered).min(values[0]).min(values[1]);
    if worst > most || covered < fewest {
        return Err(format!("{}: {ours:?}, {fixed:?}, {values:?}", study.name));
    }
    let watched =
        |ends: Ends| format!("{:.1} / {:.1} / {:.0}", ends.wrong, ends.decided, ends.executions);
    Ok([
        study.name.to_string(),
        watched(ours),
        watched(each),
        format!("{:.1} / {:.1}", fixed.wrong, fixed.decided),
        format!("{:.1}", ours.covered),
        format!("{:.1} / {:.1}", values[0], values[1]),
    ])
}

/// By how much each execution satisfies each property: standard normal above a threshold.
fn executions(study: &Study, thresholds: &[f64], rng: &mut Generator) -> Vec<Vec<f64>> {
    let (centre, scale) = (Population::Normal.quantile(0.5), Population::Normal.scale());
    let draw = |rng: &mut Generator| (Population::Normal.draw(rng) - centre) / scale;
    let (common, own) = (study.alike.abs().sqrt(), (1.0 - study.alike.abs()).sqrt());
    (0..BUDGET)
        .map(|_| {
            let shared = draw(rng);
            let margin = |(place, threshold): (usize, &f64)| {
                let sign = if study.alike < 0.0 && place % 2 == 1 { -1.0 } else { 1.0 };
                threshold - (sign * common * shared + own * draw(rng))
            };
            thresholds.iter().enumerate().map(margin).collect()
        })
        .collect()
}

/// The margin of a value of 0.
fn threshold(study: &Study, place: usize) -> f64 {
    let p = (study.share)(place);
    (Population::Normal.quantile(p) - Population::Normal.quantile(0.5)) / Population::Normal.scale()
}

fn question(error: &SharedError, method: Method) -> Result<ProportionQuestion, String> {
    let probability = Probability::new(F).map_err(|error| error.to_string())?;
    Ok(ProportionQuestion { probability, confidence: error.of_interval(), method })
}

fn outcome(margin: f64) -> ExecutionOutcome {
    if margin > 0.0 { ExecutionOutcome::True } else { ExecutionOutcome::False }
}

/// Looks after every execution; how many there were.
fn watch(
    study: &Study,
    margins: &[Vec<f64>],
    error: &SharedError,
    ends: &mut Ends,
    weight: f64,
) -> Result<usize, String> {
    let question = question(error, Method::Anytime)?;
    let course = || CheckCourse::one_of_several(question, BUDGET, VacuousRule::True, 0.05);
    let courses: Result<Vec<CheckCourse>, _> = (0..QUESTIONS).map(|_| course()).collect();
    let mut courses = courses.map_err(|error| error.to_string())?;
    let mut executions = 0;
    for execution in margins {
        executions += 1;
        for (course, &margin) in courses.iter_mut().zip(execution) {
            course.feed_with_margin(outcome(margin), Some(margin));
        }
        let mut all: Vec<&mut CheckCourse> = courses.iter_mut().collect();
        settle(&mut all, error).map_err(|error| error.to_string())?;
        if courses.iter().all(CheckCourse::is_settled) {
            break;
        }
    }
    let summaries: Vec<_> = courses.iter().map(CheckCourse::summary).collect();
    ends.add(study, summaries.iter().map(|one| (one.verdict, one.interval)), executions, weight);
    Ok(executions)
}

/// Looks once.
fn look(
    study: &Study,
    margins: &[Vec<f64>],
    error: &SharedError,
    ends: &mut Ends,
    weight: f64,
) -> Result<(), String> {
    let question = question(error, Method::Exact)?;
    let given: Vec<GivenOutcomes> = (0..QUESTIONS)
        .map(|place| {
            let margins = margins.iter().take(ROWS).filter_map(|execution| execution.get(place));
            let outcomes = margins.map(|&margin| (outcome(margin), Some(margin)));
            GivenOutcomes::of(outcomes, question, VacuousRule::True)
        })
        .collect();
    let summaries = decide_together(&given, error).map_err(|error| error.to_string())?;
    ends.add(study, summaries.iter().map(|one| (one.verdict, one.interval)), ROWS, weight);
    Ok(())
}

impl Ends {
    fn add(
        &mut self,
        study: &Study,
        found: impl Iterator<Item = (CheckVerdict, fathom_stats::Interval)>,
        executions: usize,
        weight: f64,
    ) {
        let (mut is_wrong, mut is_covered, mut decided) = (false, true, 0);
        for (place, (verdict, interval)) in found.enumerate() {
            let share = (study.share)(place);
            is_wrong |= match verdict {
                CheckVerdict::True => share < F,
                CheckVerdict::False => share >= F,
                CheckVerdict::Inconclusive => false,
            };
            is_covered &= interval.contains(share);
            decided += usize::from(verdict != CheckVerdict::Inconclusive);
        }
        self.wrong += if is_wrong { weight } else { 0.0 };
        self.covered += if is_covered { weight } else { 0.0 };
        self.decided += weight * decided as f64 / QUESTIONS as f64;
        self.executions += weight / 100.0 * executions as f64;
    }
}

/// Whether the intervals of all margins' 90th percentiles cover.
fn values_cover(
    thresholds: &[f64],
    margins: &[Vec<f64>],
    error: &SharedError,
    method: ValueMethod,
    n: usize,
) -> Result<bool, String> {
    let probability = Probability::new(F).map_err(|error| error.to_string())?;
    let confidence = error.of_interval();
    let question = ValueQuestion { probability, confidence, direction: Direction::AtMost, method };
    let centre = Population::Normal.quantile(0.5);
    let above = (Population::Normal.quantile(F) - centre) / Population::Normal.scale();
    Ok(thresholds.iter().enumerate().all(|(place, threshold)| {
        let values = margins.iter().take(n).filter_map(|execution| execution.get(place));
        let values: Vec<Bounds> = values.map(|&margin| Bounds::exactly(margin)).collect();
        question.answer(&values).interval.contains(threshold + above)
    }))
}
