//! What is known of all metrics of a question.

use fathom_explain::change::{self, ChangeEvidence, ChangeJudge};
use fathom_explain::rank::combined::Evidence;
use fathom_explain::shape::ShapeJudge;
use fathom_explain::{Correlator, Family, Question, Sequence, correlate};

/// How the target changed, and the evidence on each metric.
pub(super) struct Panel {
    pub(super) target: Option<ChangeEvidence>,
    pub(super) evidence: Vec<Evidence>,
}

impl Panel {
    pub(super) fn of(question: &Question, metrics: &[Sequence]) -> Panel {
        let (change, shape) = (ChangeJudge::new(question).ok(), ShapeJudge::new(question).ok());
        let change = |metric: &Sequence| change.as_ref()?.evidence(metric);
        let shape = |metric: &Sequence| shape.as_ref()?.evidence(metric);
        let evidence = |metric| Evidence { change: change(metric), shape: shape(metric) };
        Panel { target: change(&question.target), evidence: metrics.iter().map(evidence).collect() }
    }
}

/// The scores of one correlator; an error says why it has none.
pub(super) fn scores(
    correlator: Correlator,
    question: &Question,
    metrics: &[Sequence],
) -> Result<Vec<Option<f64>>, String> {
    let judge = match correlator.family() {
        Family::Change => change::prepare(correlator, question),
        Family::Shape | Family::Both => correlate::prepare(correlator, question),
    };
    let judge = judge.map_err(|error| error.to_string())?;
    Ok(metrics.iter().map(|metric| judge.judge(metric).map(|score| score.value())).collect())
}
