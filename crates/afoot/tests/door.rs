//! Requests as programs make them: plain data in, plain data out, one outcome, events on the way.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use afoot::{
    AnyFile, BuildGraph, Cancel, Crowd, Drive, Edit, Event, ExportLabels, Failure, FailureKind,
    FilesBelow, Follow, Hint, Import, Judge, Label, Library, List, MotionFile, MotionHeader,
    MotionInput, MotionPiece, Output, Reach, Rename, Request, Run, Sink, Stretch, VerifyLabels,
    Wander, Wish, Workspace, WriteSamples,
};
use afoot_core::{Clip, FrameId};
use afoot_fixtures::Folder;
use afoot_formats::{WriteOptions, write_bvh};
use serde_json::{Value, json};

const WALKS: [&str; 4] = ["walk", "walk_turn_left", "walk_circle_left", "walk_slalom"];

/// A library of walks with their graph.
fn walks(folder: &Folder) -> Library {
    let bvh = folder.file("bvh");
    let only = WALKS.map(String::from).to_vec();
    let samples = WriteSamples { only }.run(&bvh, &Run::quiet());
    assert_eq!(samples.unwrap().len(), WALKS.len());
    let import = Import {
        paths: vec![bvh.into()],
        mirror: true,
        ..Import::default()
    };
    let path = folder.file("walks.afoot");
    let (library, report) = import.run_into(path, &Run::quiet()).unwrap();
    assert_eq!(report.clips.len(), 2 * WALKS.len());
    BuildGraph::default().run(&library, &Run::quiet()).unwrap();
    library
}

fn bend() -> Follow {
    Follow {
        path: json!({"points": [[0, 0], [0, 2], [1, 4]]}).into(),
        ..Follow::default()
    }
}

#[test]
fn a_motion_is_the_same_in_memory_and_in_a_file_and_is_told_as_it_is_made() {
    let folder = Folder::new("door-follow");
    let library = walks(&folder);
    let pieces = Arc::new(Mutex::new(0));
    let (heard, frames) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&pieces));
    let counter = Arc::clone(&heard);
    let run = Run::watched(move |event| match event {
        Event::Progress(progress) => {
            assert!(progress.done <= progress.total);
            counter.fetch_add(1, Ordering::Relaxed);
        }
        Event::Partial(part) => {
            *frames.lock().unwrap() += part.get::<MotionPiece>().unwrap().clip.len();
        }
        Event::Note(_) | Event::Warning(_) => {}
    });
    let made = library.make(&bend(), &run).unwrap();
    assert_eq!(*pieces.lock().unwrap(), made.clip.len());
    assert!(heard.load(Ordering::Relaxed) > 0);

    let file = folder.file("walk.bvh");
    let output = Output {
        also: vec![folder.file("walk.glb")],
        ..Output::to(&file)
    };
    let delivered = library.deliver(&bend(), &output, &run).unwrap();
    assert_eq!(delivered.quality.frames, made.clip.len());
    assert_eq!(delivered.sources, made.account.sources);
    assert!(file.exists() && folder.file("walk.glb").exists());
    let told = json!(delivered);
    for field in ["quality", "sources", "path_m", "switches"] {
        assert!(!told[field].is_null(), "{field}: {told}");
    }
}

#[test]
fn a_held_library_is_ready_until_its_file_changes() {
    let folder = Folder::new("door-held");
    let library = walks(&folder);
    let run = Run::quiet();
    let first = library.ready_graph(&run).unwrap();
    assert!(Arc::ptr_eq(&first, &library.ready_graph(&run).unwrap()));
    List::default().run(&library, &run).unwrap();
    assert!(Arc::ptr_eq(&first, &library.ready_graph(&run).unwrap()));

    let label = Label {
        clip: "walk".into(),
        label: "calm".into(),
        ..Label::default()
    };
    label.run(&library, &run).unwrap();
    let second = library.ready_graph(&run).unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    let calm = Wander {
        seconds: 2.0,
        labels: vec!["nobody".into()],
        ..Wander::default()
    };
    let failure = library.make(&calm, &run).unwrap_err();
    assert!(failure.message.contains("calm"), "{failure}");
}

fn check(failed: Result<impl Sized, Failure>, kind: FailureKind, hint: Option<&Hint>) {
    let failure = failed.err().unwrap();
    assert_eq!(
        (failure.kind, failure.hint.as_ref()),
        (kind, hint),
        "{failure}"
    );
    assert!(
        !failure.to_string().contains("--"),
        "an option in {failure}"
    );
    let told = serde_json::to_value(&failure).unwrap();
    assert_eq!(serde_json::from_value::<Failure>(told).unwrap(), failure);
}

#[test]
fn there_are_four_ways_to_fail_and_hints_are_data() {
    let folder = Folder::new("door-failures");
    let library = walks(&folder);
    let run = Run::quiet();
    let swim = Follow {
        labels: vec!["swim".into()],
        ..bend()
    };
    check(library.make(&swim, &run), FailureKind::BadRequest, None);
    let output = Output::to(folder.file("walk.docx"));
    check(
        library.deliver(&bend(), &output, &run),
        FailureKind::BadRequest,
        None,
    );
    let early = Reach {
        clip: "walk[0..20]".into(),
        at: [1.0, 1.0],
        ..Reach::default()
    };
    let failed = library.make(&early, &run);
    let hint = failed
        .as_ref()
        .err()
        .and_then(|failure| failure.hint.clone());
    assert!(matches!(hint, Some(Hint::LaterPart { .. })), "{hint:?}");
    check(failed, FailureKind::NoMotion, hint.as_ref());
    let empty = Library::create(folder.file("empty.afoot")).unwrap();
    check(
        BuildGraph::default().run(&empty, &run),
        FailureKind::NoMotion,
        Some(&Hint::ImportClips),
    );
    let (from, to) = (1e300, 1e300);
    let beyond = Edit {
        input: MotionInput::Clip("walk[10..40]".into()),
        trim: Some(Stretch { from, to }),
        ..Edit::default()
    };
    let failed = Workspace::from(&library).make(&beyond, &run);
    check(failed, FailureKind::BadRequest, None);
    let cancel = Cancel::default();
    cancel.stop();
    let stopped = Run::quiet().with_cancel(cancel);
    let file = folder.file("stopped.bvh");
    check(
        library.deliver(&bend(), &Output::to(&file), &stopped),
        FailureKind::Cancelled,
        None,
    );
    assert!(!file.exists());
    check(
        Library::open(folder.file("nobody.afoot")),
        FailureKind::BadRequest,
        None,
    );
}

#[test]
fn steered_and_crowding_figures_tell_where_their_frames_come_from() {
    let folder = Folder::new("door-sources");
    let library = walks(&folder);
    let run = Run::quiet();
    let drive = Drive {
        steer: [(0.0, 0.0), (2.0, 90.0), (4.0, 180.0)]
            .map(|(at, degrees)| Wish {
                at,
                degrees,
                label: None,
            })
            .to_vec(),
        seconds: 6.0,
        ..Drive::default()
    };
    let output = Output::to(folder.file("drive.bvh"));
    let driven = library.deliver(&drive, &output, &run).unwrap();
    let world = json!({"bounds": [[0, 0], [9, 9]], "radius": 0.25});
    let crowd = Crowd {
        world: world.into(),
        count: 2,
        seconds: 4.0,
        ..Crowd::default()
    };
    let made = crowd.run(&library, folder.file("crowd"), &run).unwrap();
    let walkers = made.characters.iter();
    let all = walkers.map(|one| (&one.quality, &one.sources));
    for (quality, sources) in all.chain([(&driven.quality, &driven.sources)]) {
        let share = quality.source_share.unwrap();
        assert!(share <= 1.0, "{share}");
        // Frames are those of their sources: of others knees would be off by tens of degrees.
        let knees = quality.knee_change_deg.unwrap();
        assert!(knees < 3.0, "{knees}");
        assert!(quality.transitions.unwrap() > 0);
        let played: f64 = sources.iter().map(|source| source.to - source.from).sum();
        assert!((played - quality.seconds).abs() < 0.01, "{played}");
        let in_order = |pair: &[afoot::SourceStretch]| pair[0].at < pair[1].at;
        assert!(sources.windows(2).all(in_order));
    }
}

#[test]
fn requests_are_read_from_json_and_left_out_fields_have_their_defaults() {
    let follow: Follow =
        serde_json::from_value(json!({"path": "circle.json", "as": ["walk"]})).unwrap();
    assert_eq!(follow.labels, ["walk"]);
    assert!(!follow.closed);
    let empty = || Value::Object(serde_json::Map::new());
    assert_eq!(
        serde_json::from_value::<Import>(empty()).unwrap(),
        Import::default()
    );
    assert_eq!(
        serde_json::from_value::<BuildGraph>(empty()).unwrap(),
        BuildGraph::default()
    );
    let told = serde_json::to_value(Drive::default()).unwrap();
    assert_eq!(
        serde_json::from_value::<Drive>(told).unwrap(),
        Drive::default()
    );
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new("door-threads");
    let library = walks(&folder);
    let wander = Wander {
        seconds: 5.0,
        ..Wander::default()
    };
    let made = [1, 3].map(|threads| {
        let run = Run::quiet().with_threads(NonZeroUsize::new(threads).unwrap());
        library.make(&wander, &run).unwrap().clip
    });
    assert_eq!(made[0], made[1]);
}

/// What a page would be sent.
#[derive(Default)]
struct Stream {
    begun: Option<u64>,
    sent: u64,
    names: Vec<String>,
}

impl Sink for Stream {
    fn begin(&mut self, header: &MotionHeader) -> Result<(), Failure> {
        self.begun = Some(header.frames);
        let first = afoot::ClipId(0);
        self.names.push(header.clips.name(first).into());
        Ok(())
    }

    fn push(&mut self, piece: MotionPiece) -> Result<(), Failure> {
        self.sent += piece.clip.len() as u64;
        Ok(())
    }
}

#[test]
fn a_surface_takes_motion_as_it_is_made() {
    let folder = Folder::new("door-stream");
    let library = walks(&folder);
    let mut stream = Stream::default();
    let streamed = library.stream(&bend(), &mut stream, &Run::quiet()).unwrap();
    assert_eq!(stream.begun, Some(stream.sent));
    assert!(stream.sent > 30 && streamed.account.captured <= stream.sent);
    assert_eq!(stream.names.len(), 1);
}

#[test]
fn what_says_that_it_changes_no_library_changes_none() {
    let folder = Folder::new("door-changes");
    let library = walks(&folder);
    let said = |library: &Library| {
        let labels = folder.file("labels.json");
        let export = ExportLabels::default();
        export.run(library, &labels, &Run::quiet()).unwrap();
        let listed = List::default().run(library, &Run::quiet()).unwrap();
        let labels = std::fs::read_to_string(labels).unwrap();
        format!("{} {labels}", serde_json::to_string(&listed).unwrap())
    };
    let label = Label {
        clip: "walk".into(),
        label: "wave".into(),
        to: Some(1.0),
        ..Label::default()
    };
    label.run(&library, &Run::quiet()).unwrap();
    let before = said(&library);
    let verify = VerifyLabels {
        clips: vec!["walk".into()],
        labels: vec!["wave".into()],
    };
    let request = Request::from(verify);
    assert!(request.changes_library());
    request
        .run(Workspace::from(&library), Value::Null, &Run::quiet())
        .unwrap();
    assert_ne!(said(&library), before, "what is verified is said");
    let before = said(&library);
    for request in Request::all()
        .into_iter()
        .filter(|ask| !ask.changes_library())
    {
        let to = json!({"file": folder.file("any.out"), "folder": folder.file("any")});
        for to in [to, json!({"file": folder.file("any.bvh")}), Value::Null] {
            let _ = request.run(Workspace::from(&library), to, &Run::quiet());
        }
        assert_eq!(said(&library), before, "{}", request.name());
    }
}

#[test]
fn any_request_is_read_from_json_and_answered_as_json() {
    let folder = Folder::new("door-request");
    let library = walks(&folder);
    let run = Run::quiet();
    let ask = |asked: Value, to: Value| {
        let request = Request::read(asked)?;
        request.run(Workspace::from(&library), to, &run)
    };
    let listed = ask(json!({"ask": "list", "type": "walk"}), Value::Null).unwrap();
    assert!(listed["clips"].as_array().unwrap().len() > 2, "{listed}");
    let file = folder.file("asked.bvh");
    let path = json!({"points": [[0, 0], [0, 2]]});
    let asked = json!({"ask": "follow", "path": path, "moving": {"facing": "any"}});
    let walked = ask(asked.clone(), json!({"file": file})).unwrap();
    assert!(walked["quality"]["path_max_m"].is_number() && file.exists());
    // Without a place for the motion there is nothing to write it to.
    assert_eq!(
        ask(asked, Value::Null).unwrap_err().kind,
        FailureKind::BadRequest
    );

    let wrong = [
        (json!({"ask": "folow"}), "did you mean \"follow\"?"),
        (
            json!({"ask": "follow", "close": true}),
            "did you mean \"closed\"?",
        ),
        (
            json!({"ask": "follow", "labels": ["walk"]}),
            "expected one of as, closed,",
        ),
        (
            json!({"ask": "follow", "moving": {"facng": "any"}}),
            "did you mean \"facing\"?",
        ),
        (
            json!({"ask": "follow", "file": "/etc/passwd"}),
            "\"file\" is not known",
        ),
        (
            json!({"ask": "wander", "seconds": "long"}),
            "wander: invalid type",
        ),
        (json!({}), "expected one of import,"),
    ];
    for (asked, expected) in wrong {
        let failure = Request::read(asked).unwrap_err();
        assert!(failure.message.contains(expected), "{failure}");
        assert_eq!(failure.kind, FailureKind::BadRequest);
    }
    assert!(serde_json::from_value::<Follow>(json!({"labels": ["walk"]})).is_err());
    let no_folder = ask(json!({"ask": "crowd"}), Value::Null).unwrap_err();
    assert!(no_folder.message.contains("`folder`"), "{no_folder}");
    let schema = ask(json!({"ask": "schema", "name": "world"}), Value::Null).unwrap();
    assert_eq!(schema["required"], json!(["bounds"]), "{schema}");
    let page = folder.file("both.html");
    let played = json!({"ask": "player_page", "captured": ["walk"], "made": [file]});
    let played = ask(played, json!({"file": page})).unwrap();
    assert_eq!(played["figures"], json!(["walk", "asked"]));
    assert!(page.exists());
    for request in Request::all() {
        let told = serde_json::to_value(&request).unwrap();
        assert_eq!(Request::read(told).unwrap(), request);
    }
}

#[test]
fn what_is_sent_reads_no_file_but_those_that_are_shared() {
    let folder = Folder::new("door-shared");
    let library = walks(&folder);
    std::fs::write(
        folder.file("secret.json"),
        r#"{"points": [[0, 0], [0, 1]]}"#,
    )
    .unwrap();
    std::fs::create_dir(folder.file("shared")).unwrap();
    std::fs::write(
        folder.file("shared/path.json"),
        r#"{"points": [[0, 0], [0, 1]]}"#,
    )
    .unwrap();
    let library = library.with_files(FilesBelow(folder.file("shared")));
    let follow = |name: &str| {
        let asked = json!({"ask": "follow", "path": name});
        let Ok(Request::Follow(follow)) = Request::read(asked) else {
            panic!("a follow was asked for");
        };
        library.make(&follow, &Run::quiet())
    };
    assert!(follow("path.json").is_ok());
    let secret = folder.file("secret.json");
    for name in ["../secret.json", secret.to_str().unwrap()] {
        assert_eq!(
            follow(name).unwrap_err().kind,
            FailureKind::BadRequest,
            "{name}"
        );
    }
    let import = Import {
        paths: vec!["../bvh".into()],
        ..Import::default()
    };
    assert!(import.run(&library, &Run::quiet()).is_err());
    for name in ["new.bvh", "rig.bvh"] {
        std::fs::copy(
            folder.file("bvh/walk.bvh"),
            folder.file("shared").join(name),
        )
        .unwrap();
    }
    std::fs::write(folder.file("shared/broken.bvh"), "HIERARCHY nonsense").unwrap();
    let onto = |retarget: &str| {
        let import = Import {
            paths: vec!["new.bvh".into()],
            retarget: Some(retarget.into()),
            ..Import::default()
        };
        import.run(&library, &Run::quiet())
    };
    let outside = folder.file("bvh/walk.bvh");
    for name in ["../bvh/walk.bvh", outside.to_str().unwrap()] {
        let failure = onto(name).unwrap_err();
        assert!(failure.message.contains("no skeleton"), "{failure}");
    }
    let broken = onto("broken.bvh").unwrap_err();
    assert!(broken.to_string().contains("broken.bvh"), "{broken}");
    assert!(!broken.message.contains("no skeleton"), "{broken}");
    assert!(onto("rig.bvh").is_ok());
}

#[test]
fn a_pattern_is_renamed_by_letters() {
    let folder = Folder::new("door-rename");
    let library = walks(&folder);
    let rename = |clip: &str, name: &str| {
        let (clip, name) = (clip.into(), name.into());
        Rename { clip, name }.run(&library, &Run::quiet()).unwrap()
    };
    rename("walk", "gähn");
    assert_eq!(rename("g?h*", "y*"), [["gähn", "yn"]]);
}

#[test]
fn many_ask_at_once_and_no_journal_is_left() {
    let folder = Folder::new("door-many");
    let library = walks(&folder);
    let run = Run::quiet();
    let graphs: Vec<_> = std::thread::scope(|scope| {
        let ask = || scope.spawn(|| library.ready_graph(&run).unwrap());
        let asked = [ask(), ask(), ask()];
        asked.map(|one| one.join().unwrap()).to_vec()
    });
    assert!(graphs.iter().all(|graph| Arc::ptr_eq(graph, &graphs[0])));
    let label = |label: &str| Label {
        clip: "walk".into(),
        label: label.into(),
        ..Label::default()
    };
    List::default().run(&library, &run).unwrap();
    label("calm").run(&library, &run).unwrap();
    List::default().run(&library, &run).unwrap();
    label("slow").run(&library, &run).unwrap();
    drop(library);
    let journal = folder.file("walks.afoot-wal");
    let left = std::fs::metadata(journal).map_or(0, |facts| facts.len());
    assert_eq!(left, 0, "all is in the file itself");
}

#[test]
fn what_programs_say_of_a_clip_at_once_is_all_kept() {
    let folder = Folder::new("door-at-once");
    drop(walks(&folder));
    let file = folder.file("walks.afoot");
    let labels: Vec<String> = (0..8).map(|number| format!("said{number}")).collect();
    std::thread::scope(|scope| {
        for label in &labels {
            let file = &file;
            scope.spawn(move || {
                let library = Library::open(file).unwrap();
                let said = Label {
                    clip: "walk".into(),
                    label: label.clone(),
                    ..Label::default()
                };
                said.run(&library, &Run::quiet()).unwrap();
            });
        }
    });
    let library = Library::open(&file).unwrap();
    let listed = List::default().run(&library, &Run::quiet()).unwrap();
    let told = serde_json::to_value(&listed).unwrap();
    let walk = told["clips"].as_array().unwrap().iter();
    let walk = walk.clone().find(|clip| clip["name"] == "walk").unwrap();
    assert_eq!(walk["labels"], json!(labels), "{walk}");
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_link_in_the_place_of_tables_neither_holds_nor_is_written_through() {
    let folder = Folder::new("door-tables");
    let library = walks(&folder);
    let whole = library.make(&bend(), &Run::quiet()).unwrap().clip;
    drop(library);
    let (tables, victim) = (folder.file("walks.afoot-ready"), folder.file("precious"));
    std::fs::write(&victim, "precious").unwrap();
    for pipe in [true, false] {
        std::fs::remove_file(&tables).unwrap();
        match pipe {
            true => assert!(
                std::process::Command::new("mkfifo")
                    .arg(&tables)
                    .status()
                    .unwrap()
                    .success()
            ),
            false => std::os::unix::fs::symlink(&victim, &tables).unwrap(),
        }
        let library = Library::open(folder.file("walks.afoot")).unwrap();
        assert_eq!(
            library.make(&bend(), &Run::quiet()).unwrap().clip,
            whole,
            "pipe: {pipe}"
        );
        assert!(tables.symlink_metadata().unwrap().is_file());
    }
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
}

#[test]
fn what_was_damaged_is_made_again_and_told() {
    let folder = Folder::new("door-damaged");
    let library = walks(&folder);
    let whole = library.make(&bend(), &Run::quiet()).unwrap().clip;
    drop(library);
    let tables = folder.file("walks.afoot-ready");
    let mut bytes = std::fs::read(&tables).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::remove_file(&tables).unwrap();
    std::fs::write(&tables, bytes).unwrap();
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&warnings);
    let run = Run::watched(move |event| {
        if let Event::Warning(words) = event {
            heard.lock().unwrap().push(words.clone());
        }
    });
    let library = Library::open(folder.file("walks.afoot")).unwrap();
    assert_eq!(library.make(&bend(), &run).unwrap().clip, whole);
    let warnings = warnings.lock().unwrap();
    assert!(
        warnings.iter().any(|words| words.contains("made again")),
        "{warnings:?}"
    );
    drop(library);
    let mended = Library::open(folder.file("walks.afoot")).unwrap();
    mended.make(&bend(), &Run::quiet()).unwrap();
}

#[test]
fn a_file_that_is_none_is_a_bad_request() {
    let folder = Folder::new("door-bad-file");
    let file = folder.file("walk.bvh");
    std::fs::write(&file, "HIERARCHY\nno").unwrap();
    let clean = afoot::Clean {
        input: afoot::MotionFile::new(&file),
        ..afoot::Clean::default()
    };
    let output = Output::to(folder.file("out.bvh"));
    let failed = Workspace::from(&AnyFile).deliver(&clean, &output, &Run::quiet());
    check(failed, FailureKind::BadRequest, None);
}

#[test]
fn a_captured_clip_is_known_and_what_was_changed_of_it_is_judged_as_made() {
    let folder = Folder::new("door-captured");
    let library = walks(&folder);
    let clip = library.clip("walk").unwrap();
    let judged = |changed: &Clip, name: &str| {
        let file = folder.file(name);
        let written = write_bvh(changed, &WriteOptions::default()).unwrap();
        std::fs::write(&file, written.bytes).unwrap();
        let input = MotionFile {
            file: file.into(),
            ..MotionFile::default()
        };
        let judge = Judge {
            input,
            ..Judge::default()
        };
        judge.run(&library, &Run::quiet()).unwrap().quality
    };
    let same = judged(&clip, "same.bvh");
    assert_eq!(same.captured_as.as_deref(), Some("walk"));
    // All of it slides sideways at 10 cm/s: every frame's joints are the captured ones.
    let mut sliding = clip.clone();
    for (frame, root) in sliding.root.iter_mut().enumerate() {
        root.x += 0.1 * frame as f32 / 30.0;
    }
    // One frame in the middle jumps aside by 3 cm.
    let mut jumping = clip.clone();
    jumping.root[clip.len() / 2].x += 0.03;
    // A part of it: nothing says what was cut, and why.
    let mut part = Clip::empty("part", Arc::clone(&clip.skeleton), clip.rate);
    (10..clip.len()).for_each(|frame| part.push_pose(&clip.pose(FrameId::from(frame))));
    for (changed, name) in [(&sliding, "sliding.bvh"), (&jumping, "jumping.bvh")] {
        let quality = judged(changed, name);
        assert_eq!(quality.captured_as, None, "{name}");
        assert!(quality.broken(false).count() > 0, "{name}");
    }
    assert_eq!(judged(&part, "part.bvh").captured_as, None);
}
