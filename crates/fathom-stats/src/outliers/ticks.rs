//! Values as whole numbers of ticks, where they are multiples of one within rounding.

use super::positions::Unit;

/// Rounding that a value may have gone through, in units of its last place: written as a decimal,
/// multiplied by a factor that is itself rounded, subtracted.
const SLACK: f64 = 4.0 * f64::EPSILON;

/// Sorted values in ticks, and the tick; `None` where there is none to be found, or none is needed
/// because the values are whole numbers.
pub(super) fn in_ticks(sorted: &[f64]) -> Option<(Vec<f64>, Unit)> {
    let (&first, &last) = sorted.first().zip(sorted.last())?;
    let largest = first.abs().max(last.abs());
    let whole = |&value: &f64| value.fract() == 0.0;
    if largest < 1.0 / f64::EPSILON && sorted.iter().all(whole) {
        return None;
    }
    decimals(sorted, largest).or_else(|| multiples_of_the_smallest_gap(sorted, largest))
}

/// Decimals with a fixed number of digits, as text files have them: the tick is a power of ten.
fn decimals(sorted: &[f64], largest: f64) -> Option<(Vec<f64>, Unit)> {
    // With more digits than this, every value would look like a multiple.
    const MOST_TICKS: f64 = 17_592_186_044_416.0; // 2^44
    let mut power = 1.0;
    // 10^22 is the last power of ten that is a double.
    for _ in 1..=22 {
        power *= 10.0;
        if largest * power > MOST_TICKS {
            return None;
        }
        let is_multiple = |&value: &f64| {
            let ticks = value * power;
            (ticks - ticks.round()).abs() <= SLACK * ticks.abs()
        };
        if sorted.iter().all(is_multiple) {
            let ticks = sorted.iter().map(|value| (value * power).round()).collect();
            return Some((ticks, Unit { times: 1.0, over: power }));
        }
    }
    None
}

/// Multiples of a clock's tick, such as 41.666… ns: the tick is the smallest gap, or a small
/// fraction of it where no two values are one tick apart.
fn multiples_of_the_smallest_gap(sorted: &[f64], largest: f64) -> Option<(Vec<f64>, Unit)> {
    let gap = smallest_gap(sorted)?;
    let error = SLACK * largest;
    (1..=6).find_map(|parts| multiples_of(sorted, gap / f64::from(parts), error))
}

/// Counts from the smallest value, if every value is a whole number of ticks away from it.
fn multiples_of(sorted: &[f64], rough_tick: f64, error: f64) -> Option<(Vec<f64>, Unit)> {
    // Below this a tick cannot be told from rounding.
    if rough_tick < 1024.0 * error || !rough_tick.is_finite() {
        return None;
    }
    let first = *sorted.first()?;
    // The tick is known to within 2 error / span, so the further out, the better it is known.
    let (mut tick, mut span) = (rough_tick, 1.0_f64);
    let mut ticks = Vec::new();
    for &value in sorted {
        let distance = value - first;
        let count = (distance / tick).round();
        let allowed = error + count * 2.0 * error / span;
        if (distance - count * tick).abs() > allowed || allowed > tick / 8.0 {
            return None;
        }
        if count > span {
            (tick, span) = (distance / count, count);
        }
        ticks.push(count);
    }
    let exact =
        |(&value, &count): (&f64, &f64)| (value - first - count * tick).abs() <= 4.0 * error;
    let all = sorted.iter().zip(&ticks).all(exact);
    all.then_some((ticks, Unit { times: tick, over: 1.0 }))
}

/// The smallest gap that is not zero.
pub(super) fn smallest_gap(sorted: &[f64]) -> Option<f64> {
    let gaps = sorted.iter().zip(sorted.iter().skip(1)).map(|(left, right)| right - left);
    let gap = gaps.fold(f64::INFINITY, |gap, next| if next > 0.0 { gap.min(next) } else { gap });
    gap.is_finite().then_some(gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(values: &[f64]) -> Option<Vec<f64>> {
        in_ticks(values).map(|(ticks, _)| ticks)
    }

    #[test]
    fn decimals_become_whole_numbers() {
        assert_eq!(ticks(&[0.1, 0.2, 0.3, 1.7]), Some(vec![1.0, 2.0, 3.0, 17.0]));
        assert_eq!(ticks(&[-0.003, 0.0, 12.345]), Some(vec![-3.0, 0.0, 12_345.0]));
        let nanoseconds = [1190.0, 1200.0, 1210.0, 51_230.0];
        let seconds = nanoseconds.map(|value| value * 1e-9);
        let divided = nanoseconds.map(|value| value / 1e9);
        // The coarsest power of ten that fits.
        let expected = Some(nanoseconds.map(|value| value / 10.0).to_vec());
        assert_eq!(ticks(&seconds), expected);
        assert_eq!(ticks(&divided), expected);
    }

    #[test]
    fn ticks_of_a_clock_are_found() {
        for tick in [1e9 / 24e6, 1.0 / 3.0, 1e-7 / 3.0, 1e3 / 2.9, 1e200 / 3.0] {
            let counts = [30.0, 31.0, 31.0, 32.0, 35.0, 90.0, 4000.0, 1e6];
            let values = counts.map(|count| count * tick);
            let expected = counts.map(|count| count - 30.0).to_vec();
            assert_eq!(ticks(&values), Some(expected), "{tick}");
            // No two values one tick apart.
            let apart = [0.0, 2.0, 5.0, 9.0].map(|count| 7.0 * tick + count * tick);
            assert_eq!(ticks(&apart), Some(vec![0.0, 2.0, 5.0, 9.0]), "{tick}");
        }
    }

    #[test]
    fn whole_numbers_and_tie_free_values_stay() {
        assert_eq!(ticks(&[1.0, 2.0, 40.0]), None);
        let roots: Vec<f64> = (1..200).map(|i| f64::from(i).sqrt()).collect();
        assert_eq!(ticks(&roots), None);
        assert_eq!(ticks(&[1.0 + 9.0 * f64::EPSILON, 1.5, 1.7, 1e9]), None);
    }
}
