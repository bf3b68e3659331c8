//! Frames as vectors whose distance is the frame error (Shanbhag 2006, §4.2.1, eq. 4.1).
//!
//! Positions, velocities and accelerations of the end effectors over the ground, as seen from above
//! the root and along its heading; the thesis takes the derivatives of positions seen like that, which
//! leaves out how fast the root goes. The error is the root of eq. 4.1 over the summed weights, with velocities
//! times [`FrameMetric::tau`] and accelerations times its square, so that it is a length, and is
//! the plain distance of two vectors. Figures of other sizes are scaled by their legs. One forward
//! kinematics a clip.

use std::collections::BTreeMap;

use afoot_core::{
    Chain, Clip, FrameId, JointId, Quat, Role, Side, Skeleton, Vec3, forward_kinematics, headings,
    kinematic_chains,
};
use thiserror::Error;

/// What two frames are compared by.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameMetric {
    /// Weights of the root (`root`) and of the end of each chain (`left_leg`, `head`, ...) that is
    /// compared. [≥ 0, not all 0]
    pub weights: BTreeMap<String, Weights>,
    /// What a velocity or acceleration is multiplied with, once or twice, to be a length. [s, > 0]
    pub tau: f32,
    /// Compare where figures are and look too, instead of seeing each from its own root.
    pub absolute: bool,
}

/// Weights of one end effector.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Weights {
    pub position: f32,
    pub velocity: f32,
    pub acceleration: f32,
}

/// Why frames can't be compared.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum MetricError {
    #[error("no chain is called {name:?}; this skeleton has {known}")]
    UnknownChain { name: String, known: String },
    #[error("the weight {weight} of {name:?} must be a number, at least 0")]
    BadWeight { name: String, weight: f32 },
    #[error("all weights are 0")]
    NoWeight,
    #[error("tau is {0} s; it must be more than 0")]
    BadTau(f32),
}

/// What velocities are multiplied with by default: over a tenth of a second a step's parts move as they
/// do now. [s]
pub const USUAL_TAU: f32 = 0.1;

/// The root's name among the weights.
const ROOT: &str = "root";

impl Weights {
    /// The same for a position and its velocity; an acceleration, which shows a capture's noise most
    /// and differs most at a heel strike one frame early, counts a quarter.
    pub const fn of(weight: f32) -> Self {
        Self {
            position: weight,
            velocity: weight,
            acceleration: weight / 4.0,
        }
    }

    fn all(self) -> [f32; 3] {
        [self.position, self.velocity, self.acceleration]
    }
}

impl FrameMetric {
    /// Root, head and feet count fully, hands a quarter (§4.2.1: interpolated hands look acceptable),
    /// and every limb of a figure that is no person.
    pub fn of_body(skeleton: &Skeleton) -> Self {
        Self::of_chains(skeleton, |chain| match chain.name.as_str() {
            "torso" => None,
            "left_arm" | "right_arm" => Some(0.25),
            _ => Some(1.0),
        })
    }

    /// A part of the body, for a sub-hierarchy cluster graph (§5.2): the root and the chains that are
    /// named, by themselves or by their groups: `legs`, `arms`, `upper_body`.
    pub fn of_parts(skeleton: &Skeleton, names: &[String]) -> Result<Self, MetricError> {
        let chains = kinematic_chains(skeleton);
        let mut wanted: Vec<&str> = Vec::new();
        for name in names {
            let group: &[&str] = match name.as_str() {
                "legs" => &["left_leg", "right_leg"],
                "arms" => &["left_arm", "right_arm"],
                "upper_body" => &["torso", "head", "left_arm", "right_arm"],
                own => &[own],
            };
            let known = group
                .iter()
                .copied()
                .filter(|own| chains.iter().any(|c| c.name == *own));
            let before = wanted.len();
            wanted.extend(known);
            if wanted.len() == before {
                return Err(unknown_chain(name, &chains));
            }
        }
        let weigh = |chain: &Chain| wanted.contains(&chain.name.as_str()).then_some(1.0);
        Ok(Self::of_chains(skeleton, weigh))
    }

    /// Only the chains that `weigh` gives a weight, and the root.
    pub fn of_chains(skeleton: &Skeleton, weigh: impl Fn(&Chain) -> Option<f32>) -> Self {
        let chains = kinematic_chains(skeleton);
        let weighed = chains.iter().filter_map(|chain| {
            let weight = weigh(chain)?;
            Some((chain.name.clone(), Weights::of(weight)))
        });
        let root = (ROOT.to_owned(), Weights::of(1.0));
        Self {
            weights: std::iter::once(root).chain(weighed).collect(),
            tau: USUAL_TAU,
            absolute: false,
        }
    }

    /// Numbers a frame.
    pub fn width(&self) -> usize {
        9 * self.weights.len()
    }

    /// The vectors of a clip's frames, one after the other. `legs` is the leg length that lengths are
    /// scaled to, if figures differ. [m]
    pub fn vectors(&self, clip: &Clip, legs: Option<f32>) -> Result<Vec<f32>, MetricError> {
        let effectors = self.effectors(&clip.skeleton)?;
        let scale = match (legs, clip.skeleton.leg_length()) {
            (Some(to), Some(own)) if own > 0.0 => to / own,
            _ => 1.0,
        };
        let sum: f32 = self
            .weights
            .values()
            .flat_map(|weights| weights.all())
            .sum();
        let tracks = self.tracks(clip, &effectors);
        let headings = headings(clip);
        let mut vectors = Vec::with_capacity(clip.len() * self.width());
        for (frame, heading) in headings.into_iter().enumerate() {
            let view = match self.absolute {
                true => View::WORLD,
                false => View::neutral(clip.root[frame], heading),
            };
            for (track, weights) in tracks.iter().zip(self.weights.values()) {
                let moment = view.sees(self.moment(track, frame, clip));
                for (value, weight) in moment.iter().zip(weights.all()) {
                    let scaled = *value * (scale * (weight / sum).sqrt());
                    vectors.extend(scaled.to_array());
                }
            }
        }
        Ok(vectors)
    }

    /// The joint of each weight, in their order; fails if anything about them is wrong.
    fn effectors(&self, skeleton: &Skeleton) -> Result<Vec<JointId>, MetricError> {
        if !(self.tau > 0.0 && self.tau.is_finite()) {
            return Err(MetricError::BadTau(self.tau));
        }
        for (name, weights) in &self.weights {
            if let Some(&weight) = weights
                .all()
                .iter()
                .find(|w| !(w.is_finite() && **w >= 0.0))
            {
                let name = name.clone();
                return Err(MetricError::BadWeight { name, weight });
            }
        }
        let weighty = |weights: &Weights| weights.all().iter().any(|weight| *weight > 0.0);
        if !self.weights.values().any(weighty) {
            return Err(MetricError::NoWeight);
        }
        let chains = kinematic_chains(skeleton);
        let joint = |name: &String| match chains.iter().find(|chain| chain.name == *name) {
            _ if name == ROOT => Ok(JointId(0)),
            Some(chain) => Ok(chain_end(skeleton, chain)),
            None => Err(unknown_chain(name, &chains)),
        };
        self.weights.keys().map(joint).collect()
    }

    /// Each effector's positions in the world. [m]
    fn tracks(&self, clip: &Clip, effectors: &[JointId]) -> Vec<Vec<Vec3>> {
        let positions = forward_kinematics(clip);
        let at = |effector, frame: usize| positions.joint(FrameId(frame as u32), effector);
        let track = |&effector| (0..clip.len()).map(|frame| at(effector, frame)).collect();
        effectors.iter().map(track).collect()
    }

    /// Position, velocity and acceleration in the world as lengths; the first and last frame move as
    /// their neighbours do.
    fn moment(&self, track: &[Vec3], frame: usize, clip: &Clip) -> [Vec3; 3] {
        let now = track[frame];
        if track.len() < 3 {
            return [now, Vec3::ZERO, Vec3::ZERO];
        }
        let middle = frame.clamp(1, track.len() - 2);
        let [before, here, after] = [track[middle - 1], track[middle], track[middle + 1]];
        let frames = self.tau / clip.rate.frame_time() as f32;
        let velocity = (after - before) * (0.5 * frames);
        let acceleration = (after - here - (here - before)) * (frames * frames);
        [now, velocity, acceleration]
    }
}

fn unknown_chain(name: &str, chains: &[Chain]) -> MetricError {
    let names: Vec<&str> = chains.iter().map(|chain| chain.name.as_str()).collect();
    MetricError::UnknownChain {
        name: name.to_owned(),
        known: [ROOT]
            .into_iter()
            .chain(names)
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// From where frames are seen.
struct View {
    /// Taken away from positions.
    origin: Vec3,
    turn: Quat,
}

impl View {
    /// The neutral frame: above the root, along its heading (§4.2.1).
    fn neutral(root: Vec3, heading: f64) -> Self {
        Self {
            origin: Vec3::new(root.x, 0.0, root.z),
            turn: Quat::from_rotation_y(-heading as f32),
        }
    }

    const WORLD: Self = Self {
        origin: Vec3::ZERO,
        turn: Quat::IDENTITY,
    };

    fn sees(&self, [position, velocity, acceleration]: [Vec3; 3]) -> [Vec3; 3] {
        [position - self.origin, velocity, acceleration].map(|value| self.turn * value)
    }
}

/// The joint whose motion stands for a limb: ball, ankle, wrist or head, else its last.
fn chain_end(skeleton: &Skeleton, chain: &Chain) -> JointId {
    let sided = |role: fn(Side) -> Role| Side::BOTH.map(role);
    let roles = [sided(Role::Toe), sided(Role::Foot), sided(Role::Hand)];
    let wanted = roles.into_iter().flatten().chain([Role::Head]);
    let own = |role| {
        let joint = skeleton.with_role(role)?;
        chain.joints.contains(&joint).then_some(joint)
    };
    let last = *chain.joints.last().expect("a chain has joints");
    wanted.into_iter().find_map(own).unwrap_or(last)
}
