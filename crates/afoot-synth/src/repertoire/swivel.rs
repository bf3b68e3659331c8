//! How far a transition turns a foot that stands while it plays.
//!
//! Two poses may be alike to some centimetres though a foot of the one points elsewhere than that of the other:
//! a foot is short. A blend leads from one direction to the other, and a foot that is down swivels. Cost: four
//! poses a transition.

use afoot_core::{Clip, Contacts, Side, wrap_angle};
use afoot_graph::{Edge, EdgeKind};

use super::Repertoire;
use crate::edges::Edges;
use crate::untwist::heading;

/// How much farther a foot that stands all through a transition turns than the captured frames on either side of its
/// middle; the one that turns more. [rad, ≥ 0]
pub(super) fn swivel_of(repertoire: &Repertoire, edge: &Edge) -> f64 {
    let EdgeKind::Transition(transition) = edge.kind() else {
        return 0.0;
    };
    let graph = repertoire.graph();
    let transition = &graph.transitions[transition.0 as usize];
    let places = [transition.from, transition.to];
    let [from, to] = places.map(|place| repertoire.clip(place.clip));
    let [first, second] = places.map(|place| place.frame.index());
    let (window, half) = (graph.window as usize, graph.window as usize / 2);
    let turn = repertoire.turn(edge);
    let swivel = |side: Side| {
        let leg = from.skeleton.leg(side)?;
        let down = |clip: &Clip, frame: usize| {
            let contacts = clip.contacts.get(frame);
            contacts.is_some_and(|contacts| contacts.any(Contacts::foot(side)))
        };
        let stands = (0..window).all(|frame| match frame < half {
            true => down(from, first + frame),
            false => down(to, second + frame),
        });
        let within = |clip: &Clip, frame: usize| Some(frame.min(clip.len().checked_sub(1)?));
        let before = heading(from, within(from, first + half)?, leg).filter(|_| stands)?;
        let after = heading(to, within(to, second + half)?, leg)?;
        Some(wrap_angle(after + turn - before).abs())
    };
    let swivels = Side::BOTH.into_iter().filter_map(swivel);
    swivels.fold(0.0, f64::max)
}
