//! A report of traces.

use super::embedded::embedded;
use super::trace_document::document;
use super::trace_lines::{lines, rows, wanted};
use super::value_budget::{ValueBudget, plans};
use super::{Limit, ReportError, ReportStamp, WrittenReport, write};
use crate::page::PageMissing;
use crate::traces::{
    Commands, Labels, PageQuestion, PageRanking, PageRibbon, PageSegmentation, PageSeries, Traces,
    TracesOverview, ViewQuery, WarpQuery, answer,
};
use fathom_explain::{Correlator, Explanation, ProgressWatch, TraceQuestion};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Asks a question of traces and writes down the answer, with all that is needed to look at it.
pub fn of_traces(
    traces: &Traces,
    request: &TraceQuestion,
    made: ReportStamp<'_>,
    limit: Limit,
    watch: ProgressWatch<'_>,
) -> Result<WrittenReport, ReportError> {
    in_page(crate::page::html(), traces, request, made, limit, watch)
}

pub(super) fn in_page(
    page: Result<&str, PageMissing>,
    traces: &Traces,
    request: &TraceQuestion,
    made: ReportStamp<'_>,
    limit: Limit,
    watch: ProgressWatch<'_>,
) -> Result<WrittenReport, ReportError> {
    let opened = traces.opened();
    let mut explanation = traces.explanation(request, watch)?;
    // How long it took does not matter later, and would differ from file to file.
    let answer = answer(opened, explanation.clone(), false, Duration::ZERO)?;
    explanation.notes.extend(opened.notes.iter().cloned());
    let question = PageQuestion::of_explanation(&explanation);
    let whole = Whole {
        overview: traces.overview(),
        commands: commands(traces, &question)?,
        ribbons: ribbons(traces, &question, watch)?,
        segmentation: traces.segmentation(&question)?,
        labels: Labels { saved_in: None, note: None, ..traces.labels() },
        question,
        answer,
    };
    let (data, thinned) = match page {
        Ok(_) => fitted(traces, &explanation, &whole, made, limit)?,
        Err(PageMissing) => (String::new(), None),
    };
    let target = traces.series(&whole.question.run, &whole.question.target, DRAWN, None)?;
    let PageRanking { sentence, command, .. } = &whole.answer;
    let title = format!("{} · {}", whole.question.target, opened.title);
    let written = write(page, "traces", &title, made, &data, thinned, |frame| {
        document(frame, &explanation, sentence, command, &target)
    });
    let ranking = explanation.ranking.iter().map(|one| one.metric.name.clone()).collect();
    Ok(WrittenReport { ranking, ..written })
}

/// The commands for the question, ranked by each correlator.
fn commands(
    traces: &Traces,
    question: &PageQuestion,
) -> Result<BTreeMap<&'static str, Commands>, ReportError> {
    let mut all = BTreeMap::new();
    for correlator in Correlator::ALL {
        let name = correlator.as_str();
        let question = PageQuestion { correlator: name.to_string(), ..question.clone() };
        all.insert(name, traces.commands(&ViewQuery { question, selects: true })?);
    }
    Ok(all)
}

/// How many points the target's line has where there are no scripts.
const DRAWN: usize = 480;

/// What is put in whatever its size.
#[derive(Serialize)]
struct Whole {
    overview: TracesOverview,
    /// By correlator: the page ranks by another one without a program to ask.
    commands: BTreeMap<&'static str, Commands>,
    question: PageQuestion,
    answer: PageRanking,
    ribbons: Vec<PageRibbon>,
    segmentation: PageSegmentation,
    labels: Labels,
}

#[derive(Serialize)]
struct TracesData<'a> {
    made_by: &'a str,
    made: &'a str,
    thinned: Option<&'a str>,
    #[serde(flatten)]
    whole: &'a Whole,
    series: &'a [PageSeries],
}

/// The data of the first plan that are within the limit, or of the least, and what is left out.
fn fitted(
    traces: &Traces,
    explanation: &Explanation,
    whole: &Whole,
    made: ReportStamp<'_>,
    limit: Limit,
) -> Result<(String, Option<String>), ReportError> {
    let metrics = explanation.ranking.len() + explanation.excluded.len();
    let rows = rows(traces, explanation, metrics)?;
    let longest = rows.iter().copied().max().unwrap_or(0);
    let target = traces.series(&whole.question.run, &whole.question.target, DRAWN, None)?;
    let per_point = embedded(&target.time)?.len().div_ceil(target.time.len().max(1));
    // Lines of every row take long to write, so that what cannot fit is not tried. A point is a time
    // and a value at least.
    let may_fit = |plan: &ValueBudget| {
        let count = wanted(traces, explanation, plan.metrics).len();
        let points = rows.iter().take(count).map(|&rows| rows.min(plan.columns));
        2 * per_point * points.sum::<usize>() <= limit.bytes
    };
    let mut untried = plans(longest, metrics);
    loop {
        let next = untried.find(may_fit);
        let plan = next.unwrap_or(ValueBudget::least(longest));
        let series = lines(traces, explanation, plan)?;
        let thinned = plan.words(longest, metrics, limit.bytes);
        let data = embedded(&TracesData {
            made_by: made.by,
            made: made.at,
            thinned: thinned.as_deref(),
            whole,
            series: &series,
        })?;
        if data.len() <= limit.bytes || next.is_none() {
            return Ok((data, thinned));
        }
    }
}

/// In the order of runs, whichever was aligned first.
fn ribbons(
    traces: &Traces,
    question: &PageQuestion,
    watch: ProgressWatch<'_>,
) -> Result<Vec<PageRibbon>, ReportError> {
    let query = WarpQuery {
        run: question.run.clone(),
        target: question.target.clone(),
        common: question.common.clone(),
        normalise: question.normalise,
        penalty: question.penalty,
    };
    let found = Mutex::new(Vec::new());
    traces.ribbons(&query, watch, &|ribbon| {
        found.lock().unwrap_or_else(PoisonError::into_inner).push(ribbon);
    })?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let runs = traces.opened().source.runs();
    found.sort_by_key(|ribbon: &PageRibbon| runs.iter().position(|run| run.id == ribbon.to));
    Ok(found)
}
