//! A metric on another grid of time, so that metrics of different samplers can stand side by side.

use super::{Kind, Samples};
use crate::Timestamp;

impl Samples {
    /// What the metric was between each edge and the next: a value less than there are edges.
    ///
    /// - A counter is its growth per second. Growth counts to every bin that its interval overlaps,
    ///   in proportion.
    /// - A gauge is its mean over time; a row's value holds for the row's interval.
    /// - Events are their amounts per second, by overlap as well; where none was, it is 0.
    ///
    /// What was not seen is `None`: bins that no value overlaps, and the growth of a counter across
    /// rows without a value, since it is unknown when it grew. Edges must not decrease.
    #[must_use]
    pub fn between(&self, edges: &[Timestamp]) -> Vec<Option<f64>> {
        let mut bins = Bins::new(edges);
        match self.metric.kind {
            Kind::Counter => {
                for rate in self.rates().iter().filter(|rate| rate.missing == 0) {
                    bins.spread(rate.start, rate.end, rate.growth);
                }
                bins.per_second_seen()
            }
            Kind::Gauge => {
                for (start, end, value) in self.rows() {
                    bins.hold(start, end, value);
                }
                bins.means()
            }
            Kind::Event => {
                for (start, end, value) in self.rows() {
                    bins.spread(start, end, value);
                }
                bins.per_second()
            }
        }
    }

    /// The rows that have a value.
    fn rows(&self) -> impl Iterator<Item = (Timestamp, Timestamp, f64)> + '_ {
        let times = self.starts.iter().zip(self.ends.iter());
        times
            .zip(self.values.reals())
            .filter_map(|((&start, &end), value)| Some((start, end, value?)))
    }
}

/// What is in each bin, and how much of it was seen.
struct Bins<'a> {
    edges: &'a [Timestamp],
    /// How many edges are not after the moment that was last looked for.
    passed: usize,
    /// Of levels their mean so far.
    sums: Vec<f64>,
    /// In nanoseconds.
    covered: Vec<f64>,
    /// What a moment within the bin said, for bins that nothing else covers.
    moments: Vec<Option<f64>>,
}

impl<'a> Bins<'a> {
    fn new(edges: &'a [Timestamp]) -> Bins<'a> {
        let count = edges.len().saturating_sub(1);
        Bins {
            edges,
            passed: 0,
            sums: vec![0.0; count],
            covered: vec![0.0; count],
            moments: vec![None; count],
        }
    }

    /// How many edges are not after a moment. Moments mostly come in order, each a bin or so further.
    fn passed(&mut self, moment: Timestamp) -> usize {
        const NEAR: usize = 8;
        let is_passed = |edge: &Timestamp| *edge <= moment;
        let (before, after) = self.edges.split_at(self.passed.min(self.edges.len()));
        let near = after.iter().take(NEAR).take_while(|edge| is_passed(edge)).count();
        self.passed = match before.last().is_none_or(is_passed) {
            false => before.partition_point(is_passed),
            true if near < NEAR => before.len() + near,
            true => before.len() + after.partition_point(is_passed),
        };
        self.passed
    }

    /// The bin of a moment: the later one if it lies on an edge, but what lies on the last edge is
    /// still in the last bin.
    fn bin_of(&mut self, moment: Timestamp) -> Option<usize> {
        let (&first, &last) = (self.edges.first()?, self.edges.last()?);
        let next = self.passed(moment);
        let last_bin = self.sums.len().checked_sub(1)?;
        (first..=last).contains(&moment).then(|| next.saturating_sub(1).min(last_bin))
    }

    /// The bins that an interval overlaps, and by how many nanoseconds.
    fn overlapped(
        &mut self,
        start: Timestamp,
        end: Timestamp,
    ) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let edges = self.edges;
        let first = self.passed(start).saturating_sub(1);
        edges.windows(2).enumerate().skip(first).map_while(move |(n, pair)| {
            let &[low, high] = pair else { return None };
            (low < end).then(|| (n, length(start.max(low), end.min(high)).max(0.0)))
        })
    }

    /// An amount that came evenly over its interval.
    fn spread(&mut self, start: Timestamp, end: Timestamp, amount: f64) {
        let whole = length(start, end);
        if whole <= 0.0 {
            if let Some(bin) = self.bin_of(start) {
                self.add(bin, amount, 0.0);
            }
            return;
        }
        for (bin, overlap) in self.overlapped(start, end) {
            self.add(bin, amount * (overlap / whole), overlap);
        }
    }

    /// A level that held over its interval.
    fn hold(&mut self, start: Timestamp, end: Timestamp, level: f64) {
        if start >= end {
            if let Some(moment) = self.bin_of(end).and_then(|bin| self.moments.get_mut(bin)) {
                *moment = Some(level);
            }
            return;
        }
        for (bin, overlap) in self.overlapped(start, end) {
            self.average(bin, level, overlap);
        }
    }

    /// Takes a level into the mean of a bin. By steps, so that the mean of the same level is that
    /// level exactly: what never changed must not seem to.
    fn average(&mut self, bin: usize, level: f64, overlap: f64) {
        if overlap > 0.0
            && let (Some(mean), Some(total)) = (self.sums.get_mut(bin), self.covered.get_mut(bin))
        {
            *total += overlap;
            let share = overlap / *total;
            *mean = if share < 1.0 { *mean + (level - *mean) * share } else { level };
        }
    }

    fn add(&mut self, bin: usize, amount: f64, covered: f64) {
        if let (Some(sum), Some(total)) = (self.sums.get_mut(bin), self.covered.get_mut(bin)) {
            *sum += amount;
            *total += covered;
        }
    }

    fn means(self) -> Vec<Option<f64>> {
        let levels = self.sums.iter().zip(&self.covered).zip(&self.moments);
        levels
            .map(|((mean, covered), moment)| if *covered > 0.0 { Some(*mean) } else { *moment })
            .collect()
    }

    /// Per second of the time that was seen.
    fn per_second_seen(self) -> Vec<Option<f64>> {
        let pairs = self.sums.iter().zip(&self.covered);
        pairs.map(|(sum, covered)| (*covered > 0.0).then(|| sum / (covered * 1e-9))).collect()
    }

    /// Per second of the bin.
    fn per_second(self) -> Vec<Option<f64>> {
        let lengths = self.edges.windows(2).map(|pair| length(pair[0], pair[1]));
        let pairs = self.sums.iter().zip(lengths);
        pairs.map(|(sum, length)| (length > 0.0).then(|| sum / (length * 1e-9))).collect()
    }
}

/// In nanoseconds; negative if it ends before it starts. By a signed difference, since processors turn
/// those into doubles at once, and this is the innermost loop of explaining.
fn length(start: Timestamp, end: Timestamp) -> f64 {
    end.relative_to(start).nanoseconds_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;
    use crate::trace::{Layer, TraceMetric, Values};

    const S: i64 = 1_000_000_000;

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    fn samples(kind: Kind, rows: &[(i64, i64, Option<f64>)]) -> Samples {
        Samples {
            metric: TraceMetric::real("p", "a", Layer::Os, kind, Unit::Unknown),
            starts: rows.iter().map(|row| at(row.0 * S)).collect(),
            ends: rows.iter().map(|row| at(row.1 * S)).collect(),
            values: Values::Reals(rows.iter().map(|row| row.2).collect()),
        }
    }

    fn seconds(edges: &[i64]) -> Vec<Timestamp> {
        edges.iter().map(|edge| at(edge * S)).collect()
    }

    #[test]
    fn counters_count_where_they_overlap() {
        let rows = [
            (0, 0, Some(5.0)),
            (0, 4, Some(13.0)),
            (4, 5, None),
            (5, 6, Some(20.0)),
            (6, 8, Some(30.0)),
        ];
        let samples = samples(Kind::Counter, &rows);
        // 8 in 4 s; unknown from 4 to 6; 10 in 2 s.
        let seen = samples.between(&seconds(&[0, 1, 3, 5, 6, 7, 9, 12]));
        let known = [Some(2.0), Some(2.0), Some(2.0), None, Some(5.0), Some(5.0), None];
        assert_eq!(seen, known);
    }

    #[test]
    fn gauges_are_means_over_time() {
        let rows = [(0, 0, Some(1.0)), (0, 1, Some(2.0)), (1, 3, Some(5.0)), (3, 4, None)];
        let samples = samples(Kind::Gauge, &rows);
        assert_eq!(samples.between(&seconds(&[0, 3, 4])), [Some(4.0), None]);
        assert_eq!(samples.between(&seconds(&[2, 3])), [Some(5.0)]);
        // Only the first moment is known of a program that ended at once.
        let moment = Samples { starts: [at(0)].into(), ends: [at(0)].into(), ..samples };
        let moment = Samples { values: Values::Reals(vec![Some(7.0)]), ..moment };
        assert_eq!(moment.between(&[0, 10].map(at)), [Some(7.0)]);
        assert_eq!(moment.between(&[5, 10].map(at)), [None]);
    }

    #[test]
    fn a_level_that_never_changes_stays_as_it_is() {
        let rows: Vec<(i64, i64, Option<f64>)> =
            (0..50).map(|n| (n * n, (n + 1) * (n + 1), Some(0.1))).collect();
        let edges: Vec<Timestamp> = (0..700).map(|n| at(n * 3_333_333_331)).collect();
        let seen = samples(Kind::Gauge, &rows).between(&edges);
        assert!(seen.iter().flatten().all(|&value| value == 0.1));
    }

    /// Wherever the last one was, and with edges that are equal.
    #[test]
    fn edges_are_counted_in_any_order_of_moments() {
        let edges: Vec<Timestamp> = (0..40).map(|n| at(n * n / 7)).collect();
        let mut bins = Bins::new(&edges);
        for n in 0..2000_i64 {
            let moment = at((n * n * 37 + n * 11) % 240 - 10);
            let counted = edges.partition_point(|&edge| edge <= moment);
            assert_eq!(bins.passed(moment), counted, "{moment:?} after {n}");
        }
        assert_eq!(Bins::new(&[]).passed(at(3)), 0);
    }

    #[test]
    fn events_are_amounts_and_nothing_is_zero() {
        let rows = [(1, 1, Some(3.0)), (2, 4, Some(8.0))];
        let samples = samples(Kind::Event, &rows);
        let seen = samples.between(&seconds(&[0, 1, 2, 3, 5]));
        assert_eq!(seen, [Some(0.0), Some(3.0), Some(4.0), Some(2.0)]);
        // On the last edge it is still within.
        assert_eq!(samples.between(&seconds(&[0, 1])), [Some(3.0)]);
        assert_eq!(samples.between(&[]), []);
        assert_eq!(samples.between(&[at(5)]), []);
    }
}
