"""What Blender asks of a library: curves, meshes and markers as requests, motion as an action on an armature."""

import os
import tempfile

from . import rig

_libraries = {}


def afoot_package():
    """The package `afoot`, or a word on how to get it."""
    try:
        import afoot
    except ImportError as error:
        raise RuntimeError("the Python package afoot is not installed in Blender's Python: pip install its wheel there") from error
    return afoot


def library(path):
    """The library of that file, held open between requests."""
    if path not in _libraries:
        _libraries[path] = afoot_package().Library(path)
    return _libraries[path]


def path_of_curve(curve, spacing=0.1):
    """A curve object as ground points, in order. [m]"""
    import bpy

    evaluated = curve.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        points = ordered(mesh, evaluated.matrix_world)
    finally:
        evaluated.to_mesh_clear()
    if len(points) < 2:
        raise RuntimeError(f"{curve.name} has no length: draw a curve of two points or more")
    kept = [points[0]]
    for point in points[1:]:
        if (point - kept[-1]).length >= spacing:
            kept.append(point)
    if kept[-1] != points[-1]:
        kept.append(points[-1])
    return {"points": [[round(point.x, 4), round(-point.y, 4)] for point in kept]}


def ordered(mesh, placed):
    """The vertices of a line in their order, in the world."""
    points = [placed @ vertex.co for vertex in mesh.vertices]
    beside = {}
    for edge in mesh.edges:
        a, b = edge.vertices
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    if not beside:
        return points
    ends = [vertex for vertex, others in beside.items() if len(others) == 1]
    here, seen, line = min(ends, default=0), set(), []
    while here is not None:
        seen.add(here)
        line.append(points[here])
        here = next((other for other in beside[here] if other not in seen), None)
    return line


def world_of_meshes(meshes, margin=3.0):
    """Meshes that reach into the lowest two metres as obstacles: the outline of each on the ground. [m]"""
    obstacles, xs, zs = [], [], []
    for mesh in meshes:
        corners = [mesh.matrix_world @ vertex.co for vertex in mesh.data.vertices]
        if not corners or min(corner.z for corner in corners) > 2.0:
            continue
        outline = hull([(corner.x, -corner.y) for corner in corners])
        if len(outline) >= 3:
            obstacles.append({"polygon": [[round(x, 4), round(z, 4)] for x, z in outline]})
            xs += [x for x, _ in outline]
            zs += [z for _, z in outline]
    bounds = [[min(xs, default=0) - margin, min(zs, default=0) - margin], [max(xs, default=0) + margin, max(zs, default=0) + margin]]
    return {"bounds": bounds, "obstacles": obstacles}


def hull(points):
    """The convex outline of points, counter-clockwise (Andrew's monotone chain)."""
    points = sorted(set(points))
    half = []
    for row in (points, points[::-1]):
        line = []
        for x, y in row:
            while len(line) >= 2 and cross(line[-2], line[-1], (x, y)) <= 0:
                line.pop()
            line.append((x, y))
        half += line[:-1]
    return half


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def score_of_markers(scene):
    """The timeline's markers as a score: each label from its marker to the next; `-label` is what must not happen there, `.` nothing asked."""
    rate = scene.render.fps / scene.render.fps_base
    time = lambda frame: (frame - scene.frame_current) / rate
    markers = sorted(scene.timeline_markers, key=lambda marker: marker.frame)
    ends = [marker.frame for marker in markers[1:]] + [scene.frame_end]
    paint = []
    for marker, end in zip(markers, ends):
        label = marker.name.strip()
        if label not in ("", ".") and end > marker.frame >= scene.frame_current:
            wanted = not label.startswith("-")
            paint.append({"label": label.lstrip("-"), "from": time(marker.frame), "to": time(end), "want": wanted})
    if not paint:
        raise RuntimeError("no markers behind the present frame: name some after labels (M adds one, F2 names it)")
    return {"seconds": time(scene.frame_end), "paint": paint}


def on_armature(armature, make, roles, name, scene):
    """Asks `make(to)` for motion on the armature's own skeleton and plays it there: the action and the report."""
    afoot = afoot_package()
    names = rig.names_by_role(armature, roles)
    with tempfile.TemporaryDirectory(prefix="afoot-") as folder:
        rest, out = os.path.join(folder, "rest.bvh"), os.path.join(folder, "made.bvh")
        rig.write_rest(armature, rest, names)
        told = make({"file": out, "onto": rest, "unit": "m"})
        clip = afoot.read(out, unit="m")
    return rig.play(armature, clip, names, name, scene), told


def roles_of(armature):
    """Who is who on an armature: as it was corrected, else guessed and remembered on it."""
    if "afoot_roles" not in armature:
        with tempfile.TemporaryDirectory(prefix="afoot-") as folder:
            armature["afoot_roles"] = rig.guess_roles(afoot_package(), armature, os.path.join(folder, "rest.bvh"))
    return {bone: role for bone, role in armature["afoot_roles"].to_dict().items() if role}
