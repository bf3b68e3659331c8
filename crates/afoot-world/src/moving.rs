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
        ends,
        left,
        others,
        options,
        front: BinaryHeap::new(),
        reached: HashMap::new(),
        ways: HashMap::new(),
    };
    search.begin();
    let mut expanded = 0;
    while let Some(here) = search.nearest() {
        if search.is_end(here) {
            return Some(search.path_to(here));
        }
        expanded += 1;
        if expanded > options.most {
            return None;
        }
        search.expand(here);
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

struct Search<'a, O> {
    embedding: &'a Embedding<'a>,
    ends: &'a Ends<'a>,
    left: &'a WayLengths,
    others: &'a O,
    options: &'a MovingOptions,
    /// By the least length that a path through them can have.
    front: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// Only looked up, so its order reaches nothing.
    reached: HashMap<Moment, Step>,
    ways: HashMap<u32, Vec<Planar>>,
}

impl<O: Others> Search<'_, O> {
    fn begin(&mut self) {
        for &state in self.ends.starts {
            let none = Step {
                length: 0.0,
                from: None,
                stencil: 0,
            };
            self.reach(Moment { state, frame: 0 }, none);
        }
    }

    /// Takes the moment that promises the shortest path; those that were reached by shorter ways since are passed over.
    fn nearest(&mut self) -> Option<Moment> {
        while let Some(Reverse((bits, state, frame))) = self.front.pop() {
            let state = StateId(state);
            let here = Moment { state, frame };
            if f32::from_bits(bits) <= self.reached[&here].length + self.left_from(state) {
                return Some(here);
            }
        }
        None
    }

    /// Whether a path ends here: at the goal, facing as wanted, after at least one step.
    fn is_end(&self, here: Moment) -> bool {
        let heading = self.embedding.parts(here.state).1;
        let faces = self.ends.heading.is_none_or(|wanted| wanted == heading);
        self.reached[&here].length > 0.0 && self.cell_of(here.state) == self.ends.goal.0 && faces
    }

    /// Follows all links that are shorter than what is known and keep clear of others.
    fn expand(&mut self, here: Moment) {
        let embedding = self.embedding;
        let so_far = self.reached[&here].length;
        for (stencil, next) in embedding.links_from(here.state) {
            let row = &embedding.stencils.list[stencil as usize];
            let then = Moment {
                state: next,
                frame: (here.frame + row.frames).min(self.options.horizon as u32),
            };
            let length = so_far + embedding.length_of(stencil);
            let known = self.reached.get(&then);
            let shorter = known.is_none_or(|known| length < known.length);
            let leads_on = (length + self.left_from(next)).is_finite();
            if shorter && leads_on && self.is_clear(here, stencil) {
                let step = Step {
                    length,
                    from: Some(here),
                    stencil,
                };
                self.reach(then, step);
            }
        }
    }

    fn reach(&mut self, then: Moment, step: Step) {
        let estimate = step.length + self.left_from(then.state);
        self.reached.insert(then, step);
        let bits = estimate.to_bits();
        self.front.push(Reverse((bits, then.state.0, then.frame)));
    }

    fn cell_of(&self, state: StateId) -> u32 {
        state.0 % self.embedding.free.len() as u32
    }

    /// Of the free way from a state to the goal. [m]
    fn left_from(&self, state: StateId) -> f32 {
        self.left[self.cell_of(state) as usize]
    }

    /// Whether a link keeps clear of others at all its frames within the horizon.
    fn is_clear(&mut self, Moment { state, frame }: Moment, stencil: u32) -> bool {
        let options = self.options;
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
            self.others
                .is_clear(options.start + frame as usize + step, point)
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
