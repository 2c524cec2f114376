//! How fast is it? What to notice in the estimate.

use crate::percent::percent;
use fathom_analyze::clean::Steadiness;
use fathom_analyze::{Report, StopReason, Subject};
use fathom_stats::steady_state::Class;

pub(super) fn notices(report: &Report) -> Vec<String> {
    let Some(subject) = report.subjects.first() else {
        return vec!["There is no estimate.".to_string()];
    };
    let mut notices = vec![of_interval(subject), of_runs(subject)];
    if !report.warnings.is_empty() || !subject.warnings.is_empty() {
        notices.push(
            "Each warning says what disturbed the measurement and what you can do about it."
                .to_string(),
        );
    }
    notices
}

fn of_interval(subject: &Subject) -> String {
    let estimate = subject.estimates.first();
    let level = estimate.map_or(String::new(), |one| percent(one.confidence.get()));
    match estimate.and_then(|one| one.interval()) {
        Some(_) if is_unsteady(subject) => format!(
            "The answer is a range, not just a number. It is the {level} interval for these runs; the \
             level kept changing meanwhile, so the next ones may give another."
        ),
        Some(ends) if ends.lower.is_finite() && ends.upper.is_finite() => format!(
            "The answer is a range, not just a number: with {level} confidence, the true median is \
             within it."
        ),
        Some(_) => format!(
            "The answer has only one end: these runs are too few for a whole {level} interval, and \
             Fathom does not guess the other."
        ),
        None => format!(
            "There is no interval: these runs are too few for one with {level} confidence, and Fathom \
             does not guess."
        ),
    }
}

/// Whether the level kept changing, as the output warns.
fn is_unsteady(subject: &Subject) -> bool {
    let steadiness = subject.labelled.as_ref().map(|labelled| &labelled.steadiness);
    matches!(steadiness, Some(Steadiness::Found(state)) if state.class == Class::None)
}

fn of_runs(subject: &Subject) -> String {
    let runs = subject.series.len();
    match subject.stopped {
        StopReason::Precision => format!(
            "You did not choose the number of runs. Fathom stopped after {runs}, when the interval \
             was narrow enough."
        ),
        StopReason::MaxTime => format!(
            "The time was over after {runs} runs, before the interval was as narrow as Fathom wants \
             it: run times vary a lot on this machine just now."
        ),
        _ => format!("Fathom ran it {runs} times."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analyze::{EstimateRequest, analyze};
    use fathom_record::{Environment, Series, Unit};

    fn report(n: u32, stopped: StopReason) -> Report {
        of((0..n).map(|i| 0.01 + 1e-5 * f64::from((7 * i) % 11)).collect(), stopped)
    }

    fn of(values: Vec<f64>, stopped: StopReason) -> Report {
        let series = Series::new("work", Unit::SECONDS, values).unwrap();
        let mut subject = analyze(series, &EstimateRequest::default());
        subject.stopped = stopped;
        subject.warnings.clear();
        Report {
            command_line: String::new(),
            seed: 1,
            environment: Environment::of_this_build(),
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            subjects: vec![subject],
            comparisons: None,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn an_interval_is_promised_only_where_there_is_one() {
        let text = notices(&report(60, StopReason::Precision)).join(" ");
        assert!(text.contains("the true median is within it"), "{text}");
        assert!(text.contains("stopped after 60"), "{text}");
        assert!(!text.contains("warning"), "{text}");
        let text = notices(&report(3, StopReason::MaxTime)).join(" ");
        assert!(!text.contains("within it") && text.contains("too few"), "{text}");
        assert!(text.contains("time was over after 3 runs"), "{text}");
    }

    #[test]
    fn an_interval_of_a_level_that_keeps_changing_promises_less() {
        let level = |i: u32| 0.01 + 0.005 * f64::from((i / 45) % 2);
        let noise = |i: u32| 1e-6 * f64::from((31 * i * i + 37 * i) % 101);
        let values = (0..200).map(|i| level(i) + noise(i)).collect();
        let text = notices(&of(values, StopReason::MaxTime)).join(" ");
        assert!(text.contains("kept changing") || text.contains("too few"), "{text}");
        assert!(!text.contains("the true median is within it"), "{text}");
    }

    #[test]
    fn warnings_are_mentioned_where_there_are_some() {
        let mut report = report(60, StopReason::Precision);
        report.warnings.push("the machine is busy".to_string().into());
        assert!(notices(&report).join(" ").contains("Each warning says"));
        report.subjects.clear();
        assert_eq!(notices(&report), ["There is no estimate."]);
    }
}
