"""A small library of sample motion, made once for all tests."""

import warnings

import afoot
import pytest

CLIPS = ["walk", "walk_turn_left", "walk_turn_right", "walk_circle_left", "walk_start", "walk_stop"]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("afoot")


@pytest.fixture(scope="session")
def samples(folder):
    afoot.ask.write_samples(only=[], to=folder / "bvh")
    return folder / "bvh"


@pytest.fixture(scope="session")
def library(folder, samples):
    library = afoot.Library(folder / "walks.afoot", create=True)
    files = [file for file in sorted(samples.glob("walk*.bvh"))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library.import_files(paths=files, mirror=True)
    library.build_graph(threshold_cm=6)
    return library
