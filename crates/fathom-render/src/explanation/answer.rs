//! How many metrics stand out, or how large the largest change is and why it is not sure.

use super::{STANDS_OUT, words};
use crate::layout::visible;
use fathom_explain::align::Fit;
use fathom_explain::{Explanation, Ranked};

/// A change of so many of a metric's usual ones is worth a sentence, even if it is not sure.
const LARGE: f64 = 5.0;

/// "3 of 11 metrics stand out. Look first at:"
pub(super) fn answer(explanation: &Explanation) -> String {
    let metrics = &explanation.ranking;
    if metrics.is_empty() {
        return "No metric is left to rank.".to_string();
    }
    let sure = metrics.iter().filter(|one| stands_out(explanation, one)).count();
    let poor = metrics.iter().filter(|one| is_sure(one)).count() - sure;
    let poorly = match poor {
        0 => String::new(),
        1 => " 1 more does in a run that is poorly aligned.".to_string(),
        poor => format!(" {poor} more do in runs that are poorly aligned."),
    };
    match (sure, metrics.len()) {
        (0, _) => format!("{}{poorly}{}", unsure(explanation, poor), closest(explanation)),
        (1, 1) => "The only metric stands out. Look at:".to_string(),
        (1, all) => format!("1 of {all} metrics stands out.{poorly} Look first at:"),
        (sure, all) => format!("{sure} of {all} metrics stand out.{poorly} Look first at:"),
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
        (0, false) => "there is not enough data beside the window to be sure of it",
        (0, true) => "as much happens by chance elsewhere in these traces",
        _ => "no metric is sure in a run that is aligned well",
    };
    if let Some(largest) = largest(explanation) {
        let name = visible(&largest.metric.name);
        let changed = largest.change.as_ref().map_or(String::new(), words::changed);
        let q = words::q_value(largest.q_value);
        return format!("The largest change: {name} {changed}, but {why} (q {q}).");
    }
    match (poor, is_enough) {
        (0, false) => "There is not enough data beside the window to be sure of any metric.".into(),
        (0, true) => "Nothing stands out from chance.".to_string(),
        _ => "Nothing stands out in runs that are aligned well.".to_string(),
    }
}

/// The metric with the largest change, if that is a large one.
fn largest(explanation: &Explanation) -> Option<&Ranked> {
    let size = |one: &Ranked| one.change.map_or(0.0, |change| change.z);
    let largest = explanation.ranking.iter().rev().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    (size(largest) >= LARGE).then_some(largest)
}

fn closest(explanation: &Explanation) -> &'static str {
    if largest(explanation).is_some() { " Look first at:" } else { " Closest are:" }
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
