"""check/*.json: deciding whether a probability is at least F: evidence, bounds, limits, exact odds."""

import itertools
from fractions import Fraction

from common import beta_quantile, log_beta_tails, mp, mpf, oracle_mpmath, write
from sequence import log_e

F = [0.1, 0.5, 0.9, 0.99]
C = [0.5, 0.9, 0.95, 0.99]

# A count this close to the limit can go either way in doubles.
NEAR = mpf(10) ** -9


def confidence_cp(m, n, f):
    """(C_CP, positive) by the paper's equations (3) to (5), as written there."""
    # Whether M/N >= F is for the decimal that was written: 1 of 10 is 0.1.
    positive = Fraction(m, n) >= Fraction(str(f))
    f = mpf(f)
    a, b = (f, mpf(1)) if positive else (mpf(0), f)

    def beta(x, x1, x2):
        if x == 0 or x == 1:
            return x
        return mp.exp(log_beta_tails(x1, x2, x, 1 - x)[0])

    if m == 0:
        return (1 - a) ** n - (1 - b) ** n, positive
    if m == n:
        return b**n - a**n, positive
    return beta(b, m + 1, n - m) - beta(a, m, n - m + 1), positive


def paper():
    cases = []
    for n in [1, 2, 3, 5, 10, 22, 30, 100, 500, 1000]:
        for f in F:
            mean, sd = n * f, (n * f * (1 - f)) ** 0.5
            counts = {0, 1, n - 1, n} | {round(mean + z * sd) for z in (-3, -1.5, -1, 0, 1, 1.5, 3)}
            for m in sorted(m for m in counts if 0 <= m <= n):
                reached, positive = confidence_cp(m, n, f)
                cases.append({"n": n, "m": m, "f": f, "reached": reached, "positive": positive})
    write("check/paper.json",
          oracle_mpmath("equations (3) to (5) of the paper"),
          {"relative": 1e-10, "absolute": 1e-13},
          "The oracle is right to the last digit of a double; differences of beta functions cancel in doubles.",
          "reached = C_CP and positive = whether the assertion is positive, after m of n executions satisfied the"
          " property, against the proportion f (an exact double; for M/N >= F the"
          " decimal as written).",
          cases)


def anytime_bound(s, n, threshold):
    """The f at which ln E+ falls to the threshold: by bisection, E+ falls as f grows."""
    if s == 0:
        return mpf(0), mpf(1)
    low, high = mpf(-800), mpf(800)
    while high - low > mpf(10) ** -40:
        middle = (low + high) / 2
        f, g = 1 / (1 + mp.exp(-middle)), 1 / (1 + mp.exp(middle))
        a, b = mpf(1 + s), mpf(1 + n - s)
        log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
        plus = log_beta + log_beta_tails(a, b, f, g)[1] - mp.log(g) - s * mp.log(f) - (n - s) * mp.log(g)
        if plus >= threshold:
            low = middle
        else:
            high = middle
    return 1 / (1 + mp.exp(-low)), 1 / (1 + mp.exp(low))


def bounds():
    cases = []
    for n, s in [(1, 0), (1, 1), (2, 1), (5, 5), (10, 0), (10, 3), (22, 22), (43, 43), (50, 48), (100, 50), (100, 97),
                 (1000, 10), (1000, 905), (1000, 1000), (10000, 9000)]:
        for c in [0.9, 0.99]:
            alpha = 1 - mpf(c)
            case = {"n": n, "s": s, "c": c}
            for name, share in (("two", alpha / 2), ("one", alpha)):
                threshold = -mp.log(share)
                case[f"anytime_{name}"] = [anytime_bound(s, n, threshold)[0], anytime_bound(n - s, n, threshold)[1]]
                lower = beta_quantile(s, n - s + 1, share, 1 - share)[0] if s > 0 else mpf(0)
                upper = beta_quantile(n - s, s + 1, share, 1 - share)[1] if s < n else mpf(1)
                case[f"exact_{name}"] = [lower, upper]
            cases.append(case)
    write("check/bounds.json",
          oracle_mpmath("bisection of ln E+ and ln E-; beta quantiles"),
          {"relative": 1e-10},
          "The oracle is right to the last digit of a double; the bounds are well conditioned.",
          "[lower, upper] of the success probability after s of n: anytime by E >= 2/(1-c) (two) or 1/(1-c) (one) on"
          " each side, exact by Clopper and Pearson with tails of (1-c)/2 or 1-c.",
          cases)


def wald_ratio(s, n, f, d):
    low, high = mpf(f) - mpf(d), mpf(f) + mpf(d)
    return s * mp.log(high / low) - (n - s) * mp.log((1 - low) / (1 - high))


def sides(rule, s, n, f, c):
    """How far the positive and the negative side are beyond their limits: decided from 0 on."""
    alpha = 1 - mpf(c)
    if rule == "anytime":
        plus, minus = log_e(s, n, f)
        return plus + mp.log(alpha), minus + mp.log(alpha)
    if rule == "spa":
        reached, positive = confidence_cp(s, n, f)
        return (reached - mpf(c), mpf(-1)) if positive else (mpf(-1), reached - mpf(c))
    ratio = wald_ratio(s, n, f, 0.05 if f < 0.95 else 0.005)
    return ratio + mp.log(alpha), -ratio + mp.log(alpha)


def limits_at(rule, n, f, c):
    """(fewest successes that decide positively, most that decide negatively, edge), by scanning all."""
    positive, negative, edge = None, None, False
    for s in range(n + 1):
        plus, minus = sides(rule, s, n, f, c)
        # The paper's 0.9 means 9/10, and 1 - (1 - 0.9) is met exactly: rounding does not count.
        slack = mpf(10) ** -13 if rule == "spa" else 0
        if plus >= -slack and positive is None:
            positive = s
        if minus >= -slack:
            negative = s
        for side in (plus, minus):
            edge = edge or (rule != "spa" and abs(side) < NEAR) or (rule == "spa" and slack < abs(side) < NEAR)
    return positive, negative, edge


def limits():
    cases = []
    for rule in ("anytime", "spa", "wald"):
        for f in F:
            for c in C:
                for n in [1, 2, 3, 5, 10, 22, 45, 100, 200] + ([500] if rule == "wald" else []):
                    positive, negative, edge = limits_at(rule, n, f, c)
                    case = {"rule": rule, "f": f, "c": c, "n": n, "positive_from": positive, "negative_to": negative}
                    if edge:
                        case["edge"] = True
                    cases.append(case)
    write("check/limits.json",
          oracle_mpmath("a scan of all numbers of successes"),
          {"counts": 0},
          "Counts are exact; edge = true marks a decision within 1e-9 of its limit.",
          "The fewest successes among n that decide positively and the most that decide negatively (null: none).",
          cases)


def odds():
    """Every sequence of n outcomes, one by one, stopped where the rule stops."""
    cases = []
    n = 14
    for rule in ("anytime", "spa", "wald"):
        for f in [0.5, 0.9]:
            for c in [0.7, 0.9]:
                table = [limits_at(rule, k, f, c) for k in range(1, n + 1)]
                assert not any(edge for _, _, edge in table)
                endings = {}
                for sequence in itertools.product((0, 1), repeat=n):
                    successes, ending = 0, None
                    for k, outcome in enumerate(sequence, 1):
                        successes += outcome
                        positive, negative, _ = table[k - 1]
                        if positive is not None and successes >= positive:
                            ending = "positive"
                        elif negative is not None and successes <= negative:
                            ending = "negative"
                        if ending:
                            break
                    # All continuations of a stopped sequence together weigh as much as it does.
                    endings.setdefault(ending or "undecided", []).append((k, sequence))
                for p in [0.0, 0.3, 0.5, 0.85, 0.9, 1.0]:
                    share = {"positive": Fraction(0), "negative": Fraction(0), "undecided": Fraction(0)}
                    samples = Fraction(0)
                    weights = [Fraction(p) ** s * (1 - Fraction(p)) ** (n - s) for s in range(n + 1)]
                    for name, found in endings.items():
                        for k, sequence in found:
                            weight = weights[sum(sequence)]
                            share[name] += weight
                            samples += k * weight
                    assert sum(share.values()) == 1
                    cases.append({"rule": rule, "f": f, "c": c, "n": n, "p": p, **share, "samples": samples})
    write("check/odds.json",
          "exact fractions over all 2^14 sequences of outcomes, limits by mpmath",
          {"absolute": 1e-13},
          "The oracle is exact; sums of some hundred doubles are not.",
          "The probability of each decision within n samples, and the mean number of samples until the decision or n,"
          " if each is a success with probability p (an exact double).",
          cases)


if __name__ == "__main__":
    paper()
    bounds()
    limits()
    odds()
