//! What is found, in the order it should be looked at.

use super::choice;
use super::ordering::{OrderedMetric, chance, lag, ordered, ranked_scores, sign};
use super::outline::Outline;
use super::panel::Scored;
use super::request::TraceQuestion;
use super::scoring::MetricScores;
use crate::align::{Aligned, AlignedRun};
use crate::change::ChangeEvidence;
use crate::onset::{Lead, Onset, OrderBy};
use crate::rank::combined::Lane;
use crate::rank::copies;
use crate::rank::derived::Derivation;
use crate::rank::exclusion::Exclusion;
use crate::shape::ShapeEvidence;
use crate::significance::{Beside, CALLED, Chance, Pool, q_values};
use crate::{Correlator, MaskedRows, Question, Score, Sign, TraceSource};
use fathom_record::trace::{Kind, Layer, TraceMetric};
use fathom_record::{Timestamp, Unit};
use std::ops::Range;

/// A ranking with what it rests on.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// What was asked.
    pub request: TraceQuestion,
    /// The target.
    pub target: TargetSummary,
    /// The metric by which runs are aligned; `None` with a single run.
    pub common: Option<String>,
    /// The runs, in their order.
    pub runs: Vec<ExplainedRun>,
    /// Which of them the selection was made in.
    pub reference: usize,
    /// The metrics, those to look at first before.
    pub ranking: Vec<Ranked>,
    /// Metrics that take no part, in the order they are first met.
    pub excluded: Vec<Excluded>,
    /// Correlators that have nothing to say, and why.
    pub silent: Vec<(Correlator, String)>,
    /// How pictures are laid out.
    pub outline: Outline,
    /// The data outside the windows in the run of the selection, and what they are enough for.
    pub beside: Beside,
    /// What a mask leaves of the target's rows; `None` if all of them count.
    pub masked: Option<MaskedRows>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// The target in the run that the selection was made in.
#[derive(Debug, Clone)]
pub struct TargetSummary {
    /// Its description.
    pub metric: TraceMetric,
    /// How it changed against the baseline; `None` without one.
    pub change: Option<ChangeEvidence>,
    /// Its picture.
    pub outline: Vec<Option<f64>>,
    /// When it began; `None` if that is not clear.
    pub onset: Option<Onset>,
    /// The windows.
    pub windows: Vec<Stretch>,
    /// What they are compared with.
    pub baseline: Option<Stretch>,
}

/// A stretch of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Its first row.
    pub first: usize,
    /// Its last row.
    pub last: usize,
    /// How many rows it has.
    pub rows: usize,
    /// When its first row ends: a row's value is known at its end.
    pub start: Timestamp,
    /// When its last row ends.
    pub end: Timestamp,
}

impl Stretch {
    /// Of rows of a question; `None` if there are none.
    #[must_use]
    pub fn of(question: &Question, rows: &Range<usize>) -> Option<Stretch> {
        let (_, start) = question.grid.row(rows.start)?;
        let last = rows.end.checked_sub(1)?;
        let (_, end) = question.grid.row(last)?;
        Some(Stretch { first: rows.start, last, rows: rows.len(), start, end })
    }
}

/// A run and how well it is aligned.
#[derive(Debug, Clone)]
pub struct ExplainedRun {
    /// With its question and quality.
    pub aligned: AlignedRun,
    /// How many metrics were scored in it.
    pub scored: usize,
}

/// A metric in the ranking.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// Its description.
    pub metric: TraceMetric,
    /// By the correlator that was asked for; `None` if it has nothing to say.
    pub score: Option<f64>,
    /// With the target or against it.
    pub sign: Sign,
    /// When it happens, counted from the target's moment: before 0 if it comes first, 0 if no lag fits
    /// better.
    pub lag: Option<Timestamp>,
    /// How often chance would say as much of one metric; `None` if that cannot be said.
    pub p_value: Option<f64>,
    /// Of all metrics with a value as low or lower, this many are expected to be chance.
    pub q_value: Option<f64>,
    /// What brought it to its place in the combined rank; `None` for single correlators.
    pub lane: Option<Lane>,
    /// How its level changed.
    pub change: Option<ChangeEvidence>,
    /// How it follows the target.
    pub shape: Option<ShapeEvidence>,
    /// All correlators that have something to say: score, and rank from 1 on.
    pub scores: Vec<(Correlator, Score, usize)>,
    /// The run that speaks for it.
    pub run: usize,
    /// In how many runs it was scored.
    pub scored_in: usize,
    /// In how many of them it has the same sign.
    pub agreeing: usize,
    /// The index in the ranking of the metric that this is a near copy or a rescaling of.
    pub copy_of: Option<usize>,
    /// How it is made of the target, if it seems to be.
    pub derived: Option<Derivation>,
    /// Whether it looks like a random walk: then it resembles many metrics by chance.
    pub is_random_walk: bool,
    /// When it began to do what it does in the window, in its run; `None` if that is not clear.
    pub onset: Option<Onset>,
    /// By how much it moved before the target of that run; `None` if one of both is not clear.
    pub lead: Option<Lead>,
    /// Its picture.
    pub outline: Vec<Option<f64>>,
}

/// A metric that takes no part.
#[derive(Debug, Clone)]
pub struct Excluded {
    /// Its description.
    pub metric: TraceMetric,
    /// Why.
    pub reason: Exclusion,
}

/// A metric with the run that speaks for it.
struct Candidate<'b> {
    metric: &'b TraceMetric,
    scored: &'b Scored,
    chance: Option<Chance>,
    all: Vec<&'b Scored>,
}

/// Puts everything in order.
pub(super) fn explanation(
    source: &dyn TraceSource,
    request: &TraceQuestion,
    aligned: Aligned,
    metric_scores: &MetricScores,
) -> Explanation {
    let correlator = request.correlator;
    let everything = metric_scores.said.iter().flatten().filter_map(|said| said.as_ref().ok());
    let pasts = everything.filter_map(|scored| scored.past.as_ref());
    let pool = Pool::new(pasts, metric_scores.metrics.len(), places_beside(&aligned));
    let mut candidates = Vec::new();
    let mut excluded = Vec::new();
    for (metric, said) in metric_scores.metrics.iter().zip(&metric_scores.said) {
        let all: Vec<&Scored> = said.iter().filter_map(|said| said.as_ref().ok()).collect();
        let (middle, chance) = choice::middle(&all, &|scored| chance(correlator, scored, &pool));
        match all.get(middle) {
            Some(&scored) => candidates.push(Candidate { metric, scored, chance, all }),
            None => excluded.extend(
                said.iter()
                    .find_map(|said| said.as_ref().err())
                    .map(|reason| Excluded { metric: metric.clone(), reason: *reason }),
            ),
        }
    }
    let scored: Vec<&Scored> = candidates.iter().map(|candidate| candidate.scored).collect();
    let target_change = metric_scores.target_change.as_ref();
    let order = ordered(correlator, target_change, &scored);
    let q = q_values(&candidates.iter().map(|candidate| candidate.chance).collect::<Vec<_>>());
    let mut scores = ranked_scores(target_change, &scored);
    let print = |place: &OrderedMetric| scored.get(place.index)?.fingerprint.as_ref();
    let groups = copies::groups(&order.iter().map(print).collect::<Vec<_>>());
    let mut ranking = Vec::with_capacity(order.len());
    for (n, place) in order.iter().enumerate() {
        let Some(Candidate { metric, scored, chance, all }) = candidates.get(place.index) else {
            continue;
        };
        let sign_of = |scored: &Scored| sign(correlator, place.lane, scored, target_change);
        let sign = sign_of(scored);
        ranking.push(Ranked {
            metric: (*metric).clone(),
            score: place.score,
            sign,
            lag: lag_in_time(scored, &aligned),
            p_value: chance.map(|chance| chance.p_value()),
            q_value: q.get(place.index).copied().flatten(),
            lane: place.lane,
            change: scored.change,
            shape: scored.shape,
            scores: scores.get_mut(place.index).map(std::mem::take).unwrap_or_default(),
            run: scored.run,
            scored_in: all.len(),
            agreeing: all.iter().filter(|other| sign_of(other) == sign).count(),
            copy_of: groups.get(n).copied().flatten().filter(|&first| first != n),
            derived: scored.derived,
            is_random_walk: scored.is_random_walk,
            onset: scored.onset,
            lead: scored
                .onset
                .zip(metric_scores.target_onsets.get(&scored.run))
                .map(|(onset, target)| Lead::of(&onset, target)),
            outline: scored.outline.clone(),
        });
    }
    if request.order == OrderBy::Onset {
        by_onset(&mut ranking);
    }
    let in_run = |run: usize| {
        let said = metric_scores.said.iter().flatten().filter_map(|said| said.as_ref().ok());
        said.filter(|scored| scored.run == run).count()
    };
    let scored: Vec<usize> = (0..aligned.runs.len()).map(in_run).collect();
    let target = target(source, request, &aligned, metric_scores);
    let reference = aligned.runs.get(aligned.reference).map(|run| &run.question);
    let beside = reference.map(Beside::of).unwrap_or_default();
    let masked = aligned.runs.get(aligned.reference).and_then(|run| run.masked);
    let mut notes = aligned.notes;
    let is_called = |one: &Ranked| one.q_value.is_some_and(|q| q < CALLED);
    if !ranking.is_empty() && !ranking.iter().any(is_called) {
        notes.extend(beside.advice());
    }
    let runs = aligned.runs.into_iter().zip(scored);
    Explanation {
        request: request.clone(),
        target,
        common: aligned.common,
        runs: runs.map(|(aligned, scored)| ExplainedRun { aligned, scored }).collect(),
        reference: aligned.reference,
        ranking,
        excluded,
        silent: metric_scores.silent.clone(),
        outline: metric_scores.outline,
        beside,
        masked,
        notes,
    }
}

/// Those that clearly changed in the order in which they moved; the others after them, as they were.
fn by_onset(ranking: &mut Vec<Ranked>) {
    /// A change of this many of a metric's usual ones counts even if it is not sure.
    const LARGE: f64 = 5.0;
    let is_clear = |one: &Ranked| {
        let is_large = one.change.is_some_and(|change| change.z >= LARGE);
        one.lead.is_some() && (is_large || one.q_value.is_some_and(|q| q < CALLED))
    };
    let first = |one: &Ranked| one.lead.filter(|_| is_clear(one)).map(|lead| lead.seconds);
    let mut order: Vec<usize> = (0..ranking.len()).collect();
    order.sort_by(|&a, &b| match (first(&ranking[a]), first(&ranking[b])) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    let mut places = vec![0; order.len()];
    for (place, &old) in order.iter().enumerate() {
        places[old] = place;
    }
    let mut all: Vec<Option<Ranked>> = ranking.drain(..).map(Some).collect();
    for old in order {
        if let Some(mut one) = all.get_mut(old).and_then(Option::take) {
            one.copy_of = one.copy_of.and_then(|other| places.get(other).copied());
            ranking.push(one);
        }
    }
}

/// How many windows fit outside the windows of a run, on average.
fn places_beside(aligned: &Aligned) -> f64 {
    let places = aligned.runs.iter().map(|run| Beside::of(&run.question).places());
    places.sum::<f64>() / aligned.runs.len().max(1) as f64
}

/// A lag in rows is one in time, by the usual length of a row in the windows.
fn lag_in_time(scored: &Scored, aligned: &Aligned) -> Option<Timestamp> {
    let rows = i64::try_from(lag(scored)?).ok()?;
    let question = &aligned.runs.get(scored.run)?.question;
    let window = question.windows.first()?;
    let (start, end) = question.grid.span(window)?;
    let length = (end - start).divided_by(window.len() as u64).nanoseconds();
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    Some(Timestamp::from_nanoseconds(rows.saturating_mul(length)))
}

fn target(
    source: &dyn TraceSource,
    request: &TraceQuestion,
    aligned: &Aligned,
    metric_scores: &MetricScores,
) -> TargetSummary {
    let name = &request.selection.target;
    let mut metrics = source.runs().iter().flat_map(|run| &run.metrics);
    let metric = metrics.find(|metric| metric.name == *name).cloned().unwrap_or_else(|| {
        // Alignment has found it; if it disappears meanwhile, the error has its name.
        TraceMetric::real("", name, Layer::Application, Kind::Gauge, Unit::Unknown)
    });
    let run = aligned.runs.get(aligned.reference);
    let question = run.map(|run| &run.question);
    let stretch = |rows: &Range<usize>| {
        let run = run?;
        Some(run.among_all_rows(Stretch::of(&run.question, rows)?))
    };
    TargetSummary {
        metric,
        change: metric_scores.target_change,
        outline: metric_scores.target_outline.clone(),
        onset: metric_scores.target_onsets.get(&aligned.reference).copied(),
        windows: question.iter().flat_map(|one| &one.windows).filter_map(stretch).collect(),
        baseline: question.and_then(|one| one.baseline.as_ref()).and_then(stretch),
    }
}
