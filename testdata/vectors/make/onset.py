"""onset/rows.json: the row in which a metric changes, by a search through all stretches in numpy.

Fathom finds the best stretch in turns, and the interval from where it begins. Here every stretch is tried,
and the likelihood of every other first row is computed from its definition, with the noise of an
autoregression fitted by solving its equations directly.
"""

import numpy as np

from common import write

RATIO = -2 * np.log(1 - np.sqrt(0.975))
CLEAR = 6.0
LAGS = 4


def inflation(correlations):
    """The largest factor by which dependence increases the variance of a sum, of orders 1 to 4."""
    largest = 1.0
    for order in range(1, len(correlations) + 1):
        r = np.append(1.0, correlations[:order])
        matrix = np.array([[r[abs(i - j)] for j in range(order)] for i in range(order)])
        weights = np.linalg.solve(matrix, r[1:])
        left = 1 - weights @ r[1:]
        largest = max(largest, left / (1 - weights.sum()) ** 2)
    return largest


def noise(left):
    """The variance of a row, and the factor, of what a level leaves."""
    n = len(left)
    sums = np.array([left[: max(n - lag, 0)] @ left[min(lag, n) :] for lag in range(LAGS + 1)])
    if sums[0] == 0:
        return 0.0
    orders = min(max(n // 30, 1), LAGS)
    factor, taken = 1.0, 0.0
    for _ in range(12):
        taken = min(factor / n, 0.5)
        factor = max(1.0, inflation(sums[1 : orders + 1] / sums[0] * (1 - taken) + taken))
    return sums[0] / n / (1 - taken) * factor


def onset(values, window):
    length = window[1] - window[0]
    start = window[0] - length
    before = values[max(0, start - 4 * length) : start]
    x = values[start : window[1]] - before.mean()
    sums = np.append(0.0, np.cumsum(x))
    best = max(
        ((sums[b] - sums[a]) ** 2 / (b - a), a, b) for a in range(len(x)) for b in range(a + 1, len(x) + 1)
    )
    _, a, b = best
    h = (sums[b] - sums[a]) / (b - a)
    variance = max(noise(before - before.mean()), noise(x[a:b] - h))
    if abs(h) < CLEAR * np.sqrt(variance / len(before) + variance / (b - a)):
        return None
    gain = 2 * h * (x - h / 2) / variance
    first = [row for row in range(a) if -gain[row:a].sum() <= RATIO]
    last = [row for row in range(a + 1, b) if gain[a:row].sum() <= RATIO]
    first, last = min(first, default=a), max(last, default=a)
    return None if first == 0 else [start + a, start + first, start + last]


def main():
    rng = np.random.default_rng(20261119)
    cases = []
    for rows, window, changed, height, phi in [
        (400, (300, 340), (300, 400), 6.0, 0.0),
        (400, (300, 340), (305, 330), -3.0, 0.0),
        (400, (300, 340), (290, 340), 2.0, 0.0),
        (400, (300, 340), (310, 340), 8.0, 0.7),
        (900, (500, 600), (505, 900), 1.5, 0.3),
        (900, (500, 600), (480, 560), -4.0, 0.8),
        (200, (100, 112), (103, 112), 5.0, 0.0),
        (400, (300, 340), (300, 340), 0.3, 0.0),
        (400, (300, 340), (230, 400), 6.0, 0.0),
    ]:
        values = np.empty(rows)
        last = 0.0
        for row in range(rows):
            last = phi * last + rng.standard_normal() * np.sqrt(1 - phi * phi)
            values[row] = 50.0 + last
        values[changed[0] : changed[1]] += height
        values = np.round(values, 6)
        cases.append({"values": values.tolist(), "window": list(window), "rows": onset(values, window)})
    write("onset/rows.json",
          f"numpy {np.__version__}: all stretches, equations of the autoregression",
          {"rows": "exact"},
          "Rows are whole numbers; every case is clear enough that rounding does not decide.",
          "values: a metric. window: its first row and the one after its last. rows: the first changed row, and the"
          " first and last row that may be it; null if it is not clear.",
          cases)


main()
