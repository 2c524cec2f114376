//! JSON in and out.

use super::aside::aside;
use super::failure::Failure;
use crate::traces::Trouble;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// How long a question may take to come.
const FOR_BODY: Duration = Duration::from_secs(10);

/// JSON that was sent.
pub(super) struct Sent<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Sent<T>, Failure> {
        // Forms of other sites cannot send this kind.
        if !is_json(request.headers()) {
            return Err(Failure::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "send JSON, with the content type application/json",
            ));
        }
        let whole = tokio::time::timeout(FOR_BODY, Bytes::from_request(request, state));
        let Ok(bytes) = whole.await else {
            return Err(Failure::new(
                StatusCode::REQUEST_TIMEOUT,
                "the request timed out before it was complete",
            ));
        };
        let bytes = bytes.map_err(too_large)?;
        serde_json::from_slice(&bytes).map(Sent).map_err(|error| {
            Failure::new(StatusCode::BAD_REQUEST, format!("cannot read the request: {error}"))
        })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn too_large(rejection: BytesRejection) -> Failure {
    let message = match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => "the request is too long".to_string(),
        _ => format!("the request is incomplete: {}", rejection.body_text()),
    };
    Failure::new(rejection.status(), message)
}

/// What stands behind the question mark.
pub(super) struct UrlQuery<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<UrlQuery<T>, Failure> {
        let asked = Query::<T>::from_request_parts(parts, state).await;
        asked.map(|Query(asked)| UrlQuery(asked)).map_err(|rejection: QueryRejection| {
            Failure::new(StatusCode::BAD_REQUEST, rejection.body_text())
        })
    }
}

/// Works on a thread where that may take its time, and answers with JSON.
pub(super) async fn worked<T: Serialize>(
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<Response, Failure> {
    let worked = aside(move || serde_json::to_vec(&work()?).map_err(|_| Failure::broken()))?;
    let json = worked.await.map_err(|_| Failure::broken())??;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}
