"""quantile/hyndman_fan_7.json: sample quantiles by linear interpolation, from numpy."""

from fractions import Fraction

import numpy as np

from common import write

P = [0.0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.6, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0]


def samples():
    rng = np.random.Generator(np.random.PCG64(7))
    yield "one", [3.5]
    yield "two", [2.0, 1.0]
    yield "three", [10.0, -5.0, 0.25]
    yield "equal", [4.0] * 6
    yield "one to ten", [float(v) for v in range(1, 11)]
    yield "ties", [1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 7.0, 7.0]
    yield "signs", [-1e-3, 1e3, -1e3, 1e-3, 0.0]
    yield "offset", [1e9 + float(v) for v in np.round(rng.normal(size=15), 3)]
    yield "tiny", [float(v) for v in rng.lognormal(size=12) * 1e-300]
    yield "huge", [float(v) for v in rng.normal(size=12) * 1e300]
    yield "skewed", [float(v) for v in rng.lognormal(sigma=2, size=22)]
    yield "long", [float(v) for v in rng.normal(size=101)]
    yield "longer", [float(v) for v in rng.exponential(size=250)]


def exact(values, p):
    ordered = sorted(Fraction(v) for v in values)
    place = Fraction(p) * (len(ordered) - 1)
    index = int(place)
    if index == len(ordered) - 1:
        return ordered[-1]
    return ordered[index] + (place - index) * (ordered[index + 1] - ordered[index])


def main():
    cases = []
    for name, values in samples():
        found = [float(np.quantile(np.array(values), p, method="linear")) for p in P]
        scale = max(abs(v) for v in values)
        for p, q in zip(P, found):
            assert abs(Fraction(q) - exact(values, p)) <= Fraction(scale) * Fraction(1, 10**14), (name, p)
        cases.append({"name": name, "x": values, "p": P, "q": found})
    write("quantile/hyndman_fan_7.json",
          f"numpy {np.__version__}: quantile(method='linear'), checked by exact fractions",
          {"relative_to_max_abs_x": 1e-13},
          "An interpolated value may cancel (neighbours of opposite sign) and p (n - 1) is rounded, so the error is"
          " measured against the largest |x|; it is a few units in the last place.",
          "Hyndman and Fan's type 7: with h = p (n - 1) and i = floor(h), x(i+1) + (h - i) (x(i+2) - x(i+1)), ranks"
          " 1-based. x is not sorted.",
          cases)


if __name__ == "__main__":
    main()
