//! The question of a report, as the page would ask it.

use crate::traces::{Auto, Question, SegmentCount, WireScoreIn};
use fathom_explain::{Explanation, ScoreIn, Segments, Span, Stretch};

/// The question that an explanation answers. Windows that were not given as times are where they
/// were found.
pub(super) fn question(explanation: &Explanation) -> Question {
    let request = &explanation.request;
    let selection = &request.selection;
    let reference = explanation.runs.get(explanation.reference);
    let baseline = selection
        .baseline
        .as_ref()
        .and_then(|typed| time(typed).or_else(|| explanation.target.baseline.as_ref().map(found)));
    Question {
        target: selection.target.clone(),
        run: reference.map_or(String::new(), |run| run.aligned.run.clone()),
        windows: windows(explanation),
        baseline,
        segments: match selection.segments {
            Segments::Auto => SegmentCount::Word(Auto::Auto),
            Segments::Exactly(count) => SegmentCount::Exactly(count),
        },
        pattern: selection.pattern.as_ref().map(|pattern| {
            pattern.knots().iter().map(|&(ns, height)| [seconds(ns), height]).collect()
        }),
        common: request.alignment.common.clone(),
        normalise: request.alignment.normalise,
        penalty: request.alignment.penalty,
        correlator: request.correlator.as_str().to_string(),
        score_in: match request.score_in {
            ScoreIn::Every => WireScoreIn::Every,
            ScoreIn::Nearest => WireScoreIn::Nearest,
        },
    }
}

fn windows(explanation: &Explanation) -> Vec<[f64; 2]> {
    let typed = &explanation.request.selection.windows;
    if typed.contains(&Span::Whole) {
        return Vec::new();
    }
    let times: Option<Vec<[f64; 2]>> = typed.iter().map(time).collect();
    times.unwrap_or_else(|| explanation.target.windows.iter().map(found).collect())
}

/// A span that was given by two moments.
fn time(span: &Span) -> Option<[f64; 2]> {
    match *span {
        Span::Time { start_ns: i64::MIN, .. } | Span::Time { end_ns: i64::MAX, .. } => None,
        Span::Time { start_ns, end_ns } => Some([seconds(start_ns), seconds(end_ns)]),
        Span::Whole | Span::Rows { .. } => None,
    }
}

fn found(stretch: &Stretch) -> [f64; 2] {
    [seconds(stretch.start_ns), seconds(stretch.end_ns)]
}

/// Exact to the nanosecond for runs of up to a hundred days.
#[allow(clippy::cast_precision_loss, reason = "times are far below 2^53 ns")]
fn seconds(ns: i64) -> f64 {
    ns as f64 / 1e9
}
