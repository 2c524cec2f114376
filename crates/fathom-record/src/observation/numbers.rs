//! The numbers of an execution apart from their names, so that many executions can share these.

use super::{Observation, ObservationError};

impl Observation {
    /// Whether there is nothing in it but numbers that hold for all of it.
    #[must_use]
    pub fn has_only_scalars(&self) -> bool {
        self.signals.is_empty() && self.events.is_empty()
    }

    /// Whether the other is the same but for the numbers that hold for all of it.
    ///
    /// ```
    /// use fathom_record::{Observation, Scalar, Unit};
    /// let of = |value| {
    ///     let mut seen = Observation::new();
    ///     seen.set_scalar("ipc", Scalar::new(value, Unit::Unknown)).map(|()| seen)
    /// };
    /// assert!(of(1.5)?.differs_by_numbers_only(&of(1.6)?));
    /// assert!(!of(1.5)?.differs_by_numbers_only(&Observation::new()));
    /// # Ok::<(), fathom_record::ObservationError>(())
    /// ```
    #[must_use]
    pub fn differs_by_numbers_only(&self, other: &Observation) -> bool {
        let rest = |seen: &Observation| (seen.end, seen.is_cut, seen.clock_hz);
        rest(self) == rest(other)
            && self.time_unit == other.time_unit
            && self.scalars.len() == other.scalars.len()
            && self.signals == other.signals
            && self.events == other.events
            && self.scalars.iter().zip(&other.scalars).all(|((name, a), (other_name, b))| {
                name == other_name && a.unit == b.unit && a.certainty == b.certainty
            })
    }

    /// Replaces the numbers that hold for all of it, in the order of their names.
    ///
    /// # Errors
    /// A number is infinite. Those before it are replaced.
    pub fn replace_numbers(
        &mut self,
        numbers: impl IntoIterator<Item = f64>,
    ) -> Result<(), ObservationError> {
        for (scalar, value) in self.scalars.values_mut().zip(numbers) {
            if value.is_infinite() {
                return Err(ObservationError::NotFinite { value });
            }
            scalar.value = value;
        }
        Ok(())
    }
}
