//! Connections: each has a while to say what it wants, and there are no more than fit.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

/// How long the head of a request may take, also the next one of a connection that is kept: browsers
/// open another one without a word.
const FOR_HEAD: Duration = Duration::from_secs(10);
/// Connections at once; further ones wait. Browsers have six per page.
const AT_ONCE: usize = 256;
/// After the system refused a connection, mostly because too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers until told to stop, then until what is under way is done.
pub(super) async fn answer_all(
    listener: TcpListener,
    router: Router,
    mut told: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut under_way = JoinSet::new();
    let stop = told.clone();
    loop {
        tokio::select! {
            () = until(&mut told) => break,
            next = next(&listener, &places) => match next {
                Ok((stream, place)) => {
                    let answered = answer(stream, router.clone(), stop.clone());
                    under_way.spawn(async move {
                        answered.await;
                        drop(place);
                    });
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            },
        }
        // Those that are done are forgotten.
        while under_way.try_join_next().is_some() {}
    }
    while under_way.join_next().await.is_some() {}
}

async fn until(told: &mut watch::Receiver<bool>) {
    // An error means that nobody can tell any more.
    let _ = told.wait_for(|is_told| *is_told).await;
}

async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}

async fn answer(stream: TcpStream, router: Router, mut told: watch::Receiver<bool>) {
    // Lines are for the eye as they come.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(FOR_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    // A client that disconnects, is late or makes no sense gets no explanation.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = until(&mut told) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
