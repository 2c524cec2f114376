//! What can be asked of a check: only what it is, since its answer stands.

use super::body::worked;
use super::failure::Failure;
use crate::check::{CheckView, Fineness, OpenedCheck};
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
use std::sync::Arc;

pub(super) fn routes(check: Arc<OpenedCheck>) -> Router {
    Router::new().route("/overview", get(overview)).with_state(check)
}

#[derive(Serialize)]
#[serde(tag = "kind", rename = "check")]
struct CheckOverview {
    title: String,
    opens: String,
    view: CheckView,
}

async fn overview(State(check): State<Arc<OpenedCheck>>) -> Result<Response, Failure> {
    worked(move || {
        let view = check.view(Fineness::FULL);
        Ok(CheckOverview { title: check.title.clone(), opens: check.opens(), view })
    })
    .await
}
