//! What is asked, read from the request.

use crate::EngineError;
use fathom_analyze::stopping::Precision;
use fathom_property::decide::{ErrorSharing, Method, ProportionQuestion, SharedError, VacuousRule};
use fathom_property::{Expression, Property, RunRole, ValueMethod, ValueQuestion};
use fathom_request::{
    CheckMethod, CheckQuestion, CheckRequest, EffortPreset, EstimateQuestion, ExecutionSource,
    PropertyMethod, PropertyQuestion, SystemOptions, Vacuous,
};
use fathom_stats::proportion::{Claim, Decision, Rule};

/// What is asked.
#[derive(Debug, Clone)]
pub(super) enum ParsedQuestion {
    /// Whether a property is true of enough executions.
    Verdict { property: Property, question: ProportionQuestion, vacuous: VacuousRule },
    /// Which value enough executions keep to.
    Value { expression: Expression, question: ValueQuestion, goal: ValueGoal },
}

/// When an estimate is good enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ValueGoal {
    /// When as many executions ran as were planned.
    Planned,
    /// As soon as its interval has two ends: other questions decide how many executions there are.
    BothEnds,
    /// When its interval is this narrow.
    Precise(Precision),
}

/// All questions of a request.
#[derive(Debug, Clone)]
pub(super) struct Questions {
    pub(super) asked: Vec<NamedQuestion>,
    pub(super) sharing: ErrorSharing,
    pub(super) error: SharedError,
}

/// A question, and its name if it has one.
#[derive(Debug, Clone)]
pub(super) struct NamedQuestion {
    pub(super) name: Option<String>,
    /// Its name without that of the group, if it has one.
    pub(super) title: Option<String>,
    /// The place of the group that it is about, and the group's name.
    pub(super) group: Option<usize>,
    pub(super) group_name: Option<String>,
    pub(super) parsed: ParsedQuestion,
}

impl Questions {
    /// Reads the questions of a request.
    ///
    /// # Errors
    /// One of them cannot be read, one is asked twice, or options do not fit each other.
    pub(super) fn of(request: &CheckRequest) -> Result<Questions, EngineError> {
        Questions::sharing(request, 1)
    }

    /// The questions of a request, asked of each of these groups.
    ///
    /// # Errors
    /// As [`Questions::of`].
    pub(super) fn of_groups(
        request: &CheckRequest,
        groups: &[String],
    ) -> Result<Questions, EngineError> {
        let questions = Questions::sharing(request, groups.len().max(1))?;
        let is_only = questions.asked.len() == 1;
        let mut asked = Vec::with_capacity(questions.asked.len() * groups.len());
        for (group, name) in groups.iter().enumerate() {
            asked.extend(questions.asked.iter().map(|question| {
                let title = question.name.as_deref().unwrap_or(question.parsed.text());
                NamedQuestion {
                    name: Some(if is_only { name.clone() } else { format!("{name}: {title}") }),
                    title: question.name.clone(),
                    group: Some(group),
                    group_name: Some(name.clone()),
                    parsed: question.parsed.clone(),
                }
            }));
        }
        Ok(Questions { asked, ..questions })
    }

    /// The questions, each asked this number of times.
    fn sharing(request: &CheckRequest, times: usize) -> Result<Questions, EngineError> {
        let is_estimate =
            |question: &&CheckQuestion| matches!(question, CheckQuestion::Estimate(_));
        let estimates = request.questions.iter().filter(is_estimate).count();
        let count = request.questions.len();
        let properties = count - estimates;
        let sharing = match request.shares_error() {
            true => ErrorSharing::Shared,
            false => ErrorSharing::PerQuestion,
        };
        let error =
            SharedError::new(request.confidence, sharing, times * properties, times * estimates);
        let error = error.map_err(|_| {
            EngineError::usage(format!(
                "--confidence {} leaves nothing to share among {} questions. Choose a lower one, \
                 or --per-question",
                request.confidence.get(),
                times * count
            ))
        })?;
        let mut asked: Vec<NamedQuestion> = Vec::new();
        for (place, question) in request.questions.iter().enumerate() {
            let of = (count > 1).then_some(place);
            let parsed = ParsedQuestion::of(request, question, &error);
            let parsed = parsed.map_err(|error| {
                let hint = (place > 0 && has_no_command(request)).then(|| {
                    "each word before -- is a property; a command comes after --, as in: fathom check \
                     'runtime < 1s' -- ./sim"
                        .to_string()
                });
                error.of_question(of).with_advice(hint)
            })?;
            let name = match question {
                CheckQuestion::Property(question) => question.name.clone(),
                CheckQuestion::Estimate(question) => question.name.clone(),
            };
            let question =
                NamedQuestion { title: name.clone(), name, group: None, group_name: None, parsed };
            if let Some(problem) = asked
                .iter()
                .enumerate()
                .find_map(|(earlier, other)| question.repeats(other, earlier + 1))
            {
                return Err(EngineError::usage(problem).of_question(of));
            }
            asked.push(question);
        }
        Ok(Questions { asked, sharing, error })
    }

    /// The questions alone.
    pub(super) fn parsed(&self) -> impl Iterator<Item = &ParsedQuestion> {
        self.asked.iter().map(|asked| &asked.parsed)
    }

    /// Whether the number of executions is what the questions need.
    pub(super) fn have_planned_number(&self) -> bool {
        self.parsed().all(|question| {
            matches!(question, ParsedQuestion::Value { goal: ValueGoal::Planned, .. })
        })
    }
}

/// Whether nothing is executed or read: the command may stand among the properties.
fn has_no_command(request: &CheckRequest) -> bool {
    match &request.executions {
        ExecutionSource::Commands(options) => {
            matches!(&options.systems, SystemOptions::Command(words) if words.is_empty())
        }
        ExecutionSource::Data { .. } => false,
    }
}

impl NamedQuestion {
    /// What is wrong with it if it repeats an earlier one: evidence counts once, however often it is
    /// asked for.
    fn repeats(&self, other: &NamedQuestion, earlier: usize) -> Option<String> {
        let is_same = match (&self.parsed, &other.parsed) {
            (
                ParsedQuestion::Verdict { property: one, .. },
                ParsedQuestion::Verdict { property: other, .. },
            ) => one.to_string() == other.to_string(),
            (
                ParsedQuestion::Value { expression: one, .. },
                ParsedQuestion::Value { expression: other, .. },
            ) => one.to_string() == other.to_string(),
            _ => false,
        };
        if is_same {
            return Some(format!(
                "`{}` is question {earlier} again. Ask it once: the same executions say no more the \
                 second time",
                self.parsed.text()
            ));
        }
        match (&self.name, &other.name) {
            (Some(name), Some(same)) if name == same => Some(format!(
                "question {earlier} is called {name} as well. Give each question a name of its own"
            )),
            _ => None,
        }
    }
}

impl ParsedQuestion {
    /// Reads a question of a request.
    ///
    /// # Errors
    /// The property cannot be read, or options do not fit each other.
    fn of(
        request: &CheckRequest,
        question: &CheckQuestion,
        error: &SharedError,
    ) -> Result<ParsedQuestion, EngineError> {
        if question.named_method() == Some(CheckMethod::Spa) && request.shares_error() {
            return Err(EngineError::usage(
                "--method spa has no error that several questions could share: its true error is \
                 larger than it claims. Leave it out, or add --per-question",
            ));
        }
        match question {
            CheckQuestion::Property(question) => of_property(request, question, error),
            CheckQuestion::Estimate(question) => of_estimate(request, question, error),
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
    pub(super) fn default_budget(&self, effort: EffortPreset) -> u64 {
        match self {
            ParsedQuestion::Verdict { question, .. } => {
                effort.most_executions(fewest(*question) as u64)
            }
            // Without a precision to reach, enough to give both ends.
            ParsedQuestion::Value { question, goal: ValueGoal::Planned, .. } => {
                effort.executions_of_estimate(question.samples_needed() as u64)
            }
            ParsedQuestion::Value { question, .. } => {
                effort.most_executions(question.samples_needed() as u64)
            }
        }
    }
}

fn of_property(
    request: &CheckRequest,
    asked: &PropertyQuestion,
    error: &SharedError,
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
    let (probability, confidence) = (request.probability, error.of_interval());
    let question = ProportionQuestion { probability, confidence, method };
    question.sequential_rule(1)?;
    Ok(ParsedQuestion::Verdict { property, question, vacuous })
}

fn of_estimate(
    request: &CheckRequest,
    asked: &EstimateQuestion,
    error: &SharedError,
) -> Result<ParsedQuestion, EngineError> {
    let EstimateQuestion { name: _, expression, direction, precision, method } = asked;
    // Whether the number of executions is known before the first of them.
    let has_number = match &request.executions {
        ExecutionSource::Commands(options) => options.budget.is_fixed() || request.has_number(),
        ExecutionSource::Data { .. } => true,
    };
    let expression = Expression::parse(expression)?;
    let method = match method {
        Some(CheckMethod::Spa) => ValueMethod::Spa,
        Some(CheckMethod::Anytime) => ValueMethod::Anytime,
        Some(CheckMethod::Exact) => ValueMethod::Exact,
        None if precision.is_some() || !has_number => ValueMethod::Anytime,
        None => ValueMethod::Exact,
    };
    if !has_number && precision.is_none() && method != ValueMethod::Anytime {
        return Err(EngineError::usage(
            "the other questions decide how many executions there are, which only --method anytime \
             allows. Leave out --method, or fix the number with --runs N",
        ));
    }
    if precision.is_some() && method != ValueMethod::Anytime {
        return Err(EngineError::usage(
            "--precision looks at the interval again and again, which only --method anytime allows. \
             Leave out --method, or --precision",
        ));
    }
    let (probability, confidence) = (request.probability, error.of_interval());
    let question = ValueQuestion { probability, confidence, direction: *direction, method };
    let goal = match precision {
        Some(precision) => ValueGoal::Precise(*precision),
        None if has_number => ValueGoal::Planned,
        None => ValueGoal::BothEnds,
    };
    Ok(ParsedQuestion::Value { expression, question, goal })
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

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::{Confidence, Probability};

    fn question(probability: f64, confidence: f64, method: Method) -> ProportionQuestion {
        ProportionQuestion {
            probability: Probability::new(probability).unwrap(),
            confidence: Confidence::new(confidence).unwrap(),
            method,
        }
    }

    #[test]
    fn the_fewest_executions_are_those_that_decide_and_one_fewer_does_not() {
        for (probability, confidence) in [(0.9, 0.95), (0.5, 0.9), (0.99, 0.99), (0.1, 0.8)] {
            let asked = question(probability, confidence, Method::Anytime);
            let rule = asked.sequential_rule(1).unwrap();
            let decides = |n: usize| {
                rule.decision(n, n) == Some(Decision::Positive)
                    && rule.decision(0, n) == Some(Decision::Negative)
            };
            let found = fewest(asked);
            assert!(decides(found) && !decides(found - 1), "{probability}: {found}");
            // A number that is fixed in advance gets at least as many.
            assert_eq!(fewest(question(probability, confidence, Method::Exact)), found);
        }
    }

    #[test]
    fn a_budget_is_so_many_times_what_decides() {
        let request =
            |json: serde_json::Value| -> CheckRequest { serde_json::from_value(json).unwrap() };
        let budget = |about: serde_json::Value, effort: EffortPreset| {
            let request = request(serde_json::json!({ "about": about, "probability": "99.9%" }));
            let questions = Questions::of(&request).unwrap();
            let parsed = questions.parsed().next().unwrap();
            let needed = match parsed {
                ParsedQuestion::Verdict { question, .. } => fewest(*question) as u64,
                ParsedQuestion::Value { question, .. } => question.samples_needed() as u64,
            };
            (parsed.default_budget(effort), needed)
        };
        let property = || serde_json::json!([{ "property": { "text": "x < 1" } }]);
        let (quick, needed) = budget(property(), EffortPreset::Quick);
        assert!(needed > 1000 && quick == 2 * needed, "{needed} {quick}");
        assert_eq!(budget(property(), EffortPreset::Normal).0, 10 * needed);
        let estimate = || serde_json::json!([{ "estimate": { "expression": "x" } }]);
        let (normal, needed) = budget(estimate(), EffortPreset::Normal);
        assert_eq!(normal, needed, "enough for both ends");
        assert_eq!(budget(estimate(), EffortPreset::Thorough).0, 10 * needed);
        let precise = serde_json::json!([{ "estimate": { "expression": "x", "precision": "5%" } }]);
        let (normal, needed) = budget(precise, EffortPreset::Normal);
        assert!(normal == (10 * needed).max(1000), "{normal} {needed}");
    }
}
