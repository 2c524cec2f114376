//! The common metric of a run, as it is warped.

use super::rows::OwnRows;
use fathom_record::{Span, Timestamp};

/// Longer tracks are averaged: warping takes as long as the product of the lengths.
const MOST: usize = 50_000;
/// To about so many samples.
const AVERAGED: u64 = 20_000;

/// What was seen of the common metric, one sample after the other. The time of a sample is from the
/// end of the one before it to its own end, so that no time is left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Track {
    values: Vec<f64>,
    /// One more than there are values; increasing.
    edges: Vec<Timestamp>,
}

impl Track {
    pub(super) fn new(rows: &OwnRows) -> Track {
        let mut track = Track { values: Vec::new(), edges: Vec::new() };
        let ends = rows.grid.edges().windows(2);
        for (value, edges) in rows.values.iter().zip(ends) {
            let (Some(value), &[start, end]) = (value, edges) else { continue };
            if track.edges.is_empty() {
                track.edges.push(start);
            }
            track.values.push(value);
            track.edges.push(end);
        }
        track
    }

    #[cfg(test)]
    pub(super) fn of(values: Vec<f64>, edges: Vec<Timestamp>) -> Track {
        Track { values, edges }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn edges(&self) -> &[Timestamp] {
        &self.edges
    }

    /// From the first edge to the last.
    pub(super) fn span(&self) -> (Timestamp, Timestamp) {
        let first = self.edges.first().copied().unwrap_or_default();
        (first, self.edges.last().copied().unwrap_or(first))
    }

    /// About how many bytes it holds.
    pub(super) fn held(&self) -> usize {
        self.values.len() * size_of::<f64>() + self.edges.len() * size_of::<Timestamp>()
    }

    fn length(&self) -> Span {
        let (first, last) = self.span();
        last - first
    }

    /// The samples that overlap a range of time; `None` if there are none.
    pub(super) fn overlapped(
        &self,
        start: Timestamp,
        end: Timestamp,
    ) -> Option<std::ops::RangeInclusive<usize>> {
        let ends = self.edges.get(1..)?;
        let starts = self.edges.get(..self.values.len())?;
        let first = ends.partition_point(|&edge| edge <= start);
        let last = starts.partition_point(|&edge| edge < end).checked_sub(1)?;
        (first <= last && first < self.values.len()).then_some(first..=last)
    }

    /// Means over time of at least this length, as far as samples are shorter.
    fn averaged(&self, length: Span) -> Track {
        let length = length.nanoseconds_f64();
        let mut track =
            Track { values: Vec::new(), edges: self.edges.iter().take(1).copied().collect() };
        let (mut sum, mut covered) = (0.0, 0.0);
        for (value, edges) in self.values.iter().zip(self.edges.windows(2)) {
            let &[start, end] = edges else { continue };
            let share = (end - start).nanoseconds_f64();
            // Shares first: a sum of large values must not overflow.
            sum += value * (share / length);
            covered += share / length;
            // A little less is enough, or rounding would add a sample.
            if covered >= 1.0 - 1e-9 {
                track.values.push(sum / covered);
                track.edges.push(end);
                (sum, covered) = (0.0, 0.0);
            }
        }
        if covered > 0.0 {
            track.values.push(sum / covered);
            track.edges.extend(self.edges.last());
        }
        track
    }
}

/// Both as they are, or, if one of them is too long to be warped, as means over the same length of
/// time; which is told then.
pub(super) fn of_bearable_length(x: &Track, y: &Track) -> Option<(Track, Track, Span)> {
    if x.len().max(y.len()) <= MOST {
        return None;
    }
    let longest = x.length().max(y.length());
    let length = longest.divided_by(AVERAGED).max(Span::from_nanoseconds(1));
    Some((x.averaged(length), y.averaged(length), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    fn times(nanoseconds: impl IntoIterator<Item = i64>) -> Vec<Timestamp> {
        nanoseconds.into_iter().map(at).collect()
    }

    #[test]
    fn samples_are_found_by_overlap() {
        let track = Track::of(vec![1.0, 2.0, 3.0], times([0, 10, 20, 40]));
        assert_eq!(track.overlapped(at(0), at(10)), Some(0..=0));
        assert_eq!(track.overlapped(at(9), at(21)), Some(0..=2));
        assert_eq!(track.overlapped(at(10), at(20)), Some(1..=1));
        assert_eq!(track.overlapped(at(40), at(50)), None);
        assert_eq!(track.overlapped(at(-5), at(0)), None);
        assert_eq!(track.overlapped(at(-5), at(99)), Some(0..=2));
    }

    #[test]
    fn only_long_tracks_are_averaged() {
        let short = Track::of(vec![1.0; 1000], times(0..=1000));
        let values: Vec<f64> = (0..60_000).map(|n| f64::from(n % 2) * 1e308).collect();
        let long = Track::of(values, times(0..=60_000));
        assert_eq!(of_bearable_length(&short, &short), None);
        let (x, y, length) = of_bearable_length(&long, &short).unwrap();
        assert_eq!((x.len(), y.len(), length.nanoseconds()), (20_000, 334, 3));
        assert_eq!((x.span(), y.span()), (long.span(), short.span()));
        assert!(x.values().iter().all(|value| value.is_finite()));
        assert!(y.values().iter().all(|value| (value - 1.0).abs() < 1e-12));
        assert!(x.edges().windows(2).all(|pair| pair[0] < pair[1]));
    }
}
