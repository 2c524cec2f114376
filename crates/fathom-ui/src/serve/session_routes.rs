//! What can be asked of a session.

use super::body::{Sent, worked};
use super::failure::Failure;
use crate::OpenedSession;
use crate::session::{SessionOptions, SessionView, view};
use crate::traces::Trouble;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Serialize;
use std::sync::Arc;

pub(super) fn routes(session: Arc<OpenedSession>) -> Router {
    Router::new()
        .route("/overview", get(overview))
        .route("/session", post(recomputed))
        .with_state(session)
}

#[derive(Serialize)]
#[serde(tag = "kind", rename = "session")]
struct SessionOverview {
    title: String,
    opens: String,
    view: SessionView,
}

async fn overview(State(session): State<Arc<OpenedSession>>) -> Result<Response, Failure> {
    worked(move || {
        let view = computed(&session, &session.source.options())?;
        let opens = session.opens();
        Ok(SessionOverview { title: session.title.clone(), opens, view })
    })
    .await
}

async fn recomputed(
    State(session): State<Arc<OpenedSession>>,
    Sent(options): Sent<SessionOptions>,
) -> Result<Response, Failure> {
    worked(move || computed(&session, &options)).await
}

fn computed(session: &OpenedSession, options: &SessionOptions) -> Result<SessionView, Trouble> {
    let report = session.source.report(options).map_err(Trouble::Asked)?;
    Ok(view(&report, options))
}
