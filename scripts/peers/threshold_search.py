#!/usr/bin/env python3
"""Peer: SPA's confidence interval by a search over thresholds, as its paper describes it.

    threshold_search.py [--n 5000] [--thresholds 1000] [--runs 5] [--variant NAME|all] [--literal-thresholds 2]

For each of `thresholds` evenly spaced values from the smallest to the largest sample the property
"x > threshold" is tested for the share F with confidence C (equations (3) to (5)). The interval lies
between the last threshold that is decided positive and the first that is decided negative.

Prints one JSON line per variant:
  per-threshold  counts with numpy and calls scipy.stats.beta.cdf once per threshold
  vectorised     one sort, all counts by searchsorted, two calls of scipy.stats.beta.cdf in all
  literal        Algorithm 2 as printed: C_CP is updated after each sample. Far too slow for every
                 threshold: timed on a few and scaled, which the line says.

This is our own reading of the paper; it is not the authors' program.
"""

import argparse
import json
import math
import time

import numpy as np
import scipy
from scipy import stats

from timing import summary, times


def confidence(m, n, f):
    """(positive?, C_CP) by (3), (4) and (5)."""
    positive = m / n >= f
    a, b = (f, 1.0) if positive else (0.0, f)
    if m == 0:
        return positive, (1 - a) ** n - (1 - b) ** n
    if m == n:
        return positive, b**n - a**n
    return positive, stats.beta.cdf(b, m + 1, n - m) - stats.beta.cdf(a, m, n - m + 1)


def between(grid, decisions):
    """The ends from a decision per threshold: True positive, False negative, None undecided."""
    low = max((t for t, d in zip(grid, decisions) if d is True), default=-math.inf)
    high = min((t for t, d in zip(grid, decisions) if d is False), default=math.inf)
    return float(low), float(high)


def per_threshold(x, grid, f, c):
    decisions = []
    for threshold in grid:
        positive, level = confidence(int(np.count_nonzero(x > threshold)), len(x), f)
        decisions.append(bool(positive) if level > c else None)
    return between(grid, decisions)


def vectorised(x, grid, f, c):
    n = len(x)
    m = n - np.searchsorted(np.sort(x), grid, side="right")
    positive = m / n >= f
    # (4) with (5) put in: the term at 0 or at 1 is a constant.
    level = np.where(positive,
                     np.where(m == n, 1 - f**n, 1 - stats.beta.cdf(f, np.maximum(m, 1), n - m + 1)),
                     np.where(m == 0, 1 - (1 - f) ** n, stats.beta.cdf(f, m + 1, np.maximum(n - m, 1))))
    sure = level > c
    return between(grid, [bool(p) if s else None for p, s in zip(positive, sure)])


def literal(x, grid, f, c):
    decisions = []
    for threshold in grid:
        m, level, positive = 0, 0.0, None
        for count, value in enumerate(x, start=1):
            m += 1 if value > threshold else 0
            positive, level = confidence(m, count, f)
        decisions.append(bool(positive) if level > c else None)
    return between(grid, decisions)


VARIANTS = ["per-threshold", "vectorised", "literal"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=5000)
    parser.add_argument("--thresholds", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--variant", choices=[*VARIANTS, "all"], default="all")
    parser.add_argument("--literal-thresholds", type=int, default=2)
    parser.add_argument("--share", type=float, default=0.9)
    parser.add_argument("--confidence", type=float, default=0.9)
    args = parser.parse_args()

    x = np.random.Generator(np.random.PCG64(1)).lognormal(sigma=0.1, size=args.n)
    grid = np.linspace(x.min(), x.max(), args.thresholds)
    f, c = args.share, args.confidence

    def line(name, found, **more):
        print(json.dumps({"peer": f"SPA threshold search, {name}", "version": scipy.__version__,
                          "numpy": np.__version__, "n": args.n, "thresholds": args.thresholds, **found, **more}),
              flush=True)

    if args.variant in ("per-threshold", "all"):
        found = summary(times(lambda: per_threshold(x, grid, f, c), args.runs))
        line("per threshold", found, interval=per_threshold(x, grid, f, c))
    if args.variant in ("vectorised", "all"):
        found = summary(times(lambda: vectorised(x, grid, f, c), args.runs))
        line("vectorised", found, interval=vectorised(x, grid, f, c))
    if args.variant in ("literal", "all"):
        few = grid[np.linspace(0, len(grid) - 1, args.literal_thresholds + 2).astype(int)[1:-1]]
        # One run, no warm-up: it lasts long enough.
        start = time.perf_counter()
        literal(x, few, f, c)
        taken = time.perf_counter() - start
        scale = args.thresholds / len(few)
        line("Algorithm 2 literally (scaled)", {"seconds": taken * scale, "runs": 1}, scaled=True,
             timed_thresholds=len(few), timed_seconds=taken)


if __name__ == "__main__":
    main()
