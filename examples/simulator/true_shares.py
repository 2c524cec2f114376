#!/usr/bin/env python3
"""Of how many executions is each property true? Runs toycore with many seeds and works out each
property from the trace by hand, without Fathom, so that Fathom's answers can be compared.

Usage: python3 true_shares.py target/release/toycore [SEEDS]     (default: 2000)
"""

import json
import os
import subprocess
import sys
from bisect import bisect_left, bisect_right
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def scalar(run, name):
    value = run["scalars"][name]
    return value["value"] if isinstance(value, dict) else value


def within(stretches, begin, end):
    """How long a state holds between two times."""
    return sum(max(0, min(end, to) - max(begin, start)) for start, to in stretches)


def share_of_time(run, state):
    return within(run["states"][state], 0, run["end"]) / run["end"]


def gap(times):
    return (times[-1] - times[0]) / (len(times) - 1)


def followed(times, cycles):
    """The share of events after which another comes at most so much later."""
    followed = [bisect_right(times, t + cycles) > bisect_right(times, t) for t in times]
    return sum(followed) / len(followed)


def slowest(run, event):
    """The longest latency in microseconds."""
    return max(run["events"][event]["attributes"]["latency"]["values"]) / 1000


def sprints_to_alert(run):
    """The share of sprints, begun after the start, that last until an alert."""
    alerts = run["events"]["alert"]
    sprints = [sprint for sprint in run["states"]["sprinting"] if sprint[0] > 0]
    hot = [any(start <= alert <= end for alert in alerts) for start, end in sprints]
    return sum(hot) / len(hot)


def misses_while_handling(run, cycles, least):
    """The share of TLB misses before which, for so many cycles, more than a share of the time went
    into handling others."""
    handling, misses = run["states"]["handling"], run["events"]["tlb_miss"]
    starts = [start for start, _ in handling]
    often = 0
    for t in misses:
        # Only stretches near the window: those that begin in it, and the one before.
        first = max(0, bisect_left(starts, t - cycles) - 1)
        near = handling[first : bisect_right(starts, t)]
        often += within(near, t - cycles, t) / cycles > least
    return often / len(misses)


# In the order of properties.txt.
PROPERTIES = [
    lambda run: scalar(run, "ipc") >= 0.555,
    lambda run: 3.98 > scalar(run, "power") > 3.86,
    lambda run: share_of_time(run, "mispredict") < 0.28,
    lambda run: gap(run["events"]["tlb_miss"]) > 195,
    lambda run: not scalar(run, "power") > 3.9 or scalar(run, "ipc") > 0.56,
    lambda run: followed(run["events"]["error"], 2000) < 0.27,
    lambda run: not slowest(run, "R") > 42 or slowest(run, "S") > 25.5,
    lambda run: sprints_to_alert(run) < 0.40,
    lambda run: misses_while_handling(run, 500, 0.4) < 0.48,
]


def execute(toycore, seed, l2):
    command = [toycore, "--seed", str(seed), "--l2", l2, "--trace", "-"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    toycore, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 2000
    lines = (Path(__file__).parent / "properties.txt").read_text().splitlines()
    texts = [line for line in lines if line and not line.startswith("#")]
    assert len(texts) == len(PROPERTIES)

    def base(seed):
        run = execute(toycore, seed, "512kB")
        return scalar(run, "runtime"), [holds(run) for holds in PROPERTIES]

    def new(seed):
        return scalar(execute(toycore, seed, "1MB"), "runtime")

    # Each execution has a seed of its own, those of the other system too.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        of_base = list(pool.map(base, range(1, seeds + 1)))
        of_new = list(pool.map(new, range(seeds + 1, 2 * seeds + 1)))

    print("| # | Property | Satisfied by |\n|-|-|-|")
    for number, text in enumerate(texts, 1):
        count = sum(truths[number - 1] for _, truths in of_base)
        print(f"| {number} | `{text}` | {count / seeds:.2%} |")
    speedups = sorted(old / faster for (old, _), faster in zip(of_base, of_new))
    for least in (1.1, 1.15, 1.2):
        count = sum(speedup >= least for speedup in speedups)
        print(f"| | `speedup(base, new) >= {least}` | {count / seeds:.2%} |")
    # What a share F of the pairs reaches at least is the quantile 1 - F.
    print(f"\nNine of ten pairs have a speed-up of at least {speedups[seeds // 10]:.4f};", end=" ")
    print(f"the median is {speedups[seeds // 2]:.4f},", end=" ")
    print(f"the extremes are {speedups[0]:.4f} and {speedups[-1]:.4f}.")
    times = sorted(time for time, _ in of_base)
    print(f"Run times of the base: nine of ten up to {times[seeds * 9 // 10]:.4f} ms,", end=" ")
    print(f"median {times[seeds // 2]:.4f} ms, {times[0]:.4f} to {times[-1]:.4f} ms.")


if __name__ == "__main__":
    main()
