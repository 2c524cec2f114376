//! What is asked, from the command line.

use crate::arguments::{CheckArguments, CheckMethod, Vacuous};
use crate::failure::Failure;
use fathom_analyze::stopping::Precision;
use fathom_property::decide::{Method, Question, VacuousRule};
use fathom_property::{Expression, Property, RunRole, ValueMethod, ValueQuestion};
use fathom_stats::proportion::{Claim, Decision, Rule};

/// What is asked.
#[derive(Debug, Clone)]
pub(super) enum Asked {
    /// Whether a property is true of enough executions.
    Verdict { property: Property, question: Question, vacuous: VacuousRule },
    /// Which value enough executions keep to.
    Value { expression: Expression, question: ValueQuestion, precision: Option<Precision> },
}

/// At least so many executions are allowed, unless the user says.
const BUDGET: u64 = 1000;

impl Asked {
    /// The question of a command line. `is_fixed` says that the number of executions is fixed
    /// before anybody looks.
    pub(super) fn of(arguments: &CheckArguments, is_fixed: bool) -> Result<Asked, Failure> {
        let (probability, confidence) = (arguments.probability, arguments.confidence);
        if let Some(text) = &arguments.interval {
            let expression = Expression::parse(text).map_err(Failure::input)?;
            let method = match arguments.method {
                Some(CheckMethod::Spa) => ValueMethod::Spa,
                Some(CheckMethod::Anytime) => ValueMethod::Anytime,
                Some(CheckMethod::Exact) => ValueMethod::Exact,
                None if arguments.precision.is_some() => ValueMethod::Anytime,
                None => ValueMethod::Exact,
            };
            if arguments.precision.is_some() && method != ValueMethod::Anytime {
                return Err(Failure::input(
                    "--precision looks again and again, for which --method anytime is made; leave \
                     out --method, or --precision",
                ));
            }
            let direction = arguments.direction.value();
            let question = ValueQuestion { probability, confidence, direction, method };
            return Ok(Asked::Value { expression, question, precision: arguments.precision });
        }
        let text = arguments.property.as_deref().ok_or_else(|| {
            Failure::input(
                "there is no property; write one in quotes, such as 'runtime < 1.1 s', or ask for \
                 a value with --interval runtime",
            )
        })?;
        let property = Property::parse(text).map_err(Failure::input)?;
        let method = match (arguments.indifference, arguments.method) {
            (Some(indifference), _) => Method::Wald { indifference },
            (None, Some(CheckMethod::Anytime)) => Method::Anytime,
            (None, Some(CheckMethod::Spa)) => Method::Spa,
            (None, Some(CheckMethod::Exact))
                if !is_fixed && arguments.executions.data.is_empty() =>
            {
                return Err(Failure::input(
                    "--method exact needs a number of executions that is fixed beforehand: --runs N",
                ));
            }
            (None, Some(CheckMethod::Exact)) => Method::Exact,
            // Whoever fixes the number beforehand gets the sharper test.
            (None, None) if is_fixed => Method::Exact,
            (None, None) => Method::Anytime,
        };
        let vacuous = match arguments.vacuous {
            Vacuous::True => VacuousRule::True,
            Vacuous::False => VacuousRule::False,
            Vacuous::Skip => VacuousRule::Skip,
        };
        let question = Question { probability, confidence, method };
        question.sequential_rule(1).map_err(Failure::input)?;
        Ok(Asked::Verdict { property, question, vacuous })
    }

    /// Takes the number of executions as what it came to be, not as fixed beforehand: so it is of a
    /// check that ended when it had its answer.
    pub(super) fn allow_any_number(&mut self) {
        if let Asked::Value { question, .. } = self
            && question.method == ValueMethod::Exact
        {
            question.method = ValueMethod::Anytime;
        }
    }

    /// What it says, as it was written.
    pub(super) fn text(&self) -> &str {
        match self {
            Asked::Verdict { property, .. } => property.text(),
            Asked::Value { expression, .. } => expression.text(),
        }
    }

    /// Which executions it speaks of at once.
    pub(super) fn roles(&self, systems: &[String]) -> Result<Vec<RunRole>, Failure> {
        match self {
            Asked::Verdict { property, .. } => property.roles(systems),
            Asked::Value { expression, .. } => expression.roles(systems),
        }
        .map_err(Failure::input)
    }

    /// At most so many executions (or tuples), unless the user says.
    pub(super) fn default_budget(&self) -> u64 {
        let needed = match self {
            Asked::Verdict { question, .. } => fewest(*question),
            // Without a precision to reach, as many as give both ends.
            Asked::Value { question, precision: None, .. } => {
                return question.samples_needed() as u64;
            }
            Asked::Value { question, .. } => question.samples_needed(),
        };
        BUDGET.max(10 * needed as u64)
    }
}

/// How many executions decide if all are alike, whichever takes more.
fn fewest(question: Question) -> usize {
    let claim = Claim { proportion: question.probability, confidence: question.confidence };
    let rule = question.sequential_rule(1).unwrap_or_else(|_| Rule::anytime(claim));
    // One look at n says nothing of fewer; the sequential rule is the more demanding one.
    let rule = if question.method == Method::Exact { Rule::anytime(claim) } else { rule };
    let first = |decides: &dyn Fn(usize) -> bool| {
        let mut high = 1;
        while !decides(high) && high < 1 << 24 {
            high *= 2;
        }
        let mut low = high / 2;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if decides(middle) { high = middle } else { low = middle }
        }
        high
    };
    let all_true = first(&|n| rule.decision(n, n) == Some(Decision::Positive));
    let all_false = first(&|n| rule.decision(0, n) == Some(Decision::Negative));
    all_true.max(all_false)
}
