//! A motion graph as the moves that `afoot_world` embeds, and paths of an embedded graph as motion
//! (Reitsma and Pollard 2004, §5, §6).
//!
//! Nodes from which one way leads are no choices, so that moves are the ways between nodes from which
//! several do; of a graph with a minimum clip length (appendix) they last at least that long. The root's
//! ground position and heading, frame by frame, is all that the world sees of them (`moves`). A path is
//! played as a walk through the graph and bent as the embedding bent it (`play`).

mod moves;
mod play;

pub use moves::graph_moves;
pub use play::{EditShare, PlayedPath, play_path};
