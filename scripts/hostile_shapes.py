#!/usr/bin/env python3
"""Files that are whole but mean nothing, made by hand, to the commands that read them.

    scripts/hostile_shapes.py AFOOT MOTION_FOLDER [--verbose]

Where `hostile_files.py` spoils sound files at random, these are well-formed files with impossible contents: BVH
hierarchies and rows, glTF accessors, keys and trees, paths, worlds, labels, maps, drawings, scripts of steering, stories
whose definitions grow without end, terrains, footprints, weights, sections of paths; every option that takes a number with numbers nobody can mean; pipes and devices. Each
names what is expected: `no` (refused: status 1 or 3, with a message), `yes` (taken), `either`. Wrong are a panic, a
signal, more than five seconds of a processor, a refusal without a word, and what was not expected.
"""
import argparse, copy, json, os, re, resource, shutil, struct, subprocess, sys, tempfile
from pathlib import Path


def shapes(bvh, glb):
    """Pairs of name, command, contents and expectation; F in a command is the file."""
    out = []
    head, rows = bvh.split("Frame Time")
    time, rows = rows.split("\n", 1)
    rows = rows.strip().split("\n")
    columns = len(rows[0].split())

    def text(hierarchy=head, frame_time=time, lines=rows, count=None):
        hierarchy = re.sub(r"Frames:\s*\d+", f"Frames: {len(lines) if count is None else count}", hierarchy)
        return f"{hierarchy}Frame Time{frame_time}\n" + "\n".join(lines) + "\n"

    def row(number, column, value):
        lines = list(rows)
        words = lines[number].split()
        words[column] = value
        lines[number] = " ".join(words)
        return lines

    files = [("no frames", text(lines=[]), "either"), ("one frame", text(lines=rows[:1]), "yes"), ("two frames", text(lines=rows[:2]), "yes"),
             ("count too high", text(count=len(rows) + 5), "no"), ("count negative", text(count=-3), "no"), ("count huge", text(count=10**30), "no"),
             ("count a word", text(count="many"), "no"), ("count with a point", text(count="12.5"), "no"), ("time 0", text(frame_time=": 0"), "no"),
             ("time nan", text(frame_time=": nan"), "no"), ("time missing", text(frame_time=":"), "no"), ("time 1e-9", text(frame_time=": 1e-9"), "no"),
             ("all frames alike", text(lines=rows[:1] * 100), "yes"), ("all zero", text(lines=[" ".join(["0"] * columns)] * 50), "either"),
             ("tabs and CRLF", text().replace(" ", "\t").replace("\n", "\r\n"), "yes"), ("byte order mark", "\ufeff" + text(), "either"),
             ("lower case", text().lower(), "either"), ("offset 1e20", text(head.replace("OFFSET ", "OFFSET 1e20 ", 1)), "no"),
             ("all offsets 0", text(re.sub(r"OFFSET .*", "OFFSET 0 0 0", head)), "either"),
             ("offset nan", text(re.sub(r"OFFSET \S+", "OFFSET nan", head, count=3)), "no"), ("offset of two", text(re.sub(r"OFFSET (\S+) (\S+) (\S+)", r"OFFSET \1 \2", head, count=2)), "no"),
             ("names alike", text(re.sub(r"JOINT \S+", "JOINT a", head)), "either"), ("a name missing", text(re.sub(r"JOINT \S+", "JOINT", head, count=1)), "either"),
             ("no channels", text(re.sub(r"CHANNELS .*", "CHANNELS 0", head)), "no"), ("channel twice", text(head.replace("Xrotation", "Zrotation", 1)), "either"),
             ("channel unknown", text(head.replace("Xrotation", "Wrotation", 1)), "no"), ("channels 9e9", text(re.sub(r"CHANNELS 3", "CHANNELS 9000000000", head, count=1)), "no"),
             ("two roots", text(head.replace("MOTION", "ROOT b\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION", 1)), "either"),
             ("brace missing", text(head.replace("}", "", 1)), "no"), ("brace too many", text(head.replace("}", "} }", 1)), "no"), ("no motion", head.split("MOTION")[0], "no"),
             ("nothing", "", "no"), ("one word", "HIERARCHY", "no"), ("zeros", "\0" * 1000, "no"),
             ("deep", text("HIERARCHY\nROOT r\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n" + "".join(f"JOINT j{n}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n" for n in range(5000)) + "}\n" * 5001 + "MOTION\nFrames: 1\n", lines=["0 0 0"]), "either")]
    for value in ("1e21", "-1e21", "nan", "inf", "1e400", "0x1p3", "1,5", "--2", "1e", "٣"):
        files += [(f"place {value}", text(lines=row(9, 0, value)), "no"), (f"angle {value}", text(lines=row(9, 7, value)), "no")]
    files += [("row short", text(lines=rows[:4] + [" ".join(rows[4].split()[:-1])] + rows[5:]), "no"), ("row long", text(lines=rows[:4] + [rows[4] + " 1"] + rows[5:]), "no"),
              ("a leap of a kilometre", text(lines=row(9, 0, "100000")), "yes"), ("turned a hundred times", text(lines=row(9, 7, "36000")), "yes")]
    for name, contents, expected in files:
        for command in (["import", "new.afoot", "F"], ["convert", "F", "-o", "out.bvh"], ["edit", "F", "--turn", "9", "-o", "out.bvh"]):
            out.append((name, command, "f.bvh", contents, expected if command[0] == "import" else "either" if expected == "yes" else expected))

    paths = [([], "no"), ([[0, 0]], "no"), ([[0, 0], [0, 0]], "no"), ([[0, 0], [0, 1e-9]], "no"), ([[0, 0], [1]], "no"), ([[0, 0], [1, 2, 3]], "no"), ("word", "no"), (None, "no"),
             ([[0, 0], ["a", 1]], "no"), ([[0, 0], [1e300, 0]], "no"), ([[0, 0], [1e9, 0]], "no"), ([[0, 0], [None, 1]], "no"), ([[0, 0], [0, 2], [0, 0], [0, 2]] * 3, "either"), ([[0, n * 1e-4] for n in range(20000)], "yes")]
    for points, expected in paths:
        out.append((f"points {str(points)[:30]}", ["follow", "lib.afoot", "--path", "F", "-o", "out.bvh"], "f.json", json.dumps({"points": points}), expected))
        out.append((f"points {str(points)[:30]}", ["edit", "walk.bvh", "--along", "F", "-o", "out.bvh"], "f.json", json.dumps({"points": points}), "no" if expected == "no" else "either"))
    for sections in ([{"to": -1, "as": ["walk"]}], [{"to": 2, "as": ["walk"]}, {"to": 1, "as": ["walk"]}], [{"as": ["flight"]}], [{"as": "walk"}], [{"to": "x"}], [{"too": 1}], 7):
        out.append((f"sections {sections}", ["follow", "lib.afoot", "--path", "F", "-o", "out.bvh"], "f.json", json.dumps({"points": [[0, 0], [0, 3]], "sections": sections}), "no"))
    worlds = [{"bounds": [[0, 0], [0, 0]]}, {"bounds": [[5, 5], [0, 0]]}, {"bounds": [[0, 0], [1e30, 1e30]]}, {"bounds": [[0, 0]]}, {}, [], {"bounds": [[0, 0], [9, 9]], "radius": -1}, {"bounds": [[0, 0], [9, 9]], "radius": 50},
              {"bounds": [[0, 0], [9, 9]], "radius": "wide"}, {"bounds": [[0, 0], [9, 9]], "obstacles": [{"circle": [4, 4, 99]}]}, {"bounds": [[0, 0], [9, 9]], "obstacles": [{"circle": [4, 4]}]},
              {"bounds": [[0, 0], [9, 9]], "obstacles": [{"polygon": [[1, 1], [2, 2]]}]}, {"bounds": [[0, 0], [9, 9]], "obstacles": [{"square": 1}]}, {"bounds": [[0, 0], [9, 9]], "starts": [[99, 99]]},
              {"bounds": [[0, 0], [9, 9]], "starts": [[4, 4], [4, 4]]}, {"bounds": [[0, 0], [9, 9]], "obstacles": [{"circle": [4, 4, 1]}], "goals": [[4, 4]]}, {"bounds": [[0, 0], [9, 9]], "wrap": "yes"}, {"bounds": [[0, 0], [9, 9]], "regions": [{"polygon": [[0, 0], [9, 0], [9, 9]], "only": ["flight"]}]}]
    out += [(f"world {str(world)[:40]}", ["crowd", "lib.afoot", "--world", "F", "--count", "2", "--seconds", "1", "-o", "out"], "f.json", json.dumps(world), "either" if "regions" in str(world) else "no") for world in worlds]
    spans = [[{"label": "x", "from": 3, "to": 1}], [{"label": "x", "from": -1, "to": 1}], [{"label": "x", "from": 0, "to": 1e9}], [{"label": "", "from": 0, "to": 1}], [{"label": "x"}], [{"label": 3, "from": 0, "to": 1}], "all", [{"label": "x", "from": "a", "to": 1}], [{"label": "x\u0000y", "from": 0, "to": 1}]]
    out += [(f"labels {spans_}", ["labels", "import", "lib.afoot", "F"], "f.json", json.dumps({"vocabulary": ["x"], "clips": {"walk": spans_}}), "either") for spans_ in spans]
    out.append(("labels of nobody", ["labels", "import", "lib.afoot", "F"], "f.json", json.dumps({"vocabulary": ["x"], "clips": {"nobody": []}}), "either"))
    for roles in ({"Hips": "hips", "Spine": "hips"}, {"Hips": 3}, {"Hips": "left_wing"}, {"nobody": "hips"}, [], "hips", {"LeftFoot": "right_foot", "RightFoot": "right_foot"}, {}):
        out.append((f"map {roles}", ["import", "new.afoot", "walk.bvh", "--map", "F"], "f.json", json.dumps(roles), "either" if roles == {} or "Foot" in str(roles) or "Spine" in str(roles) else "no"))

    def svg(body, attributes='viewBox="0 0 9 9"'):
        return f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>{body}</svg>'
    line = '<path d="M 0 0 L 4 0" stroke="red"/>'
    drawings = [(svg(""), "no"), (svg("<text>walk</text>"), "no"), (svg('<path d=""/>'), "no"), (svg('<path d="M 1 1"/>'), "no"), (svg('<path d="L 1 1 Q"/>'), "no"), (svg('<path d="M 0 0 L nan 3"/>'), "no"), (svg('<circle r="0"/>'), "no"), (svg('<circle cx="2" cy="2" r="-3"/>'), "no"),
                (svg('<rect width="1e30" height="2"/>'), "no"), (svg('<use xlink:href="#a" id="a"/>'), "no"), (svg('<image href="file:///etc/passwd"/>' + line), "either"), (svg(line, 'viewBox="0 0 0 0"'), "no"), (svg(line, 'width="1e9" height="3"'), "either"), (svg(f'<g transform="scale(0)">{line}</g>'), "no"), (svg(f'<g transform="matrix(1 2)">{line}</g>'), "no"),
                (svg(f'<g transform="scale(1e6)">{line}</g>'), "no"), (svg(f'<g display="none">{line}</g>'), "no"), (svg(f'<defs>{line}</defs>'), "no"), ("<svg>", "no"), ("<!DOCTYPE a SYSTEM 'http://example.org/a'>" + svg(line), "either"), (svg('<path d="M 0 0 ' + "a 1 1 0 0 0 0.1 0.1 " * 20000 + '" stroke="red" fill="none"/>'), "either"), (svg(line), "yes")]
    out += [(f"drawing {drawing[60:110]}", ["judge", "walk.bvh", "--path", "F"], "f.svg", drawing, expected) for drawing, expected in drawings]

    length, = struct.unpack("<I", glb[12:16])
    document, rest = json.loads(glb[20:20 + length]), glb[20 + length:]

    def packed(change):
        changed = copy.deepcopy(document)
        change(changed)
        body = json.dumps(changed).encode()
        body += b" " * (-len(body) % 4)
        return b"glTF" + struct.pack("<II", 2, 20 + len(body) + len(rest)) + struct.pack("<I", len(body)) + b"JSON" + body + rest

    keys = document["animations"][0]["samplers"][0]["output"]
    view = document["accessors"][keys]["bufferView"]

    def sets(*way_and_value):
        *way, value = way_and_value

        def change(place):
            for step in way[:-1]:
                place = place[step]
            place[way[-1]] = value
        return change
    changes = [("count huge", sets("accessors", keys, "count", 2**31), "no"), ("count 0", sets("accessors", keys, "count", 0), "either"), ("count negative", sets("accessors", keys, "count", -1), "no"), ("view far", sets("accessors", keys, "bufferView", 999), "no"), ("offset far", sets("bufferViews", view, "byteOffset", 2**40), "no"), ("length far", sets("bufferViews", view, "byteLength", 2**40), "no"),
               ("type wrong", sets("accessors", keys, "type", "MAT7"), "no"), ("component wrong", sets("accessors", keys, "componentType", 1), "no"), ("cycle", sets("nodes", 0, "children", [0]), "no"), ("child far", sets("nodes", 0, "children", [9999]), "no"), ("no animations", sets("animations", []), "either"), ("sampler far", sets("animations", 0, "channels", 0, "sampler", 999), "no"),
               ("target far", sets("animations", 0, "channels", 0, "target", "node", 999), "either"), ("path unknown", sets("animations", 0, "channels", 0, "target", "path", "colour"), "either"), ("interpolation unknown", sets("animations", 0, "samplers", 0, "interpolation", "MAGIC"), "no"), ("keys as values", sets("animations", 0, "samplers", 0, "input", 1), "either"),
               ("scale 0", sets("nodes", 0, "scale", [0, 0, 0]), "either"), ("rotation 0", sets("nodes", 0, "rotation", [0, 0, 0, 0]), "either"), ("translation 1e30", sets("nodes", 0, "translation", [1e30, 0, 0]), "either"), ("names alike", lambda d: [node.update(name="a") for node in d["nodes"]], "either"), ("no nodes", sets("nodes", []), "no"), ("extension needed", sets("extensionsRequired", ["XYZ_new"]), "no"), ("version 9", sets("asset", {"version": "9.0"}), "no")]
    for name, change, expected in changes:
        for command in (["import", "new.afoot", "F"], ["convert", "walk.bvh", "--onto", "F", "-o", "out.glb"]):
            out.append((f"glTF {name}", command, "f.glb", packed(change), expected if command[0] == "import" else "either"))
    steering = ["", ":", "0", "0:", "x:3", "0:nan", "-1:0", "0:1e300", "0:0:flight", "1e300:0", "5:0", "0:0:", "0:361"]
    out += [(f"steer {steer!r}", ["drive", "lib.afoot", "--steer=" + steer, "--seconds", "1", "-o", "out.bvh"], None, None, "either") for steer in steering]
    numbers = [("--seconds", value) for value in ("-1", "0", "nan", "inf", "1e-9", "1e300", "word")]
    out += [(f"wander {option} {value}", ["wander", "lib.afoot", f"{option}={value}", "-o", "out.bvh"], None, None, "either" if value == "1e-9" else "no") for option, value in numbers]
    out += [(f"threshold {value}", ["graph", "lib.afoot", f"--threshold={value}"], None, None, "no") for value in ("-1", "0", "nan", "inf", "word", "1e300")]
    out += [(f"trim {value}", ["edit", "walk.bvh", f"--trim={value}", "-o", "out.bvh"], None, None, "no") for value in ("5..1", "1..1", "nan..2", "-3..-1", "90..99", "a..b", "1")]
    out += [(f"cycles {value}", ["loop", "lib.afoot", "walk", f"--cycles={value}", "-o", "out.bvh"], None, None, "no") for value in ("0", "-1", "nan", "word")]
    return out + requests() + numbers_of_options() + files_of_no_end() + scripts() + own_files()


def numbers_of_options():
    """Every option that takes a number, with numbers that nobody can mean: each is refused, by name, before any work."""
    out = []
    commands = [
        (["import", "new.afoot", "walk.bvh"], ["--fps", "--source-fps"]), (["export", "lib.afoot", "walk", "-o", "out.bvh"], ["--fps"]), (["convert", "walk.bvh", "-o", "out.bvh"], ["--fps", "--source-fps"]),
        (["judge", "walk.bvh"], ["--source-fps"]), (["clean", "walk.bvh", "-o", "out.bvh"], ["--source-fps", "--lengthen"]), (["list", "lib.afoot", "--type", "walk"], ["--min-share"]),
        (["label", "lib.afoot", "walk", "x"], ["--from", "--to"]), (["mark", "lib.afoot", "walk", "--exclude"], ["--from", "--to"]), (["graph", "lib.afoot"], ["--threshold", "--window"]), (["graph", "lib.afoot", "--auto"], ["--wanted-share"]),
        (["matrix", "lib.afoot", "walk", "walk", "-o", "m.png"], ["--threshold", "--window"]), (["clusters", "lib.afoot"], ["--error", "--tau"]), (["transitions", "lib.afoot", "walk", "walk_turn_left"], ["--near", "--into", "--count", "--error", "--tau"]),
        (["loops", "lib.afoot", "walk"], ["--count", "--error", "--tau"]), (["loop", "lib.afoot", "walk", "-o", "out.bvh"], ["--cycles", "--seconds", "--metres", "--blend", "--error", "--tau"]), (["join", "lib.afoot", "walk", "walk_turn_left", "-o", "out.bvh"], ["--blend", "--error", "--tau"]),
        (["like", "lib.afoot", "walk"], ["--error", "--tau"]), (["wander", "lib.afoot", "-o", "out.bvh"], ["--seconds"]), (["drive", "lib.afoot", "--steer", "0:0", "-o", "out.bvh"], ["--seconds"]),
        (["follow", "lib.afoot", "--path", "F", "-o", "out.bvh"], ["--speed"]), (["reach", "lib.afoot", "walk", "--at", "1,2", "-o", "out.bvh"], ["--heading", "--tolerance"]), (["edit", "walk.bvh", "--seam", "1", "-o", "out.bvh"], ["--ease"]),
        (["stride", "lib.afoot", "walk", "-o", "out.bvh"], ["--stride", "--lift", "--incline", "--metres", "--radius"]), (["survey", "lib.afoot", "--world", "W", "-o", "out"], ["--cell", "--yaw", "--memory", "--samples"]),
        (["crowd", "lib.afoot", "--world", "W", "--count", "2", "-o", "out"], ["--seconds"]), (["crowd", "lib.afoot", "--world", "W", "--seconds", "1", "-o", "out"], ["--count"]),
        (["perform", "lib.afoot", "--score", "F", "-o", "out.bvh"], ["--seconds-budget", "--iterations"]), (["learn", "lib.afoot"], ["--least-seconds", "--review"])]
    path, world = '{"points": [[0, 0], [0, 3]]}', '{"bounds": [[0, 0], [4, 4]]}'
    for words, options in commands:
        for option in options:
            for value in ("nan", "-inf", "1e300", "-1e300", "99999999999999999999"):
                name = f"{words[0]} {option}={value}"
                out.append((name, [word if word != "W" else "F" for word in words] + [f"{option}={value}"], "f.json", world if "W" in words else path, "no"))
    return out


def files_of_no_end():
    """Pipes that nobody writes to, and devices; `PIPE` and `ZERO` in a command are theirs."""
    commands = [["import", "new.afoot", "PIPE.bvh"], ["import", "new.afoot", "ZERO.glb"], ["convert", "PIPE.fbx", "-o", "out.bvh"], ["convert", "ZERO.bvh", "-o", "out.glb"], ["judge", "PIPE.amc"], ["judge", "walk.bvh", "--path", "PIPE.json"],
                ["judge", "walk.bvh", "--world", "ZERO.json"], ["judge", "walk.bvh", "--library", "PIPE.afoot"], ["clean", "PIPE.bvh", "-o", "out.bvh"], ["edit", "ZERO.bvh", "--turn", "9", "-o", "out.bvh"], ["edit", "walk.bvh", "--along", "PIPE.json", "-o", "out.bvh"],
                ["follow", "lib.afoot", "--path", "PIPE.svg", "-o", "out.bvh"], ["follow", "lib.afoot", "--path", "ZERO.json", "-o", "out.bvh"], ["crowd", "lib.afoot", "--world", "PIPE.json", "--count", "1", "--seconds", "1", "-o", "out"],
                ["perform", "lib.afoot", "--score", "PIPE.json", "-o", "out.bvh"], ["plan", "lib.afoot", "--task", "PIPE.json", "-o", "out.bvh"], ["survey", "lib.afoot", "--world", "ZERO.json", "-o", "out"], ["labels", "import", "lib.afoot", "PIPE.json"],
                ["convert", "walk.bvh", "-o", "out.glb", "--map", "PIPE.json"], ["convert", "walk.bvh", "-o", "out.glb", "--onto", "PIPE.glb"], ["clusters", "lib.afoot", "--weights", "ZERO.json"], ["stride", "lib.afoot", "walk", "--terrain", "PIPE.json", "-o", "out.bvh"],
                ["tiles", "run", "lib.afoot", "--plan", "PIPE.json", "-o", "pieces"], ["check", "PIPE.play"], ["play", "PIPE.play", "-o", "out"], ["fmt", "PIPE.play"], ["list", "PIPE.afoot"], ["show", "ZERO.afoot"], ["retarget", "lib.afoot", "PIPE.bvh"]]
    return [(f"no end: {' '.join(words)}", words, None, None, "no") for words in commands]


def scripts():
    """Stories whose definitions come to more than anybody can look at, and other riddles."""
    out = []
    actor = 'actor "A"\n{\n    library "lib.afoot"\n    actions [ action "all" { d27(walk) } ]\n}\n'
    for uses in (2, 3, 4, 8):
        line = "define d{n}(x) {{ concatenate {{ " + "d{m}(x) " * uses + "}} }}\n"
        lines = "".join(line.format(n=n, m=n - 1) for n in range(1, 28))
        text = "define d0(x) { subclip { x startframe 1 endframe 3 } }\n" + lines + actor
        out.append((f"definitions {uses} times a line", ["check", "F"], "f.play", text, "no"))
    for name, text in (("nothing", ""), ("one brace", "{"), ("a million braces", "{" * 1000000), ("a name of a megabyte", "x" * 1000000), ("zeros", "\0" * 1000), ("quotes", '"' * 9999), ("a define of itself", "define d27(x) { d27(x) }\n" + actor)):
        out += [(f"story: {name}", [command, "F"], "f.play", text, "either") for command in ("check", "fmt")]
    return out


def requests():
    """The same of scores, tasks, worlds to survey, and of what is asked of limbs, strides, likeness and learning."""
    out = []
    perform = ["perform", "lib.afoot", "--score", "F", "-o", "out.bvh", "--seconds-budget", "1"]
    paint = {"label": "walk", "from": 0, "to": 2, "want": True}
    scores = [({}, "either"), ([], "no"), ("walk", "no"), (None, "no"), ({"seconds": 0}, "no"), ({"seconds": -3}, "no"), ({"seconds": "ten"}, "no"), ({"seconds": 1e300}, "no"), ({"seconds": 1e-9}, "either"),
              ({"seconds": 2, "paint": paint}, "no"), ({"seconds": 2, "paints": [paint]}, "no"), ({"seconds": 2, "smoothness": -1}, "either"), ({"seconds": 2, "smoothness": 1e300}, "either"), ({"seconds": 2, "smoothness": "high"}, "no")]
    scores += [({"seconds": 2, "paint": [{**paint, **change}]}, expected) for change, expected in (({}, "yes"), ({"label": "flight"}, "no"), ({"label": ""}, "no"), ({"label": 3}, "no"), ({"from": 2, "to": 1}, "no"), ({"from": -5}, "no"), ({"to": 1e12}, "either"), ({"to": "end"}, "no"), ({"want": "yes"}, "no"), ({"colour": "red"}, "no"), ({"label": "x" * 5000}, "no"), ({"from": 1, "to": 1}, "either"))]
    scores += [({"seconds": 2, "poses": [pose]}, expected) for pose, expected in (({"at": 1, "clip": "walk", "time": 0.5}, "either"), ({"at": 9, "clip": "walk", "time": 0.5}, "no"), ({"at": -1, "clip": "walk", "time": 0.5}, "no"), ({"at": 1, "clip": "wlak", "time": 0.5}, "no"), ({"at": 1, "clip": "walk", "time": 999}, "no"), ({"at": 1}, "no"), ({"at": 1, "clip": "walk", "time": -1}, "no"), ({}, "no"))]
    scores += [({"seconds": 2, "places": [place]}, expected) for place, expected in (({"at": 2, "x": 1e9, "z": 0}, "no"), ({"at": 5, "x": 1, "z": 0}, "no"), ({"at": 2, "x": "far", "z": 0}, "no"), ({"at": 2, "x": 1, "z": 1, "yaw": 1e9}, "either"), ({"at": 2}, "no"), ({"x": 1, "z": 1}, "no"))]
    scores += [({"seconds": 2, "start": start}, expected) for start, expected in (({"x": 1e12}, "either"), ([0, 0], "either"), ({"y": 3}, "no"), ({"yaw": 720}, "either"))]
    scores += [({"seconds": 2, "paint": [dict(paint, want=True), dict(paint, want=False)]}, "either"), ({"seconds": 2, "paint": [paint] * 2000}, "either")]
    out += [(f"score {str(score)[:60]}", perform, "f.json", json.dumps(score), expected) for score, expected in scores]
    out += [(f"score {text!r}", perform, "f.json", text, "no") for text in ("", "{", '{"seconds": NaN}', '{"seconds": 2, "seconds": 3}', "\x00", "[" * 3000)]

    plan = ["plan", "lib.afoot", "--task", "F", "-o", "out.bvh", "--expansions", "2000"]
    goal = {"x": 0.5, "z": 1.5}
    tasks = [({}, "no"), ([], "no"), (3, "no"), ({"goal": {}}, "no"), ({"goal": {"x": "near", "z": 1}}, "no"), ({"goal": {"x": 1e9, "z": 0}}, "no"), ({"goal": {**goal, "tolerance": 0}}, "no"), ({"goal": {**goal, "tolerance": -1}}, "no"),
             ({"goal": goal, "start": {"x": 1e9}}, "no"), ({"goal": goal, "start": 4}, "no"), ({"goal": goal, "corridor": 0, "sketch": [[0, 0], [0, 2]]}, "no"), ({"goal": goal, "sketch": []}, "either"), ({"goal": goal, "sketch": [[0, 0]]}, "either"), ({"goal": goal, "sketch": [[0]]}, "no"),
             ({"goal": goal, "epsilon": 0.5}, "no"), ({"goal": goal, "epsilon": 1e300}, "either"), ({"goal": goal, "seconds": -1}, "no"), ({"goal": goal, "seconds": 0}, "no"), ({"goal": goal, "tolerance": 0}, "no"), ({"goal": goal, "world": "nowhere.json"}, "no"), ({"goal": goal, "world": "/etc/passwd"}, "no"), ({"goal": goal, "world": 3}, "no"), ({"goal": goal, "whither": 1}, "no")]
    tasks += [({"goal": goal, "constraints": [constraint]}, "no") for constraint in ({}, {"kind": "fly", "at": [0, 1, 1]}, {"kind": "pick"}, {"kind": "pick", "at": [0, 1]}, {"kind": "pick", "at": [0, 900, 1]}, {"kind": "pick", "at": [1e9, 1, 0]}, {"kind": "sit", "at": [0, 1], "height": -1}, {"kind": "sit", "at": [0, 1]}, {"kind": "jump", "from": [0, 1], "to": [0, 1]},
              {"kind": "jump", "from": [0, 1]}, {"kind": "duck", "under": [[0, 1]], "height": 1}, {"kind": "duck", "under": [[0, 1], [1, 1]], "height": 0}, {"kind": "step_on", "polygon": [[0, 1]], "height": 0.2}, {"kind": "step_on", "polygon": [[0, 1], [1, 1], [1, 2]], "height": "low"})]
    tasks += [({"goal": goal, "constraints": "pick"}, "no"), ({"goal": goal, "constraints": [{"kind": "pick", "at": [0.2, 0.9, 1]}] * 500}, "either")]
    out += [(f"task {str(task)[:60]}", plan, "f.json", json.dumps(task), expected) for task, expected in tasks]
    out += [(f"task {text!r}", plan, "f.json", text, "no") for text in ("", "nul", '{"goal": ', "\ufeff")]

    box = {"bounds": [[0, 0], [3, 3]]}
    square = [[1, 1], [2, 1], [2, 2], [1, 2]]
    worlds = [({}, "no"), ([], "no"), ({"bounds": [[3, 3], [0, 0]]}, "no"), ({**box, "radius": 0}, "no"), ({**box, "radius": 9}, "no"), ({**box, "obstacles": [{"circle": [1, 1, -1]}]}, "no"), ({**box, "obstacles": [{"polygon": [[0, 0], [2, 2], [2, 0], [0, 2]]}]}, "no"), ({**box, "obstacles": [{"polygon": [[-9, -9], [9, -9], [9, 9], [-9, 9]]}]}, "no"),
              ({**box, "rivers": [{"polygon": [[0, 0]]}]}, "no"), ({**box, "bars": [{"from": [0, 1], "to": [0, 1], "height": 1}]}, "no"), ({**box, "bars": [{"from": [0, 1], "to": [3, 1], "height": -1}]}, "no"), ({**box, "beams": [{"from": [0, 1], "to": [3, 1], "width": 0}]}, "no"), ({**box, "heights": [{"polygon": square, "height": "high"}]}, "no"),
              ({**box, "regions": [{"polygon": square}]}, "either"), ({**box, "walls": []}, "no"), ({"bounds": [[0, 0], [1e5, 1e5]]}, "no"), ({**box, "goals": [[1, 1], "here"]}, "no")]
    for name, command in (("survey", ["survey", "lib.afoot", "--world", "F", "-o", "out", "--samples", "5", "--no-suggestions", "--step", "0.5"]), ("judge", ["judge", "walk.bvh", "--world", "F"]), ("follow", ["follow", "lib.afoot", "--world", "F", "--from", "0.5,0.5", "--to", "2.5,2.5", "-o", "out.bvh"])):
        out += [(f"{name} in {str(world)[:50]}", command, "f.json", json.dumps(world), "no" if expected == "no" and world not in ({"bounds": [[0, 0], [1e5, 1e5]]}, worlds[7][0]) else "either") for world, expected in worlds]

    parts = ["walk[", "walk[]", "walk[1..", "walk[5..2]", "walk[2s..1s]", "walk[-1..3]", "walk[0..999999]", "walk[nan..2]", "walk[0s..0s]", "wlak", "", "[0..5]", "walk[1..2]extra"]
    out += [(f"like {part!r}", ["like", "lib.afoot", "--", part], None, None, "no") for part in parts]
    out += [(f"stride {part!r}", ["stride", "lib.afoot", "-o", "out.bvh", "--stride", "1.1", "--", part], None, None, "no") for part in parts]
    out += [(f"like {options}", ["like", "lib.afoot", "walk", *options], None, None, "no") for options in (["--error=-1"], ["--error=nan"], ["--steps=-1"], ["--chain=tail"], ["--error=word"])]
    strides = ["--stride=0", "--stride=-1", "--stride=nan", "--stride=99", "--lift=-1", "--lift=1e9", "--lift=nan", "--incline=90", "--incline=nan", "--incline=-400", "--metres=0", "--metres=-2", "--metres=1e12", "--stairs=0.2", "--stairs=9,0.1", "--stairs=0.17,0", "--stairs=a,b", "--obstacle=1", "--obstacle=1,-1,1", "--obstacle=nan,1,1", "--to-stand=-1"]
    out += [(f"stride {option}", ["stride", "lib.afoot", "walk", option, "-o", "out.bvh"], None, None, "no") for option in strides]
    grafts = [["walk"], ["walk", "nobody", "--chains", "arms"], ["walk", "walk_turn_left", "--chains", "tail"], ["walk", "walk_turn_left", "--chains", ""], ["walk", "walk_turn_left[9s..1s]", "--chains", "arms"], ["--all", "--least-score=nan"], ["--all", "--accept", "nobody+walk"], ["walk", "walk_turn_left", "--chains", "arms", "--with", "walk"], ["walk", "walk_turn_left", "--chains", "arms", "--with", "walk:tail"]]
    out += [(f"graft {words}", ["graft", "lib.afoot", *words, *([] if "--all" in words else ["-o", "out.bvh"])], None, None, "no") for words in grafts]
    teaching = [["learn", "lib.afoot"], ["learn", "lib.afoot", "--label", "nothing"], ["learn", "lib.afoot", "--review=-1"], ["labels", "verify", "lib.afoot", "nobody"], ["labels", "confirm", "lib.afoot", "walk", "--label", "nothing"], ["mark", "lib.afoot", "walk", "--bias=nan"], ["mark", "lib.afoot", "walk", "--exclude", "--from=3", "--to=1"], ["mark", "lib.afoot", "nobody", "--exclude"], ["mark", "lib.afoot", "walk", "--exclude", "--from=999"]]
    out += [(" ".join(words), words, None, None, "no") for words in teaching]
    return out


def own_files():
    """The JSON files that came later, sections of paths, and every command that reads one with text that is none."""
    out = []
    stride = ["stride", "lib.afoot", "walk", "-o", "out.bvh"]
    row = [0, 0.1, 0.2]
    terrains = [({}, "no"), ([], "no"), (None, "no"), ({"cell": 1}, "no"), ({"heights": [row]}, "no"), ({"cell": 1, "heights": []}, "no"), ({"cell": 1, "heights": [[]]}, "no"), ({"cell": 1, "heights": [row, [0]]}, "no"), ({"cell": 1, "heights": row}, "no"), ({"cell": 0, "heights": [row]}, "no"), ({"cell": -1, "heights": [row]}, "no"),
                ({"cell": 1e9, "heights": [row]}, "no"), ({"cell": "1", "heights": [row]}, "no"), ({"cell": 1, "heights": [[1e9]]}, "no"), ({"cell": 1, "heights": [[None]]}, "no"), ({"cell": 1, "heights": [["a"]]}, "no"), ({"cell": 1, "heights": [row], "origin": [0]}, "no"), ({"cell": 1, "heights": [row], "origin": [1e9, 0]}, "no"), ({"cell": 1, "heights": [row], "size": 3}, "no"),
                ({"cell": 0.5, "heights": [[0, 0, 0]] * 3}, "yes"), ({"cell": 0.001, "heights": [[0, 50] * 300] * 300}, "either"), ({"cell": 1, "heights": [[5000]]}, "either"), ({"cell": 1, "heights": [[0, 9000], [9000, 0]]}, "either")]
    out += [(f"terrain {str(terrain)[:50]}", stride + ["--terrain", "F"], "f.json", json.dumps(terrain), expected) for terrain, expected in terrains]
    foot = {"foot": "left", "x": 0, "z": 1, "heading": 0}
    prints = [[], {}, None, [foot], [foot] * 500, [{}], [{"foot": "up"}], [{"foot": 1}], [{**foot, "x": 1e9}], [{**foot, "x": None}], [{**foot, "heading": "north"}], [{**foot, "heading": 1e9}], [{**foot, "y": 1}], [[0, 1]], ["left"], "left"]
    out += [(f"footprints {str(places)[:50]}", stride + ["--footprints", "F"], "f.json", json.dumps(places), "no") for places in prints]
    weights = [([], "no"), ({"root": 1}, "no"), ({"root": [1, 1]}, "no"), ({"root": [1, 1, 1, 1]}, "no"), ({"root": [-1, 1, 1]}, "no"), ({"root": [1e30, 1, 1]}, "no"), ({"root": [None, 1, 1]}, "no"), ({"tail": [1, 1, 1]}, "no"), ({"root": ["1", 1, 1]}, "no"), ({name: [0, 0, 0] for name in ("root", "left_leg", "right_leg", "torso", "head", "left_arm", "right_arm")}, "no"), ({}, "yes"), ({"root": [1, 1, 0.25]}, "yes")]
    for command in (["clusters", "lib.afoot"], ["like", "lib.afoot", "walk"], ["loops", "lib.afoot", "walk"]):
        out += [(f"{command[0]} weights {str(weight)[:40]}", command + ["--weights", "F"], "f.json", json.dumps(weight), "either" if expected == "yes" and command[0] != "clusters" else expected) for weight, expected in weights]
    line = {"points": [[0, 0], [0, 4]]}
    sections = [([], "yes"), (None, "either"), ({}, "no"), ([[]], "no"), ([{}], "yes"), ([{"as": []}], "yes"), ([{"as": ["walk"]}], "yes"), ([{"as": ["walk", "walk"]}], "yes"), ([{"as": ["walk"], "to": 2}], "either"), ([{"as": ["walk"], "to": 0}], "no"), ([{"as": ["walk"], "to": 1e9}], "either"), ([{"as": ["walk"], "to": None}], "yes"),
                ([{"as": ["walk"]}, {"as": ["walk"]}], "no"), ([{"as": ["walk"], "to": 2}, {"as": ["walk"], "to": 2}], "no"), ([{"as": ["run"]}], "no"), ([{"as": [""]}], "no"), ([{"as": [None]}], "no"), ([{"as": ["w" * 5000]}], "no"), ([{"to": n / 100, "as": ["walk"]} for n in range(1, 399)], "either"), ([{"as": ["walk"], "to": "2"}], "no"), ([{"as": ["walk"], "from": 0}], "no")]
    out += [(f"sections {str(section)[:50]}", ["follow", "lib.afoot", "--path", "F", "-o", "out.bvh"], "f.json", json.dumps({**line, "sections": section}), expected) for section, expected in sections]
    out += [(f"judged sections {str(section)[:50]}", ["judge", "walk.bvh", "--path", "F"], "f.json", json.dumps({**line, "sections": section}), "no" if expected == "no" and section not in ([{"as": [word]}] for word in ("run", "", "w" * 5000)) else "either") for section, expected in sections]
    readers = [["follow", "lib.afoot", "--path", "F", "-o", "out.bvh"], ["judge", "walk.bvh", "--path", "F"], ["judge", "walk.bvh", "--library", "lib.afoot", "--score", "F"], ["judge", "walk.bvh", "--world", "F"], ["edit", "walk.bvh", "--along", "F", "-o", "out.bvh"], ["crowd", "lib.afoot", "--world", "F", "--count", "1", "--seconds", "1", "-o", "out"],
               ["perform", "lib.afoot", "--score", "F", "-o", "out.bvh"], ["plan", "lib.afoot", "--task", "F", "-o", "out.bvh"], ["survey", "lib.afoot", "--world", "F", "-o", "out"], ["labels", "import", "lib.afoot", "F"], ["import", "new.afoot", "walk.bvh", "--map", "F"], ["convert", "walk.bvh", "--map", "F", "-o", "out.glb"], ["clusters", "lib.afoot", "--weights", "F"], [*stride, "--terrain", "F"], [*stride, "--footprints", "F"],
               ["tiles", "run", "lib.afoot", "--plan", "F", "-o", "pieces"]]
    texts = ["", " ", "{", "nul", "\x00\x00", '"text"', "1e999", '{"a": 1', "[" * 100000, '{"a":' * 100000, "{'points': []}", '{"points": [[0,0],[0,1]]} x', "\ufeff{}", "<svg/>"]
    for number, reader in enumerate(readers):
        out += [(f"{reader[0]} {text[:12]!r}", reader, "f.json", text, "no") for text in texts[number % 2 :: 2]]
    stories = ['actor "A" { library "F" }', 'actor "A" { library "/etc/passwd" }', 'actor "A" { library "." }', 'actor "A" { library "missing.afoot" }', 'actor { }', 'play { "A" }', 'actor "A" { library "lib.afoot" actions [ action "a" { walk[9s..1s] } ] }', 'actor "A" { library "lib.afoot" actions [ action "a" { nobody } ] }']
    for command in (["check", "F"], ["play", "F", "-o", "out"], ["fmt", "F"]):
        out += [(f"{command[0]} {story[:40]!r}", command, "f.play", story, "either" if command[0] == "fmt" or (command[0], number < 4) == ("check", True) else "no") for number, story in enumerate(stories)]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("afoot")
    parser.add_argument("motion", type=Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    afoot = os.path.abspath(options.afoot)
    folder = Path(tempfile.mkdtemp(prefix="afoot-shapes-"))
    sound = folder / "sound"
    sound.mkdir()
    files = [options.motion.resolve() / f"{name}.bvh" for name in ("walk", "walk_turn_left", "walk_circle_left")]
    shutil.copy(files[0], sound / "walk.bvh")
    for words in (["convert", "walk.bvh", "-o", "walk.glb"], ["import", "lib.afoot", *files], ["graph", "lib.afoot", "--threshold", "6"]):
        subprocess.run([afoot, *words], cwd=sound, check=True, capture_output=True)
    cases = shapes((sound / "walk.bvh").read_text(), (sound / "walk.glb").read_bytes())
    wrong, tally = 0, {}
    for name, command, file, contents, expected in cases:
        place = folder / "case"
        shutil.copytree(sound, place)
        if file:
            (place / file).write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        words = [endless(place, file if word == "F" else word) for word in command]
        try:
            done = subprocess.run([afoot, *words], cwd=place, capture_output=True, text=True, errors="replace", timeout=100,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (6, 6)))
            problem = judged(done, expected)
            tally[done.returncode] = tally.get(done.returncode, 0) + 1
        except subprocess.TimeoutExpired:
            problem = "no answer"
        if not problem and any(path.suffix == ".afoot" for path in place.iterdir()):
            for library in place.glob("*.afoot"):
                if library.is_file() and subprocess.run([afoot, "check", library], capture_output=True).returncode:
                    problem = "left a library that is not whole"
        if problem or options.verbose:
            wrong += bool(problem)
            said = (done.stderr.strip().split("\n") or [""])[-1][:200]
            print(f"{name}: {' '.join(words)}: {problem or 'as expected'} [{done.returncode}] {said}")
        shutil.rmtree(place)
    shutil.rmtree(folder)
    print(f"{len(cases)} shapes: status {dict(sorted(tally.items()))}, {wrong} wrong")
    sys.exit(bool(wrong))


def endless(place, word):
    """Makes the pipe or device that a word names; gives its name."""
    if word.startswith("PIPE."):
        os.mkfifo(place / word)
    elif word.startswith("ZERO."):
        os.symlink("/dev/zero", place / word)
    return word


def judged(done, expected):
    """What is wrong with an answer."""
    if done.returncode < 0 or done.returncode > 3 or "panicked" in done.stderr:
        return "panic or signal"
    if done.returncode and not done.stderr.strip():
        return "failed without a word"
    if expected == "no" and done.returncode == 0:
        return "taken"
    return "refused" if expected == "yes" and done.returncode else None


main()
