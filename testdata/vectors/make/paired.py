"""paired/: one look at paired blocks, the classic tests, and how many more blocks are needed.

Pairwise averages are all formed, as fractions; the guard is numpy, the classic tests are scipy's. The
rules are those of docs/methods/compare.md.
"""

import math
from fractions import Fraction
from functools import cache

import numpy
import scipy
from mpmath import mp, mpf
from scipy import stats

from common import normal_quantile, oracle_mpmath, to_double, write
from signed_rank import COUNTED, EXACT, NEAR, probability, rank


# ---- one look at given log-ratios ----------------------------------------------------------


def walsh(d):
    """All pairwise averages, as fractions, in order."""
    exact = [Fraction(x) for x in d]
    return sorted((a + b) / 2 for i, a in enumerate(exact) for b in exact[i:])


def middle(ordered):
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def guard(d):
    """Rule 7: lag1, tau and t; lag1 is None where there is no spread."""
    d = numpy.array(d)
    n = len(d)
    centre = numpy.median(d)
    reach = 3 * 1.4826 * numpy.median(numpy.abs(d - centre))
    drawn_in = numpy.clip(d, centre - reach, centre + reach)
    if n < 2 or drawn_in.max() == drawn_in.min():
        return {"lag1": None, "tau": None, "thinness": 1.0}
    away = drawn_in - drawn_in.mean()
    most = min(n // 4, 100)

    def rho(lag):
        return float(numpy.dot(away[: n - lag], away[lag:]) / numpy.dot(away, away))

    lag1 = rho(1)
    assert abs(lag1 * math.sqrt(n) - 0.5) > NEAR
    if lag1 * math.sqrt(n) <= 0.5:
        return {"lag1": lag1, "tau": None, "thinness": 1.0}
    # Lags beyond the limit are not counted, but for lag 1, without which there is no first pair.
    within = [1.0] + [rho(lag) for lag in range(1, max(most, 1) + 1)] + [0.0]
    total = 0.0
    for even in range(0, most + 1, 2):
        pair = within[even] + within[even + 1]
        assert abs(pair) > NEAR
        if pair <= 0:
            break
        total += pair
    tau = -1 + 2 * total
    held = max(1.0, tau)
    return {"lag1": lag1, "tau": tau, "thinness": held * (1 + 6 * held / n)}


def look(d, alpha, tick=0.0, averages=None):
    """One look: estimate, interval with guard and tick, p-value; ends are None where infinite."""
    n = len(d)
    averages = walsh(d) if averages is None else averages
    estimate = middle(averages)
    found = guard(d)
    widening = Fraction(math.sqrt(found["thinness"]))
    k = rank(n, alpha)

    def ends(k):
        low, high = averages[k - 1], averages[len(averages) - k]
        return (estimate - widening * (estimate - low) - Fraction(tick),
                estimate + widening * (high - estimate) + Fraction(tick))

    # The smallest level at which zero is left out: that of the first rank that does it.
    leaves_out = (k for k in range(1, len(averages) // 2 + 1) if ends(k)[0] > 0 or ends(k)[1] < 0)
    first = next(leaves_out, None)
    p = 1.0 if first is None else min(1.0, float(to_double(2 * probability(n, first - 1))))
    worth = n / found["thinness"]
    assert found["thinness"] == 1 or abs(worth - 20) > NEAR
    return {
        "n": n, "k": k, "estimate": estimate,
        "plain": [averages[k - 1], averages[len(averages) - k]] if k else None,
        "interval": list(ends(k)) if k else None,
        "p_value": p, "may_decide": not (found["thinness"] > 1 and worth < 20), **found,
    }


def rounded(values):
    return [round(float(value), 6) for value in values]


def autoregressive(n, phi, sd, seed):
    noise, value, values = numpy.random.default_rng(seed), 0.0, []
    for _ in range(n):
        value = phi * value + noise.normal(0, sd)
        values.append(value)
    return rounded(values)


def normal(n, mean, sd, seed):
    return rounded(numpy.random.default_rng(seed).normal(mean, sd, n))


D1 = [0.012, -0.003, 0.008, 0.021, -0.011, 0.005, 0.017, 0.002, -0.006, 0.009]
D2 = [0.031, 0.024, 0.018, 0.029, 0.350, 0.022, 0.027, 0.019, 0.025, 0.021]
TIES = [0.0, 0.0, 0.01, 0.01, -0.01, 0.0, 0.02, 0.01, 0.0, 0.01]
GUARDED = [0.01, 0.012, 0.011, 0.009, 0.002, -0.001, -0.003, -0.002, 0.001, 0.004, 0.008, 0.011, 0.013, 0.010,
           0.006, 0.001]

SERIES = {
    "design d1": D1,
    "design d2": D2,
    "design ties": TIES,
    "design guard": GUARDED,
    "one": [0.02],
    "two": [0.02, -0.01],
    "five": [0.02, 0.01, 0.03, 0.015, 0.012],
    "six, all slower": [0.021, 0.011, 0.032, 0.0155, 0.0125, 0.04],
    "seven, negative": [-0.021, -0.011, 0.002, -0.0155, -0.0125, -0.04, -0.009],
    "all zero": [0.0] * 12,
    "constant": [0.01] * 9,
    "half of them equal": [0.01, 0.01, -0.02, 0.01, 0.03, 0.01, 0.01, -0.005, 0.01, 0.04, 0.01, 0.01],
    "alternating": [0.01 * (-1) ** i + 0.001 * i for i in range(20)],
    "a slope": rounded(0.001 * i - 0.008 for i in range(24)),
    "a slope of 450": rounded(0.0001 * i for i in range(450)),
    "normal 10": normal(10, 0.01, 0.02, 1),
    "normal 15": normal(15, -0.03, 0.02, 2),
    "normal 22": normal(22, 0.004, 0.02, 3),
    "normal 34": normal(34, 0.0, 0.02, 4),
    "normal 50": normal(50, 0.005, 0.02, 5),
    "normal 51": normal(51, -0.004, 0.02, 6),
    "normal 100": normal(100, 0.001, 0.02, 7),
    "normal 200": normal(200, 0.002, 0.02, 8),
    "normal 250": normal(250, -0.003, 0.02, 9),
    "t3 60": rounded(0.01 * x + 0.003 for x in numpy.random.default_rng(10).standard_t(3, 60)),
    "skewed 40": rounded(x / 50 - 0.01 for x in numpy.random.default_rng(11).exponential(1, 40)),
    "two states 48": rounded((i // 8 % 2) * 0.02 - 0.005 + 0.0001 * (i * i % 31) for i in range(48)),
    "phi .5, 30": autoregressive(30, 0.5, 0.01, 12),
    "phi .5, 80": autoregressive(80, 0.5, 0.01, 13),
    "phi .8, 33": autoregressive(33, 0.8, 0.01, 14),
    "phi .8, 150": autoregressive(150, 0.8, 0.01, 15),
    "phi .95, 120": autoregressive(120, 0.95, 0.01, 16),
    "phi .9, 500": autoregressive(500, 0.9, 0.01, 17),
    "phi -.5, 60": autoregressive(60, -0.5, 0.01, 18),
    "a burst in phi .5": [*autoregressive(20, 0.5, 0.01, 19), 3.5, 2.9, *autoregressive(20, 0.5, 0.01, 20)],
}

LOOK_LEVELS = [Fraction(text) for text in ("0.2", "0.05", "0.02", "0.015", "0.0075", "1/300")]


def write_pieces():
    cases = []
    for name, d in SERIES.items():
        cases.append({"name": name, "d": d, **guard(d)})
    at = {case["name"]: case for case in cases}["design guard"]
    assert (round(at["lag1"], 4), round(at["tau"], 4), round(at["thinness"], 3)) == (0.7634, 2.8245, 5.816)
    assert sum(case["tau"] is not None for case in cases) > 10
    write("paired/guard.json", f"numpy {numpy.__version__}, the formula written out; the design's numbers are met",
          {"relative": 1e-9, "absolute": 1e-12}, "Sums of a few hundred terms of either sign.",
          "d drawn in to median +- 3 * 1.4826 MAD; rho with the mean of all and the sum of squares of all; if"
          " lag1 sqrt(n) > 1/2: tau = -1 + 2 sum of (rho_2m + rho_2m+1) while positive, lags beyond min(n div 4, 100)"
          " taken as 0 (lag 1 never), thinness = t (1 + 6 t / n), t = max(1, tau); else tau = null, thinness = 1."
          " lag1 = null: no spread.",
          cases)

    cases = []
    for name, d in SERIES.items():
        averages = walsh(d) if len(d) <= 250 else None
        if averages is None:
            continue
        for alpha in LOOK_LEVELS:
            for tick in (0.0, 0.00103) if alpha in (Fraction("0.05"), Fraction("0.015")) else (0.0,):
                cases.append({"name": name, "alpha": alpha, "tick": tick, **look(d, alpha, tick, averages)})
    for name, alpha, k, estimate, low, high in (
        ("design d1", 0.05, 9, 0.0055, -0.002, 0.013),
        ("design d1", 0.015, 5, 0.0055, -0.0045, 0.015),
        ("design d2", 0.015, 5, 0.025, 0.020, 0.1875),
        ("design ties", 0.015, 5, 0.005, -0.005, 0.015),
        ("design ties", 0.02, 6, 0.005, 0.0, 0.01),
    ):
        case = next(case for case in cases if (case["name"], float(case["alpha"]), case["tick"]) == (name, alpha, 0))
        found = [case["estimate"], *case["plain"]]
        assert case["k"] == k and all(abs(a - b) < 1e-15 for a, b in zip(found, (estimate, low, high))), case
    write("paired/look.json",
          f"brute force: all pairwise averages as fractions, {COUNTED}; guard: numpy {numpy.__version__};"
          " the design's numbers are met",
          {"ranks": 0, "relative": 1e-12, "relative_where_widened": 1e-9},
          "An average is rounded once, and the estimate again; the guard's sums cost a few digits. Relative to the"
          " largest abs d.",
          "d by name: guard.json. estimate: median of the averages; plain: the k-th smallest and largest, null for"
          " k = 0 (infinite); interval: its half widths times sqrt(thinness), then tick outwards; p_value: the"
          " smallest level whose interval leaves out 0, at most 1; may_decide: at a look before the last.",
          cases)

    cases = []
    for name, d in SERIES.items():
        sizes = [abs(x) for x in d]
        if len(d) < 2 or 0.0 in sizes or len(set(sizes)) < len(sizes) or len(d) > EXACT:
            continue
        if guard(d)["thinness"] > 1:
            # The order is what the guard looks at, and nothing else: by size, alternating from both ends.
            ordered = sorted(d)
            d = [ordered[i // 2] if i % 2 == 0 else ordered[-1 - i // 2] for i in range(len(d))]
            if guard(d)["thinness"] > 1:
                continue
        found = stats.wilcoxon(d, method="exact")
        counted = min(1, 2 * probability(len(d), int(found.statistic)))
        assert abs(counted - Fraction(float(found.pvalue))) < 1e-15
        cases.append({"name": name, "d": d, "statistic": int(found.statistic), "p_value": float(found.pvalue)})
    assert len(cases) > 12
    write("paired/wilcoxon.json", f"scipy {scipy.__version__}: stats.wilcoxon(method='exact')",
          {"relative": 1e-10, "absolute": 1e-15},
          "scipy forms one tail as 1 minus the other, which leaves an absolute error. An error counts when it exceeds"
          " both.",
          "No zeros, no ties, and an order that the guard leaves alone. statistic: the smaller of the two rank sums.",
          cases)


# ---- the classic tests ---------------------------------------------------------------------


def write_classic():
    cases = []
    for name, d in SERIES.items():
        slower, faster = sum(x > 0 for x in d), sum(x < 0 for x in d)
        sign = stats.binomtest(slower, slower + faster).pvalue if slower + faster else 1.0
        case = {"name": name, "slower": slower, "faster": faster, "sign_p": float(sign), "mean_ln": []}
        for c in (0.9, 0.95, 0.99) if len(d) > 1 else ():
            if max(d) == min(d):
                row = {"c": c, "mean": d[0], "lower": d[0], "upper": d[0], "t": None, "p_value": None}
            else:
                found = stats.ttest_1samp(d, 0.0)
                ends = found.confidence_interval(c)
                row = {"c": c, "mean": float(numpy.mean(d)), "lower": float(ends.low), "upper": float(ends.high),
                       "t": float(found.statistic), "p_value": float(found.pvalue)}
            case["mean_ln"].append(row)
        cases.append(case)
    write("paired/classic.json", f"scipy {scipy.__version__}: stats.ttest_1samp, stats.binomtest",
          {"relative": 1e-9, "relative_to": "the largest abs d for mean and ends"},
          "Doubles on both sides; a mean near 0 is a small difference of large sums.",
          "d by name: guard.json. The sign test leaves out zeros. mean_ln is empty for a single value; t and p_value"
          " are null without spread.",
          cases)


def write_wilcoxon_as_printed():
    """scipy's defaults, which choose the law by size, ties and zeros: what a user of scipy would see."""
    series = {name: d for name, d in SERIES.items() if len(d) > 1 and any(d)}
    for n in (6, 12, 13, 14, 50, 51, 120):
        grid = [((7 * i * i + 3 * i) % 23 - 9) / 100 for i in range(n)]
        series[f"ties and zeros, {n}"] = grid
        series[f"no ties, {n}"] = [x + (i + 1) * 1e-5 for i, x in enumerate(grid)]
    cases = []
    for name, d in series.items():
        found = stats.wilcoxon(d)
        cases.append({"name": name, "d": d, "p_value": float(found.pvalue)})
    write("paired/wilcoxon_as_printed.json", f"scipy {scipy.__version__}: stats.wilcoxon(d)",
          {"relative": 1e-10, "absolute": 1e-15},
          "scipy forms one tail as 1 minus the other, which leaves an absolute error. An error counts when it exceeds"
          " both.",
          "Two-sided, scipy's defaults: zeros dropped; exact up to 50 values without zeros and ties, all signs up to"
          " 13 values with them, else normal with tie correction, without continuity correction.",
          cases)


# ---- how many more -------------------------------------------------------------------------


def write_further():
    z = cache(lambda alpha: -normal_quantile(mpf(alpha.numerator) / alpha.denominator / 2))
    cases = []
    margins = [0.0, 0.009950330853168083, 0.05]
    estimates = [0.0, 0.001, -0.004, 0.0095, 0.02, -0.2]
    levels = [(Fraction("0.05"), Fraction("0.005")), (Fraction("0.02"), Fraction("0.005")),
              (Fraction(1, 300), Fraction(1, 300))]
    for n, half in ((10, 0.03), (34, 0.02), (1000, 0.0012), (50, 0.0), (5, None)):
        for estimate in estimates:
            for spent, coming in levels:
                ends = None if half is None else [estimate - half, estimate + 1.5 * half]
                scale = None
                if half is not None:
                    width = mpf(ends[1]) - mpf(ends[0])
                    scale = (z(coming) + mpf("0.84")) * width / 2 * mp.sqrt(n) / z(spent)
                size = abs(mpf(estimate))
                for margin in margins:
                    blocks = None
                    if scale:
                        ways = [(scale / size) ** 2] if size else []
                        ways += [(scale / (mpf(margin) - size)) ** 2] if size < margin else []
                        if ways and (least := min(ways)) < 10**9:
                            assert abs(least - mp.nint(least)) > NEAR * least or n + 1 > least
                            blocks = max(n + 1, int(mp.ceil(least)))
                    cases.append({"n": n, "estimate": estimate, "interval": ends, "margin": margin, "spent": spent,
                                  "coming": coming, "blocks": blocks,
                                  "detectable": None if scale is None else [scale / mp.sqrt(b) for b in (20, 4000)]})
    assert any(case["blocks"] == case["n"] + 1 for case in cases)
    write("paired/further.json", oracle_mpmath("rule 8 of the design"), {"blocks": 0, "relative": 1e-10},
          "Whole blocks, none close to a step; the rest is two normal quantiles and a few products.",
          "h: half the width of the interval (null: infinite); s = h sqrt(n) / z(spent); blocks: the smaller of"
          " ((z(coming) + .84) s / abs(estimate))^2 and, if abs(estimate) < margin, the same with margin -"
          " abs(estimate), up to a whole number and n + 1 at least; null: h = 0 or infinite, or 1e9 or more."
          " detectable: (z(coming) + .84) s / sqrt(blocks) for 20 and 4000 blocks, null where infinite.",
          cases)


def main():
    write_pieces()
    write_classic()
    write_wilcoxon_as_printed()
    write_further()


if __name__ == "__main__":
    main()
