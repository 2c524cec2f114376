//! The level of each quantile at which all hold together.

use crate::tails::TailLook;
use crate::tails::quantile::Pooled;
use crate::tails::sign_law::SignLaw;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The fewest sets of coins that are drawn.
const FEWEST_DRAWN: usize = 4999;
/// How many are drawn per smallest level, up to a limit.
const DRAWN_PER_LEVEL: f64 = 40.0;
const MOST_DRAWN: f64 = 19_999.0;

/// The leads of the blocks at one quantile, as bits: whose lead it is, and whether it is one or two runs.
#[derive(Debug)]
struct Leads {
    is_negative: Vec<u64>,
    is_one: Vec<u64>,
    is_two: Vec<u64>,
    law: SignLaw,
    /// The p-value of every sum that the coins can give, by its absolute value.
    p_values: Vec<f64>,
}

impl Leads {
    fn of(pooled: &Pooled) -> Leads {
        let leads = pooled.at_estimate(pooled.beyond()).leads;
        let bits = |holds: &dyn Fn(f64) -> bool| -> Vec<u64> {
            let word = |leads: &[f64]| {
                leads.iter().rev().fold(0, |word, &lead| word << 1 | u64::from(holds(lead)))
            };
            leads.chunks(64).map(word).collect()
        };
        let count = |size: f64| leads.iter().filter(|lead| lead.abs() == size).count();
        let law = SignLaw { ones: count(1.0), twos: count(2.0) };
        Leads {
            is_negative: bits(&|lead| lead < 0.0),
            is_one: bits(&|lead| lead.abs() == 1.0),
            is_two: bits(&|lead| lead.abs() == 2.0),
            law,
            p_values: law.all_two_sided(),
        }
    }

    /// The p-value if these coins had fallen.
    fn p_value(&self, coins: &[u64]) -> f64 {
        let mut minus = 0;
        let places = self.is_negative.iter().zip(&self.is_one).zip(&self.is_two).zip(coins);
        for (((negative, one), two), coins) in places {
            let turned = negative ^ coins;
            minus +=
                (turned & one).count_ones() as usize + 2 * (turned & two).count_ones() as usize;
        }
        self.p_values[self.law.most().abs_diff(2 * minus)]
    }
}

/// The largest level of each at which chance rejects any with probability α; never less than α
/// divided by their number, which is always enough.
pub(super) fn alpha_of_each(pooled: &[Pooled], look: TailLook) -> f64 {
    let at_least = look.alpha / pooled.len() as f64;
    let leads: Vec<Leads> = pooled.iter().map(Leads::of).collect();
    let words = pooled.first().map_or(0, |pooled| pooled.blocks().div_ceil(64));
    let drawn = ((DRAWN_PER_LEVEL / look.alpha).min(MOST_DRAWN) as usize).max(FEWEST_DRAWN);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(look.seed);
    let mut coins = vec![0; words];
    let mut smallest: Vec<f64> = (0..drawn)
        .map(|_| {
            coins.iter_mut().for_each(|word| *word = rng.next_u64());
            leads.iter().map(|leads| leads.p_value(&coins)).fold(1.0, f64::min)
        })
        .collect();
    smallest.sort_unstable_by(f64::total_cmp);
    // With the coins that fell, at most a share α may be rejected.
    let rejected = (look.alpha * (drawn + 1) as f64) as usize;
    let limit = rejected.checked_sub(1).and_then(|rank| smallest.get(rank)).copied();
    // What comes next must not be rejected.
    limit.map_or(at_least, |limit| limit * (1.0 - 1e-9)).clamp(at_least, look.alpha)
}
