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
use tokio::time::timeout;

use crate::api::Uploaded;
use crate::bench::{Bench, lock};
use crate::connections::SILENCE;
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
    let said = headers.get(header::CONTENT_LENGTH);
    let said = said.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let mut room = Room {
        bench: &bench,
        bytes: 0,
    };
    let uploaded = *lock(&bench.uploaded);
    room.check(uploaded, said.unwrap_or(0))?;
    let draft = folder.join(format!(".{}.part", bench.number()));
    let written = write(&draft, body, &mut room).await;
    let placed = written.and_then(|()| room.place(&draft, &folder.join(&name)).map_err(failed));
    let _ = tokio::fs::remove_file(&draft).await;
    Ok(Json(Uploaded {
        file: format!("uploads/{name}"),
        bytes: placed?,
    }))
}

/// What an upload takes of what all may; given back unless its file is placed.
struct Room<'a> {
    bench: &'a Bench,
    bytes: u64,
}

impl Room<'_> {
    /// Refuses bytes that there is no room for.
    fn check(&self, uploaded: u64, more: u64) -> Reply<()> {
        let most = self.bench.largest_upload;
        let fits = |taken: u64, most: u64| taken.saturating_add(more) <= most;
        match fits(self.bytes, most) && fits(uploaded, most.saturating_mul(MOST_FILES)) {
            true => Ok(()),
            false => Err(too_large(most)),
        }
    }

    fn take(&mut self, more: u64) -> Reply<()> {
        let mut uploaded = lock(&self.bench.uploaded);
        self.check(*uploaded, more)?;
        *uploaded += more;
        self.bytes += more;
        Ok(())
    }

    /// Gives a draft its name; a file that had it makes room.
    fn place(mut self, draft: &Path, file: &Path) -> std::io::Result<u64> {
        let mut uploaded = lock(&self.bench.uploaded);
        let before = std::fs::metadata(file).map_or(0, |facts| facts.len());
        std::fs::rename(draft, file)?;
        *uploaded -= before;
        Ok(std::mem::take(&mut self.bytes))
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        *lock(&self.bench.uploaded) -= self.bytes;
    }
}

async fn write(draft: &Path, mut body: Body, room: &mut Room<'_>) -> Reply<()> {
    let mut file = tokio::fs::File::create(draft).await.map_err(failed)?;
    let silent = |_| {
        let words = "the upload broke off: nothing came for 15 seconds";
        Refusal::new(StatusCode::REQUEST_TIMEOUT, words)
    };
    while let Some(frame) = timeout(SILENCE, body.frame()).await.map_err(silent)? {
        let broken = |error| {
            Refusal::new(
                StatusCode::BAD_REQUEST,
                format!("the upload broke off: {error}"),
            )
        };
        let Ok(data) = frame.map_err(broken)?.into_data() else {
            continue;
        };
        room.take(data.len() as u64)?;
        file.write_all(&data).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)
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

/// Forgets what was uploaded; what is coming in is left.
pub(crate) async fn clear(State(bench): State<Arc<Bench>>) -> Reply<Json<Value>> {
    let mut uploaded = lock(&bench.uploaded);
    for entry in std::fs::read_dir(bench.scratch.0.join("uploads"))
        .map_err(failed)?
        .flatten()
    {
        let placed = !entry.file_name().to_string_lossy().starts_with('.');
        let bytes = entry.metadata().map_or(0, |facts| facts.len());
        if placed && std::fs::remove_file(entry.path()).is_ok() {
            *uploaded -= bytes;
        }
    }
    Ok(Json(json!({})))
}
