#![allow(missing_docs, clippy::all)]
use afoot_analyze::judge::{MadeFrom, SourceSpan};
use afoot_analyze::{Judge, JudgeOptions};
use afoot_codec::FlatWriter;
use afoot_core::{Clip, ClipId, Range32};
use afoot_graph::NodeId;
use afoot_library::{GraphStoreError, Library, LibraryGraph};
use afoot_run::Run;
use afoot_synth::*;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
enum Unready {
    G(GraphStoreError),
    C(RepertoireError),
    T(afoot_codec::CodecError),
}
impl From<GraphStoreError> for Unready {
    fn from(e: GraphStoreError) -> Self {
        Self::G(e)
    }
}
impl From<afoot_codec::CodecError> for Unready {
    fn from(e: afoot_codec::CodecError) -> Self {
        Self::T(e)
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let seconds: f64 = args[1].parse().unwrap();
    let reaction = args[2] == "r";
    println!(
        "lib   skate share slide sink twist root knee ankle kneechg hipchg penetr faced jump acc unsup glide"
    );
    for lib in &args[3..] {
        let path = format!("/tmp/walk/libs/{lib}.afoot");
        let mut library = Library::open(std::path::Path::new(&path)).unwrap();
        let make = |built: LibraryGraph| -> Result<FlatWriter, Unready> {
            let made = Repertoire::of_level(built.graph, built.clips);
            Ok(made.map_err(Unready::C)?.to_tables())
        };
        let tables = library.tables_of_graph(Repertoire::TABLES, &Run::quiet(), make);
        let rep = Arc::new(Repertoire::from_tables(&tables.unwrap().value).unwrap());
        let table =
            Arc::new(ControlTable::new(&*rep, &ControlOptions::default(), &Run::quiet()).unwrap());
        let mut figure = Controller::new(
            rep.clone(),
            table.clone(),
            ControllerStart::in_the_middle(NodeId(0)),
            ControllerOptions::default(),
        )
        .unwrap();
        let wishes = random_directions(seconds, (0.5, 2.0), 1);
        let rate = rep.graph().rate;
        let mut clip = Clip::empty("driven", Arc::clone(&rep.clip(ClipId(0)).skeleton), rate);
        clip.ground = rep.floor();
        let mut sources: Vec<(usize, Range32, u64)> = Vec::new();
        let mut w = 0;
        for f in 0..rate.frames_in(seconds) {
            let now = f as f64 * rate.frame_time();
            while wishes.get(w + 1).is_some_and(|n| n.0 <= now) {
                w += 1;
            }
            let pose = figure
                .advance(rate.frame_time(), wishes[w].1, None)
                .unwrap();
            clip.push_pose(&pose);
            clip.contacts.push(figure.contacts());
            let p = figure.playing();
            let (c, fr) = (p.place.clip.index(), p.place.frame.0);
            match sources.last_mut() {
                Some(l) if l.0 == c && l.1.end == fr => l.1.end += 1,
                _ => sources.push((
                    c,
                    Range32 {
                        start: fr,
                        end: fr + 1,
                    },
                    f as u64,
                )),
            }
        }
        let window = u64::from(rep.graph().window);
        let from = MadeFrom {
            clips: sources
                .iter()
                .map(|s| (s.0, rep.clip(ClipId(s.0 as u32))))
                .collect::<BTreeMap<_, _>>(),
            spans: sources
                .iter()
                .map(|s| SourceSpan {
                    clip: s.0,
                    from: s.1.start,
                    frames: s.1.end - s.1.start,
                    at: s.2,
                })
                .collect(),
            joins: sources
                .windows(2)
                .filter_map(|p| {
                    let on = p[0].0 == p[1].0 && p[0].1.end == p[1].1.start;
                    let st = p[1].2.saturating_sub(window / 2);
                    (!on).then_some(st..st + window)
                })
                .collect(),
        };
        let mut judge = Judge::new(JudgeOptions {
            source: rep.source(),
            made_from: Some(&from),
            floor: rep.floor().map(|f| f.height),
            ..JudgeOptions::default()
        });
        judge.add(&clip, 0..clip.len());
        let q = judge.finish();
        let v = |x: Option<f64>| x.unwrap_or(f64::NAN);
        println!(
            "{lib:5} {:.2} {:.4} {:.1} {:.2} {:.1} {:.2} {:.2} {:.2} {:.2} {:.2} {:.2} {:.3} {:.2} {:.2} {:.3} {:.0}",
            v(q.skate_cm_s),
            v(q.skate_share),
            v(q.slide_mm),
            v(q.sink_cm),
            v(q.twist_deg),
            v(q.root_acceleration_ratio),
            v(q.knee_acceleration_ratio),
            v(q.ankle_acceleration_ratio),
            v(q.knee_change_deg),
            v(q.hip_change_cm),
            v(q.penetration_cm),
            v(q.faced_share),
            v(q.jump_ratio),
            v(q.acceleration_ratio),
            v(q.unsupported_share),
            v(q.glide_cm_s)
        );
        if std::env::var("WHERE").is_ok() {
            for d in q.verdicts.iter().filter(|d| !d.kept) {
                if let Some(at) = d.at_s {
                    let fr = (at / rate.frame_time()).round() as u64;
                    let k: Vec<String> = sources
                        .iter()
                        .filter(|s| s.2 + 20 > fr && s.2 < fr + 12)
                        .map(|s| {
                            format!(
                                "{} {:.2} @{:+.2}",
                                rep.clip(ClipId(s.0 as u32)).name,
                                s.1.start as f64 * rate.frame_time(),
                                (s.2 as f64 - fr as f64) * rate.frame_time()
                            )
                        })
                        .collect();
                    println!(
                        "      {} {:.2} at {:.2}: {}",
                        d.measure,
                        d.value,
                        at,
                        k.join(", ")
                    );
                }
            }
        }
        if reaction {
            let r = measure_reaction(
                &rep,
                &table,
                &ReactionOptions {
                    seconds: 1800.0,
                    seed: 1,
                    ..Default::default()
                },
            )
            .unwrap();
            println!(
                "      reaction {:.2} ({:.2}) over {}, bound {:.2}",
                r.quantile(0.5),
                r.quantile(0.95),
                r.times.len(),
                r.bound_quantile(0.5)
            );
        }
    }
}
