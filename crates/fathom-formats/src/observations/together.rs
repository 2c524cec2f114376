//! Several files of one execution: signals in one, events in another.

use std::collections::BTreeMap;

use fathom_record::{MergeError, Observation};

use crate::ReadError;
use crate::error::{Flaw, quoted};

/// What several files contain about one execution, combined.
///
/// ```
/// use fathom_formats::{ObservationOptions, Together, one_from_bytes};
/// let options = ObservationOptions::default();
/// let mut together = Together::default();
/// for (file, text) in [("power.csv", "time[ms],power\n0,3\n8,4\n"), ("log.csv", "time[us],event\n9,stop\n")] {
///     together.add(file, one_from_bytes(file, text.as_bytes(), &options)?)?;
/// }
/// let seen = together.into_observation();
/// assert_eq!(seen.events()["stop"].times(), [0.009]);
/// # Ok::<(), fathom_formats::ReadError>(())
/// ```
#[derive(Debug, Default)]
pub struct Together {
    seen: Observation,
    /// Which file a name came from.
    sources: BTreeMap<String, String>,
    /// The file that the unit of time is from.
    timed: Option<String>,
    clocked: Option<String>,
}

impl Together {
    /// Adds what a file says; `file` is what messages call it.
    ///
    /// # Errors
    /// A name is in two files, or their times cannot be brought together. Nothing is added then.
    pub fn add(&mut self, file: &str, seen: Observation) -> Result<(), ReadError> {
        let mut names: Vec<String> = seen.scalars().keys().cloned().collect();
        names.extend(seen.signals().keys().cloned());
        names.extend(seen.events().keys().cloned());
        let (is_timed, is_clocked) = (seen.is_timed(), seen.clock_hz().is_some());
        self.seen.merge(seen).map_err(|error| {
            let before = |file: Option<&String>| quoted(file.map_or("another file", |file| file));
            let flaw = match &error {
                MergeError::Twice { name } => Flaw::new(
                    format!(
                        "{} is in this file and in {} as well",
                        quoted(name),
                        before(self.sources.get(name))
                    ),
                    "rename one of the two, or read only one of the files",
                ),
                MergeError::TimeUnits { first, second } => Flaw::new(
                    format!(
                        "the times are in {}, but those of {} are in {}",
                        named(second),
                        before(self.timed.as_ref()),
                        named(first)
                    ),
                    "use one unit in both files and name it, as in time[ms]",
                ),
                MergeError::Clocks { .. } => Flaw::new(
                    format!("{error}, and the first is that of {}", before(self.clocked.as_ref())),
                    "correct one of them",
                ),
                // Their times cannot be converted.
                _ => Flaw::new(error.to_string(), "use one unit of time in both files"),
            };
            ReadError::of_format(file, flaw, None)
        })?;
        self.sources.extend(names.into_iter().map(|name| (name, file.to_string())));
        if is_timed {
            self.timed.get_or_insert_with(|| file.to_string());
        }
        if is_clocked {
            self.clocked.get_or_insert_with(|| file.to_string());
        }
        Ok(())
    }

    /// The execution.
    #[must_use]
    pub fn into_observation(self) -> Observation {
        self.seen
    }
}

fn named(unit: &fathom_record::Unit) -> String {
    match unit.symbol() {
        "" => "an unnamed unit".to_string(),
        symbol => symbol.to_string(),
    }
}
