//! What samples are worth that depend on each other, and what they would decide.

use super::{Counts, ProportionQuestion, VerdictLevels};
use fathom_stats::Probability;
use fathom_stats::dependence::Alike;
use fathom_stats::proportion::Decision;

/// How alike samples that follow each other are, by the margins of a question's executions: at least
/// F of all are true where the (1 − F)-quantile of their margins is on the right side.
pub(super) fn alike(margins: &[f64], question: ProportionQuestion) -> Option<Alike> {
    let share = Probability::new(1.0 - question.probability.get()).ok()?;
    Alike::of(margins, share, question.confidence.alpha())
}

/// The fewest and the most successes among as many samples as these are worth.
pub(super) fn scaled(counts: &Counts, worth: usize) -> (usize, usize) {
    let share = worth as f64 / counts.samples().max(1) as f64;
    let fewest = (counts.counted_true() as f64 * share + 1e-9).floor() as usize;
    let most = (counts.possibly_true() as f64 * share - 1e-9).ceil() as usize;
    (fewest.min(worth), most.min(worth))
}

/// What as many independent samples as these are worth would decide, at one look.
pub(super) fn decision_by_worth(
    counts: &Counts,
    question: ProportionQuestion,
    alike: &Alike,
) -> Option<Decision> {
    let worth = alike.worth(counts.samples());
    let (fewest, most) = scaled(counts, worth);
    let rule = question.fixed_rule(worth).ok()?;
    match rule.decision(fewest, worth) {
        Some(Decision::Positive) => Some(Decision::Positive),
        _ => rule.decision(most, worth).filter(|&decision| decision == Decision::Negative),
    }
}

/// The question with the confidence of the decision that the samples point to.
pub(super) fn aimed_at(
    levels: VerdictLevels,
    counts: &Counts,
    question: ProportionQuestion,
) -> ProportionQuestion {
    let expected = question.probability.get() * counts.samples() as f64;
    let decision = match counts.counted_true() as f64 > expected {
        true => Decision::Positive,
        false => Decision::Negative,
    };
    levels.question(decision, question)
}
