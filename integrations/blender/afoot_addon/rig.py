"""An armature as a skeleton, and motion on it.

Afoot has y up and looks along +z; Blender has z up and looks along -y: (x, y, z) there is (x, -z, y) here. An armature is handed over as a BVH file of
one frame, each bone a joint named after its role, so that who is who can be corrected. What comes back are local rotations of joints that
rest unturned; a bone that rests turned by R takes R⁻¹ q R.
"""

import numpy as np
from mathutils import Matrix, Quaternion, Vector

TO_BLENDER = Matrix(((1, 0, 0), (0, 0, -1), (0, 1, 0)))
TO_AFOOT = TO_BLENDER.transposed()

ROLE_NAMES = {
    "hips": "Hips", "spine": "Spine", "chest": "Chest", "neck": "Neck", "head": "Head",
    "left_shoulder": "LeftShoulder", "left_arm": "LeftArm", "left_fore_arm": "LeftForeArm", "left_hand": "LeftHand",
    "right_shoulder": "RightShoulder", "right_arm": "RightArm", "right_fore_arm": "RightForeArm", "right_hand": "RightHand",
    "left_up_leg": "LeftUpLeg", "left_leg": "LeftLeg", "left_foot": "LeftFoot", "left_toe": "LeftToeBase",
    "right_up_leg": "RightUpLeg", "right_leg": "RightLeg", "right_foot": "RightFoot", "right_toe": "RightToeBase",
}
"""Names that say a role without doubt."""


def bones_of(armature):
    """Its bones, parents first. One root is taken: the one with the most below it."""
    roots = [bone for bone in armature.data.bones if bone.parent is None]
    root = max(roots, key=lambda bone: len(bone.children_recursive))
    return [root, *root.children_recursive]


def write_rest(armature, file, names=None):
    """The armature at rest as a BVH file of one frame in metres; `names` by bone, its own if left out."""
    bones = bones_of(armature)
    names = names or {bone.name: clean(bone.name) for bone in bones}
    heads = {bone.name: TO_AFOOT @ (armature.matrix_world @ bone.head_local) for bone in bones}
    text, channels = ["HIERARCHY"], 0

    def write(bone, depth):
        nonlocal channels
        pad = "  " * depth
        offset = heads[bone.name] - heads[bone.parent.name] if bone.parent else Vector()
        moves = "6 Xposition Yposition Zposition" if bone.parent is None else "3"
        text.extend([
            f"{pad}{'ROOT' if bone.parent is None else 'JOINT'} {names[bone.name]}", f"{pad}{{",
            f"{pad}  OFFSET {offset.x:.6f} {offset.y:.6f} {offset.z:.6f}", f"{pad}  CHANNELS {moves} Zrotation Yrotation Xrotation",
        ])
        channels += 6 if bone.parent is None else 3
        for child in bone.children:
            write(child, depth + 1)
        if not bone.children:
            tip = TO_AFOOT @ (armature.matrix_world.to_3x3() @ (bone.tail_local - bone.head_local))
            text.extend([f"{pad}  End Site", f"{pad}  {{", f"{pad}    OFFSET {tip.x:.6f} {tip.y:.6f} {tip.z:.6f}", f"{pad}  }}"])
        text.append(f"{pad}}}")

    write(bones[0], 0)
    place = heads[bones[0].name]
    row = [f"{place.x:.6f}", f"{place.y:.6f}", f"{place.z:.6f}"] + ["0"] * (channels - 3)
    text += ["MOTION", "Frames: 1", "Frame Time: 0.0333333", " ".join(row)]
    with open(file, "w", encoding="utf-8") as out:
        out.write("\n".join(text) + "\n")


def guess_roles(afoot, armature, file):
    """Which bone is which part of the body: {bone: role}."""
    write_rest(armature, file)
    clip = afoot.read(file, unit="m")
    by_joint = dict(zip(clip.joints, clip.roles))
    return {bone.name: by_joint.get(clean(bone.name)) for bone in bones_of(armature) if by_joint.get(clean(bone.name))}


def names_by_role(armature, roles):
    """A name for every bone: its role's where it has one, else one that says nothing."""
    plain = {bone.name: f"extra_{number}" for number, bone in enumerate(bones_of(armature))}
    return {**plain, **{bone: ROLE_NAMES.get(role, plain[bone]) for bone, role in roles.items() if bone in plain}}


def play(armature, clip, names, action_name, scene):
    """Puts a clip that is on the armature's skeleton onto it as a new action; its first frame is the scene's present one."""
    import bpy

    bones = bones_of(armature)
    joint_of = {name: number for number, name in enumerate(clip.joints)}
    data = armature.animation_data or armature.animation_data_create()
    action = bpy.data.actions.new(action_name)
    data.action = action
    data.action_slot = action.slots.new(id_type="OBJECT", name=armature.name)
    start, rate = scene.frame_current, scene.render.fps / scene.render.fps_base
    frames = start + np.arange(len(clip)) * rate / clip.fps
    turn = np.array(TO_BLENDER.to_quaternion())
    for bone in bones:
        joint = joint_of.get(names[bone.name])
        if joint is None:
            continue
        pose = armature.pose.bones[bone.name]
        pose.rotation_mode = "QUATERNION"
        rest = armature.matrix_world.to_3x3().normalized() @ bone.matrix_local.to_3x3()
        rotations = in_rest(clip.rotations[:, joint], turn, np.array(rest.to_quaternion()))
        write_curves(action, data.action_slot, f'pose.bones["{bone.name}"].rotation_quaternion', frames, rotations)
        if bone.parent is None:
            places = root_places(armature, bone, clip.root)
            write_curves(action, data.action_slot, f'pose.bones["{bone.name}"].location', frames, places)
    return action


def in_rest(rotations, turn, rest):
    """Local rotations (x y z w, Afoot's axes) as a bone takes them that rests turned by `rest` (w x y z)."""
    q = rotations[:, [3, 0, 1, 2]].astype(float)
    q = product(product(turn, q), conjugate(turn))
    q = product(product(conjugate(rest), q), rest)
    flips = np.cumprod(np.where((q[1:] * q[:-1]).sum(1) < 0, -1.0, 1.0))
    q[1:] *= flips[:, None]
    return q


def root_places(armature, bone, root):
    """Where the root bone is, in its own axes at rest. [armature's units]"""
    back = np.array(armature.matrix_world.inverted())
    here = np.array(TO_BLENDER) @ root.T.astype(float)
    local = (back[:3, :3] @ here).T + back[:3, 3] - np.array(bone.head_local)
    return local @ np.array(bone.matrix_local.to_3x3())


def write_curves(action, slot, path, frames, values):
    """A curve for each column of the values."""
    curves = curves_of(action, slot)
    for axis in range(values.shape[1]):
        curve = curves.new(path, index=axis)
        curve.keyframe_points.add(len(frames))
        keys = np.column_stack([frames, values[:, axis]]).ravel()
        curve.keyframe_points.foreach_set("co", keys)
        curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), 1, dtype=np.int8))
        curve.update()


def curves_of(action, slot):
    """The place of an action's curves."""
    layer = action.layers[0] if action.layers else action.layers.new("Afoot")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def product(a, b):
    """Quaternions (w x y z), rows or one."""
    a, b = np.broadcast_arrays(np.atleast_2d(a), np.atleast_2d(b))
    w = a[:, :1] * b[:, :1] - (a[:, 1:] * b[:, 1:]).sum(1, keepdims=True)
    v = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.hstack([w, v])


def conjugate(q):
    return np.asarray(q) * [1, -1, -1, -1]


def clean(name):
    """A bone's name as BVH can say it."""
    return "_".join(name.split())
