#!/usr/bin/env python3
"""Gives hostile files to every command that reads one.

    scripts/hostile_files.py AFOOT MOTION_FOLDER [--count 200] [--seed 1] [--seconds 5] [--from 0]

Files are made from sound ones (BVH, AMC with ASF, GLB, glTF with its buffer, FBX, path, world, task, label, weight, terrain
and footprint JSON, SVG, role maps, plans, scripts, libraries and their tables): cut, bytes turned, numbers replaced by nan, inf, 1e21, -0, 1e-300 or 400 digits, lines
doubled, swapped or left out, brackets unbalanced, other files under their names, nothing. Each goes to one
command. Wrong are: a panic or a signal, an answer that takes more time of a processor than the bound (or twenty
times it by the clock: machines may be busy), a failure without a message that names something, and success with a result that is not
whole (JSON with nothing finite in it, a motion file that can't be read back, a library that `check` calls damaged)
or with nothing said although the file was cut short. Prints a line for each and the counts.
"""
import argparse, json, math, os, random, re, resource, shutil, subprocess, sys, tempfile, time
from pathlib import Path

NUMBERS = ["nan", "inf", "-inf", "1e21", "-1e21", "1e38", "1e400", "-0", "1e-300", "9" * 400, "0x10", "1,5", "--3", "", "1e5", "99999999999"]

# What is named on the command line, of files that are read with another.
NAMED = {"walk.asf": "walk.amc", "walk.bin": "walk.gltf"}


def spoil(data, draw):
    """Bytes with one or a few things wrong, and whether the end alone was cut off them."""
    whole = data
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        kind = draw.randrange(9)
        if kind == 0:
            data = data[: draw.randrange(len(data) + 1)]
        elif kind == 1 and data:
            data = bytearray(data)
            for _ in range(draw.choice([1, 3, 30])):
                data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
            data = bytes(data)
        elif kind in (2, 3, 4):
            spans = [m.span() for m in re.finditer(rb"-?\d+(\.\d+)?", data[:200000])]
            if spans:
                a, b = draw.choice(spans)
                data = data[:a] + draw.choice(NUMBERS).encode() + data[b:]
        elif kind == 5:
            lines = data.split(b"\n")
            at = draw.randrange(len(lines))
            lines[at:at + 1] = [[lines[at]] * 2, [], [lines[at]] * 50][draw.randrange(3)]
            data = b"\n".join(lines)
        elif kind == 6:
            lines = data.split(b"\n")
            a, b = draw.randrange(len(lines)), draw.randrange(len(lines))
            lines[a], lines[b] = lines[b], lines[a]
            data = b"\n".join(lines)
        elif kind == 7:
            at = draw.randrange(len(data) + 1)
            data = data[:at] + draw.choice([b"{", b"}", b"[" * 5000, b"]", b"\0", b"\xff\xfe", b'"']) + data[at:]
        else:
            data = draw.choice([b"", b"\n" * 100, bytes(draw.randrange(256) for _ in range(300)), data + data, b"\xef\xbb\xbf" + data])
    lost = whole[len(data):] if whole.startswith(data) else b""
    return data, bool(lost.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("afoot")
    parser.add_argument("motion", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--from", type=int, default=0, dest="first", help="number of the first pair of file and command")
    options = parser.parse_args()
    afoot, draw = os.path.abspath(options.afoot), random.Random(options.seed)
    folder = Path(tempfile.mkdtemp(prefix="afoot-hostile-"))
    sound = folder / "sound"
    sound.mkdir()

    def good(*words):
        done = subprocess.run([afoot, *map(str, words)], cwd=sound, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{words}: {done.stderr}")

    files = [options.motion.resolve() / f"{name}.bvh" for name in ("walk", "walk_turn_left", "walk_circle_left")]
    shutil.copy(files[0], sound / "walk.bvh")
    for name in ("walk.amc", "walk.glb", "walk.fbx"):
        good("convert", "walk.bvh", "-o", name)
    split_glb(sound / "walk.glb")
    good("import", "lib.afoot", *files, "--mirror")
    good("graph", "lib.afoot", "--threshold", "6")
    good("label", "lib.afoot", "walk", "calm")
    good("labels", "export", "lib.afoot", "-o", "labels.json")
    good("tiles", "plan", "lib.afoot", "-o", "plan.json")
    good("tiles", "run", "lib.afoot", "--plan", "plan.json", "-o", "pieces")
    good("wander", "lib.afoot", "--seconds", "1", "-o", "w.bvh")
    (sound / "path.json").write_text('{"points": [[0, 0], [0, 2], [1, 3]], "sections": [{"to": 1, "as": ["walk"]}, {"as": ["walk"]}]}')
    (sound / "path.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M 0 0 C 1 0 1 2 0 2 L 1 3"/></svg>')
    (sound / "world.json").write_text('{"bounds": [[0, 0], [9, 9]], "obstacles": [{"circle": [4, 4, 0.5]}], "radius": 0.25}')
    (sound / "score.json").write_text('{"seconds": 2, "paint": [{"label": "walk", "from": 0, "to": 2, "want": true}], "start": {"x": 0, "z": 0, "yaw": 10}}')
    (sound / "task.json").write_text('{"start": {"x": 2, "z": 2, "yaw": 0}, "goal": {"x": 2.5, "z": 3.5}, "world": "world.json", "tolerance": 0.3, "epsilon": 10}')
    (sound / "map.json").write_text('{"Hips": "hips"}')
    (sound / "weights.json").write_text('{"root": [1, 1, 0.25], "left_arm": [0, 0, 0]}')
    (sound / "terrain.json").write_text('{"origin": [-9, -9], "cell": 9, "heights": [[0, 0, 0], [0, 0.05, 0], [0, 0, 0]]}')
    (sound / "footprints.json").write_text(json.dumps(footprints()))
    (sound / "story.play").write_text(STORY)
    good("drive", "lib.afoot", "--steer", "0:30", "--seconds", "1", "-o", "w.bvh")

    motion = [["import", "new.afoot", "F"], ["convert", "F", "-o", "out.glb"], ["convert", "F", "-o", "out.bvh"],
              ["judge", "F"], ["clean", "F", "-o", "out.bvh"], ["import", "lib.afoot", "F"],
              ["edit", "F", "--turn", "20", "-o", "out.bvh"],
              ["import", "new.afoot", "F", "--mirror", "--root-motion"]]
    cases = [(name, command) for command in motion for name in ("walk.bvh", "walk.amc", "walk.asf", "walk.glb", "walk.fbx")]
    cases += [("path.json", ["follow", "lib.afoot", "--path", "F", "-o", "out.bvh"]), ("path.json", ["judge", "walk.bvh", "--path", "F"]),
              ("path.json", ["edit", "walk.bvh", "--along", "F", "-o", "out.bvh"]), ("path.svg", ["edit", "walk.bvh", "--along", "F", "-o", "out.bvh"]),
              ("path.svg", ["follow", "lib.afoot", "--path", "F", "-o", "out.bvh"]), ("path.svg", ["judge", "walk.bvh", "--path", "F"]),
              ("world.json", ["crowd", "lib.afoot", "--world", "F", "--count", "2", "--seconds", "1", "-o", "out"]),
              ("labels.json", ["labels", "import", "lib.afoot", "F"]), ("map.json", ["convert", "walk.bvh", "-o", "out.glb", "--map", "F"]),
              ("map.json", ["import", "new.afoot", "walk.bvh", "--map", "F"]), ("map.json", ["edit", "walk.bvh", "-o", "out.bvh", "--map", "F"]),
              ("plan.json", ["tiles", "run", "lib.afoot", "--plan", "F", "-o", "pieces"]),
              ("plan.json", ["tiles", "merge", "lib.afoot", "--plan", "F", "--results", "pieces"])]
    cases += [(f"pieces/{path.name}", ["tiles", "merge", "lib.afoot", "--plan", "plan.json", "--results", "pieces"])
              for path in sorted((sound / "pieces").iterdir())[:1]]
    cases += [("score.json", ["perform", "lib.afoot", "--score", "F", "-o", "out.bvh", "--seconds-budget", "1"]),
              ("world.json", ["follow", "lib.afoot", "--world", "F", "--from", "1,1", "--to", "1,3", "-o", "out.bvh"]),
              ("world.json", ["judge", "walk.bvh", "--world", "F"]),
              ("walk.glb", ["crowd", "lib.afoot", "--world", "world.json", "--count", "2", "--seconds", "1", "-o", "out", "--onto", "F"])]
    cases += [("lib.afoot", command) for command in (["learn", "F"], ["like", "F", "walk[0.5s..1.5s]"], ["stride", "F", "walk", "--stride", "1.1", "-o", "out.bvh"],
              ["graft", "F", "walk", "walk_turn_left", "--chains", "arms", "-o", "out.bvh"], ["mark", "F", "walk", "--exclude", "--to", "0.5"], ["labels", "verify", "F", "walk"],
              ["perform", "F", "--score", "score.json", "-o", "out.bvh", "--seconds-budget", "1"])]
    cases += [("lib.afoot", command) for command in (["list", "F"], ["show", "F"], ["show", "F", "walk"], ["check", "F"], ["check", "F", "--repair"],
              ["export", "F", "walk", "-o", "out.bvh"], ["wander", "F", "--seconds", "1", "-o", "out.bvh"], ["remove", "F", "walk"],
              ["graph", "F", "--threshold", "6"], ["graph", "F", "--rebuild", "--threshold", "6"], ["label", "F", "walk", "x"], ["retarget", "F", "walk"],
              ["roles", "F"], ["roles", "F", "--set", "Head=none"], ["rename", "F", "walk", "stroll"], ["labels", "export", "F", "-o", "l.json"],
              ["edit", "walk", "--library", "F", "--turn", "20", "-o", "out.bvh"], ["join", "F", "walk", "walk_turn_left", "-o", "out.bvh"],
              ["loop", "F", "walk", "--cycles", "2", "-o", "out.bvh"], ["clusters", "F"], ["transitions", "F", "walk", "walk_turn_left"],
              ["loops", "F", "walk"], ["matrix", "F", "walk", "walk_turn_left", "-o", "m.png"], ["drive", "F", "--steer", "0:30", "--seconds", "1", "-o", "out.bvh"],
              ["reach", "F", "walk_turn_left", "--at", "1,2", "--heading", "20", "--best-effort", "-o", "out.bvh"], ["judge", "walk.bvh", "--library", "F"],
              ["follow", "F", "--path", "path.json", "-o", "out.bvh"], ["tiles", "plan", "F", "-o", "p.json"])]
    cases += [("lib.afoot-ready", ["wander", "lib.afoot", "--seconds", "1", "-o", "out.bvh"]),
              ("lib.afoot-ready", ["drive", "lib.afoot", "--steer", "0:30", "--seconds", "1", "-o", "out.bvh"])]
    cases += [(name, ["convert", "walk.bvh", "-o", "out.glb", "--onto", "F"]) for name in ("walk.glb", "path.json")]
    cases += [("walk.bvh", ["convert", "w.bvh", "-o", "out.bvh", "--onto", "F"]), ("path.json", ["schema", "F"])]
    cases += [(name, command) for command in motion[:4] for name in ("walk.gltf", "walk.bin")]
    cases += [(name, command) for name in ("walk.bvh", "walk.fbx", "walk.glb")
              for command in (["import", "new.afoot", "w.bvh", "--retarget", "F"], ["retarget", "lib.afoot", "F"], ["export", "lib.afoot", "walk", "--onto", "F", "-o", "out.bvh"])]
    plan = ["plan", "lib.afoot", "--task", "task.json", "--seconds", "2", "-o", "out.bvh"]
    survey = ["survey", "lib.afoot", "--world", "world.json", "--samples", "20", "--no-suggestions", "-o", "out"]
    cases += [("task.json", plan), ("world.json", plan), ("lib.afoot", plan), ("world.json", survey), ("lib.afoot", survey)]
    cases += [("story.play", ["check", "F"]), ("story.play", ["fmt", "F"]), ("story.play", ["play", "F", "-o", "out"]), ("lib.afoot", ["play", "story.play", "-o", "out"])]
    cases += [("weights.json", [*command, "--weights", "F"]) for command in (["like", "lib.afoot", "walk[0.5s..1.5s]"], ["clusters", "lib.afoot"], ["transitions", "lib.afoot", "walk", "walk_turn_left"])]
    cases += [(f"{name}.json", ["stride", "lib.afoot", "walk", f"--{name}", "F", "-o", "out.bvh"]) for name in ("terrain", "footprints")]
    cases += [("lib.afoot", ["bake", "F", "-o", "out.afootpack"]), ("lib.afoot", ["graft", "F", "--all"]), ("lib.afoot", ["tiles", "run", "F", "--plan", "plan.json", "-o", "pieces"]),
              ("lib.afoot", ["crowd", "F", "--world", "world.json", "--count", "1", "--seconds", "1", "-o", "out"]),
              ("lib.afoot-control", ["drive", "lib.afoot", "--steer", "0:30", "--seconds", "1", "-o", "out.bvh"]), ("score.json", ["judge", "walk.bvh", "--library", "lib.afoot", "--score", "F"])]
    known = {command[0] for _, command in cases}
    helped = subprocess.run([afoot, "help"], capture_output=True, text=True).stdout.split("Commands:")[1].split("Options:")[0]
    offered = {line.split()[0] for line in helped.splitlines() if re.match(r"  [a-z]", line)}
    left_out = offered - known - {"new", "demo", "serve", "completions", "reproduce", "help"}  # which read no file that a person names
    if left_out:
        sys.exit(f"no hostile file for: {', '.join(sorted(left_out))}")

    for name, command in cases:
        sound_case(afoot, folder, sound, name, command)
    tally, slowest, wrong = {0: 0, 1: 0, 2: 0, 3: 0}, 0.0, []
    for number in range(options.first, options.first + options.count):
        name, command = cases[number % len(cases)]
        place = folder / f"case{number}"
        shutil.copytree(sound, place)
        target = place / name
        spoilt, is_cut = spoil((sound / name).read_bytes(), draw)
        target.write_bytes(spoilt)
        named = NAMED.get(name, name)
        words = [named if word == "F" else word for word in command]
        used, problem, limit = processor_time(), None, int(options.seconds) + 1
        try:
            done = subprocess.run([afoot, *words, "--json"], cwd=place, capture_output=True, timeout=20 * options.seconds,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
            took, status = processor_time() - used, done.returncode
            said = done.stderr.decode(errors="replace")
            slowest = max(slowest, took)
            tally[status] = tally.get(status, 0) + 1
            if took > options.seconds:
                problem = f"took {took:.1f} s"
            elif status < 0 or status > 3 or "panicked" in said:
                problem = f"status {status}: {said[-300:]}"
            elif status and not said.strip():
                problem = "failed without a word"
            elif status == 0 and is_cut and words[0] != "fmt" and not tells_of_cut(name, target, spoilt, done):
                problem = "a file that was cut short was taken without a word"
            elif status == 0:
                problem = result_is_wrong(afoot, place, done.stdout, words if named != "lib.afoot" else [""])
        except subprocess.TimeoutExpired:
            problem = f"no answer after {20 * options.seconds} s"
        if problem:
            wrong.append(number)
            keep = folder.parent / f"afoot-hostile-{options.seed}-{number}"
            shutil.rmtree(keep, ignore_errors=True)
            shutil.copytree(place, keep)
            print(f"case {number}: {' '.join(words)}: {problem} (kept in {keep})", file=sys.stderr)
        shutil.rmtree(place)
    print(f"{options.count} hostile files, {len(cases)} pairs of file and command: {tally.get(0)} done, {tally.get(1)} refused, "
          f"{tally.get(2)} wrong usage, {tally.get(3)} no motion; slowest {slowest:.1f} s; {len(wrong)} wrong")
    shutil.rmtree(folder)
    sys.exit(bool(wrong))


STORY = """actor Ann { library "lib.afoot" actions [ action go { clipref walk }
    action long { loop { clipref walk seconds 3 } } action turn { subclip { clipref walk_turn_left startframe 1 endframe 40 } } ] }
story { cast [ Ann ann ] scenes [ scene s { initialize { ann { position 0 0 0 } } screenplay { ann.long ann.turn ann.go } } ] screenplay [ s ] }
"""


def footprints():
    """As many as the walk has, a step of 0.6 m each."""
    return [{"foot": ("left", "right")[step % 2], "x": 0.09 * (1, -1)[step % 2], "z": 0.6 * step, "heading": 0} for step in range(13)]


def split_glb(path):
    """The same as text, with its buffer beside it."""
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    scene = json.loads(data[20:20 + size])
    scene["buffers"][0]["uri"] = "walk.bin"
    path.with_suffix(".gltf").write_text(json.dumps(scene))
    path.with_suffix(".bin").write_bytes(data[28 + size:])


def sound_case(afoot, folder, sound, name, command):
    """A command that fails on a sound file too shows nothing."""
    place = folder / "sound_case"
    shutil.copytree(sound, place)
    words = [(NAMED.get(name, name)) if word == "F" else word for word in command]
    expected = command[0] == "schema" or "path.json" in words and "--onto" in words  # nothing of that name
    done = subprocess.run([afoot, *words], cwd=place, capture_output=True, text=True)
    shutil.rmtree(place)
    if (done.returncode != 0) != expected:
        sys.exit(f"{words}: {done.stderr}")


def processor_time():
    """What all commands so far have taken of processors. [s]"""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tells_of_cut(name, target, spoilt, done):
    """Whether a command said something of a file that was cut short, or could not know: frames of an AMC file are
    not counted in it, an ASF file may end before what a figure needs not, libraries and tables are pages of which
    some are not used."""
    if name.endswith(".amc"):
        return re.search(rb"\n[^\n]*\Z", spoilt) is not None
    if name.startswith("lib.afoot") or name.endswith(".asf"):
        return True
    return bool(done.stderr.strip()) or b"warnings\":[\"" in done.stdout.replace(b" ", b"")


def result_is_wrong(afoot, place, stdout, words):
    """What a command that succeeded left that it should not have."""
    try:
        json.loads(stdout)
    except ValueError:
        return "printed no JSON"
    out = place / "out.bvh"
    if out.exists():
        numbers = out.read_text().split("Frame Time")[1].split()[2:]
        if any(not math.isfinite(float(number)) or abs(float(number)) > 1e9 for number in numbers):
            return "wrote numbers that nobody can use"
    for library in (place / "new.afoot", place / "lib.afoot"):
        if library.exists() and words[0] in ("import", "label", "labels"):
            checked = subprocess.run([afoot, "check", library], capture_output=True, text=True)
            if checked.returncode:
                return f"left a library that is not whole: {checked.stderr}"
    if (place / "out.glb").exists():
        read = subprocess.run([afoot, "judge", "out.glb"], cwd=place, capture_output=True, text=True)
        if read.returncode:
            return f"wrote a file that can't be read back: {read.stderr}"
    return None


main()
