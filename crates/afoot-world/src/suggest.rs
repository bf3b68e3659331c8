//! What motion to capture next: candidates are added to the graph and embedded with it, and ranked by
//! what they would add (§8, "Building good motion graphs").
//!
//! A candidate is made as a director would ask for it: turn on the spot, turn more tightly than anything
//! that is there, step aside, or do something between two moves that are there. It is taken to
//! connect wherever one may choose, as a well-captured clip would; so what is told is the most that it
//! can add. Costs an embedding each, of which only the candidate's moves are laid anew.

use std::f64::consts::PI;

use afoot_core::Planar;
use afoot_graph::LabelSet;
use afoot_run::Run;
use serde::Serialize;

use crate::coverage::{CoverageOptions, measure_coverage};
use crate::embed::{EmbedError, EmbedOptions, Embedding, LaidMoves, embed_more};
use crate::moves::{ChoiceId, Move, Moves};
use crate::quality::{PathQuality, QualityOptions, sample_paths};
use crate::shortest::FreeWays;

/// A kind of motion that could be captured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Wanted {
    /// On the spot, both ways.
    TurnInPlace {
        /// How far. [degrees]
        degrees: f64,
    },
    /// Walking, both ways, on an arc.
    TightTurn {
        /// How far. [degrees]
        degrees: f64,
        /// Of the arc. [m]
        radius: f64,
    },
    /// A few steps straight on.
    ShortWalk {
        /// How far. [m]
        metres: f64,
    },
    /// To both sides, without turning.
    SideStep {
        /// How far. [m]
        metres: f64,
    },
    /// A step back.
    BackStep {
        /// How far. [m]
        metres: f64,
    },
    /// All moves between those that leave one choice for another.
    Interpolations,
    /// More of a motion that a region asks for, both of its ways round, before and after turns.
    More {
        /// The word that it carries: a bit of the vocabulary.
        #[serde(skip)]
        label: LabelSet,
    },
}

/// What a candidate would add.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    /// What to capture.
    #[serde(flatten)]
    pub wanted: Wanted,
    /// In words.
    pub words: String,
    /// Coverage of places with it, less that without.
    pub gain_xz: f64,
    /// Coverage of places and headings with it, less that without.
    pub gain_xza: f64,
    /// The 95th percentile of relative path lengths without it, less that with it.
    pub gain_p95: f64,
    /// Share of paths that are poor (longer by more than a tenth, or none at all) without it, less that
    /// with it.
    pub gain_poor: f64,
}

/// Candidates that make sense for a graph. Who turns on the spot may hardly be bent, so such turns are
/// by a number of the angles between headings: others would end in no cell's middle, and seem of no use.
pub fn candidates(moves: &Moves, asked: &[LabelSet], yaw_step: f64) -> Vec<Wanted> {
    let step = yaw_step.to_degrees();
    let on_the_spot = |degrees: f64| Wanted::TurnInPlace {
        degrees: ((degrees / step).round().max(1.0) * step).round(),
    };
    let mut wanted = vec![
        on_the_spot(90.0),
        on_the_spot(180.0),
        Wanted::TightTurn {
            degrees: 90.0,
            radius: 0.4,
        },
        Wanted::TightTurn {
            degrees: 45.0,
            radius: 0.8,
        },
        Wanted::ShortWalk { metres: 0.6 },
        Wanted::SideStep { metres: 0.4 },
        Wanted::BackStep { metres: 0.4 },
    ];
    if !between(moves).is_empty() {
        wanted.push(Wanted::Interpolations);
    }
    let more = asked.iter().map(|label| Wanted::More { label: *label });
    wanted.extend(more.filter(|wanted| !moves_of(wanted, moves).is_empty()));
    wanted
}

/// Tries all candidates; the best first.
pub fn suggest(
    base: &Embedding,
    coverage: &CoverageOptions,
    quality: &QualityOptions,
    run: &Run,
) -> Result<Vec<Suggestion>, EmbedError> {
    let measuring = Measuring {
        ways: FreeWays::new(base.world, &base.grid, base.world.radius),
        coverage,
        quality,
        run,
    };
    let before = measuring.measure(base)?;
    let (mut found, mut untried) = (Vec::new(), 0);
    let (all, laid) = (candidates_in(base), base.laid_moves());
    for (index, wanted) in all.iter().enumerate() {
        run.progress("suggesting", index as u64, all.len() as u64);
        match measuring.measure_with(wanted, base, &laid) {
            Ok(after) => found.push(Suggestion {
                wanted: *wanted,
                words: words_of(wanted, &base.moves.vocabulary),
                gain_xz: after.xz - before.xz,
                gain_xza: after.xza - before.xza,
                gain_p95: before.p95 - after.p95,
                gain_poor: before.poor - after.poor,
            }),
            Err(EmbedError::TooLarge { .. }) => untried += 1,
            Err(error) => return Err(error),
        }
    }
    if untried > 0 {
        let (count, allowed) = (all.len(), base.options.memory >> 20);
        run.warn(format_args!(
            "{untried} of {count} kinds of motion that may be missing were not tried: they would take more than the {allowed} MB that are allowed"
        ));
    }
    found.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    Ok(found)
}

/// Candidates for the graph of an embedding, with what its world asks for.
fn candidates_in(base: &Embedding) -> Vec<Wanted> {
    let rules = base.world.rules();
    let asked = rules
        .iter()
        .filter_map(|rule| rule.labels(&base.moves.vocabulary).only)
        .filter(|set| set.0 != 0);
    candidates(
        base.moves,
        &asked.collect::<Vec<LabelSet>>(),
        base.grid.yaw_step(),
    )
}

/// How embeddings are measured.
struct Measuring<'a> {
    ways: FreeWays<'a>,
    coverage: &'a CoverageOptions,
    quality: &'a QualityOptions,
    run: &'a Run,
}

impl Measuring<'_> {
    fn measure(&self, embedding: &Embedding) -> Result<Measured, EmbedError> {
        let covered = measure_coverage(embedding, self.coverage);
        let (_, paths) = sample_paths(embedding, &self.ways, self.quality, self.run)?;
        Ok(Measured {
            xz: covered.xz,
            xza: covered.xza,
            p95: paths.p95.value,
            poor: poor_share(&paths),
        })
    }

    /// With what is wanted beside what there is.
    fn measure_with(
        &self,
        wanted: &Wanted,
        base: &Embedding,
        laid: &LaidMoves,
    ) -> Result<Measured, EmbedError> {
        // What is there stays while candidates are tried beside it.
        let options = EmbedOptions {
            memory: base.options.memory.saturating_sub(base.held_bytes()),
            ..base.options
        };
        let moves = with(base.moves, moves_of(wanted, base.moves));
        let embedding = embed_more(&moves, base.world, &options, Some(laid), self.run)?;
        self.measure(&embedding)
    }
}

/// What an embedding is good for.
struct Measured {
    xz: f64,
    xza: f64,
    p95: f64,
    poor: f64,
}

/// Coverage gained and poor paths mended count alike.
fn worth(suggestion: &Suggestion) -> f64 {
    suggestion.gain_xza + suggestion.gain_poor
}

fn poor_share(paths: &PathQuality) -> f64 {
    let reached = (paths.samples - paths.unreached) as f64;
    let poor = paths.above_1_1.value * reached + paths.unreached as f64;
    poor / paths.samples.max(1) as f64
}

fn with(moves: &Moves, more: Vec<Move>) -> Moves {
    let mut list = moves.list.clone();
    list.extend(more);
    Moves::new(
        moves.rate,
        moves.vocabulary.clone(),
        moves.nodes.clone(),
        list,
    )
}

/// Speed of walks that are asked for. [m/s]
const PACE: f64 = 1.1;
/// Of turns on the spot. [rad/s]
const SPIN: f64 = 2.0;

/// A candidate as moves of a graph.
fn moves_of(wanted: &Wanted, moves: &Moves) -> Vec<Move> {
    match wanted {
        Wanted::Interpolations => between(moves),
        Wanted::More { label } => reshaped(moves, *label),
        _ => {
            let ways = ways_of(wanted, moves.rate.fps());
            let usual = usual_labels(moves);
            let at = |choice: usize| {
                let choice = ChoiceId(choice as u32);
                ways.iter().map(move |poses| Move {
                    from: choice,
                    to: choice,
                    labels: vec![usual; poses.len() - 1],
                    poses: poses.clone(),
                    slack: 1.0,
                    edges: Vec::new(),
                })
            };
            (0..moves.nodes.len()).flat_map(at).collect()
        }
    }
}

/// The label set that most frames carry.
fn usual_labels(moves: &Moves) -> LabelSet {
    let mut counts = std::collections::BTreeMap::new();
    for set in moves.list.iter().flat_map(|step| &step.labels) {
        *counts.entry(set.0).or_insert(0u64) += 1;
    }
    let usual = counts
        .into_iter()
        .max_by_key(|(set, count)| (*count, std::cmp::Reverse(*set)));
    LabelSet(usual.map_or(0, |(set, _)| set))
}

/// The ways that a candidate's root takes.
fn ways_of(wanted: &Wanted, fps: f64) -> Vec<Vec<Planar>> {
    let frames = |seconds: f64| (seconds * fps).round().max(2.0) as usize;
    let way = |count: usize, pose: &dyn Fn(f64) -> Planar| -> Vec<Planar> {
        (0..=count)
            .map(|frame| pose(frame as f64 / count as f64))
            .collect()
    };
    match *wanted {
        Wanted::TurnInPlace { degrees } => {
            let turn = degrees.to_radians();
            let count = frames(turn / SPIN);
            [1.0, -1.0]
                .map(|side| way(count, &|share| Planar::new(0.0, 0.0, side * turn * share)))
                .to_vec()
        }
        Wanted::TightTurn { degrees, radius } => {
            let turn = degrees.to_radians();
            let count = frames(radius * turn / PACE);
            let arc = |side: f64| {
                way(count, &|share| {
                    let angle = turn * share;
                    let x = side * radius * (1.0 - angle.cos());
                    Planar::new(x, radius * angle.sin(), side * angle)
                })
            };
            [1.0, -1.0].map(arc).to_vec()
        }
        Wanted::ShortWalk { metres } => {
            vec![way(frames(metres / PACE), &|share| {
                Planar::new(0.0, metres * share, 0.0)
            })]
        }
        Wanted::SideStep { metres } => [1.0, -1.0]
            .map(|side| {
                way(frames(1.0), &|share| {
                    Planar::new(side * metres * share, 0.0, 0.0)
                })
            })
            .to_vec(),
        Wanted::BackStep { metres } => {
            vec![way(frames(0.8), &|share| {
                Planar::new(0.0, -metres * share, 0.0)
            })]
        }
        Wanted::Interpolations | Wanted::More { .. } => Vec::new(),
    }
}

/// The middle between every two moves that join the same choices.
fn between(moves: &Moves) -> Vec<Move> {
    let mut found = Vec::new();
    for choice in 0..moves.nodes.len() {
        let from: Vec<&Move> = moves
            .from(ChoiceId(choice as u32))
            .map(|(_, step)| step)
            .collect();
        for (index, a) in from.iter().enumerate() {
            for b in &from[..index] {
                let alike = a.to == b.to && a.labels.first() == b.labels.first();
                if alike && a.frames().abs_diff(b.frames()) * 2 < a.frames() {
                    found.push(middle(a, b));
                }
            }
        }
    }
    found
}

/// The mean of two moves, resampled to the mean of their lengths.
fn middle(a: &Move, b: &Move) -> Move {
    let frames = (a.frames() + b.frames()).div_ceil(2);
    let at = |step: &Move, share: f64| {
        let place = share * step.frames() as f64;
        let below = (place.floor() as usize).min(step.frames() - 1);
        let part = place - below as f64;
        let (p, q) = (step.poses[below], step.poses[below + 1]);
        let mix = |p: f64, q: f64| p + part * (q - p);
        Planar::new(mix(p.x, q.x), mix(p.z, q.z), mix(p.yaw, q.yaw))
    };
    let pose = |frame: usize| {
        let share = frame as f64 / frames as f64;
        let (p, q) = (at(a, share), at(b, share));
        Planar::new((p.x + q.x) / 2.0, (p.z + q.z) / 2.0, (p.yaw + q.yaw) / 2.0)
    };
    let label = |frame: usize| {
        let of = |step: &Move| step.labels[frame * step.frames() / frames];
        LabelSet(of(a).0 | of(b).0)
    };
    Move {
        poses: (0..=frames).map(pose).collect(),
        labels: (0..frames).map(label).collect(),
        slack: a.slack.min(b.slack),
        edges: Vec::new(),
        ..a.clone()
    }
}

/// Moves that carry a word, with more of a turn before, after and to either side.
fn reshaped(moves: &Moves, label: LabelSet) -> Vec<Move> {
    let carry = |step: &&Move| step.labels.iter().any(|set| set.0 & label.0 != 0);
    let mut found = Vec::new();
    for step in moves.list.iter().filter(carry) {
        for turn in [-PI / 4.0, PI / 4.0] {
            let most = step.frames() as f64;
            let poses = step.poses.iter().enumerate().map(|(frame, pose)| {
                // All of the turn in the last third, or, seen from behind, in the first.
                let share = ((frame as f64 / most - 0.67) / 0.33).clamp(0.0, 1.0);
                Planar::new(pose.x, pose.z, pose.yaw + turn * share)
            });
            found.push(Move {
                poses: poses.collect(),
                edges: Vec::new(),
                ..step.clone()
            });
        }
    }
    found
}

fn words_of(wanted: &Wanted, vocabulary: &[String]) -> String {
    match wanted {
        Wanted::TurnInPlace { degrees } => {
            format!("turn on the spot by {degrees} degrees, both ways")
        }
        Wanted::TightTurn { degrees, radius } => {
            format!("walk around a corner of {degrees} degrees within {radius} m, both ways")
        }
        Wanted::ShortWalk { metres } => format!("walk {metres} m between two stops"),
        Wanted::SideStep { metres } => format!("step {metres} m aside, both ways"),
        Wanted::BackStep { metres } => format!("step {metres} m back"),
        Wanted::Interpolations => "nothing new: motion between the moves that are there".into(),
        Wanted::More { label } => {
            let bits = (0..vocabulary.len()).filter(|bit| label.0 >> bit & 1 == 1);
            let words: Vec<&str> = bits.map(|bit| vocabulary[bit].as_str()).collect();
            format!(
                "more of {}, followed by turns to either side",
                words.join(", ")
            )
        }
    }
}
