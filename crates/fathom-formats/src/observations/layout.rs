//! What the columns of a table are for.

use fathom_record::Unit;

use super::heading::{is_event, is_run, time_unit};
use crate::error::{Flaw, quoted};

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Executions.
    Rows,
    /// Samples, at the times in this column.
    Signals { time: usize },
    /// Occurrences, of the events in one column at the times in another.
    Events { time: usize, event: usize },
}

/// The columns that are not plain values.
#[derive(Debug, PartialEq)]
pub(super) struct Roles {
    pub(super) layout: Layout,
    /// The column that says which execution a row is of, or how the row is called.
    pub(super) run: Option<usize>,
    /// What times are in.
    pub(super) time_unit: Unit,
}

impl Roles {
    pub(super) fn of<T: AsRef<str>>(header: &[T]) -> Result<Roles, Flaw> {
        let find = |is: fn(&str) -> bool| header.iter().position(|text| is(text.as_ref()));
        let (run, event) = (find(is_run), find(is_event));
        let timed = |place: usize| {
            let unit = header.get(place).and_then(|text| time_unit(text.as_ref()))?;
            Some(unit.map(|unit| (place, unit)))
        };
        if let Some(event) = event {
            let time = (0..header.len()).find_map(timed).transpose()?;
            let Some((time, time_unit)) = time else {
                let name = header.get(event).map_or("event", AsRef::as_ref);
                return Err(Flaw::new(
                    format!("the table has a column {}, but no time", quoted(name)),
                    "add a column time, time[ms] or cycle with the time of each event",
                ));
            };
            return Ok(Roles { layout: Layout::Events { time, event }, run, time_unit });
        }
        // Elsewhere than first, a time is one of an execution's numbers.
        let first = (0..header.len()).find(|&place| Some(place) != run);
        let others = header.len() - usize::from(run.is_some());
        match first.filter(|_| others > 1).and_then(timed).transpose()? {
            Some((time, time_unit)) => {
                Ok(Roles { layout: Layout::Signals { time }, run, time_unit })
            }
            None => Ok(Roles { layout: Layout::Rows, run, time_unit: Unit::Unknown }),
        }
    }

    /// Whether a column is something else than a value.
    pub(super) fn is_taken(&self, column: usize) -> bool {
        match self.layout {
            Layout::Rows => false,
            Layout::Signals { time } => column == time || Some(column) == self.run,
            Layout::Events { time, event } => {
                [time, event].contains(&column) || Some(column) == self.run
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_says_what_rows_are() {
        for (header, layout) in [
            ("time,power", Layout::Signals { time: 0 }),
            ("run,time_ms,power", Layout::Signals { time: 1 }),
            ("cycle,execution,ipc", Layout::Signals { time: 0 }),
            ("time,event", Layout::Events { time: 0, event: 1 }),
            ("Event,latency_ns,Time", Layout::Events { time: 2, event: 0 }),
            ("runtime,power", Layout::Rows),
            ("power,time", Layout::Rows),
            ("time_ms", Layout::Rows),
            ("run,time_ms", Layout::Rows),
        ] {
            let header: Vec<&str> = header.split(',').collect();
            assert_eq!(Roles::of(&header).unwrap().layout, layout, "{header:?}");
        }
        assert!(Roles::of(&["event", "latency"]).is_err());
        assert!(Roles::of(&["time[W]", "power"]).is_err());
    }
}
