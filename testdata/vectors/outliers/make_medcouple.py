"""medcouple.json: the medcouple in exact fractions, by its definition, pair by pair.

Only the standard library is used. Run from this folder: python3 make_medcouple.py
"""
import json
from fractions import Fraction as F
from statistics import median


def medcouple(x):
    x = sorted(F(v) for v in x)
    m = median(x)
    upper = [v for v in x if v >= m][::-1]
    lower = [v for v in x if v <= m][::-1]
    equal = x.count(m)
    first = len(upper) - equal
    sign = lambda v: (v > 0) - (v < 0)
    h = []
    for i, a in enumerate(upper):
        for j, b in enumerate(lower):
            h.append(F(sign(equal - 1 - (i - first) - j)) if a == b else ((a - m) - (m - b)) / (a - b))
    return median(h)


def noise(n, of, step):
    """Whole numbers from a linear congruential generator."""
    state, values = 12345 + n, []
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2**31
        values.append((state >> 8) % of * step)
    return values


SETS = {
    "robustbase_example": [1, 2, 7, 9, 10],
    "symmetric": [1, 2, 3, 4, 5],
    "one": [3],
    "two": [3, 8],
    "all_equal": [7] * 9,
    "ties_at_the_median": [1, 2, 5, 5, 5, 5, 8, 30],
    "median_is_the_least": [1, 1, 1, 1, 1, 7, 8, 9],
    "even_tail": [1, 2, 3, 4, 5, 7, 10, 15, 25, 50],
    "clock_of_10": [10 * v for v in noise(60, 9, 1)],
    "squares": [i * i for i in range(1, 41)],
    "roots": [-(i * i) for i in range(1, 38)],
    "noise_101": noise(101, 100000, 1),
    "noise_200": [v * v % 99991 for v in noise(200, 100000, 1)],
}

with open("medcouple.json", "w") as file:
    cases = [{"name": name, "data": data, "medcouple": float(medcouple(data))} for name, data in SETS.items()]
    file.write('{"oracle": "exact fractions of Python\'s standard library, pair by pair (make_medcouple.py)", ')
    file.write('"tolerance": {"medcouple": 1e-14}, "reason": "The two ratios in the middle are rounded once each.", "cases": [\n')
    file.write(",\n".join(json.dumps(case) for case in cases))
    file.write("\n]}\n")
