//! Outcomes one by one, until they decide.

use super::summary::{CheckSummary, Standing, promised_error, sequential_error_bound};
use super::{CheckVerdict, Counts, ExecutionOutcome, Method, ProportionQuestion, VacuousRule};
use fathom_stats::Probability;
use fathom_stats::dependence::Alike;
use fathom_stats::proportion::{
    Boundaries, Decision, IndifferenceError, Rule, SampleSizePlan, further_samples,
};

/// Outcomes fed in launch order, and what they decide.
///
/// ```
/// use fathom_property::decide::{CheckCourse, Method, ExecutionOutcome, ProportionQuestion, VacuousRule, CheckVerdict};
/// use fathom_stats::{Confidence, Probability};
/// let question = ProportionQuestion {
///     probability: Probability::new(0.9)?,
///     confidence: Confidence::DEFAULT,
///     method: Method::Anytime,
/// };
/// let mut course = CheckCourse::new(question, 1000, VacuousRule::True)?;
/// let verdict = std::iter::repeat_with(|| course.feed(ExecutionOutcome::True)).flatten().next();
/// assert_eq!(verdict, Some(CheckVerdict::True));
/// assert_eq!(course.summary().decided_at, Some(43));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CheckCourse {
    question: ProportionQuestion,
    rule: Rule,
    budget: usize,
    boundaries: Boundaries,
    counts: Counts,
    decision: Option<Decision>,
    ignored: usize,
    error_bound: f64,
    /// By how much each sample is true, where that is known, in their order.
    margins: Vec<f64>,
    /// Samples that depend on each other are worth less, and a decision that rests on them is put
    /// off to here.
    put_off_to: usize,
    /// Whether they are worth so little that the budget cannot be enough.
    is_hopeless: bool,
}

/// A decision that was put off is looked at again when there are this many times more samples.
const PUT_OFF: f64 = 1.1;
/// The check does not give up before this part of the budget is used: the effective size of few
/// samples is too rough an estimate. 100 with a correlation of .6 can look worth one, and 400 of them
/// decide.
const PART_TO_GIVE_UP: usize = 3;

impl CheckCourse {
    /// Nothing fed yet. The budget is the most samples that count; an error if the indifference
    /// does not fit the probability.
    pub fn new(
        question: ProportionQuestion,
        budget: usize,
        vacuous_rule: VacuousRule,
    ) -> Result<CheckCourse, IndifferenceError> {
        let rule = question.sequential_rule(budget)?;
        Ok(CheckCourse {
            question,
            rule,
            budget,
            boundaries: rule.boundaries(),
            counts: Counts::new(vacuous_rule),
            decision: None,
            ignored: 0,
            error_bound: sequential_error_bound(question, rule, budget),
            margins: Vec::new(),
            put_off_to: 0,
            is_hopeless: false,
        })
    }

    /// Feeds the outcome of the next execution in launch order. `Some` as soon as there is a
    /// verdict: true or false, or inconclusive when the budget is used up. What comes after that
    /// changes nothing and is counted apart.
    pub fn feed(&mut self, outcome: ExecutionOutcome) -> Option<CheckVerdict> {
        self.feed_with_margin(outcome, None)
    }

    /// Like [`CheckCourse::feed`], with the margin by which the property is true (below 0: false).
    /// Where margins that follow each other are evidently alike, samples count for less, and a
    /// decision is put off until it holds for what they are worth.
    ///
    /// That only ever puts decisions off, to a moment at which independent samples would decide
    /// as well: so the error of the rule bounds that of this one.
    pub fn feed_with_margin(
        &mut self,
        outcome: ExecutionOutcome,
        margin: Option<f64>,
    ) -> Option<CheckVerdict> {
        if self.verdict().is_some() {
            self.ignored += 1;
            return self.verdict();
        }
        if self.counts.add(outcome) {
            self.margins.extend(margin.filter(|margin| !margin.is_nan()));
            if let Some(limits) = self.boundaries.next() {
                // Unknown outcomes count against either decision. Had they been known, the decision
                // would have been reached no later: it is an error no more often.
                let decision =
                    limits.decision(self.counts.counted_true(), self.counts.possibly_true());
                self.decision = decision.filter(|&decision| self.holds_by_worth(decision));
            }
        }
        self.verdict()
    }

    /// Whether a decision holds for what the samples are worth; if not, it is put off.
    fn holds_by_worth(&mut self, decision: Decision) -> bool {
        let samples = self.counts.samples();
        if samples < self.put_off_to && samples < self.budget {
            return false;
        }
        let Some(alike) = alike(&self.margins, self.question) else { return true };
        if decision_by_worth(&self.counts, self.question, &alike) == Some(decision) {
            return true;
        }
        self.put_off_to = (samples as f64 * PUT_OFF).ceil() as usize;
        let worth = alike.worth(samples).max(1);
        let (fewest, most) = scaled(&self.counts, worth);
        let needed = further_samples(self.rule, fewest, most, worth)
            .map(|further| alike.samples_worth(worth + further));
        let is_out_of_reach = needed.is_none_or(|needed| needed / 2 > self.budget);
        self.is_hopeless = samples >= self.budget / PART_TO_GIVE_UP && is_out_of_reach;
        false
    }

    /// The verdict, if there is one.
    #[must_use]
    pub fn verdict(&self) -> Option<CheckVerdict> {
        match self.decision {
            Some(decision) => Some(decision.into()),
            None if self.is_hopeless || self.counts.samples() >= self.budget => {
                Some(CheckVerdict::Inconclusive)
            }
            None => None,
        }
    }

    /// Whether samples are worth so little, because they depend on each other, that the budget
    /// cannot be enough.
    #[must_use]
    pub fn is_hopeless(&self) -> bool {
        self.is_hopeless
    }

    /// How many more samples may count: none once there is a verdict.
    #[must_use]
    pub fn left(&self) -> usize {
        match self.verdict() {
            Some(_) => 0,
            None => self.budget - self.counts.samples(),
        }
    }

    /// What was counted so far.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// What to expect before the first sample.
    #[must_use]
    pub fn plan(&self) -> SampleSizePlan {
        SampleSizePlan::new(self.rule, self.budget)
    }

    /// How things stand. Without a verdict, as when sampling is interrupted, it is inconclusive.
    #[must_use]
    pub fn summary(&self) -> CheckSummary {
        // An exact test that was interrupted has not come to its look.
        let is_one_look =
            self.question.method == Method::Exact && self.counts.samples() == self.budget;
        CheckSummary::from(Standing {
            question: self.question,
            rule: self.rule,
            is_one_look,
            error_bound: self.error_bound,
            counts: self.counts,
            decision: self.decision,
            ignored: self.ignored,
            alike: alike(&self.margins, self.question),
        })
    }
}

/// How alike samples that follow each other are, by the margins of a question's executions: at least
/// F of all are true where the (1 − F)-quantile of their margins is on the right side.
fn alike(margins: &[f64], question: ProportionQuestion) -> Option<Alike> {
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
fn decision_by_worth(
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
    let mut counts = Counts::new(vacuous_rule);
    let mut margins = Vec::new();
    for (outcome, margin) in outcomes {
        if counts.add(outcome) {
            margins.extend(margin.filter(|margin| !margin.is_nan()));
        }
    }
    let rule = question.fixed_rule(counts.samples())?;
    let alike = alike(&margins, question);
    let decide = |successes| rule.decision(successes, counts.samples());
    let decision = match &alike {
        Some(alike) => decision_by_worth(&counts, question, alike),
        None => match decide(counts.counted_true()) {
            Some(Decision::Positive) => Some(Decision::Positive),
            _ => decide(counts.possibly_true()).filter(|&decision| decision == Decision::Negative),
        },
    };
    Ok(CheckSummary::from(Standing {
        question,
        rule,
        is_one_look: matches!(question.method, Method::Exact | Method::Spa),
        error_bound: promised_error(question),
        counts,
        decision,
        ignored: 0,
        alike,
    }))
}
