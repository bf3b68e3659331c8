//! The sample performer's motion under random conventions gives the same library: one skeleton per
//! body, the same contacts and types, and a graph.

use afoot_core::{Clip, JointId};
use afoot_fixtures::{Convention, Folder};
use afoot_formats::Format;
use afoot_library::{ImportOptions, Library, import_files};
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
        let convention = Convention::random(seed);
        let ending = match convention.format {
            Format::Bvh => "bvh",
            Format::Gltf => "glb",
            _ => continue, // not every build of this crate reads FBX
        };
        let found = imported(
            &folder,
            &format!("c{seed}"),
            &convention.write(&plain),
            ending,
        );
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
