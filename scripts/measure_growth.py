#!/usr/bin/env python3
"""How the time of a request grows with the library: a table of requests by libraries, and their growth.

Usage: measure_growth.py BINARY LIBRARY... [--runs 3] [--against OTHER]

Libraries in rising size, each with its graph built. The first request on each, which makes its ready tables (and
for `drive` its control table), is not counted; of the others the least processor time (user and system, of all
threads) and the largest peak memory count, since wall time says little where other programs run. --against runs
the same with another binary on copies of the libraries, in turns with the first, and adds the ratios.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HELLO = pathlib.Path(__file__).resolve().parents[1] / "examples/paths/hello.svg"


def ellipse() -> dict:
    """An ellipse of 2.4 m by 1.3 m: 12 m, some 17 s of walking."""
    turn = [2 * math.pi * step / 240 for step in range(241)]
    return {"points": [[2.4 * math.cos(angle) - 2.4, 1.3 * math.sin(angle)] for angle in turn]}


REQUESTS = {
    "follow, Hello": ["follow", "LIB", "--path", str(HELLO)],
    "follow, ellipse": ["follow", "LIB", "--path", "ellipse.json"],
    "wander, 20 s": ["wander", "LIB", "--seconds", "20"],
    "drive, 5 s": ["drive", "LIB", "--steer", "0:0", "--steer", "2:90", "--seconds", "5"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("libraries", type=pathlib.Path, nargs="+")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--against", type=pathlib.Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="afoot-growth-") as folder:
        folder = pathlib.Path(folder)
        (folder / "ellipse.json").write_text(json.dumps(ellipse()))
        binaries = [asked.binary] + ([asked.against] if asked.against else [])
        print("| library | request | processor [s] | growth | memory [MB] | motion [s] | times real time | mean, max off [m] |"
              + (" other [s] | other off [m] |" if asked.against else ""))
        print("|---|---|---|---|---|---|---|---|" + ("---|---|" if asked.against else ""))
        before: dict[str, float] = {}
        for library in asked.libraries:
            benches = [copy(library, folder / str(side)) for side in range(len(binaries))]
            for name, words in REQUESTS.items():
                best = measure(list(zip(binaries, benches)), words, folder, asked.runs)
                print(row(library.stem, name, best, before), flush=True)
                before[name] = best[0]["seconds"]
            for bench in benches:
                shutil.rmtree(bench.parent)
    return 0


def copy(library: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    folder.mkdir()
    for file in [library.with_name(library.name + ending) for ending in ["", "-ready", "-control"]]:
        if file.is_file():
            shutil.copy(file, folder / file.name)
    return folder / library.name


def measure(sides: list, words: list[str], folder: pathlib.Path, runs: int) -> list[dict]:
    """The best of several runs with each binary, in turns, after one that makes what is kept."""
    results = [[] for _ in sides]
    for turn in range(runs + 1):
        for (binary, library), result in zip(sides, results):
            told = run(binary.resolve(), [word.replace("LIB", str(library)) for word in words], folder)
            if turn > 0:
                result.append(told)
    return [min(result, key=lambda told: told["seconds"]) for result in results]


def run(binary: pathlib.Path, words: list[str], folder: pathlib.Path) -> dict:
    command = [str(binary), *words, "-o", "out.bvh", "--seed", "1", "--json"]
    with open(folder / "told.json", "w") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.PIPE)
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: {error.decode().strip()}")
    quality = json.loads((folder / "told.json").read_text())["quality"]
    return {
        "seconds": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss / 1024,
        "motion": quality["seconds"],
        "realtime": quality.get("realtime"),
        "off": [quality.get("path_mean_m"), quality.get("path_max_m")],
    }


def row(library: str, name: str, best: list[dict], before: dict[str, float]) -> str:
    own = best[0]
    growth = f"{own['seconds'] / before[name]:.2f}" if before.get(name) else ""
    cells = [library, name, f"{own['seconds']:.2f}", growth, f"{own['memory']:.0f}", f"{own['motion']:.1f}",
             f"{own['realtime']:.0f}" if own["realtime"] else "", off(own)]
    if len(best) > 1:
        cells += [f"{best[1]['seconds']:.2f}", off(best[1])]
    return "| " + " | ".join(cells) + " |"


def off(told: dict) -> str:
    mean, most = told["off"]
    return "" if mean is None else f"{mean:.3f}, {most:.3f}"


if __name__ == "__main__":
    sys.exit(main())
