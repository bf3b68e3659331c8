//! Connections: so many at a time, others wait in the system's queue; those that say nothing are closed.

use std::sync::Arc;
use std::time::Duration;

use afoot::Run;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::reply::Refusal;

/// Who opens a connection says within this what is wanted, and goes on within this while sending.
pub(crate) const SILENCE: Duration = Duration::from_secs(15);
/// Most that a request says, files aside. [bytes]
pub(crate) const LARGEST: usize = 4 << 20;
/// How soon a stop is seen.
const PATIENCE: Duration = Duration::from_millis(100);

/// Accepts until the run is stopped.
pub(crate) async fn accept(listener: TcpListener, app: Router, most: usize, run: &Run) {
    let places = Arc::new(Semaphore::new(most.max(1)));
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(SILENCE);
    let builder = Arc::new(builder);
    loop {
        let stopped = async {
            while run.check().is_ok() {
                tokio::time::sleep(PATIENCE).await;
            }
        };
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            () = stopped => return,
            next = next => next,
        };
        // A connection that failed before it began is nobody's loss.
        let (Ok(place), Ok((stream, _))) = (place, accepted) else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (app, builder) = (app.clone(), Arc::clone(&builder));
        tokio::spawn(async move {
            let service = TowerToHyperService::new(app);
            let io = TokioIo::new(stream);
            // What goes wrong on one connection ends that one alone.
            let _ = builder.serve_connection_with_upgrades(io, service).await;
            drop(place);
        });
    }
}

/// Takes in what a request says before it is answered, unless it is a file, which is streamed: who falls silent
/// keeps no place that others wait for.
pub(crate) async fn take_in(request: Request, next: Next) -> Response {
    if request.uri().path().starts_with("/api/uploads/") {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let refused = |status, words: &str| Refusal::new(status, words).into_response();
    match timeout(SILENCE, to_bytes(body, LARGEST)).await {
        Ok(Ok(bytes)) => {
            next.run(Request::from_parts(parts, Body::from(bytes)))
                .await
        }
        Ok(Err(_)) => refused(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the request broke off, or is larger than 4 MB",
        ),
        Err(_) => refused(
            StatusCode::REQUEST_TIMEOUT,
            "the request broke off: it did not end within 15 seconds",
        ),
    }
}
