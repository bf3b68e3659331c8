//! `drive`.

use afoot_fixtures::note_skip;

use crate::quality::check_quality;
use crate::support::with_graph;

#[test]
fn a_figure_goes_where_it_is_steered() {
    let bench = with_graph("drive");
    let drive = |more: &str| {
        bench.json(&format!(
            "drive lib.afoot --seconds 12 --steer 0:0 --steer 6:180 {more}"
        ))
    };
    let told = drive("--reaction -o one.bvh");
    check_quality(&told["quality"]);
    assert!(told["reaction_s"]["wishes"].as_u64().unwrap() > 5, "{told}");
    let told = drive("-o two.bvh");
    assert!(told.get("reaction_s").is_none(), "only where asked for");
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    assert!(
        read("one.bvh") == read("two.bvh"),
        "the same wishes give the same motion"
    );

    // Root z is the third number of a row: towards +z for six seconds, then back.
    let motion = read("one.bvh");
    let rows: Vec<&str> = motion
        .lines()
        .skip_while(|line| !line.starts_with("Frame Time"))
        .collect();
    let z = |frame: usize| -> f64 {
        rows[1 + frame]
            .split_whitespace()
            .nth(2)
            .unwrap()
            .parse()
            .unwrap()
    };
    assert!(z(179) - z(0) > 300.0, "from {} to {} cm", z(0), z(179));
    assert!(z(359) - z(230) < -200.0, "from {} to {} cm", z(230), z(359));

    let message = bench.fails(1, "drive lib.afoot --seconds 2 --stride 3 -o x.bvh");
    assert!(message.contains("0.05 to 2"), "{message}");
    let message = bench.fails(1, "drive lib.afoot --seconds 2 --steer 0:0:fly -o x.bvh");
    assert!(message.contains("fly"), "{message}");
    let message = bench.fails(1, "drive lib.afoot --seconds 2 --steer north -o x.bvh");
    assert!(message.contains("north"), "{message}");
}

#[test]
fn a_wish_holds_from_its_time_on_and_ahead_is_where_one_goes_before_it() {
    let bench = with_graph("drive-later");
    bench.json("drive lib.afoot --seconds 8 --steer 4:90 -o later.bvh");
    let [start, turn, end] = [0, 119, 239].map(|frame| root(&bench, "later.bvh", frame));
    let ahead = [turn[0] - start[0], turn[2] - start[2]];
    assert!(
        ahead[1] > 150.0 && ahead[1] > 2.0 * ahead[0].abs(),
        "{ahead:?} cm in four seconds"
    );
    let aside = [end[0] - turn[0], end[2] - turn[2]];
    assert!(aside[0] > 150.0, "{aside:?} cm in four more");
}

/// The root in a row of a file, in centimetres.
fn root(bench: &crate::support::Bench, file: &str, frame: usize) -> [f64; 3] {
    let motion = std::fs::read_to_string(bench.path(file)).unwrap();
    let mut rows = motion
        .lines()
        .skip_while(|line| !line.starts_with("Frame Time"));
    let row = rows.nth(1 + frame).unwrap();
    let numbers: Vec<f64> = row
        .split_whitespace()
        .take(3)
        .map(|number| number.parse().unwrap())
        .collect();
    [numbers[0], numbers[1], numbers[2]]
}

#[test]
fn steps_are_changed_as_they_are_steered() {
    let bench = with_graph("drive_steps");
    let drive = |more: &str| {
        bench.json(&format!("drive lib.afoot --seconds 6 --steer 0:0 {more}"));
    };
    drive("-o own.bvh");
    drive("--stride 0.7 --lift 1.5 -o short.bvh");
    drive("--incline 8 -o up.bvh");
    let gone = |file: &str| {
        let [from, to] = [0, 179].map(|frame| root(&bench, file, frame));
        (to[0] - from[0]).hypot(to[2] - from[2])
    };
    let share = gone("short.bvh") / gone("own.bvh");
    assert!((share - 0.7).abs() < 0.06, "{share} times as far");
    let [from, to] = [60, 179].map(|frame| root(&bench, "up.bvh", frame));
    let rise = (to[1] - from[1]) / (to[0] - from[0]).hypot(to[2] - from[2]);
    assert!(
        (rise - 8f64.to_radians().tan()).abs() < 0.04,
        "rises by {rise} a metre"
    );
}

#[test]
fn live_steering_without_a_terminal_says_so() {
    let bench = crate::support::with_walk("live_alone");
    let message = bench.fails(1, "drive lib.afoot --live");
    assert!(message.contains("needs a terminal"), "{message}");
    bench.fails(2, "drive lib.afoot --live --seconds 3");
    bench.fails(2, "drive lib.afoot");
}

/// Runs the program in a terminal of its own, types into it, and prints what it showed.
const TERMINAL: &str = r#"
import fcntl, os, pty, select, struct, sys, termios, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
shown, begun, typed = b"", None, 0
keys = [(0.4, b"d"), (2.4, b"w"), (4.4, b"+"), (5.0, b"\x1b[D"), (7.0, b" "), (7.4, b"q")]
end = time.time() + 120
while time.time() < end:
    if select.select([terminal], [], [], 0.05)[0]:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    if begun is None and b"frames/s" in shown:
        begun = time.time()
    if begun and typed < len(keys) and time.time() - begun > keys[typed][0]:
        os.write(terminal, keys[typed][1])
        typed += 1
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(status))
"#;

#[test]
fn a_figure_is_steered_from_the_keyboard() {
    let bench = with_graph("live");
    let python = std::process::Command::new("python3")
        .args(["-c", TERMINAL, env!("CARGO_BIN_EXE_afoot"), "drive"])
        .arg(bench.path("lib.afoot"))
        .arg("--live")
        .output();
    let Ok(output) = python else {
        note_skip("no python3 here, which makes a terminal for the test");
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{shown}");
    assert!(shown.contains("W A S D or arrows"), "{shown}");
    let dots = |c: char| ('\u{2801}'..='\u{28ff}').contains(&c);
    assert!(
        shown.chars().filter(|&c| dots(c)).count() > 1000,
        "figure and plan"
    );
    assert!(shown.contains("time ×1.5"), "the speed was raised");
    assert!(shown.contains("paused"));
    let (_, after) = shown
        .rsplit_once("\x1b[?1049l")
        .expect("the terminal is given back");
    assert!(
        after.contains("calls of") && after.contains("a new direction took"),
        "{after}"
    );
}
