//! What is asked, read from the request.

use crate::EngineError;
use fathom_analyze::stopping::Precision;
use fathom_property::decide::{Method, ProportionQuestion, VacuousRule};
use fathom_property::{Expression, Property, RunRole, ValueMethod, ValueQuestion};
use fathom_request::{
    CheckMethod, CheckQuestion, CheckRequest, EstimateQuestion, ExecutionSource, PropertyMethod,
    PropertyQuestion, Vacuous,
};
use fathom_stats::proportion::{Claim, Decision, Rule};

/// What is asked.
#[derive(Debug, Clone)]
pub(super) enum ParsedQuestion {
    /// Whether a property is true of enough executions.
    Verdict { property: Property, question: ProportionQuestion, vacuous: VacuousRule },
    /// Which value enough executions keep to.
    Value { expression: Expression, question: ValueQuestion, precision: Option<Precision> },
}

/// At least this many executions are allowed, unless the user sets a limit.
const BUDGET: u64 = 1000;

impl ParsedQuestion {
    /// Reads the question of a request.
    ///
    /// # Errors
    /// The property cannot be read, or options do not fit each other.
    pub(super) fn of(request: &CheckRequest) -> Result<ParsedQuestion, EngineError> {
        match &request.question {
            CheckQuestion::Property(question) => of_property(request, question),
            CheckQuestion::Estimate(question) => of_estimate(request, question),
        }
    }

    /// Takes the number of executions as what it came to be, not as fixed beforehand: so it is of a
    /// check that ended when it had its answer.
    pub(super) fn allow_any_number(&mut self) {
        if let ParsedQuestion::Value { question, .. } = self
            && question.method == ValueMethod::Exact
        {
            question.method = ValueMethod::Anytime;
        }
    }

    /// What it says, as it was written.
    pub(super) fn text(&self) -> &str {
        match self {
            ParsedQuestion::Verdict { property, .. } => property.text(),
            ParsedQuestion::Value { expression, .. } => expression.text(),
        }
    }

    /// Which executions it combines.
    pub(super) fn roles(&self, systems: &[String]) -> Result<Vec<RunRole>, EngineError> {
        Ok(match self {
            ParsedQuestion::Verdict { property, .. } => property.roles(systems)?,
            ParsedQuestion::Value { expression, .. } => expression.roles(systems)?,
        })
    }

    /// At most this many executions (or tuples), unless the user sets a limit.
    pub(super) fn default_budget(&self) -> u64 {
        let needed = match self {
            ParsedQuestion::Verdict { question, .. } => fewest(*question),
            // Without a precision to reach, as many as give both ends.
            ParsedQuestion::Value { question, precision: None, .. } => {
                return question.samples_needed() as u64;
            }
            ParsedQuestion::Value { question, .. } => question.samples_needed(),
        };
        BUDGET.max(10 * needed as u64)
    }
}

fn of_property(
    request: &CheckRequest,
    asked: &PropertyQuestion,
) -> Result<ParsedQuestion, EngineError> {
    if asked.text.trim().is_empty() {
        return Err(EngineError::usage(
            "there is no property. Write one in quotes, such as 'runtime < 1.1 s', or ask for a \
             value with --estimate runtime",
        ));
    }
    let property = Property::parse(&asked.text)?;
    // Whether the number of executions in files was fixed in advance is unknown here.
    let (is_fixed, is_given) = match &request.executions {
        ExecutionSource::Commands(options) => (options.budget.is_fixed(), false),
        ExecutionSource::Data { .. } => (false, true),
    };
    let method = match asked.method {
        Some(PropertyMethod::Wald(distance)) => Method::Wald { indifference: distance.get() },
        Some(PropertyMethod::Named(CheckMethod::Anytime)) => Method::Anytime,
        Some(PropertyMethod::Named(CheckMethod::Spa)) => Method::Spa,
        Some(PropertyMethod::Named(CheckMethod::Exact)) if !is_fixed && !is_given => {
            return Err(EngineError::usage(
                "--method exact needs a number of executions that is fixed in advance: --runs N",
            ));
        }
        Some(PropertyMethod::Named(CheckMethod::Exact)) => Method::Exact,
        // A number that is fixed in advance allows the sharper test.
        None if is_fixed => Method::Exact,
        None => Method::Anytime,
    };
    let vacuous = match asked.vacuous {
        Vacuous::True => VacuousRule::True,
        Vacuous::False => VacuousRule::False,
        Vacuous::Skip => VacuousRule::Skip,
    };
    let CheckRequest { probability, confidence, .. } = *request;
    let question = ProportionQuestion { probability, confidence, method };
    question.sequential_rule(1)?;
    Ok(ParsedQuestion::Verdict { property, question, vacuous })
}

fn of_estimate(
    request: &CheckRequest,
    asked: &EstimateQuestion,
) -> Result<ParsedQuestion, EngineError> {
    let EstimateQuestion { expression, direction, precision, method } = asked;
    let expression = Expression::parse(expression)?;
    let method = match method {
        Some(CheckMethod::Spa) => ValueMethod::Spa,
        Some(CheckMethod::Anytime) => ValueMethod::Anytime,
        Some(CheckMethod::Exact) => ValueMethod::Exact,
        None if precision.is_some() => ValueMethod::Anytime,
        None => ValueMethod::Exact,
    };
    if precision.is_some() && method != ValueMethod::Anytime {
        return Err(EngineError::usage(
            "--precision looks at the interval again and again, which only --method anytime allows. \
             Leave out --method, or --precision",
        ));
    }
    let CheckRequest { probability, confidence, .. } = *request;
    let question = ValueQuestion { probability, confidence, direction: *direction, method };
    Ok(ParsedQuestion::Value { expression, question, precision: *precision })
}

/// How many executions decide if all are alike, whichever takes more.
fn fewest(question: ProportionQuestion) -> usize {
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
