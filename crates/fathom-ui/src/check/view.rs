//! All of a check, as it is looked at.

use super::{Fineness, OpenedCheck, comparisons, grid, margins, methods, signals, thresholds};
use crate::figure::{Figure, standalone_style};
use crate::session::{Tone, VerdictView};
use fathom_property::decide::CheckVerdict;
use fathom_property::{CheckReport, PropertyAnswer, QuestionDetails};
use fathom_record::Unit;
use fathom_render::check::{
    QuestionRow, answer_in_words, joint_notes, question_in_words, question_notes, question_row,
};
use fathom_render::quantity::quick;
use fathom_render::{check, percent};
use serde::Serialize;

/// A check with its figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckView {
    /// The answer to all questions.
    pub verdict: VerdictView,
    /// The command that asked.
    pub command_line: String,
    /// What the column of intervals is called: "90% CI".
    pub interval_head: String,
    /// What explains the answers to several questions, and which executions failed.
    pub notes: Vec<String>,
    /// Of a study: a heat map for each question, and configurations compared.
    pub grid: Vec<Figure>,
    /// Every question.
    pub questions: Vec<QuestionView>,
    /// What limits the answers, and what may be wrong, each with what to do.
    pub warnings: Vec<String>,
    /// The table of questions for a paper.
    pub latex: String,
    /// The same in Markdown.
    pub markdown: String,
    /// How figures look in files of their own.
    pub figure_style: String,
}

/// A question with its answer and its figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuestionView {
    /// What it is called.
    pub title: String,
    /// What was asked, as it was written.
    pub asked: String,
    /// The group of executions that it is about.
    pub group: Option<String>,
    /// The answer in words, and how to colour it.
    pub answer: VerdictView,
    /// "true", "false", "inconclusive" or "estimate".
    pub verdict: String,
    /// The share that was seen, or the value.
    pub estimate: String,
    /// Its interval.
    pub interval: String,
    /// The worst execution, in few words.
    pub worst: String,
    /// What explains the answer.
    pub notes: Vec<String>,
    /// What it looks like.
    pub figures: Vec<Figure>,
}

impl CheckView {
    pub(super) fn of(opened: &OpenedCheck, fineness: Fineness) -> CheckView {
        let report = &opened.report;
        let nothing = (QuestionDetails::default(), Vec::new());
        let questions: Vec<QuestionView> = report
            .questions()
            .enumerate()
            .map(|(place, one)| {
                let details = opened.details.get(place).unwrap_or(&nothing.0);
                let again = opened.again.get(place).unwrap_or(&nothing.1);
                QuestionView::of(one, details, again, fineness)
            })
            .collect();
        let tone = match report.verdict() {
            None => Tone::Plain,
            Some(verdict) => tone(verdict),
        };
        let mut warnings = opened.notes.clone();
        let caveats = report.questions().flat_map(|one| &one.caveats).map(|caveat| &caveat.text);
        for text in caveats.chain(report.questions().flat_map(|one| &one.warnings)) {
            if !warnings.contains(text) {
                warnings.push(text.clone());
            }
        }
        let table = check::table(report, None);
        CheckView {
            verdict: VerdictView { sentence: answer_in_words(report, None), tone },
            command_line: report.first.command_line.clone(),
            interval_head: format!("{} CI", percent(report.first.confidence.get())),
            notes: joint_notes(report, &|place, _| {
                opened.again.get(place).cloned().unwrap_or_default()
            }),
            grid: grid::figures(report).into_iter().chain(comparisons::figures(report)).collect(),
            questions,
            warnings,
            latex: table.latex(),
            markdown: table.markdown(),
            figure_style: standalone_style(),
        }
    }

    /// Every figure, with a name for its file: "margins", or with several questions "2-margins".
    pub fn figures(&self) -> impl Iterator<Item = (String, &Figure)> {
        let is_only = self.questions.len() == 1;
        let of_grid = self.grid.iter().map(|figure| (figure.id.clone(), figure));
        let of_questions = self.questions.iter().enumerate().flat_map(move |(place, question)| {
            question.figures.iter().map(move |figure| match is_only {
                true => (figure.id.clone(), figure),
                false => (format!("{}-{}", place + 1, figure.id), figure),
            })
        });
        of_grid.chain(of_questions)
    }
}

impl QuestionView {
    fn of(
        report: &CheckReport,
        details: &QuestionDetails,
        again: &[String],
        fineness: Fineness,
    ) -> QuestionView {
        let QuestionRow { title, verdict, estimate, interval, worst } = question_row(report, None);
        let tone = match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => tone(summary.verdict),
            PropertyAnswer::Value { .. } => Tone::Plain,
        };
        let threshold = details.threshold.as_ref();
        let mut figures = margins::figures(report, threshold, fineness);
        figures.extend(thresholds::figure(report, threshold, fineness));
        figures.extend(signals::figures(report, &details.worst, fineness));
        figures.extend(methods::figure(report));
        QuestionView {
            title,
            asked: report.asked().to_string(),
            group: report.group.clone(),
            answer: VerdictView { sentence: question_in_words(report, None), tone },
            verdict,
            estimate,
            interval,
            worst,
            notes: question_notes(report, None, &|_| again.to_vec()),
            figures,
        }
    }
}

fn tone(verdict: CheckVerdict) -> Tone {
    match verdict {
        CheckVerdict::True => Tone::Better,
        CheckVerdict::False => Tone::Worse,
        CheckVerdict::Inconclusive => Tone::Unsure,
    }
}

/// A number as people read it.
pub(super) fn amount(value: f64, unit: &Unit) -> String {
    match value {
        f64::INFINITY => "∞".to_string(),
        f64::NEG_INFINITY => "−∞".to_string(),
        value if value.is_nan() => "unknown".to_string(),
        value => quick(value, unit),
    }
}
