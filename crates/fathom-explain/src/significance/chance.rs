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
    /// By what all metrics did elsewhere, and not less than by its own size.
    pooled: f64,
    /// That any metric says as much where none ever did elsewhere; 1 if one did.
    unheard_of: f64,
}

impl Chance {
    pub(super) fn new(own: f64, share: f64, unheard_of: f64) -> Chance {
        let probability = |p: f64| if p.is_nan() { 1.0 } else { p.clamp(f64::MIN_POSITIVE, 1.0) };
        let own = probability(own);
        let pooled = own.max(probability(share));
        Chance { own, pooled, unheard_of: probability(unheard_of) }
    }

    /// Of this metric; never 0.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        // That any metric says as much is more likely than that this one does.
        self.own.max(self.pooled.min(self.unheard_of))
    }

    /// This many times as likely, but never more than certain.
    #[must_use]
    pub fn times(self, factor: f64) -> Chance {
        let times = |p: f64| (p * factor).min(1.0);
        Chance {
            own: times(self.own),
            pooled: times(self.pooled),
            unheard_of: times(self.unheard_of),
        }
    }
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
    let (mut own, mut pooled) = (adjusted(&|one| one.own), adjusted(&|one| one.pooled));
    let q = |chance: &Chance| {
        let (own, pooled) = (own.next()?, pooled.next()?);
        Some(pooled.min(own.max(chance.unheard_of)))
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
        assert_eq!(one.times(2.0).p_value(), 0.04);
        assert_eq!(Chance::new(f64::NAN, 0.0, 0.0).p_value(), 1.0);
    }
}
