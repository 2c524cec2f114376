"""paired/: the law of the signed-rank sum, its ranks, and the plan of looks, counted with integers.

The rules are those of docs/methods/compare.md.
"""

from fractions import Fraction
from functools import cache

import numpy
from mpmath import mp, mpf

from common import normal_quantile, normal_tails, oracle_mpmath, write

# A decision this close to its limit can go either way in doubles.
NEAR = 1e-9
# Up to here the law of the signed-rank sum is to be exact.
EXACT = 200

COUNTED = "exact integers (Python): the product of (1 + x^r), r = 1..n, multiplied out"


# ---- the law of the signed-rank sum --------------------------------------------------------


@cache
def law(n):
    """How many of the 2^n assignments of signs give each sum of positive ranks."""
    counts = [1]
    for rank in range(1, n + 1):
        longer = counts + [0] * rank
        for total, count in enumerate(counts):
            longer[total + rank] += count
        counts = longer
    assert sum(counts) == 2**n and counts == counts[::-1]
    return counts


@cache
def _below(n):
    sums, running = [], 0
    for count in law(n):
        running += count
        sums.append(running)
    return sums


def at_most(n, k):
    """P(W <= k), exactly."""
    if k < 0:
        return Fraction(0)
    return Fraction(_below(n)[min(k, n * (n + 1) // 2)], 2**n)


@cache
def exact_rank(n, alpha):
    """The largest k with P(W <= k - 1) <= alpha / 2; alpha is a fraction."""
    k = 0
    while at_most(n, k) <= alpha / 2:
        k += 1
    for near in (at_most(n, k), at_most(n, k - 1)):
        assert near == alpha / 2 or abs(near / (alpha / 2) - 1) > NEAR, (n, alpha)
    return k


def moments(n):
    return mpf(n * (n + 1)) / 4, mp.sqrt(mpf(n * (n + 1) * (2 * n + 1)) / 24)


@cache
def normal_rank(n, alpha):
    mean, sd = moments(n)
    level = mpf(alpha.numerator) / alpha.denominator
    k = mean + mpf(1) / 2 + normal_quantile(level / 2) * sd
    assert abs(k - mp.nint(k)) > NEAR, (n, alpha)
    return int(mp.floor(k)) - (3 if alpha > Fraction("0.08") else 0)


def rank(n, alpha):
    return exact_rank(n, alpha) if n <= EXACT else normal_rank(n, alpha)


def probability(n, k):
    """P(W <= k) as the method is to give it: counted, then normal with continuity correction."""
    if n <= EXACT:
        return at_most(n, k)
    if k >= n * (n + 1) // 2:
        return Fraction(1)
    mean, sd = moments(n)
    return normal_tails((k + mpf(1) / 2 - mean) / sd)[0]


def large_law(n, most):
    """P(W <= k) for k to `most`, where integers would take minutes; 19 digits, errors below 1e-15."""
    law = numpy.zeros(most + 1, dtype=numpy.longdouble)
    law[0] = 1
    for rank in range(1, n + 1):
        law[rank:] += law[:-rank].copy() if rank <= most else 0
        law /= 2
    return numpy.cumsum(law)


def write_law():
    sizes = [*range(1, 13), 15, 20, 22, 25, 30, 33, 40, 50, 51, 60, 74, 99, 100, 111, 150, 167, 199, 200]
    cases = []
    for n in sizes:
        most = n * (n + 1) // 2
        mean, sd = (float(x) for x in moments(n))
        ks = {0, 1, 2, 3, most // 2 - 1, most // 2, most // 2 + 1, most - 2, most - 1, most, most + 7}
        ks |= {round(mean + z * sd) for z in (-8, -6, -5, -4, -3, -2.5, -2, -1.5, -1, -0.5, 0.5, 1, 2, 3, 4)}
        cases += [{"n": n, "k": k, "at_most": at_most(n, k)} for k in sorted(ks) if 0 <= k <= most + 7]
    assert at_most(10, 2) == Fraction(3, 1024)
    write("paired/law.json", COUNTED, {"relative": 1e-12},
          "The oracle is right to the last digit of a double; positive terms are added, so no digits cancel.",
          "W is the sum of those of the ranks 1..n whose coin fell on heads; at_most = P(W <= k).",
          cases)


# What looks spend (sequential comparison at 95%), and levels that are met exactly: 1/16 is 2 P(W <= 0) at n = 5.
LEVELS = [Fraction(text) for text in (
    "1", "1/2", "1/4", "0.2", "1/8", "0.1", "1/16", "0.05", "0.03", "1/32", "0.025", "0.02", "1/60", "0.015",
    "0.01", "1/128", "0.0075", "0.006", "0.005", "0.00375", "1/300", "0.001", "1/1024", "0.0001", "1e-6")]


def write_ranks():
    sizes = [*range(1, 41), 50, 51, 60, 74, 75, 99, 100, 101, 111, 125, 150, 167, 175, 199, 200]
    cases = []
    for n in sizes:
        for alpha in LEVELS:
            k = exact_rank(n, alpha)
            case = {"n": n, "alpha": alpha, "k": k, "below": at_most(n, k - 1)}
            if at_most(n, k - 1) == alpha / 2:
                case["edge"] = True
            cases.append(case)
    write("paired/rank.json", COUNTED, {"ranks": 0, "relative": 1e-12},
          "Ranks are exact. alpha stands for the fraction next to it (0.0033... is 1/300). edge = true: the"
          " probability equals alpha / 2, so that rounding must be allowed for. The tolerance is for below.",
          "k is the largest with P(W <= k - 1) <= alpha / 2, and below that probability; k = 0: none.",
          cases)

    cases = []
    for n in (201, 251, 376, 564, 1000):
        mean, sd = moments(n)
        law = large_law(n, n * (n + 1) // 4)
        for alpha in [level for level in LEVELS if level <= Fraction(1, 4)]:
            k = normal_rank(n, alpha)
            half = float(alpha / 2)
            exact = int(numpy.searchsorted(law, half, side="right"))
            assert all(abs(float(law[at]) / half - 1) > NEAR for at in (exact - 1, exact))
            assert k <= exact, (n, alpha, k, exact)
            cases.append({"n": n, "alpha": alpha, "k": k, "counted": exact, "below": probability(n, k - 1),
                          "counted_below": float(law[k - 1])})
    write("paired/rank_large.json",
          oracle_mpmath("the normal law") + f"; counted: numpy {numpy.__version__}, long doubles",
          {"ranks": 0, "relative": 1e-10, "relative_counted": 1e-12},
          "Beyond n = 200 the normal law with continuity correction is the method, so its ranks are exact too;"
          " counting shows that its ranks are never the larger. Above alpha = .08 they would be, by less than three.",
          "k = floor(n(n+1)/4 + 1/2 - z sd), above alpha = .08 three less; counted: the largest k with P(W <= k - 1) <= alpha / 2;"
          " below and counted_below: P(W <= k - 1) by either, for the k of the normal law.",
          cases)

    cases = []
    for alpha in LEVELS:
        n = 1
        while Fraction(2, 2**n) > alpha:
            n += 1
        assert exact_rank(n, alpha) > 0 and (n == 1 or exact_rank(n - 1, alpha) == 0)
        cases.append({"alpha": alpha, "fewest": n})
    write("paired/fewest.json", COUNTED, {"blocks": 0}, "Whole numbers.",
          "fewest: the smallest n with 2 / 2^n <= alpha.", cases)


# ---- looks ---------------------------------------------------------------------------------


@cache
def plan(most):
    """Rule 2 of the design."""
    first = 10 if most < 100 else 22
    looks, power = [], 0
    # Python rounds halves of a fraction to even, as 22.5 -> 22 of the design wants.
    while (look := round(first * Fraction(3, 2) ** power)) < most:
        looks.append(look)
        power += 1
    if looks and most < Fraction(6, 5) * looks[-1]:
        looks.pop()
    return (*looks, most)


# What all looks before the last spend together; in plans of fewer than 100 blocks less than in the design.
INTERIM = Fraction(3, 5)
INTERIM_OF_SHORT = Fraction(3, 10)


def interim_share(most):
    return (INTERIM if most >= 100 else INTERIM_OF_SHORT) / max(1, len(plan(most)) - 1)


def last_share(most, end):
    """What is left for a last look after `end` blocks: looks not reached have spent nothing."""
    return 1 - interim_share(most) * sum(1 for look in plan(most)[:-1] if look < end)


# Printed in the design: plans (rule 2) and the ranks at their looks ("Vectors").
DESIGN = {
    20: ((10, 15, 20), (5, 18, 44)),
    50: ((10, 15, 22, 34, 50), (3, 15, 47, 144, 398)),
    100: ((22, 33, 50, 74, 100), (47, 134, 364, 895, 1851)),
    1000: ((22, 33, 50, 74, 111, 167, 251, 376, 564, 1000),
           (40, 121, 339, 849, 2118, 5186, 12445, 29262, 68318, 229005)),
}


def write_looks():
    cases = []
    for most in [*range(1, 131), 150, 200, 300, 500, 677, 678, 999, 1000, 1015, 1016, 5000, 10000, 123456]:
        looks = plan(most)
        alpha = Fraction(1, 20)
        # At the looks, just before and just after, and at the end.
        ends = sorted({end for look in looks for end in (look - 1, look, look + 1) if 1 <= end <= most})
        case = {"most": most, "at": looks,
                "alpha_last": alpha * last_share(most, most),
                "ends": [[end, last_share(most, end)] for end in ends]}
        if len(looks) > 1:
            case["alpha_interim"] = alpha * interim_share(most)
            if most >= 100:
                # Rule 3 of the design.
                assert case["alpha_interim"] == Fraction(3, 100) / (len(looks) - 1)
                assert case["alpha_last"] == Fraction(2, 100)
        else:
            case["alpha_interim"] = None
        cases.append(case)
    for most, (looks, _) in DESIGN.items():
        assert plan(most) == looks, most
    write("paired/looks.json", "exact fractions (Python); the plans of the design for 20, 50, 100 and 1000 are met",
          {"relative": 1e-12, "looks": 0}, "Whole numbers, and a few multiplications.",
          "at: round-half-even(n0 1.5^k) below most, then most, without the last before it if most < 1.2 times it;"
          " n0 = 10, 22 from most = 100 on. Looks before the last share .6 of the error, .3 below most ="
          " 100. At 95%: alpha_interim is what each look before the last spends, alpha_last"
          " the last. ends: [blocks, share of the error left for a last look there].",
          cases)

    cases = []
    for most, (looks, printed) in DESIGN.items():
        for look, k in zip(looks, printed):
            alpha = Fraction(3, 100) / (len(looks) - 1) if look < most else Fraction(2, 100)
            found = rank(look, alpha)
            assert found == k if look <= EXACT else found < k, (most, look, k, found)
            cases.append({"most": most, "n": look, "alpha": alpha, "printed": k, "k": found})
    write("paired/design_ranks.json", f"the design (printed); {COUNTED}, to n = 200, then the normal law",
          {"ranks": 0},
          "The printed ranks are counted at every n, also where the design speaks of the normal law; the method counts"
          " to n = 200, then takes the smaller rank of the normal law, which is on the safe side.",
          "alpha: by the design's rule 3; printed: the rank in the design; k: the rank of the method.",
          cases)


def main():
    write_law()
    write_ranks()
    write_looks()


if __name__ == "__main__":
    main()
