"""two_groups/: which of many measures differ between two groups of runs.

Every way to divide the runs is tried with itertools; t is computed from
the values of the two groups with the variance of their rounding added, and the step-down p-values follow the
definition: the share of divisions in which the largest statistic among all measures that were not
larger reaches it.
"""

import itertools
import math

import numpy

from common import write


def step(values):
    """The least difference between numbers that are not equal."""
    ordered = sorted(values)
    largest = max(abs(x) for x in ordered)
    gaps = [b - a for a, b in zip(ordered, ordered[1:]) if b - a > 1e-9 * largest]
    return min(gaps) if gaps else None


def separation(values, second):
    seen = [(x, run in second) for run, x in enumerate(values) if x is not None]
    one = [x for x, is_second in seen if not is_second]
    two = [x for x, is_second in seen if is_second]
    if not one or not two or len(seen) < 3:
        return 0.0
    width = step([x for x, _ in seen])
    if width is None:
        return 0.0
    n = len(seen)
    freedom = n - 2
    # Within the groups, and what rounding to steps hides.
    within = sum((x - numpy.mean(one)) ** 2 for x in one)
    within += sum((x - numpy.mean(two)) ** 2 for x in two)
    within += n * width**2 / 12
    t = (numpy.mean(two) - numpy.mean(one)) / math.sqrt(within / freedom * (1 / len(one) + 1 / len(two)))
    return (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))


def compared(first, second, measures):
    runs = first + second
    observed = set(range(first, runs))
    z = [separation(values, observed) for values in measures]
    ways = [
        [separation(values, set(chosen)) for values in measures]
        for chosen in itertools.combinations(range(runs), second)
    ]

    def reaches(one, other):
        return one >= other * (1 - 1e-9)

    alone = [sum(reaches(way[j], z[j]) for way in ways) / len(ways) for j in range(len(z))]
    order = sorted(range(len(z)), key=lambda j: -z[j])
    family, most = [0.0] * len(z), 0.0
    for place, j in enumerate(order):
        rest = order[place:]
        share = sum(reaches(max(way[k] for k in rest), z[j]) for way in ways) / len(ways)
        most = max(most, share)
        family[j] = most
    return {"separations": z, "p_values": alone, "family": family}


def cases():
    generator = numpy.random.default_rng(20051016)
    for first, second, count, effect, missing, coarse in [
        (2, 2, 3, 5.0, 0.0, False),
        (3, 3, 4, 3.0, 0.0, False),
        (4, 3, 6, 3.0, 0.0, False),
        (4, 4, 12, 4.0, 0.0, False),
        (5, 5, 20, 3.0, 0.0, False),
        (5, 5, 8, 2.0, 0.2, False),
        (6, 4, 10, 2.0, 0.1, True),
        (1, 8, 5, 6.0, 0.0, False),
        (7, 2, 5, 4.0, 0.1, True),
    ]:
        runs = first + second
        measures = []
        common = generator.normal(size=runs)
        for number in range(count):
            values = generator.normal(size=runs) + 0.5 * common
            if number % 3 == 0:
                values[first:] += effect
            if coarse:
                values = numpy.round(values)
            values = values * 10.0 ** (number - 2)
            gone = generator.random(runs) < missing
            measures.append([None if hidden else float(x) for x, hidden in zip(values, gone)])
        yield {
            "first": first,
            "second": second,
            "measures": measures,
            **compared(first, second, measures),
        }


def main():
    write("two_groups/family.json",
          f"numpy {numpy.__version__}: every division, by itertools",
          {"separations": 1e-9, "p_values": "exact", "family": "exact"},
          "Sums of at most ten numbers, in another order.",
          "The first runs are the first group; null is a run without a number.",
          list(cases()))


if __name__ == "__main__":
    main()
