//! Wrong input, and help.

use crate::support::{Bench, with_walk};

#[test]
fn wrong_input_gives_one_message_that_names_it() {
    let bench = with_walk("wrong");
    std::fs::write(bench.path("wrong.json"), r#"{"labels": []}"#).unwrap();
    let cases: [(i32, &str, &str); 20] = [
        (1, "list missing.afoot", "missing.afoot"),
        (1, "show lib.afoot nobody", "nobody"),
        (
            1,
            "export lib.afoot walk[9000..9001] -o x.bvh",
            "9000..9001",
        ),
        (1, "export lib.afoot walk -o x.docx", "x.docx"),
        (1, "new lib.afoot", "lib.afoot"),
        (1, "list bvh/walk.bvh", "walk.bvh"),
        (1, "convert nothing.bvh -o x.bvh", "nothing.bvh"),
        (2, "export lib.afoot", "Usage"),
        (
            1,
            "new nowhere/lib.afoot",
            "nowhere: there is no such folder",
        ),
        (1, "import lib.afoot bvh --fps -3", "--fps -3"),
        (1, "import lib.afoot bvh --label a,b", "a,b"),
        (1, "label lib.afoot walk ''", "it is empty"),
        (
            1,
            "label lib.afoot walk hop --from -1",
            "--from -1: expected s, 0 to 1000000",
        ),
        (
            1,
            "label lib.afoot walk hop --from 99",
            "no stretch of its 6.167 s",
        ),
        (
            1,
            "labels import lib.afoot wrong.json",
            "unknown field `labels`, expected one of `vocabulary`, `clips`",
        ),
        (
            1,
            "list lib.afoot --type walk --min-share 2",
            "--min-share 2",
        ),
        (
            1,
            "graph lib.afoot --threshold -1",
            "--threshold -1: expected cm, > 0",
        ),
        (
            1,
            "graph lib.afoot --auto --wanted-share 2",
            "--wanted-share 2: expected 0 to 1",
        ),
        (
            1,
            "graph lib.afoot --preview x.docx",
            "x.docx: expected a file that ends in",
        ),
        (
            1,
            "matrix lib.afoot walk walk -o x.jpg",
            "x.jpg: expected a file that ends in .png",
        ),
    ];
    for (status, command, named) in cases {
        let message = bench.fails(status, command);
        assert!(
            message.contains(named),
            "{command} said {message:?}, which does not name {named:?}"
        );
    }
    assert!(
        !bench.path("x.bvh").exists(),
        "a failed command leaves no file"
    );
}

#[test]
fn help_shows_examples() {
    let bench = Bench::new("help");
    for command in ["--help", "import --help", "follow --help"] {
        let output = bench.run(command);
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("Examples:"),
            "{command}"
        );
    }
    let completions = bench.run("completions bash");
    assert!(String::from_utf8_lossy(&completions.stdout).contains("afoot"));
}

#[test]
fn help_lists_a_seed_where_it_does_something_and_completions_are_json_where_asked() {
    let bench = Bench::new("small-words");
    let help = |command: &str| {
        let ran = bench.run(&format!("{command} --help"));
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    for command in ["wander", "follow", "drive", "survey", "crowd"] {
        assert!(help(command).contains("--seed <N>"), "{command}");
    }
    assert!(!help("list").contains("--seed"));
    let told = bench.json("completions bash");
    assert!(told["script"].as_str().unwrap().contains("afoot"), "{told}");
    let plain = bench.run("completions bash");
    assert!(String::from_utf8_lossy(&plain.stdout).starts_with("_afoot"));
}
