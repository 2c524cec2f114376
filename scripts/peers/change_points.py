#!/usr/bin/env python3
"""Peer: PELT of ruptures with the l2 cost.

    change_points.py --values FILE [--runs 2] [--runs-in-c 20] [--timed 1000] [--variance 1]

FILE has one value a line, in time order, with noise of the given variance. `Pelt(model="l2", min_size=3, jump=1)` with
the penalty 3 ln(n) variance. PELT forgets a candidate only when a later change explains it away, so that without
changes it evaluates n²/2 segments, in Python: minutes for 10,000 values. So it is timed on the first `timed` values,
with the penalty of all of them, and scaled by the number of segments it evaluates, which a vectorised PELT counts
exactly. That is too little rather than too much, since a longer segment takes longer.

Prints two JSON lines:
  Pelt       as above, scaled, which the line says
  KernelCPD  the same cost and penalty, in C, on all values; its change points are PELT's
"""

import argparse
import json
import math
from importlib.metadata import version

import numpy as np
import ruptures

from timing import summary, times

SHORTEST = 3


def evaluations(x, penalty):
    """How many segments PELT evaluates, and the change points it finds."""
    n = len(x)
    sums = np.concatenate([[0.0], np.cumsum(x)])
    squares = np.concatenate([[0.0], np.cumsum(x * x)])
    best = np.full(n + 1, math.inf)
    best[0] = 0.0
    before = np.zeros(n + 1, dtype=int)
    candidates = np.empty(0, dtype=int)
    count = 0
    for end in range(SHORTEST, n + 1):
        if math.isfinite(best[end - SHORTEST]):
            candidates = np.append(candidates, end - SHORTEST)
        count += len(candidates)
        total = sums[end] - sums[candidates]
        costs = squares[end] - squares[candidates] - total * total / (end - candidates)
        totals = best[candidates] + costs + penalty
        which = int(totals.argmin())
        best[end], before[end] = totals[which], candidates[which]
        candidates = candidates[totals <= best[end] + penalty]
    points = []
    while before[n] > 0:
        n = int(before[n])
        points.append(n)
    return count, points[::-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--values", required=True)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--runs-in-c", type=int, default=20)
    parser.add_argument("--timed", type=int, default=1000)
    parser.add_argument("--variance", type=float, default=1.0)
    args = parser.parse_args()
    x = np.loadtxt(args.values)
    n = len(x)
    penalty = 3 * math.log(n) * args.variance
    first = x[: args.timed]

    def line(name, taken, points, **more):
        print(json.dumps({"peer": name, "version": version("ruptures"), "numpy": np.__version__, "n": n,
                          "penalty": penalty, **summary(taken), "found": len(points), "change_points": points, **more}),
              flush=True)

    def pelt(values):
        return ruptures.Pelt(model="l2", min_size=SHORTEST, jump=1).fit_predict(values, pen=penalty)

    def in_c():
        return ruptures.KernelCPD(kernel="linear", min_size=SHORTEST).fit(x.reshape(-1, 1)).predict(pen=penalty)

    taken = times(lambda: pelt(first), args.runs)
    everything, points = evaluations(x, penalty)
    timed, _ = evaluations(first, penalty)
    line("Pelt", [seconds * everything / timed for seconds in taken], points, scaled=n > len(first),
         timed_values=len(first), timed_seconds=min(taken), evaluations=everything, timed_evaluations=timed)
    line("KernelCPD", times(in_c, args.runs_in_c), [int(point) for point in in_c()[:-1]])


if __name__ == "__main__":
    main()
