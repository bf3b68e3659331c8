//! A crowd on the graph embedded into its world: who goes from goal to goal there never comes to a dead
//! end, and keeps the world's rules.
//!
//! One after the other each character is led along shortest paths among those who have theirs already
//! (`afoot_world::moving`), to one goal after the other until time is up. Who finds no way tries other
//! goals, then another start. Slower to start than the search of `planner`, since the graph is embedded
//! first; in return it passes narrow places and regions that ask for certain motion.

use afoot_search::Random;
use afoot_world::{
    CellId, EmbeddedPath, Embedding, Ends, FreeWays, MovingOptions, StateId, World, find_among,
};

use super::others::Others;
use super::{Character, Crowd, CrowdError, CrowdOptions, CrowdReport};
use super::{frames_of, least_clearance, least_distance, trace};
use crate::embed::play_path;
use crate::finish::FinishOptions;
use crate::repertoire::Repertoire;

/// Room between discs beyond what is asked for: smoothing bends and planting feet moves roots. [m]
const MARGIN: f64 = 0.06;
/// How far ahead others are looked out for in one search. [s]
const HORIZON: f64 = 20.0;
/// States that one search looks at.
const MOST: usize = 60_000;

/// Fills a world with characters who walk on the graph that is embedded into it.
pub fn make_embedded_crowd(
    repertoire: &Repertoire,
    embedding: &Embedding,
    options: &CrowdOptions,
) -> Result<Crowd, CrowdError> {
    let world = embedding.world;
    let frames = frames_of(repertoire, options)? as usize;
    let planner = Planner {
        repertoire,
        embedding,
        ways: FreeWays::new(world, &embedding.grid, world.radius),
        options,
        cells: reached_cells(embedding),
        frames,
    };
    let mut among = Among {
        others: Others::new(frames, options.count, 2.0 * world.radius + MARGIN),
        apart: (2.0 * world.radius + MARGIN).powi(2),
        frames,
    };
    let mut report = CrowdReport::default();
    let mut characters = Vec::new();
    for who in 0..options.count {
        options.run.check()?;
        let found = (0..options.attempts.max(1)).find_map(|attempt| {
            report.attempts += 1;
            let character = planner.character(&among, who, attempt);
            report.dead_ends += u32::from(character.is_none());
            character.filter(|character| {
                let keeps = planner.keeps_clear(&among, character);
                report.conflicts += u32::from(!keeps);
                keeps
            })
        });
        let Some(character) = found else {
            return Err(CrowdError::NoRoom {
                placed: who,
                count: options.count,
                attempts: options.attempts,
            });
        };
        among.others.insert(trace(&character.played.clip));
        characters.push(character);
        options
            .run
            .progress("placing", who as u64 + 1, options.count as u64);
    }
    report.least_distance = least_distance(&characters);
    report.least_clearance = least_clearance(world, &characters);
    Ok(Crowd { characters, report })
}

/// Everyone who has his way.
struct Among {
    others: Others,
    /// Squared. [m²]
    apart: f64,
    frames: usize,
}

impl afoot_world::Others for Among {
    fn is_clear(&self, frame: usize, point: [f64; 2]) -> bool {
        frame >= self.frames || self.others.nearest_squared(frame, point) >= self.apart
    }
}

struct Planner<'a> {
    repertoire: &'a Repertoire,
    embedding: &'a Embedding<'a>,
    ways: FreeWays<'a>,
    options: &'a CrowdOptions,
    /// Cells that the embedded graph reaches.
    cells: Vec<CellId>,
    frames: usize,
}

fn reached_cells(embedding: &Embedding) -> Vec<CellId> {
    let cells = (0..embedding.free.len() as u32).map(CellId);
    cells
        .filter(|cell| embedding.states_at(*cell).next().is_some())
        .collect()
}

impl Planner<'_> {
    /// A character's motion from goal to goal; `None` where a start or a way is missing.
    fn character(&self, among: &Among, who: usize, attempt: u32) -> Option<Character> {
        let mut random = Random::new(self.options.seed)
            .fork(who as u64 + 1)
            .fork(u64::from(attempt));
        let world = self.embedding.world;
        let start = match world.starts.get(who) {
            Some(&place) => self.embedding.grid.cell_at(place)?,
            None => self.cells[random.below(self.cells.len())],
        };
        let mut goals = Vec::new();
        let mut path = EmbeddedPath {
            start: StateId(0),
            stencils: Vec::new(),
            length: 0.0,
        };
        let (mut starts, mut at, mut frame) = (self.states(start), start, 0);
        while frame < self.frames {
            let goal = self.goal(who, goals.len(), &mut random)?;
            if goal == at {
                goals.push(self.embedding.grid.centre(goal));
                if goals.len() > 64 {
                    return None;
                }
                continue;
            }
            let leg = self.leg(among, &starts, goal, frame)?;
            if path.stencils.is_empty() {
                path.start = leg.start;
            }
            frame += self.frames_of(&leg);
            let end = self.end_of(&leg);
            (starts, at) = (vec![end], self.embedding.parts(end).2);
            path.length += leg.length;
            path.stencils.extend(leg.stencils);
            goals.push(self.embedding.grid.centre(goal));
        }
        Some(self.play(path, goals))
    }

    fn states(&self, cell: CellId) -> Vec<StateId> {
        self.embedding.states_at(cell).collect()
    }

    /// The next goal: the world's in turn, or any.
    fn goal(&self, who: usize, number: usize, random: &mut Random) -> Option<CellId> {
        let asked = &self.embedding.world.goals;
        match asked.is_empty() {
            true => Some(self.cells[random.below(self.cells.len())]),
            false => {
                let place = asked[(who + number) % asked.len()];
                self.embedding.grid.cell_at(place)
            }
        }
    }

    fn leg(
        &self,
        among: &Among,
        starts: &[StateId],
        goal: CellId,
        frame: usize,
    ) -> Option<EmbeddedPath> {
        let left = self.ways.to(goal);
        let ends = Ends {
            starts,
            goal,
            heading: None,
        };
        let options = MovingOptions {
            start: frame,
            horizon: self.embedding.moves.rate.frames_in(HORIZON),
            most: MOST,
        };
        find_among(self.embedding, &ends, &left, among, &options)
    }

    fn frames_of(&self, path: &EmbeddedPath) -> usize {
        let rows = path.stencils.iter();
        rows.map(|row| self.embedding.stencils.list[*row as usize].frames as usize)
            .sum()
    }

    fn end_of(&self, path: &EmbeddedPath) -> StateId {
        let step = |state: StateId, stencil: &u32| {
            let (_, _, cell) = self.embedding.parts(state);
            self.embedding.end_of(*stencil, cell)
        };
        path.stencils.iter().fold(path.start, step)
    }

    /// Plays a path, as long as the crowd walks.
    fn play(&self, path: EmbeddedPath, goals: Vec<[f64; 2]>) -> Character {
        let finish = FinishOptions::default();
        let made = play_path(self.repertoire, self.embedding, &path, &finish);
        let mut played = made.played;
        cut(&mut played, self.frames);
        let [x, z] = self
            .embedding
            .grid
            .centre(self.embedding.parts(path.start).2);
        Character {
            label: None,
            start: [x, z],
            goals,
            pace: path.length
                / (self.frames_of(&path) as f64 * self.embedding.moves.rate.frame_time()),
            walk: made.walk,
            played,
        }
    }

    /// Whether finished motion keeps clear of everyone and everything.
    fn keeps_clear(&self, among: &Among, character: &Character) -> bool {
        let world: &World = self.embedding.world;
        let apart = (2.0 * world.radius).powi(2);
        let roots = trace(&character.played.clip).enumerate();
        roots.into_iter().all(|(frame, point)| {
            let point = point.map(f64::from);
            among.others.nearest_squared(frame, world.fold(point)) >= apart
                && world.clearance(point) >= world.radius
        })
    }
}

/// Leaves out what is beyond a number of frames.
fn cut(played: &mut crate::walk::Played, frames: usize) {
    if played.clip.len() <= frames {
        return;
    }
    if let Ok(clip) = afoot_core::cut_clip(&played.clip, 0..frames as u32) {
        played.clip = clip;
    }
    played.captured = played.captured.min(frames as u64);
    for source in &mut played.sources {
        let left = (frames as u64).saturating_sub(source.at) as u32;
        source.frames.end = source.frames.end.min(source.frames.start + left);
    }
    played.sources.retain(|source| !source.frames.is_empty());
    played.joins = played.joins.min(played.sources.len() as u32 - 1);
}
