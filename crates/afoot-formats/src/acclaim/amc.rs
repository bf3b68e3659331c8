//! The motion file: a frame's number on a line, then a line of numbers for each bone.

use std::collections::HashMap;
use std::sync::Arc;

use afoot_core::{Clip, FrameRate, JointId, Quat, SlidingJoint};
use glam::{DQuat, DVec3};

use crate::acclaim::asf::{Asf, DofKind, turn_about};
use crate::acclaim::lines::Line;
use crate::acclaim::words::{Word, Words};
use crate::acclaim::write::RATE_COMMENT;
use crate::error::{FormatError, Problem};
use crate::files::Format;
use crate::motion::{Motion, ReadOptions, SourceFacts, UnitOrigin};
use crate::plausible::{MOST_DEGREES, PLAUSIBLE_ANGLE};
use crate::scan::{ends_line, memory_limit};
use crate::units::{self, Unit, UnitOption};
use crate::up_axis;

/// What the CMU database was captured at; AMC files don't say.
const DEFAULT_FPS: u32 = 120;

/// Reads a motion file for a skeleton.
pub fn read_amc(text: &[u8], asf: &Asf, options: &ReadOptions) -> Result<Motion, FormatError> {
    let mut warnings = Vec::new();
    let (metres_per_unit, unit_origin) = resolve_unit(asf, options.unit, &mut warnings)?;
    let mut reader = AmcReader::new(text, asf, metres_per_unit)?;
    reader.commented_rate(text);
    reader.header()?;
    reader.make_room(text)?;
    reader.frames(options.partial)?;
    let AmcReader { mut clip, .. } = reader;
    warnings.append(&mut reader.warnings);
    clip.rate = options.rate.unwrap_or(clip.rate);
    let (up, unsure) = up_axis::make_y_up(&mut clip, options.up);
    warnings.extend(unsure);
    let source = SourceFacts {
        format: Format::Amc,
        metres_per_unit,
        unit_origin,
        up,
        frame_time: reader.stated_fps.map(|fps| 1.0 / fps),
        header_frames: None,
        first_frame: reader.first_number,
        warnings,
        conformed: Vec::new(),
    };
    Ok(Motion { clip, source })
}

/// The length of the file's unit: inches divided by `:units length`, where that was set. A length
/// of 1 is what files say whose unit nobody thought of: the legs decide.
fn resolve_unit(
    asf: &Asf,
    option: UnitOption,
    warnings: &mut Vec<String>,
) -> Result<(f64, UnitOrigin), FormatError> {
    let option = match option {
        UnitOption::Unit(unit) if unit != Unit::Cmu => {
            UnitOption::Metres(unit.metres() / asf.length_unit)
        }
        UnitOption::Auto if asf.length_unit != 1.0 => {
            return Ok((Unit::Inch.metres() / asf.length_unit, UnitOrigin::Stated));
        }
        other => other,
    };
    units::resolve(&asf.skeleton(1.0)?, option, warnings)
}

struct AmcReader<'a> {
    words: Words<'a>,
    metres_per_unit: f64,
    degrees: bool,
    stated_fps: Option<f64>,
    lines: Vec<Line<'a>>,
    by_name: HashMap<&'a [u8], u16>,
    clip: Clip,
    fully_specified: bool,
    /// Lines of the first frame.
    expected_lines: u64,
    first_number: i64,
    last_number: i64,
    warnings: Vec<String>,
}

impl<'a> AmcReader<'a> {
    fn new(text: &'a [u8], asf: &'a Asf, metres_per_unit: f64) -> Result<Self, FormatError> {
        let skeleton = Arc::new(asf.skeleton(metres_per_unit)?);
        let rate = FrameRate::new(DEFAULT_FPS, 1).expect("not zero");
        let mut reader = Self {
            words: Words::new(text),
            metres_per_unit,
            degrees: asf.degrees,
            stated_fps: None,
            lines: Vec::with_capacity(skeleton.len()),
            by_name: HashMap::with_capacity(skeleton.len()),
            clip: Clip::empty("clip", skeleton, rate),
            fully_specified: false,
            expected_lines: 0,
            first_number: 0,
            last_number: 0,
            warnings: Vec::new(),
        };
        reader.add_lines(asf);
        Ok(reader)
    }

    fn add_lines(&mut self, asf: &'a Asf) {
        self.by_name.insert(b"root", 0);
        self.lines.push(Line::of_root(asf, self.metres_per_unit));
        for (index, bone) in asf.bones.iter().enumerate() {
            let joint = JointId::from(index + 1);
            let offset = self.clip.skeleton.joint(joint).offset;
            let mut line = Line::of_bone(bone, offset.as_dvec3());
            if bone
                .dofs
                .iter()
                .any(|dof| matches!(dof.kind, DofKind::Shift(_)))
            {
                line.sliding = Some(self.clip.sliding.len() as u16);
                let offsets = Vec::new();
                self.clip.sliding.push(SlidingJoint { joint, offsets });
            }
            if bone.dofs.iter().any(|dof| dof.kind == DofKind::Length) {
                let name = &bone.name;
                self.warnings
                    .push(format!("the changing length of {name:?} is left out"));
            }
            self.by_name.insert(bone.name.as_bytes(), joint.0);
            self.lines.push(line);
        }
    }

    /// The rate in a comment before anything else, as we write it.
    fn commented_rate(&mut self, text: &[u8]) {
        let lines = text.split(|&byte| ends_line(byte)).map(<[u8]>::trim_ascii);
        let comments = lines.map_while(|line| line.strip_prefix(b"#"));
        let rate = |comment: &[u8]| -> Option<String> {
            let said = comment.trim_ascii().strip_prefix(RATE_COMMENT.as_bytes())?;
            let said = said.trim_ascii();
            let shown = &said[..said.len().min(40)];
            Some(String::from_utf8_lossy(shown).into_owned())
        };
        let Some(said) = comments.filter_map(rate).next() else {
            return;
        };
        let fps = said.parse().ok();
        match fps.and_then(|fps: f64| Some((fps, FrameRate::from_fps(fps)?))) {
            Some((fps, rate)) => {
                self.clip.rate = rate;
                self.stated_fps = Some(fps);
            }
            None => self.warnings.push(format!(
                "its comment says {said:?} frames per second, expected 0.001 to 1000000: {DEFAULT_FPS} are taken where nobody says otherwise"
            )),
        }
    }

    /// The lines that begin with a colon.
    fn header(&mut self) -> Result<(), FormatError> {
        while let [b':', ..] = self.words.peek().text {
            let word = self.words.next();
            if word.is(":fully-specified") {
                self.fully_specified = true;
            } else if word.is(":degrees") {
                self.degrees = true;
            } else if word.is(":radians") {
                self.degrees = false;
            } else if word.is(":samples-per-second") {
                let what = "frames per second, from 0.001 to 1000000";
                let fps = self.words.number_in_line(what)?;
                let rate = FrameRate::from_fps(fps);
                self.clip.rate = rate.ok_or_else(|| self.words.expected(word.place, what))?;
                self.stated_fps = Some(fps);
            }
            self.words.skip_line();
        }
        Ok(())
    }

    /// Room for as many frames as lines begin with a digit. Refuses what would take far more
    /// memory than the text.
    fn make_room(&mut self, text: &[u8]) -> Result<(), FormatError> {
        let starts = text
            .split(|&byte| ends_line(byte))
            .map(<[u8]>::trim_ascii_start);
        let is_number = |line: &&[u8]| matches!(line, [b'0'..=b'9' | b'-', ..]);
        let frames = starts.filter(is_number).count();
        let (joints, sliding) = (self.lines.len(), self.clip.sliding.len());
        let frame_bytes = 16 * joints + 12 * (1 + sliding);
        if frames.saturating_mul(frame_bytes) > memory_limit(text) {
            return Err(FormatError::new(Problem::Unsupported(format!(
                "{frames} frames list so few of {joints} joints that they would take more than \
                 eight times the file's size in memory"
            ))));
        }
        self.clip.root.reserve_exact(frames);
        self.clip.rotations.reserve_exact(frames * joints);
        for sliding in &mut self.clip.sliding {
            sliding.offsets.reserve_exact(frames);
        }
        Ok(())
    }

    fn frames(&mut self, partial: bool) -> Result<(), FormatError> {
        loop {
            let word = self.words.next();
            if word.text.is_empty() && !self.clip.is_empty() {
                return Ok(());
            }
            self.frame_number(word)?;
            self.begin_frame();
            let lines = self.frame_lines();
            let frame = self.clip.len() as u64;
            let cut_off = self.words.is_at_end() && frame > 1;
            match lines {
                Ok(lines) if frame == 1 => self.first_frame(lines),
                Ok(lines) if lines >= self.expected_lines => {}
                Ok(_) if !self.fully_specified && !cut_off => {}
                Ok(_) | Err(_) if cut_off && partial => {
                    self.drop_frame();
                    let row = format!("the last frame, number {}, is cut off", self.last_number);
                    self.warnings.push(format!("{row} and was left out"));
                    return Ok(());
                }
                Ok(found) => return Err(self.lacking(frame, found, cut_off)),
                Err(error) => return Err(error),
            }
        }
    }

    /// What a frame that lists fewer bones than the first is called.
    fn lacking(&self, frame: u64, found: u64, cut_off: bool) -> FormatError {
        let (expected, what) = (self.expected_lines, "bones");
        let problem = match cut_off {
            true => Problem::CutOffInFrame {
                frame,
                found,
                expected,
                what,
            },
            false => Problem::FrameLength {
                frame,
                found,
                expected,
                what,
            },
        };
        self.words.error(self.words.peek().place, problem)
    }

    /// A frame's number, alone on its line. Numbers that don't count up are worth one warning.
    fn frame_number(&mut self, word: Word) -> Result<(), FormatError> {
        let number = match frame_number_of(word) {
            Some(number) if self.words.next_in_line().text.is_empty() => number,
            _ => {
                let what = "a frame number on its own line";
                return Err(self.words.expected(word.place, what));
            }
        };
        if self.clip.is_empty() {
            self.first_number = number;
        } else if Some(number) != self.last_number.checked_add(1) && !self.has_gap_warning() {
            let last = self.last_number;
            self.warnings.push(format!(
                "{GAP} from {last} to {number}; all frames were kept"
            ));
        }
        self.last_number = number;
        Ok(())
    }

    fn has_gap_warning(&self) -> bool {
        self.warnings.iter().any(|warning| warning.starts_with(GAP))
    }

    /// A new frame that stays as the one before, until its lines say otherwise.
    fn begin_frame(&mut self) {
        let joints = self.lines.len();
        match self.clip.root.last().copied() {
            Some(root) => {
                self.clip.root.push(root);
                let last = self.clip.rotations.len() - joints;
                self.clip.rotations.extend_from_within(last..);
            }
            None => {
                self.clip.root.push(self.lines[0].offset.as_vec3());
                self.clip.rotations.resize(joints, Quat::IDENTITY);
            }
        }
        for sliding in &mut self.clip.sliding {
            let rest = self.clip.skeleton.joint(sliding.joint).offset;
            let last = sliding.offsets.last().copied().unwrap_or(rest);
            sliding.offsets.push(last);
        }
    }

    fn drop_frame(&mut self) {
        self.clip.root.pop();
        self.clip
            .rotations
            .truncate(self.clip.root.len() * self.lines.len());
        for sliding in &mut self.clip.sliding {
            sliding.offsets.pop();
        }
    }

    fn first_frame(&mut self, lines: u64) {
        self.expected_lines = lines;
        let moving = self
            .lines
            .iter()
            .filter(|line| line.kinds.len() > 0)
            .count() as u64;
        if lines < moving {
            let missing = moving - lines;
            self.warnings
                .push(format!("{missing} bones have no values in the first frame"));
        }
    }

    /// Reads lines of bones up to the next frame's number; gives how many.
    fn frame_lines(&mut self) -> Result<u64, FormatError> {
        let mut lines = 0;
        loop {
            let word = self.words.peek();
            if word.text.is_empty() || frame_number_of(word).is_some() {
                return Ok(lines);
            }
            self.words.next();
            let joint = self.by_name.get(word.text).copied().ok_or_else(|| {
                self.words
                    .expected(word.place, "a bone of the skeleton file")
            })?;
            self.bone_line(word, usize::from(joint))?;
            lines += 1;
        }
    }

    fn bone_line(&mut self, word: Word, joint: usize) -> Result<(), FormatError> {
        let frame = self.clip.len() as u32;
        if std::mem::replace(&mut self.lines[joint].listed, frame) == frame {
            let name = word.to_name();
            return Err(self
                .words
                .error(word.place, Problem::DuplicateName { name }));
        }
        let count = self.lines[joint].kinds.len();
        let (mut shift, mut turn) = (DVec3::ZERO, DQuat::IDENTITY);
        for index in 0..count {
            let place = self.words.peek().place;
            let value = self.words.number_in_line("another number for this bone")?;
            match self.lines[joint].kinds.get(index) {
                DofKind::Shift(axis) => shift[axis as usize] = value,
                DofKind::Turn(_) if value.abs() > MOST_DEGREES => {
                    return Err(self.words.expected(place, PLAUSIBLE_ANGLE));
                }
                DofKind::Turn(axis) => turn = turn_about(axis, self.radians(value)) * turn,
                DofKind::Length => {}
            }
        }
        let extra = self.words.next_in_line();
        if !extra.text.is_empty() {
            let what = format!("the end of the line after {count} values");
            return Err(self.words.expected(extra.place, &what));
        }
        self.set_joint(joint, shift * self.metres_per_unit, turn);
        Ok(())
    }

    fn radians(&self, angle: f64) -> f64 {
        if self.degrees {
            angle.to_radians()
        } else {
            angle
        }
    }

    /// Sets a joint's values in the last frame; `shift` in metres.
    fn set_joint(&mut self, joint: usize, shift: DVec3, turn: DQuat) {
        let line = &self.lines[joint];
        let last = self.clip.rotations.len() - self.lines.len();
        let rotation = line.axis * turn * line.back;
        self.clip.rotations[last + joint] = rotation.normalize().as_quat();
        if joint == 0 {
            if let Some(root) = self.clip.root.last_mut() {
                *root = (line.offset + shift).as_vec3();
            }
        } else if let Some(sliding) = line.sliding {
            let offsets = &mut self.clip.sliding[usize::from(sliding)].offsets;
            if let Some(offset) = offsets.last_mut() {
                *offset = (line.offset + line.axis * shift).as_vec3();
            }
        }
    }
}

/// A whole number, which no bone may be named.
fn frame_number_of(word: Word) -> Option<i64> {
    let digits = word.text.strip_prefix(b"-").unwrap_or(word.text);
    let whole = digits.first().is_some_and(u8::is_ascii_digit);
    let text = std::str::from_utf8(word.text).ok().filter(|_| whole)?;
    text.parse().ok()
}

/// How the warning about frame numbers begins.
const GAP: &str = "frame numbers jump";
