//! What a rule does for a given share, exactly, by dynamic programming over the successes that
//! leave it undecided.

use super::{Decision, Limits, Rule};

/// States less likely than this are no longer followed; they count as undecided.
const NEGLIGIBLE: f64 = 1e-24;

/// A rule's limits up to a number of samples.
#[derive(Debug, Clone)]
pub struct Horizon {
    rule: Rule,
    limits: Vec<Limits>,
}

/// What a rule does if the true share is p and sampling ends at the horizon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operating {
    /// p.
    pub share: f64,
    /// The probability of a positive decision.
    pub positive: f64,
    /// The probability of a negative decision.
    pub negative: f64,
    /// The probability of none.
    pub undecided: f64,
    /// The mean number of samples until the decision, or until the horizon.
    pub samples: f64,
}

/// Between which numbers a probability of error lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorBracket {
    /// By the horizon: exact there, and no less if sampling goes on.
    pub by_horizon: f64,
    /// No more than this, however long sampling goes on.
    pub ever: f64,
}

/// States that are still undecided: `alive[i]` is the probability of `first + i` successes.
struct Open {
    first: usize,
    alive: Vec<f64>,
}

impl Horizon {
    /// The limits up to n samples: one evaluation per side and sample.
    #[must_use]
    pub fn new(rule: Rule, n: usize) -> Horizon {
        Horizon { rule, limits: rule.boundaries().take(n).collect() }
    }

    /// The limits at 1, 2, 3 and so on samples.
    ///
    /// ```
    /// use fathom_stats::proportion::{Claim, Horizon, Rule};
    /// use fathom_stats::{Confidence, Probability};
    /// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
    /// let horizon = Horizon::new(Rule::anytime(claim), 1000);
    /// assert_eq!(horizon.limits().len(), 1000);
    /// // So many successes in a row decide, and so many failures.
    /// let (successes, failures) = (horizon.earliest_positive(), horizon.earliest_negative());
    /// assert!(failures < successes && successes < Some(50));
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn limits(&self) -> &[Limits] {
        &self.limits
    }

    /// How many samples decide if all are successes.
    #[must_use]
    pub fn earliest_positive(&self) -> Option<usize> {
        self.limits.iter().find(|limits| limits.successes <= limits.samples).map(|at| at.samples)
    }

    /// How many samples decide if all are failures.
    #[must_use]
    pub fn earliest_negative(&self) -> Option<usize> {
        self.limits.iter().find(|limits| limits.failures <= limits.samples).map(|at| at.samples)
    }

    /// What happens if the true share is `share` (0 to 1; anything beyond is taken for the nearer
    /// end, and what is not a number for 0).
    ///
    /// ```
    /// use fathom_stats::proportion::{Claim, Horizon, Rule};
    /// use fathom_stats::{Confidence, Probability};
    /// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
    /// let paper = Horizon::new(Rule::spa(claim), 10_000).operating(0.89);
    /// let ours = Horizon::new(Rule::anytime(claim), 10_000).operating(0.89);
    /// assert!(paper.positive > 0.22); // wrong more than twice as often as it says
    /// assert!(ours.positive < 0.05);
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn operating(&self, share: f64) -> Operating {
        self.follow(share).0
    }

    /// How likely a wrong decision is if the true share is `share`: a positive one below F, a
    /// negative one from F on.
    ///
    /// ```
    /// use fathom_stats::proportion::{Claim, Decision, Horizon, Rule};
    /// use fathom_stats::{Confidence, Probability};
    /// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
    /// let horizon = Horizon::new(Rule::anytime(claim), 1000);
    /// assert!(horizon.error(0.85).ever <= 0.1);
    /// let worst = horizon.worst_error(Decision::Positive);
    /// assert!(worst.by_horizon <= worst.ever && worst.ever <= 0.1 + 1e-12);
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn error(&self, share: f64) -> ErrorBracket {
        let wrong = if share < self.rule.claim().proportion.get() {
            Decision::Positive
        } else {
            Decision::Negative
        };
        self.reaching(wrong, share)
    }

    /// How likely the decision is at its most misleading share. More successes never make a
    /// positive decision less likely, so the worst share for it is the one just below F, and for
    /// a negative one F itself: what holds here holds for every share.
    #[must_use]
    pub fn worst_error(&self, wrong: Decision) -> ErrorBracket {
        self.reaching(wrong, self.rule.claim().proportion.get())
    }

    fn reaching(&self, wrong: Decision, share: f64) -> ErrorBracket {
        let (operating, open) = self.follow(share);
        let n = self.limits.len();
        let by_horizon = match wrong {
            Decision::Positive => operating.positive,
            Decision::Negative => operating.negative,
        };
        let mut followed = 0.0;
        let mut later = 0.0;
        for (offset, probability) in open.alive.iter().enumerate() {
            followed += probability;
            let successes = open.first + offset;
            later += probability * self.rule.still_wrong(wrong, operating.share, successes, n);
        }
        // What was not followed may do as it likes.
        later += (operating.undecided - followed).max(0.0);
        ErrorBracket { by_horizon, ever: (by_horizon + later).min(1.0) }
    }

    fn follow(&self, share: f64) -> (Operating, Open) {
        let p = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let q = 1.0 - p;
        let mut open = Open { first: 0, alive: vec![1.0] };
        let mut next: Vec<f64> = Vec::new();
        let (mut positive, mut negative, mut dropped, mut samples) = (0.0_f64, 0.0, 0.0, 0.0);
        for (taken, limits) in self.limits.iter().enumerate() {
            if open.alive.is_empty() {
                samples += dropped * (self.limits.len() - taken) as f64;
                break;
            }
            samples += (1.0 - positive - negative).max(0.0);
            open.step(p, q, &mut next);
            positive += open.take_from_top(limits.successes);
            negative += open.take_from_bottom(limits.samples, limits.failures);
            dropped += open.trim();
        }
        let undecided = open.alive.iter().sum::<f64>() + dropped;
        (Operating { share: p, positive, negative, undecided, samples }, open)
    }
}

impl Open {
    /// One more sample.
    fn step(&mut self, p: f64, q: f64, next: &mut Vec<f64>) {
        next.clear();
        next.extend(self.alive.first().map(|lowest| lowest * q));
        next.extend(self.alive.windows(2).map(|pair| match pair {
            [below, same] => below * p + same * q,
            _ => 0.0,
        }));
        next.extend(self.alive.last().map(|highest| highest * p));
        std::mem::swap(&mut self.alive, next);
    }

    /// Takes out the states with at least `limit` successes.
    fn take_from_top(&mut self, limit: usize) -> f64 {
        let kept = limit.saturating_sub(self.first).min(self.alive.len());
        self.alive.drain(kept..).sum()
    }

    /// Takes out the states with at least `limit` failures.
    fn take_from_bottom(&mut self, samples: usize, limit: usize) -> f64 {
        // Failures are samples − successes.
        let decided = (samples + 1).saturating_sub(limit + self.first).min(self.alive.len());
        self.first += decided;
        self.alive.drain(..decided).sum()
    }

    /// Takes out the unlikely states at both ends.
    fn trim(&mut self) -> f64 {
        let likely = |probability: &f64| *probability >= NEGLIGIBLE;
        let kept = self.alive.iter().rposition(likely).map_or(0, |last| last + 1);
        let above: f64 = self.alive.drain(kept..).sum();
        let first = self.alive.iter().position(likely).unwrap_or(0);
        self.first += first;
        above + self.alive.drain(..first).sum::<f64>()
    }
}
