#!/usr/bin/env python3
"""Kills commands at random moments and looks whether anything committed is lost.

    scripts/kill_commands.py AFOOT MOTION_FOLDER [--kills 100] [--seed 1]

Every round runs one of import, graph, graph --rebuild, label, learn, clusters and remove on a library, kills it (SIGKILL)
at a random moment of the time it usually takes, and then asks: is the library whole (`check`)? Are all
clips there that were committed before and not asked to be removed? Has the graph an earlier round built
still its bytes, or did a newer one take its place? A change that had ended must have been made. Prints
a line a command and ends with status 1 where something was lost.
"""
import argparse, json, os, random, shutil, signal, sqlite3, subprocess, sys, tempfile, time
from pathlib import Path


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("afoot")
    parser.add_argument("motion", type=Path)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    afoot, draw = os.path.abspath(options.afoot), random.Random(options.seed)
    folder = Path(tempfile.mkdtemp(prefix="afoot-kills-"))
    files = sorted(options.motion.glob("*.bvh"))
    library = folder / "lib.afoot"
    run(afoot, "import", library, *files[: len(files) // 2])
    run(afoot, "graph", library, "--threshold", "6")
    for file in files[:2]:
        run(afoot, "label", library, file.stem, "taught", "--to", "1")
        run(afoot, "labels", "verify", library, file.stem)

    def facts():
        told = json.loads(run(afoot, "check", library, "--json"))
        clips = json.loads(run(afoot, "list", library, "--json"))["clips"]
        base = sqlite3.connect(library)
        kinds = {kind for (kind,) in base.execute("SELECT kind FROM artefacts")}
        base.close()
        return told["whole"], {clip["name"]: tuple(clip["labels"]) for clip in clips}, kinds

    teachers = {file.stem for file in files[:2]}

    def said(clip, command):
        """The labels that a clip had and must keep: what was learned before is learning's to replace."""
        had = set(clips.get(clip, ()))
        return had - {"taught"} if command == "learn" and clip not in teachers else had

    commands = ["import", "graph", "rebuild", "label", "learn", "clusters", "remove"]
    usual = dict.fromkeys(commands, 0.5)
    counts = {command: [0, 0] for command in commands}  # killed, ended before
    lost = []
    _, clips, kinds = facts()
    rounds = 0
    while sum(killed for killed, _ in counts.values()) < options.kills and rounds < 5 * options.kills:
        name = commands[rounds % len(commands)]
        rounds += 1
        victim = draw.choice(sorted(clips))
        label = f"mark{rounds}"
        words = {
            "import": ["import", library, draw.choice(files), "--label", label],
            "graph": ["graph", library, "--threshold", str(4 + rounds % 3)],
            "rebuild": ["graph", library, "--rebuild", "--threshold", "6"],
            "label": ["label", library, victim, label],
            "learn": ["learn", library, "--label", "taught"],
            "clusters": ["clusters", library, "--error", str(8 + rounds % 5)],
            "remove": ["remove", library, victim],
        }[name]
        if name == "remove" and len(clips) < 4:
            continue
        begun = time.time()
        child = subprocess.Popen([afoot, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(draw.uniform(0, 1.1) * usual[name])
            ended = True
            usual[name] = 0.5 * usual[name] + 0.5 * (time.time() - begun)
        except subprocess.TimeoutExpired:
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
            ended = False
            if usual[name] < 60:
                usual[name] *= 1.05
        counts[name][ended] += 1
        whole, now, kinds_now = facts()
        wrong = [] if whole else ["the library is not whole"]
        gone = [clip for clip in clips if clip not in now and not (name == "remove" and clip == victim)]
        wrong += [f"{clip} is lost" for clip in gone]
        wrong += [f"{clip} lost its labels" for clip in now if not said(clip, name) <= set(now[clip])]
        wrong += [f"the {kind} is lost" for kind in kinds - kinds_now if kind in ("graph", "recipe", "candidates")]
        if ended and child.returncode == 0:
            if name == "label" and label not in now.get(victim, ()):
                wrong.append("a label that was told to be set is not")
            if name == "remove" and victim in now:
                wrong.append("a clip that was told to be removed is there")
        if wrong:
            lost.append((rounds, name, wrong))
            print(f"round {rounds}, {name}: {'; '.join(wrong)}", file=sys.stderr)
        clips, kinds = now, kinds_now
    empty = [path.name for path in folder.glob("*.afoot") if path != library]
    for name, (killed, ended) in counts.items():
        print(f"{name:8} killed {killed:3}, ended before {ended:3}")
    killed = sum(killed for killed, _ in counts.values())
    print(f"{killed} kills in {rounds} rounds: {len(lost)} losses; {len(clips)} clips at the end; other libraries: {empty}")
    shutil.rmtree(folder)
    sys.exit(bool(lost))


main()
