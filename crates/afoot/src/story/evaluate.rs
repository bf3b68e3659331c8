//! The graph of filters evaluated: what several use is made once, what does not depend on each other side by
//! side, and what was made before comes from the actor's library.
//!
//! A filter's result is known by a hash of what it depends on: what is said of it, the bytes of files, the
//! clips of the library, its actor's skeleton, the seed, and the hashes of what goes in. It is kept under
//! the script's name; what a script no longer uses is let go.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use afoot_codec::{Artefact, ContentHash, Digest};
use afoot_core::FrameRate;
use afoot_formats::{MOST_BYTES, read_file};
use afoot_run::Run;
use afoot_script::diagnostic::Diagnostic;
use afoot_script::primitives::{Field, Primitive};
use afoot_script::program::{FilterId, FilterKind, FilterNode, Program, RoleId, Setting};
use afoot_script::source::Source;
use rayon::prelude::*;
use serde::Serialize;

use super::filters::Applied;
use super::motion::Motion;
use super::studio::{Studio, failed};
use super::wardrobe::Wardrobe;
use crate::failure::Failure;
use crate::library::Library;
use crate::rounding::to_ten_thousandths;

/// Counted up when filters give other motion than before.
const VERSION: u32 = 1;

/// Motion of all filters that were wanted.
pub(crate) struct Evaluated {
    motions: BTreeMap<FilterId, Motion>,
    rate: FrameRate,
    /// Filters that were worked on, in their order.
    pub computed: Vec<FilterDone>,
    /// Filters whose motion was kept.
    pub cached: Vec<FilterDone>,
}

/// A filter that was evaluated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilterDone {
    /// Whose motion it is.
    pub actor: String,
    /// The action that it is all of, if it is.
    pub action: Option<String>,
    /// What it is: `follow`, `graft`, ...
    pub filter: &'static str,
    /// Where it is written. [1..]
    pub line: usize,
    /// [1..]
    pub column: usize,
    /// How long it took. [s]
    pub seconds: f64,
}

impl Evaluated {
    /// The motion of a filter that was wanted.
    pub fn motion(&self, filter: FilterId) -> &Motion {
        &self.motions[&filter]
    }

    /// The motion of somebody's action.
    pub fn action(&self, program: &Program, role: RoleId, action: usize) -> &Motion {
        let actor = program.cast[role.0 as usize].actor.0 as usize;
        self.motion(program.actors[actor].actions[action].filter)
    }

    /// What somebody does while he waits.
    pub fn idle(&self, program: &Program, role: RoleId) -> Option<&Motion> {
        let actor = program.cast[role.0 as usize].actor.0 as usize;
        let idle = program.actors[actor].idle?;
        Some(self.action(program, role, idle))
    }

    /// Of all motion.
    pub fn rate(&self) -> FrameRate {
        self.rate
    }
}

/// What evaluation goes by.
pub(crate) struct Evaluation<'a> {
    pub program: &'a Program,
    pub sources: &'a [Source],
    pub wardrobes: &'a [Wardrobe],
    pub studio: &'a Studio<'a>,
}

/// A filter's result, how it was come by, and how long it took. [s]
type Done = (FilterId, Motion, bool, f64);

/// Evaluates some filters and all that they need.
pub(crate) fn evaluate(
    evaluation: &Evaluation,
    wanted: &[FilterId],
    run: &Run,
) -> Result<Evaluated, Failure> {
    let needed = needed(evaluation.program, wanted);
    evaluation.make_ready(&needed, run)?;
    let hashes = evaluation.hashes(&needed, run)?;
    let mut motions: BTreeMap<FilterId, Motion> = BTreeMap::new();
    let (mut computed, mut cached) = (Vec::new(), Vec::new());
    for level in levels(evaluation.program, &needed) {
        let work = |id: &FilterId| evaluation.one(*id, &motions, &hashes, run);
        let done: Result<Vec<Done>, Failure> = level.par_iter().map(work).collect();
        for (id, motion, kept, seconds) in done? {
            if let FilterKind::Apply(primitive, _) = evaluation.filter(id).what {
                let told = evaluation.told(id, primitive, seconds);
                match kept {
                    true => cached.push((id, told)),
                    false => computed.push((id, told)),
                }
            }
            motions.insert(id, motion);
        }
        run.check()?;
        run.progress("filters", motions.len() as u64, needed.len() as u64);
    }
    let new: Vec<FilterId> = computed.iter().map(|(id, _)| *id).collect();
    evaluation.keep(&new, &motions, &hashes, run);
    computed.sort_by_key(|(id, _)| *id);
    cached.sort_by_key(|(id, _)| *id);
    let plain =
        |list: Vec<(FilterId, FilterDone)>| list.into_iter().map(|(_, told)| told).collect();
    Ok(Evaluated {
        motions,
        rate: evaluation
            .wardrobes
            .first()
            .map_or(FrameRate::FPS_30, |one| one.rate),
        computed: plain(computed),
        cached: plain(cached),
    })
}

/// Filters and all that goes into them.
fn needed(program: &Program, wanted: &[FilterId]) -> BTreeSet<FilterId> {
    let mut all = BTreeSet::new();
    let mut open = wanted.to_vec();
    while let Some(id) = open.pop() {
        if all.insert(id) {
            open.extend(&program.filters[id.0 as usize].inputs);
        }
    }
    all
}

/// Filters in groups, each of which needs only what is in those before it.
fn levels(program: &Program, needed: &BTreeSet<FilterId>) -> Vec<Vec<FilterId>> {
    let mut depth: BTreeMap<FilterId, usize> = BTreeMap::new();
    let mut levels: Vec<Vec<FilterId>> = Vec::new();
    for &id in needed {
        let inputs = program.filters[id.0 as usize].inputs.iter();
        let own = inputs.map(|input| depth[input] + 1).max().unwrap_or(0);
        depth.insert(id, own);
        levels.resize_with(levels.len().max(own + 1), Vec::new);
        levels[own].push(id);
    }
    levels
}

impl Evaluation<'_> {
    /// Filters and all that goes into them, in their order.
    pub fn needed(&self, wanted: &[FilterId]) -> BTreeSet<FilterId> {
        needed(self.program, wanted)
    }

    fn filter(&self, id: FilterId) -> &FilterNode {
        &self.program.filters[id.0 as usize]
    }

    fn actor(&self, id: FilterId) -> &Wardrobe {
        &self.wardrobes[self.filter(id).actor.0 as usize]
    }

    /// Graphs that are searched are built before anything is, one after the other: each uses all threads.
    fn make_ready(&self, needed: &BTreeSet<FilterId>, run: &Run) -> Result<(), Failure> {
        for id in needed {
            let walks = [Primitive::Follow, Primitive::Wander];
            if matches!(&self.filter(*id).what, FilterKind::Apply(own, _) if walks.contains(own))
                && let Some(library) = &self.actor(*id).library
            {
                library.ready_graph(run)?;
            }
        }
        Ok(())
    }

    fn one(
        &self,
        id: FilterId,
        motions: &BTreeMap<FilterId, Motion>,
        hashes: &BTreeMap<FilterId, ContentHash>,
        run: &Run,
    ) -> Result<Done, Failure> {
        let begun = Instant::now();
        let actor = self.actor(id);
        if let Some(library) = self.keeper(id)
            && let Some(mut kept) = self.kept(library, hashes[&id])
        {
            kept.clip.skeleton = std::sync::Arc::clone(&actor.skeleton);
            return Ok((id, kept, true, begun.elapsed().as_secs_f64()));
        }
        let filter = self.filter(id);
        let applied = Applied {
            filter,
            inputs: filter.inputs.iter().map(|input| &motions[input]).collect(),
            actor,
            studio: self.studio,
            run,
        };
        let motion = applied
            .motion()
            .map_err(|failure| self.at(filter, failure))?;
        if motion.clip.is_empty() {
            let none = Failure::no_motion("no motion comes of it");
            return Err(self.at(filter, none));
        }
        Ok((id, motion, false, begun.elapsed().as_secs_f64()))
    }

    /// Where the filter's result is kept, if it is work and its actor has a library.
    fn keeper(&self, id: FilterId) -> Option<&Library> {
        let work = match &self.filter(id).what {
            FilterKind::Apply(primitive, _) => {
                !matches!(primitive, Primitive::Save | Primitive::Display)
            }
            _ => false,
        };
        self.actor(id).library.as_deref().filter(|_| work)
    }

    /// What was kept; what can't be read is made anew.
    fn kept(&self, library: &Library, hash: ContentHash) -> Option<Motion> {
        let store = library.read().ok()?;
        store.kept(&self.recipe(hash), hash).ok()?
    }

    /// Keeps what is new and lets go of what this script no longer uses.
    fn keep(
        &self,
        new: &[FilterId],
        motions: &BTreeMap<FilterId, Motion>,
        hashes: &BTreeMap<FilterId, ContentHash>,
        run: &Run,
    ) {
        let used: BTreeSet<String> = hashes.values().map(|hash| self.recipe(*hash)).collect();
        for actor in self.wardrobes {
            let Some(library) = actor.library.as_deref() else {
                continue;
            };
            let own = |id: &&FilterId| {
                let keeper = self.keeper(**id);
                keeper.is_some_and(|keeper| std::ptr::eq(keeper, library))
                    && self.actor(**id).name == actor.name
            };
            let new: Vec<&FilterId> = new.iter().filter(own).collect();
            if new.is_empty() {
                continue;
            }
            let write = || -> Result<(), Failure> {
                let mut store = library.write()?;
                for id in new {
                    store.keep(&self.recipe(hashes[id]), hashes[id], &motions[id])?;
                }
                let script = self.recipe_start();
                store.remove_stale_artefacts(|entry| {
                    entry.kind != Motion::KIND.name
                        || !entry.options.starts_with(&script)
                        || used.contains(&entry.options)
                })?;
                Ok(())
            };
            if let Err(failure) = write() {
                run.warn(format!(
                    "motion of the story is not kept: {}",
                    failure.message
                ));
            }
        }
    }

    fn recipe_start(&self) -> String {
        let name = self.sources.first().map(|source| source.name.as_str());
        let name = std::path::Path::new(name.unwrap_or_default());
        let stem = name.file_stem().unwrap_or_default();
        format!("{}/", stem.to_string_lossy())
    }

    fn recipe(&self, hash: ContentHash) -> String {
        let hex: String = hash.0.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}{hex}", self.recipe_start())
    }

    /// What each filter depends on.
    fn hashes(
        &self,
        needed: &BTreeSet<FilterId>,
        run: &Run,
    ) -> Result<BTreeMap<FilterId, ContentHash>, Failure> {
        let mut hashes: BTreeMap<FilterId, ContentHash> = BTreeMap::new();
        for &id in needed {
            let (filter, actor) = (self.filter(id), self.actor(id));
            let mut digest = Digest::default();
            digest.add(&VERSION.to_le_bytes());
            digest.add(format!("{} {:?}", actor.rate, filter.what).as_bytes());
            digest.add(&actor.skeleton.to_bytes());
            for input in &filter.inputs {
                digest.add(&hashes[input].0);
            }
            self.add_outside(filter, actor, run.seed, &mut digest)
                .map_err(|failure| self.at(filter, failure))?;
            hashes.insert(id, digest.finish());
        }
        Ok(hashes)
    }

    /// What a filter depends on outside of the script.
    fn add_outside(
        &self,
        filter: &FilterNode,
        actor: &Wardrobe,
        seed: u64,
        digest: &mut Digest,
    ) -> Result<(), Failure> {
        let add_file = |path: &std::path::Path, digest: &mut Digest| -> Result<(), Failure> {
            let bytes = read_file(path, MOST_BYTES).map_err(|error| Failure::at(path, error))?;
            digest.add(&bytes);
            Ok(())
        };
        match &filter.what {
            FilterKind::Clip(file) => {
                for path in self.studio.files_of(&actor.files, file).map_err(failed)? {
                    add_file(&path, digest)?;
                }
            }
            FilterKind::LibraryClip(name) => {
                let entries = self.studio.listed(actor.needed_library()?)?;
                let own = entries
                    .iter()
                    .find(|entry| entry.name.eq_ignore_ascii_case(name));
                if let Some(entry) = own {
                    digest.add(&entry.capture_hash().0);
                }
            }
            FilterKind::Apply(Primitive::Graft, _) => {
                digest.add(format!("{:?}", actor.chains).as_bytes());
            }
            FilterKind::Apply(
                Primitive::Follow | Primitive::Wander | Primitive::Perform | Primitive::Plan,
                settings,
            ) => {
                let library = actor.needed_library()?;
                for entry in self.studio.listed(library)?.iter() {
                    digest.add(entry.name.as_bytes());
                    digest.add(&entry.hash().0);
                }
                if let Ok(Some(key)) = library.read()?.graph_key() {
                    digest.add(&key.0);
                }
                digest.add(&seed.to_le_bytes());
                digest.add(&[u8::from(actor.waits)]);
                let files = [Field::Path, Field::Score, Field::Task];
                for (field, setting) in settings {
                    if let (true, Setting::Text(name)) = (files.contains(field), setting) {
                        add_file(&self.studio.locate(name).map_err(failed)?, digest)?;
                    }
                }
            }
            FilterKind::Apply(..) => {}
        }
        Ok(())
    }

    fn told(&self, id: FilterId, primitive: Primitive, seconds: f64) -> FilterDone {
        let filter = self.filter(id);
        let place = self.sources[filter.span.file.0 as usize].position(filter.span.start);
        let actor = &self.program.actors[filter.actor.0 as usize];
        let action = actor.actions.iter().find(|action| action.filter == id);
        FilterDone {
            actor: actor.name.clone(),
            action: action.map(|action| action.name.clone()),
            filter: primitive.word(),
            line: place.line,
            column: place.column,
            seconds: to_ten_thousandths(seconds),
        }
    }

    /// A failure of a filter, with the line that it is written in.
    fn at(&self, filter: &FilterNode, failure: Failure) -> Failure {
        let told = Diagnostic {
            hint: failure.hint.as_ref().map(ToString::to_string),
            ..Diagnostic::error(filter.span, failure.message.clone())
        };
        let shown = told.render(self.sources);
        let shown = shown.trim_end().trim_start_matches("error: ").to_owned();
        // The hint is told in the script's place.
        Failure {
            message: shown,
            hint: None,
            ..failure
        }
    }
}
