//! Single values that stand far out of their neighbours.

use crate::Sequence;

/// Fewer values than this are left as they are: what is usual among them is not known.
const FEWEST: usize = 21;

const SEVEN: usize = 7;

/// Standard deviations that are too many: 3.76; 1.4826 median absolute deviations make one.
const TOO_FAR: f64 = 3.76 * 1.4826;

/// A sequence whose spikes are replaced by the median of the seven values around them.
///
/// A spike is further from that median than 3.76 standard deviations, as estimated by the median of
/// all those distances. Where most values equal their neighbours' median there is no such estimate,
/// and the exceptions are the shape: such a sequence stays as it is, as do those of fewer than 21
/// values. Gaps stay gaps; neighbours are values that were seen.
#[must_use]
pub fn despike(sequence: &Sequence) -> Sequence {
    if sequence.is_whole() {
        return Sequence::from(despiked(sequence.bridged()));
    }
    let seen: Vec<f64> = sequence.seen().collect();
    let mut calm = despiked(&seen).into_iter();
    let rows: Vec<Option<f64>> =
        sequence.iter().map(|value| value.and_then(|_| calm.next())).collect();
    Sequence::new(&rows)
}

/// The same of plain values, which must be finite.
#[must_use]
pub fn despiked(values: &[f64]) -> Vec<f64> {
    if values.len() < FEWEST {
        return values.to_vec();
    }
    let medians = medians(values);
    let mut distances: Vec<f64> =
        values.iter().zip(&medians).map(|(value, median)| (value - median).abs()).collect();
    let middle = distances.len() / 2;
    let (_, usual, _) = distances.select_nth_unstable_by(middle, f64::total_cmp);
    let limit = TOO_FAR * *usual;
    if limit == 0.0 {
        return values.to_vec();
    }
    let calm = |(&value, &median): (&f64, &f64)| {
        if (value - median).abs() > limit { median } else { value }
    };
    values.iter().zip(&medians).map(calm).collect()
}

/// The median of the seven values around each; near an end of as many as there are on both sides. At
/// the very end it is Tukey's rule: the median of the value, of the median next to it, and of where a
/// line through the two nearest medians leads to.
fn medians(values: &[f64]) -> Vec<f64> {
    let around = |middle: usize, reach: usize| {
        let mut around =
            values.get(middle - reach..=middle + reach).map(<[f64]>::to_vec).unwrap_or_default();
        around.sort_unstable_by(f64::total_cmp);
        around.get(reach).copied().unwrap_or_default()
    };
    let the_end = |value: Option<&f64>, next: f64, second: f64| {
        let ahead = 3.0 * next - 2.0 * second;
        let mut three = [value.copied().unwrap_or(next), next, ahead];
        three.sort_unstable_by(f64::total_cmp);
        // The largest numbers have no line that could be followed.
        if ahead.is_finite() { three[1] } else { next }
    };
    let last = values.len() - 1;
    let (second, third) = (around(1, 1), around(2, 2));
    let mut medians: Vec<f64> = Vec::with_capacity(values.len());
    medians.extend([the_end(values.first(), second, third), second, third]);
    medians.extend(values.windows(SEVEN).map(median_of_seven));
    let (second, third) = (around(last - 1, 1), around(last - 2, 2));
    medians.extend([third, second, the_end(values.last(), second, third)]);
    medians
}

/// By exchanges that leave the median in the middle, without branches.
fn median_of_seven(values: &[f64]) -> f64 {
    let mut v: [f64; SEVEN] = values.try_into().unwrap_or([0.0; SEVEN]);
    macro_rules! exchange {
        ($($low:literal < $high:literal),*) => {
            $((v[$low], v[$high]) = (v[$low].min(v[$high]), v[$low].max(v[$high]));)*
        };
    }
    exchange!(0 < 5, 0 < 3, 1 < 6, 2 < 4, 0 < 1, 3 < 5, 2 < 6, 2 < 3, 3 < 6, 4 < 5, 1 < 4, 1 < 3);
    v[3].min(v[4])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wave(count: usize) -> Vec<f64> {
        (0..count).map(|n| (n as f64 * 0.1).sin() + 0.05 * ((n * n * 7919) % 13) as f64).collect()
    }

    #[test]
    fn spikes_go_and_the_rest_stays() {
        let plain = wave(60);
        let mut spiked = plain.clone();
        for at in [0, 20, 41, 59] {
            spiked[at] += 50.0;
        }
        let calm = despiked(&spiked);
        for (at, (calm, plain)) in calm.iter().zip(&plain).enumerate() {
            let allowed = if [0, 20, 41, 59].contains(&at) { 1.0 } else { 0.0 };
            assert!((calm - plain).abs() <= allowed, "row {at}: {calm} instead of {plain}");
        }
    }

    #[test]
    fn few_values_and_rare_events_stay() {
        let mut few = wave(20);
        few[10] = 1e6;
        assert_eq!(despiked(&few), few);
        let rare: Vec<f64> = (0..50).map(|n| if n % 10 == 3 { 7.0 } else { 0.0 }).collect();
        assert_eq!(despiked(&rare), rare);
        assert!(despiked(&[]).is_empty());
    }

    #[test]
    fn gaps_stay_gaps() {
        let mut rows: Vec<Option<f64>> = wave(40).into_iter().map(Some).collect();
        rows[5] = None;
        rows[30] = None;
        rows[31] = Some(-90.0);
        let calm = despike(&Sequence::new(&rows));
        assert_eq!((calm.get(5), calm.get(30), calm.count()), (None, None, 38));
        assert!(calm.get(31).unwrap().abs() < 2.0);
        assert_eq!(calm.get(12), rows[12]);
    }

    #[test]
    fn the_largest_numbers_are_safe() {
        let values: Vec<f64> =
            (0..40).map(|n| if n % 2 == 0 { f64::MAX } else { f64::MIN }).collect();
        assert!(despiked(&values).iter().all(|value| value.is_finite()));
    }

    proptest! {
        #[test]
        fn the_median_of_seven_is_in_the_middle(values in prop::collection::vec(-4..4_i32, 7)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            prop_assert_eq!(median_of_seven(&values), sorted[3]);
        }
    }
}
