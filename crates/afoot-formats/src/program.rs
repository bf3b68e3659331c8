//! What programs expect of a BVH file: axes, unit, root and the order of angles.

use std::sync::Arc;

use afoot_core::{Channel, Clip, Joint, Quat, Skeleton, Stem, Vec3};

use crate::motion::WriteOptions;
use crate::units::Unit;
use crate::up_axis::UpAxis;
use serde::{Deserialize, Serialize};

/// A program that motion is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Program {
    /// Metres, as its importer takes numbers as they are.
    Blender,
    /// Centimetres.
    Maya,
    /// Centimetres.
    MotionBuilder,
    /// Centimetres, z up, and a `root` on the ground below the hips.
    Unreal,
}

impl Program {
    /// The unit and axis that it takes.
    pub fn options(self) -> WriteOptions {
        let unit = match self {
            Self::Blender => Unit::Metre,
            Self::Maya | Self::MotionBuilder | Self::Unreal => Unit::Centimetre,
        };
        WriteOptions {
            metres_per_unit: unit.metres(),
            up: if self == Self::Unreal {
                UpAxis::Z
            } else {
                UpAxis::Y
            },
        }
    }

    /// The clip with the root and the angles that it takes: z, x, y, which all of them read.
    pub fn prepared(self, clip: &Clip) -> Clip {
        use Channel::{Xposition, Xrotation, Yposition, Yrotation, Zposition, Zrotation};
        let skeleton = &*clip.skeleton;
        let mut joints = skeleton.joints().to_vec();
        for (index, joint) in joints.iter_mut().enumerate() {
            joint.channels = vec![Zrotation, Xrotation, Yrotation];
            if index == 0 {
                joint
                    .channels
                    .splice(0..0, [Xposition, Yposition, Zposition]);
            }
        }
        let mut stem = skeleton.stem().cloned();
        if let Some(stem) = &mut stem {
            let clear = |joint: &mut Joint| {
                joint.channels = vec![
                    Xposition, Yposition, Zposition, Zrotation, Xrotation, Yrotation,
                ]
            };
            stem.joints.iter_mut().for_each(clear);
        }
        let bare = stem.as_ref().is_none_or(|stem| stem.joints.is_empty());
        let taken = joints.iter().any(|joint| joint.name == "root");
        if self == Self::Unreal && bare && !taken {
            let mut root = Joint::new("root", None, Vec3::ZERO);
            root.channels = vec![
                Xposition, Yposition, Zposition, Zrotation, Xrotation, Yrotation,
            ];
            stem = Some(Stem {
                joints: vec![root],
                carrier: 0,
                hips_offset: Vec3::Y * clip.root.first().map_or(0.0, |root| root.y),
                turn: stem.map_or(Quat::IDENTITY, |stem| stem.turn),
                travels: true,
            });
        }
        let rebuilt = Skeleton::new(joints, skeleton.end_sites().to_vec())
            .and_then(|rebuilt| rebuilt.with_surface(skeleton.surface().to_vec()))
            .expect("other channels leave a skeleton valid");
        Clip {
            skeleton: Arc::new(rebuilt.with_stem(stem)),
            ..clip.clone()
        }
    }
}
