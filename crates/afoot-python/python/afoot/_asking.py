"""How a request is asked: JSON goes to the crate, reports come back, motion as a `Clip`."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np

from . import _afoot

Watcher = Callable[[dict], None]
"""Called with each event: `{"kind": "progress", "stage": "comparing", "done": 3, "total": 10}`, or a note or a warning with its
`words`. What it raises stops the work and is raised again."""


class Clip:
    """Motion: a skeleton, a rate, and arrays of numbers, which numpy sees where they lie.

    Metres, seconds, y up; quaternions are x, y, z, w. Arrays are read-only: a clip never changes; `changed` makes another.
    """

    def __init__(self, held: _afoot.Clip):
        self._held = held
        self.name: str = held.name
        self.fps: float = held.fps
        self.seconds: float = held.seconds
        self.joints: list[str] = held.joints
        self.parents: list[int] = held.parents
        self.roles: list[Optional[str]] = held.roles

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return f"<Clip {self.name!r}: {len(self)} frames, {self.fps:g} fps, {len(self.joints)} joints>"

    @property
    def root(self) -> np.ndarray:
        """The root's place in the world: frame, x y z. [m]"""
        return np.asarray(self._held.root)

    @property
    def rotations(self) -> np.ndarray:
        """Local rotations: frame, joint, x y z w."""
        return np.asarray(self._held.rotations)

    @property
    def offsets(self) -> np.ndarray:
        """Each joint's place in its parent's frame: joint, x y z. [m]"""
        return np.asarray(self._held.offsets)

    @property
    def contacts(self) -> np.ndarray:
        """What touches at each frame, a bit each: left heel 1, left ball 2, right heel 4, right ball 8, left hand 16, right hand 32,
        seat 64. Empty where contacts were not looked for (files that are only read)."""
        return np.asarray(self._held.contacts)

    @property
    def types(self) -> list[str]:
        """How the figure moves at each frame ("walk"), or empty."""
        return self._held.types

    @property
    def labels(self) -> list[tuple[str, int, int]]:
        """Labels with the frames that they hold for, half-open."""
        return self._held.labels

    def positions(self) -> np.ndarray:
        """Joints in the world: frame, joint, x y z. [m]"""
        return np.asarray(self._held.positions())

    def changed(self, *, root=None, rotations=None, name: Optional[str] = None) -> "Clip":
        """The same skeleton with other numbers; contacts and labels are not carried over."""
        root = self.root if root is None else root
        rotations = self.rotations if rotations is None else rotations
        as_bytes = lambda numbers: np.ascontiguousarray(numbers, dtype="<f4").tobytes()
        return Clip(self._held.with_numbers(name or self.name, as_bytes(root), as_bytes(rotations)))

    def write(self, to: Union[str, os.PathLike, dict]) -> None:
        """Writes it by the file's ending: .bvh, .amc, .glb, .fbx, .usda. A dict has the fields of `Output` (`file`, `unit`, `onto`, ...)."""
        self._held.write(json.dumps(_output(to)), _afoot.Asked())


class Made(NamedTuple):
    """Motion that was made in memory."""

    clip: Clip
    """The frames."""
    sources: list[dict]
    """Where they come from: clip, from, to, at. [s]"""
    transitions: int
    """How many joins there are."""
    details: Any
    """What the request tells of itself."""


class Asking:
    """What requests need: somebody who answers them."""

    _answers: Any = _afoot

    def _ask(self, ask, gives, fields, to, seed, threads, progress):
        request = json.dumps({"ask": ask, **_said(fields)})
        asked = _afoot.Asked(seed, threads, progress)
        if gives == "made_motion" and to is None:
            clip, told = self._answers.make(request, asked)
            return Made(Clip(clip), **json.loads(told))
        return json.loads(self._answers.ask(request, json.dumps(_where(gives, to)), asked))


def _where(gives, to):
    if gives in ("file", "folder"):
        return {gives: os.fspath(to)}
    if to is None:
        return None
    return _output(to) if gives in ("motion", "made_motion") else to


def _output(to):
    return {key: _plain(value) for key, value in to.items()} if isinstance(to, dict) else {"file": os.fspath(to)}


def _said(fields):
    """What was said, of a request's fields and of what they hold; a motion file may be named by its name alone."""
    said = {}
    for name, value in fields.items():
        if name == "input" and isinstance(value, (str, os.PathLike)):
            value = {"file": value}
        if isinstance(value, dict):
            value = {inner: held for inner, held in value.items() if held is not None}
        if value is not None:
            said[name] = _plain(value)
    return said


def _plain(value):
    """Paths, arrays and tuples as JSON has them."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value
