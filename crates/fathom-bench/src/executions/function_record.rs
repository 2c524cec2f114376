//! A function, and what the executions so far gave.

use super::part::Part;
use super::plan::{Plan, fewest};
use crate::function::Broken;
use crate::instrument::Instrument;
use crate::measure::{Disturbance, Settings, unsteady};
use fathom_analyze::{
    Function, IntervalOutcome, MeasuredExecutions, StopReason, Subject, Warning, analyze,
};
use fathom_record::{Advice, Remedy, Series, Unit};
use fathom_stats::Confidence;

/// A function that is measured over executions.
#[derive(Debug)]
pub(super) struct FunctionRecord {
    pub(super) name: String,
    /// Its number among the functions of the program.
    pub(super) place: usize,
    /// The batches of every execution that is complete.
    pub(super) executions: Vec<Vec<f64>>,
    /// The first part of the first execution, without its values.
    pub(super) first: Part,
    /// Once the first execution has shown what one costs.
    pub(super) plan: Option<Plan>,
    pub(super) broken: Option<Broken>,
    /// Why its one execution ended.
    pub(super) stopped: StopReason,
}

impl FunctionRecord {
    pub(super) fn new(name: &str, place: usize) -> FunctionRecord {
        FunctionRecord {
            name: name.to_string(),
            place,
            executions: Vec::new(),
            first: Part::default(),
            plan: None,
            broken: None,
            stopped: StopReason::Fixed,
        }
    }

    /// Whether execution `number` is to measure it.
    pub(super) fn is_open(&self, number: usize) -> bool {
        let is_planned = match &self.plan {
            None => true,
            Some(Plan::One { .. }) => false,
            Some(Plan::Several { count, .. }) => number < *count,
        };
        self.broken.is_none() && is_planned
    }

    /// What is known of it; `None` if no execution was completed.
    pub(super) fn subject(
        &self,
        settings: &Settings,
        instrument: &Instrument,
        disturbance: Disturbance,
        is_interrupted: bool,
    ) -> Option<Subject> {
        let sizes: Vec<usize> = self.executions.iter().map(Vec::len).collect();
        let values = self.executions.concat();
        let drifts = self.executions.iter().filter_map(|values| unsteady(values)).count();
        let advice = (2 * drifts > sizes.len()).then(|| unsteady(&values)).flatten();
        let series = Series::new(self.name.clone(), Unit::SECONDS, values).ok()?;
        let series = match sizes.len() {
            1 => series,
            _ => series.with_executions(sizes.clone()).ok()?,
        };
        let mut subject = analyze(series, &settings.request());
        let executions = match (sizes.len(), &self.plan) {
            (1, Some(Plan::One { why })) => MeasuredExecutions::One { why: Some(why.clone()) },
            (1, _) => MeasuredExecutions::One {
                why: is_interrupted.then(|| "interrupted before the second".to_string()),
            },
            (count, _) => MeasuredExecutions::Several { count },
        };
        if sizes.len() > 1 {
            // Every execution is a process of its own, so an outlier among them is one execution in
            // so many, and not a mistake. Dependence among them is said if it shows.
            let dependent = subject.warnings.iter().find_map(dependence);
            subject.warnings = dependent.into_iter().collect();
            subject.warnings.extend(too_few(&subject, settings.confidence));
        }
        subject.warnings.extend(advice.map(Warning::from));
        subject.stopped = match is_interrupted {
            true => StopReason::Interrupted,
            false => self.stopped,
        };
        let is_zero = subject.estimates.iter().any(|estimate| instrument.is_zero(estimate.value));
        subject.function = Some(Function {
            calls_per_batch: self.first.calls,
            is_zero,
            timing: self.first.timing,
            executions: Some(executions),
            throughput: self.first.asked.throughput,
            // The bench's code says it, not its executions.
            input: None,
            allocations: self.first.allocations,
            stolen: disturbance.stolen,
            others: disturbance.others,
        });
        Some(subject)
    }
}

/// What to say where the executions seem to depend on each other.
fn dependence(warning: &Warning) -> Option<Warning> {
    let Warning::TooFewToCheck { lag1: Some(lag1), n, .. } = warning else { return None };
    let what = format!(
        "its {n} executions look correlated (lag-1 {lag1:.2}), as if other load came or went, and the \
         interval does not allow for that"
    );
    let remedy = Remedy::new("measure again, or use --executions 20 or more");
    Some(Advice::new(what).or(remedy).into())
}

/// What to say where the executions give no interval.
fn too_few(subject: &Subject, confidence: Confidence) -> Option<Warning> {
    let estimate = subject.estimates.first()?;
    let is_finite = matches!(
        &estimate.outcome,
        IntervalOutcome::Interval { interval, .. }
            if interval.lower.is_finite() && interval.upper.is_finite()
    );
    let fewest = fewest(confidence);
    if is_finite || estimate.n_used >= fewest {
        return None;
    }
    let what = format!(
        "{} executions are too few: a {} CI over executions needs at least {fewest}",
        estimate.n_used,
        fathom_render::percent(confidence.get())
    );
    Some(Advice::new(what).or(Remedy::new(format!("use --executions {fewest} or more"))).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::example_settings;
    use fathom_analyze::Levels;

    fn record(executions: usize) -> FunctionRecord {
        let mut record = FunctionRecord::new("f", 0);
        record.first.calls = 8;
        for number in 0..executions {
            let level = 1e-6 * (1.0 + 0.01 * (number * 7 % 10) as f64);
            let batches = (0..50).map(|i| level * (1.0 + 1e-4 * f64::from(i * 3 % 7)));
            record.executions.push(batches.collect());
        }
        record
    }

    fn subject(record: &FunctionRecord) -> Subject {
        let instrument = Instrument::from_bits([1.0_f64, 20.0, 0.3, 0.0].map(f64::to_bits));
        record.subject(&example_settings(), &instrument, Disturbance::default(), false).unwrap()
    }

    #[test]
    fn the_interval_is_over_executions() {
        let several = subject(&record(12));
        assert_eq!(several.levels, Levels::Executions { executions: 12 });
        let estimate = &several.estimates[0];
        assert_eq!(estimate.n_used, 12);
        // The third smallest and the third largest of twelve medians.
        let interval = estimate.interval().unwrap();
        let level = |step: f64| 1e-6 * (1.0 + 0.01 * step);
        assert!((interval.lower / level(1.0) - 1.0).abs() < 1e-3, "{interval:?}");
        assert!((interval.upper / level(7.0) - 1.0).abs() < 1e-3, "{interval:?}");
        assert_eq!(several.warnings, []);
        assert_eq!(
            several.function.unwrap().executions,
            Some(MeasuredExecutions::Several { count: 12 })
        );
    }

    #[test]
    fn too_few_executions_have_no_interval_and_say_so() {
        let few = subject(&record(5));
        assert_eq!(few.estimates[0].interval(), None);
        let said = few.warnings[0].to_string();
        let wanted = "5 executions are too few: a 95% CI over executions needs at least 6; use \
                      --executions 6 or more";
        assert_eq!(said, wanted);
        assert!(subject(&record(6)).estimates[0].interval().is_some());
    }

    #[test]
    fn one_execution_is_one_of_batches() {
        let mut one = record(1);
        one.plan = Some(Plan::One { why: "slow".to_string() });
        let found = subject(&one);
        assert_eq!(found.levels, Levels::Values);
        assert!(found.estimates[0].interval().is_some());
        let executions = found.function.unwrap().executions;
        assert_eq!(executions, Some(MeasuredExecutions::One { why: Some("slow".to_string()) }));
    }
}
