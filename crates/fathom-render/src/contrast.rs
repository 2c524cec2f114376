//! What `fathom explain` found between two groups of runs, for people: a page, a table, and their words.

mod rows;
mod sentence;
mod table;
mod words;

pub use sentence::sentence;
pub use table::contrast_table;

use crate::Detail;
use crate::explanation::time_words;
use crate::layout::{FAINT, STRONG, push_warning, push_wrapped, visible};
use fathom_explain::contrast::{Contrast, ContrastedMetric, RunSide};
use fathom_record::TimeUnit;

/// How it is shown.
#[derive(Debug, Clone, Copy)]
pub struct ShownContrast {
    /// How much of it.
    pub detail: Detail,
    /// In columns.
    pub width: usize,
    /// The unit of times, if one was chosen.
    pub time_unit: Option<TimeUnit>,
    /// How many metrics.
    pub top: usize,
}

/// The page of a contrast.
#[must_use]
pub fn render(contrast: &Contrast, shown: &ShownContrast) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &sentence(contrast), "", STRONG, shown.width);
    if shown.detail == Detail::Answer {
        for (place, metric) in contrast.compared().take(shown.top.min(3)).enumerate() {
            let line = format!("{}. {}", place + 1, words::short(contrast, metric));
            push_wrapped(&mut text, &line, "  ", FAINT, shown.width);
        }
        return text;
    }
    if !contrast.metrics.is_empty() {
        text.push('\n');
        rows::push(&mut text, contrast, shown);
    }
    text.push('\n');
    for line in foot(contrast, shown) {
        push_wrapped(&mut text, &line, "  ", FAINT, shown.width);
    }
    for note in &contrast.notes {
        let note = visible(note);
        if note.contains("poorly by") {
            push_warning(&mut text, &note, shown.width);
        } else {
            push_wrapped(&mut text, &format!("note: {note}"), "  ", FAINT, shown.width);
        }
    }
    text
}

/// The metrics that are shown: those that groups were made by come last.
fn shown_metrics<'c>(
    contrast: &'c Contrast,
    top: usize,
) -> impl Iterator<Item = &'c ContrastedMetric> {
    let selected = contrast.metrics.iter().filter(|one| one.whole.chance.is_none());
    contrast.compared().take(top).chain(selected)
}

fn foot(contrast: &Contrast, shown: &ShownContrast) -> Vec<String> {
    let mut lines = Vec::new();
    let time = |at: fathom_record::Timestamp| time_words(at.nanoseconds_f64(), shown.time_unit);
    let reference = contrast.runs.get(contrast.reference).map_or("", |run| run.run.as_str());
    if let Some(common) = contrast.common.as_ref().filter(|_| !contrast.phases.is_empty()) {
        let phases: Vec<String> = contrast
            .phases
            .iter()
            .enumerate()
            .map(|(n, phase)| format!("{}: {} to {}", n + 1, time(phase.start), time(phase.end)))
            .collect();
        lines.push(format!(
            "phases by {} in {}: {}",
            visible(common),
            visible(reference),
            phases.join("; ")
        ));
    }
    let compared = contrast.compared().count();
    let mut parts = vec![format!("{compared} {} compared", metrics(compared))];
    if contrast.still > 0 {
        parts.push(format!("{} equal in all runs", contrast.still));
    }
    lines.push(parts.join("; "));
    let [first, second] = &contrast.names;
    for (side, name) in [(RunSide::First, first), (RunSide::Second, second)] {
        const SHOWN: usize = 6;
        let of_side = contrast.one_sided.iter().filter(|one| one.side == side);
        let names: Vec<String> = of_side.map(|one| visible(&one.metric)).collect();
        if names.is_empty() {
            continue;
        }
        let more = names.len().saturating_sub(SHOWN);
        let listed = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        lines.push(format!("only in {}: {listed}{more}", visible(name)));
    }
    let (count, are_all) = contrast.divisions;
    let ways = if are_all { "all" } else { "drawn" };
    lines.push(format!(
        "p: how often chance takes any metric so far apart, of {count} ({ways}) ways to divide the runs"
    ));
    if shown.detail == Detail::Everything {
        lines.extend(every_run(contrast, shown));
    }
    lines
}

/// "run-2 (good): good fit; phases end at 40 s, 101 s, 152 s".
fn every_run(contrast: &Contrast, shown: &ShownContrast) -> Vec<String> {
    let time = |at: &fathom_record::Timestamp| time_words(at.nanoseconds_f64(), shown.time_unit);
    contrast
        .runs
        .iter()
        .map(|run| {
            let name = contrast.names.get(usize::from(run.side == RunSide::Second));
            let fit = match run.fit {
                Some(fit) => format!("{fit} fit"),
                None => "the reference".to_string(),
            };
            let ends: Vec<String> = run.moments.iter().skip(1).map(time).collect();
            let ends = match ends.len() {
                0 | 1 => String::new(),
                _ => format!("; phases end at {}", ends.join(", ")),
            };
            let group = name.map_or(String::new(), |name| visible(name));
            match contrast.common {
                Some(_) => format!("{} ({group}): {fit}{ends}", visible(&run.run)),
                None => format!("{} ({group})", visible(&run.run)),
            }
        })
        .collect()
}

fn metrics(count: usize) -> &'static str {
    if count == 1 { "metric" } else { "metrics" }
}
