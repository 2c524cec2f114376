//! Metrics on the same rows.

use fathom_record::Timestamp;
use fathom_record::trace::{Kind, Samples};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A metric as an expression reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowLeaf {
    /// Which of the inputs.
    pub(crate) input: usize,
    pub(crate) reading: Reading,
}

/// What is read of a metric in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Its value.
    Level,
    /// By how much it grew: of a counter, or the amount of events.
    Growth,
    /// How far its value is from that of the row before.
    Change,
}

/// Some rows of time, and what leaves read in them.
#[derive(Debug)]
pub(super) struct CommonRows {
    pub(super) starts: Arc<[Timestamp]>,
    pub(super) ends: Arc<[Timestamp]>,
    leaves: Vec<Vec<Option<f64>>>,
}

impl CommonRows {
    /// The rows of the metric that has the fewest, since a mean over a longer row is known, but not what
    /// happened within one. Metrics with the same rows keep their values to the last bit.
    ///
    /// Events have no rows of time; if there is nothing else, the rows are those of the first.
    pub(super) fn of(leaves: &[RowLeaf], inputs: &[&Samples]) -> CommonRows {
        let sampled = inputs.iter().filter(|one| one.metric.kind != Kind::Event);
        let Some(rows) = sampled.min_by_key(|one| one.len()).or(inputs.first()) else {
            return CommonRows { starts: [].into(), ends: [].into(), leaves: Vec::new() };
        };
        let mut common = CommonRows {
            starts: Arc::clone(&rows.starts),
            ends: Arc::clone(&rows.ends),
            leaves: Vec::new(),
        };
        let read = leaves.iter().map(|leaf| match inputs.get(leaf.input) {
            Some(samples) => common.read(samples, leaf.reading),
            None => vec![None; common.len()],
        });
        common.leaves = read.collect();
        common
    }

    /// Rows from each start or end of an event to the next, over all time; levels are the amounts of the
    /// events that last, 0 where none does.
    pub(super) fn of_events(leaves: &[RowLeaf], inputs: &[&Samples]) -> CommonRows {
        let mut edges = BTreeSet::from([Timestamp::MIN, Timestamp::MAX]);
        for events in inputs {
            edges.extend(events.starts.iter().chain(events.ends.iter()).copied());
        }
        let edges: Vec<Timestamp> = edges.into_iter().collect();
        let pairs = || edges.windows(2);
        let starts: Arc<[Timestamp]> = pairs().filter_map(|pair| pair.first().copied()).collect();
        let ends: Arc<[Timestamp]> = pairs().filter_map(|pair| pair.get(1).copied()).collect();
        let read = leaves.iter().map(|leaf| {
            let mut levels = vec![Some(0.0); starts.len()];
            let Some(events) = inputs.get(leaf.input) else { return levels };
            let spans = events.starts.iter().zip(events.ends.iter()).zip(events.values.reals());
            for ((start, end), value) in spans {
                let first = starts.partition_point(|one| one < start);
                let lasting = starts.iter().skip(first).take_while(|one| *one < end).count();
                for level in levels.iter_mut().skip(first).take(lasting) {
                    *level = level.zip(value).map(|(level, value)| level + value);
                }
            }
            levels
        });
        let leaves = read.collect();
        CommonRows { starts, ends, leaves }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// What a leaf reads in a row.
    pub(super) fn leaf(&self, leaf: usize, row: usize) -> Option<f64> {
        self.leaves.get(leaf)?.get(row).copied()?
    }

    /// How long a row is: from the end of the one before it to its own. `None` if it is a moment.
    pub(super) fn seconds(&self, row: usize) -> Option<f64> {
        let (start, end) = self.span(row)?;
        (start < end).then(|| (end - start).nanoseconds_f64() * 1e-9)
    }

    /// From the end of the row before it, or for the first row from its start, to its end.
    pub(super) fn span(&self, row: usize) -> Option<(Timestamp, Timestamp)> {
        let start = match row.checked_sub(1) {
            Some(before) => self.ends.get(before),
            None => self.starts.first(),
        };
        Some((*start?, *self.ends.get(row)?))
    }

    fn has_rows_of(&self, samples: &Samples) -> bool {
        self.starts == samples.starts && self.ends == samples.ends
    }

    fn read(&self, samples: &Samples, reading: Reading) -> Vec<Option<f64>> {
        let is_own = self.has_rows_of(samples);
        match (reading, samples.metric.kind) {
            (Reading::Growth, Kind::Counter) if is_own => samples.growths(),
            (Reading::Growth, _) => {
                let rates = self.between(samples);
                let seconds = (0..self.len()).map(|row| self.seconds(row));
                rates
                    .into_iter()
                    .zip(seconds)
                    .map(|(rate, seconds)| Some(rate? * seconds?))
                    .collect()
            }
            (Reading::Level, _) => self.levels(samples, is_own),
            (Reading::Change, _) => {
                let levels = self.levels(samples, is_own);
                let before = std::iter::once(None).chain(levels.iter().copied());
                levels.iter().zip(before).map(|(now, before)| Some((*now)? - before?)).collect()
            }
        }
    }

    fn levels(&self, samples: &Samples, is_own: bool) -> Vec<Option<f64>> {
        if is_own { samples.values.reals().collect() } else { self.between(samples) }
    }

    /// A metric of other rows in these: the mean of levels; of totals and events, the growth per second.
    fn between(&self, samples: &Samples) -> Vec<Option<f64>> {
        let first = self.starts.first().copied();
        let mut last = first.unwrap_or_default();
        // Rows that end at one moment must not turn time around.
        let edges = first.into_iter().chain(self.ends.iter().copied()).map(|edge| {
            last = last.max(edge);
            last
        });
        samples.between(&edges.collect::<Vec<_>>())
    }
}
