//! Import of files that the tests write themselves.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use afoot_core::{Clip, FrameRate, Locomotion, Quat, Vec3};
use afoot_formats::{WriteOptions, write_motion};
use afoot_library::{ImportOptions, ImportReport, Library, LibraryError, import_files};
use afoot_run::{Cancel, Run};
use support::{Folder, clip, largest_distance};

fn write(folder: &Folder, name: &str, clip: &Clip) -> PathBuf {
    let path = folder.file(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    write_motion(&path, clip, &WriteOptions::default()).unwrap();
    path
}

fn walk(frames: usize, seed: u32) -> Clip {
    let mut walk = clip("walk", frames, seed);
    walk.sliding.clear();
    walk
}

fn library(folder: &Folder) -> Library {
    Library::create(&folder.file("lib.afoot")).unwrap()
}

fn import(library: &mut Library, path: &Path, options: &ImportOptions) -> ImportReport {
    import_files(library, &[path.into()], options, &Run::quiet()).unwrap()
}

fn names(report: &ImportReport) -> Vec<&str> {
    report.clips.iter().map(|clip| clip.name.as_str()).collect()
}

#[test]
fn bad_files_are_reported_and_keep_no_other_out() {
    let folder = Folder::new("bad-files");
    write(&folder, "in/b.bvh", &walk(60, 1));
    write(&folder, "in/deep/a.bvh", &walk(60, 2));
    fs::write(folder.file("in/broken.bvh"), "HIERARCHY\nROOT Hips {").unwrap();
    fs::write(folder.file("in/empty.bvh"), "").unwrap();
    fs::write(folder.file("in/notes.txt"), "no motion").unwrap();
    fs::write(folder.file("in/.hidden.bvh"), "no motion").unwrap();
    let mut library = library(&folder);
    let report = import(&mut library, &folder.file("in"), &ImportOptions::default());
    assert_eq!(names(&report), ["b", "a"]);
    let failed: Vec<bool> = report
        .failed
        .iter()
        .map(|f| f.error.contains(&f.path))
        .collect();
    assert_eq!(failed, [true, true], "{:?}", report.failed);
    let missing = import(
        &mut library,
        &folder.file("nowhere.bvh"),
        &ImportOptions::default(),
    );
    assert_eq!(missing.failed.len(), 1);
}

#[test]
fn names_come_from_files_and_stay_unique() {
    let folder = Folder::new("file-names");
    write(&folder, "in/1/walk.bvh", &walk(60, 1));
    write(&folder, "in/2/walk.bvh", &walk(60, 2));
    write(&folder, "in/3/walk.bvh", &walk(60, 1));
    write(&folder, "in/4/odd [1], x.bvh", &walk(60, 1));
    let mut library = library(&folder);
    let report = import(&mut library, &folder.file("in"), &ImportOptions::default());
    assert_eq!(names(&report), ["walk", "walk_2", "odd _1__ x"]);
    assert_eq!(report.skipped.len(), 1);
    assert!(report.skipped[0].path.contains("3"), "{:?}", report.skipped);
    assert!(
        report.clips[2]
            .warnings
            .contains(&"the same motion as walk".into())
    );
}

/// A `.glb` file with two animations, of those names.
fn write_takes(folder: &Folder, name: &str, clip: &Clip, takes: [&str; 2]) -> PathBuf {
    let glb = afoot_formats::write_glb(clip);
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let animation = json["animations"][0].clone();
    json["animations"] = takes
        .map(|take| {
            let mut named = animation.clone();
            named["name"] = take.into();
            named
        })
        .to_vec()
        .into();
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = glb[..12].to_vec();
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(&glb[16..20]);
    out.extend(&text);
    out.extend(&glb[20 + length..]);
    let size = out.len() as u32;
    out[8..12].copy_from_slice(&size.to_le_bytes());
    let path = folder.file(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, out).unwrap();
    path
}

#[test]
fn animations_of_one_name_in_several_files_are_named_after_both() {
    let folder = Folder::new("same-takes");
    let first = write_takes(&folder, "in/ann.glb", &walk(60, 1), ["Idle", "Step"]);
    write_takes(&folder, "in/ben.glb", &walk(60, 2), ["Idle", "Run"]);
    let third = write_takes(&folder, "later/cleo.glb", &walk(60, 3), ["Idle", "Run"]);
    let mut library = library(&folder);
    let options = ImportOptions::default();
    let report = import(&mut library, &folder.file("in"), &options);
    assert_eq!(names(&report), ["ann_Idle", "Step", "ben_Idle", "Run"]);
    // Into a library that has one of that name.
    let report = import(&mut library, &third, &options);
    assert_eq!(names(&report), ["Idle", "cleo_Run"]);
    // Known again, alone and together, under whatever name.
    for again in [first, folder.file("in"), folder.file("later")] {
        let report = import(&mut library, &again, &options);
        assert_eq!(names(&report), Vec::<&str>::new(), "{}", again.display());
        assert!(!report.skipped.is_empty());
    }
}

#[test]
fn what_is_asked_for_is_done() {
    let folder = Folder::new("asked");
    let path = write(&folder, "walk.bvh", &walk(120, 1));
    let mut library = library(&folder);
    let mut options = ImportOptions {
        rate: FrameRate::new(20, 1),
        source_rate: FrameRate::new(40, 1),
        labels: vec!["sneak".into(), "quiet".into()],
        mirror: true,
        ..ImportOptions::default()
    };
    options.faults.drop_first = Some(20);
    let report = import(&mut library, &path, &options);
    assert_eq!(names(&report), ["walk", "walk_mirror"]);
    let clip = &report.clips[0];
    assert_eq!((clip.frames, clip.fps, clip.source_fps), (50, 20.0, 40.0));
    assert_eq!(clip.repairs, ["as asked: frames 0 to 19 left out"]);
    let entry = library.entry("walk_mirror").unwrap();
    assert_eq!(entry.label_names(), ["quiet", "sneak"]);
    assert_eq!(entry.facts.mirror_of.as_deref(), Some("walk"));
    let stored = library.clip("walk").unwrap();
    assert_eq!((stored.contacts.len(), stored.types.len()), (50, 50));
    assert!(
        clip.warnings[0].starts_with("no floor"),
        "its feet never rest: {clip:?}"
    );
}

#[test]
fn faults_are_left_when_nothing_is_to_be_repaired() {
    let folder = Folder::new("as-is");
    let mut spoilt = walk(300, 1);
    spoilt.rate = FrameRate::new(120, 1).unwrap();
    let joints = spoilt.joint_count();
    spoilt.rotations[150 * joints + 9] *= Quat::from_rotation_x(2.0);
    let path = write(&folder, "spoilt.bvh", &spoilt);
    let mut library = library(&folder);
    let mut options = ImportOptions {
        rate: None,
        ..ImportOptions::default()
    };
    options.faults.repair = false;
    let report = import(&mut library, &path, &options);
    assert_eq!(report.clips[0].repairs, [""; 0]);
    assert!(
        report.clips[0].warnings[0].ends_with("frame 150 left as is"),
        "{report:?}"
    );
    let stored = library.clip("spoilt").unwrap();
    assert!(largest_distance(&stored, &spoilt) < 1e-4);
    options.faults.repair = true;
    let report = import(&mut library, &path, &options);
    assert!(
        report.clips[0].repairs[0].ends_with("frame 150 bridged"),
        "{report:?}"
    );
    assert_eq!(report.clips[0].findings[0].kind, "spike");
}

#[test]
fn a_rate_learnt_before_serves_later_clips_of_the_same_skeleton() {
    let folder = Folder::new("learnt");
    let mut jump = walk(240, 1);
    jump.rate = FrameRate::new(120, 1).unwrap();
    for (frame, root) in jump.root.iter_mut().enumerate() {
        // At the true 60 frames a second the body flies for half a second, then stands as long.
        let time = (frame as f32 / 60.0) % 1.0;
        let height = if time < 0.5 {
            0.5 * 9.81 * time * (0.5 - time)
        } else {
            0.0
        };
        // It sways, as bodies do: who stood still to the last digit would be frozen.
        *root = Vec3::new(0.002 * (3.0 * time).sin(), 0.9 + height, 0.0);
    }
    jump.rotations.fill(Quat::IDENTITY);
    let stroll = Clip {
        rate: jump.rate,
        ..walk(240, 2)
    };
    let jump = write(&folder, "jump.bvh", &body_of(&jump));
    let stroll = write(&folder, "stroll.bvh", &body_of(&stroll));
    let mut library = library(&folder);
    let options = ImportOptions::default();
    assert_eq!(
        import(&mut library, &jump, &options).clips[0].source_fps,
        60.0
    );
    let report = import(&mut library, &stroll, &options);
    assert_eq!(report.clips[0].source_fps, 60.0, "{report:?}");
    assert!(report.clips[0].repairs[0].contains("1 clip of the same skeleton"));
    assert!(report.clips[0].warnings[0].contains("inferred"));
}

/// The clip on a skeleton with enough of a body to have a centre of mass.
fn body_of(clip: &Clip) -> Clip {
    let mut joints = clip.skeleton.joints().to_vec();
    joints.push(afoot_core::Joint::new(
        "Neck",
        Some(afoot_core::JointId(9)),
        Vec3::Y * 0.35,
    ));
    let skeleton = afoot_core::Skeleton::new(joints, clip.skeleton.end_sites().to_vec()).unwrap();
    let frames = clip.rotations.chunks_exact(clip.joint_count());
    let longer = |frame: &[Quat]| [frame, &[Quat::IDENTITY]].concat();
    Clip {
        skeleton: skeleton.with_recognised_roles().into(),
        rotations: frames.flat_map(longer).collect(),
        ..clip.clone()
    }
}

#[test]
fn an_interrupted_import_leaves_the_library_as_it_was() {
    let folder = Folder::new("interrupted");
    for number in 0..6 {
        write(&folder, &format!("in/{number}.bvh"), &walk(60, number));
    }
    let mut library = library(&folder);
    for limit in [0, 3, 7, 11] {
        let cancel = Cancel::default();
        let (flag, steps) = (cancel.clone(), AtomicUsize::new(0));
        let stop = Run::watched(move |_| {
            if steps.fetch_add(1, Ordering::SeqCst) >= limit {
                flag.stop();
            }
        })
        .with_cancel(cancel);
        let paths = [folder.file("in")];
        let stopped = import_files(&mut library, &paths, &ImportOptions::default(), &stop);
        assert!(
            matches!(stopped, Err(LibraryError::Stopped(_))),
            "after {limit} steps"
        );
        assert_eq!(library.clips().unwrap(), []);
    }
    let report = import(&mut library, &folder.file("in"), &ImportOptions::default());
    assert_eq!(report.clips.len(), 6);
}

#[test]
fn memory_and_threads_do_not_change_the_result() {
    let folder = Folder::new("threads");
    for number in 0..40 {
        write(
            &folder,
            &format!("in/{number}.bvh"),
            &walk(60 + number as usize, number),
        );
    }
    let run = |name: &str, threads: usize, memory: u64| {
        let mut library = Library::create(&folder.file(name)).unwrap();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let options = ImportOptions {
            memory,
            mirror: true,
            ..ImportOptions::default()
        };
        let report = pool.install(|| import(&mut library, &folder.file("in"), &options));
        (
            report,
            library.clips().unwrap(),
            library.load_all().unwrap(),
        )
    };
    let one = run("one.afoot", 1, 1 << 30);
    assert_eq!(one.1.len(), 80);
    assert!(
        one == run("many.afoot", 4, 1 << 30),
        "another number of threads"
    );
    assert!(one == run("twice.afoot", 2, 0), "files read twice");
}

#[test]
fn an_empty_capture_is_refused() {
    let folder = Folder::new("never-tracked");
    let mut never = walk(20, 1);
    never.root.fill(Vec3::ZERO);
    never.rotations.fill(Quat::IDENTITY);
    let path = write(&folder, "never.bvh", &never);
    let mut library = library(&folder);
    let report = import(&mut library, &path, &ImportOptions::default());
    assert!(
        report.failed[0].error.contains("never tracked"),
        "{report:?}"
    );
}

/// Runs drawn in place with three frames a step, and blows that no body could strike.
#[test]
fn a_game_packs_runs_are_runs_and_its_keyed_blows_keep_their_frames() {
    let Some(file) = afoot_fixtures::foreign_file("kaykit_Knight.glb") else {
        return;
    };
    for root_motion in [false, true] {
        let folder = Folder::new("game-pack");
        let mut library = library(&folder);
        let options = ImportOptions {
            root_motion,
            ..ImportOptions::default()
        };
        let report = import(&mut library, &file, &options);
        assert_eq!((report.clips.len(), report.failed.len()), (76, 0));
        for (name, kind) in [
            ("Running_", Locomotion::Run),
            ("Walking_", Locomotion::Walk),
        ] {
            let gaits = report
                .clips
                .iter()
                .filter(|clip| clip.name.starts_with(name));
            for gait in gaits {
                let clip = library.clip(&gait.name).unwrap();
                assert!(clip.types.iter().all(|own| *own == kind), "{}", gait.name);
            }
        }
        for clip in report.clips.iter().map(|clip| clip.name.as_str()) {
            let flies = library
                .clip(clip)
                .unwrap()
                .types
                .contains(&Locomotion::Jump);
            let leaps = [
                "Jump_Full_Long",
                "Jump_Full_Short",
                "Jump_Land",
                "Jump_Start",
            ];
            let stays = ["Block", "Death_A", "Lie_Down", "Throw"];
            assert!(flies || !leaps.contains(&clip), "{clip} is no jump");
            assert!(!flies || !stays.contains(&clip), "{clip} is a jump");
        }
        for clip in &report.clips {
            let floor = library.clip(&clip.name).unwrap().ground;
            let told = clip.warnings.iter().any(|words| words.contains("no floor"));
            assert!(
                floor.is_none() == told,
                "{}: {:?}",
                clip.name,
                clip.warnings
            );
        }
        let blow = library.clip("1H_Melee_Attack_Slice_Horizontal").unwrap();
        assert_eq!(blow.len(), 33);
        for clip in &report.clips {
            let faults = library.clip(&clip.name).unwrap().faults;
            assert!(faults.is_empty(), "{}: {faults:?}", clip.name);
        }
    }
}

#[test]
fn a_walk_in_place_has_the_floor_of_its_steps() {
    let Some(file) = afoot_fixtures::foreign_file("kh_CesiumMan.glb") else {
        return;
    };
    let folder = Folder::new("cesium");
    let floor = |root_motion: bool| {
        let mut library = Library::create(&folder.file(&format!("{root_motion}.afoot"))).unwrap();
        let options = ImportOptions {
            root_motion,
            ..ImportOptions::default()
        };
        import(&mut library, &file, &options);
        let ground = library.clip("kh_CesiumMan").unwrap().ground.unwrap();
        ground.height
    };
    // In place feet rest at their turning points alone, 6 cm too high.
    let [in_place, on_its_path] = [floor(false), floor(true)];
    assert!(
        (in_place - on_its_path).abs() < 0.01,
        "{in_place} {on_its_path}"
    );
}
