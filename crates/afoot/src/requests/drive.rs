//! A figure steered by a script of wishes, exactly as a game would steer it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use afoot_analyze::Terrain;
use afoot_core::{Clip, ClipId, Ground, Range32};
use afoot_graph::NodeId;
use afoot_limbs::stride::{StepWish, StrideFilter};
use afoot_run::Run;
use afoot_synth::{
    ControlTable, Controller, ControllerOptions, ControllerStart, DirectionWish, Played, Playing,
    Reaction, ReactionOptions, Repertoire, Source, measure_reaction, random_directions,
    wander_words,
};
use serde::{Deserialize, Serialize};

use crate::delivery::{LegsAsked, MotionHeader, MotionRequest, Outlet, Told};
use crate::failure::Failure;
use crate::library::Steering;
use crate::requests::moving::{Moving, OddMotion, Tally};
use crate::rounding::to_ten_thousandths;
use crate::workspace::Workspace;

/// Asks for motion that is steered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Drive {
    /// What is wanted when, in any order; random directions, by the run's seed, if there are none.
    pub steer: Vec<Wish>,
    /// How long. [s, > 0, at most 100000]
    pub seconds: f64,
    /// Measure too how soon a new direction is taken, and how long the controller's calls take: an
    /// hour of random directions.
    pub reaction: bool,
    /// How the figure is to move; other wishes than the usual ones need a table of their own, which
    /// is not kept.
    pub moving: Moving,
    /// How long steps are, in parts of the captured. [0.05 to 2]
    pub stride: f64,
    /// How high feet are lifted, in parts of the captured. [0 to 5]
    pub lift: f64,
    /// Walk up a slope from where it begins, or down where it is negative. [degrees, -30 to 30]
    pub incline: f64,
}

impl Default for Drive {
    fn default() -> Self {
        Self {
            steer: Vec::new(),
            seconds: 10.0,
            reaction: false,
            moving: Moving::default(),
            stride: 1.0,
            lift: 1.0,
            incline: 0.0,
        }
    }
}

/// A direction that is wanted from some time on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wish {
    /// From then on; before the first one the figure goes along +z. [s, 0 to 100000]
    pub at: f64,
    /// Where to: 0 goes along +z, 90 along +x. [degrees, -36000 to 36000]
    pub degrees: f64,
    /// As what; `None` leaves it open.
    pub label: Option<String>,
}

/// What steering tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DriveDetails {
    /// What was not asked for, longest first.
    pub oddities: Vec<OddMotion>,
    /// How quick the controller is, where that was asked for.
    #[serde(flatten)]
    pub measured: Option<SteeringTimes>,
}

/// How quick a controller is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SteeringTimes {
    /// The longest call of the controller in ten minutes of random directions, each call at its
    /// fastest in three equal drives. [ms]
    pub worst_call_ms: f64,
    /// The same in one drive, with whatever else the computer did. [ms]
    pub worst_call_with_interruptions_ms: f64,
    /// How long a new direction takes.
    pub reaction_s: ReactionTimes,
}

/// From a new direction to moving within 30 degrees of it, over half an hour of random ones. [s]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct ReactionTimes {
    pub median: f64,
    pub p90: f64,
    pub p95: f64,
    /// The least that captured motion and transitions alone would allow.
    pub bound_median: f64,
    pub bound_p95: f64,
    /// How many directions were timed.
    pub wishes: usize,
    /// Of how many the figure moved that way already.
    pub kept: usize,
    /// How many were not reached before the next.
    pub given_up: usize,
}

impl MotionRequest for Drive {
    type Details = DriveDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<DriveDetails>, Failure> {
        let wishes = self.courses(run.seed);
        let steps = self.steps();
        let library = from.library()?;
        let mut steering = outlet.aside(|| library.steering(run))?;
        if self.moving != Moving::default() {
            steering = outlet.aside(|| steering.moving(&self.moving, run))?;
        }
        let mut filter = stepping(&steering.graph, steps)?;
        let Driven {
            played, unheard, ..
        } = steer(&steering, &wishes, self.seconds, filter.as_mut(), run)?;
        unheard.iter().for_each(|wish| run.warn(wish.words()));
        let sources = played.sources.iter().map(|source| source.clip);
        warn_of_sliding(&steering.graph, sources, run);
        if let Some(filter) = filter {
            outlet.changes_legs(LegsAsked::AsTheyCome);
            outlet.walks_on(Terrain::new(Arc::new(move |x, z| filter.height(x, z))));
        }
        let mut tally = Tally::default();
        tally.add(&played);
        let words = self.steer.iter().filter_map(|wish| wish.label.clone());
        let words = wander_words(&words.collect::<Vec<_>>());
        let oddities = self.moving.oddities(&steering.graph, &words, &tally, run)?;
        let measured = match self.reaction {
            true => Some(outlet.aside(|| measure(&steering, run))?),
            false => None,
        };
        let frames = played.clip.len() as u64;
        outlet.begin(MotionHeader::of_graph(&steering.graph, frames))?;
        outlet.push(played)?;
        Ok(Told::of(DriveDetails { oddities, measured }))
    }
}

impl Drive {
    /// What steps shall be like; none if they shall be as captured.
    fn steps(&self) -> Option<StepWish> {
        let wish = StepWish {
            stride: self.stride as f32,
            lift: self.lift as f32,
            incline: (self.incline as f32).to_radians(),
        };
        Some(wish).filter(|wish| *wish != StepWish::default())
    }

    /// What is wanted, in the order of time.
    fn courses(&self, seed: u64) -> Vec<Course> {
        if self.steer.is_empty() {
            return random_courses(self.seconds, seed);
        }
        let course = |wish: &Wish| Course {
            at: wish.at,
            direction: wish.degrees.to_radians(),
            label: wish.label.clone(),
        };
        let mut courses: Vec<Course> = self.steer.iter().map(course).collect();
        courses.sort_by(|a, b| a.at.total_cmp(&b.at));
        courses
    }
}

/// From `at` on [s], move towards `direction` [rad], as `label` says.
struct Course {
    at: f64,
    direction: f64,
    label: Option<String>,
}

fn random_courses(seconds: f64, seed: u64) -> Vec<Course> {
    let course = |DirectionWish { at, direction }| Course {
        at,
        direction,
        label: None,
    };
    let pause = ReactionOptions::default().pause;
    let directions = random_directions(seconds, pause, seed);
    directions.into_iter().map(course).collect()
}

/// The motion as the controller gives it.
struct Driven {
    played: Played,
    /// How long each call took. [ms]
    times: Vec<f64>,
    /// Words that were asked for and hardly played.
    unheard: Vec<Unheard>,
}

/// A word of a wish, and how much of its time carried it.
struct Unheard {
    at: f64,
    label: String,
    seconds: f64,
    carried: f64,
}

/// From here on a wish for a word was heard: it takes some steps to come to it.
const HEARD: f64 = 0.25;
/// Shorter wishes are not counted. [s]
const SHORT_WISH: f64 = 2.0;

impl Unheard {
    fn words(&self) -> String {
        let Self {
            at, label, seconds, ..
        } = self;
        format!(
            "of the {seconds:.1} s from {at:.1} s on that were to be {label:?} only {:.1} s are: from there, that \
             way, the library's motion leads into it too late or not at all",
            self.carried
        )
    }
}

/// Frames of each wish, and those of them that carry its word.
fn unheard(wishes: &[Course], counts: &[[usize; 2]], frame_time: f64) -> Vec<Unheard> {
    let told = |(wish, [frames, carried]): (&Course, &[usize; 2])| {
        let seconds = |frames: usize| frames as f64 * frame_time;
        let label = wish.label.clone()?;
        let missed = seconds(*frames) >= SHORT_WISH && (*carried as f64) < HEARD * *frames as f64;
        missed.then(|| Unheard {
            at: wish.at,
            label,
            seconds: seconds(*frames),
            carried: seconds(*carried),
        })
    };
    wishes.iter().zip(counts).filter_map(told).collect()
}

fn steer(
    steering: &Steering,
    wishes: &[Course],
    seconds: f64,
    mut steps: Option<&mut StrideFilter>,
    run: &Run,
) -> Result<Driven, Failure> {
    let (repertoire, table) = (&steering.graph, &steering.table);
    let rate = repertoire.graph().rate;
    let mut figure = figure(repertoire, table)?;
    let first = repertoire.clip(ClipId(0));
    let mut clip = Clip::empty("driven", Arc::clone(&first.skeleton), rate);
    clip.ground = repertoire.floor();
    let mut played = Played {
        clip,
        sources: Vec::new(),
        joins: 0,
        captured: 0,
    };
    let (mut times, mut begun_wishes) = (Vec::new(), 0);
    let mut counts = vec![[0; 2]; wishes.len()];
    for frame in 0..rate.frames_in(seconds) {
        run.check()?;
        let now = frame as f64 * rate.frame_time();
        while wishes.get(begun_wishes).is_some_and(|next| next.at <= now) {
            begun_wishes += 1;
        }
        // Before the first one it goes ahead.
        let wish = begun_wishes.checked_sub(1);
        let (direction, label) = wish
            .and_then(|wish| wishes.get(wish))
            .map_or((0.0, None), |wish| (wish.direction, wish.label.as_deref()));
        let begun = Instant::now();
        let mut pose = figure.advance(rate.frame_time(), direction, label)?;
        if let Some(steps) = steps.as_mut() {
            steps.change(&mut pose.root, &mut pose.rotations, figure.contacts());
        }
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        played.clip.push_pose(&pose);
        played.clip.contacts.push(figure.contacts());
        credit(&mut played, figure.playing(), frame as u64);
        let count = wish.and_then(|wish| counts.get_mut(wish));
        if let (Some([frames, carried]), Some(label)) = (count, label) {
            *frames += 1;
            *carried += usize::from(repertoire.carries(figure.playing().place, label));
        }
    }
    let unheard = unheard(wishes, &counts, rate.frame_time());
    Ok(Driven {
        played,
        times,
        unheard,
    })
}

/// What changes a figure's steps as it plays, if they are to be others than captured.
fn stepping(
    repertoire: &Repertoire,
    wish: Option<StepWish>,
) -> Result<Option<StrideFilter>, Failure> {
    let Some(wish) = wish else {
        return Ok(None);
    };
    let skeleton = repertoire.skeleton();
    let ground = repertoire.floor().unwrap_or_else(|| Ground::level(0.0));
    let filter =
        skeleton.and_then(|skeleton| StrideFilter::new(skeleton, ground, repertoire.graph().rate));
    let mut filter = filter.ok_or_else(|| {
        Failure::no_motion("these figures have no two legs whose steps could change")
    })?;
    filter.wish(wish);
    Ok(Some(filter))
}

/// Says which joints slide in the clips that are played: poses of a steered figure turn joints and move
/// none but the root.
pub(super) fn warn_of_sliding(
    repertoire: &Repertoire,
    clips: impl IntoIterator<Item = ClipId>,
    run: &Run,
) {
    let clips: BTreeSet<ClipId> = clips.into_iter().collect();
    let mut names = BTreeSet::new();
    for clip in clips.into_iter().map(|id| repertoire.clip(id)) {
        let joints = clip.sliding.iter().map(|sliding| sliding.joint);
        names.extend(joints.map(|joint| clip.skeleton.joint(joint).name.clone()));
    }
    if !names.is_empty() {
        let names: Vec<String> = names.into_iter().collect();
        run.warn(format!(
            "{} slide in the captured motion; steered figures keep them where they are at rest",
            names.join(", ")
        ));
    }
}

/// A figure at the graph's first node, in the world's middle.
pub(super) fn figure(
    repertoire: &Arc<Repertoire>,
    table: &Arc<ControlTable>,
) -> Result<Controller, Failure> {
    let start = ControllerStart::in_the_middle(NodeId(0));
    let options = ControllerOptions::default();
    Ok(Controller::new(
        Arc::clone(repertoire),
        Arc::clone(table),
        start,
        options,
    )?)
}

/// Notes where a frame comes from.
fn credit(played: &mut Played, playing: Playing, at: u64) {
    match playing.transition {
        Some(0) => played.joins += 1,
        Some(_) => {}
        None => played.captured += 1,
    }
    let (clip, frame) = (playing.place.clip, playing.place.frame.0);
    match played.sources.last_mut() {
        Some(last) if last.clip == clip && last.frames.end == frame => last.frames.end += 1,
        _ => played.sources.push(Source {
            clip,
            frames: Range32 {
                start: frame,
                end: frame + 1,
            },
            at,
        }),
    }
}

/// Calls are timed, and reactions counted, over this long. [s]
const RANDOM_DRIVE: f64 = 600.0;
const REACTION_DRIVE: f64 = 1800.0;

fn measure(steering: &Steering, run: &Run) -> Result<SteeringTimes, Failure> {
    let wishes = random_courses(RANDOM_DRIVE, run.seed);
    let mut fastest = steer(steering, &wishes, RANDOM_DRIVE, None, run)?.times;
    let worst = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    let worst_call_with_interruptions_ms = worst(&fastest);
    for _ in 0..2 {
        let times = steer(steering, &wishes, RANDOM_DRIVE, None, run)?.times;
        let pairs = fastest.iter_mut().zip(times);
        pairs.for_each(|(fastest, time)| *fastest = fastest.min(time));
    }
    let options = ReactionOptions {
        seconds: REACTION_DRIVE,
        seed: run.seed,
        ..ReactionOptions::default()
    };
    let reaction = measure_reaction(&steering.graph, &steering.table, &options)?;
    Ok(SteeringTimes {
        worst_call_ms: worst(&fastest),
        worst_call_with_interruptions_ms,
        reaction_s: ReactionTimes::from(&reaction),
    })
}

impl From<&Reaction> for ReactionTimes {
    fn from(reaction: &Reaction) -> Self {
        Self {
            median: to_ten_thousandths(reaction.quantile(0.5)),
            p90: to_ten_thousandths(reaction.quantile(0.9)),
            p95: to_ten_thousandths(reaction.quantile(0.95)),
            bound_median: to_ten_thousandths(reaction.bound_quantile(0.5)),
            bound_p95: to_ten_thousandths(reaction.bound_quantile(0.95)),
            wishes: reaction.times.len(),
            kept: reaction.kept,
            given_up: reaction.given_up,
        }
    }
}
