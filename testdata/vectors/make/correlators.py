"""correlators/*.json: the correlators of shape, despiking and piecewise linear segmentation.

Everything is computed in the plainest way: every line by numpy's least squares, every cut tried by
fitting all lines anew, warping by dtaidistance on |x - y|, ranks and coefficients by scipy.
"""

import math
import random

import dtaidistance
import numpy
import scipy
from dtaidistance import dtw
from scipy import stats

from common import write

ORACLE = (f"scipy {scipy.__version__}, numpy {numpy.__version__}, dtaidistance {dtaidistance.__version__}:"
          " plain loops, every line by least squares")


# ---- lines ---------------------------------------------------------------------------------


def fit(times, values):
    """(the sum of squares about the best line, its heights)."""
    times, values = numpy.array(times), numpy.array(values)
    if len(values) == 1 or times[0] == times[-1]:
        return 0.0, values.copy()
    middle = times.mean()
    design = numpy.column_stack([numpy.ones(len(times)), times - middle])
    solution = numpy.linalg.lstsq(design, values - values.mean(), rcond=None)[0]
    heights = design @ solution
    return float(((values - values.mean() - heights) ** 2).sum()), heights + values.mean()


class Costs:
    """The error of every stretch, once."""

    def __init__(self, times, values):
        self.times, self.values, self.known = times, values, {}

    def __call__(self, start, end):
        key = (start, end)
        if key not in self.known:
            self.known[key] = fit(self.times[start:end], self.values[start:end])[0]
        return self.known[key]


def tiny(values):
    return 1e-12 * float(((numpy.array(values) - numpy.mean(values)) ** 2).sum())


def total(cost, cuts, count):
    bounds = [0, *cuts, count]
    return sum(cost(a, b) for a, b in zip(bounds, bounds[1:]))


def greedy(times, values, most, shortest):
    """Each time the cut that makes the whole error least; the earliest of equals."""
    cost, count, cuts = Costs(times, values), len(values), []
    while len(cuts) + 1 < most:
        now, best, where = total(cost, cuts, count), None, None
        for at in range(1, count):
            trial = sorted({*cuts, at})
            bounds = [0, *trial, count]
            if at in cuts or min(b - a for a, b in zip(bounds, bounds[1:])) < shortest:
                continue
            error = total(cost, trial, count)
            if error < (now if best is None else best) - tiny(values):
                best, where = error, at
        if where is None:
            break
        cuts = sorted([*cuts, where])
    return cuts


def optimal(times, values, most, shortest):
    """For each number of lines up to `most`: (error, cuts), by trying the last cut everywhere."""
    cost, count = Costs(times, values), len(values)
    least = {(0, 0): (0.0, [])}
    for lines in range(1, most + 1):
        for end in range(1, count + 1):
            best = None
            for start in range(0, end - shortest + 1):
                if (start, lines - 1) not in least:
                    continue
                before, cuts = least[(start, lines - 1)]
                error = before + cost(start, end)
                if best is None or error < best[0] - tiny(values):
                    best = (error, [*cuts, start] if start else cuts)
            if best is not None:
                least[(end, lines)] = best
    return [least.get((count, lines)) for lines in range(1, most + 1)]


def best(times, values):
    """The cuts into as many lines as BIC chooses; None for fewer than 20."""
    count = len(values)
    if count < 20:
        return None
    floor, chosen = tiny(values), None
    for lines, way in enumerate(optimal(times, values, 10, max(3, count // 50)), start=1):
        if way is None:
            continue
        bic = count * math.log(max(way[0], floor) / count) + (3 * lines - 1) * math.log(count)
        if chosen is None or bic < chosen[0]:
            chosen = (bic, way[1])
    return chosen[1]


def heights(times, values, cuts):
    bounds = [0, *cuts, len(values)]
    return [h for a, b in zip(bounds, bounds[1:]) for h in fit(times[a:b], values[a:b])[1]]


def despike(values):
    """Hampel's filter with one scale for all; at the ends R's runmed(k = 7, endrule = "median")."""
    count = len(values)
    if count < 21:
        return list(values)
    medians = []
    for at in range(count):
        reach = min(3, at, count - 1 - at)
        medians.append(float(numpy.median(values[at - reach:at + reach + 1])))
    for end, step in ((0, 1), (count - 1, -1)):
        next_, second = medians[end + step], medians[end + 2 * step]
        medians[end] = float(numpy.median([values[end], next_, 3 * next_ - 2 * second]))
    apart = sorted(abs(v - m) for v, m in zip(values, medians))
    limit = 3.76 * 1.4826 * apart[count // 2]
    if limit == 0:
        return list(values)
    return [m if abs(v - m) > limit else v for v, m in zip(values, medians)]


# ---- correlators ---------------------------------------------------------------------------


def coefficient(x, y):
    if len(x) < 3 or min(x) == max(x) or min(y) == max(y):
        return None
    return float(stats.pearsonr(x, y)[0])


def z(values):
    values = numpy.array(values)
    return (values - values.mean()) / values.std()


class Question:
    def __init__(self, edges, target, windows, segments):
        self.edges, self.target, self.windows, self.segments = edges, target, windows, segments

    def middle(self, row):
        return (self.edges[row] + self.edges[row + 1]) * 0.5e-9

    def common(self, metric, reference=None):
        """By window: the rows that both were seen in."""
        reference = self.target if reference is None else reference
        return [[r for r in range(a, b) if reference[r] is not None and metric[r] is not None]
                for a, b in self.windows]

    def columns(self, metric, reference=None):
        reference = self.target if reference is None else reference
        rows = [r for window in self.common(metric, reference) for r in window]
        return [reference[r] for r in rows], [metric[r] for r in rows]


def distances(question, metric):
    """Per row: Euclid, Manhattan, warping; each with its sign."""
    x, y = question.columns(metric)
    if coefficient(x, y) is None:
        return None, None, None
    zx, zy, count = z(x), z(y), len(x)
    lengths = [len(w) for w in question.common(metric)]
    found = []
    for distance in (lambda a, b: math.sqrt(((a - b) ** 2).mean()), lambda a, b: abs(a - b).mean(),
                     lambda a, b: warping(a, b, lengths) / count):
        pair = [float(distance(zx, zy)), float(distance(zx, -zy))]
        found.append({"distance": min(pair), "sign": 0 if pair[0] == pair[1] else 1 if pair[0] < pair[1] else -1})
    return found


def warping(a, b, lengths):
    start, sum_ = 0, 0.0
    for length in lengths:
        if length:
            sum_ += dtw.distance(a[start:start + length].copy(), b[start:start + length].copy(),
                                 inner_dist="euclidean", use_c=False)
        start += length
    return sum_


def target_cuts(question, way):
    """By window: (rows, first rows of all lines but the first)."""
    found = []
    for a, b in question.windows:
        rows = [r for r in range(a, b) if question.target[r] is not None]
        times, values = [question.middle(r) for r in rows], [question.target[r] for r in rows]
        cuts = way(times, values)
        found.append((rows, [rows[c] for c in cuts], heights(times, values, cuts)))
    return found


def same_splits(question, metric):
    k = question.segments
    if k is None and max(b - a for a, b in question.windows) < 20:
        return None
    parts = target_cuts(question, lambda t, v: (best(t, v) or []) if k is None else greedy(t, v, k, 2))
    error = spread = 0.0
    fits, targets, lines = [], [], 0
    rows_by_window = question.common(metric)
    if coefficient(*question.columns(metric)) is None:
        return None
    for (rows, starts, drawn), seen in zip(parts, rows_by_window):
        lines += len(starts) + 1
        known = dict(zip(rows, drawn))
        bounds = [-1, *starts, 10**9]
        values = [metric[r] for r in seen]
        if values:
            spread += float(((numpy.array(values) - numpy.mean(values)) ** 2).sum())
        for a, b in zip(bounds, bounds[1:]):
            some = [r for r in seen if a <= r < b]
            if some:
                e, h = fit([question.middle(r) for r in some], [metric[r] for r in some])
                error += e
                fits += list(h)
                targets += [known[r] for r in some]
    if sum(map(len, rows_by_window)) <= 2 * lines:
        return None
    return {"score": 1 - error / spread, "sign": math.copysign(1, numpy.corrcoef(fits, targets)[0, 1])}


def best_splits(question, metric):
    """The cumulative difference of the boundaries, in mean rows. Only where both have as many."""
    k, apart, compared = question.segments, 0.0, 0
    if coefficient(*question.columns(metric)) is None:
        return None
    for (a, b), seen in zip(question.windows, question.common(metric)):
        row = (question.edges[b] - question.edges[a]) / (b - a)
        mine = [r for r in range(a, b) if question.target[r] is not None]
        columns = [question.middle(r) for r in mine], [question.target[r] for r in mine]
        lines = len(best(*columns) or []) + 1 if k is None else k
        target = [moment(question, mine, c) for c in greedy(*columns, lines, 2)]
        lines = len(target) + 1
        other = greedy([question.middle(r) for r in seen], [metric[r] for r in seen], lines, 2)
        other = [moment(question, seen, c) for c in other]
        if len(other) != len(target):
            return None
        compared += len(target)
        apart += sum(abs(s - t) for s, t in zip(target, other)) / row
    return apart if compared else None


def moment(question, rows, cut):
    return (question.edges[rows[cut - 1] + 1] + question.edges[rows[cut]]) / 2


def auto_pattern(question, metric):
    reference = [None] * len(question.target)
    for a, b in question.windows:
        rows = [r for r in range(a, b) if question.target[r] is not None]
        times, values = [question.middle(r) for r in rows], despike([question.target[r] for r in rows])
        cuts = best(times, values)
        drawn = values if cuts is None else heights(times, values, cuts)
        for r, h in zip(rows, drawn):
            reference[r] = h
    return coefficient(*question.columns(metric, reference))


def lagged(question, metric):
    """(r, lag): the largest |r|, at the shortest lag of equals."""
    furthest = min(100, min(b - a for a, b in question.windows) // 4)
    found = []
    for lag in sorted(range(-furthest, furthest + 1), key=lambda lag: (abs(lag), lag)):
        rows = [r for a, b in question.windows for r in range(a, b)
                if 0 <= r + lag < len(metric) and question.target[r] is not None and metric[r + lag] is not None]
        r = coefficient([question.target[r] for r in rows], [metric[r + lag] for r in rows])
        found.append((len(rows), r, lag))
    enough = max(count for count, _, _ in found) / 2
    chosen = None
    for count, r, lag in found:
        if r is not None and count >= enough and (chosen is None or abs(r) > abs(chosen[0]) + 1e-12):
            chosen = (r, lag)
    return chosen


# ---- cases ---------------------------------------------------------------------------------


def shape(kind, count, rng):
    """Something to look for, with values of about 1."""
    line = [n / count for n in range(count)]
    if kind == "steps":
        return [float(int(6 * t) % 3) for t in line]
    if kind == "ramp":
        return [2 * t for t in line]
    if kind == "tent":
        return [min(t, 1 - t) * 4 for t in line]
    if kind == "wave":
        return [math.sin(9 * t) for t in line]
    if kind == "dip":
        return [0.0 if 0.45 < t < 0.6 else 1.0 for t in line]
    if kind == "walk":
        at, walk = 0.0, []
        for _ in line:
            at += rng.gauss(0, 0.3)
            walk.append(at)
        return walk
    return [rng.gauss(0, 1) for _ in line]


def cases():
    rng = random.Random(20260908)
    kinds = ["steps", "ramp", "tent", "wave", "dip", "walk", "noise"]
    made = []
    for number in range(42):
        count = rng.choice([24, 40, 64, 90])
        kind, other = kinds[number % 7], kinds[rng.randrange(7)] if number % 3 == 0 else kinds[number % 7]
        noise = rng.choice([0.05, 0.2, 0.6])
        target = [v + rng.gauss(0, noise) for v in shape(kind, count, rng)]
        shift = rng.choice([0, 0, 0, 2, -3])
        base = shape(other, count + 12, rng)
        metric = [base[n + 6 - shift] + rng.gauss(0, noise) for n in range(count)]
        offset, factor = rng.choice([(0, 1), (0, -1), (1e6, 3.0), (0, 1e-200), (0, -1e200), (5.0, 0.01)])
        metric = [offset + factor * v for v in metric]
        if number % 6 == 1:
            target, metric = [float(round(2 * v)) for v in target], [float(round(v / factor)) for v in metric]
        if number % 6 == 2:
            target[rng.randrange(count)] += 25
            metric[rng.randrange(count)] += 25 * factor
        if number % 6 == 3:
            for _ in range(4):
                metric[rng.randrange(count)] = None
        if number % 6 == 4:
            target[rng.randrange(count)] = None
        edges, at = [0], 0
        for _ in range(count):
            at += rng.randrange(500_000, 2_000_000) if number % 4 == 0 else 1_000_000
            edges.append(at)
        if number % 5 == 1:
            windows = [[2, count // 2 - 3], [count // 2 + 1, count - 1]]
        elif number % 2:
            windows = [[count // 6, count - count // 6]]
        else:
            windows = [[0, count]]
        made.append((f"{number} {kind} {other}", edges, target, windows, rng.choice([2, 3, 4, None]), metric))
    flat = [[0, 30]], 2, [7.5] * 30
    grid = list(range(0, 31))
    made.append(("constant metric", grid, shape("wave", 30, rng), *flat))
    made.append(("two rows in common", grid, shape("wave", 30, rng), [[0, 30]], 2,
                 [float(n) if n in (3, 9) else None for n in range(30)]))
    return made


def scores():
    rows = []
    for name, edges, target, windows, segments, metric in cases():
        question = Question(edges, target, windows, segments)
        # Every score is the same for a metric in another unit, and numpy's squares have no 1e400.
        power = math.frexp(max(abs(v) for v in metric if v is not None))[1]
        written, metric = metric, [None if v is None else math.ldexp(v, -power) for v in metric]
        x, y = question.columns(metric)
        pearson = coefficient(x, y)
        spearman = None if pearson is None else float(stats.spearmanr(x, y)[0])
        euclidean, manhattan, dtw_ = distances(question, metric)
        lag = lagged(question, metric)
        rows.append({
            "name": name, "edges": edges, "target": target, "windows": windows, "segments": segments,
            "metric": written, "pearson": pearson, "spearman": spearman, "euclidean": euclidean,
            "manhattan": manhattan, "dtw": dtw_, "same_splits": same_splits(question, metric),
            "best_splits": best_splits(question, metric), "auto_pattern": auto_pattern(question, metric),
            "lagged": None if lag is None else {"r": lag[0], "lag": lag[1]},
        })
    write("correlators/scores.json", ORACLE, {"relative": 1e-9},
          "Sums of up to 90 terms in doubles. Metrics of 1e200 and 1e-200 were scaled by a power of two for the oracle.",
          "edges are nanoseconds; null in target and metric is a gap, windows are first row and the row past the last,"
          " segments null is auto. Coefficients have their sign. distance is per row, between z-scores (population"
          " standard deviation), sign 1 if the metric is nearer than its negation. same_splits is R2; best_splits the"
          " cumulative difference of the cuts in mean rows, null where the two have not as many cuts; both null"
          " where the metric does not change or has too few rows. lagged: positive if the metric comes later.",
          rows)


def segments():
    rng = random.Random(77)
    rows = []
    for number, kind in enumerate(["steps", "ramp", "tent", "wave", "dip", "walk", "noise"] * 3):
        count = [21, 40, 70][number // 7]
        noise = [0.3, 0.1, 0.02][number // 7]
        values = [v + rng.gauss(0, noise) for v in shape(kind, count, rng)]
        if number % 4 == 0:
            values[rng.randrange(count)] += 9
        edges, at = [0], 0
        for _ in range(count):
            at += rng.randrange(500_000, 2_000_000) if number % 2 else 1_000_000
            edges.append(at)
        times = [(a + b) * 0.5e-9 for a, b in zip(edges, edges[1:])]
        spread = float(((numpy.array(values) - numpy.mean(values)) ** 2).sum())
        cost = Costs(times, values)
        ways = []
        for lines in (1, 2, 3, 5):
            for shortest in (2, 4):
                top_down = greedy(times, values, lines, shortest)
                found = [way for way in optimal(times, values, lines, shortest) if way is not None]
                least = min(error for error, _ in found)
                way = next(way for way in found if way[0] <= least + tiny(values))
                ways.append({"lines": lines, "shortest": shortest, "greedy": top_down,
                             "greedy_error": total(cost, top_down, count) / spread,
                             "optimal": way[1], "optimal_error": way[0] / spread})
        rows.append({"edges": edges, "values": values, "ways": ways, "best": best(times, values),
                     "despiked": despike(values)})
    write("correlators/segments.json", ORACLE, {"relative": 1e-9, "absolute": 1e-12},
          "Errors are shares of the sum of squares about the mean; cuts are exact.",
          "greedy, optimal and best are the first points of all lines but the first. optimal is for at most so many"
          " lines: with a least length more lines can fit worse. despiked: the values with spikes replaced.",
          rows)


if __name__ == "__main__":
    scores()
    segments()
