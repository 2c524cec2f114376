//! Many quantiles compared at once: where in the distribution the two differ.

use super::{Gate, GateOutcome, Margin, Verdict};
use fathom_stats::tails::shift_levels;
use fathom_stats::{LogRatioInterval, Probability, RatioInterval};

/// A quantile of the subject over the same quantile of the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileRatio {
    /// Which quantile.
    pub p: Probability,
    /// The ratio.
    pub ratio: f64,
    /// Of the ratio; the intervals of all quantiles hold together.
    pub interval: RatioInterval,
    /// The quantile of the reference and of the subject.
    pub sides: [f64; 2],
    /// What the interval says.
    pub verdict: Verdict,
}

impl QuantileRatio {
    /// With the verdict that the interval gives.
    #[must_use]
    pub fn new(
        p: Probability,
        log_ratio: f64,
        interval: LogRatioInterval,
        sides: [f64; 2],
        margin: Margin,
    ) -> QuantileRatio {
        let verdict = Verdict::of(interval, margin);
        QuantileRatio { p, ratio: log_ratio.exp(), interval: interval.ratio(), sides, verdict }
    }

    /// By how much the two differ at least; 0 where they may be the same.
    #[must_use]
    pub fn least_difference(&self) -> f64 {
        let LogRatioInterval { lower, upper } = self.interval.log();
        lower.max(-upper).max(0.0)
    }
}

/// The fewest blocks that can say something about this quantile among all that are compared, with
/// `of_each` runs of each subject in a block; `None` if it is none of them.
///
/// ```
/// use fathom_analyze::compare::fewest_blocks_among_quantiles;
/// use fathom_stats::Probability;
/// let fewest = |p| fewest_blocks_among_quantiles(p, 0.05, 2);
/// assert!(fewest(Probability::P90) > fewest(Probability::HALF));
/// assert_eq!(fewest(Probability::new(0.123)?), None);
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn fewest_blocks_among_quantiles(p: Probability, alpha: f64, of_each: usize) -> Option<usize> {
    const MOST: usize = 1 << 24;
    let has_it = |blocks: usize| shift_levels(blocks, of_each, alpha).contains(&p);
    let mut above = 1;
    while !has_it(above) {
        above *= 2;
        if above > MOST {
            return None;
        }
    }
    let mut below = above / 2;
    while above - below > 1 {
        let middle = below.midpoint(above);
        if has_it(middle) { above = middle } else { below = middle }
    }
    Some(above)
}

/// What all quantiles say together: slower or faster if some are and none is the opposite.
#[must_use]
pub(super) fn verdict_of_all(quantiles: &[QuantileRatio]) -> Verdict {
    let has = |verdict: Verdict| quantiles.iter().any(|one| one.verdict == verdict);
    match (has(Verdict::Slower), has(Verdict::Faster)) {
        (true, true) => Verdict::Mixed,
        (true, false) => Verdict::Slower,
        (false, true) => Verdict::Faster,
        _ if quantiles.is_empty() || has(Verdict::Inconclusive) => Verdict::Inconclusive,
        _ => Verdict::Equivalent,
    }
}

/// The quantile to show where there is room for only one: the one that surely differs
/// most, or the one in the middle if none does.
#[must_use]
pub(super) fn headline(quantiles: &[QuantileRatio]) -> Option<&QuantileRatio> {
    let differs = |one: &&QuantileRatio| matches!(one.verdict, Verdict::Slower | Verdict::Faster);
    let most = quantiles
        .iter()
        .filter(differs)
        .max_by(|one, other| one.least_difference().total_cmp(&other.least_difference()));
    let from_middle = |one: &QuantileRatio| (one.p.get() - 0.5).abs();
    most.or_else(|| {
        quantiles.iter().min_by(|one, other| from_middle(one).total_cmp(&from_middle(other)))
    })
}

/// What a gate says of many intervals: it fails if it does at one of them, and passes only if it
/// passes at all.
pub(super) fn gate_of_all(
    gate: Gate,
    intervals: impl IntoIterator<Item = LogRatioInterval>,
    judge: impl Fn(Gate, LogRatioInterval) -> GateOutcome,
) -> GateOutcome {
    let outcomes: Vec<GateOutcome> =
        intervals.into_iter().map(|interval| judge(gate, interval)).collect();
    if outcomes.contains(&GateOutcome::Failed) {
        GateOutcome::Failed
    } else if outcomes.is_empty() || outcomes.contains(&GateOutcome::Inconclusive) {
        GateOutcome::Inconclusive
    } else {
        GateOutcome::Passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(p: f64, lower: f64, upper: f64) -> QuantileRatio {
        let interval = RatioInterval::new(lower, upper).log();
        let p = Probability::new(p).unwrap();
        QuantileRatio::new(p, (lower * upper).sqrt().ln(), interval, [1.0, 1.0], Margin::DEFAULT)
    }

    #[test]
    fn one_difference_decides_and_opposite_ones_are_mixed() {
        let same = at(0.5, 0.995, 1.005);
        let open = at(0.9, 0.9, 1.1);
        let slower = at(0.99, 1.08, 1.17);
        let faster = at(0.05, 0.7, 0.95);
        let all = |quantiles: &[QuantileRatio]| verdict_of_all(quantiles);
        assert_eq!(all(&[same, same]), Verdict::Equivalent);
        assert_eq!(all(&[same, open]), Verdict::Inconclusive);
        assert_eq!(all(&[same, open, slower]), Verdict::Slower);
        assert_eq!(all(&[faster, open]), Verdict::Faster);
        assert_eq!(all(&[faster, same, slower]), Verdict::Mixed);
        assert_eq!(all(&[]), Verdict::Inconclusive);
        assert_eq!(headline(&[faster, same, slower]), Some(&slower), "8% at least, not 5%");
        assert_eq!(headline(&[at(0.05, 0.9, 1.1), same, open]), Some(&same));
        assert_eq!(headline(&[]), None);
    }

    #[test]
    fn a_gate_passes_only_where_all_quantiles_pass() {
        let gate = Gate::NotSlower(Margin::new(0.05).unwrap());
        let of = |quantiles: &[QuantileRatio]| {
            let intervals = quantiles.iter().map(|one| one.interval.log());
            gate_of_all(gate, intervals, Gate::finally)
        };
        let (same, slower) = (at(0.5, 0.995, 1.005), at(0.99, 1.08, 1.17));
        let open = at(0.999, 0.5, f64::INFINITY);
        assert_eq!(of(&[same, same]), GateOutcome::Passed);
        assert_eq!(of(&[same, open]), GateOutcome::Inconclusive);
        assert_eq!(of(&[same, open, slower]), GateOutcome::Failed);
        assert_eq!(of(&[]), GateOutcome::Inconclusive);
    }
}
