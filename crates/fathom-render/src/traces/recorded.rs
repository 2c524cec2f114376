//! What was recorded, right after it was.

use super::{cost, duration, layers, sampler_line};
use crate::layout::{FAINT, STRONG, WARNING, push_warning, push_wrapped, shortened, visible};
use crate::{Detail, core_share, plural};
use fathom_record::Timestamp;
use fathom_record::trace::{Recording, RecordingSummary};

/// A shorter run says nothing about what sampling costs.
const WORTH_A_SHARE: Timestamp = Timestamp::from_nanoseconds(100_000_000);

/// The page of a recording in `width` columns.
#[must_use]
pub fn render_recorded(recording: &Recording, detail: Detail, width: usize) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &sentence(recording), "", STRONG, width);
    if detail == Detail::Answer {
        return text;
    }
    text.push('\n');
    for run in &recording.manifest.runs {
        let length = run.ended.map_or("cut off".to_string(), |end| duration(end - Timestamp::ZERO));
        let share: f64 = run.samplers.iter().filter_map(|sampler| sampler.cpu_share).sum();
        // Of a run that was over at once it would be the cost of beginning.
        let is_long = run.ended.is_some_and(|end| end >= WORTH_A_SHARE);
        let share = if is_long { format!(", {}", core_share(share)) } else { String::new() };
        let head = format!("{}: {}, {length}{share}", run.id, visible(&run.group));
        push_wrapped(&mut text, &head, "  ", STRONG, width);
        // What came of samplers that did not come to their end is not known, but in their files.
        for sampler in run.samplers.iter().filter(|_| run.ended.is_some()) {
            push_wrapped(&mut text, &sampler_line(sampler), "    ", FAINT, width);
            if detail == Detail::Everything {
                for line in cost::lines(sampler) {
                    push_wrapped(&mut text, &line, "      ", FAINT, width);
                }
            }
        }
        for note in &run.notes {
            push_wrapped(&mut text, &format!("note: {}", visible(note)), "    ", WARNING, width);
        }
    }
    let summary = RecordingSummary::of(&recording.manifest);
    let longest = recording.manifest.runs.iter().filter_map(|run| run.ended).max();
    let dearest = summary.probes.first();
    if let Some(dearest) = dearest.filter(|_| longest >= Some(WORTH_A_SHARE)) {
        let cost = cost::in_words(dearest);
        let line = format!("most expensive: {} with {cost}; -v lists all", visible(&dearest.probe));
        push_wrapped(&mut text, &line, "  ", FAINT, width);
    }
    if let Some(advice) = &summary.advice {
        push_warning(&mut text, advice, width);
    }
    let folder = visible(&recording.folder.display().to_string());
    let line = format!("`fathom show {folder}/` shows the metrics");
    push_wrapped(&mut text, &line, "  ", FAINT, width);
    text
}

/// "Recorded 184 metrics of `java ...` (61 os, 104 vm, 19 application) in 2 runs to traces."
fn sentence(recording: &Recording) -> String {
    let manifest = &recording.manifest;
    let layers = layers(manifest);
    let layers =
        if layers.is_empty() { String::new() } else { format!(" ({})", layers.join(", ")) };
    let whom = match manifest.command.as_slice() {
        [] => String::new(),
        words => format!(" of {}", shortened(&visible(&words.join(" ")), 40)),
    };
    let interrupted = recording.outcomes.iter().any(|outcome| outcome.interrupted);
    let until = if interrupted { ", until it was interrupted" } else { "" };
    format!(
        "Recorded {}{layers}{whom} in {} to {}{until}.",
        plural(manifest.metrics.len(), "metric"),
        plural(manifest.runs.len(), "run"),
        visible(&recording.folder.display().to_string()),
    )
}
