//! A folder of traces, for people: runs, how well they were sampled, and every metric.

mod cost;
mod imported;
mod metric_rows;
mod plan;
mod recorded;
mod table;

pub(crate) use cost::{core_share, per_sample};
pub(crate) use fathom_engine::traces::RunPage;
pub(crate) use imported::render_imported;
pub(crate) use plan::render_plan;
pub(crate) use recorded::{Recorded, render_recorded};
pub(crate) use table::table;

use fathom_measure::how;
use fathom_record::Ending;
use fathom_record::trace::{Layer, Manifest, SamplerEntry};
use fathom_record::{Span, TimeUnit, Unit};
use fathom_render::Detail;
use fathom_render::layout::{FAINT, STRONG, WARNING, push_wrapped, shortened, visible};
use fathom_render::quantity::{Scale, quick};

/// The page of a folder in `width` columns.
pub(crate) fn render(
    manifest: &Manifest,
    pages: &[RunPage],
    detail: Detail,
    unit: Option<TimeUnit>,
    width: usize,
) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &sentence(manifest, pages), "", STRONG, width);
    if detail == Detail::Answer {
        return text;
    }
    for page in pages {
        text.push('\n');
        push_wrapped(&mut text, &headline(page), "", STRONG, width);
        for sampler in &page.run.samplers {
            push_wrapped(&mut text, &sampler_line(sampler), "  ", FAINT, width);
            if detail == Detail::Everything {
                for line in cost::lines(sampler) {
                    push_wrapped(&mut text, &line, "    ", FAINT, width);
                }
            }
        }
        for note in &page.run.notes {
            push_wrapped(&mut text, &format!("note: {}", visible(note)), "  ", WARNING, width);
        }
        metric_rows::push(&mut text, &page.summaries, detail == Detail::Everything, unit, width);
    }
    text
}

/// "184 metrics of `java ...` in 2 runs: 61 os, 104 vm, 19 application."
fn sentence(manifest: &Manifest, pages: &[RunPage]) -> String {
    let count = manifest.metrics.len();
    let of = match manifest.command.as_slice() {
        [] => String::new(),
        words => format!(" of {}", shortened(&visible(&words.join(" ")), 50)),
    };
    let in_layer = |layer: Layer| {
        let here = manifest.metrics.iter().filter(|metric| metric.layer == layer).count();
        (here > 0).then(|| format!("{here} {layer}"))
    };
    let layers: Vec<String> = Layer::ALL.into_iter().filter_map(in_layer).collect();
    let shown = match manifest.runs.len() {
        runs if runs == pages.len() => plural(runs, "run"),
        runs => format!("{}, {} of them shown", plural(runs, "run"), pages.len()),
    };
    let layers = match layers.is_empty() {
        true => String::new(),
        false => format!(": {}", layers.join(", ")),
    };
    format!("{}{of} in {shown}{layers}.", plural(count, "metric"))
}

/// "run-1: process, 12.41 s".
fn headline(page: &RunPage) -> String {
    let length = duration(page.length);
    let ending = match (page.run.ended, page.run.ending) {
        (None, _) => ", cut off: recording did not finish".to_string(),
        (Some(_), None | Some(Ending::Exited(0))) => String::new(),
        (Some(_), Some(ending)) => format!(", {}", how(ending, None)),
    };
    format!("{}: {}, {length}{ending}", visible(&page.run.id), visible(&page.run.group))
}

/// "fast: 1242 samples every 10 ms, late by 0.05 ms (median), at most 2.1 ms; 0.6% of a core".
pub(crate) fn sampler_line(sampler: &SamplerEntry) -> String {
    let mut parts = Vec::new();
    match sampler.interval {
        Some(interval) => {
            let interval = interval_words(interval);
            parts.push(format!("{} every {interval}", counted(sampler.rows, "sample")));
        }
        None => parts.push(counted(sampler.rows, "row")),
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
pub(crate) fn duration(span: Span) -> String {
    quick(span.nanoseconds_f64(), &Unit::Time(TimeUnit::Nanoseconds))
}

/// An interval as people write it: "10 ms", not "10.00 ms".
pub(crate) fn interval_words(interval: Span) -> String {
    let value = interval.nanoseconds_f64();
    let scale = Scale::new(&Unit::Time(TimeUnit::Nanoseconds), value, None);
    format!("{} {}", scale.own_digits(value), scale.symbol())
}

/// "1 run", "2 runs".
pub(crate) fn plural(count: usize, noun: &str) -> String {
    counted(u64::try_from(count).unwrap_or(u64::MAX), noun)
}

fn counted(count: u64, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{end}")
}
