//! A folder of traces, for people: runs, how well they were sampled, and every metric.

mod cost;
mod imported;
mod metric_rows;
mod plan;
mod recorded;
mod table;

pub use imported::render_imported;
pub use plan::render_plan;
pub use recorded::render_recorded;
pub use table::table;

use crate::Detail;
use crate::layout::{FAINT, STRONG, WARNING, push_wrapped, shortened, visible};
use crate::quantity::{Scale, quick};
use crate::{core_share, plural};
use fathom_analyze::traces::TraceRunSummary;
use fathom_record::Ending;
use fathom_record::trace::{Layer, Manifest, SamplerEntry};
use fathom_record::{Span, TimeUnit, Unit};

/// The page of a folder in `width` columns.
#[must_use]
pub fn render(
    manifest: &Manifest,
    runs: &[TraceRunSummary],
    detail: Detail,
    unit: Option<TimeUnit>,
    width: usize,
) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &sentence(manifest, runs), "", STRONG, width);
    if detail == Detail::Answer {
        return text;
    }
    for summary in runs {
        text.push('\n');
        push_wrapped(&mut text, &headline(summary), "", STRONG, width);
        for sampler in &summary.run.samplers {
            push_wrapped(&mut text, &sampler_line(sampler), "  ", FAINT, width);
            if detail == Detail::Everything {
                for line in cost::lines(sampler) {
                    push_wrapped(&mut text, &line, "    ", FAINT, width);
                }
            }
        }
        for note in &summary.run.notes {
            push_wrapped(&mut text, &format!("note: {}", visible(note)), "  ", WARNING, width);
        }
        metric_rows::push(&mut text, &summary.summaries, detail == Detail::Everything, unit, width);
    }
    text
}

/// "184 metrics of `java ...` in 2 runs: 61 os, 104 vm, 19 application."
fn sentence(manifest: &Manifest, shown: &[TraceRunSummary]) -> String {
    let count = manifest.metrics.len();
    let of = match manifest.command.as_slice() {
        [] => String::new(),
        words => format!(" of {}", shortened(&visible(&words.join(" ")), 50)),
    };
    let layers = layers(manifest);
    let shown = match manifest.runs.len() {
        runs if runs == shown.len() => plural(runs, "run"),
        runs => format!("{}, {} of them shown", plural(runs, "run"), shown.len()),
    };
    let layers = match layers.is_empty() {
        true => String::new(),
        false => format!(": {}", layers.join(", ")),
    };
    format!("{}{of} in {shown}{layers}.", plural(count, "metric"))
}

/// "61 os", "104 vm": how many metrics each layer has, the lowest layer first.
fn layers(manifest: &Manifest) -> Vec<String> {
    let in_layer = |layer: Layer| {
        let here = manifest.metrics.iter().filter(|metric| metric.layer == layer).count();
        (here > 0).then(|| format!("{here} {layer}"))
    };
    Layer::ALL.into_iter().filter_map(in_layer).collect()
}

/// "run-1: process, 12.41 s".
fn headline(summary: &TraceRunSummary) -> String {
    let length = duration(summary.length);
    let ending = match (summary.run.ended, summary.run.ending) {
        (None, _) => ", cut off: recording did not finish".to_string(),
        (Some(_), None | Some(Ending::Exited(0))) => String::new(),
        (Some(_), Some(ending)) => format!(", {}", ending.in_words(None)),
    };
    format!("{}: {}, {length}{ending}", visible(&summary.run.id), visible(&summary.run.group))
}

/// "fast: 1242 samples every 10 ms, late by 0.05 ms (median), at most 2.1 ms; 0.6% of a core".
fn sampler_line(sampler: &SamplerEntry) -> String {
    let mut parts = Vec::new();
    match sampler.interval {
        Some(interval) => {
            let interval = interval_words(interval);
            parts.push(format!("{} every {interval}", plural(sampler.rows, "sample")));
        }
        None => parts.push(plural(sampler.rows, "row")),
    }
    // The first sample is never late.
    if let Some([median, _, worst]) = sampler.lateness.filter(|_| sampler.rows > 1) {
        parts.push(format!("late by {} (median), at most {}", duration(median), duration(worst)));
    }
    if sampler.missed > 0 {
        parts.push(format!("{} missed", sampler.missed));
    }
    if let Some(share) =
        sampler.cpu_share.filter(|_| sampler.interval.is_none() || sampler.rows > 9)
    {
        parts.push(core_share(share));
    }
    format!("{}: {}", visible(&sampler.name), parts.join(", "))
}

/// A length of time in a unit that fits.
fn duration(span: Span) -> String {
    quick(span.nanoseconds_f64(), &Unit::Time(TimeUnit::Nanoseconds))
}

/// An interval as people write it: "10 ms", not "10.00 ms".
fn interval_words(interval: Span) -> String {
    let value = interval.nanoseconds_f64();
    let scale = Scale::new(&Unit::Time(TimeUnit::Nanoseconds), value, None);
    format!("{} {}", scale.own_digits(value), scale.symbol())
}
