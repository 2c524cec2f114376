//! Many points in few columns: the mean of each, and the lowest and highest, so that no spike is lost.

use super::points::Point;
use fathom_record::Timestamp;

/// Points as they are drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Thinned {
    pub(super) time: Vec<f64>,
    pub(super) values: Vec<Option<f64>>,
    pub(super) low: Vec<Option<f64>>,
    pub(super) high: Vec<Option<f64>>,
    /// Whether one represents several.
    pub(super) is_thinned: bool,
}

/// Those between two moments in at most this many columns of equal length, and one more on either
/// side, so that lines go on to the edge of the picture.
pub(super) fn thinned(
    points: &[Point],
    columns: usize,
    span: Option<(Timestamp, Timestamp)>,
) -> Thinned {
    let (from, to) = span.unwrap_or((Timestamp::MIN, Timestamp::MAX));
    let first = points.partition_point(|point| point.time < from);
    let past = points.partition_point(|point| point.time <= to).max(first);
    let inside = points.get(first..past).unwrap_or_default();
    let mut thinned = Thinned::default();
    thinned.push_one(first.checked_sub(1).and_then(|before| points.get(before)));
    if inside.len() <= columns {
        inside.iter().for_each(|point| thinned.push_one(Some(point)));
    } else {
        thinned.is_thinned = true;
        in_columns(inside, columns.max(1)).for_each(|column| thinned.push(column));
    }
    thinned.push_one(points.get(past));
    thinned
}

/// Cut where columns end; columns in which there is no point are left out.
fn in_columns(points: &[Point], columns: usize) -> impl Iterator<Item = &[Point]> {
    let wide = |point: &Point| i128::from(point.time.nanoseconds());
    let start = points.first().map_or(0, wide);
    let length = points.last().map_or(1, |point| wide(point) - start + 1);
    let column = move |point: &Point| {
        let since = wide(point) - start;
        since * i128::try_from(columns).unwrap_or(i128::from(u64::MAX)) / length
    };
    points.chunk_by(move |a, b| column(a) == column(b))
}

impl Thinned {
    fn push_one(&mut self, point: Option<&Point>) {
        self.push(point.map_or(&[], std::slice::from_ref));
    }

    fn push(&mut self, points: &[Point]) {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let seen = || points.iter().filter_map(|point| point.value);
        let share = 1.0 / seen().count() as f64;
        self.time.push((first.time.seconds() + last.time.seconds()) / 2.0);
        // Shares of values, since the sum of large ones may be infinite.
        self.values.push(seen().map(|value| value * share).reduce(|sum, one| sum + one));
        self.low.push(seen().reduce(f64::min));
        self.high.push(seen().reduce(f64::max));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Span;

    const NEXT: Span = Span::from_nanoseconds(1);

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    /// Uneven times, gaps, and a spike.
    fn points(count: i64) -> Vec<Point> {
        let value = |n: i64| match n % 17 {
            5 => None,
            _ if n == 777 => Some(1e6),
            _ => Some(((n * n) % 101) as f64),
        };
        (0..count)
            .map(|n| Point { time: at(1000 * n + (n * 7919) % 900), value: value(n) })
            .collect()
    }

    #[test]
    fn columns_are_what_brute_force_says() {
        let points = points(1000);
        for columns in [1, 2, 7, 100, 999] {
            let thin = thinned(&points, columns, None);
            assert!(thin.is_thinned && thin.time.len() <= columns);
            let ns = |point: &Point| point.time.nanoseconds();
            let (start, end) = (ns(&points[0]), ns(&points[999]));
            let length = i128::from(end - start + 1);
            let mut place = 0;
            for column in 0..columns as i128 {
                let inside: Vec<&Point> = points
                    .iter()
                    .filter(|point| {
                        let scaled = i128::from(ns(point) - start) * columns as i128;
                        column * length <= scaled && scaled < (column + 1) * length
                    })
                    .collect();
                if inside.is_empty() {
                    continue;
                }
                let seen: Vec<f64> = inside.iter().filter_map(|point| point.value).collect();
                let lowest = seen.iter().copied().reduce(f64::min);
                let highest = seen.iter().copied().reduce(f64::max);
                assert_eq!((thin.low[place], thin.high[place]), (lowest, highest));
                match (thin.values[place], seen.is_empty()) {
                    (None, true) => {}
                    (Some(mean), false) => {
                        let sum: f64 = seen.iter().sum();
                        let expected = sum / seen.len() as f64;
                        assert!((mean - expected).abs() <= 1e-9 * expected.abs());
                    }
                    other => panic!("{other:?}"),
                }
                let (first, last) = (ns(inside[0]), ns(inside[inside.len() - 1]));
                assert!((thin.time[place] - (first + last) as f64 / 2e9).abs() < 1e-12);
                place += 1;
            }
            assert_eq!(place, thin.time.len());
            assert!(thin.high.contains(&Some(1e6)), "the spike is lost");
            assert!(thin.time.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = points(100);
        let thin = thinned(&points, 100, None);
        assert!(!thin.is_thinned);
        let values: Vec<Option<f64>> = points.iter().map(|point| point.value).collect();
        assert_eq!(thin.values, values);
        assert_eq!(thin.time[3], points[3].time.seconds());
        assert_eq!(thinned(&[], 5, None), Thinned::default());
    }

    #[test]
    fn a_part_has_its_neighbours() {
        let points = points(1000);
        let span = Some((points[500].time, points[509].time));
        let part = thinned(&points, 10, span);
        assert!(!part.is_thinned);
        let times: Vec<f64> = points[499..=510].iter().map(|point| point.time.seconds()).collect();
        assert_eq!(part.time, times);
        let coarse = thinned(&points, 5, span);
        assert!(coarse.is_thinned && coarse.time.len() <= 7);
        assert_eq!((coarse.time[0], *coarse.time.last().unwrap()), (times[0], times[11]));
        // Between two points, and beyond all.
        let between = Some((points[4].time + NEXT, points[5].time - NEXT));
        assert_eq!(thinned(&points, 5, between).time.len(), 2);
        assert_eq!(
            thinned(&points, 5, Some((Timestamp::MAX - NEXT, Timestamp::MAX))).time.len(),
            1
        );
        assert_eq!(thinned(&points, 5, Some((at(9), at(3)))).time.len(), 2);
    }

    #[test]
    fn large_values_have_a_mean() {
        let points = [0, 1, 2].map(|ns| Point { time: at(ns), value: Some(f64::MAX) });
        assert!(thinned(&points, 1, None).values[0].unwrap().is_finite());
    }
}
