//! Measuring: batch after batch, of one function or of several alternately.

mod alone;
mod batch_size;
mod part;
mod sample_kind;
mod side_by_side;

pub(crate) use alone::alone;
pub(crate) use batch_size::BatchSize;
use batch_size::LEAD_IN;
pub(crate) use part::part;
pub(crate) use sample_kind::{Measured, SampleKind};
pub(crate) use side_by_side::side_by_side;

use crate::function::{Broken, Function};
use crate::gauge::Gauge;
use crate::instrument::Instrument;
use fathom_analyze::AllocationsPerCall;
use fathom_analyze::EstimateRequest;
use fathom_analyze::clean::SteadyStatePolicy;
use fathom_analyze::compare::{ComparedStatistic, Gate, Margin};
use fathom_analyze::stopping::{Precision, StoppingRule};
use fathom_record::{Advice, Remedy, Series, Span, Timestamp, Unit};
use fathom_stats::Confidence;
use fathom_sys::clock::monotonic;
use fathom_sys::signals::Interrupt;
pub(crate) use fathom_sys::surroundings::{Disturbance, Surroundings};
use std::time::Duration;

/// Without another word, one function is timed for at most this long.
pub(crate) const TIME_ALONE: Duration = Duration::from_secs(1);
/// And a comparison takes at most this long.
pub(crate) const TIME_TOGETHER: Duration = Duration::from_secs(2);
/// Batches of a function alone are this many times as long as the clock needs: there is nothing to
/// alternate with, and fewer of them are quicker to analyse. Those that another process orders one by
/// one begin with a process that wakes up.
pub(crate) const LONGER: f64 = 4.0;
/// The share of the time that warms up caches, branch predictors and clock speeds.
const WARM_UP: f64 = 0.05;

/// How to measure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) max_time: Option<Duration>,
    pub(crate) precision: Precision,
    pub(crate) confidence: Confidence,
    pub(crate) margin: Margin,
    pub(crate) gates: Vec<Gate>,
    /// What comparisons compare.
    pub(crate) statistic: ComparedStatistic,
    pub(crate) seed: u64,
}

impl Settings {
    /// Functions are warmed up before they are measured, and thousands of batches show tiny changes
    /// of level: all of them count, and [`unsteady`] says if it matters.
    pub(crate) fn request(&self) -> EstimateRequest {
        EstimateRequest {
            confidence: self.confidence,
            seed: self.seed,
            steady_state: SteadyStatePolicy::Off,
            ..EstimateRequest::default()
        }
    }
}

/// What measuring needs besides the functions.
pub(crate) struct Laboratory<'a> {
    pub(crate) instrument: Instrument,
    pub(crate) sample: SampleKind,
    pub(crate) settings: &'a Settings,
    pub(crate) interrupt: Option<Interrupt>,
    /// Shows how far it is: what is measured, what is known of it.
    pub(crate) show: &'a mut dyn FnMut(&dyn Fn() -> String),
}

impl Laboratory<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::requested)
    }
}

/// The time that a measurement may take.
#[derive(Debug, Clone, Copy)]
struct TimeBudget {
    began: Timestamp,
    whole: Span,
}

impl TimeBudget {
    fn begin(time: Duration) -> TimeBudget {
        TimeBudget { began: monotonic(), whole: time.into() }
    }

    fn elapsed(&self) -> Span {
        monotonic() - self.began
    }

    fn left(&self) -> Span {
        self.whole - self.elapsed()
    }

    fn has_used(&self, share: f64) -> bool {
        self.elapsed().nanoseconds_f64() >= share * self.whole.nanoseconds_f64()
    }
}

/// What a call asks of the allocator, in calls that are not timed; `None` if they are not counted.
///
/// Some calls ask for more than others, as those of a vector that grows. So as many are counted as
/// a moment allows: "none" refers to these calls, and no others.
fn allocations(
    function: &mut Function<'_>,
    size: BatchSize,
) -> Result<Option<AllocationsPerCall>, Broken> {
    const ENOUGH_CALLS: u64 = 10_000;
    const MOMENT: Span = Span::from_milliseconds(50);
    if !fathom_sys::allocation::is_installed() {
        return Ok(None);
    }
    let began = monotonic();
    let (mut calls, mut count, mut bytes) = (0, 0.0, 0.0);
    while calls < ENOUGH_CALLS && (calls == 0 || monotonic() - began < MOMENT) {
        let next = size.calls.min(ENOUGH_CALLS - calls);
        let Some(asked) = function.read(next, Gauge::Allocations)?.allocations else {
            return Ok(None);
        };
        calls += next;
        count += (asked.allocations + asked.reallocations) as f64;
        bytes += asked.bytes as f64;
    }
    let per_call = |total: f64| total / calls as f64;
    Ok(Some(AllocationsPerCall {
        count: per_call(count),
        bytes: per_call(bytes),
        calls: Some(calls),
    }))
}

/// Whether the batches of one execution say precisely enough how fast a function is in it.
pub(crate) fn is_precise(name: &str, values: &[f64], settings: &Settings) -> bool {
    let rule = StoppingRule {
        precision: settings.precision,
        fewest: values.len(),
        most: values.len().saturating_add(1),
    };
    let series = Series::new(name, Unit::SECONDS, values.to_vec());
    series.is_ok_and(|series| rule.is_reached(&rule.analyze(series, &settings.request())))
}

/// What to say of a function whose level changed while it was measured.
pub(crate) fn unsteady(values: &[f64]) -> Option<Advice> {
    const NOTABLE: f64 = 0.02;
    // Of other measurements than time, values may be 0.
    if values.iter().any(|value| *value <= 0.0) {
        return None;
    }
    let drift = fathom_analyze::drift(values.iter().map(|value| value.ln()));
    (drift > NOTABLE).then(|| {
        Advice::new(format!(
            "its level changed by {:.0}% while measuring: other programs ran, or its calls do not \
             all do the same work",
            100.0 * drift
        ))
        .or(Remedy::new("measure again, or longer"))
    })
}

/// Settings for tests.
#[cfg(test)]
pub(crate) fn example_settings() -> Settings {
    Settings {
        max_time: None,
        precision: Precision::DEFAULT,
        confidence: Confidence::DEFAULT,
        margin: Margin::DEFAULT,
        gates: Vec::new(),
        statistic: ComparedStatistic::Median,
        seed: 7,
    }
}

/// Functions that say what they take, so that nothing depends on this machine.
#[cfg(test)]
pub(crate) mod scripted;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_level_is_said_if_it_matters() {
        let level = |share: f64| -> Vec<f64> {
            (0..1000).map(|i| 1e-6 * if i < 700 { 1.0 } else { 1.0 + share }).collect()
        };
        assert_eq!(unsteady(&level(0.01)), None);
        assert!(unsteady(&level(0.05)).unwrap().what().starts_with("its level changed by 5%"));
    }
}
