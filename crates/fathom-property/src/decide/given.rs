//! Outcomes that are all there already, as from files.

use super::shared_error::{SharedError, levels_after};
use super::summary::{CheckSummary, Standing, promised_error, promised_error_of};
use super::worth::{aimed_at, alike, decision_by_worth};
use super::{Counts, ExecutionOutcome, Method, ProportionQuestion, VacuousRule, VerdictLevels};
use fathom_stats::proportion::{Decision, IndifferenceError};

/// The verdict on outcomes that are all there already, as from files. Their order does not matter.
/// An error if the indifference does not fit the probability.
pub fn decide_fixed(
    outcomes: impl IntoIterator<Item = ExecutionOutcome>,
    question: ProportionQuestion,
    vacuous_rule: VacuousRule,
) -> Result<CheckSummary, IndifferenceError> {
    let outcomes = outcomes.into_iter().map(|outcome| (outcome, None));
    decide_in_order(outcomes, question, vacuous_rule)
}

/// Like [`decide_fixed`], with the margin by which the property is true of each, in their order:
/// where margins that follow each other are evidently alike, samples count for less.
pub fn decide_in_order(
    outcomes: impl IntoIterator<Item = (ExecutionOutcome, Option<f64>)>,
    question: ProportionQuestion,
    vacuous_rule: VacuousRule,
) -> Result<CheckSummary, IndifferenceError> {
    let given = GivenOutcomes::of(outcomes, question, vacuous_rule);
    let levels = VerdictLevels::both(question.confidence);
    let decision = given.decision(levels)?;
    given.summary(decision, levels, promised_error(question), true)
}

/// Verdicts on several properties from outcomes that are all there already. Each question has the
/// confidence of its interval; the verdicts share the error.
///
/// ```
/// use fathom_property::decide::{
///     CheckVerdict, ErrorSharing, ExecutionOutcome, GivenOutcomes, Method, ProportionQuestion,
///     SharedError, VacuousRule, decide_together,
/// };
/// use fathom_stats::{Confidence, Probability};
/// let error = SharedError::new(Confidence::DEFAULT, ErrorSharing::Shared, 2, 0)?;
/// let question = ProportionQuestion {
///     probability: Probability::P90,
///     confidence: error.of_interval(),
///     method: Method::Anytime,
/// };
/// let of = |n| {
///     let outcomes = std::iter::repeat_n((ExecutionOutcome::True, None), n);
///     GivenOutcomes::of(outcomes, question, VacuousRule::True)
/// };
/// // 43 would be enough for a question alone.
/// let summaries = decide_together(&[of(60), of(43)], &error)?;
/// assert_eq!(summaries[0].verdict, CheckVerdict::True);
/// assert_eq!(summaries[1].verdict, CheckVerdict::Inconclusive);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decide_together(
    given: &[GivenOutcomes],
    error: &SharedError,
) -> Result<Vec<CheckSummary>, IndifferenceError> {
    let mut decisions = vec![None; given.len()];
    let mut last = levels_after(error, &decisions);
    // A decision about one leaves more of the error for the others.
    loop {
        let before = decisions.clone();
        for (outcomes, decision) in given.iter().zip(&mut decisions) {
            if decision.is_none() {
                *decision = outcomes.decision(last)?;
            }
        }
        if decisions == before {
            break;
        }
        last = levels_after(error, &decisions);
    }
    let bound = promised_error_of(error.confidence());
    given
        .iter()
        .zip(decisions)
        .map(|(outcomes, decision)| outcomes.summary(decision, last, bound, false))
        .collect()
}

/// Outcomes about one property that are all there already.
#[derive(Debug, Clone)]
pub struct GivenOutcomes {
    question: ProportionQuestion,
    counts: Counts,
    margins: Vec<f64>,
}

impl GivenOutcomes {
    /// Outcomes in their order, with the margin by which the property is true of each.
    pub fn of(
        outcomes: impl IntoIterator<Item = (ExecutionOutcome, Option<f64>)>,
        question: ProportionQuestion,
        vacuous_rule: VacuousRule,
    ) -> GivenOutcomes {
        let mut counts = Counts::new(vacuous_rule);
        let mut margins = Vec::new();
        for (outcome, margin) in outcomes {
            if counts.add(outcome) {
                margins.extend(margin.filter(|margin| !margin.is_nan()));
            }
        }
        GivenOutcomes { question, counts, margins }
    }

    fn decision(&self, levels: VerdictLevels) -> Result<Option<Decision>, IndifferenceError> {
        let samples = self.counts.samples();
        for decision in [Decision::Positive, Decision::Negative] {
            let at = levels.question(decision, self.question);
            let made = match alike(&self.margins, at) {
                Some(alike) => decision_by_worth(&self.counts, at, &alike),
                None => {
                    let rule = at.fixed_rule(samples)?;
                    let successes = match decision {
                        Decision::Positive => self.counts.counted_true(),
                        Decision::Negative => self.counts.possibly_true(),
                    };
                    rule.decision(successes, samples)
                }
            };
            if made == Some(decision) {
                return Ok(made);
            }
        }
        Ok(None)
    }

    fn summary(
        &self,
        decision: Option<Decision>,
        levels: VerdictLevels,
        error_bound: f64,
        is_alone: bool,
    ) -> Result<CheckSummary, IndifferenceError> {
        let samples = self.counts.samples();
        let aim = aimed_at(levels, &self.counts, self.question);
        Ok(CheckSummary::from(Standing {
            question: self.question,
            rule: aim.fixed_rule(samples)?,
            is_one_look: matches!(self.question.method, Method::Exact | Method::Spa),
            error_bound,
            counts: self.counts,
            decision,
            decided_at: decision.map(|_| samples),
            is_alone,
            ignored: 0,
            alike: alike(&self.margins, self.question),
        }))
    }
}
