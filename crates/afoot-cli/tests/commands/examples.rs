//! The examples of all `--help` texts: each is a command line that is understood, and those that take little time
//! are run.

use crate::support::Bench;

/// Sample clips under the names that examples use.
const CLIPS: [(&str, &str); 14] = [
    ("walk", "walk"),
    ("run", "run"),
    ("jump", "jump_up"),
    ("kick", "kick"),
    ("wave", "sit_and_rise"),
    ("16_15", "walk_arc_left"),
    ("16_16", "walk_arc_right"),
    ("16_36", "walk_circle_left"),
    ("16_03", "walk_turn_left"),
    ("16_21", "walk_slalom"),
    ("16_22", "walk_circle_right"),
    ("143_24", "pick_up_floor"),
    ("143_29", "duck"),
    ("143_25", "sneak"),
];

/// Commands whose examples are run; the others take long, wait for a person or need files of others.
const RUN: [&str; 24] = [
    "new",
    "list",
    "show",
    "export",
    "convert",
    "remove",
    "rename",
    "check",
    "schema",
    "label",
    "labels",
    "mark",
    "matrix",
    "transitions",
    "loops",
    "like",
    "follow",
    "wander",
    "loop",
    "clean",
    "edit",
    "graft",
    "judge",
    "tiles",
];

/// Examples that need what the bench has not: a file of another program, labels that were learned.
const NEEDS_MORE: [&str; 10] = [
    "143_38",
    "'*_mirror'",
    "--take Walking_A",
    "--world room.json --from",
    "--all",
    "labels confirm",
    "--score story.json",
    "--label clumsy",
    "wander lib.afoot --seconds 60",
    "--strict",
];

fn examples(bench: &Bench, command: &str) -> Vec<String> {
    let told = bench.run(&format!("{command} --help"));
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("  afoot "));
    // What stands after two blanks is said of the example.
    lines
        .map(|line| line.split("  ").next().unwrap().to_owned())
        .collect()
}

fn commands(bench: &Bench) -> Vec<String> {
    let text = String::from_utf8_lossy(&bench.run("--help").stdout).into_owned();
    let list = text
        .split("Commands:")
        .nth(1)
        .unwrap()
        .split("Options:")
        .next()
        .unwrap()
        .to_owned();
    let lines = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let named = lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    named.filter(|name| name != "help").collect()
}

/// A bench with all that examples name.
fn furnished() -> Bench {
    let names: Vec<&str> = CLIPS.iter().map(|(_, sample)| *sample).collect();
    let bench = Bench::with_samples("examples", &names);
    for (name, sample) in CLIPS {
        let to = bench.path("bvh").join(format!("{name}.bvh"));
        std::fs::rename(bench.path("bvh").join(format!("{sample}.bvh")), to).unwrap();
    }
    bench.json("import lib.afoot bvh");
    bench.json("label lib.afoot 16_15 sneak --from 1 --to 2");
    bench.json("label lib.afoot 143_25 sneak");
    bench.json("graph lib.afoot --threshold 8");
    std::fs::copy(bench.path("bvh/walk.bvh"), bench.path("walk.bvh")).unwrap();
    bench.json("convert walk.bvh -o rig.fbx");
    let sample = afoot_sample::sample_library(&Default::default());
    let hero = afoot_fixtures::hero_glb(&sample[0].skeleton);
    std::fs::write(bench.path("hero.glb"), hero).unwrap();
    let points = (0..=40)
        .map(|k| f64::from(k) * 0.1)
        .map(|a| [2.0 * a.cos(), 2.0 * a.sin()]);
    let circle = serde_json::json!({"points": points.collect::<Vec<_>>()});
    std::fs::write(bench.path("circle.json"), circle.to_string()).unwrap();
    let drawn = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 6"><path d="M 0 0 C 1 0 1 2 0 3"/><path d="M 1 3 L 3 4"/></svg>"#;
    std::fs::write(bench.path("hello.svg"), drawn).unwrap();
    std::fs::write(bench.path("plan.svg"), drawn).unwrap();
    let world = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/worlds/room.json"
    );
    std::fs::copy(world, bench.path("room.json")).unwrap();
    std::fs::write(bench.path("meeting.play"), "").unwrap();
    bench.json("labels export lib.afoot -o labels.json");
    bench.json("tiles plan lib.afoot --threshold 4 -o plan.json");
    bench.json("tiles run lib.afoot --plan plan.json -o pieces");
    bench.json("convert walk.bvh -o walk.amc");
    std::fs::copy(bench.path("lib.afoot"), bench.path("kept.afoot")).unwrap();
    bench
}

#[test]
fn every_example_of_every_help_is_understood_and_quick_ones_run() {
    let bench = furnished();
    let mut ran = 0;
    let mut wrong = Vec::new();
    for command in commands(&bench) {
        for example in examples(&bench, &command) {
            let first = example.split_whitespace().next().unwrap();
            let quick =
                RUN.contains(&first) && !NEEDS_MORE.iter().any(|part| example.contains(part));
            if !quick || example.contains(['>', '|', '&']) {
                continue;
            }
            std::fs::copy(bench.path("kept.afoot"), bench.path("lib.afoot")).unwrap();
            std::fs::copy(bench.path("bvh/walk.bvh"), bench.path("walk.bvh")).unwrap();
            if first == "new" {
                std::fs::remove_file(bench.path("lib.afoot")).unwrap();
            }
            let output = bench.run(&example.replace('\'', ""));
            ran += 1;
            // What a person asks for may not be there; what an example says must be understood.
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let code = output.status.code();
            if !matches!(code, Some(0 | 3)) {
                wrong.push(format!("afoot {example}: {code:?}: {told}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ran > 50, "{ran} examples");
}

/// Of examples that are not run too, options that there are not end with status 2 before any work.
#[test]
fn no_example_names_an_option_that_there_is_not() {
    let bench = Bench::new("example_options");
    // What `labels` and `tiles` hold say their options themselves.
    let plain = |command: &String| command != "labels" && command != "tiles";
    for command in commands(&bench).into_iter().filter(plain) {
        let help =
            String::from_utf8_lossy(&bench.run(&format!("{command} --help")).stdout).into_owned();
        let (options, shown) = help.split_once("Examples:").unwrap_or((&help, ""));
        let lines = shown.lines().filter(|line| line.starts_with("  afoot"));
        let words = lines.flat_map(|line| line.split("&&").next().unwrap().split_whitespace());
        for word in words {
            let name = word.trim_matches(['\'', ',', '.']);
            // A seed is taken by all, and said of few.
            if name.starts_with("--")
                && name != "--seed"
                && shown.contains(&format!("afoot {command} "))
            {
                let whole = shown.lines().find(|line| line.contains(word)).unwrap();
                let own = whole.trim_start().starts_with(&format!("afoot {command} "));
                assert!(!own || options.contains(name), "{command}: {whole}: {name}");
            }
        }
    }
}
