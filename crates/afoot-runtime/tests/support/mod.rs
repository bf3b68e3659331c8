//! Sample motion, baked.

use std::sync::Arc;

use afoot_core::Clip;
use afoot_graph::{GraphOptions, build_graph};
use afoot_run::Run;
use afoot_runtime::{BakeOptions, Baked, bake};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{ControlOptions, ControlTable, Repertoire};

/// What a character is baked of.
pub struct Source {
    pub repertoire: Arc<Repertoire>,
    pub table: Arc<ControlTable>,
}

impl Source {
    /// Of some sample clips.
    pub fn of(names: &[&str]) -> Self {
        let mut clips = sample_library(&SampleOptions::default());
        clips.retain(|clip| names.contains(&clip.name.as_str()));
        assert_eq!(clips.len(), names.len());
        Self::of_clips(&clips)
    }

    fn of_clips(clips: &[Clip]) -> Self {
        let run = Run::quiet();
        let (graph, _) = build_graph(clips, &GraphOptions::default(), &run).unwrap();
        let repertoire = Repertoire::new(graph, clips).unwrap();
        let table = ControlTable::new(&repertoire, &ControlOptions::default(), &run).unwrap();
        Self {
            repertoire: Arc::new(repertoire),
            table: Arc::new(table),
        }
    }

    /// With joints this far off at most. [mm]
    pub fn baked(&self, error_mm: f32) -> Baked {
        bake(&self.repertoire, &self.table, &BakeOptions { error_mm }).unwrap()
    }
}
