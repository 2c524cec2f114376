"""exact_decimals.json: the sets of outliers.json in exact fractions, by brute force.

outliers.json was computed in doubles from decimals, so three of its sets have heights that differ
only by rounding (0.3 - 0.2 is not 0.2 - 0.1). Here nothing is rounded. Sets of up to 300 values, and
the heights of the others; only the standard library is used. Run from this folder: python3 make_exact.py
"""
import json
from fractions import Fraction as F
from decimal import Decimal

MIN_PTS = 10


def lof(x, delta):
    n = len(x)
    k = min(MIN_PTS, n - 1)
    dist = [[abs(a - b) for b in x] for a in x]
    kd, near = [], []
    for p in range(n):
        others = sorted(dist[p][q] for q in range(n) if q != p)
        kd.append(others[k - 1])
        near.append([q for q in range(n) if q != p and dist[p][q] <= kd[p]])
    # Reach in fractions, the ratios in doubles: exact ones would have thousands of digits.
    reach = [max(sum((max(kd[q], dist[p][q]) for q in near[p]), F(0)) / len(near[p]), delta) for p in range(n)]
    return [sum(float(reach[p] / reach[q]) for q in near[p]) / len(near[p]) for p in range(n)]


def tree(x):
    """Greedy: merge the leftmost closest pair of neighbours until one cluster is left."""
    clusters = [(v, v) for v in sorted(x)]
    spans, merges = [(i, i) for i in range(len(x))], []
    while len(clusters) > 1:
        d = [clusters[i + 1][1] - clusters[i][0] for i in range(len(clusters) - 1)]
        i = d.index(min(d))
        merges.append((d[i], spans[i][0], spans[i + 1][1]))
        clusters[i:i + 2] = [(clusters[i][0], clusters[i + 1][1])]
        spans[i:i + 2] = [(spans[i][0], spans[i + 1][1])]
    return merges


def outliers(x, merges, h):
    n, s = len(x), sorted(x)
    most, median = max(1, n // 100), (s[(n - 1) // 2] + s[n // 2]) / 2
    first = list(range(n))
    for d, a, b in merges:
        if d <= h:
            first[a:b + 1] = [a] * (b + 1 - a)
    size = [0] * n
    for a in first:
        size[a] += 1
    bad = {s[i] for i in range(n) if size[first[i]] <= most and s[first[i]] > median}
    return [i for i in range(n) if x[i] in bad]


def case(data):
    x = [F(v) for v in data["data"]]
    merges = tree(x)
    heights = sorted({d for d, _, _ in merges})
    u = sorted(set(x))
    delta = min((b - a for a, b in zip(u, u[1:])), default=F(1))
    factors = lof(x, delta)
    candidates = []
    for h in heights:
        out = outliers(x, merges, h)
        kept = [factors[i] for i in range(len(x)) if i not in set(out)]
        candidates.append((sum(kept) / len(kept), h, out))
    least = min(c[0] for c in candidates)
    full = max((c for c in candidates if c[0] <= least * (1 + 1e-12)), key=lambda c: c[1])
    m = len(heights)
    simple = candidates[min(m - 1, (m + 1) // 2)]
    return {
        "name": data["name"], "data": [float(v) for v in data["data"]], "lof": factors,
        "heights": [float(h) for h in heights],
        "full": {"cut_height": float(full[1]), "outlier_indices": full[2]},
        "simplified": {"cut_height": float(simple[1]), "outlier_indices": simple[2]},
    }


sets = json.load(open("outliers.json"), parse_float=Decimal)["datasets"]
out = {
    "oracle": "exact fractions of Python's standard library, brute force (make_exact.py)",
    "tolerance": {"lof": 1e-12, "cut_height and heights": "1 ulp", "indices": "exact"},
    "reason": "The ratios in the local outlier factor are summed in doubles; all else is exact.",
    "conventions": "As outliers.json, but decimals are what is written, not the nearest doubles.",
    "cases": [case(s) for s in sets if s["n"] <= 300],
}
with open("exact_decimals.json", "w") as f:
    f.write(json.dumps(out, indent=None).replace('{"name"', '\n{"name"') + "\n")
