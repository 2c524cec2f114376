//! What can be asked of traces.

use super::aside::aside;
use super::body::{Sent, UrlQuery, worked};
use super::failure::Failure;
use super::lines::{Teller, error_line, lines};
use crate::traces::{Marking, PageQuestion, PageRanking, Traces, Trouble, ViewQuery, WarpQuery};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use fathom_explain::{Progress, Stage, Stopped};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;

/// Questions that are worked on at once. One is enough for a page; further pages take turns.
const AT_ONCE: usize = 4;
/// Nobody has a wider screen.
const MOST_COLUMNS: usize = 20_000;

#[derive(Clone)]
struct Shared {
    traces: Arc<Traces>,
    stopping: Arc<AtomicBool>,
    turns: Arc<Semaphore>,
}

pub(super) fn routes(traces: Arc<Traces>, stopping: Arc<AtomicBool>) -> Router {
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    Router::new()
        .route("/overview", get(overview))
        .route("/series", get(series))
        .route("/explain", post(explain))
        .route("/warps", get(warps))
        .route("/segments", post(segments))
        .route("/context", post(context))
        .route("/suggestions", get(suggestions))
        .route("/commands", post(commands))
        .route("/labels", get(labels).put(label))
        .with_state(Shared { traces, stopping, turns })
}

impl Shared {
    /// Reads the run that is looked at, in the background.
    fn preload(&self, run: Option<String>) {
        let Shared { traces, stopping, .. } = self.clone();
        let go_on = move || !stopping.load(Ordering::Relaxed);
        // Where there is no thread for it, it is read when it is asked for.
        let _ = aside(move || traces.preload(run.as_deref(), &go_on));
    }
}

async fn overview(State(shared): State<Shared>) -> Result<Response, Failure> {
    let traces = Arc::clone(&shared.traces);
    let answer = worked(move || Ok(traces.overview())).await;
    shared.preload(None);
    answer
}

#[derive(Deserialize)]
struct SeriesQuery {
    run: String,
    metric: String,
    columns: usize,
    from: Option<f64>,
    to: Option<f64>,
}

async fn series(
    State(shared): State<Shared>,
    UrlQuery(query): UrlQuery<SeriesQuery>,
) -> Result<Response, Failure> {
    let SeriesQuery { run, metric, columns, from, to } = query;
    if !(1..=MOST_COLUMNS).contains(&columns) {
        let words = format!("columns is {columns}; use a number from 1 to {MOST_COLUMNS}");
        return Err(Failure::new(StatusCode::BAD_REQUEST, words));
    }
    // A number that is none would be before and after everything.
    let (from, to) = (from.filter(|from| !from.is_nan()), to.filter(|to| !to.is_nan()));
    let span = (from.is_some() || to.is_some())
        .then(|| (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY)));
    worked(move || shared.traces.series(&run, &metric, columns, span)).await
}

/// A line of the answer to a question.
#[derive(Serialize)]
#[serde(tag = "type", rename = "ranking")]
struct Ranking {
    #[serde(flatten)]
    answer: PageRanking,
}

async fn explain(
    State(shared): State<Shared>,
    Sent(question): Sent<PageQuestion>,
) -> Result<Response, Failure> {
    // What makes no sense is told before anything is worked on.
    question.request()?;
    let Shared { traces, stopping, turns } = shared;
    let turn = turns.acquire_owned().await.map_err(|_| Failure::broken())?;
    Ok(lines(&stopping, move |teller| {
        let watch = |now: Progress| progress(teller, now);
        let said = traces.explain(&question, &watch, &mut |answer| teller.say(&Ranking { answer }));
        tell(teller, said);
        drop(turn);
    }))
}

fn progress(teller: &Teller, now: Progress) -> Result<(), Stopped> {
    teller.mention(|| {
        let stage = match now.stage {
            Stage::Aligning => "aligning",
            Stage::Scoring => "scoring",
        };
        json!({ "type": "progress", "stage": stage, "done": now.done, "of": now.of })
    })
}

/// The last line, if something went wrong.
fn tell(teller: &Teller, said: Result<(), Trouble>) {
    let message = match said {
        Ok(()) => return,
        Err(Trouble::Stopped) => "fathom ui was stopped".to_string(),
        Err(trouble) => trouble.to_string(),
    };
    teller.say_last(&error_line(&message));
}

async fn warps(
    State(shared): State<Shared>,
    UrlQuery(query): UrlQuery<WarpQuery>,
) -> Result<Response, Failure> {
    shared.preload(Some(query.run.clone()));
    let Shared { traces, stopping, .. } = shared;
    Ok(lines(&stopping, move |teller| {
        let watch = |_| teller.check();
        // The watch notices a client that disconnected.
        let said = traces.ribbons(&query, &watch, &|ribbon| _ = teller.say(&ribbon));
        tell(teller, said);
    }))
}

async fn segments(
    State(shared): State<Shared>,
    Sent(question): Sent<PageQuestion>,
) -> Result<Response, Failure> {
    worked(move || shared.traces.segmentation(&question)).await
}

async fn context(
    State(shared): State<Shared>,
    Sent(question): Sent<PageQuestion>,
) -> Result<Response, Failure> {
    worked(move || shared.traces.context(&question)).await
}

#[derive(Deserialize)]
struct SuggestionQuery {
    run: String,
    metric: String,
}

async fn suggestions(
    State(shared): State<Shared>,
    UrlQuery(SuggestionQuery { run, metric }): UrlQuery<SuggestionQuery>,
) -> Result<Response, Failure> {
    shared.preload(Some(run.clone()));
    worked(move || shared.traces.suggestions(&run, &metric)).await
}

async fn commands(
    State(shared): State<Shared>,
    Sent(view): Sent<ViewQuery>,
) -> Result<Response, Failure> {
    worked(move || shared.traces.commands(&view)).await
}

async fn labels(State(shared): State<Shared>) -> Result<Response, Failure> {
    worked(move || Ok(shared.traces.labels())).await
}

async fn label(
    State(shared): State<Shared>,
    Sent(marking): Sent<Marking>,
) -> Result<Response, Failure> {
    worked(move || shared.traces.label(&marking)).await
}
