//! Series put together from slices.

use super::answers::{Labels, MatrixSeries, Points};
use std::collections::HashMap;

/// Series by their labels, in the order in which they were first seen.
#[derive(Default)]
pub(super) struct Pool {
    series: Vec<Pooled>,
    places: HashMap<Labels, usize>,
    samples: usize,
    /// Series of native histograms, which are left out.
    histograms: std::collections::HashSet<Labels>,
}

/// One of them.
pub(super) struct Pooled {
    pub(super) labels: Labels,
    pub(super) points: Points,
    /// Which question it answers: a series that two selectors match comes from the first.
    pub(super) source: usize,
}

impl Pool {
    /// Adds the answer about a slice from `start`, which is outside, to `end`; both in milliseconds.
    /// Returns how many samples were in it.
    pub(super) fn take(
        &mut self,
        answered: Vec<MatrixSeries>,
        source: usize,
        (start, end): (i64, i64),
    ) -> usize {
        let mut taken = 0;
        for MatrixSeries { metric, values, histograms } in answered {
            if histograms.is_some() && values.times.is_empty() {
                self.histograms.insert(metric);
                continue;
            }
            taken += values.times.len();
            let place = match self.places.get(&metric) {
                Some(&place) => place,
                None => {
                    let labels = metric.clone();
                    self.places.insert(metric, self.series.len());
                    self.series.push(Pooled { labels, points: Points::default(), source });
                    self.series.len() - 1
                }
            };
            let Some(pooled) = self.series.get_mut(place).filter(|one| one.source == source) else {
                continue;
            };
            let before = pooled.points.times.len();
            for (time, value) in values.times.into_iter().zip(values.values) {
                // Before version 3 Prometheus gave the slice's start as well.
                let is_next = pooled.points.times.last().is_none_or(|&last| time > last);
                if is_next && time > start && time <= end {
                    pooled.points.times.push(time);
                    pooled.points.values.push(value);
                }
            }
            self.samples += pooled.points.times.len() - before;
        }
        taken
    }

    /// How many samples are held.
    pub(super) fn samples(&self) -> usize {
        self.samples
    }

    /// How many series of native histograms were left out.
    pub(super) fn histograms(&self) -> usize {
        self.histograms.len()
    }

    /// The usual time between two samples, in milliseconds.
    pub(super) fn interval(&self) -> Option<i64> {
        const ASKED: usize = 200;
        let step = self.series.len().div_ceil(ASKED).max(1);
        let mut intervals: Vec<i64> = Vec::new();
        for series in self.series.iter().step_by(step) {
            intervals
                .extend(series.points.times.windows(2).take(ASKED).map(|pair| pair[1] - pair[0]));
        }
        intervals.sort_unstable();
        intervals.get(intervals.len() / 2).copied()
    }

    /// The series that have samples.
    pub(super) fn into_series(self) -> impl Iterator<Item = Pooled> {
        self.series.into_iter().filter(|series| !series.points.times.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(name: &str, times: &[i64]) -> MatrixSeries {
        MatrixSeries {
            metric: [("__name__".to_string(), name.to_string())].into(),
            values: Points { times: times.to_vec(), values: vec![1.0; times.len()] },
            histograms: None,
        }
    }

    #[test]
    fn slices_join_without_their_common_ends() {
        let mut pool = Pool::default();
        pool.take(vec![answer("a", &[1, 10]), answer("b", &[5])], 0, (0, 10));
        // Closed on the left, as versions before 3 answer; and b comes from another question.
        pool.take(vec![answer("a", &[10, 15, 20])], 0, (10, 20));
        pool.take(vec![answer("b", &[15]), answer("c", &[12])], 1, (10, 20));
        assert_eq!((pool.samples(), pool.interval()), (6, Some(5)));
        let found: Vec<(String, Vec<i64>)> = pool
            .into_series()
            .map(|one| (one.labels["__name__"].clone(), one.points.times))
            .collect();
        let expected = [("a", vec![1, 10, 15, 20]), ("b", vec![5]), ("c", vec![12])];
        assert_eq!(found, expected.map(|(name, times)| (name.to_string(), times)));
    }
}
