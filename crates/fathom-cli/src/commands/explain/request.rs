//! From the command line to a question.

use super::source::Traces;
use crate::arguments::{ExplainArguments, Runs, TypedMoment, TypedSpan};
use crate::failure::Failure;
use fathom_explain::align::AlignOptions;
use fathom_explain::{Pattern, Question, Request, ScoreIn, Selection, Span, TraceSource};
use fathom_record::TimeUnit;
use std::ops::Range;

/// From here on a time is one since 1970: September 2001.
const SINCE_1970: i64 = 1_000_000_000_000_000_000;

/// The question that was typed.
pub(super) fn request(traces: &Traces, arguments: &ExplainArguments) -> Result<Request, Failure> {
    let clock = Moments::of(traces, arguments);
    let ranking = &arguments.ranking;
    let mut windows: Vec<Span> = arguments.windows.iter().map(|one| clock.span(one)).collect();
    if windows.is_empty() {
        windows.push(Span::Whole);
    }
    let pattern = match &ranking.pattern {
        None => None,
        Some(typed) => {
            let knots = typed.0.iter().map(|knot| (clock.ns(&knot.at), knot.height)).collect();
            let drawn = Pattern::new(knots)
                .ok_or_else(|| Failure::input("--pattern: the times of the knots must increase"))?;
            Some(drawn)
        }
    };
    Ok(Request {
        selection: Selection {
            target: arguments.target.clone(),
            run: arguments.run.clone(),
            windows,
            baseline: arguments.baseline.as_ref().map(|one| clock.span(one)),
            segments: ranking.segments,
            pattern,
        },
        alignment: AlignOptions {
            common: arguments.alignment.common.clone(),
            normalise: arguments.alignment.normalise,
            penalty: arguments.alignment.penalty,
        },
        correlator: ranking.correlator,
        score_in: match ranking.score_in {
            Runs::Every => ScoreIn::Every,
            Runs::Nearest => ScoreIn::Nearest,
        },
        only: ranking.metrics.clone(),
    })
}

/// How times that were typed become times of the run.
struct Moments<'a> {
    traces: &'a Traces,
    /// When the run's times begin, if they were since 1970 in the file.
    origin_ns: Option<i64>,
}

impl<'a> Moments<'a> {
    fn of(traces: &'a Traces, arguments: &ExplainArguments) -> Moments<'a> {
        let has_target = |run: &&fathom_explain::RunEntry| {
            run.metrics.iter().any(|metric| metric.name == arguments.target)
        };
        let run = match &arguments.run {
            Some(run) => Some(run.as_str()),
            None => traces.runs().iter().find(has_target).map(|run| run.id.as_str()),
        };
        let clock = run.and_then(|run| traces.clock(run));
        Moments { traces, origin_ns: clock.map(|clock| clock.wall_ns) }
    }

    fn ns(&self, moment: &TypedMoment) -> i64 {
        let ns = moment.ns(self.traces.time_unit());
        match self.origin_ns {
            Some(origin) if ns >= SINCE_1970 => ns.saturating_sub(origin),
            _ => ns,
        }
    }

    fn span(&self, typed: &TypedSpan) -> Span {
        match typed {
            TypedSpan::Whole => Span::Whole,
            TypedSpan::Time { start, end } => Span::Time {
                start_ns: start.as_ref().map_or(i64::MIN, |moment| self.ns(moment)),
                end_ns: end.as_ref().map_or(i64::MAX, |moment| self.ns(moment)),
            },
            TypedSpan::Rows { first, last } => {
                Span::Rows { first: first.unwrap_or(0), last: last.unwrap_or(usize::MAX) }
            }
        }
    }
}

/// Rows of the target as somebody would type them: "12.4..14.1" in the trace's time unit.
pub(super) fn typed_window(
    traces: &Traces,
    run: &str,
    question: &Question,
    rows: &Range<usize>,
) -> Option<String> {
    let (_, start) = question.grid.row(rows.start)?;
    let (_, end) = question.grid.row(rows.end.checked_sub(1)?)?;
    let origin = traces.clock(run).filter(|_| traces.has_wall_times());
    let origin = origin.map_or(0, |clock| clock.wall_ns);
    let number = |ns: i64| decimal(origin.saturating_add(ns), traces.time_unit());
    Some(format!("{}..{}", number(start), number(end)))
}

/// Exactly so many nanoseconds in a unit, without zeros at the end.
fn decimal(ns: i64, unit: TimeUnit) -> String {
    let (size, digits): (i64, usize) = match unit {
        TimeUnit::Nanoseconds => (1, 0),
        TimeUnit::Microseconds => (1_000, 3),
        TimeUnit::Milliseconds => (1_000_000, 6),
        TimeUnit::Seconds | TimeUnit::Minutes | TimeUnit::Hours => (1_000_000_000, 9),
    };
    let sign = if ns < 0 { "-" } else { "" };
    let size = size.unsigned_abs();
    let (whole, part) = (ns.unsigned_abs() / size, ns.unsigned_abs() % size);
    let part = format!("{part:0digits$}");
    let part = if digits == 0 { "" } else { part.trim_end_matches('0') };
    let point = if part.is_empty() { "" } else { "." };
    // Minutes and hours do not divide by ten: these are seconds.
    let unit = match unit {
        TimeUnit::Minutes | TimeUnit::Hours => "s",
        _ => "",
    };
    format!("{sign}{whole}{point}{part}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_typed_back_exactly() {
        let s = TimeUnit::Seconds;
        assert_eq!(decimal(12_400_000_000, s), "12.4");
        assert_eq!(decimal(60_000_000_000, s), "60");
        assert_eq!(decimal(-1_500, TimeUnit::Microseconds), "-1.5");
        assert_eq!(decimal(7, TimeUnit::Nanoseconds), "7");
        assert_eq!(decimal(90_000_000_000, TimeUnit::Minutes), "90s");
        assert_eq!(decimal(1_681_855_803_000_000_001, s), "1681855803.000000001");
    }
}
