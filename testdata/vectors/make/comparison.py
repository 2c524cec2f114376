"""paired/course.json and paired/unpaired.json: whole comparisons, replayed by a small version of the rules.

The rules are those of docs/methods/compare.md; every look is the brute force of paired.py, and the
ranks of unpaired medians are counted (rank_interval.py) or those of dependence/series.json; where too few
samples leave their dependence open, they are counted.
"""

import json
import math
from fractions import Fraction

import mpmath
import numpy
from mpmath import mp, mpf

from common import ROOT, write
from paired import autoregressive, look, normal, rounded
from rank_interval import narrowest, prefix
from signed_rank import COUNTED, NEAR, interim_share, last_share, plan

INFINITE = (-math.inf, math.inf)

# ---- a verdict -----------------------------------------------------------------------------


def verdict(interval, margin):
    """From an interval of the log-ratio."""
    low, high = interval
    limit = math.log1p(margin)
    assert all(abs(end - at) > NEAR * limit for end in interval for at in (0, limit, -limit) if at or end)
    if -limit < low and high < limit:
        return "equivalent"
    if low > 0:
        return "slower"
    return "faster" if high < 0 else "inconclusive"


# ---- the sequential course -----------------------------------------------------------------


class Replay:
    """One subject's way: the intersection of what all looks gave."""

    def __init__(self, d):
        self.d, self.taken, self.settled = d, 0, False
        self.interval, self.found, self.p_value, self.contradicted = INFINITE, None, 1.0, False

    def see(self, alpha, share, tick, margin, last):
        self.found = look(self.d[: self.taken], alpha, tick)
        seen = tuple(float(end) for end in self.found["interval"] or INFINITE)
        both = max(self.interval[0], seen[0]), min(self.interval[1], seen[1])
        if both[0] > both[1]:
            self.contradicted, both = True, seen
        self.interval = both
        self.p_value = min(self.p_value, float(self.found["p_value"] / share))
        told = verdict(both, margin) != "inconclusive"
        self.settled = told and (last or self.found["may_decide"])
        return self.settled


def replay(series, most, c=Fraction("0.95"), margin=0.01, tick=0.0, end_after=None, interrupt_after=None):
    subjects = [Replay(d) for d in series]
    spent = Fraction(0)
    looks = []

    def at(n, share, last):
        # Holm: whoever settles leaves his share to the others, at once.
        looks.append(n)
        while waiting := [subject for subject in subjects if not subject.settled]:
            parts = [subject.see((1 - c) * share / len(waiting), share / len(waiting), tick, margin, last)
                     for subject in waiting]
            if not any(parts):
                return

    for n in range(1, most + 1):
        for subject in subjects:
            subject.taken += not subject.settled
        if n == most or n == end_after:
            if n != most and n in plan(most):
                at(n, interim_share(most), False)
            if n == most or not all(subject.settled for subject in subjects):
                at(n, last_share(most, n) - spent, True)
            break
        if n in plan(most):
            at(n, interim_share(most), False)
        if all(subject.settled for subject in subjects):
            break
        if n == interrupt_after:
            share = (last_share(most, most) - spent) / 2
            spent += share
            at(n, share, False)
            if all(subject.settled for subject in subjects):
                break
    return n, looks, subjects


def by_look_alone(d, most):
    """Rules 5 and 6 of the design, at the levels of the method: each look's own interval decides."""
    for n in plan(most):
        last = n == most
        share = last_share(most, most) if last else interim_share(most)
        found = look(d[:n], Fraction(1, 20) * share)
        interval = tuple(float(end) for end in found["interval"] or INFINITE)
        answer = verdict(interval, 0.01)
        if last or (answer != "inconclusive" and found["may_decide"]):
            return {"stop": n, "verdict": answer, "lower": finite(interval[0]), "upper": finite(interval[1])}


def finite(end):
    return end if math.isfinite(end) else None


def course(name, series, most, **options):
    stop, looks, subjects = replay(series, most, **options)
    answers = []
    for subject in subjects:
        found = subject.found
        estimate = min(max(float(found["estimate"]), subject.interval[0]), subject.interval[1])
        own = found["interval"]
        answers.append({
            "blocks": subject.taken, "settled": subject.settled,
            "verdict": verdict(subject.interval, options.get("margin", 0.01)),
            "estimate": estimate, "lower": finite(subject.interval[0]), "upper": finite(subject.interval[1]),
            "own": own, "p_value": subject.p_value, "lag1": found["lag1"],
            "thinness": found["thinness"], "may_decide": found["may_decide"], "contradicted": subject.contradicted,
        })
    longest = max(subject.taken for subject in subjects)
    case = {"name": name, "most": most, "c": options.get("c", Fraction("0.95")),
            "margin": options.get("margin", 0.01), "tick": options.get("tick", 0.0),
            "end_after": options.get("end_after"), "interrupt_after": options.get("interrupt_after"),
            "series": [d[:longest] for d in series], "stop": stop, "looks": looks, "subjects": answers}
    if len(series) == 1 and not options:
        case["by_look_alone"] = by_look_alone(series[0], most)
    print("  ", name, stop, looks, [(a["verdict"], a["settled"], a["contradicted"]) for a in answers],
          case.get("by_look_alone", {}).get("stop"))
    return case


def shifted(d, by):
    return rounded(x + by for x in d)


def write_courses():
    ln = math.log1p
    wandering = shifted(autoregressive(100, 0.8, 0.01, 31), 0.004)
    # The first look sees 2% but may not judge by blocks that depend on each other; later all is different.
    step = [0.02 + 0.001 * math.sin(i / 2) for i in range(22)] + [0.004 * (-1) ** i for i in range(578)]
    step = rounded(x + y for x, y in zip(step, normal(600, 0.0, 0.0008, 90)))
    cases = [
        course("5% slower", [normal(50, ln(0.05), 0.02, 21)], 50),
        course("2% faster", [normal(50, -ln(0.02), 0.02, 22)], 50),
        course("2% slower, 20 blocks", [normal(20, ln(0.02), 0.02, 23)], 20),
        course("the same, quiet", [normal(50, 0.0, 0.004, 24)], 50),
        course("the same, 100 blocks", [normal(100, 0.0, 0.02, 25)], 100),
        course("the same, 300 blocks", [normal(300, 0.0, 0.03, 26)], 300),
        course("half a percent, 300 blocks", [normal(300, 0.005, 0.03, 27)], 300),
        course("1% slower, 100 blocks", [normal(100, ln(0.01), 0.03, 28)], 100),
        course("only the intersection tells", [normal(50, 0.01, 0.03, 146)], 50),
        course("noise", [normal(50, 0.005, 0.1, 29)], 50),
        course("noise, 600 blocks", [normal(600, 0.002, 0.15, 30)], 600),
        course("heavy tails", [rounded(0.01 * x + 0.012 for x in numpy.random.default_rng(34).standard_t(2, 100))],
               100),
        course("a ratio that wanders", [wandering], 100),
        course("a ratio that wanders fast", [shifted(autoregressive(100, 0.5, 0.01, 35), 0.006)], 100),
        course("a ratio that steps", [step], 600),
        course("one look of 8", [normal(8, 0.03, 0.02, 36)], 8),
        course("one look of 5: no interval", [normal(5, 0.03, 0.02, 37)], 5),
        course("one look of 11", [normal(11, -0.01, 0.02, 38)], 11),
        course("the clock ends it at 13", [normal(50, 0.02, 0.03, 39)], 50, end_after=13),
        course("the clock ends it at 7", [normal(50, 0.02, 0.01, 40)], 50, end_after=7),
        course("the clock ends it at a look", [normal(100, 0.006, 0.02, 41)], 100, end_after=33),
        course("interrupted at 12, resumed", [normal(50, 0.004, 0.03, 42)], 50, interrupt_after=12),
        course("interrupted at 30, then ended", [normal(100, 0.004, 0.03, 43)], 100, interrupt_after=30,
               end_after=60),
        course("sure to 99%", [normal(100, 0.015, 0.03, 44)], 100, c=Fraction("0.99")),
        course("sure to 90%, margin 5%", [normal(100, 0.015, 0.08, 45)], 100, c=Fraction("0.9"), margin=0.05),
        course("a coarse clock", [rounded(round(x / 0.005) * 0.005 for x in normal(50, 0.004, 0.004, 46))], 50,
               tick=0.0026),
        course("three subjects", [normal(50, 0.05, 0.02, 47), normal(50, 0.0, 0.004, 48), normal(50, 0.01, 0.04, 49)],
               50),
        course("three subjects, one after the other",
               [normal(100, 0.012, 0.02, 50), normal(100, -0.02, 0.02, 51), normal(100, 0.0, 0.015, 52)], 100),
        course("two subjects, the last by Holm alone",
               [normal(50, 0.0155, 0.02, 53), normal(50, -0.03, 0.02, 54)], 50),
    ]
    kinds = {answer["verdict"] for case in cases for answer in case["subjects"]}
    assert kinds == {"equivalent", "slower", "faster", "inconclusive"}
    assert any(answer["contradicted"] for case in cases for answer in case["subjects"])
    alone = [(case["by_look_alone"], case["subjects"][0]) for case in cases if "by_look_alone" in case]
    assert any(look["verdict"] != answer["verdict"] for look, answer in alone)
    write("paired/course.json", f"a small version of the rules in Python on brute-force looks; {COUNTED}",
          {"relative": 1e-9, "looks": 0},
          "Ends and estimates relative to the largest abs d, p-values to themselves; blocks and verdicts are exact.",
          "One series of log-ratios per subject, all blocks with the same total, so that all count. A settled subject"
          " takes no more blocks. The clock ends the course after end_after blocks; interrupt_after: a look out of"
          " turn, with half of what the last look has. stop: blocks of the longest; lower, upper: the intersection of"
          " all looks, or the last look's where they exclude each other (contradicted); own: the interval of the"
          " last look alone; may_decide: of that look, were it not the last; p_value: the smallest over the looks,"
          " each over its share. by_look_alone: what the design's rules 5 and 6 give at the same levels"
          " without the intersection.",
          cases)


# ---- results measured each by itself -------------------------------------------------------


def end_of(ordered, rank):
    return None if rank is None or not 1 <= rank <= len(ordered) else ordered[rank - 1]


def median(ordered):
    half = len(ordered) // 2
    return mpf(ordered[half]) if len(ordered) % 2 else (mpf(ordered[half - 1]) + mpf(ordered[half])) / 2


def recovered(reference, subject):
    """Zou and Donner: distances from the log-medians to their ends add as squares."""
    (a, low_a, high_a), (b, low_b, high_b) = reference, subject
    ratio = mp.log(b) - mp.log(a)

    def reach(one, other):
        return mp.sqrt(mp.log(one) ** 2 + mp.log(other) ** 2)

    low = None if low_b is None or high_a is None else ratio - reach(b / low_b, high_a / a)
    high = None if high_b is None or low_a is None else ratio + reach(high_b / b, a / low_a)
    return ratio, low, high


def counted(x, c):
    ordered = sorted(x)
    low, high, *_ = narrowest(len(x), Fraction(1, 2), [c])[c]
    return median(ordered), end_of(ordered, low), end_of(ordered, high)


def leaves_out(interval):
    _, low, high = interval
    return (low is not None and low > 0) or (high is not None and high < 0)


def p_value(reference, subject):
    """The ranks change at the coverages of the best pairs only, so these are all levels that matter."""
    levels = {Fraction(1, 2), 1 - Fraction(1, 10**6)}
    for x in (reference, subject):
        sums, total = prefix(len(x), Fraction(1, 2))
        n = len(x)
        for width in range(1, n):
            levels.add(max(Fraction(sums[l + width] - sums[l], total) for l in range(1, n - width + 1)))
        levels |= {Fraction(sums[u], total) for u in range(1, n + 1)}
    levels = sorted(level for level in levels if Fraction(1, 2) <= level <= 1 - Fraction(1, 10**6))
    out = [leaves_out(recovered(counted(reference, c), counted(subject, c))) for c in levels]
    assert out == sorted(out, reverse=True), "not monotone"
    if not out[0]:
        return Fraction(1, 2)
    return 1 - levels[sum(out) - 1]


CONFIDENCES = [Fraction(text) for text in ("0.8", "0.95", "0.99")]


def row(c, reference, subject):
    """The comparison at one confidence, of two (median, lower, upper)."""
    ratio, low, high = recovered(reference, subject)
    log = (-math.inf if low is None else float(low), math.inf if high is None else float(high))
    return {"c": c, "ratio": mp.exp(ratio), "lower": None if low is None else mp.exp(low),
            "upper": None if high is None else mp.exp(high), "verdict": verdict(log, 0.01)}


def lognormal(n, median, sd, seed):
    return rounded(median * math.exp(x) for x in numpy.random.default_rng(seed).normal(0, sd, n))


def write_unpaired():
    cases = []
    pairs = {
        "the same": (lognormal(30, 2.0, 0.05, 61), lognormal(30, 2.0, 0.05, 62)),
        "5% slower, uneven": (lognormal(25, 2.0, 0.05, 63), lognormal(60, 2.1, 0.05, 64)),
        "20% faster": (lognormal(40, 1.0, 0.1, 65), lognormal(41, 0.8, 0.1, 66)),
        "skewed": (rounded(1 + x for x in numpy.random.default_rng(67).exponential(1, 50)),
                   rounded(1.2 + x for x in numpy.random.default_rng(68).exponential(1, 45))),
        "equivalent": (lognormal(200, 1.0, 0.01, 69), lognormal(150, 1.001, 0.01, 70)),
        "barely": (lognormal(60, 2.0, 0.05, 80), lognormal(75, 2.012, 0.05, 180)),
        "ties": ([float(1 + i % 3) for i in range(24)], [float(2 + i % 3) for i in range(27)]),
        "six and nine": (lognormal(6, 1.0, 0.02, 71), lognormal(9, 1.5, 0.02, 72)),
        "five: half-infinite": (lognormal(5, 1.0, 0.02, 73), lognormal(30, 1.5, 0.02, 74)),
        "one and two": ([1.0], [1.5, 1.75]),
        "far apart in size": (rounded(1e5 + i for i in range(20)), rounded(1e-2 + 1e-3 * i for i in range(22))),
    }
    for name, (reference, subject) in pairs.items():
        rows = [row(c, counted(reference, c), counted(subject, c)) for c in CONFIDENCES]
        cases.append({"name": name, "independent": True, "reference": reference, "subject": subject,
                      "p_value": p_value(reference, subject), "rows": rows})

    # Dependent samples: the ranks are those of dependence/series.json, which do not change with the scale.
    series = json.loads((ROOT / "dependence/series.json").read_text())["cases"]
    series = {case["name"]: case for case in series}

    def values(name, scale):
        x = [scale * (value + 20.0) for value in series[name]["x"]]
        assert len(set(x)) == len(set(series[name]["x"]))
        return x

    def ranked(name, x, c):
        found = next(row for row in series[name]["quantile"] if row["p"] == 0.5 and row["c"] == float(c))
        ordered = sorted(x)
        if "declined" in found:
            # Too few to judge: as if independent, on that condition. Fewer than six have no interval.
            return counted(x, c) if 6 <= len(x) < 20 else (median(ordered), None, None)
        low, high, n = found["lower"], found["upper"], len(x)
        assert (low or 0) <= (n + 1) // 2 and (high or n + 1) >= n // 2 + 1
        return median(ordered), end_of(ordered, low), end_of(ordered, high)

    for a, b, scale in (("phi -.6", "phi .95", 1.0), ("(37 i + 11) % 50", "i * i % 101", 1.5),
                        ("phi -.6", "phi -.6", 1.004), ("two slow states", "i % 7", 1.0),
                        ("phi .95", "ties at the top", 1.25), ("i * i % 101", "nineteen", 1.0),
                        ("Ferrari, 1978, page 79", "phi .95", 1.25)):
        reference, subject = values(a, 1.0), values(b, scale)
        rows = [row(c, ranked(a, reference, c), ranked(b, subject, c)) for c in CONFIDENCES]
        cases.append({"name": f"{a}; {b}", "independent": False, "reference": reference, "subject": subject,
                      "rows": rows})
    write("paired/unpaired.json",
          f"mpmath {mpmath.__version__} on counted ranks (exact integers) or those of dependence/series.json",
          {"relative": 1e-9, "p_value": "from it to 1.0003 times it"},
          "A root of squares of logarithms. The p-value is found by bisection, which ends on the safe side.",
          "No cleaning. ratio: of the medians; lower, upper (null: infinite): by Zou and Donner. independent: samples"
          " taken so, else dependence allowed for. p_value: the smallest 1 - C whose interval leaves out 1, within"
          " 1e-6 and 1/2; not given where dependent.",
          cases)


def main():
    write_courses()
    write_unpaired()


if __name__ == "__main__":
    main()
