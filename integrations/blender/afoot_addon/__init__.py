"""Afoot in Blender: a library's clips, motion along curves and by markers, on any armature.

`rig` says an armature as Afoot knows skeletons and plays motion on it; `ask` is what Blender asks of a library (curves, meshes and markers as
requests); `ui` is the panel, the operators and what the scene remembers. The package `afoot` (its wheel) has to be installed into Blender's
Python.
"""

from . import ui


def register():
    ui.register()


def unregister():
    ui.unregister()
