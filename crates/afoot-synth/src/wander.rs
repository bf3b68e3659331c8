//! A random walk without end that uses the database evenly.
//!
//! Every frame keeps count of how often it was played. At a choice the way whose next second has
//! been played least is taken, with some chance mixed in, so that no two walks are alike and no
//! loop holds the walk. After a transition the clip plays on for a while, if it can: joins in close
//! succession look restless. Cost: a look at one second of frames per way.

use afoot_core::{Planar, Range32};
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId};
use afoot_run::{Run, Stopped};
use afoot_search::Random;
use thiserror::Error;

use crate::allowed::{Allowed, UnknownLabel, Wanted};
use crate::edges::Edges;
use crate::finish::FinishOptions;
use crate::repertoire::Repertoire;
use crate::walk::{GraphWalk, Played, play_walk};

/// How to wander.
#[derive(Clone, Debug)]
pub struct WanderOptions {
    /// How long. [s, > 0]
    pub seconds: f64,
    /// Words that all frames must carry; none allows all.
    pub labels: Vec<String>,
    /// Shortest stretch of captured motion between two transitions, where there is one. [s, ≥ 0]
    pub least_play: f64,
    /// How much chance counts against evenness. [plays, ≥ 0]
    pub chance: f64,
    /// Of the chance.
    pub seed: u64,
    /// Feet; a wandering root is not bent.
    pub finish: FinishOptions,
    /// Hears how far it is, and may stop it.
    pub run: Run,
}

impl Default for WanderOptions {
    fn default() -> Self {
        Self {
            seconds: 10.0,
            labels: Vec::new(),
            least_play: 0.5,
            chance: 1.0,
            seed: 0,
            finish: FinishOptions::default(),
            run: Run::quiet(),
        }
    }
}

/// Why there is no wandering.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum WanderError {
    #[error(transparent)]
    UnknownLabel(#[from] UnknownLabel),
    #[error("{0} seconds: expected more than 0 and at most a million")]
    BadSeconds(f64),
    #[error("motion labelled {0} can't go on for long: its frames form no loop in the graph")]
    NoLoop(String),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl WanderError {
    /// Whether the request itself is wrong; else the library holds no motion for it.
    pub fn is_bad_request(&self) -> bool {
        matches!(self, Self::UnknownLabel(_) | Self::BadSeconds(_))
    }
}

/// Motion that wanders, from the origin, facing +z.
pub fn wander(repertoire: &Repertoire, options: &WanderOptions) -> Result<Played, WanderError> {
    let walk = find_wander(repertoire, options)?;
    let mut played = play_walk(repertoire, &walk);
    repertoire.finish(&mut played.clip, &options.finish);
    Ok(played)
}

/// The walk that [`wander`] plays.
pub fn find_wander(
    repertoire: &impl Edges,
    options: &WanderOptions,
) -> Result<GraphWalk, WanderError> {
    if !(options.seconds > 0.0 && options.seconds <= 1e6) {
        return Err(WanderError::BadSeconds(options.seconds));
    }
    let wanted = Wanted::labels(repertoire, &options.labels)?;
    let allowed = Allowed::connected(repertoire, wanted);
    if allowed.is_empty() {
        return Err(WanderError::NoLoop(options.labels.join(", ")));
    }
    let rate = repertoire.layout().rate;
    let mut walker = Walker {
        repertoire,
        allowed: &allowed,
        plays: repertoire
            .layout()
            .clips
            .iter()
            .map(|clip| vec![0; clip.frames as usize])
            .collect(),
        look: rate.frames_in(1.0) as u32,
        least_play: rate.frames_in(options.least_play) as u32,
        chance: options.chance,
        random: Random::new(options.seed),
    };
    walker.walk(rate.frames_in(options.seconds).max(1) as u64, &options.run)
}

struct Walker<'a, G> {
    repertoire: &'a G,
    allowed: &'a Allowed,
    /// How often each frame of each clip was played.
    plays: Vec<Vec<u32>>,
    /// How far ahead evenness is looked for. [frames]
    look: u32,
    least_play: u32,
    chance: f64,
    random: Random,
}

impl<G: Edges> Walker<'_, G> {
    fn walk(&mut self, frames: u64, run: &Run) -> Result<GraphWalk, WanderError> {
        let alive = self.allowed.alive();
        let starts: Vec<usize> = (0..alive.len()).filter(|&node| alive[node]).collect();
        let start = NodeId(starts[self.random.below(starts.len())] as u32);
        let placement = Planar::carrying(self.repertoire.root_at(start), Planar::IDENTITY);
        let (mut node, mut edges, mut played, mut since_join) =
            (start, Vec::new(), 0, self.least_play);
        while played < frames {
            run.check()?;
            let id = self.choose(node, since_join);
            let edge = *self.repertoire.edge(id);
            let count = self.repertoire.frames(&edge);
            since_join = match edge.kind() {
                EdgeKind::Play => since_join + count,
                EdgeKind::Jump(_) => 0,
            };
            self.count(&edge);
            edges.push(id);
            played += u64::from(count);
            node = edge.to;
        }
        Ok(GraphWalk {
            start,
            placement,
            edges,
            spare: (played - frames) as u32,
        })
    }

    /// The way on whose frames were played least.
    fn choose(&mut self, node: NodeId, since_join: u32) -> EdgeId {
        let ways: Vec<(EdgeId, Edge)> = self
            .repertoire
            .edges_from(node)
            .filter(|(id, _)| self.allowed.allows(*id))
            .map(|(id, edge)| (id, *edge))
            .collect();
        let plays_on = ways.iter().find(|(_, edge)| edge.kind() == EdgeKind::Play);
        match plays_on {
            Some((id, _)) if since_join < self.least_play => *id,
            _ => self.least_played(&ways),
        }
    }

    fn least_played(&mut self, ways: &[(EdgeId, Edge)]) -> EdgeId {
        let mut best = (f64::INFINITY, ways[0].0);
        for (id, edge) in ways {
            let score = self.usage(edge) + self.chance * self.random.unit();
            if score < best.0 {
                best = (score, *id);
            }
        }
        best.1
    }

    /// How often the next second of a way was played, on average.
    fn usage(&self, edge: &Edge) -> f64 {
        let graph = self.repertoire.layout();
        let place = match edge.kind() {
            EdgeKind::Play => graph.places[edge.from.0 as usize],
            EdgeKind::Jump(_) => graph.places[edge.to.0 as usize],
        };
        let plays = &self.plays[place.clip.index()];
        let run = self.allowed.run(edge.to).max(1);
        let ahead = plays
            .iter()
            .skip(place.frame.index())
            .take(self.look.min(run) as usize);
        let (sum, count) = ahead.fold((0, 0), |(sum, count), &plays| (sum + plays, count + 1));
        f64::from(sum) / f64::from(count.max(1))
    }

    /// Counts an edge's frames; a transition counts towards the clip it leads to.
    fn count(&mut self, edge: &Edge) {
        let graph = self.repertoire.layout();
        let (from, to) = (
            graph.places[edge.from.0 as usize],
            graph.places[edge.to.0 as usize],
        );
        let frames = match edge.kind() {
            EdgeKind::Play => Range32 {
                start: from.frame.0,
                end: to.frame.0,
            },
            EdgeKind::Jump(_) => Range32 {
                start: to.frame.0.saturating_sub(self.repertoire.frames(edge)),
                end: to.frame.0,
            },
        };
        let plays = &mut self.plays[to.clip.index()];
        plays[frames.start as usize..frames.end as usize]
            .iter_mut()
            .for_each(|plays| *plays += 1);
    }
}
