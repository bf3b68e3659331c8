//! What captured motion does: the yardstick of the quality report, found once for a library.
//!
//! Every clip's peaks and ranges are kept per gait, so that a motion can be held to the clips that it
//! was made from: a jump in the library is no leave for a walk to snap. Faulty frames and those beside
//! them do not count. Cost: a few forward kinematics; kilobytes a clip. Plain data, to be kept.

use afoot_core::{Clip, FootRest, Ground, Locomotion, forward_kinematics};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bob::Bobs;
use super::course::{HipFloor, measure_course};
use super::profile::GaitProfile;
use super::twist::{PlantTwist, UsualTwists, find_plants};
use crate::series::quantile;
use crate::skate::{Bob, Footwork, SkateOptions, Tally};
use crate::smoothness::{Smoothness, measure_smoothness};

/// How fast, how smooth and how upright captured motion is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceStatistics {
    /// 99.9th percentile of the frames' fastest joints, in the root's frame. [m/s]
    pub speed: f32,
    /// 99.9th percentile of the frames' largest accelerations. [m/s²]
    pub acceleration: f32,
    /// How many frames these were taken from.
    pub frames: usize,
    /// What the clips stand on, where any knows.
    pub floor: Option<Floor>,
    /// The clips, in the order in which they were given.
    pub clips: Vec<ClipProfile>,
}

/// What one clip does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClipProfile {
    /// Its name.
    pub name: String,
    /// What it does in each gait, in the order of [`Locomotion::ALL`].
    pub gaits: [GaitProfile; 5],
    /// How its planted feet turn on the floor.
    pub plants: Vec<PlantTwist>,
    /// How far its feet rise and fall within a plant, likewise; a number a plant. [m]
    #[serde(default)]
    pub bobs: Bobs,
}

/// Where floors are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// Lowest and highest plane in which ball joints rest, each at the middle of its clip. [m]
    pub heights: [f32; 2],
    /// The middle one of all clips. [m]
    pub usual: f32,
    /// How high ankle and ball rest above it, left then right: the mean. [m]
    pub rest: [[f32; 2]; 2],
}

impl SourceStatistics {
    /// The statistics of a library; `None` if no clip has a frame after its first.
    pub fn of_clips(clips: &[&Clip]) -> Option<Self> {
        let parts: Vec<(Smoothness, ClipProfile)> = clips
            .par_iter()
            .map(|clip| {
                (
                    measure_smoothness(clip).without_faults(clip),
                    profile_of(clip),
                )
            })
            .collect();
        let all = |part: fn(&Smoothness) -> &Vec<f32>| -> Vec<f32> {
            let values = parts.iter().flat_map(|(smoothness, _)| part(smoothness));
            values.copied().collect()
        };
        let (mut speeds, mut accelerations) = (all(|p| &p.speeds), all(|p| &p.accelerations));
        Some(Self {
            frames: speeds.len(),
            speed: quantile(&mut speeds, 0.999)?,
            acceleration: quantile(&mut accelerations, 0.999).unwrap_or(0.0),
            floor: floor_of(clips),
            clips: parts.into_iter().map(|(_, profile)| profile).collect(),
        })
    }

    /// What the clips that `used` picks do in each gait.
    pub(super) fn gaits(&self, used: impl Fn(usize) -> bool) -> [GaitProfile; 5] {
        let numbered = self.clips.iter().enumerate();
        let used: Vec<&ClipProfile> = numbered
            .filter(|(index, _)| used(*index))
            .map(|(_, clip)| clip)
            .collect();
        Locomotion::ALL
            .map(|gait| GaitProfile::together(used.iter().map(|clip| &clip.gaits[gait as usize])))
    }

    /// How far planted feet of the clips that `used` picks turn on the floor.
    pub(super) fn twists(&self, used: impl Fn(usize) -> bool) -> UsualTwists {
        let numbered = self.clips.iter().enumerate();
        let used = numbered.filter(|(index, _)| used(*index));
        UsualTwists::of(used.flat_map(|(_, clip)| clip.plants.iter().copied()))
    }
}

fn profile_of(clip: &Clip) -> ClipProfile {
    let floor = clip.ground.map(|ground| HipFloor {
        ground,
        terrain: None,
    });
    let positions = forward_kinematics(clip);
    let course = measure_course(clip, &positions, floor.as_ref());
    let mut gaits = [GaitProfile::default(); 5];
    let faulty = |frame: usize| {
        let (first, last) = (frame.saturating_sub(1) as u32, frame as u32 + 1);
        clip.faults
            .iter()
            .any(|fault| fault.start <= last && first < fault.end)
    };
    let gait_of = |frame: usize| clip.types.get(frame).copied().unwrap_or(Locomotion::Other);
    let footwork = Footwork {
        clip,
        positions: &positions,
        contacts: &clip.contacts,
    };
    let mut feet = Tally::default();
    feet.add(&footwork, 0..clip.len(), &SkateOptions::default());
    let mut bobs = Bobs::default();
    let sound = |bob: &Bob| !faulty(bob.frame);
    for bob in feet.take_bobs().into_iter().filter(sound) {
        bobs.see(gait_of(bob.frame), bob.rise);
    }
    for frame in (0..clip.len()).filter(|frame| !faulty(*frame)) {
        let gait = gait_of(frame);
        gaits[gait as usize].see(&course, frame, frame as u64);
        gaits[gait as usize].see_posture(&course, frame);
    }
    let plants = find_plants(clip, &positions, clip.ground.as_ref()).into_iter();
    let sound = plants.filter(|plant| !plant.frames.clone().any(faulty));
    ClipProfile {
        name: clip.name.clone(),
        gaits,
        plants: sound.map(|plant| plant.twist).collect(),
        bobs,
    }
}

fn floor_of(clips: &[&Clip]) -> Option<Floor> {
    let known: Vec<(f32, [FootRest; 2])> = clips
        .iter()
        .filter_map(|clip| Some((middle_height(clip, &clip.ground?), clip.ground?.rest)))
        .collect();
    let mut heights: Vec<f32> = known.iter().map(|(height, _)| *height).collect();
    let mean = |part: &dyn Fn(&[FootRest; 2]) -> f32| {
        known.iter().map(|(_, rest)| part(rest)).sum::<f32>() / known.len() as f32
    };
    Some(Floor {
        heights: [quantile(&mut heights, 0.0)?, quantile(&mut heights, 1.0)?],
        usual: quantile(&mut heights, 0.5)?,
        rest: [0, 1].map(|side| {
            [
                mean(&|rest| rest[side].ankle),
                mean(&|rest| rest[side].ball),
            ]
        }),
    })
}

/// The floor's height in the middle of where the root goes. [m]
pub(super) fn middle_height(clip: &Clip, ground: &Ground) -> f32 {
    let sum: glam::DVec3 = clip.root.iter().map(|root| root.as_dvec3()).sum();
    let middle = (sum / clip.len().max(1) as f64).as_vec3();
    ground.height_at(middle.x, middle.z)
}
