"""change/: what changed against a baseline, and whether a series wanders.

`scores.json` by scipy's two-sample test, numpy's means, deviations and quantiles, and a plain loop for the
change score, as docs/methods/change-correlators.md has it. `dickey_fuller.json` by statsmodels.
"""

import math

import numpy as np
import scipy
import statsmodels
from scipy.stats import ks_2samp
from statsmodels.tsa.stattools import adfuller

from common import write

random = np.random.default_rng(8)


def noise(n, memory=0.0, level=0.0, size=1.0):
    e = random.standard_normal(n + 200)
    x = np.empty(n + 200)
    last = 0.0
    for t in range(n + 200):
        last = memory * last + e[t]
        x[t] = last
    if memory == 1.0:
        x -= x[200]
    return [round(float(level + size * v), 4) for v in x[200:]]


# ---- scores --------------------------------------------------------------------------------


def rows_of(stretches):
    return [row for start, end in stretches for row in range(start, end)]


def values(x, rows):
    return np.array([x[row] for row in rows if x[row] is not None])


def differences(x, stretches):
    pairs = [(row, row + 1) for start, end in stretches for row in range(start, end - 1)]
    return np.array([x[b] - x[a] for a, b in pairs if x[a] is not None and x[b] is not None])


def apart(baseline, windows):
    """The baseline's stretches without the windows."""
    asked = set(rows_of(windows))
    rows = [row for row in range(*baseline) if row not in asked]
    stretches = []
    for row in rows:
        if stretches and stretches[-1][1] == row:
            stretches[-1][1] = row + 1
        else:
            stretches.append([row, row + 1])
    return stretches


def change(x, windows, stretches):
    rows = [row for row in rows_of(stretches) if x[row] is not None]
    history = np.array([x[row] for row in rows])
    nb = len(history)
    pieces = [(start, end, values(x, range(start, end))) for start, end in windows]
    pieces = [piece for piece in pieces if len(piece[2])]
    seen = sum(len(piece[2]) for piece in pieces)
    asked = -(-seen // len(pieces))
    before = min(4 * asked, nb // 2)
    baseline_rows = len(rows_of(stretches))
    shift = reference = mirrored = 0.0
    placed = []
    for start, end, inside in pieces:
        weight = len(inside) / seen
        preceding = sum(row < start for row in rows)
        if preceding >= nb - preceding:
            near = history[preceding - before : preceding]
            gap = start - rows[preceding - 1] - 1
        else:
            near = history[preceding : preceding + before]
            gap = rows[preceding] - end
            mirrored += weight
        shift += weight * (inside.mean() - near.mean())
        reference += weight * near.mean()
        length = min(len(inside), max(1, nb // 6))
        gap = min(gap * nb // baseline_rows, max(0, nb - before - nb // 3 - length))
        placed.append((gap, length, weight))
    order = history[::-1] if mirrored > 0.5 else history
    reach = max(gap + length for gap, length, _ in placed)
    changes = np.array([
        sum(weight * order[s + gap : s + gap + length].mean() for gap, length, weight in placed)
        - order[s - before : s].mean()
        for s in range(before, nb - reach + 1)
    ])
    square = float((changes**2).mean())
    stride = max(1, min(length for _, length, _ in placed) // 4)
    alike = 1.0
    for lag in range(stride, min(before + reach, len(changes) // 2), stride):
        alike += 2 * stride * float((changes[lag:] * changes[:-lag]).mean() / square) ** 2
    usual = max(math.sqrt(square), 0.001 * history.std(ddof=1))
    return {
        "shift": float(shift),
        "relative": float(shift / abs(reference)),
        "z": float(abs(shift) / (usual + 0.001 * abs(history.mean()))),
        "degrees": min((nb - before) / asked, len(changes) / alike),
    }


def scores(name, x, windows, baseline):
    stretches = apart(baseline, windows)
    inside, before = values(x, rows_of(windows)), values(x, rows_of(stretches))
    shift = float(inside.mean() - before.mean())
    beyond = (inside > before.mean()) if shift > 0 else (inside < before.mean())
    low, median, high = np.quantile(before, [0.25, 0.5, 0.75])
    steps_inside, steps_before = differences(x, windows), differences(x, stretches)
    return {
        "name": name,
        "metric": x,
        "windows": windows,
        "baseline": baseline,
        "n_sigma": float(abs(shift) / before.std(ddof=1)),
        "volume": float(100 * abs(shift / before.mean()) * beyond.mean()),
        "ks_levels": float(ks_2samp(before, inside).statistic),
        "ks_differences": float(ks_2samp(steps_before, steps_inside).statistic) if len(steps_inside) else None,
        "baro": float(np.max(np.abs(inside - median)) / (high - low)),
        "change": change(x, windows, stretches),
    }


def with_gaps(x, share):
    return [None if random.random() < share else v for v in x]


def moved(x, start, end, by):
    return [v if v is None or not start <= row < end else round(v + by, 4) for row, v in enumerate(x)]


SCORES = [
    scores("noise", noise(120, level=10), [[100, 120]], [0, 100]),
    scores("noise that rose", moved(noise(120, level=10), 100, 120, 4), [[100, 120]], [0, 100]),
    scores("noise that fell, below 0", moved(noise(120, level=-10), 100, 120, -4), [[100, 120]], [0, 100]),
    scores("whole numbers, many alike", [float(v) for v in random.poisson(3, 90)], [[70, 90]], [0, 70]),
    scores("60 rows before 5", moved(noise(65, 0.5, 100, 3), 60, 65, 9), [[60, 65]], [0, 60]),
    scores("10 rows before 5", noise(15, 0.0, 5), [[10, 15]], [0, 10]),
    scores("6 rows before 1", noise(7, 0.0, 5), [[6, 7]], [0, 6]),
    scores("a window longer than the history", noise(100, 0.9, 5), [[30, 100]], [0, 30]),
    scores("slow", noise(300, 0.98, 50), [[270, 300]], [0, 270]),
    scores("wandering", noise(300, 1.0, 50), [[250, 300]], [0, 250]),
    scores("the baseline follows", moved(noise(120, 0.7, 10), 0, 20, 6), [[0, 20]], [20, 120]),
    scores("the baseline is far away", noise(200, 0.9, 10), [[180, 200]], [20, 120]),
    scores("so far that it cannot be placed", noise(200, 0.9, 10), [[190, 200]], [0, 40]),
    scores("the window is within the baseline", moved(noise(150, 0.3, 10), 70, 90, 3), [[70, 90]], [0, 150]),
    scores("two windows", moved(noise(160, 0.6, 10), 100, 115, 5), [[100, 115], [130, 160]], [0, 100]),
    scores("windows on both sides", noise(160, 0.6, 10), [[10, 30], [140, 150]], [30, 140]),
    scores("gaps", with_gaps(moved(noise(160, 0.5, 10), 130, 160, 2), 0.2), [[130, 160]], [0, 130]),
    scores("gaps, two windows", with_gaps(noise(200, 0.8, 10), 0.4), [[120, 140], [170, 200]], [0, 110]),
    scores("large", [v * 1e9 for v in noise(80, 0.5, 3)], [[60, 80]], [0, 60]),
    scores("small", [v * 1e-9 for v in noise(80, 0.5, 3)], [[60, 80]], [0, 60]),
]

write(
    "change/scores.json",
    oracle=f"scipy {scipy.__version__}, numpy {np.__version__}, a plain loop for the change score",
    tolerance={"relative": 1e-9},
    reason="Sums of a few hundred terms; values without their last 12 bits.",
    conventions="windows and baseline are rows, the last one not included; null is a gap, or no score."
    " Formulas: docs/methods/change-correlators.md.",
    cases=SCORES,
)

# ---- wandering -----------------------------------------------------------------------------


def dickey_fuller(name, x):
    lags = min(int(12 * (len(x) / 100) ** 0.25), 24, len(x) // 2 - 2)
    statistic, _, used, steps, critical, *_ = adfuller(x, maxlag=lags, regression="c", autolag=None)
    few, _, few_lags, *_ = adfuller(x, maxlag=1, regression="c", autolag=None)
    none, *_ = adfuller(x, maxlag=0, regression="c", autolag=None)
    assert used == lags and few_lags == 1
    return {
        "name": name,
        "x": x,
        "lags": lags,
        "steps": int(steps),
        "statistic": float(statistic),
        "critical": float(critical["5%"]),
        "with_one_lag": float(few),
        "without_lags": float(none),
    }


write(
    "change/dickey_fuller.json",
    oracle=f"statsmodels {statsmodels.__version__}",
    tolerance={"relative": 1e-7},
    reason="Normal equations against statsmodels' pseudo-inverse.",
    conventions="lags is floor(12 (n/100)^(1/4)), at most 24 and n/2 - 2; critical is at 5%.",
    cases=[
        dickey_fuller(f"memory {memory}, {n} rows", noise(n, memory, level))
        for n in (20, 60, 300, 800)
        for memory, level in ((0.0, 0.0), (0.9, 50.0), (0.98, 1000.0), (1.0, 0.0), (-0.5, 3.0))
    ]
    + [
        dickey_fuller("a trend", [round(0.1 * t + v, 4) for t, v in enumerate(noise(200))]),
        dickey_fuller("a step", [v + (20.0 if t > 150 else 0.0) for t, v in enumerate(noise(200))]),
        dickey_fuller("large", [v * 1e12 for v in noise(150, 0.95, 10)]),
    ],
)
