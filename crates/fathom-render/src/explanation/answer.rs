//! How many metrics are significant, or how large the largest change is and why it is not.

use super::{STANDS_OUT, words};
use crate::layout::visible;
use fathom_explain::align::Fit;
use fathom_explain::{Explanation, Ranked};

/// A change of this many of a metric's usual ones is worth a sentence, even if it is not sure.
const LARGE: f64 = 5.0;

/// "Significant: 3 of 11 metrics (q < .05). Start with:"
pub(super) fn answer(explanation: &Explanation) -> String {
    let metrics = &explanation.ranking;
    if metrics.is_empty() {
        return "No metrics are left to rank.".to_string();
    }
    let sure = metrics.iter().filter(|one| stands_out(explanation, one)).count();
    let poor = metrics.iter().filter(|one| is_sure(one)).count() - sure;
    let poorly = match poor {
        0 => String::new(),
        1 => " 1 more is, but in a poorly aligned run.".to_string(),
        poor => format!(" {poor} more are, but in poorly aligned runs."),
    };
    match (sure, metrics.len()) {
        (0, _) => format!("{}{poorly}{}", unsure(explanation, poor), closest(explanation)),
        (1, 1) => "Significant: the only metric (q < .05):".to_string(),
        (sure, all) => {
            format!("Significant: {sure} of {all} metrics (q < .05).{poorly} Start with:")
        }
    }
}

/// Whether a metric is sure, and its window is where it should be: in a run that is poorly aligned it may
/// be anywhere.
#[must_use]
pub fn stands_out(explanation: &Explanation, metric: &Ranked) -> bool {
    let run = explanation.runs.get(metric.run);
    let quality = run.and_then(|run| run.aligned.quality.as_ref());
    counts(metric.q_value, quality.map(|quality| quality.fit))
}

/// By its q, and the fit of its run; the run of the selection has none.
fn counts(q: Option<f64>, fit: Option<Fit>) -> bool {
    q.is_some_and(|q| q < STANDS_OUT) && fit != Some(Fit::Poor)
}

fn is_sure(metric: &Ranked) -> bool {
    metric.q_value.is_some_and(|q| q < STANDS_OUT)
}

/// The largest change first, then that it is not sure; the note says what it would take.
fn unsure(explanation: &Explanation, poor: usize) -> String {
    let is_enough = explanation.beside.is_enough();
    let why = match (poor, is_enough) {
        (0, false) => "there is not enough data outside the window to judge significance",
        (0, true) => "changes as large happen elsewhere in these traces by chance",
        _ => "no metric is significant in a well-aligned run",
    };
    if let Some(largest) = largest(explanation) {
        let name = visible(&largest.metric.name);
        let changed = largest.change.as_ref().map_or(String::new(), words::changed);
        let q = words::q_value(largest.q_value);
        return format!("Largest change: {name} {changed}, but {why} (q {q}).");
    }
    match (poor, is_enough) {
        (0, false) => "Not enough data outside the window to judge significance.".to_string(),
        (0, true) => "No metric is significant.".to_string(),
        _ => "No metric is significant in a well-aligned run.".to_string(),
    }
}

/// The metric with the largest change, if that is a large one.
fn largest(explanation: &Explanation) -> Option<&Ranked> {
    let size = |one: &Ranked| one.change.map_or(0.0, |change| change.z);
    let largest = explanation.ranking.iter().rev().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    (size(largest) >= LARGE).then_some(largest)
}

fn closest(explanation: &Explanation) -> &'static str {
    if largest(explanation).is_some() { " Start with:" } else { " Closest:" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_poorly_aligned_runs_do_not_count() {
        assert!(counts(Some(0.001), None) && counts(Some(0.001), Some(Fit::Fair)));
        assert!(!counts(Some(0.001), Some(Fit::Poor)));
        assert!(!counts(Some(0.05), None) && !counts(None, None));
    }
}
