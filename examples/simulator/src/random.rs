//! Random numbers that follow from a seed alone: SplitMix64 (Steele, Lea, Flood 2014).

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of this purpose under this seed: streams of different purposes are unrelated, so
    /// that drawing more from one does not shift another.
    pub fn new(seed: u64, purpose: u64) -> Random {
        let mut mixed = Random { state: purpose };
        let offset = mixed.next();
        let mut random = Random { state: seed ^ offset };
        // Seeds 1, 2, 3 would otherwise begin close together.
        random.state = random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..count`. The bias of the multiplication is below `count / 2^64`.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(count)) >> 64) as u64
    }

    /// Uniform in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Exponential with this mean: the wait for the next event of a Poisson process.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_from_seed_and_purpose() {
        let draw = |seed, purpose| {
            let mut random = Random::new(seed, purpose);
            [random.below(1000), random.below(1000), random.below(1000)]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
    }

    #[test]
    fn zero_to_four_cycles_are_equally_likely() {
        let mut random = Random::new(7, 0);
        let mut seen = [0_u32; 5];
        (0..50_000).for_each(|_| seen[random.below(5) as usize] += 1);
        // Six standard deviations of a binomial with 50,000 draws and p = 1/5 are 537.
        assert!(seen.iter().all(|&n| n.abs_diff(10_000) < 537), "{seen:?}");
    }

    #[test]
    fn waits_have_their_mean() {
        let mut random = Random::new(7, 1);
        let mean = (0..50_000).map(|_| random.exponential(30.0)).sum::<f64>() / 50_000.0;
        assert!((mean - 30.0).abs() < 6.0 * 30.0 / 50_000_f64.sqrt(), "{mean}");
    }
}
