//! What touches at each frame, and what is done where that changes.
//!
//! Heel and ball are one foot. Hands and seats are taken from the clip's contacts, else found by where they
//! dwell (`afoot_analyze::touch`); a hand that dwells while both feet stand, below the breast and not
//! seated, picks something up, and holds it as long as the clip's label "pick up" lasts, or a
//! second. After that what it holds is taken to hang at its side, where any motion may carry it.

use afoot_analyze::{TouchOptions, detect_touches};
use afoot_core::{
    Clip, Contacts, FrameId, Locomotion, Planar, Positions, Role, Side, Skeleton, Vec3,
    forward_kinematics,
};
use rayon::prelude::*;

/// What touches, a bit each: left foot, right foot, seat, left hand full, right hand full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phase(pub u8);

impl Phase {
    const SEAT: u8 = 16;

    /// A foot on the ground.
    pub fn foot(self, side: Side) -> bool {
        self.0 & (1 << side.index()) != 0
    }

    /// Both feet on the ground and nothing else.
    pub fn is_double_support(self) -> bool {
        self.0 == 3
    }

    fn full(side: Side) -> u8 {
        32 << side.index()
    }
}

/// What is done at a change of contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// The palm, or the seat under the hips: in the root's frame, y above the floor. [m]
    pub point: [f64; 3],
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A hand takes something.
    Pick(Side),
    /// The body comes to rest on a seat.
    Sit,
}

/// Facts of one clip.
#[derive(Clone, Debug)]
pub(super) struct ClipFacts {
    pub(super) phases: Vec<Phase>,
    /// At frames where something is done.
    pub(super) events: Vec<(u32, Event)>,
    pub(super) positions: Positions,
    pub(super) parts: Parts,
    pub(super) stands: Vec<bool>,
}

/// Points of a body, by their number in forward kinematics.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Balls of the feet, left then right.
    pub(super) balls: [usize; 2],
    pub(super) hands: [usize; 2],
    /// The far ends of the hands; the hands again where there are none.
    pub(super) tips: [usize; 2],
    pub(super) hips: [usize; 2],
    /// The top of the head.
    pub(super) head: usize,
}

/// Above this a hand that dwells gestures. [m]
const BREAST: f32 = 1.25;
/// The hip joints are so far above a seat. [m]
const HIPS_ABOVE_SEAT: f64 = 0.09;
/// A hand is full for so long where no label says so. [s]
const HOLD: f64 = 1.0;
/// As a share of the height of hips that stand.
const UPRIGHT: f32 = 0.97;
/// Slower than this a figure stands. [m/s]
const STILL: f64 = 0.12;

pub(super) fn find_phases(clips: &[Clip]) -> Vec<ClipFacts> {
    clips.par_iter().map(clip_facts).collect()
}

fn clip_facts(clip: &Clip) -> ClipFacts {
    let positions = forward_kinematics(clip);
    let parts = Parts::of(&clip.skeleton);
    let touches = touches(clip);
    let feet = |frame: usize| {
        let contacts = clip.contacts.get(frame).copied().unwrap_or_default();
        let foot = |side: Side| u8::from(contacts.any(Contacts::foot(side))) << side.index();
        foot(Side::Left) | foot(Side::Right)
    };
    let mut phases: Vec<Phase> = (0..clip.len()).map(|frame| Phase(feet(frame))).collect();
    let mut events = Vec::new();
    add_seats(&mut phases, &touches);
    let figure = Figure {
        clip,
        positions: &positions,
        parts: &parts,
    };
    figure.note_seats(&phases, &mut events);
    figure.add_hands(&mut phases, &touches, &mut events);
    events.sort_by_key(|(frame, _)| *frame);
    let upright = upright_height(clip);
    let stands = (0..clip.len())
        .map(|frame| stands(clip, &phases, frame, upright))
        .collect();
    ClipFacts {
        phases,
        events,
        positions,
        parts,
        stands,
    }
}

impl Parts {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let joint = |role: Role| skeleton.with_role(role).map_or(0, |joint| joint.index());
        let ball = |side| match skeleton.leg(side) {
            Some(leg) => leg.ball.index(),
            None => joint(Role::Foot(side)),
        };
        let end = |joint: usize| {
            let below = |point: usize| {
                let parent = match point.checked_sub(skeleton.len()) {
                    None => skeleton.joints()[point].parent.map(|parent| parent.index()),
                    Some(site) => Some(skeleton.end_sites()[site].parent.index()),
                };
                parent == Some(joint)
            };
            (0..skeleton.point_count())
                .rev()
                .find(|point| below(*point))
                .unwrap_or(joint)
        };
        let hands = Side::BOTH.map(|side| joint(Role::Hand(side)));
        Self {
            balls: Side::BOTH.map(ball),
            hands,
            tips: hands.map(end),
            hips: Side::BOTH.map(|side| joint(Role::UpLeg(side))),
            head: end(joint(Role::Head)),
        }
    }

    /// The middle of a palm.
    pub(super) fn palm(&self, points: &[Vec3], side: Side) -> Vec3 {
        let (wrist, tip) = (
            points[self.hands[side.index()]],
            points[self.tips[side.index()]],
        );
        wrist.lerp(tip, 0.5)
    }
}

/// Hands and seat as the clip knows them, else as they dwell.
fn touches(clip: &Clip) -> Vec<Contacts> {
    let known = |contacts: &Contacts| {
        contacts.any(Contacts::SEAT)
            || Side::BOTH
                .iter()
                .any(|side| contacts.any(Contacts::hand(*side)))
    };
    if clip.contacts.iter().any(known) {
        return clip.contacts.clone();
    }
    match detect_touches(clip, &TouchOptions::default()) {
        Ok(found) => found.contacts,
        Err(_) => vec![Contacts::NONE; clip.len()],
    }
}

fn add_seats(phases: &mut [Phase], touches: &[Contacts]) {
    for (phase, touch) in phases.iter_mut().zip(touches) {
        if touch.any(Contacts::SEAT) {
            phase.0 |= Phase::SEAT;
        }
    }
}

/// A clip with where its joints are.
struct Figure<'a> {
    clip: &'a Clip,
    positions: &'a Positions,
    parts: &'a Parts,
}

impl Figure<'_> {
    fn note_seats(&self, phases: &[Phase], events: &mut Vec<(u32, Event)>) {
        let Self {
            clip,
            positions,
            parts,
        } = *self;
        for frame in 1..phases.len() {
            if phases[frame].0 & Phase::SEAT != 0 && phases[frame - 1].0 & Phase::SEAT == 0 {
                let points = positions.frame(FrameId::from(frame));
                let hips = (points[parts.hips[0]] + points[parts.hips[1]]) * 0.5;
                let mut point = local(clip, frame, hips);
                point[1] -= HIPS_ABOVE_SEAT;
                let kind = EventKind::Sit;
                events.push((frame as u32, Event { kind, point }));
            }
        }
    }

    /// Hands that take something: from the middle of their rest on they are full.
    fn add_hands(
        &self,
        phases: &mut [Phase],
        touches: &[Contacts],
        events: &mut Vec<(u32, Event)>,
    ) {
        let Self {
            clip,
            positions,
            parts,
        } = *self;
        let said = clip.labels.iter().any(|span| span.label == "pick up");
        for side in Side::BOTH {
            let mut frame = 1;
            while frame < clip.len() {
                let start = frame;
                while frame < clip.len() && touches[frame].any(Contacts::hand(side)) {
                    frame += 1;
                }
                if start == frame {
                    frame += 1;
                    continue;
                }
                let middle = (start + frame) / 2;
                let points = positions.frame(FrameId::from(middle));
                let palm = parts.palm(points, side);
                let stands = phases[middle].0 & !0x60 == 3;
                let labelled = !said || clip.has_label(FrameId::from(middle), "pick up");
                if !(stands && labelled && palm.y < BREAST) {
                    continue;
                }
                let kind = EventKind::Pick(side);
                let point = local(clip, middle, palm);
                events.push((middle as u32, Event { kind, point }));
                fill(clip, phases, middle, side);
            }
        }
    }
}

/// The hand is full from a frame on.
fn fill(clip: &Clip, phases: &mut [Phase], from: usize, side: Side) {
    let frame = from as u32;
    let span = clip
        .labels
        .iter()
        .find(|span| span.label == "pick up" && span.frames.contains(frame));
    let end = match span {
        Some(span) => span.frames.end as usize,
        None => from + clip.rate.frames_in(HOLD),
    };
    let end = end.min(phases.len());
    for phase in &mut phases[from..end] {
        phase.0 |= Phase::full(side);
    }
}

/// A point in the root's frame, y as it is.
pub(super) fn local(clip: &Clip, frame: usize, point: Vec3) -> [f64; 3] {
    let back = clip.placement(FrameId::from(frame)).inverse();
    let [x, z] = back.point([f64::from(point.x), f64::from(point.z)]);
    [x, f64::from(point.y), z]
}

fn stands(clip: &Clip, phases: &[Phase], frame: usize, upright: f32) -> bool {
    let by_type = match clip.types.get(frame) {
        Some(kind) => *kind == Locomotion::Stand,
        None => true,
    };
    // Both feet, empty hands, not seated, not crouching.
    if !by_type || !phases[frame].is_double_support() || clip.root[frame].y < upright {
        return false;
    }
    let reach = clip.rate.frames_in(0.1).max(1);
    let (from, to) = (
        frame.saturating_sub(reach),
        (frame + reach).min(clip.len() - 1),
    );
    let [a, b]: [Planar; 2] = [from, to].map(|frame| clip.placement(FrameId::from(frame)));
    let seconds = (to - from).max(1) as f64 * clip.rate.frame_time();
    (b.x - a.x).hypot(b.z - a.z) / seconds < STILL
}

/// Hips lower than this crouch: a little below where they are in a clip's upper quarter. [m]
fn upright_height(clip: &Clip) -> f32 {
    let mut heights: Vec<f32> = clip.root.iter().map(|root| root.y).collect();
    heights.sort_by(f32::total_cmp);
    let quarter = heights.get(heights.len() * 3 / 4).copied();
    UPRIGHT * quarter.unwrap_or(0.0)
}

/// The middle of a palm among a skeleton's points. [m]
pub fn palm(skeleton: &Skeleton, points: &[Vec3], side: Side) -> Vec3 {
    Parts::of(skeleton).palm(points, side)
}

/// The seat under the hips among a skeleton's points. [m]
pub fn seat(skeleton: &Skeleton, points: &[Vec3]) -> Vec3 {
    let [left, right] = Parts::of(skeleton).hips;
    (points[left] + points[right]) * 0.5 - Vec3::Y * HIPS_ABOVE_SEAT as f32
}
