//! Outcomes one by one, until they decide.

use super::shared_error::{SharedError, levels_after};
use super::summary::{CheckSummary, Standing, sequential_error_bound};
use super::worth::{aimed_at, alike, decision_by_worth, scaled};
use super::{
    CheckVerdict, Counts, ExecutionOutcome, Method, ProportionQuestion, VacuousRule, VerdictLevels,
};
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
    /// How many samples there were when it was decided.
    decided_at: Option<usize>,
    ignored: usize,
    error_bound: f64,
    /// For one of several questions: the levels and the number of samples it was tested at last.
    among_several: Option<AmongSeveral>,
    /// By how much each sample is true, where that is known, in their order.
    margins: Vec<f64>,
    /// Samples that depend on each other are worth less, and a decision that rests on them is put
    /// off to here.
    put_off_to: usize,
    /// Whether they are worth so little that the budget cannot be enough.
    is_hopeless: bool,
}

/// What a course needs whose question is one of several.
#[derive(Debug, Clone, Copy, Default)]
struct AmongSeveral {
    tested: Option<(usize, VerdictLevels)>,
}

/// A decision that was put off is looked at again when there are this many times more samples.
const PUT_OFF: f64 = 1.1;
/// The check does not give up before this part of the budget is used: the effective size of few
/// samples is too rough an estimate. 100 with a correlation of .6 can look worth one, and 400 of them
/// decide.
const PART_TO_GIVE_UP: usize = 3;

/// Decides about several questions of the same executions what can be decided now. A verdict may leave
/// more of the error for the others. Whoever feeds the courses calls it after each execution.
///
/// # Errors
/// None in practice: the indifference fitted when the courses were made.
pub fn settle(
    courses: &mut [&mut CheckCourse],
    error: &SharedError,
) -> Result<(), IndifferenceError> {
    loop {
        let decisions: Vec<Option<Decision>> =
            courses.iter().map(|course| course.decision).collect();
        let levels = levels_after(error, &decisions);
        let mut has_changed = false;
        for (course, before) in courses.iter_mut().zip(decisions) {
            has_changed |= course.decide_at(levels)? != before;
        }
        if !has_changed {
            return Ok(());
        }
    }
}

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
            decided_at: None,
            ignored: 0,
            error_bound: sequential_error_bound(question, rule, budget),
            among_several: None,
            margins: Vec::new(),
            put_off_to: 0,
            is_hopeless: false,
        })
    }

    /// The same for one of several questions. Outcomes alone decide nothing then: after each
    /// execution [`settle`] tests the courses of all questions. Those after the
    /// decision count as well, because the executions go on for the other questions.
    ///
    /// The confidence of the question is that of its interval, and `error_bound` is the probability
    /// of a wrong verdict in all.
    pub fn one_of_several(
        question: ProportionQuestion,
        budget: usize,
        vacuous_rule: VacuousRule,
        error_bound: f64,
    ) -> Result<CheckCourse, IndifferenceError> {
        let among_several = Some(AmongSeveral::default());
        let course = CheckCourse::new(question, budget, vacuous_rule)?;
        Ok(CheckCourse { among_several, error_bound, ..course })
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
        if self.among_several.is_none() && self.verdict().is_some() {
            self.ignored += 1;
            return self.verdict();
        }
        if self.counts.add(outcome) {
            self.margins.extend(margin.filter(|margin| !margin.is_nan()));
            if self.among_several.is_some() {
                return self.verdict();
            }
            if let Some(limits) = self.boundaries.next() {
                // Unknown outcomes count against either decision. Had they been known, the decision
                // would have been reached no later: it is an error no more often.
                let decision =
                    limits.decision(self.counts.counted_true(), self.counts.possibly_true());
                let (question, rule) = (self.question, self.rule);
                self.decision =
                    decision.filter(|&decision| self.holds_by_worth(decision, question, rule));
                self.decided_at = self.decision.map(|_| self.counts.samples());
            }
        }
        self.verdict()
    }

    /// Tests one of several questions at these levels, which only fall. A decision stays.
    ///
    /// # Errors
    /// None in practice: the indifference fitted when the course was made.
    fn decide_at(&mut self, levels: VerdictLevels) -> Result<Option<Decision>, IndifferenceError> {
        let samples = self.counts.samples();
        let tested = self.among_several.and_then(|among| among.tested);
        if self.decision.is_none() && samples > 0 && tested != Some((samples, levels)) {
            self.among_several = Some(AmongSeveral { tested: Some((samples, levels)) });
            let (question, budget) = (self.question, self.budget);
            let rule = |at: ProportionQuestion| at.sequential_rule(budget);
            if let Some(decision) = levels.decision(&self.counts, question, rule)? {
                let at = levels.question(decision, question);
                self.decision = Some(decision).filter(|&decision| {
                    rule(at).is_ok_and(|rule| self.holds_by_worth(decision, at, rule))
                });
                self.decided_at = self.decision.map(|_| samples);
            }
        }
        Ok(self.decision)
    }

    /// Whether a decision holds for what the samples are worth; if not, it is put off.
    fn holds_by_worth(
        &mut self,
        decision: Decision,
        question: ProportionQuestion,
        rule: Rule,
    ) -> bool {
        let samples = self.counts.samples();
        if samples < self.put_off_to && samples < self.budget {
            return false;
        }
        let Some(alike) = alike(&self.margins, question) else { return true };
        if decision_by_worth(&self.counts, question, &alike) == Some(decision) {
            return true;
        }
        self.put_off_to = (samples as f64 * PUT_OFF).ceil() as usize;
        let worth = alike.worth(samples).max(1);
        let (fewest, most) = scaled(&self.counts, worth);
        let needed = further_samples(rule, fewest, most, worth)
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

    /// Whether the question is settled, so that it needs no more samples.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.verdict().is_some()
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
        let tested = self.among_several.and_then(|among| among.tested);
        let rule = tested
            .map(|(_, levels)| aimed_at(levels, &self.counts, self.question))
            .and_then(|at| at.sequential_rule(self.budget).ok());
        CheckSummary::from(Standing {
            question: self.question,
            rule: rule.unwrap_or(self.rule),
            is_one_look,
            error_bound: self.error_bound,
            counts: self.counts,
            decision: self.decision,
            decided_at: self.decided_at,
            is_alone: self.among_several.is_none(),
            ignored: self.ignored,
            alike: alike(&self.margins, self.question),
        })
    }
}
