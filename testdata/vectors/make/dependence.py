"""Vectors for dependence: autocorrelation, subsessions, two-level effective sizes, intervals.

A plain reference in Python: straight loops over lists, scipy for quantiles and binomial tails.
The series are formulas, so that a reader can make them anywhere.
"""

import math
import sys

import numpy
import scipy
from scipy import stats

from common import write

sys.dont_write_bytecode = True

FERRARI = [
    1.21, 1.67, 1.71, 1.53, 2.03, 2.15, 1.88, 2.02, 1.75, 1.84, 1.61, 1.35, 1.43, 1.64, 1.52, 1.44,
    1.17, 1.42, 1.64, 1.86, 1.68, 1.91, 1.73, 2.18, 2.27, 1.93, 2.19, 2.04, 1.92, 1.97, 1.65, 1.71,
    1.89, 1.70, 1.62, 1.48, 1.55, 1.39, 1.45, 1.67, 1.62, 1.77, 1.88, 1.82, 1.93, 2.09, 2.24, 2.16,
]


def autoregressive(n, phi, noise):
    values, y = [], 0.0
    for i in range(n):
        y = phi * y + noise(i)
        values.append(y)
    return values


SERIES = {
    "Ferrari, 1978, page 79": FERRARI,
    "i % 2": [float(i % 2) for i in range(40)],
    "i % 7": [float(i % 7) for i in range(42)],
    "(37 i + 11) % 50": [float((37 * i + 11) % 50) for i in range(50)],
    "(i // 5 * 7) % 12": [float((i // 5 * 7) % 12) for i in range(60)],
    "(i // 10) % 2": [float((i // 10) % 2) for i in range(200)],
    "i * i % 101": [float(i * i % 101) for i in range(100)],
    "phi .5": autoregressive(200, 0.5, lambda i: ((7 * i * i) % 101) / 101 - 0.5),
    "phi .8": autoregressive(400, 0.8, lambda i: ((7 * i * i + i) % 103) / 103 - 0.5),
    "phi -.6": autoregressive(150, -0.6, lambda i: ((11 * i * i + 3 * i) % 107) / 107 - 0.5),
    "phi .95": autoregressive(300, 0.95, lambda i: ((5 * i * i + i) % 109) / 109 - 0.5),
    "ties at the top": [float(min(i % 5, 2)) for i in range(90)],
    "two slow states": [10.0 + 5.0 * ((i // 37) % 2) + ((17 * i) % 29) / 29 for i in range(1000)],
    "nineteen": [float((7 * i) % 19) for i in range(19)],
}


def merged(x, q):
    n, h = len(x), len(x) // q
    m = math.fsum(x) / n
    d = [math.fsum(x[i * q : (i + 1) * q]) / q - m for i in range(h)]
    squares = math.fsum(v * v for v in d)
    products = math.fsum(a * b for a, b in zip(d, d[1:]))
    return h, squares, products


def level(x, q):
    n = len(x)
    m = math.fsum(x) / n
    v = math.fsum((z - m) ** 2 for z in x) / n
    h, squares, products = merged(x, q)
    if squares <= 0 or h <= 3:
        return 0.0
    c = min(max((h * products / squares + 1) / (h - 3), 0.0), 0.97)
    u = min(0.97, c + min(c, math.sqrt((1 - c * c) / h)))
    return q * (squares / (h - 1)) * (1 + u) / (1 - u) / (v * n / (n - 1))


def thinness(x):
    n = len(x)
    if max(x) == min(x):
        return None
    q = n // max(20, math.ceil(1.5 * math.sqrt(n)))
    single, several = level(x, 1), level(x, q) if q > 1 else 0.0
    return {"tau": max(1.0, single, several), "of_samples": single, "of_subsessions": several}


def mean_interval(x, c):
    n = len(x)
    if n < 20:
        return {"c": c, "declined": "too few"}
    m = math.fsum(x) / n
    v = math.fsum((z - m) ** 2 for z in x) / n
    effective = n / thinness(x)["tau"]
    if effective < 4:
        return {"c": c, "declined": "too dependent", "effective": effective}
    half = stats.t.ppf((1 + c) / 2, effective / 2) * math.sqrt(v / (effective - 1))
    return {"c": c, "effective": effective, "lower": m - half, "upper": m + half}


def quantile_ranks(x, p, c):
    n = len(x)
    if n < 20:
        return {"p": p, "c": c, "declined": "too few"}
    ordered = sorted(x)
    ranks = thinness([float(r) for r in stats.rankdata(x)])["tau"]
    tail = (1 - c) / 2

    def tau_at(rank):
        indicator = thinness([1.0 if z <= ordered[rank - 1] else 0.0 for z in x])
        return max(indicator["tau"] if indicator else ranks, ranks / 2)

    def size_of(tau):
        z, t = stats.norm.ppf(1 - tail), stats.t.ppf(1 - tail, n / tau)
        return max(1, math.floor(n / tau * (z / t) ** 2 + 1e-9))

    def lower_of(size):
        j = 0
        while stats.binom.cdf(j, size, p) <= tail:
            j += 1
        return math.floor((j - 1) * n / size + 1e-9) + 1 if j >= 1 else None

    def upper_of(size):
        k = size + 1
        while k > 1 and stats.binom.sf(k - 2, size, p) <= tail:
            k -= 1
        return math.ceil(k * n / size - 1e-9) if k <= size else None

    at_estimate = tau_at(math.ceil(n * p))
    worst = at_estimate
    ends = []
    for rank_of in (lower_of, upper_of):
        tau = at_estimate
        rank = rank_of(size_of(tau))
        for _ in range(8):
            if rank is None or ranks < 2.5:
                break
            there = tau_at(rank)
            if there <= tau:
                break
            tau = there
            worst = max(worst, tau)
            rank = rank_of(size_of(tau))
        ends.append(rank)
    return {"p": p, "c": c, "effective": n / worst, "lower": ends[0], "upper": ends[1]}


def first_negligible(x):
    for q in range(1, len(x) // 3 + 1):
        h, squares, products = merged(x, q)
        if squares > 1e-20 and abs(products / squares) <= 0.1:
            return q
    return None


def autocorrelations(x):
    n, m = len(x), math.fsum(x) / len(x)
    d = [z - m for z in x]
    s = math.fsum(z * z for z in d)
    return [math.fsum(a * b for a, b in zip(d, d[lag:])) / s for lag in range(1, min(n, 26))]


def case(name, x):
    several = []
    for q in range(1, 9):
        h, squares, products = merged(x, q)
        if h >= 2 and squares > 1e-20:
            several.append(
                {"q": q, "h": h, "variance": squares / (h - 1), "lag1": products / squares}
            )
    return {
        "name": name,
        "x": x,
        "autocorrelation": autocorrelations(x),
        "subsessions": several,
        "first_negligible": first_negligible(x),
        "thinness": thinness(x),
        "mean": [mean_interval(x, c) for c in (0.8, 0.9, 0.95, 0.99)],
        "quantile": [
            quantile_ranks(x, p, c) for p in (0.1, 0.5, 0.9) for c in (0.8, 0.95, 0.99)
        ],
    }


if __name__ == "__main__":
    write(
        "dependence/series.json",
        oracle=f"plain Python loops, scipy {scipy.__version__}, numpy {numpy.__version__}",
        tolerance={"relative": 1e-9, "ranks": 0},
        reason="Sums of a few hundred terms and scipy's t quantile; ranks are exact.",
        conventions="Autocorrelations from lag 1; lower and upper of a quantile are ranks from 1,"
        " null is an infinite end. Formulas: docs/methods/dependence.md.",
        cases=[case(name, x) for name, x in SERIES.items()],
    )
