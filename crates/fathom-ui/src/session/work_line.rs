//! Time over work: a rate with the set-up time separated, as it is looked at.

use fathom_analyze::{Report, Subject, WorkEstimate, WorkPoint};
use fathom_render::{View, human, work_line};
use serde::Serialize;

/// More points than a picture can show.
const MOST: usize = 1000;

/// Runs of different amounts of work, and the line through them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkLineView {
    /// The name of the subject.
    pub name: String,
    /// The rate and the set-up time, in words.
    pub sentence: String,
    /// What work is counted in.
    pub work: String,
    /// The symbol of the unit of times; empty if that is not known.
    pub unit: String,
    /// The mean time of each amount, the smallest first; of very many amounts some.
    pub points: Vec<WorkPointView>,
    /// What the line gives to no work and to the largest amount; nothing if there is no rate.
    pub line: Option<[f64; 2]>,
    /// How many runs, and what is known of the set-up time and of the line.
    pub notes: Vec<String>,
}

/// The runs of one amount of work.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WorkPointView {
    /// The amount.
    pub amount: f64,
    /// The mean of their times.
    pub time: f64,
    /// How many there are.
    pub runs: usize,
}

impl WorkLineView {
    /// Every subject whose runs have amounts of work.
    pub(super) fn all(report: &Report) -> Vec<WorkLineView> {
        let of_work = |subject| Some(WorkLineView::of(subject, subject.work.as_ref()?));
        report.subjects.iter().filter_map(of_work).collect()
    }

    fn of(subject: &Subject, work: &WorkEstimate) -> WorkLineView {
        let view = View::default();
        let points = work.points(&subject.series);
        let largest = points.last().map(|point| point.amount);
        let step = points.len().div_ceil(MOST).max(1);
        let point = |WorkPoint { amount, runs, mean }: WorkPoint| WorkPointView {
            amount,
            time: mean,
            runs,
        };
        WorkLineView {
            name: subject.series.name().to_string(),
            sentence: human::sentences(subject, &view).join(" "),
            work: work.work.clone(),
            unit: work.time.symbol().to_string(),
            points: points.into_iter().step_by(step).map(point).collect(),
            line: work
                .time_of(0.0)
                .zip(largest.and_then(|most| work.time_of(most)))
                .map(Into::into),
            notes: work_line::notes(subject, work, &view),
        }
    }
}
