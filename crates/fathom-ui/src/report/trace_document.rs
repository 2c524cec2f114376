//! An explanation in words and tables.

use super::frame::Frame;
use super::html::Html;
use super::picture::{Line, line};
use super::question_list::{alignment, question};
use super::ranking_table::{excluded, ranking};
use super::time_words::{span_words, time_words};
use crate::traces::PageSeries;
use fathom_explain::Explanation;
use fathom_record::{Timestamp, Unit};
use fathom_render::explanation::stands_out;
use fathom_render::quantity::quick;

/// Everything that is known, the answer first; `target` is the line of the run that was asked about.
pub(super) fn document(
    frame: &Frame<'_>,
    explanation: &Explanation,
    sentence: &str,
    command: &str,
    target: &PageSeries,
) -> Html {
    let mut html = Html::default();
    frame.open(&mut html, "plain", sentence);
    if let Some(picture) = target_line(explanation, target) {
        html.html(&picture);
    }
    ranking(&mut html, explanation);
    html.list("notes", reading(explanation));
    question(&mut html, explanation);
    alignment(&mut html, explanation);
    excluded(&mut html, explanation);
    let silent: Vec<String> =
        explanation.silent.iter().map(|(one, why)| format!("{one} not available: {why}")).collect();
    html.list("notes", silent.iter().map(String::as_str));
    if !explanation.notes.is_empty() {
        html.heading("Notes");
        html.list("notes", explanation.notes.iter().map(String::as_str));
    }
    html.heading("Command").command(command);
    frame.close(&mut html);
    html
}

/// How the table is read: the same warnings as in the terminal.
fn reading(explanation: &Explanation) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if explanation.target.baseline.is_some() {
        notes.push("Sigma is the typical change between periods as long as the window, before it.");
    }
    if explanation.ranking.iter().any(|one| stands_out(explanation, one)) {
        notes.push(
            "Among metrics with q below .05, one in twenty is expected by chance. A metric that \
             changes with the target need not be the cause.",
        );
    }
    notes
}

fn target_line(explanation: &Explanation, target: &PageSeries) -> Option<Html> {
    let metric = &explanation.target.metric;
    let windows = &explanation.target.windows;
    let words = |value: f64| quick(value, &Unit::parse(&target.unit));
    let spans: Vec<String> = windows.iter().map(|one| span_words((one.start, one.end))).collect();
    line(&Line {
        about: &format!(
            "{} in {}, over time; window: {}",
            metric.name,
            target.run,
            spans.join(", ")
        ),
        time: &target.time,
        values: &target.values,
        reach: target.low.as_deref().zip(target.high.as_deref()),
        windows: &windows
            .iter()
            .map(|one| (seconds(one.start), seconds(one.end)))
            .collect::<Vec<_>>(),
        words: &words,
        moment: &|time| time_words(Timestamp::from_seconds(time).nanoseconds_f64()),
    })
}

fn seconds(time: Timestamp) -> f64 {
    time.nanoseconds_f64() * 1e-9
}
