//! What every character of a crowd is planned with, and one attempt at one of them.

use afoot_core::Clip;
use afoot_graph::{EdgeKind, LabelSet, MotionGraph, NodeId};
use afoot_search::{BeamOptions, BeamSearch, Random};
use rayon::prelude::*;

use super::crossing::{Crossing, Errand, Room, Rule, Spot};
use super::others::Others;
use super::{Character, CrowdError, CrowdOptions, frames_of, trace};
use crate::allowed::{Allowed, Wanted};
use crate::edges::{EdgeCosts, Edges};
use crate::finish::FinishOptions;
use crate::path::distance;
use crate::preference::Preference;
use crate::repertoire::Repertoire;
use crate::walk::{GraphWalk, play_walk};
use afoot_world::World;
use afoot_world::{Field, Ground};

/// The search keeps this much more room than is asked for: planting the feet moves roots. [m]
const MARGIN: f64 = 0.03;
/// Fields steer this much farther around obstacles than the search must keep. [m]
const WIDE_BERTH: f64 = 0.1;
/// Room around a goal or a start in which one can turn, if there is ground like it. [m]
const TURNING: f64 = 0.8;
/// Places that are goals.
const GOALS: usize = 64;
/// Goals of a character before they come again, and their least distance. [m]
const ROUND: usize = 16;
const STRETCH: f64 = 5.0;
/// Room between the discs at a start, and for how long it is kept. [m, s]
const ELBOW: f64 = 0.5;
const FIRST: f64 = 0.6;
/// Places in the clips to start from, and draws for a start.
const FOOTINGS: usize = 48;
const DRAWS: usize = 300;

pub(crate) struct Planner<'a> {
    pub(crate) options: &'a CrowdOptions,
    repertoire: &'a Repertoire,
    radius: f64,
    ground: Ground<'a>,
    /// Where the world asks the first characters to start.
    asked_starts: &'a [[f64; 2]],
    /// How many of the fields lead to goals that the world asks for; these come first.
    asked_goals: usize,
    /// Open nodes to start from.
    starts: Vec<u32>,
    fields: Vec<Field>,
    styles: Vec<Style<'a>>,
    rules: Vec<Rule>,
    room: Room,
    frames: u32,
}

/// What one label allows.
struct Style<'a> {
    label: Option<String>,
    allowed: Allowed,
    /// What edges cost by how they move.
    costs: EdgeCosts<'a>,
    /// Where one may start: where nothing odd goes on, if there is such a place.
    nodes: Vec<NodeId>,
    /// The slow and the fast end of its usual paces. [m/s]
    paces: [f64; 2],
}

/// What an attempt came to.
pub(crate) struct Tried {
    pub(crate) character: Option<Character>,
    pub(crate) expanded: u64,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(
        repertoire: &'a Repertoire,
        world: &'a World,
        options: &'a CrowdOptions,
    ) -> Result<Self, CrowdError> {
        world.check()?;
        let frames = frames_of(repertoire, options)?;
        let styles = styles_of(repertoire, options)?;
        let clear = world.radius + MARGIN;
        let ground = Ground::new(world, clear + WIDE_BERTH);
        let mut goals: Vec<u32> = world
            .goals
            .iter()
            .filter_map(|&goal| ground.nearest(goal))
            .collect();
        let asked_goals = goals.len();
        if asked_goals < 2 {
            goals.extend(goals_in(&ground, world.radius + TURNING, options.seed));
        }
        if goals.len() < 2 {
            let radius = world.radius;
            return Err(CrowdError::NoGround { radius });
        }
        let apart = 2.0 * world.radius + MARGIN;
        Ok(Self {
            options,
            repertoire,
            radius: world.radius,
            asked_starts: &world.starts,
            asked_goals,
            starts: with_room(&ground, world.radius + TURNING),
            fields: goals
                .par_iter()
                .map(|&goal| ground.field_to(goal))
                .collect(),
            ground,
            styles,
            rules: rules_of(repertoire.graph(), world),
            room: Room {
                apart,
                ease: apart + options.ease.max(1e-3),
                clear,
            },
            frames,
        })
    }

    /// An empty place, to be filled.
    pub(crate) fn nobody(&self) -> Others {
        let reach = self.room.ease.max(2.0 * self.radius + ELBOW);
        Others::new(self.frames as usize, self.options.count, reach)
    }

    /// Motion for a character among the others, from a start to goals that `attempt` decides.
    pub(crate) fn attempt(&self, others: &Others, who: usize, attempt: u32) -> Tried {
        let own = Random::new(self.options.seed).fork(who as u64 + 1);
        let style = &self.styles[who % self.styles.len()];
        let mut random = own.fork(u64::from(attempt));
        let Some(errand) = self.errand(others, who, style, &own, &mut random) else {
            let (character, expanded) = (None, 0);
            return Tried {
                character,
                expanded,
            };
        };
        let crossing = Crossing {
            repertoire: self.repertoire,
            allowed: &style.allowed,
            costs: &style.costs,
            ground: &self.ground,
            others,
            rules: &self.rules,
            room: self.room,
            errand,
        };
        self.search(&crossing, style, &mut random, attempt)
    }

    /// Whether a finished motion keeps clear of everyone and everything.
    pub(crate) fn fits(&self, others: &Others, clip: &Clip) -> bool {
        let apart = (2.0 * self.radius).powi(2);
        trace(clip).enumerate().all(|(frame, point)| {
            let point = point.map(f64::from);
            others.nearest_squared(frame, point) >= apart && self.ground.is_free(point, self.radius)
        })
    }

    /// `None` where there is no free start.
    fn errand(
        &self,
        others: &Others,
        who: usize,
        style: &Style,
        own: &Random,
        random: &mut Random,
    ) -> Option<Errand<'_>> {
        let start = match self.asked_starts.get(who) {
            Some(&start) => start,
            None => self.free_start(others, random)?,
        };
        let mut goals = self.asked_for(who);
        let mut from = start;
        while goals.len() < ROUND {
            let mut draw = || &self.fields[random.below(self.fields.len())];
            let mut draws = std::iter::repeat_with(&mut draw).take(8);
            let far = draws.find(|field| distance(field.goal, from) >= STRETCH);
            let goal = far.unwrap_or_else(&mut draw);
            from = goal.goal;
            goals.push(goal);
        }
        let [slow, fast] = style.paces;
        Some(Errand {
            start,
            goals,
            pace: own.fork(0).between(slow, fast),
            variety: self.options.variety,
            seed: own.fork(1).next_u64(),
            frames: self.frames,
        })
    }

    /// The goals that the world asks of a character: all in turn, or its only one before others.
    fn asked_for(&self, who: usize) -> Vec<&Field> {
        let asked = &self.fields[..self.asked_goals];
        let turn = asked.iter().cycle().skip(who % self.asked_goals.max(1));
        match asked.len() {
            0 | 1 => asked.iter().collect(),
            _ => turn.take(ROUND).collect(),
        }
    }

    fn free_start(&self, others: &Others, random: &mut Random) -> Option<[f64; 2]> {
        let rate = self.repertoire.graph().rate;
        let first = rate.frames_in(FIRST).min(self.frames as usize - 1);
        let elbow = (2.0 * self.radius + ELBOW).powi(2);
        let mut draws = (0..DRAWS).map(|_| self.starts[random.below(self.starts.len())]);
        let is_free = |node: &u32| {
            let place = self.ground.place(*node);
            let mut frames = (0..=first).step_by(3);
            frames.all(|frame| others.nearest_squared(frame, place) >= elbow)
        };
        draws.find(is_free).map(|node| self.ground.place(node))
    }

    fn search(
        &self,
        crossing: &Crossing<Repertoire>,
        style: &Style,
        random: &mut Random,
        attempt: u32,
    ) -> Tried {
        let starts = self.footings(crossing, style, random);
        // Who failed twice looks more widely.
        let widen = 1 << (attempt / 2).min(3);
        let options = BeamOptions {
            width: self.options.width.max(1) * widen,
            per_bucket: 2,
            cancel: Some(self.options.run.cancel().flag()),
            ..BeamOptions::default()
        };
        let begin = starts.iter().map(|spot| (0.0, *spot));
        let found = BeamSearch::new(crossing, begin, options).finish();
        let expanded = found.expanded;
        let best = found.walks.first().filter(|walk| !walk.steps.is_empty());
        let character = best.and_then(|best| {
            let first = self.repertoire.edge(best.steps[0]).from;
            let start = starts.iter().find(|spot| spot.node() == first)?;
            let walk = GraphWalk {
                start: first,
                placement: start.placement(),
                edges: best.steps.clone(),
                spare: best.end.frame() - self.frames,
            };
            Some(self.play(crossing, style, walk, best.end.goals()))
        });
        Tried {
            character,
            expanded,
        }
    }

    /// Where in the clips a walk may start: each place once, most of them towards the first goal.
    fn footings(
        &self,
        crossing: &Crossing<Repertoire>,
        style: &Style,
        random: &mut Random,
    ) -> Vec<Spot> {
        let draw = |_| style.nodes[random.below(style.nodes.len())];
        let mut nodes: Vec<NodeId> = (0..FOOTINGS).map(draw).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let errand = &crossing.errand;
        let downhill = self.ground.downhill(errand.goals[0], errand.start);
        let start =
            |node| crossing.start_at(node, downhill + random.between(-1.0, 1.0).powi(3) * 3.1);
        nodes.into_iter().map(start).collect()
    }

    fn play(
        &self,
        crossing: &Crossing<Repertoire>,
        style: &Style,
        walk: GraphWalk,
        reached: usize,
    ) -> Character {
        let mut played = play_walk(self.repertoire, &walk);
        let options = FinishOptions::default();
        self.repertoire
            .finish(&mut played.clip, (&walk, None), &options);
        let errand = &crossing.errand;
        let goals = errand.goals.iter().cycle().take(reached + 1);
        Character {
            label: style.label.clone(),
            start: errand.start,
            goals: goals.map(|field| field.goal).collect(),
            pace: errand.pace,
            walk,
            played,
        }
    }
}

fn styles_of<'a>(
    repertoire: &'a impl Edges,
    options: &CrowdOptions,
) -> Result<Vec<Style<'a>>, CrowdError> {
    let (labels, preference) = (&options.labels, &options.preference);
    if repertoire.layout().places.is_empty() {
        return Err(CrowdError::EmptyGraph);
    }
    if labels.is_empty() {
        return Ok(vec![style_of(repertoire, preference, None)?]);
    }
    let style = |label| style_of(repertoire, preference, Some(label));
    let styles = labels.iter().map(style);
    styles.collect()
}

fn style_of<'a>(
    repertoire: &'a impl Edges,
    preference: &Preference,
    label: Option<&String>,
) -> Result<Style<'a>, CrowdError> {
    let words: Vec<String> = label.into_iter().cloned().collect();
    let wanted = Wanted::labels(repertoire, &words)?;
    let allowed = Allowed::new(repertoire, wanted);
    if allowed.is_empty() {
        return Err(match label.cloned() {
            Some(label) => CrowdError::DeadLabel { label },
            None => CrowdError::EmptyGraph,
        });
    }
    let odd_frames = repertoire.odd_frames(preference, &words);
    let nodes = (0..repertoire.layout().places.len() as u32).map(NodeId);
    let mut nodes: Vec<NodeId> = nodes.filter(|&node| allowed.is_alive(node)).collect();
    let ordinary = |node: &NodeId| {
        let mut ways = repertoire.edges_from(*node);
        ways.any(|(id, edge)| allowed.allows(id) && odd_frames(edge) == 0)
    };
    if nodes.iter().any(ordinary) {
        nodes.retain(ordinary);
    }
    Ok(Style {
        label: label.cloned(),
        nodes,
        costs: repertoire.costs(preference, &words),
        paces: usual_paces(repertoire, &allowed),
        allowed,
    })
}

/// The 30th and 70th percentile of the pace over the frames that may play. [m/s]
fn usual_paces(repertoire: &impl Edges, allowed: &Allowed) -> [f64; 2] {
    let graph = repertoire.layout();
    let mut paces: Vec<(f64, u32)> = Vec::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        let usable =
            edge.kind() == EdgeKind::Play && allowed.allows(afoot_graph::EdgeId(index as u32));
        let frames = repertoire.frames(edge);
        if usable && frames > 0 {
            let seconds = f64::from(frames) * graph.rate.frame_time();
            paces.push((repertoire.edge_length(edge) / seconds, frames));
        }
    }
    paces.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let total: u64 = paces.iter().map(|&(_, frames)| u64::from(frames)).sum();
    let at = |share: f64| {
        let mut before = 0;
        let reached = paces.iter().find(|(_, frames)| {
            before += u64::from(*frames);
            before as f64 >= share * total as f64
        });
        reached.map_or(1.0, |&(pace, _)| pace)
    };
    [at(0.3), at(0.7)]
}

/// Labels that no frame carries are met by nothing.
fn rules_of(graph: &MotionGraph, world: &World) -> Vec<Rule> {
    let set = |words: &[String]| {
        let bits = words.iter().filter_map(|word| graph.label(word));
        LabelSet(bits.fold(0, |all, LabelSet(bit)| all | bit))
    };
    let rule = |region: &afoot_world::Region| Rule {
        only: (!region.only.is_empty()).then(|| set(&region.only)),
        never: set(&region.never),
        region: region.clone(),
    };
    world.regions.iter().map(rule).collect()
}

/// Open nodes with that much room; all where few have it.
fn with_room(ground: &Ground, room: f64) -> Vec<u32> {
    let open = ground.open().iter().copied();
    let roomy: Vec<u32> = open.filter(|&node| ground.room(node) >= room).collect();
    match roomy.len() * 10 >= ground.open().len() {
        true => roomy,
        false => ground.open().to_vec(),
    }
}

/// Places spread over the ground: each the farthest from the others of a few drawn.
fn goals_in(ground: &Ground, room: f64, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed).fork(0);
    let nodes = with_room(ground, room);
    let mut goals: Vec<u32> = Vec::new();
    while goals.len() < GOALS.min(nodes.len()) {
        let drawn: Vec<u32> = (0..8).map(|_| nodes[random.below(nodes.len())]).collect();
        let lonely = |node: u32| {
            let apart = |&goal: &u32| distance(ground.place(node), ground.place(goal));
            goals.iter().map(apart).fold(f64::INFINITY, f64::min)
        };
        let best = drawn
            .into_iter()
            .max_by(|&a, &b| lonely(a).total_cmp(&lonely(b)));
        goals.extend(best);
    }
    goals
}
