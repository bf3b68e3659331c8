//! What is looked at: the session, the library, its clips and their frames.

use std::sync::Arc;

use afoot::{FailureKind, Library, List, Request, Run, ShowClip, ShowLibrary};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{MotionHead, OpenLibrary, Session};
use crate::bench::{Bench, lock};
use crate::frames::encode;
use crate::reply::{Refusal, Reply, aside};

/// A clip, and how many of its frames.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    clip: String,
    /// About so many frames, evenly chosen; all if it is left open.
    count: Option<usize>,
}

pub(crate) async fn session(State(bench): State<Arc<Bench>>) -> Reply<Json<Session>> {
    let session = aside(move || {
        let library = bench.library();
        let name = library.path().file_name().unwrap_or_default();
        let names = std::fs::read_dir(bench.folder())?.flatten();
        let mut libraries: Vec<String> = names
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".afoot"))
            .collect();
        libraries.sort();
        let history = lock(&bench.changes).told();
        Ok(Session {
            library: name.to_string_lossy().into_owned(),
            libraries,
            tour: bench.tour,
            version: env!("CARGO_PKG_VERSION").into(),
            history,
        })
    });
    Ok(Json(session.await?))
}

/// Every request with its defaults.
pub(crate) async fn requests() -> Json<Value> {
    let named = Request::all().into_iter().map(|request| {
        let fields = serde_json::to_value(&request).unwrap_or_default();
        (request.name(), fields)
    });
    Json(Value::Object(named.collect()))
}

pub(crate) async fn library(State(bench): State<Arc<Bench>>) -> Reply<Json<Value>> {
    let shown = aside(move || {
        let shown = ShowLibrary {}.run(&bench.library(), &Run::quiet())?;
        Ok(serde_json::to_value(shown)?)
    });
    Ok(Json(shown.await?))
}

pub(crate) async fn list(State(bench): State<Arc<Bench>>) -> Reply<Json<Value>> {
    let listed = aside(move || {
        let listed = List::default().run(&bench.library(), &Run::quiet())?;
        Ok(serde_json::to_value(listed)?)
    });
    Ok(Json(listed.await?))
}

pub(crate) async fn show(
    State(bench): State<Arc<Bench>>,
    Query(wanted): Query<Wanted>,
) -> Reply<Json<Value>> {
    let shown = aside(move || {
        let shown = ShowClip { clip: wanted.clip }.run(&bench.library(), &Run::quiet())?;
        let level = shown.clip.types.iter().map(|kind| kind.name());
        let types: Vec<Value> = runs(level.collect(), shown.clip.rate.frame_time());
        let mut told = serde_json::to_value(&shown)?;
        told["type_spans"] = types.into();
        Ok(told)
    });
    Ok(Json(missing_is_404(shown.await)?))
}

/// Stretches of the same word. [s]
fn runs(words: Vec<&str>, frame_time: f64) -> Vec<Value> {
    let mut spans = Vec::new();
    let mut start = 0;
    for end in 1..=words.len() {
        if end == words.len() || words[end] != words[start] {
            let (from, to) = (start as f64 * frame_time, end as f64 * frame_time);
            spans.push(json!({"label": words[start], "from": from, "to": to}));
            start = end;
        }
    }
    spans
}

pub(crate) async fn motion(
    State(bench): State<Arc<Bench>>,
    Query(wanted): Query<Wanted>,
) -> Reply<Bytes> {
    let bytes = aside(move || {
        let clip = bench.library().clip(&wanted.clip)?;
        let count = wanted.count.unwrap_or(usize::MAX).max(1);
        let every = clip.len().div_ceil(count).max(1);
        Ok(encode(&clip, MotionHead::default(), every))
    });
    missing_is_404(bytes.await)
}

/// A clip that is not there is not there.
fn missing_is_404<T>(reply: Reply<T>) -> Reply<T> {
    reply.map_err(|refusal| match refusal.failure.kind {
        FailureKind::BadRequest => Refusal::missing(refusal.failure.message),
        _ => refusal,
    })
}

pub(crate) async fn open(
    State(bench): State<Arc<Bench>>,
    Json(asked): Json<OpenLibrary>,
) -> Reply<Json<Value>> {
    aside(move || bench.switch(&asked.library, asked.create)).await?;
    Ok(Json(json!({})))
}

/// Whether a clip of that name is there.
pub(crate) fn has_clip(library: &Library, name: &str) -> bool {
    library.clip(name).is_ok()
}
