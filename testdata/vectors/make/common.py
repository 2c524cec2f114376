"""Shared pieces of the vector generators: exact numbers, the incomplete beta function, JSON output.

Every input is a double and enters the arithmetic with its exact value. Results are rounded to
the nearest double once, at the end, and written with the fewest digits that read back as it.
"""

import json
import math
import pathlib
from fractions import Fraction

import mpmath
from mpmath import mp, mpf

# Where the vector files live: the folder above this one.
ROOT = pathlib.Path(__file__).resolve().parent.parent

# Working digits. Results are used to 17; the slack covers the cancellation of large logarithms.
DIGITS = 60
mp.dps = DIGITS


def oracle_mpmath(text):
    return f"mpmath {mpmath.__version__}, {DIGITS} digits: {text}"


# ---- numbers -------------------------------------------------------------------------------


def to_fraction(value):
    """The exact value of an mpf, float, int or Fraction."""
    if isinstance(value, mpf):
        # The mantissa's sign differs between versions of mpmath: take it from the number itself.
        mantissa, exponent = abs(int(value.man)), int(value.exp)
        if value < 0:
            mantissa = -mantissa
        if exponent >= 0:
            return Fraction(mantissa * 2**exponent)
        return Fraction(mantissa, 2**-exponent)
    return Fraction(value)


def to_double(value):
    """The nearest double. Python's integer division is correctly rounded, subnormals included."""
    if value is None or isinstance(value, (int, bool, str)):
        return value
    if isinstance(value, mpf) and value != 0 and mpmath.mag(value) < -1100:
        return 0.0
    fraction = to_fraction(value)
    return fraction.numerator / fraction.denominator


# ---- incomplete beta -----------------------------------------------------------------------


def _log_front(a, b, x, y):
    """ln of x^a y^b / B(a, b), with y = 1 - x given apart so that neither end loses digits."""
    log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    return a * _log_of(x, y) + b * _log_of(y, x) - log_beta


def _log_of(x, y):
    """ln x, through log1p when x is close to 1."""
    return mp.log1p(-y) if y < mpf("0.25") else mp.log(x)


def _fraction(a, b, x):
    """The continued fraction f with I_x(a, b) = x^a y^b / (a B(a, b)) * f, for x below the mean.

    Steed's form of the classical expansion: the convergents by the modified Lentz rule.
    """
    eps = mpf(10) ** (-(mp.dps - 5))
    total = a + b
    c = mpf(1)
    d = 1 / (1 - total * x / (a + 1))
    value = d
    m = 0
    while True:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + even * d)
        c = 1 + even / c
        value *= d * c
        odd = -(a + m) * (total + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + odd * d)
        c = 1 + odd / c
        step = d * c
        value *= step
        if abs(step - 1) < eps:
            return value
        if m > 2_000_000:
            raise ArithmeticError("the continued fraction did not converge")


def log_beta_tails(a, b, x, y):
    """(ln I_x(a,b), ln(1 - I_x(a,b))), each with small relative error in its argument."""
    a, b, x, y = mpf(a), mpf(b), mpf(x), mpf(y)
    front = _log_front(a, b, x, y)
    if x * (a + b + 2) < a + 1:
        lower = front - mp.log(a) + mp.log(_fraction(a, b, x))
        return lower, mp.log1p(-mp.exp(lower))
    upper = front - mp.log(b) + mp.log(_fraction(b, a, y))
    return mp.log1p(-mp.exp(upper)), upper


def beta_tails(a, b, x, y):
    lower, upper = log_beta_tails(a, b, x, y)
    return mp.exp(lower), mp.exp(upper)


def beta_quantile(a, b, low, high):
    """(x, 1 - x) with I_x(a, b) = low and 1 - I_x(a, b) = high, where low + high = 1.

    Newton on the logarithm of the smaller tail as a function of the logit of x. That function is
    concave (the density of the logit is log-concave), so the iteration converges from anywhere.
    """
    a, b, low, high = mpf(a), mpf(b), mpf(low), mpf(high)
    digits = mp.dps
    logit = mp.log(a) - mp.log(b)
    try:
        # First find the root roughly, then polish with all digits: each step doubles them.
        for stage in (25, digits):
            mp.dps = stage
            goal = mpf(10) ** (-18 if stage == 25 else -(digits - 15))
            for _ in range(200):
                x = 1 / (1 + mp.exp(-logit))
                y = 1 / (1 + mp.exp(logit))
                lower, upper = log_beta_tails(a, b, x, y)
                density = _log_front(a, b, x, y)
                if low <= high:
                    step = (lower - mp.log(low)) / mp.exp(density - lower)
                else:
                    step = -(upper - mp.log(high)) / mp.exp(density - upper)
                logit -= step
                if abs(step) <= goal * max(1, abs(logit)):
                    break
            else:
                raise ArithmeticError(f"no quantile for {a}, {b}, {low}")
    finally:
        mp.dps = digits
    return 1 / (1 + mp.exp(-logit)), 1 / (1 + mp.exp(logit))


def student_quantile(df, p):
    """t with P(T <= t) = p for the exact value p (an mpf or a double)."""
    df, p = mpf(df), mpf(p)
    if p == mpf(1) / 2:
        return mpf(0)
    tail = p if p < mpf(1) / 2 else 1 - p
    # P(|T| > t) = I_{df/(df+t^2)}(df/2, 1/2) = 2 tail.
    x, y = beta_quantile(df / 2, mpf(1) / 2, 2 * tail, 1 - 2 * tail)
    size = mp.sqrt(df * y / x)
    return -size if p < mpf(1) / 2 else size


# ---- normal --------------------------------------------------------------------------------


def normal_tails(z):
    root = mp.sqrt(2)
    z = mpf(z)
    return mp.erfc(-z / root) / 2, mp.erfc(z / root) / 2


def normal_quantile(p):
    """z with P(Z <= z) = p, by Newton on the logarithm of the smaller tail."""
    p = mpf(p)
    if p == mpf(1) / 2:
        return mpf(0)
    if p > mpf(1) / 2:
        return -normal_quantile(1 - p)
    z = -mp.sqrt(-2 * mp.log(2 * p)) if p < mpf("0.01") else mpf(0)
    for _ in range(200):
        lower, _upper = normal_tails(z)
        density = mp.exp(-z * z / 2) / mp.sqrt(2 * mp.pi)
        step = (mp.log(lower) - mp.log(p)) * lower / density
        z -= step
        if abs(step) <= mpf(10) ** (-(mp.dps - 10)) * max(abs(z), mpf(10) ** -10):
            return z
    raise ArithmeticError(f"no normal quantile for {p}")


# ---- output --------------------------------------------------------------------------------


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    number = to_double(value)
    if not math.isfinite(number):
        raise ValueError("a vector holds finite numbers and null only")
    return number


def write(path, oracle, tolerance, reason, conventions, cases):
    """One file: the header fields, then one case per line."""
    target = ROOT / path
    target.parent.mkdir(parents=True, exist_ok=True)
    head = {"oracle": oracle, "tolerance": tolerance, "reason": reason, "conventions": conventions}
    lines = ["{"]
    for key, value in head.items():
        lines.append(f" {json.dumps(key)}: {json.dumps(_plain(value))},")
    lines.append(' "cases": [')
    rows = [json.dumps(_plain(case), separators=(",", ":"), allow_nan=False) for case in cases]
    lines.append(",\n".join("  " + row for row in rows))
    lines.append(" ]")
    lines.append("}")
    text = "\n".join(lines) + "\n"
    if len(text) > 400_000:
        raise ValueError(f"{path}: {len(text)} bytes, more than 400 kB")
    target.write_text(text)
    print(f"{path}: {len(cases)} cases, {len(text)} bytes")
