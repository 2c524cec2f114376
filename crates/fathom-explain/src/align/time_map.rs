//! From one run's time to another's and back.

use fathom_dtw::Path;
use fathom_record::Timestamp;

/// A moment of the reference for each moment of the run and the other way round: both always go
/// forward, without jumps.
///
/// Each pair of the path takes its share of the time of both its samples: the time of a sample is
/// divided evenly among its pairs. Within a pair both times go on evenly. Before the first pair and
/// after the last both go at the same pace.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeMap {
    /// What the knots count from, so that they are exact.
    origins: (Timestamp, Timestamp),
    here: Vec<f64>,
    there: Vec<f64>,
}

impl TimeMap {
    /// Of a path and the edges of the samples that it pairs, one more than there are samples.
    pub(super) fn new(path: &Path, x_edges: &[Timestamp], y_edges: &[Timestamp]) -> TimeMap {
        let origin = |edges: &[Timestamp]| edges.first().copied().unwrap_or_default();
        let origins = (origin(x_edges), origin(y_edges));
        let here = shares(path.iter().map(|pair| pair.0), x_edges, origins.0);
        let there = shares(path.iter().map(|pair| pair.1), y_edges, origins.1);
        TimeMap { origins, here, there }
    }

    /// A moment of the reference in the run's time.
    pub(super) fn there(&self, moment: Timestamp) -> Timestamp {
        carried(&self.here, &self.there, self.origins, moment)
    }

    /// Where a pair of the path begins in the reference's time and in the run's, and where the last one
    /// ends.
    pub(super) fn knot(&self, pair: usize) -> Option<(Timestamp, Timestamp)> {
        let (&here, &there) = (self.here.get(pair)?, self.there.get(pair)?);
        Some((after(self.origins.0, here), after(self.origins.1, there)))
    }

    /// About how many bytes it holds.
    pub(super) fn held(&self) -> usize {
        (self.here.len() + self.there.len()) * size_of::<f64>()
    }

    /// A moment of the run in the reference's time.
    pub(super) fn here(&self, moment: Timestamp) -> Timestamp {
        carried(&self.there, &self.here, (self.origins.1, self.origins.0), moment)
    }
}

/// The moment so many nanoseconds after the origin.
#[allow(clippy::cast_possible_truncation, reason = "lengths of time are far below 2^53 ns")]
fn after(origin: Timestamp, ns: f64) -> Timestamp {
    Timestamp::from_nanoseconds(ns.round() as i64).absolute_from(origin)
}

/// Where each pair begins, and where the last one ends, in nanoseconds after the origin.
#[allow(clippy::cast_precision_loss, reason = "pairs are far fewer than 2^53")]
fn shares(
    samples: impl Iterator<Item = usize>,
    edges: &[Timestamp],
    origin: Timestamp,
) -> Vec<f64> {
    let time =
        |n: usize| edges.get(n).map_or(0.0, |edge| edge.relative_to(origin).nanoseconds_f64());
    let mut knots = vec![0.0];
    let mut samples = samples.peekable();
    while let Some(sample) = samples.next() {
        let mut pairs = 1_usize;
        while samples.next_if_eq(&sample).is_some() {
            pairs += 1;
        }
        let (start, end) = (time(sample), time(sample + 1));
        // From the sample's own ends, so that nothing adds up.
        knots.extend((1..pairs).map(|n| start + (end - start) * (n as f64 / pairs as f64)));
        knots.push(end);
    }
    knots
}

#[allow(clippy::cast_possible_truncation, reason = "lengths of time are far below 2^53 ns")]
fn carried(
    from: &[f64],
    to: &[f64],
    origins: (Timestamp, Timestamp),
    time: Timestamp,
) -> Timestamp {
    let moment = time.relative_to(origins.0).nanoseconds_f64();
    let next = from.partition_point(|&knot| knot <= moment);
    let knot = |knots: &[f64], n: usize| knots.get(n).copied().unwrap_or_default();
    if next == 0 || next >= from.len() {
        // At the same pace, in whole nanoseconds however far it is.
        let end = next.saturating_sub(1);
        let pace = (knot(to, end) - knot(from, end)).round() as i128;
        let wide = |time: Timestamp| i128::from(time.nanoseconds());
        let moved = wide(time) + wide(origins.1) - wide(origins.0) + pace;
        let moved = moved.max(wide(Timestamp::MIN));
        return i64::try_from(moved).map_or(Timestamp::MAX, Timestamp::from_nanoseconds);
    }
    let (start, end) = (knot(from, next - 1), knot(from, next));
    let (low, high) = (knot(to, next - 1), knot(to, next));
    let moved = (low + (high - low) * ((moment - start) / (end - start))).min(high);
    after(origins.1, moved)
}
