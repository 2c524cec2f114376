//! When to look at a comparison while it runs, and what each look may spend.

/// Looks grow by this factor.
const GROWTH: f64 = 1.5;
/// The share of the error that all looks before the last spend together: more in long sessions,
/// where an early end saves much, less in short ones, where the last look needs the error.
const INTERIM: f64 = 0.6;
const INTERIM_OF_SHORT: f64 = 0.3;
/// From so many blocks on a session is long.
const LONG: usize = 100;

/// The fewest blocks that can give an interval at 95% in a single look: 2/2⁶ ≤ 5%.
pub const FEWEST_BLOCKS: usize = 6;

/// The fewest blocks that can give an interval that misses with probability `alpha`: 2/2ⁿ ≤ α.
#[must_use]
pub fn fewest_blocks(alpha: f64) -> usize {
    (1.0 - alpha.log2()).ceil().max(1.0) as usize
}

/// The plan of looks, made before the first block is seen.
///
/// ```
/// use fathom_stats::paired::Looks;
/// assert_eq!(Looks::plan(50).at(), [10, 15, 22, 34, 50]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Looks {
    at: Vec<usize>,
}

impl Looks {
    /// Looks at n₀·1.5ᵏ blocks and at `most`, the last one. An interim look close to the last is
    /// dropped: it would spend error for little.
    #[must_use]
    pub fn plan(most: usize) -> Looks {
        let most = most.max(1);
        let first: f64 = if most < LONG { 10.0 } else { 22.0 };
        let mut at: Vec<usize> = (0..)
            .map(|power| (first * GROWTH.powi(power)).round_ties_even() as usize)
            .take_while(|&look| look < most)
            .collect();
        if at.last().is_some_and(|&last| (most as f64) < 1.2 * last as f64) {
            at.pop();
        }
        at.push(most);
        Looks { at }
    }

    /// A single look after `most` blocks.
    #[must_use]
    pub fn once(most: usize) -> Looks {
        Looks { at: vec![most.max(1)] }
    }

    /// The same plan without looks before `blocks`, whose share the others get.
    #[must_use]
    pub fn not_before(self, blocks: usize) -> Looks {
        let most = self.most();
        let at = self.at.into_iter().filter(|&look| look >= blocks || look == most).collect();
        Looks { at }
    }

    /// After how many blocks.
    #[must_use]
    pub fn at(&self) -> &[usize] {
        &self.at
    }

    /// The number of blocks of the last look.
    #[must_use]
    pub fn most(&self) -> usize {
        self.at.last().copied().unwrap_or(1)
    }

    /// The look that is due after `blocks`, if one is before the last.
    #[must_use]
    pub fn interim(&self, blocks: usize) -> Option<usize> {
        let interim = &self.at[..self.at.len() - 1];
        interim.iter().position(|&look| look == blocks)
    }

    /// The share of the error that each look before the last may spend.
    #[must_use]
    pub fn interim_share(&self) -> f64 {
        let all = if self.most() < LONG { INTERIM_OF_SHORT } else { INTERIM };
        all / (self.at.len() - 1).max(1) as f64
    }

    /// The share of the error that is left for a last look after `blocks`.
    ///
    /// When the clock ends a comparison early, looks that were not reached have spent nothing.
    /// That is fair, because how many blocks fit into the time does not depend on the coins.
    #[must_use]
    pub fn last_share(&self, blocks: usize) -> f64 {
        let interim = &self.at[..self.at.len() - 1];
        // A look at the very block where the clock ends is the last one, not another.
        let taken = interim.iter().filter(|&&look| look < blocks).count();
        1.0 - taken as f64 * self.interim_share()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_those_of_the_design() {
        assert_eq!(Looks::plan(20).at(), [10, 15, 20]);
        assert_eq!(Looks::plan(100).at(), [22, 33, 50, 74, 100]);
        assert_eq!(Looks::plan(1000).at(), [22, 33, 50, 74, 111, 167, 251, 376, 564, 1000]);
        assert_eq!(Looks::plan(10).at(), [10]);
        assert_eq!(Looks::plan(3).at(), [3]);
        assert_eq!(Looks::plan(11).at(), [11]);
        assert_eq!(Looks::plan(0).at(), [1]);
        assert_eq!(Looks::plan(50).not_before(20).at(), [22, 34, 50]);
        assert_eq!(Looks::plan(50).not_before(60).at(), [50]);
        assert_eq!(Looks::once(30).last_share(30), 1.0);
    }

    #[test]
    fn shares_add_up_to_one() {
        for most in 1..400 {
            let looks = Looks::plan(most);
            let interim = (looks.at().len() - 1) as f64 * looks.interim_share();
            assert!((interim + looks.last_share(most) - 1.0).abs() < 1e-12, "{most}");
            // Wherever the clock ends, no more than everything is spent.
            for end in 1..=most {
                let taken = (1..end).filter(|&n| looks.interim(n).is_some()).count() as f64;
                let spent = taken * looks.interim_share() + looks.last_share(end);
                assert!((spent - 1.0).abs() < 1e-12, "{most} {end}");
            }
        }
    }

    #[test]
    fn the_fewest_blocks_are_the_first_with_a_rank() {
        for alpha in [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001] {
            let fewest = fewest_blocks(alpha);
            assert!(crate::paired::rank(fewest, alpha) > 0, "{alpha}");
            assert_eq!(crate::paired::rank(fewest - 1, alpha), 0, "{alpha}");
        }
        assert_eq!(fewest_blocks(0.05), FEWEST_BLOCKS);
    }
}
