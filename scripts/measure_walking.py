#!/usr/bin/env python3
"""Whether `afoot follow` walks when a walk is asked for: a straight line, random smooth paths, random polygons.

    python3 scripts/measure_walking.py AFOOT LIB.afoot [LIB.afoot ...] [--paths 20] [--as walk]

Prints a row for each library and kind of path: the least share of frames faced within 30 degrees of the travel and how
many paths fall below 0.97; the longest time of another gait, posture or facing than asked for (`oddities`); the largest
share of frames that nothing bears; the largest distance at which a point of a path is missed, and how many paths are
missed by more than 0.3 m without `hard_places` saying so; and the slowest metre that was not said. Libraries are read
(their tables are made beside them); motion goes to a temporary folder. The paths are the same on every machine.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path


def straight(_):
    return [[0.0, 0.0], [0.0, 5.0]]


def smooth(seed):
    """A heading that wanders: bends of a metre and more, some 12 m."""
    rng = random.Random(1000 + seed)
    waves = [(rng.uniform(0.1, 0.5), rng.uniform(0.0, 2 * math.pi), rng.uniform(0.3, 1.0)) for _ in range(3)]
    x, z, points = 0.0, 0.0, []
    for step in range(121):
        points.append([round(x, 4), round(z, 4)])
        along = step * 0.1
        heading = sum(size * math.sin(rate * along * 2 * math.pi / 3 + phase) for rate, phase, size in waves)
        x, z = x + 0.1 * math.sin(heading), z + 0.1 * math.cos(heading)
    return points


def polygon(seed):
    """Three to six straight edges of 1.5 to 4 m, corners of up to 120 degrees."""
    rng = random.Random(2000 + seed)
    x, z, heading, points = 0.0, 0.0, 0.0, [[0.0, 0.0]]
    for _ in range(rng.randint(3, 6)):
        length = rng.uniform(1.5, 4.0)
        x, z = x + length * math.sin(heading), z + length * math.cos(heading)
        points.append([round(x, 4), round(z, 4)])
        heading += math.radians(rng.uniform(30, 120)) * rng.choice([-1, 1])
    return points


def followed(afoot, library, points, words, folder):
    path = folder / "path.json"
    path.write_text(json.dumps({"points": points}))
    command = [afoot, "follow", library, "--path", path, "-o", folder / "out.bvh", "--json", "--quiet"]
    for word in words:
        command += ["--as", word]
    run = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    return (json.loads(run.stdout), None) if run.returncode == 0 else (None, run.stderr.strip())


def row(afoot, library, kind, make, count, words, folder):
    told, refused = [], []
    for seed in range(count):
        made, why = followed(afoot, library, make(seed), words, folder)
        told.append(made) if made else refused.append(f"{kind} {seed}: {why}")
    qualities = [made["quality"] for made in told]
    faced = [quality.get("faced_share", 1.0) for quality in qualities]
    odd = [sum(o["seconds"] for o in made["oddities"] if o["what"] in ("gait", "posture", "off_the_floor")) for made in told]
    aside = [sum(o["seconds"] for o in made["oddities"] if o["what"] == "facing") for made in told]
    missed = [quality.get("path_missed_m", 0.0) for quality in qualities]
    unsaid = sum(m > 0.3 and not made["hard_places"] for m, made in zip(missed, told))
    cells = [
        Path(library).stem, kind, f"{len(told)} of {count}", f"{min(faced, default=0):.3f}", sum(f < 0.97 for f in faced),
        f"{max(odd, default=0):.1f}", f"{max(aside, default=0):.1f}",
        f"{max((q.get('unsupported_share', 0.0) for q in qualities), default=0):.3f}",
        f"{max(missed, default=0):.2f}", unsaid, sum(bool(made["hard_places"]) for made in told),
        f"{max((q.get('path_max_m', 0.0) for q in qualities), default=0):.2f}",
    ]
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
    for why in refused:
        print(why, file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("afoot")
    parser.add_argument("libraries", nargs="+")
    parser.add_argument("--paths", type=int, default=20, help="random paths of each kind")
    parser.add_argument("--as", dest="words", action="append", default=[], help="use only motion with this label")
    arguments = parser.parse_args()
    heads = ["library", "paths", "walked", "least faced", "below 0.97", "other gait or posture [s]", "other facing [s]",
             "unsupported", "missed by [m]", "unsaid", "said", "max [m]"]
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    with tempfile.TemporaryDirectory() as folder:
        for library in arguments.libraries:
            for kind, make, count in [("straight 5 m", straight, 1), ("smooth", smooth, arguments.paths), ("polygons", polygon, arguments.paths)]:
                row(arguments.afoot, library, kind, make, count, arguments.words, Path(folder))


if __name__ == "__main__":
    main()
