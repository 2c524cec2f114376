"""tails/: ratios of quantiles, means and minima, by their definition.

For every candidate log-ratio the subject's runs are divided by it, all runs are sorted anew, and the coins' law is
counted with integers: no order statistics are singled out, as the Rust code does. Candidates are the middles between
neighbouring ratios of two runs, because between those nothing changes.
"""

import functools
import math
from fractions import Fraction

import numpy
import scipy
from scipy import optimize, stats

from common import write
from dependence import level

SEED = 20_261_119
NOTICED = 2.0

# ---- data ----------------------------------------------------------------------------------


def blocks_of(n, subject, reference):
    """Blocks of two runs each, rounded so that they are short decimals."""
    tidy = lambda values: [float(f"{value:.6g}") for value in values]
    return [
        {"subject": tidy(subject[2 * i : 2 * i + 2]), "reference": tidy(reference[2 * i : 2 * i + 2])} for i in range(n)
    ]


def pairs_of(n, subject, reference):
    tidy = lambda value: [float(f"{value:.6g}")]
    return [{"subject": tidy(subject[i]), "reference": tidy(reference[i])} for i in range(n)]


def data():
    rng = numpy.random.default_rng(SEED)
    normal = lambda n: rng.standard_normal(n)
    made = {}
    made["lognormal, 12 blocks"] = blocks_of(12, numpy.exp(0.1 + 0.3 * normal(24)), numpy.exp(0.3 * normal(24)))
    made["lognormal, 30 blocks"] = blocks_of(30, numpy.exp(0.1 + 0.3 * normal(60)), numpy.exp(0.3 * normal(60)))
    z = normal(80)
    made["stretched tail, 40 blocks"] = blocks_of(
        40, numpy.exp(0.2 * numpy.where(z > 0.8, 0.8 + 3 * (z - 0.8), z)), numpy.exp(0.2 * normal(80))
    )
    made["narrow subject, 40 blocks"] = blocks_of(40, numpy.exp(0.03 * normal(80)), numpy.exp(0.3 * normal(80)))
    made["coarse clock, 25 blocks"] = blocks_of(
        25, numpy.round(10 * numpy.exp(0.05 + 0.1 * normal(50))), numpy.round(10 * numpy.exp(0.1 * normal(50)))
    )
    made["pairs, 33"] = pairs_of(33, numpy.exp(0.3 * normal(33)), 0.8 * numpy.exp(0.3 * normal(33)))
    made["mostly blocks, one pair"] = (
        blocks_of(15, numpy.exp(0.2 * normal(30)), numpy.exp(0.2 * normal(30)))
        + pairs_of(1, numpy.exp(0.2 * normal(1)), numpy.exp(0.2 * normal(1)))
    )
    slow = numpy.repeat([0, 1, 0, 0, 1, 0, 0, 1, 0, 0], 4)
    made["slow phases of the subject, 40 blocks"] = blocks_of(
        40, numpy.exp(0.05 * normal(80) + 0.4 * numpy.repeat(slow, 2)), numpy.exp(0.05 * normal(80))
    )
    drift = numpy.linspace(0, 0.5, 60)
    made["drift, 30 blocks"] = blocks_of(30, numpy.exp(drift + 0.02 * normal(60)), numpy.exp(drift + 0.02 * normal(60)))
    made["constant, 10 blocks"] = blocks_of(10, [2.0] * 20, [1.0] * 20)
    made["6 blocks"] = blocks_of(6, numpy.exp(0.1 * normal(12)), numpy.exp(0.1 * normal(12)))
    made["3 blocks"] = blocks_of(3, numpy.exp(0.1 * normal(6)), numpy.exp(0.1 * normal(6)))
    made["9 pairs"] = pairs_of(9, numpy.exp(0.5 + 0.1 * normal(9)), numpy.exp(0.1 * normal(9)))
    return made


def side(blocks, name):
    """(run, block) of all runs."""
    return [(run, place) for place, block in enumerate(blocks) for run in block[name]]


# ---- the law of the coins ------------------------------------------------------------------


def law(leads):
    return law_of(tuple(sorted(leads)))


@functools.cache
def law_of(leads):
    """P(|sum| >= s) for s = 0, 1, ..: every sign of every lead, counted."""
    counts = {0: 1}
    for lead in leads:
        after = {}
        for total, count in counts.items():
            for signed in (total + lead, total - lead):
                after[signed] = after.get(signed, 0) + count
        counts = after
    whole = sum(counts.values())
    return lambda s: Fraction(sum(count for total, count in counts.items() if abs(total) >= s), whole)


# ---- dependence and shape ------------------------------------------------------------------


def evident_thinness(x):
    n = len(x)
    if n < 20 or max(x) == min(x):
        return 1.0
    x = numpy.asarray(x, float)
    d = x - x.mean()
    squares = float(d @ d)
    noticed = lambda r, size: (r + 1 / size) * math.sqrt(size) > NOTICED
    q = n // max(20, math.ceil(1.5 * math.sqrt(n)))
    evident = noticed(float(d[1:] @ d[:-1]) / squares, n)
    if q > 1:
        means = d[: n // q * q].reshape(-1, q).mean(axis=1)
        h = len(means)
        ratio = q * float(means @ means) / (h - 1) / (squares / (n - 1))
        evident = evident or noticed(float(means[1:] @ means[:-1]) / float(means @ means), h)
        evident = evident or ratio - 1 > NOTICED * math.sqrt(2 / h)
    if not evident:
        return 1.0
    return max(1.0, level(list(x), 1), level(list(x), q) if q > 1 else 0.0)


def scrambled(block):
    """Equal runs are in an order that is not the order of time."""
    mask = 2**32 - 1
    mixed = (block ^ (block >> 16)) * 0x7FEB352D & mask
    mixed = (mixed ^ (mixed >> 15)) * 0x846CA68B & mask
    return mixed ^ (mixed >> 16)


def outermost_first(run):
    return (-run[0], scrambled(run[1]))


def at_estimate(a, b, estimate, depth):
    """All runs from the top if the subject's are divided by the estimate; equal ones alternate."""
    a, b = sorted(a, key=outermost_first), sorted(b, key=outermost_first)
    found, i, j = [], 0, 0
    while len(found) < min(depth, len(a) + len(b)):
        mine = a[i][0] if i < len(a) else -math.inf
        theirs = b[j][0] - estimate if j < len(b) else -math.inf
        is_same = abs(mine - theirs) <= 1e-12
        if (is_same and i <= j) or (not is_same and mine > theirs):
            found.append((True, a[i][1]))
            i += 1
        else:
            found.append((False, b[j][1]))
            j += 1
    return found


def widening(a, b, estimate, beyond, n):
    leads, counts = [0] * n, [0] * n
    for is_reference, block in at_estimate(a, b, estimate, beyond):
        leads[block] += 1 if is_reference else -1
        counts[block] += 1
    of_leads = evident_thinness(leads)
    counts_thinness = evident_thinness(counts)
    of_counts = float(numpy.var(counts)) * n * counts_thinness
    share = of_counts / max(1.0, float(sum(lead * lead for lead in leads)))
    reach = max(3, math.ceil(2 * math.sqrt(of_counts)))
    around = at_estimate(a, b, estimate, beyond + reach)[max(0, beyond - reach) :]
    difference = 2 * sum(is_reference for is_reference, _ in around) / max(1, len(around)) - 1
    squared = difference * difference
    variance = 1 + squared * share
    error = 4 * squared * (1 - squared) / max(1, len(around)) * share * share
    freedom = 2 * variance * variance / error if error > 0 else math.inf
    if of_leads > 1:
        freedom = min(freedom, 0.5 * n / of_leads)
    return {"thinness": of_leads, "shape": math.sqrt(variance), "freedom": freedom}


def level_of(w, alpha):
    factor = w["shape"] * math.sqrt(w["thinness"])
    if factor <= 1:
        return alpha
    score = stats.norm.isf(alpha / 2) if w["freedom"] > 1e6 else stats.t.isf(alpha / 2, w["freedom"])
    return min(alpha, 2 * stats.norm.sf(factor * score))


# ---- quantiles -----------------------------------------------------------------------------


def quantile(blocks, p, alpha):
    n = len(blocks)
    sign, q = (1, p) if p >= 0.5 else (-1, round(1 - p, 15))
    a, b = ([(sign * math.log(run), block) for run, block in side(blocks, name)] for name in ("reference", "subject"))
    at = lambda runs: float(numpy.quantile([run for run, _ in runs], q))
    estimate = at(b) - at(a)
    beyond = round((len(a) + len(b)) * round(1 - q, 15))
    w = widening(a, b, estimate, beyond, n)
    limit = level_of(w, alpha)

    def p_value(candidate):
        runs = [(run, block, 1) for run, block in a] + [(run - candidate, block, -1) for run, block in b]
        runs.sort(key=outermost_first)
        leads = [0] * n
        for _, block, one in runs[:beyond]:
            leads[block] += one
        return float(law([abs(lead) for lead in leads if lead])(abs(sum(leads))))

    turns = sorted({theirs - mine for mine, _ in a for theirs, _ in b})
    # Ratios of decimals that are equal may differ in the last bit.
    turns = [turn for i, turn in enumerate(turns) if i == 0 or turn - turns[i - 1] > 1e-12]
    middles = [turns[0] - 1] + [(x + y) / 2 for x, y in zip(turns, turns[1:])] + [turns[-1] + 1]
    kept = [i for i, middle in enumerate(middles) if p_value(middle) > limit]
    if not kept:
        # Only a single ratio is left, at which all changes at once.
        low = high = estimate
    else:
        low = -math.inf if kept[0] == 0 else turns[kept[0] - 1]
        high = math.inf if kept[-1] == len(turns) else turns[kept[-1]]
    low, high = min(low, estimate), max(high, estimate)
    if sign < 0:
        low, high, estimate = -high, -low, -estimate
    return estimate, low, high, w


# ---- means and minima ----------------------------------------------------------------------


def mean(blocks, alpha):
    """All signs of the differences, for every ratio of a part of the blocks."""
    n = len(blocks)
    x, y = (numpy.array([math.fsum(block[name]) for block in blocks]) for name in ("reference", "subject"))
    whole = y.sum() / x.sum()
    w = evident_thinness(whole * x - y)
    bits = (numpy.arange(2**n)[:, None] >> numpy.arange(n)) & 1
    signs = 2 * bits - 1
    parts = numpy.unique(numpy.round([(y @ s) / (x @ s) for s in bits[1:]], 14))
    middles = numpy.concatenate([[parts[0] / 2], (parts[1:] + parts[:-1]) / 2, [parts[-1] * 2]])
    sums_x, sums_y = signs @ x, signs @ y

    def p_value(ratio):
        sums = numpy.abs(ratio * sums_x - sums_y)
        return float(numpy.mean(sums >= abs(ratio * x.sum() - y.sum()) * (1 - 1e-12)))

    kept = [i for i, middle in enumerate(middles) if p_value(middle) > alpha * (1 + 1e-12)]
    estimate = math.log(whole)
    if not kept:
        return estimate, estimate, estimate, {"thinness": w}
    low = -math.inf if kept[0] == 0 else math.log(parts[kept[0] - 1])
    high = math.inf if kept[-1] == len(parts) else math.log(parts[kept[-1]])
    low, high = min(low, estimate), max(high, estimate)
    return estimate, estimate - math.sqrt(w) * (estimate - low), estimate + math.sqrt(w) * (high - estimate), {"thinness": w}


def minimum(blocks, alpha):
    """How many blocks in a row own the lowest runs, for every ratio of two runs."""
    a, b = ([min(math.log(run) for run in block[name]) for block in blocks] for name in ("reference", "subject"))
    turns = sorted({theirs - mine for mine in a for theirs in b})
    turns = [turn for i, turn in enumerate(turns) if i == 0 or turn - turns[i - 1] > 1e-12]
    middles = [turns[0] - 1] + [(x + y) / 2 for x, y in zip(turns, turns[1:])] + [turns[-1] + 1]

    def p_value(candidate):
        owners = sorted((min(x, y - candidate), x < y - candidate) for x, y in zip(a, b))
        first = owners[0][1]
        lead = next((i for i, (_, owner) in enumerate(owners) if owner != first), len(owners))
        return min(1.0, 2 * 0.5**lead)

    kept = [i for i, middle in enumerate(middles) if p_value(middle) > alpha]
    estimate = min(b) - min(a)
    if not kept:
        return estimate, estimate, estimate, {}
    low = -math.inf if kept[0] == 0 else turns[kept[0] - 1]
    high = math.inf if kept[-1] == len(turns) else turns[kept[-1]]
    return estimate, min(low, estimate), max(high, estimate), {}


# ---- separate results ----------------------------------------------------------------------


def worth(n, effective, tail):
    if effective >= n:
        return n
    shrink = stats.norm.ppf(tail) / stats.t.ppf(tail, effective)
    return min(n, max(1, math.floor(effective * shrink * shrink + 1e-9)))


def unpaired_quantile(subject, reference, p, alpha, effective):
    tail = alpha / 2

    def distances(values, effective):
        logs, n = sorted(math.log(value) for value in values), len(values)
        size = worth(n, effective, tail)
        estimate = float(numpy.quantile(logs, p))
        below = [rank for rank in range(1, size + 1) if stats.binom.cdf(rank - 1, size, p) <= tail]
        above = [rank for rank in range(1, size + 1) if stats.binom.sf(rank - 1, size, p) <= tail]
        low = logs[min(n - 1, math.floor((below[-1] - 1) * n / size + 1e-9))] if below else -math.inf
        from_top = math.floor((size - above[0]) * n / size + 1e-9) if above else None
        high = logs[n - 1 - from_top] if above else math.inf
        return estimate, max(0.0, estimate - low), max(0.0, high - estimate)

    (s, s_down, s_up), (r, r_down, r_up) = distances(subject, effective[0]), distances(reference, effective[1])
    estimate = s - r
    return estimate, estimate - math.hypot(s_down, r_up), estimate + math.hypot(s_up, r_down)


def runs_with_two(share, alpha):
    """The fewest runs of which two are of this share, but with probability alpha."""
    return next(n for n in range(2, 10_000) if stats.binom.cdf(1, n, share) <= alpha)


def unpaired_mean(subject, reference, alpha, effective):
    def moments(values, effective):
        values = numpy.asarray(values)
        freedom = effective - 1 if effective == len(values) else effective / 2
        return values.mean(), values.var(ddof=1) / effective, freedom

    def end(above, below):
        ratio = above[0] / below[0]
        a, b = above[1], ratio**2 * below[1]
        freedom = max(1.0, (a + b) ** 2 / (a * a / above[2] + b * b / below[2]))
        t = stats.t.isf(alpha / 2, freedom)
        if below[0] ** 2 <= t * t * below[1]:
            return math.inf
        excess = lambda r: abs(above[0] - r * below[0]) - t * math.sqrt(above[1] + r * r * below[1])
        far = ratio
        while excess(far) <= 0:
            far *= 2
        return math.log(optimize.brentq(excess, ratio, far, xtol=1e-15, rtol=1e-15))

    s, r = moments(subject, effective[0]), moments(reference, effective[1])
    return math.log(s[0] / r[0]), -end(r, s), end(s, r)


def unpaired_minimum(subject, reference, alpha):
    a, b = sorted(map(math.log, reference)), sorted(map(math.log, subject))

    def lead_needed(own, other):
        chance, k = Fraction(1), 0
        while k < own:
            chance *= Fraction(own - k, own + other - k)
            k += 1
            if chance <= Fraction(alpha) / 2:
                return k
        return None

    k, l = lead_needed(len(b), len(a)), lead_needed(len(a), len(b))
    high = b[k - 1] - a[0] if k else math.inf
    low = -(a[l - 1] - b[0]) if l else -math.inf
    return b[0] - a[0], low, high


# ---- all at once ---------------------------------------------------------------------------


def smallest_p_values(blocks, levels):
    """Of every way the coins may fall, the smallest p-value of these quantiles: each value with its probability."""
    n = len(blocks)
    series = []
    for p in levels:
        sign, q = (1, p) if p >= 0.5 else (-1, round(1 - p, 15))
        a, b = ([(sign * math.log(run), block) for run, block in side(blocks, name)] for name in ("reference", "subject"))
        at = lambda runs: float(numpy.quantile([run for run, _ in runs], q))
        beyond = round((len(a) + len(b)) * round(1 - q, 15))
        leads = [0] * n
        for is_reference, block in at_estimate(a, b, at(b) - at(a), beyond):
            leads[block] += 1 if is_reference else -1
        chances = law([abs(lead) for lead in leads if lead])
        series.append((numpy.array(leads), [float(chances(s)) for s in range(sum(map(abs, leads)) + 1)]))
    signs = 2 * ((numpy.arange(2**n)[:, None] >> numpy.arange(n)) & 1) - 1
    each = [numpy.array(chances)[numpy.abs(signs @ leads)] for leads, chances in series]
    values, counts = numpy.unique(numpy.round(numpy.min(each, axis=0), 12), return_counts=True)
    return [[float(value), float(count) / 2**n] for value, count in zip(values, counts)]


# ---- files ---------------------------------------------------------------------------------


def main():
    made = data()
    oracle = f"by definition: every ratio of two runs, coins counted with integers; numpy {numpy.__version__}, scipy {scipy.__version__}"
    series = [{"name": name, "blocks": blocks} for name, blocks in made.items()]
    write("tails/blocks.json", "numpy's generator", {}, "Inputs only.", "blocks by name", series)
    cases = []

    def add(name, of, p, alpha, found):
        estimate, low, high, w = found
        finite = lambda value: value if math.isfinite(value) else None
        cases.append(
            {
                "name": name,
                "of": of,
                "p": p,
                "alpha": alpha,
                "log_ratio": estimate,
                "lower": finite(low),
                "upper": finite(high),
                "thinness": w.get("thinness", 1.0),
                "shape": w.get("shape", 1.0),
            }
        )

    for name, blocks in made.items():
        for alpha in (0.05, 0.01) if len(blocks) > 10 else (0.05, 0.2):
            for p in (0.25, 0.5, 0.75, 0.9):
                if round(2 * len(side(blocks, "subject")) * min(p, 1 - p)) > 0:
                    add(name, "quantile", p, alpha, quantile(blocks, p, alpha))
            if len(blocks) <= 12:
                add(name, "mean", None, alpha, mean(blocks, alpha))
            add(name, "minimum", None, alpha, minimum(blocks, alpha))
    write(
        "tails/look.json",
        oracle,
        {"absolute": 1e-9},
        "Sums of a few hundred terms; logarithms of ratios are exact to 1e-15.",
        "blocks by name: blocks.json; lower, upper: of the log-ratio, null is infinite",
        cases,
    )

    rng = numpy.random.default_rng(SEED + 1)
    cases, values = [], []
    for n, m, sd in ((40, 40, 0.2), (120, 80, 0.3), (15, 200, 0.1), (400, 400, 0.5)):
        tidy = lambda values: [float(f"{value:.6g}") for value in values]
        subject, reference = tidy(numpy.exp(0.1 + sd * rng.standard_normal(n))), tidy(numpy.exp(0.2 * rng.standard_normal(m)))
        for share in (1.0, 0.4):
            effective = [share * n, share * m]
            for alpha in (0.05, 0.005):
                for of, p in (("quantile", 0.1), ("quantile", 0.5), ("quantile", 0.9), ("mean", None), ("minimum", None)):
                    if of == "quantile":
                        found = unpaired_quantile(subject, reference, p, alpha, effective)
                    elif of == "mean":
                        if min(n, m) < 20:
                            continue
                        found = unpaired_mean(subject, reference, alpha, effective)
                        if min(n, m) < runs_with_two(0.1, alpha / 5):
                            found = (found[0], -math.inf, math.inf)
                    elif share < 1:
                        continue
                    else:
                        found = unpaired_minimum(subject, reference, alpha)
                    estimate, low, high = found
                    finite = lambda value: value if math.isfinite(value) else None
                    cases.append(
                        {
                            "sizes": [n, m],
                            "effective": effective,
                            "of": of,
                            "p": p,
                            "alpha": alpha,
                            "log_ratio": estimate,
                            "lower": finite(low),
                            "upper": finite(high),
                        }
                    )
        values.append({"sizes": [n, m], "subject": subject, "reference": reference})
    write("tails/values.json", "numpy's generator", {}, "Inputs only.", "values of two results, by their sizes", values)
    write(
        "tails/unpaired.json",
        f"counted ranks, scipy {scipy.__version__}'s binomial, t and root finding; fractions",
        {"absolute": 1e-9},
        "scipy's t quantile.",
        "values by sizes: values.json; effective: as how many runs each counts; null is infinite",
        cases,
    )

    cases = []
    for name in ("lognormal, 12 blocks", "9 pairs", "6 blocks", "constant, 10 blocks"):
        levels = [0.25, 0.5, 0.75, 0.9]
        cases.append({"name": name, "levels": levels, "smallest": smallest_p_values(made[name], levels)})
    write(
        "tails/joint.json",
        "all 2^n ways the coins may fall",
        {"absolute": 1e-9},
        "Probabilities are multiples of 2^-n.",
        "smallest: [p, probability] of the smallest of the levels' p-values",
        cases,
    )


if __name__ == "__main__":
    main()
