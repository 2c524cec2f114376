//! A line per metric: what it was, how far it went, what it looked like over time.

use super::duration;
use crate::layout::{FAINT, Side, columns, padded, push_wrapped, shortened, styled, visible};
use crate::picture::sparkline;
use crate::plural;
use crate::quantity::Scale;
use crate::short_names::shortened_apart;
use fathom_analyze::traces::{MetricSummary, SHAPE_STRETCHES};
use fathom_record::TimeUnit;
use fathom_record::trace::Kind;
use std::collections::HashMap;
use std::fmt::Write;

/// Names that are listed of those that are left out.
const LISTED: usize = 6;

/// Appends the metrics of a run, by probe.
pub(super) fn push(
    text: &mut String,
    summaries: &[MetricSummary],
    everything: bool,
    unit: Option<TimeUnit>,
    width: usize,
) {
    let is_shown =
        |summary: &&MetricSummary| everything || (summary.seen > 0 && !summary.is_constant);
    let shown: Vec<&MetricSummary> = summaries.iter().filter(is_shown).collect();
    let rows: Vec<Row> = shown.iter().map(|summary| Row::of(summary, unit)).collect();
    let widest = |cell: fn(&Row) -> &str| rows.iter().map(|row| columns(cell(row))).max();
    let mean = widest(|row| &row.mean).unwrap_or(0).min(16);
    let range = widest(|row| &row.range).unwrap_or(0).min(28);
    let used = 4 + mean + 2 + range + 2 + SHAPE_STRETCHES + 2;
    let name = widest(|row| &row.name).unwrap_or(0).min(width.saturating_sub(used)).max(12);
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let mut above = None;
    for ((summary, row), short) in shown.iter().zip(&rows).zip(endings(&names, name)) {
        let (probe, layer) = (summary.metric.probe.as_str(), summary.metric.layer);
        if above.replace((probe, layer)) != Some((probe, layer)) {
            let head = format!("{} ({layer})", visible(probe));
            let _ = writeln!(text, "\n  {}", styled(&head, FAINT));
        }
        let line = format!(
            "    {}  {}  {}  {}  {}",
            padded(&short, name, Side::Left),
            padded(&row.mean, mean, Side::Right),
            padded(&row.range, range, Side::Left),
            padded(&row.shape, SHAPE_STRETCHES, Side::Left),
            row.gaps,
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if !everything {
        push_left_out(text, summaries, width);
    }
}

/// Names in at most `most` columns, each as [`ending`] cuts it unless another would look the same.
fn endings(names: &[String], most: usize) -> Vec<String> {
    let apart = shortened_apart(names, most);
    let short: Vec<String> = names.iter().map(|name| ending(name, most)).collect();
    let mut times: HashMap<&String, usize> = HashMap::new();
    short.iter().for_each(|text| *times.entry(text).or_default() += 1);
    let is_alone = |text: &String| times.get(text) == Some(&1);
    let pairs = short.iter().zip(apart);
    pairs.map(|(short, apart)| if is_alone(short) { short.clone() } else { apart }).collect()
}

/// A name in at most `most` columns. Names of one probe begin alike, so a long one keeps its end; one
/// with labels ends as others do, so it keeps both.
fn ending(name: &str, most: usize) -> String {
    if columns(name) <= most || name.contains('{') {
        return shortened(name, most);
    }
    let mut kept: Vec<char> = Vec::new();
    for letter in name.chars().rev() {
        kept.push(letter);
        if columns(&kept.iter().collect::<String>()) >= most {
            kept.pop();
            break;
        }
    }
    std::iter::once('…').chain(kept.into_iter().rev()).collect()
}

/// Those that say nothing about time, by name as far as there is room.
fn push_left_out(text: &mut String, summaries: &[MetricSummary], width: usize) {
    let constant = names(summaries, |summary| summary.seen > 0 && summary.is_constant);
    let empty = names(summaries, |summary| summary.seen == 0);
    let parts = [(constant, "never changed"), (empty, "had no values")];
    let mut is_first = true;
    for (names, what) in parts.iter().filter(|(names, _)| !names.is_empty()) {
        if std::mem::take(&mut is_first) {
            text.push('\n');
        }
        let more = match names.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(", and {more} more (-v)"),
        };
        let listed: Vec<String> = names.iter().take(LISTED).map(|name| visible(name)).collect();
        let line = format!("{} {what}: {}{more}", plural(names.len(), "metric"), listed.join(", "));
        push_wrapped(text, &line, "  ", FAINT, width);
    }
}

fn names(summaries: &[MetricSummary], is_one: fn(&MetricSummary) -> bool) -> Vec<&str> {
    let those = summaries.iter().filter(|summary| is_one(summary));
    those.map(|summary| summary.metric.name.as_str()).collect()
}

struct Row {
    name: String,
    mean: String,
    range: String,
    shape: String,
    gaps: String,
}

impl Row {
    fn of(summary: &MetricSummary, unit: Option<TimeUnit>) -> Row {
        let metric = &summary.metric;
        let short = metric.name.strip_prefix(&metric.probe).and_then(|rest| rest.strip_prefix('.'));
        let typical = summary.range.map_or(0.0, |(low, high)| low.abs().max(high.abs()));
        let typical = summary.mean.filter(|mean| *mean != 0.0).unwrap_or(typical);
        let scale = Scale::prefixed(&metric.unit, typical, unit);
        let per = if metric.kind == Kind::Gauge { "" } else { "/s" };
        let mean = summary.mean.map_or("-".to_string(), |mean| {
            let number = scale.own_digits(mean);
            match scale.symbol() {
                "" => format!("{number}{per}"),
                symbol => format!("{number} {symbol}{per}"),
            }
        });
        // Of events the range is of amounts, not of amounts per second.
        let range = summary.range.map_or(String::new(), |(low, high)| {
            // What rounding leaves of 0 is 0.
            let whole = |value: f64| {
                if value.abs() < 1e-9 * low.abs().max(high.abs()) { 0.0 } else { value }
            };
            let (low, high) = (whole(low), whole(high));
            format!("{} to {}", scale.own_digits(low), scale.own_digits(high))
        });
        Row {
            name: visible(short.unwrap_or(&metric.name)),
            mean,
            range,
            shape: sparkline(&summary.shape),
            gaps: gaps(summary),
        }
    }
}

/// "2 gaps, up to 0.3 s", "3 resets".
fn gaps(summary: &MetricSummary) -> String {
    let mut parts = Vec::new();
    if let Some(longest) = summary.longest_gap() {
        parts.push(format!("{}, up to {}", plural(summary.gaps.len(), "gap"), duration(longest)));
    }
    if summary.resets > 0 {
        parts.push(plural(summary.resets, "reset"));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_their_end_and_fit() {
        assert_eq!(ending("sun.gc.generation.0.used", 24), "sun.gc.generation.0.used");
        assert_eq!(ending("sun.gc.generation.0.used", 10), "…on.0.used");
        assert_eq!(ending("漢字漢字", 4), "…字");
        for most in 1..9 {
            assert!(columns(&ending("漢字漢字", most)) <= most, "{most}");
        }
        assert_eq!(ending("load{job=\"node\"}", 10), "load{…de\"}");
    }
}
