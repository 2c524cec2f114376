//! Samples with labels.

use super::{OutlierPolicy, SteadyStatePolicy};
use crate::EstimateRequest;
use fathom_stats::outliers::{Outliers, Outlying};
use fathom_stats::steady_state::{self, Class, SteadyState};

/// What cleaning found out about a series of samples. The samples themselves are not here: the
/// labels refer to their places.
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled {
    /// Where the steady state begins, and how that is known.
    pub steadiness: Steadiness,
    /// The outliers within the steady state; `None` if they were not looked for.
    pub flagged: Option<Flagged>,
    /// How much of the machine other programs used before and in the steady state, if it was observed.
    pub load: Option<OtherLoad>,
    n: usize,
}

/// The share of the machine that other programs used, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OtherLoad {
    /// Before the steady state.
    pub before: f64,
    /// In the steady state.
    pub after: f64,
}

/// What became of the samples before the steady state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SlowBeginning {
    /// They are those of something that warms up.
    WarmUp,
    /// They ran under other load, which then stopped.
    Disturbed(OtherLoad),
    /// They are most of the samples, which is a lot for a warm-up, and nothing else explains them.
    Unexplained,
}

impl SlowBeginning {
    /// The names of all of them.
    pub const NAMES: [&'static str; 3] = ["warmup", "disturbed", "unexplained"];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        let [warmup, disturbed, unexplained] = SlowBeginning::NAMES;
        match self {
            SlowBeginning::WarmUp => warmup,
            SlowBeginning::Disturbed(_) => disturbed,
            SlowBeginning::Unexplained => unexplained,
        }
    }
}

/// Where the steady state begins, and how that is known.
#[derive(Debug, Clone, PartialEq)]
pub enum Steadiness {
    /// By the change points of the series.
    Found(SteadyState),
    /// The user said how many samples to skip.
    Told {
        /// How many.
        skipped: usize,
    },
    /// Nobody looked.
    NotSought,
}

/// The outliers within the steady state.
#[derive(Debug, Clone, PartialEq)]
pub struct Flagged {
    /// What the rule found; its indices count from the start of the series.
    pub found: Outliers,
    /// How each of them lies to the others.
    pub outlying: Vec<Outlying>,
    /// How many samples it looked at.
    pub among: usize,
    /// Whether the estimate leaves them out.
    pub applied: bool,
}

impl Labelled {
    /// The first sample of the steady state. Where there is none, everything counts.
    #[must_use]
    pub fn start(&self) -> usize {
        match &self.steadiness {
            Steadiness::Found(SteadyState { class: Class::None, .. }) | Steadiness::NotSought => 0,
            Steadiness::Found(state) => state.start,
            Steadiness::Told { skipped } => *skipped,
        }
    }

    /// What explains a slow beginning; `None` if there was none.
    #[must_use]
    pub fn slow_beginning(&self) -> Option<SlowBeginning> {
        let Steadiness::Found(SteadyState { class: Class::WarmUp, start, .. }) = &self.steadiness
        else {
            return None;
        };
        Some(match self.load {
            Some(load) if load.went_away() => SlowBeginning::Disturbed(load),
            _ if 2 * start > self.n => SlowBeginning::Unexplained,
            _ => SlowBeginning::WarmUp,
        })
    }

    /// Where the outliers are.
    #[must_use]
    pub fn outliers(&self) -> &[usize] {
        self.flagged.as_ref().map_or(&[], |flagged| flagged.found.indices.as_slice())
    }

    /// The samples that the estimate counts.
    #[must_use]
    pub fn kept(&self, samples: &[f64]) -> Vec<f64> {
        if self.flagged.as_ref().is_some_and(|flagged| flagged.applied) {
            self.without_outliers(samples)
        } else {
            samples.get(self.start()..).unwrap_or(samples).to_vec()
        }
    }

    /// The samples of the steady state that are not outliers.
    #[must_use]
    pub fn without_outliers(&self, samples: &[f64]) -> Vec<f64> {
        let mut flags = vec![false; samples.len()];
        for &index in self.outliers() {
            if let Some(flag) = flags.get_mut(index) {
                *flag = true;
            }
        }
        let steady = samples.iter().zip(flags).skip(self.start());
        steady.filter(|(_, flag)| !flag).map(|(&value, _)| value).collect()
    }

    /// How many samples there are in all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }
}

impl OtherLoad {
    /// Whether it was enough to slow things down before, and much less afterwards.
    fn went_away(self) -> bool {
        const MUCH: f64 = 0.1;
        self.before >= MUCH && self.after <= 0.5 * self.before
    }
}

/// Labels samples in the order of measurement.
pub(crate) fn label(samples: &[f64], request: &EstimateRequest) -> Labelled {
    let steadiness = match request.steady_state {
        SteadyStatePolicy::Off => Steadiness::NotSought,
        // At least one sample stays.
        SteadyStatePolicy::Skip(skipped) => {
            Steadiness::Told { skipped: skipped.min(samples.len().saturating_sub(1)) }
        }
        SteadyStatePolicy::Auto => {
            Steadiness::Found(steady_state::analyse(samples, clock_step(samples)))
        }
    };
    let mut labelled = Labelled { steadiness, flagged: None, load: None, n: samples.len() };
    if request.outliers != OutlierPolicy::Keep {
        let start = labelled.start();
        let steady = samples.get(start..).unwrap_or_default();
        let mut found = request.outlier_rule.find(steady);
        let outlying = request.outlier_rule.outlying(steady, &found);
        found.indices.iter_mut().for_each(|index| *index += start);
        let applied = request.outliers == OutlierPolicy::Remove && !found.indices.is_empty();
        labelled.flagged = Some(Flagged { found, outlying, among: steady.len(), applied });
    }
    labelled
}

/// The step of the clock, where the samples show one: the smallest gap of values that mostly tie.
fn clock_step(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup();
    if sorted.len() > samples.len() / 2 {
        return 0.0;
    }
    let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.min_by(f64::total_cmp).filter(|gap| gap.is_finite()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze;
    use fathom_record::{Series, Unit};

    /// Slower at first.
    fn subject(slow: usize, n: usize) -> crate::Subject {
        let noise = |i: usize| ((31 * i * i + 37 * i) % 101) as f64 / 1e4;
        let values = (0..n).map(|i| noise(i) + if i < slow { 1.3 } else { 1.0 }).collect();
        analyze(Series::new("x", Unit::SECONDS, values).unwrap(), &EstimateRequest::default())
    }

    #[test]
    fn a_slow_beginning_is_a_warm_up_unless_something_speaks_against_it() {
        let beginning = |subject: &crate::Subject| subject.labelled.as_ref()?.slow_beginning();
        let short = subject(60, 300);
        assert_eq!(beginning(&short), Some(SlowBeginning::WarmUp));
        assert!(short.warnings.is_empty(), "{:?}", short.warnings);
        // Other load that stopped looks the same, and it was not measured.
        let mut long = subject(393, 575);
        assert_eq!(beginning(&long), Some(SlowBeginning::Unexplained));
        assert!(long.warnings[0].to_string().contains("long for a warm-up"), "{:?}", long.warnings);
        // Somebody saw it.
        let load = OtherLoad { before: 0.4, after: 0.02 };
        long.tell_load(load);
        assert_eq!(beginning(&long), Some(SlowBeginning::Disturbed(load)));
        assert_eq!(long.warnings.len(), 1);
        assert!(
            long.warnings[0]
                .to_string()
                .contains("other programs used 40% of the CPU during the first")
        );
        // Load that stayed explains no change.
        let mut short = subject(60, 300);
        short.tell_load(OtherLoad { before: 0.4, after: 0.38 });
        assert_eq!(beginning(&short), Some(SlowBeginning::WarmUp));
    }

    #[test]
    fn removing_an_outlier_does_not_make_the_rest_look_dependent() {
        let steady: Vec<f64> = [
            99.8, 100.9, 98.6, 100.3, 99.5, 101.2, 99.1, 100.6, 98.9, 100.1, 99.6, 101.0, 300.0,
            99.3, 100.8, 98.7, 100.2, 99.9, 101.1, 99.0, 100.5, 98.8, 100.0, 99.7, 100.7,
        ]
        .to_vec();
        let of = |outliers: OutlierPolicy, values: &[f64]| {
            let series = Series::new("x", Unit::Unknown, values.to_vec()).unwrap();
            let request = EstimateRequest { outliers, ..EstimateRequest::default() };
            analyze(series, &request).estimates[0].clone()
        };
        for place in 0..steady.len() {
            let mut values = steady.clone();
            values.swap(place, 12);
            let (kept, removed) =
                (of(OutlierPolicy::Flag, &values), of(OutlierPolicy::Remove, &values));
            assert_eq!((kept.n_used, removed.n_used), (25, 24));
            let ratio = removed.effective_n.unwrap() / kept.effective_n.unwrap();
            assert!((24.0 / 25.0 - ratio).abs() < 0.15, "{place}: {ratio}");
        }
    }
}
