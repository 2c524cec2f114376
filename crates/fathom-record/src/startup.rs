//! The start-up of the shell that ran a series' commands.

/// What an empty run of the shell took, run by run, and how much of it is subtracted.
///
/// A shell runs commands under `-S`. The empty shell (`sh -c ''`) alternates with them, so that a
/// series can say what its commands took without the shell, and how well that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Startup {
    values: Vec<f64>,
    subtracted: f64,
}

impl Startup {
    /// Empty runs in the unit of the series, and what is subtracted from each of its values; `None`
    /// without runs, or if a number is not finite.
    #[must_use]
    pub fn new(values: Vec<f64>, subtracted: f64) -> Option<Startup> {
        let is_finite = values.iter().chain([&subtracted]).all(|value| value.is_finite());
        (is_finite && !values.is_empty()).then_some(Startup { values, subtracted })
    }

    /// The empty runs, in measurement order.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// What was subtracted from each value of the series.
    #[must_use]
    pub fn subtracted(&self) -> f64 {
        self.subtracted
    }

    pub(crate) fn with_subtracted(self, subtracted: f64) -> Startup {
        Startup { subtracted, ..self }
    }

    pub(crate) fn joined(mut self, other: &Startup) -> Startup {
        self.values.extend_from_slice(&other.values);
        self
    }
}
