#!/usr/bin/env python3
"""How well `afoot learn` carries labels to clips that it has not seen, beside a plain SVC of scikit-learn.

    python3 scripts/measure_labels.py AFOOT CMU transfer|rough|rounds|strangers [--keep FOLDER]

AFOOT is the program, CMU the folder with `bvh/` and `actions_labels.json` (CONTRIBUTING.md). Needs numpy and
scikit-learn for `transfer`. Motion is imported once, into a temporary folder or FOLDER.

transfer: for each label, trained on the clips (in the order of their names) that hold its first four sure occurrences
and on the first eight clips without a sure entry of it; silence in them means no. Told on all other clips; frames that
are unsure or within 0.25 s of a change do not count. The SVC has the paper's features alone (17 joints at five moments of
the second around a frame, in the axes of that frame's torso), gamma "scale", C 100, a frame in two; ours gets the same
marks through the command line.
rough: the same with every boundary of what is trained on moved at random by up to 0.25 s, for three seeds.
rounds: from the clips of `transfer` on, without six that are kept for the test; in each of ten rounds the first five
stretches that are offered for each of six labels are set right.
strangers: trained on all that is marked, told on another performer (subject 16, needs `sets.json`), whose clips nobody looked at while
features were chosen: their titles say which are walks, runs and jumps, and which way they turn. Walk and run by frames (clips in which
someone stops are left out), jump and turns by clips: those that carry the label for 0.2 s or more.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EIGHT = ["run", "walk", "jump", "turn left", "turn right", "stand", "backwards", "crouch"]
SIX = EIGHT[:6]
OTHER = {"turn left": "turn right", "turn right": "turn left"}
KEPT = ["143_07", "143_15", "143_22", "143_29", "143_35", "143_42"]
FPS = 30
MARGIN = 0.25


class Truth:
    def __init__(self, file, frames):
        self.clips, self.unsure, self.frames = file["clips"], file["unsure"], frames
        self.names = sorted(file["clips"])

    def rows(self, clip, label):
        return [row for row in self.clips[clip] if row["label"] == label]

    def sure(self, clip, label):
        return [row for row in self.rows(clip, label) if row.get("sure", True)]

    def frames_of(self, clip, label):
        """1 carries it, -1 does not, 0 unsure."""
        out = [-1] * self.frames[clip]
        for row in self.rows(clip, label):
            if row.get("sure", True) and row.get("is", True):
                paint(out, row["from"], row["to"], 1)
        for row in self.rows(clip, label):
            if not row.get("sure", True):
                paint(out, row["from"], row["to"], 0)
        for start, end in self.unsure.get(clip, []):
            paint(out, start, end, 0)
        return out

    def split(self, label, without=()):
        names = [name for name in self.names if name not in without]
        count, carrying = 0, []
        for name in names:
            found = [row for row in self.sure(name, label) if row.get("is", True)]
            if found and count < 4:
                carrying.append(name)
                count += len(found)
        empty = [name for name in names if not self.sure(name, label)][:8]
        trained = sorted(set(carrying + empty))
        return trained, [name for name in names if name not in trained]


def frame(seconds):
    return int(seconds * FPS + 0.5)


def paint(out, start, end, value):
    for index in range(frame(start), min(len(out), frame(end))):
        out[index] = value


def counted(truth):
    """Frames that are sure and not near a change."""
    reach = round(MARGIN * FPS)
    near = [False] * len(truth)
    for index in range(1, len(truth)):
        if truth[index] != truth[index - 1]:
            for other in range(max(0, index - reach), min(len(truth), index + reach)):
                near[other] = True
    return [value != 0 and not close for value, close in zip(truth, near)]


def score(truth, label, clips, told):
    hits = misses = alarms = 0
    for clip in clips:
        real = truth.frames_of(clip, label)
        for is_counted, value, says in zip(counted(real), real, told[clip]):
            if is_counted:
                hits += says and value > 0
                misses += value > 0 and not says
                alarms += says and value < 0
    precision, recall = hits / max(1, hits + alarms), hits / max(1, hits + misses)
    f1 = 2 * hits / max(1, 2 * hits + misses + alarms)
    return (precision, recall, f1) if hits + misses else None


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def run(self, *words):
        command = [self.path, *[str(word) for word in words], "--json", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
        return json.loads(done.stdout)

    def copy(self, base, name):
        target = self.folder / name
        shutil.copy(base, target)
        return target

    def mark(self, library, rows, vocabulary, unsure):
        file = self.folder / "marks.json"
        file.write_text(json.dumps({"vocabulary": vocabulary, "clips": rows, "unsure": unsure}))
        return self.run("labels", "import", library, file)

    def told(self, library, label, frames):
        """What the library says of every frame, by hand or learned."""
        file = self.folder / "out.json"
        self.run("labels", "export", library, "-o", file, "--learned")
        said = json.loads(file.read_text())["clips"]
        out = {}
        for clip, count in frames.items():
            out[clip] = [False] * count
            for row in said.get(clip, []):
                if row["label"] == label and row.get("is", True) and row.get("sure", True):
                    paint(out[clip], row["from"], row["to"], True)
        return out


def imported(program, cmu, names):
    library = program.folder / "actions.afoot"
    if not library.exists():
        files = [cmu / "bvh" / f"{name}.bvh" for name in names]
        program.run("import", library, *files, "--fps", FPS, "--source-fps", 60)
    listed = program.run("list", library)["clips"]
    return library, {clip["name"]: clip["frames"] for clip in listed}


def taught(program, base, truth, label, rough=None):
    """A library that learned one label from the clips for it."""
    trained, others = truth.split(label)
    labels = sorted({label, OTHER.get(label, label)})
    library = program.copy(base, "taught.afoot")
    rows = {clip: [rough(row) if rough else row for own in labels for row in truth.rows(clip, own)] for clip in trained}
    unsure = {clip: truth.unsure[clip] for clip in trained if clip in truth.unsure}
    program.mark(library, rows, labels, unsure)
    program.run("labels", "verify", library, *trained, *[word for own in labels for word in ("--label", own)])
    report = program.run("learn", library, "--label", label)["labels"][0]
    return report, others, program.told(library, label, truth.frames)


def transfer(program, base, truth, cmu):
    print("| label | precision | recall | F1 | held out | SVC precision | recall | F1 | frames | vectors | s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    features = plain_features(cmu, truth)
    ours, plain = [], []
    for label in EIGHT:
        report, others, told = taught(program, base, truth, label)
        found = score(truth, label, others, told)
        baseline = score(truth, label, others, plain_svc(features, truth, label))
        ours.append(found[2])
        plain.append(baseline[2])
        cells = [f"{value:.2f}" for value in found] + [f"{report['held_out_f1']:.2f}"] + [f"{value:.2f}" for value in baseline]
        cells += [report["trained_frames"], report["support_vectors"], f"{report['seconds']:.2f}"]
        print(f"| {label} | " + " | ".join(map(str, cells)) + " |", flush=True)
    print(f"mean of the eight: {sum(ours) / 8:.3f}, SVC {sum(plain) / 8:.3f}")


def rough(program, base, truth):
    means = []
    for seed in [None, 1, 2, 3]:
        rng = random.Random(seed)

        def moved(row):
            start = max(0.0, row["from"] + rng.uniform(-0.25, 0.25))
            end = row["to"] + rng.uniform(-0.25, 0.25)
            return row if end - start < 0.1 else {**row, "from": start, "to": end}

        scores = []
        for label in EIGHT:
            _, others, told = taught(program, base, truth, label, moved if seed else None)
            scores.append(score(truth, label, others, told)[2])
        means.append(sum(scores) / 8)
        print("as marked" if seed is None else f"moved, seed {seed}", " ".join(f"{s:.2f}" for s in scores), f"mean {means[-1]:.3f}", flush=True)
    print(f"loss in the mean: {means[0] - sum(means[1:]) / 3:.3f}")


def corrected(truth, stretch):
    """The rows that set a stretch right, and how many actions that takes: one, and one for each change within."""
    real = truth.frames_of(stretch["clip"], stretch["label"])
    start, end = frame(stretch["from"]), min(frame(stretch["to"]), len(real))
    rows, at = [], start
    while at < end:
        to = at
        while to < end and real[to] == real[at]:
            to += 1
        rows.append({"label": stretch["label"], "from": at / FPS, "to": to / FPS, "is": real[at] > 0, "sure": real[at] != 0})
        at = to
    return rows, len(rows)


def rounds(program, base, truth, labels=SIX):
    library = program.copy(base, "rounds.afoot")
    actions = 0
    for label in labels:
        trained, _ = truth.split(label, KEPT)
        rows = {clip: truth.rows(clip, label) for clip in trained}
        actions += sum(map(len, rows.values())) + 1  # a mark each, and one to say that the rest is silence
        unsure = {clip: truth.unsure[clip] for clip in trained if clip in truth.unsure}
        program.mark(library, rows, [label], unsure)
        program.run("labels", "verify", library, *trained, "--label", label)
    print("| round | " + " | ".join(labels) + " | mean | actions | slowest training s |\n|" + "---|" * (len(labels) + 4))
    for number in range(11):
        offered, slowest = [], 0.0
        for label in labels:
            told = program.run("learn", library, "--label", label, "--review", 200)
            slowest = max(slowest, told["labels"][0]["seconds"])
            free = [stretch for stretch in told["review"] if stretch["clip"] not in KEPT]
            offered += free[:5]
        scores = [score(truth, label, KEPT, program.told(library, label, truth.frames))[2] for label in labels]
        cells = [f"{s:.3f}" for s in scores] + [f"{sum(scores) / len(scores):.3f}", str(actions), f"{slowest:.2f}"]
        print(f"| {number} | " + " | ".join(cells) + " |", flush=True)
        rows = {}
        for stretch in offered:
            right, count = corrected(truth, stretch)
            rows.setdefault(stretch["clip"], []).extend(right)
            actions += count
        program.mark(library, rows, labels, {})
    print(f"{actions} actions, {actions * 5 / 60:.0f} minutes at 5 s each")


def strangers(program, base, truth, cmu):
    titles = {name: clip["index"] for name, clip in json.loads((cmu / "sets.json").read_text())["clips"].items() if name.startswith("16_")}
    library = program.copy(base, "strangers.afoot")
    labels = ["walk", "run", "jump", "turn left", "turn right"]
    program.mark(library, {clip: [row for label in labels for row in truth.rows(clip, label)] for clip in truth.names}, labels, truth.unsure)
    program.run("labels", "verify", library, *truth.names, *[word for label in labels for word in ("--label", label)])
    program.run("import", library, *[cmu / "bvh" / f"{name}.bvh" for name in sorted(titles)], "--fps", FPS)
    frames = {clip["name"]: clip["frames"] for clip in program.run("list", library)["clips"] if clip["name"] in titles}
    program.run("learn", library, *[word for label in labels for word in ("--label", label)])
    told = {label: program.told(library, label, frames) for label in labels}
    kind = {name: "jump" if "jump" in title else "run" if title.startswith("run") else "walk" for name, title in titles.items()}
    for label, other in (("walk", "run"), ("run", "walk")):
        clips = {name for name, title in titles.items() if "stop" not in title and kind[name] != "jump"}
        hits = sum(sum(told[label][name]) for name in clips if kind[name] == label)
        misses = sum(frames[name] for name in clips if kind[name] == label) - hits
        alarms = sum(sum(told[label][name]) for name in clips if kind[name] == other)
        print(f"{label}: precision {hits / max(1, hits + alarms):.3f}, recall {hits / max(1, hits + misses):.3f}, F1 {2 * hits / max(1, 2 * hits + misses + alarms):.3f}")
    carries = lambda label, name: sum(told[label][name]) >= 0.2 * FPS
    jumps = [name for name in titles if kind[name] == "jump"]
    others = [name for name in titles if kind[name] != "jump"]
    print(f"jump: {sum(carries('jump', name) for name in jumps)} of {len(jumps)} clips with one, {sum(carries('jump', name) for name in others)} of {len(others)} without")
    for side in ("left", "right"):
        own = [name for name, title in titles.items() if f"90-degree {side}" in title]
        rest = [name for name in others if side not in titles[name]]
        label = f"turn {side}"
        print(f"{label}: {sum(carries(label, name) for name in own)} of {len(own)} clips with one by 90 degrees, {sum(carries(label, name) for name in rest)} of {len(rest)} that go straight or the other way")


def plain_features(cmu, truth):
    """The paper's features, from the files by other code than the program's."""
    import numpy as np

    def turn(axis, angle):
        out = np.zeros(angle.shape + (3, 3))
        i, j, k = {"x": (0, 1, 2), "y": (1, 2, 0), "z": (2, 0, 1)}[axis]
        out[..., i, i], out[..., j, j], out[..., k, k] = 1, np.cos(angle), np.cos(angle)
        out[..., j, k], out[..., k, j] = -np.sin(angle), np.sin(angle)
        return out

    def places(path):
        head, motion = path.read_text().split("MOTION")
        parents, offsets, stack, is_end = [], [], [], False
        for words in filter(None, (line.split() for line in head.splitlines())):
            if words[0] in ("ROOT", "JOINT"):
                parents.append(stack[-1] if stack else -1)
            elif words[0] == "End":
                is_end = True
            elif words[0] == "{":
                stack.append(len(parents) - 1)
            elif words[0] == "}":
                stack.pop()
                is_end = False
            elif words[0] == "OFFSET" and not is_end:
                offsets.append([float(word) for word in words[1:]])
        lines = motion.split("Frame Time:")[1].split("\n")[1:]
        values = np.array([[float(word) for word in line.split()] for line in lines if line.strip()])[1::2]
        angles = np.radians(values[:, 3:]).reshape(len(values), -1, 3)
        points, turns = [], []
        for joint, parent in enumerate(parents):
            own = turn("z", angles[:, joint, 0]) @ turn("y", angles[:, joint, 1]) @ turn("x", angles[:, joint, 2])
            if parent < 0:
                points.append(values[:, :3])
                turns.append(own)
            else:
                points.append(points[parent] + turns[parent] @ np.array(offsets[joint]))
                turns.append(turns[parent] @ own)
        return np.stack(points, 1) * 0.0564444

    joints = [0, 2, 3, 4, 5, 7, 8, 9, 10, 13, 16, 18, 19, 20, 25, 26, 27]
    features = {}
    for clip in truth.names:
        points = places(cmu / "bvh" / f"{clip}.bvh")
        count = min(len(points), truth.frames[clip])
        left = np.zeros((len(points), 3))
        for a, b in [(2, 7), (18, 25)]:
            line = points[:, a] - points[:, b]
            left += line / np.linalg.norm(line[:, [0, 2]], axis=1)[:, None]
        yaw = np.arctan2(-left[:, 2], left[:, 0])
        cos, sin = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
        ground = points[:, 0] * [1, 0, 1]
        rows = []
        for step in (-15, -7, 0, 7, 15):
            at = np.clip(np.arange(len(points)) + step, 0, len(points) - 1)
            away = points[at][:, joints] - ground[:, None]
            rows.append(np.stack([away[..., 0] * cos - away[..., 2] * sin, away[..., 1], away[..., 0] * sin + away[..., 2] * cos], -1))
        features[clip] = np.concatenate([row.reshape(len(points), -1) for row in rows], 1)[:count]
    return features


def plain_svc(features, truth, label):
    import numpy as np
    from sklearn.svm import SVC

    trained, others = truth.split(label)
    rows, sides = [], []
    for clip in trained:
        side = np.array(truth.frames_of(clip, label)[: len(features[clip])])
        sure = np.where(side != 0)[0][::2]
        rows.append(features[clip][sure])
        sides.append(side[sure])
    machine = SVC(C=100, gamma="scale").fit(np.concatenate(rows), np.concatenate(sides))
    told = {}
    for clip in others:
        says = machine.decision_function(features[clip]) > 0
        told[clip] = list(says) + [bool(says[-1])] * (truth.frames[clip] - len(says))
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("afoot", type=Path)
    parser.add_argument("cmu", type=Path)
    parser.add_argument("what", choices=["transfer", "rough", "rounds", "strangers"])
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        program = Program(asked.afoot.resolve(), folder)
        file = json.loads((asked.cmu / "actions_labels.json").read_text())
        base, frames = imported(program, asked.cmu, sorted(file["clips"]))
        truth = Truth(file, frames)
        match asked.what:
            case "transfer":
                transfer(program, base, truth, asked.cmu)
            case "rough":
                rough(program, base, truth)
            case "rounds":
                rounds(program, base, truth)
            case "strangers":
                strangers(program, base, truth, asked.cmu)


if __name__ == "__main__":
    main()
