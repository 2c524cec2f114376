//! A session in words and tables.

use super::frame::Frame;
use super::html::Html;
use super::picture::{self, Axis, interval};
use super::table::{Column, cell, number, table};
use crate::session::{
    ComparisonView, EstimateView, GrowthPointView, GrowthView, SessionView, SubjectView, Tone,
    WorkLineView, WorkPointView,
};
use fathom_record::Unit;
use fathom_record::own_json::End;
use fathom_render::growth::size_text;
use fathom_render::percent;
use fathom_render::quantity::quick;

/// Everything that is known, the answer first.
pub(super) fn document(frame: &Frame<'_>, view: &SessionView) -> Html {
    let tone = match view.verdict.tone {
        Tone::Better => "better",
        Tone::Worse => "worse",
        Tone::Same | Tone::Unsure | Tone::Plain => "plain",
    };
    let mut html = Html::default();
    frame.open(&mut html, tone, &view.verdict.sentence);
    html.list("warnings", view.warnings.iter().map(String::as_str));
    comparisons(&mut html, &view.comparisons);
    growth(&mut html, &view.growth);
    work_lines(&mut html, &view.work_lines);
    if !view.subjects.is_empty() {
        html.heading("Estimates");
        estimates(&mut html, &view.subjects);
    }
    for one in &view.subjects {
        subject(&mut html, one);
    }
    if !view.command_line.is_empty() {
        html.heading("Command").command(&view.command_line);
    }
    frame.close(&mut html);
    html
}

/// What was done to the samples of one, and how they spread. Its sentence is in the table.
fn subject(html: &mut Html, subject: &SubjectView) {
    html.markup("<h3><bdi>").text(&subject.name).markup("</bdi></h3>\n");
    html.markup("<p class=\"trail\">").text(&subject.trail).markup("</p>\n");
    if let Some(spread) = &subject.spread {
        html.markup("<p class=\"trail\">").text(spread).markup("</p>\n");
    }
    if let Some(histogram) = &subject.histogram
        && let [first, .., last] = histogram.edges[..]
    {
        let unit = Unit::parse(&subject.unit);
        let ends = [first, last].map(|edge| quick(edge, &unit));
        let about = format!("distribution of {}, from {} to {}", subject.name, ends[0], ends[1]);
        html.html(&picture::histogram(&about, &histogram.counts, [&ends[0], &ends[1]]));
        match histogram.beyond {
            0 => {}
            1 => _ = html.paragraph("1 sample is outside this range."),
            beyond => _ = html.paragraph(&format!("{beyond} samples are outside this range.")),
        }
    }
    html.list("warnings", subject.warnings.iter().map(String::as_str));
}

fn comparisons(html: &mut Html, all: &[ComparisonView]) {
    if all.is_empty() {
        return;
    }
    let ends = |one: &ComparisonView| [one.ratio, one.lower.0, one.upper.0];
    let axis = Axis::of(all.iter().flat_map(ends), Some(1.0));
    let columns = [
        Column::Name("subject"),
        Column::Words("reference"),
        Column::Words("verdict"),
        Column::Numbers("ratio"),
        Column::Numbers("from"),
        Column::Numbers("to"),
        Column::Picture("1 is no difference"),
        Column::Numbers("confidence"),
        Column::Numbers("margin"),
    ];
    let row = |one: &ComparisonView| {
        let picture = axis.map(|axis| interval(axis, one.ratio, Some((one.lower.0, one.upper.0))));
        vec![
            cell(&one.subject),
            cell(&one.reference),
            cell(one.verdict),
            number(&ratio_words(one.ratio)),
            number(&ratio_words(one.lower.0)),
            number(&ratio_words(one.upper.0)),
            picture.unwrap_or_default(),
            number(&percent(one.confidence)),
            number(&percent(one.margin)),
        ]
    };
    html.heading("Comparisons");
    table(html, "Ratio of subject to reference: 1.05 is 5% more", &columns, all.iter().map(row));
    for one in all {
        // One alone is what the document begins with.
        if all.len() > 1 {
            html.paragraph(&one.sentence);
        }
        html.list("notes", one.notes.iter().map(String::as_str));
    }
}

fn growth(html: &mut Html, all: &[GrowthView]) {
    if all.is_empty() {
        return;
    }
    html.heading("Growth");
    let columns = [
        Column::Name("subject"),
        Column::Numbers("size"),
        Column::Numbers("median"),
        Column::Numbers("from"),
        Column::Numbers("to"),
    ];
    for one in all {
        html.paragraph(&one.sentence);
        let row = |point: &GrowthPointView| {
            let time = |seconds: f64| match seconds.is_finite() {
                true => quick(seconds, &Unit::SECONDS),
                false => "unknown".to_string(),
            };
            vec![
                cell(&point.subject),
                number(&size_text(point.size)),
                number(&time(point.time)),
                number(&time(point.lower.0)),
                number(&time(point.upper.0)),
            ]
        };
        table(html, "Times over the sizes of the input", &columns, one.points.iter().map(row));
        html.list("notes", one.notes.iter().map(String::as_str));
    }
}

fn work_lines(html: &mut Html, all: &[WorkLineView]) {
    if all.is_empty() {
        return;
    }
    html.heading("Time over work");
    let columns = [
        Column::Name("subject"),
        Column::Numbers("amount of work"),
        Column::Numbers("mean time"),
        Column::Numbers("runs"),
    ];
    for one in all {
        // The sentence of one alone is what the document begins with.
        if all.len() > 1 {
            html.paragraph(&one.sentence);
        }
        let unit = Unit::parse(&one.unit);
        let row = |point: &WorkPointView| {
            vec![
                cell(&one.name),
                number(&size_text(point.amount)),
                number(&quick(point.time, &unit)),
                number(&point.runs.to_string()),
            ]
        };
        table(html, "Mean times over the amounts of work", &columns, one.points.iter().map(row));
        html.list("notes", one.notes.iter().map(String::as_str));
    }
}

fn ratio_words(ratio: f64) -> String {
    match ratio {
        f64::INFINITY => "∞".to_string(),
        f64::NEG_INFINITY => "−∞".to_string(),
        ratio => format!("{ratio:.4}"),
    }
}

fn estimates(html: &mut Html, subjects: &[SubjectView]) {
    let columns = [
        Column::Name("subject"),
        Column::Words("statistic"),
        Column::Words("estimate"),
        Column::Picture("interval"),
        Column::Numbers("confidence"),
        Column::Words("method"),
        Column::Numbers("samples"),
    ];
    let all = subjects.iter().flat_map(|one| one.estimates.iter().map(move |two| (one, two)));
    let row = |(subject, estimate): (&SubjectView, &EstimateView)| {
        let mut said = cell(&estimate.text);
        if let Some(why) = &estimate.declined {
            said.markup(" <small>").text(why).markup("</small>");
        }
        vec![
            cell(&subject.name),
            cell(&estimate.statistic),
            said,
            axis(subjects, subject, estimate)
                .map(|axis| interval(axis, estimate.value, ends(estimate)))
                .unwrap_or_default(),
            number(&percent(estimate.confidence)),
            cell(estimate.method),
            number(&estimate.n_used.to_string()),
        ]
    };
    table(html, "Intervals of the same statistic share an axis", &columns, all.map(row));
}

/// What the estimates of a statistic, in one unit, have in common.
fn axis(subjects: &[SubjectView], subject: &SubjectView, estimate: &EstimateView) -> Option<Axis> {
    let alike = subjects.iter().filter(|other| other.unit == subject.unit);
    let alike = alike.flat_map(|other| &other.estimates);
    let alike = alike.filter(|other| other.statistic == estimate.statistic);
    let values = alike.flat_map(|one| {
        let (lower, upper) = ends(one).unwrap_or((one.value, one.value));
        [one.value, lower, upper]
    });
    Axis::of(values, None)
}

fn ends(estimate: &EstimateView) -> Option<(f64, f64)> {
    match (estimate.lower, estimate.upper) {
        (None, None) => None,
        (lower, upper) => Some((
            lower.map_or(f64::NEG_INFINITY, |End(end)| end),
            upper.map_or(f64::INFINITY, |End(end)| end),
        )),
    }
}
