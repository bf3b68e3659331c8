//! Requests under way: each is a job with a number, whose progress, warnings and motion all pages hear.
//!
//! Jobs run a few at a time, others wait; too many are refused. Motion goes to the pages piece by piece as it
//! is made, is kept for pages that come later, and lies as a file in the job's folder, where it was read back
//! and judged. The oldest jobs are forgotten with their files.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use afoot::{Cancel, Event, Failure, Gives, Library, MotionPiece, Request, Run, Workspace};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path as InPath, State};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::api::{Begun, Job, JobProgress, JobState, MotionHead, Told};
use crate::bench::{Bench, lock};
use crate::frames::encode;
use crate::history::Change;
use crate::reply::{Refusal, Reply};

/// Jobs that may wait or run.
const MOST_OPEN: usize = 32;
/// Jobs that are remembered.
const MOST_KEPT: usize = 48;
/// Motion of one job that is kept in memory. [bytes]
const MOST_MOTION: usize = 64 << 20;
/// Progress is told at most so often.
const PAUSE: Duration = Duration::from_millis(60);

#[derive(Default)]
pub(crate) struct Jobs(Mutex<VecDeque<Arc<Running>>>);

/// A job, while it runs and after.
pub(crate) struct Running {
    pub(crate) folder: PathBuf,
    cancel: Cancel,
    state: Mutex<Job>,
    motion: Mutex<Motion>,
    begun: Mutex<Option<Instant>>,
    told: Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Motion {
    /// As many of the first as may be kept.
    pieces: Vec<Bytes>,
    /// Of all pieces up to the first that was not kept.
    bytes: usize,
    frames: usize,
}

impl Motion {
    /// Keeps a piece, unless one before it was not, so that what is kept has no hole.
    fn keep(&mut self, piece: Bytes) {
        if self.bytes <= MOST_MOTION {
            self.bytes += piece.len();
        }
        if self.bytes <= MOST_MOTION {
            self.pieces.push(piece);
        }
    }
}

impl Jobs {
    pub(crate) fn stop_all(&self) {
        for job in lock(&self.0).iter() {
            job.cancel.stop();
        }
    }

    pub(crate) fn find(&self, id: u64) -> Reply<Arc<Running>> {
        let jobs = lock(&self.0);
        let found = jobs.iter().find(|job| lock(&job.state).id == id);
        found
            .cloned()
            .ok_or_else(|| Refusal::missing(format!("there is no job {id}")))
    }

    /// Takes a job in, and forgets the oldest that have ended.
    fn add(&self, job: Arc<Running>) -> Reply<()> {
        let mut jobs = lock(&self.0);
        let open = jobs.iter().filter(|job| !job.has_ended()).count();
        if open >= MOST_OPEN {
            let words = format!("{open} requests are under way; wait for some, or stop them");
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, words));
        }
        jobs.push_back(job);
        while jobs.len() > MOST_KEPT {
            let Some(oldest) = jobs.iter().position(|job| job.has_ended()) else {
                break;
            };
            if let Some(gone) = jobs.remove(oldest) {
                let _ = std::fs::remove_dir_all(&gone.folder);
            }
        }
        Ok(())
    }

    fn told(&self) -> Vec<Job> {
        lock(&self.0).iter().map(|job| job.told()).collect()
    }
}

impl Running {
    fn new(id: u64, ask: String, folder: PathBuf) -> Self {
        Self {
            folder,
            cancel: Cancel::default(),
            state: Mutex::new(Job {
                id,
                ask,
                state: JobState::Waiting,
                progress: None,
                warnings: Vec::new(),
                report: None,
                failure: None,
                help: None,
                frames: 0,
                files: Vec::new(),
                seconds: 0.0,
            }),
            motion: Mutex::default(),
            begun: Mutex::default(),
            told: Mutex::default(),
        }
    }

    fn has_ended(&self) -> bool {
        matches!(lock(&self.state).state, JobState::Done | JobState::Failed)
    }

    pub(crate) fn told(&self) -> Job {
        let mut job = lock(&self.state).clone();
        if job.state == JobState::Running {
            job.seconds = self.seconds();
        }
        job
    }

    fn seconds(&self) -> f64 {
        lock(&self.begun).map_or(0.0, |begun| begun.elapsed().as_secs_f64())
    }

    /// Whether progress is to be told now.
    fn is_time(&self) -> bool {
        let mut told = lock(&self.told);
        let due = told.is_none_or(|told| told.elapsed() >= PAUSE);
        if due {
            *told = Some(Instant::now());
        }
        due
    }

    /// All motion that was made so far, as one stretch each.
    fn motion(&self) -> Vec<Bytes> {
        lock(&self.motion).pieces.clone()
    }
}

pub(crate) async fn list(State(bench): State<Arc<Bench>>) -> Json<Vec<Job>> {
    Json(bench.jobs.told())
}

pub(crate) async fn show(
    State(bench): State<Arc<Bench>>,
    InPath(id): InPath<u64>,
) -> Reply<Json<Job>> {
    Ok(Json(bench.jobs.find(id)?.told()))
}

pub(crate) async fn stop(
    State(bench): State<Arc<Bench>>,
    InPath(id): InPath<u64>,
) -> Reply<Json<Job>> {
    let job = bench.jobs.find(id)?;
    job.cancel.stop();
    Ok(Json(job.told()))
}

/// The motion that a job has made: stretches one after the other, each with its length before it (u32).
pub(crate) async fn motion(
    State(bench): State<Arc<Bench>>,
    InPath(id): InPath<u64>,
) -> Reply<Bytes> {
    let pieces = bench.jobs.find(id)?.motion();
    if pieces.is_empty() {
        return Err(Refusal::missing(format!("job {id} has made no motion")));
    }
    let mut bytes = Vec::new();
    for piece in pieces {
        bytes.extend((piece.len() as u32).to_le_bytes());
        bytes.extend(&piece);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    Ok(bytes.into())
}

pub(crate) async fn start(
    State(bench): State<Arc<Bench>>,
    Json(asked): Json<Value>,
) -> Reply<Json<Begun>> {
    let request = Request::read(asked)?;
    let job = begin(bench, request)?;
    Ok(Json(Begun { job }))
}

/// Begins a job on the library that is open now; gives its number.
pub(crate) fn begin(bench: Arc<Bench>, request: Request) -> Reply<u64> {
    let (id, library) = (bench.number(), bench.library());
    let job = Arc::new(Running::new(id, request.name(), bench.scratch.of_job(id)));
    bench.jobs.add(Arc::clone(&job))?;
    bench.tell(&Told::Job {
        job: job.told().into(),
    });
    tokio::spawn(async move {
        let place = Arc::clone(&bench.at_work).acquire_owned().await;
        let work = tokio::task::spawn_blocking(move || {
            let asked = Asked {
                request: &request,
                library: &library,
            };
            work(&bench, &job, asked);
            drop(place);
        });
        let _ = work.await; // a panic is told on the terminal; the job was marked before
    });
    Ok(id)
}

/// What is asked, of which library.
#[derive(Clone, Copy)]
struct Asked<'a> {
    request: &'a Request,
    library: &'a Arc<Library>,
}

/// Runs a job to its end.
fn work(bench: &Arc<Bench>, job: &Arc<Running>, asked: Asked) {
    let ended = Ended { bench, job };
    *lock(&job.begun) = Some(Instant::now());
    lock(&job.state).state = JobState::Running;
    bench.tell(&Told::Job {
        job: job.told().into(),
    });
    let (changes, run) = (asked.request.changes_library(), watched(bench, job));
    let answer = match changes {
        true => changing(bench, asked, &job.folder, &run),
        false => answer(asked, &job.folder, &run),
    };
    let mut state = lock(&job.state);
    state.progress = None;
    state.files = files_in(&job.folder);
    match answer {
        Ok(report) => {
            state.state = JobState::Done;
            state.report = Some(report);
        }
        Err(failure) => {
            state.state = JobState::Failed;
            state.help = failure.hint.as_ref().map(ToString::to_string);
            state.failure = Some(failure);
        }
    }
    drop(state);
    drop(ended);
    if changes {
        bench.tell_library();
    }
}

/// A job that has come to its end, whichever way.
struct Ended<'a> {
    bench: &'a Bench,
    job: &'a Running,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        let seconds = self.job.seconds();
        let mut state = lock(&self.job.state);
        state.seconds = seconds;
        if state.state == JobState::Running {
            state.state = JobState::Failed;
            state.failure = Some(Failure::failed("the work broke off; see the terminal"));
        }
        let told = Told::Job {
            job: state.clone().into(),
        };
        drop(state);
        self.bench.tell(&told);
    }
}

fn answer(Asked { request, library }: Asked, folder: &Path, run: &Run) -> Result<Value, Failure> {
    let to = match request.gives() {
        Gives::Report => Value::Null,
        Gives::Motion | Gives::MadeMotion => json!({"file": made(folder)?.join("motion.glb")}),
        Gives::File => {
            let name = match request {
                Request::Matrix(_) => "result.png",
                Request::Bake(_) => "hero.afootpack",
                _ => "result.json",
            };
            json!({"file": made(folder)?.join(name)})
        }
        Gives::Folder => json!({"folder": made(folder)?}),
    };
    request.run(Workspace::from(&**library), to, run)
}

fn made(folder: &Path) -> Result<&Path, Failure> {
    std::fs::create_dir_all(folder)?;
    Ok(folder)
}

/// One that changes the library: one at a time, and what was before can be had back.
fn changing(bench: &Bench, asked: Asked, folder: &Path, run: &Run) -> Result<Value, Failure> {
    let _alone = lock(&bench.writing);
    let Asked { request, library } = asked;
    let change = Change::begin(bench, library, request.name().replace('_', " "))?;
    let report = answer(asked, folder, run)?;
    bench.note(library, change);
    Ok(report)
}

/// All files of a folder, by their paths in it with slashes.
fn files_in(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.path().is_dir() {
            true => names.extend(
                files_in(&entry.path())
                    .iter()
                    .map(|inner| format!("{name}/{inner}")),
            ),
            false => names.push(name),
        }
    }
    names.sort();
    names
}

/// A run whose events go to the pages.
fn watched(bench: &Arc<Bench>, job: &Arc<Running>) -> Run {
    let (bench, watched) = (Arc::downgrade(bench), Arc::downgrade(job));
    let run = Run::watched(move |event| {
        if let (Some(bench), Some(job)) = (bench.upgrade(), watched.upgrade()) {
            hear(&bench, &job, event);
        }
    });
    run.with_cancel(job.cancel.clone())
}

fn hear(bench: &Bench, job: &Running, event: &Event) {
    match event {
        Event::Progress(progress) => {
            lock(&job.state).progress = Some(JobProgress {
                stage: progress.stage.into(),
                done: progress.done,
                total: progress.total,
            });
            if job.is_time() {
                bench.tell(&Told::Job {
                    job: job.told().into(),
                });
            }
        }
        Event::Warning(words) => {
            let mut state = lock(&job.state);
            if state.warnings.len() < 100 {
                state.warnings.push(words.clone());
            }
        }
        // Where results lie in the scratch folder is nobody's business.
        Event::Note(words) if words.contains(&*bench.scratch.0.to_string_lossy()) => {}
        Event::Note(words) => {
            let id = lock(&job.state).id;
            let words = words.clone();
            bench.tell(&Told::Note { job: id, words });
        }
        Event::Partial(part) => {
            if let Some(piece) = part.get::<MotionPiece>() {
                hear_motion(bench, job, piece);
            }
        }
    }
}

fn hear_motion(bench: &Bench, job: &Running, piece: &MotionPiece) {
    let id = lock(&job.state).id;
    let first = lock(&job.motion).frames;
    let head = MotionHead {
        job: Some(id),
        first,
        ..MotionHead::default()
    };
    let bytes = encode(&piece.clip, head, 1);
    bench.tell_motion(bytes.clone());
    let mut motion = lock(&job.motion);
    motion.frames += piece.clip.len();
    motion.keep(bytes);
    let frames = motion.frames;
    drop(motion);
    lock(&job.state).frames = frames;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_is_kept_up_to_the_first_piece_that_does_not_fit() {
        let mut motion = Motion::default();
        for bytes in [10, MOST_MOTION, 10] {
            motion.keep(vec![0_u8; bytes].into());
        }
        assert_eq!(motion.pieces.len(), 1);
    }
}
