//! What was asked, and how runs were aligned for it.

use super::html::Html;
use super::table::{Column, cell, number, table};
use super::time_words::{span_words, time_words};
use fathom_explain::{ExplainedRun, Explanation, ScoreIn, Segments, Stretch};
use fathom_record::Timestamp;

/// The question, a line per part of it.
pub(super) fn question(html: &mut Html, explanation: &Explanation) {
    let request = &explanation.request;
    let reference = explanation.runs.get(explanation.reference);
    let stretch = |one: &Stretch| span_words((one.start, one.end));
    let windows: Vec<String> = explanation.target.windows.iter().map(stretch).collect();
    let mut parts: Vec<(&'static str, String)> = vec![
        ("target", explanation.target.metric.name.clone()),
        ("run", reference.map_or(String::new(), |run| run.aligned.run.clone())),
        ("window", windows.join(", ")),
    ];
    parts.extend(explanation.target.baseline.as_ref().map(|one| ("baseline", stretch(one))));
    if let Some(pattern) = &request.selection.pattern {
        let knot = |&(time, height): &(Timestamp, f64)| {
            format!("{height} at {}", time_words(time.nanoseconds_f64()))
        };
        let knots: Vec<String> = pattern.knots().iter().map(knot).collect();
        parts.push(("pattern", knots.join(", ")));
    }
    if let Segments::Exactly(count) = request.selection.segments {
        parts.push(("segments in each window", count.to_string()));
    }
    if let Some(common) = &explanation.common {
        let scores = if request.alignment.normalise { ", by z-scores" } else { "" };
        let penalty = match request.alignment.penalty {
            penalty if penalty > 0.0 => format!(", penalty {penalty}"),
            _ => String::new(),
        };
        parts.push(("runs aligned by", format!("{common}{scores}{penalty}")));
        let runs = match request.score_in {
            ScoreIn::Every => "every run that has them; the median run counts",
            ScoreIn::Nearest => "the target's run, or the best-aligned one",
        };
        parts.push(("metrics scored in", runs.to_string()));
    }
    parts.push(("ranked by", request.correlator.to_string()));
    if !request.only.is_empty() {
        parts.push(("only metrics containing", request.only.join(", ")));
    }
    html.heading("Question").markup("<dl>\n");
    for (name, value) in parts {
        html.markup("<dt>").text(name).markup("</dt><dd><bdi>").text(&value);
        html.markup("</bdi></dd>\n");
    }
    html.markup("</dl>\n");
    html.paragraph("Times count from the start of the run.");
}

/// Where the window is in every run, and how sure that is. Nothing where there is but one.
pub(super) fn alignment(html: &mut Html, explanation: &Explanation) {
    if explanation.runs.len() < 2 {
        return;
    }
    html.heading("Runs");
    let columns = [
        Column::Name("run"),
        Column::Words("fit"),
        Column::Words("window"),
        Column::Numbers("ends ±"),
        Column::Numbers("cost per step"),
        Column::Numbers("of cost by chance"),
        Column::Numbers("metrics scored"),
    ];
    let caption = "The same window in every run; cost in standard deviations of the common metric";
    table(html, caption, &columns, explanation.runs.iter().map(run_row));
    let warnings: Vec<String> = explanation
        .runs
        .iter()
        .flat_map(|run| {
            run.aligned.warnings.iter().map(|warning| format!("{}: {warning}", run.aligned.run))
        })
        .collect();
    html.list("warnings", warnings.iter().map(String::as_str));
}

fn run_row(run: &ExplainedRun) -> Vec<Html> {
    let quality = run.aligned.quality.as_ref();
    let windows: Vec<String> = run.aligned.windows.iter().copied().map(span_words).collect();
    let optional = |value: Option<String>| value.unwrap_or_default();
    vec![
        cell(&run.aligned.run),
        cell(quality.map_or("reference", |quality| quality.fit.as_str())),
        cell(&windows.join(", ")),
        number(&optional(
            quality.map(|quality| time_words(quality.ends_uncertain.nanoseconds_f64())),
        )),
        number(&optional(
            quality.and_then(|one| one.relative_cost).map(|cost| format!("{cost:.3}")),
        )),
        number(&optional(
            quality.and_then(|one| one.against_chance).map(|part| format!("{:.0}%", part * 100.0)),
        )),
        number(&run.scored.to_string()),
    ]
}
