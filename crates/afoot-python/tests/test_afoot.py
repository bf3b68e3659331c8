"""The package as people use it: arrays, requests, callbacks, errors."""

import json
import os
import threading
import time
from pathlib import Path

import afoot
import numpy as np
import pytest

SHARED = Path(__file__).resolve().parents[4] / "shared"
CMU = Path(os.environ.get("AFOOT_CMU", SHARED / "cmu"))
PATH = {"points": [[0, 0], [0, 3], [1, 5]]}


def test_arrays_are_the_clip_s_own_memory(library):
    clip = library.clip(library.names()[0])
    first, second = clip.rotations, clip.rotations
    assert first.shape == (len(clip), len(clip.joints), 4) and first.dtype == np.float32
    assert first.ctypes.data == second.ctypes.data, "looked at twice, copied never"
    assert clip.root.ctypes.data == clip.root.ctypes.data and clip.root.shape == (len(clip), 3)
    assert not first.flags.writeable and not first.flags.owndata
    assert np.allclose(np.linalg.norm(first, axis=-1), 1, atol=1e-4)


def test_arrays_outlive_their_clip(library):
    numbers = library.clip(library.names()[0]).rotations
    kept = numbers.copy()
    import gc

    gc.collect()
    assert np.array_equal(numbers, kept)


def test_positions_are_the_kinematics_of_the_arrays(library):
    clip = library.clip(library.names()[0])
    positions, frame = clip.positions(), len(clip) // 2
    turn = lambda q, v: v + 2 * np.cross(q[:3], np.cross(q[:3], v) + q[3] * v)
    product = lambda a, b: np.r_[a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3]), a[3] * b[3] - a[:3] @ b[:3]]
    place, spin = [clip.root[frame]], [clip.rotations[frame, 0]]
    for joint in range(1, len(clip.joints)):
        parent = clip.parents[joint]
        place.append(place[parent] + turn(spin[parent], clip.offsets[joint]))
        spin.append(product(spin[parent], clip.rotations[frame, joint]))
    assert np.abs(np.array(place) - positions[frame]).max() < 1e-4


def test_contacts_alternate_in_a_walk(library):
    clip = library.clip("walk")
    left, right = clip.contacts & 3 != 0, clip.contacts & 12 != 0
    assert 0.4 < left.mean() < 0.9 and 0.4 < right.mean() < 0.9 and (left | right).mean() > 0.95
    assert clip.types.count("walk") > 0.8 * len(clip)


def test_a_path_is_walked_in_memory_and_into_a_file(library, folder):
    made = library.follow(path=PATH)
    assert abs(len(made.clip) / made.clip.fps - made.clip.seconds) < 0.1 and made.sources
    hips = made.clip.root[:, [0, 2]]
    assert np.linalg.norm(hips[-1] - [1, 5]) < 0.5
    told = library.follow(path=PATH, to=folder / "walk.glb")
    assert told["quality"]["path_max_m"] < 0.5 and told["quality"]["skate_cm_s"] < 5
    assert afoot.read(folder / "walk.glb").joints


def test_same_seed_same_motion_whatever_the_threads(library):
    one, two = (library.wander(seconds=6, seed=7, threads=n).clip for n in (1, 2))
    assert np.array_equal(one.rotations, two.rotations)
    other = library.wander(seconds=6, seed=8).clip
    assert other.root.shape != one.root.shape or not np.array_equal(other.root, one.root)


def test_a_changed_clip_is_written_and_read_back(library, folder):
    clip = library.clip("walk")
    moved = clip.changed(root=clip.root + np.float32([1, 0, 0]), name="moved")
    moved.write(folder / "moved.bvh")
    back = afoot.read(folder / "moved.bvh")
    assert np.abs(back.positions() - moved.positions()).max() < 1e-4
    with pytest.raises(ValueError, match="frames"):
        clip.changed(root=clip.root[:-1])


def test_progress_is_told_and_stops_the_work(library, folder, samples):
    heard = []
    fresh = afoot.Library(folder / "progress.afoot", create=True)
    fresh.import_files(paths=sorted(samples.glob("walk*.bvh"))[:3], progress=heard.append)
    assert any(event["kind"] == "progress" and event["done"] <= event["total"] for event in heard)

    class Enough(Exception):
        pass

    def stop(event):
        raise Enough

    with pytest.raises(Enough):
        fresh.build_graph(progress=stop)


def test_other_threads_run_while_work_does(library):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    clock = threading.Thread(target=tick)
    clock.start()
    library.build_graph(rebuild=True, threshold_cm=6)
    done.set()
    clock.join()
    assert len(ticks) > 10


def test_failures_have_kinds_words_and_hints(library, folder):
    with pytest.raises(afoot.BadRequest, match="walkk"):
        library.follow(path=PATH, as_=["walkk"])
    with pytest.raises(afoot.BadRequest, match="nowhere.afoot"):
        afoot.Library(folder / "nowhere.afoot")
    with pytest.raises(afoot.BadRequest):
        library.follow(path={"points": []})
    with pytest.raises(afoot.AfootError) as none:
        library.clip("nobody")
    assert "nobody" in str(none.value) and hasattr(none.value, "hint")
    with pytest.raises(TypeError):
        library.wander(second=9)


def test_every_request_has_a_method(library):
    for entry in json.loads(afoot._afoot.requests()):
        name = entry["request"]["ask"]
        method = getattr(library, "import_files" if name == "import" else name)
        assert method.__doc__ and "seed" in method.__kwdefaults__


def test_a_figure_goes_where_it_is_told(library):
    figure = library.figure()
    for _ in range(120):
        step = figure.advance(1 / 30, 90)
    start = step.root
    for _ in range(150):
        step = figure.advance(1 / 30, 90)
    way = np.array(step.root) - start
    assert way[0] > 1.0 and abs(way[2]) < way[0], "90 degrees is along +x"
    assert step.rotations.shape[1] == 4 and step.points.shape[1] == 3


@pytest.mark.skipif(not CMU.is_dir(), reason="AFOOT_CMU names no folder with captured clips")
def test_captured_walks_follow_a_path(folder):
    library = afoot.Library(folder / "captured.afoot", create=True)
    library.import_files(paths=[CMU / f"bvh/16_{number}.bvh" for number in (11, 15, 17, 18, 21, 31)], mirror=True)
    library.build_graph(threshold_cm=6)
    told = library.follow(path=PATH, to=folder / "captured.bvh")
    assert told["quality"]["skate_cm_s"] < 5 and told["quality"]["path_mean_m"] < 0.1


def test_a_character_is_baked(library, folder):
    told = library.bake(to=str(folder / "hero.afootpack"), error_mm=1)
    assert (folder / "hero.afootpack").stat().st_size == told["bytes"]
    assert 0 < told["most_mm"] <= 1 and all(joint["most_mm"] <= 1 for joint in told["joints"])
    with pytest.raises(afoot.BadRequest, match="error_mm"):
        library.bake(to=str(folder / "hero.afootpack"), error_mm=3)
