//! BVH: a hierarchy with channels, then a row of numbers per frame.
//!
//! Reading is written by hand because of speed: see `numbers` and `rows`. A row is a line; a
//! joint's channels in file order are the rotation R(c₁)·R(c₂)·…. Position channels of the root
//! replace its OFFSET. Names run to the end of their line and may hold blanks.
//! Memory: at most the clip plus ten times the header; counts in the file are never believed.

mod columns;
mod hierarchy;
mod plan;
mod positions;
mod rows;
mod write;

use std::ops::Range;
use std::sync::Arc;

use afoot_core::{Channel, Clip, FrameRate};

use crate::error::FormatError;
use crate::euler::Axis;
use crate::files::Format;
use crate::motion::{Motion, ReadOptions, SourceFacts};
use crate::scan::Scanner;
use crate::units;
use crate::up_axis;

pub use write::{BvhWriter, write_bvh};

/// Reads a BVH file.
pub fn read_bvh(text: &[u8], options: &ReadOptions) -> Result<Motion, FormatError> {
    let mut scanner = Scanner::new(text);
    let hierarchy = hierarchy::read_hierarchy(&mut scanner)?;
    let header = read_motion_header(&mut scanner)?;
    let rate = frame_rate(&scanner, &header, options)?;
    let skeleton = hierarchy.skeleton(text)?;
    let mut warnings = Vec::new();
    let (metres_per_unit, unit_origin) = units::resolve(&skeleton, options.unit, &mut warnings)?;
    let skeleton = Arc::new(skeleton.scaled(metres_per_unit as f32));
    let mut clip = Clip::empty("clip", skeleton, rate);
    rows::read_rows(
        scanner,
        rows::Rows {
            promised: header.frames,
            partial: options.partial,
            position_channels: options.position_channels,
            metres_per_unit,
        },
        &mut clip,
        &mut warnings,
    )?;
    let (up, unsure) = up_axis::make_y_up(&mut clip, options.up);
    warnings.extend(unsure);
    let source = SourceFacts {
        format: Format::Bvh,
        metres_per_unit,
        unit_origin,
        up,
        frame_time: Some(header.frame_time),
        header_frames: Some(header.frames),
        first_frame: 0,
        warnings,
        conformed: Vec::new(),
    };
    Ok(Motion { clip, source })
}

struct MotionHeader {
    frames: u64,
    frame_time: f64,
    /// Where it is written.
    frame_time_at: Range<usize>,
}

fn read_motion_header(scanner: &mut Scanner) -> Result<MotionHeader, FormatError> {
    scanner.expect("MOTION")?;
    scanner.expect("Frames")?;
    skip_colon(scanner);
    let frames = scanner.count("the number of frames, a whole number")?;
    scanner.expect("Frame")?;
    scanner.expect("Time")?;
    skip_colon(scanner);
    scanner.skip_space();
    let frame_time_at = scanner.pos;
    let frame_time = scanner.number("the frame time in seconds")?;
    Ok(MotionHeader {
        frames,
        frame_time,
        frame_time_at: frame_time_at..scanner.pos,
    })
}

fn skip_colon(scanner: &mut Scanner) {
    if scanner.peek_word() == b":" {
        scanner.word();
    }
}

/// Longest time that a frame of a file may take. [s]
const SLOWEST_FRAME: f64 = 1.0;

fn frame_rate(
    scanner: &Scanner,
    header: &MotionHeader,
    options: &ReadOptions,
) -> Result<FrameRate, FormatError> {
    let told = || {
        let written = std::str::from_utf8(&scanner.text[header.frame_time_at.clone()]).ok();
        let meant = written.and_then(FrameRate::from_frame_time_text);
        meant.or_else(|| FrameRate::from_fps(1.0 / header.frame_time))
    };
    // Slower ones are mistakes, milliseconds mostly, and resampling would make much of little.
    let is_told = header.frame_time <= SLOWEST_FRAME;
    options
        .rate
        .or_else(|| is_told.then(told).flatten())
        .ok_or_else(|| {
            scanner.expected_at(
                header.frame_time_at.start,
                "a frame time between 0.000001 and 1 second",
            )
        })
}

/// Whether a channel is a position, and its axis.
fn channel_axis(channel: Channel) -> (bool, Axis) {
    match channel {
        Channel::Xposition => (true, Axis::X),
        Channel::Yposition => (true, Axis::Y),
        Channel::Zposition => (true, Axis::Z),
        Channel::Xrotation => (false, Axis::X),
        Channel::Yrotation => (false, Axis::Y),
        Channel::Zrotation => (false, Axis::Z),
    }
}
