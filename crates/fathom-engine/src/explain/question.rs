//! From a request to a question about these traces.

use super::source::TraceSet;
use crate::EngineError;
use fathom_explain::align::{AlignError, AlignOptions, PlacedWindows};
use fathom_explain::{Pattern, RunEntry, Selection, TargetRange, TraceQuestion, TraceSource};
use fathom_record::foreign_text::escaped;
use fathom_record::{Span, Timestamp};
use fathom_request::{AlignmentOptions, ClockTime, ExplainRequest, TypedMoment, TypedSpan};
use fathom_sys::time_zone;

/// From here on a time is one since 1970: September 2001.
const SINCE_1970: Timestamp = Timestamp::from_nanoseconds(1_000_000_000_000_000_000);

impl TraceSet {
    /// What is asked of these traces.
    ///
    /// # Errors
    /// A name may mean several metrics or runs, or the times of the pattern's knots do not increase.
    pub fn question(&self, request: &ExplainRequest) -> Result<TraceQuestion, EngineError> {
        let target = self.named_metric(&request.target)?;
        let ranking = &request.ranking;
        let mut placed = self.placed(request)?;
        let named = request.run.as_deref().map(|run| self.named_run(run)).transpose()?;
        // Without a window of its own, the first run that has one is asked about.
        let first = placed.first().map(|placed| placed.run.clone());
        let run = named.or(first.filter(|_| request.windows.is_empty()));
        let moments = Moments::of(self, &target, run.as_deref());
        let mut windows = Vec::with_capacity(request.windows.len());
        for window in &request.windows {
            windows.push(moments.range(window)?);
        }
        let mut baseline = request.against.as_ref().map(|one| moments.range(one)).transpose()?;
        // Windows of the run that is asked about are no others.
        let own = run.clone().or_else(|| self.first_with(&target));
        if let Some(place) = placed.iter().position(|placed| Some(&placed.run) == own.as_ref()) {
            let own = placed.remove(place);
            windows.extend(own.windows);
            baseline = own.baseline.or(baseline);
        }
        if windows.is_empty() {
            windows.push(TargetRange::Whole);
        }
        if let Some(lone) = placed.iter().find(|placed| placed.windows.is_empty()) {
            return Err(EngineError::usage(format!(
                "--against names run {}, but no --window does: write both, as in --window {}:20..22",
                escaped(&lone.run),
                escaped(&lone.run)
            )));
        }
        let pattern = match &ranking.pattern {
            None => None,
            Some(typed) => {
                let mut knots = Vec::with_capacity(typed.0.len());
                for knot in &typed.0 {
                    knots.push((moments.moment(&knot.at)?, knot.height));
                }
                let drawn = Pattern::new(knots).ok_or_else(|| {
                    EngineError::usage("--pattern: the times of the knots must increase")
                })?;
                Some(drawn)
            }
        };
        Ok(TraceQuestion {
            selection: Selection {
                target,
                run,
                windows,
                baseline,
                segments: ranking.segments,
                pattern,
            },
            alignment: AlignOptions { by_hand: placed, ..self.alignment(&request.alignment)? },
            correlator: ranking.correlator,
            score_in: ranking.score_in,
            order: ranking.by,
            only: ranking.filter.clone(),
        })
    }
}

impl TraceSet {
    /// The windows that name their run, and what they are compared with; by run, in the order in which
    /// runs are first named.
    fn placed(&self, request: &ExplainRequest) -> Result<Vec<PlacedWindows>, EngineError> {
        let mut placed: Vec<PlacedWindows> = Vec::new();
        let windows = request.run_windows.iter().map(|span| (span, true));
        let baselines = request.run_baselines.iter().map(|span| (span, false));
        for (span, is_window) in windows.chain(baselines) {
            let run = self.named_run(&span.run)?;
            if !self.runs().iter().any(|entry| entry.id == run) {
                let runs = self.runs().iter().map(|entry| entry.id.clone()).collect();
                return Err(AlignError::UnknownRun { run, runs }.into());
            }
            let range = Moments::of_run(self, Some(&run)).range(&span.span)?;
            let place = placed.iter().position(|placed| placed.run == run).unwrap_or_else(|| {
                let (windows, baseline) = (Vec::new(), None);
                placed.push(PlacedWindows { run: run.clone(), windows, baseline });
                placed.len() - 1
            });
            let Some(of_run) = placed.get_mut(place) else { continue };
            match (is_window, of_run.baseline) {
                (true, _) => of_run.windows.push(range),
                (false, None) => of_run.baseline = Some(range),
                (false, Some(_)) => {
                    return Err(EngineError::usage(format!(
                        "--against names run {} twice, but a run has one baseline",
                        escaped(&run)
                    )));
                }
            }
        }
        Ok(placed)
    }

    /// The first run that has a metric.
    fn first_with(&self, target: &str) -> Option<String> {
        let has_target = |run: &&RunEntry| run.metrics.iter().any(|metric| metric.name == target);
        self.runs().iter().find(has_target).map(|run| run.id.clone())
    }

    /// How runs are aligned, with the common metric that is meant.
    pub(crate) fn alignment(
        &self,
        options: &AlignmentOptions,
    ) -> Result<AlignOptions, EngineError> {
        Ok(AlignOptions {
            common: options.common.as_deref().map(|name| self.named_metric(name)).transpose()?,
            normalise: options.normalize,
            penalty: options.penalty.get(),
            by_hand: Vec::new(),
        })
    }
}

/// How times that were typed become times of the run.
pub(super) struct Moments<'a> {
    traces: &'a TraceSet,
    /// When the run's times begin, since 1970, if that is known.
    origin: Option<Timestamp>,
    run: Option<String>,
}

/// A day.
const DAY: i64 = 86_400_000_000_000;

impl<'a> Moments<'a> {
    /// Of the run, or else the first that has the target.
    fn of(traces: &'a TraceSet, target: &str, run: Option<&str>) -> Moments<'a> {
        match run {
            Some(run) => Moments::of_run(traces, Some(run)),
            None => {
                // That no run has the target is said later, with what there is.
                let first = traces.runs().first().map(|run| run.id.clone());
                Moments::of_run(traces, traces.first_with(target).or(first).as_deref())
            }
        }
    }

    pub(super) fn of_run(traces: &'a TraceSet, run: Option<&str>) -> Moments<'a> {
        let clock = run.and_then(|run| traces.clock(run));
        Moments { traces, origin: clock.map(|clock| clock.wall), run: run.map(str::to_string) }
    }

    /// How long the run is, by the first of its metrics: enough to know which day a time of day is on.
    fn length(&self) -> Span {
        let entry = self.traces.runs().iter().find(|entry| Some(&entry.id) == self.run.as_ref());
        let metric = entry.and_then(|entry| Some((entry, entry.metrics.first()?)));
        let samples =
            metric.and_then(|(run, metric)| self.traces.samples(&run.id, &metric.name).ok());
        let last = samples.and_then(|samples| samples.ends.last().copied());
        last.map_or(Span::ZERO, |last| last - Timestamp::ZERO)
    }

    fn moment(&self, typed: &TypedMoment) -> Result<Timestamp, EngineError> {
        if let Some(clock) = typed.clock() {
            return self.of_day(clock, None).map(|(moment, _)| moment);
        }
        let moment = typed.timestamp(self.traces.time_unit());
        Ok(match self.origin {
            Some(origin) if moment >= SINCE_1970 => moment.relative_to(origin),
            _ => moment,
        })
    }

    /// A time of day in the run's time, and the day it is on: the one that it says, or that of the
    /// start, or the one of which it lies within the run.
    fn of_day(
        &self,
        clock: ClockTime,
        start: Option<i64>,
    ) -> Result<(Timestamp, i64), EngineError> {
        let Some(origin) = self.origin else {
            return Err(EngineError::usage(
                "these traces do not say when they were recorded, so a time of day means nothing in \
                 them; write times that count from the start of the run, such as 12.4s..14.1s",
            ));
        };
        let seconds = origin.nanoseconds().div_euclid(1_000_000_000);
        let zone = clock.zone().unwrap_or_else(|| time_zone::minutes_ahead_of_utc(seconds));
        let at = |day: i64| clock.on(day, zone).relative_to(origin);
        if let Some(day) = clock.day().or(start) {
            return Ok((at(day), day));
        }
        let local = origin.nanoseconds().saturating_add(zone * 60_000_000_000);
        let first = local.div_euclid(DAY);
        let length = self.length();
        let is_within = |day: &i64| {
            let moment = at(*day);
            moment >= Timestamp::ZERO && moment <= Timestamp::ZERO + length
        };
        let days = i64::try_from(length.nanoseconds()).unwrap_or(i64::MAX) / DAY + 1;
        let day = (first..=first.saturating_add(days.min(400))).find(is_within).unwrap_or(first);
        Ok((at(day), day))
    }

    pub(super) fn range(&self, typed: &TypedSpan) -> Result<TargetRange, EngineError> {
        Ok(match typed {
            TypedSpan::Whole => TargetRange::Whole,
            TypedSpan::Time { start, end } => {
                let clocks = start.as_ref().and_then(|start| start.clock());
                let clocks = clocks.zip(end.as_ref().and_then(|end| end.clock()));
                if let Some((first, last)) = clocks {
                    return self.range_of_day(first, last);
                }
                let moment = |typed: &Option<TypedMoment>, beyond: Timestamp| {
                    typed.as_ref().map_or(Ok(beyond), |typed| self.moment(typed))
                };
                TargetRange::Time {
                    start: moment(start, Timestamp::MIN)?,
                    end: moment(end, Timestamp::MAX)?,
                }
            }
            TypedSpan::Rows { first, last } => {
                TargetRange::Rows { first: first.unwrap_or(0), last: last.unwrap_or(usize::MAX) }
            }
        })
    }

    /// From one time of day to another: the end is on the same day, or after midnight.
    fn range_of_day(&self, first: ClockTime, last: ClockTime) -> Result<TargetRange, EngineError> {
        let (start, day) = self.of_day(first, None)?;
        let (mut end, _) = self.of_day(last, Some(day))?;
        if end < start && last.day().is_none() {
            (end, _) = self.of_day(last, Some(day + 1))?;
        }
        Ok(TargetRange::Time { start, end })
    }
}
