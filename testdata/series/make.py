"""Series for the tests of the command line: a warm-up, dependence, a few stalls. Always the same."""

import math
import pathlib
import random

random.seed(3)
level = 0.0
lines = ["time_ms"]
for i in range(1000):
    level = 0.6 * level + random.gauss(0, 1)
    stall = 12 if random.random() < 0.009 else 0
    lines.append(f"{100 + level + 40 * math.exp(-i / 40) + stall:.3f}")
folder = pathlib.Path(__file__).resolve().parent
(folder / "warmup.csv").write_text("\n".join(lines) + "\n")

lines = ["blocks,seconds"]
for i in range(40):
    work = 100 * (1 + (7 * i) % 10)
    lines.append(f"{work},{0.8 + work / 250 + random.gauss(0, 0.05):.4f}")
(folder / "work.csv").write_text("\n".join(lines) + "\n")
