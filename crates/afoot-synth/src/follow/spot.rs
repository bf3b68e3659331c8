//! A state of following a path, and a step from one to the next.

use afoot_core::Planar;
use afoot_graph::{EdgeId, NodeId};

use crate::rigid::Rigid;

/// What the rest of a walk along a path depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(super) node: NodeId,
    pub(super) section: u16,
    pub(super) done: bool,
    pub(super) spare: u32,
    /// Frames spent at the guide's end without a stand.
    pub(super) late: u16,
    /// What the start costs, to be paid with the first step. [m²]
    pub(super) owed: f32,
    /// How far along the guide. [m]
    pub(super) along: f64,
    /// Carries the node's clip into the world.
    pub(super) at: Rigid,
}

impl Spot {
    pub(crate) fn node(&self) -> NodeId {
        self.node
    }

    pub(crate) fn placement(&self) -> Planar {
        self.at.planar()
    }

    pub(crate) fn along(&self) -> f64 {
        self.along
    }

    /// Whether the guide's end is reached.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    pub(crate) fn spare(&self) -> u32 {
        self.spare
    }
}

/// An edge taken in a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) edge: EdgeId,
    pub(crate) section: u16,
}
