//! Import on real captures, where they are: rates, spikes, T-poses, the way there and back.
//!
//! A listed spike counts as found if a finding of its clip has a flip of its joint, or of a joint
//! of the same event, at its frame or a neighbour. A finding is false if no spike is listed within
//! one frame of any of its flips.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use afoot_analyze::faults::{
    FaultOptions, RateEvidence, RateVerdict, Remedy, find_faults, kept_frames,
};
use afoot_core::{Clip, FrameId, Range32};
use afoot_formats::{ReadOptions, WriteOptions, read_motion, write_motion};
use afoot_library::{ImportOptions, ImportReport, Library, RetargetTo, import_files};
use afoot_run::Run;
use rayon::prelude::*;
use serde_json::Value;
use support::{Folder, cmu, largest_distance};

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn import(library: &mut Library, paths: &[PathBuf], options: &ImportOptions) -> ImportReport {
    import_files(library, paths, options, &Run::quiet()).unwrap()
}

#[test]
fn every_capture_imports_with_its_true_rate_and_its_spikes_found() {
    let Some(cmu) = cmu() else { return };
    let folder = Folder::new("captured");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    let report = import(&mut library, &[cmu.join("bvh")], &ImportOptions::default());
    assert_eq!(report.failed, []);
    assert_eq!(
        report.clips.len(),
        std::fs::read_dir(cmu.join("bvh")).unwrap().count()
    );
    check_rates(&report, &json(&cmu.join("sets.json")));
    check_spikes(&report, &json(&cmu.join("spikes.json")));
    for clip in &report.clips {
        let t_pose = clip.repairs.iter().any(|words| words.starts_with("T-pose"));
        assert!(t_pose, "{}: {:?}", clip.name, clip.repairs);
        assert!(clip.frames > 0 && clip.fps == 30.0);
    }
    assert_eq!(library.skeletons().unwrap().len(), 19);
    assert!(library.check().unwrap().is_whole());
}

fn check_rates(report: &ImportReport, sets: &Value) {
    for clip in &report.clips {
        let truth = sets["clips"][&clip.name]["fps"].as_f64().unwrap();
        assert_eq!(clip.source_fps, truth, "{}: {:?}", clip.name, clip.repairs);
    }
}

fn check_spikes(report: &ImportReport, spikes: &Value) {
    let mut listed: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    for spike in spikes.as_array().unwrap() {
        let (frame, joint) = (
            spike["frame"].as_u64().unwrap(),
            spike["joint"].as_str().unwrap(),
        );
        listed
            .entry(spike["clip"].as_str().unwrap())
            .or_default()
            .push((frame as u32, joint));
    }
    let mut false_ones = Vec::new();
    for clip in &report.clips {
        let spikes = listed.remove(clip.name.as_str()).unwrap_or_default();
        let flips: Vec<(u32, &str)> = clip
            .findings
            .iter()
            .flat_map(|finding| finding.flips.iter().map(|flip| (flip.0, flip.1.as_str())))
            .collect();
        for spike in spikes.iter() {
            assert!(flips.contains(spike), "{} lacks {spike:?}", clip.name);
        }
        for finding in clip
            .findings
            .iter()
            .filter(|finding| !finding.flips.is_empty())
        {
            let near = |frame: u32| spikes.iter().any(|spike| spike.0.abs_diff(frame) <= 1);
            if !finding.flips.iter().any(|flip| near(flip.0)) {
                false_ones.push(format!("{} {}", clip.name, finding.words));
            }
        }
    }
    assert!(listed.is_empty(), "not imported: {listed:?}");
    eprintln!("not in the list: {false_ones:#?}");
    assert!(false_ones.len() <= 5, "{false_ones:#?}");
}

#[test]
fn files_alone_tell_of_a_wrong_rate_and_no_right_one_is_halved() {
    let Some(cmu) = cmu() else { return };
    let sets = json(&cmu.join("sets.json"));
    let files: Vec<_> = std::fs::read_dir(cmu.join("bvh")).unwrap().collect();
    let verdict = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let clip = read_motion(&path, &ReadOptions::default()).unwrap().clip;
        let findings = find_faults(&clip, None, &FaultOptions::default());
        let spoilt: Vec<Range32> = findings
            .iter()
            .filter(|finding| finding.remedy != Remedy::Drop)
            .map(|finding| finding.frames)
            .collect();
        let kept = kept_frames(&clip, &findings);
        (name, RateEvidence::of(&clip, kept, &spoilt).verdict())
    };
    let verdicts: Vec<(String, RateVerdict)> = files
        .into_par_iter()
        .map(|file| verdict(file.unwrap().path()))
        .collect();
    let (mut wrong, mut told, mut false_alarms) = (0, 0, Vec::new());
    for (name, verdict) in verdicts {
        let halved = matches!(verdict, RateVerdict::TooHigh(_));
        let suspected = halved || verdict == RateVerdict::Suspicious;
        match sets["clips"][&name]["fps"].as_f64().unwrap() {
            120.0 if halved => panic!("{name} is halved"),
            120.0 if suspected => false_alarms.push(name),
            120.0 => {}
            _ => (wrong, told) = (wrong + 1, told + usize::from(suspected)),
        }
    }
    eprintln!("{told} of {wrong} wrong rates told; false alarms: {false_alarms:?}");
    assert!(told * 100 >= 70 * wrong, "{told} of {wrong}");
    assert!(false_alarms.len() <= 1, "{false_alarms:?}");
}

#[test]
fn long_faults_are_marked_and_ends_cut_off() {
    let Some(cmu) = cmu() else { return };
    let folder = Folder::new("faults");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    let paths = ["143_38", "89_06", "16_15"].map(|name| cmu.join(format!("bvh/{name}.bvh")));
    let options = ImportOptions {
        rate: None,
        source_rate: afoot_core::FrameRate::from_fps(60.0),
        ..ImportOptions::default()
    };
    import(&mut library, &paths, &options);
    let torso = library.clip("143_38").unwrap();
    assert_eq!((torso.faults.len(), &torso.faults[0]), (1, &(624..678)));
    assert_eq!(library.clip("89_06").unwrap().len(), 3749);
    let original = read_motion(&paths[2], &ReadOptions::default())
        .unwrap()
        .clip;
    let walk = library.clip("16_15").unwrap();
    assert_eq!(walk.len(), original.len() - 3);
    assert_eq!(walk.pose(FrameId(0)), original.pose(FrameId(3)));
}

#[test]
fn bvh_through_the_library_and_back_is_the_same_to_a_tenth_of_a_millimetre() {
    let Some(cmu) = cmu() else { return };
    let folder = Folder::new("there-and-back");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    let mut options = ImportOptions {
        rate: None,
        ..ImportOptions::default()
    };
    options.faults.repair = false;
    let report = import(&mut library, &[cmu.join("bvh")], &options);
    assert_eq!(report.failed, []);
    let stored = library.load_all().unwrap();
    report
        .clips
        .par_iter()
        .zip(&stored)
        .for_each(|(clip, stored)| {
            let path = cmu.join(format!("bvh/{}.bvh", clip.name));
            let original = read_motion(&path, &ReadOptions::default()).unwrap();
            let out = folder.file(&format!("{}.bvh", clip.name));
            write_motion(&out, stored, &WriteOptions::like(&original.source)).unwrap();
            let back = read_motion(&out, &ReadOptions::default()).unwrap().clip;
            check_same(&original.clip, &back, &clip.name);
            std::fs::remove_file(out).unwrap();
        });
}

fn check_same(a: &Clip, b: &Clip, name: &str) {
    assert_eq!((a.len(), a.rate), (b.len(), b.rate), "{name}");
    let distance = largest_distance(a, b);
    assert!(distance < 1e-4, "{name} is off by {distance} m");
}

#[test]
fn a_second_import_adds_nothing_and_another_rate_is_another_clip() {
    let Some(cmu) = cmu() else { return };
    let folder = Folder::new("twice");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    let paths = [cmu.join("bvh/16_15.bvh"), cmu.join("bvh/16_16.bvh")];
    let options = ImportOptions {
        mirror: true,
        ..ImportOptions::default()
    };
    assert_eq!(import(&mut library, &paths, &options).clips.len(), 4);
    let again = import(&mut library, &paths, &options);
    assert_eq!((again.clips.len(), again.skipped.len()), (0, 2));
    let options = ImportOptions {
        rate: None,
        ..ImportOptions::default()
    };
    let fine = import(&mut library, &paths, &options);
    let names: Vec<&str> = fine.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["16_15_2", "16_16_2"]);
    assert!(
        fine.clips[0]
            .warnings
            .iter()
            .any(|w| w == "the same motion as 16_15")
    );
}

#[test]
fn clips_come_onto_one_skeleton_with_their_feet_on_the_floor() {
    let Some(cmu) = cmu() else { return };
    let folder = Folder::new("retarget");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    let paths = ["16_15", "142_22"].map(|name| cmu.join(format!("bvh/{name}.bvh")));
    let options = ImportOptions {
        retarget: Some(RetargetTo::Named("16_15".into())),
        ..ImportOptions::default()
    };
    let report = import(&mut library, &paths, &options);
    assert_eq!(report.clips.len(), 2);
    assert_eq!(library.skeletons().unwrap().len(), 1);
    let missing = ImportOptions {
        retarget: Some(RetargetTo::Named("nobody".into())),
        ..ImportOptions::default()
    };
    let refused = import_files(&mut library, &paths, &missing, &Run::quiet());
    assert!(refused.unwrap_err().to_string().contains("nobody"));
}

#[test]
fn acclaim_files_find_their_skeletons() {
    let Some(cmu) = cmu() else { return };
    let folder = Folder::new("acclaim");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    let report = import(&mut library, &[cmu.join("asf")], &ImportOptions::default());
    assert_eq!(report.failed, []);
    assert_eq!(
        (report.clips.len(), library.skeletons().unwrap().len()),
        (13, 4)
    );
    assert!(report.clips.iter().all(|clip| clip.source_fps == 120.0));

    // Far from its skeleton, a file needs to be told.
    let alone = folder.file("alone.amc");
    std::fs::copy(cmu.join("asf/16_15.amc"), &alone).unwrap();
    let report = import(
        &mut library,
        std::slice::from_ref(&alone),
        &ImportOptions::default(),
    );
    assert!(report.failed[0].error.contains("asf"), "{report:?}");
    let told = [alone, cmu.join("asf/16.asf")];
    let report = import(&mut library, &told, &ImportOptions::default());
    assert_eq!(report.failed, []);
    assert!(
        report.clips[0]
            .warnings
            .contains(&"the same motion as 16_15".into()),
        "{report:?}"
    );
}
