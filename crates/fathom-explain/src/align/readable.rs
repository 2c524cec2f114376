//! A metric of a run, read and made fit for a grid.

use super::error::AlignError;
use crate::TraceSource;
use fathom_record::Timestamp;
use fathom_record::trace::{Kind, Samples, Values};

/// Reads a metric: its rows are in the order of time, and unless they are events each ends after the
/// one before it.
///
/// # Errors
/// If it cannot be read, or its rows cannot be put on a grid; with the run, the metric and the row.
pub fn read(source: &dyn TraceSource, run: &str, metric: &str) -> Result<Samples, AlignError> {
    let samples = source.samples(run, metric).map_err(|error| AlignError::Source {
        metric: metric.to_string(),
        run: run.to_string(),
        error,
    })?;
    checked(samples, run)
}

/// Samples that were read, fit for a grid.
pub(super) fn checked(samples: Samples, run: &str) -> Result<Samples, AlignError> {
    check(&samples, run)?;
    Ok(once_a_moment(samples))
}

/// Whether all rows are whole, none starts after its end, and none ends before the one before it.
pub(super) fn check(samples: &Samples, run: &str) -> Result<(), AlignError> {
    let names = || (samples.metric.name.clone(), run.to_string());
    let (starts, ends) = (samples.starts.len(), samples.ends.len());
    let values = samples.values.len();
    if starts != ends || ends != values {
        let (metric, run) = names();
        return Err(AlignError::Ragged { metric, run, starts, ends, values });
    }
    let rows = samples.starts.iter().copied().zip(samples.ends.iter().copied());
    let mut before = None;
    for (row, (start, end)) in rows.enumerate() {
        if start > end {
            let (metric, run) = names();
            return Err(AlignError::Reversed { metric, run, row, start, end });
        }
        if let Some(before) = before.replace(end)
            && samples.metric.kind != Kind::Event
            && end < before
        {
            let (metric, run) = names();
            return Err(AlignError::Times { metric, run, row, end, before });
        }
    }
    Ok(())
}

/// Two lines that a program prints at once are read at the same moment: what it said last counts.
fn once_a_moment(samples: Samples) -> Samples {
    let is_twice = samples.ends.windows(2).any(|pair| pair.first() == pair.last());
    if samples.metric.kind == Kind::Event || !is_twice {
        return samples;
    }
    let mut rows: Vec<(Timestamp, Timestamp, usize)> = Vec::new();
    let times = samples.starts.iter().zip(samples.ends.iter());
    for (row, (&start, &end)) in times.enumerate() {
        let is_seen = samples.values.get(row).real().is_some();
        match rows.last_mut() {
            Some((_, last, kept)) if *last == end => {
                if is_seen {
                    *kept = row;
                }
            }
            _ => rows.push((start, end, row)),
        }
    }
    let mut values = Values::new(samples.values.number());
    rows.iter().for_each(|&(_, _, row)| values.push(samples.values.get(row)));
    Samples {
        starts: rows.iter().map(|row| row.0).collect(),
        ends: rows.iter().map(|row| row.1).collect(),
        values,
        ..samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Layer, TraceMetric};

    #[test]
    fn what_was_said_last_counts() {
        let at = Timestamp::from_nanoseconds;
        let samples = Samples {
            metric: TraceMetric::real("p", "a", Layer::Os, Kind::Gauge, Unit::Unknown),
            starts: [0, 0, 5, 5, 5].map(at).into(),
            ends: [0, 5, 5, 5, 9].map(at).into(),
            values: Values::Reals(vec![Some(1.0), Some(2.0), Some(3.0), None, Some(4.0)]),
        };
        let once = once_a_moment(samples.clone());
        assert_eq!(
            (&once.starts[..], &once.ends[..]),
            (&[0, 0, 5].map(at)[..], &[0, 5, 9].map(at)[..])
        );
        assert_eq!(once.values, Values::Reals(vec![Some(1.0), Some(3.0), Some(4.0)]));
        let mut events = samples;
        events.metric.kind = Kind::Event;
        assert_eq!(once_a_moment(events.clone()), events);
    }
}
