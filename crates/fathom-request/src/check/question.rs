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

    /// Whether the error of the answer holds at every look, where the number of executions is not
    /// fixed.
    pub(super) fn holds_at_every_look(&self) -> bool {
        match (self, self.named_method()) {
            (_, Some(method)) => method == CheckMethod::Anytime,
            (CheckQuestion::Property(_), None) => true,
            // Without a precision the number of executions is fixed.
            (CheckQuestion::Estimate(question), None) => question.precision.is_some(),
        }
    }

    pub(super) fn write(&self, line: &mut CommandLine) {
        match self {
            CheckQuestion::Property(PropertyQuestion { text, vacuous, method }) => {
                line.first_operand(text);
                line.value("--vacuous", vacuous, &Vacuous::default());
                match method {
                    Some(PropertyMethod::Named(method)) => line.optional("--method", Some(method)),
                    Some(PropertyMethod::Wald(distance)) => {
                        line.optional("--indifference", Some(distance));
                    }
                    None => {}
                }
            }
            CheckQuestion::Estimate(question) => {
                let EstimateQuestion { expression, direction, precision, method } = question;
                line.optional("--estimate", Some(expression));
                line.value("--direction", direction, &EstimateQuestion::default().direction);
                line.optional("--precision", precision.as_ref());
                line.optional("--method", method.as_ref());
            }
        }
    }
}
