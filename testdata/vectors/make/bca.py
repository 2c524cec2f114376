"""bca/*.json: the BCa bootstrap, piece by piece on given replicates, and as a whole from scipy."""

import math
import warnings

import numpy as np
import scipy
from scipy import stats
from scipy.special import ndtr, ndtri
from scipy.stats._resampling import _bca_interval

from common import write

LEVELS = [0.9, 0.95]
STATISTICS = {"mean": np.mean, "median": np.median}


def samples():
    rng = np.random.Generator(np.random.PCG64(23))
    yield "normal 5", np.round(rng.normal(10, 1, size=5), 6)
    yield "skewed 8", np.round(rng.lognormal(size=8), 6)
    yield "ties 10", np.array([1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 9.0])
    yield "normal 15", np.round(rng.normal(size=15), 6)
    yield "ties 21", np.round(rng.exponential(4, size=21))
    yield "skewed 22", np.round(rng.lognormal(sigma=1.2, size=22), 6)
    yield "exponential 30", np.round(rng.exponential(size=30), 6)
    yield "normal 40", np.round(rng.normal(100, 5, size=40), 6)


def resample(values, function, count, rng):
    index = rng.integers(0, len(values), size=(count, len(values)))
    return function(values[index], axis=-1)


def pieces(values, function, replicates, level):
    """The BCa quantities written out. None where one is not finite."""
    n = len(values)
    theta = function(values)
    share = (np.count_nonzero(replicates < theta) + np.count_nonzero(replicates <= theta)) / (2 * len(replicates))
    z0 = float(ndtri(share))
    jackknife = np.array([function(np.delete(values, i)) for i in range(n)])
    u = (n - 1) * (jackknife.mean() - jackknife)
    squares = float(np.sum(u**2)) / n**2
    acceleration = float(np.sum(u**3)) / n**3 / squares**1.5 / 6 if squares > 0 else math.nan
    z = float(ndtri((1 - level) / 2))
    with np.errstate(all="ignore"):
        alpha = [float(ndtr(z0 + (z0 + w) / (1 - acceleration * (z0 + w)))) for w in (z, -z)]
    if all(math.isfinite(a) for a in alpha):
        ends = [float(v) for v in np.quantile(replicates, alpha, method="linear")]
    else:
        ends = [math.nan, math.nan]
    # The same from scipy's internals.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        low, high, a_hat = _bca_interval((values,), function, axis=-1, alpha=(1 - level) / 2,
                                         theta_hat_b=replicates, batch=None, xp=np)
        got = [float(np.squeeze(v)) for v in (low, high, a_hat)]
        ci = stats.quantile(replicates, np.array(alpha)) if not math.isnan(alpha[0]) else [math.nan] * 2
    for mine, scipys in zip(alpha + [acceleration] + ends, got + [float(v) for v in ci]):
        assert (math.isnan(mine) and math.isnan(scipys)) or abs(mine - scipys) <= 1e-12 * max(1, abs(mine)), (mine, scipys)
    finite = lambda v: v if math.isfinite(v) else None
    return {"theta": float(theta), "share": float(share), "z0": finite(z0), "acceleration": finite(acceleration),
            "alpha1": finite(alpha[0]), "alpha2": finite(alpha[1]), "lower": finite(ends[0]), "upper": finite(ends[1])}


def given_replicates():
    rng = np.random.Generator(np.random.PCG64(29))
    cases = []

    def add(name, statistic, values, replicates):
        found = [pieces(values, STATISTICS[statistic], replicates, level) for level in LEVELS]
        first = found[0]
        cases.append({"name": name, "statistic": statistic, "x": [float(v) for v in values],
                      "replicates": [float(v) for v in replicates],
                      "theta": first["theta"], "share": first["share"], "z0": first["z0"],
                      "acceleration": first["acceleration"],
                      "intervals": [{"c": level, **{k: f[k] for k in ("alpha1", "alpha2", "lower", "upper")}}
                                    for level, f in zip(LEVELS, found)]})

    for name, values in samples():
        for statistic, function in STATISTICS.items():
            add(name, statistic, values, resample(values, function, 200, rng))
    # Broken by duplicates: leaving one out never moves the median, so there is no acceleration.
    values = np.array([1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0])
    add("median that no value moves", "median", values, resample(values, np.median, 200, rng))
    values = np.array([5.0] * 6)
    add("all equal", "mean", values, resample(values, np.mean, 200, rng))
    # Every replicate above the estimate: the share is 0 and z0 is infinite.
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    add("replicates all above", "mean", values, np.round(rng.uniform(7, 9, size=50), 6))
    write("bca/given_replicates.json",
          f"scipy {scipy.__version__} (the internals of stats.bootstrap) and numpy {np.__version__},"
          " written out and compared",
          {"relative": 1e-10, "absolute": 1e-10},
          "Doubles on both sides; the normal quantile and the cube of the jackknife differences cost a few digits. An"
          " error counts when it exceeds both. An order of summation can move a mean by a unit in the last place: the"
          " replicates are compared with theta as given, so take theta from this file when counting.",
          "share = (#{replicate < theta} + #{replicate <= theta}) / (2 B), z0 its normal quantile; u_i = (n - 1)"
          " (mean of jackknife - jackknife_i), acceleration = (sum u^3 / n^3) / (sum u^2 / n^2)^1.5 / 6; alpha1 and"
          " alpha2 = Phi(z0 + (z0 + z) / (1 - acceleration (z0 + z))) at z = -+ the quantile of (1 + c) / 2; ends are"
          " type 7 quantiles of the replicates at them. null: not finite, there is no BCa interval.",
          cases)


def whole():
    resamples, seeds = 200_000, 5
    chosen = {"skewed 8", "normal 15", "ties 21", "skewed 22", "exponential 30", "normal 40"}
    cases = []
    for name, values in samples():
        if name not in chosen:
            continue
        for statistic, function in STATISTICS.items():
            for level in LEVELS:
                ends, pooled = [], []
                for seed in range(seeds):
                    result = stats.bootstrap((values,), function, n_resamples=resamples, batch=20_000, method="BCa",
                                             confidence_level=level, vectorized=True,
                                             rng=np.random.Generator(np.random.PCG64(1000 + seed)))
                    ends.append(list(result.confidence_interval))
                    pooled.append(result.bootstrap_distribution)
                pooled = np.concatenate(pooled)
                middle = np.mean(ends, axis=0)
                p = pieces(values, function, pooled, level)
                # How far an end moves when its level moves by five standard errors of 100,000
                # resamples: those of the quantile itself and those that come through z0.
                base = 100_000
                density = lambda z: math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
                through_z0 = math.sqrt(p["share"] * (1 - p["share"]) / base) / density(p["z0"])
                allowed = []
                for alpha, end in zip((p["alpha1"], p["alpha2"]), middle):
                    delta = 5 * (math.sqrt(alpha * (1 - alpha) / base) + 2 * density(float(ndtri(alpha))) * through_z0)
                    near = np.quantile(pooled, [max(0, alpha - delta), min(1, alpha + delta)])
                    allowed.append(float(max(abs(near - end).max(), 1e-9 * abs(end))))
                for pair in ends:
                    assert all(abs(e - m) <= t for e, m, t in zip(pair, middle, allowed)), (name, statistic)
                cases.append({"name": name, "statistic": statistic, "c": level, "x": [float(v) for v in values],
                              "lower": float(middle[0]), "upper": float(middle[1]),
                              "tolerance_lower": allowed[0], "tolerance_upper": allowed[1],
                              "spread_lower": float(np.std(ends, axis=0, ddof=1)[0]),
                              "spread_upper": float(np.std(ends, axis=0, ddof=1)[1])})
    write("bca/whole.json",
          f"scipy {scipy.__version__}: stats.bootstrap(method='BCa'), mean over {seeds} seeds of {resamples} resamples;"
          f" numpy {np.__version__}",
          {"absolute": "tolerance_lower and tolerance_upper of each case, for 100,000 resamples or more"},
          "Monte-Carlo error only. The tolerance is how far the end moves when its level moves by five standard errors"
          " of 100,000 resamples (those of the quantile and those through z0). The bootstrap median is discrete: an end"
          " may sit at a jump, which the tolerance then spans.",
          "c is the two-sided confidence. spread: standard deviation over the seeds of scipy's own ends.",
          cases)


if __name__ == "__main__":
    given_replicates()
    whole()
