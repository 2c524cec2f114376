//! Parameters of commands: `-P VAR MIN MAX`, `-D STEP` and `-L VAR a,b,c`.

mod decimal;
mod name;
#[cfg(test)]
mod tests;

use decimal::Decimal;

pub use decimal::DecimalError;
pub use name::NameError;
pub(crate) use name::{check as check_name, is_name_letter};

/// The most values a parameter may have, and the most combinations there may be: what is beyond is
/// a slip, and would take days to measure.
pub const MOST_COMBINATIONS: usize = 100_000;

/// A variable of commands, and its values in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    name: String,
    values: Vec<String>,
}

/// A value for each parameter, in the order in which they were given: `[("x", "1")]`.
pub type Assignment = Vec<(String, String)>;

/// Why parameters cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The name.
    #[error("invalid parameter name: {0}")]
    Name(#[from] NameError),
    /// A limit or a step that is not a number.
    #[error("parameter {name}: the {what} {error}")]
    Number {
        /// The parameter.
        name: String,
        /// "minimum", "maximum" or "step".
        what: &'static str,
        /// What is wrong.
        error: DecimalError,
    },
    /// Between decimals there is no obvious step.
    #[error(
        "parameter {name}: the range {min} to {max} needs a step. Add one with -D, as in -D 0.1."
    )]
    StepMissing {
        /// The parameter.
        name: String,
        /// As given.
        min: String,
        /// As given.
        max: String,
    },
    /// A step that leads nowhere.
    #[error("parameter {name}: the step {step} is not above 0. Use a positive step with -D.")]
    StepNotPositive {
        /// The parameter.
        name: String,
        /// As given.
        step: String,
    },
    /// The minimum is above the maximum.
    #[error("parameter {name}: the range {min} to {max} is empty. Put the smaller value first.")]
    EmptyRange {
        /// The parameter.
        name: String,
        /// As given.
        min: String,
        /// As given.
        max: String,
    },
    /// More values than anybody measures.
    #[error(
        "parameter {name} has {count} values, more than {MOST_COMBINATIONS}. Use a larger step or \
         a smaller range."
    )]
    TooManyValues {
        /// The parameter.
        name: String,
        /// How many.
        count: u128,
    },
    /// There is nothing in the list.
    #[error("parameter {name}: the list is empty. Separate its values with commas, as in a,b,c.")]
    EmptyList {
        /// The parameter.
        name: String,
    },
    /// The same name twice.
    #[error("parameter {name} is defined twice. Use a different name for each -P and -L.")]
    Duplicate {
        /// The parameter.
        name: String,
    },
    /// More combinations than anybody measures.
    #[error(
        "the parameters have more than {MOST_COMBINATIONS} combinations. Use fewer values or \
         fewer parameters."
    )]
    TooManyCombinations,
}

impl Parameter {
    /// `-P VAR MIN MAX` with `-D STEP`: every number from the minimum up to the maximum. Without a
    /// step it is 1, if both ends are whole numbers.
    ///
    /// Numbers are added as decimals, so that steps of 0.1 come to 0.3 and not to
    /// 0.30000000000000004. As in hyperfine the first one has the digits of the minimum, and the
    /// others as many as the minimum or the step, whichever has more:
    ///
    /// ```
    /// use fathom_measure::Parameter;
    /// let parameter = Parameter::scan("x", "0", "1", Some("0.25"))?;
    /// assert_eq!(parameter.values(), ["0", "0.25", "0.50", "0.75", "1.00"]);
    /// # Ok::<(), fathom_measure::ParameterError>(())
    /// ```
    pub fn scan(
        name: &str,
        min: &str,
        max: &str,
        step: Option<&str>,
    ) -> Result<Parameter, ParameterError> {
        name::check(name)?;
        let parameter = || name.to_string();
        let read = |what: &'static str, text: &str| {
            Decimal::parse(text).map_err(|error| ParameterError::Number {
                name: parameter(),
                what,
                error,
            })
        };
        let (from, to) = (read("minimum", min)?, read("maximum", max)?);
        let ends = || (parameter(), min.to_string(), max.to_string());
        let by = match step {
            Some(step) => read("step", step)?,
            None if from.is_whole() && to.is_whole() => Decimal::ONE,
            None => {
                let (name, min, max) = ends();
                return Err(ParameterError::StepMissing { name, min, max });
            }
        };
        if !by.is_positive() {
            let step = step.unwrap_or_default().to_string();
            return Err(ParameterError::StepNotPositive { name: parameter(), step });
        }
        let Some(steps) = from.steps(to, by) else {
            let (name, min, max) = ends();
            return Err(ParameterError::EmptyRange { name, min, max });
        };
        let count = steps + 1;
        if count > MOST_COMBINATIONS as u128 {
            return Err(ParameterError::TooManyValues { name: parameter(), count });
        }
        let values = std::iter::successors(Some(from), |&value| Some(value.plus(by)))
            .map(|value| value.to_string())
            .take(usize::try_from(count).unwrap_or(MOST_COMBINATIONS))
            .collect();
        Ok(Parameter { name: parameter(), values })
    }

    /// `-L VAR a,b,c`. A comma after a backslash belongs to the value, and two backslashes are one;
    /// before any other letter a backslash is itself. A value may be empty, as in `,--fast`.
    ///
    /// ```
    /// use fathom_measure::Parameter;
    /// let parameter = Parameter::list("x", r"a,b\,c,")?;
    /// assert_eq!(parameter.values(), ["a", "b,c", ""]);
    /// # Ok::<(), fathom_measure::ParameterError>(())
    /// ```
    pub fn list(name: &str, list: &str) -> Result<Parameter, ParameterError> {
        name::check(name)?;
        if list.is_empty() {
            return Err(ParameterError::EmptyList { name: name.to_string() });
        }
        let mut values = Vec::new();
        let mut value = String::new();
        let mut letters = list.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                ',' => values.push(std::mem::take(&mut value)),
                '\\' => {
                    let escaped = letters.next_if(|next| matches!(next, ',' | '\\'));
                    value.push(escaped.unwrap_or('\\'));
                }
                other => value.push(other),
            }
        }
        values.push(value);
        if values.len() > MOST_COMBINATIONS {
            let count = values.len() as u128;
            return Err(ParameterError::TooManyValues { name: name.to_string(), count });
        }
        Ok(Parameter { name: name.to_string(), values })
    }

    /// Its name, without braces.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values, at least one.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }
}

/// Every combination of the parameters' values. As in hyperfine the first parameter varies fastest:
/// `-L x 1,2 -L y a,b` gives 1 a, 2 a, 1 b, 2 b. Without parameters there is one, with nothing in
/// it.
///
/// # Errors
/// Two parameters of one name, or more than [`MOST_COMBINATIONS`].
pub fn combinations(parameters: &[Parameter]) -> Result<Vec<Assignment>, ParameterError> {
    for (i, parameter) in parameters.iter().enumerate() {
        if parameters.iter().take(i).any(|earlier| earlier.name == parameter.name) {
            return Err(ParameterError::Duplicate { name: parameter.name.clone() });
        }
    }
    let count = parameters
        .iter()
        .try_fold(1_usize, |count, parameter| count.checked_mul(parameter.values.len()))
        .filter(|&count| count <= MOST_COMBINATIONS)
        .ok_or(ParameterError::TooManyCombinations)?;
    let combination = |number: usize| {
        let mut rest = number;
        let assign = |parameter: &Parameter| {
            let of = parameter.values.len().max(1);
            let value = parameter.values.get(rest % of).cloned().unwrap_or_default();
            rest /= of;
            (parameter.name.clone(), value)
        };
        parameters.iter().map(assign).collect()
    };
    Ok((0..count).map(combination).collect())
}
