//! A row per function: its time, a bar, and what else is known.

use super::executions_note::is_over_executions;
use super::without;
use crate::rate::rate_of;
use fathom_analyze::{AllocationsPerCall, CallTiming, Estimate, Subject};
use fathom_record::Unit;
use fathom_render::known;
use fathom_render::layout::{Side, columns, padded, visible};
use fathom_render::quantity::quick;
use fathom_render::short_names::shortened_apart;
use fathom_render::{Rounding, Scale, View};

const NAME: usize = 28;
const BAR: usize = 10;
/// There are enough batches for an interval with more digits than anybody reads.
const DIGITS: i32 = 4;

/// Rows over one scale of bars.
pub(super) fn rows(
    subjects: &[&Subject],
    prefix: &str,
    view: &View,
    width: usize,
    tail: impl Fn(&Subject) -> String,
) -> Vec<String> {
    let names: Vec<String> =
        subjects.iter().map(|one| visible(without(one.series.name(), prefix))).collect();
    let cells: Vec<[String; 4]> = subjects
        .iter()
        .zip(shortened_apart(&names, NAME))
        .map(|(subject, name)| {
            let [time, ends] = times(subject, view);
            [name, time, ends, tail(subject)]
        })
        .collect();
    let widest = |column: usize| cells.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2)];
    let largest = subjects.iter().map(|subject| median(subject)).fold(0.0, f64::max);
    let mut rows = Vec::new();
    for (subject, [name, time, ends, tail]) in subjects.iter().zip(cells.iter()) {
        let mut row = format!(
            "  {}  {}  {}  {}",
            padded(name, widths[0], Side::Left),
            padded(time, widths[1], Side::Right),
            padded(ends, widths[2], Side::Left),
            padded(&bar(median(subject), largest), BAR, Side::Left),
        );
        let start = columns(&row) + 2;
        if start + columns(tail) <= width {
            row.push_str(&format!("  {tail}"));
        } else if !tail.is_empty() {
            // It does not fit on the same line; below it does.
            row = format!("{}\n{}{tail}", row.trim_end(), " ".repeat(4 + widths[0]));
        }
        rows.push(format!("{}\n", row.trim_end()));
    }
    rows
}

fn scale_of(subject: &Subject, estimate: &Estimate, view: &View) -> Scale {
    Scale::new(subject.series.unit(), estimate.value, view.time_unit)
        .for_interval(estimate.value, estimate.interval())
        .with_at_most(DIGITS, estimate.value)
}

/// The median as a row shows it.
pub(super) fn shown(subject: &Subject, view: &View) -> Option<f64> {
    let estimate = subject.estimates.first()?;
    Some(scale_of(subject, estimate, view).as_shown(estimate.value))
}

/// "12.43 ns" and "(12.41 to 12.46)".
fn times(subject: &Subject, view: &View) -> [String; 2] {
    let is_zero = subject.function.as_ref().is_some_and(|function| function.is_zero);
    let Some(estimate) = subject.estimates.first().filter(|_| !is_zero) else {
        return ["zero".to_string(), String::new()];
    };
    let scale = scale_of(subject, estimate, view);
    let ends = known::ends(estimate, &scale, false);
    // Of executions it is said once, below all of them.
    let is_conditional = estimate.if_independent && !is_over_executions(subject);
    let condition = known::brief_condition(is_conditional);
    [scale.with_unit(estimate.value, Rounding::Nearest), format!("({ends}{condition})")]
}

/// "latency  805 MB/s  2 allocs, 48 B".
pub(super) fn facts(subject: &Subject) -> String {
    let timing = subject.function.as_ref().and_then(|function| function.timing);
    let latency = timing.filter(|timing| *timing == CallTiming::Latency);
    let mut parts: Vec<String> = latency.map(|one| one.name().to_string()).into_iter().collect();
    parts.extend(rate_of(subject));
    let asked = subject.function.as_ref().and_then(|function| function.allocations);
    parts.extend(asked.map(allocations));
    parts.join("  ")
}

/// "2 allocs, 48 B" per call; what is rarer than one in ten calls, or was not seen, of all of them.
fn allocations(asked: AllocationsPerCall) -> String {
    const RARE: f64 = 0.1;
    let of_calls = match asked.calls {
        Some(1) => "1 call".to_string(),
        Some(calls) => format!("{calls} calls"),
        None => "the counted calls".to_string(),
    };
    if asked.count <= 0.0 {
        return format!("no allocs in {of_calls}");
    }
    let count = match asked.calls {
        Some(calls) if asked.count < RARE => {
            let total = asked.count * calls as f64;
            let plural = if total < 1.5 { "alloc" } else { "allocs" };
            return format!("{total:.0} {plural} in {of_calls}");
        }
        _ => format!("{:.1}", asked.count),
    };
    let count = count.trim_end_matches(".0");
    let plural = if count == "1" { "alloc" } else { "allocs" };
    let bytes = if asked.bytes < 1024.0 {
        format!("{:.0} B", asked.bytes)
    } else {
        quick(asked.bytes, &Unit::Bytes)
    };
    format!("{count} {plural}, {bytes}")
}

/// What the bar shows: nothing for a function that was optimised away.
fn median(subject: &Subject) -> f64 {
    let is_zero = subject.function.as_ref().is_some_and(|function| function.is_zero);
    subject.estimates.first().filter(|_| !is_zero).map_or(0.0, |estimate| estimate.value)
}

/// A bar of eighths of a column.
fn bar(value: f64, largest: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if largest <= 0.0 || !value.is_finite() {
        return String::new();
    }
    let eighths = (8.0 * BAR as f64 * value / largest).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!(bar(1.0, 1.0), "█".repeat(10));
        assert_eq!(bar(0.5, 1.0), "█".repeat(5));
        assert_eq!(bar(0.0125, 1.0), "▏");
        assert_eq!(bar(1.0, 0.0), "");
    }

    #[test]
    fn allocations_say_of_how_many_calls_they_are_unless_every_call_has_some() {
        let said = |count, bytes, calls| allocations(AllocationsPerCall { count, bytes, calls });
        assert_eq!(said(2.0, 48.0, Some(10_000)), "2 allocs, 48 B");
        assert_eq!(said(1.0, 4096.0, None), "1 alloc, 4.000 KiB");
        assert_eq!(said(0.0, 0.0, Some(10_000)), "no allocs in 10000 calls");
        assert_eq!(said(0.0, 0.0, Some(1)), "no allocs in 1 call");
        assert_eq!(said(0.0, 0.0, None), "no allocs in the counted calls");
        assert_eq!(said(0.0013, 1.0, Some(10_000)), "13 allocs in 10000 calls");
        assert_eq!(said(0.0001, 1.0, Some(10_000)), "1 alloc in 10000 calls");
        assert_eq!(said(0.099, 1.0, Some(1000)), "99 allocs in 1000 calls");
        assert_eq!(said(0.1, 1.0, Some(1000)), "0.1 allocs, 1 B");
        assert_eq!(said(0.05, 1.0, None), "0.1 allocs, 1 B");
        assert_eq!(said(1.5, 1023.0, Some(10)), "1.5 allocs, 1023 B");
        assert_eq!(said(1.0, 1024.0, Some(10)), "1 alloc, 1.000 KiB");
    }
}
