//! Files that go out: clips and made motion in the formats of other programs, and what jobs left behind.
//! Made motion can also be kept in the library.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use afoot::{Convert, Export, Failure, Import, MotionFile, Output, Request, Run, Workspace};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path as InPath, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::api::{Begun, Keep, MotionHead};
use crate::assets::kind_of;
use crate::bench::Bench;
use crate::clips::has_clip;
use crate::frames::encode;
use crate::jobs::{self, Running};
use crate::reply::{Refusal, Reply, aside};

/// What to write and how: a clip, or what a job has made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    clip: Option<String>,
    job: Option<u64>,
    /// The file's ending; `asf` is the skeleton that belongs to an `amc`.
    format: String,
}

const FORMATS: [&str; 6] = ["bvh", "amc", "asf", "glb", "fbx", "usda"];

pub(crate) async fn export(
    State(bench): State<Arc<Bench>>,
    Query(wanted): Query<Wanted>,
) -> Reply<Response> {
    if !FORMATS.contains(&wanted.format.as_str()) {
        let failure = Failure::bad_value("format", &wanted.format, &FORMATS.join(", "));
        return Err(failure.into());
    }
    let made = wanted.job.map(|id| bench.jobs.find(id)).transpose()?;
    let (name, bytes) = aside(move || {
        let folder = bench.scratch.0.join(format!("export-{}", bench.number()));
        std::fs::create_dir_all(&folder)?;
        let stem = match &wanted.clip {
            Some(clip) => clip.replace(
                |letter: char| !letter.is_alphanumeric() && letter != '-',
                "_",
            ),
            None => "motion".into(),
        };
        let ending = wanted.format.replace("asf", "amc");
        let output = Output::to(folder.join(format!("{stem}.{ending}")));
        let source = made.map(|job| job.folder.join("motion.glb"));
        let written = write(&bench, wanted.clip, source, &output);
        let name = format!("{stem}.{}", wanted.format);
        let bytes = written.and_then(|()| Ok(std::fs::read(folder.join(&name))?));
        let _ = std::fs::remove_dir_all(&folder);
        Ok((name, bytes?))
    })
    .await?;
    Ok(attached(&name, bytes))
}

fn write(
    bench: &Bench,
    clip: Option<String>,
    made: Option<PathBuf>,
    output: &Output,
) -> Result<(), Failure> {
    let run = Run::quiet();
    match (clip, made) {
        (Some(clip), None) => {
            let export = Export {
                clip,
                ..Export::default()
            };
            export.run(&bench.library(), output, &run)?;
        }
        (None, Some(file)) => {
            let input = MotionFile::new(file);
            let convert = Convert {
                input,
                ..Convert::default()
            };
            convert.run(Workspace::from(&afoot::AnyFile), output, &run)?;
        }
        _ => return Err(Failure::bad_request("expected a clip or a job to export")),
    }
    Ok(())
}

fn attached(name: &str, bytes: Vec<u8>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind_of(name).to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, bytes).into_response()
}

/// Where a file that a job left lies. Only names that were listed can be had, so that none leads elsewhere.
fn listed_file(job: &Running, name: &String) -> Reply<PathBuf> {
    let told = job.told();
    match told.files.contains(name) {
        true => Ok(job.folder.join(name)),
        false => {
            let id = told.id;
            Err(Refusal::missing(format!("job {id} has no file {name:?}")))
        }
    }
}

/// A file that a job left.
pub(crate) async fn file(
    State(bench): State<Arc<Bench>>,
    InPath((id, name)): InPath<(u64, String)>,
) -> Reply<Response> {
    let job = bench.jobs.find(id)?;
    let path = listed_file(&job, &name)?;
    let bytes = aside(move || Ok(std::fs::read(path)?)).await?;
    Ok(([(header::CONTENT_TYPE, kind_of(&name))], bytes).into_response())
}

/// A motion file that a job left, as frames to draw.
pub(crate) async fn frames(
    State(bench): State<Arc<Bench>>,
    InPath((id, name)): InPath<(u64, String)>,
) -> Reply<Bytes> {
    let job = bench.jobs.find(id)?;
    let path = listed_file(&job, &name)?;
    aside(move || {
        let clip = MotionFile::new(path).clip(&afoot::AnyFile, &Run::quiet())?;
        Ok(encode(&clip, MotionHead::default(), 1))
    })
    .await
}

/// Keeps what a job has made as a clip of the library.
pub(crate) async fn keep(
    State(bench): State<Arc<Bench>>,
    InPath(id): InPath<u64>,
    Json(keep): Json<Keep>,
) -> Reply<Json<Begun>> {
    let made = bench.jobs.find(id)?.folder.join("motion.glb");
    let name = keep.name.trim().to_owned();
    let plain = Path::new(&name)
        .file_name()
        .is_some_and(|file| file == name.as_str());
    if !plain || name.starts_with('.') || name.contains(['\\', '\0']) {
        return Err(Failure::bad_value("name", &name, "a name without slashes").into());
    }
    let placed = Arc::clone(&bench);
    let file = aside(move || {
        if has_clip(&placed.library(), &name) {
            return Err(Failure::bad_value("name", &name, "a name that no clip has"));
        }
        let folder = format!("keep-{}", placed.number());
        std::fs::create_dir_all(placed.scratch.0.join(&folder))?;
        let file = format!("{folder}/{name}.glb");
        std::fs::copy(made, placed.scratch.0.join(&file))?;
        Ok(file)
    })
    .await?;
    let import = Import {
        paths: vec![file.into()],
        fps: 0.0,
        labels: keep.labels,
        as_is: true,
        ..Import::default()
    };
    let job = jobs::begin(bench, Request::from(import))?;
    Ok(Json(Begun { job }))
}
