#!/usr/bin/env python3
"""Measures clustering, joins and loops on captured clips through the command line; prints tables.

  measure_clusters.py AFOOT CMU_DIR WORK_DIR [--joins] [--loop] [--figures] [--big LIBRARY] [--like LIBRARY CLIP...]

AFOOT: the program; CMU_DIR: a folder with bvh/ and sets.json; WORK_DIR: where libraries and motions go.
Joins: walk, run, jump, a walk that stops and a turn of `loco200`, each into each other, against the quality bars. Loop: 20 cycles of
16_15: how each cycle turns, jump and acceleration ratio. Figures: 08_02 and 08_07 into each other, 08_02 into 11_01 (Shanbhag 2006,
figures 4.9 and 4.10), with what the clips by themselves do not keep. Big: time and memory of `clusters` on a library. Like: what is found
for each clip or part. Times are processor time, user and system. Periods of cycles and nodes a cycle are checked by the tests
`periods_of_captured_walks_and_runs_are_those_of_their_ankles` and `a_captured_walk_cycle_has_five_to_ten_nodes` of afoot-graph.
"""
import argparse, json, pathlib, re, resource, subprocess

KINDS = ["16_15", "16_36", "16_03", "16_34", "16_17"]
BARS = {"skate_cm_s": 5, "skate_share": 0.01, "slide_mm": 10, "sink_cm": 1, "jump_ratio": 1.5, "acceleration_ratio": 1.5,
        "hip_change_cm": 1, "knee_change_deg": 2.5, "knee_acceleration_ratio": 1.5, "root_acceleration_ratio": 1.5,
        "unsupported_share": 0.01}


def ask(program, *words):
    done = subprocess.run([program, *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode:
        return {"error": done.stderr.strip()}
    return json.loads(done.stdout)


def timed(program, *words):
    """What is told, processor seconds, and the largest memory of any child so far in MiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = ask(program, *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return told, spent, after.ru_maxrss / 1024


def library(program, folder, work, name, clips):
    path = work / f"{name}.afoot"
    if not path.exists():
        told = ask(program, "import", path, *(folder / "bvh" / f"{clip}.bvh" for clip in clips))
        print(f"{name}: {len(told['clips'])} clips")
    return path


def loco200(program, folder, work):
    sets = json.loads((folder / "sets.json").read_text())["sets"]
    return library(program, folder, work, "loco200", sets["loco"]["subsets"]["loco200"]["files"])


def above(quality):
    """The bars that are not kept, with their values."""
    over = {field: quality[field] for field, bar in BARS.items() if (quality.get(field) or 0) > bar}
    faced = quality.get("faced_share")
    if faced is not None and faced < 0.95:
        over["faced_share"] = faced
    return {field: round(value, 3) for field, value in over.items()}


def joins(program, folder, work):
    lib = loco200(program, folder, work)
    kept = direct = made = 0
    for start in KINDS:
        for end in KINDS:
            if start == end:
                continue
            name = work / f"{start}-{end}"
            told = ask(program, "join", lib, start, end, "-o", f"{name}.bvh", "--picture", f"{name}.png")
            if "error" in told:
                print(f"{start} {end}: {told['error']}")
                continue
            over, way = above(told["quality"]), [source["clip"] for source in told["sources"]]
            print(" > ".join(way), over or "")
            made, kept, direct = made + 1, kept + (not over), direct + (len(way) == 2)
    print(f"{made} of 20 delivered, {direct} directly, {kept} within all bars")


def headings(path):
    """Yaw of a written file's root in each frame: whatever its axes, turns are differences. [degrees]"""
    import math
    text = path.read_text()
    channels = re.search(r"CHANNELS \d+ (.*)", text).group(1).split()
    frames = [list(map(float, line.split())) for line in text.split("Frame Time")[1].splitlines()[1:] if line.strip()]
    turns = [(name[0], index) for index, name in enumerate(channels) if name.endswith("rotation")]

    def forward(frame):
        vector = [0.0, 0.0, 1.0]
        for axis, index in reversed(turns):
            angle, (a, b) = math.radians(frame[index]), {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
            c, s = math.cos(angle), math.sin(angle)
            vector[a], vector[b] = c * vector[a] - s * vector[b], s * vector[a] + c * vector[b]
        return math.degrees(math.atan2(vector[0], vector[2]))

    return [forward(frame) for frame in frames]


def cycle_turns(path, period):
    yaw = headings(path)
    return [(b - a + 180) % 360 - 180 for a, b in zip(yaw, yaw[period:])]


def loop(program, folder, work):
    lib = loco200(program, folder, work)
    told = ask(program, "loop", lib, "16_15", "--cycles", 20, "-o", work / "loop.bvh", "--picture", work / "loop.png")
    ask(program, "export", lib, "16_15", "-o", work / "source.bvh")
    quality = told["quality"]
    period = round(quality["frames"] / 20)
    source = cycle_turns(work / "source.bvh", period)
    mean = sum(source) / len(source)
    worst = max(abs(turn - mean) for turn in cycle_turns(work / "loop.bvh", period))
    print(f"20 cycles of {period} frames: the source turns {mean:.2f} degrees a cycle, each of the loop within {worst:.2f} of it; jump "
          f"ratio {quality['jump_ratio']:.2f}, acceleration ratio {quality['acceleration_ratio']:.2f} {above(quality) or ''}")


def figures(program, folder, work):
    lib = library(program, folder, work, "figures", ["08_02", "08_07", "11_01"])
    for clip in ["08_02", "08_07", "11_01"]:
        ask(program, "export", lib, clip, "-o", work / f"{clip}.bvh")
        judged = ask(program, "judge", work / f"{clip}.bvh", "--library", lib)
        cleaned = ask(program, "clean", work / f"{clip}.bvh", "-o", work / f"{clip}-clean.bvh")
        print(f"{clip} as captured {above(judged.get('quality', judged)) or ''}, with its feet held {above(cleaned['quality']) or ''}")
    for start, end in [("08_02", "08_07"), ("08_07", "08_02"), ("08_02", "11_01")]:
        name = work / f"{start}-{end}"
        told = ask(program, "join", lib, start, end, "--error", 12, "-o", f"{name}.bvh", "--picture", f"{name}.png")
        print(f"{start} > {end}: {told.get('error') or above(told['quality']) or 'all bars kept'}",
              [round(join["error_cm"], 1) for join in told.get("joins", [])])


def big(program, lib):
    for error in [10, 8]:
        told, spent, memory = timed(program, "clusters", lib, "--error", error)
        print(f"{lib.name} at {error} cm: {told.get('error') or ''}{told.get('frames')} frames, {told.get('nodes')} nodes, "
              f"{told.get('edges')} edges; {spent:.1f} s of processor time for the whole command, {memory:.0f} MiB; {told.get('seconds')}")


def like(program, lib, clips):
    for clip in clips:
        told = ask(program, "like", lib, clip)
        found = told.get("found", [])
        print(f"{clip}: {told.get('error') or len(found)}")
        for one in found:
            print("  ", json.dumps(one))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("afoot")
    parser.add_argument("cmu", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    for option in ["joins", "loop", "figures"]:
        parser.add_argument(f"--{option}", action="store_true")
    parser.add_argument("--big", type=pathlib.Path, metavar="LIBRARY")
    parser.add_argument("--like", nargs="+", metavar="LIBRARY CLIP")
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    for measure in [joins, loop, figures]:
        if getattr(asked, measure.__name__):
            measure(asked.afoot, asked.cmu, asked.work)
    if asked.big:
        big(asked.afoot, asked.big)
    if asked.like:
        like(asked.afoot, pathlib.Path(asked.like[0]), asked.like[1:])


if __name__ == "__main__":
    main()
