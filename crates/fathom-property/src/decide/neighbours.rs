//! Whether executions that follow each other are alike, which independent ones are not.

use fathom_stats::dependence::autocorrelation;

/// Fewer say nothing.
const FEWEST: usize = 30;
/// One in a thousand series of independent values is more alike than this many standard errors.
const SURPRISING: f64 = 3.09;

/// How alike neighbours are, if that is surprising: the correlation of the ranks of values that
/// follow each other. Ranks, because one extreme value would hide the rest.
///
/// ```
/// use fathom_property::decide::alike_neighbours;
/// let drifting: Vec<f64> = (0..100).map(f64::from).collect();
/// assert!(alike_neighbours(&drifting).is_some_and(|correlation| correlation > 0.9));
/// let alternating: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
/// assert_eq!(alike_neighbours(&alternating), None);
/// ```
#[must_use]
pub fn alike_neighbours(values: &[f64]) -> Option<f64> {
    let n = values.len();
    if n < FEWEST {
        return None;
    }
    let correlation = autocorrelation(&ranks(values), 1)?;
    // Of independent values its mean is about −1/n and its standard error 1/√n.
    let surprise = (correlation + 1.0 / n as f64) * (n as f64).sqrt();
    (surprise > SURPRISING).then_some(correlation)
}

/// Places in order; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while let Some(&first) = order.get(from) {
        let alike = order[from..].iter().take_while(|&&i| values[i] == values[first]).count();
        let to = from + alike.max(1);
        for &index in &order[from..to] {
            ranks[index] = (from + to - 1) as f64 / 2.0;
        }
        from = to;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A linear congruence with its high bits mixed is plenty here.
    fn noise(state: &mut u64) -> f64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (*state ^ (*state >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn share_alarmed(n: usize, mut next: impl FnMut(&mut u64, f64) -> f64) -> f64 {
        const SERIES: usize = 4000;
        let mut state = 17;
        let mut alarms = 0;
        for _ in 0..SERIES {
            let mut last = 0.0;
            let series: Vec<f64> = (0..n)
                .map(|_| {
                    last = next(&mut state, last);
                    last
                })
                .collect();
            alarms += usize::from(alike_neighbours(&series).is_some());
        }
        alarms as f64 / SERIES as f64
    }

    #[test]
    fn independent_executions_seldom_alarm_and_dependent_ones_do() {
        for n in [30, 100, 1000] {
            // Uniform, heavy-tailed, and nearly always true.
            assert!(share_alarmed(n, |state, _| noise(state)) <= 0.004);
            assert!(share_alarmed(n, |state, _| 1.0 / noise(state).max(1e-12)) <= 0.004);
            assert!(share_alarmed(n, |state, _| f64::from(u8::from(noise(state) < 0.9))) <= 0.008);
        }
        let dependent = share_alarmed(100, |state, last| 0.5 * last + noise(state) - 0.5);
        assert!(dependent > 0.9, "{dependent}");
    }

    #[test]
    fn equal_values_and_few_say_nothing() {
        assert_eq!(alike_neighbours(&[1.0; 500]), None);
        assert_eq!(alike_neighbours(&[1.0, 2.0, 3.0]), None);
        assert_eq!(alike_neighbours(&[]), None);
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
    }

    proptest! {
        #[test]
        fn any_values_are_taken(values in prop::collection::vec(any::<f64>(), 0..80)) {
            let _ = alike_neighbours(&values);
        }
    }
}
