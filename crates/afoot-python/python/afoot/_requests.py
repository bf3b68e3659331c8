"""Every request as a method, with its defaults. Made by scripts/make_python_requests.py: change that, or the Rust structs."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

from ._asking import Asking, Made, Watcher

__all__ = ["Requests"]


class Requests(Asking):
    """What can be asked of a library. All arguments are named; what is left out has its default."""

    def import_files(
        self,
        *,
        as_is: bool = False,
        drop_first: Any = None,
        fps: float = 30.0,
        labels: Any = None,
        map: Any = None,
        mirror: bool = False,
        partial: bool = False,
        paths: Any = None,
        retarget: Any = None,
        root_motion: bool = False,
        source_fps: Any = None,
        take: str = 'all',
        unit: str = 'auto',
        up: str = 'auto',
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for motion files to be read into a library: resampled, repaired, with facts.

        - `as_is`: Repair nothing: spikes, T-poses and rates stay as they are in the files.
        - `drop_first`: Leave out this many frames at the start of each file; found by itself if it is left open. [0 to 1000000]
        - `fps`: Frames per second in the library; 0 keeps each file's own. [frames/s, 0 to 1000]
        - `labels`: Labels for all frames.
        - `map`: A JSON file that says which joint is which body part.
        - `mirror`: Add each clip's mirror image too.
        - `partial`: Take files that are cut off as far as they go.
        - `paths`: Motion files, or folders of them.
        - `retarget`: Bring all clips onto this clip's skeleton.
        - `root_motion`: Give walks in place the path that their feet make.
        - `source_fps`: The rate at capture, where the files are wrong about it. [frames/s, 1 to 1000]
        - `take`: Which animation of files with several: a name, or `all`.
        - `unit`: The files' unit of length.
        - `up`: The axis that points up in the files.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("import", "report", {"as_is": as_is, "drop_first": drop_first, "fps": fps, "labels": labels, "map": map, "mirror": mirror, "partial": partial, "paths": paths, "retarget": retarget, "root_motion": root_motion, "source_fps": source_fps, "take": take, "unit": unit, "up": up}, pictures, seed, threads, progress)

    def list(
        self,
        *,
        clips: Any = None,
        label: Any = None,
        min_share: Any = None,
        search: Any = None,
        type: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the clips, all or some.

        - `clips`: clips.
        - `label`: label.
        - `min_share`: min share.
        - `search`: search.
        - `type`: type.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("list", "report", {"clips": clips, "label": label, "min_share": min_share, "search": search, "type": type}, pictures, seed, threads, progress)

    def show_library(
        self,
        *,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """ShowLibrary

        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("show_library", "report", {}, pictures, seed, threads, progress)

    def show_clip(
        self,
        *,
        clip: str = '',
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks what is known of a clip.

        - `clip`: The clip.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("show_clip", "report", {"clip": clip}, pictures, seed, threads, progress)

    def export(
        self,
        *,
        to: Union[str, dict],
        clip: str = '',
        fps: Any = None,
        for_: Any = None,
        onto: Any = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for a clip, or a part of it, as a motion file.

        - `clip`: `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.
        - `fps`: Resampled to this rate; as it is if it is left open. [frames/s, > 0, at most 1000]
        - `for_`: Axes, unit, root and order of angles as this program takes them.
        - `onto`: A character or skeleton that gets the motion, as `onto`.
        - `to`: file that is written, or its `Output` as a dict.
        """
        return self._ask("export", "motion", {"clip": clip, "fps": fps, "receiver": {"for": for_, "onto": onto}}, to, seed, threads, progress)

    def convert(
        self,
        *,
        to: Union[str, dict],
        fps: Any = None,
        input: Any = None,
        for_: Any = None,
        onto: Any = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for a motion file as another; needs no library. In the input's unit if the output leaves it open.

        - `fps`: Resampled to this rate; as it is if it is left open. [frames/s, > 0, at most 1000]
        - `input`: What to read. Fields: file, map, partial, source_fps, take, unit.
        - `for_`: Axes, unit, root and order of angles as this program takes them.
        - `onto`: A character or skeleton that gets the motion, as `onto`.
        - `to`: file that is written, or its `Output` as a dict.
        """
        return self._ask("convert", "motion", {"fps": fps, "input": input, "receiver": {"for": for_, "onto": onto}}, to, seed, threads, progress)

    def remove(
        self,
        *,
        clips: Any = None,
        label: Any = None,
        min_share: Any = None,
        search: Any = None,
        type: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for clips to be removed.

        - `clips`: clips.
        - `label`: label.
        - `min_share`: min share.
        - `search`: search.
        - `type`: type.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("remove", "report", {"clips": clips, "label": label, "min_share": min_share, "search": search, "type": type}, pictures, seed, threads, progress)

    def rename(
        self,
        *,
        clip: str = '',
        name: str = '',
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for a clip to be renamed, or several.

        - `clip`: The clip, or a pattern with one `*`.
        - `name`: Its new name; of a pattern, with a `*` for what that stood for.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("rename", "report", {"clip": clip, "name": name}, pictures, seed, threads, progress)

    def retarget(
        self,
        *,
        skeleton: str = '',
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for all clips on one skeleton, in place of what they were captured on.

        - `skeleton`: A clip whose skeleton they get, a skeleton of the library by its name, or a motion file.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("retarget", "report", {"skeleton": skeleton}, pictures, seed, threads, progress)

    def check(
        self,
        *,
        repair: bool = False,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks whether a library is whole.

        - `repair`: Remove what can't be read; what was made from clips is made again when it is asked for.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("check", "report", {"repair": repair}, pictures, seed, threads, progress)

    def roles(
        self,
        *,
        set: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the body parts of a library's skeletons, and says what some joints are.

        - `set`: What some joints are.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("roles", "report", {"set": set}, pictures, seed, threads, progress)

    def label(
        self,
        *,
        clip: str = '',
        from_: Any = None,
        label: str = '',
        say: str = 'is',
        to: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Says of a clip, or a part of it, whether it carries a label.

        - `clip`: The clip.
        - `from_`: From there; from the start if it is left open. [s, 0 to 1000000]
        - `label`: A word such as sneak.
        - `say`: What is said.
        - `to`: To there; to the end if it is left open. [s, 0 to 1000000]
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("label", "report", {"clip": clip, "from": from_, "label": label, "say": say, "to": to}, pictures, seed, threads, progress)

    def import_labels(
        self,
        *,
        file: str = '',
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for annotations to be read from a file.

        - `file`: The labels file.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("import_labels", "report", {"file": file}, pictures, seed, threads, progress)

    def export_labels(
        self,
        *,
        to: str,
        learned: bool = False,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for all annotations as a file.

        - `learned`: Those that were learned too, said to be so.
        - `to`: file that is written.
        """
        return self._ask("export_labels", "file", {"learned": learned}, to, seed, threads, progress)

    def verify_labels(
        self,
        *,
        clips: Any = None,
        labels: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Says that frames of which nothing was said do not carry a label: whoever marked these clips looked at all of them.

        - `clips`: Clips, by name or pattern.
        - `labels`: Labels; all that the library knows if none is named.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("verify_labels", "report", {"clips": clips, "labels": labels}, pictures, seed, threads, progress)

    def confirm_labels(
        self,
        *,
        clip: str = '',
        from_: Any = None,
        labels: Any = None,
        to: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Says that what was learned of a stretch is right, either way.

        - `clip`: The clip.
        - `from_`: From there; from the start if it is left open. [s, 0 to 1000000]
        - `labels`: Labels; all that something was learned of if none is named.
        - `to`: To there; to the end if it is left open. [s, 0 to 1000000]
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("confirm_labels", "report", {"clip": clip, "from": from_, "labels": labels, "to": to}, pictures, seed, threads, progress)

    def mark(
        self,
        *,
        bias: Any = None,
        clip: str = '',
        from_: Any = None,
        rule: str = 'exclude',
        to: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Says how frames of a clip may be used.

        - `bias`: With bias: how much they are sought (above 0) or avoided, against what a wrong label costs. [-100 to 100]
        - `clip`: The clip.
        - `from_`: From there; from the start if it is left open. [s, 0 to 1000000]
        - `rule`: What holds for them.
        - `to`: To there; to the end if it is left open. [s, 0 to 1000000]
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("mark", "report", {"bias": bias, "clip": clip, "from": from_, "rule": rule, "to": to}, pictures, seed, threads, progress)

    def learn(
        self,
        *,
        kernel: str = 'gaussian',
        labels: Any = None,
        least_seconds: float = 0.25,
        review: int = 0,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Trains on what is annotated, annotates the rest, and lists what is worth a look.

        - `kernel`: The kernel's shape.
        - `labels`: Labels; all that some frame is marked with if none is named.
        - `least_seconds`: No stretch that is annotated lasts less. [s, 0 to 10]
        - `review`: How many stretches to list for a person to look at, of all these labels together. [0 to 100000]
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("learn", "report", {"kernel": kernel, "labels": labels, "least_seconds": least_seconds, "review": review}, pictures, seed, threads, progress)

    def build_graph(
        self,
        *,
        rebuild: bool = False,
        auto_share: Any = None,
        clusters: Any = None,
        minimum_clip: float = 0.0,
        most_partners: int = 0,
        only: Any = None,
        pairs: Any = None,
        points: str = 'mesh',
        threshold_cm: float = 4.0,
        window: float = 0.3333333333333333,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the graph of a recipe.

        - `rebuild`: Build anew even if the graph is there.
        - `auto_share`: Find thresholds that bring this share of the frames together, instead. [0 to 1]
        - `clusters`: Let transitions be the leaps of the cluster graph of this recipe, up to the threshold, instead of all local minima of the error.
        - `minimum_clip`: Shortest stretch between two choices; 0 keeps every transition. [s, 0 to 3600]
        - `most_partners`: Where choices are spaced by that: like places that each keeps, the best first; 0 keeps all. [0 to 1000000]
        - `only`: Only clips that carry one of these labels, or types, on some frame; empty takes all.
        - `pairs`: Other thresholds between two labels. [cm, > 0, at most 1000]
        - `points`: Which points of the body are compared.
        - `threshold_cm`: Largest error of a transition. [cm, > 0, at most 1000]
        - `window`: Length of windows and transitions. [s, > 0, at most 60]
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("build_graph", "report", {"rebuild": rebuild, "recipe": {"auto_share": auto_share, "clusters": clusters, "minimum_clip": minimum_clip, "most_partners": most_partners, "only": only, "pairs": pairs, "points": points, "threshold_cm": threshold_cm, "window": window}}, pictures, seed, threads, progress)

    def matrix(
        self,
        *,
        to: str,
        a: str = '',
        b: str = '',
        threshold_cm: float = 4.0,
        window: float = 0.3333333333333333,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the error of every transition from one clip to another.

        - `a`: The clip that is left, down the picture.
        - `b`: The clip that is entered, across it.
        - `threshold_cm`: Mark minima up to this error. [cm, > 0, at most 1000]
        - `window`: Length of the compared windows. [s, > 0, at most 60]
        - `to`: file that is written.
        """
        return self._ask("matrix", "file", {"a": a, "b": b, "threshold_cm": threshold_cm, "window": window}, to, seed, threads, progress)

    def clusters(
        self,
        *,
        nodes: bool = False,
        reach: bool = False,
        absolute: bool = False,
        chains: Any = None,
        error_cm: float = 10.0,
        pair_centres: bool = False,
        tau: float = 0.10000000149011612,
        weights: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the cluster graph of all clips.

        - `nodes`: List all nodes with their sequences.
        - `reach`: Say how long it takes at worst to get to each clip.
        - `absolute`: Compare where figures are and look too.
        - `chains`: Compare these parts of the body and the root alone: chains (`left_leg`, `torso`, ...) or groups of them (`legs`, `arms`, `upper_body`); the whole body if empty.
        - `error_cm`: Largest error within a cluster. [cm, > 0, at most 10000]
        - `pair_centres`: Let the mean of the two that merge stand for a cluster, instead of the mean of all its frames.
        - `tau`: What a velocity is multiplied with, and an acceleration twice, to be a length. [s, > 0, at most 10]
        - `weights`: Weights of position, velocity and acceleration of `root` and chains, instead of the usual. [0 to 1000]
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("clusters", "report", {"nodes": nodes, "reach": reach, "recipe": {"absolute": absolute, "chains": chains, "error_cm": error_cm, "pair_centres": pair_centres, "tau": tau, "weights": weights}}, pictures, seed, threads, progress)

    def transitions(
        self,
        *,
        count: int = 10,
        from_: str = '',
        into: Any = None,
        near: Any = None,
        absolute: bool = False,
        chains: Any = None,
        error_cm: float = 10.0,
        pair_centres: bool = False,
        tau: float = 0.10000000149011612,
        weights: Any = None,
        to: str = '',
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the best ways from one clip into another.

        - `count`: How many to list. [1 to 100000]
        - `from_`: The clip to leave.
        - `into`: Enter before what happens here. [s, 0 to 1000000]
        - `near`: Leave about here. [s, 0 to 1000000]
        - `absolute`: Compare where figures are and look too.
        - `chains`: Compare these parts of the body and the root alone: chains (`left_leg`, `torso`, ...) or groups of them (`legs`, `arms`, `upper_body`); the whole body if empty.
        - `error_cm`: Largest error within a cluster. [cm, > 0, at most 10000]
        - `pair_centres`: Let the mean of the two that merge stand for a cluster, instead of the mean of all its frames.
        - `tau`: What a velocity is multiplied with, and an acceleration twice, to be a length. [s, > 0, at most 10]
        - `weights`: Weights of position, velocity and acceleration of `root` and chains, instead of the usual. [0 to 1000]
        - `to`: The clip to enter.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("transitions", "report", {"count": count, "from": from_, "into": into, "near": near, "to": to, "recipe": {"absolute": absolute, "chains": chains, "error_cm": error_cm, "pair_centres": pair_centres, "tau": tau, "weights": weights}}, pictures, seed, threads, progress)

    def loops(
        self,
        *,
        clip: str = '',
        count: int = 10,
        absolute: bool = False,
        chains: Any = None,
        error_cm: float = 10.0,
        pair_centres: bool = False,
        tau: float = 0.10000000149011612,
        weights: Any = None,
        through: bool = False,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the ways of a clip into itself.

        - `clip`: The clip, or a part of it.
        - `count`: How many to list. [1 to 100000]
        - `absolute`: Compare where figures are and look too.
        - `chains`: Compare these parts of the body and the root alone: chains (`left_leg`, `torso`, ...) or groups of them (`legs`, `arms`, `upper_body`); the whole body if empty.
        - `error_cm`: Largest error within a cluster. [cm, > 0, at most 10000]
        - `pair_centres`: Let the mean of the two that merge stand for a cluster, instead of the mean of all its frames.
        - `tau`: What a velocity is multiplied with, and an acceleration twice, to be a length. [s, > 0, at most 10]
        - `weights`: Weights of position, velocity and acceleration of `root` and chains, instead of the usual. [0 to 1000]
        - `through`: Those over other clips, instead of those within the clip.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("loops", "report", {"clip": clip, "count": count, "through": through, "recipe": {"absolute": absolute, "chains": chains, "error_cm": error_cm, "pair_centres": pair_centres, "tau": tau, "weights": weights}}, pictures, seed, threads, progress)

    def like(
        self,
        *,
        error_cm: float = 10.0,
        example: str = '',
        most: int = 500,
        recipe: Any = None,
        steps: int = 2,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for all stretches like one.

        - `error_cm`: Mean error of the frames of a stretch and of what it was found by. [cm, > 0, at most 1000]
        - `example`: The example: `NAME[2.0s..4.5s]`, or a whole clip.
        - `most`: Most stretches that are looked for. [1 to 1000000]
        - `recipe`: What frames are compared by; its error is not used. Fields: absolute, chains, error_cm, pair_centres, tau, weights.
        - `steps`: How often what was found is asked for in turn; 0 compares with the example alone. [0 to 1000]
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("like", "report", {"error_cm": error_cm, "example": example, "most": most, "recipe": recipe, "steps": steps}, pictures, seed, threads, progress)

    def plan_tiles(
        self,
        *,
        to: str,
        auto_share: Any = None,
        clusters: Any = None,
        minimum_clip: float = 0.0,
        most_partners: int = 0,
        only: Any = None,
        pairs: Any = None,
        points: str = 'mesh',
        threshold_cm: float = 4.0,
        window: float = 0.3333333333333333,
        size: int = 4096,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for a build to be cut into pieces.

        - `auto_share`: Find thresholds that bring this share of the frames together, instead. [0 to 1]
        - `clusters`: Let transitions be the leaps of the cluster graph of this recipe, up to the threshold, instead of all local minima of the error.
        - `minimum_clip`: Shortest stretch between two choices; 0 keeps every transition. [s, 0 to 3600]
        - `most_partners`: Where choices are spaced by that: like places that each keeps, the best first; 0 keeps all. [0 to 1000000]
        - `only`: Only clips that carry one of these labels, or types, on some frame; empty takes all.
        - `pairs`: Other thresholds between two labels. [cm, > 0, at most 1000]
        - `points`: Which points of the body are compared.
        - `threshold_cm`: Largest error of a transition. [cm, > 0, at most 1000]
        - `window`: Length of windows and transitions. [s, > 0, at most 60]
        - `size`: Frames of motion on a side of a piece. [1 to 100000000]
        - `to`: file that is written.
        """
        return self._ask("plan_tiles", "file", {"size": size, "recipe": {"auto_share": auto_share, "clusters": clusters, "minimum_clip": minimum_clip, "most_partners": most_partners, "only": only, "pairs": pairs, "points": points, "threshold_cm": threshold_cm, "window": window}}, to, seed, threads, progress)

    def run_tiles(
        self,
        *,
        to: str,
        pieces: Any = None,
        plan: str = '',
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for some of the pieces to be done.

        - `pieces`: Which pieces: numbers and half-open ranges, such as `0..10,12`; all that are not done if it is left open.
        - `plan`: The plan.
        - `to`: folder of results.
        """
        return self._ask("run_tiles", "folder", {"pieces": pieces, "plan": plan}, to, seed, threads, progress)

    def merge_tiles(
        self,
        *,
        folder: str = '',
        plan: str = '',
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the pieces to be put together and the graph to be stored.

        - `folder`: The folder with the results.
        - `plan`: The plan.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("merge_tiles", "report", {"folder": folder, "plan": plan}, pictures, seed, threads, progress)

    def follow(
        self,
        *,
        as_: Any = None,
        closed: bool = False,
        fit: Any = None,
        scale: Any = None,
        stroke: Any = None,
        exact_source: bool = False,
        facing: str = 'ahead',
        speed: Any = None,
        style: Any = None,
        path: Any = None,
        search: str = 'beam',
        from_stand: str = 'if_it_can',
        to_stand: str = 'if_it_can',
        start: Any = None,
        through: Any = None,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for motion along a path.

        - `as_`: Use only motion with these labels, or of these types, all along it.
        - `closed`: End where the path began.
        - `fit`: Width or depth of all that is followed, whichever is larger; instead of a scale. [m, > 0, at most 100000]
        - `scale`: Length of a user unit. [m, > 0, at most 100000]
        - `stroke`: The one stroke to follow, counted from 1; else all. [1 to 1000000]
        - `exact_source`: Leave captured motion where it is: do not warp the root's path.
        - `facing`: Which way it faces.
        - `speed`: How fast it goes; left to the library if it is left open. [m/s, > 0, at most 20]
        - `style`: Labels, or types, that its motion had better carry, though it need not.
        - `path`: The path.
        - `search`: How the walk is searched for.
        - `from_stand`: At its beginning.
        - `to_stand`: At its end.
        - `start`: Where in the library to start; else wherever it fits best.
        - `through`: Instead of a path: from one place of a world to another, around what stands there.
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("follow", "made_motion", {"as": as_, "closed": closed, "exact_source": exact_source, "path": path, "search": search, "start": start, "through": through, "drawing": {"fit": fit, "scale": scale, "stroke": stroke}, "moving": {"facing": facing, "speed": speed, "style": style}, "standing": {"from_stand": from_stand, "to_stand": to_stand}}, to, seed, threads, progress)

    def reach(
        self,
        *,
        as_: Any = None,
        at: Any = None,
        best_effort: bool = False,
        clip: str = '',
        from_: Any = None,
        from_stand: str = 'never',
        heading: Any = None,
        facing: str = 'ahead',
        speed: Any = None,
        style: Any = None,
        tolerance: float = 0.1,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for motion that ends in a clip.

        - `as_`: Up to the clip use only motion with these labels, or of these types.
        - `at`: Where its root is to be at its first frame, x and z. [m, -100000 to 100000]
        - `best_effort`: Give the nearest that was found, also where it is farther.
        - `clip`: The clip: `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.
        - `from_`: Where to start, and in which direction. Fields: heading, x, z.
        - `from_stand`: Whether it begins in a stand.
        - `heading`: Which way it is to face there; any if it is left open. [degrees, -36000 to 36000]
        - `facing`: Which way it faces.
        - `speed`: How fast it goes; left to the library if it is left open. [m/s, > 0, at most 20]
        - `style`: Labels, or types, that its motion had better carry, though it need not.
        - `tolerance`: Farthest from the place that still counts as there. [m, > 0, at most 1000]
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("reach", "made_motion", {"as": as_, "at": at, "best_effort": best_effort, "clip": clip, "from": from_, "from_stand": from_stand, "heading": heading, "tolerance": tolerance, "moving": {"facing": facing, "speed": speed, "style": style}}, to, seed, threads, progress)

    def plan(
        self,
        *,
        bound: Any = None,
        expansions: Any = None,
        guidance: str = 'combined',
        interpolation: Any = None,
        merge_cm: float = 6.0,
        objective: str = 'torques',
        threshold_cm: float = 6.0,
        transition: float = 0.3,
        seconds: Any = None,
        task: Any = None,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for the best motion for a task.

        - `bound`: Stop as soon as the plan is proven to cost at most so many times the least. [1 to 1000]
        - `expansions`: Most states to expand: unlike time, the same on every machine. [1 to 1000000000000]
        - `guidance`: Which lower bound leads the search.
        - `interpolation`: Most steps of a plan that interpolate two paths, none if left out. [0 to 255]
        - `merge_cm`: Largest error between changes of contact that become one; 0 merges none. [cm, 0 to 1000]
        - `objective`: What is to be least: torques, acceleration, time, distance.
        - `threshold_cm`: Largest error of a transition. [cm, > 0, at most 1000]
        - `transition`: What a transition at the threshold costs, in seconds of average motion. [0 to 1000]
        - `seconds`: Longest to search, instead of the task's own. [s, > 0, at most 86400]
        - `task`: What is to be done: start, goal, sketch, constraints.
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("plan", "made_motion", {"bound": bound, "expansions": expansions, "guidance": guidance, "interpolation": interpolation, "seconds": seconds, "task": task, "recipe": {"merge_cm": merge_cm, "objective": objective, "threshold_cm": threshold_cm, "transition": transition}}, to, seed, threads, progress)

    def wander(
        self,
        *,
        as_: Any = None,
        facing: str = 'ahead',
        speed: Any = None,
        style: Any = None,
        seconds: float = 10.0,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for motion that wanders and uses the library evenly.

        - `as_`: Use only motion with these labels, or of these types, and what joins it where it leads nowhere.
        - `facing`: Which way it faces.
        - `speed`: How fast it goes; left to the library if it is left open. [m/s, > 0, at most 20]
        - `style`: Labels, or types, that its motion had better carry, though it need not.
        - `seconds`: How long. [s, > 0, at most 1000000]
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("wander", "made_motion", {"as": as_, "seconds": seconds, "moving": {"facing": facing, "speed": speed, "style": style}}, to, seed, threads, progress)

    def join(
        self,
        *,
        blend: Any = None,
        clips: Any = None,
        nodes: Any = None,
        absolute: bool = False,
        chains: Any = None,
        error_cm: float = 10.0,
        pair_centres: bool = False,
        tau: float = 0.10000000149011612,
        weights: Any = None,
        sequences: Any = None,
        synthetic: bool = False,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for clips one after the other, each joined to the next where they are alike.

        - `blend`: Length of the blends, where the clips allow it; if not said, as long as frames stay alike, up to a second. [s, > 0, at most 10]
        - `clips`: Clips, or parts of them as `NAME[1.5s..3s]`.
        - `nodes`: Nodes of the cluster graph instead, each with an edge to the next; `NODE:CLIP` chooses the clip whose sequence is played in it.
        - `absolute`: Compare where figures are and look too.
        - `chains`: Compare these parts of the body and the root alone: chains (`left_leg`, `torso`, ...) or groups of them (`legs`, `arms`, `upper_body`); the whole body if empty.
        - `error_cm`: Largest error within a cluster. [cm, > 0, at most 10000]
        - `pair_centres`: Let the mean of the two that merge stand for a cluster, instead of the mean of all its frames.
        - `tau`: What a velocity is multiplied with, and an acceleration twice, to be a length. [s, > 0, at most 10]
        - `weights`: Weights of position, velocity and acceleration of `root` and chains, instead of the usual. [0 to 1000]
        - `sequences`: Sequences of the cluster graph instead: each follows the one before in its clip, or lies in one node with it or with what follows it. [0 to 1000000000]
        - `synthetic`: Where the cluster graph knows no way, blend where frames are least unlike.
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("join", "made_motion", {"blend": blend, "clips": clips, "nodes": nodes, "sequences": sequences, "synthetic": synthetic, "recipe": {"absolute": absolute, "chains": chains, "error_cm": error_cm, "pair_centres": pair_centres, "tau": tau, "weights": weights}}, to, seed, threads, progress)

    def loop(
        self,
        *,
        blend: Any = None,
        choice: Any = None,
        clip: str = '',
        cycles: Any = None,
        metres: Any = None,
        absolute: bool = False,
        chains: Any = None,
        error_cm: float = 10.0,
        pair_centres: bool = False,
        tau: float = 0.10000000149011612,
        weights: Any = None,
        seconds: Any = None,
        through: bool = False,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for a clip that is repeated. If nothing says for how long, two cycles.

        - `blend`: Length of the blends, where the clip allows it; if not said, as long as frames stay alike, up to a second. [s, > 0, at most 10]
        - `choice`: Which of the loops that `loops` lists, from 1 on; if not said, of the best ones that which turns as the clip does. [1 to 1000000]
        - `clip`: The clip, or the part of it that loops are looked for in.
        - `cycles`: How many cycles; parts of one too. [> 0, at most 100000]
        - `metres`: Until the root has gone so far over ground. [m, > 0, at most 7200]
        - `absolute`: Compare where figures are and look too.
        - `chains`: Compare these parts of the body and the root alone: chains (`left_leg`, `torso`, ...) or groups of them (`legs`, `arms`, `upper_body`); the whole body if empty.
        - `error_cm`: Largest error within a cluster. [cm, > 0, at most 10000]
        - `pair_centres`: Let the mean of the two that merge stand for a cluster, instead of the mean of all its frames.
        - `tau`: What a velocity is multiplied with, and an acceleration twice, to be a length. [s, > 0, at most 10]
        - `weights`: Weights of position, velocity and acceleration of `root` and chains, instead of the usual. [0 to 1000]
        - `seconds`: Until so much time has passed. [s, > 0, at most 600]
        - `through`: Let the way back lead over other clips.
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("loop", "made_motion", {"blend": blend, "choice": choice, "clip": clip, "cycles": cycles, "metres": metres, "seconds": seconds, "through": through, "recipe": {"absolute": absolute, "chains": chains, "error_cm": error_cm, "pair_centres": pair_centres, "tau": tau, "weights": weights}}, to, seed, threads, progress)

    def perform(
        self,
        *,
        best_effort: bool = False,
        block: float = 0.5333333333333333,
        exact: bool = False,
        iterations: Any = None,
        score: Any = None,
        seconds_budget: Any = None,
        watch: bool = False,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for a score to be performed. If nothing says for how long to search, a number of iterations that takes a few seconds.

        - `best_effort`: Give the nearest that was found, also where the library can't do what is asked.
        - `block`: Blocks that a restart begins with: 0.53, 0.27 or 0.13, whichever is nearest. [s, > 0, at most 10]
        - `exact`: Look for the best motion of all at the end, where library and score are small enough.
        - `iterations`: Restarts of the search; the same number and seed give the same motion. [1 to 1000000]
        - `score`: What should happen when.
        - `seconds_budget`: Search for so long instead. [s, > 0, at most 86400]
        - `watch`: Look at the score's file while searching, and go on with what it says then.
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("perform", "made_motion", {"best_effort": best_effort, "block": block, "exact": exact, "iterations": iterations, "score": score, "seconds_budget": seconds_budget, "watch": watch}, to, seed, threads, progress)

    def drive(
        self,
        *,
        incline: float = 0.0,
        lift: float = 1.0,
        facing: str = 'ahead',
        speed: Any = None,
        style: Any = None,
        reaction: bool = False,
        seconds: float = 10.0,
        steer: Any = None,
        stride: float = 1.0,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for motion that is steered.

        - `incline`: Walk up a slope from where it begins, or down where it is negative. [degrees, -30 to 30]
        - `lift`: How high feet are lifted, in parts of the captured. [0 to 5]
        - `facing`: Which way it faces.
        - `speed`: How fast it goes; left to the library if it is left open. [m/s, > 0, at most 20]
        - `style`: Labels, or types, that its motion had better carry, though it need not.
        - `reaction`: Measure too how soon a new direction is taken, and how long the controller's calls take: an hour of random directions.
        - `seconds`: How long. [s, > 0, at most 100000]
        - `steer`: What is wanted when, in any order; random directions, by the run's seed, if there are none.
        - `stride`: How long steps are, in parts of the captured. [0.05 to 2]
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("drive", "made_motion", {"incline": incline, "lift": lift, "reaction": reaction, "seconds": seconds, "steer": steer, "stride": stride, "moving": {"facing": facing, "speed": speed, "style": style}}, to, seed, threads, progress)

    def bake(
        self,
        *,
        to: str,
        error_mm: float = 0.5,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for a baked character, to be steered by a game or a page without this library.

        - `error_mm`: Farthest that a joint may be from where it was captured. [mm, > 0, at most 1]
        - `to`: file that is written.
        """
        return self._ask("bake", "file", {"error_mm": error_mm}, to, seed, threads, progress)

    def crowd(
        self,
        *,
        to: str,
        as_: Any = None,
        count: int = 20,
        cell_m: float = 0.2,
        connect: str = 'within',
        edit: float = 25.0,
        edit_by_slack: bool = False,
        edit_in_time: float = 5.0,
        edit_shape: str = 'ellipsoid',
        graph: Any = None,
        margin_m: float = 0.03,
        memory_mb: int = 4096,
        yaw_deg: float = 20.0,
        embedded: bool = False,
        force: bool = False,
        facing: str = 'ahead',
        speed: Any = None,
        style: Any = None,
        seconds: float = 30.0,
        world: Any = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for characters who keep clear of each other.

        - `as_`: Styles: each character keeps to one of these labels or types, in turn.
        - `count`: How many characters. [1 to 10000]
        - `cell_m`: Width of a cell. [m, 0.01 to 100]
        - `connect`: What becomes of motion that can end in no cell's middle.
        - `edit`: How far motion may be bent: cm and degrees, for a metre. [0 to 1000]
        - `edit_by_slack`: Whether good transitions may be bent more than poor ones.
        - `edit_in_time`: The same for a second. [0 to 1000]
        - `edit_shape`: Whether to shift and turn to the limit at once.
        - `graph`: The graph: other than the one in use, it has a minimum clip length. Fields: auto_share, clusters, minimum_clip, most_partners, only, pairs, points, threshold_cm, window.
        - `margin_m`: Room beyond the world's radius. [m, 0 to 100]
        - `memory_mb`: Most memory for the embedded graph and searches in it, beside the library. [MB, 1 to 10000000]
        - `yaw_deg`: Angle between headings. [degrees, 1 to 120]
        - `embedded`: Walk on the graph embedded into the world: no dead ends, and its regions are kept to.
        - `force`: Take away characters of an earlier, larger crowd in the folder.
        - `facing`: Which way it faces.
        - `speed`: How fast it goes; left to the library if it is left open. [m/s, > 0, at most 20]
        - `style`: Labels, or types, that its motion had better carry, though it need not.
        - `seconds`: How long. [s, > 0, at most 86400]
        - `world`: The world: bounds, obstacles, radius.
        - `to`: folder of results.
        """
        return self._ask("crowd", "folder", {"as": as_, "count": count, "embedded": embedded, "force": force, "seconds": seconds, "world": world, "embed": {"cell_m": cell_m, "connect": connect, "edit": edit, "edit_by_slack": edit_by_slack, "edit_in_time": edit_in_time, "edit_shape": edit_shape, "graph": graph, "margin_m": margin_m, "memory_mb": memory_mb, "yaw_deg": yaw_deg}, "moving": {"facing": facing, "speed": speed, "style": style}}, to, seed, threads, progress)

    def survey(
        self,
        *,
        to: str,
        cells: Any = None,
        clips: Any = None,
        compare: Any = None,
        edits: Any = None,
        cell_m: float = 0.2,
        connect: str = 'within',
        edit: float = 25.0,
        edit_by_slack: bool = False,
        edit_in_time: float = 5.0,
        edit_shape: str = 'ellipsoid',
        graph: Any = None,
        margin_m: float = 0.0,
        memory_mb: int = 4096,
        yaw_deg: float = 20.0,
        epsilon_m: float = 0.1,
        samples: int = 500,
        suggest: bool = True,
        turn_per_metre_deg: float = 100.0,
        world: Any = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks what a library's motion can do in a world.

        - `cells`: Other widths of cells to try, headings in proportion. [m, 0.01 to 100]
        - `clips`: Only clips whose names fit one of these, in which `*` stands for anything; all if there are none.
        - `compare`: Other sets of clips to put beside it.
        - `edits`: Other editing sizes to try. [cm and degrees for a metre, 0 to 1000]
        - `cell_m`: Width of a cell. [m, 0.01 to 100]
        - `connect`: What becomes of motion that can end in no cell's middle.
        - `edit`: How far motion may be bent: cm and degrees, for a metre. [0 to 1000]
        - `edit_by_slack`: Whether good transitions may be bent more than poor ones.
        - `edit_in_time`: The same for a second. [0 to 1000]
        - `edit_shape`: Whether to shift and turn to the limit at once.
        - `graph`: The graph: other than the one in use, it has a minimum clip length. Fields: auto_share, clusters, minimum_clip, most_partners, only, pairs, points, threshold_cm, window.
        - `margin_m`: Room beyond the world's radius. [m, 0 to 100]
        - `memory_mb`: Most memory for the embedded graph and searches in it, beside the library. [MB, 1 to 10000000]
        - `yaw_deg`: Angle between headings. [degrees, 1 to 120]
        - `epsilon_m`: A place is covered if motion passes that near. [m, > 0, at most 100]
        - `samples`: Pairs of places between which paths are sought. [1 to 10000000]
        - `suggest`: Whether to try what could be captured next.
        - `turn_per_metre_deg`: The turn that counts as much as a metre. [degrees, > 0, at most 36000]
        - `world`: The world.
        - `to`: folder of results.
        """
        return self._ask("survey", "folder", {"cells": cells, "clips": clips, "compare": compare, "edits": edits, "epsilon_m": epsilon_m, "samples": samples, "suggest": suggest, "turn_per_metre_deg": turn_per_metre_deg, "world": world, "embed": {"cell_m": cell_m, "connect": connect, "edit": edit, "edit_by_slack": edit_by_slack, "edit_in_time": edit_in_time, "edit_shape": edit_shape, "graph": graph, "margin_m": margin_m, "memory_mb": memory_mb, "yaw_deg": yaw_deg}}, to, seed, threads, progress)

    def clean(
        self,
        *,
        input: Any = None,
        lengthen: float = 0.0,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for a motion file without foot skate, and with nothing else changed. Written in the input's unit if the output leaves it open.

        - `input`: What to clean. Fields: file, map, partial, source_fps, take, unit.
        - `lengthen`: Share of their length by which legs may grow before knees straighten. [0 to 0.1]
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("clean", "made_motion", {"input": input, "lengthen": lengthen}, to, seed, threads, progress)

    def edit(
        self,
        *,
        along: Any = None,
        backwards: bool = False,
        ease: float = 0.5,
        input: Any = None,
        keys: Any = None,
        leave_feet: bool = False,
        loop_seam: bool = False,
        place: Any = None,
        seams: Any = None,
        shifts: Any = None,
        times: Any = None,
        to: Any = None,
        trim: Any = None,
        into: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for a motion changed by hand.

        - `along`: Bend the root's way along this path, as far as people do not notice.
        - `backwards`: Play it backwards.
        - `ease`: How far seams and keys are felt to either side. [s, > 0, at most 600]
        - `input`: What to change. Fields: file.
        - `keys`: Turn joints at these moments.
        - `leave_feet`: Leave feet where the changes bring them, instead of putting plants still again.
        - `loop_seam`: Let the last frame lead into the first, as of a motion that is repeated.
        - `place`: Move the whole motion.
        - `seams`: Smooth the step into the frames at these times. [s, 0 to 1000000]
        - `shifts`: Displace the root at these moments.
        - `times`: Let these moments happen sooner or later; what lies before and between them goes faster or slower, what comes after the last of them as it went.
        - `to`: Bend the root's way so that it ends there.
        - `trim`: Only this part of it.
        - `into`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("edit", "made_motion", {"along": along, "backwards": backwards, "ease": ease, "input": input, "keys": keys, "leave_feet": leave_feet, "loop_seam": loop_seam, "place": place, "seams": seams, "shifts": shifts, "times": times, "to": to, "trim": trim}, into, seed, threads, progress)

    def graft(
        self,
        *,
        base: str = '',
        blend: float = 0.333,
        donors: Any = None,
        force: bool = False,
        in_step: str = 'plants',
        keep: Any = None,
        posture: str = 'angles',
        share: float = 0.75,
        tempo: float = 1.0,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for limbs of some clips on the body of another.

        - `base`: The clip whose legs, root and all else that is not grafted stay.
        - `blend`: Length of the blend where a graft begins or ends within the base. [s, > 0, at most 60]
        - `donors`: Who gives what.
        - `force`: Graft against the rules too.
        - `in_step`: How the clips are brought into step.
        - `keep`: Keep the graft as a new clip of the library, of this name.
        - `posture`: How postures are taken over.
        - `share`: Share of a clip's frames that must be of one type. [0.5 to 1]
        - `tempo`: How fast a donor plays that stands, and so keeps its own time. [> 0, at most 100]
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("graft", "made_motion", {"base": base, "blend": blend, "donors": donors, "force": force, "in_step": in_step, "keep": keep, "posture": posture, "share": share, "tempo": tempo}, to, seed, threads, progress)

    def graft_all(
        self,
        *,
        accept: Any = None,
        accept_above: Any = None,
        blend: float = 0.333,
        chains: Any = None,
        in_step: str = 'plants',
        least_score: float = 0.0,
        posture: str = 'angles',
        reject: Any = None,
        share: float = 0.75,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for all grafts that the rules allow.

        - `accept`: Keep these as clips of the library, `BASE+DONOR`.
        - `accept_above`: Keep all that score this much. [0 to 1]
        - `blend`: Length of blends. [s, > 0, at most 60]
        - `chains`: What donors give.
        - `in_step`: How clips are brought into step.
        - `least_score`: List only what scores this much. [0 to 1]
        - `posture`: How postures are taken over.
        - `reject`: Never list these again.
        - `share`: Share of a clip's frames that must be of one type. [0.5 to 1]
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("graft_all", "report", {"accept": accept, "accept_above": accept_above, "blend": blend, "chains": chains, "in_step": in_step, "least_score": least_score, "posture": posture, "reject": reject, "share": share}, pictures, seed, threads, progress)

    def stride(
        self,
        *,
        footprints: Any = None,
        from_stand: int = 0,
        incline: float = 0.0,
        input: Any = None,
        leave_feet: bool = False,
        lift: float = 1.0,
        lift_m: Any = None,
        metres: Any = None,
        obstacles: Any = None,
        radius: Any = None,
        ramp: float = 0.0,
        ramp_to: bool = False,
        speed: float = 1.0,
        stairs: Any = None,
        stride: float = 1.0,
        stride_m: Any = None,
        terrain: Any = None,
        to_stand: int = 0,
        to: Union[str, dict, None] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> Union[dict[str, Any], Made]:
        """Asks for a walk with other steps. Nothing asked gives the walk back.

        - `footprints`: Step on these, one for each footfall; strides, ramps and curves don't count then.
        - `from_stand`: Begin out of a stand, over so many steps. [0 to 1000]
        - `incline`: Walk up a slope, or down where it is negative. [degrees, -30 to 30]
        - `input`: What to change: a walk, or a part of one. Fields: clip.
        - `leave_feet`: Don't put feet still before anything is changed.
        - `lift`: How high feet are lifted, in parts of the captured. [> 0, at most 20]
        - `lift_m`: The same in metres, in the mean. [m, > 0, at most 5]
        - `metres`: Walk exactly so far, repeating or cutting the clip. [m, > 0, at most 10000]
        - `obstacles`: Step over these.
        - `radius`: Walk a curve of this radius, to the left; to the right if it is negative. [m, -100000 to 100000, not 0]
        - `ramp`: What is added to the factor of each step after the first. [-10 to 10]
        - `ramp_to`: Come to the stride that is asked for step by step, from the captured one.
        - `speed`: Walk so many times as fast, half by longer steps and half by quicker ones. [0.25 to 4]
        - `stairs`: Walk on stairs.
        - `stride`: How long steps are, in parts of the captured. [> 0, at most 10]
        - `stride_m`: The same in metres, in the mean. [m, > 0, at most 10]
        - `terrain`: Walk on uneven ground.
        - `to_stand`: End in a stand, over so many steps. [0 to 1000]
        - `to`: file that is written, read back and judged; without it the motion comes back in memory.
        """
        return self._ask("stride", "made_motion", {"footprints": footprints, "from_stand": from_stand, "incline": incline, "input": input, "leave_feet": leave_feet, "lift": lift, "lift_m": lift_m, "metres": metres, "obstacles": obstacles, "radius": radius, "ramp": ramp, "ramp_to": ramp_to, "speed": speed, "stairs": stairs, "stride": stride, "stride_m": stride_m, "terrain": terrain, "to_stand": to_stand}, to, seed, threads, progress)

    def judge(
        self,
        *,
        fit: Any = None,
        scale: Any = None,
        stroke: Any = None,
        input: Any = None,
        path: Any = None,
        score: Any = None,
        world: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks how good a motion file is; of what is usual in the library, where one is open.

        - `fit`: Width or depth of all that is followed, whichever is larger; instead of a scale. [m, > 0, at most 100000]
        - `scale`: Length of a user unit. [m, > 0, at most 100000]
        - `stroke`: The one stroke to follow, counted from 1; else all. [1 to 1000000]
        - `input`: The motion. Fields: file, map, partial, source_fps, take, unit.
        - `path`: The path it was to follow.
        - `score`: The score it was to perform; painted labels need a library.
        - `world`: The world it was to go through.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("judge", "report", {"input": input, "path": path, "score": score, "world": world, "drawing": {"fit": fit, "scale": scale, "stroke": stroke}}, pictures, seed, threads, progress)

    def player_page(
        self,
        *,
        to: str,
        captured: Any = None,
        made: Any = None,
        title: str = '',
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for a page that plays several motions.

        - `captured`: Clips of the library.
        - `made`: Motion files.
        - `title`: What stands above them.
        - `to`: file that is written.
        """
        return self._ask("player_page", "file", {"captured": captured, "made": made, "title": title}, to, seed, threads, progress)

    def schema(
        self,
        *,
        name: str = '',
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the schema of a file.

        - `name`: What the file is called: a name of `SCHEMAS`.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("schema", "report", {"name": name}, pictures, seed, threads, progress)

    def play_story(
        self,
        *,
        to: str,
        action: Any = None,
        story: str = '',
        text: Any = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for a script to be played.

        - `action`: Play this action alone, `ACTION` or `ACTOR.ACTION`, instead of the story.
        - `story`: The script; names in it are paths from its folder.
        - `text`: Its text, where that is not what the file says.
        - `to`: folder of results.
        """
        return self._ask("play_story", "folder", {"action": action, "story": story, "text": text}, to, seed, threads, progress)

    def check_story(
        self,
        *,
        story: str = '',
        text: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks what is wrong with a script.

        - `story`: The script; names in it are paths from its folder.
        - `text`: Its text, where that is not what the file says: an editor's.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("check_story", "report", {"story": story, "text": text}, pictures, seed, threads, progress)

    def format_story(
        self,
        *,
        story: str = '',
        text: Any = None,
        pictures: Optional[dict] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for a script as everybody writes it.

        - `story`: The script.
        - `text`: Its text, where that is not what the file says.
        - `pictures`: where pictures go, of requests that draw some.
        """
        return self._ask("format_story", "report", {"story": story, "text": text}, pictures, seed, threads, progress)

    def write_samples(
        self,
        *,
        to: str,
        only: Any = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the sample clips as BVH files.

        - `only`: Only clips of these names; all if there are none.
        - `to`: folder of results.
        """
        return self._ask("write_samples", "folder", {"only": only}, to, seed, threads, progress)

    def write_task_samples(
        self,
        *,
        to: str,
        only: Any = None,
        seed: int = 1,
        threads: Optional[int] = None,
        progress: Optional[Watcher] = None,
    ) -> dict[str, Any]:
        """Asks for the sample clips that plans are tried on as BVH files: walks, picks at five heights and three reaches with either hand, steps and jumps of several lengths.

        - `only`: Only clips of these names; all if there are none.
        - `to`: folder of results.
        """
        return self._ask("write_task_samples", "folder", {"only": only}, to, seed, threads, progress)
