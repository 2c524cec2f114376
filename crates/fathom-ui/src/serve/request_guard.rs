//! Which requests are allowed.

use super::failure::Failure;
use super::hosts::Hosts;
use super::token::Token;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// What a request must say.
pub(super) struct RequestGuard {
    pub(super) token: Token,
    pub(super) hosts: Hosts,
}

/// Lets through what comes from the page itself or was typed, and knows the token.
pub(super) async fn guard(
    State(rules): State<Arc<RequestGuard>>,
    request: Request,
    next: Next,
) -> Response {
    if let Err(failure) = rules.check(&request) {
        return failure.into_response();
    }
    next.run(request).await
}

impl RequestGuard {
    fn check(&self, request: &Request) -> Result<(), Failure> {
        // Only proxies are asked for whole addresses.
        let host = only(request.headers(), header::HOST.as_str())
            .filter(|_| request.uri().authority().is_none());
        let Some(host) = host.filter(|host| self.hosts.accept(host)) else {
            return Err(Failure::forbidden(
                "This host name or port is not allowed. Open the address that was printed; other \
                 names must be allowed when the server starts.",
            ));
        };
        if request.headers().contains_key(header::ORIGIN) {
            let same = format!("http://{host}");
            let origin = only(request.headers(), header::ORIGIN.as_str());
            if !origin.is_some_and(|origin| origin.eq_ignore_ascii_case(&same)) {
                return Err(Failure::forbidden("Other sites cannot read this page."));
            }
        }
        if request.headers().contains_key(FETCH_SITE)
            && !matches!(only(request.headers(), FETCH_SITE), Some("same-origin" | "none"))
            && !self.is_opening(request)
        {
            return Err(Failure::forbidden(
                "Other sites cannot link here. Copy the address and open it yourself.",
            ));
        }
        let first = request.uri().path().split('/').nth(1).unwrap_or("");
        if self.token.is(first) {
            return Ok(());
        }
        Err(if Token::may_be(first) { Failure::other_start() } else { Failure::nothing_here() })
    }

    /// Whether a window opens the page itself: the file that `fathom ui` gives the browser leads
    /// there. It shows nothing to the page that led there, which must have the secret.
    fn is_opening(&self, request: &Request) -> bool {
        let of = |name| only(request.headers(), name);
        let token = request.uri().path().strip_prefix('/').and_then(|path| path.strip_suffix('/'));
        request.method() == Method::GET
            && of("sec-fetch-mode") == Some("navigate")
            && of("sec-fetch-dest") == Some("document")
            && token.is_some_and(|token| self.token.is(token))
    }
}

/// What browsers send about the page that a request comes from.
const FETCH_SITE: &str = "sec-fetch-site";

/// The value of a header that is there once.
fn only<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}
