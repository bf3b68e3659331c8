//! A motion judged as it was written: read back piece by piece, held against what it was made from.

use std::ops::Range;

use afoot_analyze::{Judge, JudgeOptions, Quality};
use afoot_core::{Clip, FrameRate};
use afoot_formats::{PieceLength, read_in_pieces};
use afoot_run::Run;

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
    path: Option<&[[f64; 2]]>,
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
        path,
        faces_anyhow: !made.faces_ahead,
    });
    let length = PieceLength {
        frames: piece_frames(file.rate),
        context: file.rate.frames_in(CONTEXT),
    };
    let mut done = 0;
    let look = |clip: &Clip, new: Range<usize>| -> Result<(), Failure> {
        run.check()?;
        done += new.len() as u64;
        judge.add(clip, new);
        run.progress("judging", done.min(header.frames), header.frames);
        Ok(())
    };
    let read = read_back_options(file.path, &file.options, file.rate);
    read_in_pieces(file.path, &read, length, look)?;
    let mut quality = judge.finish();
    quality.took(made.seconds);
    Ok(quality)
}
