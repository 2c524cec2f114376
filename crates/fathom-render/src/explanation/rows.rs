//! The ranked metrics: a line each with its chart under the target's, and a description.

use super::{Detail, Shown, words};
use crate::layout::{FAINT, STRONG, Side, columns, padded, push_wrapped, styled, visible};
use crate::picture::sparkline;
use crate::short_names::shortened_apart;
use fathom_explain::{Explanation, Ranked};
use fathom_record::trace::Layer;
use std::fmt::Write;

/// Columns before the name: a rank and a space after it.
const INDENT: &str = "      ";
const LAYER: usize = 5;
const Q: usize = 5;
/// Names of near copies that are listed.
const LISTED: usize = 3;

/// Appends the metrics that are shown.
pub(super) fn push(text: &mut String, explanation: &Explanation, shown: &Shown) {
    let picture = explanation.outline.columns();
    let room = shown.width.saturating_sub(INDENT.len() + 2 + LAYER + 2 + Q + 2 + picture);
    let all = rows(explanation, shown);
    let names = all.iter().map(|(_, metric)| columns(&visible(&metric.metric.name)));
    let target = columns(&visible(&explanation.target.metric.name));
    let name = names.chain([target, 6]).max().unwrap_or(6).min(room.max(12));
    // The target first: no metric may look like it.
    let target = std::iter::once(&explanation.target.metric.name);
    let names: Vec<String> = target
        .chain(all.iter().map(|(_, one)| &one.metric.name))
        .map(|name| visible(name))
        .collect();
    let mut names = shortened_apart(&names, name).into_iter();
    head(text, explanation, &names.next().unwrap_or_default(), name);
    for ((place, metric), short) in all.into_iter().zip(names) {
        let line = format!(
            "{:>4}  {}  {}  {}  {}",
            place + 1,
            styled(&padded(&short, name, Side::Left), STRONG),
            padded(layer(metric.metric.layer), LAYER, Side::Left),
            padded(&words::q_value(metric.q_value), Q, Side::Left),
            sparkline(&metric.outline),
        );
        let _ = writeln!(text, "{}", line.trim_end());
        let said = words::says(metric, explanation, shown.time_unit);
        push_wrapped(text, &said, INDENT, FAINT, shown.width);
        if let Some(copies) = copies(explanation, place, shown.detail) {
            push_wrapped(text, &copies, INDENT, FAINT, shown.width);
        }
    }
}

/// The metrics to show with their places: near copies are folded into the first of them.
fn rows<'a>(explanation: &'a Explanation, shown: &Shown) -> Vec<(usize, &'a Ranked)> {
    let all = explanation.ranking.iter().enumerate();
    all.filter(|(_, metric)| metric.copy_of.is_none()).take(shown.top).collect()
}

fn head(text: &mut String, explanation: &Explanation, target: &str, name: usize) {
    let line = format!(
        "   #  {}  {}  {}  {}",
        padded("metric", name, Side::Left),
        padded("layer", LAYER, Side::Left),
        padded("q", Q, Side::Left),
        marks(explanation),
    );
    let _ = writeln!(text, "{}", styled(line.trim_end(), FAINT));
    let target = format!(
        "{INDENT}{}  {}  {}  {}",
        padded(target, name, Side::Left),
        padded(layer(explanation.target.metric.layer), LAYER, Side::Left),
        padded("", Q, Side::Left),
        sparkline(&explanation.target.outline),
    );
    let _ = writeln!(text, "{}", target.trim_end());
}

/// Where the windows are in the pictures: "      ├──────────────┤".
fn marks(explanation: &Explanation) -> String {
    let outline = explanation.outline;
    let window = match outline.within {
        0 => String::new(),
        1 => "│".to_string(),
        within => format!("├{}┤", "─".repeat(within - 2)),
    };
    format!("{}{window}", " ".repeat(outline.before))
}

fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::Hardware => "hw",
        Layer::Os => "os",
        Layer::Vm => "vm",
        Layer::Application => "app",
    }
}

/// "near copies: a, b, c".
fn copies(explanation: &Explanation, place: usize, detail: Detail) -> Option<String> {
    let copies: Vec<String> = explanation
        .ranking
        .iter()
        .filter(|metric| metric.copy_of == Some(place))
        .map(|metric| visible(&metric.metric.name))
        .collect();
    let listed = if detail == Detail::Everything { copies.len() } else { LISTED };
    let more = match copies.len().saturating_sub(listed) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let noun = if copies.len() == 1 { "near copy" } else { "near copies" };
    let names = copies.iter().take(listed).map(String::as_str).collect::<Vec<_>>().join(", ");
    (!copies.is_empty()).then(|| format!("{noun}: {names}{more}"))
}
