"""Vectors for bands: uniform samples in order within bounds, and the level at which all of them hold.

Three oracles that share nothing with Fathom's sums: Steck's determinant in many digits, scipy's exact
Kolmogorov distribution, and for many samples a plain recursion over a binomial number of arrivals.
"""

import sys

import numpy
import scipy
from common import beta_quantile, oracle_mpmath, write
from mpmath import mp, mpf
from scipy import special, stats

sys.dont_write_bytecode = True


def steck(lower, upper):
    """P(lower[k] <= U(k) <= upper[k] for all k): n! det of (u_i - l_j)^(j-i+1) / (j-i+1)!.

    The matrix has ones below its diagonal and zeros below those, so its determinant is a recursion.
    """
    n = len(lower)
    digits = mp.dps
    # The terms alternate and are far larger than their sum.
    mp.dps = digits + 2 * n
    try:
        minors = [mpf(1)]
        for k in range(n):
            total = mpf(0)
            for i in range(k + 1):
                power = k - i + 1
                entry = max(mpf(0), upper[i] - lower[k]) ** power / mp.factorial(power)
                total += (-1) ** (k - i) * entry * minors[i]
            minors.append(total)
        return minors[n] * mp.factorial(n)
    finally:
        mp.dps = digits


def equal_bounds(n, tail):
    """Between which the k-th smallest of n lies but for a tail on each side."""
    lower, upper = [], []
    for k in range(1, n + 1):
        x, _ = beta_quantile(k, n + 1 - k, tail, 1 - tail)
        lower.append(x)
    for bound in reversed(lower):
        upper.append(1 - bound)
    return lower, upper


def secant(excess, before, here, enough):
    """The root of a function that is nearly a straight line."""
    at_before = excess(before)
    while abs(here - before) > enough:
        at_here = excess(here)
        before, at_before, here = here, at_here, here - at_here * (here - before) / (at_here - at_before)
    return here


def local_tail(n, confidence):
    """The tail with which every sample is within its bounds with the confidence."""
    error = 1 - mpf(confidence)

    def excess(log_tail):
        return mp.log(-mp.log(steck(*equal_bounds(n, mp.exp(log_tail))))) - mp.log(-mp.log(1 - error))

    start = mp.log(error / 2)
    return mp.exp(secant(excess, start, start - mp.log(1 + mp.log(n + 1)), mpf(10) ** -25))


def many_within(lower, upper):
    """The same for many samples, in doubles: from bound to bound, the number of samples so far.

    Given k of n so far, how many of the rest arrive until the next bound is binomial.
    """
    n = len(lower)
    events = sorted([(bound, 0) for bound in lower] + [(bound, 1) for bound in upper])
    mass = numpy.zeros(n + 1)
    mass[0] = 1.0
    time, least, most = 0.0, 0, 0
    for bound, is_upper in events:
        share = (bound - time) / (1.0 - time) if time < 1.0 else 0.0
        time = bound
        here = numpy.arange(least, most + 1)
        carried = numpy.zeros(most - least + 1)
        # Arrivals beyond these have less than 1e-20 of probability.
        rate = (n - least) * share
        for added in range(min(most - least, int(rate + 12 * rate**0.5 + 30)) + 1):
            from_counts = here[: len(here) - added]
            terms = special.binom(n - from_counts, added) * share**added
            terms *= (1.0 - share) ** (n - from_counts - added)
            carried[added:] += mass[from_counts] * terms
            if added > 5 + rate and terms.max(initial=0.0) < 1e-20:
                break
        mass[least : most + 1] = carried
        if is_upper:
            mass[least] = 0.0
            least += 1
        else:
            most += 1
    return mass[n]


def many_local_tail(n, confidence):
    ranks = numpy.arange(1, n + 1)

    def excess(log_tail):
        lower = special.betaincinv(ranks, n + 1 - ranks, numpy.exp(log_tail))
        return numpy.log(-numpy.log(many_within(lower, 1.0 - lower[::-1]))) - numpy.log(-numpy.log(confidence))

    start = numpy.log((1.0 - confidence) / 2 / (1 + numpy.log(n)))
    return float(numpy.exp(secant(excess, start, start - 0.4, 1e-9)))


def kolmogorov_cases():
    # Beyond 140 samples scipy's is an approximation, of five digits.
    for n in (1, 2, 3, 5, 10, 20, 50, 100, 140):
        for p in (0.05, 0.5, 0.9, 0.95, 0.99, 0.999):
            d = float(stats.kstwo.ppf(p, n))
            yield {"n": n, "d": d, "probability": float(stats.kstwo.cdf(d, n))}


def bounds_cases():
    for n in (1, 2, 3, 4, 7, 12, 25, 60):
        for shape in range(3):
            lower = [((k + 0.3) / (n + 1 + shape)) ** (1 + 0.4 * shape) * 0.8 for k in range(n)]
            upper = [1 - ((n - k - 0.5) / (n + shape + 1)) ** (1.5 - 0.2 * shape) * 0.7 for k in range(n)]
            upper = [max(one, low + 0.02) for one, low in zip(upper, lower)]
            upper = [float(one) for one in numpy.maximum.accumulate(upper)]
            probability = steck([mpf(x) for x in lower], [mpf(x) for x in upper])
            yield {"lower": lower, "upper": upper, "probability": probability}


def main():
    write("bands/kolmogorov.json", f"scipy {scipy.__version__}, stats.kstwo", {"relative": 1e-9},
          "scipy computes these to about 1e-12, up to n = 140.",
          "probability is P(D <= d), D the largest distance of the empirical distribution function of n"
          " samples from the true one: every U(k) between k/n - d and (k - 1)/n + d.",
          list(kolmogorov_cases()))
    write("bands/within.json", oracle_mpmath("Steck's determinant"), {"relative": 1e-11, "absolute": 1e-15},
          "Sums of positive terms in doubles.",
          "probability is P(lower[k] <= U(k) <= upper[k] for every k) of uniform samples in order.",
          list(bounds_cases()))
    cases = [{"n": n, "c": c, "tail": local_tail(n, c)}
             for n in (1, 2, 3, 5, 10, 20, 50) for c in (0.5, 0.8, 0.95, 0.975, 0.99, 0.999)]
    cases.append({"n": 100, "c": 0.95, "tail": local_tail(100, 0.95)})
    write("bands/local_tail.json", oracle_mpmath("Steck's determinant, secant"), {"relative": 1e-7},
          "Fathom stays on the safe side by 1e-8.",
          "With each order statistic of n outside its two Beta quantiles with probability tail on each"
          " side, all of them are inside with probability c.",
          cases)
    write("bands/local_tail_large.json",
          f"numpy {numpy.__version__}, scipy {scipy.__version__}: binomial arrivals from bound to bound",
          {"below": 0.04, "above": 1e-6},
          "Beyond 1024 samples Fathom continues from three smaller sizes, on the safe side.",
          "As local_tail.json. Fathom's tail may be smaller by that share, and not larger.",
          [{"n": n, "c": c, "tail": many_local_tail(n, c)}
           for n, c in ((500, 0.95), (1024, 0.95), (2000, 0.8), (2000, 0.95), (2000, 0.99), (8000, 0.95))])


if __name__ == "__main__":
    main()
