#!/usr/bin/env python3
"""Measures grafts and strides on captured clips through the command line; prints tables.

  measure_limbs.py AFOOT CMU_DIR WORK_DIR [--strides] [--distances 100] [--grafts]

AFOOT: the program; CMU_DIR: a folder with bvh/ and sets.json; WORK_DIR: where libraries and motions go.
Strides: five walks with other strides, lifts and grounds, out of stands and into them; what the quality report says of
each, with every bar that is not kept (`name value>bar`).
Distances: 16_15 repeated to random distances from 2 to 12 m, how far each ends from it, and the factor.
Grafts: all pairs that the rules allow on the set `thesis`, by each way of correlation: how many can be made, their
scores, and the time it takes.
"""
import argparse, json, pathlib, random, statistics, subprocess, time


def ask(program, *words):
    done = subprocess.run([program, *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode:
        return {"error": done.stderr.strip()}
    return json.loads(done.stdout)


def library(program, folder, work, name, clips):
    path = work / f"{name}.afoot"
    if not path.exists():
        files = [folder / "bvh" / f"{clip}.bvh" for clip in clips]
        told = ask(program, "import", path, *files, "--fps", 30)
        print(f"{name}: {len(told['clips'])} clips")
    return path


WALKS = ["16_15", "16_21", "08_02", "12_01", "39_05"]
WISHES = {
    "stride 0.6": ["--stride", 0.6], "stride 0.8": ["--stride", 0.8], "stride 1.2": ["--stride", 1.2],
    "stride 1.25": ["--stride", 1.25], "stride 1.4": ["--stride", 1.4],
    "lift 0.5": ["--lift", 0.5], "lift 2": ["--lift", 2], "lift 3": ["--lift", 3],
    "uphill 15": ["--incline", 15], "downhill 15": ["--incline", -15],
    "upstairs": ["--stairs", "0.17,0.29"], "downstairs": ["--stairs", "-0.17,0.29"],
    "stands": ["--from-stand", 2, "--to-stand", 2],
}
SHOWN = ["slide_mm", "skate_share", "sink_cm", "unsupported_share", "jump_ratio", "acceleration_ratio", "root_acceleration_ratio",
         "knee_acceleration_ratio", "ankle_acceleration_ratio", "hip_change_cm", "knee_change_deg"]


def strides(program, folder, work, only):
    lib = library(program, folder, work, "walks", WALKS)
    print(f"{'wish':<12} {'clip':<6} " + " ".join(f"{name.replace('_ratio', '').replace('_acceleration', '_acc')[:9]:>9}" for name in SHOWN)
          + "  off_mm thr_mm low_cm  not kept")
    for wish, words in WISHES.items():
        if only and only not in wish:
            continue
        for clip in WALKS:
            told = ask(program, "stride", lib, clip, *words, "-o", work / f"{wish.replace(' ', '_')}-{clip}.bvh")
            if "error" in told:
                print(f"{wish:<12} {clip:<6} {told['error']}")
                continue
            quality = told["quality"]
            values = " ".join(f"{quality[name]:>9.3f}" if quality.get(name) is not None else f"{'-':>9}" for name in SHOWN)
            missed = [f"{bar['measure']} {bar['value']:.2f}>{bar['bar']:g}" for bar in quality["verdicts"] if not bar["kept"]]
            print(f"{wish:<12} {clip:<6} {values} {told['planted_off_mm']:>7.1f} {told['through_mm']:>6.1f} "
                  f"{told['lowered_m'] * 100:>6.1f}  {', '.join(missed)}")


def distances(program, folder, work, count):
    lib = library(program, folder, work, "walk", ["16_15"])
    chance = random.Random(1)
    misses, factors, errors = [], [], []
    for _ in range(count):
        metres = round(chance.uniform(2, 12), 3)
        told = ask(program, "stride", lib, "16_15", "--metres", metres, "-o", work / "distance.bvh")
        if "error" in told:
            errors.append((metres, told["error"]))
            continue
        misses.append(abs(told["metres"] - metres))
        factors.append(told["factor"])
    print(f"{len(misses)} of {count} distances made; farthest miss {max(misses) * 1000:.1f} mm; "
          f"factors {min(factors):.3f} to {max(factors):.3f}")
    for metres, error in errors[:5]:
        print(f"  {metres} m: {error}")


def grafts(program, folder, work):
    sets = json.loads((folder / "sets.json").read_text())
    lib = library(program, folder, work, "thesis", sets["sets"]["thesis"]["files"])
    print("correlation      allowed  made  median score  worst jump  seconds")
    for way in ["clusters", "plants", "time-warp", "zero-crossings"]:
        begun = time.time()
        told = ask(program, "graft", lib, "--all", "--in-step", way)
        if "error" in told:
            print(way, told["error"])
            continue
        made = told["grafts"]
        scores = [graft["score"] for graft in made]
        jumps = [graft["jump_ratio"] for graft in made]
        print(f"{way:<16} {told['allowed']:>7} {len(made):>5} {statistics.median(scores):>13.3f} "
              f"{max(jumps):>11.2f} {time.time() - begun:>8.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("afoot")
    parser.add_argument("cmu", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--strides", nargs="?", const="", help="only wishes that contain this")
    parser.add_argument("--distances", type=int, default=0)
    parser.add_argument("--grafts", action="store_true")
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    if asked.strides is not None:
        strides(asked.afoot, asked.cmu, asked.work, asked.strides)
    if asked.distances:
        distances(asked.afoot, asked.cmu, asked.work, asked.distances)
    if asked.grafts:
        grafts(asked.afoot, asked.cmu, asked.work)


if __name__ == "__main__":
    main()
