//! Metrics that are computed from others.

use super::common_rows::CommonRows;
use super::term::RowTerm;
use crate::language::{PropertyError, RowExpression, RowExpressionKind, RowProgram};
use fathom_record::foreign_text::is_steering;
use fathom_record::trace::{Kind, MetricDefinition, Number, Samples, TraceMetric, Value, Values};

/// A metric that is computed from others, as it was written: `ipc = instructions / cycles`.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedMetric {
    name: String,
    expression: RowExpression,
}

/// Why a text defines no metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// It has no equals sign, or nothing before it.
    #[error(
        "a derived metric is written NAME=EXPRESSION, as in ipc=instructions/cycles, not \
         \"{}\"",
        fathom_record::foreign_text::escaped(.0)
    )]
    NoName(String),
    /// Its name cannot be that of a metric.
    #[error("the name of a derived metric cannot contain invisible characters")]
    Name,
    /// The expression has no meaning.
    #[error("{name}: {error}")]
    Expression {
        /// The metric's name.
        name: String,
        /// What is wrong, and where.
        error: PropertyError,
    },
}

/// A metric that can be computed in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedMetric {
    metric: TraceMetric,
    program: RowProgram<RowTerm>,
}

impl DerivedMetric {
    /// The probe that derived metrics are said to come from.
    pub const PROBE: &'static str = "derived";

    /// Reads `NAME=EXPRESSION`; the name may be in double quotes.
    ///
    /// # Errors
    /// There is no name, or the expression's grammar is wrong.
    pub fn parse(text: &str) -> Result<DerivedMetric, DeriveError> {
        let no_name = || DeriveError::NoName(text.to_string());
        let trimmed = text.trim_start();
        let (name, expression) = match trimmed.strip_prefix('"') {
            Some(rest) => {
                let (name, rest) = rest.split_once('"').ok_or_else(no_name)?;
                (name, rest.trim_start().strip_prefix('=').ok_or_else(no_name)?)
            }
            None => trimmed.split_once('=').ok_or_else(no_name)?,
        };
        let definition =
            MetricDefinition { name: name.trim().to_string(), expression: expression.to_string() };
        if definition.name.is_empty() {
            return Err(no_name());
        }
        DerivedMetric::of(&definition)
    }

    /// Of a definition in a manifest.
    ///
    /// # Errors
    /// The expression's grammar is wrong.
    pub fn of(definition: &MetricDefinition) -> Result<DerivedMetric, DeriveError> {
        let name = definition.name.clone();
        if name.contains(is_steering) {
            return Err(DeriveError::Name);
        }
        let text = definition.expression.trim();
        match RowExpression::parse(text, RowExpressionKind::Number) {
            Ok(expression) => Ok(DerivedMetric { name, expression }),
            Err(error) => Err(DeriveError::Expression { name, error }),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The expression, as it was written.
    #[must_use]
    pub fn expression(&self) -> &str {
        self.expression.text()
    }

    /// For a manifest.
    #[must_use]
    pub fn definition(&self) -> MetricDefinition {
        MetricDefinition { name: self.name.clone(), expression: self.expression().to_string() }
    }

    /// The names in its expression, as written, each once.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.expression.names()
    }

    /// What it is in a run with these metrics.
    ///
    /// # Errors
    /// A name that the run does not have, units that do not fit, or something without a meaning.
    pub fn resolve(&self, metrics: &[TraceMetric]) -> Result<ResolvedMetric, DeriveError> {
        let program = self
            .expression
            .number(metrics)
            .map_err(|error| DeriveError::Expression { name: self.name.clone(), error })?;
        let inputs = metrics.iter().filter(|metric| program.inputs.contains(&metric.name));
        let layer = inputs.map(|metric| metric.layer).max();
        let metric = TraceMetric {
            name: self.name.clone(),
            layer: layer.unwrap_or(fathom_record::trace::Layer::Application),
            unit: program.unit.clone(),
            kind: if program.is_of_events { Kind::Event } else { Kind::Gauge },
            number: Number::Real,
            probe: DerivedMetric::PROBE.to_string(),
            about: format!("{} = {}", self.name, self.expression()),
        };
        Ok(ResolvedMetric { metric, program })
    }
}

impl DeriveError {
    /// Whether a metric is named that the run does not have.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        matches!(self, DeriveError::Expression { error, .. } if error.is_unknown_name())
    }
}

impl ResolvedMetric {
    /// Its description.
    #[must_use]
    pub fn metric(&self) -> &TraceMetric {
        &self.metric
    }

    /// The metrics that it needs, each once.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.program.inputs
    }

    /// Its values, from those of its inputs in their order. The rows are those of the input that has the
    /// fewest; where something is missing or a quotient does not exist, the value is missing.
    #[must_use]
    pub fn compute(&self, inputs: &[&Samples]) -> Samples {
        let rows = CommonRows::of(&self.program.leaves, inputs);
        let mut values = Values::new(Number::Real);
        for row in 0..rows.len() {
            values.push(Value::from(self.program.of.value(&rows, row)));
        }
        Samples { metric: self.metric.clone(), starts: rows.starts, ends: rows.ends, values }
    }
}
