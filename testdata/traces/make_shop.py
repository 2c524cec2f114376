#!/usr/bin/env python3
"""Three runs of a made-up web shop, each with some metrics of its own; `requests` is in all of them.

From 260 s on, for 16 s, a collector takes the processor in short pauses, and the latency rises with
them. Runs take different times for the same work, so that the same happens at other times in them.
"""
import csv
import math
import random

random.seed(20261116)
ROWS = 400


def noise(count, keep, size):
    value, values = 0.0, []
    for _ in range(count):
        value = keep * value + random.gauss(0, size)
        values.append(value)
    return values


def requests(at):
    """The load by the work that is done, the same in all runs: waves, and a busy middle."""
    return 100 + 25 * math.sin(at / 9) + (30 if 290 < at < 330 else 0) + 10 * math.sin(at / 2.3)


def pauses(at):
    """The collector: three bursts within the anomaly, the middle one the longest."""
    return sum(size * math.exp(-(((at - middle) / 1.6) ** 2))
               for middle, size in [(262, 60), (268, 110), (274, 70)])


def run(name, pace, columns):
    """`pace` says how much work is done in which second."""
    at, rows = 0.0, []
    made = {column: make() for column, make in columns.items()}
    for second in range(ROWS):
        at += pace(second)
        row = {"time": second, "requests": round(requests(at) + random.gauss(0, 2), 2)}
        row.update({column: round(value(second, at), 3) for column, value in made.items()})
        rows.append(row)
    with open(f"shop/{name}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def plain(level, keep, size, load=0.0, by_pause=0.0, late=0.0):
    def make():
        drift = noise(ROWS, keep, size)
        return lambda second, at: (level + drift[second] + load * (requests(at) - 100)
                                   + by_pause * pauses(at - late))
    return make


def constant(level):
    return lambda: lambda second, at: level


def walk(size):
    return plain(500, 1.0, size)


run("run-1", lambda second: 1.0, {
    "latency_ms": plain(42, 0.5, 1.2, 0.05, 0.6, 0.5),
    "cpu.user": plain(55, 0.6, 1.5, 0.25),
    "cpu.system": plain(9, 0.6, 0.5, 0.03),
    "threads": constant(64),
    "queue": plain(6, 0.4, 0.6, 0.02, 0.08, 1.0),
})
run("run-2", lambda second: 0.93 if second < 180 else 1.05, {
    "gc.pause_ms": plain(4, 0.2, 1.0, 0.0, 1.0),
    "heap.used_mb": walk(4),
    "compiled.methods": plain(900, 0.98, 3),
    "cache.hits": plain(880, 0.7, 9, 1.5),
})
run("run-3", lambda second: 1.06 if second < 150 else 0.96, {
    "faults.minor": plain(210, 0.5, 12, 0.4, 1.4),
    "disk.reads": plain(30, 0.8, 3),
    "network.in_kb": plain(700, 0.5, 10, 6.0),
    "swap.out": constant(0),
})
