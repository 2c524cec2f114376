"""mean/t_interval.json and mean/z_interval.json: intervals for a mean, from exact sums."""

from fractions import Fraction

import numpy as np

from common import mp, mpf, normal_quantile, oracle_mpmath, student_quantile, write

C = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999]


def samples():
    rng = np.random.Generator(np.random.PCG64(11))
    yield "pair", [1.0, 2.0]
    yield "three", [0.1, 0.2, 0.4]
    yield "five", [12.1, 11.8, 12.6, 12.0, 12.2]
    yield "ties", [3.0, 3.0, 3.0, 3.0, 4.0]
    yield "signs", [-2.5, 2.5, -1.0, 1.0, 0.0]
    yield "normal 22", [float(v) for v in rng.normal(10, 2, size=22)]
    yield "skewed 40", [float(v) for v in rng.lognormal(sigma=1.5, size=40)]
    yield "normal 1000", [float(v) for v in np.round(rng.normal(100, 5, size=1000), 3)]
    yield "offset 1e9, steps of the last place", [1e9 + k * 2.0**-23 for k in (0, 3, 1, 4, 1, 5, 9, 2, 6)]
    yield "offset 1e9, tiny spread", [1e9 + float(v) * 1e-5 for v in rng.normal(size=30)]
    yield "offset -1e15", [-1e15 + k * 0.125 for k in (0, 1, 1, 2, 3, 5, 8, 13)]
    yield "tiny 1e-300", [float(v) for v in rng.lognormal(size=20) * 1e-300]
    yield "huge 1e300", [float(v) for v in rng.lognormal(sigma=0.3, size=20) * 1e300]
    yield "huge, both signs", [1e300, -1e300, 2e300, -1.5e300, 0.5e300]
    yield "wide range", [1e-8, 1.0, 1e8, 3.0, 1e4]


def as_mpf(fraction):
    return mpf(fraction.numerator) / mpf(fraction.denominator)


def main():
    t_cases, z_cases = [], []
    for name, values in samples():
        n = len(values)
        exact = [Fraction(v) for v in values]
        mean = sum(exact) / n
        variance = sum((v - mean) ** 2 for v in exact) / (n - 1)
        error = mp.sqrt(as_mpf(variance / n))
        common = {"name": name, "x": values, "mean": as_mpf(mean), "sd": mp.sqrt(as_mpf(variance)), "error": error}
        for cases, quantile in ((t_cases, lambda q: student_quantile(n - 1, q)), (z_cases, normal_quantile)):
            ends = []
            for c in C:
                critical = quantile((1 + mpf(c)) / 2)
                half = critical * error
                ends.append({"c": c, "critical": critical, "half": half,
                             "lower": as_mpf(mean) - half, "upper": as_mpf(mean) + half})
            cases.append(dict(common, intervals=ends))
    reason = ("The oracle is right to the last digit of a double. An end may be close to zero by cancellation, so its"
              " error is measured against max(|end|, half).")
    for path, cases, which in (("mean/t_interval.json", t_cases, "Student's t quantile with n - 1 degrees of freedom"),
                               ("mean/z_interval.json", z_cases, "the normal quantile")):
        write(path, oracle_mpmath("exact fractions for the sums"),
              {"relative": 1e-10, "ends_relative_to": "max(|end|, half)"}, reason,
              f"sd has divisor n - 1, error = sd / sqrt(n), critical = {which} at (1 + c) / 2, half = critical error,"
              " ends mean -+ half. The variance itself may leave the range of doubles; none of these does.",
              cases)


if __name__ == "__main__":
    main()
