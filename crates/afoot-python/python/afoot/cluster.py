"""The graph build on many machines: for libraries that outgrow one.

    import afoot.cluster
    afoot.cluster.build_graph("big.afoot", threshold_cm=6, address="auto")              # Ray
    afoot.cluster.build_graph("big.afoot", threshold_cm=6, on="dask", address="tcp://head:8786")
    afoot.cluster.build_graph("big.afoot", threshold_cm=6, on="processes", workers=2)   # this machine

The build is cut into pieces (pairs of stretches of frames) that know nothing of each other. A task does some pieces and writes a file for each into a folder that all machines
share; pieces that are there already are not done again, so that tasks may be retried, workers may die, and a driver that was stopped goes on where it was. Merging the files
gives the graph, byte for byte, that one machine would have built. The library's file must be readable under the same path on every machine.

    afoot.cluster.ask_all("big.afoot", [("wander", dict(seconds=60, seed=n, to=f"walk_{n}.bvh")) for n in range(100)], address="auto")

asks many requests at once: each is a task, and gives what it would give here.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional

from . import Library

__all__ = ["answer", "ask_all", "build_graph", "run_pieces"]

RETRIES = 3
"""How often a task is tried again when its worker is lost."""

_opened: dict[str, Library] = {}


def run_pieces(library: str, plan: str, folder: str, pieces: str) -> dict:
    """The task: does the pieces ("0..8") that are not in the folder yet. Safe to run twice, anywhere."""
    return _library(library).run_tiles(plan=plan, pieces=pieces, to=folder, threads=1)


def answer(library: str, number: int, ask: str, fields: dict) -> tuple[int, Any]:
    """The task of `ask_all`: a request's number and what it told."""
    return number, getattr(_library(library), ask)(**{"threads": 1, **fields})


def _library(path: str) -> Library:
    """Opened once in a worker, for all of its tasks."""
    if path not in _opened:
        _opened[path] = Library(path)
    return _opened[path]


def build_graph(
    library: "str | os.PathLike",
    *,
    on: str = "ray",
    address: Optional[str] = None,
    workers: Optional[int] = None,
    folder: "str | os.PathLike | None" = None,
    size: int = 4096,
    pieces_a_task: int = 8,
    progress: Optional[Callable[[dict], None]] = None,
    **recipe: Any,
) -> dict:
    """Builds the library's graph on a cluster and keeps it in the library.

    - `on`: `ray`, `dask` or `processes`.
    - `address`: of the cluster; without it one is started on this machine, with so many `workers`.
    - `folder`: what the machines share; `NAME.afoot-tiles` beside the library if left out. Kept until the graph is stored: a build that was stopped goes on from it.
    - `size`: frames on a side of a piece; `pieces_a_task`: pieces in a task, which reads the library once for all of them.
    - the rest is the graph's recipe, as `Library.build_graph` has it (`threshold_cm`, `window`, `only`, ...).
    """
    path = os.path.abspath(os.fspath(library))
    shared = Path(folder) if folder else Path(path + "-tiles")
    shared.mkdir(parents=True, exist_ok=True)
    plan = _plan(path, shared, size, recipe)
    tasks = _tasks(plan, shared / "pieces", pieces_a_task)
    work = _adapter(on)
    calls = [(path, str(plan), str(shared / "pieces"), pieces) for pieces in tasks]
    done = 0
    for told in work(run_pieces, calls, address, workers):
        done += 1
        if progress:
            progress({"kind": "progress", "stage": "comparing", "done": done, "total": len(calls), **told})
    told = Library(path).merge_tiles(plan=str(plan), folder=str(shared / "pieces"))
    _remove(shared)
    return {**told, "tasks": len(calls)}


def ask_all(
    library: "str | os.PathLike",
    requests: "list[tuple[str, dict]]",
    *,
    on: str = "ray",
    address: Optional[str] = None,
    workers: Optional[int] = None,
    progress: Optional[Callable[[dict], None]] = None,
) -> list[dict]:
    """Asks requests that write files (`("follow", dict(path=..., to="/shared/a.bvh"))`), each as a task; what they told, in their order.

    The graph must be there: workers that each found none would each build it. A task whose worker is lost is done again from its start; files appear whole or not at all.
    """
    path = os.path.abspath(os.fspath(library))
    for ask, fields in requests:
        if fields.get("to") is None:
            raise ValueError(f"{ask} has no `to`: motion stays with the worker that made it, so each request must name its file")
    calls = [(path, number, ask, fields) for number, (ask, fields) in enumerate(requests)]
    told: dict[int, Any] = {}
    for number, report in _adapter(on)(answer, calls, address, workers):
        told[number] = report
        if progress:
            progress({"kind": "progress", "stage": "asking", "done": len(told), "total": len(calls)})
    return [told[number] for number in range(len(calls))]


def _adapter(on: str) -> Callable[..., Iterator]:
    adapters = {"ray": _on_ray, "dask": _on_dask, "processes": _on_processes}
    if on not in adapters:
        raise ValueError(f"on={on!r}: expected ray, dask or processes")
    return adapters[on]


def _plan(path: str, shared: Path, size: int, recipe: dict) -> Path:
    """The plan; the one that is there if it is for the same clips, recipe and size."""
    plan, fresh = shared / "plan.json", shared / "plan.new"
    Library(path).plan_tiles(size=size, to=str(fresh), **recipe)
    if plan.exists() and plan.read_bytes() != fresh.read_bytes():
        for piece in (shared / "pieces").glob("*"):
            piece.unlink()
    fresh.replace(plan)
    return plan


def _tasks(plan: Path, folder: Path, pieces_a_task: int) -> list[str]:
    """Ranges of pieces, those left out that are all there."""
    count = len(json.loads(plan.read_text())["pieces"])
    missing = [piece for piece in range(count) if not (folder / f"piece_{piece:06}.bin").exists()]
    groups = [missing[at : at + pieces_a_task] for at in range(0, len(missing), pieces_a_task)]
    return [",".join(map(str, group)) for group in groups]


def _on_ray(task: Callable, calls: Iterable, address: Optional[str], workers: Optional[int]) -> Iterator:
    import ray

    ours = not ray.is_initialized()
    if ours:
        ray.init(address=address, num_cpus=None if address else workers, log_to_driver=False)
    try:
        remote = ray.remote(max_retries=RETRIES, num_cpus=1)(task)
        open_tasks = [remote.remote(*call) for call in calls]
        while open_tasks:
            finished, open_tasks = ray.wait(open_tasks, num_returns=1)
            yield from ray.get(finished)
    finally:
        if ours:
            ray.shutdown()


def _on_dask(task: Callable, calls: Iterable, address: Optional[str], workers: Optional[int]) -> Iterator:
    from distributed import Client
    from distributed import as_completed as completed

    # Two workers may do a task at the same time without harm, so none is kept from being repeated.
    started = {"n_workers": workers, "threads_per_worker": 1} if address is None else {"address": address}
    with Client(**started) as client:
        futures = [client.submit(task, *call, pure=False, retries=RETRIES) for call in calls]
        for future in completed(futures):
            yield future.result()


def _on_processes(task: Callable, calls: Iterable, address: Optional[str], workers: Optional[int]) -> Iterator:
    with ProcessPoolExecutor(workers) as pool:
        for future in as_completed([pool.submit(task, *call) for call in calls]):
            yield future.result()


def _remove(shared: Path) -> None:
    for file in sorted(shared.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    shared.rmdir()
