//! What is asked about executions: is a property true of enough of them, or which value do enough
//! of them stay within?

use crate::command_line::CommandLine;
use crate::value::{Named, OptionValue, as_text, as_texts_or_none};
use fathom_analyze::stopping::Precision;
use fathom_record::typed::{as_percentage, share};
use fathom_stats::quantile::spa::Direction;
use serde::{Deserialize, Serialize};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CheckQuestion {
    /// Whether enough executions satisfy a property.
    Property(PropertyQuestion),
    /// The value that enough executions stay within.
    Estimate(EstimateQuestion),
}

/// Whether enough executions satisfy a property.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct PropertyQuestion {
    /// What the question is called in tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The property, as it was written.
    pub text: String,
    /// How an execution counts if the property never applied in it.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub vacuous: Vacuous,
    /// How it is decided. If it is not set: exactly, if the number of executions is fixed, and
    /// otherwise so that the error holds at every look.
    pub method: Option<PropertyMethod>,
}

/// The value that enough executions stay within.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct EstimateQuestion {
    /// What the question is called in tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is estimated, as it was written.
    pub expression: String,
    /// Whether executions are at most or at least the value.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub direction: Direction,
    /// How narrow the interval must be. If it is not set, the number of executions is fixed.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub precision: Option<Precision>,
    /// How the interval is computed. If it is not set: exactly, or with a precision so that it
    /// holds at every look.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub method: Option<CheckMethod>,
}

/// How a property is decided.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PropertyMethod {
    /// By a method that estimates have too.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    Named(CheckMethod),
    /// By Wald's test, which ignores shares within this of the probability and ends sooner.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    Wald(Indifference),
}

/// When the error of an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckMethod {
    /// At every look.
    Anytime,
    /// For a number of executions that is fixed before the first look.
    Exact,
    /// As the SPA paper has it. The true error is larger than it claims.
    Spa,
}

impl Named for CheckMethod {
    const ALL: &'static [CheckMethod] =
        &[CheckMethod::Anytime, CheckMethod::Exact, CheckMethod::Spa];

    fn name(self) -> &'static str {
        match self {
            CheckMethod::Anytime => "anytime",
            CheckMethod::Exact => "exact",
            CheckMethod::Spa => "spa",
        }
    }

    fn summary(self) -> Option<&'static str> {
        Some(match self {
            CheckMethod::Anytime => "Valid however often you look at the answer",
            CheckMethod::Exact => {
                "For a number of executions fixed in advance, by --runs or --data"
            }
            CheckMethod::Spa => "The SPA paper's rule; its true error is larger than it claims",
        })
    }
}

/// How an execution counts if the property never applied in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Vacuous {
    /// It satisfies the property: nothing contradicts it.
    #[default]
    True,
    /// It violates the property.
    False,
    /// It does not count.
    Skip,
}

impl Named for Vacuous {
    const ALL: &'static [Vacuous] = &[Vacuous::True, Vacuous::False, Vacuous::Skip];

    fn name(self) -> &'static str {
        match self {
            Vacuous::True => "true",
            Vacuous::False => "false",
            Vacuous::Skip => "skip",
        }
    }

    fn summary(self) -> Option<&'static str> {
        Some(match self {
            Vacuous::True => "As satisfying the property: nothing contradicts it",
            Vacuous::False => "As violating the property",
            Vacuous::Skip => "Not at all: the answer is then about executions where it applied",
        })
    }
}

/// A distance from the probability that does not matter: above 0 and below 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Indifference(f64);

impl Indifference {
    /// A distance; `None` if it is not above 0 and below 1.
    #[must_use]
    pub fn new(distance: f64) -> Option<Indifference> {
        (distance > 0.0 && distance < 1.0).then_some(Indifference(distance))
    }

    /// The distance.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl OptionValue for Indifference {
    fn text(&self) -> String {
        crate::value::percentage(self.0)
    }

    fn read(text: &str) -> Result<Indifference, String> {
        let number = share(text)?;
        Indifference::new(number)
            .ok_or_else(|| format!("use a number above 0 and below 1{}", as_percentage(number)))
    }
}

impl Default for CheckQuestion {
    fn default() -> CheckQuestion {
        CheckQuestion::Property(PropertyQuestion::default())
    }
}

impl Default for EstimateQuestion {
    fn default() -> EstimateQuestion {
        EstimateQuestion {
            name: None,
            expression: String::new(),
            direction: Direction::AtMost,
            precision: None,
            method: None,
        }
    }
}

impl CheckQuestion {
    /// The method that was asked for by its name.
    #[must_use]
    pub fn named_method(&self) -> Option<CheckMethod> {
        match self {
            CheckQuestion::Property(question) => match question.method {
                Some(PropertyMethod::Named(method)) => Some(method),
                Some(PropertyMethod::Wald(_)) | None => None,
            },
            CheckQuestion::Estimate(question) => question.method,
        }
    }

    /// Whether the number of executions follows from what is asked, if nothing else limits it.
    pub(super) fn has_number(&self) -> bool {
        matches!(self, CheckQuestion::Estimate(question) if question.precision.is_none())
    }

    /// Whether the error of the answer holds at every look, where the number of executions is not
    /// fixed. `is_watched`: whether another question ends the check when it is answered.
    pub(super) fn holds_at_every_look(&self, is_watched: bool) -> bool {
        match (self, self.named_method()) {
            (_, Some(method)) => method == CheckMethod::Anytime,
            (CheckQuestion::Property(_), None) => true,
            // Without a precision the number of executions is fixed.
            (CheckQuestion::Estimate(question), None) => question.precision.is_some() || is_watched,
        }
    }

    /// As it is typed: the name, if it has one, and what is asked.
    #[must_use]
    pub fn typed(&self) -> String {
        let (name, text) = match self {
            CheckQuestion::Property(question) => (&question.name, &question.text),
            CheckQuestion::Estimate(question) => (&question.name, &question.expression),
        };
        match name {
            Some(name) => format!("{name}: {text}"),
            None => text.clone(),
        }
    }
}

/// The name before a question, and what is asked: `NAME: x < 1`. A name is letters, digits, `_`, `-` and
/// `.`, begins with a letter or `_`, and a colon and a space follow it, which no property has there.
#[must_use]
pub fn name_and_text(typed: &str) -> (Option<&str>, &str) {
    let is_inner = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && name.chars().all(is_inner)
    };
    match typed.trim().split_once(':') {
        Some((name, rest)) if is_name(name) && rest.starts_with(char::is_whitespace) => {
            (Some(name), rest.trim())
        }
        _ => (None, typed.trim()),
    }
}

/// Questions in the order in which they are typed: properties, then estimates. How they are asked is
/// the same for all properties, and for all estimates.
pub(super) fn write_all(questions: &[CheckQuestion], line: &mut CommandLine) {
    let mut properties = questions.iter().filter_map(|question| match question {
        CheckQuestion::Property(asked) => Some((question, asked)),
        CheckQuestion::Estimate(_) => None,
    });
    let mut estimates = questions.iter().filter_map(|question| match question {
        CheckQuestion::Estimate(asked) => Some((question, asked)),
        CheckQuestion::Property(_) => None,
    });
    let first = (properties.next(), estimates.next());
    for (question, _) in first.0.into_iter().chain(properties) {
        line.first_operand(&question.typed());
    }
    let typed: Vec<String> =
        first.1.into_iter().chain(estimates).map(|(question, _)| question.typed()).collect();
    line.repeated("--estimate", &typed);
    if let Some((_, PropertyQuestion { name: _, text: _, vacuous, method })) = first.0 {
        line.value("--vacuous", vacuous, &Vacuous::default());
        match method {
            Some(PropertyMethod::Named(method)) => line.optional("--method", Some(method)),
            Some(PropertyMethod::Wald(distance)) => line.optional("--indifference", Some(distance)),
            None => {}
        }
    }
    if let Some((_, asked)) = first.1 {
        let EstimateQuestion { name: _, expression: _, direction, precision, method } = asked;
        line.value("--direction", direction, &EstimateQuestion::default().direction);
        line.optional("--precision", precision.as_ref());
        if first.0.is_none() {
            line.optional("--method", method.as_ref());
        }
    }
}

/// The questions of a check in JSON. A request of an older form has one, which is no list.
pub(super) mod as_list {
    use super::CheckQuestion;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::check) fn serialize<S: Serializer>(
        questions: &[CheckQuestion],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        questions.serialize(to)
    }

    pub(in crate::check) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<CheckQuestion>, D::Error> {
        // Read by its form, so that errors say what is wrong with it.
        let value = serde_json::Value::deserialize(from)?;
        let questions = match value.is_array() {
            true => serde_json::from_value(value),
            false => serde_json::from_value(value).map(|question| vec![question]),
        };
        questions.map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::name_and_text;

    #[test]
    fn names_are_told_from_properties() {
        for (typed, name, text) in [
            ("fast: runtime < 1 s", Some("fast"), "runtime < 1 s"),
            (" p99-wait:  x < 1", Some("p99-wait"), "x < 1"),
            ("runs a,b: x@a < x@b", None, "runs a,b: x@a < x@b"),
            ("system::cpu < 1", None, "system::cpu < 1"),
            ("G[0:10] x < 1", None, "G[0:10] x < 1"),
            ("x < 1", None, "x < 1"),
            ("1st: x < 1", None, "1st: x < 1"),
            (": x < 1", None, ": x < 1"),
        ] {
            assert_eq!(name_and_text(typed), (name, text), "{typed}");
        }
    }
}
