//! How often chance would say as much of a metric, and of all of them.

use fathom_stats::multiple;

/// How often chance alone would give one metric evidence as strong as it has.
///
/// There are two ways to know, and the better one counts: how often all metrics did as much elsewhere,
/// and that nothing of the kind ever happened elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance {
    /// By its own usual size alone.
    own: f64,
    /// By what all metrics did elsewhere.
    share: f64,
    /// That any metric says as much where none ever did elsewhere; 1 if one did.
    unheard_of: f64,
    /// What so few windows can show at most, of however many metrics.
    floor: f64,
}

impl Chance {
    pub(super) fn new(own: f64, share: f64, unheard_of: f64) -> Chance {
        let probability = |p: f64| if p.is_nan() { 1.0 } else { p.clamp(f64::MIN_POSITIVE, 1.0) };
        let [own, share, unheard_of] = [own, share, unheard_of].map(probability);
        Chance { own, share, unheard_of, floor: 0.0 }
    }

    /// The same, with a q that is never below this one.
    pub(super) fn at_least(self, floor: f64) -> Chance {
        Chance { floor, ..self }
    }

    /// Of this metric; never 0.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        // That any metric says as much is more likely than that this one does.
        self.own.max(self.share.min(self.unheard_of))
    }

    /// By what all metrics did elsewhere, and not less than by its own size.
    fn pooled(&self) -> f64 {
        self.own.max(self.share)
    }

    /// That this many of so many runs say as much or more, if nothing is there.
    ///
    /// What a metric does by its own noise is another matter in every run. What it does once in a long
    /// while may have the same cause in all of them, at the same phase of the program: then of R values
    /// the k-th smallest, times R/k, is a level that holds however runs depend on each other.
    #[must_use]
    pub fn in_runs(self, said: usize, of: usize) -> Chance {
        let factor = of as f64 / said.max(1) as f64;
        let times = |p: f64| (p * factor).min(1.0);
        let own = at_least_of(said, of, self.own).max(f64::MIN_POSITIVE);
        Chance { own, share: times(self.share), unheard_of: times(self.unheard_of), ..self }
    }
}

/// The probability that at least this many of so many happen, each with probability p.
fn at_least_of(least: usize, of: usize, p: f64) -> f64 {
    // The first term is the largest if p is small, and terms are added from the smallest on.
    let term = |count: usize| {
        let choices = (0..count).map(|n| (of - n) as f64 / (n + 1) as f64).product::<f64>();
        choices * p.powi(count as i32) * (1.0 - p).powi((of - count) as i32)
    };
    (least..=of).rev().map(term).sum::<f64>().min(1.0)
}

/// Among metrics with a q of at most this one, the share that chance put there, by Benjamini and
/// Hochberg. Metrics without a chance have none and do not count.
///
/// What was never heard of elsewhere is that for all metrics together, however many say so: events may
/// have one cause.
#[must_use]
pub fn q_values(chances: &[Option<Chance>]) -> Vec<Option<f64>> {
    let adjusted = |pick: &dyn Fn(&Chance) -> f64| {
        let known: Vec<f64> = chances.iter().flatten().map(pick).collect();
        multiple::benjamini_hochberg(&known).into_iter()
    };
    let (mut own, mut pooled) = (adjusted(&|one| one.own), adjusted(&Chance::pooled));
    let q = |chance: &Chance| {
        let (own, pooled) = (own.next()?, pooled.next()?);
        Some(pooled.min(own.max(chance.unheard_of)).max(chance.floor))
    };
    let mut q = q;
    chances.iter().map(|chance| chance.as_ref().and_then(&mut q)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pooled(p: f64) -> Option<Chance> {
        Some(Chance::new(p, p, 1.0))
    }

    #[test]
    fn metrics_without_p_do_not_count() {
        let q = q_values(&[pooled(0.01), None, pooled(0.04), pooled(0.03), None, pooled(0.2)]);
        let rounded: Vec<Option<f64>> =
            q.iter().map(|q| q.map(|q| (q * 1e6).round() / 1e6)).collect();
        assert_eq!(rounded, [Some(0.04), None, Some(0.053_333), Some(0.053_333), None, Some(0.2)]);
    }

    /// Ten metrics that move together in one of few windows are one event.
    #[test]
    fn no_q_is_below_what_so_few_windows_can_show() {
        let moved = Some(Chance::new(1e-30, 0.001, 1.0));
        let floored = moved.map(|chance| chance.at_least(0.15));
        assert_eq!(q_values(&[moved; 10])[0], Some(0.001));
        assert_eq!(q_values(&[floored; 10])[0], Some(0.15));
        assert_eq!(floored.unwrap().p_value(), 0.001);
    }

    #[test]
    fn runs_that_agree_are_more_than_one() {
        let binomial = at_least_of(2, 3, 0.1);
        assert!((binomial - (3.0 * 0.01 * 0.9 + 0.001)).abs() < 1e-15);
        assert!((at_least_of(1, 2, 0.3) - 0.51).abs() < 1e-15);
        assert_eq!((at_least_of(1, 1, 0.3), at_least_of(1, 1, 1.0)), (0.3, 1.0));
        let one = Chance::new(0.01, 0.0, 0.2);
        assert!((one.in_runs(2, 3).p_value() - (3.0 * 1e-4 * 0.99 + 1e-6)).abs() < 1e-15);
        // What is rare for all metrics together may have one cause in all runs.
        let rare = Chance::new(1e-30, 0.02, 0.03);
        assert_eq!(rare.in_runs(2, 3).p_value(), 0.03);
        assert_eq!(rare.in_runs(1, 1), rare);
    }

    #[test]
    fn what_was_never_heard_of_is_no_surer_than_that() {
        let one = Chance::new(1e-30, 0.02, 0.03);
        assert_eq!(one.p_value(), 0.02);
        assert_eq!(Chance::new(1e-30, 0.04, 0.03).p_value(), 0.03);
        assert_eq!(Chance::new(0.035, 0.04, 0.03).p_value(), 0.035);
        let other = Chance::new(0.9, 0.9, 1.0);
        let mut all = vec![Some(other); 9];
        all.push(Some(one));
        assert_eq!(q_values(&all)[9], Some(0.03));
        // Ten of them are no more significant that way, and more so by what metrics did elsewhere.
        assert_eq!(q_values(&[Some(one); 10])[0], Some(0.02));
        assert_eq!(Chance::new(f64::NAN, 0.0, 0.0).p_value(), 1.0);
    }
}
