"""rank_interval/*.json: intervals for a quantile between two order statistics, with integers only."""

import math
from fractions import Fraction

from common import write

N = list(range(1, 61)) + [99, 100, 101, 150, 299, 300, 500, 1000]
P = ["0.01", "0.1", "0.25", "0.5", "0.75", "0.9", "0.99"]
C = ["0.5", "0.8", "0.9", "0.95", "0.99", "0.999"]

# A decision this close to the requested confidence can go either way in doubles.
NEAR = Fraction(1, 10**12)


def prefix(n, p):
    """(sums, total): sums[j] / total = P(Bin(n, p) < j), all integers."""
    a, b = p.numerator, p.denominator - p.numerator
    sums, running = [0], 0
    for j in range(n + 1):
        running += math.comb(n, j) * a**j * b ** (n - j)
        sums.append(running)
    return sums, running


def best_of(pairs, sums):
    """The pair with the highest P(l <= X <= u - 1), the lower l first; and whether that was a tie."""
    best, tied = None, False
    for l, u in pairs:
        covered = sums[u] - sums[l]
        if best is None or covered > best[2]:
            best, tied = (l, u, covered), False
        elif covered == best[2]:
            tied = True
    return best, tied


def narrowest(n, p, levels):
    """For each confidence: (l, u, coverage, tie, edge).

    edge: some width's best coverage lies within NEAR of the level, so the choice hangs on rounding.
    """
    sums, total = prefix(n, p)
    result = {}

    def scan(widths, width_pairs, open_levels):
        seen = []
        for width in widths:
            pairs = width_pairs(width)
            if not pairs:
                continue
            (l, u, covered), tied = best_of(pairs, sums)
            coverage = Fraction(covered, total)
            seen.append(coverage)
            for level in list(open_levels):
                if coverage >= level:
                    edge = any(abs(other - level) <= NEAR for other in seen)
                    result[level] = (l, u, coverage, tied, edge)
                    open_levels.remove(level)
            if not open_levels:
                break
        return open_levels

    # Finite pairs 1 <= l < u <= n, then half-infinite ones: (0, u) and (l, n + 1).
    rest = scan(range(1, n), lambda width: [(l, l + width) for l in range(1, n - width + 1)], list(levels))
    rest = scan(range(1, n + 1), lambda width: [(0, width), (n + 1 - width, n + 1)], rest)
    for level in rest:
        result[level] = (0, n + 1, Fraction(1), False, False)
    return result


def one_sided(n, p, level):
    sums, total = prefix(n, p)
    # P(X >= l) = 1 - sums[l] / total falls with l; P(X <= u - 1) = sums[u] / total rises with u.
    lower = max((l for l in range(1, n + 1) if Fraction(total - sums[l], total) >= level), default=0)
    upper = min((u for u in range(1, n + 1) if Fraction(sums[u], total) >= level), default=n + 1)
    lower_coverage = Fraction(total - sums[lower], total)
    upper_coverage = Fraction(sums[upper], total)
    edge = any(abs(Fraction(s, total) - level) <= NEAR or abs(1 - Fraction(s, total) - level) <= NEAR for s in sums)
    return lower, lower_coverage, upper, upper_coverage, edge


def sign(n, level):
    """Largest k with P(k <= X <= n - k) >= level for X ~ Bin(n, 1/2)."""
    sums, total = prefix(n, Fraction(1, 2))
    best = (0, Fraction(1))
    edge = False
    for k in range(1, n // 2 + 1):
        coverage = Fraction(sums[n - k + 1] - sums[k], total)
        edge = edge or abs(coverage - level) <= NEAR
        if coverage >= level:
            best = (k, coverage)
    return best[0], best[1], edge


def check_with_doubles():
    """Does the exact value of the doubles lead to other ranks than the decimals do? For small n."""
    different = []
    for n in list(range(1, 61)) + [100]:
        for p in P:
            decimal = narrowest(n, Fraction(p), [Fraction(c) for c in C])
            double = narrowest(n, Fraction(float(p)), [Fraction(float(c)) for c in C])
            for c in C:
                one, two = decimal[Fraction(c)], double[Fraction(float(c))]
                if one[:2] != two[:2]:
                    different.append((n, p, c, one[:2], two[:2]))
                    assert one[3] or one[4], "a difference that is not marked"
    return different


def main():
    # The figures the design quotes.
    def quoted(n, p, c):
        l, u, coverage, _, _ = narrowest(n, Fraction(p), [Fraction(c)])[Fraction(c)]
        return l, u, round(float(coverage), 4)

    for n, p, c in [(22, "0.5", "0.9"), (22, "0.1", "0.9"), (22, "0.9", "0.9"), (100, "0.9", "0.95")]:
        print("  design figure:", n, p, c, quoted(n, p, c))

    different = check_with_doubles()
    print("  decimals and doubles differ in", len(different), "cases:", different[:8])

    cases, sided = [], []
    for n in N:
        for p in P:
            found = narrowest(n, Fraction(p), [Fraction(c) for c in C])
            for c in C:
                l, u, coverage, tied, edge = found[Fraction(c)]
                case = {"n": n, "p": float(p), "c": float(c), "l": l, "u": u, "coverage": coverage}
                if tied:
                    case["tie"] = True
                if edge:
                    case["edge"] = True
                cases.append(case)
                lower, lower_coverage, upper, upper_coverage, edge = one_sided(n, Fraction(p), Fraction(c))
                case = {"n": n, "p": float(p), "c": float(c), "lower": lower, "lower_coverage": lower_coverage,
                        "upper": upper, "upper_coverage": upper_coverage}
                if edge:
                    case["edge"] = True
                sided.append(case)

    oracle = "exact integer arithmetic (Python), brute force over all pairs of ranks"
    reason = ("Ranks are exact. p and c stand for the decimals written (0.9 is 9/10). Where a coverage equals c or lies"
              " within 1e-12 of it the case has edge = true: a computation in doubles may go to the neighbour there"
              " unless it allows for rounding. The tolerance is for the coverage only.")
    write("rank_interval/narrowest.json", oracle, {"relative": 1e-10, "ranks": 0}, reason,
          "Among 1 <= l < u <= n with P(l <= Bin(n, p) <= u - 1) >= c the smallest u - l, then the highest coverage,"
          " then the lower l. If there is none: among l = 0, 1 <= u <= n and u = n + 1, 1 <= l <= n by the same order;"
          " else l = 0, u = n + 1. l = 0 is minus infinity, u = n + 1 is plus infinity. tie = true: another pair as"
          " narrow has exactly the same coverage.",
          cases)
    write("rank_interval/one_sided.json", oracle, {"relative": 1e-10, "ranks": 0}, reason,
          "lower = max l with P(Bin(n, p) >= l) >= c (0: none), upper = min u with P(Bin(n, p) <= u - 1) >= c"
          " (n + 1: none); the coverages are those probabilities (1 where there is no bound).",
          sided)

    rows = []
    for p in P:
        for c in C:
            share, level = Fraction(p), Fraction(c)
            n = 2
            while 1 - share**n - (1 - share) ** n < level:
                n += 1
            rows.append({"p": float(p), "c": float(c), "min_n": n,
                         "coverage": 1 - share**n - (1 - share) ** n})
    write("rank_interval/min_n.json", oracle, {"relative": 1e-10, "ranks": 0}, reason,
          "min_n is the smallest n with a finite pair, which is (1, n): coverage = P(1 <= Bin(n, p) <= n - 1) >= c.",
          rows)

    rows = []
    for n in N:
        for c in C:
            k, coverage, edge = sign(n, Fraction(c))
            case = {"n": n, "c": float(c), "k": k, "coverage": coverage}
            if edge:
                case["edge"] = True
            rows.append(case)
    write("rank_interval/sign.json", oracle, {"relative": 1e-10, "ranks": 0}, reason,
          "Largest k >= 1 with k < n + 1 - k and P(k <= Bin(n, 1/2) <= n - k) >= c; the interval is"
          " [x(k), x(n + 1 - k)]. k = 0: none, coverage 1.",
          rows)


if __name__ == "__main__":
    main()
