//! Outcomes one by one, until they decide.

use super::summary::{Standing, Summary, promised_error, sequential_error_bound};
use super::{Counts, Method, Outcome, Question, VacuousRule, Verdict};
use fathom_stats::proportion::{Boundaries, Decision, IndifferenceError, Plan, Rule};

/// Outcomes fed in launch order, and what they decide.
///
/// ```
/// use fathom_property::decide::{Course, Method, Outcome, Question, VacuousRule, Verdict};
/// use fathom_stats::{Confidence, Probability};
/// let question = Question {
///     probability: Probability::new(0.9)?,
///     confidence: Confidence::DEFAULT,
///     method: Method::Anytime,
/// };
/// let mut course = Course::new(question, 1000, VacuousRule::True)?;
/// let verdict = std::iter::repeat_with(|| course.feed(Outcome::True)).flatten().next();
/// assert_eq!(verdict, Some(Verdict::True));
/// assert_eq!(course.summary().decided_at, Some(43));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Course {
    question: Question,
    rule: Rule,
    budget: usize,
    boundaries: Boundaries,
    counts: Counts,
    decision: Option<Decision>,
    ignored: usize,
    error_bound: f64,
}

impl Course {
    /// Nothing fed yet. The budget is the most samples that count; an error if the indifference
    /// does not fit the probability.
    pub fn new(
        question: Question,
        budget: usize,
        vacuous_rule: VacuousRule,
    ) -> Result<Course, IndifferenceError> {
        let rule = question.sequential_rule(budget)?;
        Ok(Course {
            question,
            rule,
            budget,
            boundaries: rule.boundaries(),
            counts: Counts::new(vacuous_rule),
            decision: None,
            ignored: 0,
            error_bound: sequential_error_bound(question, rule, budget),
        })
    }

    /// Feeds the outcome of the next execution in launch order. `Some` as soon as there is a
    /// verdict: true or false, or inconclusive when the budget is used up. What comes after that
    /// changes nothing and is counted apart.
    pub fn feed(&mut self, outcome: Outcome) -> Option<Verdict> {
        if self.verdict().is_some() {
            self.ignored += 1;
            return self.verdict();
        }
        if self.counts.add(outcome)
            && let Some(limits) = self.boundaries.next()
        {
            // Unknown outcomes count against either decision. Had they been known, the decision
            // would have been reached no later: it is an error no more often.
            self.decision =
                limits.decision(self.counts.counted_true(), self.counts.possibly_true());
        }
        self.verdict()
    }

    /// The verdict, if there is one.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        match self.decision {
            Some(decision) => Some(decision.into()),
            None if self.counts.samples() >= self.budget => Some(Verdict::Inconclusive),
            None => None,
        }
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
    pub fn plan(&self) -> Plan {
        Plan::new(self.rule, self.budget)
    }

    /// How things stand. Without a verdict, as when sampling is interrupted, it is inconclusive.
    #[must_use]
    pub fn summary(&self) -> Summary {
        // An exact test that was interrupted has not come to its look.
        let is_one_look =
            self.question.method == Method::Exact && self.counts.samples() == self.budget;
        Summary::from(Standing {
            question: self.question,
            rule: self.rule,
            is_one_look,
            error_bound: self.error_bound,
            counts: self.counts,
            decision: self.decision,
            ignored: self.ignored,
        })
    }
}

/// The verdict on outcomes that are all there already, as from files. Their order does not matter.
/// An error if the indifference does not fit the probability.
pub fn decide_fixed(
    outcomes: impl IntoIterator<Item = Outcome>,
    question: Question,
    vacuous_rule: VacuousRule,
) -> Result<Summary, IndifferenceError> {
    let mut counts = Counts::new(vacuous_rule);
    for outcome in outcomes {
        counts.add(outcome);
    }
    let rule = question.fixed_rule(counts.samples())?;
    let decide = |successes| rule.decision(successes, counts.samples());
    let decision = match decide(counts.counted_true()) {
        Some(Decision::Positive) => Some(Decision::Positive),
        _ => decide(counts.possibly_true()).filter(|&decision| decision == Decision::Negative),
    };
    Ok(Summary::from(Standing {
        question,
        rule,
        is_one_look: matches!(question.method, Method::Exact | Method::Spa),
        error_bound: promised_error(question),
        counts,
        decision,
        ignored: 0,
    }))
}
