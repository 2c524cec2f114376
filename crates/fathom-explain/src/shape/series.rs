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

/// What running sums give for a stretch.
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
        let mask = metric.mask();
        let is_seen = |row: usize| mask.is_none_or(|mask| mask.get(row) == Some(&true));
        let seen = || {
            let rows = metric.bridged().iter().enumerate();
            rows.filter(|(row, _)| is_seen(*row)).map(|(_, value)| *value)
        };
        // By the largest first, so that squares of large numbers stay finite.
        let largest = seen().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if largest == 0.0 {
            return None;
        }
        let count = metric.count() as f64;
        let mean = seen().map(|value| value / largest).sum::<f64>() / count;
        let square = |value: f64| (value / largest - mean).powi(2);
        let deviation = (seen().map(square).sum::<f64>() / count).sqrt();
        if !deviation.is_normal() {
            return None;
        }
        let mut values: Vec<f64> =
            metric.bridged().iter().map(|value| (value / largest - mean) / deviation).collect();
        for (value, is_seen) in values.iter_mut().zip(mask.unwrap_or_default()) {
            *value = if *is_seen { *value } else { 0.0 };
        }
        let mut last = None;
        let moved = metric.bridged().iter().enumerate().map(|(row, value)| {
            let before = last;
            if is_seen(row) {
                last = Some(*value);
            }
            before.is_some() && last != before
        });
        let moves = counting(moved);
        Some(Series {
            sums: running(values.iter().copied()),
            squares: running(values.iter().map(|value| value * value)),
            counts: counting((0..values.len()).map(is_seen)),
            moves,
            next_seen: mask.map(next_seen),
            values,
            mask: mask.map(<[bool]>::to_vec),
        })
    }

    /// The variation of each stretch of this many rows, if all were seen, and whether it moves.
    pub(super) fn variations(&self, length: usize) -> impl Iterator<Item = (f64, bool)> + '_ {
        let moves = self.moves.get(1..).unwrap_or_default().iter();
        let moves = moves.zip(self.moves.get(length..).unwrap_or_default());
        let sums = self.sums.iter().zip(self.sums.get(length..).unwrap_or_default());
        let squares = self.squares.iter().zip(self.squares.get(length..).unwrap_or_default());
        let rows = length as f64;
        sums.zip(squares).zip(moves).map(move |(((s, t), (q, p)), (before, after))| {
            let sum = t - s;
            (p - q - sum * sum / rows, after > before)
        })
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
