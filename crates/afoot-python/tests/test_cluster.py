"""Graphs built in pieces and many requests at once, by processes, Ray and Dask: the same bytes as here, and nothing done twice.

Ray and Dask are tried where they are installed (`pip install afoot[ray,dask]`), else skipped."""

import importlib.util
import os
import shutil
import signal
import sqlite3

import afoot
import afoot.cluster
import pytest


def graph_of(library):
    """What decides about a graph: how large it is, and what is walked on it."""
    told = library.wander(seconds=8, seed=3)
    return told.sources, told.clip.rotations.tobytes(), told.clip.root.tobytes()


def missing(module):
    spec = importlib.util.find_spec(module)  # a folder of that name has no origin
    return pytest.mark.skipif(spec is None or spec.origin is None, reason=f"{module} is not installed")


ADAPTERS = ["processes", pytest.param("ray", marks=missing("ray")), pytest.param("dask", marks=missing("distributed"))]


def kept_graph(library):
    """The graph's own bytes, as the library keeps them."""
    with sqlite3.connect(library) as file:
        return file.execute("SELECT options, body FROM artefacts WHERE kind = 'graph' ORDER BY options").fetchall()


def forget_graphs(library):
    with sqlite3.connect(library) as file:
        file.execute("DELETE FROM artefacts")


@pytest.fixture
def copies(library, folder, tmp_path):
    for name in ("at_once", "in_pieces"):
        shutil.copy(folder / "walks.afoot", tmp_path / f"{name}.afoot")
    return tmp_path


def test_pieces_give_the_graph_of_one_machine(copies):
    at_once = afoot.Library(copies / "at_once.afoot")
    at_once.build_graph(threshold_cm=5, rebuild=True)
    heard = []
    told = afoot.cluster.build_graph(
        copies / "in_pieces.afoot", on="processes", workers=2, threshold_cm=5, size=600, pieces_a_task=3, progress=heard.append
    )
    assert told["tasks"] > 2 and len(heard) == told["tasks"]
    assert graph_of(afoot.Library(copies / "in_pieces.afoot")) == graph_of(at_once)
    assert not (copies / "in_pieces.afoot-tiles").exists()


def test_a_build_that_was_stopped_goes_on_where_it_was(copies):
    class Stopped(Exception):
        pass

    def stop(event):
        if event["done"] == 2:
            raise Stopped

    how = dict(on="processes", workers=1, threshold_cm=5, size=600, pieces_a_task=2)
    with pytest.raises(Stopped):
        afoot.cluster.build_graph(copies / "in_pieces.afoot", progress=stop, **how)
    there = sorted((copies / "in_pieces.afoot-tiles/pieces").glob("*"))
    times = {file: file.stat().st_mtime_ns for file in there}
    assert times
    again = []

    def note(event):
        again.append(event["done"])
        for file, time in times.items():
            assert file.stat().st_mtime_ns == time, "a piece was done twice"

    afoot.cluster.build_graph(copies / "in_pieces.afoot", progress=note, **how)
    assert afoot.Library(copies / "in_pieces.afoot").show_library()["clips"]


@pytest.mark.parametrize("on", ADAPTERS)
def test_the_kept_graph_is_that_of_one_machine_byte_for_byte(copies, on):
    for name in ("at_once", "in_pieces"):
        forget_graphs(copies / f"{name}.afoot")
    afoot.Library(copies / "at_once.afoot").build_graph(threshold_cm=5)
    afoot.cluster.build_graph(copies / "in_pieces.afoot", on=on, workers=2, threshold_cm=5, size=600, pieces_a_task=3)
    expected = kept_graph(copies / "at_once.afoot")
    assert expected and kept_graph(copies / "in_pieces.afoot") == expected


@pytest.mark.parametrize("on", ADAPTERS)
def test_many_requests_give_the_files_that_they_give_here(copies, on):
    library = copies / "at_once.afoot"
    asked = lambda where: [("wander", dict(seconds=4, seed=seed, to=str(copies / f"{where}_{seed}.bvh"))) for seed in (1, 2, 3)]
    told = afoot.cluster.ask_all(library, asked("there"), on=on, workers=2)
    here = afoot.Library(library)
    for seed, (ask, fields) in zip((1, 2, 3), asked("here")):
        report = getattr(here, ask)(**fields)
        assert (copies / f"there_{seed}.bvh").read_bytes() == (copies / f"here_{seed}.bvh").read_bytes()
        assert told[seed - 1]["sources"] == report["sources"], "reports come in the order of their requests"


def die_once(library, number, ask, fields):
    """A task whose worker is killed (SIGKILL) in the middle, the first time."""
    mark = fields.pop("mark")
    if number == 1 and not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return afoot.cluster.answer(library, number, ask, fields)


@pytest.mark.parametrize("on", ADAPTERS[1:])
def test_a_killed_worker_s_task_is_done_by_another(copies, on, monkeypatch):
    mark, files = str(copies / "killed"), [copies / f"{seed}.bvh" for seed in range(4)]
    monkeypatch.setattr(afoot.cluster, "answer", die_once)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [os.path.dirname(__file__), os.environ.get("PYTHONPATH")])))
    told = afoot.cluster.ask_all(
        copies / "at_once.afoot", [("wander", dict(seconds=4, seed=seed, to=str(file), mark=mark)) for seed, file in enumerate(files)], on=on, workers=2
    )
    assert os.path.exists(mark) and len(told) == 4 and all(file.exists() for file in files)
    afoot.Library(copies / "at_once.afoot").wander(seconds=4, seed=1, to=str(copies / "here.bvh"))
    assert (copies / "here.bvh").read_bytes() == files[1].read_bytes()


def test_requests_without_a_file_and_unknown_clusters_are_refused(copies):
    with pytest.raises(ValueError, match="`to`"):
        afoot.cluster.ask_all(copies / "at_once.afoot", [("wander", dict(seconds=4))], on="processes")
    with pytest.raises(ValueError, match="slurm"):
        afoot.cluster.build_graph(copies / "at_once.afoot", on="slurm")
