"""normal/quantile.json and normal/cdf.json: the standard normal distribution."""

from common import mp, mpf, normal_quantile, normal_tails, oracle_mpmath, write

TAIL = [1e-300, 1e-250, 1e-200, 1e-150, 1e-100, 1e-75, 1e-50, 1e-40, 1e-30, 1e-25, 1e-20, 1e-18, 1e-16, 1e-15,
        1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 0.0005, 0.001, 0.0025, 0.005, 0.01,
        0.02, 0.02425, 0.025, 0.03, 0.05, 0.075, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.425, 0.45, 0.49,
        0.499, 0.4999, 0.499999, 0.4999999999]
MIDDLE = [0.5, 0.5000000001, 0.500001, 0.5001, 0.501, 0.51, 0.55, 0.575, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925,
          0.95, 0.97, 0.975, 0.97575, 0.98, 0.99, 0.995, 0.9975, 0.999, 0.9995, 1 - 1e-4, 1 - 1e-6, 1 - 1e-9,
          1 - 1e-12, 1 - 1e-15, 1 - 2**-53]

Z = [0.0, 1e-300, 1e-20, 1e-9, 1e-5, 0.001, 0.01, 0.1, 0.25, 0.46875, 0.5, 0.6744897501960817, 0.6745, 0.75, 1.0,
     1.25, 1.5, 1.6448536269514722, 1.959963984540054, 2.0, 2.5, 2.5758293035489004, 3.0, 3.2905267314919255, 4.0,
     5.0, 5.656854249492381, 6.0, 7.0, 8.0, 8.3, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 35.0, 37.0, 37.04]


def main():
    cases = []
    for p in TAIL + MIDDLE:
        z = normal_quantile(p)
        lower, upper = normal_tails(z)
        tail = min(mpf(p), 1 - mpf(p))
        assert abs((lower if p <= 0.5 else upper) - tail) < tail * mpf(10) ** -40
        cases.append({"p": p, "z": z})
    write("normal/quantile.json",
          oracle_mpmath("Newton on the logarithm of erfc, checked by evaluation"),
          {"relative": 1e-10},
          "The oracle is right to the last digit of a double; the allowance is for an implementation in doubles.",
          "z with P(Z <= z) = p. p is an exact double: near 1 the oracle uses the double, not the decimal.",
          cases)

    cases = []
    for z in sorted({-z for z in Z} | set(Z)):
        lower, upper = normal_tails(z)
        cases.append({"z": z, "lower": lower, "upper": upper})
    write("normal/cdf.json",
          oracle_mpmath("erfc"),
          {"relative": 1e-10},
          "The oracle is right to the last digit of a double. Far out exp(-z^2/2) loses about z^2 units in the last"
          " place unless z^2 is split, hence not a tighter figure.",
          "lower = P(Z <= z), upper = P(Z > z), each held to a relative error.",
          cases)


if __name__ == "__main__":
    main()
