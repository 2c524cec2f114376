"""steady_state/series.json: change points and classes by a plain reference version.

It follows docs/methods/steady-state.md, loop by loop, with no thought of speed.
"""

import math

import numpy as np
import scipy
from scipy.special import ndtri

from common import write

CRITICAL = [(12, 2.60), (16, 2.52), (20, 2.43), (25, 2.38), (30, 2.34), (40, 2.25), (50, 2.14), (75, 2.00),
            (100, 2.00), (149, 2.00), (150, 1.76), (200, 1.82), (300, 1.86), (500, 1.92), (1000, 1.96), (2000, 2.00),
            (5000, 2.09), (20000, 2.25), (100000, 2.38)]
FEWEST = 12
TIE = 1e-12


def critical(m):
    m = max(m, FEWEST)
    return float(np.interp(math.log(m), [math.log(size) for size, _ in CRITICAL], [c for _, c in CRITICAL]))


# ---- scores and their dependence -------------------------------------------------------------


def scores(x):
    """Normal scores, ties averaged, and the variance without ties."""
    m = len(x)
    base = ndtri((np.arange(m) + 0.5) / m)
    ordered = np.sort(x)
    low = np.searchsorted(ordered, x, side="left")
    high = np.searchsorted(ordered, x, side="right")
    return np.array([base[i:j].mean() for i, j in zip(low, high)]), float((base**2).mean())


def correlation(a, split=None):
    variances = []
    for lag in (1, 2):
        kept = [a[i] - a[i - lag] for i in range(lag, len(a)) if split is None or not i - lag < split <= i]
        if len(kept) < 2:
            return 0.0
        variances.append(np.var(kept))
    if variances[0] <= 1e-12:
        return 0.0
    return min(max(variances[1] / variances[0] - 1, 0.0), 0.9)


def block_factor(a, v):
    m = len(a)
    if m < 150:
        return 1.0
    block = math.ceil(2 * m ** (1 / 3) - 1e-9)
    d = [a[t + block:t + 2 * block].mean() - a[t:t + block].mean() for t in range(m - 2 * block + 1)]
    deviation = np.median(np.abs(d - np.median(d))) / 0.6745
    return min(19.0, block / 2 * deviation**2 / v)


def drifts(x, a):
    signs = np.sign(np.diff(x))
    if abs(signs.sum()) <= 3 * math.sqrt(np.count_nonzero(signs)):
        return False
    end = max(1, len(a) // 20)
    return abs(a[-end:].mean() - a[:end].mean()) >= 0.25 * np.abs(np.diff(a)).sum()


def factor(x, a, v, split):
    if drifts(x, a):
        return 1.0
    p = correlation(a, split)
    return max((1 + p) / (1 - p), block_factor(a, v))


# ---- the test --------------------------------------------------------------------------------


def guard(m):
    return max(3, min(25, (m + 50) // 100))


def gain(a, start, split, end):
    """The sum of squares explained by two means instead of one."""
    left, right = a[start:split], a[split:end]
    return (left.mean() - right.mean()) ** 2 * len(left) * len(right) / (end - start)


def first_of_largest(candidates):
    """(gain, split): the first among those equal to the largest up to rounding."""
    largest = max(value for value, _ in candidates)
    return largest, next(split for value, split in candidates if value >= largest * (1 - TIE))


def layers(a):
    """(length, gain, split) of every layer of seeded intervals."""
    m, g, k = len(a), guard(len(a)), 0
    while True:
        length = m if k == 0 else math.floor(m / 2 ** (k / 2) + 1e-9) + 1
        if length < 2 * g:
            return
        count = 2 * math.ceil(2 ** (k / 2) - 1e-9) - 1
        candidates = []
        for number in range(count):
            start = 0 if count == 1 else (2 * number * (m - length) + count - 1) // (2 * (count - 1))
            splits = range(start + g, start + length - g + 1)
            candidates += [(gain(a, start, split, start + length), split) for split in splits]
        yield length, *first_of_largest(candidates)
        k += 1


def statistic(explained, m, length, v, f):
    chance = math.sqrt(2 * math.log(math.e * m / length))
    return math.sqrt(explained / (max(v - explained / m, 0.02 * v) * f)) - chance


def seeded(x):
    """(T, f, split) over all layers, or None."""
    m = len(x)
    if m < FEWEST or x.min() == x.max():
        return None
    a, v = scores(x)
    found, split = list(layers(a)), None
    for _ in range(2):
        f = factor(x, a, v, split)
        best, split = max(((statistic(c, m, l, v, f), b) for l, c, b in found), key=lambda pair: pair[0])
    return best, f, split


def whole(x):
    """(T, split) of the whole stretch alone, or None."""
    m, g = len(x), guard(len(x))
    if m < 2 * g or x.min() == x.max():
        return None
    a, v = scores(x)
    explained, split = first_of_largest([(gain(a, 0, b, m), b) for b in range(g, m - g + 1)])
    return statistic(explained, m, m, v, factor(x, a, v, split)), split


# ---- change points ---------------------------------------------------------------------------


def segment(x, start, end, depth, points):
    found = seeded(x[start:end])
    if found and depth < 40 and found[0] > critical(end - start) + (0.3 if depth else 0.0):
        split = start + found[2]
        points.append(split)
        segment(x, start, split, depth + 1, points)
        segment(x, split, end, depth + 1, points)


def refine(x, points):
    points = sorted(points)
    excess, stale = [0.0] * len(points), [True] * len(points)

    def test(k):
        low = points[k - 1] if k else 0
        high = points[k + 1] if k + 1 < len(points) else len(x)
        found = whole(x[low:high])
        excess[k] = found[0] - critical(high - low) if found else -math.inf
        return low + found[1] if found else points[k]

    for _ in range(5):
        changed = False
        for k in range(len(points)):
            if stale[k]:
                stale[k] = False
                best = test(k)
                if best != points[k]:
                    points[k], changed = best, True
                    for neighbour in (k - 1, k + 1):
                        if 0 <= neighbour < len(points):
                            stale[neighbour] = True
        while points and min(excess) < 0:
            weakest = excess.index(min(excess))
            for column in (points, excess, stale):
                column.pop(weakest)
            changed = True
            for neighbour in (weakest - 1, weakest):
                if 0 <= neighbour < len(points):
                    test(neighbour)
                    stale[neighbour] = True
        if not changed:
            break
    return points


def interquartile_mean(x):
    cut = len(x) // 4
    return float(np.sort(x)[cut:len(x) - cut].mean())


def relocate(x, points):
    """(position, settled) of every point."""
    found, start = [], 0
    for number, point in enumerate(points):
        end = points[number + 1] if number + 1 < len(points) else len(x)
        best = fit(x[start:end], point - start)
        position = start + best if best is not None and abs(start + best - point) <= 3 else point
        found.append((position, max(position, point)))
        start = position
    return found


def fit(x, split):
    parts = x[:split], x[split:]
    low, high = map(interquartile_mean, parts)
    deviations = np.concatenate([np.abs(part - np.median(part)) for part in parts])
    spread = 1.4826 * np.median(deviations)
    if spread <= 0:
        spread = deviations.mean()
    if spread <= 0 or low == high:
        return None
    before = np.minimum(((x - low) / spread) ** 2, 9)
    after = np.minimum(((x - high) / spread) ** 2, 9)
    losses = [before[:b].sum() + after[b:].sum() for b in range(3, len(x) - 2)]
    least = min(losses)
    return 3 + next(i for i, loss in enumerate(losses) if loss <= least + 1e-9)


# ---- classes ---------------------------------------------------------------------------------


def standard_error(x):
    m = len(x)
    cut = m // 4
    ordered = np.sort(x)
    clipped = np.clip(ordered, ordered[cut], ordered[m - 1 - cut])
    p = 0.0
    if m >= 20 and x.min() < x.max():
        p = min(0.5, correlation(scores(x)[0]))
    return clipped.std(ddof=1) / ((m - 2 * cut) / m * math.sqrt(m)) * math.sqrt((1 + p) / (1 - p))


def classify(x, points, clock_step):
    """(class, start, disturbances)."""
    n = len(x)
    if not points:
        return "flat", 0, []
    bounds = [0] + [position for position, _ in points] + [n]
    segments = [x[a:b] for a, b in zip(bounds, bounds[1:])]
    levels = [interquartile_mean(s) for s in segments]
    errors = [standard_error(s) for s in segments]
    last = len(segments) - 1
    same = []
    for i in range(last + 1):
        tolerance = max(0.005 * abs(levels[last]), clock_step)
        if i < last - 1:
            tolerance = max(tolerance, 2.5 * math.hypot(errors[i], errors[last]))
        same.append(i == last or abs(levels[i] - levels[last]) <= tolerance)
    first, budget, disturbances = last, 0.1 * n, []
    while any(same[:first]):
        back = max(i for i in range(first) if same[i])
        departure = bounds[first] - bounds[back + 1]
        if departure > budget:
            break
        budget -= departure
        if departure:
            disturbances.insert(0, [bounds[back + 1], bounds[first]])
        first = back
    if first == 0:
        return "flat", 0, disturbances
    start = points[first - 1][1]
    if any(same[:first]) or n - start < max(0.25 * n, 10):
        return "none", start, disturbances
    slower = all(level > levels[last] for level in levels[:first])
    return ("warm-up" if slower else "slow-down"), start, disturbances


def analyse(x, clock_step=0.0):
    x = np.asarray(x, float)
    root = seeded(x)
    points = []
    segment(x, 0, len(x), 0, points)
    points = relocate(x, refine(x, points))
    kind, start, disturbances = classify(x, points, clock_step)
    return {
        "statistic": root and root[0],
        "factor": root and root[1],
        "points": [position for position, _ in points],
        "class": kind,
        "start": start,
        "disturbances": disturbances,
    }


# ---- series ----------------------------------------------------------------------------------


def tabled():
    """The series whose results were handed over with the design."""
    def series(n, extra):
        return [1000 + ((31 * i * i + 37 * i) % 101) / 10 + extra(i) for i in range(n)]

    yield "table: flat", series(40, lambda i: 0)
    yield "table: 6 slow of 20", series(20, lambda i: 50 * (i < 6))
    yield "table: 10 slow of 40", series(40, lambda i: 50 * (i < 10))
    yield "table: step up", series(60, lambda i: 50 * (i >= 30))
    yield "table: long bump", series(60, lambda i: 50 * (24 <= i < 36))
    yield "table: short bump", series(60, lambda i: 50 * (30 <= i < 35))
    yield "table: late step", series(60, lambda i: 50 * (i >= 52))
    yield "table: small step", series(60, lambda i: 9000 + 12 * (i < 20))
    yield "table: exponential", series(100, lambda i: round(200 * math.exp(-i / 8), 1))
    yield "table: two values", [1000.0 + 10 * (i % 2) for i in range(40)]
    yield "table: ramp", [1100.0 - i for i in range(60)]


def drawn():
    rng = np.random.Generator(np.random.PCG64(20261115))
    noise = lambda n: rng.normal(size=n)
    def autoregressive(n, *phi):
        x = np.zeros(n + 50)
        e = noise(n + 50)
        for i in range(len(x)):
            x[i] = e[i] + sum(p * x[i - lag] for lag, p in enumerate(phi, 1) if i >= lag)
        return x[50:]

    for n in (12, 25, 149, 150, 400):
        i = np.arange(n)
        yield f"normal {n}", 100 + noise(n)
        yield f"lognormal {n}", np.exp(noise(n))
        yield f"first fifth 3 sd slower {n}", 100 + noise(n) + 3 * (i < n // 5)
        yield f"second half 2 sd slower {n}", 100 + noise(n) + 2 * (i >= n // 2)
        yield f"exponential {n}", 100 + noise(n) + 20 * np.exp(-i / (n / 10))
        yield f"ramp to a half {n}", 100 + noise(n) + 10 * np.maximum(0, 1 - 2 * i / n)
        yield f"dependent .5 {n}", 100 + autoregressive(n, 0.5)
        yield f"outliers 5% {n}", 100 + noise(n) + 30 * (rng.random(n) < 0.05) + 3 * (i < n // 4)
        yield f"clock grid {n}", np.round(20 + noise(n) + 2 * (i < n // 3))
    for n in (60, 300):
        i = np.arange(n)
        yield f"dependent .95 {n}", 100 + autoregressive(n, 0.95)
        yield f"second order {n}", 100 + autoregressive(n, 0.4, 0.2)
        yield f"random walk {n}", 100 + np.cumsum(noise(n))
        yield f"period 10 {n}", 100 + noise(n) + 5 * np.sin(i * 0.2 * math.pi)
        yield f"three periods {n}", 100 + noise(n) + 5 * np.sin(i * 6 * math.pi / n)
        yield f"regimes {n}", 100 + noise(n) + 6 * (i // (n // 10) % 2)
        yield f"bump of 5% {n}", 100 + noise(n) + 8 * ((i >= n // 2) & (i < n // 2 + n // 20))
        yield f"bump of 20% {n}", 100 + noise(n) + 8 * ((i >= n // 2) & (i < n // 2 + n // 5))
        yield f"down, up, down {n}", 100 + noise(n) + 6 * (i < n // 4) - 6 * ((i >= n // 4) & (i < n // 2))
        yield f"spikes {n}", 100 + noise(n) + 500 * (i % 20 == 7)
        yield f"late step {n}", 100 + noise(n) + 6 * (i >= 9 * n // 10)
        yield f"negative {n}", -100 + noise(n) + 6 * (i < n // 4)
        yield f"staircase {n}", 100 + noise(n) - 4 * (i // (n // 4))
        yield f"rough ticks {n}", np.where(rng.random(n) < 0.03, 11.0, 10.0) + (i < n // 5)
        yield f"two bumps of 6% {n}", 100 + noise(n) + 8 * (i % (n // 3) < 6 * n // 100) * (i >= n // 3)
        yield f"sawtooth {n}", 100 + 0.1 * noise(n) + i % 15
        yield f"half constant {n}", np.where(i < n // 2, 10 + np.round(noise(n), 1), 7.0)


    for number in range(6):
        i = np.arange(300)
        bump = 80.0 * ((i >= 170) & (i < 185))
        yield f"bump in much noise {number}", 100 + 10 * noise(300) + bump
        away = 100.0 * ((i >= 100) & (i < 200))
        yield f"away and back in dependent noise {number}", 100 + 10 * autoregressive(300, 0.5) + away
    yield "square wave 1000", 100 + noise(1000) + 20 * (np.arange(1000) // 20 % 2)


def edges():
    yield "empty", [], 0.0
    yield "one", [5.0], 0.0
    yield "eleven", [9.0, 9.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 0.0
    yield "constant", [3.0] * 50, 0.0
    yield "two levels", [4.0] * 20 + [3.0] * 60, 0.0
    yield "two levels, one clock step apart", [4.0] * 20 + [3.0] * 60, 1.0
    yield "one odd", [3.0] * 30 + [9.0] + [3.0] * 30, 0.0


def main():
    every = [(name, x, 0.0) for name, x in tabled()]
    every += [(name, np.round(x, 2), 0.0) for name, x in drawn()]
    every += list(edges())
    cases = []
    for name, x, clock_step in every:
        x = [float(value) for value in x]
        found = analyse(x, clock_step) if x else {"statistic": None, "factor": None, "points": [], "class": "flat",
                                                  "start": 0, "disturbances": []}
        cases.append({"name": name, "clock_step": clock_step, **found, "x": x})
    write("steady_state/series.json",
          f"a plain version of the method, from its page alone; numpy {np.__version__}, scipy {scipy.__version__}",
          {"statistic": 1e-9, "factor": 1e-9, "points, class, start, disturbances": "exact"},
          "Both sides add a few hundred scores in different orders.",
          "statistic and factor: T and f of the whole series, null if there is nothing to test. points: first indices"
          " of new levels. disturbances: first index and the one after the last.",
          cases)


if __name__ == "__main__":
    main()
