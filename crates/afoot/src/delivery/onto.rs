//! Motion onto somebody's own character or skeleton.
//!
//! A `.glb` character that goes into a `.glb` file keeps its mesh and materials; anything else that has a
//! skeleton (`.bvh`, `.fbx`, `.asf` with `.amc`, `.glb`) gives that alone, with its unit and axes. Motion is
//! retargeted whole, so it is held in memory. The way over the ground is longer or shorter by the ratio of
//! leg lengths. Made motion gets its feet settled once more, as legs that differ by more than scale slide.

use std::path::{Path, PathBuf};

use afoot_analyze::{JudgeOptions, Quality, detect_contacts, estimate_ground, judge_clip};
use afoot_core::{
    Clip, FrameId, JointId, Quat, RetargetOptions, Role, Side, Skeleton, SurfacePoint, Vec3,
    forward_kinematics, pose_kinematics, retarget_clip, size_ratio,
};
use afoot_edit::cleanup::{SettleOptions, settle_feet};
use afoot_formats::files::{write_onto_character, write_whole};
use afoot_formats::{Format, Motion, ReadOptions, WriteOptions, read_character, read_motion};
use afoot_run::Run;
use afoot_world::World;

use super::Aim;
use super::judging::least_room;
use super::sinks::MotionFiles;
use crate::failure::Failure;
use crate::motion_files::{Output, read_back_options};
use crate::pictures;

/// A character or skeleton that motion is put onto.
pub(crate) struct Rig {
    file: PathBuf,
    motion: Motion,
}

impl Rig {
    /// Reads it, before any work is spent on the motion.
    pub(crate) fn read(file: &Path, run: &Run) -> Result<Self, Failure> {
        let options = ReadOptions::default();
        let motion = match Format::of_path(file) {
            Some(Format::Gltf) => read_character(file, &options)?,
            _ => read_motion(file, &options)?,
        };
        let told = motion.source.warnings.iter();
        told.for_each(|words| run.warn(words));
        if motion.clip.skeleton.leg_length().is_none() {
            let mut known = motion.source.conformed.iter();
            let reason = known.find(|words| words.contains("no person"));
            let reason = reason.map_or("no joints are known as legs", String::as_str);
            let words = format!("can't walk as a person does: {reason}");
            return Err(Failure::at(file, words));
        }
        let file = file.to_owned();
        Ok(Self { file, motion })
    }

    /// A clip on its skeleton, standing where its own feet stand.
    pub(crate) fn dressed(&self, clip: &Clip) -> Result<Clip, Failure> {
        let skeleton = &self.motion.clip.skeleton;
        let mut dressed = retarget_clip(clip, skeleton, &RetargetOptions::default())
            .map_err(|error| Failure::at(&self.file, error))?;
        let estimate = || estimate_ground(&dressed, &Default::default()).ok();
        let floor = dressed.ground.or_else(|| Some(estimate()?.ground));
        if let (Some(mut floor), Some(height)) = (floor, self.standing_height()) {
            let lift = height - floor.height;
            dressed.root.iter_mut().for_each(|root| root.y += lift);
            floor.height = height;
            dressed.ground = Some(floor);
            raise_toes(&mut dressed, height);
        }
        Ok(dressed)
    }

    /// How high its ball joints are when it stands: a character's at rest, whose soles are at 0 then, another
    /// file's in its own motion. [m]
    fn standing_height(&self) -> Option<f32> {
        let clip = &self.motion.clip;
        if !is_character(&self.file) {
            let estimate = estimate_ground(clip, &Default::default());
            return Some(estimate.ok()?.ground.height);
        }
        let (points, length) = (forward_kinematics(clip), clip.skeleton.leg_length()?);
        let ball = |side| Some(points.joint(FrameId(0), clip.skeleton.leg(side)?.ball).y);
        let height = (ball(Side::Left)? + ball(Side::Right)?) / 2.0;
        // One that hangs elsewhere does not say where its soles are.
        (-0.02 * length..0.3 * length)
            .contains(&height)
            .then_some(height)
    }

    /// The same of made motion, whose planted feet stay planted.
    pub(crate) fn dressed_and_settled(&self, mut clip: Clip) -> Result<Clip, Failure> {
        if let Ok(estimate) = estimate_ground(&clip, &Default::default()) {
            clip.ground = Some(estimate.ground);
        }
        if let Ok(report) = detect_contacts(&clip, &Default::default()) {
            clip.contacts = report.contacts;
        }
        let dressed = self.dressed(&clip)?;
        match dressed.contacts.is_empty() {
            true => Ok(dressed),
            false => {
                let mut settled = settle_feet(&dressed, &SettleOptions::default())?.0;
                if let Some(height) = self.standing_height() {
                    raise_toes(&mut settled, height);
                }
                Ok(settled)
            }
        }
    }

    /// How much longer the way is on its skeleton.
    pub(crate) fn ratio(&self, skeleton: &Skeleton) -> f32 {
        size_ratio(skeleton, &self.motion.clip.skeleton)
    }

    /// Writes a clip that is on its skeleton; `asked` is drawn beside the way that it walks.
    pub(crate) fn write(
        &self,
        dressed: &Clip,
        output: &Output,
        asked: Option<&[[f64; 2]]>,
        run: &Run,
    ) -> Result<(), Failure> {
        if !is_character(&self.file) || !is_character(&output.file) {
            let like = WriteOptions::like(&self.motion.source);
            let mut files = MotionFiles::new(output, dressed.len(), like)?;
            files.push(dressed.clone())?;
            return files.put_in_place(asked, run);
        }
        run.check()?;
        let metres_per_unit = self.motion.source.metres_per_unit;
        write_onto_character(&output.file, dressed, &self.file, metres_per_unit)?;
        run.note(format!("wrote {}", output.file.display()));
        if let Some(picture) = &output.picture {
            write_whole(picture, &pictures::sheet(dressed)?)?;
        }
        if let Some(picture) = &output.plan_picture {
            let mut from_above = pictures::FromAbove::default();
            from_above.add(dressed);
            write_whole(picture, &from_above.draw(asked)?)?;
        }
        if let Some(page) = &output.page {
            let figures = vec![pictures::PageFigure::made(&dressed.name, dressed)];
            write_whole(page, &pictures::page(&dressed.name, figures)?)?;
        }
        Ok(())
    }

    /// How the feet are in the file as read back, and how it goes along a path and through a world.
    pub(super) fn judge(
        &self,
        dressed: &Clip,
        output: &Output,
        aim: &Aim,
    ) -> Result<Quality, Failure> {
        let written = output.write_options(WriteOptions::like(&self.motion.source));
        let options = read_back_options(&output.file, &written, dressed.rate);
        let clip = read_motion(&output.file, &options)?.clip;
        let mut quality = judge_clip(
            &clip,
            &JudgeOptions {
                path: aim.path.as_deref(),
                ..JudgeOptions::default()
            },
        );
        let room = |world: &World| least_room(&clip, 0..clip.len(), world);
        quality.clearance_m = aim.world.as_ref().map(room);
        Ok(quality)
    }
}

/// Bends toes that would go below the floor up to it, where no joint or end tells how far they reach: a character's
/// last joint is the ball of its foot then, and only its mesh has toes.
fn raise_toes(clip: &mut Clip, ball_height: f32) {
    for side in Side::BOTH {
        let Some((ball, tip)) = unseen_toes(&clip.skeleton, side, ball_height) else {
            continue;
        };
        let Some(above) = clip.skeleton.joint(ball).parent else {
            continue;
        };
        let positions = forward_kinematics(clip);
        for frame in (0..clip.len()).map(FrameId::from) {
            let local = clip.frame_rotations(frame);
            let turns = pose_kinematics(&clip.skeleton, Vec3::ZERO, local).0;
            let reach = turns[ball.index()] * tip;
            let height = positions.joint(frame, ball).y;
            let level = (-height / reach.length()).clamp(-1.0, 1.0);
            let pitch = (reach.y / reach.length()).clamp(-1.0, 1.0);
            let axis = reach.cross(Vec3::Y).try_normalize();
            if let Some(axis) = axis.filter(|_| pitch < level) {
                let up = Quat::from_axis_angle(axis, level.asin() - pitch.asin());
                let bent = turns[above.index()].conjugate() * up * turns[ball.index()];
                clip.frame_rotations_mut(frame)[ball.index()] = bent.normalize();
            }
        }
    }
}

/// The ball joint of a foot that nothing follows, and where its toes end on the sole, in its frame. [m]
fn unseen_toes(skeleton: &Skeleton, side: Side, ball_height: f32) -> Option<(JointId, Vec3)> {
    let ball = skeleton.with_role(Role::Toe(side))?;
    let foot = skeleton.with_role(Role::Foot(side))?;
    let mut ends = skeleton.end_sites().iter();
    if skeleton.children(ball).next().is_some() || ends.any(|site| site.parent == ball) {
        return None;
    }
    let rest = skeleton.rest_pose().rotations;
    let (turns, points) = pose_kinematics(skeleton, Vec3::ZERO, &rest);
    let ahead = (points[ball.index()] - points[foot.index()]).with_y(0.0);
    let direction = ahead.try_normalize()?;
    let reach = |point: &SurfacePoint| (turns[ball.index()] * point.offset).dot(direction);
    let surface = skeleton.surface().iter();
    let mesh = surface.filter(|point| point.joint == ball).map(reach);
    // Toes are some half as long as what is behind them.
    let length = mesh.fold(0.5 * ahead.length(), f32::max);
    let tip = length * direction - ball_height * Vec3::Y;
    Some((ball, turns[ball.index()].conjugate() * tip))
}

/// Whether a file can hold a character with a mesh.
fn is_character(path: &Path) -> bool {
    Format::of_path(path) == Some(Format::Gltf)
}

/// A file beside another that is gone again when this is.
pub(super) struct Draft(PathBuf);

impl Draft {
    /// Beside `file`, in a format that keeps every frame.
    pub(super) fn beside(file: &Path) -> Self {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Self(file.with_file_name(format!(".{name}.{}.draft.bvh", std::process::id())))
    }

    pub(super) fn output(&self) -> Output {
        Output::to(&self.0)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0); // may not have been written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_sample::{SampleMotion, SampleOptions, sample_motion};

    /// A walker whose feet end at the ball joint, with toes that point down by 40° all the time.
    #[test]
    fn toes_that_only_a_mesh_has_stay_above_the_floor() {
        let motion = SampleMotion::Walk {
            speed: 1.3,
            length: 3.0,
        };
        let mut clip = sample_motion("walk", motion, &SampleOptions::default());
        let joints = clip.skeleton.joints().to_vec();
        let bare = Skeleton::new(joints, Vec::new()).expect("it was one before");
        clip.skeleton = std::sync::Arc::new(bare);
        let height = estimate_ground(&clip, &Default::default())
            .expect("it walks")
            .ground
            .height;
        let toes = Side::BOTH.map(|side| unseen_toes(&clip.skeleton, side, height));
        let toes = toes.map(|toes| toes.expect("nothing follows its ball joints"));
        for frame in (0..clip.len()).map(FrameId::from) {
            for (ball, _) in toes {
                let rotations = clip.frame_rotations_mut(frame);
                rotations[ball.index()] *= Quat::from_rotation_x(0.7);
            }
        }
        let lowest = |clip: &Clip| {
            let positions = forward_kinematics(clip);
            let tip = |frame: FrameId, (ball, tip): (JointId, Vec3)| {
                let local = clip.frame_rotations(frame);
                let turns = pose_kinematics(&clip.skeleton, Vec3::ZERO, local).0;
                positions.joint(frame, ball).y + (turns[ball.index()] * tip).y
            };
            let frames = (0..clip.len()).map(FrameId::from);
            frames
                .flat_map(|frame| toes.map(|toe| tip(frame, toe)))
                .fold(f32::INFINITY, f32::min)
        };
        assert!(lowest(&clip) < -0.03, "{}", lowest(&clip));
        raise_toes(&mut clip, height);
        assert!(lowest(&clip) > -0.002, "{}", lowest(&clip));
    }
}
