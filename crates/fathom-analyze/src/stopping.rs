//! When to stop measuring one subject.
//!
//! Runs are made until every interval is as narrow as asked. Looking at the width until it
//! suffices favours the moments at which the spread happens to look small, so an interval that
//! stopped the measuring covers less than it says. Two things keep the promise: looks are few, at
//! run counts that grow by a quarter, and each interval is made to miss with 70% of the error that
//! was asked for (half of it beyond 95%). `calibration/stopping.md` shows what is left; `docs/methods/stopping.md` what
//! else was tried.
//!
//! ```
//! use fathom_analyze::Request;
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
//!     let subject = rule.analyze(series, &Request::default());
//!     if rule.is_reached(&subject) {
//!         break;
//!     }
//!     look = rule.next_look(times.len());
//! }
//! assert_eq!(times.len(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{Estimate, Outcome, Request, Subject, analyze};
use fathom_record::Series;
use fathom_stats::{Confidence, Sides};

/// How narrow an interval is to be: its half width as a share of the estimate.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Precision(f64);

/// Not a precision.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("a precision is above 0 and at most 1 (100%), such as 0.02 or 2%; {0} is not")]
pub struct PrecisionError(f64);

impl Precision {
    /// 2%.
    pub const DEFAULT: Precision = Precision(0.02);

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
/// No look is earlier: fewer samples give no interval, because nobody could tell whether they
/// depend on each other.
const FIRST: usize = 20;
/// The share of the error that an interval may spend which is looked at until it is narrow.
const SPENT: f64 = 0.7;
/// The same where more than 95% is asked: the rarer a miss, the larger a part of it is due to
/// looking.
const SPENT_BEYOND: f64 = 0.5;

/// When to look, and when to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoppingRule {
    /// How narrow every interval is to be.
    pub precision: Precision,
    /// At least so many runs.
    pub fewest: usize,
    /// At most so many runs.
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
    /// asked for although they may have stopped the measuring.
    #[must_use]
    pub fn analyze(&self, series: Series, request: &Request) -> Subject {
        if self.has_one_look() {
            return analyze(series, request);
        }
        let asked = request.confidence;
        let spent = if asked > Confidence::DEFAULT { SPENT_BEYOND } else { SPENT };
        // Within the range, because the error becomes smaller.
        let confidence = Confidence::new(1.0 - spent * asked.alpha()).unwrap_or(asked);
        let mut subject = analyze(series, &Request { confidence, ..request.clone() });
        for estimate in &mut subject.estimates {
            estimate.confidence = asked;
        }
        subject
    }

    /// Whether every estimate is as precise as asked.
    #[must_use]
    pub fn is_reached(&self, subject: &Subject) -> bool {
        subject.estimates.iter().all(|estimate| {
            half_width(estimate)
                .is_some_and(|half_width| half_width <= self.precision.0 * estimate.value.abs())
        })
    }

    /// About how many runs there will be when every estimate is as precise as asked; `None` where
    /// that cannot be told.
    #[must_use]
    pub fn needed(&self, subject: &Subject) -> Option<usize> {
        let n = subject.series.len();
        let mut needed = n.max(self.fewest);
        for estimate in &subject.estimates {
            needed = needed.max(self.needed_for(estimate, n)?);
        }
        // Nobody looks in between.
        self.next_look(needed.saturating_sub(1)).or(Some(needed.min(self.most)))
    }

    fn needed_for(&self, estimate: &Estimate, n: usize) -> Option<usize> {
        let Some(half_width) = half_width(estimate) else {
            // What the interval needs to exist is the least that it takes.
            return match &estimate.outcome {
                Outcome::Interval { samples_needed, .. }
                | Outcome::Declined { samples_needed, .. } => *samples_needed,
            };
        };
        let goal = self.precision.0 * estimate.value.abs();
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

/// Half the width of an interval, or the distance to its only end; `None` where it is infinite.
fn half_width(estimate: &Estimate) -> Option<f64> {
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
        assert_eq!(looks(rule(0.02, 10, 100)), [20, 25, 32, 40, 50, 63, 79, 99, 100]);
        assert_eq!(looks(rule(0.02, 30, 40)), [30, 38, 40]);
        assert_eq!(looks(rule(0.02, 10, 10)), [10]);
        assert_eq!(looks(rule(0.02, 50, 20)), [20]);
        assert_eq!(looks(rule(0.02, 1, 0)), [0; 0]);
        assert_eq!(looks(rule(0.02, 1, usize::MAX)).last(), Some(&usize::MAX));
    }

    #[test]
    fn a_fixed_number_of_runs_spends_everything() {
        let request = Request { statistics: vec![Statistic::Mean], ..Request::default() };
        let fixed = rule(0.02, 60, 60).analyze(series(60, 0.1), &request);
        assert_eq!(fixed, analyze(series(60, 0.1), &request));
        let watched = rule(0.02, 10, 600).analyze(series(60, 0.1), &request);
        let [fixed, watched] = [fixed, watched].map(|subject| subject.estimates[0].clone());
        assert!(watched.interval().unwrap().width() > fixed.interval().unwrap().width());
        assert_eq!(watched.confidence, Confidence::DEFAULT, "the one that was asked for");
    }

    #[test]
    fn the_error_is_split_as_documented() {
        let mean = |confidence: f64| Request {
            statistics: vec![Statistic::Mean],
            confidence: Confidence::new(confidence).unwrap(),
            ..Request::default()
        };
        for (asked, used) in [(0.9, 0.93), (0.95, 0.965), (0.99, 0.995)] {
            let found = rule(0.02, 10, 600).analyze(series(60, 0.1), &mean(asked));
            let plain = analyze(series(60, 0.1), &mean(used));
            let [found, plain] =
                [found, plain].map(|subject| subject.estimates[0].interval().unwrap());
            assert!((found.lower - plain.lower).abs() < 1e-12, "{asked}: {found:?} {plain:?}");
        }
    }

    #[test]
    fn the_widest_interval_decides() {
        let statistics = vec![Statistic::Mean, Statistic::parse("p99").unwrap()];
        let both = Request { statistics, ..Request::default() };
        let rule = rule(0.02, 10, 1000);
        let subject = rule.analyze(series(100, 0.1), &both);
        let narrow = |estimate: &Estimate| {
            half_width(estimate).is_some_and(|half| half <= 0.02 * estimate.value)
        };
        assert!(narrow(&subject.estimates[0]) && !narrow(&subject.estimates[1]), "{subject:?}");
        assert!(!rule.is_reached(&subject));
        let mean = Request { statistics: vec![Statistic::Mean], ..Request::default() };
        assert!(rule.is_reached(&rule.analyze(series(100, 0.1), &mean)));
    }

    #[test]
    fn one_end_is_judged_by_itself() {
        let request = Request { sides: Sides::Upper, ..Request::default() };
        let wide = rule(0.001, 10, 1000);
        let subject = wide.analyze(series(100, 0.01), &request);
        assert_eq!(subject.estimates[0].interval().unwrap().lower, f64::NEG_INFINITY);
        assert!(!wide.is_reached(&subject) && rule(0.02, 10, 1000).is_reached(&subject));
    }

    #[test]
    fn what_has_no_interval_is_not_precise() {
        let rule = rule(1.0, 1, 1000);
        let few = rule.analyze(series(10, 0.1), &Request::default());
        assert!(!rule.is_reached(&few));
        assert_eq!(rule.needed(&few), Some(20), "as many as an interval needs");
        let same = Series::new("x", Unit::SECONDS, vec![1.0; 30]).unwrap();
        let same = rule.analyze(same, &Request::default());
        assert!(!rule.is_reached(&same));
        assert_eq!(rule.needed(&same), None);
    }

    /// The guess is good: as many samples of the same kind are precise enough, or nearly.
    #[test]
    fn needed_runs_are_about_those_that_are_needed() {
        let request = Request { statistics: vec![Statistic::Mean], ..Request::default() };
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
