//! The sample performer's motion under random conventions gives the same library: one skeleton per
//! body, the same contacts and types.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_core::{Clip, JointId};
use afoot_fixtures::{Convention, Folder};
use afoot_formats::Format;
use afoot_library::{GraphRecipe, ImportOptions, Library, import_files};
use afoot_run::Run;
use afoot_sample::{SampleMotion, SampleOptions, sample_motion};

const SEEDS: u64 = 24;

fn imported(folder: &Folder, name: &str, bytes: &[u8], ending: &str) -> Clip {
    let path = folder.file(&format!("{name}.{ending}"));
    std::fs::write(&path, bytes).unwrap();
    let mut library = Library::create(&folder.file(&format!("{name}.afoot"))).unwrap();
    let options = ImportOptions::default();
    let report = import_files(&mut library, &[path], &options, &Run::quiet()).unwrap();
    assert!(report.failed.is_empty(), "{:?}", report.failed);
    library.clip(name).unwrap()
}

/// At the plain motion's rate, with it alone: so that frames can be compared one by one.
fn as_plain(convention: Convention) -> Convention {
    Convention {
        fps: 30,
        takes: false,
        ..convention
    }
}

/// The share of frames, counted from the end, that have the same in both clips.
fn same<T: PartialEq>(a: &[T], b: &[T]) -> f64 {
    let equal = a.iter().rev().zip(b.iter().rev()).filter(|(a, b)| a == b);
    equal.count() as f64 / a.len().max(b.len()) as f64
}

#[test]
fn contacts_and_types_do_not_depend_on_the_convention() {
    let folder = Folder::new("library_conventions");
    let motion = SampleMotion::WalkTurn {
        speed: 1.2,
        angle: 0.8,
        bend: 2.0,
    };
    let plain = sample_motion("plain", motion, &SampleOptions::default());
    let written = afoot_formats::write_bvh(&plain, &Default::default()).unwrap();
    let expected = imported(&folder, "plain", &written.bytes, "bvh");
    assert!(!expected.contacts.is_empty() && !expected.types.is_empty());
    for seed in 0..SEEDS {
        let convention = as_plain(Convention::random(seed));
        let ending = match convention.format {
            Format::Bvh => "bvh",
            Format::Gltf => "glb",
            _ => continue, // not every build of this crate reads FBX
        };
        let bytes = convention.write(&plain);
        let found = imported(&folder, &format!("c{seed}"), &bytes, ending);
        let (contacts, types) = (
            same(&expected.contacts, &found.contacts),
            same(&expected.types, &found.types),
        );
        assert!(
            contacts > 0.99 && types > 0.99,
            "contacts {contacts}, types {types}: {convention}"
        );
        assert!(
            found
                .skeleton
                .find(&convention.file_name_of(JointId(0)))
                .is_some()
        );
    }
}

#[test]
fn the_same_joints_in_another_order_are_one_skeleton() {
    let folder = Folder::new("one_skeleton");
    let motion = SampleMotion::Walk {
        speed: 1.2,
        length: 4.0,
    };
    let plain = sample_motion("plain", motion, &SampleOptions::default());
    let mut convention = Convention::random(1);
    convention.format = Format::Bvh;
    let mut files = Vec::new();
    for reordered in [false, true] {
        convention.reordered = reordered;
        let path = folder.file(&format!("order_{reordered}.bvh"));
        std::fs::write(&path, convention.write(&plain)).unwrap();
        files.push(path);
    }
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    import_files(
        &mut library,
        &files,
        &ImportOptions::default(),
        &Run::quiet(),
    )
    .unwrap();
    assert_eq!(library.clips().unwrap().len(), 2);
    assert_eq!(library.skeletons().unwrap().len(), 1);
}

/// A library of walks that turn, each written with `write`, and its graph.
fn graph_of(folder: &Folder, name: &str, ending: &str, write: impl Fn(&Clip) -> Vec<u8>) -> Graph {
    let mut library = Library::create(&folder.file(&format!("{name}.afoot"))).unwrap();
    let mut files = Vec::new();
    for (number, angle) in [-1.2, 0.9, 1.6].into_iter().enumerate() {
        let motion = SampleMotion::WalkTurn {
            speed: 1.2,
            angle,
            bend: 1.0,
        };
        let path = folder.file(&format!("{name}_{number}.{ending}"));
        let plain = sample_motion("plain", motion, &SampleOptions::default());
        std::fs::write(&path, write(&plain)).unwrap();
        files.push(path);
    }
    let options = ImportOptions::default();
    let report = import_files(&mut library, &files, &options, &Run::quiet()).unwrap();
    assert!(report.failed.is_empty(), "{:?}", report.failed);
    let built = library.build_graph(&GraphRecipe::default(), &Run::quiet());
    let graph = built.unwrap().0.graph;
    Graph {
        transitions: graph.transitions.len(),
        frames: graph.clips.iter().map(|clip| clip.frames as usize).sum(),
    }
}

struct Graph {
    transitions: usize,
    frames: usize,
}

#[test]
fn a_graph_does_not_depend_on_the_convention() {
    let folder = Folder::new("graph_conventions");
    let plainly = |clip: &Clip| {
        let written = afoot_formats::write_bvh(clip, &Default::default());
        written.unwrap().bytes
    };
    let expected = graph_of(&folder, "plain", "bvh", plainly);
    assert!(expected.transitions > 10, "{}", expected.transitions);
    for seed in 0..8 {
        let convention = Convention {
            t_pose_first: false,
            helpers: false, // more points on a limb weigh more in the distance
            ..as_plain(Convention::random(seed))
        };
        let ending = match convention.format {
            Format::Bvh => "bvh",
            Format::Gltf => "glb",
            _ => continue,
        };
        let name = format!("g{seed}");
        let found = graph_of(&folder, &name, ending, |clip| convention.write(clip));
        assert_eq!(found.frames, expected.frames, "{convention}");
        let off = found.transitions.abs_diff(expected.transitions) as f64;
        assert!(
            off <= 0.03 * expected.transitions as f64,
            "{} transitions, not {}: {convention}",
            found.transitions,
            expected.transitions
        );
    }
}

#[test]
fn a_walk_in_place_has_the_type_of_its_steps() {
    let folder = Folder::new("types_in_place");
    for (name, motion) in [
        (
            "walk",
            SampleMotion::Walk {
                speed: 1.07,
                length: 5.0,
            },
        ),
        (
            "run",
            SampleMotion::Run {
                speed: 3.0,
                length: 9.0,
            },
        ),
    ] {
        let mut clip = sample_motion("plain", motion, &SampleOptions::default());
        let first = clip.root[0];
        for root in &mut clip.root {
            *root = first.with_y(root.y);
        }
        let written = afoot_formats::write_bvh(&clip, &Default::default()).unwrap();
        let found = imported(&folder, name, &written.bytes, "bvh");
        let same = found.types.iter().filter(|kind| kind.name() == name);
        let share = same.count() as f64 / found.len() as f64;
        assert!(share > 0.9, "{share} of the frames are of type {name}");
    }
}
