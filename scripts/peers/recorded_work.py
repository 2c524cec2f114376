"""Work of a known amount for a recorder to look at: `recorded_work.py ROUNDS` prints its own seconds.

Memory is taken and given back, and some of the work is in the kernel, so that most metrics move.
"""

import os
import sys
import time


def work(rounds: int) -> int:
    total = 0
    for n in range(rounds):
        values = [(n * 31 + k * 17) % 1009 for k in range(20_000)]
        values.sort()
        total += sum(values[::7])
        with open(os.devnull, "wb") as sink:
            sink.write(bytes(64 * 1024))
    return total


def main() -> None:
    rounds = int(sys.argv[1])
    began = time.perf_counter()
    total = work(rounds)
    print(f"seconds={time.perf_counter() - began:.6f} total={total}", flush=True)


main()
