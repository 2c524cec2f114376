//! A question as the page asks it.

use super::Trouble;
use fathom_explain::align::AlignOptions;
use fathom_explain::onset::OrderBy;
use fathom_explain::{Pattern, ScoreIn, Segments, Selection, TargetRange, TraceQuestion};
use fathom_record::Timestamp;
use serde::{Deserialize, Serialize};

/// What is asked. Times are seconds after the run's origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageQuestion {
    /// The metric that does something odd.
    pub target: String,
    /// In which run.
    pub run: String,
    /// Where in it; none: all of it.
    pub windows: Vec<[f64; 2]>,
    /// What the windows are compared with.
    pub baseline: Option<[f64; 2]>,
    /// Into how many lines the target is cut.
    pub segments: SegmentCount,
    /// A shape that was drawn over the target: times and heights.
    pub pattern: Option<Vec<[f64; 2]>>,
    /// The metric by which runs are aligned, if one was chosen.
    pub common: Option<String>,
    /// Whether they are aligned by z-scores.
    pub normalise: bool,
    /// What a step costs in which one run stands still.
    pub penalty: f64,
    /// What metrics are ranked by.
    pub correlator: String,
    /// In which runs metrics are scored.
    pub score_in: WireScoreIn,
}

/// Into how many lines: a number, or `"auto"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SegmentCount {
    /// This many.
    Exactly(usize),
    /// As many as are worth it.
    Word(Auto),
}

/// The word for "as many as are worth it".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Auto {
    /// `"auto"`.
    Auto,
}

/// [`ScoreIn`] in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WireScoreIn {
    /// In every run that has the metric.
    Every,
    /// In one: the target's own, or the one that is aligned best.
    Nearest,
}

impl From<WireScoreIn> for ScoreIn {
    fn from(score_in: WireScoreIn) -> ScoreIn {
        match score_in {
            WireScoreIn::Every => ScoreIn::Every,
            WireScoreIn::Nearest => ScoreIn::Nearest,
        }
    }
}

/// As on the command line.
const MOST_SEGMENTS: usize = 100;

impl PageQuestion {
    /// As `fathom explain` asks it.
    pub fn request(&self) -> Result<TraceQuestion, Trouble> {
        let correlator = self.correlator.parse();
        let correlator = correlator.map_err(|error| Trouble::Asked(format!("{error}")))?;
        Ok(TraceQuestion {
            selection: self.selection()?,
            alignment: self.alignment(),
            correlator,
            score_in: self.score_in.into(),
            order: OrderBy::Evidence,
            only: Vec::new(),
        })
    }

    pub(super) fn selection(&self) -> Result<Selection, Trouble> {
        let span = |[start, end]: [f64; 2]| TargetRange::Time {
            start: Timestamp::from_seconds(start),
            end: Timestamp::from_seconds(end),
        };
        let windows = match self.windows.as_slice() {
            [] => vec![TargetRange::Whole],
            windows => windows.iter().copied().map(span).collect(),
        };
        Ok(Selection {
            target: self.target.clone(),
            run: Some(self.run.clone()),
            windows,
            baseline: self.baseline.map(span),
            segments: self.segments()?,
            pattern: self.pattern.as_deref().map(drawn).transpose()?,
        })
    }

    pub(super) fn alignment(&self) -> AlignOptions {
        AlignOptions {
            common: self.common.clone(),
            normalise: self.normalise,
            penalty: self.penalty,
            by_hand: Vec::new(),
        }
    }

    fn segments(&self) -> Result<Segments, Trouble> {
        match self.segments {
            SegmentCount::Word(Auto::Auto) => Ok(Segments::Auto),
            SegmentCount::Exactly(count @ 1..=MOST_SEGMENTS) => Ok(Segments::Exactly(count)),
            SegmentCount::Exactly(count) => Err(Trouble::Asked(format!(
                "cannot split the target into {count} segments; use auto, or a number from 1 to \
                 {MOST_SEGMENTS}"
            ))),
        }
    }
}

fn drawn(knots: &[[f64; 2]]) -> Result<Pattern, Trouble> {
    let knots =
        knots.iter().map(|&[time, height]| (Timestamp::from_seconds(time), height)).collect();
    Pattern::new(knots).ok_or_else(|| {
        Trouble::Asked(
            "a pattern needs at least two points at increasing times; draw it again".to_string(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn asked(changes: Value) -> Result<TraceQuestion, String> {
        let mut question = json!({
            "target": "ipc", "run": "run-1", "windows": [], "baseline": null, "segments": "auto",
            "pattern": null, "common": null, "normalise": false, "penalty": 0,
            "correlator": "combined", "score_in": "nearest",
        });
        for (key, value) in changes.as_object().unwrap() {
            question[key] = value.clone();
        }
        let question: PageQuestion =
            serde_json::from_value(question).map_err(|error| error.to_string())?;
        question.request().map_err(|trouble| trouble.to_string())
    }

    #[test]
    fn seconds_become_nanoseconds() {
        let request = asked(json!({
            "windows": [[12.4, 14.1], [20, 21]], "baseline": [-1, 0.5],
            "pattern": [[12.4, 1], [13, 0.25]], "segments": 3, "common": "cpu", "penalty": 0.5,
        }))
        .unwrap();
        let at = Timestamp::from_nanoseconds;
        let time = |start, end| TargetRange::Time { start: at(start), end: at(end) };
        assert_eq!(
            request.selection.windows,
            [time(12_400_000_000, 14_100_000_000), time(20_000_000_000, 21_000_000_000)]
        );
        assert_eq!(request.selection.baseline, Some(time(-1_000_000_000, 500_000_000)));
        assert_eq!(request.selection.segments, Segments::Exactly(3));
        let pattern = request.selection.pattern.unwrap();
        assert_eq!(pattern.knots(), [(at(12_400_000_000), 1.0), (at(13_000_000_000), 0.25)]);
        assert_eq!(request.alignment.common.as_deref(), Some("cpu"));
        assert_eq!(request.score_in, ScoreIn::Nearest);
        assert_eq!(asked(json!({})).unwrap().selection.windows, [TargetRange::Whole]);
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_words() {
        let refused = |changes| asked(changes).unwrap_err();
        assert!(refused(json!({ "segments": 0 })).contains("from 1 to 100"));
        assert!(refused(json!({ "segments": 101 })).contains("into 101 segments"));
        assert!(refused(json!({ "segments": "many" })).contains("SegmentCount"));
        assert!(refused(json!({ "pattern": [[1, 1]] })).contains("two points"));
        assert!(refused(json!({ "pattern": [[1, 1], [1, 2]] })).contains("increasing"));
        assert!(refused(json!({ "correlator": "pearsn" })).contains("did you mean pearson"));
    }
}
