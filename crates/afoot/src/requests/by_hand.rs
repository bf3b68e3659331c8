//! A walk through a cluster graph that a person chose, node by node or sequence by sequence (Shanbhag
//! 2006, appendix A, task 17: of a node, the sequence that leads to the next).

use afoot_core::FrameId;
use afoot_graph::Place;
use afoot_graph::clusters::{ClusterGraph, ClusterId, Leap, SequenceId, leap_between};
use afoot_synth::Itinerary;

use crate::clustered::Clustered;
use crate::failure::Failure;

/// A node of a walk, as asked for.
struct Choice {
    node: ClusterId,
    /// Only sequences of this clip, if one was named.
    clip: Option<afoot_core::ClipId>,
}

/// The best of a walk so far that plays a sequence of its last node.
#[derive(Clone)]
struct Walked {
    /// Sequences: what a node is entered with, and what is leapt to, if it is another.
    sequences: Vec<SequenceId>,
    /// Of all leaps. [m]
    error: f32,
}

/// The walk through nodes that leaps least.
pub(super) fn chosen_nodes(clustered: &Clustered, asked: &[String]) -> Result<Itinerary, Failure> {
    let choices: Result<Vec<Choice>, Failure> =
        asked.iter().map(|text| choice(clustered, text)).collect();
    let choices = choices?;
    let graph = &clustered.graph;
    let first = &choices[0];
    let mut walks: Vec<Walked> = own_sequences(graph, first)
        .map(|id| Walked {
            sequences: vec![id],
            error: 0.0,
        })
        .collect();
    for (index, pair) in choices.windows(2).enumerate() {
        let longer = walks
            .iter()
            .flat_map(|walk| step(clustered, walk, &pair[1]));
        let mut longer: Vec<Walked> = longer.collect();
        longer.sort_by(|x, y| {
            let ends = x.sequences.last().cmp(&y.sequences.last());
            ends.then(x.error.total_cmp(&y.error))
        });
        longer.dedup_by(|x, y| x.sequences.last() == y.sequences.last());
        if longer.is_empty() {
            return Err(no_edge(graph, &asked[index..index + 2], &pair[0]));
        }
        walks = longer;
    }
    let best = walks.iter().min_by(|x, y| x.error.total_cmp(&y.error));
    let best = best.ok_or_else(|| {
        Failure::bad_value("node", &asked[0], "a node that the named clip goes through")
    })?;
    walk_through(clustered, &best.sequences)
}

/// Sequences that were chosen one by one: playing on in a clip, or leaping within a node.
pub(super) fn chosen_sequences(
    clustered: &Clustered,
    chosen: &[u32],
) -> Result<Itinerary, Failure> {
    let known = clustered.graph.sequences.len() as u32;
    if let Some(wrong) = chosen.iter().find(|sequence| **sequence >= known) {
        let last = known.saturating_sub(1);
        let expected = format!("a sequence of the cluster graph, 0 to {last}");
        return Err(Failure::bad_value("sequence", *wrong, &expected));
    }
    let sequences: Vec<SequenceId> = chosen.iter().map(|index| SequenceId(*index)).collect();
    walk_through(clustered, &sequences)
}

/// Reads `NODE` or `NODE:CLIP`.
fn choice(clustered: &Clustered, text: &str) -> Result<Choice, Failure> {
    let (node, clip) = match text.split_once(':') {
        Some((node, clip)) => (node, Some(clustered.compared.id(clip)?)),
        None => (text, None),
    };
    let nodes = clustered.graph.nodes.len() as u32;
    match node.trim().parse::<u32>() {
        Ok(node) if node < nodes => Ok(Choice {
            node: ClusterId(node),
            clip,
        }),
        _ => {
            let last = nodes.saturating_sub(1);
            let expected = format!("a node of the cluster graph, 0 to {last}, or NODE:CLIP");
            Err(Failure::bad_value("node", text, &expected))
        }
    }
}

fn own_sequences<'a>(
    graph: &'a ClusterGraph,
    choice: &'a Choice,
) -> impl Iterator<Item = SequenceId> + 'a {
    let of_node = graph.sequences_of(choice.node);
    of_node.filter(|id| {
        choice
            .clip
            .is_none_or(|clip| graph.sequence(*id).clip == clip)
    })
}

/// Walks on into a node: with the clip that leads there, and from it to any other sequence.
fn step(clustered: &Clustered, walk: &Walked, next: &Choice) -> Vec<Walked> {
    let graph = &clustered.graph;
    let entered = walk.sequences.last().and_then(|last| graph.after(*last));
    let Some(entered) = entered.filter(|id| graph.sequence(*id).node == next.node) else {
        return Vec::new();
    };
    let longer = |id: SequenceId| {
        let mut walk = walk.clone();
        walk.sequences.push(entered);
        if id != entered {
            let leap = leap_between(graph, clustered.frames(), entered, id)?;
            walk.sequences.push(id);
            walk.error += leap.error;
        }
        Some(walk)
    };
    own_sequences(graph, next).filter_map(longer).collect()
}

fn no_edge(graph: &ClusterGraph, asked: &[String], from: &Choice) -> Failure {
    let next: Vec<String> = graph
        .node(from.node)
        .next
        .iter()
        .map(|node| node.0.to_string())
        .collect();
    Failure::bad_request(format!(
        "no chosen sequence of node {} leads to {}; the node leads to {}",
        asked[0],
        asked[1],
        match next.is_empty() {
            true => "none".into(),
            false => next.join(", "),
        }
    ))
}

/// Sequences one after the other: each follows in its clip, or is leapt to from one of its node.
fn walk_through(clustered: &Clustered, sequences: &[SequenceId]) -> Result<Itinerary, Failure> {
    let graph = &clustered.graph;
    let first = graph.sequence(sequences[0]);
    let (mut leaps, mut at) = (Vec::new(), first.frames.start);
    for pair in sequences.windows(2) {
        if let Some(leap) = leap_for(clustered, [pair[0], pair[1]], at)? {
            at = leap.to.frame.0;
            leaps.push(leap);
        }
    }
    let last = graph.sequence(sequences[sequences.len() - 1]);
    Ok(Itinerary {
        start: Place {
            clip: first.clip,
            frame: FrameId(first.frames.start),
        },
        leaps,
        halves: Vec::new(),
        end: FrameId(last.frames.end.max(at + 1)),
    })
}

/// The leap from one chosen sequence to the next, if one is needed; `at` is the frame that the first was
/// entered at.
fn leap_for(
    clustered: &Clustered,
    [from, to]: [SequenceId; 2],
    at: u32,
) -> Result<Option<Leap>, Failure> {
    let graph = &clustered.graph;
    let [a, b] = [graph.sequence(from), graph.sequence(to)];
    let after = graph.after(from);
    if after == Some(to) || (a.clip == b.clip && b.frames.start >= a.frames.end) {
        return Ok(None);
    }
    let same_node = |id: &SequenceId| graph.sequence(*id).node == b.node;
    let Some(left) = [Some(from), after].into_iter().flatten().find(same_node) else {
        return Err(Failure::bad_request(format!(
            "sequence {} neither follows {} nor lies in one node with it or with what follows it",
            to.0, from.0
        )));
    };
    let leap = leap_between(graph, clustered.frames(), left, to);
    match leap.filter(|leap| leap.from.frame.0 + 1 > at) {
        Some(leap) => Ok(Some(leap)),
        None => Err(Failure::no_motion(format!(
            "no leap leads from sequence {} to {}: their clips end there",
            left.0, to.0
        ))),
    }
}
