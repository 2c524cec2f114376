//! How things stand, in numbers.

use super::worth::scaled;
use super::{CheckVerdict, Counts, Method, ProportionQuestion};
use fathom_stats::dependence::Alike;
use fathom_stats::proportion::{
    Decision, Horizon, LogEvidence, PLANNED_AT_MOST, Rule, anytime_bounds, anytime_interval,
    exact_bounds, exact_interval, further_samples, log_evidence,
};
use fathom_stats::{Confidence, Interval};

/// Everything a report says about the samples.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckSummary {
    /// What was asked, and how it was decided.
    pub question: ProportionQuestion,
    /// The answer.
    pub verdict: CheckVerdict,
    /// How many samples there were when it was given; `None` if inconclusive.
    pub decided_at: Option<usize>,
    /// The outcomes that count, by kind.
    pub counts: Counts,
    /// Outcomes fed after the verdict, which do not count.
    pub ignored: usize,
    /// The share of samples that satisfy the property: one number, or a range if some are unknown;
    /// `None` without samples.
    pub estimate: Option<Interval>,
    /// The probability that the property holds, with confidence C on both sides together: valid
    /// at every look, or at a fixed number of samples if that was asked for.
    pub interval: Interval,
    /// Lower and upper bound of the same, with confidence C each for itself.
    pub bounds: Interval,
    /// How likely a wrong verdict is at most, whatever the true probability (for Wald's test:
    /// outside the region of indifference).
    pub error_bound: f64,
    /// The evidence for "more" and for "less than F", valid at every look whatever the method.
    pub evidence: LogEvidence,
    /// If inconclusive: how many more samples would decide if they go on as they were. `None` if
    /// the share is too near to F to say, or if what is unknown decides it.
    pub further_samples: Option<usize>,
    /// If samples evidently depend on each other: how much, and what they are worth. Everything
    /// above but the counts and the estimate is then that of as many independent samples.
    pub dependence: Option<Alike>,
}

/// What a summary is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    pub(super) question: ProportionQuestion,
    pub(super) rule: Rule,
    /// Whether samples are looked at once, as was fixed beforehand, and this is the look.
    pub(super) is_one_look: bool,
    pub(super) error_bound: f64,
    pub(super) counts: Counts,
    pub(super) decision: Option<Decision>,
    /// How many samples there were then.
    pub(super) decided_at: Option<usize>,
    /// Whether it is the only question, so that its verdict and its bounds have the same confidence.
    pub(super) is_alone: bool,
    pub(super) ignored: usize,
    pub(super) alike: Option<Alike>,
}

/// An interval from the successes, the samples and the confidence.
type IntervalOf = fn(usize, usize, Confidence) -> Interval;

impl From<Standing> for CheckSummary {
    fn from(standing: Standing) -> CheckSummary {
        let Standing { question, rule, counts, decision, .. } = standing;
        let samples = counts.samples();
        let (fewest, most) = (counts.counted_true(), counts.possibly_true());
        let worth = standing.alike.map_or(samples, |alike| alike.worth(samples));
        let (fewest_worth, most_worth) = scaled(&counts, worth);
        let (interval, bounds): (IntervalOf, IntervalOf) = if standing.is_one_look {
            (exact_interval, exact_bounds)
        } else {
            (anytime_interval, anytime_bounds)
        };
        let spanned = |of: IntervalOf| Interval {
            lower: of(fewest_worth, worth, question.confidence).lower,
            upper: of(most_worth, worth, question.confidence).upper,
        };
        let share = |successes: usize| successes as f64 / samples as f64;
        let f = question.probability;
        CheckSummary {
            question,
            verdict: decision.map_or(CheckVerdict::Inconclusive, CheckVerdict::from),
            decided_at: standing.decided_at,
            counts,
            ignored: standing.ignored,
            estimate: (samples > 0).then(|| Interval { lower: share(fewest), upper: share(most) }),
            interval: spanned(interval),
            bounds: standing.agreeing(spanned(bounds)),
            error_bound: standing.error_bound,
            evidence: LogEvidence {
                above: log_evidence(fewest_worth, worth, f).above,
                below: log_evidence(most_worth, worth, f).below,
            },
            further_samples: match decision {
                // As many more as make up for what they are worth.
                None => further_samples(rule, fewest_worth, most_worth, worth).map(|further| {
                    standing.alike.map_or(further, |alike| {
                        alike.samples_worth(worth + further).saturating_sub(samples).max(1)
                    })
                }),
                Some(_) => None,
            },
            dependence: standing.alike,
        }
    }
}

impl Standing {
    /// Bounds and verdict come from the same test, so they agree but for the last bit: a verdict of
    /// at least F must not appear with a bound of 0.8999999999999999.
    fn agreeing(&self, bounds: Interval) -> Interval {
        let f = self.question.probability.get();
        let is_same_test =
            self.is_alone && (self.question.method == Method::Anytime || self.is_one_look);
        match self.decision {
            Some(Decision::Positive) if is_same_test => {
                Interval { lower: bounds.lower.max(f), ..bounds }
            }
            Some(Decision::Negative) if is_same_test => {
                Interval { upper: bounds.upper.min(f), ..bounds }
            }
            _ => bounds,
        }
    }
}

/// How likely a wrong verdict is at most if samples are watched as they come in.
pub(super) fn sequential_error_bound(
    question: ProportionQuestion,
    rule: Rule,
    budget: usize,
) -> f64 {
    if question.method != Method::Spa {
        return promised_error(question);
    }
    let horizon = Horizon::new(rule, budget.min(PLANNED_AT_MOST));
    let worst = |wrong| {
        let error = horizon.worst_error(wrong);
        if budget <= PLANNED_AT_MOST { error.by_horizon } else { error.ever }
    };
    worst(Decision::Positive).max(worst(Decision::Negative))
}

/// 1 − C, without the rounding of the difference: 0.1 for 0.9.
pub(super) fn promised_error(question: ProportionQuestion) -> f64 {
    promised_error_of(question.confidence)
}

pub(super) fn promised_error_of(confidence: Confidence) -> f64 {
    (confidence.alpha() * 1e15).round() / 1e15
}
