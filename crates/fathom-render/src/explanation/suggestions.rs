//! Proposed windows, for people and as a table.

use crate::Table;
use crate::layout::Side::{self, Left, Right};
use crate::layout::{FAINT, STRONG, push_wrapped, styled, visible};
use crate::picture::sparkline;
use fathom_explain::suggest::Suggestion;
use fathom_explain::{Question, Sequence};
use std::fmt::Write;
use std::ops::Range;

/// A suggestion, with its windows as they are typed.
#[derive(Debug)]
pub struct Proposed<'a> {
    /// What was found.
    pub suggestion: &'a Suggestion,
    /// Its windows, as they are typed.
    pub windows: Vec<String>,
    /// The same as rows.
    pub asked: Vec<Range<usize>>,
}

/// The page; `ask` is the command that asks about the target, `question` has it for the picture.
#[must_use]
pub fn render_suggestions(
    target: &str,
    question: Option<&Question>,
    proposed: &[Proposed<'_>],
    ask: &str,
    width: usize,
) -> String {
    let mut text = String::new();
    let target = visible(target);
    let sentence = match proposed.len() {
        0 => format!(
            "{target} shows nothing above its noise. Look at it with `fathom show`, then choose a \
             window yourself."
        ),
        1 => format!("{target} has one event worth explaining:"),
        count => format!("{target} has {count} events worth explaining, clearest first:"),
    };
    push_wrapped(&mut text, &sentence, "", STRONG, width);
    if let Some(target) = question.map(|question| &question.target) {
        push_picture(&mut text, target, proposed, width);
    }
    for (place, one) in proposed.iter().enumerate() {
        let about = format!("{}. {}", place + 1, visible(&one.suggestion.about));
        text.push('\n');
        push_wrapped(&mut text, &about, "  ", STRONG, width);
        let options: Vec<String> =
            one.windows.iter().map(|window| format!("--window {window}")).collect();
        push_wrapped(&mut text, &format!("{ask} {}", options.join(" ")), "     ", FAINT, width);
    }
    text
}

/// The target, and under it where the suggestions are.
fn push_picture(text: &mut String, target: &Sequence, proposed: &[Proposed<'_>], width: usize) {
    let rows = target.len();
    let columns = width.saturating_sub(4).min(rows).max(1);
    let _ = writeln!(text, "\n  {}", sparkline(&target.columns(0..rows, columns)));
    let marks = marks(proposed, rows, columns);
    if !marks.is_empty() {
        let _ = writeln!(text, "  {}", styled(&marks, FAINT));
    }
}

/// Under each column the number of the suggestion that is there; the first ones win.
fn marks(proposed: &[Proposed<'_>], rows: usize, columns: usize) -> String {
    let mut marks = vec![' '; columns];
    for (place, one) in proposed.iter().enumerate().take(9).rev() {
        let digit = char::from_digit(u32::try_from(place + 1).unwrap_or(9), 10).unwrap_or('*');
        for window in &one.suggestion.windows {
            let first = window.start * columns / rows.max(1);
            let past = (window.end * columns).div_ceil(rows.max(1)).min(columns);
            marks.iter_mut().take(past).skip(first).for_each(|mark| *mark = digit);
        }
    }
    marks.into_iter().collect::<String>().trim_end().to_string()
}

const SIDES: &[Side] = &[Left, Left, Left, Right];

/// A row per window.
#[must_use]
pub fn proposed_table(proposed: &[Proposed<'_>]) -> Table {
    let mut table = Table::with_head(&["window", "kind", "about", "strength"], SIDES);
    for Proposed { suggestion, windows, .. } in proposed {
        for window in windows {
            let row = |strength: String| {
                let kind = suggestion.kind.as_str().to_string();
                vec![window.clone(), kind, suggestion.about.clone(), strength]
            };
            table.records.push(row(suggestion.strength.to_string()));
            table.cells.push(row(format!("{:.2}", suggestion.strength)));
        }
    }
    table
}
