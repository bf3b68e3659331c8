//! A motion changed by hand: cut, played backwards or at another pace, smoothed, sent elsewhere, poses bent.
//!
//! In this order, whatever order they are asked in: a part is cut out, turned round and retimed, seams are
//! smoothed, the root's way is warped, keys displace joints and root, the whole is moved, and feet are put still where they
//! were planted before. Times count from the start of the part. Each step is one of `afoot-edit`;
//! nothing is searched for. What is retimed counts as captured from then on.

use afoot_core::{Clip, FrameId, Planar, Quat, TimeKey, cut_clip, reverse_clip, warp_time};
use afoot_edit::cleanup::{SettleOptions, settle_feet};
use afoot_edit::displace::{PoseKey, displace_clip};
use afoot_edit::seam::{smooth_loop, smooth_seam};
use afoot_edit::warp::{WarpBudget, WarpReport, warp_along, warp_to};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use super::motion_input::{MotionInput, Source};
use crate::delivery::{MotionHeader, MotionPiece, MotionRequest, OneClip, Outlet, Told};
use crate::failure::Failure;
use crate::files::FileName;
use crate::inputs::Input;
use crate::workspace::Workspace;

/// Asks for a motion changed by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Edit {
    /// What to change.
    pub input: MotionInput,
    /// Only this part of it.
    pub trim: Option<Stretch>,
    /// Play it backwards.
    pub backwards: bool,
    /// Let these moments happen sooner or later; what lies before and between them goes faster or slower, what comes after
    /// the last of them as it went.
    pub times: Vec<TimeMark>,
    /// Smooth the step into the frames at these times. [s, 0 to 1000000]
    pub seams: Vec<f64>,
    /// Let the last frame lead into the first, as of a motion that is repeated.
    pub loop_seam: bool,
    /// Bend the root's way along this path, as far as people do not notice.
    pub along: Option<Input>,
    /// Bend the root's way so that it ends there.
    pub to: Option<Goal>,
    /// Displace the root at these moments.
    pub shifts: Vec<RootKey>,
    /// Turn joints at these moments.
    pub keys: Vec<JointKey>,
    /// Move the whole motion.
    pub place: Option<Shift>,
    /// How far seams and keys are felt to either side. [s, > 0, at most 600]
    pub ease: f64,
    /// Leave feet where the changes bring them, instead of putting plants still again.
    pub leave_feet: bool,
}

/// A part of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// [s, 0 to 1000000]
    pub from: f64,
    /// [s, > 0, at most 1000000; after `from`]
    pub to: f64,
}

/// A moment that happens at another time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeMark {
    /// When it happens as it is. [s, 0 to 3600]
    pub at: f64,
    /// When it shall happen. [s, 0 to 3600]
    pub then: f64,
}

/// A place on the ground to end at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// [m, -100000 to 100000]
    pub x: f64,
    /// [m, -100000 to 100000]
    pub z: f64,
    /// 0 looks along +z, 90 along +x; as it is if it is left open. [degrees, -36000 to 36000]
    #[serde(default)]
    pub heading: Option<f64>,
}

/// A change on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shift {
    /// [m, -100000 to 100000]
    pub x: f64,
    /// [m, -100000 to 100000]
    pub z: f64,
    /// To the left, about where the root is. [degrees, -36000 to 36000]
    pub turn: f64,
}

/// The root elsewhere at a moment, and less and less so before and after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RootKey {
    /// When. [s, 0 to 1000000]
    pub at: f64,
    /// By how much.
    pub by: Shift,
}

/// A joint turned at a moment, beyond what it does, and less and less so before and after it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JointKey {
    /// When. [s, 0 to 1000000]
    pub at: f64,
    /// The joint's name.
    pub joint: String,
    /// About x, then y, then z of what it hangs from. [degrees, -36000 to 36000]
    pub turn: [f64; 3],
}

/// What editing tells of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EditDetails {
    /// How much the root's way was bent, where it was; the most of each where it was bent along a path and to a place.
    pub warped: Option<Warped>,
}

/// How much a way was bent. People put up with 0.25 m and 25 degrees a metre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Warped {
    /// Farthest that a frame was moved. [m]
    pub moved_m: f64,
    /// Farthest that a frame was turned. [degrees]
    pub turned_deg: f64,
    /// Most that it was moved on a metre. [m/m]
    pub moved_a_metre: f64,
    /// Most that it was turned on a metre. [degrees/m]
    pub turned_a_metre_deg: f64,
}

impl Warped {
    /// The larger of each number, of a way that was bent twice.
    fn or_more(self, other: Self) -> Self {
        Self {
            moved_m: self.moved_m.max(other.moved_m),
            turned_deg: self.turned_deg.max(other.turned_deg),
            moved_a_metre: self.moved_a_metre.max(other.moved_a_metre),
            turned_a_metre_deg: self.turned_a_metre_deg.max(other.turned_a_metre_deg),
        }
    }
}

/// A key is felt for a step's length: shorter looks like a twitch.
const EASE: f64 = 0.5;
/// A warped way is smoothed over this long: about a stride. [s]
const SMOOTH: f64 = 0.5;

impl Default for Edit {
    fn default() -> Self {
        Self {
            input: MotionInput::default(),
            trim: None,
            backwards: false,
            times: Vec::new(),
            seams: Vec::new(),
            loop_seam: false,
            along: None,
            to: None,
            shifts: Vec::new(),
            keys: Vec::new(),
            place: None,
            ease: EASE,
            leave_feet: false,
        }
    }
}

impl MotionRequest for Edit {
    type Details = EditDetails;

    fn reads(&self) -> Option<&FileName> {
        self.input.file()
    }

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        _: &Run,
    ) -> Result<Told<EditDetails>, Failure> {
        let source = outlet.aside(|| self.input.read(from))?;
        let mut frames = self.frames(&source)?;
        let mut captured = source.clip;
        let mut clip = cut_clip(&captured, frames.clone())?;
        if clip.is_empty() {
            return Err(Failure::bad_request(format!(
                "{}: it has no frames",
                source.name
            )));
        }
        if self.backwards || !self.times.is_empty() {
            clip = self.retime(clip)?;
            (frames, captured) = (0..clip.len() as u32, clip.clone());
        }
        let clip = self.smooth(clip)?;
        let (clip, warped) = self.warp(clip, from)?;
        let mut clip = self.displace(clip)?;
        if let Some(by) = self.place {
            clip.place(carrying(&clip, FrameId(0), by));
        }
        if self.feet_have_moved() && clip.contacts.len() == clip.len() {
            clip = settle_feet(&clip, &SettleOptions::default())?.0;
        }
        let header = MotionHeader::of_clip(OneClip::new(source.name, captured), clip.len() as u64);
        outlet.begin(header.written_like(source.like))?;
        outlet.push(MotionPiece::of_one(clip, frames))?;
        Ok(Told::of(EditDetails { warped }))
    }
}

impl Edit {
    /// The frames that stay.
    fn frames(&self, source: &Source) -> Result<std::ops::Range<u32>, Failure> {
        let Clip { rate, .. } = source.clip;
        let part = source.part.frames(source.clip.len(), rate)?;
        let Some(Stretch { from, to }) = self.trim else {
            return Ok(part.start as u32..part.end as u32);
        };
        let frame = |seconds| part.start.saturating_add(rate.frames_in(seconds));
        let (start, end) = (frame(from), frame(to).min(part.end));
        if !(from >= 0.0 && to.is_finite() && start < end) {
            let expected = format!(
                "a part of its {:.2} s",
                part.len() as f64 * rate.frame_time()
            );
            return Err(Failure::bad_value(
                "trim",
                format!("{from}..{to}"),
                &expected,
            ));
        }
        Ok(start as u32..end as u32)
    }

    /// Turned round, then marks brought to their times.
    fn retime(&self, mut clip: Clip) -> Result<Clip, Failure> {
        if self.backwards {
            clip = reverse_clip(&clip);
        }
        if self.times.is_empty() {
            return Ok(clip);
        }
        let mut keys = Vec::new();
        for mark in &self.times {
            keys.push(TimeKey {
                source: frame_at(&clip, "time", mark.at)?.index() as f64,
                target: mark.then * clip.rate.fps(),
            });
        }
        keys.sort_by(|a, b| a.source.total_cmp(&b.source));
        // The start stays, and after the last mark time passes as it did.
        let (first, last) = (keys[0], keys[keys.len() - 1]);
        let end = (clip.len() - 1) as f64;
        if first.source > 0.0 {
            keys.insert(
                0,
                TimeKey {
                    source: 0.0,
                    target: 0.0,
                },
            );
        }
        if last.source < end {
            keys.push(TimeKey {
                source: end,
                target: last.target + end - last.source,
            });
        }
        warp_time(&clip, &keys).map_err(Failure::bad_request)
    }

    fn smooth(&self, mut clip: Clip) -> Result<Clip, Failure> {
        for &seam in &self.seams {
            let frame = frame_at(&clip, "seam", seam)?;
            clip = smooth_seam(&clip, frame, self.ease).map_err(Failure::bad_request)?;
        }
        match self.loop_seam {
            true => smooth_loop(&clip, self.ease).map_err(Failure::bad_request),
            false => Ok(clip),
        }
    }

    /// The root's way along a path, then to a place; with how much it took.
    fn warp(&self, mut clip: Clip, from: &Workspace) -> Result<(Clip, Option<Warped>), Failure> {
        let mut warped: Option<Warped> = None;
        if let Some(path) = &self.along {
            let path = path.path(from.files())?;
            let places: Vec<[f64; 2]> = walked(&clip).map(|along| path.point_at(along)).collect();
            let bent = warp_along(&clip, &places, &WarpBudget::default(), SMOOTH);
            let (bent, report) = bent.map_err(Failure::bad_request)?;
            (clip, warped) = (bent, Some(Warped::from(&report)));
        }
        if let Some(Goal { x, z, heading }) = self.to {
            let own = clip
                .placement(FrameId::from(clip.len().saturating_sub(1)))
                .yaw;
            let goal = Planar::new(x, z, heading.map_or(own, f64::to_radians));
            let (bent, report) = warp_to(&clip, goal).map_err(Failure::bad_request)?;
            let before = warped.unwrap_or_default();
            (clip, warped) = (bent, Some(before.or_more(Warped::from(&report))));
        }
        Ok((clip, warped))
    }

    /// Root and joints each by their own keys: one's does not end another's.
    fn displace(&self, mut clip: Clip) -> Result<Clip, Failure> {
        let keys = self.shifts.iter().map(|key| key.pose(&clip));
        clip = keyed(&clip, keys.collect::<Result<_, _>>()?, self.ease)?;
        let mut joints: Vec<&str> = self.keys.iter().map(|key| key.joint.as_str()).collect();
        joints.sort_unstable();
        joints.dedup();
        for joint in joints {
            let own = self.keys.iter().filter(|key| key.joint == joint);
            let keys = own.map(|key| key.pose(&clip)).collect::<Result<_, _>>()?;
            clip = keyed(&clip, keys, self.ease)?;
        }
        Ok(clip)
    }

    /// Whether plants may have come to move, and are known.
    fn feet_have_moved(&self) -> bool {
        let warped = self.along.is_some() || self.to.is_some();
        let keyed = !self.keys.is_empty() || !self.shifts.is_empty();
        let smoothed = self.loop_seam || !self.seams.is_empty();
        !self.leave_feet && (warped || keyed || smoothed)
    }
}

fn keyed(clip: &Clip, mut keys: Vec<PoseKey>, ease: f64) -> Result<Clip, Failure> {
    keys.sort_by_key(|key| key.frame);
    displace_clip(clip, &keys, ease).map_err(Failure::bad_request)
}

impl RootKey {
    /// The pose that the clip is to take.
    fn pose(&self, clip: &Clip) -> Result<PoseKey, Failure> {
        let frame = frame_at(clip, "at", self.at)?;
        let (mut pose, by) = (clip.pose(frame), carrying(clip, frame, self.by));
        pose.root = by.point3(pose.root);
        pose.rotations[0] = by.rotate(pose.rotations[0]);
        Ok(PoseKey { frame, pose })
    }
}

impl JointKey {
    /// The pose that the clip is to take.
    fn pose(&self, clip: &Clip) -> Result<PoseKey, Failure> {
        let frame = frame_at(clip, "key", self.at)?;
        let mut pose = clip.pose(frame);
        let joints = clip.skeleton.joints().iter();
        let names: Vec<&str> = joints.map(|joint| joint.name.as_str()).collect();
        let joint = names.iter().position(|name| *name == self.joint);
        let joint = joint.ok_or_else(|| {
            let expected = format!("a joint: {}", names.join(", "));
            Failure::bad_value("key", &self.joint, &expected)
        })?;
        let [x, y, z] = self.turn.map(|degrees| degrees.to_radians() as f32);
        let turn = Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x);
        pose.rotations[joint] = turn * pose.rotations[joint];
        Ok(PoseKey { frame, pose })
    }
}

/// What moves a clip by so much and turns it about where its root is at a frame.
fn carrying(clip: &Clip, frame: FrameId, by: Shift) -> Planar {
    let at = clip.placement(frame);
    let there = Planar::new(at.x + by.x, at.z + by.z, at.yaw + by.turn.to_radians());
    Planar::carrying(at, there)
}

fn frame_at(clip: &Clip, field: &str, seconds: f64) -> Result<FrameId, Failure> {
    let frame = clip.rate.frames_in(seconds);
    match seconds >= 0.0 && frame < clip.len() {
        true => Ok(FrameId::from(frame)),
        false => {
            let expected = format!("a time of its {:.2} s", clip.seconds());
            Err(Failure::bad_value(field, seconds, &expected))
        }
    }
}

/// How far the root has walked up to each frame. [m]
fn walked(clip: &Clip) -> impl Iterator<Item = f64> {
    let steps = clip.root.windows(2).map(|pair| {
        let step = pair[1] - pair[0];
        f64::from(step.x).hypot(f64::from(step.z))
    });
    let mut along = 0.0;
    std::iter::once(0.0).chain(steps).map(move |step| {
        along += step;
        along
    })
}

impl From<&WarpReport> for Warped {
    fn from(report: &WarpReport) -> Self {
        Self {
            moved_m: report.largest_shift,
            turned_deg: report.largest_turn.to_degrees(),
            moved_a_metre: report.shift_rate,
            turned_a_metre_deg: report.turn_rate.to_degrees(),
        }
    }
}
