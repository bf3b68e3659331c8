//! Bakes sample motion, opens it as a game would, and steers a character: see the README beside this.

use std::sync::Arc;

use afoot_core::Planar;
use afoot_graph::{GraphOptions, build_graph};
use afoot_run::Run;
use afoot_runtime::{BakeOptions, Pack, bake};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{ControlOptions, ControlTable, Repertoire};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What `afoot bake` does: clips, their graph, the best first edges, one file.
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| clip.name.starts_with("walk") || clip.name.starts_with("stand"));
    let (graph, _) = build_graph(&clips, &GraphOptions::default(), &Run::quiet())?;
    let repertoire = Repertoire::new(graph, &clips)?;
    let table = ControlTable::new(&repertoire, &ControlOptions::default(), &Run::quiet())?;
    let baked = bake(&repertoire, &table, &BakeOptions::default())?;
    let worst = baked.errors.iter().map(|error| error.most_mm);
    println!(
        "{} bytes, joints off by at most {:.2} mm",
        baked.sizes.all,
        worst.fold(0.0, f32::max)
    );
    if let Some(file) = std::env::args().nth(1) {
        std::fs::write(file, (*baked.bytes).as_ref())?;
    }

    // What a game does: open it once, then a call a frame for each character.
    let pack = Arc::new(Pack::open(baked.bytes)?);
    let mut hero = pack.character(Planar::IDENTITY, 0)?;
    for second in 0..10 {
        let direction = if second < 5 { 0.0f64 } else { 90.0 };
        for _ in 0..60 {
            hero.advance(1.0 / 60.0, direction.to_radians(), None)?;
        }
        let root = hero.pose().root;
        println!(
            "{:2} s: towards {direction:2.0} degrees, at {:5.2} {:5.2} m",
            second + 1,
            root.x,
            root.z
        );
    }
    Ok(())
}
