"""student_t/quantile.json: quantiles of Student's t."""

from common import beta_tails, mp, mpf, oracle_mpmath, student_quantile, write

DF = [1, 1.5, 2, 3, 4, 5, 7.5, 10, 21, 30, 99, 100, 999, 1000, 5000, 1e4]
P = [1e-9, 1e-8, 1e-6, 1e-4, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.4, 0.49, 0.499999, 0.5,
     0.5000001, 0.6, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 1 - 1e-6, 1 - 1e-9]


def cdf(df, t):
    """P(T <= t) from mpmath's own incomplete beta function: a check of the solution."""
    df = mpf(df)
    x, half = df / (df + t * t), mpf(1) / 2
    if t * t < df:
        # Close to the centre: from the middle outwards.
        inner = mp.betainc(half, df / 2, 0, t * t / (df + t * t), regularized=True) / 2
        return half - inner if t < 0 else half + inner
    tail = mp.betainc(df / 2, half, 0, x, regularized=True) / 2
    return tail if t < 0 else 1 - tail


def main():
    cases = []
    for df in DF:
        for p in P:
            t = student_quantile(df, p)
            tail = min(mpf(p), 1 - mpf(p))
            assert abs(cdf(df, t) - mpf(p)) < tail * mpf(10) ** -40, (df, p)
            cases.append({"df": df, "p": p, "t": t})
    # Two families with a closed form.
    for p in P:
        q = mpf(p)
        assert abs(student_quantile(1, p) - mp.tan(mp.pi * (q - mpf(1) / 2))) <= abs(q - 0.5) * mpf(10) ** -20 / min(q, 1 - q)
        assert abs(student_quantile(2, p) - (2 * q - 1) / mp.sqrt(2 * q * (1 - q))) < mpf(10) ** -30
    write("student_t/quantile.json",
          oracle_mpmath("Newton on the incomplete beta function, checked by mpmath.betainc and closed forms"),
          {"relative": 1e-10},
          "The oracle is right to the last digit of a double; the allowance is for an implementation in doubles.",
          "t with P(T <= t) = p for Student's t with df degrees of freedom. df and p are exact doubles: near 1 the"
          " oracle uses the double, not the decimal.",
          cases)


if __name__ == "__main__":
    main()
