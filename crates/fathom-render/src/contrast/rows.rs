//! The metrics: a line each, and the range of both groups below it.

use super::words::{self, LevelScale};
use super::{ShownContrast, shown_metrics};
use crate::Detail;
use crate::explanation::q_words;
use crate::layout::{FAINT, Side, columns, padded, push_wrapped, styled, visible};
use crate::short_names::shortened_apart;
use fathom_explain::contrast::{Contrast, ContrastedMetric, Difference, MetricOrigin};
use std::fmt::Write;

/// Columns before the name: a rank and a space after it.
const INDENT: &str = "      ";
/// Names of groups are cut to this many columns in the head.
const LONGEST_NAME: usize = 14;

pub(super) fn push(text: &mut String, contrast: &Contrast, shown: &ShownContrast) {
    let all: Vec<&ContrastedMetric> = shown_metrics(contrast, shown.top).collect();
    let names: Vec<String> = all.iter().map(|one| visible(&one.metric.name)).collect();
    let cells: Vec<[String; 5]> = all.iter().map(|one| cells(one, shown)).collect();
    let heads: Vec<String> = contrast.names.iter().map(|name| visible(name)).collect();
    let heads = shortened_apart(&heads, LONGEST_NAME);
    let head = |place: usize| heads.get(place).cloned().unwrap_or_default();
    let head = ["where".to_string(), head(0), head(1), "change".to_string(), "p".to_string()];
    let widths: Vec<usize> = (0..head.len())
        .map(|n| cells.iter().chain([&head]).map(|row| columns(&row[n])).max().unwrap_or(0))
        .collect();
    let others: usize = widths.iter().sum::<usize>() + 2 * widths.len();
    let room = shown.width.saturating_sub(INDENT.len() + others).max(10);
    let name = names.iter().map(|name| columns(name)).chain([6]).max().unwrap_or(6).min(room);
    let names = shortened_apart(&names, name);
    let sides = [Side::Left, Side::Right, Side::Right, Side::Right, Side::Left];
    let line = |name_cell: String, row: &[String; 5]| {
        let mut line = name_cell;
        for ((cell, width), side) in row.iter().zip(&widths).zip(sides) {
            line.push_str("  ");
            line.push_str(&padded(cell, *width, side));
        }
        line.trim_end().to_string()
    };
    let title = line(format!("   #  {}", padded("metric", name, Side::Left)), &head);
    let _ = writeln!(text, "{}", styled(&title, FAINT));
    for (place, ((metric, short), row)) in all.iter().zip(&names).zip(&cells).enumerate() {
        let rank = match metric.origin {
            MetricOrigin::SelectedBy => "   -  ".to_string(),
            _ => format!("{:>4}  ", place + 1),
        };
        let named = format!("{rank}{}", padded(short, name, Side::Left));
        let _ = writeln!(text, "{}", line(named, row));
        let more = details(metric, contrast, shown);
        if !more.is_empty() {
            push_wrapped(text, &more, INDENT, FAINT, shown.width);
        }
    }
}

/// Where it differs most, both levels, the change and its p.
fn cells(metric: &ContrastedMetric, shown: &ShownContrast) -> [String; 5] {
    let most = metric.most();
    let scale = LevelScale::new(metric, most, shown.time_unit);
    let [first, second] = most.groups.map(|group| scale.median(group));
    let p = q_words(most.chance.map(|chance| chance.family_p_value));
    [words::place(metric.place()), first, second, words::change(most), p]
}

/// "1.9 to 2.1 ms, 2.9 to 3.1 ms; also phase 3 +20%, whole run +17%".
fn details(metric: &ContrastedMetric, contrast: &Contrast, shown: &ShownContrast) -> String {
    let most = metric.most();
    let scale = LevelScale::new(metric, most, shown.time_unit);
    let mut parts = Vec::new();
    if let [Some(first), Some(second)] = most.groups {
        let range = |spread, name: &String| format!("{} {}", visible(name), scale.range(spread));
        let [one, other] = &contrast.names;
        parts.push(format!("{}, {}", range(first, one), range(second, other)));
    }
    if metric.origin == MetricOrigin::SelectedBy {
        parts.push("runs were divided by it".to_string());
        return parts.join("; ");
    }
    let is_shown = |difference: &Difference| match shown.detail {
        Detail::Everything => difference.change().is_some(),
        _ => difference.is_significant(),
    };
    let here = metric.place();
    let also: Vec<String> = metric
        .differences()
        .filter(|(place, difference)| *place != here && is_shown(difference))
        .map(|(place, difference)| {
            let p = q_words(difference.chance.map(|chance| chance.family_p_value));
            match shown.detail {
                Detail::Everything => {
                    format!("{} {} (p {p})", words::place(place), words::change(difference))
                }
                _ => format!("{} {}", words::place(place), words::change(difference)),
            }
        })
        .collect();
    if !also.is_empty() {
        parts.push(format!("also {}", also.join(", ")));
    }
    parts.join("; ")
}
