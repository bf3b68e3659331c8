#!/usr/bin/env python3
"""How performing a score does: scenes, anytime, growth with length and footage, blocks to begin with.

Usage: measure_performing.py BINARY scenes LIBRARY [--scores DIR] [--keep DIR]
       measure_performing.py BINARY anytime LIBRARY [--seconds 60]
       measure_performing.py BINARY growth LIBRARY... [--plot FILE.svg]
       measure_performing.py BINARY blocks LIBRARY [--iterations 60]

Libraries carry labels (or types) walk, run and stand; `scenes` needs those of the scores. Footage is prepared by a first
request, timed apart. Times of `growth` are processor seconds an iteration (user and system, of all threads), from the
difference of a long and a short search, so that loading and writing do not count and other programs matter little; those of `anytime`
are what that many iterations take of a processor, --seconds of it in all.

`scenes` says twice how much of each entry is kept: by the labels of the frames that are played, and by machines that learned all
labels from the library's clips (in which silence means no) and then saw the finished motion, a clip like any other to them.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile

SCORES = pathlib.Path(__file__).resolve().parents[1] / "examples/scores"
BARS = {"skate_cm_s": 5, "skate_share": 0.01, "slide_mm": 10, "sink_cm": 1, "jump_ratio": 1.5, "acceleration_ratio": 1.5,
        "hip_change_cm": 1, "knee_change_deg": 2.5, "knee_acceleration_ratio": 1.5, "root_acceleration_ratio": 1.5,
        "unsupported_share": 0.01}


def story(seconds: float) -> dict:
    """Walk, run and stand in turn, 3.5 s each with 1.5 s between."""
    words, paint, at = ["walk", "run", "stand"], [], 0.0
    while at + 3.5 <= seconds + 1e-9:
        paint.append({"label": words[len(paint) % 3], "from": at, "to": at + 3.5})
        at += 5.0
    return {"seconds": seconds, "paint": paint}


def perform(binary: pathlib.Path, library: pathlib.Path, score: pathlib.Path, folder: pathlib.Path, *more: str) -> dict:
    before = os.times()
    command = [str(binary), "perform", str(library), "--score", str(score), "-o", str(folder / "out.bvh"), "--json", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode != 0:
        return {"failed": done.returncode, "told": done.stderr.strip()}
    told = json.loads(done.stdout)
    told["processor_s"] = after.children_user + after.children_system - before.children_user - before.children_system
    return told


def scenes(asked: argparse.Namespace, folder: pathlib.Path) -> None:
    rows, scores = {}, sorted(asked.scores.glob("*.json"))
    made = asked.keep or folder / "scenes"
    made.mkdir(exist_ok=True)
    for score in scores:
        told = perform(asked.binary, asked.libraries[0], score, folder, "--picture", str(made / f"{score.stem}.png"))
        rows[score.stem] = told
        if "failed" not in told:
            shutil.copy(folder / "out.bvh", made / f"{score.stem}.bvh")
    learned = told_by_machines(asked, folder, [made / f"{name}.bvh" for name, told in rows.items() if "failed" not in told],
                               {entry["label"] for score in scores for entry in json.loads(score.read_text()).get("paint", [])})
    print("| scene | frames | joins | entries (share by sources; by machines) | place [m, deg] | pose [cm] | bars not kept | cost | search [s] |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, told in rows.items():
        if "failed" in told:
            print(f"| {name} | exit {told['failed']}: {told['told']} |")
            continue
        quality = told["quality"]
        entries = ", ".join(f"{'' if e['want'] else 'not '}{e['label']} {e['share']:.2f}; {machine_share(learned.get(name, []), e):.2f}" for e in told["entries"])
        places = ", ".join(f"{p['error_m']:.3f}, {p['error_deg']:.1f}" for p in told["places"])
        poses = ", ".join(f"{p['pose_error_cm']:.2f}" for p in told["poses"])
        broken = [f"{bar} {quality[bar]:.3g}" for bar, most in BARS.items() if (quality.get(bar) or 0) > most]
        if quality.get("faced_share", 1) < 0.95:
            broken.append(f"faced_share {quality['faced_share']:.3g}")
        print(f"| {name} | {quality['frames']} | {quality['transitions']} | {entries} | {places} | {poses} | "
              f"{', '.join(broken) or 'none'} | {told['cost']:.2f} | {told['searched_s']:.2f} |", flush=True)


def told_by_machines(asked: argparse.Namespace, folder: pathlib.Path, files: list[pathlib.Path], labels: set[str]) -> dict[str, list[dict]]:
    """What machines that learned from the library's clips say of files."""
    library = folder / "told.afoot"
    shutil.copy(asked.libraries[0], library)
    run = lambda *words: subprocess.run([str(asked.binary), *map(str, words), "--quiet"], check=True, capture_output=True)
    listed = json.loads(subprocess.run([str(asked.binary), "list", str(library), "--json"], capture_output=True, check=True).stdout)
    wanted = [word for label in sorted(labels) for word in ("--label", label)]
    run("labels", "verify", library, *[clip["name"] for clip in listed["clips"]], *wanted)
    run("import", library, *files)
    run("learn", library, *wanted)
    run("labels", "export", library, "-o", folder / "learned.json", "--learned")
    return json.loads((folder / "learned.json").read_text())["clips"]


def machine_share(rows: list[dict], entry: dict) -> float:
    """Share of an entry's frames that carry its label by these rows, or do not where that is asked."""
    own = [row for row in rows if row["label"] == entry["label"] and row.get("is", True)]
    times = [entry["from"] + (index + 0.5) / 30 for index in range(round(30 * (entry["to"] - entry["from"])))]
    carried = sum(any(row["from"] <= time < row["to"] for row in own) for time in times)
    return (carried if entry["want"] else len(times) - carried) / max(1, len(times))


def anytime(asked: argparse.Namespace, folder: pathlib.Path) -> None:
    """Costs by iteration do not depend on other programs; what an iteration takes of a processor makes seconds of them."""
    score = folder / "story.json"
    score.write_text(json.dumps(story(20)))
    first = perform(asked.binary, asked.libraries[0], score, folder, "--iterations", "1")
    print(f"prepared in {first['prepared_s']:.2f} s where it is not kept")
    firsts = [perform(asked.binary, asked.libraries[0], score, folder, "--iterations", "1") for _ in range(5)]
    print("first motion by the clock [s]: " + ", ".join(f"{told['better'][0]['seconds']:.3f}" for told in firsts))
    spent = an_iteration(asked, asked.libraries[0], score, folder)
    told = perform(asked.binary, asked.libraries[0], score, folder, "--iterations", str(round(asked.seconds / spent)))
    final = told["better"][-1]["cost"]
    print(f"{1e3 * spent:.1f} ms of a processor an iteration; {told['iterations']} iterations, {told['searched_s']:.1f} s by the clock")
    print("| after [processor s] | iteration | cost | over the last |")
    print("|---|---|---|---|")
    for better in told["better"]:
        print(f"| {better['iteration'] * spent:.2f} | {better['iteration']} | {better['cost']:.3f} | {better['cost'] / final - 1:+.1%} |")
    exact = perform(asked.binary, asked.libraries[0], score, folder, "--exact")
    if "bound" in exact:
        print(f"best of all {exact['bound']:.3f}; search by 60 iterations {exact['searched']:.3f}")


def an_iteration(asked: argparse.Namespace, library: pathlib.Path, score: pathlib.Path, folder: pathlib.Path) -> float:
    few, many = (min(perform(asked.binary, library, score, folder, "--iterations", str(n))["processor_s"] for _ in range(3))
                 for n in (5, 65))
    return max(many - few, 1e-4) / 60


def growth(asked: argparse.Namespace, folder: pathlib.Path) -> None:
    series = {"result [s]": [], "footage [min]": []}
    print("| library | frames | prepared [s] | result [s] | processor an iteration [ms] |")
    print("|---|---|---|---|---|")
    for index, library in enumerate(asked.libraries):
        lengths = [10, 20, 40, 80] if index + 1 == min(len(asked.libraries), 3) else [20]
        listed = json.loads(subprocess.run([str(asked.binary), "list", str(library), "--json"], capture_output=True, check=True).stdout)
        seconds = sum(clip["seconds"] for clip in listed["clips"])
        frames = sum(clip["frames"] for clip in listed["clips"])
        for length in lengths:
            score = folder / f"story{length}.json"
            score.write_text(json.dumps(story(length)))
            prepared = perform(asked.binary, library, score, folder, "--iterations", "1")["prepared_s"]
            spent = an_iteration(asked, library, score, folder)
            print(f"| {library.stem} | {frames} | {prepared:.2f} | {length} | {1e3 * spent:.2f} |", flush=True)
            if len(lengths) > 1:
                series["result [s]"].append((length, spent))
            if length == 20:
                series["footage [min]"].append((seconds / 60, spent))
    for name, points in series.items():
        if len(points) > 1:
            print(f"slope of {name}: {slope(points):.2f}")
    if asked.plot:
        asked.plot.write_text(plot(series))


def slope(points: list[tuple[float, float]]) -> float:
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def plot(series: dict[str, list[tuple[float, float]]]) -> str:
    """Both series, log-log, as an SVG drawing."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="760" height="360" font-family="sans-serif" font-size="12">']
    for index, (name, points) in enumerate(series.items()):
        if len(points) < 2:
            continue
        left = 60 + 370 * index
        xs, ys = [math.log10(x) for x, _ in points], [math.log10(1e3 * y) for _, y in points]
        low, high = math.floor(min(ys)), math.ceil(max(ys))
        place = lambda x, y: (left + 280 * (x - min(xs)) / max(max(xs) - min(xs), 1e-9), 300 - 260 * (y - low) / max(high - low, 1))
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in map(place, xs, ys))
        parts.append(f'<rect x="{left}" y="40" width="280" height="260" fill="none" stroke="#aaa"/>')
        parts.append(f'<polyline points="{line}" fill="none" stroke="#7a2f9a" stroke-width="2"/>')
        for (x, y), (px, py) in zip(points, map(place, xs, ys)):
            parts.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3"/><text x="{px:.1f}" y="316">{x:.3g}</text>')
            parts.append(f'<text x="{px + 4:.1f}" y="{py - 6:.1f}">{1e3 * y:.3g}</text>')
        parts.append(f'<text x="{left}" y="24">ms an iteration over {name}: slope {slope(points):.2f}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def blocks(asked: argparse.Namespace, folder: pathlib.Path) -> None:
    score = folder / "story.json"
    score.write_text(json.dumps(story(20)))
    print("| first blocks [s] | cost | search [s] | processor [s] |")
    print("|---|---|---|---|")
    for block in ("0.53", "0.27", "0.13"):
        for seed in ("1", "2", "3"):
            told = perform(asked.binary, asked.libraries[0], score, folder, "--block", block, "--seed", seed,
                           "--iterations", str(asked.iterations))
            print(f"| {block}, seed {seed} | {told['cost']:.3f} | {told['searched_s']:.2f} | {told['processor_s']:.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("what", choices=["scenes", "anytime", "growth", "blocks"])
    parser.add_argument("libraries", type=pathlib.Path, nargs="+")
    parser.add_argument("--scores", type=pathlib.Path, default=SCORES)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for motion and pictures of scenes")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--plot", type=pathlib.Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="afoot-perform-") as folder:
        globals()[asked.what](asked, pathlib.Path(folder))


if __name__ == "__main__":
    main()
