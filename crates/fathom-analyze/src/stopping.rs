//! When to stop measuring one subject.
//!
//! Runs are made until every interval is as narrow as asked. Looking at the width until it suffices
//! favours the moments at which the spread, or the dependence, happens to look small, so an
//! interval that ended the measuring covers less than it says. Four things keep the promise: the
//! first look is late enough to see dependence, looks are few, measuring never stops on a steady
//! state that was just found, and where intervals do not allow for dependence, which makes them
//! wide, each spends only a part of the error. `calibration/stopping.md` shows what is left;
//! `docs/methods/stopping.md` what else was tried.
//!
//! ```
//! use fathom_analyze::EstimateRequest;
//! use fathom_analyze::stopping::{Precision, StoppingRule};
//! use fathom_record::{Series, Unit};
//!
//! let rule = StoppingRule { precision: Precision::new(0.05)?, fewest: 10, most: 1000 };
//! let mut times = Vec::new();
//! let mut look = rule.next_look(0);
//! while let Some(runs) = look {
//!     // Here a program would be run.
//!     times.extend((times.len()..runs).map(|i| 1.0 + 0.01 * (i * 7 % 10) as f64));
//!     let series = Series::new("sort", Unit::SECONDS, times.clone())?;
//!     let subject = rule.analyze(series, &EstimateRequest::default());
//!     if rule.is_reached(&subject) {
//!         break;
//!     }
//!     look = rule.next_look(times.len());
//! }
//! assert_eq!(times.len(), 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod of_rate;

use crate::clean::Steadiness;
use crate::{Estimate, EstimateRequest, IntervalOutcome, Method, Subject, analyze};
use fathom_record::Series;
use fathom_stats::dependence::SAMPLES_TO_JUDGE;
use fathom_stats::{Confidence, Sides};
use std::fmt;

/// How narrow an interval must be: its half width as a share of the estimate.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Precision(f64);

/// Not a precision.
#[derive(Debug, Clone, PartialEq)]
pub struct PrecisionError(f64);

impl fmt::Display for PrecisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.0;
        write!(
            f,
            "the precision must be above 0 and at most 1 (100%), such as 0.02 or 2%; found {found}"
        )
    }
}

impl std::error::Error for PrecisionError {}

impl Precision {
    /// 2%.
    pub const DEFAULT: Precision = Precision(0.02);
    /// 0.5%, for those who have the time.
    pub const FINE: Precision = Precision(0.005);

    /// Checks the range.
    pub fn new(share: f64) -> Result<Precision, PrecisionError> {
        if share > 0.0 && share <= 1.0 { Ok(Precision(share)) } else { Err(PrecisionError(share)) }
    }

    /// The number: 0.02 for 2%.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

/// Looks grow by this factor.
const GROWTH: f64 = 1.25;
/// No look is earlier: of fewer samples too many look independent by luck.
const FIRST: usize = 40;
/// What was cut off before the steady state may be this share of what is left. The state of a
/// series that goes to and fro seems to begin with its last step, and then looks steady.
const CUT: f64 = 0.1;
/// The share of the error that an interval may spend which takes its samples as independent.
const SPENT: f64 = 0.7;

/// When to look, and when to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoppingRule {
    /// How narrow every interval must be.
    pub precision: Precision,
    /// At least this many runs.
    pub fewest: usize,
    /// At most this many runs.
    pub most: usize,
}

impl StoppingRule {
    /// After how many runs to look next, more than `n`; `None` if there will be no more runs.
    ///
    /// The looks do not depend on where they are asked from, so that a session that was
    /// interrupted and resumed has no more of them than another.
    #[must_use]
    pub fn next_look(&self, n: usize) -> Option<usize> {
        if n >= self.most {
            return None;
        }
        let mut look = self.fewest.max(FIRST);
        while look <= n {
            // Saturating: the most may be as large as there are numbers.
            look = ((look as f64 * GROWTH).ceil() as usize).max(look.saturating_add(1));
        }
        Some(look.min(self.most))
    }

    /// Whether the number of runs is fixed, so that nothing depends on what is seen.
    fn has_one_look(&self) -> bool {
        self.next_look(0).is_none_or(|first| first >= self.most)
    }

    /// Analyses what was measured under this rule: the intervals hold the confidence that was
    /// asked for although they may have ended the measuring.
    #[must_use]
    pub fn analyze(&self, series: Series, request: &EstimateRequest) -> Subject {
        if self.has_one_look() || is_wide_enough(request) {
            return analyze(series, request);
        }
        let asked = request.confidence;
        // Within the range, because the error becomes smaller.
        let confidence = Confidence::new(1.0 - SPENT * asked.alpha()).unwrap_or(asked);
        let mut subject = analyze(series, &EstimateRequest { confidence, ..request.clone() });
        for estimate in &mut subject.estimates {
            estimate.confidence = asked;
        }
        subject
    }

    /// Whether every estimate is as precise as asked, and rests on a steady state that lasts.
    #[must_use]
    pub fn is_reached(&self, subject: &Subject) -> bool {
        if let Some(work) = &subject.work {
            return self.is_rate_reached(work);
        }
        cut(subject) as f64 <= CUT * kept(subject) as f64
            && subject.estimates.iter().all(|estimate| {
                half_width(estimate)
                    .is_some_and(|half_width| half_width <= self.goal(subject, estimate))
            })
    }

    /// About how many runs there will be when every estimate is as precise as asked; `None` where
    /// that cannot be told.
    #[must_use]
    pub fn needed(&self, subject: &Subject) -> Option<usize> {
        if let Some(work) = &subject.work {
            return self.needed_for_rate(work);
        }
        let n = subject.series.len();
        let lasting = cut(subject) as f64 * (1.0 + 1.0 / CUT);
        let mut needed = n.max(self.fewest).max(lasting.ceil() as usize);
        for estimate in &subject.estimates {
            needed = needed.max(self.needed_for(estimate, self.goal(subject, estimate), n)?);
        }
        // There are no looks in between.
        self.next_look(needed.saturating_sub(1)).or(Some(needed.min(self.most)))
    }

    /// The half width that the interval must reach. A command that cannot be told from its shell has no
    /// time to be precise about, so the goal is then relative to the whole run, and measuring ends.
    fn goal(&self, subject: &Subject, estimate: &Estimate) -> f64 {
        let shell = match &subject.startup {
            Some(startup) if !subject.is_told_from_shell(estimate) => startup.median,
            _ => 0.0,
        };
        self.precision.0 * (estimate.value + shell).abs()
    }

    fn needed_for(&self, estimate: &Estimate, goal: f64, n: usize) -> Option<usize> {
        if estimate.if_independent {
            let needed = match estimate.outcome {
                IntervalOutcome::Interval { samples_needed, .. } => samples_needed,
                IntervalOutcome::Declined { .. } => None,
            };
            return Some(needed.unwrap_or_default().max(SAMPLES_TO_JUDGE));
        }
        let Some(half_width) = half_width(estimate) else {
            // What the interval needs to exist is the least that it takes.
            return match &estimate.outcome {
                IntervalOutcome::Interval { samples_needed, .. }
                | IntervalOutcome::Declined { samples_needed, .. } => *samples_needed,
            };
        };
        if half_width <= goal {
            return Some(n);
        }
        // A width falls with the root of the samples; those that do not count stay as they are.
        let factor = (half_width / goal).powi(2);
        let used = estimate.n_used as f64;
        let more = used * (factor - 1.0);
        more.is_finite().then(|| n.saturating_add(more.ceil() as usize))
    }
}

/// Whether the intervals allow for dependence, or hold at every look anyway.
fn is_wide_enough(request: &EstimateRequest) -> bool {
    request.statistics.iter().all(|&statistic| match request.method_for(statistic) {
        Method::Sequence => true,
        method => method.handles_dependence() && !request.assume_independent,
    })
}

/// How many samples were cut off because the steady state was found to begin after them.
fn cut(subject: &Subject) -> usize {
    match &subject.labelled {
        Some(labelled) if matches!(labelled.steadiness, Steadiness::Found(_)) => labelled.start(),
        _ => 0,
    }
}

fn kept(subject: &Subject) -> usize {
    subject.labelled.as_ref().map_or(0, |labelled| labelled.len() - cut(subject))
}

/// Half the width of an interval, or the distance to its only end; `None` where it is infinite, or
/// where it may be too narrow, which cannot be checked.
fn half_width(estimate: &Estimate) -> Option<f64> {
    if estimate.if_independent {
        return None;
    }
    let interval = estimate.interval()?;
    let half_width = match estimate.sides {
        Sides::Both => 0.5 * interval.width(),
        Sides::Lower => estimate.value - interval.lower,
        Sides::Upper => interval.upper - estimate.value,
    };
    half_width.is_finite().then_some(half_width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Statistic;
    use crate::clean::SteadyStatePolicy;
    use fathom_record::Unit;
    use proptest::prelude::*;

    fn rule(precision: f64, fewest: usize, most: usize) -> StoppingRule {
        StoppingRule { precision: Precision::new(precision).unwrap(), fewest, most }
    }

    /// Values that spread by `spread` about 1, in an order without a trend.
    fn series(n: usize, spread: f64) -> Series {
        let value = |i: usize| 1.0 + spread * ((i * 37 % 101) as f64 / 50.0 - 1.0);
        Series::new("x", Unit::SECONDS, (0..n).map(value).collect()).unwrap()
    }

    fn looks(rule: StoppingRule) -> Vec<usize> {
        std::iter::successors(rule.next_look(0), |&n| rule.next_look(n)).collect()
    }

    #[test]
    fn looks_grow_by_a_quarter_and_end_at_the_most() {
        assert_eq!(looks(rule(0.02, 10, 100)), [40, 50, 63, 79, 99, 100]);
        assert_eq!(looks(rule(0.02, 60, 80)), [60, 75, 80]);
        assert_eq!(looks(rule(0.02, 10, 10)), [10]);
        assert_eq!(looks(rule(0.02, 50, 20)), [20]);
        assert_eq!(looks(rule(0.02, 1, 0)), [0; 0]);
        assert_eq!(looks(rule(0.02, 1, usize::MAX)).last(), Some(&usize::MAX));
    }

    fn of_mean(confidence: f64, assume_independent: bool) -> EstimateRequest {
        EstimateRequest {
            statistics: vec![Statistic::Mean],
            confidence: Confidence::new(confidence).unwrap(),
            assume_independent,
            ..EstimateRequest::default()
        }
    }

    #[test]
    fn a_fixed_number_of_runs_spends_everything() {
        let fixed = rule(0.02, 60, 60).analyze(series(60, 0.1), &of_mean(0.95, true));
        assert_eq!(fixed, analyze(series(60, 0.1), &of_mean(0.95, true)));
    }

    #[test]
    fn only_narrow_methods_spend_less() {
        let rule = rule(0.02, 10, 600);
        let handled = rule.analyze(series(60, 0.1), &of_mean(0.95, false));
        assert_eq!(handled, analyze(series(60, 0.1), &of_mean(0.95, false)));
        let independent = rule.analyze(series(60, 0.1), &of_mean(0.95, true));
        let plain = analyze(series(60, 0.1), &of_mean(0.965, true));
        let ends = |subject: &Subject| subject.estimates[0].interval().unwrap();
        assert!((ends(&independent).lower - ends(&plain).lower).abs() < 1e-12);
        assert_eq!(independent.estimates[0].confidence, Confidence::DEFAULT, "as asked");
        let sequence =
            EstimateRequest { method: Some(Method::Sequence), ..EstimateRequest::default() };
        assert_eq!(rule.analyze(series(60, 0.1), &sequence), analyze(series(60, 0.1), &sequence));
    }

    #[test]
    fn a_steady_state_must_last() {
        let rule = rule(0.05, 10, 10_000);
        let with_warmup = |n: usize| {
            let steady = series(n, 0.01);
            let values = steady.values().iter().enumerate();
            let values = values.map(|(i, value)| if i < 12 { value + 0.5 } else { *value });
            Series::new("x", Unit::SECONDS, values.collect()).unwrap()
        };
        let early = rule.analyze(with_warmup(63), &EstimateRequest::default());
        assert_eq!(cut(&early), 12, "{:?}", early.labelled);
        assert!(!rule.is_reached(&early));
        assert_eq!(rule.needed(&early), Some(155), "the first look from 132 on");
        assert!(rule.is_reached(&rule.analyze(with_warmup(155), &EstimateRequest::default())));
        // A number to skip that the user gives is taken as it is.
        let told = EstimateRequest {
            steady_state: SteadyStatePolicy::Skip(12),
            ..EstimateRequest::default()
        };
        assert!(rule.is_reached(&rule.analyze(with_warmup(63), &told)));
    }

    #[test]
    fn the_widest_interval_decides() {
        let statistics = vec![Statistic::Mean, Statistic::parse("p99").unwrap()];
        let both = EstimateRequest { statistics, ..EstimateRequest::default() };
        let rule = rule(0.02, 10, 1000);
        let subject = rule.analyze(series(100, 0.1), &both);
        let narrow = |estimate: &Estimate| {
            half_width(estimate).is_some_and(|half| half <= 0.02 * estimate.value)
        };
        assert!(narrow(&subject.estimates[0]) && !narrow(&subject.estimates[1]), "{subject:?}");
        assert!(!rule.is_reached(&subject));
        let mean =
            EstimateRequest { statistics: vec![Statistic::Mean], ..EstimateRequest::default() };
        assert!(rule.is_reached(&rule.analyze(series(100, 0.1), &mean)));
    }

    #[test]
    fn one_end_is_judged_by_itself() {
        let request = EstimateRequest { sides: Sides::Upper, ..EstimateRequest::default() };
        let wide = rule(0.001, 10, 1000);
        let subject = wide.analyze(series(100, 0.01), &request);
        assert_eq!(subject.estimates[0].interval().unwrap().lower, f64::NEG_INFINITY);
        assert!(!wide.is_reached(&subject) && rule(0.02, 10, 1000).is_reached(&subject));
    }

    #[test]
    fn what_has_no_interval_is_not_precise() {
        let rule = rule(1.0, 1, 1000);
        let few = rule.analyze(series(10, 0.1), &EstimateRequest::default());
        assert!(!rule.is_reached(&few));
        assert!(few.estimates[0].if_independent, "its interval is narrow enough, on condition");
        assert_eq!(rule.needed(&few), Some(40), "the first look that has an interval");
        let same = Series::new("x", Unit::SECONDS, vec![1.0; 30]).unwrap();
        let same = rule.analyze(same, &EstimateRequest::default());
        assert!(!rule.is_reached(&same));
        assert_eq!(rule.needed(&same), None);
    }

    /// The guess is good: as many samples of the same kind are precise enough, or nearly.
    #[test]
    fn needed_runs_are_about_those_that_are_needed() {
        let request =
            EstimateRequest { statistics: vec![Statistic::Mean], ..EstimateRequest::default() };
        let rule = rule(0.01, 10, 100_000);
        let found = rule.analyze(series(40, 0.2), &request);
        let needed = rule.needed(&found).unwrap();
        assert!((100..2000).contains(&needed), "{needed}");
        assert_eq!(rule.next_look(needed - 1), Some(needed));
        let nearly = StoppingRule { precision: Precision::new(0.013).unwrap(), ..rule };
        assert!(nearly.is_reached(&rule.analyze(series(needed, 0.2), &request)));
        let enough = rule.analyze(series(needed * 2, 0.2), &request);
        assert!(rule.is_reached(&enough));
        let looked = rule.next_look(2 * needed - 1);
        assert_eq!(rule.needed(&enough), looked);
    }

    #[test]
    fn half_the_width_takes_four_times_the_samples() {
        let request = of_mean(0.95, false);
        let found = rule(0.5, 100, 100_000).analyze(series(100, 0.2), &request);
        let estimate = &found.estimates[0];
        assert_eq!(estimate.n_used, 100);
        let half_of_it = 0.5 * half_width(estimate).unwrap() / estimate.value;
        let rule = rule(half_of_it * 1.001, 100, 100_000);
        assert_eq!(rule.needed(&found), rule.next_look(399));
    }

    #[test]
    fn precisions_have_a_range() {
        for bad in [0.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
            assert!(Precision::new(bad).is_err(), "{bad}");
        }
        assert_eq!(Precision::new(0.02), Ok(Precision::DEFAULT));
        assert!(Precision::new(2.0).unwrap_err().to_string().contains("2%"));
    }

    proptest! {
        #[test]
        fn looks_move_on_and_stay_within(
            fewest in 0_usize..2000, most in 0_usize..5000, n in 0_usize..6000
        ) {
            let rule = rule(0.02, fewest, most);
            match rule.next_look(n) {
                None => prop_assert!(n >= most),
                Some(look) => prop_assert!(look > n && look <= most),
            }
        }
    }
}
