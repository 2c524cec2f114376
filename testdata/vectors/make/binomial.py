"""binomial/tails.json: probabilities of the binomial distribution."""

import math
from fractions import Fraction

from common import mp, mpf, oracle_mpmath, to_double, write

N = [1, 2, 5, 10, 22, 100, 1000, 10000, 1000000]
P = [0.001, 0.01, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999]


def pmf(n, p, k):
    """With the exact double p."""
    p, q = mpf(p), 1 - mpf(p)
    log_choose = mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
    return mp.exp(log_choose + k * mp.log(p) + (n - k) * mp.log(q))


def tail_sum(n, p, k, direction):
    """pmf(k) + pmf(k + direction) + ...: positive terms, by their ratios, until they vanish."""
    p, q = mpf(p), 1 - mpf(p)
    up, down = p / q, q / p
    term = pmf(n, p, k)
    total = mpf(0)
    eps = mpf(10) ** -(mp.dps - 5)
    while 0 <= k <= n:
        total += term
        if direction > 0:
            term *= up * (n - k) / (k + 1)
        else:
            term *= down * k / (n - k + 1)
        k += direction
        if term < total * eps:
            break
    return total


def tails(n, p, k):
    """(P(X <= k), P(X >= k)): the side away from the mean by summation, the other from it."""
    mean = n * p
    at_most = tail_sum(n, p, k, -1) if k <= mean else 1 - (tail_sum(n, p, k + 1, 1) if k < n else 0)
    at_least = tail_sum(n, p, k, 1) if k >= mean else 1 - (tail_sum(n, p, k - 1, -1) if k > 0 else 0)
    return at_most, at_least


def exact(n, p, k):
    """The same with integers only, for small n."""
    p = Fraction(p)
    weight = [math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)]
    return sum(weight[: k + 1]), sum(weight[k:])


def interesting(n, p):
    mean, sd = n * p, math.sqrt(n * p * (1 - p))
    ks = {0, 1, 2, n // 2, n - 2, n - 1, n}
    for z in (-30, -12, -6, -3, -1.645, -1, 0, 1, 1.645, 3, 6, 12, 30):
        ks.add(round(mean + z * sd))
    return sorted(k for k in ks if 0 <= k <= n)


def main():
    cases = []
    for n in N:
        for p in P:
            for k in interesting(n, p):
                at_most, at_least = tails(n, p, k)
                if n <= 22:
                    low, high = exact(n, p, k)
                    assert abs(to_double(at_most) / to_double(low) - 1) < 3e-16
                    assert abs(to_double(at_least) / to_double(high) - 1) < 3e-16
                mass = pmf(n, p, k)
                # Underflow is worth testing at the ends only.
                if mass < 1e-300 and k not in (0, n):
                    continue
                cases.append({"n": n, "p": p, "k": k, "at_most": at_most, "at_least": at_least, "pmf": mass})
    write("binomial/tails.json",
          oracle_mpmath("sums of positive terms, checked by exact fractions for n <= 22"),
          {"relative": 1e-10, "relative_for_n_from_1e6": 1e-9, "absolute": 1e-300},
          "The oracle is right to the last digit of a double. For large n the logarithms that cancel are of size n,"
          " which costs an implementation in doubles up to n units in the last place. Below 1e-300 only the absolute"
          " tolerance holds (subnormal or zero).",
          "X is Bin(n, p) with the exact double p: at_most = P(X <= k), at_least = P(X >= k), pmf = P(X = k).",
          cases)


if __name__ == "__main__":
    main()
