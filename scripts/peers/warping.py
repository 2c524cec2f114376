#!/usr/bin/env python3
"""Peers: dynamic time warping with its path, by tslearn and dtaidistance.

    warping.py --peer NAME --values FILE --length N

FILE has one value a line: x and y of the first pair, then of the next, N values each. NAME is one of
  tslearn              dtw_path
  dtaidistance         warping_path_fast
  dtaidistance-lowmem  the same with use_lowmem=True
All of them minimise the sum of squares. dtaidistance takes inner_dist="euclidean" to minimise |x - y|, but
warping_path_fast of version 2.5.1 does not hand it on.

Prints a JSON line: the median time of aligning all pairs, repeated until a second has passed, after a short alignment
that is not counted; the sums of |x - y| and of (x - y)^2 along each path; and the most memory the process held, before
and after.
"""

import argparse
import json
import statistics
import time

import numpy as np

WARM_UP = 100
ENOUGH = 1.0


def aligner(peer):
    """A function from two series to a path."""
    if peer == "tslearn":
        from tslearn.metrics import dtw_path

        return lambda x, y: dtw_path(x, y)[0]
    from dtaidistance import dtw, dtw_cc

    # Without its compiled part it would be another program.
    assert dtw_cc is not None
    more = {"use_lowmem": True} if peer == "dtaidistance-lowmem" else {}
    return lambda x, y: dtw.warping_path_fast(x, y, **more)


def peak():
    """The most memory this process held, in bytes, where Linux says so."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            return next((1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM:")), None)
    except OSError:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=["tslearn", "dtaidistance", "dtaidistance-lowmem"], required=True)
    parser.add_argument("--values", required=True)
    parser.add_argument("--length", type=int, required=True)
    args = parser.parse_args()
    with open(args.values, encoding="ascii") as file:
        values = np.array([float(line) for line in file])
    series = values.reshape(-1, 2, args.length)
    align = aligner(args.peer)
    align(series[0, 0, :WARM_UP].copy(), series[0, 1, :WARM_UP].copy())
    before = peak()
    taken, absolute, squares, steps = [], [], [], 0
    while sum(taken) < ENOUGH:
        absolute, squares, seconds = [], [], 0.0
        for x, y in series:
            start = time.perf_counter()
            path = align(x, y)
            seconds += time.perf_counter() - start
            pairs = np.array(path)
            gaps = x[pairs[:, 0]] - y[pairs[:, 1]]
            absolute.append(float(np.abs(gaps).sum()))
            squares.append(float(np.square(gaps).sum()))
            steps = len(path)
        taken.append(seconds)
    print(json.dumps({"seconds": statistics.median(taken), "runs": len(taken), "absolute": absolute,
                      "squares": squares, "pairs": steps, "before": before, "after": peak()}), flush=True)


if __name__ == "__main__":
    main()
