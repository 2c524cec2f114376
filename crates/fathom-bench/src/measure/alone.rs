//! One function alone, until its interval is narrow enough or the time is over.

use super::batch_size::BatchSize;
use super::{LONGER, Laboratory, TIME_ALONE, TimeBudget, WARM_UP, allocations, unsteady};
use crate::function::{Broken, Function};
use fathom_analyze::stopping::StoppingRule;
use fathom_analyze::{Function as Facts, MeasuredExecutions, StopReason, Subject, Warning};
use fathom_record::Span;
use fathom_render::quantity::quick;
use fathom_sys::surroundings::Surroundings;

/// An interval needs this many samples, so they are made even if the time is over by then.
const FEWEST: usize = 20;
/// But not for more than this many times the time.
const PATIENCE: f64 = 5.0;
/// Measuring does not stop before this share of the time: a burst of other work lasts longer than a
/// moment.
const EARLIEST: f64 = 0.2;

/// Times a function.
pub(crate) fn alone(
    function: &mut Function<'_>,
    laboratory: &mut Laboratory<'_>,
) -> Result<Subject, Broken> {
    let settings = laboratory.settings;
    let instrument = laboratory.instrument;
    let name = function.name.clone();
    let budget = TimeBudget::begin(settings.max_time.unwrap_or(TIME_ALONE));
    let surroundings = Surroundings::look();
    (laboratory.show)(&|| format!("{name}: warming up"));
    let sample = laboratory.sample.clone();
    let size = BatchSize::of(function, &instrument, LONGER, sample.shortest_batch())?;
    let mut quickest = size.ns;
    while !budget.has_used(WARM_UP) && !laboratory.is_interrupted() {
        quickest = quickest.min(function.batch(size.calls)?.nanoseconds_f64());
    }
    let allocations = allocations(function, size)?;
    let most = ((budget.left().nanoseconds_f64() / quickest) as usize).max(FEWEST);
    let fewest = ((EARLIEST * most as f64) as usize).max(FEWEST);
    let rule = StoppingRule { precision: settings.precision, fewest, most };
    let request = settings.request();
    let mut values: Vec<f64> = Vec::with_capacity(most.min(1 << 20));
    let mut look = rule.next_look(0);
    let mut found: Option<Subject> = None;
    let stopped = loop {
        let Some(next) = look else { break StopReason::MaxTime };
        let mut is_over = false;
        while values.len() < next && !is_over {
            let reading = function.read(size.calls, sample.gauge())?;
            values.push(sample.per_call(reading, size.calls)?);
            is_over = (budget.left() == Span::ZERO && values.len() >= FEWEST)
                || budget.has_used(PATIENCE)
                || laboratory.is_interrupted();
            let seconds_left = budget.left().seconds();
            (laboratory.show)(&|| progress(&name, found.as_ref(), seconds_left));
        }
        let series = sample.series(name.clone(), values.clone());
        // Finite and not empty: every value came from a clock.
        let Ok(series) = series else { return Err(Broken::Empty) };
        let subject = rule.analyze(series, &request);
        let is_reached = rule.is_reached(&subject);
        found = Some(subject);
        if laboratory.is_interrupted() {
            break StopReason::Interrupted;
        }
        if is_reached {
            break StopReason::Precision;
        }
        if is_over {
            break StopReason::MaxTime;
        }
        look = rule.next_look(values.len());
    };
    let mut subject = found.ok_or(Broken::Empty)?;
    subject.stopped = stopped;
    subject.warnings.extend(unsteady(&values).map(Warning::from));
    let disturbance = surroundings.disturbance();
    let is_zero = subject.estimates.iter().any(|estimate| sample.is_zero(estimate.value));
    subject.function = Some(Facts {
        calls_per_batch: size.calls,
        is_zero,
        timing: function.timing().ok(),
        executions: Some(MeasuredExecutions::One { why: None }),
        throughput: function.asked.throughput,
        input: function.input.clone(),
        allocations,
        stolen: disturbance.stolen,
        others: disturbance.others,
    });
    Ok(subject)
}

fn progress(name: &str, found: Option<&Subject>, seconds_left: f64) -> String {
    let so_far = found.and_then(|subject| {
        let estimate = subject.estimates.first()?;
        let interval = estimate.interval()?;
        if estimate.value <= 0.0 {
            return None;
        }
        let half = 0.5 * (interval.upper - interval.lower) / estimate.value;
        let value = quick(estimate.value, subject.series.unit());
        Some(format!(", so far {value} ± {:.1}%", 100.0 * half))
    });
    format!("{name}{}, at most {seconds_left:.1} s left", so_far.unwrap_or_default())
}

#[cfg(test)]
mod tests;
