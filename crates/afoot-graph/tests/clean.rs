//! Transitions cleaned at the build: the same bytes however they were made, and feet that stand.

#![allow(clippy::unwrap_used)] // a test may

mod support;

use std::sync::Arc;

use afoot_analyze::measure_skate;
use afoot_core::{
    Clip, Contacts, FrameId, Joint, JointId, Placement, Quat, Role, Side, Skeleton, Vec3,
    concatenate_clips, cut_clip, forward_kinematics,
};
use afoot_edit::blend::Blend;
use afoot_graph::{
    Artefact, CleanTransitions, GraphError, GraphOptions, MotionGraph, Transition, TransitionId,
    blend_of, build_graph, clean_blend_of, clean_transitions, level_clip, plant_clips,
    preview_transition, worst_transition,
};
use afoot_run::{Run, Stopped};
use support::{Random, cmu, walks16, with_facts};

/// A figure of hips and two legs that paces, a foot down half of the time and sliding.
fn strider(name: &str, frames: usize, seed: u64) -> Clip {
    let mut random = Random(seed * 77 + 5);
    let [size, drift] = [random.next(), random.next()].map(|r| 0.03 * r);
    let mut clip = Clip::empty(name, legs(), afoot_core::FrameRate::FPS_30);
    let first = (seed * 11) as usize;
    for frame in first..first + frames {
        let time = frame as f32 * std::f32::consts::TAU / 30.0;
        let ahead = 0.03 * frame as f32;
        clip.root.push(Vec3::new(drift * frame as f32, 0.88, ahead));
        clip.rotations.push(Quat::IDENTITY);
        for phase in [0.0, std::f32::consts::PI] {
            let swing = (0.35 + size) * (time + phase).sin();
            let knee = 0.3 + 0.25 * (time + phase).cos();
            let bend = [-swing - 0.5 * knee, knee, 0.0, 0.0];
            clip.rotations.extend(bend.map(Quat::from_rotation_x));
        }
        let side = Side::BOTH[usize::from((time % std::f32::consts::TAU) < std::f32::consts::PI)];
        clip.contacts.push(Contacts::foot(side));
    }
    clip
}

fn legs() -> Arc<Skeleton> {
    let mut joints = vec![Joint::new("hips", None, Vec3::ZERO)];
    for side in Side::BOTH {
        let x = if side == Side::Left { 0.1 } else { -0.1 };
        let first = joints.len() as u16;
        let parts = [
            (Role::UpLeg(side), Vec3::new(x, 0.0, 0.0)),
            (Role::Leg(side), Vec3::NEG_Y * 0.45),
            (Role::Foot(side), Vec3::NEG_Y * 0.42),
            (Role::Toe(side), Vec3::new(0.0, -0.05, 0.12)),
        ];
        for (index, (role, offset)) in parts.into_iter().enumerate() {
            let parent = if index == 0 {
                0
            } else {
                first + index as u16 - 1
            };
            let mut joint = Joint::new(format!("{role:?}"), Some(JointId(parent)), offset);
            joint.role = Some(role);
            joints.push(joint);
        }
    }
    Arc::new(Skeleton::new(joints, Vec::new()).unwrap())
}

fn striders(count: u64) -> Vec<Clip> {
    let clip = |n: u64| strider(&format!("part{n}"), 80 + 9 * n as usize, n + 1);
    (0..count).map(clip).collect()
}

fn built(clips: &[Clip], known: &CleanTransitions) -> (MotionGraph, Vec<Clip>, CleanTransitions) {
    let (graph, _) = build_graph(clips, &GraphOptions::default(), &Run::quiet()).unwrap();
    let planted = plant_clips(clips);
    let clean = clean_transitions(&graph, &planted, known, &Run::quiet()).unwrap();
    assert!(clean.fits(&graph));
    (graph, planted, clean)
}

#[test]
fn the_same_bytes_from_threads_and_additions() {
    let clips = striders(6);
    let nothing = CleanTransitions::default();
    let (graph, _, whole) = built(&clips, &nothing);
    assert!(whole.len() > 50, "{}", whole.len());
    let bytes = whole.to_bytes();
    assert_eq!(CleanTransitions::from_bytes(&bytes).as_ref(), Ok(&whole));
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let again = pool.build().unwrap().install(|| built(&clips, &nothing));
        assert_eq!(again.2.to_bytes(), bytes, "{threads} threads");
    }
    let mut grown = nothing.clone();
    for count in 1..=clips.len() {
        grown = built(&clips[..count], &grown).2;
    }
    assert_eq!(grown.to_bytes(), bytes, "additions");
    let (mut swapped, mut fewer) = (clips.clone(), clips.clone());
    swapped.swap(1, 4);
    fewer.remove(2);
    for others in [swapped, fewer] {
        let direct = built(&others, &nothing);
        assert_eq!(built(&others, &whole).2.to_bytes(), direct.2.to_bytes());
        assert!(!whole.fits(&direct.0));
    }
    let mut other_contacts = clips.clone();
    other_contacts[3].contacts.fill(Contacts::NONE);
    let direct = built(&other_contacts, &nothing).2;
    assert_ne!(direct.to_bytes(), bytes);
    assert_eq!(built(&other_contacts, &whole).2, direct);
    assert!(whole.fits(&graph));
}

#[test]
fn what_is_kept_gives_what_cleaning_now_gives() {
    let (graph, planted, clean) = built(&striders(4), &CleanTransitions::default());
    let mut changed = 0;
    for index in 0..graph.transitions.len() as u32 {
        let id = TransitionId(index);
        let kept = clean.blend_of(&graph, &planted, id).unwrap();
        assert_eq!(clean_blend_of(&graph, &planted, id).as_ref(), Ok(&kept));
        kept.clip.check().unwrap();
        let raw = blend_of(&graph, &planted, id).unwrap();
        changed += usize::from(kept.clip.rotations != raw.clip.rotations);
        assert_eq!(kept.clip.contacts, raw.clip.contacts);
        assert_eq!(kept.placement, raw.placement);
        for (p, q) in kept.clip.root.iter().zip(&raw.clip.root) {
            assert_eq!([p.x, p.z], [q.x, q.z]);
        }
    }
    assert!(changed > graph.transitions.len() / 2, "{changed}");
}

#[test]
fn clips_without_legs_or_contacts_stay_as_blended() {
    let mut clips = striders(3);
    clips.iter_mut().for_each(|clip| clip.contacts.clear());
    let (graph, planted, clean) = built(&clips, &CleanTransitions::default());
    assert_eq!(planted, clips);
    assert!(!graph.transitions.is_empty());
    for index in 0..graph.transitions.len() as u32 {
        let id = TransitionId(index);
        let kept = clean.blend_of(&graph, &planted, id);
        assert_eq!(kept, blend_of(&graph, &planted, id));
    }
    let (empty, _, none) = built(&[], &clean);
    assert!(none.is_empty() && empty.nodes.is_empty());
}

#[test]
fn cleaning_can_be_stopped() {
    let (graph, planted, _) = built(&striders(3), &CleanTransitions::default());
    let run = Run::quiet();
    run.cancel().stop();
    let stopped = clean_transitions(&graph, &planted, &CleanTransitions::default(), &run);
    assert_eq!(stopped, Err(GraphError::Stopped(Stopped)));
}

#[test]
fn damaged_bytes_are_refused() {
    let (graph, planted, clean) = built(&striders(3), &CleanTransitions::default());
    let bytes = clean.to_bytes();
    let mut random = Random(11);
    for round in 0..2000 {
        let mut damaged = bytes.clone();
        if round % 2 == 0 {
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
            assert!(CleanTransitions::from_bytes(&damaged).is_err());
            continue;
        }
        // A checksum that fits: only the content can give it away.
        let at = 28 + random.below(400);
        damaged[at] = damaged[at].wrapping_add(1 + random.below(255) as u8);
        let sum = afoot_codec::ContentHash::of(&damaged[28..]).0;
        damaged[12..28].copy_from_slice(&sum);
        if let Ok(other) = CleanTransitions::from_bytes(&damaged) {
            other.fits(&graph);
            other.blend_of(&graph, &planted, TransitionId(0)).unwrap();
            clean_transitions(&graph, &planted, &other, &Run::quiet()).unwrap();
        }
    }
}

/// A transition with the frames before and after it.
fn in_context(graph: &MotionGraph, clips: &[Clip], id: TransitionId, blend: &Blend) -> Clip {
    let Transition { from, to, .. } = graph.transitions[id.0 as usize];
    let [a, b] = [from, to].map(|place| &clips[place.clip.index()]);
    let before = cut_clip(a, from.frame.0.saturating_sub(8)..from.frame.0).unwrap();
    let end = (to.frame.0 + 8).min(b.len() as u32);
    let mut after = cut_clip(b, to.frame.0..end).unwrap();
    after.place(blend.placement);
    concatenate_clips(&[&before, &blend.clip, &after], Placement::AsCaptured).unwrap()
}

#[test]
fn a_preview_shows_the_cleaned_frames_between_their_clips() {
    let (graph, planted, clean) = built(&striders(3), &CleanTransitions::default());
    let worst = worst_transition(&graph).unwrap();
    let error = graph.transitions[worst.0 as usize].error_cm;
    assert!(graph.transitions.iter().all(|t| t.error_cm <= error));
    for kept in [None, Some(&clean)] {
        let seen = preview_transition(&graph, (&planted, kept), worst, 8).unwrap();
        let blend = clean.blend_of(&graph, &planted, worst).unwrap();
        let wanted = in_context(&graph, &planted, worst, &blend);
        assert_eq!(seen.rotations, wanted.rotations);
        assert_eq!((seen.root, seen.contacts), (wanted.root, wanted.contacts));
    }
}

#[test]
fn captured_walks_slide_less_and_fit_their_ends() {
    let Some(folder) = cmu() else { return };
    let clips: Vec<Clip> = walks16(&folder)
        .into_iter()
        .take(10)
        .map(|clip| level_clip(&with_facts(clip)))
        .collect();
    let (graph, planted, clean) = built(&clips, &CleanTransitions::default());
    let speed = |clip: &Clip| {
        let skate = measure_skate(
            clip,
            &forward_kinematics(clip),
            &clip.contacts,
            &Default::default(),
        );
        skate.map_or(0.0, |skate| skate.mean_speed)
    };
    let (mut speeds, mut ends) = ([0.0; 2], 0.0f32);
    for index in 0..graph.transitions.len() {
        let id = TransitionId(index as u32);
        let raw = blend_of(&graph, &clips, id).unwrap();
        let own = blend_of(&graph, &planted, id).unwrap();
        let held = clean.blend_of(&graph, &planted, id).unwrap();
        speeds[0] += speed(&in_context(&graph, &clips, id, &raw));
        speeds[1] += speed(&in_context(&graph, &planted, id, &held));
        let [before, after] = [&own, &held].map(|blend| forward_kinematics(&blend.clip));
        for frame in [FrameId(0), FrameId(graph.window - 1)] {
            let pairs = before.frame(frame).iter().zip(after.frame(frame));
            ends = ends.max(pairs.map(|(p, q)| p.distance(*q)).fold(0.0, f32::max));
        }
    }
    let mean = speeds.map(|sum| sum / graph.transitions.len() as f64);
    assert!(graph.transitions.len() > 100);
    assert!(mean[1] < 0.025 && mean[1] < 0.25 * mean[0], "{mean:?} m/s");
    assert!(ends < 0.03, "{ends} m");
}
