//! The workbench's server: a library behind a page, on loopback unless told otherwise.
//!
//! All that is asked goes through `afoot`'s requests; this crate adds what a page needs around them.
//! `guard`: who may ask. `clips`: what is looked at. `jobs`: requests under way, with progress, pieces of
//! motion, cancel. `socket`: events to the page, steering from it. `uploads` and `exports`: files in and
//! out. `history`: undo. `bench`: what all of them share. `frames`: motion as bytes. `assets`: the page.
//! `connections`: how many may be open. `api`: what is said in JSON, from which the page's types are made.
//!
//! ```no_run
//! use afoot_serve::{ServeOptions, serve};
//!
//! let run = afoot::Run::quiet(); // its cancel ends the server
//! serve(ServeOptions::of("walks.afoot"), &run, |address| println!("open {address}"))?;
//! # Ok::<(), afoot::Failure>(())
//! ```

pub mod api;
mod assets;
mod bench;
mod clips;
mod connections;
mod exports;
mod frames;
mod guard;
mod history;
mod jobs;
mod reply;
mod socket;
mod uploads;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use afoot::{Failure, Run};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{delete, get, post, put};

use crate::bench::Bench;
use crate::guard::Guard;

/// What is served and to whom.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The library.
    pub library: PathBuf,
    /// Where to listen; others than loopback need a token.
    pub address: IpAddr,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// Folders whose files requests may name, beside what is uploaded.
    pub folders: Vec<PathBuf>,
    /// What callers have to know; needed where others than this computer can call.
    pub token: Option<String>,
    /// Largest file that may be uploaded. [bytes]
    pub largest_upload: u64,
    /// Connections at a time; others wait. [≥ 1]
    pub connections: usize,
    /// Requests at work at a time; others wait their turn. [≥ 1]
    pub at_work: usize,
    /// Whether the page is to show a newcomer around.
    pub tour: bool,
}

impl ServeOptions {
    /// Of a library, on loopback.
    pub fn of(library: impl Into<PathBuf>) -> Self {
        Self {
            library: library.into(),
            address: Ipv4Addr::LOCALHOST.into(),
            port: 7878,
            folders: Vec::new(),
            token: None,
            largest_upload: 512 << 20,
            connections: 256,
            at_work: 3,
            tour: false,
        }
    }
}

/// Serves until the run is stopped. `ready` hears the address to open once it can be opened.
pub fn serve(options: ServeOptions, run: &Run, ready: impl FnOnce(String)) -> Result<(), Failure> {
    if !options.address.is_loopback() && options.token.as_ref().is_none_or(String::is_empty) {
        return Err(Failure::bad_value(
            "address",
            options.address,
            "a token too, since other computers can call there",
        ));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(64)
        .enable_all()
        .build()?;
    let bench = Arc::new(Bench::open(&options)?);
    let ended = runtime.block_on(listen(&options, Arc::clone(&bench), run, ready));
    bench.stop_all();
    runtime.shutdown_timeout(std::time::Duration::from_secs(5));
    ended
}

async fn listen(
    options: &ServeOptions,
    bench: Arc<Bench>,
    run: &Run,
    ready: impl FnOnce(String),
) -> Result<(), Failure> {
    let asked = SocketAddr::new(options.address, options.port);
    let listener = tokio::net::TcpListener::bind(asked).await;
    let listener = listener.map_err(|error| Failure::failed(format!("{asked}: {error}")))?;
    let address = listener.local_addr()?;
    let guard = Guard::new(address, options.token.clone());
    ready(guard.url());
    let checked = axum::middleware::from_fn_with_state(Arc::new(guard), guard::check);
    let app = routes(bench, options)
        .layer(axum::middleware::from_fn(connections::take_in))
        .layer(checked);
    connections::accept(listener, app, options.connections, run).await;
    Ok(())
}

fn routes(bench: Arc<Bench>, options: &ServeOptions) -> Router {
    let upload_limit = usize::try_from(options.largest_upload).unwrap_or(usize::MAX);
    Router::new()
        .route("/api/session", get(clips::session))
        .route("/api/requests", get(clips::requests))
        .route("/api/library", get(clips::library))
        .route("/api/clips", get(clips::list))
        .route("/api/clip", get(clips::show))
        .route("/api/motion", get(clips::motion))
        .route("/api/open", post(clips::open))
        .route("/api/jobs", get(jobs::list).post(jobs::start))
        .route("/api/jobs/{id}", get(jobs::show))
        .route("/api/jobs/{id}/stop", post(jobs::stop))
        .route("/api/jobs/{id}/motion", get(jobs::motion))
        .route("/api/jobs/{id}/keep", post(exports::keep))
        .route("/api/jobs/{id}/files/{*name}", get(exports::file))
        .route("/api/jobs/{id}/frames/{*name}", get(exports::frames))
        .route("/api/export", get(exports::export))
        .route("/api/undo", post(history::undo))
        .route("/api/redo", post(history::redo))
        .route("/api/socket", get(socket::open))
        .route(
            "/api/uploads/{name}",
            put(uploads::put).layer(DefaultBodyLimit::max(upload_limit)),
        )
        .route("/api/uploads", delete(uploads::clear))
        .route("/api/{*rest}", get(reply::nothing).post(reply::nothing))
        .fallback(assets::serve)
        .layer(DefaultBodyLimit::max(connections::LARGEST))
        .with_state(bench)
}
