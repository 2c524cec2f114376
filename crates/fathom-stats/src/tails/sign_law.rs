//! The distribution of a sum of ones and twos whose signs are fair coins.

use crate::distribution::normal;

/// From this many terms on the normal law serves, with its continuity correction.
const EXACT: usize = 1000;

/// How many blocks favour one side by one run, and how many by two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SignLaw {
    pub(super) ones: usize,
    pub(super) twos: usize,
}

impl SignLaw {
    /// The variance of the sum.
    pub(super) fn variance(self) -> f64 {
        self.ones as f64 + 4.0 * self.twos as f64
    }

    /// The largest sum.
    pub(super) fn most(self) -> usize {
        self.ones + 2 * self.twos
    }

    /// Whether P(|sum| ≥ |observed|) is at most `alpha`, by an inequality (Hoeffding's) that is quick:
    /// if so, then so it is by the law.
    pub(super) fn is_surely_rare(self, observed: i64, alpha: f64) -> bool {
        let squared = (observed * observed) as f64;
        2.0 * (-0.5 * squared / self.variance().max(f64::MIN_POSITIVE)).exp() <= alpha
    }

    /// P(|sum| ≥ |observed|).
    pub(super) fn two_sided(self, observed: i64) -> f64 {
        let observed = observed.unsigned_abs() as usize;
        if observed == 0 {
            return 1.0;
        }
        (2.0 * self.at_least(observed)).min(1.0)
    }

    /// P(|sum| ≥ s) for every s from 0 to the largest sum.
    pub(super) fn all_two_sided(self) -> Vec<f64> {
        let SignLaw { ones, twos } = self;
        if ones + twos > EXACT {
            return (0..=self.most() as i64).map(|sum| self.two_sided(sum)).collect();
        }
        // By the number of minus ones: the sum is the largest less twice that.
        let mut masses = vec![0.0; self.most() + 1];
        let (of_ones, of_twos) = (coin_masses(ones), coin_masses(twos));
        for (two, weight) in of_twos.iter().enumerate() {
            for (one, mass) in of_ones.iter().enumerate() {
                masses[2 * two + one] += weight * mass;
            }
        }
        let mut all = vec![0.0; self.most() + 1];
        let mut tail = 0.0;
        for sum in (0..=self.most()).rev() {
            if (self.most() - sum).is_multiple_of(2) {
                tail += masses[(self.most() - sum) / 2];
            }
            all[sum] = (2.0 * tail).min(1.0);
        }
        all
    }

    /// P(sum ≥ observed) for observed > 0.
    fn at_least(self, observed: usize) -> f64 {
        let SignLaw { ones, twos } = self;
        if observed > self.most() {
            return 0.0;
        }
        if ones + twos > EXACT {
            // Neighbouring sums differ by two, or by four if there are only twos.
            let half_step = if ones == 0 { 2.0 } else { 1.0 };
            return normal::cdf(-(observed as f64 - half_step) / self.variance().sqrt());
        }
        let tails = coin_tails(ones);
        let heads_needed = |sum_of_ones: i64| (sum_of_ones + ones as i64 + 1).div_euclid(2);
        let with = |heads_of_twos: usize, weight: f64| {
            let sum_of_twos = 2 * (2 * heads_of_twos as i64 - twos as i64);
            let heads = heads_needed(observed as i64 - sum_of_twos).max(0) as usize;
            weight * tails.get(heads).copied().unwrap_or(0.0)
        };
        coin_masses(twos).into_iter().enumerate().map(|(heads, weight)| with(heads, weight)).sum()
    }
}

/// P(heads = h) of n fair coins, for h from 0 to n ≤ 1000.
fn coin_masses(n: usize) -> Vec<f64> {
    let mut masses = vec![0.0; n + 1];
    // Above 10^-302, so that no factor is lost.
    let mut mass = 0.5_f64.powi(n as i32);
    for (h, place) in masses.iter_mut().enumerate() {
        *place = mass;
        mass *= (n - h) as f64 / (h + 1) as f64;
    }
    masses
}

/// P(heads ≥ h) of n fair coins.
fn coin_tails(n: usize) -> Vec<f64> {
    let mut tails = coin_masses(n);
    // From the far end, so that small terms are added first.
    for h in (0..n).rev() {
        tails[h] += tails[h + 1];
    }
    tails
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every assignment of signs, counted.
    #[test]
    fn small_laws_agree_with_counting() {
        for ones in 0..=7_usize {
            for twos in 0..=5_usize {
                let law = SignLaw { ones, twos };
                let coins = ones + twos;
                let sum = |signs: usize| -> i64 {
                    let sign = |bit: usize| if signs >> bit & 1 == 1 { 1 } else { -1 };
                    (0..coins).map(|bit| sign(bit) * if bit < ones { 1 } else { 2 }).sum()
                };
                for observed in 0..=(law.most() as i64 + 2) {
                    let count = (0..1_usize << coins).filter(|&s| sum(s).abs() >= observed).count();
                    let exact = count as f64 / (1_usize << coins) as f64;
                    let found = law.two_sided(observed);
                    assert!((found - exact).abs() < 1e-14, "{law:?} {observed}: {found} {exact}");
                    // What cannot happen is as rare as any level.
                    let is_rare = law.is_surely_rare(observed, 0.999 * exact);
                    assert!(!is_rare || count == 0, "{law:?} {observed}");
                    if let Some(listed) = law.all_two_sided().get(observed as usize) {
                        assert!((listed - exact).abs() < 1e-14, "{law:?} {observed}: {listed}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_two_branches_meet() {
        for (ones, twos) in [(EXACT, 0), (0, EXACT), (700, 300)] {
            let law = SignLaw { ones, twos };
            let beyond = SignLaw { ones: ones + usize::from(ones > 0) * 2, ..law };
            let beyond = if ones == 0 { SignLaw { ones, twos: twos + 2 } } else { beyond };
            for z in [1.0, 2.0, 3.0] {
                // Sums have the parity of the ones; those of twos alone are multiples of four.
                let observed = 4 * (z * law.variance().sqrt() / 4.0) as i64;
                let [near, far] = [law, beyond].map(|law| law.two_sided(observed));
                assert!((near / far - 1.0).abs() < 0.03, "{law:?} {z}: {near} {far}");
            }
        }
    }
}
