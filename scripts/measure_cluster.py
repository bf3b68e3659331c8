#!/usr/bin/env python3
"""The graph build on Ray and Dask against one machine: the same bytes, whoever dies; what it costs.

    measure_cluster.py LIB.afoot [--threshold 6] [--workers 2] [--on ray dask] [--size 4096] [--folder DIR]

For each adapter: a build left alone; one whose worker is killed (SIGKILL) in the middle; one whose driver is killed and started again.
Each ends with the graph's bytes compared with those of `Library.build_graph`, and with the pieces that were done twice.
Needs the package `afoot` (`make python`), and ray or dask[distributed].
"""

import argparse
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

DRIVER = """
import json, sys, time
import afoot.cluster
library, on, workers, size, threshold, heard = sys.argv[1:7]
begun = time.monotonic()
def note(event):
    with open(heard, "a") as file:
        file.write(json.dumps({"done": event["done"], "total": event["total"], "at": time.monotonic() - begun}) + "\\n")
told = afoot.cluster.build_graph(library, on=on, workers=int(workers), size=int(size), threshold_cm=float(threshold), pieces_a_task=2, progress=note)
print(json.dumps({"seconds": time.monotonic() - begun, "tasks": told["tasks"]}))
"""


def graph_bytes(library: Path) -> bytes:
    with sqlite3.connect(library) as file:
        rows = file.execute("SELECT options, body FROM artefacts WHERE kind = 'graph' ORDER BY options").fetchall()
    assert rows, f"{library} has no graph"
    return b"".join(options.encode() + body for options, body in rows)


def start(library: Path, on: str, asked) -> subprocess.Popen:
    arguments = [str(library), on, str(asked.workers), str(asked.size), str(asked.threshold), str(library.with_suffix(".heard"))]
    return subprocess.Popen([sys.executable, "-c", DRIVER, *arguments], stdout=subprocess.PIPE, text=True, start_new_session=True)


def heard(library: Path) -> list:
    file = library.with_suffix(".heard")
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def wait_for_share(library: Path, driver: subprocess.Popen, share: float) -> None:
    while True:
        told = heard(library)
        if told and told[-1]["done"] >= share * told[-1]["total"]:
            return
        assert driver.poll() is None, "the build ended before anybody was killed: take smaller pieces"
        time.sleep(0.02)


def processes_below(parent: int) -> list:
    """Every process that descends from one, with its command."""
    parents, commands = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            commands[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, ValueError):
            continue
    found, grown = {parent}, True
    while grown:
        more = {process for process, above in parents.items() if above in found} - found
        found |= more
        grown = bool(more)
    return [(process, commands[process]) for process in sorted(found - {parent})]


def is_worker(on: str, command: str) -> bool:
    """Whether a process does tasks: Ray names them after what they do, Dask's are spawned by its driver."""
    return command.startswith("ray::") and "run_pieces" in command if on == "ray" else "multiprocessing.spawn" in command or "spawn_main" in command


def pieces_of(library: Path) -> dict:
    folder = Path(f"{library}-tiles") / "pieces"
    return {file.name: file.stat().st_mtime_ns for file in folder.glob("piece_*.bin")}


def build(asked, on: str, case: str, expected: bytes) -> dict:
    library = asked.folder / f"{on}_{case}.afoot"
    shutil.copy(asked.bare, library)
    begun, killed, repeated = time.monotonic(), None, 0
    driver = start(library, on, asked)
    if case == "worker":
        wait_for_share(library, driver, 0.3)
        workers = [process for process, command in processes_below(driver.pid) if is_worker(on, command)]
        assert workers, f"no workers of {on} were found"
        killed = workers[0]
        os.kill(killed, signal.SIGKILL)
    if case == "driver":
        wait_for_share(library, driver, 0.3)
        below = [process for process, _ in processes_below(driver.pid)]
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
        killed = driver.pid
        for process in below:  # What a dead driver leaves on one machine is no cluster any more.
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(1)
        before = pieces_of(library)
        library.with_suffix(".heard").unlink()
        driver = start(library, on, asked)
        wait_for_share(library, driver, 0.5)
        after = pieces_of(library)
        repeated = sum(after.get(name, time) != time for name, time in before.items())
    output, _ = driver.communicate()
    assert driver.returncode == 0, f"{on} {case} failed"
    told = json.loads(output.splitlines()[-1])
    same = graph_bytes(library) == expected
    library.unlink()
    return {"on": on, "case": case, "seconds": time.monotonic() - begun, "tasks": told["tasks"], "killed": killed is not None, "done twice": repeated, "same bytes": same}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=Path)
    parser.add_argument("--threshold", type=float, default=6)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--on", nargs="+", default=["ray", "dask"], choices=["ray", "dask", "processes"])
    parser.add_argument("--cases", nargs="+", default=["alone", "worker", "driver"])
    parser.add_argument("--folder", type=Path, default=Path("cluster-measured"))
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)

    import afoot

    asked.bare = asked.folder / "bare.afoot"
    shutil.copy(asked.library, asked.bare)
    with sqlite3.connect(asked.bare) as file:
        file.execute("DELETE FROM artefacts")
    one = asked.folder / "one.afoot"
    shutil.copy(asked.bare, one)
    begun = time.monotonic()
    afoot.Library(one).build_graph(threshold_cm=asked.threshold, threads=asked.workers)
    print(json.dumps({"on": "one machine", "threads": asked.workers, "seconds": time.monotonic() - begun}), flush=True)
    expected, wrong = graph_bytes(one), 0
    for on in asked.on:
        for case in asked.cases:
            row = build(asked, on, case, expected)
            print(json.dumps(row), flush=True)
            wrong += not row["same bytes"]
    shutil.rmtree(asked.folder)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
