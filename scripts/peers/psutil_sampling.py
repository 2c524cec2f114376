"""What sampling one process by psutil costs: processor time per sample, as JSON.

Reads what Fathom's process probes read: times, faults and threads, memory, input and output,
context switches. Times how long all of it takes on this very process.
"""

import argparse
import json
import time

import psutil


def sample(process: psutil.Process) -> None:
    with process.oneshot():
        process.cpu_times()
        process.memory_info()
        process.num_threads()
        process.num_ctx_switches()
        process.io_counters()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--samples", type=int, default=2000)
    arguments = parser.parse_args()
    process = psutil.Process()
    best = float("inf")
    for _ in range(arguments.runs + 1):
        began = time.thread_time()
        for _ in range(arguments.samples):
            sample(process)
        best = min(best, (time.thread_time() - began) / arguments.samples)
    print(json.dumps({"peer": "psutil", "seconds": best, "runs": arguments.runs}))


main()
