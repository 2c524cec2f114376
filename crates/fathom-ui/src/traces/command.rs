//! A question as it is asked in the terminal.

use crate::OpenedTraces;
use fathom_explain::{Span, TraceQuestion};
use fathom_record::TimeUnit;
use fathom_request::{
    AlignmentOptions, AlignmentPenalty, ExplainRequest, RankingOptions, TypedKnot, TypedMoment,
    TypedPattern, TypedSpan,
};

/// From here on `fathom explain` takes a time for one since 1970: September 2001.
const SINCE_1970: i64 = 1_000_000_000_000_000_000;

/// The question as it is asked in the terminal: times as people know them, and nothing that goes
/// without saying.
pub(super) fn explain_request(opened: &OpenedTraces, request: &TraceQuestion) -> ExplainRequest {
    let selection = &request.selection;
    let times = Times::of(opened, request);
    let other_run = |run: &String| Some(run.as_str()) != first_run(opened, request);
    let windows = selection.windows.iter().filter(|_| selection.windows != [Span::Whole]);
    ExplainRequest {
        traces: opened.files.clone(),
        target: selection.target.clone(),
        run: selection.run.clone().filter(other_run),
        windows: windows.map(|&window| times.span(window)).collect(),
        against: selection.baseline.map(|span| times.span(span)),
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
    origin_ns: i64,
}

impl Times {
    fn of(opened: &OpenedTraces, request: &TraceQuestion) -> Times {
        let run = request.selection.run.as_deref().or(first_run(opened, request));
        let place = opened.source.runs().iter().position(|entry| Some(entry.id.as_str()) == run);
        let clock = place.and_then(|place| opened.clocks.get(place).copied().flatten());
        let clock = clock.filter(|_| opened.has_wall_times);
        Times { unit: opened.time_unit, origin_ns: clock.map_or(0, |clock| clock.wall_ns) }
    }

    /// Since 1970 where people know it so, and where it will be read so.
    fn as_typed(&self, ns: i64) -> i64 {
        match self.origin_ns.saturating_add(ns) {
            since if since >= SINCE_1970 => since,
            _ => ns,
        }
    }

    fn span(&self, span: Span) -> TypedSpan {
        let moment = |ns: i64| TypedMoment::exactly(self.as_typed(ns), self.unit);
        match span {
            Span::Whole | Span::Time { start_ns: i64::MIN, end_ns: i64::MAX } => TypedSpan::Whole,
            Span::Time { start_ns, end_ns } => TypedSpan::Time {
                start: (start_ns != i64::MIN).then(|| moment(start_ns)),
                end: (end_ns != i64::MAX).then(|| moment(end_ns)),
            },
            Span::Rows { first, last } => TypedSpan::Rows {
                first: Some(first),
                last: Some(last).filter(|&last| last != usize::MAX),
            },
        }
    }

    /// Always in seconds, and said so where bare numbers are something else.
    fn pattern(&self, knots: &[(i64, f64)]) -> TypedPattern {
        let knot = |&(ns, height): &(i64, f64)| {
            let at = TypedMoment::exactly(self.as_typed(ns), TimeUnit::Seconds);
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
    use fathom_explain::{Correlator, Pattern, ScoreIn, Segments, Selection};
    use fathom_record::trace::Clock;

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
                windows: vec![Span::Time { start_ns: 12_400_000_000, end_ns: 14_100_000_001 }],
                baseline: None,
                segments: Segments::Auto,
                pattern: None,
            },
            alignment: AlignOptions::default(),
            correlator: Correlator::Combined,
            score_in: ScoreIn::Every,
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
        whole.selection.windows = vec![Span::Whole];
        assert_eq!(command(&opened, &whole), "fathom explain traces --target ipc --run run-2");
    }

    #[test]
    fn everything_can_be_said_and_is_quoted() {
        let mut opened = opened();
        opened.files.paths = vec!["my traces".into()];
        opened.files.counters = vec!["a*".to_string()];
        let mut all = request("run-2");
        all.selection.target = "-x y'z".to_string();
        all.selection.windows.push(Span::Rows { first: 3, last: 7 });
        all.selection.baseline = Some(Span::Time { start_ns: -1_500_000_000, end_ns: 0 });
        all.selection.segments = Segments::Exactly(4);
        all.selection.pattern = Pattern::new(vec![(0, 1.5), (250_000_000, -1e-20)]);
        let common = Some("cpu".to_string());
        all.alignment = AlignOptions { common, normalise: true, penalty: 0.25 };
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
        let clock = |wall_ns| Some(Clock { monotonic_ns: 0, wall_ns });
        opened.clocks = vec![clock(1_681_855_803_000_000_000), clock(5)];
        let unsaid = command(&opened, &request("run-1"));
        assert_eq!(unsaid, in_ms, "recordings of Fathom count from their start");
        opened.has_wall_times = true;
        let mut asked = request("run-1");
        asked.selection.pattern = Pattern::new(vec![(0, 1.0), (1_000_000_000, 2.0)]);
        let since = command(&opened, &asked);
        assert!(since.contains("--window 1681855815400..1681855817100.000001"), "{since}");
        assert!(since.ends_with("--pattern 1681855803s:1,1681855804s:2"), "{since}");
        // A clock that is not one since 1970 would be read as it stands.
        let small = command(&opened, &request("run-2"));
        assert!(small.contains("--window 12400..14100.000001"), "{small}");
    }
}
