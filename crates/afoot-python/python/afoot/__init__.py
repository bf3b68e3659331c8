"""New, believable character motion out of motion that was captured before.

    import afoot

    library = afoot.Library("walks.afoot", create=True)
    library.import_files(paths=["demo/bvh"], mirror=True)
    library.build_graph(threshold_cm=4)
    made = library.follow(path={"points": [[0, 0], [0, 3], [2, 5]]})
    made.clip.positions()            # numpy: frame, joint, x y z
    library.follow(path="hello.svg", to="hello.glb")["quality"]

Every request of the command line is a method with the same defaults: `help(afoot.Library.follow)`. Long work lets
other threads run, hears Ctrl-C, and calls `progress` back. What goes wrong is an `AfootError`: `BadRequest`, `NoMotion` (with a `hint`),
`Cancelled` or `Failed`.
"""

from __future__ import annotations

import json
import os
from typing import NamedTuple, Optional, Union

import numpy as np

from . import _afoot
from ._afoot import AfootError, BadRequest, Cancelled, Failed, NoMotion, __version__
from ._asking import Clip, Made, Watcher
from ._requests import Requests

__all__ = [
    "AfootError", "BadRequest", "Cancelled", "Clip", "Failed", "Figure", "Library", "Made", "NoMotion", "Step", "ask", "read", "__version__",
]


class Library(Requests):
    """A motion library, held open: what requests share is kept between them."""

    def __init__(self, path: Union[str, os.PathLike], create: bool = False):
        """Opens it; `create` makes an empty one where there is none."""
        self._answers = _afoot.Library(os.fspath(path), create)
        self.path = os.fspath(path)

    def __repr__(self) -> str:
        return f"<Library {self.path!r}>"

    def clip(self, name: str) -> Clip:
        """A clip of it."""
        return Clip(self._answers.clip(name))

    def names(self) -> list[str]:
        """The names of its clips."""
        return [clip["name"] for clip in self.list()["clips"]]

    def figure(self, *, threads: Optional[int] = None, progress: Optional[Watcher] = None) -> "Figure":
        """A figure in the world's middle, to be steered call by call as a game does."""
        return Figure(self._answers.figure(_afoot.Asked(1, threads, progress)))


class Step(NamedTuple):
    """What a steered figure does now."""

    root: tuple[float, float, float]
    """The root's place. [m]"""
    rotations: np.ndarray
    """Local rotations: joint, x y z w."""
    points: np.ndarray
    """Joints and end sites in the world: point, x y z. [m]"""
    speed: float
    """Of the root over the ground. [m/s]"""


class Figure:
    """A figure that goes where it is told to, call by call."""

    def __init__(self, held: _afoot.Figure):
        self._held = held

    @property
    def words(self) -> list[str]:
        """The words that `advance` takes as labels."""
        return self._held.words

    def advance(self, seconds: float, degrees: float, label: Optional[str] = None) -> Step:
        """Lets time pass [s, at most a quarter] with the wish to move towards `degrees` (0 along +z, 90 along +x)."""
        root, rotations, points, speed = self._held.advance(seconds, degrees, label)
        return Step(root, np.asarray(rotations), np.asarray(points), speed)


ask = Requests()
"""Requests that need no library: `afoot.ask.convert(...)`, `clean`, `edit`, `judge`, `write_samples`."""


def read(file: Union[str, os.PathLike], **how) -> Clip:
    """The motion in a file. `how`: `unit`, `take`, `map`, `source_fps`, `partial`."""
    return Clip(_afoot.read(json.dumps({"file": os.fspath(file), **how}), _afoot.Asked()))
