//! Many executions in little memory.

use std::sync::Arc;

use fathom_record::{Observation, ObservationError, Scalar};

use super::found::{Attempt, FailedExecution};
use super::heading::Heading;

/// Executions that were tried, in their order.
///
/// Those that have the same names and nothing over time share the names and keep only numbers, a
/// column for each name: a million executions of ten numbers take 100 MB.
///
/// ```
/// use fathom_formats::{AttemptSlot, Attempts};
/// use fathom_record::{Observation, Scalar, Unit};
/// let mut attempts = Attempts::default();
/// for ipc in [1.5, 1.6] {
///     let mut seen = Observation::new();
///     seen.set_scalar("ipc", Scalar::new(ipc, Unit::Unknown))?;
///     attempts.push(Ok(seen));
/// }
/// let mut slot = AttemptSlot::default();
/// attempts.read_into(1, &mut slot);
/// assert_eq!(slot.attempt().as_ref().unwrap().scalars()["ipc"].value, 1.6);
/// # Ok::<(), fathom_record::ObservationError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attempts {
    shapes: Vec<SharedShape>,
    entries: Vec<Entry>,
}

/// What executions have together, and their numbers.
#[derive(Debug, Clone, PartialEq)]
struct SharedShape {
    /// The names, units and everything else.
    model: Arc<Observation>,
    /// In the order of the names.
    columns: Vec<Vec<f64>>,
    rows: usize,
}

#[derive(Debug, Clone, PartialEq)]
enum Entry {
    /// A row of the numbers of a shape.
    Row {
        shape: u32,
        row: usize,
    },
    /// An execution with signals or events.
    Separate(Box<Observation>),
    Failed(Box<FailedExecution>),
}

/// A place for one execution at a time. Reading the next one into it makes nothing anew where the
/// two differ by numbers only.
#[derive(Debug, Clone, Default)]
pub struct AttemptSlot {
    attempt: Option<Attempt>,
    /// What the attempt has apart from its numbers, if nobody changed it since.
    model: Option<Arc<Observation>>,
}

impl AttemptSlot {
    /// The execution that was read last; an empty one before the first.
    pub fn attempt(&mut self) -> &mut Attempt {
        self.attempt.get_or_insert_with(|| Ok(Observation::new()))
    }
}

impl Attempts {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Entry::Failed(_))).count()
    }

    /// Adds the next one.
    pub fn push(&mut self, attempt: Attempt) {
        let entry = match attempt {
            Err(failed) => Entry::Failed(Box::new(failed)),
            Ok(seen) if seen.has_only_scalars() && !seen.is_cut() => self.row(&seen),
            Ok(seen) => Entry::Separate(Box::new(seen)),
        };
        self.entries.push(entry);
    }

    /// Adds a row to the shape of an execution, which is the last one or a new one.
    fn row(&mut self, seen: &Observation) -> Entry {
        let is_last = |shape: &SharedShape| shape.model.differs_by_numbers_only(seen);
        if !self.shapes.last().is_some_and(is_last) {
            // Where executions hardly share anything, looking for an older shape costs more.
            let columns = vec![Vec::new(); seen.scalars().len()];
            let model = Arc::new(seen.clone());
            self.shapes.push(SharedShape { model, columns, rows: 0 });
        }
        let number = self.shapes.len() - 1;
        let shape = &mut self.shapes[number];
        for (column, scalar) in shape.columns.iter_mut().zip(seen.scalars().values()) {
            column.push(scalar.value);
        }
        shape.rows += 1;
        match u32::try_from(number) {
            Ok(number) => Entry::Row { shape: number, row: shape.rows - 1 },
            Err(_) => Entry::Separate(Box::new(seen.clone())),
        }
    }

    /// The rows of a table, each an execution. Of columns with one name the last counts.
    ///
    /// # Errors
    /// A number is infinite.
    pub(super) fn of_table(
        columns: Vec<(Heading, Vec<f64>)>,
        rows: usize,
    ) -> Result<Attempts, ObservationError> {
        let mut model = Observation::new();
        let mut named = std::collections::BTreeMap::new();
        for (Heading { name, unit }, numbers) in columns {
            if let Some(value) = numbers.iter().copied().find(|value| value.is_infinite()) {
                return Err(ObservationError::NotFinite { value });
            }
            model.set_scalar(name.clone(), Scalar::new(f64::NAN, unit))?;
            named.insert(name, numbers);
        }
        let columns = named.into_values().collect();
        let entries = (0..rows).map(|row| Entry::Row { shape: 0, row }).collect();
        let shape = SharedShape { model: Arc::new(model), columns, rows };
        Ok(Attempts { shapes: vec![shape], entries })
    }

    /// Puts the one at an index into a slot; an empty execution if there are not so many.
    pub fn read_into(&self, index: usize, slot: &mut AttemptSlot) {
        let (attempt, model) = match self.entries.get(index) {
            Some(&Entry::Row { shape, row }) => {
                let Some(shape) = self.shapes.get(shape as usize) else { return };
                let numbers = shape.columns.iter().filter_map(|column| column.get(row).copied());
                let is_same = slot.model.as_ref().is_some_and(|old| Arc::ptr_eq(old, &shape.model));
                if let (true, Some(Ok(seen))) = (is_same, &mut slot.attempt)
                    && seen.replace_numbers(numbers.clone()).is_ok()
                {
                    return;
                }
                let mut seen = Observation::clone(&shape.model);
                // They were finite or missing when they were added.
                let _ = seen.replace_numbers(numbers);
                (Ok(seen), Some(Arc::clone(&shape.model)))
            }
            Some(Entry::Separate(seen)) => (Ok(Observation::clone(seen)), None),
            Some(Entry::Failed(failed)) => (Err(FailedExecution::clone(failed)), None),
            None => (Ok(Observation::new()), None),
        };
        *slot = AttemptSlot { attempt: Some(attempt), model };
    }

    /// Changes what executions have apart from the numbers that hold for all of them: once for all
    /// that have the same. The function must not depend on these numbers.
    ///
    /// # Errors
    /// The function's.
    pub fn change<E>(
        &mut self,
        change: impl Fn(&mut Observation) -> Result<(), E>,
    ) -> Result<(), E> {
        for shape in &mut self.shapes {
            change(Arc::make_mut(&mut shape.model))?;
        }
        for entry in &mut self.entries {
            if let Entry::Separate(seen) = entry {
                change(seen)?;
            }
        }
        Ok(())
    }

    /// Every execution that has something else than numbers that others have too, and one for all
    /// others that have the same: with the index of the first. Its numbers mean nothing.
    pub fn kinds(&self) -> impl Iterator<Item = (usize, &Observation)> {
        let mut is_known = vec![false; self.shapes.len()];
        self.entries.iter().enumerate().filter_map(move |(index, entry)| match entry {
            &Entry::Row { shape, .. } => {
                let known = is_known.get_mut(shape as usize)?;
                let is_new = !std::mem::replace(known, true);
                is_new.then_some((index, &*self.shapes.get(shape as usize)?.model))
            }
            Entry::Separate(seen) => Some((index, &**seen)),
            Entry::Failed(_) => None,
        })
    }

    /// Those that failed, and those that were cut short, with their index.
    pub fn abnormal(&self) -> impl Iterator<Item = (usize, Option<&FailedExecution>)> {
        self.entries.iter().enumerate().filter_map(|(index, entry)| match entry {
            Entry::Failed(failed) => Some((index, Some(&**failed))),
            Entry::Separate(seen) if seen.is_cut() => Some((index, None)),
            Entry::Row { .. } | Entry::Separate(_) => None,
        })
    }

    /// All of them, each as an execution by itself.
    pub fn iter(&self) -> impl Iterator<Item = Attempt> + '_ {
        (0..self.len()).map(|index| {
            let mut slot = AttemptSlot::default();
            self.read_into(index, &mut slot);
            slot.attempt.unwrap_or_else(|| Ok(Observation::new()))
        })
    }
}

impl Extend<Attempt> for Attempts {
    fn extend<I: IntoIterator<Item = Attempt>>(&mut self, all: I) {
        all.into_iter().for_each(|attempt| self.push(attempt));
    }
}

impl FromIterator<Attempt> for Attempts {
    fn from_iter<I: IntoIterator<Item = Attempt>>(all: I) -> Attempts {
        let mut attempts = Attempts::default();
        attempts.extend(all);
        attempts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::{Certainty, Events, Shape, Signal, Unit};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// One of many kinds of executions, some of which differ only a little.
    fn attempt(kind: u8, value: f64) -> Attempt {
        let mut seen = Observation::new();
        let certainty = if kind == 1 { Certainty::AtLeast } else { Certainty::Exactly };
        let unit = Unit::parse(if kind == 2 { "ms" } else { "W" });
        seen.set_scalar("a", Scalar { value, unit, certainty }).unwrap();
        match kind {
            3 => seen.set_scalar("b", Scalar::new(-value, Unit::Unknown)).unwrap(),
            4 => seen.set_end(5.0).unwrap(),
            5 => seen.set_cut(true),
            6 => seen.set_clock_hz(1e9).unwrap(),
            7 => {
                let events = Events::new(vec![1.0], BTreeMap::new()).unwrap();
                seen.set_events("e", events).unwrap();
            }
            8 => {
                let signal = Signal::new(Unit::Unknown, Shape::Step, vec![0.0], vec![value]);
                seen.set_signal("s", signal.unwrap()).unwrap();
            }
            9 => return Err(FailedExecution { how: "exited with status 3".to_string() }),
            _ => {}
        }
        Ok(seen)
    }

    proptest! {
        /// What is put in comes out, in any order, whatever a slot held before.
        #[test]
        fn what_is_pushed_is_read(
            kinds in prop::collection::vec((0..10_u8, 0..4_u8), 1..30),
            order in prop::collection::vec(any::<prop::sample::Index>(), 1..60),
        ) {
            let all: Vec<Attempt> =
                kinds.iter().map(|&(kind, value)| attempt(kind, f64::from(value))).collect();
            let attempts: Attempts = all.iter().cloned().collect();
            prop_assert_eq!(attempts.len(), all.len());
            prop_assert_eq!(attempts.failed(), all.iter().filter(|one| one.is_err()).count());
            let is_abnormal = |one: &&Attempt| one.as_ref().map_or(true, Observation::is_cut);
            prop_assert_eq!(attempts.abnormal().count(), all.iter().filter(is_abnormal).count());
            prop_assert!(attempts.iter().eq(all.iter().cloned()));
            let mut slot = AttemptSlot::default();
            for index in order {
                let index = index.index(all.len());
                attempts.read_into(index, &mut slot);
                prop_assert_eq!(&*slot.attempt(), &all[index]);
            }
        }

        /// Changing kinds is changing every execution.
        #[test]
        fn a_change_reaches_all(
            kinds in prop::collection::vec((0..10_u8, 0..4_u8), 1..30),
        ) {
            let all = kinds.iter().map(|&(kind, value)| attempt(kind, f64::from(value)));
            let mut attempts: Attempts = all.clone().collect();
            let change = |seen: &mut Observation| seen.set_clock_hz(2e9);
            attempts.change(change).unwrap();
            let changed = all.map(|mut attempt| {
                attempt.iter_mut().for_each(|seen| change(seen).unwrap());
                attempt
            });
            prop_assert!(attempts.iter().eq(changed));
            let kinds = attempts.kinds().count();
            prop_assert!(kinds <= attempts.len());
        }
    }

    #[test]
    fn executions_of_a_table_share_their_names() {
        let heading = |name: &str| Heading { name: name.to_string(), unit: Unit::Unknown };
        let columns = vec![(heading("b"), vec![1.0, 2.0]), (heading("a"), vec![3.0, f64::NAN])];
        let attempts = Attempts::of_table(columns, 2).unwrap();
        let mut slot = AttemptSlot::default();
        attempts.read_into(1, &mut slot);
        let seen = slot.attempt().clone().unwrap();
        assert_eq!(seen.scalars()["b"].value, 2.0);
        assert!(seen.scalars()["a"].value.is_nan());
        assert_eq!(attempts.kinds().map(|(index, _)| index).collect::<Vec<_>>(), [0]);
        assert!(Attempts::of_table(vec![(heading("a"), vec![f64::INFINITY])], 1).is_err());
    }
}
