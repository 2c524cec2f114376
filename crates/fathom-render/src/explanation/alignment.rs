//! How well runs are aligned.

use super::{Detail, time_words};
use crate::layout::visible;
use fathom_explain::align::Fit;
use fathom_explain::{ExplainedRun, Explanation};
use fathom_record::{Span, TimeUnit};

/// Warnings that are shown before the rest are counted.
const SHOWN: usize = 3;

/// "aligned in 8 of 8 runs".
pub(super) fn summary(explanation: &Explanation) -> String {
    let is_fit = |run: &&ExplainedRun| {
        run.aligned.quality.as_ref().is_none_or(|quality| quality.fit != Fit::Poor)
    };
    let well = explanation.runs.iter().filter(is_fit).count();
    format!("aligned in {well} of {} runs", explanation.runs.len())
}

/// A line per run: "run-2: good fit by requests; window 64.3 s to 81 s, ends ±0.2 s".
pub(super) fn every_run(explanation: &Explanation, unit: Option<TimeUnit>) -> Vec<String> {
    let common = |run: &ExplainedRun| {
        let through = |place: usize, metric: &str, from: &str| match place {
            0 => visible(metric),
            _ => format!("{} through {}", visible(metric), visible(from)),
        };
        let links = run.aligned.links.iter().enumerate();
        let parts: Vec<String> =
            links.map(|(place, link)| through(place, &link.metric, &link.from)).collect();
        parts.join(", then ")
    };
    let line = |run: &ExplainedRun| {
        let aligned = &run.aligned;
        let quality = aligned.quality.as_ref()?;
        let windows: Vec<String> = aligned
            .windows
            .iter()
            .map(|&(start, end)| {
                let [start, end] =
                    [start, end].map(|time| time_words(time.nanoseconds_f64(), unit));
                format!("{start} to {end}")
            })
            .collect();
        let cost = quality
            .relative_cost
            .map_or(String::new(), |cost| format!(", {cost:.2} standard deviations per step"));
        let chance = quality.against_chance.map_or(String::new(), |share| {
            format!(", {:.0}% of the cost expected by chance", share * 100.0)
        });
        let uncertain = match quality.ends_uncertain {
            Span::ZERO => String::new(),
            span => format!(", ends ±{}", time_words(span.nanoseconds_f64(), unit)),
        };
        Some(format!(
            "{}: {} fit by {}{cost}{chance}; window {}{uncertain}",
            visible(&aligned.run),
            quality.fit,
            common(run),
            windows.join(" and "),
        ))
    };
    explanation.runs.iter().filter_map(line).collect()
}

/// What makes alignments doubtful: those of fits that are poor first; a few unless all is wanted.
pub(super) fn warnings(explanation: &Explanation, detail: Detail) -> Vec<String> {
    let mut runs: Vec<&ExplainedRun> = explanation.runs.iter().collect();
    runs.sort_by_key(|run| {
        std::cmp::Reverse(run.aligned.quality.as_ref().map(|quality| quality.fit))
    });
    let all: Vec<String> = runs
        .iter()
        .flat_map(|run| {
            let of_run = move |warning: &String| format!("{}: {warning}", run.aligned.run);
            run.aligned.warnings.iter().map(of_run)
        })
        .map(|warning| visible(&warning))
        .collect();
    let shown = if detail == Detail::Everything { all.len() } else { SHOWN };
    let more = all.len().saturating_sub(shown);
    let mut lines: Vec<String> = all.into_iter().take(shown).collect();
    if more > 0 {
        lines.push(format!("{more} more alignment warnings (-v)"));
    }
    lines
}
