//! From a request to a question about these traces.

use super::source::TraceSet;
use crate::EngineError;
use fathom_explain::align::AlignOptions;
use fathom_explain::{Pattern, RunEntry, Selection, Span, TraceQuestion, TraceSource};
use fathom_request::{ExplainRequest, TypedMoment, TypedSpan};

/// From here on a time is one since 1970: September 2001.
const SINCE_1970: i64 = 1_000_000_000_000_000_000;

impl TraceSet {
    /// What is asked of these traces.
    ///
    /// # Errors
    /// The times of the pattern's knots do not increase.
    pub fn question(&self, request: &ExplainRequest) -> Result<TraceQuestion, EngineError> {
        let moments = Moments::of(self, request);
        let ranking = &request.ranking;
        let mut windows: Vec<Span> = request.windows.iter().map(|one| moments.span(one)).collect();
        if windows.is_empty() {
            windows.push(Span::Whole);
        }
        let pattern = match &ranking.pattern {
            None => None,
            Some(typed) => {
                let knots = typed.0.iter().map(|knot| (moments.ns(&knot.at), knot.height));
                let drawn = Pattern::new(knots.collect()).ok_or_else(|| {
                    EngineError::usage("--pattern: the times of the knots must increase")
                })?;
                Some(drawn)
            }
        };
        Ok(TraceQuestion {
            selection: Selection {
                target: request.target.clone(),
                run: request.run.clone(),
                windows,
                baseline: request.against.as_ref().map(|one| moments.span(one)),
                segments: ranking.segments,
                pattern,
            },
            alignment: AlignOptions {
                common: request.alignment.common.clone(),
                normalise: request.alignment.normalize,
                penalty: request.alignment.penalty.get(),
            },
            correlator: ranking.correlator,
            score_in: ranking.score_in,
            only: ranking.filter.clone(),
        })
    }
}

/// How times that were typed become times of the run.
struct Moments<'a> {
    traces: &'a TraceSet,
    /// When the run's times begin, if they were since 1970 in the file.
    origin_ns: Option<i64>,
}

impl<'a> Moments<'a> {
    fn of(traces: &'a TraceSet, request: &ExplainRequest) -> Moments<'a> {
        let has_target =
            |run: &&RunEntry| run.metrics.iter().any(|metric| metric.name == request.target);
        let run = match &request.run {
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
