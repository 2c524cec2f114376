//! What browsers are told with every answer.

use crate::Page;
use axum::extract::State;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::response::Response;
use std::sync::Arc;

/// The page's content policy: its own script and style, data from here, nothing else.
pub(super) struct Policy {
    value: HeaderValue,
}

impl Policy {
    pub(super) fn of(page: &Page) -> Policy {
        let words = format!(
            "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            page.script_hashes(),
            page.style_hashes(),
        );
        // Hashes are plain text; if they were not, nothing is allowed.
        let nothing = HeaderValue::from_static("default-src 'none'");
        Policy { value: HeaderValue::from_str(&words).unwrap_or(nothing) }
    }
}

const ALWAYS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(super) async fn add(State(policy): State<Arc<Policy>>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy.value.clone());
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
