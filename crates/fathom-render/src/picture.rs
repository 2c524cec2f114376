//! Small pictures in text.
//!
//! ```
//! use fathom_render::picture::{Axis, histogram, whisker};
//! use fathom_stats::Interval;
//!
//! let values = [1.0, 2.0, 2.0, 2.0, 3.0, 8.0];
//! let axis = Axis::of(&values, 8).unwrap();
//! assert_eq!(histogram(&values, axis), "▃█▃    ▃");
//! assert_eq!(whisker(2.0, Some(Interval { lower: 1.0, upper: 3.0 }), axis), "├●┤");
//! ```

use fathom_stats::Interval;

const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// An axis of `width` columns from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// The value at the left end.
    pub low: f64,
    /// The value at the right end.
    pub high: f64,
    /// In columns.
    pub width: usize,
}

impl Axis {
    /// An axis that shows all of the values, or leaves out a far tail: one percent of them that
    /// takes more room than the rest. Values must be sorted.
    #[must_use]
    pub fn of(sorted: &[f64], width: usize) -> Option<Axis> {
        const ENOUGH_FOR_A_TAIL: usize = 100;
        let (&low, &high) = (sorted.first()?, sorted.last()?);
        let most = sorted[(sorted.len() - 1) * 99 / 100];
        let is_far = high - most > most - low && most > low;
        let shown = if sorted.len() >= ENOUGH_FOR_A_TAIL && is_far { most } else { high };
        Some(Axis { low, high: shown, width })
    }

    /// An axis that shows what both show.
    #[must_use]
    pub fn union(self, other: Axis) -> Axis {
        Axis {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            width: self.width.max(other.width),
        }
    }

    /// The column of a value, if it is on the axis.
    fn column(&self, value: f64) -> Option<usize> {
        if self.width == 0 || !(self.low..=self.high).contains(&value) {
            return None;
        }
        // Halves first: the span of large values of both signs would overflow.
        let span = 0.5 * self.high - 0.5 * self.low;
        let share = if span > 0.0 { (0.5 * value - 0.5 * self.low) / span } else { 0.5 };
        Some(((share * self.width as f64) as usize).min(self.width.saturating_sub(1)))
    }
}

/// How the values spread over the axis: a bar per column, blank where there is none.
#[must_use]
pub fn histogram(values: &[f64], axis: Axis) -> String {
    let mut counts = vec![0_usize; axis.width];
    for column in values.iter().filter_map(|&value| axis.column(value)) {
        counts[column] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&count: &usize| {
        // Anything at all is visible.
        BARS[(count * (BARS.len() - 1)).div_ceil(most).min(BARS.len() - 1)]
    };
    counts.iter().map(bar).collect()
}

/// How many values lie beyond the axis.
#[must_use]
pub fn beyond(values: &[f64], axis: Axis) -> usize {
    values.iter().filter(|&&value| value > axis.high || value < axis.low).count()
}

/// Where the estimate and its interval lie on the axis.
#[must_use]
pub fn whisker(value: f64, interval: Option<Interval>, axis: Axis) -> String {
    let mut cells = vec![' '; axis.width];
    let bounded = interval.filter(|&interval| interval != Interval::EVERYTHING);
    if let Some(Interval { lower, upper }) = bounded {
        let first = if lower < axis.low { Some(0) } else { axis.column(lower) };
        let last = if upper > axis.high { axis.width.checked_sub(1) } else { axis.column(upper) };
        if let (Some(first), Some(last)) = (first, last) {
            for (column, cell) in cells.iter_mut().enumerate() {
                if (first..=last).contains(&column) {
                    *cell = '─';
                }
            }
            if lower >= axis.low {
                cells[first] = '├';
            }
            if upper <= axis.high {
                cells[last] = '┤';
            }
        }
    }
    if let Some(column) = axis.column(value) {
        cells[column] = '●';
    }
    cells.into_iter().collect::<String>().trim_end().to_string()
}

/// The series in time, a bar per column for the median of its samples there, and beneath it what
/// was labelled: `·` before the steady state, which begins with sample `start`, `!` where outliers
/// are, `|` where the level changes.
#[must_use]
pub fn strip(
    values: &[f64],
    start: usize,
    outliers: &[usize],
    change_points: &[usize],
    width: usize,
) -> (String, String) {
    if values.is_empty() {
        return (String::new(), String::new());
    }
    let columns = width.min(values.len()).max(1);
    let bounds = |column: usize| {
        let at = |column: usize| column * values.len() / columns;
        at(column)..at(column + 1).max(at(column) + 1).min(values.len())
    };
    let medians: Vec<f64> = (0..columns)
        .map(|column| {
            let mut part = values[bounds(column)].to_vec();
            part.sort_unstable_by(f64::total_cmp);
            part[part.len() / 2]
        })
        .collect();
    let low = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let high = medians.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Bars from the lowest level on, which keeps one level: there is no natural zero in time.
    let axis = Axis { low, high, width: BARS.len() - 1 };
    let bars = medians.iter().map(|&median| BARS[1 + axis.column(median).unwrap_or(0)]).collect();
    let marks: String = (0..columns)
        .map(|column| {
            let range = bounds(column);
            if outliers.iter().any(|index| range.contains(index)) {
                '!'
            } else if change_points.iter().any(|index| range.contains(index)) {
                '|'
            } else if range.start < start {
                '·'
            } else {
                ' '
            }
        })
        .collect();
    (bars, marks.trim_end().to_string())
}

/// A metric over time, a bar per value from its lowest to its highest; blank where nothing was seen,
/// a low line where it never changes.
///
/// ```
/// use fathom_render::picture::sparkline;
/// assert_eq!(sparkline(&[Some(1.0), Some(8.0), None, Some(4.5)]), "▁█ ▅");
/// assert_eq!(sparkline(&[Some(2.0), Some(2.0)]), "▁▁");
/// ```
#[must_use]
pub fn sparkline(values: &[Option<f64>]) -> String {
    let low = values.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let axis = Axis { low, high, width: BARS.len() - 1 };
    let bar = |value: &Option<f64>| match value {
        None => ' ',
        Some(_) if low >= high => BARS[1],
        Some(value) => BARS[1 + axis.column(*value).unwrap_or(0)],
    };
    values.iter().map(bar).collect()
}

/// The autocorrelation at lags from 1 on: a bar upwards, `-` for a negative one, `·` for one that
/// is negligible.
pub(crate) fn correlogram(coefficients: &[f64], width: usize) -> String {
    let bar = |&r: &f64| match r {
        r if r.abs() <= fathom_stats::dependence::NEGLIGIBLE => '·',
        r if r < 0.0 => '-',
        r => BARS[((r * (BARS.len() - 1) as f64).ceil() as usize).clamp(1, BARS.len() - 1)],
    };
    coefficients.iter().take(width).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_shows_every_value_that_is_on_the_axis() {
        let axis = Axis { low: 0.0, high: 4.0, width: 4 };
        let values: Vec<f64> = [vec![0.5; 1000], vec![3.9], vec![9.0]].concat();
        assert_eq!(histogram(&values, axis), "█  ▁");
        assert_eq!(beyond(&values, axis), 1);
    }

    #[test]
    fn a_far_tail_is_left_out() {
        let mut values: Vec<f64> = (0..1000).map(f64::from).collect();
        values.push(1e6);
        assert_eq!(Axis::of(&values, 10).unwrap().high, 990.0);
        values.pop();
        assert_eq!(Axis::of(&values, 10).unwrap().high, 999.0);
    }

    #[test]
    fn constant_values_stand_in_the_middle() {
        let axis = Axis::of(&[7.0; 5], 5).unwrap();
        assert_eq!(histogram(&[7.0; 5], axis), "  █  ");
    }

    #[test]
    fn whiskers() {
        let axis = Axis { low: 0.0, high: 10.0, width: 10 };
        let interval = Interval { lower: 2.0, upper: 8.0 };
        assert_eq!(whisker(5.0, Some(interval), axis), "  ├──●──┤".to_string());
        let open = Interval { lower: 6.0, upper: f64::INFINITY };
        assert_eq!(whisker(8.0, Some(open), axis), "      ├─●─");
        assert_eq!(whisker(5.0, Some(Interval { lower: 4.99, upper: 5.01 }), axis), "    ├●");
    }

    #[test]
    fn a_strip_shows_levels_and_labels() {
        let values: Vec<f64> = [vec![9.0; 4], vec![1.0; 12]].concat();
        let (bars, marks) = strip(&values, 4, &[10], &[4], 8);
        assert_eq!(bars, "██▁▁▁▁▁▁");
        assert_eq!(marks, "··|  !");
        assert_eq!(strip(&[5.0], 0, &[], &[], 40).0.chars().count(), 1);
    }

    #[test]
    fn there_may_be_nothing_to_show_and_no_room() {
        assert_eq!(strip(&[], 0, &[], &[], 40), (String::new(), String::new()));
        assert_eq!(strip(&[1.0, 2.0], 0, &[], &[], 0).0, "▅");
        let axis = Axis { low: 0.0, high: 1.0, width: 0 };
        assert_eq!(histogram(&[0.5], axis), "");
        let everything = Interval { lower: -1.0, upper: 2.0 };
        assert_eq!(whisker(0.5, Some(everything), axis), "");
        assert_eq!(Axis::of(&[], 10), None);
    }

    #[test]
    fn a_correlogram_shows_size_and_sign() {
        assert_eq!(correlogram(&[1.0, 0.5, 0.05, -0.4], 10), "█▄·-");
    }

    #[test]
    fn extreme_values_do_not_break_the_axis() {
        let values = [-f64::MAX, 0.0, f64::MAX];
        let axis = Axis::of(&values, 9).unwrap();
        assert_eq!(histogram(&values, axis), "█   █   █");
    }
}
