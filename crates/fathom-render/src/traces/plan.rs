//! What would be recorded, and what it would cost.

use super::cost::per_sample;
use super::interval_words;
use crate::layout::{
    FAINT, STRONG, Side, padded, push_warning, push_wrapped, shortened, styled, visible, widths,
};
use crate::{Detail, core_share, plural};
use fathom_record::trace::{Layer, PlannedProbe, PlannedRun, PlannedSampler, RecordingPlan};
use std::fmt::Write;

/// The page of a plan in `width` columns; `whom` is recorded.
#[must_use]
pub fn render_plan(plan: &RecordingPlan, whom: &str, detail: Detail, width: usize) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &sentence(plan, whom), "", STRONG, width);
    if detail == Detail::Answer {
        return text;
    }
    // A group that is repeated is described once.
    for (n, run) in plan.runs.iter().enumerate() {
        let first = plan.runs.iter().position(|earlier| earlier.group == run.group);
        text.push('\n');
        let head = format!("{}: {}, {}", run.id, visible(&run.group), core_share(run.share()));
        match first {
            Some(first) if first < n => {
                let line = format!("{head}, same as {}", plan.runs[first].id);
                push_wrapped(&mut text, &line, "", STRONG, width);
            }
            _ => {
                push_wrapped(&mut text, &head, "", STRONG, width);
                push_probes(&mut text, run, detail, width);
            }
        }
    }
    if !plan.unavailable.is_empty() {
        text.push('\n');
    }
    for (name, reason) in &plan.unavailable {
        let line = format!("not recorded: {name}: {}", visible(reason));
        push_wrapped(&mut text, &line, "  ", FAINT, width);
    }
    for warning in &plan.warnings {
        push_warning(&mut text, &visible(warning), width);
    }
    text
}

/// "Would record 142 metrics of `sort` (os 142) in 2 runs, every 10 ms, ...".
fn sentence(plan: &RecordingPlan, whom: &str) -> String {
    let layers = plan.metrics_per_layer();
    let count: usize = layers.iter().map(|(_, count)| count).sum();
    let layers: Vec<String> =
        layers.iter().map(|(layer, count)| format!("{count} {layer}")).collect();
    let is_open = plan.runs.iter().flat_map(PlannedRun::probes).any(|(_, probe)| is_unknown(probe));
    let more = if is_open { " and more at run time" } else { "" };
    let interval = interval_words(plan.interval.into());
    let common = match &plan.common {
        Some(common) if plan.runs.len() > 1 => format!(", {} in every run", visible(common)),
        _ => String::new(),
    };
    let layers =
        if layers.is_empty() { String::new() } else { format!(" ({})", layers.join(", ")) };
    format!(
        "Would record {}{layers}{more} of {} in {}, every {interval}{common}.",
        plural(count, "metric"),
        shortened(&visible(whom), 40),
        plural(plan.runs.len(), "run"),
    )
}

/// Whether its metrics show only when the program runs.
fn is_unknown(probe: &PlannedProbe) -> bool {
    probe.metrics.is_empty() && matches!(probe.layer, Layer::Vm | Layer::Application)
}

fn push_probes(text: &mut String, run: &PlannedRun, detail: Detail, width: usize) {
    let rows: Vec<[String; 5]> = run.probes().map(|(sampler, probe)| row(sampler, probe)).collect();
    let widths = widths(&rows);
    for ((_, probe), row) in run.probes().zip(&rows) {
        let cells: Vec<String> = [0, 1, 2, 3]
            .iter()
            .map(|&column| {
                let side = if column == 0 { Side::Left } else { Side::Right };
                padded(&row[column], widths[column], side)
            })
            .collect();
        let line = format!("  {}  {}", cells.join("  "), row[4]);
        let _ = writeln!(text, "{}", line.trim_end());
        if detail == Detail::Everything {
            push_wrapped(text, &visible(&probe.about), "      ", FAINT, width);
            let names: Vec<String> = probe.metrics.iter().map(|one| visible(&one.name)).collect();
            if !names.is_empty() {
                push_wrapped(text, &names.join(", "), "      ", FAINT, width);
            }
        }
    }
}

fn row(sampler: &PlannedSampler, probe: &PlannedProbe) -> [String; 5] {
    let metrics = match probe.metrics.len() {
        0 => "at run time".to_string(),
        count => plural(count, "metric"),
    };
    let (each, share) = match sampler.interval {
        None => (String::new(), String::new()),
        Some(_) => (
            per_sample(probe.cpu_per_sample.nanoseconds_f64()),
            core_share(sampler.share_of(probe)),
        ),
    };
    let every = match sampler.interval {
        Some(interval) if sampler.name != "fast" => {
            styled(&format!("every {}", interval_words(interval.into())), FAINT)
        }
        _ => String::new(),
    };
    [probe.name.clone(), metrics, each, share, every]
}
