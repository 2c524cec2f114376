//! Draws of ranks: how many of n samples lie below their population's quantile.

use crate::Probability;
use crate::distribution::binomial::Binomial;
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The law of how many of n samples lie below the quantile at a level, to be drawn from often.
#[derive(Debug, Clone)]
pub(super) struct RankLaw {
    /// Ranks below this one have no probability that a draw could hit.
    first: usize,
    /// The probability of at most `first`, `first + 1`, ...
    cumulative: Vec<f64>,
    /// Where to begin the search, by the leading part of the random number.
    guide: Vec<usize>,
}

/// The law of one sample's rank, given that of the sample it is paired with.
#[derive(Debug, Clone)]
pub(super) struct PairedRankLaw {
    size: usize,
    /// How probable it is that a value lies below if its partner does, and if it does not.
    if_below: f64,
    if_not: f64,
    /// How many of those whose partners lie below do, and how many of the others, by their number.
    below: Vec<Option<RankLaw>>,
    others: Vec<Option<RankLaw>>,
}

impl RankLaw {
    /// Of `n` samples, each below with probability `p`.
    pub(super) fn new(n: usize, p: f64) -> RankLaw {
        let Ok(probability) = Probability::new(p) else {
            // None, or all of them.
            return RankLaw::of(if p > 0.5 { n } else { 0 }, vec![1.0]);
        };
        let law = Binomial::new(n, probability);
        let mode = (((n + 1) as f64 * p) as usize).min(n);
        // A random number has 53 bits. Ten standard deviations are beyond them, and forty more where n p is
        // small and the law is like Poisson's.
        let reach = (10.0 * (n as f64 * p * (1.0 - p)).sqrt()) as usize + 40;
        let (first, last) = (mode.saturating_sub(reach), (mode + reach).min(n));
        // From the mode outwards nothing overflows, and errors of rounding fall with the probabilities.
        let odds = p / (1.0 - p);
        let mut masses = vec![0.0; last - first + 1];
        let mut fill = |ranks: &mut dyn Iterator<Item = usize>, ratio: &dyn Fn(f64) -> f64| {
            let mut mass = law.pmf(mode);
            for rank in ranks {
                if let Some(entry) = masses.get_mut(rank - first) {
                    *entry = mass;
                }
                mass *= ratio(rank as f64);
            }
        };
        let size = n as f64;
        fill(&mut (mode..=last), &|rank| (size - rank) / (rank + 1.0) * odds);
        fill(&mut (first..=mode).rev(), &|rank| rank / ((size - rank + 1.0) * odds));
        let mut sum = 0.0;
        for mass in &mut masses {
            sum += *mass;
            *mass = sum;
        }
        RankLaw::of(first, masses)
    }

    fn of(first: usize, cumulative: Vec<f64>) -> RankLaw {
        let cells = cumulative.len().next_power_of_two();
        let begin = |cell: usize| {
            let least = cell as f64 / cells as f64;
            cumulative.partition_point(|&sum| sum <= least)
        };
        let guide = (0..cells).map(begin).collect();
        RankLaw { first, cumulative, guide }
    }

    pub(super) fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> usize {
        let unit = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let cell = (unit * self.guide.len() as f64) as usize;
        let mut place = self.guide.get(cell).copied().unwrap_or(0);
        let last = self.cumulative.len() - 1;
        while place < last && self.cumulative.get(place).is_some_and(|&sum| sum <= unit) {
            place += 1;
        }
        self.first + place.min(last)
    }
}

impl PairedRankLaw {
    /// Of `size` pairs whose values lie below with probability `p` each, and both with `both_below`.
    pub(super) fn new(size: usize, p: f64, both_below: f64) -> PairedRankLaw {
        PairedRankLaw {
            size,
            if_below: (both_below / p).clamp(0.0, 1.0),
            if_not: ((p - both_below) / (1.0 - p)).clamp(0.0, 1.0),
            below: vec![None; size + 1],
            others: vec![None; size + 1],
        }
    }

    /// The rank of one sample, if that of the other is `rank`.
    pub(super) fn draw(&mut self, rank: usize, rng: &mut Xoshiro256PlusPlus) -> usize {
        let PairedRankLaw { size, if_below, if_not, below, others } = self;
        let mut of = |laws: &mut [Option<RankLaw>], n: usize, p: f64| match laws.get_mut(n) {
            Some(law) => law.get_or_insert_with(|| RankLaw::new(n, p)).draw(rng),
            None => 0,
        };
        of(below, rank, *if_below) + of(others, *size - rank, *if_not)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng;

    /// The probability of at most each rank, summed from all of them.
    fn sums(n: usize, p: f64) -> Vec<f64> {
        let law = Binomial::new(n, Probability::new(p).unwrap());
        let mut sum = 0.0;
        (0..=n)
            .map(|rank| {
                sum += law.pmf(rank);
                sum
            })
            .collect()
    }

    #[test]
    fn the_law_is_the_binomial_one() {
        for n in [1, 2, 30, 1000, 40_000] {
            for p in [1e-9, 1e-4, 0.1, 0.5, 0.93, 1.0 - 1e-9] {
                let law = RankLaw::new(n, p);
                for (rank, known) in sums(n, p).into_iter().enumerate() {
                    let found = match rank.checked_sub(law.first) {
                        None => 0.0,
                        Some(place) => law.cumulative.get(place).copied().unwrap_or(1.0),
                    };
                    assert!((found - known).abs() < 1e-11, "{n} {p} {rank}: {found} {known}");
                }
            }
        }
    }

    /// The guide only shortens the search.
    #[test]
    fn a_draw_inverts_the_law() {
        for (n, p) in [(1, 0.5), (7, 0.9), (300, 0.5), (5000, 0.01)] {
            let law = RankLaw::new(n, p);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
            for _ in 0..2000 {
                let unit = (rng.clone().next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                let known = law.first + law.cumulative.partition_point(|&sum| sum <= unit);
                assert_eq!(law.draw(&mut rng), known.min(n));
            }
        }
    }

    #[test]
    fn certain_ranks_are_drawn_always() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for _ in 0..20 {
            assert_eq!(RankLaw::new(9, 0.0).draw(&mut rng), 0);
            assert_eq!(RankLaw::new(9, 1.0).draw(&mut rng), 9);
            assert_eq!(RankLaw::new(0, 0.5).draw(&mut rng), 0);
            // Pairs that are always on the same side have the same rank.
            assert_eq!(PairedRankLaw::new(9, 0.3, 0.3).draw(4, &mut rng), 4);
        }
    }
}
