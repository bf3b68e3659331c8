//! The clips that a graph plays, level, loaded when they are played.
//!
//! In memory as they were given, or in tables, from which a clip is copied when it is first asked
//! for: a walk of a minute plays a few dozen clips of thousands. What was loaded stays.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use afoot_codec::Table;
use afoot_core::{
    Clip, ClipId, Contacts, FrameRate, Ground, LabelSpan, Locomotion, Quat, Skeleton, SlidingJoint,
    Vec3,
};
use afoot_graph::ClipSet;

/// The clips of one graph, in its order.
#[derive(Clone, Debug)]
pub(super) struct Clips {
    skeleton: Option<Arc<Skeleton>>,
    tables: Option<PoseTables>,
    loaded: Vec<OnceLock<Clip>>,
}

/// Poses of all clips, clip after clip, and what else is known of each.
#[derive(Clone, Debug)]
pub(super) struct PoseTables {
    pub(super) heads: Vec<ClipHead>,
    pub(super) root: Table<Vec3>,
    pub(super) rotations: Table<Quat>,
    /// Of the clips that have them.
    pub(super) contacts: Table<Contacts>,
    /// The same; numbers of [`Locomotion`].
    pub(super) types: Table<u8>,
}

/// A clip without its frames, and where they lie in the tables.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClipHead {
    pub(super) name: String,
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) rate: FrameRate,
    pub(super) ground: Option<Ground>,
    pub(super) labels: Vec<LabelSpan>,
    pub(super) faults: Vec<Range<u32>>,
    pub(super) sliding: Vec<SlidingJoint>,
    pub(super) frames: Range<usize>,
    pub(super) rotations: Range<usize>,
    pub(super) contacts: Range<usize>,
    pub(super) types: Range<usize>,
}

impl Clips {
    /// Of clips in memory, level.
    pub(super) fn of_clips(clips: Vec<Clip>) -> Self {
        Self {
            skeleton: clips.first().map(|clip| Arc::clone(&clip.skeleton)),
            tables: None,
            loaded: clips.into_iter().map(OnceLock::from).collect(),
        }
    }

    /// Of clips in tables; `None` if a clip does not lie whole within them.
    pub(super) fn of_tables(tables: PoseTables) -> Option<Self> {
        tables.is_whole().then(|| Self {
            skeleton: tables.heads.first().map(|head| Arc::clone(&head.skeleton)),
            loaded: tables.heads.iter().map(|_| OnceLock::new()).collect(),
            tables: Some(tables),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.loaded.len()
    }

    /// The skeleton that all share the shape of.
    pub(super) fn skeleton(&self) -> Option<&Arc<Skeleton>> {
        self.skeleton.as_ref()
    }

    /// The labels of a clip, which need no loading.
    pub(super) fn labels(&self, id: ClipId) -> &[LabelSpan] {
        match &self.tables {
            Some(tables) => &tables.heads[id.index()].labels,
            None => &self.raw(id).labels,
        }
    }

    /// The first clip whose contacts are not known: its name, how many there are, and its frames.
    pub(super) fn without_contacts(&self) -> Option<(String, usize, usize)> {
        let heads = self.tables.iter().flat_map(|tables| &tables.heads);
        let heads = heads.map(|head| (&head.name, head.contacts.len(), head.frames.len()));
        let loaded = self.loaded.iter().filter_map(OnceLock::get);
        let loaded = loaded.map(|clip| (&clip.name, clip.contacts.len(), clip.len()));
        let (name, found, expected) = heads.chain(loaded).find(|(_, found, all)| found != all)?;
        Some((name.clone(), found, expected))
    }

    /// As captured.
    pub(super) fn raw(&self, id: ClipId) -> &Clip {
        let load = || match &self.tables {
            Some(tables) => tables.load(id.index()),
            None => unreachable!("clips without tables were given in memory"),
        };
        self.loaded[id.index()].get_or_init(load)
    }
}

impl ClipSet for Clips {
    fn clip(&self, id: ClipId) -> &Clip {
        self.raw(id)
    }
}

impl PoseTables {
    /// Of clips in memory.
    pub(super) fn of_clips<'a>(clips: impl Iterator<Item = &'a Clip>) -> Self {
        let (mut root, mut rotations) = (Vec::new(), Vec::new());
        let (mut contacts, mut types, mut heads) = (Vec::new(), Vec::new(), Vec::new());
        for clip in clips {
            let head = ClipHead {
                name: clip.name.clone(),
                skeleton: Arc::clone(&clip.skeleton),
                rate: clip.rate,
                ground: clip.ground,
                labels: clip.labels.clone(),
                faults: clip.faults.clone(),
                sliding: clip.sliding.clone(),
                frames: root.len()..root.len() + clip.len(),
                rotations: rotations.len()..rotations.len() + clip.rotations.len(),
                contacts: contacts.len()..contacts.len() + clip.contacts.len(),
                types: types.len()..types.len() + clip.types.len(),
            };
            heads.push(head);
            root.extend(&clip.root);
            rotations.extend(&clip.rotations);
            contacts.extend(&clip.contacts);
            types.extend(clip.types.iter().map(|kind| *kind as u8));
        }
        Self {
            heads,
            root: root.into(),
            rotations: rotations.into(),
            contacts: contacts.into(),
            types: types.into(),
        }
    }

    fn is_whole(&self) -> bool {
        let inside = |head: &ClipHead| {
            head.frames.end <= self.root.len()
                && head.rotations.end <= self.rotations.len()
                && head.contacts.end <= self.contacts.len()
                && head.types.end <= self.types.len()
                && head.rotations.len() == head.frames.len() * head.skeleton.len()
        };
        self.heads.iter().all(inside)
    }

    fn load(&self, index: usize) -> Clip {
        let head = &self.heads[index];
        let kind = |code: &u8| Locomotion::ALL.get(usize::from(*code)).copied();
        Clip {
            name: head.name.clone(),
            skeleton: Arc::clone(&head.skeleton),
            rate: head.rate,
            root: self.root[head.frames.clone()].to_vec(),
            rotations: self.rotations[head.rotations.clone()].to_vec(),
            sliding: head.sliding.clone(),
            contacts: self.contacts[head.contacts.clone()].to_vec(),
            types: self.types[head.types.clone()]
                .iter()
                .map(|code| kind(code).unwrap_or_default())
                .collect(),
            labels: head.labels.clone(),
            ground: head.ground,
            faults: head.faults.clone(),
        }
    }
}
