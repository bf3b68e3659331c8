//! Pictures of a scene as its camera sees it: a strip of moments, and a video where `ffmpeg` is at hand.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use afoot_core::{Clip, FrameRate, Vec3};
use afoot_draw::{Stage, StageEye, StageMoment};
use afoot_run::Run;
use afoot_script::program::Stand;

use crate::failure::Failure;

/// What a camera sees from top to bottom, unless it is said. [rad]
pub(crate) const FIELD_OF_VIEW: f32 = 0.8;
/// Pixels of a video's frames, and of a strip's.
const VIDEO: [u32; 2] = [960, 540];
const CELL: [u32; 2] = [320, 200];
/// Moments of a strip, and so many a row.
const MOMENTS: usize = 16;
const COLUMNS: usize = 4;
/// Width of a picture over its height.
const ASPECT: f32 = 1.6;
/// Who looks from above looks down at that angle, as high over far.
const STEEPNESS: f32 = 0.45;

/// The scene's camera; one that sees all actors at all times if there is none.
pub(crate) fn eye_of(camera: Option<&Stand>, clips: &[(&str, &Clip)]) -> StageEye {
    let point = |[x, y, z]: [f64; 3]| Vec3::new(x as f32, y as f32, z as f32);
    match camera {
        Some(stand) => StageEye {
            eye: point(stand.position),
            target: point(stand.lookat),
            field_of_view: FIELD_OF_VIEW,
        },
        None => overview(clips, 0..usize::MAX),
    }
}

/// A camera that sees all actors during some frames.
fn overview(clips: &[(&str, &Clip)], frames: Range<usize>) -> StageEye {
    let mut low = Vec3::splat(f32::INFINITY);
    let mut high = Vec3::splat(f32::NEG_INFINITY);
    let part = |clip: &Clip| {
        let end = frames.end.min(clip.len());
        frames.start.min(end)..end
    };
    for root in clips.iter().flat_map(|(_, clip)| &clip.root[part(clip)]) {
        (low, high) = (low.min(*root), high.max(*root));
    }
    if !low.is_finite() {
        (low, high) = (Vec3::ZERO, Vec3::Y);
    }
    let middle = (low + high) / 2.0;
    let target = Vec3::new(middle.x, 0.8, middle.z);
    let (wide, deep) = (high.x - low.x + 1.5, high.z - low.z + 1.5);
    let half = (wide / 2.0 / ASPECT).max(deep * STEEPNESS / 2.0).max(1.2);
    let away = half / (FIELD_OF_VIEW / 2.0).tan() + deep / 2.0;
    StageEye {
        eye: target + Vec3::new(0.0, STEEPNESS, -1.0).normalize() * away,
        target,
        field_of_view: FIELD_OF_VIEW,
    }
}

/// Moments of a scene beside each other, with what is said of each.
pub(crate) fn picture_strip(
    clips: &[(&str, &Clip)],
    words: impl Fn(f64) -> String,
) -> Result<Vec<u8>, Failure> {
    let frames = clips.iter().map(|(_, clip)| clip.len()).min().unwrap_or(0);
    let rate = clips
        .first()
        .map_or(FrameRate::FPS_30, |(_, clip)| clip.rate);
    let count = MOMENTS.min(frames).max(1);
    let moment = |number: usize| {
        let frame = number * frames.saturating_sub(1) / (count - 1).max(1);
        let seconds = frame as f64 * rate.frame_time();
        StageMoment {
            frame,
            words: format!("{seconds:.1} s  {}", words(seconds)),
            eye: overview(clips, frame..frame + 1),
        }
    };
    let moments: Vec<StageMoment> = (0..count).map(moment).collect();
    Ok(Stage::new(clips).strip(&moments, COLUMNS, CELL)?)
}

/// Starts what makes a video of the pixels that it is given.
fn start_ffmpeg(rate: FrameRate, file: &Path) -> io::Result<Child> {
    let [width, height] = VIDEO;
    let size = format!("{width}x{height}");
    Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error"])
        .args(["-f", "rawvideo", "-pix_fmt", "rgba"])
        .args(["-s", &size, "-r", &rate.fps().to_string()])
        .args(["-i", "-", "-pix_fmt", "yuv420p"])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// Writes a video; gives whether it could: without `ffmpeg` there is none.
pub(crate) fn video(
    clips: &[(&str, &Clip)],
    eye: StageEye,
    file: &Path,
    run: &Run,
) -> Result<bool, Failure> {
    let rate = clips
        .first()
        .map_or(FrameRate::FPS_30, |(_, clip)| clip.rate);
    let frames = clips.iter().map(|(_, clip)| clip.len()).min().unwrap_or(0);
    let Ok(mut program) = start_ffmpeg(rate, file) else {
        return Ok(false);
    };
    let stage = Stage::new(clips);
    let mut written = true;
    if let Some(mut pipe) = program.stdin.take() {
        for frame in 0..frames {
            if run.check().is_err() || pipe.write_all(&stage.pixels(frame, eye, VIDEO)?).is_err() {
                written = false;
                break;
            }
            run.progress("video", frame as u64 + 1, frames as u64);
        }
    }
    let ended = program.wait().map_err(|error| Failure::at(file, error))?;
    run.check()?;
    if !written || !ended.success() {
        let _ = std::fs::remove_file(file); // a part of one
        run.warn("ffmpeg made no video".to_owned());
        return Ok(false);
    }
    Ok(true)
}
