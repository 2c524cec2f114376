//! Cells of a study compared with those of a baseline, or averaged where the estimate is a ratio itself.

use super::grid::GridBaseline;
use super::judge::Judge;
use super::panel::Panel;
use super::prepared::PreparedCheck;
use fathom_property::decide::ErrorSharing;
use fathom_property::{
    Bounds, CellRatio, ComparisonMethod, JointReport, Judged, JudgedAs, PropertyAnswer, Study,
    StudyComparison, ValueAnswer, ValueMethod, ValueQuestion,
};
use fathom_stats::quantile::{QuantileFactor, QuantileSample, geometric_mean};
use fathom_stats::{Confidence, Interval};

/// An estimate in a cell.
struct CellEstimate<'a> {
    judge: &'a Judge,
    question: ValueQuestion,
    answer: ValueAnswer,
}

/// Two cells whose estimates are compared, or one alone.
struct Pairing {
    cell: usize,
    baseline: Option<usize>,
}

/// The comparisons of a study.
pub(super) fn comparisons(
    check: &PreparedCheck<'_>,
    panel: &Panel,
    joint: &JointReport,
    study: &Study,
) -> Vec<StudyComparison> {
    let baseline = check.grid().and_then(|grid| grid.baseline);
    let mut planned = Vec::new();
    for question in 0..study.questions_of_cell() {
        let Some(estimate) = estimate(panel, joint, study, question, 0) else { continue };
        let is_tuple = estimate.judge.tuple().len() > 1;
        match (baseline, is_tuple) {
            // What compares systems is a ratio already.
            (_, true) => planned.push((question, None, 0, alone(study))),
            (Some(GridBaseline { axis, value }), false) => {
                let values = study.axes.get(axis).map_or(0, |axis| axis.values.len());
                for other in (0..values).filter(|&other| other != value) {
                    let pairings = pairings(study, axis, other, value);
                    planned.push((question, Some(axis), other, pairings));
                }
            }
            (None, false) => {}
        }
    }
    planned.retain(|(_, axis, _, pairings)| axis.is_some() || pairings.len() > 1);
    // Each ratio, and their mean where there are several.
    let of_one = |count: usize| count + usize::from(count > 1);
    let intervals: usize = planned.iter().map(|(.., pairings)| of_one(pairings.len())).sum();
    let all = joint.first.confidence;
    let confidence = match joint.sharing {
        ErrorSharing::PerQuestion => all,
        ErrorSharing::Shared => {
            let part = all.alpha() / intervals.max(1) as f64;
            Confidence::new(1.0 - part).unwrap_or(all)
        }
    };
    let compared = Compared { panel, joint, study, confidence, seed: check.seed() };
    let one = |(question, axis, value, pairings): (usize, Option<usize>, usize, Vec<Pairing>)| {
        let baseline = axis.and(baseline).map_or(0, |baseline| baseline.value);
        compared.comparison(question, axis, [value, baseline], &pairings)
    };
    planned.into_iter().filter_map(one).collect()
}

fn alone(study: &Study) -> Vec<Pairing> {
    (0..study.cells.len()).map(|cell| Pairing { cell, baseline: None }).collect()
}

/// The cells with a value on an axis, each with the one that differs from it in nothing else.
fn pairings(study: &Study, axis: usize, value: usize, baseline: usize) -> Vec<Pairing> {
    let of_baseline = |values: &[usize]| {
        let mut wanted = values.to_vec();
        if let Some(place) = wanted.get_mut(axis) {
            *place = baseline;
        }
        study.cells.iter().position(|other| other.values == wanted)
    };
    let cells = study.cells.iter().enumerate();
    cells
        .filter(|(_, cell)| cell.values.get(axis) == Some(&value))
        .map(|(cell, of)| Pairing { cell, baseline: of_baseline(&of.values) })
        .collect()
}

/// An estimate in a cell, if that question is one.
fn estimate<'a>(
    panel: &'a Panel,
    joint: &JointReport,
    study: &Study,
    question: usize,
    cell: usize,
) -> Option<CellEstimate<'a>> {
    let place = cell * study.questions_of_cell() + question;
    let judge = panel.judges().get(place)?;
    match &joint.questions().nth(place)?.answer {
        PropertyAnswer::Value { question, value, .. } => {
            Some(CellEstimate { judge, question: *question, answer: *value })
        }
        PropertyAnswer::Verdict { .. } => None,
    }
}

/// What all comparisons have in common.
struct Compared<'a> {
    panel: &'a Panel,
    joint: &'a JointReport,
    study: &'a Study,
    confidence: Confidence,
    seed: u64,
}

impl Compared<'_> {
    fn comparison(
        &self,
        question: usize,
        axis: Option<usize>,
        [value, baseline]: [usize; 2],
        pairings: &[Pairing],
    ) -> Option<StudyComparison> {
        let of = |cell: usize| estimate(self.panel, self.joint, self.study, question, cell);
        let mut compared = Vec::new();
        for pairing in pairings {
            let other = match pairing.baseline {
                Some(cell) => Some(of(cell)?),
                None => None,
            };
            compared.push((of(pairing.cell)?, other));
        }
        let all = || compared.iter().flat_map(|(one, other)| [Some(one), other.as_ref()]).flatten();
        // Ranks are right for a number of executions that was fixed beforehand, all independent.
        let is_fixed = |it: &CellEstimate<'_>| {
            it.question.method == ValueMethod::Exact && it.answer.dependence.is_none()
        };
        let method = match all().all(is_fixed) {
            true => ComparisonMethod::Ranks,
            false => ComparisonMethod::Ends,
        };
        let is_paired = axis.is_some()
            && self.study.shares_seeds
            && method == ComparisonMethod::Ranks
            && compared.iter().all(|(one, other)| {
                other.as_ref().is_some_and(|other| pairs(one.judge, other.judge).is_some())
            });
        let interval = |compared: &[(CellEstimate<'_>, Option<CellEstimate<'_>>)]| match method {
            ComparisonMethod::Ranks => {
                let factors =
                    compared.iter().map(|(one, other)| factor(one, other.as_ref(), is_paired));
                geometric_mean(&factors.collect::<Vec<_>>(), self.confidence, self.seed)
            }
            ComparisonMethod::Ends => self.by_ends(compared),
        };
        let found: Vec<Option<f64>> =
            compared.iter().map(|(one, other)| ratio(one, other.as_ref())).collect();
        let ratios =
            pairings.iter().zip(compared.chunks(1)).zip(&found).map(|((pairing, one), found)| {
                CellRatio {
                    cell: pairing.cell,
                    baseline: pairing.baseline,
                    ratio: *found,
                    interval: interval(one),
                }
            });
        let ratios: Vec<CellRatio> = ratios.collect();
        let known: Option<Vec<f64>> = found.into_iter().collect();
        let mean = known
            .filter(|all| all.len() > 1)
            .map(|all| (all.iter().map(|ratio| ratio.ln()).sum::<f64>() / all.len() as f64).exp());
        Some(StudyComparison {
            question,
            axis,
            value,
            baseline,
            interval: if ratios.len() > 1 { interval(&compared) } else { ratios.first()?.interval },
            ratios,
            mean,
            confidence: self.confidence,
            method,
            is_paired,
        })
    }

    /// From the ends of intervals of all cells that hold together.
    fn by_ends(&self, compared: &[(CellEstimate<'_>, Option<CellEstimate<'_>>)]) -> Interval {
        let count: usize = compared.iter().map(|(_, other)| 1 + usize::from(other.is_some())).sum();
        let part = self.confidence.alpha() / count.max(1) as f64;
        let confidence = Confidence::new(1.0 - part).unwrap_or(self.confidence);
        let ends = |it: &CellEstimate<'_>| {
            let question = ValueQuestion { confidence, ..it.question };
            let Interval { lower, upper } = question.answer(it.judge.values()).interval;
            let ln = |end: f64| if end > 0.0 { end.ln() } else { f64::NEG_INFINITY };
            (ln(lower), ln(upper))
        };
        let (mut low, mut high) = (0.0, 0.0);
        for (one, other) in compared {
            let (lower, upper) = ends(one);
            let (below, above) = other.as_ref().map_or((0.0, 0.0), ends);
            low += lower - above;
            high += upper - below;
        }
        let each = compared.len().max(1) as f64;
        Interval { lower: (low / each).exp(), upper: (high / each).exp() }
    }
}

fn ratio(one: &CellEstimate<'_>, other: Option<&CellEstimate<'_>>) -> Option<f64> {
    let positive = |it: &CellEstimate<'_>| it.answer.value.filter(|value| *value > 0.0);
    let below = match other {
        Some(other) => positive(other)?,
        None => 1.0,
    };
    Some(positive(one)? / below)
}

fn factor(
    one: &CellEstimate<'_>,
    other: Option<&CellEstimate<'_>>,
    is_paired: bool,
) -> QuantileFactor {
    let sample = |it: &CellEstimate<'_>| {
        let bounds = |value: &Bounds| Interval { lower: value.low, upper: value.high };
        QuantileSample::new(it.judge.values().iter().map(bounds), it.question.level())
    };
    match other {
        None => QuantileFactor::quantile(sample(one)),
        Some(other) => match pairs(one.judge, other.judge).filter(|_| is_paired) {
            Some(pairs) => QuantileFactor::ratio_of_pairs(&pairs, one.question.level()),
            None => QuantileFactor::ratio(sample(one), sample(other)),
        },
    }
}

/// The values of executions with the same seeds; `None` if one has no known value or no partner.
fn pairs(one: &Judge, other: &Judge) -> Option<Vec<(f64, f64)>> {
    let (one, other) = (one.judged(), other.judged());
    let value = |judged: &Judged| match &judged.result {
        JudgedAs::Value(bounds) => bounds.known(),
        _ => None,
    };
    let pair = |(one, other): (&Judged, &Judged)| {
        (one.seeds == other.seeds).then_some(())?;
        Some((value(one)?, value(other)?))
    };
    if one.len() != other.len() {
        return None;
    }
    one.iter().zip(other).map(pair).collect()
}
