"""The panel in the 3-D view's sidebar, its operators, and what a scene remembers of Afoot."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty

from . import ask, rig


def is_armature(_, thing):
    return thing.type == "ARMATURE"


def is_curve(_, thing):
    return thing.type == "CURVE"


class AfootClip(bpy.types.PropertyGroup):
    """A clip of the library, as the list shows it."""

    seconds: bpy.props.FloatProperty()
    kind: StringProperty()


class AfootSettings(bpy.types.PropertyGroup):
    """What a scene remembers."""

    library: StringProperty(name="Library", subtype="FILE_PATH", description="A motion library, NAME.afoot", update=lambda self, _: list_clips(self))
    clips: CollectionProperty(type=AfootClip)
    chosen: IntProperty(name="Clip")
    armature: PointerProperty(name="Armature", type=bpy.types.Object, poll=is_armature, description="The figure that gets the motion")
    curve: PointerProperty(name="Curve", type=bpy.types.Object, poll=is_curve, description="The way over the ground")
    labels: StringProperty(name="As", description="Labels or types of motion to use alone, with commas: walk, sneak")
    follows_curve: BoolProperty(name="Update with the curve", description="Walk anew when the curve is edited")
    seed: IntProperty(name="Seed", default=1, min=0, description="Another number gives another motion of like quality")
    verdict: StringProperty()


def list_clips(settings):
    settings.clips.clear()
    if not settings.library:
        return
    try:
        told = ask.library(bpy.path.abspath(settings.library)).list()
    except Exception as error:  # shown in the panel: there is no operator to report it
        settings.verdict = str(error)
        return
    for row in told["clips"]:
        clip = settings.clips.add()
        clip.name, clip.seconds, clip.kind = row["name"], row["seconds"], row["type"]
    settings.verdict = f"{len(told['clips'])} clips"


class AfootOperator(bpy.types.Operator):
    """What all operators share: a library, an armature, errors in words."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        settings = context.scene.afoot
        try:
            if not settings.library:
                raise RuntimeError("choose a motion library first")
            if settings.armature is None:
                raise RuntimeError("choose the armature that gets the motion")
            action, told = self.make(context, settings)
        except Exception as error:
            self.report({"ERROR"}, str(error))
            settings.verdict = str(error)
            return {"CANCELLED"}
        settings.verdict = words(told)
        self.report({"INFO"}, f"{action.name}: {settings.verdict}")
        return {"FINISHED"}

    def placed(self, context, settings, name, make):
        """Motion on the armature."""
        roles = ask.roles_of(settings.armature)
        return ask.on_armature(settings.armature, make, roles, name, context.scene)


class AFOOT_OT_walk_curve(AfootOperator):
    """Walk along the chosen curve"""

    bl_idname, bl_label = "afoot.walk_curve", "Walk along the curve"

    def make(self, context, settings):
        if settings.curve is None:
            raise RuntimeError("choose the curve to walk along")
        library, path = ask.library(bpy.path.abspath(settings.library)), ask.path_of_curve(settings.curve)
        labels = [word.strip() for word in settings.labels.split(",") if word.strip()]
        follow = lambda to: library.follow(path=path, as_=labels, seed=settings.seed, to=to)
        return self.placed(context, settings, f"Walk {settings.curve.name}", follow)


class AFOOT_OT_walk_around(AfootOperator):
    """Walk from the armature to the 3-D cursor around the selected meshes"""

    bl_idname, bl_label = "afoot.walk_around", "Walk to the cursor, around selected meshes"

    def make(self, context, settings):
        library = ask.library(bpy.path.abspath(settings.library))
        meshes = [thing for thing in context.selected_objects if thing.type == "MESH"]
        here, goal = settings.armature.matrix_world.translation, context.scene.cursor.location
        world = ask.world_of_meshes(meshes)
        for axis, values in ((0, (here.x, goal.x)), (1, (-here.y, -goal.y))):
            world["bounds"][0][axis] = min(world["bounds"][0][axis], *(value - 1.5 for value in values))
            world["bounds"][1][axis] = max(world["bounds"][1][axis], *(value + 1.5 for value in values))
        through = {"world": world, "from": [here.x, -here.y], "to": [goal.x, -goal.y]}
        follow = lambda to: library.follow(through=through, seed=settings.seed, to=to)
        return self.placed(context, settings, "Walk around", follow)


class AFOOT_OT_perform_markers(AfootOperator):
    """Perform the timeline's markers, each named after a label"""

    bl_idname, bl_label = "afoot.perform_markers", "Perform the markers"

    def make(self, context, settings):
        library, score = ask.library(bpy.path.abspath(settings.library)), ask.score_of_markers(context.scene)
        perform = lambda to: library.perform(score=score, seed=settings.seed, to=to)
        return self.placed(context, settings, "Performance", perform)


class AFOOT_OT_use_clip(AfootOperator):
    """Put the chosen clip onto the armature"""

    bl_idname, bl_label = "afoot.use_clip", "Use the clip"

    def make(self, context, settings):
        if not settings.clips:
            raise RuntimeError("the library has no clips")
        library = ask.library(bpy.path.abspath(settings.library))
        name = settings.clips[settings.chosen].name
        return self.placed(context, settings, name, lambda to: library.export(clip=name, to=to))


class AFOOT_OT_guess_roles(bpy.types.Operator):
    """Guess anew which bone is which part of the body"""

    bl_idname, bl_label, bl_options = "afoot.guess_roles", "Guess bones", {"REGISTER", "UNDO"}

    def execute(self, context):
        armature = context.scene.afoot.armature
        if armature is None:
            self.report({"ERROR"}, "choose an armature first")
            return {"CANCELLED"}
        armature.pop("afoot_roles", None)
        try:
            found = ask.roles_of(armature)
        except Exception as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{len(found)} bones have a role")
        return {"FINISHED"}


class AFOOT_OT_set_role(bpy.types.Operator):
    """Say which part of the body the active bone is"""

    bl_idname, bl_label, bl_options = "afoot.set_role", "Bone is …", {"REGISTER", "UNDO"}
    role: EnumProperty(name="Role", items=[("none", "nothing", "")] + [(role, role.replace("_", " "), "") for role in rig.ROLE_NAMES])
    bone: StringProperty(name="Bone", description="The active one if left out")

    def execute(self, context):
        armature = context.scene.afoot.armature
        active = armature and (self.bone or (armature.data.bones.active and armature.data.bones.active.name))
        if not active:
            self.report({"ERROR"}, "choose an armature and make one of its bones active")
            return {"CANCELLED"}
        roles = {bone: role for bone, role in ask.roles_of(armature).items() if bone != active and role != self.role}
        if self.role != "none":
            roles[active] = self.role
        armature["afoot_roles"] = roles
        return {"FINISHED"}


def words(told):
    """A report in one line."""
    quality = told.get("quality")
    if not quality:
        return f"{told.get('frames', 0)} frames"
    parts = [f"{quality['seconds']:.1f} s", f"planted feet {quality['skate_cm_s']:.1f} cm/s"]
    if quality.get("path_mean_m") is not None:
        parts.append(f"{100 * quality['path_mean_m']:.0f} cm from the path")
    return ", ".join(parts)


class AFOOT_UL_clips(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        row = layout.row()
        row.label(text=item.name, icon="ACTION")
        row.label(text=f"{item.kind}, {item.seconds:.1f} s")


class AFOOT_PT_panel(bpy.types.Panel):
    bl_label, bl_space_type, bl_region_type, bl_category = "Afoot", "VIEW_3D", "UI", "Afoot"

    def draw(self, context):
        settings, layout = context.scene.afoot, self.layout
        layout.prop(settings, "library")
        layout.prop(settings, "armature")
        if settings.armature:
            row = layout.row(align=True)
            row.operator("afoot.guess_roles")
            row.operator_menu_enum("afoot.set_role", "role")
        box = layout.box()
        box.prop(settings, "curve")
        box.prop(settings, "labels")
        box.prop(settings, "seed")
        box.operator("afoot.walk_curve", icon="CURVE_PATH")
        box.prop(settings, "follows_curve")
        layout.operator("afoot.walk_around", icon="CURSOR")
        layout.operator("afoot.perform_markers", icon="MARKER")
        if settings.clips:
            layout.template_list("AFOOT_UL_clips", "", settings, "clips", settings, "chosen")
            layout.operator("afoot.use_clip", icon="ACTION")
        if settings.verdict:
            layout.label(text=settings.verdict)


QUIET = 0.4
"""How long a curve is left alone before it is walked anew. [s]"""


@bpy.app.handlers.persistent
def curve_was_edited(scene, depsgraph):
    settings = scene.afoot
    if not (settings.follows_curve and settings.curve):
        return
    curve = settings.curve
    if any(update.id.original in (curve, curve.data) for update in depsgraph.updates):
        if bpy.app.timers.is_registered(walk_again):
            bpy.app.timers.unregister(walk_again)
        bpy.app.timers.register(walk_again, first_interval=QUIET)


def walk_again():
    bpy.ops.afoot.walk_curve()


CLASSES = (
    AfootClip, AfootSettings, AFOOT_OT_walk_curve, AFOOT_OT_walk_around, AFOOT_OT_perform_markers, AFOOT_OT_use_clip, AFOOT_OT_guess_roles,
    AFOOT_OT_set_role, AFOOT_UL_clips, AFOOT_PT_panel,
)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.afoot = PointerProperty(type=AfootSettings)
    bpy.app.handlers.depsgraph_update_post.append(curve_was_edited)


def unregister():
    bpy.app.handlers.depsgraph_update_post.remove(curve_was_edited)
    del bpy.types.Scene.afoot
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
