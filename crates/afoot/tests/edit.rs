//! Motion changed by hand: what is asked for happens, and nothing else.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot::{
    AnyFile, Clip, Edit, Failure, FailureKind, Goal, JointKey, MotionFile, MotionInput, Output,
    RootKey, Run, Shift, Stretch, TimeMark, Workspace, WriteSamples,
};
use afoot_fixtures::Folder;
use serde_json::json;

/// A sample walk as a file, and a folder for what is made of it.
struct Bench {
    folder: Folder,
    edit: Edit,
}

fn bench(name: &str) -> Bench {
    let folder = Folder::new(name);
    let only = vec!["walk".to_owned()];
    WriteSamples { only }
        .run(folder.file(""), &Run::quiet())
        .unwrap();
    let edit = Edit {
        input: MotionInput::File(MotionFile::new(folder.file("walk.bvh"))),
        ..Edit::default()
    };
    Bench { folder, edit }
}

fn made(edit: &Edit) -> Result<Clip, Failure> {
    let made = Workspace::from(&AnyFile).make(edit, &Run::quiet())?;
    made.clip.check().unwrap();
    Ok(made.clip)
}

fn farthest(a: &Clip, b: &Clip, frames: std::ops::Range<usize>) -> f32 {
    let apart = frames.map(|frame| a.root[frame].distance(b.root[frame]));
    apart.fold(0.0, f32::max)
}

#[test]
fn a_part_is_cut_out_as_it_is() {
    let Bench { edit, folder } = bench("edit-trim");
    let whole = made(&edit).unwrap();
    let trimmed = Edit {
        trim: Some(Stretch { from: 1.0, to: 2.5 }),
        ..edit
    };
    let part = made(&trimmed).unwrap();
    assert_eq!(part.len(), 45);
    assert_eq!(part.root, whole.root[30..75]);
    let output = Output::to(folder.file("part.bvh"));
    let delivered = Workspace::from(&AnyFile)
        .deliver(&trimmed, &output, &Run::quiet())
        .unwrap();
    let [source] = delivered.sources.as_slice() else {
        panic!("one source");
    };
    assert_eq!((source.from, source.to, source.at), (1.0, 2.5, 0.0));
    assert!(delivered.quality.hip_change_cm.unwrap() < 0.01);
    let late = Edit {
        trim: Some(Stretch { from: 2.0, to: 1.0 }),
        ..trimmed
    };
    let failure = made(&late).unwrap_err();
    assert_eq!(failure.kind, FailureKind::BadRequest);
    assert_eq!(failure.field.as_deref(), Some("trim"));
}

#[test]
fn backwards_the_last_frame_is_the_first() {
    let Bench {
        edit,
        folder: _kept,
    } = bench("edit-backwards");
    let whole = made(&edit).unwrap();
    let backwards = Edit {
        backwards: true,
        ..edit
    };
    let turned = made(&backwards).unwrap();
    assert_eq!(turned.len(), whole.len());
    for (frame, root) in turned.root.iter().enumerate() {
        assert_eq!(*root, whole.root[whole.len() - 1 - frame], "frame {frame}");
    }
}

#[test]
fn marks_happen_when_they_shall_and_what_follows_at_its_own_pace() {
    let Bench {
        edit,
        folder: _kept,
    } = bench("edit-times");
    let whole = made(&edit).unwrap();
    let mark = |at, then| TimeMark { at, then };
    let slower = Edit {
        times: vec![mark(1.0, 1.5)],
        ..edit
    };
    let made_slower = made(&slower).unwrap();
    assert_eq!(made_slower.len(), whole.len() + 15);
    assert!(made_slower.root[45].distance(whole.root[30]) < 1e-4);
    let (ends, end) = (made_slower.root.last(), whole.root.last());
    assert!(ends.unwrap().distance(*end.unwrap()) < 1e-4);
    // The first half second lies in the first 0.75 s, so that nothing is further on than at its own pace.
    assert!(made_slower.root[20].z < whole.root[20].z - 0.05);
    for times in [vec![mark(99.0, 1.0)], vec![mark(1.0, 2.0), mark(2.0, 1.0)]] {
        let wrong = Edit {
            times,
            ..slower.clone()
        };
        assert_eq!(made(&wrong).unwrap_err().kind, FailureKind::BadRequest);
    }
}

#[test]
fn a_walk_ends_where_it_is_sent_with_its_feet_on_the_floor() {
    let Bench { edit, folder } = bench("edit-to");
    let whole = made(&edit).unwrap();
    let last = *whole.root.last().unwrap();
    let goal = Goal {
        x: f64::from(last.x) + 0.4,
        z: f64::from(last.z) - 0.1,
        heading: Some(20.0),
    };
    let sent = Edit {
        to: Some(goal),
        ..edit
    };
    let output = Output::to(folder.file("sent.bvh"));
    let workspace = Workspace::from(&AnyFile);
    let delivered = workspace.deliver(&sent, &output, &Run::quiet()).unwrap();
    let there = made(&sent).unwrap();
    let end = there.root.last().unwrap();
    let off = f64::from(end.x) - goal.x;
    assert!(off.hypot(f64::from(end.z) - goal.z) < 0.02, "{end}");
    assert!(farthest(&there, &whole, 0..1) < 0.01);
    let quality = &delivered.quality;
    assert!(quality.skate_cm_s < Some(5.0) && quality.slide_mm < Some(10.0));
    let warped = delivered.details.warped.unwrap();
    assert!(
        warped.moved_m > 0.3 && warped.moved_a_metre < 0.5,
        "{warped:?}"
    );
}

#[test]
fn a_walk_is_bent_along_a_path() {
    let Bench {
        edit,
        folder: _kept,
    } = bench("edit-along");
    let whole = made(&edit).unwrap();
    let [first, last] = [whole.root[0], *whole.root.last().unwrap()];
    // To the side by a tenth of the way, which people do not notice.
    let aside = 0.1 * (last - first).length();
    let path = json!({"points": [[first.x, first.z], [last.x + aside, last.z]]});
    let along = Edit {
        along: Some(path.into()),
        ..edit
    };
    let end = *made(&along).unwrap().root.last().unwrap();
    assert!(
        (end.x - last.x - aside).abs() < 0.05,
        "{end}, not {aside} m aside of {last}"
    );
}

#[test]
fn keys_are_felt_around_their_time_alone() {
    let Bench {
        edit,
        folder: _kept,
    } = bench("edit-keys");
    let whole = made(&edit).unwrap();
    let arm = whole.skeleton.joints().iter();
    let mut arm = arm.map(|joint| joint.name.clone());
    let arm = arm.find(|name| name.contains("Arm")).unwrap();
    let keyed = Edit {
        shifts: vec![RootKey {
            at: 1.5,
            by: Shift {
                x: 0.1,
                ..Shift::default()
            },
        }],
        keys: vec![JointKey {
            at: 2.0,
            joint: arm.clone(),
            turn: [0.0, 0.0, 40.0],
        }],
        ease: 0.4,
        leave_feet: true,
        ..edit
    };
    let bent = made(&keyed).unwrap();
    assert!((bent.root[45].x - whole.root[45].x - 0.1).abs() < 1e-4);
    assert!(farthest(&bent, &whole, 0..33) < 1e-6 && farthest(&bent, &whole, 57..80) < 1e-6);
    let turned = |frame: usize| {
        let joints = whole.joint_count();
        let range = frame * joints..(frame + 1) * joints;
        let pairs = bent.rotations[range.clone()]
            .iter()
            .zip(&whole.rotations[range]);
        pairs
            .map(|(a, b)| a.angle_between(*b))
            .fold(0.0, f32::max)
            .to_degrees()
    };
    assert!((turned(60) - 40.0).abs() < 0.5, "{}", turned(60));
    assert!(turned(40) < 0.1 && turned(75) < 0.1);

    let nobody = Edit {
        keys: vec![JointKey {
            joint: "Tail".into(),
            ..JointKey::default()
        }],
        ..keyed
    };
    let failure = made(&nobody).unwrap_err();
    assert!(
        failure.message.contains("Tail") && failure.message.contains(&arm),
        "{failure}"
    );
}

#[test]
fn a_cycle_comes_back_to_its_first_pose() {
    let Bench {
        edit,
        folder: _kept,
    } = bench("edit-loop");
    let part = Edit {
        trim: Some(Stretch { from: 1.0, to: 1.9 }),
        ..edit
    };
    let looped = Edit {
        loop_seam: true,
        ease: 0.3,
        leave_feet: true,
        ..part.clone()
    };
    let gap = |clip: &Clip| {
        let joints = clip.joint_count();
        let last = &clip.rotations[clip.rotations.len() - joints..];
        let pairs = clip.rotations[..joints].iter().zip(last).skip(1);
        pairs.map(|(a, b)| a.angle_between(*b)).fold(0.0, f32::max)
    };
    let [before, after] = [gap(&made(&part).unwrap()), gap(&made(&looped).unwrap())];
    assert!(after < 0.6 * before, "{before} to {after} rad");
}

#[test]
fn the_whole_is_moved_and_turned() {
    let Bench {
        edit,
        folder: _kept,
    } = bench("edit-place");
    let whole = made(&edit).unwrap();
    let placed = Edit {
        place: Some(Shift {
            x: 2.0,
            z: 1.0,
            turn: 90.0,
        }),
        ..edit
    };
    let placed = made(&placed).unwrap();
    let way = |clip: &Clip| *clip.root.last().unwrap() - clip.root[0];
    let (before, after) = (way(&whole), way(&placed));
    assert!((placed.root[0] - whole.root[0]).x - 2.0 < 1e-4);
    assert!(
        (after.x - before.z).abs() < 1e-3 && (after.z + before.x).abs() < 1e-3,
        "{after}"
    );
}
