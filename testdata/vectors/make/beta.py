"""beta/regularised.json and beta/quantile.json: the incomplete beta function and its inverse."""

import math

import scipy
from scipy import special

from common import DIGITS, beta_quantile, beta_tails, mp, mpf, oracle_mpmath, to_double, write

SMALL = [0.5, 1, 1.5, 2, 5, 10, 50, 100, 500, 1000, 5000, 1e4]
LARGE = [1e5, 1e6]
WITH_LARGE = [0.5, 2, 100, 1e4, 1e5, 1e6]

# Where to look: the inputs x are scipy's rough quantiles at these probabilities. Being inputs, they
# need not be accurate.
LOWER = [1e-300, 1e-100, 1e-12, 1e-3, 0.1, 0.5, 0.9, 0.999]
UPPER = [1e-12, 1e-100, 1e-300]


def points(a, b):
    found = set()
    for p in LOWER:
        found.add(float(special.betaincinv(a, b, p)))
    for p in UPPER:
        found.add(float(special.betainccinv(a, b, p)))
    return sorted(x for x in found if math.isfinite(x) and 1e-305 < x < 1)


def regularised():
    pairs = [(a, b) for a in SMALL for b in SMALL]
    pairs += [(a, b) for a in WITH_LARGE for b in WITH_LARGE if a in LARGE or b in LARGE]
    cases = []
    for a, b in pairs:
        for x in points(a, b):
            # Enough digits for 1 - x to be exact.
            mp.dps = DIGITS if x > 1e-30 else 380
            y = 1 - mpf(x)
            mp.dps = DIGITS
            lower, upper = beta_tails(a, b, x, y)
            if min(lower, upper) < 1e-305:
                continue
            if a <= 100 and b <= 100 and x > 1e-30:
                check = mp.betainc(a, b, 0, x, regularized=True)
                assert abs(check - lower) <= lower * mpf(10) ** -25, (a, b, x)
            cases.append({"a": a, "b": b, "x": x, "lower": lower, "upper": upper})
    smallest = min(min(to_double(case["lower"]), to_double(case["upper"])) for case in cases)
    assert smallest < 1e-298
    write("beta/regularised.json",
          oracle_mpmath("continued fraction on the side of the mean where x lies, checked by mpmath.betainc;"
                        f" inputs x chosen with scipy {scipy.__version__}"),
          {"relative": 1e-10, "relative_for_a_or_b_from_1e5": 1e-9},
          "The oracle is right to the last digit of a double. In doubles the factor x^a (1-x)^b / B(a, b) loses"
          " about a log10(a) units in the last place when it is a small difference of large logarithms; both tails"
          " are held to a relative error, so a tail formed as one minus the other fails.",
          "lower = I_x(a, b), upper = 1 - I_x(a, b). a, b, x are exact doubles.",
          cases)


QA = [0.5, 1, 1.5, 2, 3.7, 10, 22.5, 100, 316, 1000, 3162, 1e4]
QP = [1e-9, 1e-6, 1e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99, 0.999, 1 - 1e-6, 1 - 1e-9]


def quantile():
    cases = []
    for a in QA:
        for b in QA:
            for p in QP:
                x, y = beta_quantile(a, b, p, 1 - mpf(p))
                lower, upper = beta_tails(a, b, x, y)
                assert abs(lower - mpf(p)) < min(mpf(p), 1 - mpf(p)) * mpf(10) ** -30, (a, b, p)
                if b == 1:
                    # I_x(a, 1) = x^a.
                    assert abs(x - mpf(p) ** (1 / mpf(a))) < x * mpf(10) ** -30
                if a == 1:
                    assert abs(y - (1 - mpf(p)) ** (1 / mpf(b))) < y * mpf(10) ** -30
                cases.append({"a": a, "b": b, "p": p, "x": x, "y": y})
    write("beta/quantile.json",
          oracle_mpmath("Newton on the logarithm of the smaller tail, checked by evaluation and closed forms"),
          {"relative": 1e-10},
          "The oracle is right to the last digit of a double; the allowance is for an implementation in doubles.",
          "x with I_x(a, b) = p, and y = 1 - x, each held to a relative error. Near 1 the oracle uses the exact"
          " double p.",
          cases)


if __name__ == "__main__":
    regularised()
    quantile()
