//! Which body part a joint is, recognised from its name.

/// One side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Left, then right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// 0 for left, 1 for right.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A body part that the analysis and the edits ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The pelvis: the joint that both legs and the spine hang on.
    Hips,
    /// The lowest moving spine joint.
    Spine,
    /// The highest spine joint, which arms and neck hang on.
    Chest,
    /// The lowest neck joint.
    Neck,
    /// The head.
    Head,
    /// Clavicle.
    Shoulder(Side),
    /// Upper arm, at the shoulder.
    Arm(Side),
    /// Forearm, at the elbow.
    ForeArm(Side),
    /// Hand, at the wrist.
    Hand(Side),
    /// Any joint of a finger or thumb.
    Finger(Side),
    /// Thigh, at the hip.
    UpLeg(Side),
    /// Shank, at the knee.
    Leg(Side),
    /// Foot, at the ankle.
    Foot(Side),
    /// Toes, at the ball of the foot.
    Toe(Side),
}
