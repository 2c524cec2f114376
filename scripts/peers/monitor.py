#!/usr/bin/env python3
"""Peer: rtamt judging formulas of signal temporal logic, in discrete and in dense time.

    monitor.py --values FILE --formula NAME --width W --expect R [--runs 3]

FILE has the values of x and then those of y, one a line, as many of one as of the other: step signals, one step for
each unit of time. NAME is `always`, `response` or `until`. R is the robustness at time 0; a result that differs is an
error, except for until in dense time, which rtamt defines in another way.

Prints a JSON line for each of the two. Only the evaluation is timed, with the samples in the form that rtamt takes.
Until in discrete time takes the square of the width: it is left out for widths above 10.
"""

import argparse
import contextlib
import io
import json
from importlib.metadata import version

import rtamt

from timing import summary, times

FORMULAS = {
    "always": "always[0:{w}](x < 0.5)",
    "response": "always[0:{w}]((x < 0.5) implies (eventually[0:{w}](y > 0.5)))",
    "until": "(x < 0.5) until[0:{w}] (y > 0.5)",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--values", required=True)
    parser.add_argument("--formula", choices=FORMULAS, required=True)
    parser.add_argument("--width", type=int, required=True)
    parser.add_argument("--expect", type=float, required=True)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    with open(args.values, encoding="ascii") as file:
        values = [float(line) for line in file]
    n = len(values) // 2
    x, y = values[:n], values[n:]
    inputs = {
        "discrete": (rtamt.StlDiscreteTimeSpecification, [{"time": list(range(n)), "x": x, "y": y}]),
        "dense": (
            rtamt.StlDenseTimeSpecification,
            [["x", [[i, v] for i, v in enumerate(x)]], ["y", [[i, v] for i, v in enumerate(y)]]],
        ),
    }
    for kind, (specification, data) in inputs.items():
        is_until = args.formula == "until"
        if is_until and kind == "discrete" and args.width > 10:
            continue
        spec = specification()
        for name in ("x", "y", "out"):
            spec.declare_var(name, "float")
        spec.spec = "out = " + FORMULAS[args.formula].format(w=args.width)
        with contextlib.redirect_stdout(io.StringIO()):
            spec.parse()
            found = spec.evaluate(*data)[0][1]
            if abs(found - args.expect) > 1e-12 and not (is_until and kind == "dense"):
                raise SystemExit(f"{kind}: {args.formula} is {found}, not {args.expect}")
            taken = times(lambda: spec.evaluate(*data), args.runs)
        print(json.dumps({"peer": kind, "version": version("rtamt"), "n": n, **summary(taken)}), flush=True)


if __name__ == "__main__":
    main()
