//! A check in words, tables and figures.

use super::frame::Frame;
use super::html::Html;
use super::table::{Column, cell, number, table};
use crate::check::{CheckView, QuestionView};
use crate::session::Tone;

/// Everything that is known, the answer first.
pub(super) fn document(frame: &Frame<'_>, view: &CheckView) -> Html {
    let mut html = Html::default();
    frame.open(&mut html, class(view.verdict.tone), &view.verdict.sentence);
    html.list("warnings", view.warnings.iter().map(String::as_str));
    html.list("notes", view.notes.iter().map(String::as_str));
    for figure in &view.grid {
        html.figure(figure);
    }
    let several = view.questions.len() > 1;
    if several {
        html.heading("Questions");
        questions(&mut html, view);
    }
    for one in &view.questions {
        question(&mut html, one, several);
    }
    html.heading("Tables for a paper");
    html.paragraph("LaTeX, without any package:");
    html.command(&view.latex);
    html.paragraph("Markdown:");
    html.command(&view.markdown);
    if !view.command_line.is_empty() {
        html.heading("Command").command(&view.command_line);
    }
    frame.close(&mut html);
    html
}

fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Better => "better",
        Tone::Worse => "worse",
        Tone::Same | Tone::Unsure | Tone::Plain => "plain",
    }
}

fn questions(html: &mut Html, view: &CheckView) {
    let columns = [
        Column::Name("question"),
        Column::Words("verdict"),
        Column::Numbers("share or value"),
        Column::Numbers("interval"),
        Column::Words("worst execution"),
    ];
    let row = |one: &QuestionView| {
        vec![
            cell(&one.title),
            cell(&one.verdict),
            number(&one.estimate),
            number(&one.interval),
            cell(&one.worst),
        ]
    };
    table(html, "Every question with its answer", &columns, view.questions.iter().map(row));
}

fn question(html: &mut Html, one: &QuestionView, with_title: bool) {
    if with_title {
        html.markup("<h2><bdi>").text(&one.title).markup("</bdi></h2>\n");
        html.markup("<p class=\"").markup(class(one.answer.tone)).markup("\">");
        html.text(&one.answer.sentence).markup("</p>\n");
    }
    html.list("notes", one.notes.iter().map(String::as_str));
    for figure in &one.figures {
        html.figure(figure);
    }
}
