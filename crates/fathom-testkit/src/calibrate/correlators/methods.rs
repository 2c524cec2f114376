//! What ranks the metrics.

use super::labels::Label;
use super::{agreement::agreement, shapes::Shape};
use crate::population::generator;
use fathom_explain::change::{self, ChangeJudge};
use fathom_explain::rank::combined::{Evidence, combine};
use fathom_explain::segment::despike;
use fathom_explain::shape::ShapeJudge;
use fathom_explain::{Correlator, NoAnswer, Question, Sequence, correlate};
use std::ops::Range;

/// A way to rank, ours or one that is here for comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Ours(Correlator),
    /// The drawn pattern against metrics without their spikes.
    ManualDespiked,
    /// The automatic pattern against metrics without their spikes.
    AutoDespiked,
    /// Same splits with the paper's score: the inverse of the error, in the metric's unit.
    SameSplitsUnscaled,
}

impl Method {
    /// All of them, in the order of the table.
    pub(super) fn all() -> Vec<Method> {
        let ours = Correlator::ALL.into_iter().map(Method::Ours);
        let others = [Method::ManualDespiked, Method::AutoDespiked, Method::SameSplitsUnscaled];
        ours.chain(others).collect()
    }

    pub(super) fn name(self) -> String {
        match self {
            Method::Ours(correlator) => correlator.to_string(),
            Method::ManualDespiked => "manual_pattern, despiked".to_string(),
            Method::AutoDespiked => "auto_pattern, despiked".to_string(),
            Method::SameSplitsUnscaled => "same_splits, 1/SSE".to_string(),
        }
    }

    /// The score of each metric; an error if there is none for any.
    fn scores(
        self,
        question: &Question,
        metrics: &[Sequence],
    ) -> Result<Vec<Option<f64>>, NoAnswer> {
        let calm = || metrics.iter().map(despike).collect::<Vec<Sequence>>();
        match self {
            Method::Ours(Correlator::Combined) => combined(question, metrics),
            Method::Ours(Correlator::ShapeScore) => {
                let judge = ShapeJudge::new(question)?;
                Ok(metrics.iter().map(|metric| Some(judge.evidence(metric)?.z)).collect())
            }
            Method::Ours(correlator) => judged(correlator, question, metrics),
            Method::ManualDespiked => judged(Correlator::ManualPattern, question, &calm()),
            Method::AutoDespiked => judged(Correlator::AutoPattern, question, &calm()),
            Method::SameSplitsUnscaled => {
                let shares = judged(Correlator::SameSplits, question, metrics)?;
                let inverse = |(metric, share): (&Sequence, Option<f64>)| {
                    Some(1.0 / ((1.0 - share?) * spread(metric, &question.windows)))
                };
                Ok(metrics.iter().zip(shares).map(inverse).collect())
            }
        }
    }
}

/// The scores of a correlator that sees one metric at a time.
fn judged(
    correlator: Correlator,
    question: &Question,
    metrics: &[Sequence],
) -> Result<Vec<Option<f64>>, NoAnswer> {
    let judge = match correlator {
        Correlator::NSigma
        | Correlator::Volume
        | Correlator::KsLevels
        | Correlator::KsDifferences
        | Correlator::Baro
        | Correlator::ChangeScore => change::prepare(correlator, question)?,
        _ => correlate::prepare(correlator, question)?,
    };
    Ok(metrics.iter().map(|metric| judge.judge(metric).map(|score| score.value())).collect())
}

/// The combined rank: the first has the highest score, and what there is no evidence of has none.
fn combined(question: &Question, metrics: &[Sequence]) -> Result<Vec<Option<f64>>, NoAnswer> {
    let (change, shape) = (ChangeJudge::new(question), ShapeJudge::new(question));
    if let (Err(why), Err(_)) = (&change, &shape) {
        return Err(why.clone());
    }
    let changed = |metric: &Sequence| change.as_ref().ok().and_then(|judge| judge.evidence(metric));
    let follows = |metric: &Sequence| shape.as_ref().ok().and_then(|judge| judge.evidence(metric));
    let evidence = |metric: &Sequence| Evidence { change: changed(metric), shape: follows(metric) };
    let evidence: Vec<Evidence> = metrics.iter().map(evidence).collect();
    let mut scores = vec![None; metrics.len()];
    let order = combine(changed(&question.target).as_ref(), &evidence);
    for (place, placed) in order.iter().enumerate() {
        let known = |known: &Evidence| known.change.is_some() || known.shape.is_some();
        if evidence.get(placed.index).is_some_and(known) {
            scores[placed.index] = Some(-(place as f64));
        }
    }
    Ok(scores)
}

/// The sum of squares about the mean of each window.
fn spread(metric: &Sequence, windows: &[Range<usize>]) -> f64 {
    let within = |window: &Range<usize>| {
        let rows = metric.rows(window.clone());
        let mean = rows.seen().sum::<f64>() / rows.count() as f64;
        rows.seen().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    windows.iter().map(within).sum()
}

/// How well each method agrees with the labels of one data set; `None` if it has nothing to say.
pub(super) fn agreements(
    shape: Shape,
    metrics: usize,
    (seed, cell): (u64, u64),
) -> Option<Vec<Option<f64>>> {
    let mut rng = generator(seed, cell);
    let scene = shape.draw(&mut rng);
    let question = scene.question(&mut rng)?;
    let labels = Label::of(metrics);
    let metrics: Vec<Sequence> =
        labels.iter().map(|label| label.metric(&scene, &mut rng)).collect();
    let agreed = |method: Method| {
        let scores = method.scores(&question, &metrics).ok()?;
        Some(agreement(&labels, &scores))
    };
    Some(Method::all().into_iter().map(agreed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(shape: Shape) -> Vec<(Method, Option<f64>)> {
        let agreements = agreements(shape, 60, (11, 3)).unwrap();
        Method::all().into_iter().zip(agreements).collect()
    }

    #[test]
    fn whoever_has_an_answer_ranks_and_the_others_need_a_baseline() {
        for (method, agreement) in found(Shape::GrowthWhole) {
            let changes = matches!(
                method,
                Method::Ours(correlator) if correlator.family() == fathom_explain::Family::Change
            );
            assert_eq!(agreement.is_none(), changes, "{method:?}");
        }
        for (method, agreement) in found(Shape::Wave) {
            let agreement = agreement.unwrap();
            assert!((-1.0..=1.0).contains(&agreement), "{method:?} {agreement}");
        }
    }

    #[test]
    fn euclidean_distance_ranks_as_pearson_and_a_drawn_pattern_finds_the_yes() {
        let found = found(Shape::Wave);
        let of = |wanted: Correlator| {
            let mut all = found.iter();
            all.find(|(method, _)| *method == Method::Ours(wanted)).unwrap().1.unwrap()
        };
        assert_eq!(of(Correlator::Euclidean), of(Correlator::Pearson));
        assert!(of(Correlator::ManualPattern) > 0.5, "{}", of(Correlator::ManualPattern));
    }
}
