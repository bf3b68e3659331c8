//! How a request wants its figure to move, and what every frame of the library costs against it.
//!
//! Who asks for a walk means: face the way, upright, on the floor, no hops. A path says nothing of
//! that, so frames that do otherwise cost as if they were off it. Words change what is meant: motion
//! with a label of its own (a sneak, a fight) has its own gait and posture, and faces as most of it
//! does. The cost is soft: where nothing else leads along, the odd frames are played, and
//! [`Oddity`] says what and for how long. Ramps, not limits, since people vary. They were set by hand
//! after looking at the middle eighty per cent of the frames of some 120 clips of eight captured subjects
//! (hips at 0.86 to 0.98 of the leg in walks and 0.77 to 0.96 in runs, up to 35° aside in sharp turns), not fitted.
//! Cost: linear in the library's frames, once per request; an edge then costs two look-ups.

use afoot_analyze::STANDING;
use afoot_core::{ClipId, LabelSpan, Locomotion, wrap_angle};
use afoot_graph::{Edge, EdgeKind, Place};
use serde::{Deserialize, Serialize};

use crate::repertoire::{FrameManner, Repertoire};

/// How a figure is to move, beside where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preference {
    /// Which way it faces.
    pub facing: Facing,
    /// How fast it goes; `None` leaves that to the library. [m/s, > 0]
    pub speed: Option<f64>,
    /// Words that frames had better carry, though they need not.
    pub style: Vec<String>,
    /// What a frame that clearly does otherwise costs, as its squared distance from the path would;
    /// 0 turns all of it off. [m², ≥ 0]
    pub weight: f64,
}

impl Default for Preference {
    fn default() -> Self {
        Self {
            facing: Facing::default(),
            speed: None,
            style: Vec::new(),
            // A frame of hopping is as bad as one 20 cm beside the path.
            weight: 0.04,
        }
    }
}

/// Which way a figure faces, seen from the way it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Facing {
    /// Where it goes, unless the words asked for do otherwise.
    #[default]
    Ahead,
    /// It does not matter.
    Any,
    /// So much to the left of where it goes: 180° walks backwards. [rad]
    Aside(f64),
}

/// Something that a motion does though nobody asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Oddity {
    /// Another gait: runs, hops, what is no locomotion at all.
    Gait,
    /// Sideways or backwards, or not as it was to face.
    Facing,
    /// Crouching, ducking, bent over; stepping over something, or on one leg.
    Posture,
    /// On a beam, on steps, on a slope.
    OffTheFloor,
    /// Another speed than asked for.
    Speed,
    /// Without the style asked for.
    Style,
    /// It stops again and again on its way; not found frame by frame.
    Stops,
    /// It begins or ends in mid-step; not found frame by frame.
    MidStep,
}

impl Oddity {
    /// Those of frames, in the order in which they are measured.
    pub const ALL: [Self; 6] = [
        Self::Gait,
        Self::Facing,
        Self::Posture,
        Self::OffTheFloor,
        Self::Speed,
        Self::Style,
    ];
}

/// How odd a frame is in each way, in the order of [`Oddity::ALL`]. [0 to 2]
type Parts = [f32; 6];

/// What frames and edges cost a request.
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    /// Sums of the frames' costs, one more than its frames for every clip. [m²]
    sums: Vec<f64>,
    /// How many frames before are odd, likewise.
    odd: Vec<u32>,
    /// Where each clip's sums start.
    first: Vec<usize>,
    window: u32,
}

impl Costs {
    /// For motion that carries the words `labels`.
    pub(crate) fn new(repertoire: &Repertoire, preference: &Preference, labels: &[String]) -> Self {
        let wish = Wish::new(repertoire, preference, labels);
        let (mut sums, mut odd, mut first) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..repertoire.graph().clips.len() {
            first.push(sums.len());
            let (mut sum, mut count) = (0.0, 0);
            sums.push(sum);
            odd.push(count);
            for parts in wish.clip_parts(repertoire, ClipId::from(index)) {
                sum += preference.weight * f64::from(parts.iter().sum::<f32>());
                count += u32::from(oddest(&parts).is_some());
                sums.push(sum);
                odd.push(count);
            }
        }
        let window = repertoire.graph().window;
        Self {
            sums,
            odd,
            first,
            window,
        }
    }

    /// What an edge's frames cost; a transition's are half of either clip's. [m²]
    pub(crate) fn of(&self, repertoire: &Repertoire, edge: &Edge) -> f64 {
        let graph = repertoire.graph();
        match edge.kind() {
            EdgeKind::Play => {
                let from = graph.nodes[edge.from.0 as usize];
                self.stretch(from, graph.edge_frames(edge))
            }
            EdgeKind::Transition(transition) => {
                let transition = &graph.transitions[transition.0 as usize];
                0.5 * self.stretch(transition.from, self.window)
                    + 0.5 * self.stretch(transition.to, self.window)
            }
        }
    }

    /// How many of an edge's frames do what nobody asked for; of a transition's, of either clip's.
    pub(crate) fn odd_frames(&self, repertoire: &Repertoire, edge: &Edge) -> u32 {
        let graph = repertoire.graph();
        let count = |place: Place, frames: u32| {
            let [from, to] = self.rows(place, frames);
            self.odd[to] - self.odd[from]
        };
        match edge.kind() {
            EdgeKind::Play => count(graph.nodes[edge.from.0 as usize], graph.edge_frames(edge)),
            EdgeKind::Transition(transition) => {
                let transition = &graph.transitions[transition.0 as usize];
                let ends = [transition.from, transition.to];
                ends.map(|place| count(place, self.window)).iter().sum()
            }
        }
    }

    #[inline]
    fn stretch(&self, place: Place, frames: u32) -> f64 {
        let [from, to] = self.rows(place, frames);
        self.sums[to] - self.sums[from]
    }

    /// Where the sums before and after some frames of a clip stand.
    #[inline]
    fn rows(&self, place: Place, frames: u32) -> [usize; 2] {
        let first = self.first[place.clip.index()];
        let next = self.first.get(place.clip.index() + 1);
        let end = next.map_or(self.sums.len(), |next| *next) - 1;
        let from = first + place.frame.index();
        [from.min(end), (from + frames as usize).min(end)]
    }
}

/// In which way a frame is odd, if it is: the one that is worst, where it is more than half clear.
fn oddest(parts: &Parts) -> Option<usize> {
    let most = (0..6).max_by(|a, b| parts[*a].total_cmp(&parts[*b]));
    most.filter(|most| parts[*most] > 0.5)
}

/// Frames that do what was not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddFrames {
    /// In which way they are odd most.
    pub what: Oddity,
    /// How many.
    pub frames: usize,
}

/// Frames of some clips' stretches that are odd; the most first.
pub fn find_oddities(
    repertoire: &Repertoire,
    preference: &Preference,
    labels: &[String],
    stretches: impl IntoIterator<Item = (ClipId, std::ops::Range<u32>)>,
) -> Vec<OddFrames> {
    let wish = Wish::new(repertoire, preference, labels);
    let mut counts = [0; 6];
    for (clip, frames) in stretches {
        let parts = wish.clip_parts(repertoire, clip);
        for parts in parts.skip(frames.start as usize).take(frames.len()) {
            if let Some(most) = oddest(&parts) {
                counts[most] += 1;
            }
        }
    }
    let all = Oddity::ALL.into_iter().zip(counts);
    let mut odd: Vec<_> = all
        .map(|(what, frames)| OddFrames { what, frames })
        .filter(|odd| odd.frames > 0)
        .collect();
    odd.sort_by(|a, b| b.frames.cmp(&a.frames).then(a.what.cmp(&b.what)));
    odd
}

/// What is ordinary for a request, worked out from its words.
struct Wish<'a> {
    /// The gaits that are meant; `None` if the words have their own.
    gaits: Option<Vec<Locomotion>>,
    /// The angle from the way to where it faces; `None` if it does not matter. [rad]
    facing: Option<f32>,
    speed: Option<f32>,
    style: &'a [String],
}

impl<'a> Wish<'a> {
    fn new(repertoire: &Repertoire, preference: &'a Preference, labels: &[String]) -> Self {
        let gaits: Vec<Locomotion> = labels
            .iter()
            .filter_map(|label| Locomotion::from_name(label))
            .collect();
        let named = gaits.len() < labels.len();
        let facing = match preference.facing {
            Facing::Ahead if named && !mostly_ahead(repertoire, labels) => None,
            Facing::Ahead => Some(0.0),
            Facing::Any => None,
            Facing::Aside(angle) => Some(angle as f32),
        };
        Self {
            gaits: match (named, gaits.is_empty()) {
                (true, _) => None,
                (false, true) => Some(vec![Locomotion::Walk, Locomotion::Stand]),
                (false, false) => Some(gaits),
            },
            facing,
            speed: preference.speed.map(|speed| speed as f32),
            style: &preference.style,
        }
    }

    /// How odd each frame of a clip is.
    fn clip_parts<'b>(
        &'b self,
        repertoire: &'b Repertoire,
        clip: ClipId,
    ) -> impl Iterator<Item = Parts> + 'b {
        let labels = repertoire.labels(clip);
        let manners = repertoire.manners(clip).iter().enumerate();
        manners.map(move |(frame, manner)| self.parts(labels, frame, manner))
    }

    fn parts(&self, labels: &[LabelSpan], frame: usize, manner: &FrameManner) -> Parts {
        let gait = manner.gait();
        let mut parts = [0.0; 6];
        if let Some(gaits) = &self.gaits {
            parts[0] = if gaits.contains(&gait) { 0.0 } else { 1.0 };
            let [height, lean] = usual_posture(gait);
            parts[2] = ramp(manner.height, height).max(ramp(manner.lean, lean));
            if matches!(gait, Locomotion::Walk | Locomotion::Stand) {
                parts[2] = parts[2].max(ramp(manner.lift, LIFTED));
            }
            // In the air nothing bears; what is no flight stands on something.
            let flies = matches!(gait, Locomotion::Run | Locomotion::Jump);
            parts[3] = if flies {
                0.0
            } else {
                ramp(manner.raised.abs(), OFF_THE_FLOOR)
            };
        }
        if let (Some(facing), true) = (self.facing, manner.speed > STANDING) {
            let off = wrap_angle(f64::from(manner.aside - facing)).abs() as f32;
            parts[1] = ramp(off, ASIDE) + ramp(off, BACKWARDS);
        }
        if let Some(speed) = self.speed {
            let off = (manner.speed - speed) / speed.max(0.1);
            parts[4] = (4.0 * off * off).min(1.0);
        }
        if !self.style.is_empty() {
            let carries = |word: &String| carries(labels, frame, gait, word);
            parts[5] = if self.style.iter().all(carries) {
                0.0
            } else {
                1.0
            };
        }
        parts
    }
}

/// Where oddness begins, and where it is clear. [leg lengths] and [rad]
fn usual_posture(gait: Locomotion) -> [[f32; 2]; 2] {
    match gait {
        Locomotion::Run => [[0.74, 0.66], [30f32.to_radians(), 50f32.to_radians()]],
        // Who jumps crouches first, arms and trunk forward, and lands so.
        Locomotion::Jump => [[0.55, 0.45], [60f32.to_radians(), 80f32.to_radians()]],
        _ => [[0.86, 0.79], [20f32.to_radians(), 40f32.to_radians()]],
    }
}

/// Captured sharp turns face up to 35° beside the way. [rad]
const ASIDE: [f32; 2] = [0.6, 1.2];
const BACKWARDS: [f32; 2] = [1.7, 2.6];
/// Swinging feet of 300 captured walks of twelve subjects come to 0.21 at most, but for stairs, obstacles, stretching
/// and the like, which go to 0.3 and up to 1.2. [leg lengths]
const LIFTED: [f32; 2] = [0.22, 0.32];
/// Feet rest within 3 cm of one height, a kerb is 12 cm high. [m]
const OFF_THE_FLOOR: [f32; 2] = [0.08, 0.16];

/// 0 before `from`, 1 beyond `to`, which may be the lesser one.
fn ramp(value: f32, [from, to]: [f32; 2]) -> f32 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

/// Words whose captured motion faces where it goes for less of its way than this say otherwise.
const AHEAD: f64 = 0.95;

/// Whether motion with these words was asked to face where it goes all along: it was, unless another
/// facing was, or its words' own captured motion looks about.
pub fn is_asked_to_face_ahead(
    repertoire: &Repertoire,
    preference: &Preference,
    labels: &[String],
) -> bool {
    let is_gait = |label: &str| Locomotion::from_name(label).is_some();
    let faces_ahead = |label: &String| {
        is_gait(label) || share_ahead(repertoire, std::slice::from_ref(label)) >= AHEAD
    };
    preference.facing == Facing::Ahead && labels.iter().all(faces_ahead)
}

/// Whether most of the motion with these words that travels faces where it goes.
fn mostly_ahead(repertoire: &Repertoire, labels: &[String]) -> bool {
    share_ahead(repertoire, labels) >= 0.5
}

/// Share of the frames with any of these words, of those that travel, that face where they go.
fn share_ahead(repertoire: &Repertoire, labels: &[String]) -> f64 {
    let (mut ahead, mut travels) = (0u32, 0u32);
    for clip in (0..repertoire.graph().clips.len()).map(ClipId::from) {
        let spans = repertoire.labels(clip);
        for (frame, manner) in repertoire.manners(clip).iter().enumerate() {
            let carries = |word: &String| carries(spans, frame, manner.gait(), word);
            let meant = manner.speed > STANDING && labels.iter().any(carries);
            travels += u32::from(meant);
            ahead += u32::from(meant && manner.aside.abs() < ASIDE[0]);
        }
    }
    if travels == 0 {
        return 1.0;
    }
    f64::from(ahead) / f64::from(travels)
}

impl Repertoire {
    /// Whether a frame carries a label or is of a type.
    pub fn carries(&self, place: Place, word: &str) -> bool {
        let manner = self.manners(place.clip).get(place.frame.index());
        let gait = manner.map_or(Locomotion::Other, FrameManner::gait);
        carries(self.labels(place.clip), place.frame.index(), gait, word)
    }
}

/// Whether a frame carries a label or is of a type.
fn carries(labels: &[LabelSpan], frame: usize, gait: Locomotion, word: &str) -> bool {
    let labelled = |span: &LabelSpan| span.label == word && span.frames.contains(frame as u32);
    gait.name() == word || labels.iter().any(labelled)
}
