//! The rows of a metric in a run: when they are, and what was seen in them.

use super::error::AlignError;
use super::on_edges::on_edges;
use super::phrase::{counted, quoted};
use super::reader::Reader;
use crate::cache::Held;
use crate::{Grid, Mask, RunEntry, Sequence};
use fathom_record::trace::{Kind, Samples};
use fathom_record::{Span, Timestamp};
use std::mem::size_of;

/// Rows that events are counted in where nothing else was sampled.
const EVEN_ROWS: u64 = 500;

/// A metric on the rows of its own.
#[derive(Debug, Clone)]
pub(crate) struct OwnRows {
    pub(super) grid: Grid,
    pub(super) values: Sequence,
    /// In which row of the grid each row of the metric is: gaps between rows have rows as well.
    /// Absent for events, whose rows are not the grid's.
    pub(super) places: Option<Vec<usize>>,
    pub(super) notes: Vec<String>,
}

impl OwnRows {
    /// How many rows can be asked for.
    pub(super) fn len(&self) -> usize {
        self.places.as_ref().map_or(self.grid.rows(), Vec::len)
    }

    /// The same, with nothing seen in rows that do not count.
    pub(super) fn without(self, mask: &Mask) -> OwnRows {
        if mask.is_empty() {
            return self;
        }
        let keeps = mask.keeps(self.grid.edges());
        let seen = self.values.iter().zip(keeps).map(|(value, keeps)| value.filter(|_| keeps));
        let values = Sequence::new(&seen.collect::<Vec<_>>());
        OwnRows { values, ..self }
    }

    /// The row of the grid that a row of the metric is.
    pub(super) fn place(&self, row: usize) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(row).copied(),
            None => (row < self.grid.rows()).then_some(row),
        }
    }
}

impl Held for OwnRows {
    fn held(&self) -> usize {
        let places = self.places.as_ref().map_or(0, Vec::len) * size_of::<usize>();
        let row = size_of::<Timestamp>() + size_of::<f64>() + size_of::<bool>();
        size_of::<OwnRows>() + places + self.grid.rows() * row
    }
}

/// Which rows: those of events depend on the metric whose rows they are counted in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RowsKey {
    pub(super) run: String,
    pub(super) metric: String,
    pub(super) beside: Option<String>,
    /// Whether rows that do not count are left out.
    pub(super) is_masked: bool,
}

/// A metric of a run on rows of its own; events, which have none, are counted in those of `beside`,
/// or else of the metric that has the most.
pub(super) fn own_rows(
    reader: Reader<'_>,
    run: &RunEntry,
    metric: &str,
    beside: Option<&str>,
) -> Result<OwnRows, AlignError> {
    let samples = reader.samples(&run.id, metric)?;
    if samples.metric.kind != Kind::Event {
        return sampled(&samples).ok_or_else(|| no_values(metric, &run.id, 0));
    }
    let mut notes = Vec::new();
    let edges = match clock_of(reader, run, beside)? {
        Some((clock, edges)) => {
            let (first, last) = (edges.first().copied(), edges.last().copied());
            let ends = samples.starts.iter().zip(samples.ends.iter());
            let outside =
                ends.filter(|(start, end)| Some(**end) < first || Some(**start) > last).count();
            notes.push(format!(
                "{} consists of events, counted per row of {} in run {}{}",
                quoted(metric),
                quoted(&clock),
                quoted(&run.id),
                match outside {
                    0 => String::new(),
                    _ => format!("; {} outside those rows", counted(outside, "event")),
                }
            ));
            edges
        }
        None => {
            notes.push(format!(
                "{} consists of events and run {} has no other metric, so they are counted in {EVEN_ROWS} equal rows",
                quoted(metric),
                quoted(&run.id)
            ));
            even_edges(&samples)
        }
    };
    let values = Sequence::new(&on_edges(&samples, &edges));
    let grid = Grid::new(edges).filter(|_| !samples.is_empty());
    let grid = grid.ok_or_else(|| no_values(metric, &run.id, 0))?;
    Ok(OwnRows { grid, values, places: None, notes })
}

pub(super) fn no_values(metric: &str, run: &str, seen: usize) -> AlignError {
    let remedy = "choose another metric, or another run";
    AlignError::TooFewValues { metric: metric.to_string(), run: run.to_string(), seen, remedy }
}

/// The edges of the rows that events are counted in, and whose they are.
fn clock_of(
    reader: Reader<'_>,
    run: &RunEntry,
    beside: Option<&str>,
) -> Result<Option<(String, Vec<Timestamp>)>, AlignError> {
    let sampled_metrics = || run.metrics.iter().filter(|metric| metric.kind != Kind::Event);
    if let Some(metric) = sampled_metrics().find(|metric| Some(metric.name.as_str()) == beside)
        && let Some((edges, _)) = edges_of(&*reader.samples(&run.id, &metric.name)?)
    {
        return Ok(Some((metric.name.clone(), edges)));
    }
    let mut most: Option<(String, Vec<Timestamp>)> = None;
    for metric in sampled_metrics() {
        let Some((edges, _)) = edges_of(&*reader.samples(&run.id, &metric.name)?) else { continue };
        if most.as_ref().is_none_or(|(_, so_far)| edges.len() > so_far.len()) {
            most = Some((metric.name.clone(), edges));
        }
    }
    Ok(most)
}

fn even_edges(samples: &Samples) -> Vec<Timestamp> {
    let first = samples.starts.iter().min().copied().unwrap_or_default();
    let last = samples.ends.iter().max().copied().unwrap_or_default();
    // Events of one moment still need rows of some length.
    let length = (last - first).max(Span::from_nanoseconds(EVEN_ROWS));
    let edge = |n: u64| first + length.part(n, EVEN_ROWS);
    (0..=EVEN_ROWS).map(edge).collect()
}

/// A gauge or a counter on its own rows; `None` if it has none.
fn sampled(samples: &Samples) -> Option<OwnRows> {
    let (edges, places) = edges_of(samples)?;
    let values = Sequence::new(&on_edges(samples, &edges));
    let grid = Grid::new(edges)?;
    Some(OwnRows { grid, values, places: Some(places), notes: Vec::new() })
}

/// Edges of rows without gaps, and which of them each row of the metric is.
///
/// A row is from the end of the one before it to its own, and the first, which is often but a
/// moment, as long as the second. Only where a row starts clearly later than the one before it
/// ended, that gap is a row of its own, in which nothing was seen.
fn edges_of(samples: &Samples) -> Option<(Vec<Timestamp>, Vec<usize>)> {
    let (&start, &end) = (samples.starts.first()?, samples.ends.first()?);
    let mut lengths: Vec<Span> = samples.ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let least = Span::from_nanoseconds(1);
    let second = lengths.first().copied().unwrap_or(least);
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or(least);
    let first = if start < end { start } else { end - second };
    let mut edges = Vec::with_capacity(samples.len() + 1);
    let mut places = Vec::with_capacity(samples.len());
    edges.push(first.min(end - least));
    for (&start, &end) in samples.starts.iter().zip(samples.ends.iter()) {
        let before = edges.last().copied().unwrap_or(end);
        let is_moment = start == end;
        let gap = start - before;
        // Rows of moments say nothing of when they began; small gaps are how samplers are.
        if !is_moment
            && gap > usual.divided_by(2)
            && start < end
            && samples.metric.kind == Kind::Gauge
        {
            edges.push(start);
        }
        places.push(edges.len() - 1);
        edges.push(end);
    }
    Some((edges, places))
}
