//! The common metric of a run, as it is warped.

use super::rows::OwnRows;

/// Longer tracks are averaged: warping takes as long as the product of the lengths.
const MOST: usize = 50_000;
/// To about this many samples.
const AVERAGED: i64 = 20_000;

/// What was seen of the common metric, one sample after the other. The time of a sample is from the
/// end of the one before it to its own end, so that no time is left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Track {
    values: Vec<f64>,
    /// One more than there are values; increasing.
    edges: Vec<i64>,
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
    pub(super) fn of(values: Vec<f64>, edges: Vec<i64>) -> Track {
        Track { values, edges }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn edges(&self) -> &[i64] {
        &self.edges
    }

    /// From the first edge to the last.
    pub(super) fn span(&self) -> (i64, i64) {
        let first = self.edges.first().copied().unwrap_or_default();
        (first, self.edges.last().copied().unwrap_or(first))
    }

    /// About how many bytes it holds.
    pub(super) fn held(&self) -> usize {
        self.values.len() * size_of::<f64>() + self.edges.len() * size_of::<i64>()
    }

    fn length(&self) -> i64 {
        let (first, last) = self.span();
        last.saturating_sub(first)
    }

    /// The samples that overlap a span of time; `None` if there are none.
    pub(super) fn overlapped(
        &self,
        start: i64,
        end: i64,
    ) -> Option<std::ops::RangeInclusive<usize>> {
        let ends = self.edges.get(1..)?;
        let starts = self.edges.get(..self.values.len())?;
        let first = ends.partition_point(|&edge| edge <= start);
        let last = starts.partition_point(|&edge| edge < end).checked_sub(1)?;
        (first <= last && first < self.values.len()).then_some(first..=last)
    }

    /// Means over time of at least this length, as far as samples are shorter.
    #[allow(clippy::cast_precision_loss, reason = "lengths of time are far below 2^53 ns")]
    fn averaged(&self, length: i64) -> Track {
        let mut track =
            Track { values: Vec::new(), edges: self.edges.iter().take(1).copied().collect() };
        let (mut sum, mut covered) = (0.0, 0.0);
        for (value, edges) in self.values.iter().zip(self.edges.windows(2)) {
            let &[start, end] = edges else { continue };
            let share = end.saturating_sub(start) as f64;
            // Shares first: a sum of large values must not overflow.
            sum += value * (share / length as f64);
            covered += share / length as f64;
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
pub(super) fn of_bearable_length(x: &Track, y: &Track) -> Option<(Track, Track, i64)> {
    if x.len().max(y.len()) <= MOST {
        return None;
    }
    let length = (x.length().max(y.length()) / AVERAGED).max(1);
    Some((x.averaged(length), y.averaged(length), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_found_by_overlap() {
        let track = Track::of(vec![1.0, 2.0, 3.0], vec![0, 10, 20, 40]);
        assert_eq!(track.overlapped(0, 10), Some(0..=0));
        assert_eq!(track.overlapped(9, 21), Some(0..=2));
        assert_eq!(track.overlapped(10, 20), Some(1..=1));
        assert_eq!(track.overlapped(40, 50), None);
        assert_eq!(track.overlapped(-5, 0), None);
        assert_eq!(track.overlapped(-5, 99), Some(0..=2));
    }

    #[test]
    fn only_long_tracks_are_averaged() {
        let short = Track::of(vec![1.0; 1000], (0..=1000).collect());
        let values: Vec<f64> = (0..60_000).map(|n| f64::from(n % 2) * 1e308).collect();
        let long = Track::of(values, (0..=60_000).collect());
        assert_eq!(of_bearable_length(&short, &short), None);
        let (x, y, length) = of_bearable_length(&long, &short).unwrap();
        assert_eq!((x.len(), y.len(), length), (20_000, 334, 3));
        assert_eq!((x.span(), y.span()), (long.span(), short.span()));
        assert!(x.values().iter().all(|value| value.is_finite()));
        assert!(y.values().iter().all(|value| (value - 1.0).abs() < 1e-12));
        assert!(x.edges().windows(2).all(|pair| pair[0] < pair[1]));
    }
}
