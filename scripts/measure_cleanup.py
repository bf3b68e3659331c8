#!/usr/bin/env python3
"""What a cleanup did to legs and hips, over many clips: the table of docs/cleanup.md.

  measure_cleanup.py LEGCHECK.py CAPTURED_DIR CLEANED_DIR [CLIP...]

CLEANED_DIR holds files of the same names as CAPTURED_DIR; without CLIPs all of them are compared.
LEGCHECK.py is the independent check of a captured and a cleaned file. Needs numpy.
"""
import importlib.util
import os
import sys
import warnings

import numpy as np

# Measure, bar (negative: at least).
BARS = [
    ("hip_mean_cm", 1.0), ("hip_p95_cm", 2.2), ("knee_mean_deg", 2.5), ("knee_p95_deg", 7.0),
    ("straight_kept", -0.8), ("knee_acc", 1.25), ("ankle_acc", 1.25), ("root_acc", 1.3),
    ("slide_mean_mm", 8.0), ("slide_p95_mm", 8.0), ("sink_cm", 1.0),
]


def load_module(path):
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("legcheck", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    check = load_module(sys.argv[1])
    captured, cleaned = sys.argv[2:4]
    names = sys.argv[4:] or sorted(f[:-4] for f in os.listdir(cleaned) if f.endswith(".bvh"))
    tool = check.load_tool()
    warnings.filterwarnings("ignore")
    found = []
    for name in names:
        before, step = check.load(tool, os.path.join(captured, name + ".bvh"))
        after, other = check.load(tool, os.path.join(cleaned, name + ".bvh"))
        found.append(check.measure(before, step, after, other))
    print(f"{len(found)} clips\n\n| measure | bar | median | 90th percentile | clips that meet it |\n|---|---|---|---|---|")
    for key, bar in BARS:
        # A clip that never has straight legs says nothing about keeping them.
        some = [f for f in found if key != "straight_kept" or f["straight_before"] > 0.01]
        values = np.array([f[key] for f in some])
        met = values >= -bar if bar < 0 else values <= bar
        tail = np.percentile(values, 10 if bar < 0 else 90)
        print(f"| {key} | {abs(bar)} | {np.median(values):.2f} | {tail:.2f} | {100 * met.mean():.1f} % |")


if __name__ == "__main__":
    main()
