//! What kind of dependence samples have, read off the correlogram of their ranks.
//!
//! The rules look for one kind after the other, each in what the kinds before it leave, and name
//! the first that is evident. Their limits are from simulation: `calibration/dependence.md` has how
//! often which kind is named for which process.

use super::{SAMPLES_TO_JUDGE, Thinness, correlogram, is_evident};
use crate::ranks::{correlation_of_ranks, midranks_of};

/// How far a trend must stand out from what it leaves.
const TREND: f64 = 3.5;

/// How many standard errors below none the correlation of neighbours must lie.
const ALTERNATING: f64 = 2.58;

/// Below this effective size the memory is as long as the series.
const FEW: f64 = 10.0;

/// Lags beyond this say nothing more about a period.
const MOST_LAGS: usize = 400;

/// The correlogram shows a period only if it comes back this often within its lags.
const FEWEST_PERIODS: f64 = 3.0;

/// The shortest period, and up to where it is called an alternation.
const SHORTEST: f64 = 2.0;
const ALTERNATION: f64 = 2.5;

/// How samples that follow each other depend on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DependenceKind {
    /// No dependence shows, which does not prove that there is none.
    NotSeen,
    /// Samples that are this many apart are alike, and those between them are not.
    Period(f64),
    /// A high sample follows a low one.
    Alternation,
    /// The level rises or falls from the first sample to the last.
    Drift,
    /// The level changes slowly and at random: its memory is about as long as the series.
    SlowWandering,
    /// Neighbours are alike, up to about this many samples apart.
    ShortMemory(f64),
}

impl DependenceKind {
    /// The names of all of them.
    pub const NAMES: [&'static str; 6] =
        ["not_seen", "period", "alternation", "drift", "slow_wandering", "short_memory"];

    /// The name in JSON.
    ///
    /// ```
    /// use fathom_stats::dependence::DependenceKind;
    /// assert_eq!(DependenceKind::Period(7.0).name(), "period");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        let [not_seen, period, alternation, drift, slow_wandering, short_memory] =
            DependenceKind::NAMES;
        match self {
            DependenceKind::NotSeen => not_seen,
            DependenceKind::Period(_) => period,
            DependenceKind::Alternation => alternation,
            DependenceKind::Drift => drift,
            DependenceKind::SlowWandering => slow_wandering,
            DependenceKind::ShortMemory(_) => short_memory,
        }
    }

    /// The kind of samples in time order; `None` for too few or constant ones.
    ///
    /// ```
    /// use fathom_stats::dependence::DependenceKind;
    ///
    /// let mixed = |i: u32| f64::from((i * 7919) % 1009) / 1009.0;
    /// let every_seventh: Vec<f64> =
    ///     (0..140).map(|i| mixed(i) + if i % 7 == 0 { 1.0 } else { 0.0 }).collect();
    /// let Some(DependenceKind::Period(period)) = DependenceKind::of(&every_seventh) else { panic!() };
    /// assert!((6.5..7.5).contains(&period));
    /// let rising: Vec<f64> = (0..140).map(|i| mixed(i) + 0.02 * f64::from(i)).collect();
    /// assert_eq!(DependenceKind::of(&rising), Some(DependenceKind::Drift));
    /// assert_eq!(DependenceKind::of(&every_seventh[..10]), None);
    /// ```
    #[must_use]
    pub fn of(values: &[f64]) -> Option<DependenceKind> {
        let n = values.len();
        if n < SAMPLES_TO_JUDGE || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let ranks = midranks_of(values);
        let thinness = Thinness::of(&ranks)?;
        if has_trend(&ranks) {
            return Some(DependenceKind::Drift);
        }
        let lags = (n / 2).min(MOST_LAGS);
        let r = correlogram(&ranks, lags);
        if let Some(period) = period(&r, n) {
            let alternates = period < ALTERNATION;
            return Some(match alternates {
                true => DependenceKind::Alternation,
                false => DependenceKind::Period(period),
            });
        }
        let lag1 = r.first().copied()?;
        if (lag1 + 1.0 / n as f64) * (n as f64).sqrt() < -ALTERNATING {
            return Some(DependenceKind::Alternation);
        }
        if !is_evident(values) {
            return Some(DependenceKind::NotSeen);
        }
        Some(if n as f64 / thinness.tau < FEW {
            DependenceKind::SlowWandering
        } else {
            // Of a first-order process the correlations at all lags add up to this.
            DependenceKind::ShortMemory((0.5 * (thinness.tau - 1.0)).round().max(1.0))
        })
    }
}

/// Whether ranks go up or down with time by more than what is left beside a straight line makes by
/// chance, dependent as that is.
fn has_trend(ranks: &[f64]) -> bool {
    let times: Vec<f64> = (1..=ranks.len()).map(|place| place as f64).collect();
    let Some((rho, _)) = correlation_of_ranks(ranks, &times) else { return false };
    let middle = 0.5 * (ranks.len() as f64 + 1.0);
    let spread = |values: &[f64]| values.iter().map(|one| (one - middle).powi(2)).sum::<f64>();
    let slope = rho * (spread(ranks) / spread(&times)).sqrt();
    let left: Vec<f64> =
        ranks.iter().zip(&times).map(|(rank, time)| rank - slope * (time - middle)).collect();
    let tau = Thinness::of(&left).map_or(1.0, |thinness| thinness.tau);
    let unexplained = (1.0 - rho * rho).max(f64::MIN_POSITIVE);
    let errors = rho.abs() * ((ranks.len() as f64 - 2.0) / unexplained / tau).sqrt();
    errors > TREND
}

/// The period, if one shows in the correlations at the lags from 1 on.
fn period(r: &[f64], n: usize) -> Option<f64> {
    let (score, period) = best_score(r, n)?;
    (score > limit(n) * memory_of(r, n).sqrt()).then_some(period)
}

/// The best period and how far it stands out: its correlations are high at its multiples and low
/// half-way between, which neither a trend nor a slow change does.
fn best_score(r: &[f64], n: usize) -> Option<(f64, f64)> {
    let size = n as f64;
    let score = |period: f64| {
        let count = (r.len() as f64 / period).floor() as usize;
        let (mut sum, mut variance) = (0.0, 0.0);
        for multiple in 1..=count {
            for (share, sign) in [(0.0, 1.0), (0.5, -1.0)] {
                let lag = ((multiple as f64 - share) * period).round();
                sum += sign * r.get(lag as usize - 1).copied().unwrap_or(0.0);
                // That of a correlation at this lag, where there is none.
                variance += (size - lag) / (size * size);
            }
        }
        (sum / variance.sqrt(), period)
    };
    let better = |a: &(f64, f64), b: &(f64, f64)| a.0.total_cmp(&b.0);
    let lags = r.len() as f64;
    let longest = lags / FEWEST_PERIODS;
    // In steps of frequency so small that half a sample at the last lag is not missed.
    let steps = 1..=(2.0 * lags / SHORTEST) as usize;
    let fractions = steps.map(|step| 2.0 * lags / step as f64).filter(|period| *period <= longest);
    let fraction = fractions.map(score).max_by(better)?;
    // Most periods are of whole samples, and those are what a reader counts in.
    let whole = (2..=longest as usize).map(|period| score(period as f64)).max_by(better);
    Some(whole.filter(|whole| whole.0 >= fraction.0).unwrap_or(fraction))
}

/// What the largest score exceeds in fewer than one of a hundred series of independent samples: a
/// fit to simulated series of 20 to 4000. It grows with the number of periods that are tried, and
/// falls where the lags that are looked at become a small part of the series.
fn limit(n: usize) -> f64 {
    let longest = 2.0 * MOST_LAGS as f64;
    let tried = 1.2 + (n as f64).min(longest).ln();
    let share = (longest / n as f64).min(1.0);
    (tried * share.powf(0.2)).max(5.0_f64.min(tried))
}

/// By how much the variance of correlations at long lags is larger because those at short lags, up
/// to the first that is none, are not 0 (Bartlett).
fn memory_of(r: &[f64], n: usize) -> f64 {
    let none = 2.0 / (n as f64).sqrt();
    1.0 + 2.0 * r.iter().take_while(|one| **one > none).map(|one| one * one).sum::<f64>()
}
