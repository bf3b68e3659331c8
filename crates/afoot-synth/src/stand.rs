//! Where a figure stands, so that motion can begin and end there.
//!
//! A captured walk that is cut out of a library begins in mid-stride, and so would all that is made of
//! it. Requests for a path begin and end in a stand where the library has one and the path is not left for
//! it; those for a clip can begin in one.
//! In: the manner of a frame. Out: whether it is a stand: upright, on the floor, still for half a second.

use afoot_core::Locomotion;
use afoot_graph::{NodeId, Place};
use serde::{Deserialize, Serialize};

use crate::allowed::Allowed;
use crate::edges::Edges;
use crate::repertoire::Repertoire;

/// Slower than this a figure is still: hips sway by a few centimetres. [m/s]
const STILL: f32 = 0.15;
/// Who stands has hips this high at least, and leans no more. [leg lengths, rad]
const UPRIGHT: f32 = 0.85;
const LEANING: f32 = 0.5;
/// Height of the feet over the floor at most. [m]
const OFF_THE_FLOOR: f32 = 0.08;
/// Who lifts a foot higher than this has set out already, or not arrived yet. [leg lengths]
const LIFTED: f32 = 0.05;

/// Whether motion is to begin, or to end, in a stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stand {
    /// Where the library can, at little cost.
    #[default]
    IfItCan,
    /// Wherever the library has one.
    Always,
    /// In mid-stride, if that fits better.
    Never,
}

impl Stand {
    /// What it costs not to stand, in units of a path's error. A stand is worth a second 13 cm beside the
    /// path; that nobody sees, while everybody sees a walk that stops in the air. [m²]
    pub(crate) fn price(self) -> f64 {
        match self {
            Self::IfItCan => 0.5,
            Self::Always => 1e4,
            Self::Never => 0.0,
        }
    }
}

/// Whether a figure stands in that frame.
pub(crate) fn stands_at(repertoire: &Repertoire, place: Place) -> bool {
    let manners = repertoire.manners(place.clip);
    manners.get(place.frame.index()).is_some_and(|manner| {
        manner.gait() == Locomotion::Stand
            && manner.speed < STILL
            && manner.height > UPRIGHT
            && manner.lean < LEANING
            && manner.raised.abs() < OFF_THE_FLOOR
            && manner.lift < LIFTED
    })
}

/// Whether allowed motion goes on from any place in which a figure stands.
pub(crate) fn has_stand(graph: &impl Edges, allowed: &Allowed) -> bool {
    let mut nodes = (0..).map(NodeId).zip(graph.layout().places);
    nodes.any(|(node, place)| allowed.is_alive(node) && graph.stands(*place))
}
