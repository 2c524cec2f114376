//! From the command line to a question.

use super::source::Traces;
use crate::arguments::{
    AlignmentArguments, QuestionArguments, RankingArguments, Runs, SelectionArguments, TypedMoment,
    TypedSpan,
};
use crate::failure::Failure;
use fathom_explain::align::AlignOptions;
use fathom_explain::{Pattern, Question, Request, ScoreIn, Selection, Span, Stretch, TraceSource};
use std::ops::Range;

/// From here on a time is one since 1970: September 2001.
const SINCE_1970: i64 = 1_000_000_000_000_000_000;

/// A question as it was typed.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) target: &'a str,
    pub(crate) selection: &'a SelectionArguments,
    pub(crate) alignment: &'a AlignmentArguments,
    pub(crate) ranking: &'a RankingArguments,
}

impl<'a> Asked<'a> {
    /// If a target was typed.
    pub(crate) fn of(question: &'a QuestionArguments) -> Option<Asked<'a>> {
        Some(Asked {
            target: question.target.as_deref()?,
            selection: &question.selection,
            alignment: &question.alignment,
            ranking: &question.ranking,
        })
    }
}

/// What is asked of these traces.
pub(crate) fn request(traces: &Traces, asked: Asked<'_>) -> Result<Request, Failure> {
    let clock = Moments::of(traces, asked);
    let ranking = asked.ranking;
    let mut windows: Vec<Span> =
        asked.selection.windows.iter().map(|one| clock.span(one)).collect();
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
            target: asked.target.to_string(),
            run: asked.selection.run.clone(),
            windows,
            baseline: asked.selection.baseline.as_ref().map(|one| clock.span(one)),
            segments: ranking.segments,
            pattern,
        },
        alignment: AlignOptions {
            common: asked.alignment.common.clone(),
            normalise: asked.alignment.normalise,
            penalty: asked.alignment.penalty,
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
    fn of(traces: &'a Traces, asked: Asked<'_>) -> Moments<'a> {
        let has_target = |run: &&fathom_explain::RunEntry| {
            run.metrics.iter().any(|metric| metric.name == asked.target)
        };
        let run = match &asked.selection.run {
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
    let stretch = Stretch::of(question, rows)?;
    let origin = traces.clock(run).filter(|_| traces.has_wall_times());
    let origin = origin.map_or(0, |clock| clock.wall_ns);
    let number = |ns: i64| traces.time_unit().exactly(origin.saturating_add(ns));
    Some(format!("{}..{}", number(stretch.start_ns), number(stretch.end_ns)))
}
