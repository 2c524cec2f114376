//! A metric made ready to be correlated with shapes at every place.

use crate::Sequence;

/// A metric with mean 0 and variance 1, and the running sums from which the mean and the variance of
/// any stretch follow.
pub(super) struct Series {
    /// 0 where nothing was seen.
    values: Vec<f64>,
    mask: Option<Vec<bool>>,
    /// Of the first n values, as are the next three.
    sums: Vec<f64>,
    squares: Vec<f64>,
    counts: Vec<u32>,
    /// How often the metric moved from one seen row to the next.
    moves: Vec<u32>,
    /// From each row on the first that was seen; absent if all were.
    next_seen: Option<Vec<usize>>,
}

/// What running sums say of a stretch.
pub(super) struct Stretch {
    /// How many rows were seen.
    pub(super) count: f64,
    /// The sum of their values.
    pub(super) sum: f64,
    /// The sum of squares about their mean.
    pub(super) variation: f64,
    /// Whether it moves at all.
    pub(super) moves: bool,
}

impl Series {
    /// `None` if fewer than two rows were seen, or it never moves.
    pub(super) fn new(metric: &Sequence) -> Option<Series> {
        // By the largest first, so that squares of large numbers stay finite.
        let largest = metric.seen().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if largest == 0.0 {
            return None;
        }
        let count = metric.count() as f64;
        let mean = metric.seen().map(|value| value / largest).sum::<f64>() / count;
        let square = |value: f64| (value / largest - mean).powi(2);
        let deviation = (metric.seen().map(square).sum::<f64>() / count).sqrt();
        if !deviation.is_normal() {
            return None;
        }
        let mask = metric.mask().map(<[bool]>::to_vec);
        let values: Vec<f64> = metric
            .iter()
            .map(|value| value.map_or(0.0, |value| (value / largest - mean) / deviation))
            .collect();
        let mut series = Series {
            sums: running(values.iter().copied()),
            squares: running(values.iter().map(|value| value * value)),
            counts: counting(metric.iter().map(|value| value.is_some())),
            moves: Vec::new(),
            next_seen: metric.mask().map(next_seen),
            values,
            mask,
        };
        let mut last = None;
        let moved = metric.iter().map(|value| {
            let moved = value.is_some() && last.is_some() && value != last;
            last = value.or(last);
            moved
        });
        series.moves = counting(moved);
        Some(series)
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn mask(&self) -> Option<&[bool]> {
        self.mask.as_deref()
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The rows from `start` on, `length` of them; `None` if there are not that many.
    pub(super) fn stretch(&self, start: usize, length: usize) -> Option<Stretch> {
        let end = start + length;
        let count = f64::from(self.counts.get(end)? - self.counts.get(start)?);
        let sum = self.sums.get(end)? - self.sums.get(start)?;
        let squares = self.squares.get(end)? - self.squares.get(start)?;
        let variation = if count > 0.0 { squares - sum * sum / count } else { 0.0 };
        // The step of the first row that was seen leads into the stretch.
        let first = self.next_seen.as_ref().and_then(|next| next.get(start).copied());
        let moves = self.moves.get(end)? > self.moves.get(end.min(first.unwrap_or(start) + 1))?;
        Some(Stretch { count, sum, variation, moves })
    }

    /// The least variation that running sums and Fourier transforms can tell from 0: both err by
    /// about 1e-16 of what is in the whole series.
    pub(super) fn least_variation(&self) -> f64 {
        1e-12 * self.values.len() as f64
    }
}

fn next_seen(mask: &[bool]) -> Vec<usize> {
    let mut next = mask.len();
    let mut found: Vec<usize> = mask
        .iter()
        .enumerate()
        .rev()
        .map(|(row, &is_seen)| {
            next = if is_seen { row } else { next };
            next
        })
        .collect();
    found.reverse();
    found
}

fn running(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let sums = values.map(|value| {
        sum += value;
        sum
    });
    std::iter::once(0.0).chain(sums).collect()
}

fn counting(events: impl Iterator<Item = bool>) -> Vec<u32> {
    let mut count = 0;
    let counts = events.map(|event| {
        count += u32::from(event);
        count
    });
    std::iter::once(0).chain(counts).collect()
}
