"""Graphs built in pieces, by processes of this machine: the same bytes as at once, and nothing done twice."""

import shutil

import afoot
import afoot.cluster
import pytest


def graph_of(library):
    """What decides about a graph: how large it is, and what is walked on it."""
    told = library.wander(seconds=8, seed=3)
    return told.sources, told.clip.rotations.tobytes(), told.clip.root.tobytes()


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
