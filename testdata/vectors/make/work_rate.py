"""Vectors for work per second: rate, set-up, their intervals, curvature.

statsmodels fits the line and gives the HC3 variances (HC2 for the curvature). Degrees of freedom come from whole matrices
of all runs, the thinness from plain loops, quantiles from scipy.
"""

import math
import sys

import numpy
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import stats

from common import write
from dependence import thinness

sys.dont_write_bytecode = True


def noise(i, a, b, modulus):
    """A number between -1 and 1 that a reader can make anywhere."""
    return 2.0 * ((a * i * i + b * i) % modulus) / modulus - 1.0


def rounds(amounts, n):
    """Amounts in an order without a trend, each of them once in a round."""
    k = len(amounts)
    return [float(amounts[(7 * i + i // k * 3) % k]) for i in range(n)]


def autoregressive(n, phi):
    values, y = [], 0.0
    for i in range(n):
        y = phi * y + noise(i, 7, 1, 103)
        values.append(y)
    return values


def series():
    ten = list(range(1, 11))
    wide = [1, 10, 100]
    yield "five runs", [50.0, 100.0, 150.0, 200.0, 250.0], [162.0, 233.0, 324.0, 417.0, 572.0]
    yield "three runs", [1.0, 2.0, 3.0], [1.1, 2.0, 3.2]
    x = rounds(ten, 12)
    yield "twelve runs", x, [5.0 + 2.0 * w + 0.3 * noise(i, 11, 3, 107) for i, w in enumerate(x)]
    x = rounds(ten, 50)
    yield "additive noise", x, [0.8 + 0.25 * w + 0.1 * noise(i, 7, 1, 101) for i, w in enumerate(x)]
    x = rounds(wide, 30)
    yield "proportional noise", x, [
        (0.02 + 0.01 * w) * (1 + 0.1 * noise(i, 5, 1, 109)) for i, w in enumerate(x)
    ]
    x = rounds(wide, 160)
    yield "many runs", x, [
        (0.2 + 0.01 * w) * (1 + 0.1 * noise(i, 5, 1, 109)) for i, w in enumerate(x)
    ]
    x = rounds([1, 2], 21)
    yield "two amounts", x, [3.0 + w + 0.2 * noise(i, 3, 1, 89) for i, w in enumerate(x)]
    x = rounds(ten, 60)
    yield "skewed", x, [
        1.0 + 0.5 * w + max(0.0, noise(i, 13, 1, 97)) ** 4 for i, w in enumerate(x)
    ]
    x = [float(i + 1) for i in range(100)]
    yield "ascending, dependent", x, [
        10.0 + 0.5 * w + e for w, e in zip(x, autoregressive(100, 0.5))
    ]
    x = rounds(ten, 200)
    yield "random order, dependent", x, [
        4.0 + 0.3 * w + e for w, e in zip(x, autoregressive(200, 0.9))
    ]
    x = rounds(ten, 40)
    yield "curved", x, [2.0 + 0.05 * w * w + 0.1 * noise(i, 7, 1, 101) for i, w in enumerate(x)]
    x = rounds([1e9, 3e9, 5e9], 24)
    yield "large amounts", x, [1e-3 + 2e-12 * w + 1e-4 * noise(i, 7, 3, 83) for i, w in enumerate(x)]
    x = rounds(ten, 24)
    yield "no slope", x, [5.0 - 0.01 * w + 0.3 * noise(i, 11, 3, 107) for i, w in enumerate(x)]


def changes_slowly(work):
    """Whether neighbours have ranks half as far apart as in random order, or nearer."""
    ranks = stats.rankdata(work)
    return numpy.sum(numpy.diff(ranks) ** 2) <= numpy.sum((ranks - ranks.mean()) ** 2)


def setup_needs(line, c):
    """How many runs show two stalls of one run in twenty with probability c; None if there are enough."""
    weights = numpy.linalg.pinv(line)[0]
    raising = weights[weights > 0]
    worth = raising.sum() ** 2 / numpy.sum(raising**2)
    least = next(n for n in range(2, 1000) if stats.binom.cdf(1, n, 0.05) <= 1 - c)
    return math.ceil(len(weights) * least / worth) if worth < least else None


def freedom(design, shares, variances):
    rest = numpy.eye(len(shares)) - design @ numpy.linalg.pinv(design)
    covariance = rest @ numpy.diag(variances) @ rest
    weighted = numpy.diag(shares) @ covariance
    return numpy.trace(weighted) ** 2 / numpy.trace(weighted @ weighted)


def uncertainty(design, column, y, dependent, kind="HC3"):
    """The estimate of a column's factor, and what is known of its error."""
    n = len(y)
    fit = sm.OLS(y, design).fit(cov_type=kind)
    weights = numpy.linalg.pinv(design)[column]
    leverage = fit.get_influence().hat_matrix_diag
    factors = weights / (1 - leverage) ** (1.0 if kind == "HC3" else 0.5)
    parts = factors * fit.resid
    is_judged = dependent and n >= 20
    tau = thinness(list(parts))["tau"] if is_judged else 1.0
    work = design[:, 1]
    alike, growing = numpy.ones(n), work**2
    cases = (alike, growing) if kind == "HC3" else (alike,)
    degrees = min(freedom(design, factors**2, case) for case in cases)
    if kind == "HC3":
        degrees *= 0.75
    if is_judged:
        degrees = min(degrees, 0.5 * n)
    variance = fit.bse[column] ** 2
    return {
        "value": fit.params[column],
        "variance": variance * tau,
        "freedom": max(1.0, degrees / tau),
        "tau": tau,
        "skew": numpy.sum(parts**3) / variance * tau,
        "squares": numpy.sum(fit.resid**2),
    }


def ends(known, c):
    tail = (1 - c) / 2
    even = -stats.t.ppf(tail, known["freedom"]) * known["variance"] ** 0.5
    shift = known["skew"] / 6 * (1 + 2 * stats.norm.ppf(tail) ** 2)
    return known["value"] - even - max(0.0, -shift), known["value"] + even + max(0.0, shift)


def case(name, work, time, dependent, c):
    # In units of the largest, as any least squares of such numbers should be.
    units = max(work), max(time)
    x, y = numpy.array(work) / units[0], numpy.array(time) / units[1]
    line = sm.add_constant(x)
    slope, setup = (uncertainty(line, column, y, dependent) for column in (1, 0))
    per = units[0] / units[1]
    low, high = ends(slope, c)
    setup_ends = [end * units[1] for end in ends(setup, c)]
    found = {
        "name": name,
        "work": work,
        "time": time,
        "dependent": dependent,
        "c": c,
        "lower": per / high,
        "upper": per / low if low > 0 else None,
        "effective": len(x) / slope["tau"],
    }
    in_order = dependent and changes_slowly(work)
    if in_order:
        found |= {"lower": None, "upper": None}
    if slope["value"] <= 0:
        return found | {"rate": None}
    found |= {
        "rate": per / slope["value"],
        "setup": setup["value"] * units[1],
        "squares": slope["squares"] * units[1] ** 2,
        "curvature_p": None,
        "setup_needs": setup_needs(line, c),
    }
    if in_order:
        return found
    if found["setup_needs"]:
        pass
    elif len(x) / setup["tau"] >= 4 or not (dependent and len(x) >= 20):
        found |= {"setup_lower": setup_ends[0], "setup_upper": setup_ends[1]}
    if len(x) > 3 and len(set(work)) > 2:
        # Centred, so that the square is nearly at right angles to the line.
        bend = uncertainty(
            numpy.column_stack([numpy.ones(len(x)), x, (x - x.mean()) ** 2]),
            2,
            y,
            dependent,
            "HC2",
        )
        if len(x) / bend["tau"] >= 4 or not (dependent and len(x) >= 20):
            statistic = abs(bend["value"]) / bend["variance"] ** 0.5
            found["curvature_p"] = 2 * stats.t.sf(statistic, bend["freedom"])
    return found


def main():
    cases = [
        case(name, work, time, dependent, c)
        for name, work, time in series()
        for dependent in (True, False)
        for c in (0.95, 0.99)
        if dependent or c == 0.95
    ]
    write(
        "work_rate/lines.json",
        f"statsmodels {statsmodels.__version__}, numpy {numpy.__version__}, scipy {scipy.__version__}",
        "1e-8; curvature_p 1e-6",
        "HC3 variances (HC2 of the curvature) and degrees of freedom from matrices of all runs",
        "time over work in the order of the runs; dependent: neighbours may depend on each other; "
        "lower, upper: of the rate, both null are no interval, upper is infinite, lower without a rate is the bound of one over "
        "the steepest slope; setup_lower and setup_upper are missing where the set-up time is "
        "declined",
        cases,
    )


if __name__ == "__main__":
    main()
