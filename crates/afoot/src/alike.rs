//! Which frames of some clips are alike, by cluster graphs over legs, upper body and trunk: what grafts
//! are brought into step by (Shanbhag 2006, §5.3.1 and §5.4.1).

use afoot_core::{Clip, ClipId, Skeleton};
use afoot_graph::clusters::{
    Centre, ClusterGraph, FrameMetric, cluster_frames, library_frames,
};
use afoot_graph::level_clip;
use afoot_limbs::graft::{Alike, GraftFacts, Half, Span, body_chains};
use afoot_run::Run;
use rayon::prelude::*;

use crate::failure::Failure;

/// Clusters of legs show their plants and little else at this error; finer ones would tell walks from runs.
/// [m]
const LEGS_ERROR: f32 = 0.25;
/// Upper bodies, and trunks, that are so much alike can be changed for each other. [m]
const BODY_ERROR: f32 = 0.12;

/// Like frames of some clips, in their order; nothing is known by default.
#[derive(Default)]
pub(crate) struct AlikeFrames {
    legs: Vec<Vec<Span>>,
    upper: Vec<Vec<Span>>,
    torso: Vec<Vec<Span>>,
}

impl AlikeFrames {
    /// Clusters the frames of clips of one rate; clips of several are not compared.
    pub fn of(clips: &[Clip], run: &Run) -> Result<Self, Failure> {
        if clips.iter().any(|clip| clip.rate != clips[0].rate) {
            return Ok(Self::default());
        }
        let mut level = clips.to_vec();
        level.par_iter_mut().for_each(|clip| *clip = level_clip(clip));
        let lower = |skeleton: &Skeleton, half: Half, trunk: bool| -> Vec<String> {
            let chains = body_chains(skeleton).into_iter();
            let wanted = chains.filter(|(chain, own)| *own == half && (!trunk || chain.name == "torso"));
            wanted.map(|(chain, _)| chain.name).collect()
        };
        let skeleton = &level[0].skeleton;
        let graph = |names: Vec<String>, error: f32| spans(&level, &names, error, run);
        Ok(Self {
            legs: graph(lower(skeleton, Half::Lower, false), LEGS_ERROR)?,
            upper: graph(lower(skeleton, Half::Upper, false), BODY_ERROR)?,
            torso: graph(lower(skeleton, Half::Upper, true), BODY_ERROR)?,
        })
    }

    /// What is known of two of the clips.
    pub fn between(&self, base: usize, donor: usize) -> GraftFacts {
        let alike = |spans: &[Vec<Span>]| match (spans.get(base), spans.get(donor)) {
            (Some(own), Some(other)) => Alike {
                base: own.clone(),
                donor: other.clone(),
            },
            _ => Alike::default(),
        };
        GraftFacts {
            legs: alike(&self.legs),
            upper: alike(&self.upper),
            torso: alike(&self.torso),
        }
    }
}

/// For every clip its sequences in a cluster graph over some chains, in the order of time.
fn spans(
    clips: &[Clip],
    chains: &[String],
    error: f32,
    run: &Run,
) -> Result<Vec<Vec<Span>>, Failure> {
    if chains.is_empty() {
        return Ok(vec![Vec::new(); clips.len()]);
    }
    let metric = FrameMetric::of_chains(&clips[0].skeleton, |chain| {
        chains.contains(&chain.name).then_some(1.0)
    });
    let frames = library_frames(clips, Some(&metric))?;
    let tree = cluster_frames(&frames, Centre::OfMembers, run)?;
    let graph = ClusterGraph::cut(&tree, &frames, error);
    let of_clip = |clip: usize| {
        let own = graph.of_clip[ClipId::from(clip).index()].iter();
        own.map(|id| {
            let sequence = graph.sequence(*id);
            Span {
                frames: sequence.frames.clone(),
                node: sequence.node.0,
            }
        })
        .collect()
    };
    Ok((0..clips.len()).map(of_clip).collect())
}
