#!/usr/bin/env python3
"""Times k-means and support vector machines of `afoot-learn` beside scikit-learn's, on the same rows in one run.

    cargo build --release -p afoot-learn --example rows
    python3 scripts/measure_learning.py target/release/examples/rows [--threads 1] [--only svm|kmeans]

Needs numpy and scikit-learn. Rows are drawn from a mixture of Gaussians on a few smooth directions, as motion is. Prints for
each shape: time of each side and their ratio, support vectors or inertia of each, and the share of equal predictions.
Times are those of the processor, all cores together, so that a busy machine does not matter; both sides get as many threads
as --threads says, libsvm has one.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def rows(np, count, width, clusters, seed):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(clusters, 20)) * 2
    inner = centres[rng.integers(0, clusters, count)] + rng.normal(size=(count, 20))
    return (inner @ rng.normal(size=(20, width)) / 4 + 0.3 * rng.normal(size=(count, width))).astype(np.float32), inner


def svm_row(np, program, folder, count, width, cost):
    from sklearn.svm import SVC

    values, inner = rows(np, count + 6000, width, 30, 1)
    side = np.where(inner[:, 0] + np.sin(inner[:, 1]) + 0.3 * inner[:, 2] > 0, 1.0, -1.0).astype(np.float32)
    gamma = float(1 / (width * values[:count].var()))
    files = [folder / name for name in ("rows", "sides", "told", "out")]
    values[:count].tofile(files[0])
    side[:count].tofile(files[1])
    values[count:].tofile(files[2])
    command = [program, "svm", files[0], files[1], width, cost, gamma, files[2], files[3]]
    ours = json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout)
    start = time.process_time()
    machine = SVC(C=cost, gamma=gamma, cache_size=2000).fit(values[:count], side[:count])
    training = time.process_time() - start
    start, begun = time.process_time(), time.perf_counter()
    theirs = machine.decision_function(values[count:])
    telling, by_clock = time.process_time() - start, time.perf_counter() - begun
    same = float(np.mean((np.fromfile(files[3], np.float32) > 0) == (theirs > 0)))
    print(
        f"svm {count} x {width}, C {cost}: training {ours['training']:.2f} s, scikit-learn {training:.2f} s ({training / ours['training']:.1f} times); "
        f"telling {6000 / ours['telling']:.0f} rows/s, {2e-9 * 6000 * ours['support_vectors'] * width / ours['telling']:.0f} GFLOP/s, scikit-learn {6000 / telling:.0f} rows/s "
        f"({telling / ours['telling']:.0f} times; by the clock {by_clock / ours['telling_by_clock']:.0f}); "
        f"vectors {ours['support_vectors']}, {machine.n_support_.sum()}; same predictions {100 * same:.2f} %",
        flush=True,
    )


def kmeans_row(np, program, folder, count, width, clusters):
    from sklearn.cluster import KMeans

    values, _ = rows(np, count, width, 3 * clusters, 2)
    file = folder / "rows"
    values.tofile(file)
    command = [program, "kmeans", file, width, clusters]
    ours = json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout)
    start = time.process_time()
    machine = KMeans(clusters, n_init=1, algorithm="lloyd", random_state=0).fit(values)
    seconds = time.process_time() - start
    print(
        f"k-means {count} x {width}, {clusters} clusters: {ours['seconds']:.2f} s, scikit-learn {seconds:.2f} s "
        f"({seconds / ours['seconds']:.1f} times); inertia {ours['inertia'] / machine.inertia_:.4f} of its; rounds {ours['rounds']}, {machine.n_iter_}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", choices=["svm", "kmeans"])
    asked = parser.parse_args()
    for name in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(asked.threads)
    import numpy as np

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if asked.only != "kmeans":
            for count, width, cost in [(1500, 686, 10), (3000, 686, 10), (10000, 270, 10)]:
                svm_row(np, asked.program, folder, count, width, cost)
        if asked.only != "svm":
            for count, width, clusters in [(25000, 270, 100), (14000, 320, 100), (14000, 160, 140), (14000, 80, 140)]:
                kmeans_row(np, asked.program, folder, count, width, clusters)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
