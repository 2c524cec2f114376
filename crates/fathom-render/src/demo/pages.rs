//! The pages of the commands that answer, as those commands print them.

use super::{DemoAnswer, DemoStep};
use crate::explanation::{self, Shown};
use crate::layout::{plain, visible};
use crate::view::View;
use crate::{Detail, check, human, traces, verdict};
use fathom_analyze::Report;

/// The page of an answer.
pub(super) fn page(answer: &DemoAnswer<'_>, width: usize) -> String {
    of(answer, Detail::Usual, width)
}

fn of(answer: &DemoAnswer<'_>, detail: Detail, width: usize) -> String {
    let view = View { detail, ..View::default() };
    match *answer {
        DemoAnswer::Measured(report) | DemoAnswer::Cleaned(report) => {
            human::render(report, &view, width)
        }
        DemoAnswer::Decided { report, seconds, .. } => {
            let circumstances = verdict::Circumstances { seconds };
            let comparisons = report.comparisons.as_deref().unwrap_or_default();
            verdict::render(report, comparisons, circumstances, &view, width)
        }
        DemoAnswer::Checked { report, again } => {
            check::render_one(report, detail, None, width, again)
        }
        DemoAnswer::Recorded(recording) => traces::render_recorded(recording, detail, width),
        DemoAnswer::Explained { explanation, origin, top } => {
            let shown = Shown { detail, width, time_unit: None, top, origin, local_time: None };
            explanation::render(explanation, &shown)
        }
    }
}

/// The answer in one line, after the name of its step; `None` for what is no answer yet.
pub(super) fn line(answer: &DemoAnswer<'_>) -> Option<String> {
    let said = |step: DemoStep, text: String| Some(format!("{}: {text}", step.name()));
    match *answer {
        DemoAnswer::Measured(report) => said(DemoStep::Measure, sentence(report)),
        DemoAnswer::Cleaned(report) => {
            let trail = report.subjects.first().map(|one| human::trail(one, &View::default()));
            let text = format!("{} {}.", sentence(report), trail.unwrap_or_default());
            said(DemoStep::Clean, text)
        }
        DemoAnswer::Decided { report, .. } => {
            let quantity = verdict::Quantity::of(report.subjects.first());
            let comparison = report.comparisons.as_ref()?.first()?;
            said(DemoStep::Decide, verdict::sentence(comparison, quantity))
        }
        DemoAnswer::Checked { .. } => {
            // Its first line is the sentence, where it need not be broken.
            let page = plain(&of(answer, Detail::Answer, usize::MAX));
            said(DemoStep::Check, page.lines().next()?.to_string())
        }
        DemoAnswer::Recorded(_) => None,
        DemoAnswer::Explained { explanation, origin, top } => {
            let detail = Detail::Answer;
            let shown =
                Shown { detail, width: usize::MAX, time_unit: None, top, origin, local_time: None };
            let first = explanation.ranking.first();
            let first =
                first.map_or(String::new(), |one| format!(" {}", visible(&one.metric.name)));
            said(DemoStep::Explain, explanation::sentence(explanation, &shown) + &first)
        }
    }
}

fn sentence(report: &Report) -> String {
    let sentences = report.subjects.iter().flat_map(|one| human::sentences(one, &View::default()));
    sentences.collect::<Vec<_>>().join(" ")
}
