//! A clip as BVH text: channels as the skeleton keeps them, angles unwrapped over time.
//!
//! Joints come depth first, as the format wants. A joint whose channels can't say its motion gets
//! the missing ones, and a warning says so. Same clip, same bytes.

use afoot_core::{Clip, FrameId, JointId, Skeleton, Vec3};

use crate::bvh::plan::{Column, JointPlan, plan_joints};
use crate::error::{FormatError, Problem};
use crate::euler::unit_quat64;
use crate::fixed::push_fixed;
use crate::motion::{WriteOptions, Written};
use crate::up_axis::with_up;
use crate::written::{ANGLE_DECIMALS, check_writable, length_decimals};

/// Writes a clip as BVH.
pub fn write_bvh(clip: &Clip, options: &WriteOptions) -> Result<Written, FormatError> {
    let mut bytes = Vec::new();
    let mut writer = BvhWriter::new(clip.len(), options);
    writer.write(clip, &mut bytes)?;
    Ok(Written {
        bytes,
        companion: None,
        warnings: writer.warnings,
    })
}

/// Writes a motion of known length piece by piece; the bytes are those of the whole at once, but
/// that in several pieces every joint has three rotation channels, since later pieces may need them.
pub struct BvhWriter {
    frames: usize,
    written: usize,
    options: WriteOptions,
    plans: Vec<JointPlan>,
    warnings: Vec<String>,
}

impl BvhWriter {
    /// For a motion of `frames` frames.
    pub fn new(frames: usize, options: &WriteOptions) -> Self {
        Self {
            frames,
            written: 0,
            options: options.clone(),
            plans: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Appends the next frames to `out`, before the first ones the hierarchy too.
    pub fn write(&mut self, piece: &Clip, out: &mut Vec<u8>) -> Result<(), FormatError> {
        check_writable(piece, &self.options)?;
        let piece = &*with_up(piece, self.options.up);
        let mut text = Text::new(std::mem::take(out), self.options.metres_per_unit);
        if self.plans.is_empty() {
            let in_pieces = piece.len() < self.frames;
            self.plans = plan_joints(piece, in_pieces, &mut self.warnings);
            text.hierarchy(&piece.skeleton, &self.plans);
            text.motion_header(self.frames, piece.rate.frame_time());
        }
        text.rows(piece, &mut self.plans);
        self.written += piece.len();
        *out = text.out;
        Ok(())
    }

    /// What the format can't say as the motion has it; fails unless all frames were written.
    pub fn finish(self) -> Result<Vec<String>, FormatError> {
        let (found, expected) = (self.written as u64, self.frames as u64);
        match found == expected {
            true => Ok(self.warnings),
            false => Err(FormatError::new(Problem::CutOff { found, expected })),
        }
    }
}

struct Text {
    out: Vec<u8>,
    units_per_metre: f64,
    length_decimals: usize,
}

impl Text {
    fn new(out: Vec<u8>, metres_per_unit: f64) -> Self {
        let units_per_metre = 1.0 / metres_per_unit;
        let length_decimals = length_decimals(metres_per_unit);
        Self {
            out,
            units_per_metre,
            length_decimals,
        }
    }

    fn hierarchy(&mut self, skeleton: &Skeleton, plans: &[JointPlan]) {
        self.out.extend_from_slice(b"HIERARCHY\n");
        let mut depth = 0;
        for plan in plans {
            while depth > plan.depth {
                depth -= 1;
                self.line(depth, "}");
            }
            self.joint(skeleton, plan);
            depth += 1;
        }
        while depth > 0 {
            depth -= 1;
            self.line(depth, "}");
        }
    }

    /// A joint and its end sites, its brace left open.
    fn joint(&mut self, skeleton: &Skeleton, plan: &JointPlan) {
        let joint = skeleton.joint(plan.joint);
        let word = if joint.parent.is_none() {
            "ROOT"
        } else {
            "JOINT"
        };
        self.line(plan.depth, &format!("{word} {}", written_name(&joint.name)));
        self.line(plan.depth, "{");
        self.offset(plan.depth + 1, joint.offset);
        let mut channels = format!("CHANNELS {}", plan.channels.len());
        for channel in &plan.channels {
            channels += &format!(" {channel:?}");
        }
        self.line(plan.depth + 1, &channels);
        let own = |site: &&afoot_core::EndSite| site.parent == plan.joint;
        for site in skeleton.end_sites().iter().filter(own) {
            self.line(plan.depth + 1, "End Site");
            self.line(plan.depth + 1, "{");
            self.offset(plan.depth + 2, site.offset);
            self.line(plan.depth + 1, "}");
        }
    }

    fn offset(&mut self, depth: usize, offset: Vec3) {
        self.indent(depth);
        self.out.extend_from_slice(b"OFFSET");
        for value in offset.to_array() {
            self.out.push(b' ');
            self.length(f64::from(value));
        }
        self.out.push(b'\n');
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.indent(depth);
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    /// As deep as people read; a chain of thousands of joints would be blanks for the most part.
    fn indent(&mut self, depth: usize) {
        const DEEPEST: usize = 100;
        let tabs = std::iter::repeat_n(b'\t', depth.min(DEEPEST));
        self.out.extend(tabs);
    }

    fn length(&mut self, metres: f64) {
        push_fixed(
            &mut self.out,
            metres * self.units_per_metre,
            self.length_decimals,
        );
    }

    fn motion_header(&mut self, frames: usize, frame_time: f64) {
        let header = format!("MOTION\nFrames: {frames}\nFrame Time: {frame_time:.10}\n");
        self.out.extend_from_slice(header.as_bytes());
    }

    fn rows(&mut self, clip: &Clip, plans: &mut [JointPlan]) {
        let columns: usize = plans.iter().map(|plan| plan.channels.len()).sum();
        self.out.reserve(clip.len() * columns * 10);
        for frame in (0..clip.len()).map(FrameId::from) {
            for plan in &mut *plans {
                self.joint_values(clip, frame, plan);
            }
            match self.out.last_mut() {
                Some(last @ b' ') => *last = b'\n',
                _ => self.out.push(b'\n'),
            }
        }
    }

    /// A joint's numbers of one frame, a blank after each.
    fn joint_values(&mut self, clip: &Clip, frame: FrameId, plan: &mut JointPlan) {
        let position = position_of(clip, frame, plan.joint, plan.sliding) - plan.subtract;
        let angles = plan.angles(unit_quat64(clip.rotation(frame, plan.joint)));
        for column in &plan.columns {
            match *column {
                Column::Position(axis) => {
                    self.length(f64::from(position[axis as usize]));
                }
                Column::Angle(index) => {
                    push_fixed(&mut self.out, angles[index].to_degrees(), ANGLE_DECIMALS);
                }
                Column::Zero => self.out.push(b'0'),
            }
            self.out.push(b' ');
        }
    }
}

/// Where a joint is from its parent, or the root in the world. [m]
fn position_of(clip: &Clip, frame: FrameId, joint: JointId, sliding: Option<usize>) -> Vec3 {
    match sliding {
        _ if joint.index() == 0 => clip.root[frame.index()],
        Some(index) => clip.sliding[index].offsets[frame.index()],
        None => clip.skeleton.joint(joint).offset,
    }
}

/// A name that reads back as one: braces and control characters become underscores.
fn written_name(name: &str) -> String {
    let safe = |c: char| {
        if c.is_control() || "{}".contains(c) {
            '_'
        } else {
            c
        }
    };
    let name: String = name.trim().chars().map(safe).collect();
    if name.is_empty() { "_".into() } else { name }
}
