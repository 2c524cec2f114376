"""growth/laws.json: which laws of growth times do not reject, by linear programs of scipy.

Fathom solves the pairs of inequalities for the fixed cost alone. Here they are constraints of a linear
program in all costs at once: a fixed cost, a part of lower order, the growing part.
"""

import math

import numpy as np
import scipy
from scipy.optimize import linprog
from scipy.stats import norm

from common import write

RISE, FALL = 2.5, 1.25
LAWS = {
    "1": lambda n: np.ones_like(n),
    "log n": np.log,
    "n": lambda n: n,
    "n log n": lambda n: n * np.log(n),
    "n^2": lambda n: n**2,
    "n^2 log n": lambda n: n**2 * np.log(n),
    "n^3": lambda n: n**3,
    "2^n": lambda n: 2.0 ** np.minimum(n, 1000),
}
LOWER = {"n^2": "n", "n^3": "n^2"}


def basis(law, n):
    """Columns fixed, lower order, growing, each 1 at the largest size, and the rule of the middle."""
    grid = np.append(n, math.sqrt(n[0] * n[-1]))
    growing = LAWS[law](grid) / LAWS[law](n[-1:])
    lower = LAWS[LOWER[law]](grid) / LAWS[LOWER[law]](n[-1:]) if law in LOWER else np.zeros_like(grid)
    fixed = np.zeros_like(grid) if law == "1" else np.ones_like(grid)
    return np.column_stack([fixed, lower, growing])


def constraints(law, n, low, high):
    columns = basis(law, n)
    points, middle = columns[:-1], columns[-1]
    rows = [[middle[0], middle[1], -middle[2]]]
    for i in range(len(n)):
        for j in range(i + 1, len(n)):
            # low[j] / g[j] <= RISE high[i] / g[i], and high[j] / g[j] >= low[i] / g[i] / FALL
            for row in (low[j] * points[i] - RISE * high[i] * points[j],
                        low[i] * points[j] - FALL * high[j] * points[i]):
                rows.append(row / np.max(np.abs(row)) if np.any(row) else row)
    return np.array(rows)


def slack(law, n, low, high):
    """By how much all inequalities can hold at once, relative to each: at least 0 if the law is possible."""
    rows = constraints(law, n, low, high)
    found = linprog([0, 0, 0, -1], A_ub=np.column_stack([rows, np.ones(len(rows))]), b_ub=np.zeros(len(rows)),
                    A_eq=[[0, 0, 1, 0]], b_eq=[1], bounds=[(0, None)] * 3 + [(None, 1)], method="highs")
    return -found.fun if found.success else -1.0


def scatter(law, n, times, rows):
    """The least sum of squared logarithms of time over fit; rows are constraints on the fit."""
    columns, middle = basis(law, n)[:-1], basis(law, n)[-1]
    most = math.log(middle[2])
    none = np.array([0.0])
    fixed = none if law == "1" else np.append(none, np.exp(np.linspace(most - 40, most, 300 if law in LOWER else 20000)))
    lower = np.append(none, np.exp(np.linspace(most - 9, most + 3, 300))) if law in LOWER else none
    costs = np.stack([one.ravel() for one in np.meshgrid(fixed, lower)] + [np.ones(fixed.size * lower.size)])
    allowed = np.all(rows @ costs <= 1e-9 * (np.abs(rows) @ costs), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(times)[:, None] - np.log(columns @ costs[:, allowed])
        spread = np.sum((logs - logs.mean(axis=0)) ** 2, axis=0)
    return float(np.nanmin(np.where(np.isfinite(spread), spread, np.inf)))


def exponent(n, times, low, high, i, j):
    apart = math.log(n[j] / n[i])
    change = math.log(times[j] / times[i])
    below = math.hypot(math.log(times[j] / low[j]), math.log(high[i] / times[i]))
    above = math.hypot(math.log(high[j] / times[j]), math.log(times[i] / low[i]))
    return [n[i], n[j], change / apart, (change - below) / apart, (change + above) / apart]


def cases():
    rng = np.random.Generator(np.random.PCG64(1894))
    ranges = [np.array(sizes, float) for sizes in (
        [10, 100, 1000, 10000], [16, 32, 64, 128, 256, 512], [1, 10, 100, 1e4, 1e6],
        [2, 4, 8, 12, 16, 20])]
    for number, n in enumerate(ranges):
        for law, f in LAWS.items():
            if law == "2^n" and n[-1] > 1000:
                continue
            for kind in ("plain", "fixed", "rising", "uneven"):
                t = f(n) / f(n[-1:])
                middle = f(np.array([math.sqrt(n[0] * n[-1])])) / f(n[-1:])
                if kind == "fixed":
                    t = t + rng.uniform(0.1, 0.9) * middle
                if kind == "rising":
                    t = t * np.linspace(1, rng.uniform(1.5, 4), len(n))
                if kind == "uneven":
                    t = t * rng.uniform(0.8, 1.2, len(n))
                if np.any(t <= 0):
                    t = t + 1e-3 * t[t > 0].min()
                t = 1e-6 * t
                half = rng.uniform(0.002, 0.05, (2, len(n)))
                yield f"{law}, {kind}, sizes {number}", n, t, t * (1 - half[0]), t * (1 + half[1])
    n = ranges[0]
    yield "n^1.5", n, n**1.5, n**1.5 * 0.99, n**1.5 * 1.01


def rate(n, times, low, high, all_low, all_high):
    """The line of least relative squares: rate and fixed cost with their ends, and whether one line passes
    through all limits; None without a slope, "edge" if rounding decides."""
    design = np.column_stack([1 / times, n / times])
    norms = np.linalg.norm(design, axis=0)
    # The weights of the times themselves in the fixed cost and in the slope.
    weights = np.linalg.pinv(design / norms) / norms[:, None] / times
    values = weights @ times
    if values[1] <= 0:
        return None
    down, up = times - low, high - times
    below = np.sqrt(np.sum((weights * np.where(weights > 0, down, up)) ** 2, axis=1))
    above = np.sqrt(np.sum((weights * np.where(weights > 0, up, down)) ** 2, axis=1))
    (setup, slope), (setup_low, slope_low), (setup_high, slope_high) = values, values - below, values + above
    # By how much of its limits each time may be inside, all at once.
    top = [[1 / t, m / t / n[-1], 1] for m, t in zip(n, all_high)]
    bottom = [[-1 / t, -m / t / n[-1], 1] for m, t in zip(n, all_low)]
    found = linprog([0, 0, -1], A_ub=top + bottom, b_ub=[1] * len(n) + [-1] * len(n),
                    bounds=[(None, None)] * 2 + [(None, 1)], method="highs")
    if abs(found.fun) < 1e-7:
        return "edge"
    return [1 / slope, 1 / slope_high, 1 / slope_low if slope_low > 0 else None, setup, setup_low, setup_high,
            bool(found.fun < 0)]


def main():
    written, close = [], 0
    for number, (name, n, times, low, high) in enumerate(cases()):
        confidence = [0.95, 0.9, 0.99][number % 3]
        alpha = 1 - confidence
        factor = norm.isf(alpha / 2 / len(n)) / norm.isf(alpha / 2)
        all_low = times * np.exp(-factor * np.log(times / low))
        all_high = times * np.exp(factor * np.log(high / times))
        slacks = {law: slack(law, n, all_low, all_high) for law in LAWS}
        # A law on the edge of being rejected is decided by rounding, or by Fathom's grid.
        if any(abs(one) < (5e-3 if law in LOWER else 1e-7) for law, one in slacks.items()):
            close += 1
            continue
        possible = [law for law in LAWS if slacks[law] >= 0]
        line = rate(n, times, low, high, all_low, all_high) if "n" in possible else None
        if line == "edge":
            close += 1
            continue
        scatters = []
        for law in LAWS:
            rows = constraints(law, n, all_low, all_high)
            scatters.append(scatter(law, n, times, rows if law in possible else rows[:1]))
        last = max(i for i in range(len(n)) if 4 * n[i] <= n[-1])
        first = min(i for i in range(len(n)) if n[i] >= 4 * n[0])
        written.append({
            "name": name, "sizes": n.tolist(), "times": times.tolist(), "lower": low.tolist(),
            "upper": high.tolist(), "confidence": confidence, "possible": possible, "scatter": scatters,
            "exponent": exponent(n, times, low, high, last, len(n) - 1),
            "first_exponent": exponent(n, times, low, high, 0, first), "rate": line})
    write("growth/laws.json",
          f"scipy {scipy.__version__}: linprog for the laws, a dense grid for the fit",
          {"possible": "exact", "exponent": 1e-9, "rate": 1e-8, "scatter": 1e-2},
          f"Laws on the edge are left out ({close} of the sets). The fit is a minimum on a grid: Fathom's may be lower"
          " by what the grid misses, and for n^2 and n^3 higher by what its coarser grid misses.",
          "possible: the laws that the times do not reject. scatter: the least sum of squared logarithms of time over"
          " fit, by law in the order 1, log n, n, n log n, n^2, n^2 log n, n^3, 2^n; among possible costs where the law"
          " is possible. exponent and first_exponent: from, to, value, lower, upper."
          " rate: if n is possible, units of the size per second with its interval (null is infinite), the fixed cost"
          " with its interval, and whether one line passes through all widened intervals.",
          written)


if __name__ == "__main__":
    main()
