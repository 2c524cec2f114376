//! The server: on loopback, for everyone who has the address.
//!
//! ```text
//! request ──► guard: Host, Origin, token ──► routes ──► traces, session ──► JSON, or lines of JSON
//! ```
//!
//! Everything is under a path that holds a random token, so that other users and pages of other
//! sites cannot ask. No request names a file.

mod address;
mod aside;
mod body;
mod check_routes;
mod connections;
mod failure;
mod headers;
mod hosts;
mod lines;
mod request_guard;
mod session_routes;
mod token;
mod traces_routes;

pub use address::Address;

use crate::traces::Traces;
use crate::{Opened, Page};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn_with_state, map_response_with_state};
use axum::response::{Html, Redirect};
use axum::routing::get;
use connections::answer_all;
use failure::Failure;
use headers::Policy;
use hosts::Hosts;
use request_guard::RequestGuard;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use token::Token;

/// Where to serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeOptions {
    /// Which address: of others than loopback, everybody who reaches it and has the token reads the
    /// data.
    pub ip: IpAddr,
    /// 0: any that is free.
    pub port: u16,
    /// Names that browsers may call it by, besides the address and localhost.
    pub hosts: Vec<String>,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions { ip: Ipv4Addr::LOCALHOST.into(), port: 0, hosts: Vec::new() }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The port is taken, or the address is none of this machine's.
    #[error("cannot serve at {address}: {error}; choose another port, or 0 for any free one")]
    Bind {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The system has no random numbers for the token.
    #[error("cannot create a secret address: {0}")]
    Token(getrandom::Error),
    /// The server cannot be started.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
}

/// How often the caller is asked whether the server should stop.
const ASKED_EVERY: Duration = Duration::from_millis(50);
/// How long answers may take that are under way when it stops.
const GRACE: Duration = Duration::from_secs(2);
/// Questions are short.
const LARGEST_BODY: usize = 256 << 10;

/// Serves until `stop` says so. `ready` is told the address as soon as it answers.
pub fn serve(
    page: &Page,
    opened: Opened,
    options: &ServeOptions,
    ready: impl FnOnce(&Address),
    stop: impl Fn() -> bool,
) -> Result<(), ServeError> {
    let token = Token::random().map_err(ServeError::Token)?;
    let wanted = SocketAddr::new(options.ip, options.port);
    let bound = TcpListener::bind(wanted).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok((listener.local_addr()?, listener))
    });
    let (at, listener) = bound.map_err(|error| ServeError::Bind { address: wanted, error })?;
    let address = Address::new(at, &options.hosts, &token);
    let guard = RequestGuard { token, hosts: Hosts::new(at, &options.hosts) };
    let stopping = Arc::new(AtomicBool::new(false));
    let router = router(page, opened, guard, &stopping);

    // On this thread: answers are made aside, and one that cannot be started is an error here.
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().map_err(ServeError::Start)?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Start)?;
        let (tell, told) = tokio::sync::watch::channel(false);
        let serving = tokio::spawn(answer_all(listener, router, told));
        ready(&address);
        while !stop() {
            tokio::time::sleep(ASKED_EVERY).await;
        }
        stopping.store(true, Ordering::Relaxed);
        let _ = tell.send(true);
        // A client that does not take the answer in time does not get it.
        let _ = tokio::time::timeout(GRACE, serving).await;
        Ok(())
    })
}

fn router(page: &Page, opened: Opened, guard: RequestGuard, stopping: &Arc<AtomicBool>) -> Router {
    let policy = Arc::new(Policy::of(page));
    let html = axum::body::Bytes::from(page.html().to_string());
    let slash = format!("/{}/", guard.token);
    let api = match opened {
        Opened::Traces(opened) => {
            traces_routes::routes(Arc::new(Traces::new(*opened)), Arc::clone(stopping))
        }
        Opened::Session(opened) => session_routes::routes(Arc::new(opened)),
        Opened::Check(opened) => check_routes::routes(Arc::new(*opened)),
    };
    Router::new()
        .route("/{token}/", get(move || async move { Html(html) }))
        .route("/{token}", get(move || async move { Redirect::permanent(&slash) }))
        .nest("/{token}/api", api)
        .fallback(|| async { Failure::nothing_here() })
        .method_not_allowed_fallback(|| async { Failure::method() })
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn_with_state(Arc::new(guard), request_guard::guard))
        .layer(map_response_with_state(policy, headers::add))
}
