//! A motion as requests make it and sinks take it: a header, then pieces, with where they come from.

use std::sync::Arc;

use afoot_analyze::{SourceStatistics, Terrain};
use afoot_core::{Clip, ClipId, FrameRate, Ground, Range32, Vec3};
use afoot_formats::WriteOptions;
use afoot_synth::{Played, Repertoire, Source};

use crate::failure::Failure;

/// Takes motion as it is made: a file, a stream to a page, a clip in memory.
pub trait Sink: Send {
    /// A motion begins.
    fn begin(&mut self, header: &MotionHeader) -> Result<(), Failure>;
    /// Its next frames.
    fn push(&mut self, piece: MotionPiece) -> Result<(), Failure>;
}

/// What is known of a motion before its first frame.
#[derive(Clone)]
pub struct MotionHeader {
    /// How many frames it will have.
    pub frames: u64,
    /// Its rate.
    pub rate: FrameRate,
    /// Frames of a transition, half of which lie on either side of where sources change.
    pub transition: u32,
    /// The captured clips that it is made of.
    pub clips: Arc<dyn SourceClips>,
    /// How files are written where the output leaves it open.
    pub like: WriteOptions,
}

/// The captured clips that a motion is made of: a graph's, or a few.
pub trait SourceClips: Send + Sync {
    /// A clip's name.
    fn name(&self, clip: ClipId) -> &str;
    /// A clip as it was captured.
    fn captured(&self, clip: ClipId) -> &Clip;
    /// What is usual in all of them.
    fn statistics(&self) -> Option<&SourceStatistics>;
    /// Height of the floor that they stand on. [m]
    fn floor(&self) -> Option<f32>;
    /// That floor with the heights at which joints rest on it, or its tilt, where these are known.
    fn ground(&self) -> Option<Ground> {
        None
    }
    /// What lies on it, of a motion that was taken to other ground.
    fn terrain(&self) -> Option<&Terrain> {
        None
    }
    /// The clip that a motion is an edit of, if it is one of one: shown beside it.
    fn original(&self) -> Option<&Clip> {
        None
    }
}

/// The next frames of a motion. A run's watcher gets the same as partial results.
#[derive(Clone, Debug)]
pub struct MotionPiece {
    /// The frames, in the world.
    pub clip: Clip,
    /// Where they come from, in the order of `at`.
    pub sources: Vec<PieceSource>,
    /// How many transitions begin in it.
    pub transitions: u32,
    /// How many of its frames lie outside transitions.
    pub captured: u64,
}

/// A stretch of a captured clip in a motion. Several may play at once: weighted, or on parts of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceSource {
    /// The clip.
    pub clip: ClipId,
    /// Its frames that play, half-open.
    pub frames: Range32,
    /// The first one's frame in the motion.
    pub at: u64,
    /// Share that it has in the frames. [0 to 1]
    pub weight: f32,
    /// The chains of the skeleton that it moves, by name; the whole body if there are none.
    pub chains: Vec<String>,
}

impl MotionHeader {
    /// Of a motion that a graph's clips make.
    pub fn of_graph(graph: &Arc<Repertoire>, frames: u64) -> Self {
        Self {
            frames,
            rate: graph.graph().rate,
            transition: graph.graph().window,
            clips: Arc::clone(graph) as Arc<dyn SourceClips>,
            like: WriteOptions::default(),
        }
    }

    /// Of a motion of that length that one clip makes, without transitions.
    pub fn of_clip(source: OneClip, frames: u64) -> Self {
        Self {
            frames,
            rate: source.clip.rate,
            transition: 0,
            clips: Arc::new(source),
            like: WriteOptions::default(),
        }
    }

    /// Files are written like that where the output leaves it open.
    pub fn written_like(self, like: WriteOptions) -> Self {
        Self { like, ..self }
    }
}

impl SourceClips for Repertoire {
    fn name(&self, clip: ClipId) -> &str {
        &self.graph().clips[clip.index()].name
    }

    fn captured(&self, clip: ClipId) -> &Clip {
        self.clip(clip)
    }

    fn statistics(&self) -> Option<&SourceStatistics> {
        self.source()
    }

    fn floor(&self) -> Option<f32> {
        Repertoire::floor(self).map(|floor| floor.height)
    }

    fn ground(&self) -> Option<Ground> {
        Repertoire::floor(self)
    }
}

/// One clip as the only source, under whatever name a person knows it by.
#[derive(Clone, Debug)]
pub struct OneClip {
    name: String,
    clip: Clip,
    statistics: Option<SourceStatistics>,
    floor: Option<f32>,
    ground: Option<Ground>,
    terrain: Option<Terrain>,
}

impl OneClip {
    /// A clip with its facts.
    pub fn new(name: impl Into<String>, clip: Clip) -> Self {
        Self {
            name: name.into(),
            statistics: SourceStatistics::of_clips(&[&clip]),
            floor: clip.ground.map(|ground| ground.height),
            ground: None,
            terrain: None,
            clip,
        }
    }

    /// The same for a motion that stays on the clip's floor, about there, or on what lies on it.
    pub fn staying(self, about: Vec3, terrain: Option<Terrain>) -> Self {
        let ground = self.clip.ground;
        Self {
            floor: ground.map(|ground| ground.height_at(about.x, about.z)),
            ground,
            terrain,
            ..self
        }
    }
}

impl SourceClips for OneClip {
    fn name(&self, _: ClipId) -> &str {
        &self.name
    }

    fn captured(&self, _: ClipId) -> &Clip {
        &self.clip
    }

    fn statistics(&self) -> Option<&SourceStatistics> {
        self.statistics.as_ref()
    }

    fn original(&self) -> Option<&Clip> {
        Some(&self.clip)
    }

    fn floor(&self) -> Option<f32> {
        self.floor
    }

    fn ground(&self) -> Option<Ground> {
        self.ground
    }

    fn terrain(&self) -> Option<&Terrain> {
        self.terrain.as_ref()
    }
}

impl MotionPiece {
    /// Frames of the only clip there is, changed in place; `frames` of it, in order.
    pub fn of_one(clip: Clip, frames: std::ops::Range<u32>) -> Self {
        Self::of_one_from(clip, frames, 0)
    }

    /// The same of a motion in which they begin with a later frame.
    pub fn of_one_from(clip: Clip, frames: std::ops::Range<u32>, at: u64) -> Self {
        let captured = u64::from(frames.end - frames.start);
        let frames = Range32 {
            start: frames.start,
            end: frames.end,
        };
        Self {
            clip,
            sources: vec![PieceSource::whole(ClipId(0), frames, at)],
            transitions: 0,
            captured,
        }
    }
}

impl From<Played> for MotionPiece {
    fn from(played: Played) -> Self {
        Self {
            clip: played.clip,
            sources: played.sources.iter().map(PieceSource::from).collect(),
            transitions: played.joins,
            captured: played.captured,
        }
    }
}

impl From<&Source> for PieceSource {
    fn from(source: &Source) -> Self {
        Self::whole(source.clip, source.frames, source.at)
    }
}

impl PieceSource {
    /// All of the body, by itself.
    pub fn whole(clip: ClipId, frames: Range32, at: u64) -> Self {
        Self {
            clip,
            frames,
            at,
            weight: 1.0,
            chains: Vec::new(),
        }
    }

    /// Whether frames are more this clip's than any other's: what they are compared with.
    pub(crate) fn is_main(&self) -> bool {
        self.weight > 0.5 && self.chains.is_empty()
    }
}
