//! The runs of both subjects in order, and what is beyond their pooled quantile.

use crate::Probability;
use crate::quantile::QuantilePosition;
use crate::tails::BlockRuns;
use crate::tails::sign_law::SignLaw;

/// Logarithms that differ by no more are those of the same run.
const SAME: f64 = 1e-12;

/// A number that looks unrelated to those of neighbours.
fn scrambled(block: u32) -> u32 {
    let mixed = (block ^ (block >> 16)).wrapping_mul(0x7feb_352d);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x846c_a68b);
    mixed ^ (mixed >> 16)
}

/// The runs of one subject from the one farthest out to the nearest.
#[derive(Debug)]
struct Ordered {
    /// Logarithms, negated for a quantile below the median: so "above" always means "beyond".
    logs: Vec<f64>,
    /// The block of each.
    blocks: Vec<u32>,
}

impl Ordered {
    fn of<'a>(runs: impl Iterator<Item = &'a [f64]>, sign: f64) -> Ordered {
        let mut all: Vec<(f64, u32)> = (0_u32..)
            .zip(runs)
            .flat_map(|(block, runs)| runs.iter().map(move |run| (sign * run.ln(), block)))
            .collect();
        // Equal runs are in an order that no coin knows, and that is not the order of time: else the
        // first blocks would lead, and neighbours would look alike.
        let key = |block: u32| (scrambled(block), block);
        all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(key(a.1).cmp(&key(b.1))));
        let (logs, blocks) = all.into_iter().unzip();
        Ordered { logs, blocks }
    }

    /// The value with this rank from the top, from 1; beyond the last there is −∞.
    fn ranked(&self, rank: usize) -> f64 {
        self.logs.get(rank.wrapping_sub(1)).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The quantile of type 7.
    fn quantile(&self, p: Probability) -> f64 {
        let place = QuantilePosition::of(self.logs.len(), p.get());
        let from_bottom = |index: usize| self.ranked(self.logs.len().saturating_sub(index).max(1));
        place.between(from_bottom(place.index), from_bottom(place.index + 1))
    }
}

/// Both subjects at one quantile.
#[derive(Debug)]
pub(in crate::tails) struct Pooled {
    reference: Ordered,
    subject: Ordered,
    blocks: usize,
    /// How many of all runs are beyond the pooled quantile.
    beyond: usize,
    beyond_expected: f64,
    is_upside_down: bool,
    estimate: f64,
    /// Of every number of runs that the reference may have beyond, the law of the coins.
    laws: Vec<SignLaw>,
}

/// What is around the pooled quantile if the subject's runs are divided by the estimate.
#[derive(Debug)]
pub(in crate::tails) struct AtEstimate {
    /// Of each block, how many more of its runs beyond are the reference's.
    pub(in crate::tails) leads: Vec<f64>,
    /// Of each block, how many of its runs are beyond.
    pub(super) counts: Vec<f64>,
    /// From the one farthest out, whether the run is the reference's.
    pub(super) is_reference: Vec<bool>,
}

impl Pooled {
    /// Of some blocks.
    pub(in crate::tails) fn of(blocks: &[BlockRuns], p: Probability) -> Pooled {
        let is_upside_down = p.get() < 0.5;
        let (sign, p) = if is_upside_down { (-1.0, p.complement()) } else { (1.0, p) };
        let reference = Ordered::of(blocks.iter().map(BlockRuns::reference), sign);
        let subject = Ordered::of(blocks.iter().map(BlockRuns::subject), sign);
        let beyond_expected = (2 * reference.logs.len()) as f64 * p.complement().get();
        let mut pooled = Pooled {
            estimate: subject.quantile(p) - reference.quantile(p),
            reference,
            subject,
            blocks: blocks.len(),
            beyond: beyond_expected.round_ties_even() as usize,
            beyond_expected,
            is_upside_down,
            laws: Vec::new(),
        };
        pooled.laws = pooled.laws_of_the_coins();
        pooled
    }

    pub(in crate::tails) fn blocks(&self) -> usize {
        self.blocks
    }

    pub(in crate::tails) fn beyond(&self) -> usize {
        self.beyond
    }

    pub(in crate::tails) fn beyond_expected(&self) -> f64 {
        self.beyond_expected
    }

    /// Whether values are negated, since the quantile is below the median.
    pub(in crate::tails) fn is_upside_down(&self) -> bool {
        self.is_upside_down
    }

    /// The log-ratio of the sample quantiles, of negated values if upside down.
    pub(in crate::tails) fn estimate(&self) -> f64 {
        self.estimate
    }

    /// The log-ratio up to which the reference has `own` of the runs beyond; from there on it has more.
    fn step(&self, own: usize) -> f64 {
        self.subject.ranked(self.beyond - own) - self.reference.ranked(own + 1)
    }

    fn laws_of_the_coins(&self) -> Vec<SignLaw> {
        let mut leads = vec![0_i8; self.blocks];
        let mut law = SignLaw::default();
        let mut lead = |law: &mut SignLaw, block: u32, one: i8| {
            let lead = &mut leads[block as usize];
            law.forget(*lead);
            *lead += one;
            law.learn(*lead);
        };
        for &block in &self.subject.blocks[..self.beyond] {
            lead(&mut law, block, -1);
        }
        let mut laws = Vec::with_capacity(self.beyond + 1);
        laws.push(law);
        for own in 0..self.beyond {
            // The reference's next run comes in, and the subject's nearest goes.
            lead(&mut law, self.reference.blocks[own], 1);
            lead(&mut law, self.subject.blocks[self.beyond - 1 - own], 1);
            laws.push(law);
        }
        laws
    }

    /// How many more of the runs beyond are the reference's if it has `own` of them.
    fn lead(&self, own: usize) -> i64 {
        2 * own as i64 - self.beyond as i64
    }

    /// The log-ratios that a test at level `alpha` does not reject, as one stretch.
    pub(in crate::tails) fn stretch_not_rejected(&self, alpha: f64) -> (f64, f64) {
        let is_rejected = |own: usize| {
            let (law, lead) = (self.laws[own], self.lead(own));
            law.is_surely_rare(lead, alpha) || law.two_sided(lead) <= alpha * (1.0 + 1e-12)
        };
        let least = (0..=self.beyond).find(|&own| !is_rejected(own)).unwrap_or(0);
        let most =
            (least..=self.beyond).rev().find(|&own| !is_rejected(own)).unwrap_or(self.beyond);
        let lower = least.checked_sub(1).map_or(f64::NEG_INFINITY, |own| self.step(own));
        let upper = if most == self.beyond { f64::INFINITY } else { self.step(most) };
        (lower, upper)
    }

    /// The smallest level at which the stretch ends more than `tick` beside zero.
    pub(in crate::tails) fn p_value_at_zero(&self, tick: f64) -> f64 {
        // The numbers whose stretches reach zero, or lie beyond it.
        let reaches: Box<dyn Iterator<Item = usize>> = if self.estimate >= 0.0 {
            let begins =
                |own: usize| own.checked_sub(1).map_or(f64::NEG_INFINITY, |own| self.step(own));
            let last = (0..=self.beyond).rev().find(|&own| begins(own) <= tick).unwrap_or(0);
            Box::new((0..=last).rev())
        } else {
            let ends = |own: usize| if own == self.beyond { f64::INFINITY } else { self.step(own) };
            let first = (0..=self.beyond).find(|&own| ends(own) >= -tick).unwrap_or(self.beyond);
            Box::new(first..=self.beyond)
        };
        let mut largest = 0.0_f64;
        for own in reaches {
            let (law, lead) = (self.laws[own], self.lead(own));
            if !law.is_surely_rare(lead, largest) {
                largest = largest.max(law.two_sided(lead));
            }
        }
        largest
    }

    /// The runs if the subject's are divided by the estimate, down to `depth` from the top.
    pub(in crate::tails) fn at_estimate(&self, depth: usize) -> AtEstimate {
        let mut leads = vec![0.0; self.blocks];
        let mut counts = vec![0.0; self.blocks];
        let mut is_reference = Vec::with_capacity(depth);
        let (mut own, mut other) = (0, 0);
        while is_reference.len() < depth.min(2 * self.reference.logs.len()) {
            let next =
                [self.reference.ranked(own + 1), self.subject.ranked(other + 1) - self.estimate];
            // Equal runs alternate, so that ties favour neither. Rounding makes none unequal.
            let is_same = (next[0] - next[1]).abs() <= SAME;
            let takes_reference = if is_same { own <= other } else { next[0] > next[1] };
            let block = if takes_reference {
                own += 1;
                self.reference.blocks[own - 1]
            } else {
                other += 1;
                self.subject.blocks[other - 1]
            } as usize;
            if is_reference.len() < self.beyond {
                leads[block] += if takes_reference { 1.0 } else { -1.0 };
                counts[block] += 1.0;
            }
            is_reference.push(takes_reference);
        }
        AtEstimate { leads, counts, is_reference }
    }
}

impl SignLaw {
    fn place(&mut self, lead: i8) -> Option<&mut usize> {
        match lead.unsigned_abs() {
            1 => Some(&mut self.ones),
            2 => Some(&mut self.twos),
            _ => None,
        }
    }

    fn learn(&mut self, lead: i8) {
        if let Some(place) = self.place(lead) {
            *place += 1;
        }
    }

    fn forget(&mut self, lead: i8) {
        if let Some(place) = self.place(lead) {
            *place -= 1;
        }
    }
}
