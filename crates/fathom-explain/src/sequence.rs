//! A metric on a grid.

use std::ops::Range;

/// A value for each row of a grid; some rows may have none.
///
/// Where nothing was seen, [`Sequence::bridged`] goes straight from the last value to the next one,
/// for what needs a number everywhere. Every value is finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequence {
    values: Vec<f64>,
    /// Absent if every row was seen.
    seen: Option<Vec<bool>>,
}

impl Sequence {
    /// Of values and gaps. What is not finite is a gap.
    #[must_use]
    pub fn new(values: &[Option<f64>]) -> Sequence {
        let finite = |value: &Option<f64>| value.filter(|value| value.is_finite());
        let seen: Vec<bool> = values.iter().map(|value| finite(value).is_some()).collect();
        if seen.iter().all(|&seen| seen) {
            let values = values.iter().filter_map(finite).collect();
            return Sequence { values, seen: None };
        }
        Sequence { values: bridged(values.iter().map(finite)), seen: Some(seen) }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether every row was seen.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.seen.is_none()
    }

    /// How many rows were seen.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seen.as_ref().map_or(self.len(), |seen| seen.iter().filter(|&&seen| seen).count())
    }

    /// The value of a row.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<f64> {
        if self.seen.as_ref().is_some_and(|seen| seen.get(row) == Some(&false)) {
            return None;
        }
        self.values.get(row).copied()
    }

    /// The values of all rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<f64>> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    /// The values that were seen.
    pub fn seen(&self) -> impl Iterator<Item = f64> + '_ {
        self.iter().flatten()
    }

    /// Which rows were seen; `None` if all.
    #[must_use]
    pub fn mask(&self) -> Option<&[bool]> {
        self.seen.as_deref()
    }

    /// A value for every row: gaps are bridged by a line, and at the ends by the nearest value; 0 if
    /// nothing was seen at all.
    #[must_use]
    pub fn bridged(&self) -> &[f64] {
        &self.values
    }

    /// Some of its rows; those that it does not have are left out.
    #[must_use]
    pub fn rows(&self, rows: Range<usize>) -> Sequence {
        let end = rows.end.min(self.len());
        let rows = rows.start.min(end)..end;
        let values = self.values.get(rows.clone()).unwrap_or_default().to_vec();
        let seen = self.seen.as_ref().and_then(|seen| seen.get(rows)).map(<[bool]>::to_vec);
        let seen = seen.filter(|seen| seen.iter().any(|&seen| !seen));
        Sequence { values, seen }
    }

    /// Some rows in this many columns, as in a picture: the mean of each, `None` where nothing was
    /// seen.
    #[must_use]
    pub fn columns(&self, rows: Range<usize>, columns: usize) -> Vec<Option<f64>> {
        let count = rows.len();
        let mean = |column: usize| {
            let from = rows.start + column * count / columns;
            let past = (rows.start + (column + 1) * count / columns).max(from + 1).min(rows.end);
            let seen: Vec<f64> = (from..past).filter_map(|row| self.get(row)).collect();
            let share = 1.0 / seen.len().max(1) as f64;
            (!seen.is_empty()).then(|| seen.iter().map(|value| value * share).sum())
        };
        (0..columns).map(mean).collect()
    }

    /// Several stretches, one after the other.
    #[must_use]
    pub fn joined(&self, stretches: &[Range<usize>]) -> Sequence {
        let rows = stretches.iter().flat_map(|stretch| stretch.clone().map(|row| self.get(row)));
        Sequence::new(&rows.collect::<Vec<_>>())
    }
}

impl From<Vec<f64>> for Sequence {
    fn from(values: Vec<f64>) -> Sequence {
        if values.iter().all(|value| value.is_finite()) {
            return Sequence { values, seen: None };
        }
        Sequence::new(&values.into_iter().map(Some).collect::<Vec<_>>())
    }
}

#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn bridged(values: impl Iterator<Item = Option<f64>>) -> Vec<f64> {
    let mut whole: Vec<f64> = Vec::new();
    let mut last: Option<f64> = None;
    let mut gap = 0_usize;
    for value in values {
        let Some(value) = value else {
            gap += 1;
            continue;
        };
        let before = last.unwrap_or(value);
        // The two terms apart: a difference of the largest numbers would not be finite.
        whole.extend((1..=gap).map(|n| {
            let share = n as f64 / (gap + 1) as f64;
            before * (1.0 - share) + value * share
        }));
        whole.push(value);
        last = Some(value);
        gap = 0;
    }
    whole.extend((0..gap).map(|_| last.unwrap_or(0.0)));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_stay_gaps_and_are_bridged() {
        let values = [None, Some(1.0), None, None, Some(4.0), Some(f64::NAN)];
        let sequence = Sequence::new(&values);
        assert_eq!(sequence.bridged(), [1.0, 1.0, 2.0, 3.0, 4.0, 4.0]);
        assert_eq!(sequence.count(), 2);
        let seen: Vec<_> = sequence.iter().collect();
        assert_eq!(seen, [None, Some(1.0), None, None, Some(4.0), None]);
        assert_eq!(sequence.rows(4..5), Sequence::from(vec![4.0]));
        assert_eq!(sequence.rows(3..9).count(), 1);
        assert_eq!(sequence.joined(&[1..2, 4..5]), Sequence::from(vec![1.0, 4.0]));
        assert_eq!(sequence.columns(0..6, 3), [Some(1.0), None, Some(4.0)]);
        assert_eq!(sequence.columns(1..2, 2), [Some(1.0), Some(1.0)]);
        assert_eq!(Sequence::new(&[None, None]).bridged(), [0.0, 0.0]);
        assert!(Sequence::new(&[None]).seen().next().is_none());
        let largest = Sequence::new(&[Some(f64::MAX), None, Some(f64::MIN)]);
        assert!(largest.bridged().iter().all(|value| value.is_finite()));
    }
}
