#!/usr/bin/env python3
"""Measures grafts and strides on captured clips through the command line; prints tables.

  measure_limbs.py AFOOT CMU_DIR WORK_DIR [--distances 100] [--grafts]

AFOOT: the program; CMU_DIR: a folder with bvh/ and sets.json; WORK_DIR: where libraries and motions go.
Strides: 16_15 repeated to random distances from 2 to 12 m, how far each ends from it, and the factor.
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
    parser.add_argument("--distances", type=int, default=0)
    parser.add_argument("--grafts", action="store_true")
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    if asked.distances:
        distances(asked.afoot, asked.cmu, asked.work, asked.distances)
    if asked.grafts:
        grafts(asked.afoot, asked.cmu, asked.work)


if __name__ == "__main__":
    main()
