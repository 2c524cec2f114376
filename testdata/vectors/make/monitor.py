"""Random formulas of signal temporal logic on random step signals, judged by rtamt.

rtamt means something else than Fathom in places; formulas keep to what both agree on:

- It has no end: windows that reach past the last sample see no samples there (discrete), or the
  last one for ever (dense). No window of a formula reaches past the end here.
- Its discrete until looks at samples only. Between two samples Fathom's until may be another than
  at either, so that until is not inside of another temporal operator here.
- Its dense until also needs the left side when the right side comes. The formula for Fathom says
  so: `left until (left and right)`, which the test makes of `D`.
- Its `<->` is -|a-b|, and `==` differs in truth only; neither is used.
- Unbounded operators are used over what looks at the present only, for the same reason as first.
"""

import contextlib
import io
import random

import rtamt
from importlib.metadata import version

import common

TERMS = {"x": "x", "y": "y", "d": "(x - y)", "s": "(x + y)", "a": "abs(x - y)", "n": "(-2.0 * x)"}
RELATIONS = ["<", "<=", ">", ">="]
FORMULAS_EACH = 20


class Formula:
    """A formula in prefix notation for the test, in rtamt's own, and how far it looks ahead."""

    def __init__(self, words, text, horizon, has_until=False, has_time=False):
        self.words, self.text, self.horizon = words, text, horizon
        self.has_until, self.has_time = has_until, has_time


def comparison(rng):
    term = rng.choice("xxxyyydsan")
    relation, limit = rng.choice(RELATIONS), rng.randint(-8, 8) / 2
    return Formula(f"{term}{relation}{limit:g}", f"({TERMS[term]} {relation} {limit})", 0)


def window(rng, longest, grain):
    start = rng.randint(0, max(0, int(longest / grain / 3))) * grain
    stop = start + rng.randint(0, max(0, int((longest - start) / grain))) * grain
    return start, stop


def combined(rng, depth, longest, grain, is_dense, may_until):
    """A formula that looks no further ahead than `longest`."""
    if depth == 0 or rng.random() < 0.12:
        return comparison(rng)
    kind = rng.choice(["!", "&", "|", ">", "G", "F", "G", "F", "U", "g", "f", "u"])
    inner = lambda left, until=may_until: combined(rng, depth - 1, left, grain, is_dense, until)
    flags = lambda *of: dict(has_until=any(f.has_until for f in of), has_time=any(f.has_time for f in of))
    if kind == "!":
        a = inner(longest)
        return Formula(f"! {a.words}", f"(not {a.text})", a.horizon, **flags(a))
    if kind in "&|>":
        a, b = inner(longest), inner(longest)
        name = {"&": "and", "|": "or", ">": "implies"}[kind]
        return Formula(f"{kind} {a.words} {b.words}", f"({a.text} {name} {b.text})", max(a.horizon, b.horizon), **flags(a, b))
    if kind in "gf":
        a = plain(rng, 1)
        name = {"g": "always", "f": "eventually"}[kind]
        return Formula(f"{kind} {a.words}", f"({name} {a.text})", 0 if longest else 0, has_time=True)
    if kind == "u":
        if not may_until:
            return comparison(rng)
        a, b = plain(rng, 1), plain(rng, 1)
        word = "d" if is_dense else "u"
        return Formula(f"{word} {a.words} {b.words}", f"({a.text} until {b.text})", 0, True, True)
    start, stop = window(rng, longest, grain)
    bounds = f"{start:g}:{stop:g}"
    inside = may_until if is_dense else False
    if kind in "GF":
        a = inner(longest - stop, inside)
        name = {"G": "always", "F": "eventually"}[kind]
        return Formula(f"{kind}{bounds} {a.words}", f"({name}[{bounds}] {a.text})", stop + a.horizon, a.has_until, True)
    if not may_until:
        return comparison(rng)
    a, b = inner(longest - stop, inside), inner(longest - stop, inside)
    word = "D" if is_dense else "U"
    horizon = stop + max(a.horizon, b.horizon)
    return Formula(f"{word}{bounds} {a.words} {b.words}", f"({a.text} until[{bounds}] {b.text})", horizon, True, True)


def plain(rng, depth):
    """A formula about the present."""
    if depth == 0 or rng.random() < 0.5:
        return comparison(rng)
    kind = rng.choice("&|>")
    a, b = plain(rng, depth - 1), plain(rng, depth - 1)
    name = {"&": "and", "|": "or", ">": "implies"}[kind]
    return Formula(f"{kind} {a.words} {b.words}", f"({a.text} {name} {b.text})", 0)


def judged(formula, is_dense, data):
    spec = rtamt.StlDenseTimeSpecification() if is_dense else rtamt.StlDiscreteTimeSpecification()
    for name in ("x", "y", "out"):
        spec.declare_var(name, "float")
    spec.spec = "out = " + formula.text
    # It reports on tolerances of sampling periods, which are exact here.
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        spec.parse()
        robustness = spec.evaluate(*[[name, samples] for name, samples in data.items()]) if is_dense else spec.evaluate(data)
    return float(robustness[0][1])


def values(rng, n):
    return [rng.randint(-10, 10) / 2 for _ in range(n)]


def discrete_signals(rng):
    n = rng.randint(2, 16)
    data = {"time": list(range(n)), "x": values(rng, n), "y": values(rng, n)}
    return data, {"x": data["x"], "y": data["y"]}, n - 1, 1


def dense_signals(rng):
    """Both on times of their own, in quarters, with the same end."""
    end = rng.randint(4, 40)
    data, case = {}, {"end": end / 4}
    for name in "xy":
        times = sorted({0, end} | {rng.randint(1, end) for _ in range(rng.randint(1, 9))})
        samples = values(rng, len(times))
        # rtamt ends at the last sample, which must be an instant of the stretch before it.
        data[name] = [[time / 4, value] for time, value in zip(times, samples)]
        case[name] = samples
        case["t" + name] = [time / 4 for time in times]
    return data, case, end / 4, 0.25


def cases(rng, is_dense, sets):
    found = []
    for _ in range(sets):
        data, case, end, grain = (dense_signals if is_dense else discrete_signals)(rng)
        rows = []
        while len(rows) < FORMULAS_EACH:
            formula = combined(rng, rng.randint(1, 3), end, grain, is_dense, True)
            # Formulas without an operator over time show nothing.
            if formula.has_time and formula.horizon <= end:
                rows.append([formula.words, judged(formula, is_dense, data)])
        found.append({**case, "judged": rows})
    return found


CONVENTIONS = (
    "Prefix notation: ! not, & and, | or, > implies, Ga:b always, Fa:b eventually, Ua:b until, with g f u for "
    "those without bounds; Da:b and d are until whose left side must hold when the right side comes. d in a "
    "comparison is x - y, s is x + y, a is |x - y|, n is -2 x. Steps; judged at 0. "
)


def main():
    oracle = f"rtamt {version('rtamt')}"
    reason = "Small halves: all sums are exact."
    common.write(
        "monitor/discrete.json", f"{oracle}, discrete time", 0, reason,
        CONVENTIONS + "Samples at 0, 1, 2 and so on; the last is the end.",
        cases(random.Random(1), False, 300),
    )
    common.write(
        "monitor/dense.json", f"{oracle}, dense time", 0, reason,
        CONVENTIONS + "x has the times tx, y has ty.",
        cases(random.Random(2), True, 300),
    )


if __name__ == "__main__":
    main()
