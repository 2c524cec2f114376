"""Timing shared by the peers."""

import statistics
import time


def times(work, runs):
    """Seconds of each of `runs` calls, after one call that is not counted."""
    work()
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return taken


def summary(taken):
    """`seconds` is the best run, `median_seconds` the median one."""
    return {"seconds": min(taken), "median_seconds": statistics.median(taken), "runs": len(taken)}
