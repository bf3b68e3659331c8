//! A motion judged as it was written: read back piece by piece, held against what it was made from.

use std::ops::Range;

use afoot_analyze::{Judge, JudgeOptions, Quality};
use afoot_core::{Clip, FrameRate};
use afoot_formats::{PieceLength, read_in_pieces};
use afoot_run::Run;
use afoot_world::World;

use super::outlet::Ended;
use super::sinks::WrittenFile;
use crate::failure::Failure;
use crate::motion_files::read_back_options;

/// What is made, and what is read back and judged, together; and for how long plants are followed
/// beyond it: long plants are a few seconds, and three minutes of motion are some 20 MB. [s]
const PIECE: f64 = 180.0;
const CONTEXT: f64 = 10.0;

/// Frames of a piece of motion that is written while the next is made.
pub(crate) fn piece_frames(rate: FrameRate) -> usize {
    rate.frames_in(PIECE)
}

/// Judges a file against what its motion was made from and the path that it was to follow.
pub(super) fn judge_file(
    file: &WrittenFile,
    made: &Ended,
    (path, world): (Option<&[[f64; 2]]>, Option<&World>),
    run: &Run,
) -> Result<Quality, Failure> {
    let Ended {
        header, account, ..
    } = made;
    let made_from = account.made_from(header);
    let mut judge = Judge::new(JudgeOptions {
        source: header.clips.statistics(),
        made_from: Some(&made_from),
        floor: header.clips.floor(),
        ground: header.clips.ground(),
        terrain: header.clips.terrain(),
        legs_anyhow: made.legs_anyhow,
        path,
        faces_anyhow: !made.faces_ahead,
    });
    let length = PieceLength {
        frames: piece_frames(file.rate),
        context: file.rate.frames_in(CONTEXT),
    };
    let (mut done, mut room) = (0, f64::INFINITY);
    let look = |clip: &Clip, new: Range<usize>| -> Result<(), Failure> {
        run.check()?;
        done += new.len() as u64;
        if let Some(world) = world {
            room = room.min(least_room(clip, new.clone(), world));
        }
        judge.add(clip, new);
        run.progress("judging", done.min(header.frames), header.frames);
        Ok(())
    };
    let read = read_back_options(file.path, &file.options, file.rate);
    read_in_pieces(file.path, &read, length, look)?;
    let mut quality = judge.finish();
    quality.took(made.seconds);
    quality.clearance_m = room.is_finite().then_some(room);
    Ok(quality)
}

/// The least distance of the root from what stands in a world, over some frames. [m]
pub(crate) fn least_room(clip: &Clip, frames: Range<usize>, world: &World) -> f64 {
    let roots = clip.root[frames].iter();
    let rooms = roots.map(|root| world.clearance([f64::from(root.x), f64::from(root.z)]));
    rooms.fold(f64::INFINITY, f64::min)
}
