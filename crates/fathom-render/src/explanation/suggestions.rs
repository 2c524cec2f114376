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
    /// The metric that shows it.
    pub target: &'a str,
    /// What was found.
    pub suggestion: &'a Suggestion,
    /// Its windows, as they are typed.
    pub windows: Vec<String>,
    /// The same as rows.
    pub asked: Vec<Range<usize>>,
    /// Other metrics that depart from their level there, the clearest first.
    pub departing: &'a [String],
    /// Of how many others.
    pub others: usize,
    /// The command that asks about it, to which a window is added.
    pub ask: &'a str,
}

/// Names of departing metrics that are shown.
const LISTED: usize = 5;

/// The page of a target, or without one of all metrics; `question` has the target for the picture.
#[must_use]
pub fn render_suggestions(
    target: Option<&str>,
    question: Option<&Question>,
    proposed: &[Proposed<'_>],
    width: usize,
) -> String {
    let mut text = String::new();
    let sentence = match target.map(visible) {
        Some(target) => of_target(&target, proposed.len()),
        None => of_all(proposed),
    };
    push_wrapped(&mut text, &sentence, "", STRONG, width);
    if let Some(shown) = question.filter(|_| target.is_some() || !proposed.is_empty()) {
        push_picture(&mut text, &shown.target, proposed, width);
    }
    for (place, one) in proposed.iter().enumerate() {
        let subject = match target {
            Some(_) => String::new(),
            None => format!("{} ", visible(one.target)),
        };
        let about = format!("{}. {subject}{}", place + 1, visible(&one.suggestion.about));
        text.push('\n');
        push_wrapped(&mut text, &about, "  ", STRONG, width);
        if let Some(with) = with(one) {
            push_wrapped(&mut text, &with, "     ", FAINT, width);
        }
        let options: Vec<String> =
            one.windows.iter().map(|window| format!("--window {window}")).collect();
        let ask = format!("{} {}", one.ask, options.join(" "));
        push_wrapped(&mut text, &ask, "     ", FAINT, width);
    }
    text
}

fn of_target(target: &str, count: usize) -> String {
    match count {
        0 => format!(
            "{target} shows nothing above its noise. Look at it with `fathom show`, then choose a \
             window yourself."
        ),
        1 => format!("{target} has one event worth explaining:"),
        count => format!("{target} has {count} events worth explaining, clearest first:"),
    }
}

fn of_all(proposed: &[Proposed<'_>]) -> String {
    let all = proposed.first().map_or(0, |one| one.others);
    match proposed.len() {
        0 => "Nowhere do several metrics depart from their level at once. Choose a metric with \
              --target."
            .to_string(),
        1 => format!("Of {all} metrics, several depart from their level once:"),
        count => format!(
            "Of {all} metrics, several depart from their level in {count} events, clearest first:"
        ),
    }
}

/// "34 of 280 other metrics depart from their level there: a, b, c and 31 more".
fn with(one: &Proposed<'_>) -> Option<String> {
    let count = one.departing.len();
    let names: Vec<String> = one.departing.iter().take(LISTED).map(|name| visible(name)).collect();
    let more = match count.saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let departs = if count == 1 { "departs from its" } else { "depart from their" };
    let names = names.join(", ");
    (count > 0).then(|| {
        format!("{count} of {} other metrics {departs} level there: {names}{more}", one.others)
    })
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

const SIDES: &[Side] = &[Left, Left, Left, Right, Left, Right];

/// A row per window.
#[must_use]
pub fn proposed_table(proposed: &[Proposed<'_>]) -> Table {
    let mut table =
        Table::with_head(&["window", "kind", "about", "strength", "metric", "departing"], SIDES);
    for Proposed { target, suggestion, windows, departing, .. } in proposed {
        for window in windows {
            let row = |strength: String| {
                let kind = suggestion.kind.as_str().to_string();
                let about = suggestion.about.clone();
                let departing = departing.len().to_string();
                vec![window.clone(), kind, about, strength, target.to_string(), departing]
            };
            table.records.push(row(suggestion.strength.to_string()));
            table.cells.push(row(format!("{:.2}", suggestion.strength)));
        }
    }
    table
}
