#!/usr/bin/env python3
"""Peer: the full heuristic of Rehn et al. (Algorithm 1) as it is written, with scikit-learn, fastcluster and scipy.

    outliers_full.py --values FILE [--runs 3]

FILE has one value a line, without ties. Local outlier factors by scikit-learn (10 neighbours), complete linkage by
fastcluster, and then for every unique height: cut the tree, label the clusters that have at most 1% of the values and
lie above the median, and take the mean factor of the values that stay. The cut is the largest height with the smallest
mean (means within 1e-12 are equal).

Prints a JSON line with the time of all of it, of its parts in the fastest run, and how many values are labelled.
The loop over heights is in Python; what is done for one height is in numpy and scipy.

This is our own reading of the paper; it is not the authors' program.
"""

import argparse
import json
import math
import time

import fastcluster
import numpy as np
import sklearn
from scipy.cluster.hierarchy import fcluster
from sklearn.neighbors import LocalOutlierFactor

from timing import summary

NEIGHBOURS = 10
EQUAL = 1e-12


def factors_of(x):
    return -LocalOutlierFactor(n_neighbors=NEIGHBOURS).fit(x.reshape(-1, 1)).negative_outlier_factor_


def outliers_at(x, tree, height, median):
    """Which values are outliers when all merges up to a height are made."""
    labels = fcluster(tree, height, criterion="distance") - 1
    sizes = np.bincount(labels)
    lowest = np.full(len(sizes), math.inf)
    np.minimum.at(lowest, labels, x)
    return ((sizes <= max(1, len(x) // 100)) & (lowest > median))[labels]


def cut(x, tree, factors):
    """The outliers at the best height, and how many heights were tried."""
    median = float(np.median(x))
    heights = np.unique(tree[:, 2])
    least, best = math.inf, None
    for height in heights:
        outliers = outliers_at(x, tree, height, median)
        mean = factors[~outliers].mean()
        # Heights ascend, so of equal means the last is kept.
        if mean <= least * (1 + EQUAL):
            best = outliers
        least = min(least, mean)
    return best, len(heights)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--values", required=True)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    x = np.loadtxt(args.values)

    best = None
    taken = []
    for run in range(args.runs + 1):
        times = [time.perf_counter()]
        factors = factors_of(x)
        times.append(time.perf_counter())
        tree = fastcluster.linkage(x.reshape(-1, 1), method="complete")
        times.append(time.perf_counter())
        outliers, heights = cut(x, tree, factors)
        times.append(time.perf_counter())
        if run == 0:
            continue
        taken.append(times[-1] - times[0])
        if taken[-1] == min(taken):
            best = dict(zip(["factors", "linkage", "algorithm 1"], np.diff(times).tolist()))
    print(json.dumps({"peer": "Algorithm 1", "version": sklearn.__version__, "fastcluster": fastcluster.__version__,
                      "numpy": np.__version__, "n": len(x), "heights": heights, **summary(taken), "parts": best,
                      "found": int(outliers.sum())}), flush=True)


if __name__ == "__main__":
    main()
