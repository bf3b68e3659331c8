//! Files that come in: streamed to the scratch folder, never larger than allowed, by names without paths.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path as InPath, State};
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::api::Uploaded;
use crate::bench::Bench;
use crate::reply::{Refusal, Reply};

/// All that is uploaded and not cleared, at most so many times the largest file.
const MOST_FILES: u64 = 4;

/// Takes a file in; files of one name and ending pair (`.asf`, `.amc`) find each other in the folder.
pub(crate) async fn put(
    State(bench): State<Arc<Bench>>,
    InPath(name): InPath<String>,
    headers: HeaderMap,
    body: Body,
) -> Reply<Json<Uploaded>> {
    let plain = Path::new(&name)
        .file_name()
        .is_some_and(|file| file == name.as_str());
    if !plain || name.starts_with('.') || name.len() > 200 || name.contains(['/', '\\', '\0']) {
        let words = format!("{name:?}: expected the name of a file, without folders");
        return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
    }
    let folder = bench.scratch.0.join("uploads");
    let there = size_of(&folder);
    let most = bench.largest_upload;
    let said = headers.get(header::CONTENT_LENGTH);
    let said = said.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let fits = |bytes: u64| bytes <= most && there + bytes <= MOST_FILES * most;
    if said.is_some_and(|bytes| !fits(bytes)) {
        return Err(too_large(most));
    }
    let draft = folder.join(format!(".{}.part", bench.number()));
    let written = write(&draft, body, &fits, most).await;
    let placed = match written {
        Ok(bytes) => tokio::fs::rename(&draft, folder.join(&name))
            .await
            .map(|()| bytes)
            .map_err(failed),
        Err(refusal) => Err(refusal),
    };
    let _ = tokio::fs::remove_file(&draft).await;
    Ok(Json(Uploaded {
        file: format!("uploads/{name}"),
        bytes: placed?,
    }))
}

async fn write(draft: &Path, mut body: Body, fits: &impl Fn(u64) -> bool, most: u64) -> Reply<u64> {
    let mut file = tokio::fs::File::create(draft).await.map_err(failed)?;
    let mut bytes = 0;
    while let Some(frame) = body.frame().await {
        let broken = |error| {
            Refusal::new(
                StatusCode::BAD_REQUEST,
                format!("the upload broke off: {error}"),
            )
        };
        let Ok(data) = frame.map_err(broken)?.into_data() else {
            continue;
        };
        bytes += data.len() as u64;
        if !fits(bytes) {
            return Err(too_large(most));
        }
        file.write_all(&data).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)?;
    Ok(bytes)
}

fn failed(error: std::io::Error) -> Refusal {
    afoot::Failure::failed(error).into()
}

fn too_large(most: u64) -> Refusal {
    let words = format!(
        "the file is too large: at most {} MB may be uploaded",
        most >> 20
    );
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, words)
}

fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.metadata().ok())
        .map(|facts| facts.len())
        .sum()
}

/// Forgets what was uploaded.
pub(crate) async fn clear(State(bench): State<Arc<Bench>>) -> Reply<Json<Value>> {
    let folder = bench.scratch.0.join("uploads");
    let _ = tokio::fs::remove_dir_all(&folder).await;
    tokio::fs::create_dir_all(&folder).await.map_err(failed)?;
    Ok(Json(json!({})))
}
