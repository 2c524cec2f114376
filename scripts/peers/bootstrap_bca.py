#!/usr/bin/env python3
"""Peer: the BCa bootstrap of scipy, for the mean and for the median.

    bootstrap_bca.py [--n 1000] [--resamples 9999] [--runs 5] [--statistic mean|median|both]

Prints one JSON line per statistic. scipy's time depends on its batch size, so several are tried
and the best is reported, with all of them in `by_batch` (0: no batch size given).
"""

import argparse
import json

import numpy as np
import scipy
from scipy import stats

from timing import summary, times

BATCHES = [None, 10, 50, 100, 500, 2000]
STATISTICS = {"mean": np.mean, "median": np.median}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--resamples", type=int, default=9999)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--statistic", choices=[*STATISTICS, "both"], default="both")
    args = parser.parse_args()

    data = np.random.Generator(np.random.PCG64(1)).lognormal(sigma=0.1, size=args.n)
    for name, function in STATISTICS.items():
        if args.statistic not in (name, "both"):
            continue
        by_batch, best, interval = {}, None, None
        for batch in BATCHES:
            def work():
                return stats.bootstrap((data,), function, n_resamples=args.resamples, batch=batch, vectorized=True,
                                       method="BCa", confidence_level=0.95,
                                       rng=np.random.Generator(np.random.PCG64(2)))

            found = summary(times(work, args.runs))
            by_batch[str(batch or 0)] = found["seconds"]
            if best is None or found["seconds"] < best["seconds"]:
                best = dict(found, batch=batch or 0)
                interval = work().confidence_interval
        print(json.dumps({"peer": f"scipy.stats.bootstrap BCa {name}", "version": scipy.__version__,
                          "numpy": np.__version__, "n": args.n, "resamples": args.resamples, **best,
                          "by_batch": by_batch, "interval": [float(interval.low), float(interval.high)]}), flush=True)


if __name__ == "__main__":
    main()
