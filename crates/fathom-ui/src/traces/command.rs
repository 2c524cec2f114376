//! A question as it is asked in the terminal.

use crate::OpenedTraces;
use fathom_explain::{TargetRange, TraceQuestion};
use fathom_record::{TimeUnit, Timestamp};
use fathom_request::{
    AlignmentOptions, AlignmentPenalty, ExplainRequest, RankingOptions, TypedKnot, TypedMoment,
    TypedPattern, TypedSpan,
};

/// From here on `fathom explain` takes a time for one since 1970: September 2001.
const SINCE_1970: Timestamp = Timestamp::from_nanoseconds(1_000_000_000_000_000_000);

/// The question as it is asked in the terminal: times as people know them, and nothing that goes
/// without saying.
pub(super) fn explain_request(opened: &OpenedTraces, request: &TraceQuestion) -> ExplainRequest {
    let selection = &request.selection;
    let times = Times::of(opened, request);
    let other_run = |run: &String| Some(run.as_str()) != first_run(opened, request);
    let windows = selection.windows.iter().filter(|_| selection.windows != [TargetRange::Whole]);
    ExplainRequest {
        traces: opened.files.clone(),
        target: selection.target.clone(),
        run: selection.run.clone().filter(other_run),
        windows: windows.map(|&window| times.span(window)).collect(),
        against: selection.baseline.map(|span| times.span(span)),
        run_windows: Vec::new(),
        run_baselines: Vec::new(),
        alignment: AlignmentOptions {
            common: request.alignment.common.clone(),
            normalize: request.alignment.normalise,
            penalty: AlignmentPenalty::new(request.alignment.penalty).unwrap_or_default(),
        },
        ranking: RankingOptions {
            correlator: request.correlator,
            segments: selection.segments,
            pattern: selection.pattern.as_ref().map(|pattern| times.pattern(pattern.knots())),
            score_in: request.score_in,
            by: request.order,
            filter: request.only.clone(),
        },
    }
}

/// The run that is taken if none is named.
fn first_run<'a>(opened: &'a OpenedTraces, request: &TraceQuestion) -> Option<&'a str> {
    let target = &request.selection.target;
    let mut runs = opened.source.runs().iter();
    let run = runs.find(|run| run.metrics.iter().any(|metric| metric.name == *target));
    run.map(|run| run.id.as_str())
}

/// How moments of the run are typed.
struct Times {
    unit: TimeUnit,
    origin: Timestamp,
}

impl Times {
    fn of(opened: &OpenedTraces, request: &TraceQuestion) -> Times {
        let run = request.selection.run.as_deref().or(first_run(opened, request));
        let place = opened.source.runs().iter().position(|entry| Some(entry.id.as_str()) == run);
        let clock = place.and_then(|place| opened.clocks.get(place).copied().flatten());
        let clock = clock.filter(|_| opened.has_wall_times);
        let origin = clock.map_or(Timestamp::ZERO, |clock| clock.wall);
        Times { unit: opened.time_unit, origin }
    }

    /// Since 1970 where people know it so, and where it will be read so.
    fn as_typed(&self, time: Timestamp) -> Timestamp {
        match time.absolute_from(self.origin) {
            since if since >= SINCE_1970 => since,
            _ => time,
        }
    }

    fn span(&self, range: TargetRange) -> TypedSpan {
        let moment = |time: Timestamp| TypedMoment::exactly(self.as_typed(time), self.unit);
        match range {
            TargetRange::Whole
            | TargetRange::Time { start: Timestamp::MIN, end: Timestamp::MAX } => TypedSpan::Whole,
            TargetRange::Time { start, end } => TypedSpan::Time {
                start: (start != Timestamp::MIN).then(|| moment(start)),
                end: (end != Timestamp::MAX).then(|| moment(end)),
            },
            TargetRange::Rows { first, last } => TypedSpan::Rows {
                first: Some(first),
                last: Some(last).filter(|&last| last != usize::MAX),
            },
        }
    }

    /// Always in seconds, and said so where bare numbers are something else.
    fn pattern(&self, knots: &[(Timestamp, f64)]) -> TypedPattern {
        let knot = |&(time, height): &(Timestamp, f64)| {
            let at = TypedMoment::exactly(self.as_typed(time), TimeUnit::Seconds);
            let is_clear = self.unit == TimeUnit::Seconds;
            TypedKnot { at: if is_clear { at } else { at.with_unit(TimeUnit::Seconds) }, height }
        };
        TypedPattern(knots.iter().map(knot).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traces::made_up::{MadeUp, gauge};
    use fathom_explain::align::AlignOptions;
    use fathom_explain::onset::OrderBy;
    use fathom_explain::{Correlator, Pattern, ScoreIn, Segments, Selection};
    use fathom_record::trace::Clock;

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    fn command(opened: &OpenedTraces, request: &TraceQuestion) -> String {
        fathom_request::Request::from(explain_request(opened, request)).command_line()
    }

    fn opened() -> OpenedTraces {
        let run =
            |id: &str| (id.to_string(), vec![gauge("ipc", &[1.0, 2.0]), gauge("-x y'z", &[1.0])]);
        MadeUp::new(vec![run("run-1"), run("run-2")]).opened()
    }

    fn request(run: &str) -> TraceQuestion {
        TraceQuestion {
            selection: Selection {
                target: "ipc".to_string(),
                run: Some(run.to_string()),
                windows: vec![TargetRange::Time {
                    start: at(12_400_000_000),
                    end: at(14_100_000_001),
                }],
                baseline: None,
                segments: Segments::Auto,
                pattern: None,
            },
            alignment: AlignOptions::default(),
            correlator: Correlator::Combined,
            score_in: ScoreIn::Every,
            order: OrderBy::Evidence,
            only: Vec::new(),
        }
    }

    #[test]
    fn only_what_is_not_usual_is_said() {
        let opened = opened();
        assert_eq!(
            command(&opened, &request("run-1")),
            "fathom explain traces --target ipc --window 12.4..14.100000001"
        );
        let mut whole = request("run-2");
        whole.selection.windows = vec![TargetRange::Whole];
        assert_eq!(command(&opened, &whole), "fathom explain traces --target ipc --run run-2");
    }

    #[test]
    fn everything_can_be_said_and_is_quoted() {
        let mut opened = opened();
        opened.files.paths = vec!["my traces".into()];
        opened.files.counters = vec!["a*".to_string()];
        let mut all = request("run-2");
        all.selection.target = "-x y'z".to_string();
        all.selection.windows.push(TargetRange::Rows { first: 3, last: 7 });
        all.selection.baseline = Some(TargetRange::Time { start: at(-1_500_000_000), end: at(0) });
        all.selection.segments = Segments::Exactly(4);
        all.selection.pattern = Pattern::new(vec![(at(0), 1.5), (at(250_000_000), -1e-20)]);
        let common = Some("cpu".to_string());
        all.alignment =
            AlignOptions { common, normalise: true, penalty: 0.25, by_hand: Vec::new() };
        all.correlator = Correlator::Pearson;
        all.score_in = ScoreIn::Nearest;
        all.only = vec!["gc".to_string()];
        assert_eq!(
            command(&opened, &all),
            "fathom explain 'my traces' --counter 'a*' '--target=-x y'\\''z' --run run-2 \
             --window 12.4..14.100000001 --window rows:3..7 --against=-1.5..0 --common cpu \
             --normalize --penalty 0.25 --correlator pearson --segments 4 \
             --pattern 0:1.5,0.25:-1e-20 --score-in nearest --filter gc"
        );
    }

    #[test]
    fn times_are_in_the_unit_of_the_trace_and_since_1970_where_it_has_them() {
        let mut opened = opened();
        opened.time_unit = TimeUnit::Milliseconds;
        let in_ms = command(&opened, &request("run-1"));
        assert!(in_ms.ends_with("--window 12400..14100.000001"), "{in_ms}");
        let clock = |wall| Some(Clock { monotonic: at(0), wall: at(wall) });
        opened.clocks = vec![clock(1_681_855_803_000_000_000), clock(5)];
        let unsaid = command(&opened, &request("run-1"));
        assert_eq!(unsaid, in_ms, "recordings of Fathom count from their start");
        opened.has_wall_times = true;
        let mut asked = request("run-1");
        asked.selection.pattern = Pattern::new(vec![(at(0), 1.0), (at(1_000_000_000), 2.0)]);
        let since = command(&opened, &asked);
        assert!(since.contains("--window 1681855815400..1681855817100.000001"), "{since}");
        assert!(since.ends_with("--pattern 1681855803s:1,1681855804s:2"), "{since}");
        // A clock that is not one since 1970 would be read as it stands.
        let small = command(&opened, &request("run-2"));
        assert!(small.contains("--window 12400..14100.000001"), "{small}");
    }
}
