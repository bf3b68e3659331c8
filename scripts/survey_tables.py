#!/usr/bin/env python3
"""Reitsma and Pollard's tables 1 to 3 with this program's figures beside theirs.

    survey_tables.py AFOOT CMU_FOLDER WORK_FOLDER [--connect always] [--samples 500] ...

Makes a library of 23 clips (22 walks and turns of subject 16, one step of subject 143 on the same skeleton) in
WORK_FOLDER, surveys the room of the samples with all five sets of clips and seven editing sizes, and prints the tables
as Markdown. Transitions up to 5 cm, to and from the step up to 10 cm; 5,000 pairs of places, the same for all sets.
Further options go to `afoot survey`, and may be other ones than these.
"""
import json
import subprocess
import sys
from pathlib import Path

WALKS = "15 16 21 22 47 58 11 12 23 24 13 14 25 26 17 18 27 28 19 20 29 30".split()
STRAIGHT, GRADUAL, SHARP = WALKS[:6], WALKS[6:14], WALKS[14:]
STEP = "143_15"
SETS = {
    # The paper's halves leave its short clips out: these are the longer half of each kind.
    "half": "15 16 47 11 12 13 14 17 18 19 20".split(),
    "no duplicates": "47 12 13 18 20".split(),
    "no sharp turns": STRAIGHT + GRADUAL,
    "no gradual turns": STRAIGHT + SHARP,
}
PAPER = {
    "all": (2304, 1177, 0.951, 0.904, 1.0066, 1.124, 7.0, 2.0),
    "half": (1424, 1010, 0.955, 0.905, 1.0063, 1.131, 6.6, 2.8),
    "no duplicates": (733, 537, 0.922, 0.879, 1.0083, 1.140, 8.2, 2.2),
    "no sharp turns": (1551, 948, 0.942, 0.893, 1.0066, 1.133, 9.0, 2.2),
    "no gradual turns": (1543, 682, 0.958, 0.896, 1.0082, 1.180, 8.8, 3.8),
}
PAPER_EDITS = {
    5: (0.557, 0.256, 0.000, 0.000), 10: (0.772, 0.538, 0.241, 0.145), 15: (0.882, 0.737, 0.624, 0.405),
    20: (0.938, 0.875, 0.897, 0.821), 25: (0.951, 0.904, 0.949, 0.896), 30: (0.969, 0.943, 0.969, 0.942),
    35: (0.974, 0.954, 0.974, 0.954),
}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def library(afoot, cmu, work):
    made = work / "nav.afoot"
    if made.exists():
        return made
    files = [cmu / "bvh" / f"16_{number}.bvh" for number in WALKS]
    usual = ["--unit", "cmu", "--drop-first", "1", "-q"]
    run(afoot, "import", work / "step.afoot", cmu / "bvh" / f"{STEP}.bvh", "--source-fps", "60", *usual)
    run(afoot, "export", work / "step.afoot", f"{STEP}[0.3s..5.0s]", "-o", work / f"{STEP}.bvh", "-q")
    run(afoot, "import", made, *files, *usual)
    run(afoot, "import", made, work / f"{STEP}.bvh", "--unit", "cm", "--retarget", "16_15", "-q")
    run(afoot, "label", made, STEP, "step", "--from", "1.6", "--to", "3.6", "-q")
    return made


def usual(asked):
    """The options of the tables that are not asked for otherwise."""
    options = {"--threshold": "5", "--pair": "walk,step=10", "--samples": "5000"}
    return [word for name, value in options.items() if name not in asked for word in (name, value)]


def main():
    afoot, cmu, work = (Path(word).resolve() for word in sys.argv[1:4])
    work.mkdir(parents=True, exist_ok=True)
    room = Path(__file__).resolve().parent.parent / "examples/worlds/room.json"
    compare = []
    for name, numbers in SETS.items():
        clips = ",".join([f"16_{number}" for number in numbers] + [STEP])
        compare += ["--compare", f"{name}={clips}"]
    told = json.loads(run(
        afoot, "survey", library(afoot, cmu, work), "--world", room, "-o", work / "survey", "--json", "--edit-in-time", "0",
        "--edits", ",".join(map(str, PAPER_EDITS)), "--no-suggestions", *usual(sys.argv[4:]), *compare, *sys.argv[4:]))
    print("| set | choices | moves | states | links | frames | in the graph | XZ | XZA |\n|---|---|---|---|---|---|---|---|---|")
    for row in [told, *told["compare"]]:
        paper = PAPER[row["name"]]
        print(f"| {row['name']} | {row['choices']} | {row['moves']} | {row['nodes']:,} | {row['links']:,} | "
              f"{row['source_frames']} ({paper[0]}) | {row['graph_frames']} ({paper[1]}) | "
              f"{row['coverage_xz']:.3f} ({paper[2]:.3f}) | {row['coverage_xza']:.3f} ({paper[3]:.3f}) |")
    print("\n| size | always: XZ | XZA | within: XZ | XZA | regions without a cell |\n|---|---|---|---|---|---|")
    for row in told["edits"]:
        paper, always, within = PAPER_EDITS[int(row["edit"])], row["always"], row["within"]
        print(f"| {row['edit']:.0f} | {always['coverage_xz']:.3f} ({paper[0]:.3f}) | {always['coverage_xza']:.3f} ({paper[1]:.3f}) | "
              f"{within['coverage_xz']:.3f} ({paper[2]:.3f}) | {within['coverage_xza']:.3f} ({paper[3]:.3f}) | {row['empty_edit_share']:.0%} |")
    print("\n| set | median | 95 % | E_P > 1.1 [%] | E_P > 1.25 [%] | unreached |\n|---|---|---|---|---|---|")
    for row in [told, *told["compare"]]:
        paper, paths = PAPER[row["name"]], row["paths"]
        ends = paths["intervals"]
        between = lambda pair, scale=1, digits=3: f"{scale * pair[0]:.{digits}f}–{scale * pair[1]:.{digits}f}"
        print(f"| {row['name']} | {paths['median']:.4f}, {between(ends['median'], 1, 4)} ({paper[4]:.4f}) | "
              f"{paths['p95']:.3f}, {between(ends['p95'])} ({paper[5]:.3f}) | "
              f"{100 * paths['above_1_1']:.1f}, {between(ends['above_1_1'], 100, 1)} ({paper[6]}) | "
              f"{100 * paths['above_1_25']:.1f}, {between(ends['above_1_25'], 100, 1)} ({paper[7]}) | "
              f"{paths['unreached']} of {paths['samples']} |")
    seconds = told["seconds"]
    print(f"\ngraph {seconds['graph']:.2f} s, embedding {seconds['embed']:.2f} s, coverage {seconds['coverage']:.2f} s, "
          f"{told['paths']['samples']} paths {seconds['paths']:.2f} s (wall)")


main()
