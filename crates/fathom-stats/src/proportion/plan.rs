//! What to expect before the first sample.

use super::{Decision, Horizon, Operating, Rule};
use crate::Probability;
use crate::distribution::binomial::Binomial;

/// Plans look no further than this: beyond, they say "more than".
pub const PLANNED_AT_MOST: usize = 50_000;

/// How often the worst share is narrowed down.
const NARROWINGS: usize = 8;

/// What a rule will take, for a budget of samples.
///
/// ```
/// use fathom_stats::proportion::{Claim, SampleSizePlan, Rule};
/// use fathom_stats::{Confidence, Probability};
/// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
/// let plan = SampleSizePlan::new(Rule::anytime(claim), 1000);
/// assert_eq!(plan.horizon, 1000);
/// assert!(plan.earliest_positive < Some(50));
/// assert!(plan.worst.samples > 100.0);
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SampleSizePlan {
    /// The samples it was made for: the budget, but at most [`PLANNED_AT_MOST`] for a rule that
    /// looks often.
    pub horizon: usize,
    /// How many samples decide if all are successes; `None` if more than the horizon.
    pub earliest_positive: Option<usize>,
    /// How many samples decide if all are failures.
    pub earliest_negative: Option<usize>,
    /// What happens at some telling shares, from the highest to the lowest; F is among them.
    pub at: Vec<Operating>,
    /// The share that takes the most samples on average.
    pub worst: Operating,
}

impl SampleSizePlan {
    /// Makes the plan. For [`Rule::exact`] the budget is its n.
    #[must_use]
    pub fn new(rule: Rule, budget: usize) -> SampleSizePlan {
        if let Some(n) = rule.only_look() {
            return SampleSizePlan::of_one_look(rule, n);
        }
        let horizon = Horizon::new(rule, budget.min(PLANNED_AT_MOST));
        let f = rule.claim().proportion.get();
        let at: Vec<Operating> =
            telling_shares(f).into_iter().map(|p| horizon.operating(p)).collect();
        SampleSizePlan {
            horizon: horizon.limits().len(),
            earliest_positive: horizon.earliest_positive(),
            earliest_negative: horizon.earliest_negative(),
            worst: worst(&horizon, &at, f),
            at,
        }
    }

    /// However many samples that takes, it takes no dynamic programme.
    fn of_one_look(rule: Rule, n: usize) -> SampleSizePlan {
        let f = rule.claim().proportion;
        let at: Vec<Operating> =
            telling_shares(f.get()).into_iter().map(|share| one_look(rule, n, share)).collect();
        SampleSizePlan {
            horizon: n,
            earliest_positive: rule.is_positive(n, n).then_some(n),
            earliest_negative: rule.is_negative(0, n).then_some(n),
            at,
            // All shares take as many; the one that leaves most undecided is near F.
            worst: one_look(rule, n, f.get()),
        }
    }
}

fn one_look(rule: Rule, n: usize, share: f64) -> Operating {
    let limits = rule.limits_at(n);
    let (positive, negative) = match Probability::new(share) {
        Ok(p) => {
            let binomial = Binomial::new(n, p);
            let negative = limits.negative_to().map_or(0.0, |most| binomial.at_most(most));
            (limits.positive_from().map_or(0.0, |fewest| binomial.at_least(fewest)), negative)
        }
        // None or all.
        Err(_) => {
            let successes = if share < 0.5 { 0 } else { n };
            let decision = limits.decision(successes, successes);
            let is = |which| f64::from(u8::from(decision == Some(which)));
            (is(Decision::Positive), is(Decision::Negative))
        }
    };
    let undecided = (1.0 - positive - negative).max(0.0);
    Operating { share, positive, negative, undecided, samples: n as f64 }
}

/// None, all, half-way to either end as far as the nearer one is, and F ± 0.05, ± 0.02, ± 0.
fn telling_shares(f: f64) -> Vec<f64> {
    let half = (1.0 - f).min(f) / 2.0;
    let mut shares = vec![1.0, 0.0, f, f + half, f - half];
    for distance in [0.02, 0.05] {
        if distance < 0.9 * half {
            shares.extend([f + distance, f - distance]);
        }
    }
    // 0.9 + 0.05 should read 0.95.
    for share in &mut shares {
        *share = (*share * 1e12).round() / 1e12;
    }
    shares.sort_by(|a, b| b.total_cmp(a));
    shares
}

/// The share with the most samples on average: it lies near F, where the mean number has one peak.
fn worst(horizon: &Horizon, at: &[Operating], f: f64) -> Operating {
    let mut best = horizon.operating(f);
    for operating in at {
        if operating.samples > best.samples {
            best = *operating;
        }
    }
    // The peak is about as wide as what n samples can tell apart.
    let n = horizon.limits().len().max(1) as f64;
    let mut reach = 2.0 * (f * (1.0 - f) / n).sqrt();
    for _ in 0..NARROWINGS {
        for share in [best.share - reach, best.share + reach] {
            if share > 0.0 && share < 1.0 {
                let operating = horizon.operating(share);
                if operating.samples > best.samples {
                    best = operating;
                }
            }
        }
        reach /= 1.8;
    }
    best
}
