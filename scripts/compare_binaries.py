#!/usr/bin/env python3
"""Runs the same commands with two binaries and lists every difference in what comes out.

Usage: compare_binaries.py OLD NEW [--only sample|loco|loco200]... [--folder DIR] [--library NAME=FILE]...

For reshapings that are to change nothing. Each binary works in a folder of its own, on sample motion and, where
AFOOT_CMU names their folder, on the captured sets `loco` and `loco200`; seeds are fixed. Compared are exit
status, messages, JSON without times, and the bytes of all files but libraries, whose content the commands tell.
--library takes a library that was made before instead of importing a set (it is copied). Exit status 1: differences.
"""

import argparse
import difflib
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

TIMES = {"compute_seconds", "realtime", "worst_call_ms", "worst_call_with_interruptions_ms", "prepared_s", "searched_s"}
"""Fields that no two runs share; `seconds` too where it is a table of stages or stands beside one of `WORK`."""

WORK = {"filter", "expanded", "culled_states", "iteration", "support_vectors", "review", "sequences", "found"}
"""What took time: a story's filter, a search, a graph, a model, clusters, what was looked for."""

TIME_WORDS = [
    (r"(<td[^>]*>)\d+(</td></tr>)", r"\1_\2"),  # last column of the demo's table
    (r"\d+ times real time", "_ times real time"),
    (r"times real time +[\d.]+", "times real time _"),
    (r"work +[\d.]+ s", "work _ s"),
    (r"in [\d.]+ s of work", "in _ s of work"),
    (r"(mean error [\d.]+ cm; )[\d.]+ s", r"\1_ s"),
    (r"longest call .*", "longest call _"),
]
"""The same in words."""

LABELS = {"run": "running", "run_turn": "running", "jump": "jump", "sneak": "sneak", "styles142": "styles",
          "martial": "martial"}
"""Groups of captured clips that get a label."""

SAMPLE = """
demo demo
new empty.afoot
import walks.afoot demo/bvh/walk.bvh demo/bvh/walk_turn_left.bvh demo/bvh/walk_slalom.bvh --mirror --label calm
import some.afoot demo/bvh --fps 60 --as-is
list demo/sample.afoot
list demo/sample.afoot --type walk --min-share 0.75
show demo/sample.afoot
show demo/sample.afoot walk --picture sheet.png --plot curves.png
rename some.afoot walk stroll
remove some.afoot run
label some.afoot stroll calm --from 0.5 --to 1.5
label some.afoot stroll sneak --not
labels export some.afoot labels.json
labels import walks.afoot labels.json
list some.afoot --label calm
export demo/sample.afoot walk[0.5s..2.5s] -o part.bvh --picture part.png
export demo/sample.afoot walk -o walk.glb
export demo/sample.afoot walk[10..60] -o walk.amc --unit m
convert part.bvh -o part.glb
clean demo/bvh/walk.bvh -o clean.bvh
judge clean.bvh --library demo/sample.afoot
graph walks.afoot --auto --plot trade.png --preview worst.png
graph walks.afoot --threshold 6 --pair walk,walk=8 --min-clip 0.2 --preview worst.bvh
matrix demo/sample.afoot walk walk_turn_left -o matrix.png --threshold 6
tiles plan walks.afoot --threshold 4 -o plan.json --size 128
tiles run walks.afoot --plan plan.json -o pieces
tiles merge walks.afoot --plan plan.json --results pieces
follow demo/sample.afoot --path circle.json -o circle.bvh --picture circle.png --plan-picture plan.png
follow demo/sample.afoot --path wave.svg --as walk -o wave.glb --seed 7
follow demo/sample.afoot --path sections.json -o sections.amc
follow demo/sample.afoot --path circle.json --closed --exact-source --start walk@0.5 -o exact.bvh
judge circle.bvh --library demo/sample.afoot --path circle.json
reach demo/sample.afoot walk_slalom --at -2,5 --heading -30 --from 1,0,45 -o reach.bvh --plan-picture reach.png
reach demo/sample.afoot run --at 3,3 --as walk -o reach.glb
wander demo/sample.afoot --seconds 20 -o wander.bvh --seed 3
drive demo/sample.afoot --steer 0:0 --steer 3:90 --steer 6:180:walk --seconds 8 -o drive.bvh --picture drive.png
crowd demo/sample.afoot --world world.json --count 4 --seconds 8 -o crowd
crowd demo/sample.afoot --world world.json --count 2 --seconds 6 --onto demo/bvh/run.bvh -o crowd_onto
import ways.afoot demo/bvh/walk.bvh demo/bvh/walk_turn_left.bvh demo/bvh/walk_sharp_left.bvh demo/bvh/start.bvh demo/bvh/stop.bvh --mirror
follow ways.afoot --world world.json --from 2,2 --to 7,7 -o through.bvh
follow ways.afoot --world world.json --from 2,2 --to 5,5 -o no.bvh
crowd ways.afoot --world world.json --count 2 --seconds 6 --embedded -o embedded
survey ways.afoot --world world.json --samples 50 --cell 0.4 --yaw 30 --edit 40 -o survey
plan ways.afoot --task task.json --expansions 100000 -o planned.bvh --plan-picture planned.png
perform demo/sample.afoot --score score.json --iterations 8 -o performed.bvh --plan-picture performed.png
stride demo/sample.afoot walk --stride 1.2 --to-stand 3 -o longer.bvh
stride demo/sample.afoot walk --stairs 0.15,0.35 -o stairs.bvh
stride demo/sample.afoot walk --incline -8 --lift 1.5 --radius 4 -o downhill.glb
graft demo/sample.afoot walk wave_walking --chains arms -o grafted.bvh
graft demo/sample.afoot jump_up hop --chains upper --in-step time-warp -o hopped.bvh
graft walks.afoot --all --accept-above 0.9
clusters walks.afoot --error 12 --reach
transitions demo/sample.afoot walk run --count 3
loops demo/sample.afoot walk --count 3
like walks.afoot walk[0.5s..1.6s]
join demo/sample.afoot walk run sneak -o joined.bvh
loop demo/sample.afoot walk --cycles 3 -o looped.bvh
edit demo/bvh/walk.bvh --trim 1..3 --loop-seam -o cycle.bvh
edit demo/bvh/walk.bvh --to 1,4,30 --time 1:1.5 -o there.bvh
export demo/sample.afoot walk -o walk_again.glb --onto walk.glb
label walks.afoot walk calm --from 0.5 --to 2
label walks.afoot walk_slalom calm --not
learn walks.afoot --label calm --review 3
list nobody.afoot
show demo/sample.afoot nobody
graph empty.afoot
follow demo/sample.afoot --path circle.json --as swim -o no.bvh
follow demo/sample.afoot --path circle.json -o no.docx
reach demo/sample.afoot walk --at 1 -o no.bvh
wander demo/sample.afoot --seconds 0 -o no.bvh
drive demo/sample.afoot --steer x --seconds 5 -o no.bvh
crowd demo/sample.afoot --world circle.json --count 2 --seconds 5 -o no
"""

WORDS = """
list demo/sample.afoot
show demo/sample.afoot
show demo/sample.afoot jump_up
judge circle.bvh --library demo/sample.afoot --path circle.json
clean demo/bvh/run.bvh -o clean.glb
graph walks.afoot --threshold 6
wander demo/sample.afoot --seconds 5 -o words.bvh
drive demo/sample.afoot --steer 0:45 --seconds 3 -o words.bvh
crowd demo/sample.afoot --world world.json --count 2 --seconds 3 -o crowd
follow --help
"""

CAPTURED = """
list SET.afoot
show SET.afoot
graph SET.afoot --threshold CM
matrix SET.afoot 16_15 16_16 -o SET_matrix.png
follow SET.afoot --path circle.json -o SET_circle.bvh
follow SET.afoot --path circle.json --as walk -o SET_walk.glb --seed 5
follow SET.afoot --path sections.json -o SET_sections.bvh
reach SET.afoot 16_01 --at 2,4 -o SET_reach.bvh
wander SET.afoot --seconds 30 -o SET_wander.bvh
drive SET.afoot --steer 0:0 --steer 3:90 --seconds 8 -o SET_drive.bvh
crowd SET.afoot --world world.json --count 3 --seconds 6 --as walk -o SET_crowd
"""

THRESHOLDS = {"loco": 10, "loco200": 6}
"""Thresholds at which the sets' graphs are usual. [cm]"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--only", action="append", choices=["sample", "loco", "loco200"])
    parser.add_argument("--folder", type=pathlib.Path, help="keep what is made there")
    parser.add_argument("--library", action="append", default=[], metavar="NAME=FILE")
    asked = parser.parse_args()
    folder = asked.folder or pathlib.Path(tempfile.mkdtemp(prefix="afoot-compare-"))
    kept = dict(word.split("=", 1) for word in asked.library)
    chapters = asked.only or ["sample", "loco", "loco200"]
    commands = [command for name in chapters for command in chapter(name, kept)]
    benches = [Bench(binary.resolve(), folder / side, kept) for binary, side in [(asked.old, "old"), (asked.new, "new")]]
    total = sum(compare(command, *benches) for command in commands)
    total += compare_files(*benches)
    spent = [bench.seconds for bench in benches]
    print(f"{len(commands)} commands, {total} differences; {spent[0]:.1f} s and {spent[1]:.1f} s")
    if not asked.folder:
        shutil.rmtree(folder)
    return 1 if total else 0


def chapter(name: str, kept: dict[str, str]) -> list[list[str]]:
    """The commands of a chapter, as words."""
    if name == "sample":
        told = [line.split() + ["--json"] for line in lines(SAMPLE)]
        return told + [line.split() for line in lines(WORDS)]
    commands = [] if name in kept else imports(name)
    if name in kept or commands:
        text = CAPTURED.replace("SET", name).replace("CM", str(THRESHOLDS[name]))
        commands += [line.split() + ["--json"] for line in lines(text)]
    return commands


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def imports(name: str) -> list[list[str]]:
    """One import for each group of a captured set; none where it is missing."""
    folder = pathlib.Path(os.environ.get("AFOOT_CMU", ""))
    if not (folder / "sets.json").is_file():
        print(f"skipped {name}: AFOOT_CMU names no folder with captured motion")
        return []
    loco = json.loads((folder / "sets.json").read_text())["sets"]["loco"]
    wanted = set(loco["files"] if name == "loco" else loco["subsets"][name]["files"])
    commands = []
    for group, clips in loco["groups"].items():
        files = [str(folder / "bvh" / f"{clip}.bvh") for clip in clips if clip in wanted]
        label = ["--label", LABELS[group]] if group in LABELS else []
        target = ["--retarget", "16_15"] if commands else []
        if files:
            commands.append(["import", f"{name}.afoot", *files, *label, *target, "--json"])
    return commands


class Bench:
    """A binary and the folder that it works in."""

    def __init__(self, binary: pathlib.Path, folder: pathlib.Path, kept: dict[str, str]):
        self.binary, self.folder, self.seconds = binary, folder, 0.0
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, file in kept.items():
            shutil.copy(file, folder / f"{name}.afoot")
        write_requests(folder)

    def run(self, command: list[str]) -> dict:
        begun = time.monotonic()
        # Under one name, which help and messages show.
        words = ["afoot", *command]
        ended = subprocess.run(words, executable=self.binary, cwd=self.folder, capture_output=True, text=True)
        self.seconds += time.monotonic() - begun
        return {"status": ended.returncode, "out": timeless(ended.stdout), "messages": timeless(ended.stderr)}

    def files(self) -> dict[str, pathlib.Path]:
        found = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        return {str(path.relative_to(self.folder)): path for path in found if ".afoot" not in path.name}


def write_requests(folder: pathlib.Path) -> None:
    """The paths, the world, the task and the score that the commands name."""
    turn = [step * math.tau / 120 for step in range(121)]
    circle = [[2.5 * math.cos(angle), 2.5 * math.sin(angle)] for angle in turn]
    line = [[0.1 * step, 0.05 * step] for step in range(101)]
    sections = [{"to": 5.0, "as": ["walk"]}, {"as": ["run"]}]
    world = {"bounds": [[0, 0], [10, 10]], "obstacles": [{"circle": [5, 5, 1]}], "radius": 0.25}
    write = lambda name, value: (folder / name).write_text(json.dumps(value))
    write("circle.json", {"points": circle})
    write("sections.json", {"points": line, "sections": sections})
    write("world.json", world)
    write("task.json", {"start": {"x": 0, "z": 0, "yaw": 0}, "goal": {"x": 1.5, "z": 4}})
    paint = lambda label, start, end: {"label": label, "from": start, "to": end, "want": True}
    write("score.json", {"seconds": 8, "paint": [paint("run", 0, 4), paint("jump", 4.5, 6)]})
    curve = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M 0 0 C 3 0 3 4 6 4 S 9 0 12 0"/></svg>'
    (folder / "wave.svg").write_text(curve)


def timeless(text: str):
    """A JSON object without times, or lines of words without them."""
    try:
        return without_times(json.loads(text))
    except ValueError:
        for pattern, replaced in TIME_WORDS:
            text = re.sub(pattern, replaced, text)
        return text.splitlines()


def without_times(value):
    if isinstance(value, list):
        return [without_times(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    timed = lambda name, inner: name in TIMES or (name == "seconds" and (isinstance(inner, dict) or WORK & value.keys()))
    return {name: without_times(inner) for name, inner in value.items() if not timed(name, inner)}


def compare(command: list[str], old: Bench, new: Bench) -> int:
    """Runs a command with both; prints and counts the differences."""
    told = [bench.run(command) for bench in (old, new)]
    found = list(differences(*told))
    if found:
        print(" ".join(command)[:160])
        for words in found:
            print(f"    {words}")
    return len(found)


def differences(old, new, place: str = ""):
    """What differs between two values, a line each."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys([*old, *new]):
            inner = f"{place}.{name}" if place else name
            if name not in new:
                yield f"{inner} is gone: was {short(old[name])}"
            elif name not in old:
                yield f"{inner} is new: {short(new[name])}"
            else:
                yield from differences(old[name], new[name], inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new)):
            yield from differences(*pair, f"{place}[{index}]")
    elif are_lines(old) and are_lines(new):
        changed = (line for line in difflib.ndiff(old, new) if line[0] in "+-")
        yield from (f"{place}: {line}" for line in changed)
    elif old != new:
        yield f"{place}: {short(old)} -> {short(new)}"


def are_lines(value) -> bool:
    return isinstance(value, list) and all(isinstance(line, str) for line in value)


def short(value) -> str:
    text = json.dumps(value)
    return text if len(text) < 200 else f"{text[:200]}..."


def compare_files(old: Bench, new: Bench) -> int:
    """Prints and counts the files that differ."""
    files, others = old.files(), new.files()
    count = 0
    for name in dict.fromkeys([*files, *others]):
        words = None
        if name not in others or name not in files:
            words = "is gone" if name in files else "is new"
        elif not same(files[name], others[name]):
            words = "differs"
        if words:
            print(f"{name} {words}")
            count += 1
    return count


def same(a: pathlib.Path, b: pathlib.Path) -> bool:
    if a.suffix in (".json", ".html"):
        return timeless(a.read_text()) == timeless(b.read_text())
    return a.read_bytes() == b.read_bytes()


if __name__ == "__main__":
    sys.exit(main())
