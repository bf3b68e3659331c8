//! Paths through an embedded graph among obstacles that move: time as a dimension, for a while.
//!
//! A state is visited at a frame, so that a way can lead around somebody by being there later. Frames count
//! up to a horizon; beyond it nobody knows where others will be, and states are told apart by themselves
//! alone, as in `paths`. The search gives up after a number of states. The paper leaves moving obstacles
//! for later (§8, "Static vs. dynamic").

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use afoot_core::Planar;

use crate::embed::{Embedding, StateId};
use crate::paths::{EmbeddedPath, Ends};
use crate::shortest::WayLengths;

/// Who else is about.
pub trait Others {
    /// Whether somebody at a point [m] at a frame keeps clear of all of them.
    fn is_clear(&self, frame: usize, point: [f64; 2]) -> bool;
}

/// How others are looked out for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingOptions {
    /// The frame at which the path starts.
    pub start: usize,
    /// Frames from then on in which others count.
    pub horizon: usize,
    /// States at most.
    pub most: usize,
}

/// The shortest path that keeps clear of others; `None` where there is none,
/// or the search gave up.
pub fn find_among(
    embedding: &Embedding,
    ends: &Ends,
    left: &WayLengths,
    others: &impl Others,
    options: &MovingOptions,
) -> Option<EmbeddedPath> {
    let mut search = Search {
        embedding,
        reached: HashMap::new(),
        ways: HashMap::new(),
    };
    let cells = embedding.free.len() as u32;
    let mut front = BinaryHeap::new();
    for &start in ends.starts {
        let estimate = left[(start.0 % cells) as usize];
        let none = Step {
            length: 0.0,
            from: None,
            stencil: 0,
        };
        let begun = Moment {
            state: start,
            frame: 0,
        };
        search.reached.insert(begun, none);
        front.push(Reverse((estimate.to_bits(), start.0, 0u32)));
    }
    let mut expanded = 0;
    while let Some(Reverse((bits, state, frame))) = front.pop() {
        let here = Moment {
            state: StateId(state),
            frame,
        };
        let so_far = search.reached[&here].length;
        if f32::from_bits(bits) > so_far + left[(state % cells) as usize] {
            continue;
        }
        let heading = embedding.parts(here.state).1;
        let faces = ends.heading.is_none_or(|wanted| wanted == heading);
        if so_far > 0.0 && state % cells == ends.goal.0 && faces {
            return Some(search.path_to(here));
        }
        expanded += 1;
        if expanded > options.most {
            return None;
        }
        for (stencil, next) in embedding.links_from(here.state) {
            let row = &embedding.stencils.list[stencil as usize];
            let then = Moment {
                state: next,
                frame: (frame + row.frames).min(options.horizon as u32),
            };
            let length = so_far + embedding.length_of(stencil);
            let known = search.reached.get(&then);
            let estimate = length + left[(next.0 % cells) as usize];
            let shorter = known.is_none_or(|known| length < known.length);
            if !shorter || !estimate.is_finite() {
                continue;
            }
            if !search.is_clear(here, stencil, others, options) {
                continue;
            }
            let step = Step {
                length,
                from: Some(here),
                stencil,
            };
            search.reached.insert(then, step);
            front.push(Reverse((estimate.to_bits(), next.0, then.frame)));
        }
    }
    None
}

/// A state at a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Moment {
    state: StateId,
    frame: u32,
}

/// How a state was reached at a frame.
#[derive(Clone, Copy)]
struct Step {
    length: f32,
    from: Option<Moment>,
    stencil: u32,
}

struct Search<'a> {
    embedding: &'a Embedding<'a>,
    /// Only looked up, so its order reaches nothing.
    reached: HashMap<Moment, Step>,
    ways: HashMap<u32, Vec<Planar>>,
}

impl Search<'_> {
    /// Whether a link keeps clear of others at all its frames within the horizon.
    fn is_clear(
        &mut self,
        Moment { state, frame }: Moment,
        stencil: u32,
        others: &impl Others,
        options: &MovingOptions,
    ) -> bool {
        if frame as usize >= options.horizon {
            return true;
        }
        let embedding = self.embedding;
        let way = self.ways.entry(stencil).or_insert_with(|| {
            let row = &embedding.stencils.list[stencil as usize];
            row.way(embedding.moves, &embedding.grid, &embedding.options.edit)
        });
        let at = embedding.pose(state);
        let left = options.horizon - frame as usize;
        way.iter().take(left).enumerate().all(|(step, pose)| {
            let point = embedding.world.fold([at.x + pose.x, at.z + pose.z]);
            others.is_clear(options.start + frame as usize + step, point)
        })
    }

    fn path_to(&self, end: Moment) -> EmbeddedPath {
        let (mut stencils, mut at) = (Vec::new(), end);
        while let Step {
            from: Some(from),
            stencil,
            ..
        } = self.reached[&at]
        {
            stencils.push(stencil);
            at = from;
        }
        stencils.reverse();
        EmbeddedPath {
            start: at.state,
            length: f64::from(self.reached[&end].length),
            stencils,
        }
    }
}
