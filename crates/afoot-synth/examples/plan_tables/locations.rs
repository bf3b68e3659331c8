//! Seeded places for picks, inside what was captured.

use afoot_core::Planar;
use afoot_graph::contact::{ContactGraph, Event, EventKind};
use afoot_search::Random;

/// A thing to be picked up.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// Where it is. [m]
    pub at: [f64; 3],
    /// Where a root would be that takes it as captured. [m]
    pub root: [f64; 2],
}

/// Places for picks: mixes of two picks with one hand, 1 to 2.5 m ahead.
pub fn locations(graph: &ContactGraph, count: usize) -> Vec<Location> {
    let picks: Vec<Event> = graph
        .states
        .iter()
        .filter_map(|state| state.event)
        .filter(|event| matches!(event.kind, EventKind::Pick(_)))
        .collect();
    assert!(!picks.is_empty(), "nothing is picked up in this library");
    let mut random = Random::new(1);
    (0..count).map(|_| location(&picks, &mut random)).collect()
}

fn location(picks: &[Event], random: &mut Random) -> Location {
    let mut within = |low: f64, high: f64| low + (high - low) * random.unit();
    let first = picks[within(0.0, picks.len() as f64) as usize % picks.len()];
    let same: Vec<&Event> = picks
        .iter()
        .filter(|other| other.kind == first.kind)
        .collect();
    let second = same[within(0.0, same.len() as f64) as usize % same.len()];
    let share = within(0.0, 1.0);
    let point =
        [0, 1, 2].map(|axis| first.point[axis] + share * (second.point[axis] - first.point[axis]));
    let (far, bearing) = (within(1.0, 2.5), within(-0.785, 0.785));
    let yaw = bearing + within(-0.785, 0.785);
    let root = Planar::new(far * bearing.sin(), far * bearing.cos(), yaw);
    let [x, z] = root.point([point[0], point[2]]);
    Location {
        at: [x, point[1], z],
        root: [root.x, root.z],
    }
}
