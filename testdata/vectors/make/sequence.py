"""sequence/*.json: the beta-mixture e-value and the confidence sequence for a quantile."""

import math

from common import log_beta_tails, mp, mpf, oracle_mpmath, write

T = [0, 1, 2, 3, 5, 10, 22, 50, 100, 500, 1000, 5000, 10000]
F = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99]


def log_e(s, t, f):
    """(ln E+, ln E-) after t trials with s successes against the share f (an exact double).

    ln E+ = ln B(1+s, 1+t-s) + ln(1 - I_f(1+s, 1+t-s)) - ln(1 - I_f(1, 1)) - s ln f - (t-s) ln(1-f);
    for E- the lower parts I_f take the place of the upper ones. I_f(1, 1) = f.
    """
    f, g = mpf(f), 1 - mpf(f)
    a, b = mpf(1 + s), mpf(1 + t - s)
    log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    lower, upper = log_beta_tails(a, b, f, g)
    null = s * mp.log(f) + (t - s) * mp.log(g)
    return log_beta + upper - mp.log(g) - null, log_beta + lower - mp.log(f) - null


def by_quadrature(s, t, f):
    """The same from the definition: the likelihood ratio averaged over (f, 1) and over (0, f)."""
    f = mpf(f)

    def ratio(q):
        return (q / f) ** s * ((1 - q) / (1 - f)) ** (t - s)

    return (mp.log(mp.quad(ratio, mp.linspace(f, 1, 6)) / (1 - f)),
            mp.log(mp.quad(ratio, mp.linspace(0, f, 6)) / f))


def evidence():
    cases = []
    for t in T:
        for f in F:
            mean, sd = t * f, math.sqrt(t * f * (1 - f))
            counts = {0, 1, t // 2, t - 1, t}
            counts |= {round(mean + z * sd) for z in (-20, -6, -3, -1, 0, 1, 3, 6, 20)}
            for s in sorted(s for s in counts if 0 <= s <= t):
                plus, minus = log_e(s, t, f)
                if t <= 22:
                    check = by_quadrature(s, t, f)
                    assert abs(plus - check[0]) < mpf(10) ** -25 and abs(minus - check[1]) < mpf(10) ** -25
                # At t = 0 both are exactly 0: drop the rounding residue.
                if t == 0:
                    plus = minus = mpf(0)
                cases.append({"t": t, "s": s, "f": f, "plus": plus, "minus": minus})
    write("sequence/log_e.json",
          oracle_mpmath("the formula of the method, checked by quadrature of the mixture for t <= 22"),
          {"relative": 1e-10, "absolute": 1e-10},
          "The oracle is right to the last digit of a double. In doubles the terms that cancel are of size t, hence the"
          " absolute tolerance: an error counts when it exceeds both.",
          "plus = ln E+, minus = ln E-, natural logarithms, after t trials with s successes against the share f (an"
          " exact double).",
          cases)


def ranks(n, p, c):
    """(lower, upper, edge): ranks of the confidence sequence at n; None is an infinite end."""
    threshold = mp.log(2 / (1 - mpf(c)))

    def first(holds):
        """The smallest s in 0..=n for which the rising condition holds, or None."""
        low, high = 0, n + 1
        while low < high:
            middle = (low + high) // 2
            if holds(middle):
                high = middle
            else:
                low = middle + 1
        return low if low <= n else None

    # ln E- falls with s, ln E+ rises with s.
    stop = first(lambda s: log_e(s, n, p)[1] < threshold)
    stop = n + 1 if stop is None else stop
    minus = stop - 1 if stop > 0 else None
    plus = first(lambda s: log_e(s, n, p)[0] >= threshold)
    if n <= 100:
        values = [log_e(s, n, p) for s in range(n + 1)]
        assert minus == max((s for s in range(n + 1) if values[s][1] >= threshold), default=None)
        assert plus == min((s for s in range(n + 1) if values[s][0] >= threshold), default=None)
    gap = min(abs(log_e(s, n, p)[side] - threshold)
              for s, side in ((minus, 1), (stop if stop <= n else None, 1), (plus, 0),
                              (n if plus is None else plus - 1 if plus else None, 0)) if s is not None)
    return (None if minus is None else minus + 1), plus, bool(gap < mpf(10) ** -9)


def sequence():
    cases = []
    for n in [1, 2, 5, 10, 22, 30, 50, 100, 200, 500, 1000, 5000, 10000]:
        for p in [0.1, 0.25, 0.5, 0.75, 0.9, 0.99]:
            for c in [0.5, 0.8, 0.9, 0.95, 0.99]:
                lower, upper, edge = ranks(n, p, c)
                case = {"n": n, "p": p, "c": c, "lower": lower, "upper": upper}
                if edge:
                    case["edge"] = True
                cases.append(case)
    write("sequence/ranks.json",
          oracle_mpmath("search over s, a full scan for n <= 100"),
          {"ranks": 0},
          "Ranks are exact; edge = true marks a decision within 1e-9 of the threshold (there is none unless a case says"
          " so).",
          "With s = #{x <= theta}, f = p and the threshold ln(2 / (1 - c)), where p and c are exact doubles: s_minus ="
          " max s with ln E-(s, n) >= threshold, lower = s_minus + 1 (null: minus infinity); upper = s_plus = min s with"
          " ln E+(s, n) >= threshold (null: plus infinity). The sequence at n is [x(lower), x(upper)].",
          cases)


if __name__ == "__main__":
    evidence()
    sequence()
