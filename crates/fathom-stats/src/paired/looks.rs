//! When to look at a comparison while it runs, and what each look may spend.

/// Looks grow by this factor.
const GROWTH: f64 = 1.5;
/// The share of the error that all looks before the last spend together: more in long sessions,
/// where an early end saves much, less in short ones, where the last look needs the error.
const INTERIM: f64 = 0.6;
const INTERIM_OF_SHORT: f64 = 0.3;
/// From this many blocks on a session is long.
const LONG: usize = 100;
/// Of single pairs: the share of the first look, with which eight pairs are enough at 95%, and that of
/// the others before the last together.
const FIRST_OF_SINGLE: f64 = 0.16;
const FURTHER_OF_SINGLE: f64 = 0.16;

/// The fewest blocks that can give an interval at 95% in a single look: 2/2⁶ ≤ 5%.
pub const FEWEST_BLOCKS: usize = 6;

/// The fewest blocks that can give an interval that misses with probability `alpha`: 2/2ⁿ ≤ α.
///
/// ```
/// use fathom_stats::paired::{advised_blocks, fewest_blocks};
/// assert_eq!(fewest_blocks(0.05), 6);
/// assert!(advised_blocks(0.05) > 6);
/// ```
#[must_use]
pub fn fewest_blocks(alpha: f64) -> usize {
    (1.0 - alpha.log2()).ceil().max(1.0) as usize
}

/// How many blocks to advise where fewer than [`fewest_blocks`] were asked for: with the fewest only
/// differences beyond all noise give an answer.
#[must_use]
pub fn advised_blocks(alpha: f64) -> usize {
    const A_FEW_MORE: usize = 4;
    fewest_blocks(alpha) + A_FEW_MORE
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
    /// The share of the error that each look before the last may spend.
    shares: Vec<f64>,
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
        drop_look_near(&mut at, most);
        at.push(most);
        Looks::sharing(at)
    }

    /// Looks at a plan of single pairs, which is short because a run takes long: then each look that comes
    /// sooner saves seconds. The first is where an interval at a small share of `level` is possible at
    /// all; `level` is the error that a subject may spend.
    ///
    /// ```
    /// use fathom_stats::paired::Looks;
    /// assert_eq!(Looks::of_single_pairs(20, 0.05).at(), [8, 12, 20]);
    /// assert_eq!(Looks::of_single_pairs(10, 0.05).at(), [8, 10]);
    /// ```
    #[must_use]
    pub fn of_single_pairs(most: usize, level: f64) -> Looks {
        let most = most.max(1);
        let first = fewest_blocks(FIRST_OF_SINGLE * level) as f64;
        let mut at: Vec<usize> = (0..)
            .map(|power| (first * GROWTH.powi(power)).round_ties_even() as usize)
            .take_while(|&look| look < most)
            .collect();
        drop_look_near(&mut at, most);
        let further = at.len().saturating_sub(1);
        let share = |place: usize| match place {
            0 => FIRST_OF_SINGLE,
            _ => FURTHER_OF_SINGLE / further as f64,
        };
        let shares = (0..at.len()).map(share).collect();
        at.push(most);
        Looks { at, shares }
    }

    /// Looks that share equally what looks before the last may spend.
    fn sharing(at: Vec<usize>) -> Looks {
        let interim = at.len() - 1;
        let most = at.last().copied().unwrap_or(1);
        let all = if most < LONG { INTERIM_OF_SHORT } else { INTERIM };
        Looks { shares: vec![all / interim.max(1) as f64; interim], at }
    }

    /// A single look after `most` blocks.
    #[must_use]
    pub fn once(most: usize) -> Looks {
        Looks::sharing(vec![most.max(1)])
    }

    /// The same plan without looks before `blocks`, whose share the others get.
    #[must_use]
    pub fn not_before(self, blocks: usize) -> Looks {
        let most = self.most();
        if self.at.iter().all(|&look| look >= blocks) {
            return self;
        }
        let at = self.at.into_iter().filter(|&look| look >= blocks || look == most).collect();
        Looks::sharing(at)
    }

    /// The same plan continued to `most` blocks, because time is left where it would end. To be
    /// called before the last look is taken: that look becomes one of several, which spend half of
    /// what it had, and the look at `most` has the other half. `spent` is the share that looks out of
    /// turn have used up.
    ///
    /// This is fair for the same reason as an early end: how long blocks take does not depend on the
    /// coins.
    ///
    /// ```
    /// use fathom_stats::paired::Looks;
    /// let looks = Looks::plan(20).extended(60, 0.0);
    /// assert_eq!(looks.at(), [10, 15, 20, 30, 45, 60]);
    /// ```
    #[must_use]
    pub fn extended(&self, most: usize, spent: f64) -> Looks {
        let former = self.most();
        if most <= former {
            return self.clone();
        }
        let mut further: Vec<usize> = (0..)
            .map(|power| (former as f64 * GROWTH.powi(power)).round_ties_even() as usize)
            .take_while(|&look| look < most)
            .collect();
        // Of very few blocks some would round to the same.
        further.dedup();
        // The look at the former end stays, however near: subjects were promised one there.
        if further.len() > 1 {
            drop_look_near(&mut further, most);
        }
        let left = self.last_share(former) - spent;
        let mut shares = self.shares.clone();
        shares.extend(vec![0.5 * left / further.len() as f64; further.len()]);
        let mut at = self.at[..self.at.len() - 1].to_vec();
        at.extend(further);
        at.push(most);
        Looks { at, shares }
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

    /// The share of the error that the look after `blocks` may spend, if one before the last is due.
    ///
    /// ```
    /// use fathom_stats::paired::Looks;
    /// let looks = Looks::plan(50);
    /// assert_eq!(looks.most(), 50);
    /// assert!(looks.interim(15).is_some() && looks.interim(16).is_none());
    /// // Looks that were left out have spent nothing.
    /// let later = looks.clone().not_before(20);
    /// assert_eq!(later.at(), [22, 34, 50]);
    /// assert!(later.interim(22) > looks.interim(22));
    /// assert_eq!(Looks::once(50).last_share(50), 1.0);
    /// ```
    #[must_use]
    pub fn interim(&self, blocks: usize) -> Option<f64> {
        let place = self.at[..self.shares.len()].iter().position(|&look| look == blocks)?;
        self.shares.get(place).copied()
    }

    /// The share of the error that is left for a last look after `blocks`.
    ///
    /// When the clock ends a comparison early, looks that were not reached have spent nothing.
    /// That is fair, because how many blocks fit into the time does not depend on the coins.
    #[must_use]
    pub fn last_share(&self, blocks: usize) -> f64 {
        // A look at the very block where the clock ends is the last one, not another.
        let taken = self.at.iter().zip(&self.shares).filter(|(look, _)| **look < blocks);
        1.0 - taken.map(|(_, share)| share).sum::<f64>()
    }
}

/// Drops the last of these looks if the end is near: it would spend error for little.
fn drop_look_near(looks: &mut Vec<usize>, end: usize) {
    if looks.last().is_some_and(|&last| (end as f64) < 1.2 * last as f64) {
        looks.pop();
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
        let plans = |most| [Looks::plan(most), Looks::of_single_pairs(most, 0.05)];
        for (most, plan) in (1..400).flat_map(|most| plans(most).map(|plan| (most, plan))) {
            let extended = plan.extended(2 * most + 3, 0.0);
            for looks in [extended.extended(9 * most + 40, 0.0), extended, plan] {
                let end = looks.most();
                let interim: f64 = (1..end).filter_map(|n| looks.interim(n)).sum();
                assert!((interim + looks.last_share(end) - 1.0).abs() < 1e-12, "{most}");
                // Wherever the clock ends, no more than everything is spent.
                for end in 1..=end {
                    let taken: f64 = (1..end).filter_map(|n| looks.interim(n)).sum();
                    assert!((taken + looks.last_share(end) - 1.0).abs() < 1e-12, "{most} {end}");
                }
            }
        }
    }

    /// The first look of single pairs can give an interval: it spends enough for a rank.
    #[test]
    fn the_first_look_of_single_pairs_is_the_earliest() {
        for level in [0.2, 0.1, 0.05, 0.04, 0.025, 0.01, 0.005, 0.001] {
            let looks = Looks::of_single_pairs(60, level);
            let first = looks.at()[0];
            let share = looks.interim(first).unwrap();
            assert!(crate::paired::rank(first, share * level) > 0, "{level}");
            assert_eq!(crate::paired::rank(first - 1, share * level), 0, "{level}");
        }
        assert_eq!(Looks::of_single_pairs(8, 0.05).at(), [8]);
        assert_eq!(Looks::of_single_pairs(40, 0.05).at(), [8, 12, 18, 27, 40]);
        assert_eq!(Looks::of_single_pairs(20, 0.05).not_before(12).at(), [12, 20]);
        assert_eq!(Looks::of_single_pairs(0, 0.05).at(), [1]);
    }

    /// Going on costs the last look half of its share, and looks out of turn stay paid for.
    #[test]
    fn a_longer_plan_keeps_the_looks_it_had() {
        let plan = Looks::plan(50);
        let longer = plan.extended(51, 0.1);
        assert_eq!(longer.at(), [10, 15, 22, 34, 50, 51]);
        assert_eq!(longer.interim(22), plan.interim(22));
        let left = plan.last_share(50) - 0.1;
        assert!((longer.interim(50).unwrap() - 0.5 * left).abs() < 1e-12);
        assert!((longer.last_share(51) - 0.1 - 0.5 * left).abs() < 1e-12);
        assert_eq!(plan.extended(50, 0.0), plan);
        assert_eq!(Looks::once(12).extended(20, 0.0).at(), [12, 20]);
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
