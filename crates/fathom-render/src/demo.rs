//! The pages of `fathom demo`: what is asked, the pages of the commands that answer, and what to notice in
//! the answer at hand.
//!
//! The tour's program has known causes in it ([`DemoTruth`]), so a notice can say whether the answer found
//! them. It never says more than the answer does: machines are busy, and one interval in twenty misses.

mod closing;
mod command;
mod notices;
mod pages;
mod scene;
mod step;
mod truth;

pub use closing::DemoClosing;
pub use scene::{DemoAnswer, DemoQuestion, DemoScene};
pub use step::DemoStep;
pub use truth::DemoTruth;

use crate::Detail;
use crate::layout::{FAINT, STRONG, WARNING, columns, push_wrapped, styled, visible, wrapped};
use anstyle::Style;

/// The part of the tour that a scene is, in `width` columns.
#[must_use]
pub fn render(scene: &DemoScene<'_>, truth: &DemoTruth, detail: Detail, width: usize) -> String {
    if detail == Detail::Answer {
        return one_line(scene);
    }
    let mut text = String::new();
    match scene {
        DemoScene::Opening { steps } => opening(&mut text, *steps, width),
        DemoScene::Step { step, number, of } => {
            let heading = format!("{number} of {of}  {}: {}", step.title(), step.question());
            let rule = "─".repeat(columns(&heading));
            text.push_str(&format!("\n{}\n{}\n", styled(&heading, STRONG), styled(&rule, FAINT)));
        }
        DemoScene::Question { question, command } => {
            text.push('\n');
            push_paragraph(&mut text, &question.introduction(truth), Style::new(), width);
            text.push_str(&format!("\n{}\n", command::typed(command, width)));
        }
        DemoScene::Answer(answer) => {
            text.push_str(&pages::page(answer, width));
            text.push_str(&format!("\n{}\n", styled("Notice:", STRONG)));
            for notice in notices::of(answer, truth) {
                push_wrapped(&mut text, &format!("- {notice}"), "  ", Style::new(), width);
            }
        }
        // Traces that were cut short are removed, so their page would lead nowhere.
        DemoScene::Partial(DemoAnswer::Recorded(_)) => {}
        DemoScene::Partial(answer) => text.push_str(&pages::page(answer, width)),
        DemoScene::Skipped { why, .. } => {
            text.push('\n');
            let line = format!("Skipped: {}", visible(why));
            push_wrapped(&mut text, &line, "", WARNING, width);
        }
        DemoScene::Closing(closing) => text.push_str(&closing::page(closing, width)),
    }
    text
}

/// The answer in a line, or why there is none; nothing of what is around it.
fn one_line(scene: &DemoScene<'_>) -> String {
    match scene {
        DemoScene::Answer(answer) => pages::line(answer).map_or(String::new(), |line| line + "\n"),
        DemoScene::Skipped { step, why } => {
            let why: Vec<String> = why.lines().map(visible).collect();
            format!("{}: skipped: {}\n", step.name(), why.join(" "))
        }
        _ => String::new(),
    }
}

fn opening(text: &mut String, steps: usize, width: usize) {
    let steps = crate::plural(steps, "step");
    let line = format!("A tour of Fathom on this machine: {steps}, under two minutes.");
    push_wrapped(text, &line, "", STRONG, width);
    let about = "Every command below runs now, and what follows it is its own output. The program \
                 that is measured is Fathom's hidden `demo-work`: it does a known amount of work, so \
                 you can compare the answers with the truth. Nothing is saved. Ctrl-C ends the tour.";
    text.push('\n');
    push_paragraph(text, about, FAINT, width);
}

/// Appends text for reading: broken at spaces, and nothing hangs.
fn push_paragraph(text: &mut String, paragraph: &str, style: Style, width: usize) {
    for line in wrapped(paragraph, width, 0) {
        text.push_str(&format!("{}\n", styled(&line, style)));
    }
}
