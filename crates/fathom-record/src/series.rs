//! A series: the values of one metric of one subject, in the order they were measured.

use crate::foreign_text::escaped;
use crate::{Startup, Unit};
use std::fmt;

/// The values of one metric of one subject, in measurement order.
///
/// A series is never empty and holds only finite numbers; [`Series::new`] sees to that, so nothing
/// downstream has to ask.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    name: String,
    metric: Option<String>,
    unit: Unit,
    values: Vec<f64>,
    executions: Option<Vec<usize>>,
    startup: Option<Startup>,
}

/// Why numbers do not make a series.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SeriesError {
    /// There are no values.
    Empty {
        /// The subject's name.
        name: String,
    },
    /// A value is infinite or not a number.
    NotFinite {
        /// The subject's name.
        name: String,
        /// Its place, from 0.
        index: usize,
        /// What was found.
        value: f64,
    },
    /// The executions do not add up to the values.
    Executions {
        /// The subject's name.
        name: String,
        /// How many values there are.
        values: usize,
        /// How many the executions claim.
        sum: usize,
    },
}

impl fmt::Display for SeriesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeriesError::Empty { name } => write!(f, "\"{}\" has no values", escaped(name)),
            SeriesError::NotFinite { name, index, value } => write!(
                f,
                "\"{}\": value {} is {value}, which is not a finite number",
                escaped(name),
                index + 1
            ),
            SeriesError::Executions { name, values, sum } => write!(
                f,
                "\"{}\" has {values} values, but its executions have {sum} in total",
                escaped(name)
            ),
        }
    }
}

impl std::error::Error for SeriesError {}

impl Series {
    /// A series of independent measurements.
    ///
    /// ```
    /// use fathom_record::{Series, Unit};
    /// let series = Series::new("sort", Unit::SECONDS, vec![0.11, 0.12])?;
    /// assert_eq!(series.len(), 2);
    /// assert!(Series::new("sort", Unit::SECONDS, vec![f64::NAN]).is_err());
    /// # Ok::<(), fathom_record::SeriesError>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        unit: Unit,
        values: Vec<f64>,
    ) -> Result<Series, SeriesError> {
        let name = name.into();
        if values.is_empty() {
            return Err(SeriesError::Empty { name });
        }
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return Err(SeriesError::NotFinite { name, index, value: values[index] });
        }
        Ok(Series { name, metric: None, unit, values, executions: None, startup: None })
    }

    /// Says that consecutive values come from the same process execution: `sizes` values each.
    ///
    /// Values of one process share its memory layout and its luck, so they are not independent;
    /// an interval has to come from the executions, not from the pooled values.
    pub fn with_executions(mut self, sizes: Vec<usize>) -> Result<Series, SeriesError> {
        // Saturating: sizes come from files, and a wrapped sum could look right.
        let sum = sizes.iter().fold(0_usize, |sum, &size| sum.saturating_add(size));
        if sum != self.values.len() || sizes.contains(&0) {
            return Err(SeriesError::Executions {
                name: self.name,
                values: self.values.len(),
                sum,
            });
        }
        self.executions = Some(sizes);
        Ok(self)
    }

    /// Names what was measured ("cpu_time"), where the source does.
    #[must_use]
    pub fn with_metric(mut self, metric: impl Into<String>) -> Series {
        self.metric = Some(metric.into());
        self
    }

    /// The same series under another name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<String>) -> Series {
        self.name = name.into();
        self
    }

    /// The same numbers in another unit, for a source that does not say or says it wrong.
    #[must_use]
    pub fn with_unit(mut self, unit: Unit) -> Series {
        self.unit = unit;
        self
    }

    /// Says that a shell ran the commands, and what its empty runs took. The values are those left
    /// after `startup.subtracted()` was subtracted from each.
    #[must_use]
    pub fn with_startup(mut self, startup: Startup) -> Series {
        self.startup = Some(startup);
        self
    }

    /// The empty runs of the shell that ran the commands, where one did.
    #[must_use]
    pub fn startup(&self) -> Option<&Startup> {
        self.startup.as_ref()
    }

    /// The same measurements with `amount` subtracted for the shell instead of what was; unchanged
    /// without a shell.
    #[must_use]
    pub fn with_startup_subtracted(mut self, amount: f64) -> Series {
        if let Some(startup) = self.startup.take() {
            let before = startup.subtracted();
            if before != amount {
                // In two steps: what was measured comes back, and is the same for any amount.
                self.values.iter_mut().for_each(|value| *value = (*value + before) - amount);
            }
            self.startup = Some(startup.with_subtracted(amount));
        }
        self
    }

    /// The subject: a command, a function, a column, a file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was measured, where the source names it.
    #[must_use]
    pub fn metric(&self) -> Option<&str> {
        self.metric.as_deref()
    }

    /// Whether these are times from start to end, by the name that Fathom, hyperfine 1, hyperfine 2 or
    /// Google Benchmark has for them; times without a name are taken for that.
    ///
    /// ```
    /// use fathom_record::{Series, Unit};
    /// let series = Series::new("x", Unit::SECONDS, vec![1.0]).unwrap();
    /// assert!(series.is_wall_time() && series.clone().with_metric("times").is_wall_time());
    /// assert!(!series.with_metric("user-time").is_wall_time());
    /// ```
    #[must_use]
    pub fn is_wall_time(&self) -> bool {
        const NAMES: [&str; 4] = ["wall-time", "times", "time_wall_clock", "real_time"];
        matches!(self.unit, Unit::Time(_)) && self.metric().is_none_or(|name| NAMES.contains(&name))
    }

    /// What the numbers count.
    #[must_use]
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The values, in measurement order.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// How many values; at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a series is never empty")]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The values of each process execution, where the source keeps the two levels.
    #[must_use]
    pub fn executions(&self) -> Option<Vec<&[f64]>> {
        let sizes = self.executions.as_ref()?;
        let mut rest = self.values.as_slice();
        let mut parts = Vec::with_capacity(sizes.len());
        for &size in sizes {
            let (part, tail) = rest.split_at(size);
            parts.push(part);
            rest = tail;
        }
        Some(parts)
    }

    /// How many values each execution has, where the source keeps the two levels.
    #[must_use]
    pub fn execution_sizes(&self) -> Option<&[usize]> {
        self.executions.as_deref()
    }

    /// Puts `other`'s values behind this one's: one subject measured into several files. A file
    /// that does not know executions is one.
    ///
    /// Units must agree; the caller checks, because only it can name the files.
    #[must_use]
    pub fn joined(mut self, other: Series) -> Series {
        let sizes = |series: &Series| match &series.executions {
            Some(sizes) => sizes.clone(),
            None => vec![series.values.len()],
        };
        let mut joined = sizes(&self);
        joined.extend(sizes(&other));
        self.executions = Some(joined);
        let subtracted = self.startup.as_ref().map_or(0.0, Startup::subtracted);
        let other = other.with_startup_subtracted(subtracted);
        self.values.extend_from_slice(&other.values);
        self.startup = match (self.startup, other.startup) {
            (Some(startup), Some(more)) => Some(startup.joined(&more)),
            (startup, more) => startup.or(more),
        };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: &[f64]) -> Series {
        Series::new("x", Unit::Unknown, values.to_vec()).unwrap()
    }

    #[test]
    fn executions_split_the_values_in_order() {
        let two = series(&[1.0, 2.0, 3.0]).with_executions(vec![2, 1]).unwrap();
        assert_eq!(two.executions().unwrap(), vec![&[1.0, 2.0][..], &[3.0][..]]);
    }

    #[test]
    fn executions_must_add_up_and_not_be_empty() {
        assert!(series(&[1.0, 2.0]).with_executions(vec![1]).is_err());
        assert!(series(&[1.0, 2.0]).with_executions(vec![2, 0]).is_err());
        assert!(series(&[1.0]).with_executions(vec![usize::MAX, 2]).is_err());
    }

    #[test]
    fn joining_keeps_both_levels() {
        let a = series(&[1.0, 2.0]).with_executions(vec![1, 1]).unwrap();
        let joined = a.joined(series(&[3.0, 4.0])).joined(series(&[5.0]));
        assert_eq!(joined.values(), [1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(joined.execution_sizes().unwrap(), [1, 1, 2, 1]);
    }

    #[test]
    fn what_is_subtracted_for_a_shell_can_change() {
        let startup = Startup::new(vec![1.0, 2.0], 0.0).unwrap();
        let series = series(&[3.0, 1.0]).with_startup(startup).with_startup_subtracted(1.5);
        assert_eq!(series.values(), [1.5, -0.5]);
        let again = series.clone().with_startup_subtracted(0.0);
        assert_eq!(again.values(), [3.0, 1.0]);
        let joined = again.joined(series);
        assert_eq!(joined.values(), [3.0, 1.0, 3.0, 1.0]);
        assert_eq!(joined.startup().unwrap().values(), [1.0, 2.0, 1.0, 2.0]);
        assert_eq!(Startup::new(Vec::new(), 0.0), None);
        assert_eq!(Startup::new(vec![f64::NAN], 0.0), None);
    }

    #[test]
    fn errors_name_the_place() {
        let error = Series::new("x", Unit::Unknown, vec![1.0, f64::INFINITY]).unwrap_err();
        assert_eq!(error.to_string(), "\"x\": value 2 is inf, which is not a finite number");
    }
}
