//! Whether labelled values come in bursts.

use crate::Probability;
use crate::distribution::binomial::Binomial;

/// How close together in time the labelled values are.
///
/// Something else that ran on the machine leaves a burst; values that are large by chance are
/// spread evenly. Of the gaps between one labelled value and the next, count those of at most
/// w = max(1, ⌊n / 10 m⌋) samples, a tenth of the mean gap. If the m labels were spread over the n
/// samples at random, each gap would be that short with probability 1 − C(n − w, m) / C(n, m), about
/// one in ten.
///
/// ```
/// use fathom_stats::outliers::InTime;
///
/// let burst = InTime::of(&[500, 501, 502, 503, 504], 1000).ok_or("too few")?;
/// assert_eq!((burst.gaps, burst.short), (4, 4));
/// assert!(burst.p_value < 0.001);
/// let spread = InTime::of(&[100, 300, 500, 700, 900], 1000).ok_or("too few")?;
/// assert_eq!((spread.short, spread.p_value), (0, 1.0));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InTime {
    /// How many gaps there are: one fewer than labelled values.
    pub gaps: usize,
    /// How many of them are short.
    pub short: usize,
    /// A gap of up to this many samples is short.
    pub within: usize,
    /// How many short gaps to expect if the labels were spread at random.
    pub expected: f64,
    /// The probability of at least as many short gaps, by the binomial distribution. Gaps share
    /// the n samples, so in truth many short ones are a little less likely: a figure below 0.1 is
    /// never too small. Two labelled values never give less than about 0.1, three 0.01.
    pub p_value: f64,
}

impl InTime {
    /// For ascending indices into n samples; `None` for fewer than two.
    #[must_use]
    pub fn of(indices: &[usize], n: usize) -> Option<InTime> {
        let labelled = indices.len();
        let gaps = labelled.checked_sub(1).filter(|&gaps| gaps > 0)?;
        let within = (n / (10 * labelled)).max(1);
        let lengths = indices.iter().zip(indices.iter().skip(1)).map(|(a, b)| b.saturating_sub(*a));
        let short = lengths.filter(|&length| length <= within).count();
        let chance = chance_of_a_short_gap(n, labelled, within);
        // All labelled: every gap is 1, and nothing can be said.
        let p_value = Probability::new(chance)
            .map_or(1.0, |chance| Binomial::new(gaps, chance).at_least(short));
        Some(InTime { gaps, short, within, expected: gaps as f64 * chance, p_value })
    }
}

/// 1 − C(n − w, m) / C(n, m).
fn chance_of_a_short_gap(n: usize, labelled: usize, within: usize) -> f64 {
    // The ratio is a product of m factors, and just as well one of w factors.
    let (fewer, more) = (labelled.min(within), labelled.max(within));
    let factor = |i: usize| n.saturating_sub(more + i) as f64 / n.saturating_sub(i).max(1) as f64;
    1.0 - (0..fewer).map(factor).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every subset of 0..n as ascending indices.
    fn subsets(n: usize) -> impl Iterator<Item = Vec<usize>> {
        (0..1_u32 << n).map(move |set| (0..n).filter(|i| set >> i & 1 == 1).collect())
    }

    #[test]
    fn the_chance_of_a_short_gap_is_exact() {
        let n = 14;
        for labelled in 2..=n {
            let within = (n / (10 * labelled)).max(1);
            let all = subsets(n).filter(|set| set.len() == labelled);
            let found: Vec<InTime> = all.filter_map(|set| InTime::of(&set, n)).collect();
            let mean = found.iter().map(|x| x.short as f64).sum::<f64>() / found.len() as f64;
            assert!((mean - found[0].expected).abs() < 1e-9, "{labelled}: {mean} {:?}", found[0]);
            assert_eq!(found[0].within, within);
        }
    }

    #[test]
    fn small_p_values_are_not_too_small() {
        for n in [6, 10, 14, 17] {
            for labelled in 2..n {
                let all = subsets(n).filter(|set| set.len() == labelled);
                let p: Vec<f64> =
                    all.filter_map(|set| InTime::of(&set, n)).map(|x| x.p_value).collect();
                for &level in p.iter().filter(|&&p| p <= 0.1) {
                    let share = p.iter().filter(|&&p| p <= level).count() as f64 / p.len() as f64;
                    assert!(share <= level + 1e-9, "{n} {labelled}: {share} {level}");
                }
            }
        }
    }

    #[test]
    fn a_burst_is_noticed_and_even_spacing_is_not() {
        let burst: Vec<usize> = (400..405).collect();
        assert!(InTime::of(&burst, 1000).unwrap().p_value < 1e-3);
        let even: Vec<usize> = (0..10).map(|i| 100 * i).collect();
        assert!(InTime::of(&even, 1000).unwrap().p_value > 0.99);
        assert!(InTime::of(&[4, 5], 1000).unwrap().p_value > 0.05);
        assert_eq!(InTime::of(&[4], 1000), None);
        assert_eq!(InTime::of(&[0, 1, 2], 3).unwrap().p_value, 1.0);
    }
}
