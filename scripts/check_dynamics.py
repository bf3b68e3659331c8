#!/usr/bin/env python3
"""Holds our inverse dynamics against Pinocchio's on random motions of the same body.

    cargo run -q --release -p afoot-physics --example dynamics > dynamics.json
    python3 scripts/check_dynamics.py dynamics.json

Needs `pip install pin` (in an environment of its own). The body is built anew in Pinocchio from masses, centres and
inertias; velocities of the root are chosen at random, since our side takes accelerations in the world alone.
Joint torques are compared by the norm over all joints, the root's wrench apart. Status 1 above 1e-4.
"""

import json
import random
import sys

import numpy as np
import pinocchio as pin


def build(joints):
    model = pin.Model()
    ids = []
    for index, joint in enumerate(joints):
        parent = 0 if joint["parent"] is None else ids[joint["parent"]]
        kind = pin.JointModelFreeFlyer() if joint["parent"] is None else pin.JointModelSpherical()
        offset = np.zeros(3) if joint["parent"] is None else np.array(joint["offset"])
        ids.append(model.addJoint(parent, kind, pin.SE3(np.eye(3), offset), f"joint{index}"))
        inertia = pin.Inertia(joint["mass"], np.array(joint["centre"]), np.array(joint["inertia"]))
        model.appendBodyToJoint(ids[-1], inertia, pin.SE3.Identity())
    model.gravity = pin.Motion(np.array([0.0, -9.81, 0.0]), np.zeros(3))
    return model


def torques(model, data, case, dice):
    turn = pin.Quaternion(np.array(case["rotations"][0])).toRotationMatrix()
    # The root's velocity does not change what is asked for, only how its acceleration is written.
    velocity = np.array([dice.uniform(-3, 3) for _ in range(3)])
    spin, change = np.array(case["rates"][0]), np.array(case["accelerations"][0])
    acceleration = turn.T @ np.array(case["root_acceleration"]) - np.cross(spin, velocity)
    q, v, a = [np.array(case["root"]), case["rotations"][0]], [velocity, spin], [acceleration, change]
    for joint in range(1, len(case["rotations"])):
        q.append(case["rotations"][joint])
        v.append(case["rates"][joint])
        a.append(case["accelerations"][joint])
    tau = pin.rnea(model, data, np.concatenate(q), np.concatenate(v), np.concatenate(a))
    return tau[6:].reshape(-1, 3), turn @ tau[:3], turn @ tau[3:6]


def main():
    told = json.load(open(sys.argv[1], encoding="utf-8"))
    model = build(told["joints"])
    data = model.createData()
    dice = random.Random(1)
    worst, worst_root = 0.0, 0.0
    for case in told["cases"]:
        joints, force, moment = torques(model, data, case, dice)
        ours = np.array(case["torques"])[1:]
        worst = max(worst, np.linalg.norm(ours - joints) / np.linalg.norm(joints))
        root = np.concatenate([force, moment])
        own = np.concatenate([case["root_force"], case["root_torque"]])
        worst_root = max(worst_root, np.linalg.norm(own - root) / np.linalg.norm(root))
    print(f"{len(told['cases'])} motions: joints {worst:.2e} of the norm, root {worst_root:.2e}")
    sys.exit(1 if max(worst, worst_root) > 1e-4 else 0)


if __name__ == "__main__":
    main()
