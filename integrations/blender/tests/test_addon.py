"""The add-on without a window: armatures and curves are made, operators run, the evaluated armature is measured.

    python test_addon.py [LIBRARY.afoot]     (with bpy and afoot installed; sample motion if no library is named)
"""

import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

sys.path.insert(0, str(Path(__file__).parents[1]))
import afoot_addon  # noqa: E402

BONES = {  # name: parent, head, tail; metres, z up, looking along -y
    "hips": (None, (0, 0, 0.95), (0, 0, 1.05)), "spine": ("hips", (0, 0, 1.05), (0, 0, 1.3)), "neck": ("spine", (0, 0, 1.3), (0, 0, 1.5)),
    "head": ("neck", (0, 0, 1.5), (0, 0, 1.7)),
}
for side, sign in (("L", 1), ("R", -1)):
    BONES |= {
        f"thigh.{side}": ("hips", (sign * 0.1, 0, 0.92), (sign * 0.1, -0.01, 0.5)), f"shin.{side}": (f"thigh.{side}", (sign * 0.1, -0.01, 0.5), (sign * 0.1, 0.01, 0.09)),
        f"foot.{side}": (f"shin.{side}", (sign * 0.1, 0.01, 0.09), (sign * 0.1, -0.13, 0.03)), f"toe.{side}": (f"foot.{side}", (sign * 0.1, -0.13, 0.03), (sign * 0.1, -0.2, 0.03)),
        f"upper_arm.{side}": ("spine", (sign * 0.18, 0, 1.28), (sign * 0.46, 0, 1.28)), f"forearm.{side}": (f"upper_arm.{side}", (sign * 0.46, 0, 1.28), (sign * 0.7, 0, 1.28)),
        f"hand.{side}": (f"forearm.{side}", (sign * 0.7, 0, 1.28), (sign * 0.85, 0, 1.28)),
    }


def make_armature(name, rename=lambda bone: bone, scale=1.0, roll=0.0):
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, (parent, head, tail) in BONES.items():
        edit = data.edit_bones.new(rename(bone))
        edit.head, edit.tail = Vector(head) * scale, Vector(tail) * scale
        edit.roll = roll
        if parent:
            edit.parent = data.edit_bones[rename(parent)]
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def make_curve():
    data = bpy.data.curves.new("way", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(2)
    for point, place in zip(spline.bezier_points, ((0, 0, 0), (1.5, -4, 0), (0, -8, 0))):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve = bpy.data.objects.new("way", data)
    bpy.context.scene.collection.objects.link(curve)
    return curve


def measure(armature, rename, frames):
    """Hips over the ground and lowest points of the feet, of the evaluated armature. [m]"""
    hips, feet = [], []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        pose = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        place = lambda bone: np.array(armature.matrix_world @ pose[rename(bone)].head)
        hips.append(place("hips"))
        feet.append([place(f"toe.{side}") for side in "LR"])
    return np.array(hips), np.array(feet)


def distance_to(points, line):
    """Of each point to a polyline, over the ground."""
    starts, ends = line[:-1], line[1:]
    way = ends - starts
    along = np.clip(((points[:, None] - starts) * way).sum(-1) / (way**2).sum(-1), 0, 1)
    return np.linalg.norm(points[:, None] - (starts + along[..., None] * way), axis=-1).min(1)


def check(library, name, rename, scale, roll, at):
    scene = bpy.context.scene
    armature, settings = make_armature(name, rename, scale, roll), scene.afoot
    armature.matrix_world = Matrix.Translation(at)
    settings.library, settings.armature, settings.curve = str(library), armature, bpy.data.objects["way"]
    assert len(settings.clips) > 5, settings.verdict
    scene.frame_set(1)
    assert bpy.ops.afoot.walk_curve() == {"FINISHED"}, settings.verdict
    first, last = armature.animation_data.action.frame_range
    hips, feet = measure(armature, rename, range(round(first), round(last) + 1))
    from afoot_addon.ask import path_of_curve

    line = np.array(path_of_curve(bpy.data.objects["way"])["points"]) * [1, -1]
    off = distance_to(hips[:, :2], line)
    height = np.percentile(feet[..., 2], 5)
    speed = np.linalg.norm(np.diff(feet, axis=0), axis=-1) * 30
    planted = (feet[1:, :, 2] < height + 0.02 * scale) & (feet[:-1, :, 2] < height + 0.02 * scale)
    slow = speed[planted & (speed < 0.4)]
    print(f"{name}: {len(hips) / 30:.1f} s, {np.mean(off):.3f} m from the curve (most {off.max():.3f}), ends {np.linalg.norm(hips[-1, :2] - line[-1]):.2f} m from its end, "
          f"planted toes {100 * np.median(slow):.1f} cm/s, hips {hips[:, 2].min():.2f} to {hips[:, 2].max():.2f} m; {settings.verdict}")
    assert np.mean(off) < 0.12 and np.linalg.norm(hips[-1, :2] - line[-1]) < 0.6
    assert np.median(slow) < 0.08 and 0.75 * scale < hips[:, 2].min() and hips[:, 2].max() < 1.1 * scale
    return armature


def sample_library(folder):
    """A library of the sample performer's walks."""
    import warnings

    import afoot

    warnings.simplefilter("ignore")
    afoot.ask.write_samples(to=folder / "bvh")
    library = afoot.Library(folder / "walks.afoot", create=True)
    library.import_files(paths=sorted((folder / "bvh").glob("walk*.bvh")) + [folder / "bvh/stand.bvh"], mirror=True)
    library.build_graph(threshold_cm=6)
    return folder / "walks.afoot"


def main(library):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30
    afoot_addon.register()
    make_curve()
    check(library, "plain", lambda bone: bone, 1.0, 0.0, (0, 0, 0))
    mixamo = {"hips": "Hips", "spine": "Spine", "neck": "Neck", "head": "Head", "thigh": "UpLeg", "shin": "Leg", "foot": "Foot", "toe": "ToeBase", "upper_arm": "Arm", "forearm": "ForeArm", "hand": "Hand"}

    def renamed(bone):
        part, _, side = bone.partition(".")
        return "mixamorig:" + {"L": "Left", "R": "Right", "": ""}[side] + mixamo[part]

    check(library, "small and rolled, other names", renamed, 0.8, 0.7, (2, 1, 0))

    settings = bpy.context.scene.afoot
    settings.chosen = next(number for number, clip in enumerate(settings.clips) if clip.kind == "walk")
    assert bpy.ops.afoot.use_clip() == {"FINISHED"}, settings.verdict
    settings.curve = None
    try:
        bpy.ops.afoot.walk_curve()
    except RuntimeError as error:
        assert "choose the curve" in str(error), error
    else:
        raise AssertionError("no curve, and it walked")
    afoot_addon.unregister()
    print("3 passed, 0 failed")


if len(sys.argv) > 1:
    main(Path(sys.argv[1]))
else:
    with tempfile.TemporaryDirectory() as folder:
        main(sample_library(Path(folder)))
