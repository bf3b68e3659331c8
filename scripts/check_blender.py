"""Loads our files into Blender and compares takes, frame counts and joint positions with ours.

Usage: check_blender.py FIXTURE, a folder with NAME.json (our positions, a list of takes) and beside it
NAME.bvh, NAME.glb, NAME.fbx or NAME.usda, whichever there are. `hero_walk.glb` is a character that was given a
motion: the feet of its evaluated mesh must stand still while they are planted.
"""

import json
import pathlib
import sys

import bpy

LIMIT_M = 1e-3
"""How far Blender's joints may be from ours. BVH files carry angles as rounded text. [m]"""
STILL_M = 0.02
"""How far the lowest part of a foot's mesh may move while it stands: the sample's toes roll. [m]"""


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
        # The importer that reads InheritType; the older one takes every file as type 1.
        bpy.ops.wm.fbx_import(filepath=str(path))
    elif path.suffix == ".usda":
        bpy.ops.wm.usd_import(filepath=str(path))
    else:
        bpy.ops.import_scene.gltf(filepath=str(path))


def play(armature, take: str | None) -> tuple[int, int]:
    """Gives the armature the take's action, or the one it has; its first and last frame."""
    data = armature.animation_data
    if take is not None:
        action = next(one for one in bpy.data.actions if take in one.name.split("|") or one.name.startswith(take))
        for track in data.nla_tracks:
            track.mute = True
        data.action = action
        data.action_slot = next(slot for slot in action.slots if slot.target_id_type == "OBJECT")
    first, last = data.action.frame_range
    return round(first), round(last)


def blender_name(armature, name: str) -> str:
    """A joint's name as USD's paths have it, where the name itself is not there."""
    return name if name in armature.pose.bones else "".join(c if c.isalnum() else "_" for c in name)


def armatures() -> list:
    return [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]


def farthest_joint(armature, ours: dict, take: str | None) -> tuple[int, float]:
    """Frame count of a take and the largest distance of a joint from ours."""
    first, last = play(armature, take)
    worst = 0.0
    for frame, positions in zip(ours["sampled"], ours["positions"]):
        bpy.context.scene.frame_set(first + frame)
        for name, (x, y, z) in zip(ours["joints"], positions):
            bone = armature.pose.bones[blender_name(armature, name)]
            head = armature.matrix_world @ bone.head
            # Blender is z up: its (x, y, z) is our (x, -z, y).
            worst = max(worst, abs(head.x - x), abs(head.y + z), abs(head.z - y))
    return last - first + 1, worst


def check_file(path: pathlib.Path, takes: list) -> bool:
    good = True
    for ours in takes:
        clear_scene(ours["fps"])
        import_file(path)
        several = ours["name"] if len(takes) > 1 else None
        frames, worst = farthest_joint(armatures()[0], ours, several)
        # A span that a file states beside its keys is Blender's to choose; ours goes by the keys.
        counted = frames == ours["frames"] or path.stem.startswith("span")
        print(f"{path.name} {ours['name']}: {frames} of {ours['frames']} frames, joints within {1000 * worst:.3f} mm")
        good = good and counted and worst < LIMIT_M
    return good


def check_hero(path: pathlib.Path, ours: dict) -> bool:
    """The mesh as Blender evaluates it: each foot's lowest vertices, while that foot is the lower one and at rest."""
    clear_scene(ours["fps"])
    import_file(path)
    body = next(thing for thing in bpy.data.objects if thing.type == "MESH" and thing.find_armature())
    armature = body.find_armature()
    first, last = play(armature, None)
    worst = 0.0
    for side in ("Left", "Right"):
        group = body.vertex_groups[f"mixamorig:{side}ToeBase"].index
        vertices = [v.index for v in body.data.vertices if any(g.group == group for g in v.groups)]
        track = []
        for frame in range(first, last + 1):
            bpy.context.scene.frame_set(frame)
            mesh = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
            places = [body.matrix_world @ mesh.vertices[index].co for index in vertices]
            track.append(min(places, key=lambda place: place.z))
        worst = max(worst, longest_slide(track))
    print(f"{path.name}: the feet of the mesh slide {1000 * worst:.1f} mm at most while they stand")
    return worst < STILL_M


def longest_slide(track: list) -> float:
    """The farthest a foot gets from where it came to stand, over the ground, within one plant."""
    lowest = min(place.z for place in track)
    worst, anchor = 0.0, None
    for before, place in zip(track, track[1:]):
        stands = place.z < lowest + 0.02 and (place - before).length < 0.006
        anchor = (anchor or place) if stands else None
        if anchor:
            worst = max(worst, (place - anchor).to_2d().length)
    return worst


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
            frames, worst = farthest_joint(armature, facts, None)
            if frames == facts["frames"] and worst < LIMIT_M:
                found[name] = worst
    print(f"scene.glb: {len(armatures())} armatures, {len(found)} of {len(ours)} characters found")
    return set(found) == set(ours) and len(armatures()) == len(ours)


def main(folder: pathlib.Path) -> int:
    failed = passed = 0
    for facts in sorted(folder.glob("*.json")):
        takes = json.loads(facts.read_text())
        for suffix in (".bvh", ".glb", ".fbx", ".usda"):
            path = facts.with_suffix(suffix)
            if path.exists():
                good = check_file(path, takes)
                if path.stem == "hero_walk":
                    good = check_hero(path, takes[0]) and good
                passed, failed = passed + good, failed + (not good)
    good = check_scene(folder / "scene")
    passed, failed = passed + good, failed + (not good)
    print(f"Blender {bpy.app.version_string}: {passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
