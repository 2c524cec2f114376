//! A question that was asked elsewhere, as the page would ask it.

use super::{Auto, PageQuestion, SegmentCount, Trouble, WireScoreIn};
use fathom_explain::align::question_with;
use fathom_explain::{
    ExplainCache, Explanation, ScoreIn, Segments, Stretch, TargetRange, TraceQuestion, TraceSource,
};
use fathom_record::Timestamp;
use serde::Serialize;

/// What the page shows first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpeningQuestion {
    /// About this.
    pub question: PageQuestion,
    /// Whether its windows were chosen; otherwise only its target was.
    pub selects: bool,
}

impl PageQuestion {
    /// Of a request that was typed. Windows that were not given as times are where they are found.
    pub fn of_request(
        source: &dyn TraceSource,
        request: &TraceQuestion,
    ) -> Result<PageQuestion, Trouble> {
        let selection = &request.selection;
        let asked = question_with(source, selection, &request.alignment, &ExplainCache::default())?;
        let has_target = |metrics: &[fathom_record::trace::TraceMetric]| {
            metrics.iter().any(|metric| metric.name == selection.target)
        };
        let mut runs = source.runs().iter();
        let run = selection
            .run
            .clone()
            .or_else(|| runs.find(|run| has_target(&run.metrics)).map(|run| run.id.clone()));
        let windows = asked.windows.iter().filter_map(|rows| Stretch::of(&asked, rows)).collect();
        let baseline = asked.baseline.as_ref().and_then(|rows| Stretch::of(&asked, rows));
        Ok(AskedWindows { run: run.unwrap_or_default(), windows, baseline }.question(request))
    }

    /// The one that an explanation answers.
    pub(crate) fn of_explanation(explanation: &Explanation) -> PageQuestion {
        let reference = explanation.runs.get(explanation.reference);
        let found = AskedWindows {
            run: reference.map_or(String::new(), |run| run.aligned.run.clone()),
            windows: explanation.target.windows.clone(),
            baseline: explanation.target.baseline,
        };
        found.question(&explanation.request)
    }
}

/// Where what was asked about is.
struct AskedWindows {
    run: String,
    windows: Vec<Stretch>,
    baseline: Option<Stretch>,
}

impl AskedWindows {
    fn question(&self, request: &TraceQuestion) -> PageQuestion {
        let selection = &request.selection;
        let baseline = selection
            .baseline
            .as_ref()
            .and_then(|typed| time(typed).or_else(|| self.baseline.as_ref().map(ends)));
        PageQuestion {
            target: selection.target.clone(),
            run: self.run.clone(),
            windows: self.windows(&selection.windows),
            baseline,
            segments: match selection.segments {
                Segments::Auto => SegmentCount::Word(Auto::Auto),
                Segments::Exactly(count) => SegmentCount::Exactly(count),
            },
            pattern: selection.pattern.as_ref().map(|pattern| {
                pattern.knots().iter().map(|&(time, height)| [time.seconds(), height]).collect()
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

    fn windows(&self, typed: &[TargetRange]) -> Vec<[f64; 2]> {
        if typed.contains(&TargetRange::Whole) {
            return Vec::new();
        }
        let times: Option<Vec<[f64; 2]>> = typed.iter().map(time).collect();
        times.unwrap_or_else(|| self.windows.iter().map(ends).collect())
    }
}

/// A span that was given by two moments.
fn time(span: &TargetRange) -> Option<[f64; 2]> {
    match *span {
        TargetRange::Time { start: Timestamp::MIN, .. }
        | TargetRange::Time { end: Timestamp::MAX, .. } => None,
        TargetRange::Time { start, end } => Some([start.seconds(), end.seconds()]),
        TargetRange::Whole | TargetRange::Rows { .. } => None,
    }
}

fn ends(stretch: &Stretch) -> [f64; 2] {
    [stretch.start.seconds(), stretch.end.seconds()]
}
