#!/usr/bin/env python3
"""Peer of `fathom explain`: the straightforward script.

    explain.py --traces DIR --csv DIR --target METRIC --common METRIC --start S --end S

--traces is a folder of traces, of which the manifest is read; --csv has its files as `fathom export` writes them. The
window is in seconds of the first run. Every run is aligned with the first by dynamic time warping of the common metric
(dtaidistance in C); the window is carried over by the path; every metric, counters as growth, is put on the target's
times in the window by interpolation; Pearson's correlation with the target ranks, by its middle over runs.

Prints a JSON line: the seconds of aligning and ranking, those of reading the files apart, and the ranked metrics.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
from dtaidistance import dtw
from scipy.stats import pearsonr


def read(manifest, folder):
    """For each run its times and its metrics by name."""
    counters = {metric["name"] for metric in manifest["metrics"] if metric["kind"] == "counter"}
    runs = []
    for run in manifest["runs"]:
        file = folder / (Path(run["samplers"][0]["file"]).stem + ".csv")
        with open(file, encoding="utf-8") as text:
            names = text.readline().strip().split(",")
        table = np.loadtxt(file, delimiter=",", skiprows=1)
        metrics = {}
        for name, column in zip(names[2:], table.T[2:]):
            metrics[name] = np.diff(column, prepend=column[0]) if name in counters else column
        runs.append((table[:, 1] * 1e-9, metrics))
    return runs


def explained(runs, args):
    """Metrics in falling order of the middle of |r| over runs."""
    times, reference = runs[0]
    inside = np.flatnonzero((times >= args.start) & (times <= args.end))
    target = reference[args.target][inside]
    found = {}
    for own_times, metrics in runs:
        rows = inside
        if metrics is not reference:
            path = np.array(dtw.warping_path_fast(reference[args.common], metrics[args.common]))
            # The row of this run that belongs to each row of the first.
            rows = path[np.searchsorted(path[:, 0], inside), 1]
        window = own_times[rows]
        for name, values in metrics.items():
            here = np.interp(window, own_times, values)
            if name != args.target and np.ptp(here) > 0:
                found.setdefault(name, []).append(pearsonr(target, here))
    middle = {name: statistics.median(abs(r.statistic) for r in all_runs) for name, all_runs in found.items()}
    return sorted(middle, key=middle.get, reverse=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=Path, required=True)
    parser.add_argument("--csv", type=Path, required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--common", required=True)
    parser.add_argument("--start", type=float, required=True)
    parser.add_argument("--end", type=float, required=True)
    args = parser.parse_args()
    began = time.perf_counter()
    manifest = json.loads((args.traces / "manifest.json").read_text(encoding="utf-8"))
    runs = read(manifest, args.csv)
    have_read = time.perf_counter()
    ranking = explained(runs, args)
    done = time.perf_counter()
    print(json.dumps({"seconds": done - have_read, "reading": have_read - began, "ranking": ranking}), flush=True)


if __name__ == "__main__":
    main()
