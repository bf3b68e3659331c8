//! A repertoire opened from tables against the one that the tables were made of.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::sync::Arc;

use afoot_codec::{ContentHash, Flat};
use afoot_core::{Clip, ClipId, JointId, SlidingJoint};
use afoot_graph::{EdgeKind, TransitionId, blend_of};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{
    Edges, FollowOptions, GroundPath, Repertoire, WanderOptions, follow_path, wander,
};
use support::{graph_of, mirrored};

fn clips() -> Vec<Clip> {
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| clip.name.starts_with("walk"));
    let images: Vec<Clip> = clips.iter().map(mirrored).collect();
    clips.extend(images);
    clips[1].faults.push(3..5);
    clips[2].contacts.clear();
    let offsets = vec![clips[3].skeleton.joint(JointId(4)).offset; clips[3].len()];
    let joint = JointId(4);
    clips[3].sliding.push(SlidingJoint { joint, offsets });
    clips
}

fn opened(made: &Repertoire) -> Repertoire {
    let key = ContentHash::of(b"these clips");
    let bytes = made.to_tables().finish(Repertoire::TABLES, key);
    let tables = Flat::open(Arc::clone(&bytes), Repertoire::TABLES, key).unwrap();
    assert!(Flat::open(bytes, Repertoire::TABLES, ContentHash::of(b"others")).is_err());
    Repertoire::from_tables(&tables).unwrap()
}

#[test]
fn tables_hold_all_that_there_was() {
    let clips = clips();
    let made = Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap();
    let opened = opened(&made);
    assert_eq!(opened.graph(), made.graph());
    assert_eq!(opened.graph().traces, made.graph().traces);
    for clip in (0..clips.len()).map(ClipId::from) {
        assert_eq!(opened.clip(clip), made.clip(clip));
    }
    for (index, edge) in made.graph().edges.iter().enumerate() {
        assert_eq!(
            opened.trace(edge).points,
            made.trace(edge).points,
            "edge {index}"
        );
        assert_eq!(opened.edge_length(edge), made.edge_length(edge));
        assert_eq!(opened.root_at(edge.to), made.root_at(edge.to));
    }
    assert_eq!(opened.floor(), made.floor());
    assert_eq!(opened.source(), made.source());
    assert_eq!(opened.skeleton(), made.skeleton());
}

#[test]
fn the_same_motion_comes_of_them() {
    let clips = clips();
    let made = Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap();
    let opened = opened(&made);
    let options = WanderOptions::default();
    assert_eq!(wander(&opened, &options), wander(&made, &options));
    let path = GroundPath::new(vec![[0.0, 0.0], [0.0, 4.0], [3.0, 6.0]]).unwrap();
    let options = FollowOptions::default();
    assert_eq!(
        follow_path(&opened, &path, &options),
        follow_path(&made, &path, &options)
    );
}

#[test]
fn traces_are_the_roots_of_the_blends() {
    let clips = clips();
    let made = Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap();
    let level: Vec<Clip> = clips.iter().map(afoot_graph::level_clip).collect();
    for edge in &made.graph().edges {
        if let EdgeKind::Transition(id) = edge.kind() {
            let TransitionId(index) = id;
            let blend = blend_of(made.graph(), &level, id).unwrap();
            let roots = blend.clip.root.iter().map(|root| [root.x, root.z]);
            assert!(roots.eq(made.trace(edge).points.iter().copied()), "{index}");
            let kept = made.graph().transitions[index as usize].placement;
            assert_eq!(blend.placement, kept);
        }
    }
}
