#!/usr/bin/env python3
"""Checks a planned motion against its task, with a reader and kinematics of its own.

    afoot plan lib.afoot --task fetch.json -o fetch.bvh --json > fetch.report.json
    python3 scripts/check_plan.py fetch.json fetch.bvh fetch.report.json

For every pick the middle of either palm is held against the place at the time that the report names, for every seat the
hips, for the goal the root. Status 1 where one is farther off than the task's tolerance. Metres; the file in centimetres.
"""

import json
import math
import sys

import numpy as np


def read_bvh(path):
    """Joints as (name, parent, offset, channels), end sites among them without channels; frames as rows."""
    tokens = open(path, encoding="utf-8").read().split()
    joints, stack, at = [], [], 1
    while tokens[at] != "MOTION":
        word = tokens[at]
        if word in ("ROOT", "JOINT", "End"):
            joints.append([tokens[at + 1], stack[-1] if stack else None, None, []])
            at += 2
        elif word == "{":
            stack.append(len(joints) - 1)
            at += 1
        elif word == "}":
            stack.pop()
            at += 1
        elif word == "OFFSET":
            joints[stack[-1]][2] = np.array([float(v) for v in tokens[at + 1 : at + 4]]) / 100
            at += 4
        elif word == "CHANNELS":
            count = int(tokens[at + 1])
            joints[stack[-1]][3] = tokens[at + 2 : at + 2 + count]
            at += 2 + count
        else:
            sys.exit(f"{path}: unexpected {word!r}")
    count, step = int(tokens[at + 2]), float(tokens[at + 5])
    values = np.array([float(v) for v in tokens[at + 6 :]])
    return joints, values.reshape(count, -1), step


def rotation(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if axis == "X":
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    if axis == "Y":
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def places(joints, row):
    """Where every joint and end site is."""
    turns, points, at = [], [], 0
    for name, parent, offset, channels in joints:
        turn, shift = np.eye(3), offset.copy()
        for channel in channels:
            value = row[at]
            at += 1
            if channel.endswith("position"):
                shift["XYZ".index(channel[0])] = value / 100
            else:
                turn = turn @ rotation(channel[0], value)
        if parent is None:
            points.append(shift)
            turns.append(turn)
        else:
            points.append(points[parent] + turns[parent] @ offset if not any(c.endswith("position") for c in channels)
                          else points[parent] + turns[parent] @ shift)
            turns.append(turns[parent] @ turn)
    return points


def palms(joints, points):
    found = []
    for index, (name, *_rest) in enumerate(joints):
        if name in ("LeftHand", "RightHand"):
            below = [i for i, joint in enumerate(joints) if joint[1] == index]
            tip = points[below[-1]] if below else points[index]
            found.append((points[index] + tip) / 2)
    return found


def hips(joints, points):
    both = [points[i] for i, joint in enumerate(joints) if joint[0] in ("LeftUpLeg", "RightUpLeg")]
    return sum(both) / len(both) - np.array([0, 0.09, 0])


def main():
    task = json.load(open(sys.argv[1], encoding="utf-8"))
    joints, rows, step = read_bvh(sys.argv[2])
    report = json.load(open(sys.argv[3], encoding="utf-8"))
    tolerance = task.get("tolerance", 0.05)
    wanted = task.get("constraints", []) + ([{"kind": "goal", **task["goal"]}] if "goal" in task else [])
    bad = False
    for constraint, told in zip(wanted, report["constraints"]):
        frame = min(round(told["at"] / step), len(rows) - 1)
        points = places(joints, rows[frame])
        if constraint["kind"] == "pick":
            error = min(np.linalg.norm(palm - np.array(constraint["at"])) for palm in palms(joints, points))
        elif constraint["kind"] == "sit":
            x, z = constraint["at"]
            error = np.linalg.norm(hips(joints, points) - np.array([x, constraint["height"], z]))
        elif constraint["kind"] == "goal":
            error = math.hypot(points[0][0] - constraint["x"], points[0][2] - constraint["z"])
        else:
            continue
        limit = constraint.get("tolerance", 0.1) if constraint["kind"] == "goal" else tolerance
        bad |= error > limit
        print(f"{constraint['kind']} at {told['at']:.2f} s: {100 * error:.1f} cm off here, "
              f"{100 * told['error_m']:.1f} cm as told, {100 * limit:.1f} cm allowed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
