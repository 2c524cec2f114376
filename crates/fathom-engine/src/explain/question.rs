//! From a request to a question about these traces.

use super::source::TraceSet;
use crate::EngineError;
use fathom_explain::align::AlignOptions;
use fathom_explain::{Pattern, RunEntry, Selection, TargetRange, TraceQuestion, TraceSource};
use fathom_record::Timestamp;
use fathom_request::{ExplainRequest, TypedMoment, TypedSpan};

/// From here on a time is one since 1970: September 2001.
const SINCE_1970: Timestamp = Timestamp::from_nanoseconds(1_000_000_000_000_000_000);

impl TraceSet {
    /// What is asked of these traces.
    ///
    /// # Errors
    /// The times of the pattern's knots do not increase.
    pub fn question(&self, request: &ExplainRequest) -> Result<TraceQuestion, EngineError> {
        let moments = Moments::of(self, request);
        let ranking = &request.ranking;
        let mut windows: Vec<TargetRange> =
            request.windows.iter().map(|one| moments.range(one)).collect();
        if windows.is_empty() {
            windows.push(TargetRange::Whole);
        }
        let pattern = match &ranking.pattern {
            None => None,
            Some(typed) => {
                let knots = typed.0.iter().map(|knot| (moments.moment(&knot.at), knot.height));
                let drawn = Pattern::new(knots.collect()).ok_or_else(|| {
                    EngineError::usage("--pattern: the times of the knots must increase")
                })?;
                Some(drawn)
            }
        };
        Ok(TraceQuestion {
            selection: Selection {
                target: request.target.clone(),
                run: request.run.as_deref().map(|run| self.named_run(run)),
                windows,
                baseline: request.against.as_ref().map(|one| moments.range(one)),
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
            order: ranking.by,
            only: ranking.filter.clone(),
        })
    }
}

/// How times that were typed become times of the run.
pub(super) struct Moments<'a> {
    traces: &'a TraceSet,
    /// When the run's times begin, if they were since 1970 in the file.
    origin: Option<Timestamp>,
}

impl<'a> Moments<'a> {
    /// Of a run.
    pub(super) fn of_run(traces: &'a TraceSet, run: &str) -> Moments<'a> {
        Moments { traces, origin: traces.clock(run).map(|clock| clock.wall) }
    }

    fn of(traces: &'a TraceSet, request: &ExplainRequest) -> Moments<'a> {
        let has_target =
            |run: &&RunEntry| run.metrics.iter().any(|metric| metric.name == request.target);
        let named = request.run.as_deref().map(|run| traces.named_run(run));
        let run = match &named {
            Some(run) => Some(run.as_str()),
            None => traces.runs().iter().find(has_target).map(|run| run.id.as_str()),
        };
        let clock = run.and_then(|run| traces.clock(run));
        Moments { traces, origin: clock.map(|clock| clock.wall) }
    }

    fn moment(&self, typed: &TypedMoment) -> Timestamp {
        let moment = typed.timestamp(self.traces.time_unit());
        match self.origin {
            Some(origin) if moment >= SINCE_1970 => moment.relative_to(origin),
            _ => moment,
        }
    }

    pub(super) fn range(&self, typed: &TypedSpan) -> TargetRange {
        match typed {
            TypedSpan::Whole => TargetRange::Whole,
            TypedSpan::Time { start, end } => TargetRange::Time {
                start: start.as_ref().map_or(Timestamp::MIN, |typed| self.moment(typed)),
                end: end.as_ref().map_or(Timestamp::MAX, |typed| self.moment(typed)),
            },
            TypedSpan::Rows { first, last } => {
                TargetRange::Rows { first: first.unwrap_or(0), last: last.unwrap_or(usize::MAX) }
            }
        }
    }
}
