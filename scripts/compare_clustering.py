#!/usr/bin/env python3
"""Clusters the frames that `cargo bench -p afoot-graph --bench clusters` writes (AFOOT_VECTORS=FILE), with
scipy and fastcluster where they are installed, and tells processor time, memory and the sum of heights.

    python3 scripts/compare_clustering.py FILE

The sum of heights is what the benchmark prints of ours: merges that are equal have equal heights. fastcluster's
vector mode is, as ours, linear in memory; the other two hold all distances of all pairs.
"""

import resource
import struct
import sys
import time

import numpy


def measured(name, cluster):
    before = time.process_time()
    heights = cluster()[:, 2]
    spent = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:28} {1e3 * spent:9.1f} ms, heights sum to {heights.sum():.4f}, peak {peak:.0f} MiB")


def main(path):
    with open(path, "rb") as file:
        rows, width = struct.unpack("<II", file.read(8))
        values = numpy.frombuffer(file.read(), "<f4").reshape(rows, width).astype(float)
    print(f"{rows} rows of {width}")
    try:
        import fastcluster

        measured("fastcluster, from vectors", lambda: fastcluster.linkage_vector(values, "centroid"))
        measured("fastcluster, from distances", lambda: fastcluster.linkage(values, "centroid"))
    except ImportError:
        print("fastcluster is not installed")
    try:
        from scipy.cluster.hierarchy import linkage

        measured("scipy", lambda: linkage(values, "centroid"))
    except ImportError:
        print("scipy is not installed")


if __name__ == "__main__":
    main(sys.argv[1])
