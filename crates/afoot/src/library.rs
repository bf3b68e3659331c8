//! An opened library: its file, and what requests share of it, made once and held.
//!
//! A command line opens one for a single request; a server holds it, and the second request finds
//! the graph ready to be searched. What is held belongs to a state of the file, taken before it was
//! loaded, and is let go when the file changes, whoever changed it. Safe to share between threads: no
//! lock is held while something is made, and who asks for what another is making waits for it, and
//! can be stopped while waiting. `connections`: one connection that reads, writers by themselves.

mod connections;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use afoot_analyze::SourceStatistics;
use afoot_codec::{Artefact, ContentHash, Digest};
use afoot_core::Clip;
use afoot_library::{
    ClipEntry, ClusterRecipe, GraphStoreError, Library as Store, LibraryGraph, UseRule,
};
use afoot_limbs::stride::stand_span;
use afoot_run::Run;
use afoot_synth::perform::{FootageError, Uses};
use afoot_synth::{ControlOptions, ControlTable, Footage, Performer, Repertoire};

use self::connections::{Connections, ReadStore, WriteStore};
use crate::clustered::{Compared, Trees};
use crate::contact_graph::ContactRecipe;
use crate::failure::{Failure, FailureKind};
use crate::files::{AnyFile, Files};
use crate::requests::{LibraryContacts, Moving};

/// A motion library, open for requests.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    files: Arc<dyn Files>,
    connections: Connections,
    held: Mutex<Held>,
    made: Condvar,
}

/// A graph that is ready and the table that steers a figure through it.
#[derive(Clone, Debug)]
pub struct Steering {
    /// The graph and its clips.
    pub graph: Arc<Repertoire>,
    /// The best edges.
    pub table: Arc<ControlTable>,
}

/// What was loaded, and from which state of the file.
#[derive(Debug, Default)]
struct Held {
    stamp: Option<Stamp>,
    graph: Option<Arc<Repertoire>>,
    steering: Option<Steering>,
    /// How frames merge, with what they are compared by.
    trees: Option<(String, Trees)>,
    /// Frames as they are compared, with what by.
    compared: Option<(String, Arc<Compared>)>,
    performer: Option<Arc<Performer>>,
    /// How contacts change, with what it was built by.
    contacts: Option<(ContactRecipe, LibraryContacts)>,
    /// Whether somebody is loading or making something.
    busy: bool,
}

/// Size and time of the library's file and of its journal, if that has anything in it.
type Stamp = [Option<(u64, SystemTime)>; 2];

/// How soon somebody who waits for another's work sees that he is to stop.
const PATIENCE: Duration = Duration::from_millis(50);

impl Library {
    /// Makes an empty library.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, Failure> {
        let path = path.into();
        Store::create(&path)?;
        Ok(Self::at(path))
    }

    /// Opens a library.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Failure> {
        let library = Self::at(path.into());
        library.read()?;
        Ok(library)
    }

    /// Opens a library, or makes an empty one.
    pub fn open_or_create(path: impl Into<PathBuf>) -> Result<Self, Failure> {
        let path = path.into();
        Store::open_or_create(&path)?;
        Ok(Self::at(path))
    }

    /// The same library, whose requests may name these files alone.
    pub fn with_files(self, files: impl Files + 'static) -> Self {
        let files = Arc::new(files);
        Self { files, ..self }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files that its requests may name.
    pub fn files(&self) -> &dyn Files {
        self.files.as_ref()
    }

    /// A clip.
    pub fn clip(&self, name: &str) -> Result<Clip, Failure> {
        Ok(self.read()?.clip(name)?)
    }

    /// The graph in use, ready to be searched; built now where there is none.
    pub fn ready_graph(&self, run: &Run) -> Result<Arc<Repertoire>, Failure> {
        self.hold(run, |held| &mut held.graph, |_| self.load_graph(run))
    }

    /// The graph in use for motion that is steered, with its table; made now where there is none.
    pub fn steering(&self, run: &Run) -> Result<Steering, Failure> {
        self.ready_graph(run)?; // whoever needs no more than that need not wait for the table
        let make = |graph: Option<Arc<Repertoire>>| {
            let graph = graph.map_or_else(|| self.load_graph(run), Ok)?;
            let table = Arc::new(self.control_table(&graph, run)?);
            Ok(Steering { graph, table })
        };
        self.hold(run, |held| &mut held.steering, make)
    }

    /// How the frames of all clips merge; the tree is made where it is neither held nor kept.
    pub(crate) fn trees(&self, recipe: &ClusterRecipe, run: &Run) -> Result<Trees, Failure> {
        let key = recipe.tree_key();
        let make = |_| Ok((key.clone(), self.load_trees(recipe, run)?));
        Ok(self.hold(run, |held| held.trees_by(&key), make)?.1)
    }

    /// The frames of all clips as they are compared.
    pub(crate) fn compared(
        &self,
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<Arc<Compared>, Failure> {
        let key = recipe.tree_key();
        let make = |_| {
            let compared = self.read()?.compared_frames(recipe)?;
            Ok((key.clone(), Arc::new(compared.into())))
        };
        Ok(self.hold(run, |held| held.compared_by(&key), make)?.1)
    }

    /// The clips ready to be performed from; prepared now where that is not kept.
    pub fn performer(&self, run: &Run) -> Result<Arc<Performer>, Failure> {
        let make = |_| self.load_performer(run);
        self.hold(run, |held| &mut held.performer, make)
    }

    /// How fast the library's own clips are and how much they accelerate; `None` if it has none to tell by.
    pub fn statistics(&self) -> Result<Option<SourceStatistics>, Failure> {
        let clips = self.read()?.load_all()?;
        Ok(SourceStatistics::of_clips(
            &clips.iter().collect::<Vec<_>>(),
        ))
    }

    /// How a body of that build stands where its clips show it (`afoot_limbs::stride::stand_span`).
    pub(crate) fn stand_span(&self, body: &Clip) -> Result<Option<f32>, Failure> {
        let clips = self.read()?.load_all()?;
        let same = |clip: &&Clip| clip.skeleton.same_shape(&body.skeleton);
        Ok(stand_span(clips.iter().filter(same)))
    }

    /// Copies all of it, as it is now, into a file that must not exist.
    pub fn copy_to(&self, path: impl AsRef<Path>) -> Result<(), Failure> {
        Ok(self.read()?.copy_to(path.as_ref())?)
    }

    /// Becomes what a copy holds, all at once: what a surface undoes changes with.
    pub fn become_copy(&self, copy: impl AsRef<Path>) -> Result<(), Failure> {
        Ok(self.write()?.become_copy(copy.as_ref())?)
    }

    pub(crate) fn at(path: PathBuf) -> Self {
        Self {
            path,
            files: Arc::new(AnyFile),
            connections: Connections::default(),
            held: Mutex::default(),
            made: Condvar::new(),
        }
    }

    /// The file for a request that reads.
    pub(crate) fn read(&self) -> Result<ReadStore<'_>, Failure> {
        self.connections.read(&self.path)
    }

    /// The file for a request that writes.
    pub(crate) fn write(&self) -> Result<WriteStore<'_>, Failure> {
        self.connections.write(&self.path)
    }

    /// What is held in a place, else made, of the graph that is held if there is one, and held.
    fn hold<T: Clone>(
        &self,
        run: &Run,
        place: impl Fn(&mut Held) -> &mut Option<T>,
        make: impl FnOnce(Option<Arc<Repertoire>>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut held = self.lock();
        let (stamp, graph) = loop {
            let stamp = stamp_of(&self.path);
            held.keep_only(stamp);
            if let Some(there) = place(&mut held) {
                return Ok(there.clone());
            }
            if !held.busy {
                held.busy = true;
                break (stamp, held.graph.clone());
            }
            run.check()?;
            let waited = self.made.wait_timeout(held, PATIENCE);
            held = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(held);
        let _free = Busy(self);
        let made = make(graph)?;
        let mut held = self.lock();
        held.keep_only(stamp);
        *place(&mut held) = Some(made.clone());
        Ok(made)
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // Whoever panicked has stored nothing.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was made with `recipe` from exactly these sources. What is kept is read, so that it can be had of
    /// a library that can't be written to; only what has to be made is written.
    pub(crate) fn kept<T: Artefact>(
        &self,
        recipe: &str,
        sources: ContentHash,
        run: &Run,
        make: impl FnOnce(Option<T>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let kept = self.read()?.kept(recipe, sources)?;
        match kept {
            Some(value) => Ok(value),
            None => Ok(self.write()?.get_or_make(recipe, sources, run, make)?.value),
        }
    }

    /// The graph of contact changes of all clips, made where it is neither held nor kept.
    pub(crate) fn contact_graph(
        &self,
        recipe: &ContactRecipe,
        run: &Run,
    ) -> Result<LibraryContacts, Failure> {
        let make = |_| Ok((recipe.clone(), self.load_contacts(recipe, run)?));
        Ok(self.hold(run, |held| held.contacts_by(recipe), make)?.1)
    }

    /// The graph in use. What is kept is read; only what has to be made is written.
    fn load_graph(&self, run: &Run) -> Result<Arc<Repertoire>, Failure> {
        let mut reader = self.read()?;
        if matches!(reader.graph_key(), Ok(Some(_))) {
            match ready(&mut reader, run) {
                Err(failure) if failure.kind != FailureKind::Cancelled => {}
                ended => return Ok(Arc::new(ended?)),
            }
        }
        drop(reader);
        let mut writer = self.write()?;
        Ok(Arc::new(ready(&mut writer, run)?))
    }

    /// How frames merge. What is kept is read; only what has to be made is written.
    fn load_trees(&self, recipe: &ClusterRecipe, run: &Run) -> Result<Trees, Failure> {
        let mut reader = self.read()?;
        if reader.has_clusters(recipe)? {
            match reader.clusters(recipe, run) {
                Ok(clusters) => return Ok(clusters.into()),
                Err(GraphStoreError::Cluster(error)) => return Err(error.into()),
                Err(_) => {} // what is kept can't be read: it is made anew
            }
        }
        drop(reader);
        Ok(self.write()?.clusters(recipe, run)?.into())
    }

    /// All clips, level, and their footage, which is kept and does not depend on labels.
    fn load_performer(&self, run: &Run) -> Result<Arc<Performer>, Failure> {
        let store = self.read()?;
        let mut digest = Digest::default();
        let mut entries = store.clips()?;
        for entry in &entries {
            digest.add(&entry.capture_hash().0);
        }
        if entries.is_empty() {
            return Err(FootageError::NoClips.into());
        }
        let clips = store.clips_on_one_skeleton("performing", run)?;
        drop(store);
        let mut taken = clips.iter().map(|clip| clip.name.as_str()).peekable();
        entries.retain(|entry| taken.next_if_eq(&entry.name.as_str()).is_some());
        let make = |_| Ok(Footage::prepare(&clips, run)?);
        let footage: Footage = self.kept("performing", digest.finish(), run, make)?;
        match footage.fits(&clips) {
            true => {
                let performer = Performer::new(clips, footage);
                Ok(Arc::new(performer.using(uses_of(&entries))))
            }
            false => Err(Failure::failed("the kept footage is not of these clips")),
        }
    }

    /// The graph's table of best edges, made once and mapped from then on.
    fn control_table(&self, graph: &Repertoire, run: &Run) -> Result<ControlTable, Failure> {
        let make = || ControlTable::new(graph, &ControlOptions::default(), run);
        let Some(key) = graph.key() else {
            return Ok(make()?);
        };
        let flat = || -> Result<_, Failure> { Ok(make()?.to_tables()) };
        let tables = self
            .read()?
            .tables_of(ControlTable::TABLES, key, run, flat)?;
        Ok(ControlTable::from_tables(&tables.value)?)
    }
}

impl Steering {
    /// The same for a figure that is to move otherwise than usual; its table is not kept.
    pub(crate) fn moving(&self, moving: &Moving, run: &Run) -> Result<Self, Failure> {
        let graph = Arc::clone(&self.graph);
        let options = ControlOptions {
            preference: moving.preference(&graph)?,
            ..ControlOptions::default()
        };
        let table = Arc::new(ControlTable::new(&*graph, &options, run)?);
        Ok(Self { graph, table })
    }
}

impl Held {
    /// Lets go of what belongs to another state of the file.
    fn keep_only(&mut self, stamp: Stamp) {
        if self.stamp != Some(stamp) {
            *self = Self {
                stamp: Some(stamp),
                busy: self.busy,
                ..Self::default()
            };
        }
    }
}

impl Held {
    /// Where frames that merge by these comparisons are held; others are let go.
    fn trees_by(&mut self, key: &str) -> &mut Option<(String, Trees)> {
        self.trees.take_if(|(other, _)| other != key);
        &mut self.trees
    }

    /// Where the graph of contact changes of a recipe is held; another is let go.
    fn contacts_by(
        &mut self,
        recipe: &ContactRecipe,
    ) -> &mut Option<(ContactRecipe, LibraryContacts)> {
        self.contacts.take_if(|(other, _)| other != recipe);
        &mut self.contacts
    }

    /// Where frames that are compared like that are held; others are let go.
    fn compared_by(&mut self, key: &str) -> &mut Option<(String, Arc<Compared>)> {
        self.compared.take_if(|(other, _)| other != key);
        if let Some((_, trees)) = self.trees.as_ref().filter(|(own, _)| own == key) {
            self.compared = Some((key.into(), Arc::clone(&trees.compared)));
        }
        &mut self.compared
    }
}

/// Somebody who loads or makes something; whatever comes of it, others may then.
struct Busy<'a>(&'a Library);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.lock().busy = false;
        self.0.made.notify_all();
    }
}

/// No bias is more than so many labels missed. [hundredths]
const MOST_BIAS: i32 = 1000;

/// How frames of all clips may be used, where that is restricted.
fn uses_of(entries: &[ClipEntry]) -> Uses {
    if entries
        .iter()
        .all(|entry| entry.annotations.uses.is_empty())
    {
        return Uses::default();
    }
    let total = entries.iter().map(|entry| entry.frames as usize).sum();
    let mut uses = Uses {
        no_entry: vec![false; total],
        bias: vec![0; total],
    };
    let mut first = 0;
    for entry in entries {
        for span in &entry.annotations.uses {
            let end = span.frames.end.min(entry.frames) as usize;
            let frames = first + span.frames.start as usize..first + end;
            match span.rule {
                UseRule::Excluded => {}
                UseRule::NoEntry => uses.no_entry[frames].fill(true),
                UseRule::Bias(bias) => {
                    uses.bias[frames].fill(bias.clamp(-MOST_BIAS, MOST_BIAS) as i16)
                }
            }
        }
        first += entry.frames as usize;
    }
    uses
}

/// The graph in use as tables that are mapped, made at the first request.
fn ready(store: &mut Store, run: &Run) -> Result<Repertoire, Failure> {
    let make = |built: LibraryGraph| -> Result<_, Failure> {
        Ok(Repertoire::of_level(built.graph, built.clips)?.to_tables())
    };
    let tables = store.tables_of_graph(Repertoire::TABLES, run, make)?;
    let repertoire = Repertoire::from_tables(&tables.value)?;
    if let Some(error) = repertoire.unsettled() {
        run.warn(format!("feet stay as they were blended: {error}"));
    }
    Ok(repertoire)
}

fn stamp_of(path: &Path) -> Stamp {
    let mut journal = path.as_os_str().to_owned();
    journal.push("-wal");
    let stamp = |path: &Path| {
        let facts = std::fs::metadata(path).ok()?;
        let time = facts.modified().ok()?;
        (facts.len() > 0).then_some((facts.len(), time))
    };
    [stamp(path), stamp(Path::new(&journal))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded::Embeddable;
    use crate::requests::{Import, WriteSamples};
    use afoot_fixtures::Folder;
    use afoot_library::GraphRecipe;

    #[test]
    fn what_is_kept_is_had_without_writing() {
        let (folder, run) = (Folder::new("kept-is-read"), Run::quiet());
        let only = ["walk", "walk_turn_left"].map(String::from).to_vec();
        WriteSamples { only }.run(folder.file("bvh"), &run).unwrap();
        let import = Import {
            paths: vec![folder.file("bvh").into()],
            ..Import::default()
        };
        let path = folder.file("walks.afoot");
        import.run_into(&path, &run).unwrap();
        let ask = |library: &Library| {
            library.performer(&run).unwrap();
            let performed = library.connections.has_reader();
            let recipe = ContactRecipe::default();
            let contacts = library.contact_graph(&recipe, &run).unwrap();
            let planned = library.connections.has_reader();
            let again = library.contact_graph(&recipe, &run).unwrap();
            // What was just written has changed the file: only what was read is held.
            let held = Arc::ptr_eq(&contacts.graph, &again.graph);
            assert_eq!(held, planned, "it is held");
            let recipe = GraphRecipe {
                threshold_cm: 12.0,
                ..GraphRecipe::default()
            };
            Embeddable::new(library, &recipe, &[], &run).unwrap();
            [performed, planned, library.connections.has_reader()]
        };
        assert_eq!(ask(&Library::open(&path).unwrap()), [false; 3], "made");
        assert_eq!(ask(&Library::open(&path).unwrap()), [true; 3], "read");
    }
}
