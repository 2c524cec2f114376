//! Which executions the intervals of a page are about, and what a call's time is.

use crate::executions;
use fathom_analyze::{CallTiming, MeasuredExecutions, Report, Subject};
use fathom_render::layout::visible;
use fathom_render::percent;
use std::collections::BTreeMap;

/// What is said below all functions.
pub(super) fn executions_note(report: &Report) -> Vec<String> {
    let comparisons = report.comparisons.as_deref().unwrap_or_default();
    let is_compared = |subject: &&Subject| {
        let name = subject.series.name();
        comparisons.iter().any(|found| found.reference == name || found.subject == name)
    };
    let executions = |subject: &Subject| subject.function.as_ref()?.executions.clone();
    let (compared, single): (Vec<&Subject>, Vec<&Subject>) = report
        .subjects
        .iter()
        .filter(|subject| executions(subject).is_some())
        .partition(is_compared);
    let mut lines = Vec::new();
    lines.extend(of_several(&single));
    let mut ones: BTreeMap<Option<String>, Vec<String>> = BTreeMap::new();
    for subject in &single {
        if let Some(MeasuredExecutions::One { why }) = executions(subject) {
            ones.entry(why).or_default().push(visible(subject.series.name()));
        }
    }
    // Other measurements than time are made in one process, whatever is asked for.
    let is_time = single.iter().all(|subject| subject.series.metric().is_none());
    let advice = if is_time { "; `cargo bench -- --executions 12` measures several" } else { "" };
    for (why, names) in ones {
        let why = why.map_or(String::new(), |why| format!(" ({})", visible(&why)));
        let whose = if names.len() == single.len() {
            String::new()
        } else {
            format!("{}: ", names.join(", "))
        };
        lines.push(format!(
            "{whose}this execution only{why}: another may differ by more than the interval{advice}"
        ));
    }
    if !compared.is_empty() {
        lines.push("comparisons: this execution only; another may differ by more".to_string());
    }
    let is_latency = |subject: &Subject| {
        subject.function.as_ref().is_some_and(|one| one.timing == Some(CallTiming::Latency))
    };
    if report.subjects.iter().any(is_latency) {
        let others = match report.subjects.iter().all(is_latency) {
            true => "",
            false => "; the other times are throughput: calls may overlap",
        };
        lines.push(format!("latency: each call waits for the one before{others}"));
    }
    lines
}

/// What is said of intervals over executions.
fn of_several(single: &[&Subject]) -> Option<String> {
    let several: Vec<(&Subject, usize)> = single
        .iter()
        .filter_map(|subject| match subject.function.as_ref()?.executions {
            Some(MeasuredExecutions::Several { count }) => Some((*subject, count)),
            _ => None,
        })
        .collect();
    let fewest = several.iter().map(|(_, count)| *count).min()?;
    let most = several.iter().map(|(_, count)| *count).max()?;
    let count = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
    let confidence = several
        .iter()
        .find_map(|(subject, _)| subject.estimates.first().map(|estimate| estimate.confidence))?;
    let needed = executions::fewest(confidence);
    if most < needed {
        return Some(format!(
            "no {} CIs: {count} executions of this program are too few; `cargo bench -- --executions \
             {needed}` measures enough",
            percent(confidence.get())
        ));
    }
    let mut estimates = several.iter().filter_map(|(subject, _)| subject.estimates.first());
    let level = percent(confidence.get());
    let condition = match estimates.any(|estimate| estimate.if_independent) {
        true => ", taken as independent",
        false => "",
    };
    Some(format!(
        "{level} CIs: over {count} executions of this program, each of which counts once by its \
         median{condition}"
    ))
}

/// Whether a function's interval is over executions.
pub(super) fn is_over_executions(subject: &Subject) -> bool {
    let executions = subject.function.as_ref().and_then(|function| function.executions.as_ref());
    matches!(executions, Some(MeasuredExecutions::Several { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{comparison, report, subject};
    use fathom_analyze::compare::Pairing;

    fn with(name: &str, executions: MeasuredExecutions) -> Subject {
        let mut subject = subject(name, 1e-6);
        if let Some(function) = &mut subject.function {
            function.executions = Some(executions);
        }
        subject
    }

    #[test]
    fn all_intervals_say_what_they_are_about() {
        let one = |why: Option<&str>| MeasuredExecutions::One { why: why.map(str::to_string) };
        let several = |count| MeasuredExecutions::Several { count };
        let same = report(vec![with("a", several(12)), with("b", several(12))], Vec::new());
        assert_eq!(
            executions_note(&same),
            [
                "95% CIs: over 12 executions of this program, each of which counts once by its median"
            ]
        );
        let few = executions_note(&report(vec![with("a", several(5))], Vec::new()));
        assert!(
            few[0].starts_with("no 95% CIs: 5 executions of this program are too few"),
            "{few:?}"
        );
        let here = report(vec![with("a", one(None)), with("b", one(None))], Vec::new());
        let note = executions_note(&here);
        assert!(note[0].starts_with("this execution only: another may differ"), "{note:?}");
        assert_eq!(note.len(), 1);
        let slow = "its set-up takes 0.4 s, too long for 6 executions in 1.0 s";
        let mixed = vec![with("a", several(12)), with("b", one(Some(slow))), with("c", several(8))];
        let note = executions_note(&report(mixed, Vec::new()));
        assert!(note[0].contains("over 8 to 12 executions"), "{note:?}");
        assert!(note[1].starts_with(&format!("b: this execution only ({slow}): ")), "{note:?}");
        let mut energy = with("a", one(None));
        energy.series = energy.series.with_metric("energy");
        let note = executions_note(&report(vec![energy], Vec::new()));
        assert_eq!(note, ["this execution only: another may differ by more than the interval"]);
        let pair = vec![with("p/a", one(None)), with("p/b", one(None))];
        let found = comparison(["p/a", "p/b"], 0.1, 0.001, Pairing::Batches, Vec::new());
        let note = executions_note(&report(pair, vec![found]));
        assert_eq!(note, ["comparisons: this execution only; another may differ by more"]);
    }

    #[test]
    fn latency_is_named() {
        let mut chained = subject("chained", 1e-6);
        if let Some(function) = &mut chained.function {
            function.timing = Some(CallTiming::Latency);
            function.executions = None;
        }
        let alone = executions_note(&report(vec![chained.clone()], Vec::new()));
        assert_eq!(alone, ["latency: each call waits for the one before"]);
        let both = executions_note(&report(vec![chained, subject("other", 1e-6)], Vec::new()));
        assert!(both[1].ends_with("the other times are throughput: calls may overlap"), "{both:?}");
    }
}
