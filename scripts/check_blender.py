"""Loads our BVH, glTF and FBX files into Blender and compares frame count and joint positions with ours.

Usage: check_blender.py FIXTURE, a folder with NAME.json (our positions), NAME.bvh, NAME.glb and NAME.fbx.
"""

import json
import pathlib
import sys

import bpy

LIMIT_M = 1e-3
"""How far Blender's joints may be from ours. BVH files carry angles as rounded text. [m]"""


def clear_scene(fps: float) -> None:
    """An empty scene at the motion's rate: the glTF importer places keys by the scene's rate."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(fps)
    bpy.context.scene.render.fps_base = round(fps) / fps


def import_file(path: pathlib.Path) -> None:
    if path.suffix == ".bvh":
        bpy.ops.import_anim.bvh(
            filepath=str(path), global_scale=0.01, axis_forward="-Z", axis_up="Y", use_fps_scale=False
        )
    elif path.suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path))
    else:
        bpy.ops.import_scene.gltf(filepath=str(path))


def armatures() -> list:
    return [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]


def farthest_joint(path: pathlib.Path, ours: dict) -> tuple[int, float]:
    """Frame count of the imported action and the largest distance of a joint from ours."""
    clear_scene(ours["fps"])
    import_file(path)
    return compare(armatures()[0], ours)


def compare(armature, ours: dict) -> tuple[int, float]:
    """The same of one character of the scene."""
    first, last = armature.animation_data.action.frame_range
    frames = round(last - first) + 1
    worst = 0.0
    for frame, positions in zip(ours["sampled"], ours["positions"]):
        bpy.context.scene.frame_set(round(first) + frame)
        for name, (x, y, z) in zip(ours["joints"], positions):
            head = armature.matrix_world @ armature.pose.bones[name].head
            # Blender is z up: its (x, y, z) is our (x, -z, y).
            worst = max(worst, abs(head.x - x), abs(head.y + z), abs(head.z - y))
    return frames, worst


def play_own(armature) -> None:
    """Of several animations Blender plays the first and lays the others up in tracks, each with its armature."""
    data = armature.animation_data
    if data.action is None:
        strip = data.nla_tracks[0].strips[0]
        data.action, slot = strip.action, strip.action_slot
        data.action_slot = slot


def check_scene(folder: pathlib.Path) -> bool:
    """Several characters in one file: each is where one of ours is, and no two are the same one."""
    ours = {facts.stem: json.loads(facts.read_text()) for facts in sorted(folder.glob("*.json"))}
    clear_scene(next(iter(ours.values()))["fps"])
    import_file(folder / "scene.glb")
    found = {}
    for armature in armatures():
        play_own(armature)
        for name, facts in ours.items():
            frames, worst = compare(armature, facts)
            if frames == facts["frames"] and worst < LIMIT_M:
                found[name] = worst
    print(f"scene.glb: {len(armatures())} armatures, {len(found)} of {len(ours)} characters found")
    return set(found) == set(ours) and len(armatures()) == len(ours)


def main(folder: pathlib.Path) -> int:
    failed = passed = 0
    for facts in sorted(folder.glob("*.json")):
        ours = json.loads(facts.read_text())
        for suffix in (".bvh", ".glb", ".fbx"):
            path = facts.with_suffix(suffix)
            frames, worst = farthest_joint(path, ours)
            good = frames == ours["frames"] and worst < LIMIT_M
            print(f"{path.name}: {frames} of {ours['frames']} frames, joints within {1000 * worst:.3f} mm")
            passed, failed = passed + good, failed + (not good)
    good = check_scene(folder / "scene")
    passed, failed = passed + good, failed + (not good)
    print(f"Blender {bpy.app.version_string}: {passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
