//! A motion graph built the obvious way: every pair of frames, no tiles, no threads.

use afoot_core::*;
use afoot_edit::blend::{BlendOptions, blend_transition};
use afoot_graph::*;

const WINDOW: usize = 10;

/// The walking clips of subject 16 and, where asked, their mirror images.
pub fn walks(cmu: &super::cmu::Cmu, mirrored: bool) -> Vec<Clip> {
    let numbers = (11..=32).chain([47, 58]);
    let mut clips: Vec<Clip> = numbers.map(|n| cmu.clip(&format!("16_{n}"))).collect();
    let skeleton = clips[0].skeleton.clone();
    clips
        .iter_mut()
        .for_each(|clip| clip.skeleton = skeleton.clone());
    if mirrored {
        let images: Vec<Clip> = clips
            .iter()
            .map(|clip| {
                let mut image = mirror_clip(clip);
                image.name.push_str("_m");
                image
            })
            .collect();
        clips.extend(images);
    }
    clips
}

pub fn build(clips: &[Clip], threshold_cm: f64, labels: &[&str]) -> MotionGraph {
    let clouds: Vec<Positions> = clips.iter().map(forward_kinematics).collect();
    let mut transitions = Vec::new();
    for a in 0..clips.len() {
        for b in 0..clips.len() {
            minima(
                &clouds[a],
                &clouds[b],
                threshold_cm,
                a == b,
                |i, j, error_cm| {
                    let from = Place {
                        clip: ClipId::from(a),
                        frame: FrameId::from(i),
                    };
                    let to = Place {
                        clip: ClipId::from(b),
                        frame: FrameId::from(j + WINDOW),
                    };
                    let options = BlendOptions {
                        window: WINDOW as u32,
                        turn: None,
                    };
                    let blend =
                        blend_transition((&clips[a], from.frame), (&clips[b], to.frame), &options)
                            .unwrap();
                    transitions.push(Transition {
                        from,
                        to,
                        error_cm: error_cm as f32,
                        placement: blend.placement,
                    });
                },
            );
        }
    }
    prune(clips, transitions, labels)
}

/// Local minima of the window distance below the threshold; windows start at i and j.
fn minima(
    a: &Positions,
    b: &Positions,
    threshold: f64,
    same: bool,
    mut out: impl FnMut(usize, usize, f64),
) {
    let (rows, columns) = (
        a.frames().saturating_sub(WINDOW) + 1,
        b.frames().saturating_sub(WINDOW) + 1,
    );
    if a.frames() <= WINDOW || b.frames() <= WINDOW {
        return;
    }
    let distance = distances(a, b, rows, columns);
    for i in 0..rows {
        for j in 0..columns - 1 {
            // something must be left to play after the blend
            let d = distance[i * columns + j];
            if d > threshold || (same && i.abs_diff(j) <= WINDOW) {
                continue;
            }
            let lower = (-1i64..=1)
                .flat_map(|di| (-1i64..=1).map(move |dj| (di, dj)))
                .all(|(di, dj)| {
                    let (y, x) = (i as i64 + di, j as i64 + dj);
                    (di, dj) == (0, 0)
                        || y < 0
                        || x < 0
                        || y >= rows as i64
                        || x >= columns as i64
                        || d < distance[y as usize * columns + x as usize]
                });
            if lower {
                out(i, j, d);
            }
        }
    }
}

/// Kovar et al. 2002, eqs. 1-4, unit weights, as root mean square in cm.
fn distances(a: &Positions, b: &Positions, rows: usize, columns: usize) -> Vec<f64> {
    let points = a.points_per_frame();
    let sums = |p: &Positions| -> Vec<[f64; 3]> {
        (0..p.frames())
            .map(|f| {
                p.frame(FrameId::from(f)).iter().fold([0.0; 3], |s, v| {
                    let v = v.as_dvec3();
                    [s[0] + v.x, s[1] + v.z, s[2] + v.length_squared()]
                })
            })
            .collect()
    };
    let (sa, sb) = (sums(a), sums(b));
    // Per frame pair: dot in the plane, cross in the plane, dot of heights.
    let pair = |i: usize, j: usize| {
        let (fa, fb) = (a.frame(FrameId::from(i)), b.frame(FrameId::from(j)));
        let (mut c, mut s, mut y) = (0.0f32, 0.0f32, 0.0f32);
        for (p, q) in fa.iter().zip(fb) {
            c += p.x * q.x + p.z * q.z;
            s += p.x * q.z - q.x * p.z;
            y += p.y * q.y;
        }
        [c as f64, s as f64, y as f64]
    };
    let width = b.frames();
    let pairs: Vec<[f64; 3]> = (0..a.frames() * width)
        .map(|k| pair(k / width, k % width))
        .collect();
    let w = (WINDOW * points) as f64;
    let mut out = vec![0.0; rows * columns];
    for i in 0..rows {
        for j in 0..columns {
            let (mut c, mut s, mut y, mut n) = (0.0, 0.0, 0.0, 0.0);
            let mut m = [0.0; 4];
            for k in 0..WINDOW {
                let p = pairs[(i + k) * width + j + k];
                c += p[0];
                s += p[1];
                y += p[2];
                n += sa[i + k][2] + sb[j + k][2];
                m = [
                    m[0] + sa[i + k][0],
                    m[1] + sa[i + k][1],
                    m[2] + sb[j + k][0],
                    m[3] + sb[j + k][1],
                ];
            }
            n -= (m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3]) / w;
            c -= (m[0] * m[2] + m[1] * m[3]) / w;
            s -= (m[0] * m[3] - m[2] * m[1]) / w;
            let d = n - 2.0 * y - 2.0 * c.hypot(s);
            out[i * columns + j] = 100.0 * (d.max(0.0) / w).sqrt();
        }
    }
    out
}

/// Nodes, edges, and only what lies in the largest strongly connected component.
pub fn prune(clips: &[Clip], mut transitions: Vec<Transition>, labels: &[&str]) -> MotionGraph {
    transitions.sort_by_key(|t| (t.from, t.to));
    loop {
        let graph = assemble(clips, &transitions, labels);
        let component = largest_component(&graph);
        let inside = |node: NodeId| component[node.0 as usize];
        let keep: Vec<Transition> = graph
            .edges
            .iter()
            .filter(|e| inside(e.from) && inside(e.to))
            .filter_map(|e| match e.kind {
                EdgeKind::Jump(t) => Some(graph.transitions[t.0 as usize]),
                EdgeKind::Play => None,
            })
            .collect();
        if keep.len() == transitions.len() && component.iter().all(|&c| c) {
            return graph;
        }
        transitions = keep;
        transitions.sort_by_key(|t| (t.from, t.to));
    }
}

fn assemble(clips: &[Clip], transitions: &[Transition], labels: &[&str]) -> MotionGraph {
    let mut nodes: Vec<Place> = transitions.iter().flat_map(|t| [t.from, t.to]).collect();
    nodes.sort();
    nodes.dedup();
    let find = |place: Place| NodeId(nodes.binary_search(&place).unwrap() as u32);
    let set = |place: Place| {
        let clip = &clips[place.clip.index()];
        let bits = labels
            .iter()
            .enumerate()
            .filter(|(_, l)| clip.has_label(place.frame, l));
        LabelSet(bits.map(|(bit, _)| 1 << bit).sum())
    };
    let mut edges = Vec::new();
    for pair in nodes.windows(2).filter(|pair| pair[0].clip == pair[1].clip) {
        edges.push(Edge {
            from: find(pair[0]),
            to: find(pair[1]),
            kind: EdgeKind::Play,
            labels: set(pair[0]),
        });
    }
    for (index, t) in transitions.iter().enumerate() {
        let labels = LabelSet(set(t.from).0 | set(t.to).0);
        edges.push(Edge {
            from: find(t.from),
            to: find(t.to),
            kind: EdgeKind::Jump(TransitionId(index as u32)),
            labels,
        });
    }
    edges.sort_by_key(|e| {
        (
            e.from,
            e.kind != EdgeKind::Play,
            match e.kind {
                EdgeKind::Jump(t) => t.0,
                EdgeKind::Play => 0,
            },
        )
    });
    let first_edge = (0..=nodes.len() as u32)
        .map(|n| edges.partition_point(|e| e.from.0 < n) as u32)
        .collect();
    let names = clips
        .iter()
        .map(|c| GraphClip {
            name: c.name.clone(),
            frames: c.len() as u32,
        })
        .collect();
    MotionGraph {
        clips: names,
        rate: clips[0].rate,
        window: WINDOW as u32,
        vocabulary: labels.iter().map(|l| l.to_string()).collect(),
        transitions: transitions.to_vec(),
        nodes,
        edges,
        first_edge,
    }
}

/// By growing reach forwards and backwards from every unvisited node.
fn largest_component(graph: &MotionGraph) -> Vec<bool> {
    let n = graph.nodes.len();
    let mut backward = vec![Vec::new(); n];
    graph
        .edges
        .iter()
        .for_each(|e| backward[e.to.0 as usize].push(e.from.0 as usize));
    let forward = |v: usize| {
        graph
            .edges_from(NodeId(v as u32))
            .iter()
            .map(|e| e.to.0 as usize)
            .collect::<Vec<_>>()
    };
    let reach = |start: usize, next: &dyn Fn(usize) -> Vec<usize>| {
        let mut seen = vec![false; n];
        let mut open = vec![start];
        seen[start] = true;
        while let Some(v) = open.pop() {
            for to in next(v) {
                if !std::mem::replace(&mut seen[to], true) {
                    open.push(to);
                }
            }
        }
        seen
    };
    let mut done = vec![false; n];
    let mut best = vec![false; n];
    let mut most = 0;
    for v in 0..n {
        if done[v] {
            continue;
        }
        let (f, b) = (reach(v, &forward), reach(v, &|u| backward[u].clone()));
        let both: Vec<bool> = f.iter().zip(&b).map(|(x, y)| *x && *y).collect();
        let count = both.iter().filter(|x| **x).count();
        both.iter()
            .enumerate()
            .filter(|(_, x)| **x)
            .for_each(|(u, _)| done[u] = true);
        if count > most {
            most = count;
            best = both;
        }
        if most > n / 2 {
            break;
        }
    }
    best
}
