//! Every correlator, prepared for one run.

use super::outline::Outline;
use crate::change::{self, ChangeEvidence, ChangeJudge};
use crate::onset::Onset;
use crate::rank::copies::Fingerprint;
use crate::rank::derived::{Derivation, Origin};
use crate::rank::exclusion::Exclusion;
use crate::rank::random_walk;
use crate::shape::{ShapeEvidence, ShapeJudge};
use crate::significance::{Past, PastChanges};
use crate::{Correlator, Judge, NoAnswer, Question, Score, Sequence, correlate};
use fathom_record::Span;

/// A correlator, or why it has nothing to say.
type Prepared<'q> = (Correlator, Result<Box<dyn Judge + 'q>, NoAnswer>);

pub(super) struct Panel<'q> {
    question: &'q Question,
    judges: Vec<Prepared<'q>>,
    change: Result<ChangeJudge, NoAnswer>,
    shape: Result<ShapeJudge, NoAnswer>,
    past_changes: PastChanges,
    origin: Origin,
    /// Tells the grids of runs apart.
    run: usize,
}

/// The evidence of one run on one metric.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    /// The index of the run.
    pub(super) run: usize,
    pub(super) scores: Vec<(Correlator, Score)>,
    pub(super) change: Option<ChangeEvidence>,
    pub(super) shape: Option<ShapeEvidence>,
    /// Where else it would have been evidence.
    pub(super) past: Option<Past>,
    pub(super) outline: Vec<Option<f64>>,
    pub(super) fingerprint: Option<Fingerprint>,
    pub(super) derived: Option<Derivation>,
    pub(super) is_random_walk: bool,
    /// When it began, if that is clear.
    pub(super) onset: Option<Onset>,
}

impl<'q> Panel<'q> {
    pub(super) fn new(run: usize, question: &'q Question) -> Panel<'q> {
        let judge = |correlator: Correlator| {
            let prepared = match correlator {
                Correlator::NSigma
                | Correlator::Volume
                | Correlator::KsLevels
                | Correlator::KsDifferences
                | Correlator::Baro => change::prepare(correlator, question),
                // These are made of evidence.
                Correlator::ChangeScore | Correlator::ShapeScore | Correlator::Combined => {
                    return None;
                }
                _ => correlate::prepare(correlator, question),
            };
            Some((correlator, prepared))
        };
        Panel {
            question,
            judges: Correlator::ALL.into_iter().filter_map(judge).collect(),
            change: ChangeJudge::new(question),
            shape: ShapeJudge::new(question),
            past_changes: PastChanges::new(question),
            origin: Origin::new(&question.target),
            run,
        }
    }

    /// Why correlators have nothing to say.
    pub(super) fn silent(&self) -> Vec<(Correlator, String)> {
        let judges = self.judges.iter().filter_map(|(correlator, judge)| {
            judge.as_ref().err().map(|why| (*correlator, why.0.clone()))
        });
        let change = self.change.as_ref().err().map(|why| (Correlator::ChangeScore, why.0.clone()));
        let shape = self.shape.as_ref().err().map(|why| (Correlator::ShapeScore, why.0.clone()));
        judges.chain(change).chain(shape).collect()
    }

    /// How the target itself changed.
    pub(super) fn target_change(&self) -> Option<ChangeEvidence> {
        self.change.as_ref().ok()?.evidence(&self.question.target)
    }

    /// When the target itself began to do what it does in the window.
    pub(super) fn target_onset(&self, sampled: Span) -> Option<Onset> {
        Onset::of(self.question, &self.question.target, sampled)
    }

    /// The evidence of a metric, which was sampled as often as `sampled` says.
    pub(super) fn score(
        &self,
        metric: &Sequence,
        sampled: Span,
        outline: Outline,
    ) -> Result<Scored, Exclusion> {
        if let Some(exclusion) = Exclusion::of(self.question, metric, false) {
            return Err(exclusion);
        }
        let judged = self.judges.iter().filter_map(|(correlator, judge)| {
            Some((*correlator, judge.as_ref().ok()?.judge(metric)?))
        });
        let change = self.change.as_ref().ok().and_then(|judge| judge.evidence(metric));
        let shape = self.shape.as_ref().ok().and_then(|judge| judge.weigh(metric));
        let changes = change.as_ref().map(|change| self.past_changes.of(metric, change));
        let (shape, shapes) = shape.unzip();
        Ok(Scored {
            run: self.run,
            scores: judged.collect(),
            change,
            shape,
            past: changes.into_iter().chain(shapes).reduce(Past::and),
            outline: outline.draw(self.question, metric),
            fingerprint: Fingerprint::of(self.run, metric),
            derived: self.origin.derivation(metric),
            is_random_walk: random_walk::wanders(self.question, metric),
            onset: Onset::of(self.question, metric, sampled),
        })
    }
}
