//! What the user wants to know.

use super::{Method, MethodError, Statistic, SubsessionRange};
use crate::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_stats::outliers::OutlierRule;
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability, Sides};

/// Statistics, confidence and method.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimateRequest {
    /// What to estimate, in the order it is reported.
    pub statistics: Vec<Statistic>,
    /// How sure.
    pub confidence: Confidence,
    /// By what method; `None` is each statistic's default.
    pub method: Option<Method>,
    /// Further methods, to see them side by side: each gives an estimate of every statistic that it
    /// serves.
    pub other_methods: Vec<Method>,
    /// From when on `Method::Subsession` takes merged samples as independent.
    pub subsession_range: SubsessionRange,
    /// Which ends the intervals have.
    pub sides: Sides,
    /// The seed of random numbers.
    pub seed: u64,
    /// Take samples as independent: no handling of dependence, and executions pooled.
    pub assume_independent: bool,
    /// Which samples are the steady state.
    pub steady_state: SteadyStatePolicy,
    /// What happens to outliers.
    pub outliers: OutlierPolicy,
    /// Which rule finds them.
    pub outlier_rule: OutlierRule,
    /// Whether to compute the autocorrelation at every lag.
    pub correlogram: bool,
    /// The property whose threshold is asked for, where the question was put that way.
    pub property: Option<QuantileProperty>,
}

/// "The metric is ⋄ the threshold in at least F of all executions": the SPA paper's way to name a
/// quantile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileProperty {
    /// F.
    pub proportion: Probability,
    /// ⋄.
    pub direction: Direction,
}

impl QuantileProperty {
    /// The quantile that is the property's threshold.
    #[must_use]
    pub fn statistic(&self) -> Statistic {
        Statistic::Quantile(self.direction.quantile(self.proportion))
    }
}

impl Default for EstimateRequest {
    fn default() -> EstimateRequest {
        EstimateRequest {
            statistics: vec![Statistic::MEDIAN],
            confidence: Confidence::DEFAULT,
            method: None,
            other_methods: Vec::new(),
            subsession_range: SubsessionRange::DEFAULT,
            sides: Sides::Both,
            seed: 1,
            assume_independent: false,
            steady_state: SteadyStatePolicy::Auto,
            outliers: OutlierPolicy::Flag,
            outlier_rule: OutlierRule::default(),
            correlogram: false,
            property: None,
        }
    }
}

impl EstimateRequest {
    /// The method for one of the statistics.
    #[must_use]
    pub fn method_for(&self, statistic: Statistic) -> Method {
        self.method.unwrap_or_else(|| Method::default_for(statistic))
    }

    /// What is estimated and how, in the order it is reported: every statistic by every method that
    /// serves it.
    #[must_use]
    pub fn estimates(&self) -> Vec<(Statistic, Option<Method>)> {
        let Some(first) = self.method.filter(|_| !self.other_methods.is_empty()) else {
            return self.statistics.iter().map(|&statistic| (statistic, self.method)).collect();
        };
        let methods = || std::iter::once(first).chain(self.other_methods.iter().copied());
        let pairs = self
            .statistics
            .iter()
            .flat_map(|&statistic| methods().map(move |method| (statistic, method)));
        pairs
            .filter(|(statistic, method)| method.serve(*statistic, self.sides).is_ok())
            .map(|(statistic, method)| (statistic, Some(method)))
            .collect()
    }

    /// Checks that the method serves every statistic; of several methods, that each serves a statistic,
    /// and each statistic is served.
    pub fn check(&self) -> Result<(), MethodError> {
        let methods = || self.method.into_iter().chain(self.other_methods.iter().copied());
        let has_subsessions = methods().any(|method| method == Method::Subsession);
        if has_subsessions && self.assume_independent {
            return Err(MethodError::AssumesIndependence);
        }
        if !has_subsessions && self.subsession_range != SubsessionRange::DEFAULT {
            return Err(MethodError::RangeWithoutSubsessions);
        }
        if self.other_methods.is_empty() {
            return self.statistics.iter().try_for_each(|&statistic| {
                self.method_for(statistic).serve(statistic, self.sides)
            });
        }
        let serves = |method: Method, statistic| method.serve(statistic, self.sides);
        for method in methods() {
            let all = || self.statistics.iter().map(|&statistic| serves(method, statistic));
            if all().all(|served| served.is_err()) {
                all().collect::<Result<Vec<()>, _>>()?;
            }
        }
        for &statistic in &self.statistics {
            let all = || methods().map(|method| serves(method, statistic));
            if all().all(|served| served.is_err()) {
                all().collect::<Result<Vec<()>, _>>()?;
            }
        }
        Ok(())
    }
}
