#!/usr/bin/env python3
"""How the cost of a survey grows: user time against the links of the embedded graph.

    survey_scaling.py AFOOT LIB.afoot WORK_FOLDER

Surveys an open torus of 1, 2, 4 and 8 times the area, finer grids, and graphs of several thresholds, on one
thread, with one pair of places; prints a row for each and R² of a straight line through each series, up to 10⁸ links
and some more. What the same command takes on a torus of 1.2 m, the graph above all, is taken off. Nothing that was laid
before is taken up: each survey is of another world than the one before it.
"""
import json
import os
import subprocess
import sys
from pathlib import Path


def survey(afoot, library, work, world, options):
    world_file = work / "world.json"
    world_file.write_text(json.dumps(world))
    command = [afoot, "survey", library, "--world", world_file, "-o", work / "scaling", "--samples", "1",
               "--no-suggestions", "--threads", "1", "--json", *options]
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        return None, process.stderr.read().strip()
    return json.loads(out), usage.ru_utime


def fit(points):
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    sxy = sum((x - mx) * (y - my) for x, y in points)
    sxx, syy = sum((x - mx) ** 2 for x, _ in points), sum((y - my) ** 2 for _, y in points)
    return sxy * sxy / (sxx * syy), sxy / sxx


def main():
    afoot, library, work = (Path(word).resolve() for word in sys.argv[1:4])
    work.mkdir(parents=True, exist_ok=True)
    torus = lambda width, depth: {"bounds": [[0, 0], [width, depth]], "wrap": True, "radius": 0.25}
    series = {
        "area": [(torus(6 * a, 6 * b), ["--threshold", 4]) for a, b in [(1, 1), (2, 1), (2, 2), (4, 2)]],
        "cell": [(torus(6, 6), ["--threshold", 3, "--cell", cell]) for cell in (0.3, 0.25, 0.2, 0.15, 0.12)],
        "graph": [(torus(6, 6), ["--threshold", cm]) for cm in (2.5, 3, 3.5, 4, 5, 6, 7)],
    }
    print("| series | moves | states | links | links tried | user time [s] |\n|---|---|---|---|---|---|")
    for name, runs in series.items():
        points = []
        for world, options in runs:
            told, seconds = survey(afoot, library, work, world, options)
            graph = [word for pair in zip(options[::2], options[1::2]) if pair[0] == "--threshold" for word in pair]
            small, before = survey(afoot, library, work, torus(1.2, 1.2), graph)
            if told and small:
                seconds -= before
            if told is None:
                print(f"| {name} {' '.join(map(str, options))} | {seconds} |")
                continue
            tried = told["links"] + sum(told["culled"].values())
            points.append((told["links"], seconds))
            print(f"| {name} {' '.join(map(str, options))} | {told['moves']} | {told['nodes']:,} | {told['links']:,} | {tried:,} | {seconds:.2f} |")
        if len(points) > 2:
            share, slope = fit(points)
            print(f"| {name} | R² {share:.4f}, {1e9 * slope:.0f} ns a link | | | | |")


main()
