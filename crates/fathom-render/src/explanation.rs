//! What `fathom explain` found, for people: a page, a table, and their words.

mod alignment;
mod answer;
mod rows;
mod suggestions;
mod table;
mod words;

use crate::Detail;
pub use answer::stands_out;
pub use suggestions::{Proposed, proposed_table, render_suggestions};
pub use table::table;
pub(crate) use words::rises;
pub use words::{q_value as q_words, says};

use crate::layout::{FAINT, STRONG, push_warning, push_wrapped, visible};
use crate::quantity::Scale;
use fathom_explain::onset::OrderBy;
use fathom_explain::{Correlator, Explanation, Stretch};
use fathom_record::{TimeUnit, Timestamp, Unit};

/// How it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// How much of it.
    pub detail: Detail,
    /// In columns.
    pub width: usize,
    /// The unit of times, if one was chosen.
    pub time_unit: Option<TimeUnit>,
    /// How many metrics.
    pub top: usize,
    /// When the run's times begin, if windows were typed as times since 1970.
    pub origin: Option<Timestamp>,
    /// How many minutes local time is ahead of UTC at a moment, in seconds since 1970, if times are
    /// shown as dates and times of day.
    pub local_time: Option<fn(i64) -> i64>,
}

/// q below this is significant.
pub const STANDS_OUT: f64 = 0.05;

/// The page of an explanation.
#[must_use]
pub fn render(explanation: &Explanation, shown: &Shown) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &sentence(explanation, shown), "", STRONG, shown.width);
    if shown.detail == Detail::Answer {
        for (place, metric) in first(explanation, shown.top.min(3)) {
            let said = words::says(metric, explanation, shown.time_unit);
            let line = format!("{}. {}: {said}", place + 1, visible(&metric.metric.name));
            push_wrapped(&mut text, &line, "  ", FAINT, shown.width);
        }
        return text;
    }
    text.push('\n');
    rows::push(&mut text, explanation, shown);
    text.push('\n');
    for line in foot(explanation, shown) {
        push_wrapped(&mut text, &line, "  ", FAINT, shown.width);
    }
    if shown.detail == Detail::Everything {
        for line in alignment::every_run(explanation, shown.time_unit) {
            push_wrapped(&mut text, &line, "  ", FAINT, shown.width);
        }
        for line in left_out(explanation) {
            push_wrapped(&mut text, &line, "  ", FAINT, shown.width);
        }
    }
    for warning in alignment::warnings(explanation, shown.detail) {
        push_warning(&mut text, &warning, shown.width);
    }
    for note in &explanation.notes {
        push_wrapped(&mut text, &format!("note: {}", visible(note)), "  ", FAINT, shown.width);
    }
    text
}

fn first(
    explanation: &Explanation,
    count: usize,
) -> impl Iterator<Item = (usize, &fathom_explain::Ranked)> {
    let all = explanation.ranking.iter().enumerate();
    all.filter(|(_, metric)| metric.copy_of.is_none()).take(count)
}

/// "latency rises 38% between 12.4 s and 14.1 s of run-1 (aligned in 8 of 8 runs). Significant: 5 of
/// 271 metrics (q < .05). Start with:"
#[must_use]
pub fn sentence(explanation: &Explanation, shown: &Shown) -> String {
    let target = visible(&explanation.target.metric.name);
    let verb = match &explanation.target.change {
        Some(change) => words::does(change),
        None => "has no measured change".to_string(),
    };
    let windows = windows(&explanation.target.windows, shown);
    let runs = match explanation.runs.len() {
        1 => String::new(),
        _ => {
            let run = explanation.runs.get(explanation.reference);
            let run = run.map_or(String::new(), |run| visible(&run.aligned.run));
            format!(" of {run} ({})", alignment::summary(explanation))
        }
    };
    format!("{target} {verb} {windows}{runs}. {}", answer::answer(explanation))
}

/// "between 12.4 s and 14.1 s, and between 20 s and 21 s".
fn windows(windows: &[Stretch], shown: &Shown) -> String {
    let words = |one: &Stretch| {
        let [start, end] = [one.start, one.end].map(|time| moment(time, shown));
        format!("between {start} and {end}")
    };
    let all: Vec<String> = windows.iter().map(words).collect();
    match all.as_slice() {
        [] => "in no window".to_string(),
        [one] => one.clone(),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}

/// A moment of the run; as a time since 1970 where the file has such times.
pub(super) fn moment(time: Timestamp, shown: &Shown) -> String {
    match shown.origin {
        Some(origin) => {
            let since = time.absolute_from(origin).nanoseconds();
            if let Some(ahead) = shown.local_time {
                return local(since, ahead);
            }
            let (seconds, rest) =
                (since.div_euclid(1_000_000_000), since.rem_euclid(1_000_000_000));
            match rest {
                0 => format!("{seconds}"),
                rest => format!("{seconds}.{}", format!("{rest:09}").trim_end_matches('0')),
            }
        }
        None => time_words(time.nanoseconds_f64(), shown.time_unit),
    }
}

/// "2026-11-16 14:02:30", of nanoseconds since 1970.
fn local(since: i64, ahead: fn(i64) -> i64) -> String {
    const SECOND: i64 = 1_000_000_000;
    let there = since.saturating_add(ahead(since.div_euclid(SECOND)).saturating_mul(60 * SECOND));
    let seconds = u64::try_from(there.div_euclid(SECOND)).unwrap_or_default();
    let text = fathom_record::utc(seconds).replace('T', " ");
    let text = text.trim_end_matches('Z');
    match there.rem_euclid(SECOND) / 1_000_000 {
        0 => text.to_string(),
        rest => format!("{text}.{}", format!("{rest:03}").trim_end_matches('0')),
    }
}

/// "12.4 s", of nanoseconds.
pub(crate) fn time_words(value: f64, unit: Option<TimeUnit>) -> String {
    let unit = unit.or((value == 0.0).then_some(TimeUnit::Seconds));
    let scale = Scale::new(&Unit::Time(TimeUnit::Nanoseconds), value, unit);
    format!("{} {}", scale.own_digits(value), scale.symbol())
}

fn foot(explanation: &Explanation, shown: &Shown) -> Vec<String> {
    let mut lines = Vec::new();
    let excluded = explanation.excluded.len();
    let copies = explanation.ranking.iter().filter(|metric| metric.copy_of.is_some()).count();
    let all = explanation.ranking.len() + excluded;
    let mut parts = vec![format!("{all} {}", if all == 1 { "metric" } else { "metrics" })];
    if excluded > 0 {
        parts.push(format!("{excluded} excluded as constant or empty"));
    }
    if copies > 0 {
        parts.push(format!("{copies} near {} folded", if copies == 1 { "copy" } else { "copies" }));
    }
    let more = if excluded + copies > 0 && shown.detail == Detail::Usual { " (-v)" } else { "" };
    lines.push(format!("{}{more}", parts.join("; ")));
    if let Some(baseline) = &explanation.target.baseline {
        let [start, end] = [baseline.start, baseline.end].map(|time| moment(time, shown));
        lines.push(format!(
            "baseline {start} to {end}; sigma is the typical change between periods as long as the \
             window"
        ));
    }
    if explanation.request.order == OrderBy::Onset {
        lines.push("in the order in which they moved; intervals have 95% confidence".to_string());
    } else if let Some(line) = moved_first(explanation, shown) {
        lines.push(line);
    }
    if explanation.request.correlator != Correlator::Combined {
        lines.push(format!("ranked by {}", explanation.request.correlator));
    }
    lines
}

/// "first to move: gc.pause_ms, 350 ms (300 ms to 450 ms) before the target (--by onset)", of those that
/// are sure.
fn moved_first(explanation: &Explanation, shown: &Shown) -> Option<String> {
    let sure = explanation.ranking.iter().filter(|one| stands_out(explanation, one));
    let leading = sure.filter_map(|one| Some((one, one.lead.filter(|lead| lead.low > 0.0)?)));
    let (first, lead) = leading.max_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds))?;
    let moved = words::moved(&lead, shown.time_unit);
    Some(format!("first to move: {}, which {moved} (--by onset)", visible(&first.metric.name)))
}

fn left_out(explanation: &Explanation) -> Vec<String> {
    let excluded = explanation
        .excluded
        .iter()
        .map(|one| format!("excluded: {}, {}", visible(&one.metric.name), one.reason));
    let silent = explanation
        .silent
        .iter()
        .map(|(correlator, why)| format!("{correlator} not available: {why}"));
    excluded.chain(silent).collect()
}
