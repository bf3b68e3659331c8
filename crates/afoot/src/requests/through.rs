//! Motion from one place of a world to another, around what stands there, on the embedded graph.

use afoot_run::Run;
use afoot_synth::{FinishOptions, play_path};
use afoot_world::{
    CellId, EmbeddedPath, Embedding, Ends, FreeWays, PathSearch, Region, StateId, World, embed,
};
use serde::{Deserialize, Serialize};

use crate::delivery::{Aim, Measured, MotionHeader, Outlet, Told};
use crate::embedded::{EmbedRecipe, Embeddable};
use crate::failure::Failure;
use crate::hint::Hint;
use crate::inputs::Input;
use crate::requests::follow::FollowDetails;
use crate::workspace::Workspace;

/// A start and a goal in a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Through {
    /// The world.
    pub world: Input,
    /// Where it starts. [m, -100000 to 100000]
    pub from: [f64; 2],
    /// Where it ends. [m, -100000 to 100000]
    pub to: [f64; 2],
    /// The heading to start with, if it matters. [degrees, -36000 to 36000]
    pub from_heading: Option<f64>,
    /// The heading to end with, if it matters. [degrees, -36000 to 36000]
    pub to_heading: Option<f64>,
    /// The graph, and how it is embedded.
    pub embed: EmbedRecipe,
}

impl Default for Through {
    fn default() -> Self {
        Self {
            world: Input::default(),
            from: [0.0; 2],
            to: [0.0; 2],
            from_heading: None,
            to_heading: None,
            embed: EmbedRecipe::for_planted_feet(),
        }
    }
}

/// What a way through a world tells of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ThroughDetails {
    /// Of the root's way. [m]
    pub length_m: f64,
    /// Of the shortest free way. [m]
    pub shortest_m: f64,
    /// States of the embedded graph.
    pub nodes: u64,
    /// Its links.
    pub links: u64,
    /// Moves that were strung together.
    pub moves: usize,
    /// What these were bent by, as a share of what is allowed, in the mean.
    pub edit_share: f64,
}

impl Through {
    /// Makes the motion; only of frames that carry one of some words, if any are given.
    pub(super) fn make(
        &self,
        from: &Workspace,
        labels: &[String],
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<FollowDetails>, Failure> {
        let library = from.library()?;
        let mut world = self.world.world(from.files())?;
        keep_to(&mut world, labels);
        self.check_ends(&world)?;
        let graph = outlet.aside(|| Embeddable::new(library, &self.embed.graph, &[], run))?;
        // Ways grow with the legs: what is planned in a smaller world fits this one afterwards.
        let longer = outlet.longer_way(graph.graph.skeleton());
        let world = world.scaled(1.0 / longer);
        let embedding = embed(&graph.moves, &world, &self.embed.options(), run)?;
        let Way { path, shortest_m } = self.find(&embedding, &world, longer)?;
        let played = play_path(&graph.graph, &embedding, &path, &FinishOptions::default());
        let frames = played.played.clip.len() as u64;
        outlet.begin(MotionHeader::of_graph(&graph.graph, frames))?;
        outlet.push(played.played)?;
        let way = played.way.iter().map(|pose| [pose.x, pose.z]).collect();
        Ok(Told {
            aim: Aim {
                way: Some(way),
                world: Some(world.clone()),
                ..Aim::default()
            },
            measured: Measured {
                edit_share: Some(played.edit.most),
                ..Measured::default()
            },
            details: FollowDetails {
                path_m: path.length * longer,
                through: Some(ThroughDetails {
                    length_m: path.length * longer,
                    shortest_m: shortest_m * longer,
                    nodes: embedding.nodes,
                    links: embedding.links,
                    moves: path.stencils.len(),
                    edit_share: played.edit.mean,
                }),
                ..FollowDetails::default()
            },
        })
    }

    /// Refuses places where nobody can stand, before the graph is embedded.
    fn check_ends(&self, world: &World) -> Result<(), Failure> {
        for (field, place) in [("from", self.from), ("to", self.to)] {
            if world.clearance(place) < world.radius + self.embed.margin_m {
                return Err(not_free(field, place));
            }
        }
        Ok(())
    }

    /// The shortest way of the embedded graph, in a world whose ways are asked for `longer` times as long.
    fn find(&self, embedding: &Embedding, world: &World, longer: f64) -> Result<Way, Failure> {
        let cell = |field: &str, place: [f64; 2]| {
            self.cell(field, place, place.map(|value| value / longer), embedding)
        };
        let [start, goal] = [cell("from", self.from)?, cell("to", self.to)?];
        let heading = |degrees: Option<f64>| {
            degrees.map(|degrees| embedding.grid.heading_of(degrees.to_radians()) as u32)
        };
        let first = heading(self.from_heading);
        let fits = |state: &StateId| first.is_none_or(|first| embedding.parts(*state).1 == first);
        let starts: Vec<StateId> = embedding.states_at(start).filter(fits).collect();
        let ends = Ends {
            starts: &starts,
            goal,
            heading: heading(self.to_heading),
        };
        let left = FreeWays::new(world, &embedding.grid, world.radius).to(goal);
        let found = PathSearch::new(embedding).find(&ends, &left);
        Ok(Way {
            path: found.ok_or_else(|| self.no_way(embedding, [start, goal]))?,
            shortest_m: f64::from(left[start.0 as usize]),
        })
    }

    /// The cell of a place, as it was `asked` for and where it lies in the embedded world.
    fn cell(
        &self,
        field: &str,
        asked: [f64; 2],
        place: [f64; 2],
        embedding: &Embedding,
    ) -> Result<CellId, Failure> {
        let cell = embedding.grid.cell_at(place);
        let free = cell.filter(|cell| embedding.free[cell.0 as usize]);
        free.ok_or_else(|| not_free(field, asked))
    }

    fn no_way(&self, embedding: &Embedding, [start, goal]: [CellId; 2]) -> Failure {
        let ([a, b], [c, d]) = (self.from, self.to);
        let reached = |cell: CellId| embedding.states_at(cell).next().is_some();
        let why = match (reached(start), reached(goal)) {
            (false, _) => "no motion that goes on passes the start",
            (_, false) => "no motion that goes on passes the goal",
            _ => "none leads there with the headings asked for",
        };
        Failure::no_motion(format!(
            "the library has no motion from {a},{b} to {c},{d} in this world: {why}"
        ))
        .with_hint(Hint::LoosenThreshold)
    }
}

/// A way that was found, and how long the shortest free one is.
struct Way {
    path: EmbeddedPath,
    shortest_m: f64,
}

fn not_free(field: &str, [x, z]: [f64; 2]) -> Failure {
    let expected = "free ground of the world: within its bounds, and a character's radius from what stands there";
    Failure::bad_value(field, format!("{x},{z}"), expected)
}

/// Asks of all motion in a world that it carries one of some words.
fn keep_to(world: &mut World, labels: &[String]) {
    if labels.is_empty() {
        return;
    }
    let [[a, b], [c, d]] = world.bounds;
    world.regions.push(Region {
        polygon: vec![
            [a - 1.0, b - 1.0],
            [c + 1.0, b - 1.0],
            [c + 1.0, d + 1.0],
            [a - 1.0, d + 1.0],
        ],
        only: labels.to_vec(),
        never: Vec::new(),
    });
}
